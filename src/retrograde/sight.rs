//! Legality of a whole word: for which squares of the black king a placement of the other men is legal, and who is in
//! check.
//!
//! White's attack sets with the black king off the board are exact for its own square, since no man stands between
//! an attacker and it that it does not itself replace. Black's attack on the white king is the same for all squares of
//! the black king but those between a slider and the white king, where it shields.

use crate::position::{Color, Man, Role, Square, attacks};

/// Bitboards of the black king's squares.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sight {
    /// Where the position is legal, by the side to move, an en-passant file apart.
    pub(super) legal: [u64; 2],
    /// Where the side is not in check; only where the position is otherwise legal.
    pub(super) safe: [u64; 2],
}

impl Sight {
    /// Looks at the men `placed`, all but the black king; `white_king` is among them.
    #[inline]
    pub(super) fn new(placed: impl Iterator<Item = (Man, Square)> + Clone, white_king: Square) -> Self {
        let mut occupied = 0;
        for (_, square) in placed.clone() {
            if occupied & square.bit() != 0 {
                return Sight::default();
            }
            occupied |= square.bit();
        }
        let mut attacked = 0;
        let mut shielded = u64::MAX;
        for (man, square) in placed {
            let reach = attacks::attacks(man, square, occupied);
            if man.color == Color::White {
                attacked |= reach;
            } else if reach & white_king.bit() != 0 {
                let slides = matches!(man.role, Role::Queen | Role::Rook | Role::Bishop);
                shielded &= if slides { attacks::between(square, white_king) } else { 0 };
            }
        }
        let free = !(occupied | attacks::king(white_king));
        Sight { legal: [free & !attacked, free & shielded], safe: [shielded, !attacked] }
    }
}
