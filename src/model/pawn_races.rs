//! Two pawns of different colours: whether they are past each other, and which of them runs ahead.

use super::family::{Family, Men, Over, are_rivals};
use super::measure::{SIGNED, difference, distance, signed};
use super::pawn::Way;
use super::view::View;
use crate::position::Color;

pub(super) const FAMILIES: [Family; 4] = [
    Family::new("passed", 2, 4, Over::Pair(are_rivals), passed),
    Family::new("steps_lead", SIGNED, 4, Over::Pair(are_rivals), |view, [a, b, _]| {
        difference(Way::of(view, a).steps, Way::of(view, b).steps)
    }),
    Family::new("race_lead", SIGNED, 9, Over::Pair(are_rivals), race_lead),
    Family::new("raid", SIGNED, 5, Over::Pair(are_rivals), raid),
];

/// Whether two pawns of different colours are past each other, or two files or more apart.
fn passed(view: &View<'_>, [a, b, _]: Men) -> u8 {
    let apart = view.square(a).file().abs_diff(view.square(b).file()) > 1;
    let (white, black) = if view.man(a).color == Color::White { (a, b) } else { (b, a) };
    u8::from(apart || view.square(white).rank() >= view.square(black).rank())
}

/// How much further behind the first pawn the second one's king is than the first one's king behind the second pawn, each
/// by its distance to the promotion square less the pawn's moves.
fn race_lead(view: &View<'_>, [a, b, _]: Men) -> u8 {
    let behind = |pawn: usize| {
        let way = Way::of(view, pawn);
        let king = view.king(view.man(pawn).color.other());
        i32::from(distance(king, way.goal)) - i32::from(way.steps)
    };
    signed(behind(a) - behind(b))
}

/// The distance to the first pawn of the other side's king less the distance to the second of the other side's.
fn raid(view: &View<'_>, [a, b, _]: Men) -> u8 {
    let hunter = |pawn: usize| distance(view.king(view.man(pawn).color.other()), view.square(pawn));
    difference(hunter(a), hunter(b))
}
