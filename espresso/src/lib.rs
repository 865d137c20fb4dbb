//! Two-level logic minimization over multi-valued, multiple-output covers of any size.
//!
//! A function is given by its ON-set F, its DC-set D and its OFF-set R, each a [`Cover`] of cubes in positional
//! cube notation over the variables of a [`Space`]. The library reads and writes Berkeley's PLA format and
//! minimizes covers by the steps of Brayton, Hachtel, `McMullen` and Sangiovanni-Vincentelli, *Logic Minimization
//! Algorithms for VLSI Synthesis* (1984), preceded by the compaction of Gomboc and Shelton.

mod branch;
mod census;
pub mod check;
pub mod compact;
pub mod complement;
pub mod cover;
mod covering;
mod dense;
mod draw;
pub mod error;
pub mod essential;
pub mod expand;
pub mod function;
pub mod gasp;
mod given;
mod ground;
mod index;
pub mod irredundant;
mod kernel;
#[cfg(test)]
mod laws;
mod lowering;
mod meeting;
pub mod memory;
mod meter;
pub mod minimize;
pub mod pla;
mod points;
pub mod reduce;
mod renew;
mod scan;
mod sccc;
mod sorted;
pub mod space;
pub mod sparse;
pub mod tabular;
pub mod tautology;
#[cfg(test)]
mod testing;
mod wall;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

pub use cover::Cover;
pub use error::{Error, ErrorKind, Result};
pub use function::Function;
pub use pla::{Pla, PlaType};
pub use scan::vector_level;
pub use space::Space;
