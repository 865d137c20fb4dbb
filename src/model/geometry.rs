//! `geometry`: how each two men stand to each other, knowing no rule of chess.
//!
//! The larger of the file and the rank difference is the way of a king, the smaller says how straight it is, and their
//! difference is zero on a diagonal, and even where the two squares are of one colour. Signs matter only
//! for pawns, whose moves have a direction.

use super::family::{Family, Over, is_pawn};
use super::measure::SIGNED;
use super::offset::OffsetFamily;
use crate::position::Man;

pub(super) const FAMILIES: [Family; 5] = [
    Family::by_offset("larger", 8, 3, Over::Pair(|_, _| true), OffsetFamily::Larger),
    Family::by_offset("smaller", 8, 3, Over::Pair(|_, _| true), OffsetFamily::Smaller),
    Family::by_offset("excess", 8, 5, Over::Pair(|_, _| true), OffsetFamily::Excess),
    Family::by_offset("files", SIGNED, 2, Over::Pair(with_pawn), OffsetFamily::Files),
    Family::by_offset("ranks", SIGNED, 1, Over::Pair(with_pawn), OffsetFamily::Ranks),
];

fn with_pawn(a: Man, b: Man) -> bool {
    is_pawn(a) || is_pawn(b)
}
