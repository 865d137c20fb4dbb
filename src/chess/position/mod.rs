//! Positions: men on squares, material signatures, FEN, legality, symmetry, and the enumeration of positions.

pub mod attacks;
pub mod bitboard;
pub mod castling;
mod castling_field;
mod castling_number;
pub mod enumerate;
pub mod fen;
#[cfg(feature = "build")]
pub(crate) mod generating;
pub mod legal;
pub mod man;
pub mod material;
mod men;
mod packed;
pub mod placement;
pub mod square;
pub mod symmetry;

pub use crate::outcome::{Color, Wdl};
pub use bitboard::Bitboard;
pub use castling::CastlingRights;
pub use enumerate::Enumeration;
#[cfg(any(feature = "explain", feature = "moves"))]
pub(crate) use fen::Fen;
pub use legal::DoublePush;
pub use man::{Man, Role};
pub use material::{MAX_MEN, Material};
pub(crate) use packed::PackedSquares;
pub use placement::Position;
pub use square::{Square, Symmetry};

pub(crate) use symmetry::Canonizer;
