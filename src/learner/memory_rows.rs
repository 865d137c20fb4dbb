//! Rows in memory, for the tests of trees.

use super::{Parts, RowIds, Rows};

/// Rows of three classes, in short slices.
#[derive(Clone, Debug)]
pub(super) struct MemoryRows {
    pub(super) parts: Vec<u8>,
    pub(super) rows: Vec<(Vec<u8>, u8)>,
}

/// Rows of a slice. The number divides no usual count of rows, so that the last slice is shorter.
const SLICE: usize = 7;
/// With row numbers of so many bits, eight slices make a shard: 32 bits number its rows.
pub(super) const NUMBER_BITS: u32 = 29;

impl Rows for MemoryRows {
    fn parts(&self) -> &[u8] {
        &self.parts
    }

    fn classes(&self) -> usize {
        3
    }

    fn slices(&self) -> usize {
        self.rows.len().div_ceil(SLICE)
    }

    fn number_bits(&self) -> u32 {
        NUMBER_BITS
    }

    fn visit(&self, slice: usize, visit: &mut dyn FnMut(u32)) {
        let rows = self.rows.chunks(SLICE).nth(slice).into_iter().flatten();
        (0..).zip(rows).for_each(|(number, _)| visit(number));
    }

    fn class(&self, slice: usize, number: u32) -> u8 {
        self.rows[slice * SLICE + number as usize].1
    }

    fn for_rows(&self, rows: RowIds<'_>, visit: &mut dyn FnMut(usize, Parts<'_>)) {
        for (at, &number) in rows.numbers.iter().enumerate() {
            let (slice, number) =
                (rows.first_slice + (number >> NUMBER_BITS) as usize, number % (1 << NUMBER_BITS));
            visit(at, &|variable| self.rows[slice * SLICE + number as usize].0[variable]);
        }
    }
}

/// Returns the rows of all combinations of parts, for variables with `sizes` parts. The last variable changes fastest;
/// `class` returns the class of a row.
pub(super) fn all_rows<const N: usize>(sizes: [u8; N], class: impl Fn([u8; N]) -> u8) -> MemoryRows {
    let count = sizes.iter().map(|&size| usize::from(size)).product();
    let row = |mut number: usize| {
        let mut parts = [0; N];
        for (part, size) in parts.iter_mut().zip(sizes).rev() {
            *part = (number % usize::from(size)) as u8;
            number /= usize::from(size);
        }
        (parts.to_vec(), class(parts))
    };
    MemoryRows { parts: sizes.to_vec(), rows: (0..count).map(row).collect() }
}
