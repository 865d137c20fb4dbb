//! Blocks of 512 bits, the units of bitmaps.

/// A bit for each minterm with the same parts in the outer variables.
pub(super) type Block = [u64; WORDS];

pub(super) const WORDS: usize = 8;
pub(super) const BITS: u32 = 64 * WORDS as u32;
/// A set of minterms, block by block.
pub(super) type Bitmap = Vec<Block>;

/// The bit of a minterm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Minterm {
    pub(super) block: u32,
    pub(super) bit: u32,
}

/// A block with some of its minterms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    pub(super) block: u32,
    pub(super) bits: Block,
}

#[inline]
pub(super) fn has(block: &Block, bit: u32) -> bool {
    block[bit as usize / 64] >> (bit % 64) & 1 != 0
}

#[inline]
pub(super) fn set(block: &mut Block, bit: u32) {
    block[bit as usize / 64] |= 1 << (bit % 64);
}

#[inline]
pub(super) fn common(a: &Block, b: &Block) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
}

#[inline]
pub(super) fn both(a: &Block, b: &Block) -> Block {
    std::array::from_fn(|word| a[word] & b[word])
}

/// The bits of `a` that are not in `b`.
#[inline]
pub(super) fn without(a: &Block, b: &Block) -> Block {
    std::array::from_fn(|word| a[word] & !b[word])
}

#[inline]
pub(super) fn is_empty(block: &Block) -> bool {
    block.iter().fold(0, |all, word| all | word) == 0
}

/// Returns minterm number `skip` of `chunks`; `None` if there are fewer.
pub(super) fn nth(chunks: &[Chunk], mut skip: u32) -> Option<Minterm> {
    for chunk in chunks {
        for (at, &word) in chunk.bits.iter().enumerate() {
            let mut word = word;
            if skip < word.count_ones() {
                (0..skip).for_each(|_| word &= word - 1);
                return Some(Minterm { block: chunk.block, bit: at as u32 * 64 + word.trailing_zeros() });
            }
            skip -= word.count_ones();
        }
    }
    None
}
