//! Frozen: every answer of this code is fixed by the files that exist, so it may become faster, but never different.
//!
//! An outcome table has the positions in the order of the index; clauses test the values of a model's variables by the variables'
//! numbers. `tests/frozen.rs` checks both.

pub(super) mod groups;
pub(super) mod index;
pub mod model;
pub(super) mod palace;
