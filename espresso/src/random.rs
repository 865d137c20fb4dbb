//! Numbers that look drawn at random and are the same in every run, on every machine and for any number of threads.

/// The number drawn as number `i` of series `series`: the output function of `SplitMix64` (Steele, Lea and Flood
/// 2014).
pub(crate) fn draw(series: u64, i: u64) -> u64 {
    let mut z = (series << 32).wrapping_add(i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// A sequence of such numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Random {
    series: u64,
    drawn: u64,
}

impl Random {
    /// Returns sequence number `series` of `seed`.
    pub(crate) fn new(seed: u64, series: u64) -> Self {
        Random { series: draw(seed, series), drawn: 0 }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.drawn += 1;
        draw(self.series, self.drawn)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    pub(crate) fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }
}
