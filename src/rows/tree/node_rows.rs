//! The rows of a node while a tree is grown: column by column, class by class.
//!
//! Splitting a node copies its columns, cut in two; the copies are small and contiguous, so that counting runs at the
//! speed of the first caches all the way down. Columns in which a node's rows are all alike are left out below it.

use super::histogram::{Histograms, MAX_PARTS, histogram as histogram_of};
use super::partition::{SLACK, split};
use super::router::Router;
use crate::rows::{Numbered, Rows};
use espresso::cpu::Level;
use rayon::prelude::*;

/// The bytes of columns are a multiple of this.
const TILE: usize = 64;
/// Rows whose columns a thread computes at a time, and how many such blocks are computed before they are put together.
const BLOCK: usize = if cfg!(test) { 64 } else { 1 << 12 };
const BLOCKS: usize = if cfg!(test) { 3 } else { 64 };
/// Rows up to which one thread computes the columns in their place: such nodes are many.
const WHOLE: usize = if cfg!(test) { 100 } else { 1 << 15 };
/// Bytes of a node from which on several threads count them.
const MANY_BYTES: usize = 1 << 20;

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

    /// Returns all variables of these rows, piece by piece.
    fn of(rows: &dyn Rows, pieces: &[Numbered<'_>]) -> Self {
        let variables = rows.parts().len();
        let count = pieces.iter().map(|piece| piece.numbers.len()).sum();
        let mut columns = ClassColumns::new(count, variables);
        let stride = columns.stride;
        let mut start = 0;
        let mut blocks: Vec<(usize, Numbered<'_>)> = Vec::new();
        for &Numbered { first_slice, numbers } in pieces {
            for numbers in numbers.chunks(BLOCK) {
                blocks.push((start, Numbered { first_slice, numbers }));
                start += numbers.len();
            }
        }
        if count <= WHOLE {
            blocks
                .into_iter()
                .for_each(|(start, block)| rows.columns(block, &mut columns.data[start..], stride));
            return columns;
        }
        for batch in blocks.chunks(BLOCKS) {
            let block = |&(start, block): &(usize, Numbered<'_>)| {
                let mut columns = vec![0; variables * BLOCK];
                rows.columns(block, &mut columns, BLOCK);
                (start, block.numbers.len(), columns)
            };
            let blocks: Vec<(usize, usize, Vec<u8>)> = batch.par_iter().map(block).collect();
            columns.data.par_chunks_mut(stride).take(variables).enumerate().for_each(|(variable, column)| {
                for (start, count, block) in &blocks {
                    column[*start..][..*count].copy_from_slice(&block[variable * BLOCK..][..*count]);
                }
            });
        }
        columns
    }

    fn column(&self, column: usize) -> &[u8] {
        &self.data[column * self.stride..][..self.rows]
    }
}

impl NodeRows {
    /// Returns these rows, by class, with all variables. Each stands for `weights` rows of its class.
    pub(super) fn new(rows: &dyn Rows, lists: &[Vec<Numbered<'_>>], weights: Vec<f32>) -> Self {
        let sets = lists.par_iter().map(|pieces| ClassColumns::of(rows, pieces)).collect();
        NodeRows { variables: (0..rows.parts().len() as u16).collect(), sets, weights }
    }

    /// How many rows there are of each class, as histograms have it.
    pub(super) fn counts(&self) -> Vec<u32> {
        self.sets.iter().map(|set| set.rows as u32).collect()
    }

    /// How many rows there are of each class.
    pub(super) fn tally(&self) -> Vec<u64> {
        self.sets.iter().map(|set| set.rows as u64).collect()
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

    /// For each class and each of its rows the number of the leaf of `router` that it comes to. All variables are there.
    pub(super) fn leaves(&self, router: &Router) -> Vec<Vec<u32>> {
        let leaf = |set: &ClassColumns, row| router.walk(|variable| set.data[variable * set.stride + row]);
        self.sets.iter().map(|set| (0..set.rows).map(|row| leaf(set, row)).collect()).collect()
    }

    /// Counts how many rows of each class have each part, in every column; `parts` are those of all variables.
    pub(super) fn histograms(&self, level: Level, parts: &[u8]) -> Histograms {
        let mut histograms = Histograms::new(
            self.variables.iter().map(|&variable| parts[usize::from(variable)]),
            self.sets.len(),
        );
        let count = |(column, counts): (usize, &mut [u32])| {
            let parts = counts.len() / self.sets.len();
            let mut histogram = [0; MAX_PARTS];
            for (set, counts) in self.sets.iter().zip(counts.chunks_exact_mut(parts)) {
                histogram_of(level, set.column(column), parts, &mut histogram);
                counts.copy_from_slice(&histogram[..parts]);
            }
        };
        let columns = histograms.columns_mut();
        if self.len() * self.columns() >= MANY_BYTES {
            columns.into_par_iter().enumerate().for_each(count);
        } else {
            columns.into_iter().enumerate().for_each(count);
        }
        histograms
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
