//! A forecast of minimizing a table: memory, time, and the length of its file.
//!
//! With less than the least memory a run is refused; the most memory is an upper bound. Time and length are guesses from the
//! means per slot of trees at efforts 1 to 5. A table whose positions are nearly all drawn or all won takes a tenth of both
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
    /// The processor time in seconds: a guess. `None` for covers and efforts above 5, which were not measured.
    pub cpu_seconds: Option<f64>,
    /// The length of the file in bytes: a guess. `None` as for the time.
    pub file_bytes: Option<u64>,
}

/// Seconds of processor time for a slot, and more seconds for each effort. All 36 tables of up to four men, 194 million slots,
/// took 125 s at effort 1 and 493 s at effort 5 (docs/sizes.md), with `geometry` alone about half. Lists, which `board` has from
/// effort 4 on, are not measured.
const IN_MEMORY: [f64; 2] = [0.17e-6, 0.475e-6];
/// The same out of core, where most variables of most rows are never computed: all 110 tables of five men, 45 thousand million
/// slots, take 7.0 hours at effort 1 by their record, and `KNNvKR` took two and a half times as long at effort 2, three times at
/// effort 3 and five times at effort 5.
const OUT_OF_CORE: [f64; 2] = [0.0, 0.56e-6];
/// The same for Chinese chess, which took 2 to 5 us a position at effort 1, and 3 to 25 at effort 5.
const XIANGQI: [f64; 2] = [3.7e-6, 0.97e-6];

fn seconds(slots: f64, [first, each]: [f64; 2], has_attack: bool, effort: u8) -> f64 {
    let share = if has_attack { 1.0 } else { 0.5 };
    slots * share * (first + each * f64::from(effort))
}

/// The bytes of the file for a slot: 0.0006 for all tables of four men, 0.0016 for all of five men at effort 1. Those of
/// Chinese chess took 0.0001 to 0.006 for a position.
const BYTES: f64 = 0.0006;

/// Returns the cost of minimizing the table of `material`.
///
/// # Errors
/// Those of [`check_memory`](super::check_memory) except [`ErrorKind::BudgetExhausted`](crate::ErrorKind::BudgetExhausted).
pub fn forecast(material: &Material, options: &Options<'_>) -> Result<Forecast> {
    let slots = slots::<Chess>(material) as f64;
    let bytes = slots * if material.len() > 4 { 0.0016 } else { BYTES };
    let is_measured = !memory::uses_covers(options) && options.effort <= 5;
    let measured = if slots > memory::HELD as f64 * 2.0 { OUT_OF_CORE } else { IN_MEMORY };
    let seconds = seconds(slots, measured, options.models.contains(&Model::Attack), options.effort);
    let memory = memory::bounds(material, options)?;
    Ok(Forecast::new(memory, is_measured.then_some((seconds, bytes))))
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
        let cost = (seconds(both, XIANGQI, has_attack, options.effort), both * BYTES);
        let memory = memory::of_trees(positions, variables, options).map(|bytes| bytes.saturating_add(table));
        Forecast::new(memory, (options.effort <= 5).then_some(cost))
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
