//! Chinese chess (xiangqi): points, men, materials, boards, positions, FEN and legal moves; its tables.
//!
//! The letters of men, the names of materials and the points of each man are those of R. Wu and D. F. Beal, "A Memory Efficient
//! Retrograde Algorithm and Its Application To Chinese Chess Endgames", in More Games of No Chance, MSRI Publications 42, 2002,
//! section 3. Red is [`Color::White`] and Black is `Color::Black`, so that the rooms for any game see the same two colours as in
//! chess. Red has ranks 0 to 4 and moves first.
//! Frozen: the rules of the game and the files that exist fix every answer. New bytes: `rows`, except its `hash`. Free: `fen`,
//! `pla`, `census`, `certificate` and `wording`.

mod block_moves;
pub mod board;
mod captures;
mod census;
#[cfg(feature = "explain")]
mod certificate;
pub mod clauses;
mod fen;
mod frozen;
pub mod man;
pub mod material;
mod pla;
pub mod point;
pub mod position;
mod reach;
mod rows;
#[cfg(test)]
mod tests;
#[cfg(feature = "explain")]
mod wording;

pub use board::{Board, Move};
pub use census::Census;
#[cfg(feature = "explain")]
pub use certificate::BoardExplanation;
pub use clauses::{Clauses, Explanation};
pub use frozen::groups::database_size;
pub use frozen::index::Index;
pub use frozen::model::{self, Model, VariableSet};
pub use man::{Man, Role};
pub use material::{MAX_MEN, Material};
pub use pla::write_pla;
pub use point::{Point, Points};
pub use position::Position;

use crate::outcome::Color;
use crate::retrograde::game::{Game, Numbering};
use crate::retrograde::rules::Rules;
use block_moves::BlockMoves;
use captures::CaptureTables;

/// The most words of a small table; see [`Game::is_small`].
const FEW_WORDS: u64 = 1 << 16;

/// Chinese chess, for the generator. An undecided position is a draw, since only one side has attackers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Xiangqi;

impl Game for Xiangqi {
    type Bits = u128;
    type Material = Material;
    type Position = Position;
    type Index = Index;

    fn stored_turns(_: &Material) -> &'static [Color] {
        &Color::BOTH
    }

    fn sub_materials(material: &Material) -> Vec<Material> {
        let mut below = Vec::new();
        for material in captures::after_captures(material).into_iter().flatten() {
            if !below.contains(&material) {
                below.push(material);
            }
        }
        below
    }

    fn is_small(material: &Material) -> bool {
        Index::words_of(material) <= FEW_WORDS
    }

    fn distance_bytes(_: &Material) -> u64 {
        1
    }
}

impl Rules for Xiangqi {
    type Moves = BlockMoves;
    type Conversions = CaptureTables;

    const STALEMATE_LOSES: bool = true;
}

/// A table of Chinese chess.
pub type Table = crate::retrograde::table::Table<Xiangqi>;
/// A table of Chinese chess in its file.
pub type TableFile = crate::retrograde::mapped::TableFile<Xiangqi>;
/// The tables of Chinese chess.
pub type Store = crate::retrograde::store::Store<Xiangqi>;
