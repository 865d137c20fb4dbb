//! Positions: men on squares, material signatures, FEN, legality, symmetry, and the dense index.

pub mod attacks;
pub mod fen;
pub mod index;
pub mod legal;
pub mod man;
pub mod material;
pub mod placement;
pub mod square;
pub mod symmetry;
pub mod wdl;
// The prober ranks positions and no more; the generator moves words.
#[cfg_attr(not(feature = "build"), allow(dead_code))]
pub(crate) mod words;

pub use index::Index;
pub use legal::DoublePush;
pub use man::{Color, Man, Role};
pub use material::{MAX_MEN, Material};
pub use placement::Position;
pub use square::{Square, Symmetry};
pub use wdl::Wdl;
