//! The generator: outcome tables by retrograde analysis, from the rules of chess and nothing else.
//!
//! [`Store`] is the way in: it returns tables from memory, from a directory, or generates them with the sub-tables
//! that they need. [`Table`] answers for positions. Beneath it [`solve`](solve::solve) makes one table from its
//! sub-tables, walking along [`moves`] and [`mod@unmoves`] and looking [`conversions`] up. The file layout is in
//! `FORMAT.md`, beside this module.

mod bits;
pub mod conversions;
mod entry;
pub mod estimate;
mod file;
mod header;
mod mapped;
pub mod moves;
mod scratch;
mod sight;
pub mod solve;
mod steps;
pub mod store;
pub mod table;
pub mod unmoves;

pub use conversions::Conversions;
pub use estimate::Estimate;
pub use mapped::TableFile;
pub use solve::Progress;
pub use store::{Finished, Store};
pub use table::{Metric, Table};
