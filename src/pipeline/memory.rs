//! Upper bounds on the memory of minimizing a table, with the outcome table itself.
//!
//! The columns and the numbers of rows take most of it.

use super::Options;
use crate::chess::model::VariableSet;
use crate::chess::position::Material;
use crate::chess::retrograde::{Chess, Index};
use crate::error::{Error, ErrorKind, Result};
use crate::learner::FEW;
use crate::pcn::BYTES_PER_EQUATION;
use crate::retrograde::Metric;
use crate::retrograde::estimate::{self, Bytes};
use std::fmt::Display;
use std::path::Path;

/// The memory of the program, its threads, small outcome tables, and memory that the allocator keeps.
pub(crate) const BASE: u64 = 32 << 20;

/// The most rows of a side whose trees are grown in memory.
pub(super) const HELD: u64 = 1 << 23;

/// The bytes of each part of a row: itself, and its copies while a node and then one of its halves are split.
const BYTES_PER_PART: u64 = 3;
/// The bytes of a row's number in two arrays.
const BYTES_PER_ROW: u64 = 8;

/// The memory of growing trees in bytes.
struct GrowingMemory {
    /// The columns of rows in memory, and copies of them.
    columns: u64,
    /// The numbers of all rows, which can be in scratch files.
    lists: u64,
}

impl GrowingMemory {
    /// The memory for this many rows, or slots of a table.
    fn new(rows: u64, variables: u64) -> Self {
        let held = |rows: u64| rows * (BYTES_PER_PART * variables + BYTES_PER_ROW);
        if rows <= HELD {
            return GrowingMemory { columns: held(rows), lists: 0 };
        }
        let threads = rayon::current_num_threads() as u64;
        // A thread that waits for one subtree can begin another, or hold the sample of a draft with that of its rollouts. At least
        // eight threads are assumed.
        let places = 4 * threads.max(8) * FEW * BYTES_PER_PART * variables;
        // A table of up to this many slots may have few enough legal positions for memory.
        let held = if rows <= 4 * HELD { held(HELD) } else { 0 };
        GrowingMemory { columns: places.max(held), lists: rows.saturating_mul(BYTES_PER_ROW) }
    }
}

/// Returns the directory for the numbers of all rows if the memory of `options` is too little for them beside an outcome table of
/// `table` bytes.
pub(super) fn scratch_for_lists<'a>(
    table: u64,
    rows: u64,
    variables: u64,
    options: &'a Options<'_>,
) -> Option<&'a Path> {
    let GrowingMemory { columns, lists } = GrowingMemory::new(rows, variables);
    let allowed = options.memory.unwrap_or(u64::MAX).saturating_sub(BASE).saturating_sub(table);
    options.scratch.as_deref().filter(|_| columns.saturating_add(lists) > allowed)
}

/// Returns the least and the most memory in bytes of minimizing the table of `material`. With less than the least, minimizing is
/// refused.
pub(super) fn bounds(material: &Material, options: &Options<'_>) -> [u64; 2] {
    let variables = options.models.iter().map(|model| model.variable_set(material).variables().len() as u64);
    let bounds = of_trees(Index::new(material).len(), variables.max().unwrap_or(0), options);
    bounds.map(|bytes| bytes.saturating_add(table_bytes(material, options.metric)))
}

/// Returns the least and the most memory in bytes of growing trees from up to `rows` rows of `variables` variables.
pub(super) fn of_trees(rows: u64, variables: u64, options: &Options<'_>) -> [u64; 2] {
    let GrowingMemory { columns, lists } = GrowingMemory::new(rows, variables);
    let least = if options.scratch.is_some() { columns } else { columns.saturating_add(lists) };
    [least, columns.saturating_add(lists)].map(|bytes| BASE.saturating_add(bytes))
}

/// Returns the numbers of [`bounds`] for the distances of `material`, with its table of distances to zeroing.
pub(super) fn bounds_of_distances(material: &Material, options: &Options<'_>) -> [u64; 2] {
    let rows = Index::new(material).len();
    let variables = &options.model_of_distances().variable_set(material);
    // The numbers of all rows: those of the best tree, and those of another while it is grown or while they are collected.
    let numbers = rows.saturating_mul(8 * if options.effort > 1 { 3 } else { 2 });
    let table = estimate::table_bytes::<Chess>(material, Metric::Dtz);
    let fixed = BASE.saturating_add(table).saturating_add(numbers);
    let with =
        |held: u64| fixed.saturating_add(rows.min(held).saturating_mul(bytes_of_distance_row(variables)));
    // The rows with their parts take at most half of the memory, unless they are few.
    let in_part = fixed.saturating_mul(2).max(with(held_rows(variables, Some(0))));
    [in_part.min(with(rows)), with(held_rows(variables, None))]
}

/// The bytes of a row of distances in memory: its parts, its class, and its places in the old and the new order.
fn bytes_of_distance_row(variables: &VariableSet) -> u64 {
    variables.variables().len() as u64 + 17
}

/// The most rows of distances in memory with all their parts at a time: in half of the memory, but never few.
pub(super) fn held_rows(variables: &VariableSet, memory: Option<u64>) -> u64 {
    (memory.unwrap_or(u64::MAX).min(6 << 30) / 2 / bytes_of_distance_row(variables)).max(1 << 18)
}

/// Checks that the rows of a ranking fit into half of the memory, by default 6 GiB. Only rankings need all rows at a time.
///
/// # Errors
/// [`ErrorKind::BudgetExhausted`] if they do not.
pub(super) fn check_rows(
    material: &Material,
    rows: u64,
    variables: &VariableSet,
    memory: Option<u64>,
) -> Result<()> {
    let bytes = 2 * rows * bytes_of_distance_row(variables);
    if bytes <= memory.unwrap_or(6 << 30) {
        return Ok(());
    }
    let why =
        format!("a ranking of {material} takes {} GiB of memory: see --memory", bytes.div_ceil(1 << 30));
    Err(Error::new(ErrorKind::BudgetExhausted, why))
}

/// The memory of the outcome table of `material` in bytes.
pub(crate) fn table_bytes(material: &Material, metric: Metric) -> u64 {
    estimate::table_bytes::<Chess>(material, metric)
}

/// Checks that the memory of [`Options::memory`] suffices for minimizing each of `materials`.
///
/// # Errors
/// [`ErrorKind::BudgetExhausted`] if it does not, with the material that takes most and its figures.
pub fn check_memory(materials: &[Material], options: &Options<'_>) -> Result<()> {
    let least = |material: &Material| bounds(material, options)[0];
    check_largest(materials, options.memory, "minimizing takes at least", least)
}

/// [`check_memory`] for the distances of `materials`.
///
/// # Errors
/// As [`check_memory`].
pub fn check_memory_of_distances(materials: &[Material], options: &Options<'_>) -> Result<()> {
    let least = |material: &Material| bounds_of_distances(material, options)[0];
    check_largest(materials, options.memory, "minimizing its distances takes at least", least)
}

/// Checks that `allowed` bytes suffice for the material that needs the most.
fn check_largest(
    materials: &[Material],
    allowed: Option<u64>,
    doing: &str,
    needed: impl Fn(&Material) -> u64,
) -> Result<()> {
    let largest = materials.iter().rev().max_by_key(|material| needed(material));
    largest.map_or(Ok(()), |material| check(material, needed(material), allowed, doing))
}

/// Checks that `allowed` bytes suffice for the static function of a tree's exceptions: for solving `equations` equations, with
/// `held` bytes in memory, the outcome table among them. Row numbers are not counted. The number of exceptions is only known once the
/// tree is grown.
///
/// # Errors
/// [`ErrorKind::BudgetExhausted`] with the figures if they do not.
pub(super) fn check_exceptions(name: &str, held: u64, equations: u64, allowed: Option<u64>) -> Result<()> {
    let needed = BASE.saturating_add(held).saturating_add(equations.saturating_mul(BYTES_PER_EQUATION));
    check(name, needed, allowed, "storing its exceptions takes up to")
}

pub(crate) fn check(
    name: &(impl Display + ?Sized),
    needed: u64,
    allowed: Option<u64>,
    doing: &str,
) -> Result<()> {
    match allowed {
        Some(allowed) if needed > allowed => {
            let (needed, allowed) = (Bytes(needed), Bytes(allowed));
            let why = format!("{name}: {doing} {needed} of memory, {allowed} are allowed");
            Err(Error::new(ErrorKind::BudgetExhausted, why))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::model::Model;

    #[test]
    fn row_numbers_that_exceed_the_memory_are_in_scratch_files() {
        let (table, rows, variables) = (1 << 27, 1 << 28, 40);
        let scratch = |memory| {
            let options = Options { memory, scratch: Some("here".into()), ..Options::default() };
            scratch_for_lists(table, rows, variables, &options).is_some()
        };
        let GrowingMemory { columns, lists } = GrowingMemory::new(rows, variables);
        let enough = BASE + table + columns + lists;
        assert!(!scratch(None) && !scratch(Some(enough)));
        assert!(scratch(Some(enough - 1)) && scratch(Some(enough - lists)));
        // Without a scratch directory the least memory includes the row numbers.
        let [material] = ["KRPvKR".parse().unwrap()];
        let least = |scratch: Option<&str>| {
            let options = Options {
                models: vec![Model::Geometry],
                scratch: scratch.map(Into::into),
                ..Options::default()
            };
            bounds(&material, &options)[0]
        };
        assert_eq!(least(None) - least(Some("here")), BYTES_PER_ROW * Index::new(&material).len());
    }
}
