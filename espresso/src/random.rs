//! Pseudo-random numbers that are the same in every run, on every machine and for any number of threads.

/// The `i`-th number of series `series`, by the output function of `SplitMix64` (Steele, Lea and Flood 2014).
pub fn draw(series: u64, i: u64) -> u64 {
    let mut z = (series << 32).wrapping_add(i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}
