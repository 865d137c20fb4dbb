//! The families of each model, in the order of their variables.

use super::family::{Family, Formula, PartsBy};
use super::{Model, binary, board, contact, distances, geometry, lines, pawn, pawn_races};

/// The groups of `attack`; the first two are `geometry`, the first is `board`.
pub(super) const GROUPS: &[&[Family]] = &[
    &board::FAMILIES,
    &geometry::FAMILIES,
    &contact::FAMILIES,
    &lines::FAMILIES,
    &pawn::FAMILIES,
    &pawn_races::FAMILIES,
    &distances::FAMILIES,
];

/// The numbers that families may have, which take six bits; two are something else.
pub(super) const MAX_FAMILIES: usize = 64;

/// In place of the number of a family: of all those by offset, and of the variables of `binary`.
pub(super) const OFFSET: usize = MAX_FAMILIES - 2;
pub(super) const BINARY: usize = MAX_FAMILIES - 1;

/// The formulas of the families that have one, in the order of the groups; that of the variables of `binary` in all other
/// places.
pub(super) static FORMULAS: [Formula; MAX_FAMILIES] = {
    let mut formulas: [Formula; MAX_FAMILIES] = [binary::bit; MAX_FAMILIES];
    let (mut number, mut group) = (0, 0);
    while group < GROUPS.len() {
        let mut at = 0;
        while at < GROUPS[group].len() {
            match GROUPS[group][at].parts_by {
                PartsBy::Formula(formula) | PartsBy::Squares(formula, _) => formulas[number] = formula,
                PartsBy::Offset(_) => {}
            }
            (number, at) = (number + 1, at + 1);
        }
        group += 1;
    }
    assert!(number <= OFFSET);
    formulas
};

/// Returns the groups of families of `model`; none for `binary`, which has no families.
pub(super) fn of(model: Model) -> &'static [&'static [Family]] {
    match model {
        Model::Binary => &[],
        Model::Board => &GROUPS[..1],
        Model::Geometry => &GROUPS[..2],
        Model::Attack => GROUPS,
    }
}
