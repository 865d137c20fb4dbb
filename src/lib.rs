//! Chess endgame tables as two-level logic: generated, minimized, packed, and probed without search.

#[cfg(feature = "build")]
pub mod atomic;
pub mod error;
pub mod position;
#[cfg(feature = "build")]
pub mod retrograde;

pub use error::{Error, ErrorKind, Result};
pub use position::{Color, Man, Material, Position, Role, Square, Wdl};
