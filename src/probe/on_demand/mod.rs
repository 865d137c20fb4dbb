//! Tables in files, with feature `std`. The first thread that needs a table decodes it.

#[cfg(feature = "explain")]
pub(crate) mod decider;
mod decoding_limit;
#[cfg(feature = "embedded")]
mod embedded;
mod entry;
mod file;
mod file_prober;
mod lazy_slot;
mod material_index;
#[cfg(test)]
pub(crate) mod page_tests;
mod pages;
mod source;
mod tables;

pub(super) use decoding_limit::DecodingLimit;
pub(super) use file::File;
pub(super) use lazy_slot::LazySlot;
pub(super) use pages::PagedTree;
pub use source::{DISTANCES, EXTENSION, RANKING};
pub use tables::{Memory, Preloaded, Tables};
