//! Histograms of the parts in a column of bytes.
//!
//! Whole registers are compared with each part. A lane counts in one byte, which is summed before it overflows. The
//! portable source is compiled for several instruction sets, and `cpu` chooses one at run time. With eight parts this takes
//! a twentieth of the time of incrementing a table of counts.

#![cfg_attr(target_arch = "x86_64", allow(unsafe_code, reason = "feature-gated calls"))]

#[cfg(target_arch = "x86_64")]
use super::cpu::Features;
use super::cpu::Level;

pub(super) const MAX_PARTS: usize = 64;

/// The number of rows with each part.
type Histogram = [u32; MAX_PARTS];

/// The number of rows of each class with each part, for each column of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Histograms {
    /// Column by column, class by class.
    counts: Vec<u32>,
    /// The start of each column, and the end of the last.
    starts: Vec<u32>,
    classes: usize,
}

impl Histograms {
    /// Returns zeros for columns with these numbers of parts.
    pub(super) fn new(parts: impl Iterator<Item = u8>, classes: usize) -> Self {
        let mut starts = vec![0];
        let mut end = 0;
        starts.extend(parts.map(|parts| {
            end += u32::from(parts) * classes as u32;
            end
        }));
        Histograms { counts: vec![0; end as usize], starts, classes }
    }

    /// Returns zeros for the columns `keep` of `self`.
    pub(super) fn zeros(&self, keep: &[u16]) -> Self {
        Histograms::new(keep.iter().map(|&column| self.parts(column.into()) as u8), self.classes)
    }

    pub(super) fn columns(&self) -> usize {
        self.starts.len() - 1
    }

    fn parts(&self, column: usize) -> usize {
        (self.starts[column + 1] - self.starts[column]) as usize / self.classes
    }

    /// The counts of a column, class by class.
    pub(super) fn column(&self, column: usize) -> &[u32] {
        &self.counts[self.starts[column] as usize..self.starts[column + 1] as usize]
    }

    /// The counts of one class in a column.
    pub(super) fn class(&self, column: usize, class: usize) -> &[u32] {
        let parts = self.parts(column);
        &self.column(column)[class * parts..][..parts]
    }

    pub(super) fn columns_mut(&mut self) -> impl Iterator<Item = &mut [u32]> {
        let mut rest = &mut self.counts[..];
        let column =
            move |pair: &[u32]| rest.split_off_mut(..(pair[1] - pair[0]) as usize).unwrap_or_default();
        self.starts.windows(2).map(column)
    }

    /// The counts of one class, column by column.
    pub(super) fn classes_mut(&mut self, class: usize) -> impl Iterator<Item = &mut [u32]> {
        let classes = self.classes;
        self.columns_mut().map(move |column| {
            let parts = column.len() / classes;
            &mut column[class * parts..][..parts]
        })
    }

    /// The number of rows of each class with a part in `low..=high`.
    pub(super) fn sums(&self, column: usize, (low, high): (u8, u8)) -> Vec<u32> {
        let parts = usize::from(low)..=usize::from(high);
        (0..self.classes).map(|class| self.class(column, class)[parts.clone()].iter().sum()).collect()
    }

    /// Copies the counts of a class in the columns `keep` to `target`, which has only these columns.
    pub(super) fn copy_class(&self, class: usize, keep: &[u16], target: &mut Histograms) {
        for (target, &column) in target.classes_mut(class).zip(keep) {
            target.copy_from_slice(self.class(column.into(), class));
        }
    }
}

/// Lanes of the counters: the bytes of the widest register.
const LANES: usize = 64;

/// Writes the number of occurrences in `column` of each part below `parts` to `counts`.
#[inline]
pub(super) fn histogram(level: Level, column: &[u8], parts: usize, counts: &mut Histogram) {
    if column.len() < 8 {
        counts[..parts].fill(0);
        for &part in column {
            counts[usize::from(part)] += 1;
        }
        return;
    }
    long_histogram(level, column, parts, counts);
}

/// Runs [`generic`], compiled for the instructions of the level.
fn long_histogram(level: Level, column: &[u8], parts: usize, counts: &mut Histogram) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512bw,popcnt")]
        fn avx512(column: &[u8], parts: usize, counts: &mut Histogram) {
            generic(column, parts, counts);
        }
        #[target_feature(enable = "avx2,popcnt")]
        fn avx2(column: &[u8], parts: usize, counts: &mut Histogram) {
            generic(column, parts, counts);
        }
        if level.has(Features::Avx512) {
            // SAFETY: the level says that the machine has AVX-512 F and BW, and POPCNT.
            return unsafe { avx512(column, parts, counts) };
        }
        if level.has(Features::Avx2) {
            // SAFETY: as above, with AVX2 and POPCNT.
            return unsafe { avx2(column, parts, counts) };
        }
    }
    let _ = level;
    generic(column, parts, counts);
}

#[allow(clippy::inline_always, reason = "compiled for each instruction set")]
#[inline(always)]
fn generic(column: &[u8], parts: usize, counts: &mut Histogram) {
    counts[..parts].fill(0);
    for stretch in column.chunks(LANES * 255) {
        let (registers, rest) = stretch.as_chunks::<LANES>();
        // No part is this large.
        let mut last = [u8::MAX; LANES];
        last[..rest.len()].copy_from_slice(rest);
        for (part, count) in counts[..parts - 1].iter_mut().enumerate() {
            let part = part as u8;
            let mut lanes = last.map(|value| u8::from(value == part));
            for register in registers {
                for (lane, &value) in lanes.iter_mut().zip(register) {
                    *lane += u8::from(value == part);
                }
            }
            *count += if registers.len() < 3 {
                // The sum of all lanes fits into a byte.
                u32::from(lanes.iter().fold(0_u8, |sum, &lane| sum.wrapping_add(lane)))
            } else {
                lanes.iter().map(|&lane| u32::from(lane)).sum()
            };
        }
    }
    counts[parts - 1] = column.len() as u32 - counts[..parts - 1].iter().sum::<u32>();
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
        let column = vec![3; LANES * 255 * 2 - 5];
        for level in Level::available() {
            let mut counts = [0; MAX_PARTS];
            histogram(level, &column, 8, &mut counts);
            assert_eq!(counts[3] as usize, column.len());
        }
    }
}
