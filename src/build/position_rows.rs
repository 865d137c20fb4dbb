//! The positions of a table as rows for the minimizer: each legal canonical position of one side to move, shown by an
//! input model, with its outcome as its class. Nothing is held: visiting computes.

use crate::model::{Plan, View};
use crate::position::{Color, Enumeration, Position, Wdl};
use crate::retrograde::Table;
use espresso::tabular::{Row, Rows};
use rayon::prelude::*;
use std::cell::OnceCell;

/// The rows of one side to move, in the order of [`Enumeration`]. Its classes are the outcomes that occur, in their
/// own order.
#[derive(Debug)]
pub(super) struct Positions<'a> {
    pub(super) table: &'a Table,
    pub(super) plan: &'a Plan,
    pub(super) turn: Color,
    /// The number of the man that leads.
    pub(super) lead: usize,
    enumeration: Enumeration,
    parts: Vec<u8>,
    outcomes: Vec<Wdl>,
    /// The class of each outcome.
    classes: [u8; 3],
}

impl<'a> Positions<'a> {
    /// Returns the rows of `table` with `turn` to move and man number `lead` leading, as `plan` shows them.
    pub(super) fn new(table: &'a Table, plan: &'a Plan, turn: Color, lead: usize) -> Self {
        let counts = table.counts(turn);
        let outcomes: Vec<Wdl> = Wdl::ALL.into_iter().filter(|outcome| counts[outcome.index()] > 0).collect();
        let mut classes = [0; 3];
        for (class, outcome) in outcomes.iter().enumerate() {
            classes[outcome.index()] = class as u8;
        }
        Positions {
            table,
            plan,
            turn,
            lead,
            enumeration: Enumeration::new(table.material(), turn, lead),
            parts: plan.variables().iter().map(|variable| variable.parts as u8).collect(),
            outcomes,
            classes,
        }
    }

    /// Calls `visit` with each position of slice number `slice` that `wanted` wants of its number there, and that number,
    /// in order.
    pub(super) fn visit_positions(
        &self,
        slice: usize,
        wanted: &mut dyn FnMut(usize) -> bool,
        visit: &mut dyn FnMut(usize, &Position),
    ) {
        let mut number = 0;
        self.enumeration.visit(slice, &mut |position| {
            if wanted(number) {
                visit(number, position);
            }
            number += 1;
        });
    }

    /// The outcome of one of the positions.
    pub(super) fn outcome(&self, position: &Position) -> Wdl {
        // Every position that the enumeration visits is legal, and the table has all of them.
        self.table.wdl_of_legal(position).unwrap_or(Wdl::Draw)
    }

    /// The outcome that each class stands for.
    pub(super) fn outcomes(&self) -> &[Wdl] {
        &self.outcomes
    }
}

/// One position.
struct Shown<'a> {
    rows: &'a Positions<'a>,
    position: &'a Position,
    view: OnceCell<View<'a>>,
}

impl Row for Shown<'_> {
    fn part(&self, variable: usize) -> u8 {
        let view = self.view.get_or_init(|| self.rows.plan.view(self.position));
        self.rows.plan.part(view, variable)
    }

    fn parts(&self, parts: &mut [u8]) {
        self.rows.plan.evaluate(self.position, parts);
    }

    fn class(&self) -> u8 {
        self.rows.classes[self.rows.outcome(self.position).index()]
    }
}

impl Rows for Positions<'_> {
    fn parts(&self) -> &[u8] {
        &self.parts
    }

    fn classes(&self) -> usize {
        self.outcomes.len().max(1)
    }

    fn slices(&self) -> usize {
        self.enumeration.slices()
    }

    fn visit(&self, slice: usize, visit: &mut dyn FnMut(&dyn Row)) {
        self.pick(slice, &mut |_| true, &mut |_, row| visit(row));
    }

    fn pick(
        &self,
        slice: usize,
        wanted: &mut dyn FnMut(usize) -> bool,
        visit: &mut dyn FnMut(usize, &dyn Row),
    ) {
        self.visit_positions(slice, wanted, &mut |number, position| {
            visit(number, &Shown { rows: self, position, view: OnceCell::new() });
        });
    }

    fn count(&self) -> u64 {
        self.table.counts(self.turn).iter().sum()
    }
}

/// Some rows of another function: every so many of each slice.
#[derive(Debug)]
pub(super) struct Sampled<'a> {
    rows: &'a Positions<'a>,
    step: u64,
}

impl<'a> Sampled<'a> {
    /// Returns every `step`-th row of each slice; all with a step of 1.
    pub(super) fn new(rows: &'a Positions<'a>, step: u64) -> Self {
        Sampled { rows, step }
    }

    /// Whether each row of slice number `slice` is among them, by its number.
    fn wanted(&self, slice: usize) -> impl FnMut(usize) -> bool + use<> {
        // Slices begin at different places, so that no square of the last man is favoured.
        let (first, step) = (slice as u64, self.step);
        move |number| (first + number as u64).is_multiple_of(step)
    }
}

impl Rows for Sampled<'_> {
    fn parts(&self) -> &[u8] {
        self.rows.parts()
    }

    fn classes(&self) -> usize {
        self.rows.classes()
    }

    fn slices(&self) -> usize {
        self.rows.slices()
    }

    fn visit(&self, slice: usize, visit: &mut dyn FnMut(&dyn Row)) {
        self.rows.pick(slice, &mut self.wanted(slice), &mut |_, row| visit(row));
    }

    fn count(&self) -> u64 {
        let in_slice = |slice| {
            let mut count = 0;
            self.visit(slice, &mut |_| count += 1);
            count
        };
        (0..self.slices()).into_par_iter().map(in_slice).sum()
    }
}
