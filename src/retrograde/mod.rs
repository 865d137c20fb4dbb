//! The generator: outcome tables by retrograde analysis, from the rules of a game alone.
//!
//! [`Store`] is the entry point: it returns tables from memory or from a directory, or generates them with their sub-tables.
//! [`Table`] has the outcomes of positions. [`solve`](solve::solve) makes one table from its sub-tables. All of it has the game
//! as a parameter ([`game`], [`rules`]); the names here are those of [`chess`]. The file layout is in `FORMAT.md`, beside this module.

pub mod bits;
pub mod chess;
pub mod estimate;
mod file;
pub mod game;
mod header;
pub mod mapped;
pub mod rules;
mod sets;
pub mod solve;
pub mod store;
pub mod table;

pub use chess::conversions::Conversions;
pub use chess::index::Index;
pub use chess::{Chess, castling};
pub use sets::Set;
pub use table::Metric;

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
