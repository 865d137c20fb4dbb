//! Knights: their distances, which are not those of kings.

use super::measure::{SIGNED, difference, distance, hops};
use super::pawn::Way;
use super::plan::{Family, Men, Over, is_pawn};
use super::view::View;
use crate::position::{Man, Role};

pub(super) const FAMILIES: [Family; 6] = [
    Family {
        name: "hops",
        parts: 7,
        over: Over::Ordered(|a, _| is_knight(a)),
        formula: |view, [n, b, _]| hops(view.square(n), view.square(b)),
    },
    Family { name: "hops_edge", parts: SIGNED, over: Over::Man(is_knight), formula: hops_edge },
    Family { name: "hunt", parts: SIGNED, over: Over::Man(is_knight), formula: hunt },
    Family { name: "chase", parts: SIGNED, over: Over::Triple(chased), formula: chase },
    Family {
        name: "hops_front",
        parts: 7,
        over: Over::Ordered(knight_and_pawn),
        formula: |view, [n, p, _]| hops(view.square(n), Way::of(view, p).front),
    },
    Family {
        name: "hops_goal",
        parts: 7,
        over: Over::Ordered(knight_and_pawn),
        formula: |view, [n, p, _]| hops(view.square(n), Way::of(view, p).goal),
    },
];

fn is_knight(man: Man) -> bool {
    man.role == Role::Knight
}

fn knight_and_pawn(a: Man, b: Man) -> bool {
    is_knight(a) && is_pawn(b)
}

/// A king, a knight, and a man that is no king.
fn chased(a: Man, b: Man, c: Man) -> bool {
    a.role == Role::King && is_knight(b) && c.role != Role::King
}

/// The knight's hops to its own king less those to the other.
fn hops_edge(view: &View<'_>, [n, ..]: Men) -> u8 {
    let color = view.man(n).color;
    let to = |color| hops(view.square(n), view.king(color));
    difference(to(color), to(color.other()))
}

/// The knight's hops to its own king less the other king's distance to the knight.
fn hunt(view: &View<'_>, [n, ..]: Men) -> u8 {
    let color = view.man(n).color;
    let home = hops(view.square(n), view.king(color));
    difference(home, distance(view.king(color.other()), view.square(n)))
}

/// The king's distance to a third man less the knight's hops to it.
fn chase(view: &View<'_>, [k, n, c]: Men) -> u8 {
    difference(distance(view.square(k), view.square(c)), hops(view.square(n), view.square(c)))
}
