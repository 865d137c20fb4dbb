//! Random positions, as input for the C programs.

use crate::random::Random;
use crate::skip;
use cubebase::{CastlingRights, Color, Material, Position, Role, Square, Tables, Wdl};
use std::fmt::Write;
use tempfile::NamedTempFile;

/// A legal position of the embedded tables, and its outcome there.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    pub colors: [u64; 2],
    pub roles: [u64; 6],
    pub passed: u8,
    pub turn: Color,
    pub wdl: Wdl,
}

impl Random {
    /// A legal position of `material`, with either colour as the stronger side; with pawns of both colours, half of the time
    /// after a double push.
    fn position(&mut self, tables: &Tables, material: &Material) -> Asked {
        loop {
            let exchanged = self.below(2) == 1;
            let turn = Color::BOTH[self.below(2) as usize];
            let (mut colors, mut roles) = ([0; 2], [0; 6]);
            let mut passed = 0;
            let double_push = material.len() == 4 && self.below(2) == 0;
            for man in material.men() {
                let color = if exchanged { man.color.other() } else { man.color };
                let mut square = self.below(64);
                if man.role == Role::Pawn && color != turn && double_push {
                    let [to, over] = if color == Color::White { [24, 16] } else { [32, 40] };
                    (square, passed) = (to + square % 8, over + square % 8);
                } else if man.role == Role::Pawn && double_push && passed != 0 {
                    // Mostly next to the pawn that has moved.
                    square = if passed < 32 { passed + 8 } else { passed - 8 };
                    square = if self.below(2) == 0 { square + 1 } else { square - 1 };
                }
                colors[color.index()] |= 1 << square;
                let role = Role::ALL.iter().position(|&role| role == man.role).unwrap();
                roles[role] |= 1_u64 << square;
            }
            let en_passant = (passed != 0).then(|| Square::new(passed as u8));
            let position = Position::from_bitboards(colors, roles, en_passant, turn, CastlingRights::NONE);
            if position.is_ok_and(|position| position.material() == material) {
                let wdl =
                    tables.probe_bitboards(colors, roles, en_passant, turn, CastlingRights::NONE).unwrap();
                return Asked { colors, roles, passed: passed as u8, turn, wdl };
            }
        }
    }
}

/// Whether the embedded tables have distances. Prints a message if they have none.
pub fn have_distances() -> bool {
    let found = Tables::embedded().unwrap().has_distances(&"KQvKR".parse().unwrap());
    if !found {
        skip::for_want_of("embedded distances");
    }
    found
}

/// Won positions of a material in Forsyth-Edwards Notation.
pub fn won(seed: u64, material: &str, count: usize) -> Vec<String> {
    let (tables, mut random) = (Tables::embedded().unwrap(), Random(seed));
    let asked = std::iter::repeat_with(|| random.position(&tables, &material.parse().unwrap()));
    let fen = |asked: Asked| {
        let Asked { colors, roles, turn, .. } = asked;
        Position::from_bitboards(colors, roles, None, turn, CastlingRights::NONE).unwrap().to_fen()
    };
    asked.filter(|asked| asked.wdl != Wdl::Draw).map(fen).take(count).collect()
}

/// Positions of all tables of three and four men in turn.
pub fn random(seed: u64, count: usize) -> Vec<Asked> {
    let tables = Tables::embedded().unwrap();
    let materials: Vec<Material> =
        tables.materials().into_iter().filter(|material| material.len() > 2).collect();
    assert_eq!(materials.len(), 35);
    let mut random = Random(seed);
    (0..count).map(|number| random.position(&tables, &materials[number % materials.len()])).collect()
}

impl Asked {
    /// The input line for a program, with a 50-move counter and castling rights.
    pub fn line(&self, rule50: u64, castling: u64) -> String {
        let mut line = String::new();
        for bitboard in self.colors.iter().chain(&self.roles) {
            write!(line, "{bitboard:x} ").unwrap();
        }
        let turn = u8::from(self.turn == Color::White);
        write!(line, "{rule50} {castling} {} {turn}", self.passed).unwrap();
        line
    }

    /// Fathom's number of the outcome.
    pub fn outcome(&self) -> usize {
        2 * self.wdl.index()
    }
}

/// A file with these lines.
pub fn file(lines: impl IntoIterator<Item = String>) -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    let text: String = lines.into_iter().map(|line| line + "\n").collect();
    std::fs::write(file.path(), text).unwrap();
    file
}
