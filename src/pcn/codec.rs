//! The codecs of lists and of trees.

use super::clauses::Clauses;
use super::layout::Layout;
use super::list_code;
use super::zstd_code;
use crate::error::{Error, ErrorKind, Result};
use alloc::vec::Vec;

/// A code for the clauses of a section. [`Pcn::encode`](super::Pcn::encode) says how it applies to trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codec {
    /// The words of clauses, little-endian. A clause of model `binary` with up to five men has eight bytes, as in the paper.
    None = 0,
    /// Columns of literals, compressed by zstd: the paper's "compressed PCN". Needs the feature `zstd`.
    Zstd = 1,
    /// Literals, coded by an adaptive range coder.
    Pcn = 2,
}

impl Codec {
    /// All codecs, plainest first.
    pub const ALL: [Codec; 3] = [Codec::None, Codec::Zstd, Codec::Pcn];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Codec::None => "none",
            Codec::Zstd => "zstd",
            Codec::Pcn => "pcn",
        }
    }

    /// The number of the codec in files.
    pub const fn id(self) -> u8 {
        self as u8
    }

    /// Returns the codec with the number `id` in files.
    ///
    /// # Errors
    /// [`ErrorKind::UnsupportedVersion`] when there is none.
    pub fn from_id(id: u8) -> Result<Self> {
        let unknown = || Error::new(ErrorKind::UnsupportedVersion, format!("unknown clause codec {id}"));
        Self::ALL.into_iter().find(|codec| codec.id() == id).ok_or_else(unknown)
    }

    /// Whether this build can read and write the codec.
    pub const fn is_available(self) -> bool {
        !matches!(self, Codec::Zstd) || cfg!(feature = "zstd")
    }

    /// Returns the payload of a section with `clauses`, and its actual codec: [`Codec::None`] when this one would not make it
    /// shorter.
    pub(super) fn encode(self, layout: &Layout, clauses: &Clauses) -> Result<(Codec, Vec<u8>)> {
        let compressed = match self {
            Codec::None => None,
            Codec::Zstd => zstd_code::encode(layout, clauses)?,
            Codec::Pcn => list_code::encode(layout, clauses),
        };
        let plain_length = 8 * clauses.width() * clauses.len();
        Ok(match compressed.filter(|payload| payload.len() < plain_length) {
            Some(payload) => (self, payload),
            None => (Codec::None, clauses.iter().flatten().flat_map(|word| word.to_le_bytes()).collect()),
        })
    }

    /// Reads `count` clauses from a payload. Allocates in proportion to the payload, even when `count` is forged.
    pub(super) fn decode(self, layout: &Layout, count: usize, payload: &[u8]) -> Result<Clauses> {
        let width = layout.words();
        let words = match self {
            Codec::None => plain_words(payload, count.saturating_mul(width))?,
            Codec::Zstd => zstd_code::decode(layout, count, payload)?,
            Codec::Pcn => list_code::decode(layout, count, payload)?,
        };
        if !words.chunks_exact(width).is_sorted_by(|a, b| Clauses::compare(a, b).is_lt()) {
            return Err(Error::corrupt("clauses are not in ascending order"));
        }
        Ok(Clauses::from_sorted(width, words))
    }
}

/// A code for a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TreeCodec {
    /// Its nodes as bytes.
    None = 0,
    /// Its nodes coded by an adaptive range coder.
    Pcn = 2,
    /// The same, in pages.
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

/// Reads the `count` little-endian words in `payload`.
fn plain_words(payload: &[u8], count: usize) -> Result<Vec<u64>> {
    match payload.as_chunks::<8>() {
        (words, []) if words.len() == count => {
            Ok(words.iter().map(|&word| u64::from_le_bytes(word)).collect())
        }
        _ => Err(Error::corrupt(format!("{} bytes for {count} words of clauses", payload.len()))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::tests::layout;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_codec_gives_the_clauses_back(
            parts in prop::collection::vec(prop_oneof![Just(2_usize), 3..=64_usize], 1..60),
            words in prop::collection::vec(any::<u64>(), 0..200),
        ) {
            let layout = layout(&parts);
            let width = layout.words();
            let universe = layout.universe();
            let mut bits: Vec<u64> = words[..words.len() / width * width].to_vec();
            for clause in bits.chunks_exact_mut(width) {
                clause.iter_mut().zip(&universe).for_each(|(word, all)| *word &= all);
                for variable in (0..parts.len()).filter(|&v| layout.literal(clause, v) == 0).collect::<Vec<_>>() {
                    layout.set_literal(clause, variable, u64::MAX);
                }
            }
            let clauses = Clauses::new(width, &bits);
            for codec in Codec::ALL.into_iter().filter(|codec| codec.is_available()) {
                let (real, payload) = codec.encode(&layout, &clauses).unwrap();
                prop_assert!(payload.len() <= 8 * bits.len());
                prop_assert_eq!(&real.decode(&layout, clauses.len(), &payload).unwrap(), &clauses);
                // Only a range coder may decode a further clause, from the zeros past the end.
                let more = real.decode(&layout, clauses.len() + 1, &payload);
                prop_assert!(more.is_err() || real == Codec::Pcn);
            }
        }
    }

    #[test]
    #[cfg(not(feature = "zstd"))]
    fn a_codec_that_the_build_lacks_is_named() {
        let layout = layout(&[2, 2]);
        let written = Codec::Zstd.encode(&layout, &Clauses::new(1, &[5])).unwrap_err();
        let read = Codec::Zstd.decode(&layout, 1, &[0]).unwrap_err();
        for error in [written, read] {
            assert_eq!(error.kind(), ErrorKind::UnsupportedVersion);
            assert!(error.to_string().contains("feature `zstd`"), "{error}");
        }
    }
}
