//! How often each part occurs in a column of bytes.
//!
//! Part by part, a compare and a masked add on whole registers: counts of a byte a lane, folded before they overflow. The
//! same portable source is compiled for several instruction sets; which one runs is found out once (see `cpu`). With
//! eight parts this takes a twentieth of what incrementing a table of counts takes.

#![cfg_attr(target_arch = "x86_64", allow(unsafe_code, reason = "feature-gated calls"))]

use espresso::cpu::{Level, compiled_for_levels};

pub(super) const MAX_PARTS: usize = 64;

/// How many rows each part has.
type Histogram = [u32; MAX_PARTS];

/// How many rows of each class have each part, in each column of a node.
#[derive(Debug)]
pub(super) struct Histograms {
    /// Column by column, class by class.
    counts: Vec<u32>,
    /// The start of each column, and the end of the last.
    starts: Vec<u32>,
}

impl Histograms {
    /// Returns zeros for columns with so many parts.
    pub(super) fn new(parts: impl Iterator<Item = u8>, classes: usize) -> Self {
        let mut starts = vec![0];
        let mut end = 0;
        starts.extend(parts.map(|parts| {
            end += u32::from(parts) * classes as u32;
            end
        }));
        Histograms { counts: vec![0; end as usize], starts }
    }

    pub(super) fn columns(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn column(&self, column: usize) -> &[u32] {
        &self.counts[self.starts[column] as usize..self.starts[column + 1] as usize]
    }

    pub(super) fn columns_mut(&mut self) -> Vec<&mut [u32]> {
        let mut rest = &mut self.counts[..];
        let column = |pair: &[u32]| rest.split_off_mut(..(pair[1] - pair[0]) as usize).unwrap_or_default();
        self.starts.windows(2).map(column).collect()
    }

    /// Returns those of the rows that are not among `some`, which have the columns `live` alone.
    pub(super) fn without(&self, some: &Histograms, live: &[u16]) -> Histograms {
        let mut rest = Histograms { counts: some.counts.clone(), starts: some.starts.clone() };
        for (rest, &column) in rest.columns_mut().into_iter().zip(live) {
            rest.iter_mut().zip(self.column(column.into())).for_each(|(rest, all)| *rest = all - *rest);
        }
        rest
    }
}

/// Lanes of the counters: a whole register of the widest kind.
const LANES: usize = 64;

/// Writes how often each part below `parts` occurs in `column` into `counts`.
#[inline]
pub(super) fn histogram(level: Level, column: &[u8], parts: usize, counts: &mut Histogram) {
    if column.len() < 32 {
        counts[..parts].fill(0);
        for &part in column {
            counts[usize::from(part)] += 1;
        }
        return;
    }
    long_histogram(level, column, parts, counts);
}

compiled_for_levels! {
    fn long_histogram(column: &[u8], parts: usize, counts: &mut Histogram) = generic;
    Avx512: "avx512f,avx512bw,popcnt", Avx2: "avx2,popcnt"
}

#[allow(clippy::inline_always, reason = "compiled anew for each instruction set")]
#[inline(always)]
fn generic(column: &[u8], parts: usize, counts: &mut Histogram) {
    counts[..parts].fill(0);
    // The last part has what the others leave.
    let mut left = column.len() as u32;
    for stretch in column.chunks(LANES * 255) {
        let (registers, rest) = stretch.as_chunks::<LANES>();
        for (part, count) in counts[..parts - 1].iter_mut().enumerate() {
            let part = part as u8;
            let mut lanes = [0_u8; LANES];
            for register in registers {
                for (lane, &value) in lanes.iter_mut().zip(register) {
                    *lane += u8::from(value == part);
                }
            }
            *count += lanes.iter().map(|&lane| u32::from(lane)).sum::<u32>();
            *count += rest.iter().map(|&value| u32::from(value == part)).sum::<u32>();
        }
    }
    for count in &counts[..parts - 1] {
        left -= count;
    }
    counts[parts - 1] = left;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_level_counts_like_a_loop(parts in 1..65_usize, column in prop::collection::vec(any::<u8>(), 0..700)) {
            let column: Vec<u8> = column.iter().map(|&value| value % parts as u8).collect();
            let mut expected = [0; MAX_PARTS];
            column.iter().for_each(|&part| expected[usize::from(part)] += 1);
            for level in Level::available() {
                let mut counts = [7; MAX_PARTS];
                histogram(level, &column, parts, &mut counts);
                prop_assert_eq!(&counts[..parts], &expected[..parts]);
            }
        }
    }

    #[test]
    fn lanes_do_not_overflow() {
        let column = vec![3; 64 * 255 * 2 + 5];
        for level in Level::available() {
            let mut counts = [0; MAX_PARTS];
            histogram(level, &column, 8, &mut counts);
            assert_eq!(counts[3] as usize, column.len());
        }
    }
}
