//! A static function of outcomes alone: linear systems over GF(2) that are asked and never enumerated.
//!
//! Ribbons (Dillinger & Walzer 2021) in shards that are solved alone, arranged as a two-level filter (Schanck, Clubcard, 2025).
//! For each side to move one outcome is the commonest. A position with another one has r equations in the filter, which one in
//! 2^r of the others satisfies by chance; r is what takes the fewest bits. The decision has an equation for each position that
//! the filter lets pass (is it the commonest after all?) and one more for each that is not (which of the two others?).
//! Written apart from the library's own, of which trees' exceptions are made.
//!
//! The bytes: for each stored side to move the outcomes from the commonest on and r, four bytes; then the two systems, each its
//! number of shards in four bytes, for each shard its unknowns in two and its seed in one, and the unknowns of all, a bit each.

use crate::cells::{self, mix};
use crate::representation::{Answer, Made};
use anyhow::{Result, ensure};
use cubebase::retrograde::{Index, Table};
use cubebase::{Error, Material, Position, Wdl};

/// Unknowns next to each other that an equation may have, and equations of a shard, on average.
const WINDOW: u64 = 128;
const SHARD: usize = 1500;
const SEEDS: u8 = 8;
const MAX_LEVEL: u8 = 24;
/// The level of a side to move with one outcome alone.
const ONE_OUTCOME: u8 = u8::MAX;

/// Numbers of the equations of the decision.
const IS_OTHER: u64 = 32;
const IS_LAST: u64 = 33;

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of equation number `number` of a slot.
fn hash(slot: u64, number: u64) -> u64 {
    mix(mix(slot.wrapping_add(STEP)).wrapping_add((number + 1).wrapping_mul(STEP)))
}

/// The right side of an equation of the filter.
fn filter_bit(hash: u64) -> bool {
    mix(hash ^ STEP) & 1 == 1
}

/// First unknown and coefficients of an equation among `unknowns`.
fn window(hash: u64, unknowns: u64, seed: u8) -> (u64, u128) {
    let word = mix(hash ^ u64::from(seed).wrapping_mul(STEP));
    let [low, high] = [1, 2].map(|step: u64| u128::from(mix(word.wrapping_add(step.wrapping_mul(STEP)))));
    let width = WINDOW.min(unknowns);
    let start = ((u128::from(word) * u128::from(unknowns - width + 1)) >> 64) as u64;
    (start, (high << 64 | low | 1) & u128::MAX >> (128 - width))
}

struct Shard {
    unknowns: u64,
    seed: u8,
    before: u64,
}

/// A solved system.
struct System {
    shards: Vec<Shard>,
    /// The unknowns, and zeros, so that a window can be read anywhere.
    words: Vec<u64>,
}

fn shard_of(hash: u64, shards: usize) -> usize {
    ((u128::from(hash) * shards as u128) >> 64) as usize
}

impl System {
    fn solve(equations: &[(u64, bool)]) -> Self {
        let mut shards = vec![Vec::new(); equations.len().div_ceil(SHARD).max(1)];
        let count = shards.len();
        equations.iter().for_each(|&(hash, right)| shards[shard_of(hash, count)].push((hash, right)));
        let mut system = System { shards: Vec::new(), words: Vec::new() };
        let mut before = 0;
        for equations in shards {
            let least = equations.len().max(1) as u64;
            let mut attempts =
                (least..).step_by(4).flat_map(|unknowns| (0..SEEDS).map(move |seed| (unknowns, seed)));
            let solution = attempts.find_map(|(unknowns, seed)| {
                Some((unknowns, seed, solve_shard(&equations, unknowns, seed)?))
            });
            let Some((unknowns, seed, values)) = solution else { continue };
            system.words.resize(((before + unknowns) / 64 + 4) as usize, 0);
            for (at, _) in values.iter().enumerate().filter(|(_, value)| **value) {
                let at = before as usize + at;
                system.words[at / 64] |= 1 << (at % 64);
            }
            system.shards.push(Shard { unknowns, seed, before });
            before += unknowns;
        }
        system
    }

    /// The left side of an equation with the solution put in.
    fn value(&self, hash: u64) -> bool {
        let Shard { unknowns, seed, before } = self.shards[shard_of(hash, self.shards.len())];
        let (start, coefficients) = window(hash, unknowns, seed);
        let (word, shift) = (((before + start) / 64) as usize, (before + start) % 64);
        // Shifted twice, since a shift by 64 is none.
        let part =
            |word: usize| u128::from(self.words[word] >> shift | self.words[word + 1] << 1 << (63 - shift));
        ((part(word + 1) << 64 | part(word)) & coefficients).count_ones() % 2 == 1
    }

    fn passes(&self, slot: u64, level: u8) -> bool {
        level != ONE_OUTCOME
            && (0..u64::from(level))
                .map(|number| hash(slot, number))
                .all(|hash| self.value(hash) == filter_bit(hash))
    }

    fn unknowns(&self) -> u64 {
        self.shards.last().map_or(0, |shard| shard.before + shard.unknowns)
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend((self.shards.len() as u32).to_le_bytes());
        for shard in &self.shards {
            bytes.extend((shard.unknowns as u16).to_le_bytes());
            bytes.push(shard.seed);
        }
        let words = self.words.iter().flat_map(|word| word.to_le_bytes());
        bytes.extend(words.take(self.unknowns().div_ceil(8) as usize));
    }

    /// The system at the beginning of the bytes, and the bytes behind it.
    fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (count, rest) = bytes.split_first_chunk()?;
        let (entries, rest) = rest.split_at_checked(3 * u32::from_le_bytes(*count) as usize)?;
        let mut before = 0;
        let shard = |&[low, high, seed]: &[u8; 3]| {
            let unknowns = u16::from_le_bytes([low, high]).into();
            before += unknowns;
            Shard { unknowns, seed, before: before - unknowns }
        };
        let shards: Vec<Shard> = entries.as_chunks().0.iter().map(shard).collect();
        let (bits, rest) = rest.split_at_checked(before.div_ceil(8) as usize)?;
        let mut words = vec![0; (before / 64 + 4) as usize];
        bits.iter().enumerate().for_each(|(at, &byte)| words[at / 8] |= u64::from(byte) << (at % 8 * 8));
        (!shards.is_empty() && shards.iter().all(|shard| shard.unknowns > 0))
            .then_some((System { shards, words }, rest))
    }
}

/// Values of the unknowns for which the equations hold; none where two contradict each other.
fn solve_shard(equations: &[(u64, bool)], unknowns: u64, seed: u8) -> Option<Vec<bool>> {
    let mut rows: Vec<(u64, u128, bool)> = equations
        .iter()
        .map(|&(hash, right)| {
            let (start, coefficients) = window(hash, unknowns, seed);
            (start, coefficients, right)
        })
        .collect();
    rows.sort_unstable_by_key(|row| row.0);
    // For each unknown the equation that begins with it.
    let mut echelon = vec![(0_u128, false); unknowns as usize];
    for (start, mut coefficients, mut right) in rows {
        let mut at = start as usize;
        while coefficients != 0 {
            let zeros = coefficients.trailing_zeros();
            at += zeros as usize;
            coefficients >>= zeros;
            if echelon[at].0 == 0 {
                echelon[at] = (coefficients, right);
                right = false;
                break;
            }
            coefficients ^= echelon[at].0;
            right ^= echelon[at].1;
        }
        if right {
            return None;
        }
    }
    let (mut values, mut window) = (vec![false; echelon.len()], 0_u128);
    for (at, &(coefficients, right)) in echelon.iter().enumerate().rev() {
        window <<= 1;
        values[at] = coefficients != 0 && right ^ ((window & coefficients).count_ones() % 2 == 1);
        window |= u128::from(values[at]);
    }
    Some(values)
}

/// A side to move: its outcomes by number of positions, the commonest first, the last twice where there are two; and the level
/// of its filter.
struct Side {
    outcomes: [Wdl; 3],
    level: u8,
}

impl Side {
    fn of(counts: [u64; 3]) -> Self {
        let mut outcomes = Wdl::ALL;
        outcomes.sort_by_key(|outcome| std::cmp::Reverse(counts[outcome.index()]));
        let [common, second, third] = outcomes.map(|outcome| counts[outcome.index()]);
        if third == 0 {
            outcomes[2] = outcomes[1];
        }
        if second == 0 {
            return Side { outcomes, level: ONE_OUTCOME };
        }
        let bits = |level: &u8| (second + third) * u64::from(*level) + (common >> level);
        Side { outcomes, level: (0..=MAX_LEVEL).min_by_key(bits).unwrap_or(0) }
    }
}

/// The static function of a table.
pub struct Ribbon {
    index: Index,
    sides: Vec<Side>,
    filter: System,
    decision: System,
}

/// Solves the systems of a table.
pub fn make(table: &Table) -> Made {
    let (index, turns) = (table.index(), table.material().stored_turns());
    let sides: Vec<Side> = turns.iter().map(|&turn| Side::of(table.counts(turn))).collect();
    let values = || {
        turns.iter().zip(&sides).flat_map(|(&turn, side)| {
            let slots = (0..index.len()).filter_map(move |slot| Some((slot, table.outcome(turn, slot)?)));
            slots.map(move |(slot, outcome)| (turn.index() as u64 * index.len() + slot, outcome, side))
        })
    };
    let filter =
        values().filter(|(_, outcome, side)| *outcome != side.outcomes[0]).flat_map(|(slot, _, side)| {
            (0..u64::from(side.level)).map(move |number| (hash(slot, number), filter_bit(hash(slot, number))))
        });
    let filter = System::solve(&filter.collect::<Vec<_>>());
    let mut decided = Vec::new();
    for (slot, outcome, side) in values().filter(|(slot, _, side)| filter.passes(*slot, side.level)) {
        let is_other = outcome != side.outcomes[0];
        decided.push((hash(slot, IS_OTHER), is_other));
        if is_other && side.outcomes[1] != side.outcomes[2] {
            decided.push((hash(slot, IS_LAST), outcome == side.outcomes[2]));
        }
    }
    let decision = System::solve(&decided);
    let mut bytes = Vec::new();
    for Side { outcomes, level } in &sides {
        bytes.extend(outcomes.map(|outcome| outcome.index() as u8));
        bytes.push(*level);
    }
    filter.write(&mut bytes);
    decision.write(&mut bytes);
    Made { elements: Some(filter.unknowns() + decision.unknowns()), ..Made::new(bytes) }
}

impl Ribbon {
    pub fn open(bytes: &[u8], material: &Material) -> Result<Self> {
        let damaged = || anyhow::anyhow!("a damaged static function");
        let (heads, rest) = bytes.split_at_checked(4 * material.stored_turns().len()).ok_or_else(damaged)?;
        let side = |&[a, b, c, level]: &[u8; 4]| {
            let [a, b, c] = [a, b, c].map(cells::outcome);
            Some(Side { outcomes: [a?, b?, c?], level })
        };
        let sides = heads.as_chunks().0.iter().map(side).collect::<Option<_>>().ok_or_else(damaged)?;
        let (filter, rest) = System::read(rest).ok_or_else(damaged)?;
        let (decision, rest) = System::read(rest).ok_or_else(damaged)?;
        ensure!(rest.is_empty(), "bytes behind the static function");
        Ok(Ribbon { index: Index::new(material), sides, filter, decision })
    }
}

impl Answer for Ribbon {
    fn answer(&self, position: &Position) -> cubebase::Result<Wdl> {
        let (turn, slot) = self.index.rank_any(position);
        let slot = turn.index() as u64 * self.index.len() + slot;
        let Some(Side { outcomes, level }) = self.sides.get(turn.index()) else {
            return Err(Error::corrupt("a side to move that is not stored"));
        };
        let is_other = self.filter.passes(slot, *level) && self.decision.value(hash(slot, IS_OTHER));
        Ok(match is_other {
            false => outcomes[0],
            true if self.decision.value(hash(slot, IS_LAST)) => outcomes[2],
            true => outcomes[1],
        })
    }
}
