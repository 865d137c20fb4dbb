//! The distances of a leaf and their prefix code, as they are coded in a tree of distances.
//!
//! A leaf names the distance of most of its positions, its *usual* one. If others occur, it has a code word for each distance,
//! and a level. A position with another distance than the usual one passes the filter of the static function at this level, and
//! the function's decision has the bits of the position's code word (`static_function.rs`). The words of a leaf are a full code
//! (Kraft's sum is 1), so a list of words needs no end mark. Only word lengths that a full code can have next are candidates, so
//! any bits decode to a full code.

use super::range_coder::Coder;
use super::static_function::{IS_EXCEPTION, MAX_LEVEL, PositionHash, StaticFunction};
use super::tree_classes::LEVEL_BITS;
use super::tree_context::Context;
use super::tree_nodes::{LeafCodec, ModelCoder, kind};
use crate::error::{Error, Result};
use alloc::vec::Vec;

/// The most classes of a tree of distances.
pub(crate) const MAX_CLASSES: usize = 255;

/// The greatest length of a code word.
pub(crate) const MAX_WORD: u8 = 20;

/// The whole code, in shares of a word of the greatest length.
const WHOLE: u32 = 1 << MAX_WORD;

/// Bits of an [`offset`], and of the length of a word.
const OFFSET_BITS: u32 = 9;
const LENGTH_BITS: u32 = 5;

/// The distances of a leaf. A class is a number in the tree's list of distances, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeafDistances {
    /// The class of most positions.
    pub(crate) usual: u8,
    /// The level of the filter.
    pub(crate) level: u8,
    /// The length of each code word, and its class, shorter words first; the words themselves are consecutive numbers. Empty if
    /// all positions have the usual distance.
    pub(crate) words: Vec<(u8, u8)>,
}

impl LeafDistances {
    /// The class of a canonical position that reaches this leaf; `hash` is called if the leaf has words.
    #[inline]
    pub(crate) fn class(&self, function: &StaticFunction, hash: impl FnOnce() -> PositionHash) -> u8 {
        if self.words.is_empty() {
            return self.usual;
        }
        let hash = hash();
        if function.filter.passes(hash, self.level) {
            self.read(|bit| function.decision.evaluate(hash, IS_EXCEPTION + bit).0)
        } else {
            self.usual
        }
    }

    /// Returns the class of a code word. `bit` returns a bit of the word by its number, from 0.
    #[inline]
    pub(crate) fn read(&self, mut bit: impl FnMut(u8) -> bool) -> u8 {
        // `word` is what was read, `next` the word of the next class, both as numbers of `length` bits.
        let (mut word, mut next, mut length) = (0_u32, 0_u32, 0);
        for &(of_class, class) in &self.words {
            while length < of_class {
                word = word << 1 | u32::from(bit(length));
                next <<= 1;
                length += 1;
            }
            if word == next {
                return class;
            }
            next += 1;
        }
        self.usual
    }

    /// The code word of `class`, the first bit highest, and its length; `None` if it has none.
    #[cfg(feature = "build")]
    pub(crate) fn word(&self, class: u8) -> Option<(u32, u8)> {
        let (mut next, mut length) = (0, 0);
        for &(of_class, other) in &self.words {
            next <<= of_class - length;
            length = of_class;
            if other == class {
                return Some((next, length));
            }
            next += 1;
        }
        None
    }
}

/// The leaves of a tree of distances. A leaf is represented by its number among `leaves`.
#[derive(Clone, Debug)]
pub(in crate::pcn) struct DistanceLeaves {
    classes: usize,
    /// All leaves for an encoder, those read so far for a decoder.
    pub(in crate::pcn) leaves: Vec<LeafDistances>,
    /// The number of code words that a decoder may still read.
    words_left: usize,
}

/// A tree's code of `bytes` bytes must have fewer code words than this: it keeps a reader's time in proportion to the length.
pub(in crate::pcn) const fn most_words(bytes: usize) -> usize {
    8 * (bytes + 8)
}

/// Numbers the classes from `from` outwards: 0 is `from`, 1 the class above, 2 the class below, 3 the second above and so on.
fn offset(from: u8, class: u8) -> usize {
    let apart = usize::from(class.abs_diff(from));
    2 * apart - usize::from(class > from)
}

/// The class at this offset from `from`.
fn at_offset(from: u8, offset: usize) -> u8 {
    let apart = offset.div_ceil(2);
    (if offset % 2 == 1 { usize::from(from) + apart } else { usize::from(from) - apart }) as u8
}

/// A set of offsets.
type Offsets = [u64; 1 << (OFFSET_BITS - 6)];

impl DistanceLeaves {
    /// The state before a code of `bytes` bytes; `leaves` are all leaves for an encoder, none for a decoder.
    pub(in crate::pcn) fn new(classes: usize, leaves: Vec<LeafDistances>, bytes: usize) -> Self {
        DistanceLeaves { classes, leaves, words_left: most_words(bytes) }
    }

    /// The offsets of all classes from `from`.
    fn offsets(&self, from: u8) -> Offsets {
        let mut set = Offsets::default();
        for class in 0..self.classes as u8 {
            let offset = offset(from, class);
            set[offset / 64] |= 1 << (offset % 64);
        }
        set
    }

    fn words<C: Coder>(
        &self,
        learner: &mut ModelCoder<C>,
        (usual, level): (u8, u8),
        given: &[(u8, u8)],
    ) -> Vec<(u8, u8)> {
        let mut words: Vec<(u8, u8)> = Vec::new();
        let (mut left, mut shortest, mut before) = (WHOLE, 1, [0_u64; 2]);
        // The classes without a word.
        let mut offsets = self.offsets(usual);
        while left > 0 {
            let at = words.len();
            let given = given.get(at).copied().unwrap_or((0, 0));
            let others = (self.classes - at - 1) as u64;
            let can_follow = |&length: &u8| {
                let share = WHOLE >> length;
                share <= left && u64::from(left - share) <= others * u64::from(share)
            };
            let lengths =
                (shortest..=MAX_WORD).filter(can_follow).fold(0, |set, length| set | 1_u64 << length);
            let (place, size) = (at.min(15) as u64, u64::from(left.ilog2()));
            let contexts = [
                place << 5 | u64::from(shortest),
                (size << 5 | u64::from(shortest)) << 5 | u64::from(level),
                before[0] << 5 | u64::from(shortest),
                (u64::from(left.count_ones()) << 5 | size) << 5 | u64::from(shortest),
            ];
            let length =
                learner.symbol(kind::LENGTH, &contexts, (LENGTH_BITS, &[lengths]), given.0.into()) as u8;
            let is_same = u64::from(length == shortest && at > 0);
            let contexts = [
                place << 5 | u64::from(length),
                (before[0] << 1 | is_same) << 1 | u64::from(at == 0),
                (before[1] << 9 | before[0]) << 1 | is_same,
                (before[0] << 5 | u64::from(length)) << 4 | place,
                u64::from(usual) << 4 | place,
            ];
            let given = offset(usual, given.1);
            let found = learner.symbol(kind::OFFSET, &contexts, (OFFSET_BITS, &offsets), given);
            offsets[found / 64] &= !(1 << (found % 64));
            words.push((length, at_offset(usual, found)));
            left -= WHOLE >> length;
            (shortest, before) = (length, [found as u64, before[0]]);
        }
        words
    }
}

impl LeafCodec for DistanceLeaves {
    type Leaf = u32;

    fn no_class(&self) -> usize {
        0
    }

    fn check(&self) -> Result<()> {
        Error::corrupt_unless(self.words_left > 0, || "more code words than the length allows".into())
    }

    fn begin_page(&mut self, bytes: usize) {
        self.words_left = most_words(bytes);
    }

    fn kind(&self, &leaf: &u32) -> (usize, bool) {
        let leaf = &self.leaves[leaf as usize];
        (leaf.usual.into(), !leaf.words.is_empty())
    }

    fn code<C: Coder>(
        &mut self,
        learner: &mut ModelCoder<C>,
        context: &Context,
        last: usize,
        given: Option<u32>,
    ) -> u32 {
        let last = last as u8;
        let known = given.map(|leaf| self.leaves[leaf as usize].clone());
        let candidates = self.offsets(last);
        let value = known.as_ref().map_or(0, |leaf| offset(last, leaf.usual));
        let found =
            learner.symbol(kind::OUTCOME, &context.usual(last.into()), (OFFSET_BITS, &candidates), value);
        let usual = at_offset(last, found);
        let contexts = context.exceptions(0);
        let has_words = known.as_ref().is_some_and(|leaf| !leaf.words.is_empty());
        let has_words = self.classes > 1
            && learner.code(kind::HAS_EXCEPTIONS, &context.has_words(usual.into()), has_words);
        let mut leaf = LeafDistances { usual, level: 0, words: Vec::new() };
        if has_words {
            let level = known.as_ref().map_or(0, |leaf| leaf.level.into());
            let levels = [(1 << (MAX_LEVEL + 1)) - 1];
            leaf.level = learner.symbol(kind::LEVEL, &contexts, (LEVEL_BITS, &levels), level) as u8;
            let given = known.as_ref().map_or(&[][..], |leaf| &leaf.words);
            leaf.words = self.words(learner, (usual, leaf.level), given);
        }
        given.unwrap_or_else(|| {
            self.words_left = self.words_left.saturating_sub(leaf.words.len());
            self.leaves.push(leaf);
            self.leaves.len() as u32 - 1
        })
    }
}
