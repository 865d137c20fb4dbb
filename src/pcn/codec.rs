//! How the clauses of a section become bytes.

use super::{Clauses, Layout};
use crate::error::{Error, ErrorKind, Result};
use std::str::FromStr;

/// A way to write clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codec {
    /// The words as they are, little-endian: eight bytes a clause up to five men of `binary`, as in the paper.
    None,
}

impl Codec {
    /// All codecs, plainest first.
    pub const ALL: [Codec; 1] = [Codec::None];

    /// The name, as the command line takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Codec::None => "none",
        }
    }

    /// The number that stands for the codec in files.
    pub const fn id(self) -> u8 {
        match self {
            Codec::None => 0,
        }
    }

    /// Returns the codec that a file calls `id`.
    ///
    /// # Errors
    /// [`ErrorKind::UnsupportedVersion`] when this build does not know it.
    pub fn from_id(id: u8) -> Result<Self> {
        let unknown = || Error::new(ErrorKind::UnsupportedVersion, format!("unknown clause codec {id}"));
        Self::ALL.into_iter().find(|codec| codec.id() == id).ok_or_else(unknown)
    }

    /// Returns the payload of a section with `clauses`, and the codec that it is really in.
    pub(super) fn encode(self, clauses: &Clauses) -> (Codec, Vec<u8>) {
        match self {
            Codec::None => (self, clauses.iter().flatten().flat_map(|word| word.to_le_bytes()).collect()),
        }
    }

    /// Reads `count` clauses out of a payload. Allocates no more than the payload can hold.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] with the reason.
    pub(super) fn decode(self, layout: &Layout, count: usize, payload: &[u8]) -> Result<Clauses> {
        let width = layout.words();
        let words = match self {
            Codec::None => plain_words(payload, count * width)?,
        };
        if !words.chunks_exact(width).is_sorted_by(|a, b| Clauses::compare(a, b).is_lt()) {
            return Err(Error::corrupt("clauses are not in ascending order"));
        }
        Ok(Clauses::from_sorted(width, words))
    }
}

/// Reads `count` words that stand in `payload` as they are.
fn plain_words(payload: &[u8], count: usize) -> Result<Vec<u64>> {
    match payload.as_chunks::<8>() {
        (words, []) if words.len() == count => {
            Ok(words.iter().map(|&word| u64::from_le_bytes(word)).collect())
        }
        _ => Err(Error::corrupt(format!("{} bytes for {count} words of clauses", payload.len()))),
    }
}

impl FromStr for Codec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|codec| codec.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Codec::name).join(", ");
            Error::new(ErrorKind::BadInput, format!("no codec '{text}' (there are: {names})"))
        })
    }
}
