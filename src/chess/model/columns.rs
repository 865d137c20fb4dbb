//! The values of all variables for many positions, a column for each variable. Trees are grown from them.

use super::block::Block;
use super::families::{GROUPS, OFFSET};
use super::family::FormulaKind;
use super::variable_set::{VariableCode, VariableSet};
use crate::chess::position::PackedSquares;

impl VariableSet {
    /// Writes the value of variable v for position i to `columns[v * stride + i]`. The positions are of the set's material,
    /// each given by its squares and en-passant file.
    pub(crate) fn columns(
        &self,
        positions: impl Iterator<Item = (PackedSquares, Option<u8>)>,
        columns: &mut [u8],
        stride: usize,
    ) {
        let codes: Vec<VariableCode> =
            (0..self.variables().len()).map(|variable| self.code(variable)).collect();
        let families: Vec<FormulaKind> =
            GROUPS.iter().copied().flatten().map(|family| family.formula).collect();
        let mut positions = positions.peekable();
        let mut at = 0;
        while positions.peek().is_some() {
            let positions: Vec<_> = positions.by_ref().take(Block::ROWS).collect();
            let block = Block::new(positions.iter().map(|&(squares, _)| squares));
            let mut write = |variable: usize, values: &[u8; Block::ROWS]| {
                columns[variable * stride + at..][..positions.len()]
                    .copy_from_slice(&values[..positions.len()]);
            };
            let mut values = [0; Block::ROWS];
            let mut single = Vec::new();
            for (variable, &code) in codes.iter().enumerate() {
                match families.get(code.family()) {
                    Some(FormulaKind::Squares(_, formula)) => formula(&block, code.men(), &mut values),
                    None if code.family() == OFFSET => block.by_offset(code.men(), &mut values),
                    _ => {
                        single.push((variable, [0; Block::ROWS]));
                        continue;
                    }
                }
                write(variable, &values);
            }
            for (row, &(squares, en_passant)) in positions.iter().enumerate() {
                let view = self.view_of(squares, en_passant);
                single.iter_mut().for_each(|(variable, values)| values[row] = codes[*variable].value(&view));
            }
            single.iter().for_each(|(variable, values)| write(*variable, values));
            at += positions.len();
        }
    }
}
