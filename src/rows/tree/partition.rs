//! Partition of a column by a mask: the selected bytes go to one column, the others to another, in order.

#![cfg_attr(target_arch = "x86_64", allow(unsafe_code, reason = "vector stores and feature-gated calls"))]

#[cfg(target_arch = "x86_64")]
use espresso::cpu::Features;
use espresso::cpu::Level;

/// Spare bytes that an output must have after its last one, so that whole registers can be stored.
pub(super) const SLACK: usize = 64;

/// Some of the rows of a column: bit i mod 64 of word i / 64 belongs to row i; bits after the last row are 0.
pub(super) struct Selection {
    words: Vec<u64>,
    rows: usize,
    selected: usize,
}

impl Selection {
    /// Selects the rows whose byte in `column` is in `low..=high`.
    pub(super) fn of_interval(column: &[u8], low: u8, high: u8) -> Self {
        let width = high - low;
        let word = |bytes: &[u8]| {
            bytes.iter().rev().fold(0, |word, &part| word << 1 | u64::from(part.wrapping_sub(low) <= width))
        };
        Selection::new(column.chunks(64).map(word).collect(), column.len())
    }

    fn new(words: Vec<u64>, rows: usize) -> Self {
        let selected = words.iter().map(|word| word.count_ones() as usize).sum();
        Selection { words, rows, selected }
    }

    /// The numbers of rows that are selected, and that are not.
    pub(super) fn sizes(&self) -> [usize; 2] {
        [self.selected, self.rows - self.selected]
    }
}

/// Writes the bytes of `column` that are selected to the front of `inside`, and the others to the front of `outside`, both in
/// order.
///
/// # Panics
/// If the selection is one of other rows, or if an output is shorter than its bytes and [`SLACK`].
#[inline]
pub(super) fn split(
    level: Level,
    column: &[u8],
    selection: &Selection,
    inside: &mut [u8],
    outside: &mut [u8],
) {
    let [selected, others] = selection.sizes();
    assert_eq!(column.len(), selection.rows);
    assert!(selected + SLACK <= inside.len() && others + SLACK <= outside.len());
    #[cfg(target_arch = "x86_64")]
    if level.has(Features::Avx512Icl) {
        // SAFETY: the level says that the machine has byte compression; there is room for the bytes and a register after them.
        return unsafe { avx512(column, &selection.words, inside, outside) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = level;
    portable(column, &selection.words, inside, outside);
}

fn portable(column: &[u8], mask: &[u64], inside: &mut [u8], outside: &mut [u8]) {
    let (mut ins, mut outs) = (0, 0);
    for (bytes, &word) in column.chunks(64).zip(mask) {
        for (bit, &byte) in bytes.iter().enumerate() {
            let selected = (word >> bit & 1) as usize;
            inside[ins] = byte;
            outside[outs] = byte;
            ins += selected;
            outs += 1 - selected;
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
unsafe fn avx512(column: &[u8], mask: &[u64], inside: &mut [u8], outside: &mut [u8]) {
    use std::arch::x86_64::{
        _mm512_loadu_si512, _mm512_mask_loadu_epi8, _mm512_maskz_compress_epi8, _mm512_setzero_si512,
        _mm512_storeu_si512,
    };
    let (mut ins, mut outs) = (0, 0);
    for (bytes, &word) in column.chunks(64).zip(mask) {
        let present = u64::MAX >> (64 - bytes.len());
        // SAFETY: only bytes of the chunk are read; `split` has checked that each output has room for its bytes and a
        // register after them, and `ins` and `outs` never exceed the numbers of these bytes.
        unsafe {
            let register = if bytes.len() == 64 {
                _mm512_loadu_si512(bytes.as_ptr().cast())
            } else {
                _mm512_mask_loadu_epi8(_mm512_setzero_si512(), present, bytes.as_ptr().cast())
            };
            let selected = _mm512_maskz_compress_epi8(word, register);
            let others = _mm512_maskz_compress_epi8(!word & present, register);
            _mm512_storeu_si512(inside.as_mut_ptr().add(ins).cast(), selected);
            _mm512_storeu_si512(outside.as_mut_ptr().add(outs).cast(), others);
        }
        let count = word.count_ones() as usize;
        ins += count;
        outs += bytes.len() - count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_level_splits_like_a_filter(column in prop::collection::vec(any::<(u8, bool)>(), 0..500)) {
            let bytes: Vec<u8> = column.iter().map(|&(byte, _)| byte).collect();
            let mut words = vec![0; bytes.len().div_ceil(64)];
            column.iter().enumerate().for_each(|(i, &(_, bit))| words[i / 64] |= u64::from(bit) << (i % 64));
            let selection = Selection::new(words, bytes.len());
            let wanted = |side| column.iter().filter(|&&(_, bit)| bit == side).map(|&(byte, _)| byte).collect::<Vec<_>>();
            let (inside, outside) = (wanted(true), wanted(false));
            for level in Level::available() {
                let mut found = [vec![0; inside.len() + SLACK], vec![0; outside.len() + SLACK]];
                let [a, b] = &mut found;
                split(level, &bytes, &selection, a, b);
                prop_assert_eq!(&a[..inside.len()], &inside[..]);
                prop_assert_eq!(&b[..outside.len()], &outside[..]);
            }
        }
    }
}
