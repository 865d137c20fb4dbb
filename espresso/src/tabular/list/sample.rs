//! The working sample of one layer: some of its ON rows and some of its OFF rows.

use super::Literal;
use super::planes::{Planes, Shape, for_each_bit};
use crate::cpu::Level;

/// Numbers drawn one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dice {
    series: u64,
    drawn: u64,
}

impl Dice {
    pub(super) fn new(seed: u64, series: u64) -> Self {
        Dice { series: crate::random::draw(seed, series), drawn: 0 }
    }

    pub(super) fn next(&mut self) -> u64 {
        self.drawn += 1;
        crate::random::draw(self.series, self.drawn)
    }

    /// A number below `bound`, which is not 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// A number from 0 to 1.
    pub(super) fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }
}

/// Rows of the sample, twice: in planes for tests of many rows at once, and row by row.
#[derive(Debug, Default)]
pub(super) struct Side {
    pub(super) planes: Planes,
    /// All rows, one after the other.
    bytes: Vec<u8>,
    /// The numbers of the rows in the function.
    pub(super) numbers: Vec<u64>,
}

/// Rows that a census takes at most when it goes from row to row.
const MOST_SINGLE: usize = 384;
/// Rows that a census should find in its window.
const WANTED: usize = 2048;
/// Words of a window at most.
pub(super) const MOST_WINDOW: usize = 128;
/// A window must have this many rows in a word on average; otherwise rows are taken one by one.
const DENSE: usize = 4;

impl Side {
    /// Adds rows: their numbers, and their parts one after the other.
    pub(super) fn extend(&mut self, shape: &Shape, numbers: &[u64], bytes: &[u8]) {
        self.numbers.extend_from_slice(numbers);
        self.bytes.extend_from_slice(bytes);
        self.planes.extend(shape, &self.bytes);
    }

    pub(super) fn rows(&self) -> usize {
        self.numbers.len()
    }

    pub(super) fn row(&self, shape: &Shape, row: usize) -> &[u8] {
        &self.bytes[row * shape.variables()..][..shape.variables()]
    }

    /// Counts, for each variable and part, the rows of `active` whose part is not above it: of all rows of it or, when
    /// there are many, of some. Returns how many rows were looked at and whether these were all. `count` is that of
    /// `active`; `work` grows by the words looked at.
    pub(super) fn census(
        &self,
        level: Level,
        shape: &Shape,
        (active, count): (&[u64], u32),
        (dice, thorough): (&mut Dice, bool),
        counts: &mut [u32],
        work: &mut u64,
    ) -> (u32, bool) {
        let (words, count) = (active.len(), count as usize);
        if !thorough && count > MOST_SINGLE && count >= words * DENSE {
            let width = (WANTED * words / count).clamp(1, MOST_WINDOW).min(words);
            let from = if width == words { 0 } else { dice.below(words - width) };
            self.planes.cumulate(level, shape, (from, from + width), active, counts);
            *work += (width * shape.all_parts) as u64 / 4;
            let looked = counts[usize::from(shape.parts[0]) - 1];
            if looked > 0 {
                return (looked, width == words);
            }
        }
        counts.fill(0);
        // Of many rows every n-th, the first one drawn.
        let step = count.div_ceil(MOST_SINGLE).max(1);
        let mut skip = if step == 1 { 0 } else { dice.below(step) };
        let mut looked = 0;
        for_each_bit(active, |row| {
            if skip > 0 {
                skip -= 1;
                return;
            }
            skip = step - 1;
            looked += 1;
            for (&base, &part) in shape.bases.iter().zip(self.row(shape, row)) {
                counts[base + usize::from(part)] += 1;
            }
        });
        super::choose::cumulate(shape, counts);
        *work += (looked as usize * shape.variables()) as u64 / 4;
        (looked, step == 1)
    }

    /// The rows of a cube.
    pub(super) fn cover(&self, level: Level, shape: &Shape, literals: &[Literal]) -> Vec<u64> {
        let mut active = Vec::new();
        self.planes.select(level, shape, literals, &mut active);
        active
    }
}

/// The sample of a layer.
#[derive(Debug, Default)]
pub(super) struct Sample {
    pub(super) on: Side,
    pub(super) off: Side,
}
