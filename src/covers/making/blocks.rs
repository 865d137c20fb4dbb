//! The don't-care blocks of model `binary`: large parts of the input space as single rows.
//!
//! Source: Gomboc & Shelton, section 2.4, where a pawn on the eighth rank is one row. Here there are also blocks for two men on
//! one square, adjacent kings, an anchor outside its region, identical men out of order, the side to move that a symmetric table
//! does not store, and impossible en-passant codes.

use super::columns::Columns;
use super::placements::{capturing_rank, man_squares, pushed_square};
use super::scope::Scope;
use crate::chess::position::{Bitboard, Color, Material, Role, Square, attacks};
use espresso::Cover;
use std::collections::HashMap;

/// A set of squares that is a sub-cube of the six bits of a square, a8 = 0. Bits outside `care` are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SquareCube {
    /// The fixed bits; bit 5 is the first (most significant) of the six.
    pub care: u8,
    /// Their values.
    pub value: u8,
}

impl SquareCube {
    const fn of(square: Square) -> Self {
        SquareCube { care: 0o77, value: square.index() as u8 ^ 0o70 }
    }

    fn squares(self) -> Bitboard {
        (0..64u8).filter(|index| (index ^ 0o70) & self.care == self.value).map(Square::new).collect()
    }
}

/// Returns disjoint sub-cubes whose union is `squares`: as few as recursive splits on single bits can give.
pub(super) fn square_cubes(squares: Bitboard) -> Vec<SquareCube> {
    Splitter { squares, best: HashMap::new() }.split(SquareCube { care: 0, value: 0 })
}

struct Splitter {
    squares: Bitboard,
    /// The cubes of the best split of each mixed sub-cube.
    best: HashMap<SquareCube, Vec<SquareCube>>,
}

impl Splitter {
    fn split(&mut self, cube: SquareCube) -> Vec<SquareCube> {
        let inside = cube.squares();
        if (self.squares & inside).is_empty() {
            return Vec::new();
        }
        if self.squares & inside == inside {
            return vec![cube];
        }
        if let Some(known) = self.best.get(&cube) {
            return known.clone();
        }
        let bits = [0o40, 0o20, 0o10, 0o4, 0o2, 0o1].into_iter().filter(|bit| cube.care & bit == 0);
        let splits = bits.map(|bit| {
            let halves =
                [cube.value, cube.value | bit].map(|value| SquareCube { care: cube.care | bit, value });
            halves.map(|half| self.split(half)).concat()
        });
        let best = splits.min_by_key(Vec::len).unwrap_or_default();
        self.best.insert(cube, best.clone());
        best
    }
}

/// A block: sub-cubes for some men, and an en-passant code.
#[derive(Clone, Default)]
struct Block {
    men: Vec<(usize, SquareCube)>,
    /// The mask of fixed bits among the four en-passant bits, and their values.
    en_passant: Option<(u8, u8)>,
}

/// Appends the don't-care blocks of `turn` to `dc`, with all outputs set.
pub(super) fn push_blocks(
    material: &Material,
    scope: &Scope,
    turn: Color,
    columns: &Columns,
    dc: &mut Cover,
) {
    let mut add = |block: &Block| {
        let mut cube = dc.space().full().to_vec();
        columns.fix_turn(&mut cube, turn);
        for &(man, square) in &block.men {
            for bit in (0..6).filter(|bit| square.care >> bit & 1 != 0) {
                columns.fix(&mut cube, man * 6 + 5 - bit, (square.value >> bit & 1) as usize);
            }
        }
        if let Some((care, value)) = block.en_passant {
            for bit in (0..4).filter(|bit| care >> bit & 1 != 0) {
                columns.fix(&mut cube, material.len() * 6 + 3 - bit, (value >> bit & 1) as usize);
            }
        }
        dc.push(&cube);
    };
    if scope.canonical && !material.stored_turns().contains(&turn) {
        add(&Block::default());
        return;
    }
    let men = material.men();
    for man in 0..men.len() {
        for cube in square_cubes(!man_squares(material, man, scope, turn)) {
            add(&Block { men: vec![(man, cube)], ..Block::default() });
        }
        for other in 0..man {
            for square in (0..64).map(Square::new) {
                let here = SquareCube::of(square);
                add(&Block { men: vec![(man, here), (other, here)], ..Block::default() });
            }
        }
        if scope.canonical && man > 0 && men[man] == men[man - 1] {
            for (before, after) in out_of_order() {
                add(&Block { men: vec![(man - 1, before), (man, after)], ..Block::default() });
            }
        }
    }
    for white in (0..64).map(Square::new) {
        for black in square_cubes(attacks::king(white)) {
            add(&Block { men: vec![(0, SquareCube::of(white)), (1, black)], ..Block::default() });
        }
    }
    if material.has_en_passant() {
        // Codes 0001 to 0111 are unused.
        for (care, value) in [(0b1100, 0b0100), (0b1110, 0b0010), (0b1111, 0b0001)] {
            add(&Block { en_passant: Some((care, value)), ..Block::default() });
        }
        for file in 0..8 {
            for (man, &pawn) in men.iter().enumerate().filter(|(_, man)| man.role == Role::Pawn) {
                if men.iter().filter(|&&other| other == pawn).count() > 1 {
                    continue;
                }
                let possible =
                    if pawn.color == turn { capturing_rank(turn) } else { pushed_square(turn, file).into() };
                for cube in square_cubes(!possible) {
                    let en_passant = Some((0b1111, 0b1000 | file));
                    add(&Block { men: vec![(man, cube)], en_passant });
                }
            }
        }
    }
}

/// Returns disjoint pairs of sub-cubes that cover all pairs of squares with the first above the second (a1 = 0). After equal
/// leading bits, the first sub-cube has a 1 and the second a 0.
fn out_of_order() -> Vec<(SquareCube, SquareCube)> {
    let mut pairs = Vec::new();
    for length in 0..6u8 {
        let care = !(0o77u8 >> length) & 0o77;
        let next = 0o40 >> length;
        for prefix in (0..64u8).filter(|prefix| prefix & !care == 0) {
            // The codes count ranks from the eighth: the rank bits are inverted.
            let code = |index: u8| SquareCube { care: care | next, value: (index ^ 0o70) & (care | next) };
            pairs.push((code(prefix | next), code(prefix)));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_cubes_are_disjoint_and_exact() {
        for set in [0, 1, u64::MAX, 0x00ff_ffff_ffff_ff00, 0x0f0f_0f0f_0f0f_0f0f, 0x8040_2010_0804_0201] {
            let set = Bitboard(set);
            let cubes = square_cubes(set);
            let mut union = Bitboard::EMPTY;
            for cube in cubes {
                assert!((union & cube.squares()).is_empty());
                union |= cube.squares();
            }
            assert_eq!(union, set);
        }
        assert_eq!(square_cubes(!Role::Pawn.squares()).len(), 2, "two ranks are two rows");
        assert_eq!(square_cubes(Bitboard(0xf0f0_f0f0_f0f0_f0f0)).len(), 1, "half a board is one row");
    }

    #[test]
    fn out_of_order_pairs_are_every_pair_in_the_wrong_order_once() {
        let pairs = out_of_order();
        for a in (0..64).map(Square::new) {
            for b in (0..64).map(Square::new) {
                let hits =
                    pairs.iter().filter(|(x, y)| x.squares().contains(a) && y.squares().contains(b)).count();
                assert_eq!(hits, usize::from(a > b), "{a} {b}");
            }
        }
    }
}
