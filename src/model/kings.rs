//! Kings compared: which of two is nearer to a man, and to which of two men one is nearer.

use super::measure::{SIGNED, difference, distance};
use super::plan::{Family, Men, Over};
use super::view::View;
use crate::position::{Man, Role};

pub(super) const FAMILIES: [Family; 1] =
    [Family { name: "nearer", parts: SIGNED, over: Over::Triple(compared), formula: nearer }];

/// Two kings and another man, or two other men and a king.
fn compared(a: Man, b: Man, c: Man) -> bool {
    let king = |man: Man| man.role == Role::King;
    king(a) == king(b) && king(a) != king(c)
}

/// The first man's distance to the third less the second's.
fn nearer(view: &View<'_>, [a, b, c]: Men) -> u8 {
    let to = |man| distance(view.square(man), view.square(c));
    difference(to(a), to(b))
}
