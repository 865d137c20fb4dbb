//! An upper bound on the memory of making a function: the outcome table, and the exporter's rows, one for each slot of the table.

use super::columns::Columns;
use crate::chess::model::Model;
use crate::chess::position::Material;
use crate::chess::retrograde::Index;
use crate::error::Result;
use crate::pipeline::memory::{BASE, check, table_bytes};
use crate::retrograde::Metric;

/// Returns an upper bound on the memory in bytes of [`super::paper_function`] for `material`, with the canonical positions or all
/// positions of the full board. The table itself is not counted.
fn estimate_function(material: &Material, model: Model, canonical: bool) -> Result<u64> {
    let columns = Columns::new(model, material)?;
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
    use super::super::function::paper_function;
    use super::super::scope::Scope;
    use super::*;
    use crate::chess::retrograde::Store;

    /// The bound is not below the memory of making a function, and not far above it.
    #[test]
    fn functions_fit_into_the_estimate() {
        for (name, model) in [("KQvK", Model::Binary), ("KRvK", Model::Attack), ("KPvK", Model::Board)] {
            let material = name.parse().unwrap();
            let table = Store::new(None).get(&material).unwrap();
            for scope in [Scope::default(), Scope::full_board()] {
                let function = paper_function(&table, model, &scope).unwrap().function;
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
        let check = |name: &str, allowed| {
            let material = name.parse().unwrap();
            check_function_memory(&material, Model::Binary, true, allowed, "packing")
        };
        let material = "KPvKP".parse().unwrap();
        let needed =
            estimate_function(&material, Model::Binary, true).unwrap() + table_bytes(&material, Metric::Wdl);
        assert!(check("KPvKP", None).is_ok(), "no limit");
        assert!(check("KPvKP", Some(needed)).is_ok());
        let error = check("KPvKP", Some(needed - 1)).unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::BudgetExhausted);
        assert!(error.to_string().starts_with("KPvKP: packing takes up to "), "{error}");
        assert!(check("KQRBNvKQR", Some(1 << 40)).is_err(), "eight men");
    }
}
