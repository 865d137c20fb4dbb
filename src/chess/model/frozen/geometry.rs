//! `geometry`: the relative squares of each two men, without any rule of chess.
//!
//! The larger of the file and rank differences is the number of king moves. The smaller is 0 if both men share a file or rank.
//! The excess of the larger is 0 on a diagonal, and even for squares of the same colour. Signs matter only for pawns, whose
//! moves have a direction.

use super::family::{Arity, Family, is_pawn};
use super::measure::SIGNED;
use super::offset::OffsetFamily;
use crate::chess::position::Man;

pub(in crate::chess::model) const FAMILIES: [Family; 5] = [
    Family::by_offset("larger", 8, 3, Arity::Pair(|_, _| true), OffsetFamily::Larger),
    Family::by_offset("smaller", 8, 3, Arity::Pair(|_, _| true), OffsetFamily::Smaller),
    Family::by_offset("excess", 8, 5, Arity::Pair(|_, _| true), OffsetFamily::Excess),
    Family::by_offset("files", SIGNED, 2, Arity::Pair(with_pawn), OffsetFamily::Files),
    Family::by_offset("ranks", SIGNED, 1, Arity::Pair(with_pawn), OffsetFamily::Ranks),
];

fn with_pawn(a: Man, b: Man) -> bool {
    is_pawn(a) || is_pawn(b)
}
