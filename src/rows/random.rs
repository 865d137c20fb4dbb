//! Pseudorandom numbers: the same in every run, on every machine and for any number of threads.

use espresso::random::draw;

/// A sequence of pseudorandom numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Random {
    series: u64,
    drawn: u64,
}

impl Random {
    /// Returns sequence number `series` of `seed`.
    pub(super) fn new(seed: u64, series: u64) -> Self {
        Random { series: draw(seed, series), drawn: 0 }
    }

    pub(super) fn next(&mut self) -> u64 {
        self.drawn += 1;
        draw(self.series, self.drawn)
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    pub(super) fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }
}
