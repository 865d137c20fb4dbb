//! Counts of minterms by part. The same portable code is compiled for several instruction sets.

#![cfg_attr(target_arch = "x86_64", allow(unsafe_code, reason = "feature-gated calls"))]

use super::block::{Block, Chunk, both, is_empty};
use espresso::cpu::compiled_for_levels;

/// The data of a bitmap layout that counting needs.
#[derive(Clone, Copy)]
pub(super) struct PartMasks<'a> {
    /// The parts of the outer variables, block by block.
    pub(super) outer: &'a [u8],
    /// The first count of each outer variable.
    pub(super) outer_bases: &'a [usize],
    /// The first count of each inner variable, and the masks of its parts.
    pub(super) inner: &'a [(usize, &'a [Block])],
}

compiled_for_levels! {
    /// Adds the number of minterms of `chunks` with each part of each variable to `counts`.
    pub(super) fn add(masks: PartMasks<'_>, chunks: &[Chunk], counts: &mut [u32]) = add_generic;
    Avx512Icl: "avx512f,avx512vpopcntdq,popcnt", Avx2: "avx2,popcnt"
}

/// Bits of the vertical counters: at most 2^16 - 1 blocks are summed.
const PLANES: usize = 16;

#[allow(clippy::inline_always, reason = "compiled once for each instruction set")]
#[inline(always)]
fn add_generic(masks: PartMasks<'_>, chunks: &[Chunk], counts: &mut [u32]) {
    let outers = masks.outer_bases.len();
    for chunks in chunks.chunks((1 << PLANES) - 1) {
        // Vertical counters: for each bit of a block the number of chunks that have it; plane n has its binary digit n.
        let mut planes = [Block::default(); PLANES];
        let mut used = 0;
        for chunk in chunks {
            let count: u32 = chunk.bits.iter().map(|word| word.count_ones()).sum();
            let parts = &masks.outer[chunk.block as usize * outers..][..outers];
            for (base, &part) in masks.outer_bases.iter().zip(parts) {
                counts[base + usize::from(part)] += count;
            }
            let mut carry = chunk.bits;
            let mut weight = 0;
            while !is_empty(&carry) {
                let old = planes[weight];
                planes[weight] = std::array::from_fn(|word| old[word] ^ carry[word]);
                carry = both(&old, &carry);
                weight += 1;
            }
            used = used.max(weight);
        }
        for &(base, masks) in masks.inner {
            for (count, mask) in counts[base..].iter_mut().zip(masks) {
                for (weight, plane) in planes[..used].iter().enumerate() {
                    let ones: u32 = plane.iter().zip(mask).map(|(a, b)| (a & b).count_ones()).sum();
                    *count += ones << weight;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use espresso::cpu::Level;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_level_counts_alike(
            blocks in prop::collection::vec((any::<u64>(), any::<u64>(), any::<u64>(), 0..8_u8, 0..3_u8), 1..300),
        ) {
            let outer: Vec<u8> = blocks.iter().flat_map(|&(_, _, _, a, b)| [a, b]).collect();
            let chunk = |(block, &(a, b, c, ..)): (usize, &(u64, u64, u64, u8, u8))| {
                let bits = [a, b, c, a & b, b & c, a | c, 0, u64::MAX];
                Chunk { block: block as u32, bits }
            };
            let chunks: Vec<Chunk> = blocks.iter().enumerate().map(chunk).collect();
            let masks: Vec<Block> = (0..8).map(|part| [0x0101_0101_0101_0101 << part; 8]).collect();
            let words: Vec<Block> = (0..8).map(|part| std::array::from_fn(|word| u64::from(word == part) * u64::MAX)).collect();
            let inner = [(11, masks.as_slice()), (19, words.as_slice())];
            let masks = PartMasks { outer: &outer, outer_bases: &[0, 8], inner: &inner };
            let mut right = [0_u32; 27];
            for chunk in &chunks {
                for bit in (0..512).filter(|&bit| super::super::block::has(&chunk.bits, bit)) {
                    right[usize::from(outer[2 * chunk.block as usize])] += 1;
                    right[8 + usize::from(outer[2 * chunk.block as usize + 1])] += 1;
                    right[11 + bit as usize % 8] += 1;
                    right[19 + bit as usize / 64] += 1;
                }
            }
            for level in Level::available() {
                let mut counts = [0; 27];
                add(level, masks, &chunks, &mut counts);
                prop_assert_eq!(counts, right);
            }
        }
    }
}
