//! What a table will cost, before it is made: memory, time, and the length of its file.
//!
//! Memory follows from the solver's data structures, by the slot, and is an upper bound for what the generator holds
//! at once. Time and file length are guesses: measured means of all tables of four men, per slot, on one core of a
//! server of the mid-2020s. A table may take three times as long or half as long (long distances mean many passes,
//! drawn tables few), and a file may be three times as large or a tenth.

use super::conversions::Conversions;
use super::table::{Metric, SLOTS_PER_BYTE};
use crate::position::{Index, Material};
use std::collections::HashMap;
use std::fmt;

/// Memory that a run needs whatever it makes: the program, its threads, the tables of few men that are made side by
/// side.
const BASE: u64 = 64 << 20;

/// Processor time in seconds for a stored slot: `generate 4` took 121 s for 157.9 million, and with distances about as
/// much a slot.
const SECONDS: f64 = 0.8e-6;

/// Bytes of the file for a stored slot: those of `generate 4` have 6.9 million bytes together; distances in KQvKR and
/// KPvKP take 0.4 a slot, in drawn tables far less.
const fn file_bytes(metric: Metric) -> f64 {
    match metric {
        Metric::Wdl => 0.045,
        _ => 0.35,
    }
}

/// What making one table takes.
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
    /// Whether its file is there, so that it need not be made.
    pub is_there: bool,
}

/// Slots of all stored sides to move.
fn slots(material: &Material) -> u64 {
    Index::new(material).len().saturating_mul(material.stored_turns().len() as u64)
}

/// Memory in bytes that the solver needs for `material`, its sub-tables aside.
///
/// For each stored slot: six bitmaps, one for what the pass finds and one for its candidates, a byte together; with
/// distances two bytes more, and, when they are narrowed at the end, half of a byte to one.
fn working_bytes(material: &Material, metric: Metric) -> u64 {
    let halves = if metric == Metric::Wdl { 2 } else { 7 };
    slots(material).saturating_mul(halves) / 2
}

/// Memory in bytes of a finished table: two bits a slot, and a distance of two bytes at the most.
fn resident_bytes(material: &Material, metric: Metric) -> u64 {
    let width = if metric == Metric::Wdl { 0 } else { 2 };
    let slots = slots(material);
    (slots / SLOTS_PER_BYTE as u64).saturating_add(slots.saturating_mul(width))
}

/// Returns what each of `tables` takes, which are in the order of their making, each with the length of its file if
/// there is one. Of the finished tables those that `is_kept` stay in memory, the others only while a table above them
/// is made.
pub(super) fn plan(
    tables: &[(Material, Option<u64>)],
    metric: Metric,
    is_kept: impl Fn(&Material) -> bool,
) -> Vec<Estimate> {
    let resident: HashMap<Material, u64> =
        tables.iter().map(|(material, _)| (*material, resident_bytes(material, metric))).collect();
    let kept: u64 = sum(resident.iter().filter(|(material, _)| is_kept(material)).map(|(_, &bytes)| bytes));
    let one = |&(material, file): &(Material, Option<u64>)| {
        let slots = slots(&material);
        let below = Conversions::new(&material);
        let below: Vec<u64> = below
            .materials()
            .iter()
            .filter(|below| !is_kept(below))
            .map(|below| resident_bytes(below, metric))
            .collect();
        // A table that is read is held twice for a moment.
        let reading = below.iter().copied().max().unwrap_or(0).max(resident_bytes(&material, metric));
        let making =
            if file.is_some() { 0 } else { working_bytes(&material, metric).saturating_add(sum(below)) };
        Estimate {
            material,
            slots,
            peak_bytes: sum([BASE, kept, reading, making]),
            file_bytes: file.unwrap_or((slots as f64 * file_bytes(metric)) as u64),
            cpu_seconds: if file.is_some() { 0.0 } else { slots as f64 * SECONDS },
            is_there: file.is_some(),
        }
    };
    tables.iter().map(one).collect()
}

fn sum(bytes: impl IntoIterator<Item = u64>) -> u64 {
    bytes.into_iter().fold(0, u64::saturating_add)
}

/// The memory that this process can have now, in bytes: what the system calls available, within the limits of the
/// process's control group. `None` where that cannot be asked.
pub fn available_memory() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let number = |path: &str| read(path)?.trim().parse::<u64>().ok();
    let meminfo = read("/proc/meminfo")?;
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let available = line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)?;
    let limits = [
        ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
        ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
    ];
    let limits = limits.iter().filter_map(|(limit, used)| Some(number(limit)?.saturating_sub(number(used)?)));
    Some(limits.fold(available, u64::min))
}

/// A number of bytes that displays with a unit: `8.0 GiB`.
#[derive(Clone, Copy, Debug)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        let unit = (self.0.max(1).ilog2() / 10) as usize;
        let text = match unit {
            0 => format!("{} B", self.0),
            _ => format!("{:.1} {}", self.0 as f64 / 1024_f64.powi(unit as i32), UNITS[unit]),
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimates(names: &[&str], metric: Metric) -> Vec<Estimate> {
        let tables: Vec<_> = names.iter().map(|name| (name.parse().unwrap(), None)).collect();
        plan(&tables, metric, |material| material.len() < 5)
    }

    #[test]
    fn memory_grows_with_slots_metric_and_sub_tables() {
        let [queen, both] = estimates(&["KQvKR", "KQRvKR"], Metric::Wdl)[..] else { panic!("two") };
        assert_eq!((queen.slots, both.slots), (2 * 462 * 64 * 64, 2 * 462 * 64 * 64 * 64));
        assert!(both.peak_bytes > both.slots && both.peak_bytes < 2 * both.slots, "{both:?}");
        let [with] = estimates(&["KQRvKR"], Metric::Dtm)[..] else { panic!("one") };
        assert!(with.peak_bytes > 3 * both.slots, "{with:?}");
        // Its five-man sub-tables are in memory with KPPvKR.
        let pawns = estimates(&["KPPvKR"], Metric::Wdl)[0];
        assert!(pawns.peak_bytes > 2 * pawns.slots, "{pawns:?}");
    }

    #[test]
    fn the_largest_tables_saturate_instead_of_wrapping() {
        let [largest] = estimates(&["KQRBNPvKQ"], Metric::Dtm)[..] else { panic!("one") };
        assert!(largest.peak_bytes > 1 << 50, "{largest:?}");
    }

    #[test]
    fn bytes_with_units() {
        let shown = [0, 1023, 1024, 8 << 30, u64::MAX].map(|bytes| Bytes(bytes).to_string());
        assert_eq!(shown, ["0 B", "1023 B", "1.0 KiB", "8.0 GiB", "16.0 EiB"]);
    }
}
