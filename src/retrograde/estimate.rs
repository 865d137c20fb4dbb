//! Estimates of the cost of a table: memory, time, and the length of its file.
//!
//! Memory is an upper bound: the memory of the solver, of the tables loaded meanwhile, and of tables made at the same time. Time
//! and file length are guesses from `costs`. The time can be three times as long (long distances need many passes) or half as
//! long (drawn tables need few). A file can be three times as large or a tenth.

use super::bits::Bits;
use super::game::{Game, Numbering};
use super::rules::{Moves, Rules};
use super::table::{Metric, word_bytes};
use crate::costs::{self, SlotCost};
use std::fmt;

/// The memory of any run: the program, and the blocks of files that a few threads read or write.
const BASE: u64 = 32 << 20;

/// The cost of a stored slot.
const fn cost(metric: Metric) -> SlotCost {
    match metric {
        Metric::Wdl => costs::OUTCOMES,
        _ => costs::DISTANCES,
    }
}

/// The cost of making one table.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate<G: Game> {
    /// The table.
    pub material: G::Material,
    /// The slots of all stored sides to move.
    pub slots: u64,
    /// An upper bound on the memory in use while it is made, in bytes: for the solver, the sub-tables, and all kept tables.
    pub peak_bytes: u64,
    /// The length of its file in bytes: a guess, or exact if the file exists.
    pub file_bytes: u64,
    /// The processor time in seconds: a guess. 0 if it exists already.
    pub cpu_seconds: f64,
    /// The length in bytes of the scratch files for it and its sub-tables; 0 if memory is enough.
    pub scratch_bytes: u64,
    /// Whether it exists already, so that it need not be made.
    pub is_there: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Location {
    Memory,
    /// In a file of this many bytes.
    File(u64),
    /// To be made.
    Nowhere,
}

/// Returns the cost of each table of a plan, whose levels are in the order of making. [Small](Game::is_small) tables of a level
/// are made at the same time. Finished tables for which `is_kept` holds stay in memory. The others are loaded while a table above
/// them is made: into memory, or into scratch files if memory would exceed `allowed`.
pub(super) fn plan<G: Rules>(
    levels: &[Vec<(G::Material, Location)>],
    metric: Metric,
    is_kept: &dyn Fn(&G::Material) -> bool,
    allowed: Option<u64>,
) -> Vec<Estimate<G>> {
    let kept = levels.iter().flatten().filter(|(material, _)| is_kept(material));
    let kept = sum(kept.map(|(material, _)| table_bytes::<G>(material, metric)));
    let mut estimates = Vec::new();
    for level in levels {
        let needs = |&(material, location): &(G::Material, Location)| {
            Needs::new::<G>(&material, location, metric, is_kept)
        };
        let few = level.iter().filter(|(material, _)| G::is_small(material));
        let few = sum(few.map(|table| needs(table).in_memory));
        estimates.extend(level.iter().map(|table| {
            let (needs, (material, location)) = (needs(table), *table);
            let in_memory = sum([BASE, kept, if G::is_small(&material) { few } else { needs.in_memory }]);
            let is_short = !G::is_small(&material) && allowed.is_some_and(|allowed| in_memory > allowed);
            let slots = slots::<G>(&material);
            let is_there = location != Location::Nowhere;
            Estimate {
                material,
                slots,
                peak_bytes: if is_short { sum([BASE, kept, needs.least]) } else { in_memory },
                scratch_bytes: if is_short { needs.in_scratch } else { 0 },
                file_bytes: if let Location::File(bytes) = location {
                    bytes
                } else {
                    guessed_file::<G>(&material, metric)
                },
                cpu_seconds: if is_there { 0.0 } else { cost(metric).seconds(slots) },
                is_there,
            }
        }));
    }
    estimates
}

/// The memory of the solver for one table in bytes, without the sub-tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SolverMemory {
    /// The memory at the peak of the run.
    pub(super) peak: u64,
    /// The part that must be in memory if the rest is in scratch files.
    pub(super) least: u64,
    /// The memory of the finished table.
    pub(super) table: u64,
}

impl SolverMemory {
    /// Returns the memory of [`solve`](super::solve::solve) for the table of `material`.
    pub(super) fn new<G: Rules>(material: &G::Material, metric: Metric) -> Self {
        let words = G::Index::words_of(material);
        let stored = G::stored_turns(material).len() as u64;
        // Five sets for each side to move while solving; at the end two, and the planes of the table.
        let word = G::Bits::SLOTS as u64;
        let sets = 2 * 5 * word / 8;
        let (word_bytes, distances) = (word_bytes::<G::Bits>() as u64, metric != Metric::Wdl);
        // Distances to zeroing add a byte for the stage.
        let stage = u64::from(metric == Metric::Dtz);
        let solving = sets + stage + if distances { 2 * (2 * word + 2) } else { 0 };
        let stored_word = stored * (word_bytes + if distances { word } else { 0 });
        let writing =
            2 * 2 * word / 8 + stage + stored * word_bytes + if distances { 2 * 2 * word + word } else { 0 };
        let moves = G::Moves::bytes(material);
        SolverMemory {
            peak: words * solving.max(writing) + moves,
            least: words * 2 * word / 8 + moves,
            table: words * stored_word,
        }
    }
}

/// The memory of one table in bytes, without the tables that are kept.
#[derive(Default)]
struct Needs {
    /// With everything in memory.
    in_memory: u64,
    /// With scratch files: the part that must be in memory, or a file that is being read, whichever is larger.
    least: u64,
    /// The scratch files.
    in_scratch: u64,
}

impl Needs {
    fn new<G: Rules>(
        material: &G::Material,
        location: Location,
        metric: Metric,
        is_kept: &dyn Fn(&G::Material) -> bool,
    ) -> Self {
        let own = SolverMemory::new::<G>(material, metric);
        let table = table_bytes::<G>(material, metric);
        match location {
            Location::Memory => Needs::default(),
            // While the table is read, the bytes of its file are in memory too.
            Location::File(bytes) => {
                Needs { in_memory: table.saturating_mul(2), least: bytes, in_scratch: table }
            }
            Location::Nowhere => {
                let below = G::sub_materials(material);
                let bytes = |below: &G::Material| table_bytes::<G>(below, metric);
                // Before the solver starts, sub-tables are read one by one, each with the bytes of its file.
                let reading = below.iter().map(bytes).max().unwrap_or(0);
                let files = below.iter().map(|below| guessed_file::<G>(below, metric)).max();
                let below = sum(below.iter().filter(|below| !is_kept(below)).map(bytes));
                let apart = own.peak.saturating_sub(own.least);
                Needs {
                    in_memory: sum([below, own.peak.max(reading)]),
                    least: own.least.max(files.unwrap_or(0)),
                    in_scratch: sum([below, apart, table]),
                }
            }
        }
    }
}

/// The slots of all stored sides to move.
pub fn slots<G: Rules>(material: &G::Material) -> u64 {
    let words = G::Index::words_of(material) * G::stored_turns(material).len() as u64;
    words.saturating_mul(G::Bits::SLOTS as u64)
}

pub(super) fn guessed_file<G: Rules>(material: &G::Material, metric: Metric) -> u64 {
    cost(metric).bytes(slots::<G>(material))
}

/// The memory of a finished table in bytes.
pub fn table_bytes<G: Rules>(material: &G::Material, metric: Metric) -> u64 {
    let wide = metric != Metric::Wdl && G::distance_bytes(material) > 1;
    let wide = if wide { slots::<G>(material) } else { 0 };
    SolverMemory::new::<G>(material, metric).table.saturating_add(wide)
}

fn sum(bytes: impl IntoIterator<Item = u64>) -> u64 {
    bytes.into_iter().fold(0, u64::saturating_add)
}

/// A number of bytes that displays with a unit: `8.0 GiB`.
#[derive(Clone, Copy, Debug)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        let unit = self.0.max(1).ilog2() / 10;
        let text = match unit {
            0 => format!("{} B", self.0),
            _ => {
                format!("{:.1} {}", self.0 as f64 / 2_f64.powi(10 * unit.cast_signed()), UNITS[unit as usize])
            }
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::position::Material;
    use crate::chess::retrograde::Chess;

    /// The estimates of a plan with one table a level.
    fn estimates(names: &[&str], metric: Metric) -> Vec<Estimate<Chess>> {
        let levels: Vec<_> =
            names.iter().map(|name| vec![(name.parse().unwrap(), Location::Nowhere)]).collect();
        plan::<Chess>(&levels, metric, &|material| material.len() < 5, None)
    }

    fn solver(name: &str) -> SolverMemory {
        SolverMemory::new::<Chess>(&name.parse().unwrap(), Metric::Wdl)
    }

    #[test]
    fn memory_is_that_of_the_solver_and_of_tables_in_memory() {
        let [queen, both] = estimates(&["KQvKR", "KQRvKR"], Metric::Wdl)[..] else { panic!("two") };
        let kept = solver("KQvKR").table;
        assert_eq!(queen.peak_bytes, BASE + kept + solver("KQvKR").peak);
        assert_eq!(both.peak_bytes, BASE + kept + solver("KQRvKR").peak);
        assert!(estimates(&["KQRvKR"], Metric::Dtm)[0].peak_bytes > 2 * both.peak_bytes);
        // Its five-man sub-tables are in memory with KPPvKR.
        let pawns = estimates(&["KPPvKR"], Metric::Wdl)[0];
        assert!(pawns.peak_bytes > solver("KPPvKR").peak + 4 * solver("KQPvKR").table);
    }

    #[test]
    fn tables_of_few_men_are_made_at_the_same_time() {
        let level = ["KQvKR", "KRvKB"].map(|name| (name.parse().unwrap(), Location::Nowhere));
        let peaks = |tables: &[(Material, Location)]| -> Vec<u64> {
            plan::<Chess>(&[tables.to_vec()], Metric::Wdl, &|_| false, None)
                .iter()
                .map(|table| table.peak_bytes)
                .collect()
        };
        let alone = peaks(&level[..1])[0] + peaks(&level[1..])[0] - BASE;
        assert_eq!(peaks(&level), [alone, alone]);
        assert!(alone > BASE + solver("KQvKR").peak + solver("KRvKB").peak);
    }

    #[test]
    fn existing_files_are_read() {
        let material = "KQvKR".parse().unwrap();
        let [there] = plan::<Chess>(&[vec![(material, Location::File(7))]], Metric::Wdl, &|_| true, None)[..]
        else {
            panic!("one")
        };
        assert_eq!((there.file_bytes, there.cpu_seconds, there.is_there), (7, 0.0, true));
        assert_eq!(there.peak_bytes, BASE + 3 * solver("KQvKR").table);
    }

    #[test]
    fn short_memory_means_scratch_files() {
        let level = [vec![("KPPvKR".parse().unwrap(), Location::Nowhere)]];
        let with = |allowed| plan::<Chess>(&level, Metric::Dtm, &|below| below.len() < 5, allowed)[0];
        let in_memory = with(None);
        assert_eq!(in_memory.scratch_bytes, 0);
        assert_eq!(with(Some(in_memory.peak_bytes)), in_memory);
        let short = with(Some(in_memory.peak_bytes - 1));
        assert!(short.scratch_bytes > 0);
        assert!(short.peak_bytes < in_memory.peak_bytes / 4, "{short:?} {in_memory:?}");
        assert!(short.peak_bytes + short.scratch_bytes >= in_memory.peak_bytes);
    }

    #[test]
    fn the_largest_tables_do_not_wrap() {
        let [largest] = estimates(&["KQRBNPvKQ"], Metric::Dtm)[..] else { panic!("one") };
        assert!(largest.peak_bytes > 1 << 49, "{largest:?}");
    }

    #[test]
    fn bytes_with_units() {
        let shown = [0, 1023, 1024, 8 << 30, u64::MAX].map(|bytes| Bytes(bytes).to_string());
        assert_eq!(shown, ["0 B", "1023 B", "1.0 KiB", "8.0 GiB", "16.0 EiB"]);
    }
}
