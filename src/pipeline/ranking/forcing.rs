//! Sets of won positions, and the positions from which the attacker can force play into a set by quiet moves.
//!
//! The moves are those of the generator: a word of 64 positions at a time, and both images of a position on the diagonal.

use super::MOST_PLAYED;
use crate::chess::position::{Color, Wdl};
use crate::chess::retrograde::{Chess, Table};
use crate::error::Result;
use crate::outcome::FIFTY_MOVES;
use crate::retrograde::Set;
use crate::retrograde::game::Numbering;
use crate::retrograde::rules::{Moves, Rules};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

/// The quiet moves of a table between the positions that one side wins.
pub(super) struct Forcing {
    moves: <Chess as Rules>::Moves,
    attacker: Color,
    words: u64,
    /// The positions that the attacker wins under the 50-move rule, he to move.
    won: Set<u64>,
    /// Those that the defender loses, he to move.
    lost: Set<u64>,
    /// The slots of images of stored positions, each with the slot of the stored one.
    images: Vec<(u64, u64)>,
    /// Slots at which the ranked play ends, the attacker to move: won at distance 1, or illegal.
    ended: Set<u64>,
}

/// The positions from which the attacker can force play into a set of levels, and how long play lasts from them. It grows with the
/// set, by a level at a time from the lowest up.
///
/// Play looks k pairs of moves ahead. It goes from each position to the least (m, p): the lowest level m that can be forced, and the
/// most pairs p that it takes where no lower level follows. All moves to the least (m, p) are taken into account. They lead to
/// positions whose durations are known when the position is reached first.
pub(super) struct Reach {
    /// For j from 1 to k and p from 1 to j: the positions of the defender, and those of the attacker, with at most (m, p) in j pairs,
    /// where m is the last level.
    within: Vec<Vec<[Set<u64>; 2]>>,
    /// The attacker's positions that have a duration, or at which play ends.
    known: Set<u64>,
    /// By slot, the pairs of moves that play lasts at most, without the last move.
    lasts: Vec<AtomicU8>,
    /// For each number of pairs from 0 up, the known positions from which play lasts no longer.
    no_longer: Vec<Set<u64>>,
}

impl Reach {
    /// The most pairs of moves that play lasts from the position in `slot`, without the last move; 0 if the attacker cannot force play
    /// into the set.
    pub(super) fn lasts(&self, slot: u64) -> u8 {
        self.lasts[slot as usize].load(Relaxed)
    }

    /// The most pairs of moves that play lasts from any position.
    pub(super) fn longest(&self) -> usize {
        self.no_longer.len() - 1
    }
}

impl Forcing {
    /// The moves of `table` with `attacker` as the side that wins.
    pub(super) fn new(table: &Table, attacker: Color) -> Result<Self> {
        let moves = <Chess as Rules>::Moves::new(table.material()).quiet();
        let words = moves.index().words();
        let set = || Set::new(words as usize, None);
        let (won, lost, ended) = (set()?, set()?, set()?);
        let of_word = |word: u64| {
            let mut images = Vec::new();
            for (turn, outcome, decided) in [(attacker, Wdl::Win, &won), (attacker.other(), Wdl::Loss, &lost)]
            {
                let men = moves.index().men(turn, word);
                let legal = moves.legal(turn, word, &men);
                if turn == attacker {
                    ended.put(word, !legal);
                }
                if legal == 0 {
                    continue;
                }
                let stored = moves.index().stored(&men);
                let (mut bits, mut ends) = (0, 0);
                for bit in (0..64).filter(|bit| legal >> bit & 1 == 1) {
                    let slot = word * 64 + bit;
                    let position = moves.index().placed(turn, &men, slot);
                    let Some((found, plies)) = table.value_and_distance(&position) else { continue };
                    if found != outcome || plies > FIFTY_MOVES {
                        continue;
                    }
                    bits |= 1 << bit;
                    ends |= u64::from(plies == 1) << bit;
                    if turn == attacker && stored >> bit & 1 == 0 {
                        images.push((slot, moves.index().rank_any(&position).1));
                    }
                }
                decided.put(word, bits);
                if turn == attacker {
                    ended.add(word, ends);
                }
            }
            images
        };
        let images = (0..words).into_par_iter().flat_map_iter(of_word).collect();
        Ok(Forcing { moves, attacker, words, won, lost, images, ended })
    }

    /// The reach of an empty set within `pairs` pairs of moves.
    pub(super) fn reach(&self, pairs: u8) -> Result<Reach> {
        let set = || Set::new(self.words as usize, None);
        let sets = |count| (0..count).map(|_| Ok([set()?, set()?])).collect::<Result<_>>();
        let within = (1..=pairs).map(sets).collect::<Result<_>>()?;
        let lasts = (0..self.words * 64).map(|_| AtomicU8::new(0)).collect();
        Ok(Reach { within, known: self.ended()?, lasts, no_longer: vec![self.ended()?] })
    }

    /// The bytes of a reach within `pairs` pairs of moves, and of this type with some 3 bytes of images, for each of so many slots.
    pub(super) fn bytes(slots: u64, pairs: u8) -> u64 {
        let pairs = u64::from(pairs);
        let sets = 7 + pairs * (pairs + 2) + u64::from(MOST_PLAYED);
        sets * slots / 8 + 4 * slots
    }

    /// Returns the set of the positions where a move mates or zeroes.
    pub(super) fn ended(&self) -> Result<Set<u64>> {
        self.copy(&self.ended)
    }

    fn copy(&self, of: &Set<u64>) -> Result<Set<u64>> {
        let set = Set::new(self.words as usize, None)?;
        (0..self.words).for_each(|word| set.put(word, of.get(word)));
        Ok(set)
    }

    /// Adds stored positions and their images to `set`.
    pub(super) fn add(&self, set: &mut Set<u64>, slots: impl Iterator<Item = u64>) {
        for slot in slots {
            let _ = set.add(slot / 64, 1 << (slot % 64));
        }
        for &(slot, stored) in &self.images {
            if set.get(stored / 64) >> (stored % 64) & 1 == 1 {
                let _ = set.add(slot / 64, 1 << (slot % 64));
            }
        }
    }

    /// Brings `reach` up to date with `set`, which has grown since the last call by a level.
    pub(super) fn extend(&self, reach: &mut Reach, set: &Set<u64>) -> Result<()> {
        let most = reach.within.len();
        for pairs in 1..=most {
            for ahead in (pairs..=most).rev() {
                if pairs > 1 {
                    self.extend_by(reach, ahead, pairs, &reach.within[ahead - 2][pairs - 2][1]);
                } else if ahead > 1 {
                    // A lower level may be forced later.
                    let from = self.copy(&reach.within[ahead - 2][ahead - 2][1])?;
                    self.for_each_word(|word| from.put(word, from.get(word) | set.get(word)));
                    self.extend_by(reach, ahead, pairs, &from);
                } else {
                    self.extend_by(reach, ahead, pairs, set);
                }
                if ahead == most {
                    self.note_durations(reach, pairs)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the positions from which play into `from` can be forced by a move, to those with `pairs` pairs in `ahead` pairs. If play
    /// looks no further ahead, their durations are those after the reply that lasts longest, and a pair.
    fn extend_by(&self, reach: &Reach, ahead: usize, pairs: usize, from: &Set<u64>) {
        let defender = self.attacker.other();
        let has_durations = ahead == reach.within.len();
        let [lost, won] = &reach.within[ahead - 1][pairs - 1];
        self.for_each_word(|word| {
            let _ = won.add(word, from.get(word));
            let open = self.lost.get(word) & !lost.get(word);
            let mut new = if open == 0 { 0 } else { self.moves.lost(defender, word, open, from) };
            let _ = lost.add(word, new);
            let mut longer = if has_durations { reach.no_longer.len() } else { 1 };
            while new != 0 {
                longer -= 1;
                let shorter = match longer.checked_sub(1).map(|less| &reach.no_longer[less]) {
                    Some(shorter) => self.moves.lost(defender, word, new, shorter),
                    None => 0,
                };
                self.moves.unmove(defender, word, new & !shorter, &|word, bits| {
                    let bits = bits & self.won.get(word);
                    let _ = won.add(word, bits);
                    if has_durations {
                        for slot in slots(word, bits & !reach.known.get(word)) {
                            reach.lasts[slot as usize].fetch_max(longer as u8 + 1, Relaxed);
                        }
                    }
                });
                new = shorter;
            }
        });
    }

    /// Sorts the positions that have got a duration.
    fn note_durations(&self, reach: &mut Reach, pairs: usize) -> Result<()> {
        let longest = self.copy(&reach.no_longer[reach.longest()])?;
        // Play lasts longer by one pair of moves at most.
        reach.no_longer.push(longest);
        let is_longest = AtomicBool::new(false);
        self.for_each_word(|word| {
            let new = reach.within[reach.within.len() - 1][pairs - 1][1].get(word) & !reach.known.get(word);
            for slot in slots(word, new) {
                let lasts = usize::from(reach.lasts(slot));
                is_longest.fetch_or(lasts == reach.longest(), Relaxed);
                for no_longer in &reach.no_longer[lasts..] {
                    let _ = no_longer.add(word, 1 << (slot % 64));
                }
            }
            let _ = reach.known.add(word, new);
        });
        if !is_longest.into_inner() {
            reach.no_longer.pop();
        }
        Ok(())
    }

    fn for_each_word(&self, process: impl Fn(u64) + Sync + Send) {
        (0..self.words as usize).into_par_iter().with_min_len(256).for_each(|word| process(word as u64));
    }
}

/// The slots of some positions of a word.
fn slots(word: u64, bits: u64) -> impl Iterator<Item = u64> {
    (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word * 64 + bit)
}
