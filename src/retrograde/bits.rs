//! A word of positions: a bit for each slot. A game chooses how long its words are.
//!
//! Words are shared by threads as one or two atomic integers. The halves of a longer word are read one after the other. The
//! passes of the generator allow that: they only add bits, and wait for each other.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use zerocopy::FromBytes;

/// A set of the slots of one word.
pub trait Bits:
    Copy
    + PartialEq
    + fmt::Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
{
    /// The slots of a word: a multiple of 64.
    const SLOTS: usize;
    /// No slot.
    const NONE: Self;
    /// Every slot.
    const ALL: Self;
    /// A word that several threads write.
    type Shared: FromBytes + Default + fmt::Debug + Send + Sync;
    /// A number for each slot.
    type Plies: AsRef<[u16]> + AsMut<[u16]> + Copy + fmt::Debug;

    /// The same number for each slot.
    fn plies(value: u16) -> Self::Plies;
    /// The set of slot number `slot` alone.
    fn one(slot: usize) -> Self;
    /// Whether slot number `slot` is in the set.
    fn has(self, slot: usize) -> bool;
    /// The number of slots in the set.
    fn count(self) -> u32;
    /// The lowest slot number, [`Bits::SLOTS`] if there is none.
    fn lowest(self) -> u32;
    /// The set without its lowest slot.
    #[must_use]
    fn without_lowest(self) -> Self;
    /// Makes a word of its parts of 64 slots, the lowest first.
    fn from_parts(part: impl Fn(usize) -> u64) -> Self;
    /// Part number `part` of 64 slots.
    fn part(self, part: usize) -> u64;

    /// The value of a shared word.
    fn load(shared: &Self::Shared) -> Self;
    /// Replaces a shared word, which no other thread writes.
    fn store(self, shared: &Self::Shared);
    /// Adds the set to a shared word; returns the new slots.
    #[must_use]
    fn add_to(self, shared: &Self::Shared) -> Self;
}

/// The slot numbers of `bits`, ascending.
#[inline]
pub fn ones<B: Bits>(mut bits: B) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let slot = (bits != B::NONE).then(|| bits.lowest() as usize);
        bits = bits.without_lowest();
        slot
    })
}

#[inline]
fn add(shared: &AtomicU64, bits: u64) -> u64 {
    if bits & !shared.load(Relaxed) == 0 {
        return 0;
    }
    bits & !shared.fetch_or(bits, Relaxed)
}

macro_rules! word {
    ($word:ty, $parts:literal) => {
        impl Bits for $word {
            const SLOTS: usize = <$word>::BITS as usize;
            const NONE: Self = 0;
            const ALL: Self = <$word>::MAX;
            type Shared = [AtomicU64; $parts];
            type Plies = [u16; <$word>::BITS as usize];

            fn plies(value: u16) -> Self::Plies {
                [value; <$word>::BITS as usize]
            }

            #[inline]
            fn one(slot: usize) -> Self {
                1 << slot
            }

            #[inline]
            fn has(self, slot: usize) -> bool {
                self >> slot & 1 != 0
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline]
            fn from_parts(part: impl Fn(usize) -> u64) -> Self {
                (0..$parts).fold(0, |all, at| all | <$word>::from(part(at)) << (64 * at))
            }

            #[inline]
            fn part(self, part: usize) -> u64 {
                (self >> (64 * part)) as u64
            }

            #[inline]
            fn load(shared: &Self::Shared) -> Self {
                Self::from_parts(|at| shared[at].load(Relaxed))
            }

            #[inline]
            fn store(self, shared: &Self::Shared) {
                (0..$parts).for_each(|at| shared[at].store(self.part(at), Relaxed));
            }

            #[inline]
            fn add_to(self, shared: &Self::Shared) -> Self {
                Self::from_parts(|at| add(&shared[at], self.part(at)))
            }
        }
    };
}

word!(u64, 1);
word!(u128, 2);
