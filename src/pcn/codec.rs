//! The codecs of a file.

use crate::error::{Error, ErrorKind, Result};

/// A code for the trees and clauses of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codec {
    /// Nodes of trees as bytes, clauses as words.
    None,
    /// Trees by an adaptive range coder, clauses by zstd. Clauses need the feature `zstd`.
    Compressed,
}

impl Codec {
    /// Both codecs, the plain one first.
    pub const ALL: [Codec; 2] = [Codec::None, Codec::Compressed];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Codec::None => "none",
            Codec::Compressed => "compressed",
        }
    }
}

/// A code for a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TreeCodec {
    /// Its nodes as bytes.
    None = 0,
    /// Its nodes coded by an adaptive range coder.
    Pcn = 2,
    /// Its nodes in pages, each coded by an adaptive range coder.
    Pages = 3,
}

impl TreeCodec {
    const ALL: [TreeCodec; 3] = [TreeCodec::None, TreeCodec::Pcn, TreeCodec::Pages];

    /// The number of the codec in files.
    pub(super) const fn id(self) -> u8 {
        self as u8
    }

    /// Returns the codec with the number `id` in files.
    pub(super) fn from_id(id: u8) -> Result<Self> {
        let unknown = || Error::new(ErrorKind::UnsupportedVersion, format!("unknown codec of a tree {id}"));
        Self::ALL.into_iter().find(|codec| codec.id() == id).ok_or_else(unknown)
    }
}
