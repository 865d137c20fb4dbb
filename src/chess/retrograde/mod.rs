//! Chess for the generator: 64 positions a word, which differ only in the black king's square.
//!
//! [`Store`] is the entry point: it returns tables from memory or from a directory, or generates them with their sub-tables.
//! [`Table`] has the outcomes of positions.
//! Frozen: the rules of chess and the index fix every outcome.

mod block_moves;
pub mod castling;
mod conversion_values;
pub mod conversions;
mod frozen;
mod legality;
#[cfg(test)]
mod tests;

use crate::chess::position::{Color, Material, Position};
use crate::retrograde::game::Game;
use crate::retrograde::rules::Rules;
use crate::retrograde::{estimate, mapped, solve, store, table};
use block_moves::BlockMoves;
use conversion_values::ConversionTables;
pub use conversions::Conversions;
pub use frozen::index;
pub use frozen::index::Index;

/// A table of chess.
pub type Table = table::Table<Chess>;
/// A table of chess in its file.
pub type TableFile = mapped::TableFile<Chess>;
/// The tables of chess.
pub type Store = store::Store<Chess>;
/// The cost of a table of chess.
pub type Estimate = estimate::Estimate<Chess>;
/// The generator's report about a table of chess.
pub type Progress = solve::Progress<Chess>;
/// A table of chess that a store is done with.
pub type Finished<'a> = store::Finished<'a, Chess>;

/// The most men of a small table; see [`Game::is_small`]. Larger tables are made one by one, each on all threads.
const FEW_MEN: usize = 4;

/// Chess, for the generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chess;

impl Game for Chess {
    type Bits = u64;
    type Material = Material;
    type Position = Position;
    type Index = Index;

    const HAS_FIFTY_MOVE_RULE: bool = true;

    fn stored_turns(material: &Material) -> &'static [Color] {
        material.stored_turns()
    }

    fn sub_materials(material: &Material) -> Vec<Material> {
        Conversions::new(material).materials().to_vec()
    }

    fn is_small(material: &Material) -> bool {
        material.len() <= FEW_MEN
    }

    fn distance_bytes(material: &Material) -> u64 {
        if material.len() > 5 { 2 } else { 1 }
    }
}

impl Rules for Chess {
    type Moves = BlockMoves;
    type Conversions = ConversionTables;

    const STALEMATE_LOSES: bool = false;
}
