//! Distances and capped numbers, which formulas are made of.

use crate::position::Square;

/// The parts of a signed difference: -7 to 7.
pub(super) const SIGNED: u8 = 15;

/// Knight moves between squares on an empty board, 0 to 6.
static HOPS: [[u8; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let (mut reached, mut edge, mut steps) = (1u64 << from, 1u64 << from, 0);
        while edge != 0 {
            let next = knight_steps(edge) & !reached;
            reached |= next;
            edge = next;
            steps += 1;
            let mut left = next;
            while left != 0 {
                table[from][left.trailing_zeros() as usize] = steps;
                left &= left - 1;
            }
        }
        from += 1;
    }
    table
};

/// Files a and b, and g and h, left out.
const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_AB: u64 = 0xfcfc_fcfc_fcfc_fcfc;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const NOT_GH: u64 = 0x3f3f_3f3f_3f3f_3f3f;

/// The squares a knight move away from any of `from`.
pub(super) const fn knight_steps(from: u64) -> u64 {
    let one = from << 1 & NOT_A | from >> 1 & NOT_H;
    let two = from << 2 & NOT_AB | from >> 2 & NOT_GH;
    one << 16 | one >> 16 | two << 8 | two >> 8
}

/// The squares a king move away from any of `from`, among them such of `from`.
pub(super) const fn king_steps(from: u64) -> u64 {
    let row = from << 1 & NOT_A | from >> 1 & NOT_H;
    let rows = row | from;
    row | rows << 8 | rows >> 8
}

/// King moves between two squares on an empty board.
#[inline]
pub(super) fn distance(a: Square, b: Square) -> u8 {
    a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank()))
}

/// King moves from a square to the nearest of a set on an empty board; 8 to an empty set.
pub(super) fn distance_to(from: Square, set: u64) -> u8 {
    squares(set).map(|square| distance(from, square)).min().unwrap_or(8)
}

/// Knight moves between two squares on an empty board, 0 to 6.
#[inline]
pub(super) fn hops(a: Square, b: Square) -> u8 {
    HOPS[a.index()][b.index()]
}

/// `a - b` as one of 15 parts, 7 when they are equal, cut off at -7 and 7.
#[inline]
pub(super) fn difference(a: u8, b: u8) -> u8 {
    signed(i32::from(a) - i32::from(b))
}

/// A number as one of 15 parts, 7 for 0, cut off at -7 and 7.
#[inline]
pub(super) fn signed(value: i32) -> u8 {
    value.clamp(-7, 7).abs_diff(-7) as u8
}

/// The number of squares in a set, at most `cap`.
#[inline]
pub(super) fn count(set: u64, cap: u8) -> u8 {
    (set.count_ones() as u8).min(cap)
}

/// Whether a set holds a square.
#[inline]
pub(super) fn holds(set: u64, square: Square) -> bool {
    set & square.bit() != 0
}

/// The squares of a set, ascending.
#[inline]
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| Square::new(set.trailing_zeros() as u8))?;
        set &= set - 1;
        Some(square)
    })
}

/// Whether two squares are of one colour.
pub(super) fn same_shade(a: Square, b: Square) -> bool {
    (a.file() ^ a.rank() ^ b.file() ^ b.rank()) & 1 == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::attacks;

    #[test]
    fn knights_need_up_to_six_hops() {
        let square = |name| Square::parse(name).unwrap();
        for (from, to, steps) in
            [("a1", "h8", 6), ("a1", "b2", 4), ("d4", "d5", 3), ("e4", "e4", 0), ("g1", "f3", 1)]
        {
            assert_eq!(hops(square(from), square(to)), steps, "{from} {to}");
            assert_eq!(hops(square(to), square(from)), steps, "{from} {to}");
        }
    }

    #[test]
    fn steps_of_sets_are_those_of_their_squares() {
        for from in 0..64 {
            let square = Square::new(from);
            assert_eq!(knight_steps(square.bit()), attacks::knight(square).0);
            assert_eq!(king_steps(square.bit()), attacks::king(square).0);
        }
    }
}
