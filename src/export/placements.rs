//! Every way to put a material's men on the board, without the blocks that are don't-care as a whole.
//!
//! The exporter writes whole blocks of the input space as single don't-care rows (see [`super::blocks`]); what is
//! left is enumerated here one placement at a time. The two must agree: a placement that this visits is in no block,
//! and one that it leaves out is in one. A test of the exporter checks that rows and blocks together are everything.

use super::Scope;
use crate::position::symmetry::region;
use crate::position::{Bitboard, Color, DoublePush, MAX_MEN, Material, Position, Role, Square, attacks};

/// Returns the squares where man number `man` can stand, before the others are looked at.
pub(super) fn man_squares(material: &Material, man: usize, scope: &Scope, turn: Color) -> Bitboard {
    let mut squares = material.men()[man].role.squares();
    // The first man of the leading group is the one that the lead's restriction binds.
    let lead = scope.leads[turn.index()];
    if scope.canonical && material.group(lead).map_or(lead, |group| group.start) == man {
        squares &= region(material.has_pawns());
    }
    squares
}

/// Calls `visit` for every placement of `turn` with the given en-passant file that is in no block, with the white
/// king on `white_king`. The placements may still be illegal or acanonical.
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
            // With one pawn on the capturing side it must stand beside the pushed pawn's file, and likewise the
            // only pawn of the pushing side is the pushed one.
            if man.role == Role::Pawn && material.men().iter().filter(|other| *other == man).count() == 1 {
                *allowed &= if man.color == turn { capturing } else { pushed_square(turn, file).into() };
            }
        }
    }
    walk.place(1, white_king.into());
}

/// The rank on which `turn`'s pawns capture en passant, as a set of squares.
pub(super) fn capturing_rank(turn: Color) -> Bitboard {
    Bitboard(0xff << (8 * pushed_square(turn, 0).rank()))
}

/// The square of the pawn of `file` that the side not to move has just pushed two squares, `turn` being to move.
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
            // Identical men are sorted: this one stands above the one before.
            left &= Bitboard::above(self.squares[man - 1]);
        }
        for square in left {
            self.squares[man] = square;
            self.place(man + 1, occupied | square);
        }
    }
}
