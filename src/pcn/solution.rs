//! Making static functions: the equations of positions, and systems of solved shards.
#![cfg_attr(not(feature = "build"), allow(dead_code, reason = "without it only tests make functions"))]

use super::frozen::static_function::{
    Equation, IS_BETTER, IS_EXCEPTION, MAX_UNKNOWNS, PAD, PositionHash, Shard, StaticFunction, System,
};
use crate::chess::position::Position;
use bitvec::vec::BitVec;

/// Number of possible seeds of a shard.
pub(crate) const SEEDS: u16 = 16;

/// The greatest average number of equations in a shard.
pub(crate) const SHARD: usize = 3 << 10;

impl PositionHash {
    pub(crate) fn new(canonical: &Position) -> Self {
        Self::of_men(canonical.squares(), canonical.en_passant())
    }
}

/// An equation of a position in a system to be solved. Its unknowns depend on the size and the seed of its shard.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PositionEquation {
    pub(crate) hash: PositionHash,
    number: u8,
    /// The right side; `None` if the hash gives it.
    right: Option<bool>,
}

impl PositionEquation {
    /// The equations in the filter for an exception at a leaf of level `level`.
    pub(crate) fn filter(hash: PositionHash, level: u8) -> impl Iterator<Item = Self> + Clone {
        (0..level).map(move |number| PositionEquation { hash, number, right: None })
    }

    /// The equation that decides whether a position is an exception.
    pub(crate) fn is_exception(hash: PositionHash, right: bool) -> Self {
        PositionEquation { hash, number: IS_EXCEPTION, right: Some(right) }
    }

    /// The equation that decides whether an exception has the better of two outcomes.
    pub(crate) fn is_better(hash: PositionHash, right: bool) -> Self {
        PositionEquation { hash, number: IS_BETTER, right: Some(right) }
    }

    /// The equations for the bits of a code word of `length` bits, the first bit highest.
    pub(crate) fn word(hash: PositionHash, (word, length): (u32, u8)) -> impl Iterator<Item = Self> + Clone {
        (0..length).map(move |bit| {
            let right = word >> (length - 1 - bit) & 1 == 1;
            PositionEquation { hash, number: IS_EXCEPTION + bit, right: Some(right) }
        })
    }

    /// The key of the equation: equations with the same key have the same left side.
    pub(crate) fn key(&self) -> (PositionHash, u8) {
        (self.hash, self.number)
    }

    pub(crate) fn contradicts(&self, other: &Self) -> bool {
        self.key() == other.key() && self.right != other.right
    }

    /// The equation in a shard with these unknowns and this seed.
    pub(crate) fn equation(&self, seed: u16, unknowns: u16) -> Equation {
        let equation = self.hash.equation(self.number, seed, unknowns);
        Equation { right: self.right.unwrap_or(equation.right), ..equation }
    }
}

/// A solved shard: its seed and its unknowns.
#[derive(Clone, Debug)]
pub(crate) struct Solution {
    pub(crate) seed: u16,
    pub(crate) unknowns: BitVec<u64>,
}

impl System {
    /// Returns the system of these shards.
    ///
    /// # Panics
    /// When a shard has no unknowns or more than [`MAX_UNKNOWNS`], or a seed that is not below [`SEEDS`].
    pub(crate) fn new(solutions: &[Solution]) -> Self {
        let mut bits: BitVec<u64> = BitVec::new();
        let shards = solutions.iter().map(|Solution { seed, unknowns }| {
            assert!(*seed < SEEDS && (1..=usize::from(MAX_UNKNOWNS)).contains(&unknowns.len()));
            let before = bits.len() as u64;
            bits.extend_from_bitslice(unknowns);
            Shard { seed: *seed, unknowns: unknowns.len() as u16, before }
        });
        let shards = shards.collect();
        bits.set_uninitialized(false);
        let mut words = bits.into_vec();
        words.extend([0; PAD]);
        System { shards, words }
    }
}

impl StaticFunction {
    pub(crate) fn new(filter: System, decision: System) -> Self {
        StaticFunction { filter, decision }
    }

    /// Returns a placeholder of about the size of a function with so many equations in its filter and its decision.
    pub(crate) fn blank(filter: u64, decision: u64) -> Self {
        let blank = |equations: u64| {
            let shards = equations.div_ceil(SHARD as u64);
            let unknowns = |shard| ((shard + 1) * equations / shards - shard * equations / shards) as usize;
            let solution = |shard| Solution { seed: 0, unknowns: BitVec::repeat(false, unknowns(shard)) };
            System::new(&(0..shards).map(solution).collect::<Vec<_>>())
        };
        Self::new(blank(filter), blank(decision))
    }
}
