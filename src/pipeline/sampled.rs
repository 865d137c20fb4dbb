//! Rows that are positions of a table of any game, and samples of them.

use crate::chess::position::Wdl;
use crate::learner::{Parts, RowIds, Rows, tally};
use crate::pcn::PositionHash;
use std::sync::OnceLock;

/// The positions of a table with one side to move as rows, their outcomes as classes.
pub(crate) trait PositionRows: Rows {
    /// The material, for messages.
    fn name(&self) -> String;
    /// The memory of the outcome table in bytes.
    fn table_bytes(&self) -> u64;
    /// The outcome of each class.
    fn outcomes(&self) -> &[Wdl];
    /// The approximate time of variable number `variable` in nanoseconds.
    fn nanoseconds(&self, variable: usize) -> u8;
    /// The hash of the position with a number relative to slice number `first_slice`.
    fn hash(&self, first_slice: usize, number: u32) -> PositionHash;
    /// Whether a row of slice number `slice` has this number.
    fn is_row(&self, slice: usize, number: u32) -> bool;
}

/// A sample of the rows.
#[derive(Debug)]
pub(super) struct Sampled<'a, R> {
    rows: &'a R,
    step: u64,
    tally: OnceLock<Vec<u64>>,
}

/// The most rows of which a sample takes every n-th. Of more rows, random numbers are drawn, so as not to visit all rows.
const COUNTED_OFF: u64 = 1 << 23;

impl<'a, R: PositionRows> Sampled<'a, R> {
    /// Returns a sample of about one in `step` rows of each slice; all rows with a step of 1.
    pub(super) fn new(rows: &'a R, step: u64) -> Self {
        Sampled { rows, step, tally: OnceLock::new() }
    }

    /// Calls `visit` with every n-th row of a slice, where n is the step.
    fn count_off(&self, slice: usize, visit: &mut dyn FnMut(u32)) {
        // The first row differs between slices, so that no square of the last man is favoured.
        let (first, step) = (slice as u64, self.step);
        let mut place = first;
        self.rows.visit(slice, &mut |number| {
            if place.is_multiple_of(step) {
                visit(number);
            }
            place += 1;
        });
    }

    /// Draws one of every n numbers in a slice, where n is the step, and calls `visit` with those of rows.
    pub(super) fn draw(&self, slice: usize, visit: &mut dyn FnMut(u32)) {
        for first in (0..1_u64 << self.number_bits()).step_by(self.step as usize) {
            let drawn = (first ^ (slice as u64) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            let number = (first + ((drawn * self.step) >> 32)) as u32;
            if self.rows.is_row(slice, number) {
                visit(number);
            }
        }
    }
}

impl<R: PositionRows> Rows for Sampled<'_, R> {
    fn parts(&self) -> &[u8] {
        self.rows.parts()
    }

    fn classes(&self) -> usize {
        self.rows.classes()
    }

    fn slices(&self) -> usize {
        self.rows.slices()
    }

    fn number_bits(&self) -> u32 {
        self.rows.number_bits()
    }

    fn class(&self, slice: usize, number: u32) -> u8 {
        self.rows.class(slice, number)
    }

    fn visit(&self, slice: usize, visit: &mut dyn FnMut(u32)) {
        if self.rows.count() <= COUNTED_OFF { self.count_off(slice, visit) } else { self.draw(slice, visit) }
    }

    fn for_rows(&self, rows: RowIds<'_>, visit: &mut dyn FnMut(usize, Parts<'_>)) {
        self.rows.for_rows(rows, visit);
    }

    fn columns(&self, rows: RowIds<'_>, columns: &mut [u8], stride: usize) {
        self.rows.columns(rows, columns, stride);
    }

    fn tally(&self) -> Vec<u64> {
        let all = || if self.step == 1 { self.rows.tally() } else { tally(self) };
        self.tally.get_or_init(all).clone()
    }
}
