//! Retrograde analysis of one material after Wu & Beal (section 2.2), for both sides to move.
//!
//! Three kinds of work, all parallel over ranges of slots and without any order that could show in the result:
//! - *initialize*: stream over all slots; find mates and stalemates, and look conversions up in the sub-tables;
//! - *predecessor*: un-move every position that the last pass decided and mark what is found in the candidates, the one
//!   set that is written at random;
//! - *prove successor*: stream over the candidates; a candidate wins if it can move to a loss, which the un-move has
//!   shown, and loses if all its moves lead to wins, which forward moves show. The wins are read at random.
//!
//! A pass belongs to a ply: wins are decided at odd distances and losses at even ones, so that a distance is the number
//! of the pass. Departures from the paper:
//! - Conversions are no part of the graph. A winning one decides its position at its own distance; a drawn one *holds*
//!   it: it will not lose; and losing ones only delay a loss to the longest of them. A loss that all moves agree on is
//!   thus proved by moves inside the table alone. Without distances, conversions take effect at once, and the number of
//!   a pass means nothing.
//! - When fresh wins are many (as after the initialization), all open positions are candidates: proving them forward
//!   costs less than un-moving the wins, and decides the same ones.
//! - En passant: positions with an en-passant file are ordinary members of the table (see [`super::unmoves`]), and an
//!   en-passant capture is a conversion.
//! - The paper's databases on disk are bitmaps in memory. They are dense in almost every pass, are combined
//!   a word at a time and written by several threads at once, for which `bitvec` over plain and atomic words serves; a
//!   compressed set would help only the last, nearly empty passes.

use super::conversions::Conversions;
use super::moves::quiet;
use super::table::{self, Distances, Metric, NO_POSITION, SLOTS_PER_BYTE, Table};
use super::unmoves::unmoves;
use crate::error::{Error, ErrorKind, Result};
use crate::position::{Color, Index, Material, Position, Wdl};
use bitvec::prelude::{BitVec, Lsb0};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A set of slots.
type Slots = BitVec<u64, Lsb0>;
/// A set of slots that several threads add to.
type SharedSlots = BitVec<AtomicU64, Lsb0>;

/// Slots in a word of a set.
const WORD: usize = u64::BITS as usize;
/// Words of a set that one thread takes at a time.
const CHUNK: usize = 64;

/// A pass that looks for losses tries all positions that may lose, without un-moves, when they are less than this many
/// times the fresh wins. A refutation takes one or two moves, but un-moving one win more than ten.
const FORWARD: usize = 8;

/// What the generator reports at the start of a table and after every pass.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// The table.
    pub material: Material,
    /// Number of the pass; 0 for the initialization. With distances, the distance in plies decided by the pass.
    pub pass: u32,
    /// Positions decided so far, of both sides to move.
    pub decided: u64,
    /// Whether the table is finished.
    pub finished: bool,
}

/// Where progress goes; breaking cancels the work with [`ErrorKind::Cancelled`].
pub type Report<'a> = &'a (dyn Fn(&Progress) -> ControlFlow<()> + Sync);

/// Returns the table of `material`, given the finished tables of [`Conversions::materials`] in any order.
///
/// Runs on the current rayon pool; the result does not depend on the number of threads. Needs, at the peak, about one
/// byte a slot and stored side to move, and with distances three.
///
/// # Errors
/// [`ErrorKind::MissingTable`] when a sub-table is missing or stores no distances and they are wanted,
/// [`ErrorKind::UnsupportedPosition`] when the table is too large for this machine to address,
/// [`ErrorKind::Cancelled`] when `report` breaks.
pub fn solve(
    material: &Material,
    metric: Metric,
    sub_tables: &[Arc<Table>],
    report: Report<'_>,
) -> Result<Table> {
    let conversions = Conversions::new(material);
    let find = |wanted: &Material| {
        let fits = |table: &&Arc<Table>| {
            table.material() == wanted && (metric == Metric::Wdl || table.metric() == metric)
        };
        sub_tables.iter().find(fits).cloned().ok_or_else(|| {
            Error::new(ErrorKind::MissingTable, format!("{material} needs the {metric} table of {wanted}"))
        })
    };
    let sub_tables = conversions.materials().iter().map(find).collect::<Result<_>>()?;
    let index = Index::new(material);
    let slots = usize::try_from(index.len()).map_err(|_| {
        Error::new(
            ErrorKind::UnsupportedPosition,
            format!("{material} has too many positions for this machine"),
        )
    })?;
    let rules = Rules { index, slots, metric, conversions, sub_tables };
    let sides: Vec<Side> = material.stored_turns().iter().map(|&turn| rules.initialized(turn)).collect();
    let last_conversion = sides.iter().flat_map(|side| &side.plies).max().copied().unwrap_or(0).into();
    let mut solver = Solver { rules, sides };
    solver.report(0, false, report)?;
    let mut pass = 0;
    while pass < last_conversion || solver.has_fresh() {
        pass += 1;
        solver.pass(pass)?;
        solver.report(pass, false, report)?;
    }
    solver.report(pass, true, report)?;
    Ok(solver.finish())
}

/// What stays the same during a run.
struct Rules {
    index: Index,
    /// [`Index::len`].
    slots: usize,
    metric: Metric,
    conversions: Conversions,
    /// By number in [`Conversions::materials`].
    sub_tables: Vec<Arc<Table>>,
}

/// One side to move. Every set has a bit for each slot.
struct Side {
    turn: Color,
    /// Legal and not yet decided; at the end, the draws.
    open: Slots,
    /// Has a conversion that does not lose, so that it can not become a loss.
    held: Slots,
    /// Decided, by [`goal`].
    decided: [Slots; 2],
    /// Decided by the last pass, or, before the first two, by the initialization; by [`goal`].
    fresh: [Slots; 2],
    /// With distances only: the distance of decided slots; of open ones, where conversions win or lose, that of the
    /// shortest win or of the longest loss by them. Else 0.
    plies: Vec<u16>,
}

/// What a position's conversions say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// Decided now, as [`goal`] counts.
    Decided(usize),
    /// Open, with nothing but the moves inside the table to decide it.
    Open,
    /// Open, but it does not lose.
    Held,
    /// It does not lose, and wins at this distance at the latest.
    WinsAt(u16),
    /// It may lose, but at this distance at the earliest.
    LosesFrom(u16),
}

/// 0 for a loss, decided by the even passes; 1 for a win, by the odd ones.
const fn goal(pass: u32) -> usize {
    pass as usize % 2
}
const LOSS: usize = 0;
const WIN: usize = 1;

impl Rules {
    /// Streams over all slots of `turn` and decides what needs no other slot.
    fn initialized(&self, turn: Color) -> Side {
        let empty = || Slots::repeat(false, self.slots);
        let (mut open, mut held, mut decided) = (empty(), empty(), [empty(), empty()]);
        let mut plies = if self.metric == Metric::Dtm { vec![0; self.slots] } else { Vec::new() };
        let [losses, wins] = &mut decided;
        let chunks = self.slots.div_ceil(CHUNK * WORD);
        let mut plies_chunks: Vec<&mut [u16]> = plies.chunks_mut(CHUNK * WORD).collect();
        plies_chunks.resize_with(chunks, Default::default);
        (
            open.as_raw_mut_slice().par_chunks_mut(CHUNK),
            held.as_raw_mut_slice().par_chunks_mut(CHUNK),
            losses.as_raw_mut_slice().par_chunks_mut(CHUNK),
            wins.as_raw_mut_slice().par_chunks_mut(CHUNK),
            plies_chunks,
        )
            .into_par_iter()
            .enumerate()
            .for_each(|(chunk, (open, held, losses, wins, plies))| {
                let first = chunk * CHUNK * WORD;
                let end = self.slots.min(first + CHUNK * WORD);
                for (slot, position) in self.index.positions(turn, first as u64..end as u64) {
                    let at = slot as usize - first;
                    let (word, bit) = (at / WORD, 1 << (at % WORD));
                    match self.verdict(&position) {
                        Verdict::Decided(LOSS) => losses[word] |= bit,
                        Verdict::Decided(_) => wins[word] |= bit,
                        Verdict::Open => open[word] |= bit,
                        Verdict::Held => {
                            open[word] |= bit;
                            held[word] |= bit;
                        }
                        Verdict::WinsAt(distance) => {
                            open[word] |= bit;
                            held[word] |= bit;
                            plies[at] = distance;
                        }
                        Verdict::LosesFrom(distance) => {
                            open[word] |= bit;
                            plies[at] = distance;
                        }
                    }
                }
            });
        Side { turn, open, held, fresh: decided.clone(), decided, plies }
    }

    /// What mate, stalemate and the conversions say of a legal position.
    fn verdict(&self, position: &Position) -> Verdict {
        let moves = self.conversions_of(position);
        let is_stuck = || quiet(position, |_| ControlFlow::Break(())).is_continue();
        match (moves, self.metric) {
            (None, _) if !is_stuck() => Verdict::Open,
            (None, _) if position.in_check(position.turn()) => Verdict::Decided(LOSS),
            (None | Some((Wdl::Draw, _)), _) => Verdict::Held,
            (Some((Wdl::Win, _)), Metric::Wdl) => Verdict::Decided(WIN),
            (Some((Wdl::Win, distance)), Metric::Dtm) => Verdict::WinsAt(distance),
            (Some((Wdl::Loss, _)), Metric::Wdl) if is_stuck() => Verdict::Decided(LOSS),
            (Some((Wdl::Loss, _)), Metric::Wdl) => Verdict::Open,
            (Some((Wdl::Loss, distance)), Metric::Dtm) => Verdict::LosesFrom(distance),
        }
    }

    /// The outcome for the side to move of the best conversion and its distance, 0 without distances; `None` when there
    /// is no conversion.
    fn conversions_of(&self, position: &Position) -> Option<(Wdl, u16)> {
        let mut best: Option<(Wdl, u16)> = None;
        let _ = self.conversions.moves(position, |number, child| {
            let table = &self.sub_tables[number];
            if self.metric == Metric::Wdl {
                let wdl = table.value(&child).map(Wdl::other);
                best = best.max(wdl.map(|wdl| (wdl, 0)));
                return if wdl == Some(Wdl::Win) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                };
            }
            let value = table.value_and_distance(&child).map(|(wdl, plies)| (wdl.other(), plies as u16 + 1));
            best = match (best, value) {
                (Some((Wdl::Win, a)), Some((Wdl::Win, b))) => Some((Wdl::Win, a.min(b))),
                _ => best.max(value),
            };
            ControlFlow::Continue(())
        });
        best
    }

    /// The predecessors with the other side to move of `fresh` with `turn` to move.
    fn predecessors(&self, turn: Color, fresh: &Slots) -> SharedSlots {
        let found: SharedSlots = SharedSlots::repeat(false, self.slots);
        fresh.as_raw_slice().par_chunks(CHUNK).enumerate().for_each(|(chunk, words)| {
            for at in ones(words) {
                let slot = (chunk * CHUNK * WORD + at) as u64;
                let Some(position) = self.index.unrank(turn, slot) else { continue };
                unmoves(&position, |before| {
                    let (_, slot) = self.index.rank_any(&before);
                    found.set_aliased(slot as usize, true);
                });
            }
        });
        found
    }

    /// Whether all moves inside the table from the position in `slot` lead to `wins` of the other side.
    fn is_lost(&self, turn: Color, slot: usize, wins: &Slots) -> bool {
        let Some(position) = self.index.unrank(turn, slot as u64) else { return false };
        quiet(&position, |child| {
            let (_, slot) = self.index.rank_any(&child);
            if wins[slot as usize] { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
        .is_continue()
    }
}

/// A run.
struct Solver {
    rules: Rules,
    /// By [`Material::stored_turns`].
    sides: Vec<Side>,
}

impl Solver {
    /// The number of the side that moves after side number `side`: itself in a symmetric material.
    fn after(&self, side: usize) -> usize {
        self.sides.len() - 1 - side
    }

    fn pass(&mut self, pass: u32) -> Result<()> {
        let ply = u16::try_from(pass)
            .map_err(|_| Error::new(ErrorKind::Internal, "a distance beyond what a table can store"))?;
        let found: Vec<Slots> = (0..self.sides.len()).map(|side| self.decide(side, ply)).collect();
        for side in &mut self.sides {
            // Their predecessors are known now.
            side.fresh[goal(pass + 1)].fill(false);
        }
        for (side, found) in self.sides.iter_mut().zip(found) {
            side.add(goal(pass), ply, &found);
        }
        Ok(())
    }

    /// The slots of side number `side` that pass `ply` decides.
    fn decide(&self, side: usize, ply: u16) -> Slots {
        let (rules, side, after) = (&self.rules, &self.sides[side], &self.sides[self.after(side)]);
        let goal = goal(ply.into());
        let (open, held) = (side.open.as_raw_slice(), side.held.as_raw_slice());
        let fresh = &after.fresh[1 - goal];
        let proves_all = goal == LOSS && side.may_lose() < FORWARD * fresh.count_ones();
        let candidates = if proves_all { SharedSlots::new() } else { rules.predecessors(after.turn, fresh) };
        let candidates = candidates.as_raw_slice();
        let mut found = Slots::repeat(false, rules.slots);
        found.as_raw_mut_slice().par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, found)| {
            for (word, found) in (chunk * CHUNK..).zip(found) {
                let at_distance = side.at_distance(word, ply);
                let marked = candidates.get(word).map_or(u64::MAX, |word| word.load(Ordering::Relaxed));
                let candidates = (marked | at_distance) & open[word];
                *found = if goal == WIN {
                    candidates
                } else {
                    ones(&[candidates & !held[word]])
                        .filter(|bit| {
                            let slot = word * WORD + bit;
                            side.plies.get(slot).is_none_or(|&longest| longest <= ply)
                                && rules.is_lost(side.turn, slot, &after.decided[WIN])
                        })
                        .fold(0, |all, bit| all | 1 << bit)
                };
            }
        });
        found
    }

    /// Whether there are positions whose predecessors no pass has looked at.
    fn has_fresh(&self) -> bool {
        self.sides.iter().flat_map(|side| &side.fresh).any(|fresh| fresh.any())
    }

    fn report(&self, pass: u32, finished: bool, report: Report<'_>) -> Result<()> {
        let decided =
            self.sides.iter().flat_map(|side| &side.decided).map(|set| set.count_ones() as u64).sum();
        let material = *self.rules.index.material();
        match report(&Progress { material, pass, decided, finished }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::new(ErrorKind::Cancelled, format!("{material} cancelled"))),
        }
    }

    fn finish(self) -> Table {
        let sides = self.sides.into_iter().map(|side| side.finish(self.rules.slots)).collect();
        Table::from_sides(self.rules.index, self.rules.metric, sides)
    }
}

impl Side {
    /// Number of slots that may still become losses.
    fn may_lose(&self) -> usize {
        let words = self.open.as_raw_slice().iter().zip(self.held.as_raw_slice());
        words.map(|(open, held)| (open & !held).count_ones() as usize).sum()
    }

    /// The slots of word number `word` whose conversions win at distance `ply`, or lose at it, the longest of them.
    fn at_distance(&self, word: usize, ply: u16) -> u64 {
        let plies = self.plies.get(word * WORD..).unwrap_or_default();
        plies.iter().take(WORD).enumerate().fold(0, |all, (bit, &other)| all | u64::from(other == ply) << bit)
    }

    /// Notes that pass `ply` has decided `found`.
    fn add(&mut self, goal: usize, ply: u16, found: &Slots) {
        let found_words = found.as_raw_slice();
        for set in [&mut self.decided[goal], &mut self.fresh[goal]] {
            for (word, found) in set.as_raw_mut_slice().iter_mut().zip(found_words) {
                *word |= found;
            }
        }
        for (word, found) in self.open.as_raw_mut_slice().iter_mut().zip(found_words) {
            *word &= !found;
        }
        if !self.plies.is_empty() {
            for slot in found.iter_ones() {
                self.plies[slot] = ply;
            }
        }
    }

    fn finish(self, slots: usize) -> table::Side {
        let mut outcomes = vec![u8::MAX; slots.div_ceil(SLOTS_PER_BYTE)];
        let [losses, wins] = &self.decided;
        for (set, outcome) in [(losses, Wdl::Loss), (&self.open, Wdl::Draw), (wins, Wdl::Win)] {
            for slot in set.iter_ones() {
                let changed = NO_POSITION ^ outcome.index() as u8;
                outcomes[slot / SLOTS_PER_BYTE] ^= changed << (2 * (slot % SLOTS_PER_BYTE));
            }
        }
        let mut plies = self.plies;
        let distances = if plies.is_empty() {
            Distances::None
        } else {
            for slot in self.open.iter_ones() {
                plies[slot] = 0;
            }
            Distances::narrowed(plies)
        };
        table::Side { outcomes, distances }
    }
}

/// The numbers of the set bits, ascending.
fn ones(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(word, &bits)| {
        let mut bits = bits;
        std::iter::from_fn(move || {
            let bit = (bits != 0).then(|| bits.trailing_zeros() as usize);
            bits &= bits.wrapping_sub(1);
            Some(word * WORD + bit?)
        })
    })
}
