//! Positions as bitboards, the form that engines use. The baselines include this file by its path.

use crate::random::Random;
use cubebase::{CastlingRights, Color, Material, Position, Role, Square};

/// A position as bitboards.
#[derive(Clone, Copy, Debug)]
pub struct Bitboards {
    /// The men of White and of Black.
    pub colors: [u64; 2],
    /// The kings, queens, rooks, bishops, knights and pawns.
    pub roles: [u64; 6],
    pub turn: Color,
}

impl Bitboards {
    /// The same position with the colours exchanged.
    fn exchanged(self) -> Self {
        let [white, black] = self.colors.map(u64::swap_bytes);
        Bitboards { colors: [black, white], roles: self.roles.map(u64::swap_bytes), turn: self.turn.other() }
    }

    pub fn position(&self) -> cubebase::Result<Position> {
        Position::from_bitboards(self.colors, self.roles, None, self.turn, CastlingRights::NONE)
    }
}

impl Random {
    /// A legal position of `material` without an en-passant square, with either colour as the stronger side.
    pub fn bitboards(&mut self, material: Material) -> Bitboards {
        loop {
            let square = |man: &cubebase::Man| match man.role {
                Role::Pawn => Square::new(8 + self.below(48) as u8),
                _ => Square::new(self.below(64) as u8),
            };
            let squares: Vec<Square> = material.men().iter().map(square).collect();
            let turn = Color::BOTH[self.below(2) as usize];
            let mut position = Position::new(material, &squares, turn, None);
            position.sort();
            if position.is_legal() {
                let (colors, roles) = position.bitboards();
                let board = Bitboards { colors, roles, turn };
                return if self.below(2) == 0 { board } else { board.exchanged() };
            }
        }
    }
}
