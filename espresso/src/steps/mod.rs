//! The steps of a minimization, one technique a file.

pub(crate) mod budget;
pub mod compact;
pub mod complement;
pub mod essential;
pub mod expand;
pub mod irredundant;
pub(crate) mod large_neighbourhood_search;
pub mod last_gasp;
pub mod make_sparse;
pub mod reduce;
mod sorted_cubes;
