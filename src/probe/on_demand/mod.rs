//! With feature `std`: tables in files, each decoded at its first probe, by one of several threads.

mod board;
mod budget;
mod cell;
#[cfg(feature = "explain")]
pub(crate) mod decider;
mod file;
mod later;
mod name;
#[cfg(test)]
pub(crate) mod page_tests;
mod pages;
mod stored;
mod tables;

pub(super) use file::File;
pub(super) use later::Later;
pub(super) use pages::PagedTree;
pub use tables::{EXTENSION, Memory, Preloaded, Tables};
