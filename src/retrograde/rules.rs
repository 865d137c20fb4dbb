//! The rules of a game, as the generator needs them: moves of whole words, and conversions.
//!
//! As in Wu & Beal's domain-independent algorithm, a game gives only `Predecessor` and `ProveSuccessor`.

use super::bits::Bits;
use super::game::{Game, Men};
use super::sets::Set;
use super::table::{Metric, Table};
use crate::outcome::{Color, FIFTY_MOVES, Wdl};
use std::sync::Arc;

/// The distance to zeroing by a conversion to a position whose outcome the 50-move rule makes a draw.
pub(super) const CURSED: u16 = FIFTY_MOVES as u16 + 1;

/// A game whose tables can be generated.
pub trait Rules: Game {
    /// The moves of a material's words.
    type Moves: Moves<Self>;
    /// The moves of a material that lead to other tables.
    type Conversions: Conversions<Self>;

    /// Whether a side without a legal move that is not in check loses. Otherwise the game is drawn.
    const STALEMATE_LOSES: bool;
}

/// The moves and un-moves of all positions of a word.
pub trait Moves<G: Game>: Send + Sync {
    /// The moves of `material`.
    fn new(material: &G::Material) -> Self;
    /// The bytes that it will take, for estimates.
    fn bytes(material: &G::Material) -> u64;
    /// The numbering of the material.
    fn index(&self) -> &G::Index;
    /// The slots of word number `word` that hold a legal position, stored or not.
    fn legal(&self, turn: Color, word: u64, men: &Men<G>) -> G::Bits;
    /// The legal slots in which the side to move is not in check; illegal slots may be among them.
    fn safe(&self, turn: Color, men: &Men<G>) -> G::Bits;
    /// The subset of the legal positions `candidates` whose moves within the table all lead to `wins`: the won and the illegal
    /// positions with the other side to move.
    fn lost(&self, turn: Color, word: u64, candidates: G::Bits, wins: &Set<G::Bits>) -> G::Bits;
    /// Calls `mark` with each word that has predecessors, and the set of them. A predecessor has a move within the table to one
    /// of `bits`, legal positions of word number `word` with `turn` to move; it has the other side to move and can be illegal.
    fn unmove(&self, turn: Color, word: u64, bits: G::Bits, mark: &impl Fn(u64, G::Bits));

    /// The moves for which [`Moves::lost`] and [`Moves::unmove`] leave out zeroing moves: those that reset the counter of the
    /// 50-move rule.
    #[must_use]
    fn quiet(self) -> Self
    where
        Self: Sized,
    {
        self
    }
    /// The stage of the positions in the word of `men`. A quiet move keeps the stage, and a zeroing move within the table
    /// leads to a greater one. 0 without such moves.
    fn stage(&self, _: &Men<G>) -> u8 {
        0
    }
    /// Calls `visit` for each zeroing move within the table, with the word after the move and the positions of word number `word`
    /// that have the move. The word has the men `men`. A child has the slot of its parent and can be illegal.
    fn zeroing(&self, _turn: Color, _word: u64, _men: &Men<G>, _visit: &mut impl FnMut(u64, G::Bits)) {}
}

/// The moves that lead to other tables, with those tables.
pub trait Conversions<G: Game>: Send + Sync {
    /// `tables` are the tables of [`Game::sub_materials`], in its order.
    fn new(material: &G::Material, tables: Vec<Arc<Table<G>>>) -> Self;
    /// Returns three subsets of `legal`, the legal positions in the word of `men`: those with a conversion that loses, that
    /// draws, and that wins for the side to move. Adds the distances to `plies`, if given.
    fn values(
        &self,
        turn: Color,
        men: &Men<G>,
        legal: G::Bits,
        plies: Option<&mut ConversionPlies<G::Bits>>,
    ) -> [G::Bits; 3];
}

/// The distances of a word's positions by conversions.
#[derive(Debug)]
pub struct ConversionPlies<B: Bits> {
    /// The distance of the shortest win; `u16::MAX` if there is none.
    pub(crate) shortest: B::Plies,
    /// The distance of the longest loss; 0 if there is none.
    pub(crate) longest: B::Plies,
    metric: Metric,
}

impl<B: Bits> ConversionPlies<B> {
    pub(crate) fn new(metric: Metric) -> Self {
        ConversionPlies { shortest: B::plies(u16::MAX), longest: B::plies(0), metric }
    }

    /// Adds a conversion of the position in slot number `slot` of the word with outcome `wdl` to a child at distance `below`. For
    /// distances to conversion, which are then 1, the child's table need not have distances, and `below` is arbitrary. The
    /// distance to zeroing is 1, or 101 if the child's outcome is a draw under the 50-move rule.
    #[inline]
    pub fn add(&mut self, slot: usize, wdl: Wdl, below: u32) {
        let plies = match self.metric {
            Metric::Dtz if below > FIFTY_MOVES => CURSED,
            Metric::Dtc | Metric::Dtz => 1,
            // Only a forged file can have a distance at the limit.
            _ => (below as u16).saturating_add(1),
        };
        let (shortest, longest) = (self.shortest.as_mut(), self.longest.as_mut());
        match wdl {
            Wdl::Win => shortest[slot] = shortest[slot].min(plies),
            Wdl::Draw => {}
            Wdl::Loss => longest[slot] = longest[slot].max(plies),
        }
    }
}
