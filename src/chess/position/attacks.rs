//! The squares that a man attacks.
//!
//! King, knight and pawn come from tables. The sliding men use the obstruction difference, line by line: the nearest
//! blockers below and above the square on a line bound the attacked stretch, which one addition then fills. That needs
//! two words a line and square (4 KiB in all, against the hundreds of a magic-bitboard table), no multiplication and
//! no branch, so that the tables stay in the first cache beside the generator's bitmaps.
//!
//! An attack set is pseudo-legal: it contains squares of the attacker's own men, which it defends, and ignores pins. It
//! contains the square of a blocker, and none behind it.

use super::bitboard::Bitboard;
use super::man::{Man, Role};
use super::square::Square;
use crate::outcome::Color;

/// The squares of one line through a square, without the square: the squares below it and the squares above it, by number.
#[derive(Clone, Copy)]
struct Line {
    lower: u64,
    upper: u64,
}

const KING_STEPS: [(i8, i8); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
const KNIGHT_STEPS: [(i8, i8); 8] = [(-1, -2), (1, -2), (-2, -1), (2, -1), (-2, 1), (2, 1), (-1, 2), (1, 2)];

static KING: [Bitboard; 64] = leaps(&KING_STEPS);
static KNIGHT: [Bitboard; 64] = leaps(&KNIGHT_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];
/// The attacks of the leaping men by colour and role; empty for the sliding men.
static LEAPS: [[&[Bitboard; 64]; 6]; 2] =
    [[&KING, &NONE, &NONE, &NONE, &KNIGHT, &PAWN[0]], [&KING, &NONE, &NONE, &NONE, &KNIGHT, &PAWN[1]]];
static NONE: [Bitboard; 64] = [Bitboard::EMPTY; 64];
/// Rank and file of a square, in this order.
static ORTHOGONALS: [[Line; 2]; 64] = lines([(1, 0), (0, 1)]);
/// The diagonals of a square.
static DIAGONALS: [[Line; 2]; 64] = lines([(1, 1), (-1, 1)]);

/// Returns the bit of the square `steps` times `(df, dr)` away from `from`, 0 off the board.
const fn step(from: usize, (df, dr): (i8, i8), steps: i8) -> u64 {
    let (file, rank) = ((from & 7) as i8 + df * steps, (from >> 3) as i8 + dr * steps);
    if file < 0 || file > 7 || rank < 0 || rank > 7 { 0 } else { 1 << (rank * 8 + file) }
}

const fn leaps(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < steps.len() {
            table[from].0 |= step(from, steps[i], 1);
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
const fn slide(line: Line, occupied: Bitboard) -> u64 {
    let below = line.lower & occupied.0;
    let above = line.upper & occupied.0;
    let from_nearest_below = u64::MAX << (below | 1).ilog2();
    let nearest_above = above & above.wrapping_neg();
    (line.lower | line.upper) & from_nearest_below.wrapping_add(nearest_above << 1)
}

/// The squares that a king on `square` attacks.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares that a knight on `square` attacks.
#[inline]
pub const fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares that a pawn of `color` on `square` attacks: one rank ahead on the neighbouring files.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares that a bishop on `square` attacks when `occupied` holds the men that block; whether the bishop's own
/// square is among them does not matter.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let [a, b] = DIAGONALS[square.index()];
    Bitboard(slide(a, occupied) | slide(b, occupied))
}

/// The squares that a rook on `square` attacks when `occupied` holds the men that block.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let [a, b] = ORTHOGONALS[square.index()];
    Bitboard(slide(a, occupied) | slide(b, occupied))
}

/// The squares that a queen on `square` attacks when `occupied` holds the men that block.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// The squares that `man` on `square` attacks when `occupied` holds the men that block.
#[inline]
pub fn attacks(man: Man, square: Square, occupied: Bitboard) -> Bitboard {
    match man.role {
        Role::King => king(square),
        Role::Queen => queen(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Bishop => bishop(square, occupied),
        Role::Knight => knight(square),
        Role::Pawn => pawn(man.color, square),
    }
}

/// [`attacks`] for roles in an order that the processor cannot predict: with one branch in place of six.
#[inline]
pub(crate) fn of_any(man: Man, square: Square, occupied: Bitboard) -> Bitboard {
    /// Whether the man moves straight, and whether diagonally, as masks.
    const LINES: [[u64; 2]; 6] = [[0, 0], [u64::MAX; 2], [u64::MAX, 0], [0, u64::MAX], [0, 0], [0, 0]];
    let [straight, diagonal] = LINES[man.role as usize];
    if straight | diagonal == 0 {
        return LEAPS[man.color.index()][man.role as usize][square.index()];
    }
    rook(square, occupied) & Bitboard(straight) | bishop(square, occupied) & Bitboard(diagonal)
}

/// The squares strictly between `a` and `b` on their rank, file or diagonal; empty when they share none.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    // In some builds, an iterator over the lines of both tables would take a call for each pair of squares.
    for lines in [&ORTHOGONALS, &DIAGONALS] {
        for line in &lines[low.index()] {
            if Bitboard(line.upper).contains(high) {
                return Bitboard(line.upper) & !Bitboard::above(high) & !Bitboard::from(high);
            }
        }
    }
    Bitboard::EMPTY
}
