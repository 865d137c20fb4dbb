//! A number for each position with given squares of the kings.
//!
//! The number has the squares of the other men, six bits each, with the first man's highest. A pawn that can be captured en
//! passant has the number of the square on its file and the first rank, where no pawn can be. The pawn's real rank is known.

use crate::chess::position::{Color, DoublePush, Man, Material, PackedSquares, Position, Role, Square};

/// The numbers of the positions of a material with one side to move. See the [module](self).
#[derive(Clone, Copy, Debug)]
pub(super) struct RowNumbers {
    men: usize,
    /// The pawns that can be captured en passant, as bits.
    pushed: u8,
    /// Their rank after a double push.
    rank: u8,
}

impl RowNumbers {
    pub(super) fn new(material: &Material, turn: Color) -> Self {
        let pawn = Man::new(turn.other(), Role::Pawn);
        let is_pushed = |&(_, man): &(usize, &Man)| *man == pawn && material.has_en_passant();
        let pushed = material.men().iter().enumerate().filter(is_pushed);
        RowNumbers {
            men: material.len(),
            pushed: pushed.fold(0, |all, (number, _)| all | 1 << number),
            rank: DoublePush::new(pawn.color, 0).target.rank(),
        }
    }

    pub(super) fn bits(&self) -> u32 {
        6 * (self.men as u32 - 2)
    }

    /// The number of a position, without the squares of the kings.
    pub(super) fn number(&self, position: &Position) -> u32 {
        debug_assert!(self.bits() <= 32);
        let squares = position.squares();
        let target = position.en_passant().map(|file| Square::at(file, self.rank));
        (2..self.men).fold(0, |number, man| {
            let is_target = self.pushed >> man & 1 != 0 && target == Some(squares[man]);
            let square = if is_target { squares[man].file().into() } else { squares[man].index() as u32 };
            number << 6 | square
        })
    }

    /// Returns the squares of the men and the en-passant file of the position with this number. Higher bits are ignored.
    #[inline]
    pub(super) fn men(&self, kings: [Square; 2], number: u32) -> (PackedSquares, Option<u8>) {
        let mut bytes = 0_u64;
        for man in (2..self.men).rev() {
            bytes = bytes << 8 | u64::from(number >> (6 * (self.men - 1 - man)) & 63);
        }
        let mut bytes = bytes << 16 | (kings[1].index() as u64) << 8 | kings[0].index() as u64;
        let mut en_passant = None;
        if self.pushed != 0 {
            for man in (2..self.men).filter(|man| self.pushed >> man & 1 != 0) {
                let square = bytes >> (8 * man) & 63;
                if square < 8 {
                    en_passant = Some(square as u8);
                    bytes += u64::from(self.rank) << (8 * man + 3);
                }
            }
        }
        (PackedSquares::of_bytes(bytes), en_passant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::position::Enumeration;
    use std::collections::HashSet;

    #[test]
    fn numbers_lead_back_to_their_positions() {
        for (signature, step) in [("KvK", 1), ("KQvK", 1), ("KPvKP", 1), ("KRRvK", 7), ("KPPvKP", 211)] {
            let material: Material = signature.parse().unwrap();
            for &turn in material.stored_turns() {
                let positions = Enumeration::new(&material, turn, 1);
                let numbering = RowNumbers::new(&material, turn);
                let mut with_en_passant = 0;
                for slice in (0..positions.slices()).step_by(step) {
                    let mut numbers = HashSet::new();
                    positions.visit(slice, &mut |position| {
                        let number = numbering.number(position);
                        assert!(
                            u64::from(number) < 1 << numbering.bits() && numbers.insert(number),
                            "{position:?}"
                        );
                        let men = numbering.men(positions.kings(slice), number);
                        assert_eq!(men, (position.packed(), position.en_passant()));
                        with_en_passant += usize::from(position.en_passant().is_some());
                    });
                }
                assert_eq!(with_en_passant > 0, material.has_en_passant());
            }
        }
    }
}
