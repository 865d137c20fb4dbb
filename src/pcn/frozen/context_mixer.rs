//! Probabilities of decisions, learned while they are coded. A decision has a few contexts, each with an estimate of its
//! own; weights, which are learned too, mix the estimates in the logistic domain.
//!
//! After M. Mahoney's lpaq (2007), with two departures for small files. The counter of a context averages all decisions, as
//! the estimator of Krichevsky and Trofimov does, and forgets old ones only later. The weight of a context depends on how
//! often the context was met, so that the weight of rare contexts is learned too. All arithmetic is on integers, so that
//! every machine computes the same; FORMAT.md states each operation.

use super::context_table::{Counters, KINDS, KeptCounters, MAX_INPUTS};
use super::range_coder::Coder;
use alloc::vec::Vec;

/// `SQUASH[i]` is 65536 / (1 + e^-((i - 22) / 2)), rounded, 65535 at most.
const SQUASH: [u32; 45] = [
    1, 2, 3, 5, 8, 13, 22, 36, 60, 98, 162, 267, 439, 720, 1179, 1921, 3108, 4971, 7812, 11955, 17625, 24743,
    32768, 40793, 47911, 53581, 57724, 60565, 62428, 63615, 64357, 64816, 65097, 65269, 65374, 65438, 65476,
    65500, 65514, 65523, 65528, 65531, 65533, 65534, 65535,
];

/// The bound of the logistic domain: 11, in 256ths.
const SQUASH_END: i32 = 11 * 256;

/// Returns the probability, in 65536ths, of the logit `x`, in 256ths.
#[allow(clippy::cast_sign_loss)] // The sum is not negative.
const fn squash(x: i32) -> u32 {
    let x = if x < -SQUASH_END {
        -SQUASH_END
    } else if x > SQUASH_END - 1 {
        SQUASH_END - 1
    } else {
        x
    };
    let (at, part) = ((x + SQUASH_END) as usize / 128, (x + SQUASH_END) as u32 % 128);
    (SQUASH[at] * (128 - part) + SQUASH[at + 1] * part + 64) >> 7
}

/// The logit of a cell's probability, by the upper twelve bits of the cell. With the first bit inverted these bits are a number
/// p; the logit is the least x of -2047 to 2047 with `squash(x)` at least 16 p, or 2047 if there is none.
static LOGITS: [i16; 4096] = {
    let mut table = [2047; 4096];
    let (mut p, mut x) = (0, -2047);
    while x <= 2047 {
        while p < 4096 && 16 * p as u32 <= squash(x) {
            table[p ^ 0x800] = x as i16;
            p += 1;
        }
        x += 1;
    }
    table
};

/// Size of the logistic domain.
const DOMAIN: usize = 2 * SQUASH_END.unsigned_abs() as usize;

/// `MIXED[i]` is `squash(i - SQUASH_END)`, 16 to 65520.
static MIXED: [u16; DOMAIN] = {
    let mut table = [16; DOMAIN];
    let (mut i, mut x) = (0, -SQUASH_END);
    while i < DOMAIN {
        let one = squash(x);
        if one > 16 {
            table[i] = if one < 65520 { one as u16 } else { 65520 };
        }
        (i, x) = (i + 1, x + 1);
    }
    table
};

/// Returns the probability of a 1, in 65536ths, for the weighted sum `x` of a decision's inputs, in 256ths.
#[allow(clippy::cast_sign_loss)] // It was clamped.
fn mixed(x: i64) -> u32 {
    let end = i64::from(SQUASH_END);
    MIXED[(x + end).clamp(0, 2 * end - 1) as usize].into()
}

/// A counter: the probability of a decision in one context.
///
/// The upper half of its cell is the probability of a 1 in 65536ths, less 32768. The lower half is 256 times the number of
/// times that the context was met, plus the bucket of that number. So a cell of zero is a context not met yet.
mod counter {
    use super::LOGITS;

    /// The count of a context stops here; from then on its counter forgets old decisions.
    const LIMIT: usize = 80;

    /// No probability goes below 1.
    const LEAST: i32 = -32767 << 16;

    /// The next step of a counter, by the number of times that its context was met. First a share, in 65536ths: the probability
    /// moves by this share of its distance to the decision. Then the lower half of the next cell.
    const NEXT: [(u16, u16); 256] = {
        let mut next = [(0, 0); 256];
        let mut met = 0;
        while met < 256 {
            let now = if met < LIMIT { met } else { LIMIT };
            let then = if met < LIMIT { met + 1 } else { LIMIT };
            next[met] = (((1 << 16) / (now + 2)) as u16, (then << 8 | bucket_of(then)) as u16);
            met += 1;
        }
        next
    };

    /// Counters met about as often share their weights.
    const fn bucket_of(met: usize) -> usize {
        match met {
            0..4 => met,
            4..6 => 4,
            6..9 => 5,
            9..16 => 6,
            16..32 => 7,
            _ => 8,
        }
    }

    /// The logit of a 1.
    pub(in crate::pcn) fn logit(cell: u32) -> i64 {
        LOGITS[(cell >> 20) as usize].into()
    }

    /// The bucket, below 9.
    pub(in crate::pcn) fn bucket(cell: u32) -> usize {
        cell as usize & 15
    }

    /// Returns the cell after one more decision.
    ///
    /// The share is at most 2^15, and the distance below 2^16, so that their product is below 2^31. The probability moves by
    /// less than the distance, so that the sum cannot overflow either.
    pub(in crate::pcn) fn after(cell: u32, bit: bool) -> u32 {
        let (share, lower) = NEXT[cell as usize >> 8 & 255];
        let distance = if bit { 32767 } else { -32768 } - (cell.cast_signed() >> 16);
        let change = (distance * i32::from(share)) & !0xffff;
        let upper = ((cell & !0xffff).cast_signed() + change).max(LEAST);
        upper.cast_unsigned() | u32::from(lower)
    }
}

/// Weights of an input: nine buckets are in use, but a cell has four bits for the bucket.
const BUCKETS: usize = 16;

/// The initial weights, by bucket, in 65536ths.
const WEIGHTS: [i32; BUCKETS] =
    [0, 11200, 12600, 14000, 15400, 16800, 18200, 19600, 19600, 0, 0, 0, 0, 0, 0, 0];

/// The bound of a weight: 8, in 65536ths.
const WEIGHT_END: u32 = 8 << 16;

/// Returns a weight after a change, which is less than 2^11.
#[inline]
fn moved(weight: i32, change: i32) -> i32 {
    let weight = weight + change;
    // Rarely true, so that a branch costs less than computing the bound.
    if weight.unsigned_abs() > WEIGHT_END { WEIGHT_END.cast_signed() * weight.signum() } else { weight }
}

/// The counters and weights learned from the decisions coded so far.
#[derive(Debug)]
pub(in crate::pcn) struct Mixer {
    pub(in crate::pcn) counters: Counters,
    /// By kind of decision: weights by input and bucket.
    weights: Vec<[[i32; BUCKETS]; MAX_INPUTS]>,
}

/// A mixer to be kept, in less memory.
#[derive(Debug)]
pub(in crate::pcn) struct KeptMixer {
    counters: KeptCounters,
    weights: Vec<[[i32; BUCKETS]; MAX_INPUTS]>,
}

impl KeptMixer {
    /// Returns the mixer again, with room for a typical payload of `bytes` more bytes.
    pub(in crate::pcn) fn with_room(&self, bytes: usize) -> Mixer {
        Mixer { counters: self.counters.with_room(bytes), weights: self.weights.clone() }
    }

    /// Bytes of memory.
    pub(in crate::pcn) fn memory(&self) -> usize {
        self.counters.memory() + size_of_val(&self.weights[..])
    }
}

impl Default for Mixer {
    fn default() -> Self {
        Self::for_bytes(0)
    }
}

impl Mixer {
    /// Returns a new mixer, with room for a typical payload of `bytes` bytes.
    pub(in crate::pcn) fn for_bytes(bytes: usize) -> Self {
        Mixer { counters: Counters::for_bytes(bytes), weights: vec![[WEIGHTS; MAX_INPUTS]; KINDS] }
    }

    /// Returns what is to be kept until a page is decoded.
    pub(in crate::pcn) fn kept(&self) -> KeptMixer {
        KeptMixer { counters: self.counters.kept(), weights: self.weights.clone() }
    }

    /// Bytes of memory.
    pub(in crate::pcn) fn memory(&self) -> usize {
        self.counters.memory() + size_of_val(&self.weights[..])
    }

    /// Codes one decision of kind `kind`, which is below [`KINDS`]. Each context is below 2^56; its meaning depends on the
    /// kind and on its place in `contexts` only.
    pub(in crate::pcn) fn code<const N: usize>(
        &mut self,
        coder: &mut impl Coder,
        kind: usize,
        contexts: &[u64; N],
        bit: bool,
    ) -> bool {
        let places = self.counters.blocks(kind, contexts, 0);
        self.decide(coder, kind, &places, 0, bit)
    }

    /// Codes one decision of kind `kind`, whose counters are the cells number `node` of `blocks`.
    ///
    /// Logits are at most 2047, weights 2^19 and errors 65520 in absolute value. So a weight moves by less than 2^11.
    #[inline]
    pub(in crate::pcn) fn decide<const N: usize>(
        &mut self,
        coder: &mut impl Coder,
        kind: usize,
        blocks: &[usize; N],
        node: usize,
        bit: bool,
    ) -> bool {
        let (cells, weights) = (&mut self.counters.cells[..], &mut self.weights[kind]);
        // Cell and logit of each context.
        let (mut inputs, mut sum) = ([(0, 0); N], 0);
        for input in 0..N {
            let cell = cells[blocks[input] + node];
            let logit = counter::logit(cell);
            sum += i64::from(weights[input][counter::bucket(cell)]) * logit;
            inputs[input] = (cell, logit);
        }
        let one = mixed(sum >> 16);
        coder.about(kind);
        let bit = coder.code(bit, one);
        let error = if bit { 65536 } else { 0 } - i64::from(one);
        for input in 0..N {
            let (cell, logit) = inputs[input];
            let weight = &mut weights[input][counter::bucket(cell)];
            *weight = moved(*weight, ((logit * error + (1 << 15)) >> 16) as i32);
            cells[blocks[input] + node] = counter::after(cell, bit);
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::super::range_coder::{Decoder, Encoder};
    use super::counter::{after, bucket, logit};
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    #[test]
    fn squash_and_stretch_are_inverse_and_monotonous() {
        assert_eq!((squash(0), squash(-9999), squash(9999)), (32768, 1, 65535));
        assert!((-2815..2816).all(|x| squash(x - 1) <= squash(x)));
        let stretch = |probability: u32| logit((probability ^ 0x8000) << 16) as i32;
        assert!((1..65536).all(|p| stretch(p - 1) <= stretch(p)));
        assert_eq!((stretch(0), stretch(32768), stretch(65535)), (-2047, 0, 2047));
        assert!((0..4096).all(|p| 16 * p <= squash(stretch(16 * p)) || p > 4090));
    }

    /// By the words of FORMAT.md.
    #[test]
    fn cells_count_as_the_format_says() {
        for met in 0..=80_u32 {
            let bucket_of = match met {
                0..=3 => met,
                4..=5 => 4,
                6..=8 => 5,
                9..=15 => 6,
                16..=31 => 7,
                _ => 8,
            };
            for p in 1..=65535_u32 {
                let lower = met << 8 | bucket_of;
                let cell = (p ^ 0x8000) << 16 | lower;
                assert_eq!(bucket(cell), bucket_of as usize);
                for bit in [false, true] {
                    let target = if bit { 65535 } else { 0 };
                    let step = ((target - i64::from(p)) * (65536 / (i64::from(met) + 2))) >> 16;
                    let after = after(cell, bit);
                    assert_eq!(i64::from(after >> 16 ^ 0x8000), (i64::from(p) + step).clamp(1, 65535));
                    assert_eq!(after >> 8 & 255, (met + 1).min(80));
                }
            }
        }
    }

    #[test]
    fn mixed_logits_become_probabilities() {
        assert!((-4000..4000).all(|x| mixed(x) == squash(x as i32).clamp(16, 65520)));
        assert_eq!((mixed(i64::from(i32::MIN)), mixed(i64::from(i32::MAX))), (16, 65520));
    }

    #[test]
    fn weights_are_bounded() {
        let ways = [(524_200, 88), (524_200, 89), (524_288, 2000), (-524_200, -88), (-524_287, -2), (7, -9)];
        let moved = ways.map(|(weight, change)| moved(weight, change));
        assert_eq!(moved, [524_288, 524_288, 524_288, -524_288, -524_288, -2]);
    }

    /// A coder that records the probabilities.
    struct Notes(Vec<u32>);

    impl Coder for Notes {
        fn code(&mut self, bit: bool, one: u32) -> bool {
            self.0.push(one);
            bit
        }
    }

    /// A mixer by the words of FORMAT.md.
    #[derive(Default)]
    struct Plain {
        counters: HashMap<(usize, usize, u64), (i64, i64)>,
        weights: HashMap<(usize, usize, usize), i64>,
    }

    impl Plain {
        fn learned(&mut self, kind: usize, contexts: &[u64], bit: bool) -> u32 {
            let (mut inputs, mut sum) = (Vec::new(), 0);
            for (place, &context) in contexts.iter().enumerate() {
                let &mut (p, met) = self.counters.entry((kind, place, context)).or_insert((32768, 0));
                let bucket = [1, 2, 3, 4, 6, 9, 16, 32].iter().filter(|&&end| met >= end).count();
                let first = [0, 11200, 12600, 14000, 15400, 16800, 18200, 19600, 19600][bucket];
                let weight = *self.weights.entry((kind, place, bucket)).or_insert(first);
                let least = (-2047..2047).find(|&x| i64::from(squash(x)) >= 16 * (p >> 4));
                let logit = i64::from(least.unwrap_or(2047));
                sum += weight * logit;
                inputs.push((bucket, logit));
            }
            let q = squash((sum >> 16).clamp(-9999, 9999) as i32).clamp(16, 65520);
            let error = if bit { 65536 } else { 0 } - i64::from(q);
            for (place, &context) in contexts.iter().enumerate() {
                let (bucket, logit) = inputs[place];
                let weight = self.weights.get_mut(&(kind, place, bucket)).unwrap();
                *weight = (*weight + ((logit * error * 16 + (1 << 19)) >> 20)).clamp(-524_288, 524_288);
                let (p, met) = self.counters.get_mut(&(kind, place, context)).unwrap();
                let target = if bit { 65535 } else { 0 };
                *p = (*p + (((target - *p) * (65536 / (*met + 2))) >> 16)).clamp(1, 65535);
                *met = (*met + 1).min(80);
            }
            q
        }
    }

    /// Most of the decisions are the same, so that weights and counters reach their bounds.
    #[test]
    fn mixing_is_as_the_format_says() {
        for rare in [2, 7, 40, 900] {
            let (mut mixer, mut plain, mut notes) = (Mixer::default(), Plain::default(), Notes(Vec::new()));
            for i in 0..4000_u64 {
                let contexts = [0, i % 3, (i % 50) << 30, i * i % 7, i, i % 2, i % 100 * 60];
                let bit = (i * i % rare == 1) ^ (i % 3 == 0);
                let kind = (i % 2) as usize;
                mixer.code(&mut notes, kind, &contexts, bit);
                assert_eq!(notes.0.last(), Some(&plain.learned(kind, &contexts, bit)), "{i} of {rare}");
            }
        }
    }

    #[test]
    fn a_constant_decision_soon_costs_nothing() {
        let (mut mixer, mut encoder) = (Mixer::default(), Encoder::new());
        (0..1000_u64).for_each(|i| _ = mixer.code(&mut encoder, 3, &[0, i % 5], i % 5 == 2));
        let bytes = encoder.finish().len();
        assert!(bytes <= 16, "{bytes} bytes");
    }

    proptest! {
        #[test]
        fn both_directions_learn_the_same(
            decisions in prop::collection::vec((0..6_usize, 0..4_u64, 0..9_u64, any::<bool>()), 0..600),
        ) {
            fn run(coder: &mut impl Coder, decisions: &[(usize, u64, u64, bool)], tell: bool) -> Vec<bool> {
                let mut mixer = Mixer::default();
                let decide = |&(kind, a, b, bit): &(usize, u64, u64, bool)| {
                    mixer.code(coder, kind, &[a, b, a * 16 + b], tell && bit)
                };
                decisions.iter().map(decide).collect()
            }
            let mut encoder = Encoder::new();
            let written = run(&mut encoder, &decisions, true);
            let bytes = encoder.finish();
            let read = run(&mut Decoder::new(&bytes), &decisions, false);
            prop_assert_eq!(written, read);
        }
    }
}
