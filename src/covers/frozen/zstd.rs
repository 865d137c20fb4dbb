//! Codec `zstd`, the paper's "compressed PCN": clauses turned into columns of bytes, compressed by zstd.
//!
//! Columns compress better than rows of words. A column holds the same few literals of every clause, so a few of its values are
//! frequent; in the first columns of sorted clauses equal values form runs. Up to three neighbouring two-part variables share a
//! column: each has three possible literals, so they are digits in base 3. A variable with more parts has a column for every
//! eight parts.

use super::clauses::Clauses;
use super::layout::Layout;
use crate::error::{Error, ErrorKind, Result};

/// The most decompressed bytes for a byte of a payload. This keeps a reader's memory in proportion to the file.
const MAX_EXPANSION: usize = 256;

/// The first bytes of every zstd frame, which payloads leave out.
const FRAME_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// zstd's strongest level: a table is compressed once and read many times. New bytes: a reader takes any level.
const LEVEL: i32 = 22;

/// The most two-part variables that share a column. Three measured best: with more, equal values are rarer; with fewer, a column
/// misses the correlation of neighbouring bits of a square.
const SHARED: usize = 3;

/// The content of a column, a byte for each clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    /// The literals of `count` two-part variables from number `first` on: literal - 1 is a digit in base 3, the first digit the
    /// most significant.
    Digits { first: usize, count: usize },
    /// Eight bits of the literal of a variable, from bit `shift` on.
    Bits { variable: usize, shift: usize },
}

fn columns(layout: &Layout) -> Vec<Column> {
    let mut columns = Vec::new();
    for (number, variable) in layout.variables().iter().enumerate() {
        if variable.values > 2 {
            let shifts = (0..variable.values).step_by(8);
            columns.extend(shifts.map(|shift| Column::Bits { variable: number, shift }));
        } else if let Some(Column::Digits { count, .. }) = columns.last_mut()
            && *count < SHARED
        {
            *count += 1;
        } else {
            columns.push(Column::Digits { first: number, count: 1 });
        }
    }
    columns
}

/// Returns the payload of a section with `clauses`; `None` when a reader would refuse it as too short for so many clauses.
pub(super) fn encode(layout: &Layout, clauses: &Clauses) -> Result<Option<Vec<u8>>> {
    let raw = write(layout, clauses);
    Ok(Some(compress(&raw)?).filter(|payload| raw.len() / MAX_EXPANSION < payload.len()))
}

/// Returns the words of the `count` clauses in `payload`. Allocates in proportion to `payload`. Literals of variables with more
/// than two parts may be empty; [`Covers::check`](super::Covers::check) refuses them later.
pub(super) fn decode(layout: &Layout, count: usize, payload: &[u8]) -> Result<Vec<u64>> {
    let raw = decompress(payload, count.saturating_mul(columns(layout).len()))?;
    read(layout, &raw)
}

/// Compresses `raw` into one zstd frame without magic, content size and checksum.
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

/// Decompresses the `length` bytes of `payload`, one zstd frame without its magic.
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

/// Returns the columns of `clauses`, one after the other.
fn write(layout: &Layout, clauses: &Clauses) -> Vec<u8> {
    let columns = columns(layout);
    let mut bytes = Vec::with_capacity(columns.len() * clauses.len());
    for column in columns {
        bytes.extend(clauses.iter().map(|clause| {
            match column {
                Column::Digits { first, count } => (first..first + count)
                    .fold(0, |byte, variable| 3 * byte + (layout.literal(clause, variable) as u8 - 1)),
                Column::Bits { variable, shift } => (layout.literal(clause, variable) >> shift) as u8,
            }
        }));
    }
    bytes
}

/// Returns the words of the clauses with the columns `bytes`, a whole number of clauses.
fn read(layout: &Layout, bytes: &[u8]) -> Result<Vec<u64>> {
    let columns = columns(layout);
    let (width, clauses) = (layout.words(), bytes.len() / columns.len());
    let mut words = vec![0; clauses * width];
    for (number, (&column, bytes)) in columns.iter().zip(bytes.chunks_exact(clauses)).enumerate() {
        let bad = |byte| Error::corrupt(format!("column {number} has the value {byte}"));
        for (clause, &byte) in words.chunks_exact_mut(width).zip(bytes) {
            match column {
                Column::Digits { first, count } => {
                    let mut rest = byte;
                    for variable in (first..first + count).rev() {
                        layout.set_literal(clause, variable, u64::from(rest % 3 + 1));
                        rest /= 3;
                    }
                    if rest != 0 {
                        return Err(bad(byte));
                    }
                }
                Column::Bits { variable, shift } => {
                    if u64::from(byte) & !(layout.full(variable) >> shift) != 0 {
                        return Err(bad(byte));
                    }
                    let literal = layout.literal(clause, variable);
                    layout.set_literal(clause, variable, literal | u64::from(byte) << shift);
                }
            }
        }
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::super::layout::tests::layout;
    use super::*;

    #[test]
    fn columns_share_three_pairs_at_most_and_none_across_a_wide_variable() {
        let digits = |first, count| Column::Digits { first, count };
        let bits = |variable, shift| Column::Bits { variable, shift };
        assert_eq!(columns(&layout(&[2; 7])), [digits(0, 3), digits(3, 3), digits(6, 1)]);
        assert_eq!(columns(&layout(&[2, 2, 9, 2])), [digits(0, 2), bits(2, 0), bits(2, 8), digits(3, 1)]);
    }

    #[test]
    fn values_that_a_column_cannot_have_are_refused() {
        let layout = layout(&[2, 2, 2, 2, 10]);
        let refused = |bytes: [u8; 4]| read(&layout, &bytes).unwrap_err().kind() == ErrorKind::Corrupt;
        assert!(read(&layout, &[26, 2, 255, 3]).is_ok());
        assert!(refused([27, 2, 255, 3]) && refused([26, 3, 255, 3]) && refused([26, 2, 255, 4]));
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
    fn clauses_that_expand_too_much_are_not_compressed() {
        // All minterms of twelve of the variables. A minimizer would merge them.
        let layout = layout(&[2; 512]);
        let mut words = Vec::new();
        for minterm in 0..1 << 12 {
            let mut clause = layout.universe();
            (0..12).for_each(|bit| layout.set_literal(&mut clause, 40 * bit, 1 + (minterm >> bit & 1)));
            words.extend(clause);
        }
        let clauses = Clauses::new(layout.words(), &words);
        let raw = write(&layout, &clauses);
        let compressed = compress(&raw).unwrap();
        assert!(compressed.len() < raw.len() / MAX_EXPANSION);
        assert!(decompress(&compressed, raw.len()).is_err());
        assert_eq!(encode(&layout, &clauses).unwrap(), None);
    }
}
