//! Legality of a whole word: for which squares of the black king a placement of the other men is legal, and who is in
//! check.
//!
//! White's attack sets with the black king off the board are exact for its own square, since no man stands between
//! an attacker and it that it does not itself replace. Black's attack on the white king is the same for all squares of
//! the black king but those between a slider and the white king, where it shields.

use crate::position::{Bitboard, Color, Man, Role, Square, attacks};

/// Sets of the black king's squares, which are slots of the word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Legality {
    /// Where the position is legal, by the side to move, an en-passant file apart.
    pub(super) legal: [u64; 2],
    /// Where the side is not in check; only where the position is otherwise legal.
    pub(super) safe: [u64; 2],
}

impl Legality {
    /// Looks at the men `placed`, all but the black king; `white_king` is among them.
    #[inline]
    pub(super) fn new(placed: impl Iterator<Item = (Man, Square)> + Clone, white_king: Square) -> Self {
        let mut occupied = Bitboard::EMPTY;
        for (_, square) in placed.clone() {
            if occupied.contains(square) {
                return Legality::default();
            }
            occupied |= square;
        }
        let mut attacked = Bitboard::EMPTY;
        let mut shielded = Bitboard::ALL;
        for (man, square) in placed {
            let reach = attacks::attacks(man, square, occupied);
            if man.color == Color::White {
                attacked |= reach;
            } else if reach.contains(white_king) {
                let slides = matches!(man.role, Role::Queen | Role::Rook | Role::Bishop);
                shielded &= if slides { attacks::between(square, white_king) } else { Bitboard::EMPTY };
            }
        }
        let free = !(occupied | attacks::king(white_king));
        let words = |sets: [Bitboard; 2]| sets.map(|set| set.0);
        Legality { legal: words([free & !attacked, free & shielded]), safe: words([shielded, !attacked]) }
    }
}
