//! Replaces `zstd.rs` without feature `zstd`, and refuses the codec.

use super::clauses::Clauses;
use super::layout::Layout;
use crate::error::{Error, ErrorKind, Result};
use alloc::vec::Vec;

pub(super) fn encode(_: &Layout, _: &Clauses) -> Result<Option<Vec<u8>>> {
    Err(refused())
}

pub(super) fn decode(_: &Layout, _: usize, _: &[u8]) -> Result<Vec<u64>> {
    Err(refused())
}

fn refused() -> Error {
    let message = "this build has no codec zstd: it needs the feature `zstd`";
    Error::new(ErrorKind::UnsupportedVersion, message)
}
