//! Sets of slots as arrays of 64-bit words that several threads write, and frontiers: sets that are mostly empty.
//!
//! All sets are arrays of atomic words. A frontier also has a summary, with one bit for 16 words, to find its words without
//! a search. `docs/decisions/generator-sets.md` has the alternatives that were measured. Every access is relaxed: the end
//! of each parallel pass orders its writes before the reads of the next one. Threads only add bits to a shared word, so that
//! their order makes no difference.

use crate::error::Result;
use crate::scratch::Array;
use rayon::prelude::*;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The words for one bit of a frontier's summary.
const BLOCK: usize = 16;
/// The words for one word of a frontier's summary, which a thread processes at a time.
pub(super) const CHUNK: usize = 64 * BLOCK;

pub(super) type Set = Array<AtomicU64>;

#[inline]
pub(super) fn get(set: &[AtomicU64], word: u64) -> u64 {
    set[word as usize].load(Relaxed)
}

/// Adds `bits` to word number `word`; returns the new ones.
#[inline]
pub(super) fn add(set: &[AtomicU64], word: u64, bits: u64) -> u64 {
    let place = &set[word as usize];
    if bits & !place.load(Relaxed) == 0 {
        return 0;
    }
    bits & !place.fetch_or(bits, Relaxed)
}

/// Replaces word number `word`, which no other thread writes.
#[inline]
pub(super) fn put(set: &[AtomicU64], word: u64, bits: u64) {
    set[word as usize].store(bits, Relaxed);
}

/// A set of slots with a summary of the words that can be nonzero.
pub(super) struct Frontier {
    set: Set,
    summary: Set,
}

impl Frontier {
    /// Returns an empty set of `words` words, in memory or in a scratch file. See [`Array::new`].
    pub(super) fn new(words: usize, scratch: Option<&Path>) -> Result<Self> {
        let summary = Array::new(words.div_ceil(CHUNK), None)?;
        Ok(Frontier { set: Array::new(words, scratch)?, summary })
    }

    #[inline]
    pub(super) fn add(&self, word: u64, bits: u64) {
        if add(&self.set, word, bits) != 0 {
            add(&self.summary, word / CHUNK as u64, 1 << (word as usize % CHUNK / BLOCK));
        }
    }

    /// Replaces word number `word`, which no other thread touches.
    #[inline]
    pub(super) fn put(&self, word: u64, bits: u64) {
        put(&self.set, word, bits);
        if bits != 0 {
            add(&self.summary, word / CHUNK as u64, 1 << (word as usize % CHUNK / BLOCK));
        }
    }

    /// Calls `visit` with the number and the bits of each nonzero word of chunk number `chunk`, ascending.
    #[inline]
    pub(super) fn each_of_chunk(&self, chunk: usize, mut visit: impl FnMut(u64, u64)) {
        for block in ones(get(&self.summary, chunk as u64)) {
            let first = chunk * CHUNK + block as usize * BLOCK;
            for (word, bits) in (first as u64..).zip(self.set.iter().skip(first).take(BLOCK)) {
                let bits = bits.load(Relaxed);
                if bits != 0 {
                    visit(word, bits);
                }
            }
        }
    }

    /// Calls `visit` with the number and the bits of each nonzero word, on several threads and in no order.
    pub(super) fn each(&self, visit: impl Fn(u64, u64) + Sync) {
        (0..self.summary.len()).into_par_iter().for_each(|chunk| self.each_of_chunk(chunk, &visit));
    }

    /// The number of slots in the set, and of nonzero words.
    pub(super) fn count(&self) -> (u64, u64) {
        let of_chunk = |chunk| {
            let mut counts = (0, 0);
            self.each_of_chunk(chunk, |_, bits| {
                counts.0 += u64::from(bits.count_ones());
                counts.1 += 1;
            });
            counts
        };
        let sum = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
        (0..self.summary.len()).into_par_iter().map(of_chunk).reduce(|| (0, 0), sum)
    }

    /// Empties the set, in time proportional to its nonzero words.
    pub(super) fn clear(&mut self) {
        for chunk in 0..self.summary.len() {
            for block in ones(get(&self.summary, chunk as u64)) {
                let first = chunk * CHUNK + block as usize * BLOCK;
                self.set[first..].iter_mut().take(BLOCK).for_each(|word| *word.get_mut() = 0);
            }
            put(&self.summary, chunk as u64, 0);
        }
    }
}

/// The numbers of the set bits, ascending.
#[inline]
pub(super) fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros());
        bits &= bits.wrapping_sub(1);
        bit
    })
}
