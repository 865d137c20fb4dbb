//! The steps of a minimization, one technique a file.
//! New bytes (see ARCHITECTURE.md): another choice in a step makes another right cover.

pub(crate) mod budget;
pub mod compact;
pub mod complement;
mod complement_recursion;
mod equal_cubes;
pub(crate) mod essential;
pub(crate) mod exact;
pub(crate) mod expand;
pub(crate) mod expand_without_off;
pub(crate) mod irredundant;
pub(crate) mod large_neighbourhood_search;
pub(crate) mod last_gasp;
pub(crate) mod make_sparse;
mod order;
pub(crate) mod parallel_map;
pub(crate) mod reduce;
pub(crate) mod sorted_cubes;
pub(crate) mod step;
pub(crate) mod step_context;
pub(crate) mod super_gasp;
mod transversals;
pub(crate) mod uncovered_by;
