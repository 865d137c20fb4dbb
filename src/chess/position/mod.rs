//! Positions: men on squares, material signatures, FEN, legality, symmetry, and the enumeration of positions.
//! Frozen: the rules of chess and the files that exist fix every answer. New bytes: the order in
//! `enumerate`. Free: `fen`, `rules_library`.

pub mod attacks;
pub mod bitboard;
pub mod castling;
mod castling_field;
pub mod enumerate;
pub mod fen;
mod frozen;
#[cfg(feature = "build")]
pub(crate) mod generating;
pub mod legal;
pub mod man;
pub mod material;
mod men;
pub mod placement;
#[cfg(any(feature = "build", feature = "moves"))]
pub(crate) mod rules_library;
pub mod square;

pub use crate::outcome::{Color, Wdl};
pub use bitboard::Bitboard;
pub use castling::CastlingRights;
pub use enumerate::Enumeration;
#[cfg(any(feature = "explain", feature = "moves"))]
pub(crate) use fen::Fen;
pub(crate) use frozen::packed::PackedSquares;
pub use frozen::symmetry;
pub use legal::DoublePush;
pub use man::{Man, Role};
#[cfg(feature = "build")]
pub(crate) use material::BLACK_KING;
pub use material::{MAX_MEN, Material};
pub use placement::Position;
pub use square::{Square, Symmetry};

pub(crate) use frozen::symmetry::Canonizer;
