//! The numbers of positions with castling rights, from the squares of the few men that no right fixes.

use super::super::castling::CastlingRights;
use super::super::man::Role;
use super::super::material::Material;
use super::super::placement::Position;
use crate::outcome::Color;

impl Material {
    /// The exclusive upper bound of [`Position::castling_number`] with `rights`; `None` without rights, or if the material
    /// lacks the rooks for them.
    pub(crate) fn castling_numbers(&self, rights: CastlingRights) -> Option<u64> {
        let mut free = self.len();
        for color in Color::BOTH {
            let held = rights.rooks().filter(|right| right.0 == color).count();
            if held > self.roles(color).filter(|&role| role == Role::Rook).count() {
                return None;
            }
            free -= if held > 0 { held + 1 } else { 0 };
        }
        let files = if self.has_en_passant() { 9 } else { 1 };
        (!rights.is_empty()).then_some(files << (6 * free))
    }
}

impl Position {
    /// The number of this position among the positions with the same castling rights and side to move. Its digits in base 64 are
    /// the squares of the men that no right fixes, the first man's first. If the material has en passant, a last digit in base 9
    /// is 0, or 1 + the file. Identical men must be sorted.
    pub(crate) fn castling_number(&self) -> u64 {
        let free = self.placed().filter(|&(man, square)| !self.castling().holds(man, square));
        let number = free.fold(0, |number, (_, square)| number << 6 | square.index() as u64);
        let file = self.en_passant().map_or(0, |file| 1 + u64::from(file));
        if self.material().has_en_passant() { 9 * number + file } else { number }
    }
}
