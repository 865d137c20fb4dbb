//! The families of each model, in the order of their variables.

use super::family::Family;
use super::{Model, board, contact, distances, geometry, lines, pawn, pawn_races};

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

/// Returns the groups of families of `model`; none for `binary`, which has no families.
pub(super) fn of(model: Model) -> &'static [&'static [Family]] {
    match model {
        Model::Binary => &[],
        Model::Board => &GROUPS[..1],
        Model::Geometry => &GROUPS[..2],
        Model::Attack => GROUPS,
    }
}
