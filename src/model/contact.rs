//! Contact: who attacks, guards and can take whom, and pins.

use super::measure::holds;
use super::plan::{Family, Men, Over};
use super::view::{View, is_slider};
use crate::position::{Man, Role, Square, attacks};

pub(super) const FAMILIES: [Family; 4] = [
    Family {
        name: "contact",
        parts: 4,
        over: Over::Man(|man| man.role != Role::King),
        formula: |view, [a, ..]| standing(view, a, view.square(a)),
    },
    Family { name: "takes", parts: 3, over: Over::Ordered(can_take), formula: takes },
    Family { name: "pinned", parts: 2, over: Over::Ordered(can_be_pinned), formula: pinned },
    Family { name: "line", parts: 3, over: Over::Ordered(|a, _| is_slider(a)), formula: line },
];

fn can_take(a: Man, b: Man) -> bool {
    a.color != b.color && b.role != Role::King
}

fn can_be_pinned(a: Man, b: Man) -> bool {
    a.color != b.color && a.role != Role::King && is_slider(b)
}

/// How `square` stands for man number `man`, lifted: 0 attacked by foes and not guarded, 1 both, 2 neither, 3 guarded and
/// not attacked.
pub(super) fn standing(view: &View<'_>, man: usize, square: Square) -> u8 {
    let attacked = holds(view.danger(man), square);
    2 * u8::from(!attacked) + u8::from(holds(view.guard(man), square))
}

/// 0 the first does not attack the second, 1 it does but cannot take it safely, 2 it can.
fn takes(view: &View<'_>, [a, b, _]: Men) -> u8 {
    let square = view.square(b);
    u8::from(holds(view.attacks(a), square)) + u8::from(holds(view.safe(a), square))
}

/// Whether the second pins the first to its king.
fn pinned(view: &View<'_>, [a, b, _]: Men) -> u8 {
    let square = view.square(a);
    let between = attacks::between(view.square(b), view.king(view.man(a).color));
    let pinned = holds(view.attacks(b), square) && between & view.occupied() == square.bit();
    u8::from(pinned)
}

/// 0 the second is on no line of the first, 1 on one, but men are between, 2 the first attacks or guards it.
fn line(view: &View<'_>, [a, b, _]: Men) -> u8 {
    let (from, to) = (view.square(a), view.square(b));
    let on_line = holds(attacks::attacks(view.man(a), from, 0), to);
    u8::from(on_line) + u8::from(holds(view.attacks(a), to))
}
