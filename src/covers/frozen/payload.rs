//! The bytes of a section's clauses: plain words, or columns of literals compressed by zstd.

use super::clauses::Clauses;
use super::layout::Layout;
use super::zstd;
use crate::error::{Error, ErrorKind, Result};
use alloc::format;
use alloc::vec::Vec;

/// The code of a section's payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Payload {
    /// The words of clauses, little-endian. A clause of model `binary` with up to five men has eight bytes, as in the paper.
    Plain = 0,
    /// Columns of literals, compressed by zstd: the paper's "compressed PCN". Needs the feature `zstd`.
    Zstd = 1,
}

impl Payload {
    /// The number of the code in files.
    pub(crate) const fn id(self) -> u8 {
        self as u8
    }

    /// Returns the code with the number `id` in files.
    ///
    /// # Errors
    /// [`ErrorKind::UnsupportedVersion`] when there is none.
    pub(crate) fn from_id(id: u8) -> Result<Self> {
        match id {
            0 => Ok(Payload::Plain),
            1 => Ok(Payload::Zstd),
            _ => Err(Error::new(ErrorKind::UnsupportedVersion, format!("unknown codec of clauses {id}"))),
        }
    }

    /// Returns the bytes of `clauses` and their code: plain, or with `compress` by zstd where that is shorter.
    pub(crate) fn encode(layout: &Layout, clauses: &Clauses, compress: bool) -> Result<(Self, Vec<u8>)> {
        let compressed = if compress { zstd::encode(layout, clauses)? } else { None };
        let plain_length = 8 * clauses.width() * clauses.len();
        Ok(match compressed.filter(|payload| payload.len() < plain_length) {
            Some(payload) => (Payload::Zstd, payload),
            None => (Payload::Plain, clauses.iter().flatten().flat_map(|word| word.to_le_bytes()).collect()),
        })
    }

    /// Reads `count` clauses from a payload. Allocates in proportion to the payload, even when `count` is forged.
    pub(crate) fn decode(self, layout: &Layout, count: usize, payload: &[u8]) -> Result<Clauses> {
        let width = layout.words();
        let words = match self {
            Payload::Plain => plain_words(payload, count.saturating_mul(width))?,
            Payload::Zstd => zstd::decode(layout, count, payload)?,
        };
        if !words.chunks_exact(width).is_sorted_by(|a, b| Clauses::compare(a, b).is_lt()) {
            return Err(Error::corrupt("clauses are not in ascending order"));
        }
        Ok(Clauses::from_sorted(width, words))
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
        fn clauses_come_back(
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
            for compress in [false, cfg!(feature = "zstd")] {
                let (code, payload) = Payload::encode(&layout, &clauses, compress).unwrap();
                prop_assert!(payload.len() <= 8 * bits.len());
                prop_assert_eq!(&code.decode(&layout, clauses.len(), &payload).unwrap(), &clauses);
                prop_assert!(code.decode(&layout, clauses.len() + 1, &payload).is_err());
            }
        }
    }

    #[test]
    #[cfg(not(feature = "zstd"))]
    fn a_codec_that_the_build_lacks_is_named() {
        let layout = layout(&[2, 2]);
        let written = Payload::encode(&layout, &Clauses::new(1, &[5]), true).unwrap_err();
        let read = Payload::Zstd.decode(&layout, 1, &[0]).unwrap_err();
        for error in [written, read] {
            assert_eq!(error.kind(), ErrorKind::UnsupportedVersion);
            assert!(error.to_string().contains("feature `zstd`"), "{error}");
        }
    }
}
