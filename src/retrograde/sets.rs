//! Sets of slots as arrays of words that several threads write, and frontiers: sets that are mostly empty.
//!
//! All sets are arrays of atomic words. A frontier also has a summary, with one bit for 16 words, to find its words without
//! a search. `docs/decisions/generator-sets.md` has the alternatives that were measured. Every access is relaxed: the end
//! of each parallel pass orders its writes before the reads of the next one. Threads only add bits to a shared word, so that
//! their order makes no difference.

use super::bits::{Bits, ones};
use crate::error::Result;
use crate::scratch::Array;
use rayon::prelude::*;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The words that one bit of a frontier's summary stands for.
const BLOCK: usize = 16;
/// The words that one word of a frontier's summary stands for; a thread processes as many at a time.
pub(super) const CHUNK: usize = 64 * BLOCK;

/// A set of the slots of a table with one side to move.
#[derive(Debug)]
pub struct Set<B: Bits>(Array<B::Shared>);

impl<B: Bits> Set<B> {
    /// Returns an empty set of `words` words, in memory or in a scratch file. See [`Array::new`].
    pub(crate) fn new(words: usize, scratch: Option<&Path>) -> Result<Self> {
        Array::new(words, scratch).map(Set)
    }

    /// Word number `word`.
    #[inline]
    pub fn get(&self, word: u64) -> B {
        B::load(&self.0[word as usize])
    }

    /// Adds `bits` to word number `word`; returns the bits that are new.
    #[inline]
    pub(crate) fn add(&self, word: u64, bits: B) -> B {
        bits.add_to(&self.0[word as usize])
    }

    /// Replaces word number `word`, which no other thread writes.
    #[inline]
    pub(crate) fn put(&self, word: u64, bits: B) {
        bits.store(&self.0[word as usize]);
    }
}

#[cfg(test)]
impl Set<u64> {
    pub(crate) fn remove(&self, word: u64, bits: u64) {
        self.0[word as usize][0].fetch_and(!bits, Relaxed);
    }
}

/// A set of slots with a summary of the words that can be nonzero.
pub(super) struct Frontier<B: Bits> {
    set: Set<B>,
    summary: Array<AtomicU64>,
}

impl<B: Bits> Frontier<B> {
    /// Returns an empty set of `words` words, in memory or in a scratch file. See [`Array::new`].
    pub(crate) fn new(words: usize, scratch: Option<&Path>) -> Result<Self> {
        let summary = Array::new(words.div_ceil(CHUNK), None)?;
        Ok(Frontier { set: Set::new(words, scratch)?, summary })
    }

    #[inline]
    pub(super) fn add(&self, word: u64, bits: B) {
        if self.set.add(word, bits) != B::NONE {
            self.note(word);
        }
    }

    /// Replaces word number `word`, which no other thread touches.
    #[inline]
    pub(crate) fn put(&self, word: u64, bits: B) {
        self.set.put(word, bits);
        if bits != B::NONE {
            self.note(word);
        }
    }

    /// Adds word number `word` to the summary.
    #[inline]
    fn note(&self, word: u64) {
        let (place, bit) = (&self.summary[word as usize / CHUNK], 1 << (word as usize % CHUNK / BLOCK));
        if place.load(Relaxed) & bit == 0 {
            place.fetch_or(bit, Relaxed);
        }
    }

    /// Calls `visit` with the number and the bits of each nonzero word of chunk number `chunk`, ascending.
    #[inline]
    pub(super) fn each_of_chunk(&self, chunk: usize, mut visit: impl FnMut(u64, B)) {
        for block in ones(self.summary[chunk].load(Relaxed)) {
            let first = chunk * CHUNK + block * BLOCK;
            for (word, bits) in (first as u64..).zip(self.set.0.iter().skip(first).take(BLOCK)) {
                let bits = B::load(bits);
                if bits != B::NONE {
                    visit(word, bits);
                }
            }
        }
    }

    /// Calls `visit` with the number and the bits of each nonzero word, on several threads and in no order.
    pub(super) fn each(&self, visit: impl Fn(u64, B) + Sync) {
        (0..self.summary.len()).into_par_iter().for_each(|chunk| self.each_of_chunk(chunk, &visit));
    }

    /// The number of slots in the set, and of nonzero words.
    pub(super) fn count(&self) -> (u64, u64) {
        let of_chunk = |chunk| {
            let mut counts = (0, 0);
            self.each_of_chunk(chunk, |_, bits| {
                counts.0 += u64::from(bits.count());
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
            for block in ones(self.summary[chunk].load(Relaxed)) {
                let first = chunk * CHUNK + block * BLOCK;
                self.set.0[first..].iter_mut().take(BLOCK).for_each(|word| *word = B::Shared::default());
            }
            self.summary[chunk].store(0, Relaxed);
        }
    }
}
