//! Probing: the outcome of a position from the clauses of its table alone. No moves are made, no other table is read.
//!
//! [`Table`] is one table; [`Tables`] is a directory of them, read as they are needed. Both are `Send + Sync`; a probe
//! of a table that has been read neither allocates nor locks.

mod bitmaps;
mod exceptions;
mod explain;
mod table;
mod tables;
#[cfg(test)]
mod tests;

pub use explain::{Decision, Explanation};
pub use table::Table;
pub use tables::{EXTENSION, Tables};
