//! The papers' way: a table as a function of F, D and R, its covers, and their clauses in a .pcn file.
//!
//! [`independent`] and [`layer`] make functions of a table, [`write_pla`] writes it for any two-level minimizer, [`build`]
//! minimizes it by this project's own, and [`pack`] takes the result of any of them. What a file holds of covers, and how they are
//! matched, is in `frozen`. The trees' way uses nothing of this room but that.
//! New bytes, except in `frozen`: other clauses make another file of the same answers.

pub(crate) mod frozen;
#[cfg(feature = "build")]
mod making;

pub use frozen::{Clauses, Covers, Layers, Layout, MAX_CLAUSES, Section, Turns, contains};
#[cfg(feature = "build")]
pub use making::*;
