//! Positions: men on squares, material signatures, FEN, legality, symmetry, the dense index, and the order of ranks.

pub mod attacks;
pub mod enumerate;
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

pub use enumerate::Enumeration;
pub use index::Index;
pub use legal::DoublePush;
pub use man::{Color, Man, Role};
pub use material::{MAX_MEN, Material};
pub use placement::Position;
pub use square::{Square, Symmetry};
pub use wdl::Wdl;
