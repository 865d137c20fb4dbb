//! The .pcn file: a table as clauses in positional cube notation or as decision trees, and the rule that answers a position.
//!
//! [`Pcn`] is the content: for each side to move the man that leads the canonical position, and a [`Tree`]; or covers
//! ([`Covers`](crate::covers::Covers)). `FORMAT.md` in this directory describes the bytes, field by field; [`Pcn::decode`] and
//! [`Pcn::encode`] are that text in code.
//!
//! The rule: bring the position into canonical form with the side's leading man, and evaluate the model's variables. The leaf
//! of the tree that the position reaches decides, or the exceptions of the leaf if the position is one.

mod bundle;
#[cfg(feature = "build")]
pub(crate) mod byte_breakdown;
mod castling;
mod castling_code;
mod codec;
mod content;
mod counters;
mod cover_sections;
mod fields;
mod mixing;
#[cfg(test)]
#[path = "../../tests/noise.rs"]
pub(crate) mod noise;
#[cfg(test)]
mod page_tests;
mod pages;
mod range;
mod read;
mod reader;
#[cfg(any(feature = "build", test))]
mod solution;
mod static_function;
mod summary;
mod symbols;
#[cfg(test)]
mod tests;
mod tree;
mod tree_classes;
mod tree_code;
mod tree_context;
#[cfg(feature = "build")]
mod tree_file;
mod tree_nodes;
mod tree_plain;
#[cfg(test)]
mod tree_tests;
mod write;

#[cfg(feature = "std")]
pub(crate) use self::{
    pages::Top,
    read::{Header, Lazy},
};
#[cfg(feature = "build")]
pub(crate) use self::{
    solution::{PositionEquation, SEEDS, SHARD, Solution},
    static_function::{Equation, MAX_UNKNOWNS, System},
};
pub use crate::nodes::Test;
pub use bundle::{BUNDLE_MAGIC, Bundle};
#[cfg(feature = "build")]
pub use byte_breakdown::ByteBreakdown;
pub(crate) use castling::CastlingExceptions;
pub use codec::Codec;
pub use content::Pcn;
pub use fields::MAGIC;
pub use static_function::MAX_LEVEL;
pub(crate) use static_function::{PositionHash, StaticFunction};
pub use summary::{CoversSummary, SectionSummary, SideSummary, Summary, TreeSummary};
pub use tree::{Excepted, Leaf, MAX_NODES, Node, Tree};
#[cfg(feature = "build")]
pub(crate) use tree_file::TreeFile;
#[cfg(feature = "build")]
pub(crate) use write::tree_bytes;
