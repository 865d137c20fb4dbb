//! Bishops: the colour of squares.

use super::measure::{distance, same_shade};
use super::pawn::Way;
use super::plan::{Family, Men, Over, is_pawn};
use super::view::View;
use crate::position::{Man, Role, Square};

pub(super) const FAMILIES: [Family; 5] = [
    Family {
        name: "shade",
        parts: 2,
        over: Over::Pair(|_, _| true),
        formula: |view, [a, b, _]| u8::from(same_shade(view.square(a), view.square(b))),
    },
    Family { name: "shade_goal", parts: 2, over: Over::Ordered(bishop_and_pawn), formula: shade_goal },
    Family { name: "wrong", parts: 2, over: Over::Ordered(bishop_and_own_pawn), formula: wrong },
    Family {
        name: "corner_same",
        parts: 8,
        over: Over::Ordered(bishop_and_king),
        formula: |view, men| corner(view, men, true),
    },
    Family {
        name: "corner_other",
        parts: 8,
        over: Over::Ordered(bishop_and_king),
        formula: |view, men| corner(view, men, false),
    },
];

fn bishop_and_pawn(a: Man, b: Man) -> bool {
    a.role == Role::Bishop && is_pawn(b)
}

fn bishop_and_own_pawn(a: Man, b: Man) -> bool {
    bishop_and_pawn(a, b) && a.color == b.color
}

fn bishop_and_king(a: Man, b: Man) -> bool {
    a.role == Role::Bishop && b.role == Role::King
}

/// Whether the bishop's squares are of the colour of where the pawn promotes.
fn shade_goal(view: &View<'_>, [b, p, _]: Men) -> u8 {
    u8::from(same_shade(view.square(b), Way::of(view, p).goal))
}

/// Whether the pawn is on file a or h and the bishop not of the colour of where it promotes.
fn wrong(view: &View<'_>, men: Men) -> u8 {
    let file = view.square(men[1]).file();
    u8::from(matches!(file, 0 | 7)) & (1 - shade_goal(view, men))
}

/// The king's distance to the nearest corner of the bishop's colour, or of the other.
fn corner(view: &View<'_>, [b, k, _]: Men, same: bool) -> u8 {
    let corners = [(0, 0), (7, 0), (0, 7), (7, 7)].map(|(file, rank)| Square::at(file, rank));
    let of_colour = corners.into_iter().filter(|&corner| same_shade(view.square(b), corner) == same);
    of_colour.map(|corner| distance(view.square(k), corner)).min().unwrap_or(7)
}
