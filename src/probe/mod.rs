//! Probing: the outcome of a position from the clauses of its table alone. No moves are made, no other table is read.
//!
//! [`Prober`] answers from one table; `Tables` is a directory of tables, read as they are needed. Both are `Send + Sync`;
//! a probe neither allocates nor locks where what it meets, a tree or a page of one, has been decoded.

mod bitmaps;
#[cfg(feature = "std")]
mod board;
#[cfg(feature = "std")]
mod budget;
#[cfg(feature = "std")]
mod cell;
#[cfg(feature = "explain")]
pub(crate) mod decider;
#[cfg(feature = "std")]
mod file;
mod later;
#[cfg(feature = "std")]
mod name;
#[cfg(test)]
#[cfg(feature = "std")]
pub(crate) mod page_tests;
#[cfg(feature = "std")]
mod pages;
mod prober;
mod side_tree;
#[cfg(feature = "std")]
mod tables;
#[cfg(test)]
#[cfg(feature = "std")]
pub(crate) mod tests;
mod walker;

pub use prober::Prober;
#[cfg(feature = "cli")]
pub(crate) use tables::EMBEDDED;
#[cfg(feature = "std")]
pub use tables::{EXTENSION, Memory, Preloaded, Tables};
