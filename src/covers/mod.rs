//! The papers' way: a table as a function of F, D and R, its covers, and their clauses in a .pcn file.
//!
//! [`independent`] and [`layer`] make functions of a table, [`write_pla`] writes it for any two-level minimizer, [`build`]
//! minimizes it by this project's own, and [`pack`] takes the result of any of them. What a file holds of covers, and how they are
//! matched, is in `frozen`. The trees' way uses nothing of this room but that.

#[cfg(feature = "build")]
mod blocks;
#[cfg(feature = "build")]
mod columns;
pub(crate) mod frozen;
#[cfg(feature = "build")]
mod function;
#[cfg(feature = "build")]
mod memory;
#[cfg(feature = "build")]
mod minimize;
#[cfg(feature = "build")]
mod options;
#[cfg(feature = "build")]
mod pack;
#[cfg(feature = "build")]
mod pla;
#[cfg(feature = "build")]
mod placements;
#[cfg(feature = "build")]
mod scope;
#[cfg(feature = "build")]
mod sections;

#[cfg(feature = "build")]
pub use columns::{Columns, OUTPUTS};
pub use frozen::{Clauses, Covers, Layers, Layout, MAX_CLAUSES, Section, Turns, contains};
#[cfg(feature = "build")]
pub use function::{Exported, independent, layer};
#[cfg(feature = "build")]
pub use memory::{check_function_memory, check_memory, forecast};
#[cfg(feature = "build")]
pub use minimize::build;
#[cfg(feature = "build")]
pub use options::Options;
#[cfg(feature = "build")]
pub use pack::pack;
#[cfg(feature = "build")]
pub use pla::{check_type, natural_type, write_pla};
#[cfg(feature = "build")]
pub use scope::Scope;
