//! Two-level logic minimization over multi-valued, multiple-output covers of any size.
//!
//! A function is given by its ON-set F, its DC-set D and its OFF-set R, each a [`Cover`] of cubes in positional
//! cube notation over the variables of a [`Space`]. The library reads and writes Berkeley's PLA format and
//! minimizes covers by the steps of Brayton, Hachtel, `McMullen` and Sangiovanni-Vincentelli, *Logic Minimization
//! Algorithms for VLSI Synthesis* (1984), preceded by the compaction of Gomboc and Shelton.
//!
//! [`tabular`] is another engine, for functions given row by row: it grows decision trees and ordered lists of cubes.
//! [`limits`] tells how much memory there is, and `atomic` writes files whole or not at all.

pub mod algebra;
#[cfg(feature = "atomic")]
pub mod atomic;
mod builder;
mod care;
pub mod check;
mod cpu;
mod cube;
pub mod error;
mod formats;
pub mod limits;
pub mod minimize;
pub mod progress;
mod random;
mod steps;
pub mod tabular;
#[cfg(test)]
mod testing;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

pub use care::tautology;
pub use cpu::{check_vector_level, vector_level};
pub use cube::cover::Cover;
pub use cube::evaluate::Evaluator;
pub use cube::function::Function;
pub use cube::pla::{Notes, Pla, PlaType};
pub use cube::space::Space;
pub use cube::view::{Cube, Literal};
pub use cube::{cover, function, pla, space};
pub use error::{Error, ErrorKind, Result};
pub use formats::Format;
pub use minimize::memory;
pub use progress::{Monitor, Progress};
pub use steps::{compact, complement};
