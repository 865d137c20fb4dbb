//! A game, as its tables need it: materials, positions, and their numbering. [`rules`](super::rules) adds the moves.
//!
//! A game is a type parameter: the code is compiled for each game, and no look-up has a branch for it. [`Color::White`] is the
//! side that moves first.

use super::bits::Bits;
use crate::error::{Error, Result};
use crate::outcome::Color;
use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

/// A game with tables.
pub trait Game: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// The positions that the generator handles together.
    type Bits: Bits;
    /// The men of a table. Its text names the table's file.
    type Material: Copy + Eq + Hash + fmt::Debug + fmt::Display + FromStr<Err = Error> + Send + Sync + 'static;
    /// A position of a material.
    type Position: Clone + fmt::Debug;
    /// The numbering of a material's positions.
    type Index: Numbering<Self>;

    /// Whether the game has the 50-move rule, and tables with distances to zeroing.
    const HAS_FIFTY_MOVE_RULE: bool = false;

    /// The sides to move that a table stores. One is enough if the colours can be exchanged.
    fn stored_turns(material: &Self::Material) -> &'static [Color];
    /// The materials after one conversion, each once.
    fn sub_materials(material: &Self::Material) -> Vec<Self::Material>;
    /// Whether a table of this material is made at the same time as others, and stays in memory as long as a plan needs it.
    fn is_small(material: &Self::Material) -> bool;
    /// The bytes that a distance probably takes: 1 or 2.
    fn distance_bytes(material: &Self::Material) -> u64;
}

/// The dense numbering of the positions of a material: word by word, a slot for each bit.
pub trait Numbering<G: Game>: Clone + Eq + fmt::Debug + Send + Sync + 'static {
    /// The men of a word.
    type Men: Copy;

    /// The numbering of `material`.
    fn new(material: &G::Material) -> Self;
    /// The material.
    fn material(&self) -> &G::Material;
    /// The number of words, the same for both sides to move.
    fn words(&self) -> u64;
    /// The number of words of `material`, for which a game need not make the numbering.
    fn words_of(material: &G::Material) -> u64 {
        Self::new(material).words()
    }
    /// The side to move and the slot of a legal position or its stored image.
    fn rank_any(&self, position: &G::Position) -> (Color, u64);
    /// Checks that `position` is legal and of this material.
    ///
    /// # Errors
    /// [`MissingTable`](crate::ErrorKind::MissingTable), [`IllegalPosition`](crate::ErrorKind::IllegalPosition) or
    /// [`UnsupportedPosition`](crate::ErrorKind::UnsupportedPosition).
    fn check(&self, position: &G::Position) -> Result<()>;
    /// The men of word number `word`.
    fn men(&self, turn: Color, word: u64) -> Self::Men;
    /// The slots of the word of `men` that a table stores; illegal ones may be among them.
    fn stored(&self, men: &Self::Men) -> G::Bits;
    /// The position in slot number `slot` of the table, whose word has the men `men`. For an empty slot, to which a forged file
    /// may give an outcome, it is an arbitrary position, legal or not.
    fn placed(&self, turn: Color, men: &Self::Men, slot: u64) -> G::Position;
}

/// The men of a word.
pub type Men<G> = <<G as Game>::Index as Numbering<G>>::Men;

/// `[k][n]` is C(n, k): numbers of combinations of the places of identical men.
pub(crate) const fn binomials<const K: usize, const N: usize>() -> [[u32; N]; K] {
    let mut table = [[0; N]; K];
    let mut n = 0;
    while n < N {
        table[0][n] = 1;
        let mut k = 1;
        while n > 0 && k < K {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
}
