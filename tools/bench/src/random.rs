//! Pseudo-random numbers. The baselines and the tests of the C libraries include this file by its path.

/// A generator of pseudo-random numbers (`SplitMix`), the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    pub fn below(&mut self, count: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(count)) >> 64) as u64
    }
}
