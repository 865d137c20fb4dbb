//! How the clauses of a section become bytes.

use super::{Clauses, Layout, columns, list_code};
use crate::error::{Error, ErrorKind, Result};
use std::str::FromStr;

/// A way to write clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codec {
    /// The words as they are, little-endian: eight bytes a clause up to five men of `binary`, as in the paper.
    None,
    /// Columns of literals, compressed by zstd: the paper's "compressed PCN".
    Zstd,
    /// Literals, or the nodes of a tree, by an adaptive range coder.
    Pcn,
}

/// How many bytes a byte of a compressed payload may stand for. A reader thereby allocates in proportion to the file.
pub(super) const MAX_EXPANSION: usize = 256;

/// The first bytes of every zstd frame, which payloads leave out.
const FRAME_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// zstd's strongest level: a table is compressed once and read many times.
const LEVEL: i32 = 22;

impl Codec {
    /// All codecs, plainest first.
    pub const ALL: [Codec; 3] = [Codec::None, Codec::Zstd, Codec::Pcn];

    /// The name, as the command line takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Codec::None => "none",
            Codec::Zstd => "zstd",
            Codec::Pcn => "pcn",
        }
    }

    /// The number that stands for the codec in files.
    pub const fn id(self) -> u8 {
        match self {
            Codec::None => 0,
            Codec::Zstd => 1,
            Codec::Pcn => 2,
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

    /// Returns the payload of a section with `clauses`, and the codec that it is really in: [`Codec::None`] when
    /// this one gains nothing.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] when zstd refuses to compress.
    pub(super) fn encode(self, layout: &Layout, clauses: &Clauses) -> Result<(Codec, Vec<u8>)> {
        let compressed = match self {
            Codec::None => None,
            Codec::Zstd => {
                let raw = columns::write(layout, clauses);
                Some(compress(&raw)?).filter(|payload| raw.len() / MAX_EXPANSION < payload.len())
            }
            Codec::Pcn => list_code::encode(layout, clauses),
        };
        let plain_length = 8 * clauses.width() * clauses.len();
        Ok(match compressed.filter(|payload| payload.len() < plain_length) {
            Some(payload) => (self, payload),
            None => (Codec::None, clauses.iter().flatten().flat_map(|word| word.to_le_bytes()).collect()),
        })
    }

    /// Reads `count` clauses out of a payload. Allocates in proportion to the payload, whatever `count` says.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] with the reason.
    pub(super) fn decode(self, layout: &Layout, count: usize, payload: &[u8]) -> Result<Clauses> {
        let width = layout.words();
        let words = match self {
            Codec::None => plain_words(payload, count.saturating_mul(width))?,
            Codec::Zstd => {
                let raw = decompress(payload, count.saturating_mul(columns::count(layout)))?;
                columns::read(layout, &raw)?
            }
            Codec::Pcn => list_code::decode(layout, count, payload)?,
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

/// Returns one zstd frame with `raw` in it, without its magic, content size and checksum.
fn compress(raw: &[u8]) -> Result<Vec<u8>> {
    let compress = || {
        let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
        compressor.include_contentsize(false)?;
        compressor.include_checksum(false)?;
        compressor.compress(raw)
    };
    let mut frame =
        compress().map_err(|error| Error::with_source(ErrorKind::Internal, "zstd cannot compress", error))?;
    frame.drain(..FRAME_MAGIC.len());
    Ok(frame)
}

/// Returns the `length` bytes in the one zstd frame whose bytes after its magic are `payload`.
fn decompress(payload: &[u8], length: usize) -> Result<Vec<u8>> {
    if length / MAX_EXPANSION > payload.len() {
        return Err(Error::corrupt(format!(
            "{length} bytes of columns in {} compressed ones",
            payload.len()
        )));
    }
    let frame = [&FRAME_MAGIC[..], payload].concat();
    let bad = |why: &str| Error::corrupt(format!("zstd: {why}"));
    match zstd::zstd_safe::find_frame_compressed_size(&frame) {
        Ok(size) if size == frame.len() => {}
        Ok(_) => return Err(bad("bytes after the frame")),
        Err(code) => return Err(bad(zstd::zstd_safe::get_error_name(code))),
    }
    let raw = zstd::bulk::decompress(&frame, length).map_err(|error| bad(&error.to_string()))?;
    if raw.len() != length {
        return Err(bad(&format!("{} bytes in place of {length}", raw.len())));
    }
    Ok(raw)
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
            for codec in Codec::ALL {
                let (real, payload) = codec.encode(&layout, &clauses).unwrap();
                prop_assert!(payload.len() <= 8 * bits.len());
                prop_assert_eq!(&real.decode(&layout, clauses.len(), &payload).unwrap(), &clauses);
                // Only a range coder's zeros may go on to mean something.
                let more = real.decode(&layout, clauses.len() + 1, &payload);
                prop_assert!(more.is_err() || real == Codec::Pcn);
            }
        }
    }

    #[test]
    fn zstd_payloads_are_one_frame_of_the_right_length() {
        let raw = [7; 100];
        let payload = compress(&raw).unwrap();
        assert_eq!(decompress(&payload, 100).unwrap(), raw);
        let refused = |payload: &[u8], length, why: &str| {
            let error = decompress(payload, length).unwrap_err();
            assert!(error.kind() == ErrorKind::Corrupt && error.to_string().contains(why), "{error}");
        };
        refused(&payload, 99, "");
        refused(&payload, 101, "100 bytes in place of 101");
        refused(&[&payload[..], &[0]].concat(), 100, "after the frame");
        refused(&[&payload[..], &FRAME_MAGIC, &payload].concat(), 200, "after the frame");
        refused(&payload, 1 << 40, "compressed ones");
        refused(&[], 0, "zstd");
    }

    #[test]
    fn what_would_expand_too_much_stays_plain() {
        // All minterms of twelve variables among many more, which nobody would leave unmerged.
        let layout = layout(&[2; 512]);
        let mut words = Vec::new();
        for minterm in 0..1 << 12 {
            let mut clause = layout.universe();
            (0..12).for_each(|bit| layout.set_literal(&mut clause, 40 * bit, 1 + (minterm >> bit & 1)));
            words.extend(clause);
        }
        let clauses = Clauses::new(layout.words(), &words);
        let raw = columns::write(&layout, &clauses);
        let compressed = compress(&raw).unwrap();
        assert!(compressed.len() < raw.len() / MAX_EXPANSION);
        assert!(decompress(&compressed, raw.len()).is_err());
        let (codec, payload) = Codec::Zstd.encode(&layout, &clauses).unwrap();
        assert_eq!(codec, Codec::None);
        assert_eq!(codec.decode(&layout, clauses.len(), &payload).unwrap(), clauses);
    }
}
