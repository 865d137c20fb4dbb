//! A forecast of minimizing a table: memory, time, and the length of its file.
//!
//! With less than the least memory a run is refused; the most memory is an upper bound. Time and length are guesses from the
//! means per slot of trees at efforts 1 to 3. A table whose positions are nearly all drawn or all won takes a tenth of both
//! guesses, and one with long wins ten times as much.

use super::Options;
use super::memory;
use crate::chess::model::Model;
use crate::chess::position::Material;
use crate::chess::retrograde::Chess;
use crate::error::Result;
use crate::retrograde::estimate::slots;
use std::fmt::Display;

/// The cost of minimizing one table.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Forecast {
    /// The memory in bytes that it needs, the outcome table included: with less it is refused.
    pub least_bytes: u64,
    /// The memory in bytes that it uses if it is available, the outcome table included.
    pub most_bytes: u64,
    /// The processor time in seconds: a guess. `None` for covers and for effort 4, which were not measured.
    pub cpu_seconds: Option<f64>,
    /// The length of the file in bytes: a guess. `None` as for the time.
    pub file_bytes: Option<u64>,
}

/// Seconds of processor time for a slot at efforts 1, 2 and 3. All 36 tables of up to four men, 194 million slots, took 125 s at
/// effort 1 and 493 s at effort 3 (docs/sizes.md), with `geometry` alone about half.
const IN_MEMORY: [f64; 3] = [0.645e-6, 1.12e-6, 2.545e-6];
/// The same out of core, where most variables of most rows are never computed: all 110 tables of five men, 45 thousand million
/// slots, take 7.0 hours at effort 1 by their record, and `KNNvKR` took two and a half times as long at effort 2 and five times at
/// effort 3.
const OUT_OF_CORE: [f64; 3] = [0.56e-6, 1.4e-6, 2.8e-6];
/// The same for Chinese chess, which took 2 to 5 us a position at effort 1, and 3 to 25 at effort 3.
const XIANGQI: [f64; 3] = [4.67e-6, 5.64e-6, 8.55e-6];

/// Returns the processor time of growing trees of a table; `None` for efforts that were not measured.
fn seconds(slots: f64, measured: [f64; 3], has_attack: bool, effort: u8) -> Option<f64> {
    let each = measured.get(usize::from(effort.max(1)) - 1)?;
    Some(slots * if has_attack { *each } else { 0.5 * each })
}

/// The bytes of the file for a slot: 0.0006 for all tables of four men, 0.0016 for all of five men at effort 1. Those of
/// Chinese chess took 0.0001 to 0.006 for a position.
const BYTES: f64 = 0.0006;

/// Returns the cost of growing the trees of `material`.
pub fn forecast(material: &Material, options: &Options<'_>) -> Forecast {
    let slots = slots::<Chess>(material) as f64;
    let bytes = slots * if material.len() > 4 { 0.0016 } else { BYTES };
    let measured = if slots > memory::HELD as f64 * 2.0 { OUT_OF_CORE } else { IN_MEMORY };
    let seconds = seconds(slots, measured, options.models.contains(&Model::Attack), options.effort);
    let memory = memory::bounds(material, options);
    Forecast::new(memory, seconds.map(|seconds| (seconds, bytes)))
}

impl Forecast {
    /// Returns the cost, in Chinese chess, of growing trees of up to `positions` positions for each side to move over `variables` variables,
    /// those of `attack` among them if `has_attack`. The outcome table takes `table` bytes.
    pub(crate) fn of_trees(
        table: u64,
        positions: u64,
        variables: u64,
        has_attack: bool,
        options: &Options<'_>,
    ) -> Self {
        let both = 2.0 * positions as f64;
        let seconds = seconds(both, XIANGQI, has_attack, options.effort);
        let memory = memory::of_trees(positions, variables, options).map(|bytes| bytes.saturating_add(table));
        Forecast::new(memory, seconds.map(|seconds| (seconds, both * BYTES)))
    }

    /// The cost of covers of `material`, which take up to `bytes` of memory.
    pub(crate) fn of_covers(bytes: u64) -> Self {
        Forecast::new([bytes; 2], None)
    }

    /// Checks that `allowed` bytes suffice for the least memory. `name` is that of the table.
    ///
    /// # Errors
    /// [`ErrorKind::BudgetExhausted`](crate::ErrorKind::BudgetExhausted) with the figures if they do not.
    pub(crate) fn check(&self, name: &dyn Display, allowed: Option<u64>) -> Result<()> {
        memory::check(name, self.least_bytes, allowed, "minimizing takes at least")
    }

    #[allow(clippy::cast_sign_loss, reason = "no length is negative")]
    fn new([least_bytes, most_bytes]: [u64; 2], cost: Option<(f64, f64)>) -> Self {
        let file_bytes = cost.map(|(_, bytes)| bytes.ceil() as u64);
        Forecast { least_bytes, most_bytes, cpu_seconds: cost.map(|(seconds, _)| seconds), file_bytes }
    }
}
