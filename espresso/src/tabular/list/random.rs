//! Random numbers: the same ones in every run and for any number of threads.

use crate::random::draw;

/// A sequence of random numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Random {
    series: u64,
    drawn: u64,
}

impl Random {
    /// Returns sequence number `series` of `seed`.
    pub(super) fn new(seed: u64, series: u64) -> Self {
        Random { series: draw(seed, series), drawn: 0 }
    }

    /// The next number.
    pub(super) fn next(&mut self) -> u64 {
        self.drawn += 1;
        draw(self.series, self.drawn)
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
