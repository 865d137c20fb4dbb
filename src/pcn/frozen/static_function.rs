//! A static function that stores which positions are exceptions to their leaf. It can be queried, not enumerated.
//!
//! A two-level filter, as in Clubcard (Schanck 2025). Both stages are linear systems over GF(2): bits are added modulo 2.
//! An exception at a leaf of level r satisfies r equations of the first system, the filter. One in 2^r of the other positions
//! satisfies them by chance. The second system, the decision, has an equation for each position that passes the filter: its value
//! is 1 for exceptions only. If a leaf's exceptions have two outcomes, another equation tells them apart. The systems are ribbons
//! (Dillinger and Walzer 2021): the coefficients of an equation lie in a window of [`WINDOW`] unknowns, and the unknowns are cut
//! into shards that are solved separately. In departure from both papers an equation has one bit, so that each leaf can have the
//! level that suits its numbers of exceptions and other positions. FORMAT.md states every step.

use super::reader::{Reader, push_number};
use crate::chess::position::{Square, Wdl};
use crate::error::{Error, Result};
use alloc::vec::Vec;

/// The greatest level of a leaf.
pub const MAX_LEVEL: u8 = 31;

/// The width of an equation's window, in unknowns.
const WINDOW: u64 = 128;

/// The greatest number of unknowns in a shard.
pub(crate) const MAX_UNKNOWNS: u16 = 1 << 12;

/// Numbers of the equations of the decision; the equations of a filter have smaller numbers.
pub(in crate::pcn) const IS_EXCEPTION: u8 = 32;
pub(in crate::pcn) const IS_BETTER: u8 = 33;

/// 2^64 over the golden ratio: the step between the words of a position.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finalizer of Steele, Lea and Flood's `SplitMix` (2014).
#[inline]
const fn mix(mut word: u64) -> u64 {
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// The hash of a canonical position, from which its equations are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PositionHash(pub(in crate::pcn) u64);

impl PositionHash {
    /// The hash of the canonical position with its men on `squares`.
    #[inline]
    pub(crate) fn of_men(squares: &[Square], en_passant: Option<u8>) -> Self {
        let squares = squares.iter().fold(0, |key, square| key << 6 | square.index() as u64);
        let key = squares << 4 | u64::from(en_passant.unwrap_or(8));
        PositionHash(mix(key.wrapping_add(STEP)))
    }

    /// The hash of the position of another game that has this number.
    #[cfg(feature = "build")]
    pub(crate) fn of_number(number: u128) -> Self {
        let low = mix((number as u64).wrapping_add(STEP));
        PositionHash(mix(low.wrapping_add((number >> 64) as u64).wrapping_add(STEP)))
    }

    #[cfg(test)]
    pub(crate) fn of(word: u64) -> Self {
        PositionHash(mix(word))
    }

    /// The number, below `shards`, of the shard with the equations of this position.
    #[inline]
    pub(crate) fn shard(self, shards: usize) -> usize {
        (((self.0 >> 32) * shards as u64) >> 32) as usize
    }

    /// The word from which equation number `number` is made in a shard with this seed.
    #[inline]
    pub(in crate::pcn) fn word(self, number: u8, seed: u16) -> u64 {
        let number = u64::from(seed) * 64 + u64::from(number);
        mix(self.0.wrapping_add((number + 1).wrapping_mul(STEP)))
    }

    /// Equation number `number` in a shard with these unknowns and this seed.
    #[inline]
    pub(in crate::pcn) fn equation(self, number: u8, seed: u16, unknowns: u16) -> Equation {
        let word = self.word(number, seed);
        let [low, high] = [1, 2].map(|step: u64| u128::from(mix(word.wrapping_add(step.wrapping_mul(STEP)))));
        let window = WINDOW.min(unknowns.into());
        Equation {
            start: (((word >> 32) * (u64::from(unknowns) - window + 1)) >> 32) as u16,
            coefficients: (high << 64 | low) & u128::MAX >> (128 - window),
            right: word & 1 == 1,
        }
    }
}

/// An equation over the unknowns of a shard.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Equation {
    /// The number of the first coefficient's unknown.
    pub(crate) start: u16,
    /// The coefficients, bit 0 the first.
    pub(crate) coefficients: u128,
    /// The right side, for an equation of a filter.
    pub(crate) right: bool,
}

/// The solution of a linear system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct System {
    pub(in crate::pcn) shards: Vec<Shard>,
    /// The unknowns of all shards, shard after shard, and zeros.
    pub(in crate::pcn) words: Vec<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pcn) struct Shard {
    pub(in crate::pcn) seed: u16,
    pub(in crate::pcn) unknowns: u16,
    /// Number of unknowns in all shards before this one.
    pub(in crate::pcn) before: u64,
}

/// Words beyond the last unknown, so that a window can be read anywhere.
pub(in crate::pcn) const PAD: usize = 3;

impl System {
    /// Number of unknowns.
    pub(crate) fn len(&self) -> u64 {
        self.shards.last().map_or(0, |shard| shard.before + u64::from(shard.unknowns))
    }

    /// The value of an equation's left side, and its right side if the system is a filter.
    #[inline]
    pub(super) fn evaluate(&self, hash: PositionHash, number: u8) -> (bool, bool) {
        let Some(&Shard { seed, unknowns, before }) = self.shards.get(hash.shard(self.shards.len())) else {
            // Only damaged pages query a system without shards.
            return (false, true);
        };
        let Equation { start, coefficients, right } = hash.equation(number, seed, unknowns);
        let first = before + u64::from(start);
        let (word, shift) = ((first / 64) as usize, first % 64);
        // Shifted twice, since a shift by 64 would overflow.
        let part = |word: usize| self.words[word] >> shift | self.words[word + 1] << 1 << (63 - shift);
        let window = u128::from(part(word + 1)) << 64 | u128::from(part(word));
        ((window & coefficients).count_ones() & 1 == 1, right)
    }

    /// Whether the first `level` equations of a position hold, as they do for every exception.
    #[inline]
    pub(crate) fn passes(&self, hash: PositionHash, level: u8) -> bool {
        (0..level).all(|number| {
            let (left, right) = self.evaluate(hash, number);
            left == right
        })
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        push_number(bytes, self.shards.len() as u64);
        for shard in &self.shards {
            bytes.extend((shard.seed << 12 | (shard.unknowns - 1)).to_le_bytes());
        }
        bytes.extend(
            self.words.iter().flat_map(|word| word.to_le_bytes()).take(self.len().div_ceil(8) as usize),
        );
    }

    fn read(reader: &mut Reader) -> Result<Self> {
        let count = reader.short_number()? as usize;
        let entries = reader.take(count.saturating_mul(2))?.as_chunks::<2>().0;
        let shard = |&entry: &[u8; 2]| {
            let entry = u16::from_le_bytes(entry);
            Shard { seed: entry >> 12, unknowns: (entry & (MAX_UNKNOWNS - 1)) + 1, before: 0 }
        };
        let unknowns: u64 = entries.iter().map(|entry| u64::from(shard(entry).unknowns)).sum();
        // Taken before anything is allocated, so that forged counts allocate nothing.
        let bytes = reader.take(usize::try_from(unknowns.div_ceil(8)).unwrap_or(usize::MAX))?;
        let mut before = 0;
        let placed = |entry| {
            let shard = Shard { before, ..shard(entry) };
            before += u64::from(shard.unknowns);
            shard
        };
        let shards = entries.iter().map(placed).collect();
        let mut words = vec![0_u64; bytes.len().div_ceil(8) + PAD];
        for (at, &byte) in bytes.iter().enumerate() {
            words[at / 8] |= u64::from(byte) << (at % 8 * 8);
        }
        let beyond = words[(unknowns / 64) as usize] >> (unknowns % 64);
        Error::corrupt_unless(beyond == 0, || "bits after the last unknown".into())?;
        Ok(System { shards, words })
    }
}

/// The static function of a tree; empty without exceptions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StaticFunction {
    pub(in crate::pcn) filter: System,
    pub(in crate::pcn) decision: System,
}

impl StaticFunction {
    /// Bytes of memory.
    pub(crate) fn memory(&self) -> usize {
        [&self.filter, &self.decision]
            .map(|system| size_of_val(&system.shards[..]) + size_of_val(&system.words[..]))
            .iter()
            .sum()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.decision.shards.is_empty()
    }

    /// Whether a canonical position that reaches a leaf of level `level` is an exception there. Right for the positions from
    /// which the function was made; deterministic for all others.
    #[inline]
    pub(crate) fn is_exception(&self, hash: PositionHash, level: u8) -> bool {
        self.filter.passes(hash, level) && self.decision.evaluate(hash, IS_EXCEPTION).0
    }

    /// The outcome of an exception at a leaf that states `outcome` and whose exceptions may have both others.
    #[inline]
    pub(crate) fn either(&self, outcome: Wdl, hash: PositionHash) -> Wdl {
        let [worse, better] = outcome.others();
        if self.is_better(hash) { better } else { worse }
    }

    /// Whether an exception of [`StaticFunction::either`] has the outcome that is better for the side to move.
    #[inline]
    pub(crate) fn is_better(&self, hash: PositionHash) -> bool {
        self.decision.evaluate(hash, IS_BETTER).0
    }

    /// Appends the two systems.
    pub(in crate::pcn) fn write(&self, bytes: &mut Vec<u8>) {
        self.filter.write(bytes);
        self.decision.write(bytes);
    }

    /// Reads a function to the end of the bytes. Allocates in proportion to them.
    pub(in crate::pcn) fn read(reader: &mut Reader) -> Result<Self> {
        let function = StaticFunction { filter: System::read(reader)?, decision: System::read(reader)? };
        Error::corrupt_unless(reader.is_at_end(), || "bytes after the exceptions".into())?;
        Error::corrupt_unless(!function.is_empty(), || "exceptions without a decision".into())?;
        Ok(function)
    }

    /// Checks that there is a filter exactly when the greatest level of a leaf is above 0.
    pub(in crate::pcn) fn check_filter(&self, max_level: u8) -> Result<()> {
        let has_filter = !self.filter.shards.is_empty();
        Error::corrupt_unless(has_filter == (max_level > 0), || {
            "a filter that is missing or not needed".into()
        })
    }
}
