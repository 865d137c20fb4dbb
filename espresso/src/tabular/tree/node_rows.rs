//! The rows of a node while a tree is grown: column by column, class by class.
//!
//! Splitting a node copies its columns, cut in two; the copies are small and contiguous, so that counting runs at the
//! speed of the first caches all the way down. Columns in which a node's rows are all alike are left out below it.

use super::histogram::{Histogram, MAX_PARTS, histogram};
use super::partition::{SLACK, split};
use crate::cpu::Level;
use crate::tabular::{Row, Rows};
use rayon::prelude::*;
use std::borrow::Borrow;

/// Rows that are transposed at once.
const TILE: usize = 64;

/// The rows of one class.
#[derive(Clone, Debug, Default)]
struct ClassColumns {
    rows: usize,
    /// Bytes from a column to the next.
    stride: usize,
    /// The columns, and [`SLACK`] behind the last.
    data: Vec<u8>,
}

/// Rows with the variables that tell them apart.
#[derive(Clone, Debug)]
pub(super) struct NodeRows {
    variables: Vec<u16>,
    /// By class.
    sets: Vec<ClassColumns>,
    /// By class: how many rows each of these stands for.
    weights: Vec<f32>,
}

impl ClassColumns {
    fn new(rows: usize, columns: usize) -> Self {
        let stride = rows.next_multiple_of(TILE);
        ClassColumns { rows, stride, data: vec![0; columns * stride + SLACK] }
    }

    /// Writes rows of `variables` parts each into the columns, the first as row number `at`.
    fn transpose(&mut self, at: usize, parts: &[u8], variables: usize) {
        for (tile, rows) in parts.chunks(TILE * variables).enumerate() {
            let at = at + TILE * tile;
            for column in 0..variables {
                let target = &mut self.data[column * self.stride + at..];
                for (part, row) in target.iter_mut().zip(rows.chunks_exact(variables)) {
                    *part = row[column];
                }
            }
        }
    }

    fn column(&self, column: usize) -> &[u8] {
        &self.data[column * self.stride..][..self.rows]
    }
}

/// Rows of one node and class on their way into [`ClassColumns`], row after row.
#[derive(Clone, Debug, Default)]
pub(super) struct ClassRows {
    parts: Vec<u8>,
    rows: usize,
}

impl ClassRows {
    /// Returns no rows, with room for so many.
    pub(super) fn with_capacity(rows: usize, variables: usize) -> Self {
        ClassRows { parts: Vec::with_capacity(rows * variables), rows: 0 }
    }

    pub(super) fn push(&mut self, row: &dyn Row, variables: usize) {
        let start = self.parts.len();
        self.parts.resize(start + variables, 0);
        row.parts(&mut self.parts[start..]);
        self.rows += 1;
    }
}

impl NodeRows {
    /// Returns all rows of `rows`, with all variables.
    pub(super) fn gather(rows: &dyn Rows) -> Self {
        let (variables, classes) = (rows.parts().len(), rows.classes());
        let slices = (0..rows.slices()).into_par_iter().map(|slice| {
            let mut of_class = vec![ClassRows::default(); classes];
            rows.visit(slice, &mut |row| of_class[usize::from(row.class())].push(row, variables));
            of_class
        });
        let mut slices: Vec<Vec<ClassRows>> = slices.collect();
        // Each class is given up as it comes into columns.
        Self::new(variables, vec![1.0; classes], |class| {
            slices.iter_mut().map(|of_class| std::mem::take(&mut of_class[class])).collect()
        })
    }

    /// Returns the rows of node number `group` in all of `stretches`, by node and class. Each stands for `weights` rows of its
    /// class.
    pub(super) fn bind(
        variables: usize,
        weights: Vec<f32>,
        stretches: &[Vec<ClassRows>],
        group: usize,
    ) -> Self {
        let classes = weights.len();
        let of_class = |class| stretches.iter().filter_map(move |kinds| kinds.get(group * classes + class));
        Self::new(variables, weights, |class| of_class(class).collect::<Vec<_>>())
    }

    /// Returns the rows that `of_class` has of each class, in order.
    fn new<R: Borrow<ClassRows>>(
        variables: usize,
        weights: Vec<f32>,
        mut of_class: impl FnMut(usize) -> Vec<R>,
    ) -> Self {
        let sets = (0..weights.len()).map(|class| {
            let parcels = of_class(class);
            let count = parcels.iter().map(|parcel| parcel.borrow().rows).sum();
            let mut set = ClassColumns::new(count, variables);
            let mut at = 0;
            for parcel in parcels {
                let ClassRows { parts, rows } = parcel.borrow();
                set.transpose(at, parts, variables);
                at += rows;
            }
            set
        });
        let sets = sets.collect();
        NodeRows { variables: (0..variables as u16).collect(), sets, weights }
    }

    pub(super) fn counts(&self) -> Vec<u32> {
        self.sets.iter().map(|set| set.rows as u32).collect()
    }

    /// How many rows these stand for.
    pub(super) fn weight(&self) -> f32 {
        self.sets.iter().zip(&self.weights).map(|(set, weight)| set.rows as f32 * weight).sum()
    }

    pub(super) fn len(&self) -> usize {
        self.sets.iter().map(|set| set.rows).sum()
    }

    pub(super) fn columns(&self) -> usize {
        self.variables.len()
    }

    pub(super) fn variable(&self, column: usize) -> usize {
        self.variables[column].into()
    }

    /// Writes, for each class, how many of its rows have each part below `parts` in `column`.
    pub(super) fn histograms(&self, level: Level, column: usize, parts: usize, counts: &mut [Histogram]) {
        for (set, counts) in self.sets.iter().zip(counts) {
            histogram(level, set.column(column), parts, counts);
        }
    }

    /// Returns the rows whose part in `column` is in `low..=high` and the others, both with the columns `keep` alone,
    /// which ascend.
    pub(super) fn split(
        &self,
        level: Level,
        column: usize,
        (low, high): (u8, u8),
        keep: &[u16],
    ) -> (NodeRows, NodeRows) {
        let variables: Vec<u16> = keep.iter().map(|&column| self.variables[usize::from(column)]).collect();
        let halves = |set: &ClassColumns| {
            let mask = interval_mask(set.column(column), low, high);
            let inside = mask.iter().map(|word| word.count_ones() as usize).sum();
            let mut halves =
                (ClassColumns::new(inside, keep.len()), ClassColumns::new(set.rows - inside, keep.len()));
            for (target, &column) in keep.iter().enumerate() {
                let (a, b) = (&mut halves.0, &mut halves.1);
                split(
                    level,
                    set.column(column.into()),
                    &mask,
                    &mut a.data[target * a.stride..],
                    &mut b.data[target * b.stride..],
                );
            }
            halves
        };
        let (inside, outside) = self.sets.iter().map(halves).unzip();
        let half = |sets| NodeRows { variables: variables.clone(), sets, weights: self.weights.clone() };
        (half(inside), half(outside))
    }

    /// Returns about `rows` of the rows: each class in proportion, but rare ones up to an eighth of the whole.
    pub(super) fn sample(&self, rows: usize) -> NodeRows {
        let total = self.len();
        let sets: Vec<ClassColumns> = self
            .sets
            .iter()
            .map(|set| {
                let share = (set.rows as u64 * rows as u64 / total.max(1) as u64) as usize;
                let wanted = share.max(set.rows.min(rows / 8)).max(1).min(set.rows);
                let mut sample = ClassColumns::new(wanted, self.columns());
                if wanted == 0 {
                    return sample;
                }
                let picks: Vec<usize> =
                    (0..wanted).map(|i| (i as u64 * set.rows as u64 / wanted as u64) as usize).collect();
                for number in 0..self.columns() {
                    let column = set.column(number);
                    let target = &mut sample.data[number * sample.stride..];
                    target.iter_mut().zip(&picks).for_each(|(target, &pick)| *target = column[pick]);
                }
                sample
            })
            .collect();
        let weight = |((all, some), weight): ((&ClassColumns, &ClassColumns), &f32)| {
            weight * all.rows as f32 / some.rows.max(1) as f32
        };
        let weights = self.sets.iter().zip(&sets).zip(&self.weights).map(weight).collect();
        NodeRows { variables: self.variables.clone(), sets, weights }
    }
}

/// Returns a bit for each byte of `column` that says whether it is in `low..=high`.
fn interval_mask(column: &[u8], low: u8, high: u8) -> Vec<u64> {
    let width = high - low;
    let word = |bytes: &[u8]| {
        bytes.iter().rev().fold(0, |word, &part| word << 1 | u64::from(part.wrapping_sub(low) <= width))
    };
    column.chunks(64).map(word).collect()
}

const _: () = assert!(MAX_PARTS <= 64 && TILE == SLACK);
