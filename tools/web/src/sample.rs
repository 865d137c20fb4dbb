//! Positions for timing probes. The page and the native bench share this code.

use crate::tables;
use cubebase::{Position, Wdl};
use wasm_bindgen::prelude::wasm_bindgen;

/// Positions whose tables are decoded.
#[derive(Debug)]
#[wasm_bindgen]
pub struct Sample {
    positions: Vec<Position>,
}

#[wasm_bindgen]
impl Sample {
    /// Reads one FEN a line, keeps the positions with an answer, and decodes their tables.
    #[wasm_bindgen(constructor)]
    pub fn new(fens: &str) -> Self {
        let legal = fens.lines().filter_map(|fen| Position::from_fen(fen).ok());
        let positions = legal.filter(|position| tables().probe(position).is_ok()).collect();
        Sample { positions }
    }

    /// The number of positions.
    pub fn size(&self) -> usize {
        self.positions.len()
    }

    /// Probes each position once, and returns how many are won.
    pub fn wins(&self) -> usize {
        let tables = tables();
        self.positions
            .iter()
            .filter(|position| tables.probe_unchecked(position).ok() == Some(Wdl::Win))
            .count()
    }
}
