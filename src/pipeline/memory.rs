//! Upper bounds on the memory of minimizing a table, with the outcome table itself.
//!
//! For covers: the minimizer's memory (`espresso::memory`) for as many rows as the table can have, and that of the exporter
//! that collects them. For trees and lists: the columns, row numbers and bitmaps.

use super::Options;
use super::linear_system::BYTES_PER_EQUATION;
use super::shape::{has_lists, learns_lists, row_models};
use crate::chess::model::Model;
use crate::chess::position::Material;
use crate::chess::retrograde::{Chess, Index};
use crate::error::{Error, ErrorKind, Result};
use crate::export::{Columns, OUTPUTS};
use crate::pcn::Layers;
use crate::retrograde::Metric;
use crate::retrograde::estimate::{self, Bytes};
use crate::rows::tree::FEW;
use espresso::memory::Sizes;
use std::fmt::Display;
use std::path::Path;

/// The memory of the program, its threads, small outcome tables, and memory that the allocator keeps.
const BASE: u64 = 32 << 20;

/// The most rows of a side whose trees are grown in memory.
pub(super) const HELD: u64 = 1 << 23;

/// The bytes of each part of a row: itself, and its copies while a node and then one of its halves are split.
const BYTES_PER_PART: u64 = 3;
/// The bytes of a row's number in two arrays.
const BYTES_PER_ROW: u64 = 8;

/// Whether covers are minimized, and not only trees and lists made from rows.
pub(super) fn uses_covers(options: &Options<'_>) -> bool {
    options.layers == Layers::Independent || options.models.contains(&Model::Binary)
}

/// The most bitmaps of all minterms while a list is learned: three of the classes, those of the OFF-sets and of uncovered
/// minterms, and the bit planes of the counts of matching cubes.
const BITMAPS: u64 = 16;

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

/// Returns the least and the most memory of trees and lists in bytes; 0 if there are only covers.
fn of_rows(material: &Material, options: &Options<'_>) -> [u64; 2] {
    let models = row_models(material, options);
    if models.is_empty() || options.layers == Layers::Independent {
        return [0; 2];
    }
    let rows = Index::new(material).len();
    let (mut variables, mut minterms) = (0, 0);
    for plan in models.iter().map(|model| model.variable_set(material)) {
        variables = variables.max(plan.variables().len() as u64);
        if learns_lists(options) && has_lists(&plan) {
            minterms = minterms.max(plan.variables().iter().map(|variable| variable.values as u64).product());
        }
    }
    of_trees(rows, variables, options).map(|bytes| bytes.max(BASE.saturating_add(BITMAPS * minterms / 8)))
}

/// Returns the least and the most memory in bytes of growing trees from up to `rows` rows of `variables` variables.
pub(super) fn of_trees(rows: u64, variables: u64, options: &Options<'_>) -> [u64; 2] {
    let GrowingMemory { columns, lists } = GrowingMemory::new(rows, variables);
    let least = if options.scratch.is_some() { columns } else { columns.saturating_add(lists) };
    [least, columns.saturating_add(lists)].map(|bytes| BASE.saturating_add(bytes))
}

/// The memory of the outcome table of `material` in bytes.
fn table_bytes(material: &Material) -> u64 {
    estimate::table_bytes::<Chess>(material, Metric::Wdl)
}

/// Returns two numbers of bytes for minimizing the table of `material`: with less memory than the first it is refused; it uses
/// the second if available.
pub(super) fn bounds(material: &Material, options: &Options<'_>) -> Result<[u64; 2]> {
    let covers = if uses_covers(options) { estimate(material, options)? } else { 0 };
    let table = table_bytes(material);
    Ok(of_rows(material, options).map(|bytes| bytes.max(covers).saturating_add(table)))
}

/// Returns an upper bound on the memory in bytes of minimizing the table of `material` by covers. The table itself is not
/// counted.
fn estimate(material: &Material, options: &Options<'_>) -> Result<u64> {
    let independent = options.layers == Layers::Independent;
    let outputs = if independent { OUTPUTS.len() } else { 1 };
    let model = if independent { options.model() } else { Model::Binary };
    let columns = Columns::new(model, material, independent, outputs)?;
    let space = columns.space();
    let turns = if independent { material.stored_turns().len() as u64 } else { 1 };
    let rows = Index::new(material).len().saturating_mul(turns);
    // Legal positions and don't-cares share the slots. With three outputs a position has a cube in F and one in R; with one
    // output it has one in F or R.
    let sizes = Sizes { on: rows, dc: 0, off: if independent { rows } else { 0 } };
    let gathered = rows.saturating_mul(8 * space.words() as u64);
    let minimizer = espresso::memory::estimate(space, sizes, &options.steps);
    Ok(BASE.saturating_add(gathered).saturating_add(minimizer))
}

/// Returns an upper bound on the memory in bytes of [`crate::export::independent`] for `material`, with the canonical positions
/// or those of the full board. The table itself is not counted.
fn estimate_function(material: &Material, model: Model, canonical: bool) -> Result<u64> {
    let columns = Columns::new(model, material, true, OUTPUTS.len())?;
    // The positions of a slot: one for each side to move, or all its images.
    let images = match (canonical, material.has_pawns()) {
        (true, _) => material.stored_turns().len() as u64,
        (false, true) => 2 * 2,
        (false, false) => 2 * 8,
    };
    // A position has a cube in F and one in R.
    let rows = Index::new(material).len().saturating_mul(images);
    Ok(BASE.saturating_add(rows.saturating_mul(2 * GATHERED * 8 * columns.space().words() as u64)))
}

/// The copies of a cube while a function is made: in the pieces and in the whole. Processes took up to 1.6 times the words of
/// all slots (`KPvKP` in `board`), most tables less than once, as few slots are legal for both sides to move.
const GATHERED: u64 = 2;

/// Checks that `allowed` bytes suffice for making the function of `material`. `doing` names the purpose in the error.
///
/// # Errors
/// [`ErrorKind::BudgetExhausted`] with the figures if they do not; those of [`Columns::new`].
pub fn check_function_memory(
    material: &Material,
    model: Model,
    canonical: bool,
    allowed: Option<u64>,
    doing: &str,
) -> Result<()> {
    let needed = estimate_function(material, model, canonical)?.saturating_add(table_bytes(material));
    check(material, needed, allowed, &format!("{doing} takes up to"))
}

/// Checks that the memory of [`Options::memory`] suffices for minimizing each of `materials`.
///
/// # Errors
/// [`ErrorKind::BudgetExhausted`] if it does not, with the material that takes most and its figures; those of
/// [`Columns::new`].
pub fn check_memory(materials: &[Material], options: &Options<'_>) -> Result<()> {
    if options.memory.is_none() {
        return Ok(());
    }
    let mut largest: Option<(u64, &Material)> = None;
    for material in materials {
        let [needed, _] = bounds(material, options)?;
        if largest.is_none_or(|(most, _)| needed > most) {
            largest = Some((needed, material));
        }
    }
    let Some((needed, material)) = largest else { return Ok(()) };
    let doing = if uses_covers(options) { "minimizing takes up to" } else { "minimizing takes at least" };
    check(material, needed, options.memory, doing)
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

pub(super) fn check(
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
    use crate::chess::retrograde::Store;
    use crate::export::{Scope, independent};

    /// The bound is not below the memory that can be counted, and not far above it.
    #[test]
    fn covers_fit_into_the_estimate() {
        let options = Options { layers: Layers::Independent, ..Options::default() };
        for name in ["KvK", "KQvK", "KPvK"] {
            let material = name.parse().unwrap();
            let table = Store::new(None).get(&material).unwrap();
            let function = independent(&table, options.model(), &Scope::default()).unwrap().function;
            let bytes = |cubes: usize| (8 * function.on.space().words() * cubes) as u64;
            let held = bytes(2 * (function.on.len() + function.dc.len() + function.off.len()));
            let held = held + bytes(2 * function.on.len());
            let estimate = estimate(&material, &options).unwrap() - BASE;
            assert!(held <= estimate && estimate <= 8 * held, "{name}: {held} held, {estimate} estimated");
        }
    }

    /// The bound is not below the memory of making a function, and not far above it.
    #[test]
    fn functions_fit_into_the_estimate() {
        for (name, model) in [("KQvK", Model::Binary), ("KRvK", Model::Attack), ("KPvK", Model::Board)] {
            let material = name.parse().unwrap();
            let table = Store::new(None).get(&material).unwrap();
            for scope in [Scope::default(), Scope::full_board()] {
                let function = independent(&table, model, &scope).unwrap().function;
                let cubes = function.on.len() + function.dc.len() + function.off.len();
                let held = 2 * (8 * function.on.space().words() * cubes) as u64;
                let estimate = estimate_function(&material, model, scope.canonical).unwrap() - BASE;
                assert!(
                    held <= estimate && estimate <= 5 * held,
                    "{name}: {held} held, {estimate} estimated"
                );
            }
        }
    }

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
            of_rows(&material, &options)[0]
        };
        assert_eq!(least(None) - least(Some("here")), BYTES_PER_ROW * Index::new(&material).len());
    }

    #[test]
    fn too_little_memory_is_refused_with_the_figures() {
        let materials = ["KvK", "KPvKP", "KQvK"].map(|name| name.parse().unwrap());
        let mut options = Options { layers: Layers::Independent, ..Options::default() };
        assert!(check_memory(&materials, &options).is_ok(), "no limit");
        options.memory = Some(estimate(&materials[1], &options).unwrap() + table_bytes(&materials[1]));
        assert!(check_memory(&materials, &options).is_ok());
        options.memory = options.memory.map(|bytes| bytes - 1);
        let error = check_memory(&materials, &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BudgetExhausted);
        assert!(error.to_string().starts_with("KPvKP: minimizing takes up to "), "{error}");
        // Eight men: the bytes of all rows do not fit in a word.
        let many = ["KQRBNvKQR".parse().unwrap()];
        assert!(check_memory(&many, &options).is_err());
    }
}
