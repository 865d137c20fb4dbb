//! A forecast of minimizing a table: memory, time, and the length of its file.
//!
//! With less than the least memory a run is refused; the most memory is an upper bound. Time and length are guesses from
//! [`costs`]. A table whose positions are nearly all drawn or all won takes a tenth of both guesses, and one with long wins ten
//! times as much.

use super::Options;
use super::memory;
use crate::chess::model::Model;
use crate::chess::position::Material;
use crate::chess::retrograde::Chess;
use crate::costs::{self, TreeCosts};
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
    /// The processor time in seconds: a guess. `None` for effort 4, which was not measured.
    pub cpu_seconds: Option<f64>,
    /// The length of the file in bytes: a guess. `None` as for the time.
    pub file_bytes: Option<u64>,
}

/// Returns the cost of growing the trees of `material`.
pub fn forecast(material: &Material, options: &Options<'_>) -> Forecast {
    let slots = slots::<Chess>(material);
    let costs = if slots > 2 * memory::HELD { costs::TREES_OUT_OF_CORE } else { costs::TREES_IN_MEMORY };
    let has_attack = options.models.contains(&Model::Attack);
    Forecast::new(memory::bounds(material, options), slots, costs, has_attack, options)
}

/// Returns the cost of growing the trees of the distances of `material`, from its table of distances to zeroing.
pub fn forecast_distances(material: &Material, options: &Options<'_>) -> Forecast {
    let (memory, slots) = (memory::bounds_of_distances(material, options), slots::<Chess>(material));
    let has_attack = options.model_of_distances() == Model::Attack;
    Forecast::new(memory, slots, costs::TREES_OF_DISTANCES, has_attack, options)
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
        let memory = memory::of_trees(positions, variables, options).map(|bytes| bytes.saturating_add(table));
        Forecast::new(memory, 2 * positions, costs::TREES_OF_XIANGQI, has_attack, options)
    }

    /// The cost with these bounds of the memory, for `slots` slots; `None` for efforts that were not measured.
    fn new(
        [least_bytes, most_bytes]: [u64; 2],
        slots: u64,
        costs: TreeCosts,
        has_attack: bool,
        options: &Options<'_>,
    ) -> Self {
        let cost = costs.get(usize::from(options.effort.max(1)) - 1);
        Forecast {
            least_bytes,
            most_bytes,
            cpu_seconds: cost.map(|cost| cost.seconds(slots) * if has_attack { 1.0 } else { 0.5 }),
            file_bytes: cost.map(|cost| cost.bytes(slots)),
        }
    }

    /// Checks that `allowed` bytes suffice for the least memory. `name` is that of the table.
    ///
    /// # Errors
    /// [`ErrorKind::BudgetExhausted`](crate::ErrorKind::BudgetExhausted) with the figures if they do not.
    pub(crate) fn check(&self, name: &dyn Display, allowed: Option<u64>) -> Result<()> {
        memory::check(name, self.least_bytes, allowed, "minimizing takes at least")
    }
}
