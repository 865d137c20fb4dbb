//! The generator: outcome tables by retrograde analysis, from the rules of a game alone.
//!
//! [`store::Store`] is the entry point: it returns tables from memory or from a directory, or generates them with their
//! sub-tables. [`table::Table`] has the outcomes of positions. [`solve`](solve::solve) makes one table from its sub-tables. The
//! game is a type parameter of all of them ([`game`], [`rules`]). The file layout is in `FORMAT.md`, beside this module.
//! Frozen: a table has only one right content, and its files keep their layout. Free: `store` and `estimate`.

pub mod bits;
pub mod estimate;
mod file;
pub mod game;
mod header;
pub mod mapped;
pub mod rules;
mod sets;
pub mod solve;
mod stage;
pub mod store;
pub mod table;

pub use sets::Set;
pub use table::Metric;
