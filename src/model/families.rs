//! The families of each model, in the order of their variables.

use super::plan::Family;
use super::{
    Model, bishop, board, contact, distances, edges, geometry, knight, lines, mobility, pawn, pawn_endings,
    safe, trap, walking,
};

/// The groups of `attack`; the first two are `geometry`, the first is `board`.
const GROUPS: &[&[Family]] = &[
    &board::FAMILIES,
    &geometry::FAMILIES,
    &mobility::FAMILIES,
    &safe::FAMILIES,
    &contact::FAMILIES,
    &lines::FAMILIES,
    &pawn::FAMILIES,
    &pawn_endings::FAMILIES,
    &trap::FAMILIES,
    &walking::FAMILIES,
    &knight::FAMILIES,
    &bishop::FAMILIES,
    &edges::FAMILIES,
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
