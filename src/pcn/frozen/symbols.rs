//! Symbols, which are numbers coded as a decision for each bit, the highest first.

use super::context_mixer::Mixer;
use super::range_coder::Coder;

/// Decisions of a symbol whose counters share a block.
const BLOCK_BITS: u32 = 3;

/// For each bit, the set of the numbers 0 to 63 that have it.
const WITH_BIT: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// Returns log2 of the size of a block that begins with the decision about bit `bits` - 1 of a symbol.
///
/// Counter 1 of a block is for its first decision. After the decision of counter n comes the decision of counter 2n or 2n + 1.
/// The block of the last bits has only counters. In any other block, as many links to further blocks follow the counters.
fn block_size(bits: u32) -> u32 {
    if bits <= BLOCK_BITS { bits } else { (bits - 1) % BLOCK_BITS + 2 }
}

/// Whether some number from `first` to `first + 2^bits - 1` is in a set of numbers, 64 a word; `bits` is at least 6.
fn has_any(set: &[u64], first: usize, bits: u32) -> bool {
    let end = set.len().min((first + (1 << bits)) / 64);
    set.get(first / 64..end).is_some_and(|words| words.iter().any(|&word| word != 0))
}

/// The state within a symbol.
struct Path<const N: usize> {
    kind: usize,
    /// For each context the start of the block with the counter of the next decision.
    blocks: [usize; N],
    /// The number of that counter in its block.
    node: usize,
}

impl Mixer {
    /// Codes `value`, one of `candidates`, a set of numbers below 2^`bits`, 64 a word. A bit that all remaining candidates share
    /// costs nothing. `bits` is the same for all symbols of a kind; contexts are below 2^56.
    #[inline]
    pub(in crate::pcn) fn symbol<const N: usize>(
        &mut self,
        coder: &mut impl Coder,
        kind: usize,
        contexts: &[u64; N],
        (bits, candidates): (u32, &[u64]),
        value: usize,
    ) -> usize {
        let blocks = self.counters.blocks(kind, contexts, block_size(bits));
        let mut path = Path { kind, blocks, node: 1 };
        let mut first = 0;
        for bit in (6..bits).rev() {
            let upper = first + (1 << bit);
            let choice = (has_any(candidates, first, bit), has_any(candidates, upper, bit));
            if self.step(coder, &mut path, bit, choice, value) {
                first = upper;
            }
        }
        let mut left = candidates.get(first / 64).copied().unwrap_or(0);
        let mut bit = bits.min(6);
        // The last candidate needs no decision.
        while left & left.wrapping_sub(1) != 0 && bit > 0 {
            bit -= 1;
            let upper = left & WITH_BIT[bit as usize];
            let lower = left ^ upper;
            let is_upper = self.step(coder, &mut path, bit, (lower != 0, upper != 0), value);
            left = if is_upper { upper } else { lower };
        }
        first + left.trailing_zeros() as usize % 64
    }

    /// Codes bit number `bit` of `value`; `choice` is whether a candidate has a 0 there, and whether one has a 1.
    #[inline]
    fn step<const N: usize>(
        &mut self,
        coder: &mut impl Coder,
        path: &mut Path<N>,
        bit: u32,
        choice: (bool, bool),
        value: usize,
    ) -> bool {
        let is_set = match choice {
            (true, true) => self.decide(coder, path.kind, &path.blocks, path.node, value >> bit & 1 == 1),
            (_, upper) => upper,
        };
        path.node = 2 * path.node + usize::from(is_set);
        if bit > 0 && bit.is_multiple_of(BLOCK_BITS) {
            path.blocks = self.counters.follow(path.blocks.map(|block| block + path.node), block_size(bit));
            path.node = 1;
        }
        is_set
    }
}

#[cfg(test)]
mod tests {
    use super::super::range_coder::{Decoder, Encoder};
    use super::*;
    use crate::chess::model::MAX_VARIABLES;
    use proptest::prelude::*;

    /// Contexts of symbol number `number`: some found by number and some by key, shared by few and by many.
    fn contexts(number: usize) -> [u64; 3] {
        let number = number as u64;
        [number % 5, (number % 3) << 40, number % 7 * 700]
    }

    proptest! {
        #[test]
        fn symbols_come_back(
            values in prop::collection::vec((any::<u64>(), any::<u64>()), 0..200), bits in 0..=11_u32,
        ) {
            let limit = 1_usize << bits;
            let mut symbols: Vec<(Vec<u64>, usize)> = Vec::new();
            for &(a, b) in &values {
                let mut set = vec![0; limit.div_ceil(64)];
                let some = u64::MAX >> (64 - limit.min(64));
                for (word, bits) in [(0, a & b), (1, a & 1), (7, b & 6), (31, a)] {
                    if let Some(word) = set.get_mut(word) {
                        *word = bits & some;
                    }
                }
                let value = a as usize % limit;
                set[value / 64] |= 1 << (value % 64);
                symbols.push((set, value));
            }
            let mut encoder = Encoder::new();
            let mut mixer = Mixer::default();
            for (number, (set, value)) in symbols.iter().enumerate() {
                mixer.symbol(&mut encoder, 0, &contexts(number), (bits, set), *value);
            }
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            let mut mixer = Mixer::default();
            for (number, (set, value)) in symbols.iter().enumerate() {
                prop_assert_eq!(mixer.symbol(&mut decoder, 0, &contexts(number), (bits, set), 0), *value);
            }
            prop_assert!(decoder.is_finished());
        }

        /// A symbol is the decisions of FORMAT.md, each in its own context.
        #[test]
        fn symbols_are_decisions(values in prop::collection::vec((0..2048_usize, any::<[u64; 32]>()), 0..40)) {
            let (mut symbols, mut decisions) = (Encoder::new(), Encoder::new());
            let (mut mixer, mut plain) = (Mixer::default(), Mixer::default());
            for (number, &(value, mut set)) in values.iter().enumerate() {
                set[value / 64] |= 1 << (value % 64);
                mixer.symbol(&mut symbols, 0, &contexts(number), (11, &set), value);
                let has = |number: &usize| set[number / 64] >> (number % 64) & 1 == 1;
                let mut left: Vec<usize> = (0..MAX_VARIABLES).filter(has).collect();
                for bit in (0..11).rev() {
                    let is_set = value >> bit & 1;
                    if left.iter().any(|number| number >> bit & 1 != is_set) {
                        let node = (1 << (10 - bit)) + (value >> bit >> 1) as u64;
                        let inputs = contexts(number).map(|context| context << 11 | node);
                        plain.code(&mut decisions, 0, &inputs, is_set == 1);
                    }
                    left.retain(|number| number >> bit & 1 == is_set);
                }
            }
            prop_assert_eq!(symbols.finish(), decisions.finish());
        }
    }

    #[test]
    fn the_only_candidate_costs_nothing() {
        let mut encoder = Encoder::new();
        let mut set = [0; 32];
        set[300 / 64] = 1 << (300 % 64);
        (0..100).for_each(|_| _ = Mixer::default().symbol(&mut encoder, 0, &[0], (11, &set), 300));
        assert!(encoder.finish().is_empty());
    }
}
