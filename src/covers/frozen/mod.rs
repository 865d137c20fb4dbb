//! Covers in a .pcn file and their matching. Frozen: files fix every answer, so the code may become faster, never different.
//!
//! A section is a set of clauses in positional cube notation that state one outcome. The sections of a side to move are matched
//! in file order: the first with a clause that contains the position decides.

mod bitmaps;
mod clauses;
mod layout;
mod matcher;
mod payload;
mod sections;
#[cfg_attr(not(feature = "zstd"), path = "without_zstd.rs")]
mod zstd;

pub use clauses::Clauses;
pub use layout::{Layout, contains};
pub(crate) use matcher::Matcher;
pub(crate) use payload::Payload;
pub use sections::{Covers, MAX_CLAUSES, Section, Turns};
