//! The positions of a table as rows for the minimizer. A row is a legal canonical position with one side to move: its parts are
//! the variables of an input model, its class is the outcome. Rows are not stored: a visit computes them.

use super::row_numbers::RowNumbers;
use super::sampled::PositionRows;
use crate::chess::model::VariableSet;
use crate::chess::position::{Color, Enumeration, PackedSquares, Position, Wdl};
use crate::chess::retrograde::{Chess, Table};
use crate::learner::{Parts, RowIds, Rows};
use crate::pcn::PositionHash;
use crate::retrograde::estimate;

/// The rows of one side to move, in the order of [`Enumeration`]. The classes are the outcomes that occur, in the order of
/// [`Wdl::ALL`].
#[derive(Debug)]
pub(super) struct ChessRows<'a> {
    pub(super) table: &'a Table,
    pub(super) variables: &'a VariableSet,
    pub(super) turn: Color,
    /// The number of the anchor.
    pub(super) anchor: usize,
    enumeration: Enumeration,
    numbering: RowNumbers,
    parts: Vec<u8>,
    outcomes: Vec<Wdl>,
    /// The class of each outcome.
    classes: [u8; 3],
}

impl<'a> ChessRows<'a> {
    /// Returns the rows of `table` with `turn` to move, man number `anchor` as the anchor, and their `variables`.
    pub(super) fn new(table: &'a Table, variables: &'a VariableSet, turn: Color, anchor: usize) -> Self {
        let counts = table.counts(turn);
        let outcomes: Vec<Wdl> = Wdl::ALL.into_iter().filter(|outcome| counts[outcome.index()] > 0).collect();
        let mut classes = [0; 3];
        for (class, outcome) in outcomes.iter().enumerate() {
            classes[outcome.index()] = class as u8;
        }
        ChessRows {
            table,
            variables,
            turn,
            anchor,
            enumeration: Enumeration::new(table.material(), turn, anchor),
            numbering: RowNumbers::new(table.material(), turn),
            parts: variables.variables().iter().map(|variable| variable.values as u8).collect(),
            outcomes,
            classes,
        }
    }

    /// The squares and the en-passant file of the position with a number relative to slice number `first_slice`.
    fn men(&self, first_slice: usize, number: u32) -> (PackedSquares, Option<u8>) {
        let slice = first_slice + (u64::from(number) >> self.numbering.bits()) as usize;
        self.numbering.men(self.enumeration.kings(slice), number)
    }

    pub(super) fn position(&self, first_slice: usize, number: u32) -> Position {
        let (squares, en_passant) = self.men(first_slice, number);
        Position::of_packed(*self.table.material(), squares, self.turn, en_passant)
    }
}

impl PositionRows for ChessRows<'_> {
    fn name(&self) -> String {
        self.table.material().to_string()
    }

    fn table_bytes(&self) -> u64 {
        estimate::table_bytes::<Chess>(self.table.material(), self.table.metric())
    }

    fn outcomes(&self) -> &[Wdl] {
        &self.outcomes
    }

    fn nanoseconds(&self, variable: usize) -> u8 {
        self.variables.nanoseconds(variable)
    }

    fn hash(&self, first_slice: usize, number: u32) -> PositionHash {
        PositionHash::new(&self.position(first_slice, number))
    }

    fn is_row(&self, slice: usize, number: u32) -> bool {
        if u64::from(number) >> self.numbering.bits() != 0 {
            return false;
        }
        let position = self.position(slice, number);
        let is_here = position.is_sorted() && self.numbering.number(&position) == number;
        is_here && position.is_legal() && position.is_canonical(self.anchor)
    }
}

impl Rows for ChessRows<'_> {
    fn parts(&self) -> &[u8] {
        &self.parts
    }

    fn classes(&self) -> usize {
        self.outcomes.len().max(1)
    }

    fn slices(&self) -> usize {
        self.enumeration.slices()
    }

    fn number_bits(&self) -> u32 {
        self.numbering.bits()
    }

    fn visit(&self, slice: usize, visit: &mut dyn FnMut(u32)) {
        self.enumeration.visit(slice, &mut |position| visit(self.numbering.number(position)));
    }

    fn class(&self, slice: usize, number: u32) -> u8 {
        // Every position that the enumeration visits is legal, and the table has all of them.
        let outcome = self.table.wdl_of_legal(&self.position(slice, number)).unwrap_or(Wdl::Draw);
        self.classes[outcome.index()]
    }

    fn for_rows(&self, rows: RowIds<'_>, visit: &mut dyn FnMut(usize, Parts<'_>)) {
        for (at, &number) in rows.numbers.iter().enumerate() {
            let (squares, en_passant) = self.men(rows.first_slice, number);
            let view = self.variables.view_of(squares, en_passant);
            visit(at, &|variable| self.variables.value(&view, variable));
        }
    }

    fn columns(&self, rows: RowIds<'_>, columns: &mut [u8], stride: usize) {
        let men = |&number: &u32| self.men(rows.first_slice, number);
        self.variables.columns(rows.numbers.iter().map(men), columns, stride);
    }

    fn tally(&self) -> Vec<u64> {
        let counts = self.table.counts(self.turn);
        if self.outcomes.is_empty() {
            vec![0]
        } else {
            self.outcomes.iter().map(|outcome| counts[outcome.index()]).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::model::Model;
    use crate::chess::retrograde::Store;
    use crate::pipeline::sampled::Sampled;

    /// The numbers of the visited rows, sorted.
    fn rows(visit: impl Fn(&mut dyn FnMut(u32))) -> Vec<u32> {
        let mut rows = Vec::new();
        visit(&mut |number| rows.push(number));
        rows.sort_unstable();
        rows
    }

    /// Drawn rows are rows of the table. With every number drawn, they are all rows.
    #[test]
    fn drawn_rows_are_some_of_all() {
        for (signature, anchor) in [("KRvK", 1), ("KPvKP", 1), ("KNNvK", 2)] {
            let material = signature.parse().unwrap();
            let table = Store::new(None).get(&material).unwrap();
            let variables = Model::Board.variable_set(&material);
            for &turn in material.stored_turns() {
                let positions = ChessRows::new(&table, &variables, turn, anchor);
                let drawn = |slice, step| rows(|visit| Sampled::new(&positions, step).draw(slice, visit));
                let (mut all, mut some) = (0, 0);
                for slice in (0..positions.slices()).step_by(19) {
                    let expected = rows(|visit| positions.visit(slice, visit));
                    assert_eq!(drawn(slice, 1), expected, "{signature} {turn:?} {slice}");
                    let few = drawn(slice, 10);
                    assert!(few.iter().all(|row| expected.contains(row)));
                    (all, some) = (all + expected.len(), some + few.len());
                }
                assert!((all / 14..all / 7).contains(&some), "{some} of {all}");
            }
        }
    }
}
