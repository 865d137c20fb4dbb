//! Frozen: every answer of this code is fixed by the files that exist, so it may become faster, but never different.
//!
//! Clauses test the values of these variables by the variables' numbers. A formula that changes, or another order, is a new
//! version of a model. `tests/frozen.rs` checks the formulas and their order.
//!
//! | file | content |
//! |---|---|
//! | `binary` | the paper's model |
//! | `families` | the lists of families of the other models, in order |
//! | `family` | the type of a family |
//! | `view` | [`View`](view::View): the sets of squares that formulas use |
//! | `offset`, `measure` | values that are read from tables; distances |
//! | `board`, `geometry`, ... | one group of families each, with their formulas |

pub(super) mod binary;
mod board;
mod contact;
mod distances;
pub(super) mod families;
pub(super) mod family;
mod geometry;
mod lines;
mod measure;
pub(super) mod offset;
mod pawn;
mod pawn_races;
pub(super) mod view;
