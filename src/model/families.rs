//! The families of each model, in the order of their variables.

use super::family::{Family, Formula, Men, PartsBy};
use super::view::View;
use super::{Model, binary, board, contact, distances, geometry, lines, pawn, pawn_races};

/// The groups of `attack`; the first two are `geometry`, the first is `board`.
const GROUPS: &[&[Family]] = &[
    &board::FAMILIES,
    &geometry::FAMILIES,
    &contact::FAMILIES,
    &lines::FAMILIES,
    &pawn::FAMILIES,
    &pawn_races::FAMILIES,
    &distances::FAMILIES,
];

/// The most families that there may be: the number of one takes six bits.
pub(super) const MAX_FAMILIES: usize = 64;

/// The numbers of the formulas that serve several families: those by offset, and the variables of `binary`.
pub(super) const OFFSET: usize = MAX_FAMILIES - 2;
pub(super) const BINARY: usize = MAX_FAMILIES - 1;

/// The formulas of all families in the order of the groups, then those that serve several.
pub(super) static FORMULAS: [Formula; MAX_FAMILIES] = {
    let mut formulas: [Formula; MAX_FAMILIES] = [by_offset; MAX_FAMILIES];
    let (mut number, mut group) = (0, 0);
    while group < GROUPS.len() {
        let mut at = 0;
        while at < GROUPS[group].len() {
            if let PartsBy::Formula(formula) = GROUPS[group][at].parts_by {
                formulas[number] = formula;
            }
            (number, at) = (number + 1, at + 1);
        }
        group += 1;
    }
    assert!(number <= OFFSET);
    formulas[BINARY] = binary::bit;
    formulas
};

/// The formula of all families by offset.
fn by_offset(view: &View<'_>, digits: Men) -> u8 {
    view.coordinates().part(digits)
}

/// Returns the groups of families of `model`; none for `binary`, which has no families.
pub(super) fn of(model: Model) -> &'static [&'static [Family]] {
    match model {
        Model::Binary => &[],
        Model::Board => &GROUPS[..1],
        Model::Geometry => &GROUPS[..2],
        Model::Attack => GROUPS,
    }
}
