//! Distances: a knight's moves, which of two men is nearer to a third, and how three men lie.

use super::family::{Family, Men, Over};
use super::measure::{SIGNED, difference, distance, hops};
use super::offset::OffsetFamily;
use super::view::View;
use crate::position::{Role, Square};

pub(super) const FAMILIES: [Family; 6] = [
    Family::new("hops", 7, 2, Over::Ordered(|a, _| a.role == Role::Knight), |view, [n, b, _]| {
        hops(view.square(n), view.square(b))
    }),
    Family::new("nearer", SIGNED, 5, Over::PairAndThird, nearer),
    Family::new("detour", 15, 5, Over::PairAndThird, detour),
    Family::by_offset("taxi", 15, 2, Over::Pair(|_, _| true), OffsetFamily::Taxi),
    Family::new("taxi_nearer", SIGNED, 5, Over::PairAndThird, taxi_nearer),
    Family::new("area", 16, 5, Over::Three, area),
];

/// The first man's distance to the third less the second's.
fn nearer(view: &View<'_>, [a, b, c]: Men) -> u8 {
    let to = |man| distance(view.square(man), view.square(c));
    difference(to(a), to(b))
}

/// What the first two men's distance to each other grows by through the third.
fn detour(view: &View<'_>, [a, b, c]: Men) -> u8 {
    let [a, b, c] = [a, b, c].map(|man| view.square(man));
    (distance(a, c) + distance(b, c) - distance(a, b)).min(14)
}

/// File and rank difference together.
fn taxi(a: Square, b: Square) -> u8 {
    a.file().abs_diff(b.file()) + a.rank().abs_diff(b.rank())
}

/// The first man's file and rank difference to the third less the second's.
fn taxi_nearer(view: &View<'_>, [a, b, c]: Men) -> u8 {
    let to = |man| taxi(view.square(man), view.square(c));
    difference(to(a), to(b))
}

/// Twice the area of the triangle of three men, at most 15; 0 on one line.
fn area(view: &View<'_>, [a, b, c]: Men) -> u8 {
    let [a, b, c] = [a, b, c].map(|man| view.square(man));
    let from_a = |square: Square| {
        (i32::from(square.file()) - i32::from(a.file()), i32::from(square.rank()) - i32::from(a.rank()))
    };
    let (b, c) = (from_a(b), from_a(c));
    (b.0 * c.1 - b.1 * c.0).unsigned_abs().min(15) as u8
}
