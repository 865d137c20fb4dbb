//! Roles and men. [`Color::White`] is Red.

use super::point::Points;
use crate::outcome::Color;

/// The roles of men, in the order of material names: `a e h c g p`, after the general, which the names leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// General, or king: one step along a line, in the palace.
    General,
    /// Assistant, or advisor: one step diagonally, in the palace.
    Assistant,
    /// Elephant, or bishop: two steps diagonally over an empty point, on its side of the river.
    Elephant,
    /// Horse, or knight: one step along a line to an empty point, then one diagonally outwards.
    Horse,
    /// Chariot, or rook.
    Chariot,
    /// Gunner, or cannon: moves as a chariot, captures over one man between.
    Gunner,
    /// Soldier, or pawn: one step forward, beyond the river sideways too.
    Soldier,
}

impl Role {
    /// All roles, in the order of material names.
    pub const ALL: [Role; 7] = {
        use Role::{Assistant, Chariot, Elephant, General, Gunner, Horse, Soldier};
        [General, Assistant, Elephant, Horse, Chariot, Gunner, Soldier]
    };

    /// For each role its letter in material names, its letter in FEN, its name, and the most men of it that a side has.
    const TABLE: [(char, char, &'static str, usize); 7] = [
        ('k', 'K', "general", 1),
        ('a', 'A', "assistant", 2),
        ('e', 'B', "elephant", 2),
        ('h', 'N', "horse", 2),
        ('c', 'R', "chariot", 2),
        ('g', 'C', "gunner", 2),
        ('p', 'P', "soldier", 5),
    ];

    /// The letter in material names, as in the paper. FEN has other letters.
    pub const fn letter(self) -> char {
        Self::TABLE[self as usize].0
    }

    /// Reads the letter of a role in a material name.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.letter() == letter)
    }

    /// The letter of a FEN, in upper case.
    pub(super) const fn fen(self) -> char {
        Self::TABLE[self as usize].1
    }

    /// `general`, `chariot` and so on.
    pub const fn name(self) -> &'static str {
        Self::TABLE[self as usize].2
    }

    /// The most men of the role that a side has.
    pub const fn limit(self) -> usize {
        Self::TABLE[self as usize].3
    }

    /// Whether a man of the role can cross the river, and so attack the other general.
    pub const fn is_attacker(self) -> bool {
        matches!(self, Role::Horse | Role::Chariot | Role::Gunner | Role::Soldier)
    }
}

/// A man: its colour and role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Man {
    /// Its side.
    pub color: Color,
    /// Its role.
    pub role: Role,
}

impl Man {
    /// Returns the man of `color` and `role`.
    pub const fn new(color: Color, role: Role) -> Self {
        Man { color, role }
    }

    /// The points where the man may stand.
    #[inline]
    pub const fn points(self) -> Points {
        match self.role {
            Role::General => Points::palace(self.color),
            Role::Assistant => Points::assistants(self.color),
            Role::Elephant => Points::elephants(self.color),
            Role::Soldier => Points::soldiers(self.color),
            Role::Horse | Role::Chariot | Role::Gunner => Points::ALL,
        }
    }
}

/// `red` or `black`.
pub const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "red",
        Color::Black => "black",
    }
}
