//! Distances compared: which of two men is nearer to a third.

use super::measure::{SIGNED, difference, distance};
use super::plan::{Family, Men, Over};
use super::view::View;

pub(super) const FAMILIES: [Family; 1] =
    [Family { name: "nearer", parts: SIGNED, over: Over::Triple(|_, _, _| true), formula: nearer }];

/// The first man's distance to the third less the second's.
fn nearer(view: &View<'_>, [a, b, c]: Men) -> u8 {
    let to = |man| distance(view.square(man), view.square(c));
    difference(to(a), to(b))
}
