//! Enumeration of the placements of a material's men outside the don't-care blocks.
//!
//! The exporter writes blocks of the input space as single don't-care rows (see [`super::blocks`]). Each placement is either in
//! a block or visited here, not both. A test of the exporter checks that rows and blocks together are the whole space.

use super::scope::Scope;
use crate::chess::position::symmetry::region;
use crate::chess::position::{
    Bitboard, Color, DoublePush, MAX_MEN, Material, Position, Role, Square, attacks,
};

/// Returns the squares that the role and the scope allow for man number `man`, other men ignored.
pub(super) fn man_squares(material: &Material, man: usize, scope: &Scope, turn: Color) -> Bitboard {
    let mut squares = material.men()[man].role.squares();
    // The first man of the anchor's group is restricted to the region.
    let anchor = scope.anchors[turn.index()];
    if scope.canonical && material.group(anchor).map_or(anchor, |group| group.start) == man {
        squares &= region(material.has_pawns());
    }
    squares
}

/// Calls `visit` for all placements outside blocks with `turn` to move, the given en-passant file and the white king on
/// `white_king`. The positions can be illegal or acanonical.
pub(super) fn visit_placements(
    material: &Material,
    scope: &Scope,
    turn: Color,
    en_passant: Option<u8>,
    white_king: Square,
    visit: &mut impl FnMut(Position),
) {
    if !man_squares(material, 0, scope, turn).contains(white_king) {
        return;
    }
    let mut walk = Walk {
        material,
        en_passant,
        turn,
        allowed: [Bitboard::EMPTY; MAX_MEN],
        sorted: scope.canonical,
        squares: [white_king; MAX_MEN],
        visit,
    };
    for man in 1..material.len() {
        walk.allowed[man] = man_squares(material, man, scope, turn);
    }
    walk.allowed[1] &= !attacks::king(white_king);
    if let Some(file) = en_passant {
        let capturing = capturing_rank(turn);
        for (man, allowed) in material.men().iter().zip(&mut walk.allowed) {
            // A sole pawn of the capturing side must be on the capturing rank; a sole pawn of the other side is the pushed one.
            if man.role == Role::Pawn && material.men().iter().filter(|other| *other == man).count() == 1 {
                *allowed &= if man.color == turn { capturing } else { pushed_square(turn, file).into() };
            }
        }
    }
    walk.place(1, white_king.into());
}

/// The squares of the rank from which pawns of `turn` capture en passant.
pub(super) fn capturing_rank(turn: Color) -> Bitboard {
    Bitboard(0xff << (8 * pushed_square(turn, 0).rank()))
}

/// The square of the pawn on `file` that the opponent of `turn` has just pushed two squares.
pub(super) fn pushed_square(turn: Color, file: u8) -> Square {
    DoublePush::new(turn.other(), file).target
}

struct Walk<'a, V> {
    material: &'a Material,
    en_passant: Option<u8>,
    turn: Color,
    allowed: [Bitboard; MAX_MEN],
    sorted: bool,
    squares: [Square; MAX_MEN],
    visit: &'a mut V,
}

impl<V: FnMut(Position)> Walk<'_, V> {
    fn place(&mut self, man: usize, occupied: Bitboard) {
        let men = self.material.men();
        if man == men.len() {
            let squares = &self.squares[..men.len()];
            (self.visit)(Position::new(*self.material, squares, self.turn, self.en_passant));
            return;
        }
        let mut left = self.allowed[man] & !occupied;
        if self.sorted && men[man] == men[man - 1] {
            // Identical men are sorted: each stands above the man before it.
            left &= Bitboard::above(self.squares[man - 1]);
        }
        for square in left {
            self.squares[man] = square;
            self.place(man + 1, occupied | square);
        }
    }
}
