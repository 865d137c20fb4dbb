//! The coder of trees and the other codes of a file. Frozen: files fix every answer, so this may become faster, never different.
//!
//! From the bytes up: `reader` and `fields`; the `range_coder`, whose probabilities the `context_mixer` learns in the
//! `context_table`; `symbols`, and the nodes of a `tree` by `tree_nodes`; the exceptions by `static_function`; the leaves of
//! distances by `residual_code`; castling rights.

pub(super) mod castling;
pub(super) mod castling_code;
pub(super) mod context_mixer;
pub(super) mod context_table;
pub(super) mod fields;
pub(super) mod range_coder;
pub(super) mod reader;
#[cfg(feature = "std")]
pub(super) mod residual_code;
pub(super) mod static_function;
pub(super) mod symbols;
pub(super) mod tree;
pub(super) mod tree_classes;
pub(super) mod tree_code;
pub(super) mod tree_context;
pub(super) mod tree_nodes;
pub(super) mod tree_plain;
