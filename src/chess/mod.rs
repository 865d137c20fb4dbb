//! Chess: positions, the variables of a position, and its part of the generator.
//!
//! Rooms above it know chess too: the .pcn file of its tables, the prober, moves, explanations, exports. Chinese chess is
//! [`xiangqi`](crate::xiangqi).

pub mod model;
pub mod position;
#[cfg(feature = "build")]
pub mod retrograde;
