//! Contact: the moves of kings, and attacks, guards and captures.

use super::family::{Arity, Family, MenNumbers};
use super::view::View;
use crate::chess::position::{Role, Square};

pub(in crate::chess::model) const FAMILIES: [Family; 3] = [
    Family::new("moves", 9, 34, Arity::Man(|man| man.role == Role::King), |view, [k, ..]| {
        view.targets(k).len() as u8
    }),
    Family::new("contact", 4, 38, Arity::Man(|man| man.role != Role::King), |view, [a, ..]| {
        standing(view, a, view.square(a))
    }),
    Family::new("takes", 3, 15, Arity::Ordered(|a, b| a.color != b.color && b.role != Role::King), takes),
];

/// The attacks on `square` with man number `man` lifted: 0 by foes only, 1 by foes and friends, 2 none, 3 by friends only.
pub(in crate::chess::model) fn standing(view: &View<'_>, man: usize, square: Square) -> u8 {
    let attacked = view.danger(man).contains(square);
    2 * u8::from(!attacked) + u8::from(view.guard(man).contains(square))
}

/// 0 if the first man does not attack the second, 1 if it attacks but cannot capture safely, 2 if it can capture safely.
fn takes(view: &View<'_>, [a, b, _]: MenNumbers) -> u8 {
    let square = view.square(b);
    if !view.attacks(a).contains(square) {
        return 0;
    }
    1 + u8::from(view.safe(a).contains(square))
}
