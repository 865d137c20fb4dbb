//! The positions of a table as rows for the minimizer: a row is a canonical position with one side to move.
//!
//! A slice is the words with one digit of the anchor group. If that group is its own mirror, the table has a position and its
//! mirror, and only the canonical one is a row.

use super::frozen::groups::Sizes;
use super::frozen::index::{BlockPieces, WORD};
use super::frozen::model::VariableSet;
use super::{Material, Position, Table, Xiangqi};
use crate::learner::{Parts, RowIds, Rows};
use crate::outcome::{Color, Wdl};
use crate::pcn::PositionHash;
use crate::pipeline::PositionRows;
use crate::retrograde::bits::ones;
use crate::retrograde::estimate;
use crate::retrograde::game::Numbering;
use crate::retrograde::table::outcome_of;
use rayon::prelude::*;

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

/// The number of a position for its hash: its points as digits. Frozen, as the exceptions in files are found by it.
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
        let of_slice = |slice| {
            let mut tally = vec![0; rows.classes()];
            rows.each(slice, &mut |_, wdl, _| tally[usize::from(rows.classes[wdl.index()])] += 1);
            tally
        };
        let sum = |a: Vec<u64>, b: Vec<u64>| a.iter().zip(b).map(|(a, b)| a + b).collect();
        let none = || vec![0; rows.classes()];
        rows.tally = (0..rows.slices()).into_par_iter().map(of_slice).reduce(none, sum);
        rows
    }

    /// Whether 32 bits number the rows of a slice.
    pub(super) fn have_numbers(material: &Material) -> bool {
        let sizes = Sizes::of_words(material);
        sizes.product() / sizes.anchor_digits() * WORD <= 1 << 32
    }

    /// Calls `visit` with each row of a slice: its number, its outcome, and its position.
    pub(super) fn each(&self, slice: usize, visit: &mut dyn FnMut(u32, Wdl, Position)) {
        let Some(side) = self.table.side(self.turn) else { return };
        let first = slice as u64 * self.words_of_slice;
        for word in first..first + self.words_of_slice {
            let outcomes = side.word::<u128>(word);
            let all = outcomes[0] | outcomes[1] | outcomes[2];
            if all == 0 {
                continue;
            }
            let men = self.table.index().men(self.turn, word);
            for bit in ones(all) {
                let outcome = outcome_of(&outcomes, bit);
                let slot = (word - first) * WORD + bit as u64;
                if let (Some(outcome), Some(position)) = (outcome, self.canonical(&men, bit)) {
                    visit(slot as u32, outcome, position);
                }
            }
        }
    }

    /// The canonical image of the position in a bit of a word; `None` if the row of that image is in another slot.
    fn canonical(&self, men: &BlockPieces, bit: usize) -> Option<Position> {
        let index = self.table.index();
        let mut here = index.placed(self.turn, men, bit as u64);
        let canonical = here.canonical();
        if index.images(men) == 2 {
            return Some(canonical);
        }
        here.sort();
        (here == canonical).then_some(canonical)
    }

    /// The position with a number relative to slice number `first_slice`, which must be that of a row.
    fn position(&self, first_slice: usize, number: u32) -> Position {
        let (slice, slot) = self.place(first_slice, number);
        let (word, bit) = (slice as u64 * self.words_of_slice + slot / WORD, slot % WORD);
        let men = self.table.index().men(self.turn, word);
        self.table.index().placed(self.turn, &men, bit).canonical()
    }

    fn place(&self, first_slice: usize, number: u32) -> (usize, u64) {
        let bits = self.number_bits();
        let slice = first_slice + (u64::from(number) >> bits) as usize;
        (slice, u64::from(number) & ((1 << bits) - 1))
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
        self.each(slice, &mut |number, _, _| visit(number));
    }

    fn class(&self, slice: usize, number: u32) -> u8 {
        let slot = slice as u64 * self.words_of_slice * WORD + u64::from(number);
        let outcome = self.table.outcome(self.turn, slot).expect("the slot of a row");
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
        let slot = u64::from(number);
        if slot >= self.words_of_slice * WORD {
            return false;
        }
        let (word, bit) = (slice as u64 * self.words_of_slice + slot / WORD, slot % WORD);
        let men = self.table.index().men(self.turn, word);
        self.table.outcome(self.turn, word * WORD + bit).is_some()
            && self.canonical(&men, bit as usize).is_some()
    }
}
