//! The rows of a node while a tree is grown: columns of parts, class by class, with a histogram of each.
//!
//! Splitting a node copies its columns into two halves, and counts the parts of the smaller half while it is in the cache.
//! A half that becomes a leaf has no columns. A class whose rows all go to one side is not copied. The larger half of a large
//! class stays in its place if no other node shares the columns: new memory costs more time than the copy. A column with the
//! same part in all rows of a node is left out below it.

use super::cpu::Level;
use super::histogram::{Histograms, MAX_PARTS, histogram as histogram_of};
use super::partition::{SLACK, Selection, split, split_in_place};
use super::split::Candidate;
use crate::learner::{RowIds, Rows};
use crate::nodes::Router;
use rayon::prelude::*;
use std::mem;
use std::sync::Arc;

/// The bytes of columns are a multiple of this.
const TILE: usize = 64;
/// Rows whose columns a thread computes at a time, and the number of such blocks that are computed before they are joined.
const BLOCK: usize = if cfg!(test) { 64 } else { 1 << 12 };
const BLOCKS: usize = if cfg!(test) { 3 } else { 64 };
/// The most rows of a node whose columns one thread computes directly in their place. Most nodes are this small.
const WHOLE: usize = if cfg!(test) { 100 } else { 1 << 15 };
/// The least bytes of a class whose columns several threads split and count.
const MANY_BYTES: usize = if cfg!(test) { 1 << 9 } else { 1 << 20 };
/// The least bytes of a class whose larger half stays in its place.
const FEWER_PAGES: usize = if cfg!(test) { 1 << 10 } else { 1 << 25 };

/// The rows of one class.
#[derive(Clone, Debug, Default)]
struct ClassColumns {
    rows: usize,
    /// Bytes from one column to the next.
    stride: usize,
    /// The index in `data` of each column of the node; empty without rows.
    places: Vec<u16>,
    /// The columns, with [`SLACK`] after the last.
    data: Arc<Vec<u8>>,
}

/// The rows of a node, in the variables in which they differ.
#[derive(Clone, Debug)]
pub(super) struct NodeRows {
    level: Level,
    variables: Vec<u16>,
    /// By class.
    sets: Vec<ClassColumns>,
    /// The number of rows that each row stands for, by class.
    weights: Vec<f32>,
    histograms: Histograms,
}

/// The rows on one side of a test; for a leaf, only their number in each class.
pub(super) enum SplitSide {
    Leaf(Vec<u64>),
    Rows(NodeRows),
}

/// Columns that are being written one after the other, with [`SLACK`] after the last.
struct ColumnWriter {
    rows: usize,
    stride: usize,
    data: Vec<u8>,
}

impl ColumnWriter {
    fn new(rows: usize, columns: usize) -> Self {
        let stride = rows.max(1).next_multiple_of(TILE);
        ColumnWriter { rows, stride, data: vec![0; columns * stride + SLACK] }
    }

    /// The same with [`SLACK`] after each column, so that several threads can write them.
    fn apart(rows: usize, columns: usize) -> Self {
        let stride = (rows + SLACK).next_multiple_of(TILE);
        ColumnWriter { rows, stride, data: vec![0; columns * stride] }
    }

    fn done(self, columns: usize) -> ClassColumns {
        let ColumnWriter { rows, stride, data } = self;
        ClassColumns { rows, stride, places: (0..columns as u16).collect(), data: Arc::new(data) }
    }
}

impl ClassColumns {
    /// Returns the columns of the rows in `pieces`, for all variables.
    fn of(rows: &dyn Rows, pieces: &[RowIds<'_>]) -> Self {
        let variables = rows.parts().len();
        let count = pieces.iter().map(|piece| piece.numbers.len()).sum();
        let mut columns = ColumnWriter::new(count, variables);
        let stride = columns.stride;
        let mut start = 0;
        let mut blocks: Vec<(usize, RowIds<'_>)> = Vec::new();
        for &RowIds { first_slice, numbers } in pieces {
            for numbers in numbers.chunks(BLOCK) {
                blocks.push((start, RowIds { first_slice, numbers }));
                start += numbers.len();
            }
        }
        if count <= WHOLE {
            blocks
                .into_iter()
                .for_each(|(start, block)| rows.columns(block, &mut columns.data[start..], stride));
            return columns.done(variables);
        }
        for batch in blocks.chunks(BLOCKS) {
            let block = |&(start, block): &(usize, RowIds<'_>)| {
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
        columns.done(variables)
    }

    fn column(&self, column: usize) -> &[u8] {
        &self.padded(column)[..self.rows]
    }

    /// The bytes of a column and what is behind them up to a multiple of [`TILE`].
    fn padded(&self, column: usize) -> &[u8] {
        if self.rows == 0 {
            return &[];
        }
        &self.data[usize::from(self.places[column]) * self.stride..][..self.rows.next_multiple_of(TILE)]
    }

    /// Returns these rows with only the columns `keep`.
    fn with_columns(self, keep: &[u16]) -> Self {
        if self.rows == 0 {
            return ClassColumns::default();
        }
        let places = keep.iter().map(|&column| self.places[usize::from(column)]).collect();
        ClassColumns { places, ..self }
    }

    /// Returns a sample of `rows` rows, evenly spaced.
    fn sample(&self, rows: usize) -> Self {
        if rows == 0 {
            return ClassColumns::default();
        }
        let columns = self.places.len();
        let picks: Vec<usize> =
            (0..rows).map(|i| (i as u64 * self.rows as u64 / rows as u64) as usize).collect();
        let mut sample = ColumnWriter::new(rows, columns);
        for (number, target) in sample.data.chunks_exact_mut(sample.stride).take(columns).enumerate() {
            let column = self.column(number);
            target.iter_mut().zip(&picks).for_each(|(target, &pick)| *target = column[pick]);
        }
        sample.done(columns)
    }
}

impl NodeRows {
    /// Returns the rows in `lists`, which are given by class, with all variables. A row of class c stands for `weights[c]` rows.
    pub(super) fn new(rows: &dyn Rows, lists: &[Vec<RowIds<'_>>], weights: Vec<f32>) -> Self {
        let sets: Vec<ClassColumns> = lists.par_iter().map(|pieces| ClassColumns::of(rows, pieces)).collect();
        let histograms = Histograms::new(rows.parts().iter().copied(), sets.len());
        let variables = (0..rows.parts().len() as u16).collect();
        NodeRows { level: Level::detect(), variables, sets, weights, histograms }.counted()
    }

    /// Computes the histograms of all columns.
    pub(super) fn counted(mut self) -> Self {
        let NodeRows { level, sets, histograms, .. } = &mut self;
        let (level, classes) = (*level, sets.len());
        let count = |(column, counts): (usize, &mut [u32])| {
            let mut histogram = [0; MAX_PARTS];
            for (set, counts) in sets.iter().zip(counts.chunks_exact_mut(counts.len() / classes)) {
                histogram_of(level, set.column(column), counts.len(), &mut histogram);
                counts.copy_from_slice(&histogram[..counts.len()]);
            }
        };
        let bytes = sets.iter().map(|set| set.rows * set.places.len()).sum::<usize>();
        if bytes >= MANY_BYTES {
            histograms.columns_mut().collect::<Vec<_>>().into_par_iter().enumerate().for_each(count);
        } else {
            histograms.columns_mut().enumerate().for_each(count);
        }
        self
    }

    pub(super) fn histograms(&self) -> &Histograms {
        &self.histograms
    }

    /// The number of rows of each class, in the type of histograms.
    pub(super) fn counts(&self) -> Vec<u32> {
        self.sets.iter().map(|set| set.rows as u32).collect()
    }

    /// The number of rows of each class.
    pub(super) fn tally(&self) -> Vec<u64> {
        self.sets.iter().map(|set| set.rows as u64).collect()
    }

    /// The number of rows that the rows of the node stand for.
    pub(super) fn weight(&self) -> f32 {
        self.sets.iter().zip(&self.weights).map(|(set, weight)| set.rows as f32 * weight).sum()
    }

    pub(super) fn len(&self) -> usize {
        self.sets.iter().map(|set| set.rows).sum()
    }

    pub(super) fn variable(&self, column: usize) -> usize {
        self.variables[column].into()
    }

    /// Returns the leaf of `router` that each row reaches, by class. No column may have been left out.
    pub(super) fn leaves(&self, router: &Router) -> Vec<Vec<u32>> {
        let leaf = |set: &ClassColumns, row| router.leaf(|variable| set.data[variable * set.stride + row]);
        let of_set = |set: &ClassColumns| {
            (0..set.rows).into_par_iter().with_min_len(BLOCK).map(|row| leaf(set, row)).collect()
        };
        self.sets.iter().map(of_set).collect()
    }

    /// Returns the rows inside the test's interval and those outside, with only the columns `keep`, which ascend. For a side
    /// that `is_leaf` accepts, returns only the counts.
    pub(super) fn split(
        &self,
        test: &Candidate,
        keep: &[u16],
        is_leaf: &dyn Fn(&[u64]) -> bool,
    ) -> (SplitSide, SplitSide) {
        self.halves(self.sets.clone(), test, keep, is_leaf)
    }

    /// As [`NodeRows::split`], in the memory of these rows where possible.
    pub(super) fn into_halves(
        mut self,
        test: &Candidate,
        keep: &[u16],
        is_leaf: &dyn Fn(&[u64]) -> bool,
    ) -> (SplitSide, SplitSide) {
        let sets = mem::take(&mut self.sets);
        self.halves(sets, test, keep, is_leaf)
    }

    /// Splits `sets`, the rows of this node by class.
    fn halves(
        &self,
        sets: Vec<ClassColumns>,
        test: &Candidate,
        keep: &[u16],
        is_leaf: &dyn Fn(&[u64]) -> bool,
    ) -> (SplitSide, SplitSide) {
        let met = self.histograms.sums(test.column.into(), (test.low, test.high));
        let tallies: [Vec<u64>; 2] = [
            met.iter().map(|&count| count.into()).collect(),
            sets.iter().zip(&met).map(|(set, &met)| set.rows as u64 - u64::from(met)).collect(),
        ];
        let wanted = [0, 1].map(|side| !is_leaf(&tallies[side]));
        let mut halves = tallies.map(SplitSide::Leaf);
        if wanted == [false; 2] {
            let [a, b] = halves;
            return (a, b);
        }
        let mut histograms = [0, 1].map(|_| self.histograms.zeros(keep));
        let mut sides: [Vec<ClassColumns>; 2] = Default::default();
        for (class, set) in sets.into_iter().enumerate() {
            let met = met[class] as usize;
            let one_side = if met == set.rows { Some(0) } else { (met == 0).then_some(1) };
            if let Some(side) = one_side {
                self.histograms.copy_class(class, keep, &mut histograms[side]);
                sides[side].push(set.with_columns(keep));
                sides[1 - side].push(ClassColumns::default());
                continue;
            }
            let selection = Selection::of_interval(set.column(test.column.into()), test.low, test.high);
            let cut = self.cut(class, set, selection, keep, wanted, &mut histograms);
            sides.iter_mut().zip(cut).for_each(|(sets, set)| sets.push(set));
        }
        let variables: Vec<u16> = keep.iter().map(|&column| self.variables[usize::from(column)]).collect();
        for (side, (sets, histograms)) in sides.into_iter().zip(histograms).enumerate() {
            if wanted[side] {
                let (variables, weights) = (variables.clone(), self.weights.clone());
                halves[side] =
                    SplitSide::Rows(NodeRows { level: self.level, variables, sets, weights, histograms });
            }
        }
        let [a, b] = halves;
        (a, b)
    }

    /// Splits the columns `keep` of a class by a selection of its rows, and counts both halves. In small classes a half that is
    /// not wanted holds one column at a time, to be counted.
    fn cut(
        &self,
        class: usize,
        mut set: ClassColumns,
        selection: Selection,
        keep: &[u16],
        wanted: [bool; 2],
        histograms: &mut [Histograms; 2],
    ) -> [ClassColumns; 2] {
        let rows = selection.sizes();
        let smaller = usize::from(rows[1] < rows[0]);
        let [of_a, of_b] = histograms;
        let counts = of_a.classes_mut(class).zip(of_b.classes_mut(class)).map(<[_; 2]>::from);
        let count = |column: u16, half: &[u8], histograms: [&mut [u32]; 2]| {
            let all = self.histograms.class(column.into(), class);
            let mut counted = [0; MAX_PARTS];
            histogram_of(self.level, &half[..rows[smaller]], all.len(), &mut counted);
            for (side, histogram) in histograms.into_iter().enumerate() {
                for ((count, &counted), &all) in histogram.iter_mut().zip(&counted).zip(all) {
                    *count = if side == smaller { counted } else { all - counted };
                }
            }
        };
        if set.rows * keep.len() < MANY_BYTES {
            let mut halves =
                [0, 1].map(|side| ColumnWriter::new(rows[side], if wanted[side] { keep.len() } else { 1 }));
            for (number, (&column, counts)) in keep.iter().zip(counts).enumerate() {
                let [a, b] = &mut halves;
                let [a, b] = [(a, wanted[0]), (b, wanted[1])]
                    .map(|(half, wanted)| &mut half.data[if wanted { number * half.stride } else { 0 }..]);
                split(self.level, set.padded(column.into()), &selection, a, b);
                count(column, if smaller == 0 { a } else { b }, counts);
            }
            return halves.map(|half| half.done(keep.len()));
        }
        let larger = 1 - smaller;
        let selection = if larger == 0 { selection } else { selection.inverted() };
        let mut less = ColumnWriter::apart(rows[smaller], keep.len());
        let counts: Vec<_> = counts.collect();
        let targets = keep.par_iter().zip(less.data.par_chunks_mut(less.stride)).zip(counts);
        // A half that would use little of the memory is copied, and the memory freed.
        let is_dense = rows[larger] * keep.len() * 4 >= set.data.len();
        let stays = wanted[larger] && set.rows * keep.len() >= FEWER_PAGES && is_dense;
        let more = if let Some(data) = Arc::get_mut(&mut set.data).filter(|_| stays) {
            let places: Vec<u16> = keep.iter().map(|&column| set.places[usize::from(column)]).collect();
            let mut next = places.iter().peekable();
            let is_kept = |(place, _): &(usize, &mut [u8])| {
                next.next_if(|&&kept| usize::from(kept) == *place).is_some()
            };
            let columns: Vec<_> = data.chunks_mut(set.stride).enumerate().filter(is_kept).collect();
            debug_assert_eq!(columns.len(), keep.len(), "columns that do not ascend");
            targets.zip(columns).for_each(|(((&column, less), counts), (_, more))| {
                split_in_place(self.level, more, &selection, less);
                count(column, less, counts);
            });
            ClassColumns { rows: rows[larger], places, ..set }
        } else {
            let mut more = ColumnWriter::apart(rows[larger], keep.len());
            targets.zip(more.data.par_chunks_mut(more.stride)).for_each(
                |(((&column, less), counts), more)| {
                    split(self.level, set.padded(column.into()), &selection, more, less);
                    count(column, less, counts);
                },
            );
            more.done(keep.len())
        };
        let less = less.done(keep.len());
        if larger == 0 { [more, less] } else { [less, more] }
    }

    /// Returns a sample of about `rows` rows: each class in proportion, but rare classes whole up to an eighth of `rows`.
    pub(super) fn sample(&self, rows: usize) -> NodeRows {
        let total = self.len();
        let sample = |set: &ClassColumns| {
            let share = (set.rows as u64 * rows as u64 / total.max(1) as u64) as usize;
            set.sample(share.max(set.rows.min(rows / 8)).max(1).min(set.rows))
        };
        let sets: Vec<ClassColumns> = self.sets.iter().map(sample).collect();
        let weight = |((all, some), weight): ((&ClassColumns, &ClassColumns), &f32)| {
            weight * all.rows as f32 / some.rows.max(1) as f32
        };
        let weights = self.sets.iter().zip(&sets).zip(&self.weights).map(weight).collect();
        NodeRows { sets, weights, ..self.clone() }.counted()
    }
}

const _: () = assert!(MAX_PARTS <= 64 && TILE == SLACK);
