//! The positions of a table as rows for the minimizer: a row is a canonical position with one side to move.
//!
//! A slice has the words with one digit of the anchor group. If the anchor group is its own mirror, the table has both a position
//! and its mirror; only the canonical one of them is a row.

use super::frozen::groups::Sizes;
use super::frozen::index::{BlockPieces, WORD};
use super::frozen::model::VariableSet;
use super::{Material, Position, Table, Xiangqi};
use crate::learner::{Parts, RowIds, Rows, tally};
use crate::outcome::{Color, Wdl};
use crate::pcn::PositionHash;
use crate::pipeline::PositionRows;
use crate::retrograde::bits::ones;
use crate::retrograde::estimate;
use crate::retrograde::game::Numbering;

/// The rows of one side to move.
pub(super) struct TableRows<'a> {
    table: &'a Table,
    variables: &'a VariableSet,
    turn: Color,
    outcomes: Vec<Wdl>,
    /// The class of each outcome.
    classes: [u8; 3],
    words_of_slice: u64,
    tally: Vec<u64>,
}

/// The hash of a canonical position, from its points as digits of a number. Frozen: exceptions in files are found by it.
pub(super) fn hash(canonical: &Position) -> PositionHash {
    let number = canonical.points().iter().fold(0, |number: u128, point| number << 7 | point.index() as u128);
    PositionHash::of_number(number)
}

impl<'a> TableRows<'a> {
    pub(super) fn new(table: &'a Table, variables: &'a VariableSet, turn: Color) -> Self {
        let counts = table.counts(turn);
        let outcomes: Vec<Wdl> = Wdl::ALL.into_iter().filter(|outcome| counts[outcome.index()] > 0).collect();
        let mut classes = [0; 3];
        outcomes.iter().zip(0..).for_each(|(outcome, class)| classes[outcome.index()] = class);
        let words_of_slice = table.index().words() / table.index().anchor_digits() as u64;
        let mut rows =
            TableRows { table, variables, turn, outcomes, classes, words_of_slice, tally: Vec::new() };
        rows.tally = tally(&rows);
        rows
    }

    /// Whether 32 bits number the rows of a slice.
    pub(super) fn have_numbers(material: &Material) -> bool {
        let sizes = Sizes::of_words(material);
        sizes.product() / sizes.anchor_digits() * WORD <= 1 << 32
    }

    /// The slot of a row, or of an unused number, relative to slice number `first_slice`.
    fn slot(&self, first_slice: usize, number: u32) -> u64 {
        let (bits, number) = (self.number_bits(), u64::from(number));
        (first_slice as u64 + (number >> bits)) * self.words_of_slice * WORD + (number & ((1 << bits) - 1))
    }

    /// The position of a row, with a number relative to slice number `first_slice`.
    pub(super) fn position(&self, first_slice: usize, number: u32) -> Position {
        let (index, slot) = (self.table.index(), self.slot(first_slice, number));
        index.placed(self.turn, &index.men(self.turn, slot / WORD), slot % WORD).canonical()
    }

    /// Whether the position in a bit of a word is a row, if the table has an outcome for it.
    fn is_canonical(&self, men: &BlockPieces, bit: u64) -> bool {
        let index = self.table.index();
        let mut here = index.placed(self.turn, men, bit);
        here.sort();
        index.images(men) == 2 || here == here.canonical()
    }
}

impl Rows for TableRows<'_> {
    fn parts(&self) -> &[u8] {
        self.variables.values()
    }

    fn classes(&self) -> usize {
        self.outcomes.len().max(1)
    }

    fn slices(&self) -> usize {
        self.table.index().anchor_digits()
    }

    fn number_bits(&self) -> u32 {
        (self.words_of_slice * WORD).next_power_of_two().trailing_zeros()
    }

    fn visit(&self, slice: usize, visit: &mut dyn FnMut(u32)) {
        let Some(side) = self.table.side(self.turn) else { return };
        let first = slice as u64 * self.words_of_slice;
        for word in first..first + self.words_of_slice {
            let outcomes = side.word::<u128>(word).into_iter().fold(0, |all, bits| all | bits);
            if outcomes != 0 {
                let men = self.table.index().men(self.turn, word);
                let rows = ones(outcomes).map(|bit| bit as u64).filter(|&bit| self.is_canonical(&men, bit));
                rows.for_each(|bit| visit(((word - first) * WORD + bit) as u32));
            }
        }
    }

    fn class(&self, slice: usize, number: u32) -> u8 {
        let outcome = self.table.outcome(self.turn, self.slot(slice, number)).expect("the slot of a row");
        self.classes[outcome.index()]
    }

    fn for_rows(&self, rows: RowIds<'_>, visit: &mut dyn FnMut(usize, Parts<'_>)) {
        for (at, &number) in rows.numbers.iter().enumerate() {
            let position = self.position(rows.first_slice, number);
            let view = self.variables.view(position.points());
            visit(at, &|variable| self.variables.value(&view, variable));
        }
    }

    fn tally(&self) -> Vec<u64> {
        self.tally.clone()
    }
}

impl PositionRows for TableRows<'_> {
    fn name(&self) -> String {
        self.table.material().to_string()
    }

    fn table_bytes(&self) -> u64 {
        estimate::table_bytes::<Xiangqi>(self.table.material(), self.table.metric())
    }

    fn outcomes(&self) -> &[Wdl] {
        &self.outcomes
    }

    fn nanoseconds(&self, variable: usize) -> u8 {
        self.variables.nanoseconds(variable)
    }

    fn hash(&self, first_slice: usize, number: u32) -> PositionHash {
        hash(&self.position(first_slice, number))
    }

    fn is_row(&self, slice: usize, number: u32) -> bool {
        let slot = self.slot(slice, number);
        u64::from(number) < self.words_of_slice * WORD
            && self.table.outcome(self.turn, slot).is_some()
            && self.is_canonical(&self.table.index().men(self.turn, slot / WORD), slot % WORD)
    }
}
