//! Probing: the outcome of a position from the clauses of its table alone. No moves are made, no other table is read.
//!
//! [`Prober`] answers from one table; `Tables` is a directory of tables, read as they are needed. Both are `Send + Sync`.
//! A probe neither allocates nor locks once the tree or the page it needs has been decoded.
//! Frozen: files fix every answer. Free is `on_demand`: where files are found, and what is decoded when.

#[cfg(feature = "std")]
mod distances;
#[cfg_attr(not(feature = "std"), path = "eager.rs")]
pub(crate) mod on_demand;
mod prober;
mod side_tree;
#[cfg(all(test, feature = "std"))]
pub(crate) mod tests;
mod walker;

#[cfg(feature = "build")]
pub(crate) use distances::DistanceProber;
#[cfg(feature = "std")]
pub use on_demand::{DISTANCES, EXTENSION, Memory, Preloaded, RANKING, Tables};
pub use prober::Prober;
