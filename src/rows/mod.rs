//! Minimization of functions given by rows: one row a care minterm, with its class. Knows no game.
//!
//! A minimizer of covers, as the crate `espresso` is, works on cubes against cubes and pays for the product structure of its
//! covers. Where there is none, as with hundreds of multi-valued variables computed from a few underlying ones, the rows
//! themselves are the only representation that stays small. Their parts are ordered, and literals are intervals.
//!
//! Two shapes come out of it, both covers in positional cube notation:
//! - a [`DecisionTree`]: disjoint cubes arranged by shared tests, with minterm exceptions where they cost less than tests
//!   ([`mod@tree`]). What a cube costs is the caller's business ([`Price`]): it knows how it is going to be coded;
//! - a [`List`]: ordered, overlapping cubes, the first that matches decides ([`list`]), of functions with few minterms.

pub mod list;
#[cfg(test)]
mod memory_rows;
mod random;
mod source;
pub mod tree;

pub use list::{List, ListOptions};
pub use source::{Numbered, Row, Rows};
pub use tree::{DecisionTree, Node, Price};
