//! The .pcn file: a table as clauses in positional cube notation or as decision trees, and the rule that answers a position.
//!
//! [`Pcn`] is the content: for each side to move the man that leads the canonical position, and a [`Tree`], or a default
//! outcome beside sections of clauses that state one outcome each. `FORMAT.md` in this directory describes the bytes, field
//! by field; [`Pcn::decode`] and [`Pcn::encode`] are that text in code.
//!
//! The rule: bring the position into canonical form with the side's leading man, and evaluate the model's variables. If the
//! side has a tree, the leaf that the position reaches decides, or the exceptions of the leaf if the position is one. If
//! not, go through the sections of the side to move in file order: the first with a clause that contains the position
//! decides, and the default if there is none.

mod bundle;
#[cfg(feature = "build")]
pub(crate) mod byte_breakdown;
mod castling;
mod castling_code;
mod clauses;
mod codec;
mod content;
mod counters;
mod fields;
mod layout;
mod list_code;
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
#[cfg_attr(not(feature = "zstd"), path = "without_zstd.rs")]
mod zstd_code;

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
pub use bundle::{BUNDLE_MAGIC, Bundle};
#[cfg(feature = "build")]
pub use byte_breakdown::ByteBreakdown;
pub(crate) use castling::CastlingExceptions;
pub use clauses::Clauses;
pub use codec::Codec;
pub use content::{Layers, MAX_CLAUSES, Pcn, Section, Side, Turns};
pub use fields::MAGIC;
pub use layout::{Layout, contains};
pub use static_function::MAX_LEVEL;
pub(crate) use static_function::{PositionHash, StaticFunction};
pub use summary::{SectionSummary, SideSummary, Summary, TreeSummary};
pub(crate) use tree::ends;
pub use tree::{Excepted, Leaf, MAX_NODES, Node, Test, Tree};
#[cfg(feature = "build")]
pub(crate) use tree_file::TreeFile;
pub(crate) use tree_nodes::Below;
#[cfg(feature = "build")]
pub(crate) use write::{stated_bytes, tree_bytes};
