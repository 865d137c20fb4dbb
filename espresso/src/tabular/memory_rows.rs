//! Functions for the tests of trees and of lists: rows in memory.

use super::{Row, Rows};

/// Rows of three classes, a few of them a slice.
#[derive(Clone, Debug)]
pub(super) struct MemoryRows {
    pub(super) parts: Vec<u8>,
    pub(super) rows: Vec<(Vec<u8>, u8)>,
}

/// Rows of a slice: not a divisor of usual counts, so that a last slice is shorter.
const SLICE: usize = 7;

struct MemoryRow<'a>(&'a (Vec<u8>, u8));

impl Row for MemoryRow<'_> {
    fn part(&self, variable: usize) -> u8 {
        self.0.0[variable]
    }

    fn parts(&self, parts: &mut [u8]) {
        parts.copy_from_slice(&self.0.0);
    }

    fn class(&self) -> u8 {
        self.0.1
    }
}

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

    fn visit(&self, slice: usize, visit: &mut dyn FnMut(&dyn Row)) {
        self.rows.chunks(SLICE).nth(slice).into_iter().flatten().for_each(|row| visit(&MemoryRow(row)));
    }
}

/// Returns all rows of variables with so many parts, the last variable's parts changing fastest, each of the class that
/// the formula gives.
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
