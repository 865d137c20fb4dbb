//! Upper bounds on the memory of making covers: the outcome table, the exporter's rows, one for each slot of the table, and the
//! minimizer (`espresso::memory`).

use super::columns::{Columns, OUTPUTS};
use super::options::Options;
use crate::chess::model::Model;
use crate::chess::position::Material;
use crate::chess::retrograde::Index;
use crate::covers::frozen::Layers;
use crate::error::Result;
use crate::pipeline::Forecast;
use crate::pipeline::memory::{BASE, check, check_largest, table_bytes};
use crate::retrograde::Metric;
use espresso::memory::Sizes;

/// Checks that the memory of [`Options::memory`] suffices for minimizing each of `materials`.
///
/// # Errors
/// [`ErrorKind::BudgetExhausted`](crate::ErrorKind::BudgetExhausted) if it does not, with the figures of the largest material;
/// those of [`Columns::new`].
pub fn check_memory(materials: &[Material], options: &Options<'_>) -> Result<()> {
    check_largest(materials, options.memory, "minimizing takes up to", |material| bound(material, options))
}

/// Returns the cost of minimizing the table of `material`: its memory. Time and length were not measured.
///
/// # Errors
/// Those of [`Columns::new`].
pub fn forecast(material: &Material, options: &Options<'_>) -> Result<Forecast> {
    bound(material, options).map(Forecast::of_covers)
}

/// Returns the memory in bytes for minimizing the table of `material`, with the outcome table.
fn bound(material: &Material, options: &Options<'_>) -> Result<u64> {
    Ok(estimate(material, options)?.saturating_add(table_bytes(material, Metric::Wdl)))
}

/// Returns an upper bound on the memory in bytes of minimizing the table of `material` by covers. The table itself is not
/// counted.
fn estimate(material: &Material, options: &Options<'_>) -> Result<u64> {
    let independent = options.layers == Layers::Independent;
    let outputs = if independent { OUTPUTS.len() } else { 1 };
    let columns = Columns::new(options.model, material, independent, outputs)?;
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

/// Returns an upper bound on the memory in bytes of [`super::independent`] for `material`, with the canonical positions or all
/// positions of the full board. The table itself is not counted.
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

/// The copies of a cube while a function is made: one in a piece, one in the whole. Measured processes took up to 1.6 times the
/// words of all slots (`KPvKP` in `board`), for most tables less than the words: few slots are legal for both sides to move.
const GATHERED: u64 = 2;

/// Checks that `allowed` bytes suffice for making the function of `material`. `doing` names the purpose in the error.
///
/// # Errors
/// [`ErrorKind::BudgetExhausted`](crate::ErrorKind::BudgetExhausted) with the figures if they do not; those of [`Columns::new`].
pub fn check_function_memory(
    material: &Material,
    model: Model,
    canonical: bool,
    allowed: Option<u64>,
    doing: &str,
) -> Result<()> {
    let needed =
        estimate_function(material, model, canonical)?.saturating_add(table_bytes(material, Metric::Wdl));
    check(material, needed, allowed, &format!("{doing} takes up to"))
}

#[cfg(test)]
mod tests {
    use super::super::function::independent;
    use super::super::scope::Scope;
    use super::*;
    use crate::chess::retrograde::Store;

    /// The bound is not below the memory of the cubes, and not far above it.
    #[test]
    fn covers_fit_into_the_estimate() {
        let options = Options { layers: Layers::Independent, ..Options::default() };
        for name in ["KvK", "KQvK", "KPvK"] {
            let material = name.parse().unwrap();
            let table = Store::new(None).get(&material).unwrap();
            let function = independent(&table, options.model, &Scope::default()).unwrap().function;
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
    fn too_little_memory_is_refused_with_the_figures() {
        let materials = ["KvK", "KPvKP", "KQvK"].map(|name| name.parse().unwrap());
        let mut options = Options { layers: Layers::Independent, ..Options::default() };
        assert!(check_memory(&materials, &options).is_ok(), "no limit");
        options.memory = Some(bound(&materials[1], &options).unwrap());
        assert!(check_memory(&materials, &options).is_ok());
        options.memory = options.memory.map(|bytes| bytes - 1);
        let error = check_memory(&materials, &options).unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::BudgetExhausted);
        assert!(error.to_string().starts_with("KPvKP: minimizing takes up to "), "{error}");
        // Eight men: the bytes of all rows do not fit in a word.
        let many = ["KQRBNvKQR".parse().unwrap()];
        assert!(check_memory(&many, &options).is_err());
    }
}
