//! Legality and checks for a whole word: all squares of the black king at once.
//!
//! White's attacks are computed without the black king on the board. They are exact for its own square, since a man does not
//! block attacks on its own square. Black's attack on the white king is the same for all squares of the black king except
//! the squares between a slider and the white king, where the black king blocks it.

use crate::chess::position::{Bitboard, Color, Man, Role, Square, attacks};

/// Sets of squares of the black king: slots of the word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Legality {
    /// The legal positions, by side to move. An en-passant file is not checked.
    pub(super) legal: [u64; 2],
    /// The positions in which the side is not in check; meaningful only for legal ones.
    pub(super) safe: [u64; 2],
}

impl Legality {
    /// `placed` are all men except the black king; `white_king` is the square of the white king among them.
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
