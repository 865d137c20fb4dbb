//! Queries of the steps about F, D and R: truth tables, indices over cubes, blocking and covering matrices, and the
//! recursions for tautology and SCCC.
//! New bytes (see ARCHITECTURE.md): set covers and single minterms are choices among right answers; the rest has one answer.

pub(crate) mod blocking_matrix;
pub(crate) mod column_cover;
pub(crate) mod coverable_cubes;
pub(crate) mod coverage_table;
pub(crate) mod cube_columns;
pub(crate) mod cube_index;
pub(crate) mod on_cubes;
pub(crate) mod part_columns;
pub(crate) mod recursion;
pub(crate) mod set_cover;
pub mod tautology;
mod transpose;
pub(crate) mod truth_table;
