//! Probabilities of decisions, learned while they are coded: each decision is looked up in a few contexts, and what the
//! contexts say is mixed in the logistic domain by weights that are learned too.
//!
//! In the manner of M. Mahoney's lpaq (2007), with two departures for small files. A context's counter begins like an
//! estimator of Krichevsky and Trofimov and only later forgets; and the weight of a context depends on how often it has
//! been met, so that rare contexts are believed as far as rare contexts of this kind have deserved. Integers only, so
//! that every machine computes the same; FORMAT.md states each operation.

use super::range::Coder;

/// The most contexts of a decision.
pub(super) const MAX_INPUTS: usize = 7;

/// `SQUASH[i]` is 65536 / (1 + e^-((i - 22) / 2)), rounded, 65535 at most.
const SQUASH: [u32; 45] = [
    1, 2, 3, 5, 8, 13, 22, 36, 60, 98, 162, 267, 439, 720, 1179, 1921, 3108, 4971, 7812, 11955, 17625, 24743,
    32768, 40793, 47911, 53581, 57724, 60565, 62428, 63615, 64357, 64816, 65097, 65269, 65374, 65438, 65476,
    65500, 65514, 65523, 65528, 65531, 65533, 65534, 65535,
];

/// The end of the logistic domain: 11, in 256ths.
const SQUASH_END: i64 = 11 * 256;

/// Returns the probability, in 65536ths, of the logit `x`, in 256ths.
#[allow(clippy::cast_sign_loss)] // The sum is not negative.
const fn squash(x: i64) -> u32 {
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

/// `STRETCH[p]` is the least x of -2047 to 2047 with `squash(x)` at least 16 p, or 2047.
static STRETCH: [i16; 4096] = {
    let mut table = [2047; 4096];
    let (mut p, mut x) = (0, -2047);
    while x <= 2047 {
        while p < 4096 && 16 * p as u32 <= squash(x) {
            table[p] = x as i16;
            p += 1;
        }
        x += 1;
    }
    table
};

/// Returns the logit of `probability`, 0 to 65535.
fn stretch(probability: u32) -> i64 {
    STRETCH[probability as usize >> 4].into()
}

/// How often a decision fell one way in one context.
#[derive(Clone, Copy, Debug)]
struct Counter {
    /// The probability of a 1, in 65536ths.
    one: u16,
    met: u16,
}

impl Counter {
    const NEW: Counter = Counter { one: 1 << 15, met: 0 };

    /// From here on a counter forgets.
    const LIMIT: usize = 80;

    /// The share of the way to the decision that a counter goes, in 65536ths, by how often it has been met.
    const STEPS: [u16; Self::LIMIT + 1] = {
        let mut steps = [0; Self::LIMIT + 1];
        let mut met = 0;
        while met <= Self::LIMIT {
            steps[met] = ((1 << 16) / (met + 2)) as u16;
            met += 1;
        }
        steps
    };

    /// Counters met about as often share their weights.
    const BUCKETS: [u8; Self::LIMIT + 1] = {
        let mut buckets = [8; Self::LIMIT + 1];
        let mut met = 0;
        while met < 32 {
            buckets[met] = match met {
                0..4 => met as u8,
                4..6 => 4,
                6..9 => 5,
                9..16 => 6,
                _ => 7,
            };
            met += 1;
        }
        buckets
    };

    #[allow(clippy::cast_sign_loss)] // It was clamped.
    fn update(&mut self, bit: bool) {
        let target = if bit { 65535 } else { 0 };
        let (step, one) = (i64::from(Self::STEPS[usize::from(self.met)]), i64::from(self.one));
        self.one = (one + (((target - one) * step) >> 16)).clamp(1, 65535) as u16;
        self.met = (self.met + 1).min(Self::LIMIT as u16);
    }

    fn bucket(self) -> usize {
        Self::BUCKETS[usize::from(self.met)].into()
    }
}

/// Buckets of counters.
const BUCKETS: usize = 9;

/// The weights that mixing begins with, by bucket, in 65536ths.
const WEIGHTS: [i32; BUCKETS] = [0, 11200, 12600, 14000, 15400, 16800, 18200, 19600, 19600];

/// How fast weights learn.
const RATE: i64 = 16;

/// No weight goes beyond 8.
const WEIGHT_END: i64 = 8 << 16;

/// The counters of contexts, by their keys: a table with open addresses, at most half full.
#[derive(Debug, Default)]
struct Counters {
    /// A power of two of them, or none.
    slots: Vec<(u64, Counter)>,
    used: usize,
}

/// Contexts that a byte of a tree's code meets for the first time, on average.
const CONTEXTS_PER_BYTE: usize = 8;

/// In place of a key; no decision has such a kind.
const EMPTY: u64 = u64::MAX;

impl Counters {
    /// Makes room for so many more counters; until the next call the places of those found stay what they are.
    fn reserve(&mut self, more: usize) {
        if 2 * (self.used + more) <= self.slots.len() {
            return;
        }
        let slots = (3 * (self.used + more)).next_power_of_two().max(1 << 10);
        let before = std::mem::replace(&mut self.slots, vec![(EMPTY, Counter::NEW); slots]);
        for (key, counter) in before.into_iter().filter(|&(key, _)| key != EMPTY) {
            let place = self.place(key, self.home(key));
            self.slots[place] = (key, counter);
        }
    }

    /// Returns the place where the search for a key begins.
    #[inline]
    fn home(&self, key: u64) -> usize {
        let product = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (product ^ product >> 29) as usize & (self.slots.len() - 1)
    }

    /// Returns the place of a key's counter, or that where it belongs.
    #[inline]
    fn place(&self, key: u64, home: usize) -> usize {
        let mut place = home;
        while self.slots[place].0 != key && self.slots[place].0 != EMPTY {
            place = (place + 1) & (self.slots.len() - 1);
        }
        place
    }

    /// Returns the place of a key's counter, a new one where there was none. There must be room for it.
    #[inline]
    fn find(&mut self, key: u64, home: usize) -> usize {
        let place = self.place(key, home);
        if self.slots[place].0 == EMPTY {
            self.slots[place].0 = key;
            self.used += 1;
        }
        place
    }
}

/// All that has been learned of the decisions coded so far.
#[derive(Debug, Default)]
pub(super) struct Mixer {
    counters: Counters,
    /// By kind of decision: weights by input and bucket.
    weights: Vec<[[i32; BUCKETS]; MAX_INPUTS]>,
}

impl Mixer {
    /// Returns a mixer that has learned nothing, with room for what a payload of so many bytes is likely to teach it.
    pub(super) fn for_bytes(bytes: usize) -> Self {
        let mut mixer = Mixer::default();
        mixer.counters.reserve(CONTEXTS_PER_BYTE * bytes);
        mixer
    }

    /// Codes one decision of kind `kind`, below 32, in `contexts`, each below 2^56 and with a meaning that depends on
    /// its place and the kind only.
    pub(super) fn code<const N: usize>(
        &mut self,
        coder: &mut impl Coder,
        kind: usize,
        contexts: &[u64; N],
        bit: bool,
    ) -> bool {
        const { assert!(N <= MAX_INPUTS) };
        if self.weights.len() <= kind {
            self.weights.resize(kind + 1, [WEIGHTS; MAX_INPUTS]);
        }
        let weights = &mut self.weights[kind];
        self.counters.reserve(N);
        // All are looked for at once: most are in no cache.
        let mut input = 0;
        let found = contexts.map(|context| {
            let key = (kind as u64) << 59 | input << 56 | context;
            input += 1;
            let home = self.counters.home(key);
            (key, home, self.counters.slots[home].0 == key)
        });
        // Place of the counter, bucket and logit of each context.
        let (mut inputs, mut sum) = ([(0, 0, 0); N], 0);
        for input in 0..N {
            let (key, home, is_there) = found[input];
            let place = if is_there { home } else { self.counters.find(key, home) };
            let counter = self.counters.slots[place].1;
            let (bucket, logit) = (counter.bucket(), stretch(counter.one.into()));
            sum += i64::from(weights[input][bucket]) * logit;
            inputs[input] = (place, bucket, logit);
        }
        let one = squash(sum >> 16).clamp(16, 65520);
        let bit = coder.code(bit, one);
        let error = if bit { 65536 } else { 0 } - i64::from(one);
        for input in 0..N {
            let (place, bucket, logit) = inputs[input];
            let weight = &mut weights[input][bucket];
            let change = (logit * error * RATE + (1 << 19)) >> 20;
            *weight = (i64::from(*weight) + change).clamp(-WEIGHT_END, WEIGHT_END) as i32;
            self.counters.slots[place].1.update(bit);
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::super::range::{Decoder, Encoder};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn squash_and_stretch_are_inverse_and_monotonous() {
        assert_eq!((squash(0), squash(-9999), squash(9999)), (32768, 1, 65535));
        assert!((-2815..2816).all(|x| squash(x - 1) <= squash(x)));
        assert!(STRETCH.is_sorted());
        assert_eq!((stretch(0), stretch(32768), stretch(65535)), (-2047, 0, 2047));
        assert!((0..4096).all(|p| 16 * p <= squash(stretch(16 * p)) || p > 4090));
    }

    #[test]
    fn what_always_happens_soon_costs_nothing() {
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
