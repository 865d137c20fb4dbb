//! The parts of all variables for many positions, as columns. Trees are grown from them.

use super::block::{Block, BlockFormula};
use super::families::{GROUPS, MAX_FAMILIES, OFFSET};
use super::family::PartsBy;
use super::plan::{Plan, VariableCode};
use crate::chess::position::PackedSquares;

/// The block formulas of the families that have one.
static BLOCK_FORMULAS: [Option<BlockFormula>; MAX_FAMILIES] = {
    let mut formulas: [Option<BlockFormula>; MAX_FAMILIES] = [None; MAX_FAMILIES];
    let (mut number, mut group) = (0, 0);
    while group < GROUPS.len() {
        let mut at = 0;
        while at < GROUPS[group].len() {
            if let PartsBy::Squares(_, formula) = GROUPS[group][at].parts_by {
                formulas[number] = Some(formula);
            }
            (number, at) = (number + 1, at + 1);
        }
        group += 1;
    }
    formulas
};

/// Writes the parts for the positions of a block; returns false if the variable has no block formula.
fn parts_of_block(code: VariableCode, block: &Block, parts: &mut [u8; Block::ROWS]) -> bool {
    if code.family() == OFFSET {
        block.by_offset(code.men(), parts);
        return true;
    }
    let Some(formula) = BLOCK_FORMULAS[code.family() & (MAX_FAMILIES - 1)] else { return false };
    formula(block, code.men(), parts);
    true
}

impl Plan {
    /// Writes the part of variable v for position i to `columns[v * stride + i]`. The positions are of the plan's material,
    /// each given by its squares and en-passant file.
    pub(crate) fn columns(
        &self,
        positions: impl Iterator<Item = (PackedSquares, Option<u8>)>,
        columns: &mut [u8],
        stride: usize,
    ) {
        let codes: Vec<VariableCode> =
            (0..self.variables().len()).map(|variable| self.code(variable)).collect();
        let mut positions = positions.peekable();
        let mut at = 0;
        while positions.peek().is_some() {
            let positions: Vec<_> = positions.by_ref().take(Block::ROWS).collect();
            let block = Block::new(positions.iter().map(|&(squares, _)| squares));
            let mut write = |variable: usize, parts: &[u8; Block::ROWS]| {
                columns[variable * stride + at..][..positions.len()]
                    .copy_from_slice(&parts[..positions.len()]);
            };
            let mut parts = [0; Block::ROWS];
            let mut single = Vec::new();
            for (variable, &code) in codes.iter().enumerate() {
                if parts_of_block(code, &block, &mut parts) {
                    write(variable, &parts);
                } else {
                    single.push((variable, [0; Block::ROWS]));
                }
            }
            for (row, &(squares, en_passant)) in positions.iter().enumerate() {
                let view = self.view_of(squares, en_passant);
                single.iter_mut().for_each(|(variable, parts)| parts[row] = codes[*variable].part(&view));
            }
            single.iter().for_each(|(variable, parts)| write(*variable, parts));
            at += positions.len();
        }
    }
}
