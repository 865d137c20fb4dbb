//! `geometry`: how each two men stand to each other, knowing no rule of chess.
//!
//! The larger of the file and the rank difference is the way of a king, the smaller says how straight it is, and their
//! difference is zero on a diagonal and tells by its parity whether the two squares are of one colour. Signs matter only
//! for pawns, whose moves have a direction.

use super::family::{Family, Over, is_pawn};
use super::measure::{SIGNED, difference};
use super::view::View;
use crate::position::{Man, Square};

pub(super) const FAMILIES: [Family; 5] = [
    Family::new("larger", 8, 3, Over::Pair(|_, _| true), |view, [a, b, _]| differences(view, a, b).1),
    Family::new("smaller", 8, 3, Over::Pair(|_, _| true), |view, [a, b, _]| differences(view, a, b).0),
    Family::new("excess", 8, 5, Over::Pair(|_, _| true), |view, [a, b, _]| {
        let (smaller, larger) = differences(view, a, b);
        larger - smaller
    }),
    Family::new("files", SIGNED, 2, Over::Pair(with_pawn), |view, [a, b, _]| {
        signed(view, a, b, Square::file)
    }),
    Family::new("ranks", SIGNED, 1, Over::Pair(with_pawn), |view, [a, b, _]| {
        signed(view, a, b, Square::rank)
    }),
];

fn with_pawn(a: Man, b: Man) -> bool {
    is_pawn(a) || is_pawn(b)
}

/// The smaller and the larger of the file and the rank difference.
fn differences(view: &View<'_>, a: usize, b: usize) -> (u8, u8) {
    let (a, b) = (view.square(a), view.square(b));
    let (files, ranks) = (a.file().abs_diff(b.file()), a.rank().abs_diff(b.rank()));
    (files.min(ranks), files.max(ranks))
}

/// How much more the second man's coordinate is than the first's.
fn signed(view: &View<'_>, a: usize, b: usize, coordinate: fn(Square) -> u8) -> u8 {
    difference(coordinate(view.square(b)), coordinate(view.square(a)))
}
