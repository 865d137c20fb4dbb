//! Partition of a column by a mask: the selected bytes go to one column, the others to another, in order.

#![cfg_attr(target_arch = "x86_64", allow(unsafe_code, reason = "vector stores and feature-gated calls"))]

#[cfg(target_arch = "x86_64")]
use super::cpu::Features;
use super::cpu::Level;

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

    /// Returns the rows that are not selected.
    pub(super) fn inverted(mut self) -> Self {
        self.words.iter_mut().for_each(|word| *word = !*word);
        if let Some(last) = self.words.last_mut() {
            *last &= present((self.rows - 1) % 64 + 1);
        }
        self.selected = self.rows - self.selected;
        self
    }

    /// The numbers of selected and of other rows.
    pub(super) fn sizes(&self) -> [usize; 2] {
        [self.selected, self.rows - self.selected]
    }
}

/// Writes the bytes of `column` that are selected to the front of `inside`, and the others to the front of `outside`, both in
/// order. What is in `column` after the rows of the selection does not matter.
///
/// # Panics
/// If `column` has no room for whole words of the selection, or an output for its bytes and [`SLACK`].
#[inline]
pub(super) fn split(
    level: Level,
    column: &[u8],
    selection: &Selection,
    inside: &mut [u8],
    outside: &mut [u8],
) {
    let ([selected, others], rows) = (selection.sizes(), selection.rows);
    assert!(selection.words.len() * 64 <= column.len());
    assert!(selected + SLACK <= inside.len() && others + SLACK <= outside.len());
    #[cfg(target_arch = "x86_64")]
    if level.has(Features::Avx512Icl) {
        let [inside, outside] = [inside, outside].map(<[u8]>::as_mut_ptr);
        // SAFETY: the level says that the machine has byte compression; there is room for the bytes and a register after them.
        return unsafe { avx512(column.as_ptr(), rows, &selection.words, [inside, outside]) };
    }
    #[cfg(target_arch = "x86_64")]
    if level.has(Features::Avx2) {
        let [inside, outside] = [inside, outside].map(<[u8]>::as_mut_ptr);
        // SAFETY: as above, with AVX2.
        return unsafe { avx2(column.as_ptr(), rows, &selection.words, [inside, outside]) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = level;
    portable(&column[..rows], &selection.words, inside, outside);
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

/// Writes the bytes of `column` that are selected to its front, and the others to the front of `outside`, both in order. The
/// rest of `column` is unspecified.
///
/// # Panics
/// If `column` has no room for whole words of the selection, or `outside` for its bytes and [`SLACK`].
#[inline]
pub(super) fn split_in_place(level: Level, column: &mut [u8], selection: &Selection, outside: &mut [u8]) {
    let rows = selection.rows;
    assert!(selection.words.len() * 64 <= column.len() && selection.sizes()[1] + SLACK <= outside.len());
    #[cfg(target_arch = "x86_64")]
    if level.has(Features::Avx512Icl) {
        let (column, outside) = (column.as_mut_ptr(), outside.as_mut_ptr());
        // SAFETY: as in `split`; no more bytes are written to the front than were read, and registers are whole words.
        return unsafe { avx512(column, rows, &selection.words, [column, outside]) };
    }
    #[cfg(target_arch = "x86_64")]
    if level.has(Features::Avx2) {
        let (column, outside) = (column.as_mut_ptr(), outside.as_mut_ptr());
        // SAFETY: as above; eight bytes are written to the front after as many were read from there or from behind.
        return unsafe { avx2(column, rows, &selection.words, [column, outside]) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = level;
    let (mut ins, mut outs) = (0, 0);
    for row in 0..rows {
        let byte = column[row];
        let selected = (selection.words[row / 64] >> (row % 64) & 1) as usize;
        column[ins] = byte;
        outside[outs] = byte;
        ins += selected;
        outs += 1 - selected;
    }
}

/// A word with the bits of the first `rows` rows, 1 to 64.
fn present(rows: usize) -> u64 {
    u64::MAX >> (64 - rows)
}

/// Splits `rows` bytes at `column`. The first output may be `column` itself, since a register is read before it is overwritten.
///
/// # Safety
/// The machine has these instructions, `mask` has a bit for each row and zeros after them, `column` has `rows` bytes, and each
/// output has room for its bytes and a register after them, or is `column` with room for whole words of `mask`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
unsafe fn avx512(column: *const u8, rows: usize, mask: &[u64], [inside, outside]: [*mut u8; 2]) {
    use std::arch::x86_64::{
        _mm512_loadu_si512, _mm512_maskz_compress_epi8, _mm512_maskz_loadu_epi8, _mm512_storeu_si512,
    };
    let (mut ins, mut outs) = (0, 0);
    for (number, &word) in mask.iter().enumerate() {
        let count = (rows - number * 64).min(64);
        let present = present(count);
        // SAFETY: only bytes of the column are read, and `ins` and `outs` never exceed the numbers of bytes of each output. An
        // output has room for its bytes and a register after them; or it is the column, in whole words, and the register at `ins`
        // ends within the word that has just been read.
        unsafe {
            let bytes = column.add(number * 64);
            let register = if count == 64 {
                _mm512_loadu_si512(bytes.cast())
            } else {
                _mm512_maskz_loadu_epi8(present, bytes.cast())
            };
            let selected = _mm512_maskz_compress_epi8(word, register);
            let others = _mm512_maskz_compress_epi8(!word & present, register);
            _mm512_storeu_si512(inside.add(ins).cast(), selected);
            _mm512_storeu_si512(outside.add(outs).cast(), others);
        }
        let selected = word.count_ones() as usize;
        ins += selected;
        outs += count - selected;
    }
}

/// For each mask of eight bytes, the numbers of the selected ones in front, and from 8 on those of the others.
#[cfg(target_arch = "x86_64")]
static ORDERS: [[u8; 16]; 256] = {
    let mut orders = [[0; 16]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut byte, mut ins, mut outs) = (0, 0, 8);
        while byte < 8 {
            if mask >> byte & 1 == 1 {
                orders[mask][ins] = byte;
                ins += 1;
            } else {
                orders[mask][outs] = byte;
                outs += 1;
            }
            byte += 1;
        }
        mask += 1;
    }
    orders
};

/// As [`avx512`], eight bytes at a time.
///
/// # Safety
/// The machine has these instructions, `mask` has a bit for each row and zeros after them, `column` has room for whole words of
/// `mask`, and each output has room for its bytes and eight more, or is `column`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn avx2(column: *const u8, rows: usize, mask: &[u64], [inside, outside]: [*mut u8; 2]) {
    use std::arch::x86_64::{
        _mm_castpd_si128, _mm_castsi128_pd, _mm_loaddup_pd, _mm_loadu_si128, _mm_shuffle_epi8, _mm_storeh_pd,
        _mm_storel_epi64,
    };
    let (mut ins, mut outs) = (0, 0);
    let mut eight = |start: usize, selected: u8| {
        // SAFETY: only bytes of the column are read, whose last word may have some after the rows; they count as others, after all
        // those. `ins` and `outs` never exceed the numbers of bytes of each output, which has room for eight more; or the output is
        // the column, and the eight bytes at `ins` end no later than those just read.
        unsafe {
            let bytes = _mm_castpd_si128(_mm_loaddup_pd(column.add(start).cast()));
            let order = _mm_loadu_si128(ORDERS[usize::from(selected)].as_ptr().cast());
            let sorted = _mm_shuffle_epi8(bytes, order);
            _mm_storel_epi64(inside.add(ins).cast(), sorted);
            _mm_storeh_pd(outside.add(outs).cast(), _mm_castsi128_pd(sorted));
        }
        let selected = selected.count_ones() as usize;
        ins += selected;
        outs += 8 - selected;
    };
    let whole = rows / 64;
    for (number, word) in mask[..whole].iter().enumerate() {
        for (group, selected) in word.to_le_bytes().into_iter().enumerate() {
            eight(number * 64 + group * 8, selected);
        }
    }
    if let Some(word) = mask.get(whole) {
        let groups = (rows % 64).div_ceil(8);
        for (group, selected) in word.to_le_bytes().into_iter().take(groups).enumerate() {
            eight(whole * 64 + group * 8, selected);
        }
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
                let mut padded = bytes.clone();
                padded.resize(bytes.len().next_multiple_of(64), 7);
                let mut found = [vec![0; inside.len() + SLACK], vec![0; outside.len() + SLACK]];
                let [a, b] = &mut found;
                split(level, &padded, &selection, a, b);
                prop_assert_eq!(&a[..inside.len()], &inside[..]);
                prop_assert_eq!(&b[..outside.len()], &outside[..]);
                let mut front = padded;
                split_in_place(level, &mut front, &selection, b);
                prop_assert_eq!(&front[..inside.len()], &inside[..]);
                prop_assert_eq!(&b[..outside.len()], &outside[..]);
            }
            let inverted = selection.inverted();
            prop_assert_eq!(inverted.sizes(), [outside.len(), inside.len()]);
            let mut padded = bytes.clone();
            padded.resize(bytes.len().next_multiple_of(64), 7);
            for level in Level::available() {
                let mut found = [vec![0; outside.len() + SLACK], vec![0; inside.len() + SLACK]];
                let [a, b] = &mut found;
                split(level, &padded, &inverted, a, b);
                prop_assert_eq!(&a[..outside.len()], &outside[..]);
            }
        }
    }
}
