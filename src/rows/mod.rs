//! Minimization of functions given by rows. A row is a care minterm with its class. Nothing here is about chess.
//!
//! A minimizer of covers, such as the crate `espresso`, compares cubes with cubes, and so needs ON- and OFF-sets of few cubes.
//! Here a function has hundreds of multi-valued variables, all computed from a few underlying ones, and has no small
//! ON- and OFF-sets to begin with. The parts of each variable are ordered.
//!
//! The result is a [`DecisionTree`] ([`mod@tree`]): disjoint cubes that share tests, with minterm exceptions where these cost
//! less than tests. The caller sets the price of a test and a leaf ([`Price`]), because it knows how they will be coded.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

#[cfg(test)]
mod memory_rows;
mod source;
pub mod tree;

pub use source::{Numbered, Row, Rows};
pub use tree::{DecisionTree, Node, Price};
