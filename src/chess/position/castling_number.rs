//! The numbers of positions with castling rights: by the squares of the few men that no right holds in place.

use super::castling::CastlingRights;
use super::man::Role;
use super::material::Material;
use super::placement::Position;
use crate::outcome::Color;

impl Material {
    /// The end of the numbers of positions with `rights`, see [`Position::castling_number`]; `None` when there are not the
    /// rooks for them, or no rights.
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
    /// The number of a position with castling rights among those with the same rights and side to move: the squares of the
    /// men that no right holds in place, in base 64, the first man's the most significant; in a material with en passant
    /// there follows a digit in base 9, 0 or 1 + the file. Men that are alike must be sorted.
    pub(crate) fn castling_number(&self) -> u64 {
        let free = self.placed().filter(|&(man, square)| !self.castling().holds(man, square));
        let number = free.fold(0, |number, (_, square)| number << 6 | square.index() as u64);
        let file = self.en_passant().map_or(0, |file| 1 + u64::from(file));
        if self.material().has_en_passant() { 9 * number + file } else { number }
    }
}
