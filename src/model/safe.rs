//! Safe squares: where a man can go without being attacked there, and what it would attack from there.

use super::measure::{count, holds, squares};
use super::plan::{Family, Men, Over};
use super::view::{View, is_slider, sources};
use crate::position::{Bitboard, Man, Role, Square, attacks};

pub(super) const FAMILIES: [Family; 6] = [
    Family {
        name: "safe",
        parts: 9,
        over: Over::Man(|man| man.role != Role::King),
        formula: |view, [a, ..]| count(view.safe(a), 8),
    },
    Family { name: "reach", parts: 5, over: Over::Ordered(can_reach), formula: reach },
    Family { name: "fork", parts: 3, over: Over::Ordered(can_fork), formula: fork },
    Family { name: "next", parts: 16, over: Over::Man(can_go_on), formula: next },
    Family { name: "pin", parts: 3, over: Over::Ordered(can_pin), formula: pin },
    Family { name: "skewer", parts: 3, over: Over::Ordered(can_line_up), formula: skewer },
];

/// Whether the second attacks every square from which the first would attack it.
fn sees_back(a: Man, b: Man) -> bool {
    a.role == b.role
        || b.role == Role::Queen && a.role != Role::Knight
        || a.role == Role::Pawn && matches!(b.role, Role::Bishop | Role::King)
}

/// The second is a friend other than the king, or a foe that the first may attack unattacked.
fn can_reach(a: Man, b: Man) -> bool {
    if a.color == b.color { b.role != Role::King } else { !sees_back(a, b) }
}

/// The second is a foe other than the king, and the first may attack it and the king.
fn can_fork(a: Man, b: Man) -> bool {
    a.color != b.color && a.role != Role::King && b.role != Role::King && !sees_back(a, b)
}

/// Not a queen, which has more than enough squares nearly always.
fn can_go_on(man: Man) -> bool {
    !matches!(man.role, Role::Pawn | Role::Queen)
}

fn can_pin(a: Man, b: Man) -> bool {
    is_slider(a) && can_fork(a, b)
}

fn can_line_up(a: Man, b: Man) -> bool {
    is_slider(a) && a.color != b.color && b.role != Role::King
}

/// Safe squares from which the first would attack the second, or guard it.
fn reach(view: &View<'_>, [a, b, _]: Men) -> u8 {
    count(view.safe(a) & view.sources(a, view.square(b)), 4)
}

/// Safe squares from which the first would attack both the second and its king.
fn fork(view: &View<'_>, [a, b, _]: Men) -> u8 {
    let king = view.king(view.man(b).color);
    count(view.safe(a) & view.sources(a, view.square(b)) & view.sources(a, king), 2)
}

/// The most squares that the man could go on to, unattacked, from one of its safe squares.
fn next(view: &View<'_>, [a, ..]: Men) -> u8 {
    let man = view.man(a);
    let free = !view.men_of(man.color) & !view.danger(a);
    let onward = |to| count(attacks::attacks(man, to, Bitboard(view.lifted(a))).0 & free, 15);
    squares(view.safe(a)).map(onward).max().unwrap_or(0)
}

/// Safe squares from which the first would pin the second to its king.
fn pin(view: &View<'_>, [a, b, _]: Men) -> u8 {
    let king = view.king(view.man(b).color);
    count(view.safe(a) & behind(view, a, king, b), 2)
}

/// Safe squares from which the first would attack the second through its king.
fn skewer(view: &View<'_>, [a, b, _]: Men) -> u8 {
    let king = view.man(b).color.index();
    count(view.safe(a) & behind(view, a, view.square(b), king), 2)
}

/// The squares from which man `a` would attack `square` if man `between`, which alone is in the way, were not.
fn behind(view: &View<'_>, a: usize, square: Square, between: usize) -> u64 {
    let seen = view.sources(a, square);
    if !holds(seen, view.square(between)) {
        return 0;
    }
    sources(view.man(a), square, view.lifted(a) & !view.square(between).bit()) & !seen
}
