//! Estimates of the cost of a table: memory, time, and the length of its file.
//!
//! Memory is an upper bound: that of the solver, of the tables in memory meanwhile, and of tables made at the same time. Time
//! and file length are guesses from means of all four-man tables per slot, measured on one core of a server of the mid-2020s.
//! The time can be three times as long (long distances need many passes) or half as long (drawn tables need few). A
//! file can be three times as large or a tenth.

use super::conversions::Conversions;
use super::index::Index;
use super::table::{Metric, WORD_BYTES};
use crate::position::Material;
use std::fmt;

/// The memory of any run: the program, and the blocks of files that a few threads read or write.
const BASE: u64 = 32 << 20;

/// The most men of a table that is made at the same time as others, and that stays in memory as long as the plan needs it. A
/// table of more men uses all threads and the memory.
pub(super) const FEW_MEN: usize = 4;

/// Seconds of processor time for a stored slot. Measured: `generate 4`, 194 million slots, 3.4 s, with distances 7.7 s;
/// `KQRvKR`, 336 million slots, 6.1 s.
const fn seconds(metric: Metric) -> f64 {
    match metric {
        Metric::Wdl => 1.8e-8,
        _ => 4.0e-8,
    }
}

/// Bytes of the file for a stored slot. Measured: the files of `generate 4` have 9.7 million bytes, with distances 46.2
/// million.
const fn file_bytes(metric: Metric) -> f64 {
    match metric {
        Metric::Wdl => 0.05,
        _ => 0.24,
    }
}

/// The cost of making one table.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The table.
    pub material: Material,
    /// The slots of all stored sides to move.
    pub slots: u64,
    /// An upper bound on the memory in use while it is made, in bytes: its own, its sub-tables', and that of all kept tables.
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
pub(super) enum Place {
    Memory,
    /// In a file of this many bytes.
    File(u64),
    /// To be made.
    Nowhere,
}

/// Returns the cost of each table of a plan, whose levels are in the order of making. Tables of a level with up to [`FEW_MEN`]
/// are made at the same time. Finished tables for which `is_kept` holds stay in memory. The others are loaded while a table
/// above them is made: into memory, or into scratch files if memory would exceed `allowed`.
pub(super) fn plan(
    levels: &[Vec<(Material, Place)>],
    metric: Metric,
    is_kept: impl Fn(&Material) -> bool,
    allowed: Option<u64>,
) -> Vec<Estimate> {
    let kept = levels.iter().flatten().filter(|(material, _)| is_kept(material));
    let kept = sum(kept.map(|(material, _)| table_bytes(material, metric)));
    let is_few = |material: &Material| material.len() <= FEW_MEN;
    let mut estimates = Vec::new();
    for level in levels {
        let needs = |&(material, place): &(Material, Place)| Needs::new(&material, place, metric, &is_kept);
        let few = level.iter().filter(|(material, _)| is_few(material));
        let few = sum(few.map(|table| needs(table).in_memory));
        estimates.extend(level.iter().map(|table| {
            let (needs, (material, place)) = (needs(table), *table);
            let in_memory = sum([BASE, kept, if is_few(&material) { few } else { needs.in_memory }]);
            let is_short = !is_few(&material) && allowed.is_some_and(|allowed| in_memory > allowed);
            let slots = slots(&material);
            let is_there = place != Place::Nowhere;
            Estimate {
                material,
                slots,
                peak_bytes: if is_short { sum([BASE, kept, needs.least]) } else { in_memory },
                scratch_bytes: if is_short { needs.in_scratch } else { 0 },
                file_bytes: if let Place::File(bytes) = place {
                    bytes
                } else {
                    guessed_file(&material, metric)
                },
                cpu_seconds: if is_there { 0.0 } else { slots as f64 * seconds(metric) },
                is_there,
            }
        }));
    }
    estimates
}

/// The memory of the solver for one table in bytes, without the sub-tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SolverMemory {
    /// At the peak of the run.
    pub(super) peak: u64,
    /// The part that must be in memory if the rest is in scratch files.
    pub(super) least: u64,
    /// Of the finished table.
    pub(super) table: u64,
}

impl SolverMemory {
    /// Returns the memory of [`solve`](super::solve::solve) for the table of `material`.
    pub(super) fn new(material: &Material, metric: Metric) -> Self {
        let index = Index::new(material);
        let words = index.words();
        let stored = material.stored_turns().len() as u64;
        // Five sets for each side to move while solving; at the end two, and the planes of the table.
        let sets = 2 * 5 * 8;
        let (word, distances) = (64, metric != Metric::Wdl);
        let solving = sets + if distances { 2 * (2 * word + 2) } else { 0 };
        let stored_word = stored * (WORD_BYTES as u64 + if distances { word } else { 0 });
        let writing =
            2 * 2 * 8 + stored * WORD_BYTES as u64 + if distances { 2 * 2 * word + word } else { 0 };
        // The legal positions with an en-passant file.
        let legal = 2 * 8 * (words - index.main_words());
        SolverMemory {
            peak: words * solving.max(writing) + legal,
            least: words * 2 * 8 + legal,
            table: words * stored_word,
        }
    }
}

/// The memory of one table in bytes, without the tables that are kept.
#[derive(Default)]
struct Needs {
    /// With everything in memory.
    in_memory: u64,
    /// With scratch files: the part that must be in memory, and a file that is being read.
    least: u64,
    /// The scratch files.
    in_scratch: u64,
}

impl Needs {
    fn new(material: &Material, place: Place, metric: Metric, is_kept: impl Fn(&Material) -> bool) -> Self {
        let own = SolverMemory::new(material, metric);
        let table = table_bytes(material, metric);
        match place {
            Place::Memory => Needs::default(),
            // While the table is read, the bytes of its file are in memory too.
            Place::File(bytes) => {
                Needs { in_memory: table.saturating_mul(2), least: bytes, in_scratch: table }
            }
            Place::Nowhere => {
                let below = Conversions::new(material);
                let bytes = |below: &Material| table_bytes(below, metric);
                // Before the solver starts, sub-tables are read one by one, each with the bytes of its file.
                let reading = below.materials().iter().map(bytes).max().unwrap_or(0);
                let files = below.materials().iter().map(|below| guessed_file(below, metric)).max();
                let below = sum(below.materials().iter().filter(|below| !is_kept(below)).map(bytes));
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
pub fn slots(material: &Material) -> u64 {
    Index::new(material).len().saturating_mul(material.stored_turns().len() as u64)
}

#[allow(clippy::cast_sign_loss)] // Neither factor is negative.
pub(super) fn guessed_file(material: &Material, metric: Metric) -> u64 {
    (slots(material) as f64 * file_bytes(metric)) as u64
}

/// The memory of a finished table in bytes. Distances take one byte up to five men, two beyond.
pub fn table_bytes(material: &Material, metric: Metric) -> u64 {
    let wide = if metric != Metric::Wdl && material.len() > 5 { slots(material) } else { 0 };
    SolverMemory::new(material, metric).table.saturating_add(wide)
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

    /// The estimates of a plan with one table a level.
    fn estimates(names: &[&str], metric: Metric) -> Vec<Estimate> {
        let levels: Vec<_> = names.iter().map(|name| vec![(name.parse().unwrap(), Place::Nowhere)]).collect();
        plan(&levels, metric, |material| material.len() < 5, None)
    }

    fn solver(name: &str) -> SolverMemory {
        SolverMemory::new(&name.parse().unwrap(), Metric::Wdl)
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
        let level = ["KQvKR", "KRvKB"].map(|name| (name.parse().unwrap(), Place::Nowhere));
        let peaks = |tables: &[(Material, Place)]| -> Vec<u64> {
            plan(&[tables.to_vec()], Metric::Wdl, |_| false, None)
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
        let [there] = plan(&[vec![(material, Place::File(7))]], Metric::Wdl, |_| true, None)[..] else {
            panic!("one")
        };
        assert_eq!((there.file_bytes, there.cpu_seconds, there.is_there), (7, 0.0, true));
        assert_eq!(there.peak_bytes, BASE + 3 * solver("KQvKR").table);
    }

    #[test]
    fn short_memory_means_scratch_files() {
        let level = [vec![("KPPvKR".parse().unwrap(), Place::Nowhere)]];
        let with = |allowed| plan(&level, Metric::Dtm, |below| below.len() < 5, allowed)[0];
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
