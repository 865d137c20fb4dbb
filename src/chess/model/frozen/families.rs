//! The families of each model, in the order of their variables.

use super::family::{Family, Formula, FormulaKind};
use super::{binary, board, contact, distances, geometry, lines, pawn, pawn_races};
use crate::chess::model::Model;

/// The groups of families in `attack`. `geometry` has the first two groups, `board` only the first.
pub(in crate::chess::model) const GROUPS: &[&[Family]] = &[
    &board::FAMILIES,
    &geometry::FAMILIES,
    &contact::FAMILIES,
    &lines::FAMILIES,
    &pawn::FAMILIES,
    &pawn_races::FAMILIES,
    &distances::FAMILIES,
];

/// The number of values of the six bits for the family in a variable's code. The last two values are [`OFFSET`] and [`BINARY`].
pub(in crate::chess::model) const MAX_FAMILIES: usize = 64;

/// In place of a family's number: a variable by offset, and a variable of `binary`.
pub(in crate::chess::model) const OFFSET: usize = MAX_FAMILIES - 2;
pub(in crate::chess::model) const BINARY: usize = MAX_FAMILIES - 1;

/// The formulas of the families, by number. Every other number has the formula of `binary`.
pub(in crate::chess::model) static FORMULAS: [Formula; MAX_FAMILIES] = {
    let mut formulas: [Formula; MAX_FAMILIES] = [binary::bit; MAX_FAMILIES];
    let (mut number, mut group) = (0, 0);
    while group < GROUPS.len() {
        let mut at = 0;
        while at < GROUPS[group].len() {
            match GROUPS[group][at].formula {
                FormulaKind::Formula(formula) | FormulaKind::Squares(formula, _) => {
                    formulas[number] = formula;
                }
                FormulaKind::Offset(_) => {}
            }
            (number, at) = (number + 1, at + 1);
        }
        group += 1;
    }
    assert!(number <= OFFSET);
    formulas
};

/// Returns the groups of families of `model`. `binary` has none.
pub(in crate::chess::model) fn of(model: Model) -> &'static [&'static [Family]] {
    match model {
        Model::Binary => &[],
        Model::Board => &GROUPS[..1],
        Model::Geometry => &GROUPS[..2],
        Model::Attack => GROUPS,
    }
}
