//! The code of the folders `frozen/` gives the answers that the files that exist were written with.
//!
//! A hash that differs here means that files would be read wrong. A changed formula of a variable is a new version of its model,
//! a changed index is a new version of the outcome tables.

use crate::noise::{self, Noise};
use cubebase::chess::retrograde::Index;
use cubebase::retrograde::game::Numbering;
use cubebase::xiangqi::{self, Board};
use cubebase::{Material, Model, Position};
use std::hash::Hasher;

/// FNV-1a, which no library may change.
struct Hash(u64);

impl Hash {
    fn new() -> Self {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Hash {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Positions of two to six men, with sliders, knights, pawns, identical men and en passant.
fn positions() -> Vec<Position> {
    let mut noise = Noise(1);
    let six = ["KRBNvKP", "KQQPvKPP"].map(|name| name.parse().unwrap());
    let materials: Vec<Material> = (2..=5).flat_map(Material::all).chain(six).collect();
    let en_passant = [
        "8/8/8/2pP4/8/8/8/K6k w - c6 0 1",
        "8/8/8/k7/3pP3/8/8/6K1 b - e3 0 1",
        "8/6k1/8/Pp6/8/8/P7/6K1 w - b6 0 1",
        "8/6k1/8/6Pp/8/7K/5R2/8 w - h6 0 1",
    ];
    let drawn = (0..2000).map(|number| noise::position(materials[number % materials.len()], &mut noise));
    let drawn: Vec<Position> = drawn.collect();
    en_passant.iter().map(|fen| Position::from_fen(fen).unwrap()).chain(drawn).collect()
}

/// Positions along random games from few men.
fn boards() -> Vec<xiangqi::Position> {
    let (mut noise, mut positions) = (Noise(2), Vec::new());
    let starts = [
        "4k4/4a4/b3ba3/9/9/2P6/4C4/9/4A4/3K2E2 w",
        "R2ak4/4a4/4b4/9/2N6/4C4/9/9/9/4K4 b",
        "3ak4/9/9/4P4/9/9/2P3P2/9/4N4/3K1A3 w",
    ];
    for start in starts.iter().cycle().take(60) {
        let mut board = Board::from_fen(start).unwrap();
        for _ in 0..30 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board = board.after(moves[noise.below(moves.len())]);
            positions.push(xiangqi::Position::from_board(&board).unwrap().0);
        }
    }
    positions
}

#[test]
fn answers_never_change() {
    let (positions, boards) = (positions(), boards());
    let mut found: Vec<String> = Vec::new();
    for model in Model::ALL {
        let mut hash = Hash::new();
        for position in &positions {
            let variables = model.variables(position.material());
            let mut values = vec![0; variables.len()];
            model.evaluate(position, &mut values);
            for (variable, value) in variables.iter().zip(values) {
                hash.write(variable.name.as_bytes());
                hash.write(&[0, variable.values as u8, value]);
            }
        }
        found.push(format!("model {model} {}: {:016x}", model.version(), hash.finish()));
    }
    for model in xiangqi::Model::ALL {
        let mut hash = Hash::new();
        for position in &boards {
            let variables = xiangqi::VariableSet::new(model, position.material());
            let mut values = vec![0; variables.values().len()];
            variables.evaluate(position, &mut values);
            for (number, value) in values.into_iter().enumerate() {
                hash.write(variables.name(number).as_bytes());
                hash.write(&[0, variables.values()[number], value]);
            }
        }
        found.push(format!("xiangqi model {model} {}: {:016x}", model.version(), hash.finish()));
    }
    let mut hash = Hash::new();
    for position in &positions {
        for anchor in 0..position.material().len() {
            hash.write(position.canonical(anchor).to_fen().as_bytes());
        }
    }
    found.push(format!("canonical form: {:016x}", hash.finish()));
    let mut hash = Hash::new();
    for position in &positions {
        let (turn, slot) = Index::new(position.material()).rank_any(position);
        hash.write(&[turn.index() as u8]);
        hash.write(&slot.to_le_bytes());
    }
    found.push(format!("index: {:016x}", hash.finish()));
    let mut hash = Hash::new();
    for position in &boards {
        let (turn, slot) = xiangqi::Index::new(position.material()).rank_any(position);
        hash.write(&[turn.index() as u8]);
        hash.write(&slot.to_le_bytes());
        hash.write(position.canonical().to_fen().as_bytes());
    }
    found.push(format!("xiangqi index and canonical form: {:016x}", hash.finish()));
    let known = [
        "model binary 1: eaf87a2e6fa0eabe",
        "model board 1: bc914881550e6f66",
        "model geometry 1: 530bf63b214a91df",
        "model attack 2: f1b44585ee68cfb6",
        "xiangqi model board 1: 916828e5f963818b",
        "xiangqi model geometry 1: 9bc10b1801c88053",
        "xiangqi model attack 1: 3db57a49d12f0e4e",
        "canonical form: 3653978b6b5a8a97",
        "index: 0300d1b8f56fac9f",
        "xiangqi index and canonical form: 90dd34bd20a3a4d5",
    ];
    assert_eq!(found, known, "files were written with other answers");
}
