//! Lines of sliders, pins, and men that cut off others.

use super::super::block::OfSquares;
use super::family::{Arity, Family, MenNumbers};
use super::view::{View, is_slider};
use crate::chess::position::{Bitboard, Man, Role, Square, attacks};

pub(in crate::chess::model) const FAMILIES: [Family; 3] = [
    Family::new("line", 3, 25, Arity::Ordered(|a, _| is_slider(a)), line),
    Family::new("pinned", 2, 19, Arity::Ordered(can_be_pinned), pinned),
    Family::of_squares::<Cut>("cut", 3, 11, Arity::PairAndThird),
];

fn can_be_pinned(a: Man, b: Man) -> bool {
    a.color != b.color && a.role != Role::King && is_slider(b)
}

/// 0 if the second man is on no line of the first, 1 if it is but men are between, 2 if the first attacks or guards it.
fn line(view: &View<'_>, [a, b, _]: MenNumbers) -> u8 {
    let (from, to) = (view.square(a), view.square(b));
    let on_line = attacks::attacks(view.man(a), from, Bitboard::EMPTY).contains(to);
    u8::from(on_line) + u8::from(view.attacks(a).contains(to))
}

/// Whether the second man pins the first to its king.
fn pinned(view: &View<'_>, [a, b, _]: MenNumbers) -> u8 {
    let square = view.square(a);
    let between = attacks::between(view.square(b), view.king(view.man(a).color));
    let pinned = view.attacks(b).contains(square) && between & view.occupied() == square.into();
    u8::from(pinned)
}

/// 1 if the third man's file is strictly between the files of the first two, plus 1 if its rank is between their ranks.
struct Cut;

impl OfSquares for Cut {
    #[inline]
    fn value(a: Square, b: Square, c: Square) -> u8 {
        let between = |a: u8, b: u8, c: u8| u8::from((a.min(b) < c) & (c < a.max(b)));
        between(a.file(), b.file(), c.file()) + between(a.rank(), b.rank(), c.rank())
    }
}
