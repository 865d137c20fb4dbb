//! Distances and capped numbers for formulas.

use crate::chess::position::{Bitboard, Square, attacks};

/// The values of a signed difference: -7 to 7.
pub(in crate::chess::model) const SIGNED: u8 = 15;

/// Knight moves between squares on an empty board, 0 to 6.
static HOPS: [[u8; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let (mut reached, mut newest, mut hops) = (1u64 << from, 1u64 << from, 0);
        while newest != 0 {
            hops += 1;
            let mut next = 0;
            while newest != 0 {
                next |= attacks::knight(Square::new(newest.trailing_zeros() as u8)).0;
                newest &= newest - 1;
            }
            newest = next & !reached;
            reached |= newest;
            let mut left = newest;
            while left != 0 {
                table[from][left.trailing_zeros() as usize] = hops;
                left &= left - 1;
            }
        }
        from += 1;
    }
    table
};

/// King moves between two squares on an empty board.
#[inline]
pub(in crate::chess::model) fn distance(a: Square, b: Square) -> u8 {
    a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank()))
}

/// Knight moves between two squares on an empty board, 0 to 6.
#[inline]
pub(in crate::chess::model) fn hops(a: Square, b: Square) -> u8 {
    HOPS[a.index()][b.index()]
}

/// `a - b`, limited to -7 to 7, plus 7.
#[inline]
pub(in crate::chess::model) fn difference(a: u8, b: u8) -> u8 {
    // In bytes, for vector instructions.
    a.saturating_sub(b).min(7) + 7 - b.saturating_sub(a).min(7)
}

/// A number, limited to -7 to 7, plus 7.
#[inline]
pub(in crate::chess::model) fn signed(value: i32) -> u8 {
    value.clamp(-7, 7).abs_diff(-7) as u8
}

/// The number of squares in a set, at most `cap`.
#[inline]
pub(in crate::chess::model) fn count(set: Bitboard, cap: u8) -> u8 {
    (set.len() as u8).min(cap)
}
