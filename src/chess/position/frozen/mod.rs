//! Frozen: every answer of this code is fixed by the files that exist, so it may become faster, but never different.
//!
//! Files depend on the canonical form of a position, on its squares as a number, and on the number of a position with castling
//! rights. `tests/frozen.rs` checks the first, an example of FORMAT.md the last.

mod castling_number;
pub(crate) mod packed;
pub mod symmetry;
