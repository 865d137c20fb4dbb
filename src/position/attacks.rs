//! The squares that a man attacks, as bitboards: bit [`Square::index`] stands for the square.
//!
//! King, knight and pawn come from tables. The sliding men use the obstruction difference, line by line: the nearest
//! blockers below and above the square on a line bound the attacked stretch, which one addition then fills. That needs
//! two words a line and square (4 KiB in all, against the hundreds of a magic-bitboard table), no multiplication and
//! no branch, so that the tables stay in the first cache beside the generator's bitmaps.
//!
//! An attack set is pseudo-legal: it contains squares of the attacker's own men (the set of what it defends) and knows
//! nothing of pins. A blocker's square is part of it, what lies behind is not.

use super::man::{Color, Man, Role};
use super::square::Square;

/// The squares of one line through a square, without the square: those of lower and those of higher number.
#[derive(Clone, Copy)]
struct Line {
    lower: u64,
    upper: u64,
}

const KING_STEPS: [(i8, i8); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
const KNIGHT_STEPS: [(i8, i8); 8] = [(-1, -2), (1, -2), (-2, -1), (2, -1), (-2, 1), (2, 1), (-1, 2), (1, 2)];

static KING: [u64; 64] = leaps(&KING_STEPS);
static KNIGHT: [u64; 64] = leaps(&KNIGHT_STEPS);
static PAWN: [[u64; 64]; 2] = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];
/// Rank and file of a square, in this order.
static ORTHOGONALS: [[Line; 2]; 64] = lines([(1, 0), (0, 1)]);
/// The diagonals of a square.
static DIAGONALS: [[Line; 2]; 64] = lines([(1, 1), (-1, 1)]);

/// Returns the bit of the square `steps` times `(df, dr)` away from `from`, 0 off the board.
const fn step(from: usize, (df, dr): (i8, i8), steps: i8) -> u64 {
    let (file, rank) = ((from & 7) as i8 + df * steps, (from >> 3) as i8 + dr * steps);
    if file < 0 || file > 7 || rank < 0 || rank > 7 { 0 } else { 1 << (rank * 8 + file) }
}

const fn leaps(steps: &[(i8, i8)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < steps.len() {
            table[from] |= step(from, steps[i], 1);
            i += 1;
        }
        from += 1;
    }
    table
}

/// The lines through each square in the two `directions`, each given as a step to a higher-numbered square.
const fn lines(directions: [(i8, i8); 2]) -> [[Line; 2]; 64] {
    let mut table = [[Line { lower: 0, upper: 0 }; 2]; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 2 {
            let mut steps = 1;
            while steps < 8 {
                table[from][i].lower |= step(from, directions[i], -steps);
                table[from][i].upper |= step(from, directions[i], steps);
                steps += 1;
            }
            i += 1;
        }
        from += 1;
    }
    table
}

/// The attacked squares of a line: from the highest blocker below up to the lowest blocker above, both included.
#[inline]
const fn slide(line: Line, occupied: u64) -> u64 {
    let below = line.lower & occupied;
    let above = line.upper & occupied;
    let from_nearest_below = u64::MAX << (below | 1).ilog2();
    let nearest_above = above & above.wrapping_neg();
    (line.lower | line.upper) & from_nearest_below.wrapping_add(nearest_above << 1)
}

/// The squares that a king on `square` attacks.
#[inline]
pub fn king(square: Square) -> u64 {
    KING[square.index()]
}

/// The squares that a knight on `square` attacks.
#[inline]
pub fn knight(square: Square) -> u64 {
    KNIGHT[square.index()]
}

/// The squares that a pawn of `color` on `square` attacks: one rank ahead on the neighbouring files.
#[inline]
pub fn pawn(color: Color, square: Square) -> u64 {
    PAWN[color.index()][square.index()]
}

/// The squares that a bishop on `square` attacks when `occupied` holds the men that block; whether the bishop's own
/// square is among them does not matter.
#[inline]
pub fn bishop(square: Square, occupied: u64) -> u64 {
    let [a, b] = DIAGONALS[square.index()];
    slide(a, occupied) | slide(b, occupied)
}

/// The squares that a rook on `square` attacks when `occupied` holds the men that block.
#[inline]
pub fn rook(square: Square, occupied: u64) -> u64 {
    let [a, b] = ORTHOGONALS[square.index()];
    slide(a, occupied) | slide(b, occupied)
}

/// The squares that a queen on `square` attacks when `occupied` holds the men that block.
#[inline]
pub fn queen(square: Square, occupied: u64) -> u64 {
    bishop(square, occupied) | rook(square, occupied)
}

/// The squares that `man` on `square` attacks when `occupied` holds the men that block.
#[inline]
pub fn attacks(man: Man, square: Square, occupied: u64) -> u64 {
    match man.role {
        Role::King => king(square),
        Role::Queen => queen(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Bishop => bishop(square, occupied),
        Role::Knight => knight(square),
        Role::Pawn => pawn(man.color, square),
    }
}

/// The squares strictly between `a` and `b` on their rank, file or diagonal; empty when they share none.
#[inline]
pub fn between(a: Square, b: Square) -> u64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let span = (high.bit() - 1) & !(low.bit() | (low.bit() - 1));
    let upward = |lines: &[Line; 2]| {
        lines.iter().find(|line| line.upper & high.bit() != 0).map(|line| line.upper & span)
    };
    upward(&ORTHOGONALS[low.index()]).or_else(|| upward(&DIAGONALS[low.index()])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The bitboard of the squares named in `text`.
    fn board(text: &str) -> u64 {
        text.split_whitespace().map(|name| Square::parse(name).unwrap().bit()).fold(0, |all, bit| all | bit)
    }

    fn square(name: &str) -> Square {
        Square::parse(name).unwrap()
    }

    #[test]
    fn leapers_stay_on_the_board() {
        assert_eq!(king(square("a1")), board("a2 b1 b2"));
        assert_eq!(king(square("e4")).count_ones(), 8);
        assert_eq!(knight(square("h8")), board("f7 g6"));
        assert_eq!(knight(square("d4")), board("b3 b5 c2 c6 e2 e6 f3 f5"));
        assert_eq!(pawn(Color::White, square("a2")), board("b3"));
        assert_eq!(pawn(Color::Black, square("e5")), board("d4 f4"));
        assert_eq!(pawn(Color::White, square("h8")), 0);
    }

    #[test]
    fn sliders_stop_at_blockers() {
        let occupied = board("d6 f4 b2 d1 g7");
        assert_eq!(rook(square("d4"), occupied), board("d5 d6 d3 d2 d1 a4 b4 c4 e4 f4"));
        assert_eq!(bishop(square("d4"), occupied), board("e5 f6 g7 c3 b2 c5 b6 a7 e3 f2 g1"));
        assert_eq!(queen(square("a1"), 0).count_ones(), 21);
    }

    #[test]
    fn between_needs_a_common_line() {
        assert_eq!(between(square("a1"), square("d4")), board("b2 c3"));
        assert_eq!(between(square("h1"), square("e4")), board("g2 f3"));
        assert_eq!(between(square("e8"), square("e5")), board("e6 e7"));
        assert_eq!(between(square("g3"), square("c3")), board("d3 e3 f3"));
        assert_eq!(between(square("a1"), square("b3")), 0);
        assert_eq!(between(square("a1"), square("a2")), 0);
        assert_eq!(between(square("h1"), square("a2")), 0);
        assert_eq!(between(square("c5"), square("c5")), 0);
    }

    /// A slider's attacks walked square by square.
    fn walked(from: Square, steps: &[(i8, i8)], occupied: u64) -> u64 {
        let mut all = 0;
        for &direction in steps {
            for distance in 1..8 {
                let bit = step(from.index(), direction, distance);
                all |= bit;
                if bit & occupied != 0 {
                    break;
                }
            }
        }
        all
    }

    proptest! {
        #[test]
        fn sliders_agree_with_a_walk(from in 0u8..64, a: u64, b: u64) {
            let from = Square::new(from);
            for occupied in [a, a & b, a | b] {
                prop_assert_eq!(queen(from, occupied), walked(from, &KING_STEPS, occupied));
                prop_assert_eq!(
                    bishop(from, occupied),
                    walked(from, &[(-1, -1), (1, -1), (-1, 1), (1, 1)], occupied)
                );
            }
        }

        #[test]
        fn between_is_what_blocks(a in 0u8..64, b in 0u8..64) {
            let (a, b) = (Square::new(a), Square::new(b));
            let line = queen(a, b.bit()) & queen(b, a.bit());
            let blocks = |bit: u64| queen(a, bit) & b.bit() == 0;
            let expected = (0..64).map(|i| 1u64 << i).filter(|&bit| {
                queen(a, 0) & b.bit() != 0 && bit & line != 0 && blocks(bit) && bit != b.bit()
            });
            prop_assert_eq!(between(a, b), expected.fold(0, |all, bit| all | bit));
        }
    }
}
