//! Spaces, cubes and covers, the operations on them, functions, and the PLA text.

pub(crate) mod calculus;
pub(crate) mod cofactor;
pub(crate) mod column_counts;
pub mod cover;
pub mod function;
pub mod pla;
pub mod space;
