//! Mobility: how many squares men can go to.

use super::measure::count;
use super::plan::{Family, Men, Over};
use super::view::View;
use crate::position::{Material, Role};

pub(super) const FAMILIES: [Family; 3] = [
    Family {
        name: "moves",
        parts: 9,
        over: Over::Man(|man| man.role == Role::King),
        formula: |view, [a, ..]| count(view.targets(a), 8),
    },
    Family {
        name: "goes",
        parts: 16,
        over: Over::Man(|man| man.role != Role::King),
        formula: |view, [a, ..]| count(view.targets(a), 15),
    },
    Family {
        name: "check",
        parts: 3,
        over: Over::Table(|material: &Material| material.len() > 2),
        formula: check,
    },
];

/// How many men check the side to move.
fn check(view: &View<'_>, _: Men) -> u8 {
    view.checkers(view.turn()).min(2)
}
