//! Spaces, cubes and covers, the operations on them, functions, and the PLA text.
//! New bytes (see ARCHITECTURE.md): results depend on the order of cubes. Frozen: `pla`, the text of another program.

pub(crate) mod bits;
pub(crate) mod cofactor;
pub mod cover;
pub(crate) mod cube_algebra;
pub mod evaluate;
pub mod function;
pub(crate) mod outputs;
pub mod pla;
pub(crate) mod reorder;
pub mod space;
pub mod view;
