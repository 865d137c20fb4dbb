//! Sets of won positions, and the positions from which the attacker can force play into a set by quiet moves.
//!
//! The moves are those of the generator: a word of 64 positions at a time, and both images of a position on the diagonal.

use crate::chess::position::{Color, Wdl};
use crate::chess::retrograde::{Chess, Table};
use crate::error::Result;
use crate::outcome::FIFTY_MOVES;
use crate::retrograde::Set;
use crate::retrograde::game::Numbering;
use crate::retrograde::rules::{Moves, Rules};
use rayon::prelude::*;

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

/// The positions from which the attacker can force play into a set, within one pair of moves, two pairs, and so on. It grows with
/// the set.
pub(super) struct Reach(Vec<[Set<u64>; 2]>);

impl Reach {
    /// The least number of pairs of moves within which the attacker can force play into the set from the position in `slot`.
    pub(super) fn pairs(&self, slot: u64) -> Option<u8> {
        let has = |[_, won]: &[Set<u64>; 2]| won.get(slot / 64) >> (slot % 64) & 1 == 1;
        // Most positions are in no set; each set holds the one before.
        self.0
            .last()
            .filter(|last| has(last))
            .and_then(|_| (1..).zip(&self.0).find(|(_, set)| has(set)))
            .map(|(pairs, _)| pairs)
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
        (0..pairs).map(|_| Ok([set()?, set()?])).collect::<Result<_>>().map(Reach)
    }

    /// Returns the set of the positions where a move mates or converts.
    pub(super) fn ended(&self) -> Result<Set<u64>> {
        let set = Set::new(self.words as usize, None)?;
        (0..self.words).for_each(|word| set.put(word, self.ended.get(word)));
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

    /// Brings `reach` up to date with `set`, which has grown since the last call.
    pub(super) fn extend(&self, reach: &mut Reach, set: &Set<u64>) {
        let defender = self.attacker.other();
        for pair in 0..reach.0.len() {
            let from = pair.checked_sub(1).map_or(set, |before| &reach.0[before][1]);
            let [lost, won] = &reach.0[pair];
            (0..self.words as usize).into_par_iter().with_min_len(256).for_each(|word| {
                let word = word as u64;
                let _ = won.add(word, from.get(word));
                let open = self.lost.get(word) & !lost.get(word);
                if open == 0 {
                    return;
                }
                let new = self.moves.lost(defender, word, open, from);
                if new != 0 {
                    let _ = lost.add(word, new);
                    self.moves.unmove(defender, word, new, &|word, bits| {
                        let _ = won.add(word, bits & self.won.get(word));
                    });
                }
            });
        }
    }
}
