//! The rows of a node while a tree is grown: column by column, class by class.
//!
//! Splitting a node copies its columns, cut in two; the copies are small and contiguous, so that counting runs at the
//! speed of the first caches all the way down. Columns in which a node's rows are all alike are left out below it.

use super::histogram::{Counts, MAX_PARTS, histogram};
use super::partition::{SLACK, split};
use crate::cpu::Level;
use crate::tabular::{Row, Rows};
use rayon::prelude::*;

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
    /// The number of each row, ascending; empty when nobody wants to know.
    ids: Vec<u32>,
}

/// Rows with the variables that tell them apart.
#[derive(Clone, Debug)]
pub(super) struct NodeRows {
    /// The variable of each column.
    variables: Vec<u16>,
    /// By class.
    sets: Vec<ClassColumns>,
}

impl ClassColumns {
    fn new(rows: usize, columns: usize) -> Self {
        let stride = rows.next_multiple_of(TILE);
        ClassColumns { rows, stride, data: vec![0; columns * stride + SLACK], ids: Vec::new() }
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

/// The rows of one class of a slice, row after row.
#[derive(Clone, Debug, Default)]
struct ClassRows {
    parts: Vec<u8>,
    ids: Vec<u32>,
}

/// Rows of a slice on their way into [`NodeRows`].
#[derive(Clone, Debug)]
struct SliceRows {
    variables: usize,
    classes: Vec<ClassRows>,
    /// Rows of the slice so far.
    number: u32,
}

impl SliceRows {
    /// Returns a slice without rows.
    fn new(variables: usize, classes: usize) -> Self {
        SliceRows { variables, classes: vec![ClassRows::default(); classes], number: 0 }
    }

    /// Takes a row.
    fn push(&mut self, row: &dyn Row) {
        let class = &mut self.classes[usize::from(row.class())];
        let start = class.parts.len();
        class.parts.resize(start + self.variables, 0);
        row.parts(&mut class.parts[start..]);
        class.ids.push(self.number);
        self.number += 1;
    }
}

/// Rows of several slices on their way into several [`NodeRows`], one row after the other for each node and class.
#[derive(Clone, Debug)]
pub(super) struct GroupedRows {
    variables: usize,
    parts: Vec<u8>,
    ids: Vec<u32>,
    /// By node and class: the first of its rows, and the next that is pushed.
    starts: Vec<u32>,
    next: Vec<u32>,
}

impl GroupedRows {
    /// Returns no rows, with room for so many, by node and class.
    pub(super) fn new(variables: usize, sizes: &[u32]) -> Self {
        let mut rows = 0;
        let mut start = |&size: &u32| {
            rows += size;
            rows - size
        };
        let starts: Vec<u32> = sizes.iter().map(&mut start).collect();
        let (parts, ids) = (vec![0; rows as usize * variables], vec![0; rows as usize]);
        GroupedRows { variables, parts, ids, next: starts.clone(), starts }
    }

    /// Whether there is no room for any row.
    pub(super) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Takes row number `id` for the node and class that is number `kind`.
    ///
    /// # Panics
    /// When there is no room.
    pub(super) fn push(&mut self, kind: usize, id: u32, row: &dyn Row) {
        let at = self.next[kind] as usize;
        self.next[kind] += 1;
        row.parts(&mut self.parts[at * self.variables..][..self.variables]);
        self.ids[at] = id;
    }

    /// The parts of the rows of a kind, row after row, and their numbers.
    fn rows(&self, kind: usize) -> (&[u8], &[u32]) {
        let (start, end) = (self.starts[kind] as usize, self.next[kind] as usize);
        (&self.parts[start * self.variables..end * self.variables], &self.ids[start..end])
    }
}

impl NodeRows {
    /// Returns all rows of `rows`, with all variables.
    pub(super) fn gather(rows: &dyn Rows) -> Self {
        let (variables, classes) = (rows.parts().len(), rows.classes());
        let slices = (0..rows.slices()).into_par_iter().map(|slice| {
            let mut slice_rows = SliceRows::new(variables, classes);
            rows.visit(slice, &mut |row| slice_rows.push(row));
            slice_rows
        });
        let mut slices: Vec<SliceRows> = slices.collect();
        let sets = (0..classes).map(|class| {
            let count = slices.iter().map(|slice_rows| slice_rows.classes[class].ids.len()).sum();
            let mut set = ClassColumns::new(count, variables);
            let (mut at, mut first) = (0, 0);
            for slice_rows in &mut slices {
                let ClassRows { parts, ids } = std::mem::take(&mut slice_rows.classes[class]);
                set.ids.extend(ids.iter().map(|id| first + id));
                set.transpose(at, &parts, variables);
                at += ids.len();
                first += slice_rows.number;
            }
            set
        });
        NodeRows { variables: (0..variables as u16).collect(), sets: sets.collect() }
    }

    /// Returns the rows of node number `group` in all of `groups`, which have ascending numbers.
    pub(super) fn bind(variables: usize, classes: usize, groups: &[GroupedRows], group: usize) -> Self {
        let sets = (0..classes).map(|class| {
            let of_class: Vec<(&[u8], &[u32])> = groups
                .iter()
                .filter(|groups| !groups.is_empty())
                .map(|groups| groups.rows(group * classes + class))
                .collect();
            let mut set = ClassColumns::new(of_class.iter().map(|(_, ids)| ids.len()).sum(), variables);
            for (parts, ids) in of_class {
                set.transpose(set.ids.len(), parts, variables);
                set.ids.extend(ids);
            }
            set
        });
        NodeRows { variables: (0..variables as u16).collect(), sets: sets.collect() }
    }

    /// Number of rows of each class.
    pub(super) fn counts(&self) -> Vec<u32> {
        self.sets.iter().map(|set| set.rows as u32).collect()
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.sets.iter().map(|set| set.rows).sum()
    }

    /// Number of columns.
    pub(super) fn columns(&self) -> usize {
        self.variables.len()
    }

    /// The variable of column number `column`.
    pub(super) fn variable(&self, column: usize) -> usize {
        self.variables[column].into()
    }

    /// Writes, for each class, how many of its rows have each part below `parts` in `column`.
    pub(super) fn histograms(&self, level: Level, column: usize, parts: usize, counts: &mut [Counts]) {
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
        with_ids: bool,
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
            if with_ids {
                for (i, &id) in set.ids.iter().enumerate() {
                    let half = if mask[i / 64] >> (i % 64) & 1 == 1 { &mut halves.0 } else { &mut halves.1 };
                    half.ids.push(id);
                }
            }
            halves
        };
        let (inside, outside) = self.sets.iter().map(halves).unzip();
        (NodeRows { variables: variables.clone(), sets: inside }, NodeRows { variables, sets: outside })
    }

    /// Returns about `rows` of the rows: each class in proportion, but rare ones up to an eighth of the whole.
    pub(super) fn sample(&self, rows: usize) -> NodeRows {
        let total = self.len();
        let sets = self.sets.iter().map(|set| {
            let share = (set.rows as u64 * rows as u64 / total.max(1) as u64) as usize;
            let wanted = share.max(set.rows.min(rows / 8)).max(1).min(set.rows);
            let mut sample = ClassColumns::new(wanted, self.columns());
            if wanted == 0 {
                return sample;
            }
            let picks: Vec<usize> =
                (0..wanted).map(|i| (i as u64 * set.rows as u64 / wanted as u64) as usize).collect();
            let stride = sample.stride;
            for number in 0..self.columns() {
                let column = set.column(number);
                let target = &mut sample.data[number * stride..][..wanted];
                for (target, &pick) in target.iter_mut().zip(&picks) {
                    *target = column[pick];
                }
            }
            sample
        });
        let sets = sets.collect();
        NodeRows { variables: self.variables.clone(), sets }
    }

    /// The numbers of the rows, by class.
    pub(super) fn ids(&self) -> Vec<Vec<u32>> {
        self.sets.iter().map(|set| set.ids.clone()).collect()
    }

    /// As [`NodeRows::ids`], the rows given up.
    pub(super) fn into_ids(self) -> Vec<Vec<u32>> {
        self.sets.into_iter().map(|set| set.ids).collect()
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
