//! Probing: the outcome of a position from the clauses of its table alone. No moves are made, no other table is read.
//!
//! [`Prober`] answers from one table; [`Tables`] is a directory of tables, read as they are needed. Both are `Send + Sync`;
//! a probe of a side that has been decoded neither allocates nor locks.

mod bitmaps;
mod board;
mod budget;
mod cell;
mod explain;
#[cfg(test)]
mod page_tests;
mod pages;
mod prober;
mod tables;
#[cfg(test)]
mod tests;
mod walker;

pub use explain::{Decision, Explanation};
pub use prober::Prober;
pub use tables::{EXTENSION, Memory, Preloaded, Tables};
