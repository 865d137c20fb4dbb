//! Names coded as decisions.

use super::mixing::Mixer;
use super::range::Coder;
use crate::model::MAX_VARIABLES;

/// Decisions that name a symbol, the highest bit first.
const NAME_BITS: u32 = MAX_VARIABLES.ilog2();

/// A set of numbers below [`MAX_VARIABLES`]: what a symbol may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidates([u64; MAX_VARIABLES / 64]);

const _: () = assert!(MAX_VARIABLES.is_power_of_two());

impl Candidates {
    pub(super) const EMPTY: Candidates = Candidates([0; MAX_VARIABLES / 64]);

    /// The numbers whose bits are set.
    pub(super) fn of_bits(bits: u64) -> Self {
        let mut set = Self::EMPTY;
        set.0[0] = bits;
        set
    }

    pub(super) fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    pub(super) fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// How many bits the greatest of them has.
    fn bits(&self) -> u32 {
        let last = self.0.iter().rposition(|&word| word != 0).unwrap_or(0);
        let greatest = 64 * last + self.0[last].checked_ilog2().unwrap_or(0) as usize;
        usize::BITS - greatest.leading_zeros()
    }

    /// Whether it has one of the numbers from `first` to `first + 2^bits - 1`; `first` is a multiple of 2^bits.
    fn has_any(&self, first: usize, bits: u32) -> bool {
        if bits >= 6 {
            return self.0[first / 64..][..1 << (bits - 6)].iter().any(|&word| word != 0);
        }
        self.0[first / 64] >> (first % 64) & ((1 << (1 << bits)) - 1) != 0
    }
}

impl Mixer {
    /// Codes `value`, which is in `candidates`. Decisions that the candidates leave no choice in cost nothing.
    /// Contexts are below 2^44.
    pub(super) fn symbol<const N: usize>(
        &mut self,
        coder: &mut impl Coder,
        kind: usize,
        contexts: &[u64; N],
        candidates: &Candidates,
        value: usize,
    ) -> usize {
        let mut first = 0;
        for bits in (0..candidates.bits()).rev() {
            let upper = first + (1 << bits);
            let choice = (candidates.has_any(first, bits), candidates.has_any(upper, bits));
            let bit = match choice {
                (true, true) => {
                    let node = (1 << (NAME_BITS - 1 - bits)) + (first >> (bits + 1)) as u64;
                    let inputs = contexts.map(|context| context << NAME_BITS | node);
                    self.code(coder, kind, &inputs, value >> bits & 1 == 1)
                }
                (_, upper) => upper,
            };
            if bit {
                first = upper;
            }
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::super::range::{Decoder, Encoder};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn symbols_come_back(
            values in prop::collection::vec((any::<u64>(), any::<u64>(), 0..5_u64), 0..200),
        ) {
            let mut candidates: Vec<Candidates> = Vec::new();
            for &(a, b, _) in &values {
                let mut set = Candidates::EMPTY;
                (set.0[0], set.0[1], set.0[7], set.0[31]) = (a & b, a & 1, b & 6, a);
                set.insert(a as usize % MAX_VARIABLES);
                candidates.push(set);
            }
            let mut encoder = Encoder::new();
            let mut mixer = Mixer::default();
            for (&(a, _, context), set) in values.iter().zip(&candidates) {
                mixer.symbol(&mut encoder, 0, &[context], set, a as usize % MAX_VARIABLES);
            }
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            let mut mixer = Mixer::default();
            for (&(a, _, context), set) in values.iter().zip(&candidates) {
                prop_assert_eq!(mixer.symbol(&mut decoder, 0, &[context], set, 0), a as usize % MAX_VARIABLES);
            }
        }
    }

    #[test]
    fn the_only_candidate_costs_nothing() {
        let mut encoder = Encoder::new();
        let mut set = Candidates::EMPTY;
        set.insert(300);
        (0..100).for_each(|_| _ = Mixer::default().symbol(&mut encoder, 0, &[0], &set, 300));
        assert!(encoder.finish().is_empty());
        set.remove(300);
        assert!(set.is_empty());
    }
}
