//! The positions of a table as rows for the minimizer. A row is a legal canonical position with one side to move: its parts are
//! the variables of an input model, its class is the outcome, whether the 50-move rule draws it, or its distance. Rows are not
//! stored: a visit computes them.

use super::row_numbers::RowNumbers;
use super::sampled::PositionRows;
use crate::chess::model::VariableSet;
use crate::chess::position::{Color, Enumeration, PackedSquares, Position, Wdl};
use crate::chess::retrograde::{Chess, Table};
use crate::learner::{Parts, RowIds, Rows};
use crate::outcome::FIFTY_MOVES;
use crate::pcn::PositionHash;
use crate::retrograde::estimate;
use rayon::prelude::*;

/// The function of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target<'a> {
    /// The [`Wdl::index`] of the outcome.
    Outcome,
    /// Of won and lost positions, the index of a draw if the 50-move rule draws them, else that of a win.
    Rule,
    /// Of positions won at a distance above 1, the distance in plies.
    Distance,
    /// The number of a position's slot here; no row if it is 0.
    Level(&'a [u8]),
}

/// The rows of one side to move, in the order of [`Enumeration`]. The classes are the values of the target that occur, ascending.
#[derive(Debug)]
pub(super) struct ChessRows<'a> {
    pub(super) table: &'a Table,
    pub(super) variables: &'a VariableSet,
    pub(super) turn: Color,
    /// The number of the anchor.
    pub(super) anchor: usize,
    target: Target<'a>,
    enumeration: Enumeration,
    numbering: RowNumbers,
    parts: Vec<u8>,
    /// The value of the target in each class, and the outcome with this index if it is one.
    values: Vec<u16>,
    outcomes: Vec<Wdl>,
    tally: Vec<u64>,
    /// The class of each value.
    classes: Vec<u8>,
}

impl<'a> ChessRows<'a> {
    /// Returns the rows of `table` with `turn` to move, man number `anchor` as the anchor, and their `variables`. The classes are
    /// the outcomes.
    pub(super) fn new(table: &'a Table, variables: &'a VariableSet, turn: Color, anchor: usize) -> Self {
        Self::empty(table, variables, (turn, anchor), Target::Outcome).with_counts(&table.counts(turn))
    }

    /// The won and lost positions. The classes are [`Wdl::Draw`], drawn by the 50-move rule, and [`Wdl::Win`], decided in spite of
    /// it. `table` has distances to zeroing.
    pub(super) fn of_rule(
        table: &'a Table,
        variables: &'a VariableSet,
        (turn, anchor): (Color, usize),
        drawn: u64,
    ) -> Self {
        let [losses, _, wins] = table.counts(turn);
        Self::empty(table, variables, (turn, anchor), Target::Rule).with_counts(&[
            0,
            drawn,
            losses + wins - drawn,
        ])
    }

    /// The positions that the side to move wins at a distance above 1. The classes are their distances. There may be more than
    /// rows can have.
    pub(super) fn of_distances(table: &'a Table, variables: &'a VariableSet, side: (Color, usize)) -> Self {
        Self::empty(table, variables, side, Target::Distance).with_values()
    }

    /// The positions with the side to move whose number in `levels`, by slot, is not 0. The classes are these numbers.
    pub(super) fn of_levels(
        table: &'a Table,
        variables: &'a VariableSet,
        side: (Color, usize),
        levels: &'a [u8],
    ) -> Self {
        Self::empty(table, variables, side, Target::Level(levels)).with_values()
    }

    /// Counts the rows of each value, and sets the classes.
    fn with_values(self) -> Self {
        let rows = &self;
        let in_slice = |slice| {
            let mut counts = Vec::new();
            rows.enumeration.visit(slice, &mut |position| {
                if let Some(value) = rows.value(position) {
                    counts.resize(counts.len().max(value + 1), 0_u64);
                    counts[value] += 1;
                }
            });
            counts
        };
        let sum = |mut a: Vec<u64>, b: Vec<u64>| {
            a.resize(a.len().max(b.len()), 0);
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        let counts = (0..rows.slices()).into_par_iter().map(in_slice).reduce(Vec::new, sum);
        self.with_counts(&counts)
    }

    fn empty(
        table: &'a Table,
        variables: &'a VariableSet,
        (turn, anchor): (Color, usize),
        target: Target<'a>,
    ) -> Self {
        ChessRows {
            table,
            variables,
            turn,
            anchor,
            target,
            enumeration: Enumeration::new(table.material(), turn, anchor),
            numbering: RowNumbers::new(table.material(), turn),
            parts: variables.variables().iter().map(|variable| variable.values as u8).collect(),
            values: Vec::new(),
            outcomes: Vec::new(),
            tally: Vec::new(),
            classes: Vec::new(),
        }
    }

    /// Sets the classes by the number of rows of each value.
    fn with_counts(mut self, counts: &[u64]) -> Self {
        self.classes = vec![0; counts.len()];
        for (value, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            self.classes[value] = self.values.len() as u8;
            self.values.push(value as u16);
            self.outcomes.extend(Wdl::ALL.get(value));
            self.tally.push(count);
        }
        self
    }

    /// The value of the target in each class.
    pub(super) fn values(&self) -> &[u16] {
        &self.values
    }

    /// The value of the target in a legal position; `None` if that is no row.
    fn value(&self, position: &Position) -> Option<usize> {
        if self.target == Target::Outcome {
            return Some(
                self.table.wdl_of_legal(position).expect("the table has every legal position").index(),
            );
        }
        if let Target::Level(levels) = self.target {
            let level = levels[self.table.index().rank_any(position).1 as usize];
            return (level > 0).then_some(level.into());
        }
        let (outcome, plies) = self.table.value_and_distance(position)?;
        if self.target == Target::Distance {
            return (outcome == Wdl::Win && plies > 1).then_some(plies as usize);
        }
        let value = if plies > FIFTY_MOVES { Wdl::Draw } else { Wdl::Win };
        (outcome != Wdl::Draw).then_some(value.index())
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
        let is_legal = is_here && position.is_legal() && position.is_canonical(self.anchor);
        is_legal && self.value(&position).is_some()
    }
}

impl Rows for ChessRows<'_> {
    fn parts(&self) -> &[u8] {
        &self.parts
    }

    fn classes(&self) -> usize {
        self.values.len().max(1)
    }

    fn slices(&self) -> usize {
        self.enumeration.slices()
    }

    fn number_bits(&self) -> u32 {
        self.numbering.bits()
    }

    fn visit(&self, slice: usize, visit: &mut dyn FnMut(u32)) {
        let are_all = self.target == Target::Outcome;
        self.enumeration.visit(slice, &mut |position| {
            if are_all || self.value(position).is_some() {
                visit(self.numbering.number(position));
            }
        });
    }

    fn class(&self, slice: usize, number: u32) -> u8 {
        self.classes[self.value(&self.position(slice, number)).expect("only rows have a class")]
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
        if self.tally.is_empty() { vec![0] } else { self.tally.clone() }
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
