//! Retrograde analysis of one material after Wu & Beal (section 2.2), for both sides to move, a word of positions at a time.
//!
//! There are three kinds of work. All are parallel over words, and their order does not affect the result:
//! - *initialize*: find the legal positions and the stalemates of all words, and look up conversions in the sub-tables
//!   (`Conversions`);
//! - *predecessor*: un-move the positions that the last pass decided (`Moves::unmove`);
//! - *prove successor*: a candidate wins if it can move to a loss, as the un-move shows. It loses if all its moves lead to
//!   wins, as forward moves show (`Moves::lost`).
//!
//! The number of a pass is the distance that it decides: wins at odd distances, losses at even ones. Distances to conversion
//! can be odd for losses too, so that every pass then decides both. Departures from the paper:
//! - The unit of work is a word of positions, not a position: in chess, a position for each square of the black king. Set
//!   operations and moves take whole words.
//! - Conversions are not part of the graph. A winning conversion decides its position at the distance of the conversion. A drawn
//!   conversion *holds* the position, which then cannot become a loss. Losing conversions delay a loss to the longest of them. So
//!   a loss is proved by moves within the table alone. Without distances, conversions take effect at once, and the number of a
//!   pass is meaningless.
//! - Distances to zeroing are solved in stages (`Stage`).
//! - If the last pass found many wins, as the initialization does, all undecided positions are candidates: proving them forward
//!   costs less than un-moving the wins, and decides the same positions.
//! - The paper's databases on disk are bitmaps in memory here. If memory is short, all sets except the won positions, which are
//!   accessed at random, are in scratch files (see `scratch`). Sparse sets have a summary (see `Frontier`).
//!
//! The sets can hold several images of a position under the board's symmetries; the finished table has the images that the game
//! stores. A material is solved for both sides to move even if only one is stored.

use super::bits::{Bits, ones};
use super::estimate::SolverMemory;
use super::game::{Game, Men, Numbering};
use super::rules::{CURSED, ConversionPlies, Conversions, Moves, Rules};
use super::sets::{CHUNK, Frontier, Set};
use super::stage::Stage;
use super::table::{self, Distances, Metric, Table};
use crate::error::{Error, ErrorKind, Result};
use crate::outcome::{Color, Wdl};
use crate::scratch::{Array, Buffer};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// If at least one in this many words has a win of the last pass, the pass for losses tries all positions that may lose,
/// without un-moves. A proof stops at the first refuting move; an un-move has to make all moves.
const FORWARD: u64 = 8;

/// The generator's report at the start of a table and after every pass.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress<G: Game> {
    /// The table.
    pub material: G::Material,
    /// The number of the pass; 0 for the initialization. With distances, it is the distance in plies that the pass decides,
    /// and each stage of distances to zeroing begins anew.
    pub pass: u32,
    /// The positions decided so far, of both sides to move. Each image in the sets counts.
    pub decided: u64,
    /// Whether the table is finished.
    pub finished: bool,
}

/// The callback for progress. Breaking cancels the work with [`ErrorKind::Cancelled`].
pub type Report<'a, G> = &'a (dyn Fn(&Progress<G>) -> ControlFlow<()> + Sync);

/// Returns the table of `material` from `sub_tables`, the tables of [`Game::sub_materials`] in any order.
///
/// Runs on the current rayon pool; the result does not depend on the number of threads. For the memory, see
/// [`Estimate`](super::estimate::Estimate). With a directory `scratch`, all long arrays except the won positions are in files
/// without names there, the returned table included. Distances to zeroing of earlier stages are read back from these files.
///
/// # Errors
/// [`ErrorKind::MissingTable`] if a sub-table is missing, or lacks distances to mate or zeroing that `metric` needs;
/// [`ErrorKind::UnsupportedPosition`] if the table exceeds the address space, or the game has no distances to zeroing;
/// [`ErrorKind::Io`] if a scratch file cannot be made; [`ErrorKind::Cancelled`] if `report` breaks.
pub fn solve<G: Rules>(
    material: &G::Material,
    metric: Metric,
    sub_tables: &[Arc<Table<G>>],
    scratch: Option<&Path>,
    report: Report<'_, G>,
) -> Result<Table<G>> {
    metric.check::<G>()?;
    let find = |wanted: &G::Material| {
        let is_any = matches!(metric, Metric::Wdl | Metric::Dtc);
        let fits =
            |table: &&Arc<Table<G>>| table.material() == wanted && (is_any || table.metric() == metric);
        sub_tables.iter().find(fits).cloned().ok_or_else(|| {
            Error::new(ErrorKind::MissingTable, format!("{material} needs the {metric} table of {wanted}"))
        })
    };
    let sub_tables = G::sub_materials(material).iter().map(find).collect::<Result<_>>()?;
    usize::try_from(SolverMemory::new::<G>(material, metric).peak).map_err(|_| {
        let why = format!("{material} has too many positions for this machine");
        Error::new(ErrorKind::UnsupportedPosition, why)
    })?;
    let mut solver = Solver::<G>::new(material, metric, scratch)?;
    let conversions = G::Conversions::new(material, sub_tables);
    solver.find_legal();
    let mut pass = 0;
    for stage in (0..=solver.stage.first()).rev() {
        if solver.stage.begin(stage) {
            pass = solver.solve_stage(&conversions, report)?;
        }
    }
    solver.report(pass, true, report)?;
    solver.finish(scratch)
}

/// The sets of one side to move, with a bit for each slot.
struct SideSets<B: Bits> {
    turn: Color,
    /// Won or illegal positions.
    wins: Set<B>,
    losses: Set<B>,
    /// Positions that cannot become losses: with a conversion that does not lose, or stalemate where that is a draw.
    held: Set<B>,
    /// The positions that the last pass has decided, and that the current pass decides.
    fresh: Frontier<B>,
    next: Frontier<B>,
    fresh_words: u64,
    decided: u64,
}

/// The distances of one side to move; empty without distances.
#[derive(Default)]
struct SideDistances {
    /// The distance of each decided slot. For an undecided slot, the distance of the shortest win by a conversion, or else of the
    /// longest loss by one; 0 if there is none.
    plies: Array<u16>,
    /// For each word, the least distance by a conversion that a later pass must handle; 0 for none.
    due: Array<u16>,
}

struct Solver<G: Rules> {
    moves: G::Moves,
    metric: Metric,
    words: usize,
    stage: Stage,
    sides: [SideSets<G::Bits>; 2],
    distances: [SideDistances; 2],
}

fn ply(pass: u32) -> Result<u16> {
    u16::try_from(pass)
        .map_err(|_| Error::new(ErrorKind::Internal, "a distance beyond what a table can store"))
}

impl<G: Rules> Solver<G> {
    fn new(material: &G::Material, metric: Metric, scratch: Option<&Path>) -> Result<Self> {
        let moves = G::Moves::new(material);
        let moves = if metric == Metric::Dtz { moves.quiet() } else { moves };
        let words = moves.index().words() as usize;
        let with_distances = if metric == Metric::Wdl { 0 } else { words };
        let side = |turn| -> Result<SideSets<G::Bits>> {
            Ok(SideSets {
                turn,
                wins: Set::new(words, None)?,
                losses: Set::new(words, scratch)?,
                held: Set::new(words, scratch)?,
                fresh: Frontier::new(words, scratch)?,
                next: Frontier::new(words, scratch)?,
                fresh_words: 0,
                decided: 0,
            })
        };
        let distances = || -> Result<SideDistances> {
            let plies = Array::new(with_distances * G::Bits::SLOTS, scratch)?;
            Ok(SideDistances { plies, due: Array::new(with_distances, scratch)? })
        };
        let sides = [side(Color::White)?, side(Color::Black)?];
        let stage = Stage::new::<G>(&moves, metric, scratch)?;
        Ok(Solver { moves, metric, words, stage, sides, distances: [distances()?, distances()?] })
    }

    /// Finds the illegal positions, which count as won.
    fn find_legal(&self) {
        for side in &self.sides {
            (0..self.words).into_par_iter().with_min_len(CHUNK).for_each(|word| {
                let word = word as u64;
                let men = self.moves.index().men(side.turn, word);
                side.wins.put(word, !self.moves.legal(side.turn, word, &men));
            });
        }
    }

    /// Decides all positions of the stage. Returns the number of the last pass.
    fn solve_stage(&mut self, conversions: &G::Conversions, report: Report<'_, G>) -> Result<u32> {
        let last_conversion = self.initialize(conversions);
        let mut pass = 0;
        self.losses(0, true)?;
        self.end_pass();
        self.report(0, false, report)?;
        while pass < last_conversion || self.sides.iter().any(|side| side.fresh_words > 0) {
            pass += 1;
            let has_both = self.has_both();
            // Losses first: they follow from the wins before this pass.
            if has_both || pass % 2 == 0 {
                self.losses(pass, false)?;
            }
            if has_both || pass % 2 == 1 {
                self.wins(pass)?;
            }
            self.end_pass();
            self.report(pass, false, report)?;
        }
        Ok(pass)
    }

    /// Whether a conversion can have the distance `ply`.
    fn may_convert(&self, ply: u16) -> bool {
        match self.metric {
            Metric::Dtc | Metric::Dtz => [1, CURSED].contains(&ply),
            _ => ply > 0,
        }
    }

    /// Whether a pass can decide both wins and losses.
    fn has_both(&self) -> bool {
        matches!(self.metric, Metric::Dtc | Metric::Dtz)
    }

    /// Finds conversions and stalemates, and decides or holds positions by them. Mates are left to the first pass. Returns the
    /// greatest distance by a conversion, 0 without distances.
    fn initialize(&mut self, conversions: &G::Conversions) -> u32 {
        let mut longest = 0;
        for i in 0..2 {
            let mut distances = std::mem::take(&mut self.distances[i]);
            let found = distances.chunks::<G::Bits>(self.words).map(|(chunk, plies, due)| {
                let mut longest = 0;
                for word in self.stage.chunk(chunk) {
                    let place = word % CHUNK;
                    let plies = plies.get_mut(place * G::Bits::SLOTS..(place + 1) * G::Bits::SLOTS);
                    let [least, most] = self.initialize_word(i, conversions, word as u64, plies);
                    if let Some(due) = due.get_mut(place) {
                        *due = least;
                    }
                    longest = longest.max(most);
                }
                longest
            });
            longest = found.max().unwrap_or(0).max(longest);
            self.distances[i] = distances;
        }
        for side in &mut self.sides {
            side.next.each(|word, bits| {
                side.wins.add(word, bits);
            });
            side.end_pass();
        }
        longest.into()
    }

    /// Finds the conversions and stalemates of a word with side number `i` to move. Returns the least and the greatest
    /// distance by a conversion, 0 if there is none.
    fn initialize_word(
        &self,
        i: usize,
        conversions: &G::Conversions,
        word: u64,
        plies: Option<&mut [u16]>,
    ) -> [u16; 2] {
        let (moves, [side, after]) = (&self.moves, [&self.sides[i], &self.sides[1 - i]]);
        let legal = !side.wins.get(word);
        if legal == G::Bits::NONE {
            return [0; 2];
        }
        let men = moves.index().men(side.turn, word);
        let mut found = plies.is_some().then(|| ConversionPlies::new(self.metric));
        let mut values = conversions.values(side.turn, &men, legal, found.as_mut());
        if let Some(found) = found.as_mut().filter(|_| self.metric == Metric::Dtz) {
            self.zeroing(i, word, &men, legal, &mut values, found);
        }
        let [losses, draws, wins] = values;
        let mut stalemates = G::Bits::NONE;
        if !G::STALEMATE_LOSES {
            stalemates = legal & !(wins | draws | losses) & moves.safe(side.turn, &men);
            if stalemates != G::Bits::NONE {
                // In this stage only illegal positions count as won so far: a position whose moves all lead to won positions
                // has no legal move.
                stalemates = moves.lost(side.turn, word, stalemates, &after.wins);
            }
        }
        let (Some(plies), Some(found)) = (plies, found) else {
            side.next.put(word, wins);
            side.held.put(word, stalemates | draws & !wins);
            return [0; 2];
        };
        side.held.put(word, stalemates | draws | wins);
        let [mut least, mut most] = [0; 2];
        for slot in ones(wins | losses & !draws) {
            let at = if wins.has(slot) { &found.shortest } else { &found.longest }.as_ref()[slot];
            plies[slot] = at;
            least = if least == 0 { at } else { at.min(least) };
            most = at.max(most);
        }
        [least, most]
    }

    /// Adds the zeroing moves within the table, which lead to earlier stages, to the conversions of a word.
    fn zeroing(
        &self,
        i: usize,
        word: u64,
        men: &Men<G>,
        legal: G::Bits,
        [losses, draws, wins]: &mut [G::Bits; 3],
        found: &mut ConversionPlies<G::Bits>,
    ) {
        let (after, below) = (&self.sides[1 - i], &self.distances[1 - i].plies);
        self.moves.zeroing(self.sides[i].turn, word, men, &mut |child, among| {
            let among = among & legal;
            let [lost, won] = [after.losses.get(child) & among, after.wins.get(child) & among];
            *draws |= among & !(lost | won);
            *wins |= lost;
            let below = &below[child as usize * G::Bits::SLOTS..];
            for slot in ones(lost) {
                found.add(slot, Wdl::Win, below[slot].into());
            }
            // Illegal positions count as won, without a distance.
            for slot in ones(won).filter(|&slot| below[slot] > 0) {
                *losses |= G::Bits::one(slot);
                found.add(slot, Wdl::Loss, below[slot].into());
            }
        });
    }

    /// The pass that decides wins at distance `pass`.
    fn wins(&mut self, pass: u32) -> Result<()> {
        let ply = ply(pass)?;
        let may_convert = self.may_convert(ply);
        for (i, distances) in self.distances.iter_mut().enumerate() {
            let [side, after] = [&self.sides[i], &self.sides[1 - i]];
            after.fresh.each(|word, bits| {
                let bits = bits & after.losses.get(word);
                self.moves.unmove(after.turn, word, bits, &|word, bits| {
                    let new = side.wins.add(word, bits);
                    if new != G::Bits::NONE {
                        side.next.add(word, new);
                    }
                });
            });
            if self.metric != Metric::Wdl {
                distances.chunks::<G::Bits>(self.words).for_each(|(chunk, plies, due)| {
                    let due = if may_convert { due } else { &mut [] };
                    for (place, due) in due.iter_mut().enumerate().filter(|(_, due)| **due == ply) {
                        let word = (chunk * CHUNK + place) as u64;
                        let open = !(side.wins.get(word) | side.losses.get(word));
                        let (at_distance, next) = conversions_at(plies, place, open, ply);
                        *due = next;
                        // A position that is not held has only losing conversions.
                        let at_distance = at_distance & side.held.get(word);
                        side.wins.add(word, at_distance);
                        side.next.add(word, at_distance);
                    }
                    record_distances(&side.next, chunk, plies, ply);
                });
            }
        }
        Ok(())
    }

    /// The pass that decides losses at distance `pass`; mates have 0. With `all`, all positions that may lose are candidates.
    fn losses(&mut self, pass: u32, all: bool) -> Result<()> {
        let ply = ply(pass)?;
        let may_convert = self.may_convert(ply);
        let has_both = self.has_both();
        for (i, distances) in self.distances.iter_mut().enumerate() {
            let [side, after] = [&self.sides[i], &self.sides[1 - i]];
            let proves_all = all || after.fresh_words * FORWARD >= self.stage.words as u64;
            if !proves_all {
                after.fresh.each(|word, bits| {
                    let bits = bits & after.wins.get(word);
                    self.moves.unmove(after.turn, word, bits, &|word, bits| {
                        let bits = bits & !side.wins.get(word);
                        if bits != G::Bits::NONE {
                            side.next.add(word, bits & side.may_lose(word));
                        }
                    });
                });
            }
            distances.chunks::<G::Bits>(self.words).for_each(|(chunk, plies, due)| {
                let due = if may_convert { due } else { &mut [] };
                for (place, due) in due.iter_mut().enumerate().filter(|(_, due)| **due == ply) {
                    let word = (chunk * CHUNK + place) as u64;
                    let open = !(side.wins.get(word) | side.losses.get(word));
                    let (at_distance, next) = conversions_at(plies, place, open, ply);
                    // The pass for wins at this distance comes after and needs `due`.
                    *due = if has_both { *due } else { next };
                    side.next.add(word, at_distance & side.may_lose(word));
                }
                let prove = |word: u64, candidates: G::Bits| {
                    let place = word as usize % CHUNK;
                    let waiting =
                        plies.get(place * G::Bits::SLOTS..(place + 1) * G::Bits::SLOTS).unwrap_or_default();
                    let may = ones(candidates).filter(|&slot| waiting.get(slot).is_none_or(|&at| at <= ply));
                    let candidates = if waiting.is_empty() { candidates } else { collect(may) };
                    let lost = if candidates == G::Bits::NONE {
                        candidates
                    } else {
                        self.moves.lost(side.turn, word, candidates, &after.wins)
                    };
                    side.next.put(word, lost);
                    side.losses.add(word, lost);
                };
                if proves_all {
                    for word in self.stage.chunk(chunk).map(|word| word as u64) {
                        let candidates = side.may_lose(word);
                        if candidates != G::Bits::NONE {
                            prove(word, candidates);
                        }
                    }
                } else {
                    side.next.each_of_chunk(chunk, prove);
                }
                record_distances(&side.next, chunk, plies, ply);
            });
        }
        Ok(())
    }

    fn end_pass(&mut self) {
        self.sides.iter_mut().for_each(SideSets::end_pass);
    }

    fn report(&self, pass: u32, finished: bool, report: Report<'_, G>) -> Result<()> {
        let decided = self.sides.iter().map(|side| side.decided).sum();
        let material = *self.moves.index().material();
        match report(&Progress { material, pass, decided, finished }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::new(ErrorKind::Cancelled, format!("{material} cancelled"))),
        }
    }

    fn finish(self, scratch: Option<&Path>) -> Result<Table<G>> {
        let Solver { moves, metric, words, sides, mut distances, .. } = self;
        let stored = G::stored_turns(moves.index().material());
        // Dropped before the table is allocated: only the passes need it.
        distances.iter_mut().for_each(|distances| distances.due = Array::default());
        let sides = sides.map(|SideSets { turn, wins, losses, .. }| (turn, wins, losses));
        let sides = sides.into_iter().zip(distances).filter(|((turn, ..), _)| stored.contains(turn));
        let sides = sides
            .map(|((turn, wins, losses), mut distances)| {
                let bytes = table::word_bytes::<G::Bits>();
                let mut outcomes = Buffer::new(words * bytes, scratch)?;
                outcomes.par_chunks_mut(CHUNK * bytes).zip(distances.chunks::<G::Bits>(words)).for_each(
                    |(outcomes, (chunk, plies, _))| {
                        for (place, outcomes) in outcomes.chunks_exact_mut(bytes).enumerate() {
                            let word = (chunk * CHUNK + place) as u64;
                            let men = moves.index().men(turn, word);
                            let mut slots = moves.legal(turn, word, &men);
                            if slots != G::Bits::NONE {
                                slots &= moves.index().stored(&men);
                            }
                            let (won, lost) = (wins.get(word) & slots, losses.get(word) & slots);
                            table::write_word(outcomes, [lost, slots & !won & !lost, won]);
                            let plies = plies.get_mut(place * G::Bits::SLOTS..).unwrap_or_default();
                            for (slot, plies) in plies.iter_mut().take(G::Bits::SLOTS).enumerate() {
                                if !(won | lost).has(slot) {
                                    *plies = 0;
                                }
                            }
                        }
                    },
                );
                let distances = match metric {
                    Metric::Wdl => Distances::default(),
                    _ => Distances::narrowed(&distances.plies, scratch)?,
                };
                Ok(table::Side { outcomes, distances })
            })
            .collect::<Result<_>>()?;
        Ok(Table::from_sides(moves.index().clone(), metric, sides))
    }
}

impl SideDistances {
    /// The chunks of words with their distances, which are empty without distances.
    fn chunks<B: Bits>(
        &mut self,
        words: usize,
    ) -> impl IndexedParallelIterator<Item = (usize, &mut [u16], &mut [u16])> {
        let mut plies: Vec<&mut [u16]> = self.plies.chunks_mut(CHUNK * B::SLOTS).collect();
        let mut due: Vec<&mut [u16]> = self.due.chunks_mut(CHUNK).collect();
        plies.resize_with(words.div_ceil(CHUNK), Default::default);
        due.resize_with(words.div_ceil(CHUNK), Default::default);
        plies.into_par_iter().zip(due).enumerate().map(|(chunk, (plies, due))| (chunk, plies, due))
    }
}

impl<B: Bits> SideSets<B> {
    /// The positions of word number `word` that can still become losses.
    #[inline]
    fn may_lose(&self, word: u64) -> B {
        !(self.wins.get(word) | self.losses.get(word) | self.held.get(word))
    }

    /// Ends a pass: the next one starts from the positions that it decided.
    fn end_pass(&mut self) {
        self.fresh.clear();
        std::mem::swap(&mut self.fresh, &mut self.next);
        let (slots, words) = self.fresh.count();
        self.fresh_words = words;
        self.decided += slots;
    }
}

fn collect<B: Bits>(slots: impl Iterator<Item = usize>) -> B {
    slots.fold(B::NONE, |all, slot| all | B::one(slot))
}

/// Returns the positions among the undecided `open` with a conversion at distance `ply`, and the least greater distance in
/// `open`, 0 if there is none. The word is at `place` of a chunk.
fn conversions_at<B: Bits>(plies: &[u16], place: usize, open: B, ply: u16) -> (B, u16) {
    let mut at_distance = B::NONE;
    let mut least = 0;
    for slot in ones(open) {
        let at = plies[place * B::SLOTS + slot];
        if at == ply {
            at_distance |= B::one(slot);
        } else if at > ply && (least == 0 || at < least) {
            least = at;
        }
    }
    (at_distance, least)
}

fn record_distances<B: Bits>(found: &Frontier<B>, chunk: usize, plies: &mut [u16], ply: u16) {
    if plies.is_empty() {
        return;
    }
    found.each_of_chunk(chunk, |word, bits| {
        for slot in ones(bits) {
            plies[word as usize % CHUNK * B::SLOTS + slot] = ply;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::position::Material;
    use crate::chess::retrograde::{Chess, Progress, Store};
    use crate::retrograde::store;
    use crate::xiangqi::Xiangqi;

    #[test]
    fn scratch_files_do_not_change_the_table() {
        let directory = tempfile::tempdir().unwrap();
        // Captures of both sides, and pawns with their stages for distances to zeroing.
        let larger = [("KRvKN", Metric::Dtm), ("KPvKP", Metric::Dtz)];
        for (name, metric) in Metric::ALL.map(|metric| ("KPvK", metric)).into_iter().chain(larger) {
            let material: Material = name.parse().unwrap();
            let store = Store::new(None).with_metric(metric);
            let below = Chess::sub_materials(&material);
            let below: Vec<_> = below.iter().map(|below| store.get(below).unwrap()).collect();
            let report = |_: &Progress| ControlFlow::Continue(());
            let made = solve(&material, metric, &below, Some(directory.path()), &report).unwrap();
            assert!(made == *store.get(&material).unwrap(), "{metric}");
            assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        }
        let nowhere = directory.path().join("none");
        let report = |_: &Progress| ControlFlow::Continue(());
        let error = solve(&"KvK".parse().unwrap(), Metric::Wdl, &[], Some(&nowhere), &report).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
    }

    /// The sub-tables of distances to conversion need no distances.
    #[test]
    fn conversions_to_tables_of_outcomes_have_distances() {
        fn check<G: Rules + PartialEq>(material: &G::Material) {
            let [outcomes, distances] =
                [Metric::Wdl, Metric::Dtc].map(|metric| store::Store::<G>::new(None).with_metric(metric));
            let below = G::sub_materials(material);
            let below: Vec<_> = below.iter().map(|below| outcomes.get(below).unwrap()).collect();
            let report = |_: &super::Progress<G>| ControlFlow::Continue(());
            let made = solve(material, Metric::Dtc, &below, None, &report).unwrap();
            assert!(made == *distances.get(material).unwrap(), "{material}");
        }
        check::<Chess>(&"KPvK".parse().unwrap());
        check::<Xiangqi>(&"c-a".parse().unwrap());
    }
}
