//! The cost of a table before it is made: memory, time, and the length of its file.
//!
//! Memory is an upper bound: what the solver says of itself, the tables that are in memory meanwhile, and what is made
//! side by side. Time and file length are guesses: measured means of all tables of four men, per slot, on one core of a
//! server of the mid-2020s. A table may take three times as long or half as long (long distances mean many passes,
//! drawn tables few), and a file may be three times as large or a tenth.

use super::conversions::Conversions;
use super::index::Index;
use super::table::{Metric, WORD_BYTES};
use crate::position::Material;
use std::fmt;

/// Memory that a run needs whatever it makes: the program, and for each of a few threads its blocks on their way
/// to or from a file.
const BASE: u64 = 32 << 20;

/// The most men of tables that are made side by side, and that stay in memory as long as a table of the plan needs
/// them: beyond, one table fills threads and memory.
pub(super) const FEW_MEN: usize = 4;

/// Processor time in seconds for a stored slot: `generate 4` took 3.4 s for 194 million, with distances 7.7 s; `KQRvKR`
/// 6.1 s for 336 million.
const fn seconds(metric: Metric) -> f64 {
    match metric {
        Metric::Wdl => 1.8e-8,
        _ => 4.0e-8,
    }
}

/// Bytes of the file for a stored slot: those of `generate 4` have 9.7 million bytes together, with distances 46.2
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
    /// Slots of all stored sides to move.
    pub slots: u64,
    /// The most memory, in bytes, in use while it is made: its own, its sub-tables', and what else is kept then. An
    /// upper bound.
    pub peak_bytes: u64,
    /// Length of its file in bytes: a guess, or the truth when there is a file.
    pub file_bytes: u64,
    /// Processor time in seconds: a guess. 0 when there is a file.
    pub cpu_seconds: f64,
    /// Length in bytes of the scratch files that it is made in and its sub-tables are read into, as memory does not
    /// allow for them; 0 when it does.
    pub scratch_bytes: u64,
    /// Whether its file is there, so that it need not be made.
    pub is_there: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place {
    Memory,
    /// In a file of so many bytes.
    File(u64),
    /// To be made.
    Nowhere,
}

/// Returns what each table takes of a plan whose levels are in the order of their making; [`FEW_MEN`] says which tables
/// of a level are made side by side. Of the finished tables those that `is_kept` stay in memory, the others only while
/// a table above them is made: in memory, or, where that would be more than `allowed`, in scratch files.
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

/// The memory in bytes that solving one table takes, its sub-tables apart: counted from what the solver holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SolverMemory {
    /// At the peak of the run.
    pub(super) peak: u64,
    /// The part that stays in memory when there are scratch files for the rest.
    pub(super) least: u64,
    /// Of the finished table.
    pub(super) table: u64,
}

impl SolverMemory {
    /// The need of [`solve`](super::solve::solve) for the table of `material`.
    pub(super) fn new(material: &Material, metric: Metric) -> Self {
        let index = Index::new(material);
        let words = index.words();
        let stored = material.stored_turns().len() as u64;
        // While solving five sets for each side to move; then, when the table is written out, two, and its planes.
        let sets = 2 * 5 * 8;
        let (word, distances) = (64, metric != Metric::Wdl);
        let solving = sets + if distances { 2 * (2 * word + 2) } else { 0 };
        let stored_word = stored * (WORD_BYTES as u64 + if distances { word } else { 0 });
        let writing =
            2 * 2 * 8 + stored * WORD_BYTES as u64 + if distances { 2 * 2 * word + word } else { 0 };
        // Where positions with an en-passant file are legal.
        let legal = 2 * 8 * (words - index.main_words());
        SolverMemory {
            peak: words * solving.max(writing) + legal,
            least: words * 2 * 8 + legal,
            table: words * stored_word,
        }
    }
}

/// The need of one table, in bytes, apart from the tables that are kept.
#[derive(Default)]
struct Needs {
    /// Memory, when all is there.
    in_memory: u64,
    /// The same where memory is short: files on their way to scratch files, and what must be in memory.
    least: u64,
    /// The part in scratch files then.
    in_scratch: u64,
}

impl Needs {
    fn new(material: &Material, place: Place, metric: Metric, is_kept: impl Fn(&Material) -> bool) -> Self {
        let own = SolverMemory::new(material, metric);
        let table = table_bytes(material, metric);
        match place {
            Place::Memory => Needs::default(),
            // While it is read, the bytes of its file are there too.
            Place::File(bytes) => {
                Needs { in_memory: table.saturating_mul(2), least: bytes, in_scratch: table }
            }
            Place::Nowhere => {
                let below = Conversions::new(material);
                let bytes = |below: &Material| table_bytes(below, metric);
                // Sub-tables are read, each held twice for a moment, before the solver begins.
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

/// Slots of all stored sides to move.
pub fn slots(material: &Material) -> u64 {
    Index::new(material).len().saturating_mul(material.stored_turns().len() as u64)
}

#[allow(clippy::cast_sign_loss)] // A product of what is not negative.
pub(super) fn guessed_file(material: &Material, metric: Metric) -> u64 {
    (slots(material) as f64 * file_bytes(metric)) as u64
}

/// Bytes of memory of a finished table. The solver's own figure is for distances of a byte, which do for five men.
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

    /// A level for each name.
    fn estimates(names: &[&str], metric: Metric) -> Vec<Estimate> {
        let levels: Vec<_> = names.iter().map(|name| vec![(name.parse().unwrap(), Place::Nowhere)]).collect();
        plan(&levels, metric, |material| material.len() < 5, None)
    }

    fn solver(name: &str) -> SolverMemory {
        SolverMemory::new(&name.parse().unwrap(), Metric::Wdl)
    }

    #[test]
    fn memory_is_that_of_the_solver_and_of_what_is_there_meanwhile() {
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
    fn tables_of_few_men_are_made_side_by_side() {
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
    fn what_is_there_is_read_and_not_made() {
        let material = "KQvKR".parse().unwrap();
        let [there] = plan(&[vec![(material, Place::File(7))]], Metric::Wdl, |_| true, None)[..] else {
            panic!("one")
        };
        assert_eq!((there.file_bytes, there.cpu_seconds, there.is_there), (7, 0.0, true));
        assert_eq!(there.peak_bytes, BASE + 3 * solver("KQvKR").table);
    }

    #[test]
    fn where_memory_is_short_there_are_scratch_files() {
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
