//! The values of all variables for many positions, a column for each variable. Trees are grown from these columns.

use super::block::{Block, BlockFormula};
use super::frozen::families::{GROUPS, OFFSET};
use super::frozen::family::FormulaKind;
use super::variable_set::{VariableCode, VariableSet};
use crate::chess::position::PackedSquares;

impl VariableSet {
    /// Writes the value of variable v for position i to `columns[v * stride + i]`. The positions are of the set's material,
    /// each given by its squares and en-passant file.
    pub(crate) fn columns(
        &self,
        mut positions: impl Iterator<Item = (PackedSquares, Option<u8>)>,
        columns: &mut [u8],
        stride: usize,
    ) {
        let families: Vec<FormulaKind> =
            GROUPS.iter().copied().flatten().map(|family| family.formula).collect();
        let formula = |code: VariableCode| -> Option<BlockFormula> {
            match families.get(code.family()) {
                Some(&FormulaKind::Squares(_, formula)) => Some(formula),
                None if code.family() == OFFSET => Some(Block::by_offset),
                _ => None,
            }
        };
        let codes = (0..self.variables().len()).map(|variable| (variable, self.code(variable)));
        // The other variables are computed position by position, so that they share a view.
        let (by_block, single): (Vec<_>, Vec<_>) = codes.partition(|&(_, code)| formula(code).is_some());
        let by_block: Vec<_> = by_block
            .into_iter()
            .filter_map(|(variable, code)| Some((variable, code.men(), formula(code)?)))
            .collect();
        let (mut block, mut values) = (Block::default(), [0; Block::ROWS]);
        let mut block_positions = Vec::with_capacity(Block::ROWS);
        let mut at = 0;
        loop {
            block_positions.clear();
            block_positions.extend(positions.by_ref().take(Block::ROWS));
            if block_positions.is_empty() {
                return;
            }
            block.fill(block_positions.iter().map(|&(squares, _)| squares));
            for &(variable, men, formula) in &by_block {
                formula(&block, men, &mut values);
                columns[variable * stride + at..][..block_positions.len()]
                    .copy_from_slice(&values[..block_positions.len()]);
            }
            for &(squares, en_passant) in &block_positions {
                let view = self.view_of(squares, en_passant);
                single
                    .iter()
                    .for_each(|&(variable, code)| columns[variable * stride + at] = code.value(&view));
                at += 1;
            }
        }
    }
}
