//! Lists of words as sets of bits: cubes as sets of parts, and masks of cubes.

/// The numbers of the bits of `word` that are set, ascending.
#[inline]
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        bit
    })
}

/// The numbers of the bits of a list of words that are set, ascending: bit b of word w has number 64 w + b.
#[inline]
pub(crate) fn numbers(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(word, &bits)| ones(bits).map(move |bit| word * 64 + bit))
}

/// The number of bits that are set.
#[inline]
pub(crate) fn count(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

/// Whether a bit is set.
#[inline]
pub(crate) fn has(words: &[u64], bit: usize) -> bool {
    words[bit / 64] >> (bit % 64) & 1 != 0
}

/// Sets a bit.
#[inline]
pub(crate) fn add(words: &mut [u64], bit: usize) {
    words[bit / 64] |= 1 << (bit % 64);
}

/// Clears a bit.
#[inline]
pub(crate) fn remove(words: &mut [u64], bit: usize) {
    words[bit / 64] &= !(1 << (bit % 64));
}
