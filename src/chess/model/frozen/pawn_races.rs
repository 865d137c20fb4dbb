//! Races of two pawns of different colours: whether they have passed each other, and which pawn is ahead.

use super::family::{Arity, Family, MenNumbers, are_rivals};
use super::measure::{SIGNED, difference, distance, signed};
use super::pawn::PromotionPath;
use super::view::View;
use crate::chess::position::Color;

pub(in crate::chess::model) const FAMILIES: [Family; 4] = [
    Family::new("passed", 2, 4, Arity::Pair(are_rivals), passed),
    Family::new("steps_lead", SIGNED, 4, Arity::Pair(are_rivals), |view, [a, b, _]| {
        difference(PromotionPath::of(view, a).steps, PromotionPath::of(view, b).steps)
    }),
    Family::new("race_lead", SIGNED, 9, Arity::Pair(are_rivals), race_lead),
    Family::new("raid", SIGNED, 5, Arity::Pair(are_rivals), raid),
];

/// Whether two pawns of different colours have passed each other, or are two files or more apart.
fn passed(view: &View<'_>, [a, b, _]: MenNumbers) -> u8 {
    let apart = view.square(a).file().abs_diff(view.square(b).file()) > 1;
    let (white, black) = if view.man(a).color == Color::White { (a, b) } else { (b, a) };
    u8::from(apart || view.square(white).rank() >= view.square(black).rank())
}

/// The delay of the other side's king behind the first pawn, less the delay behind the second. The delay is the king's distance
/// to the promotion square less the pawn's moves.
fn race_lead(view: &View<'_>, [a, b, _]: MenNumbers) -> u8 {
    let behind = |pawn: usize| {
        let path = PromotionPath::of(view, pawn);
        let king = view.king(view.man(pawn).color.other());
        i32::from(distance(king, path.goal)) - i32::from(path.steps)
    };
    signed(behind(a) - behind(b))
}

/// The distance of the first pawn from the other side's king, less the same for the second pawn.
fn raid(view: &View<'_>, [a, b, _]: MenNumbers) -> u8 {
    let hunter = |pawn: usize| distance(view.king(view.man(pawn).color.other()), view.square(pawn));
    difference(hunter(a), hunter(b))
}
