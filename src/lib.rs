//! Chess endgame tables as two-level logic: generated, minimized, packed, and probed without search.

#[cfg(feature = "build")]
pub mod atomic;
#[cfg(feature = "build")]
pub mod compare;
pub mod error;
pub mod model;
pub mod pcn;
pub mod position;
pub mod probe;
#[cfg(feature = "build")]
pub mod retrograde;

pub use error::{Error, ErrorKind, Result};
pub use model::Model;
pub use pcn::Pcn;
pub use position::{Color, Man, Material, Position, Role, Square, Wdl};
pub use probe::{Table, Tables};
