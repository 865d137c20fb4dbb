//! Contact: where kings can go, and who attacks, guards and can take whom.

use super::family::{Family, Men, Over};
use super::view::View;
use crate::position::{Role, Square};

pub(super) const FAMILIES: [Family; 3] = [
    Family::new("moves", 9, 34, Over::Man(|man| man.role == Role::King), |view, [k, ..]| {
        view.targets(k).len() as u8
    }),
    Family::new("contact", 4, 38, Over::Man(|man| man.role != Role::King), |view, [a, ..]| {
        standing(view, a, view.square(a))
    }),
    Family::new("takes", 3, 15, Over::Ordered(|a, b| a.color != b.color && b.role != Role::King), takes),
];

/// How `square` stands for man number `man`, lifted: 0 attacked by foes and not guarded, 1 both, 2 neither, 3 guarded and
/// not attacked.
pub(super) fn standing(view: &View<'_>, man: usize, square: Square) -> u8 {
    let attacked = view.danger(man).contains(square);
    2 * u8::from(!attacked) + u8::from(view.guard(man).contains(square))
}

/// 0 the first does not attack the second, 1 it does but cannot take it safely, 2 it can.
fn takes(view: &View<'_>, [a, b, _]: Men) -> u8 {
    let square = view.square(b);
    if !view.attacks(a).contains(square) {
        return 0;
    }
    1 + u8::from(view.safe(a).contains(square))
}
