//! The papers' way: a table as a function of F, D and R, its covers, and the covers' clauses in a .pcn file.
//!
//! [`independent`] and [`layer`] make a function of a table. [`write_pla`] writes the first one for any two-level minimizer,
//! [`build`] minimizes either by this project's own, and [`pack`] takes the cover of any minimizer. `frozen` has the covers of a
//! file and their matching; trees need nothing else of this room.
//! New bytes (see ARCHITECTURE.md), except in `frozen`: other clauses make another file of the same answers.

pub(crate) mod frozen;
#[cfg(feature = "build")]
mod making;

pub use frozen::{Clauses, Covers, Layers, Layout, MAX_CLAUSES, Section, Turns, contains};
#[cfg(feature = "build")]
pub use making::*;
