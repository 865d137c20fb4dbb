//! The papers' way: a table as a function of F, D and R, its covers, and the covers' clauses in a .pcn file.
//!
//! [`paper_function`] makes the paper's function of a table, as a PLA too ([`write_pla`]), and [`pack`] takes its cover, from any
//! minimizer. `frozen` has the covers of a file and their matching, for the prober.
//! New bytes (see ARCHITECTURE.md), except in `frozen`: other clauses make another file of the same answers.

pub(crate) mod frozen;
#[cfg(feature = "build")]
mod making;

pub use frozen::{Clauses, Covers, Layout, MAX_CLAUSES, Section, Turns, contains};
#[cfg(feature = "build")]
pub use making::*;
