//! The .pcn file: a table as clauses in positional cube notation or as decision trees, and the rule that answers a position.
//!
//! [`Pcn`] is the content: for each side to move the anchor of canonical positions, and a [`Tree`]; or covers
//! ([`Covers`](crate::covers::Covers)). `FORMAT.md` in this directory describes the bytes, field by field; [`Pcn::decode`] and
//! [`Pcn::encode`] are that text in code.
//!
//! The rule: bring the position into canonical form with the side's anchor, and evaluate the model's variables. The leaf that the
//! position reaches states the outcome, and a static function decides whether the position is an exception to the leaf.
//! Frozen: the bytes that exist fix what is read, and FORMAT.md what is written. New bytes: the cuts in `pages`, `solution`,
//! `ribbon`, and the costs of `byte_breakdown`. Free: `summary` and the rest of `byte_breakdown`.

mod bundle;
#[cfg(feature = "build")]
pub(crate) mod byte_breakdown;
mod codec;
mod content;
mod cover_sections;
#[cfg(feature = "std")]
mod distance_file;
#[cfg(all(test, feature = "build"))]
mod distance_tests;
#[cfg(feature = "build")]
mod distance_write;
mod frozen;
#[cfg(test)]
#[path = "../../tests/noise.rs"]
pub(crate) mod noise;
#[cfg(test)]
mod page_tests;
mod pages;
mod read;
#[cfg(feature = "build")]
mod ribbon;
#[cfg(all(test, feature = "std"))]
pub(crate) mod rule_tests;
#[cfg(any(feature = "build", test))]
mod solution;
mod summary;
#[cfg(test)]
mod tests;
#[cfg(feature = "build")]
mod tree_file;
#[cfg(test)]
mod tree_tests;
mod write;

#[cfg(feature = "build")]
pub(crate) use self::{
    frozen::static_function::System,
    ribbon::{BYTES_PER_EQUATION, solve},
    solution::PositionEquation,
};
#[cfg(feature = "std")]
pub(crate) use self::{
    pages::{Fresh, Top},
    read::{Header, TreeOrTop},
};
pub use crate::nodes::Test;
#[cfg(feature = "std")]
pub(crate) use bundle::Index;
pub use bundle::{BUNDLE_MAGIC, Bundle, BundleKind};
#[cfg(feature = "build")]
pub use byte_breakdown::ByteBreakdown;
pub use codec::Codec;
pub use content::Pcn;
#[cfg(feature = "std")]
pub(crate) use distance_file::{DistanceFile, DistanceTop, DistanceTree, DistanceTreeOrTop, memory_of};
#[cfg(feature = "std")]
pub use distance_file::{DistanceSummary, DistanceTreeSummary};
pub(crate) use frozen::castling::CastlingExceptions;
pub use frozen::fields::MAGIC;
#[cfg(feature = "std")]
pub(crate) use frozen::residual_code::LeafDistances;
#[cfg(feature = "build")]
pub(crate) use frozen::residual_code::{MAX_CLASSES, MAX_WORD};
pub use frozen::static_function::MAX_LEVEL;
pub(crate) use frozen::static_function::{PositionHash, StaticFunction};
pub use frozen::tree::{Excepted, Leaf, MAX_NODES, Node, Tree};
pub use summary::{SectionSummary, SideSummary, Summary, TreeSummary};
#[cfg(feature = "build")]
pub(crate) use tree_file::TreeFile;
#[cfg(feature = "build")]
pub(crate) use write::tree_bytes;
