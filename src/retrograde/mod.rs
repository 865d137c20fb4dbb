//! The generator: outcome tables by retrograde analysis, from the rules of chess alone.
//!
//! [`Store`] is the entry point: it returns tables from memory or from a directory, or generates them with their sub-tables.
//! [`Table`] has the outcomes of positions. [`solve`](solve::solve) makes one table from its sub-tables. The file layout is in
//! `FORMAT.md`, beside this module.

pub mod castling;
mod castling_moves;
mod conversion_values;
pub mod conversions;
pub mod estimate;
mod file;
mod header;
pub mod index;
mod legality;
mod mapped;
mod radix;
mod sets;
pub mod solve;
pub mod store;
pub mod table;
#[cfg(test)]
mod tests;
mod word_moves;

pub use conversions::Conversions;
pub use estimate::Estimate;
pub use index::Index;
pub use mapped::TableFile;
pub use solve::Progress;
pub use store::{Finished, Store};
pub use table::{Metric, Table};
