//! The positions that reach each leaf of a tree: how many they are, and which of them are exceptions.
//!
//! Exceptions are named by rank, so whoever reads or asks for them enumerates all legal canonical positions once. The
//! enumeration is cut into chunks that threads take turns at; the result does not depend on their number.

use super::tree::Tree;
use crate::model::Plan;
use crate::position::{Color, Enumeration, Position, Wdl};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The positions of one side to move, cut into chunks.
pub(crate) struct Chunks<'a> {
    plan: &'a Plan,
    all: Enumeration,
    count: usize,
}

/// Chunks of an enumeration: enough for threads to finish together.
const MOST: usize = 64;

impl<'a> Chunks<'a> {
    pub(crate) fn new(plan: &'a Plan, turn: Color, lead: usize) -> Self {
        let all = Enumeration::new(plan.material(), turn, lead);
        let count = all.slices().clamp(1, MOST);
        Chunks { plan, all, count }
    }

    /// Calls `visit` with each position of chunk number `chunk` that `wanted` wants of its number in the chunk, in order,
    /// with that number and the leaf that it reaches.
    fn visit<L>(
        &self,
        tree: &Tree<L>,
        chunk: usize,
        wanted: impl Fn(usize) -> bool,
        mut visit: impl FnMut(usize, &Position, usize),
    ) {
        let slices = self.all.slices();
        let mut number = 0;
        for slice in slices * chunk / self.count..slices * (chunk + 1) / self.count {
            self.all.visit(slice, &mut |position: &Position| {
                if wanted(number) {
                    let view = self.plan.view(position);
                    let leaf = tree.walk(|variable| self.plan.part(&view, variable), |_, _| ());
                    visit(number, position, leaf);
                }
                number += 1;
            });
        }
    }

    /// Returns what `work` makes of each chunk, in order; threads take turns.
    fn each_chunk<T: Send>(&self, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let next = AtomicUsize::new(0);
        let results = Mutex::new(Vec::with_capacity(self.count));
        let run = || {
            loop {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                if chunk >= self.count {
                    return;
                }
                let result = work(chunk);
                results.lock().unwrap_or_else(PoisonError::into_inner).push((chunk, result));
            }
        };
        thread::scope(|scope| {
            let helpers = thread::available_parallelism().map_or(0, |count| count.get() - 1);
            // Where a thread cannot be had, the others do its work.
            (0..helpers.min(self.count - 1))
                .for_each(|_| _ = thread::Builder::new().spawn_scoped(scope, run));
            run();
        });
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_unstable_by_key(|(chunk, _)| *chunk);
        results.into_iter().map(|(_, result)| result).collect()
    }

    /// Counts the positions that reach each of the leaves of `tree` that are marked in `wanted`.
    pub(crate) fn census<L: Sync>(&self, tree: &Tree<L>, wanted: &[bool]) -> Census {
        let mut columns = Vec::with_capacity(wanted.len());
        let mut width = 0;
        for &wanted in wanted {
            columns.push(wanted.then_some(width));
            width += usize::from(wanted);
        }
        let chunks = self.each_chunk(|chunk| {
            let (mut counts, mut marks) = (vec![0_u64; width], Vec::new());
            let count = |number: usize, _: &Position, leaf: usize| {
                if number.is_multiple_of(64) {
                    marks.push(0);
                }
                if let Some(column) = columns[leaf] {
                    counts[column] += 1;
                    marks[number / 64] |= 1_u64 << (number % 64);
                }
            };
            self.visit(tree, chunk, |_| true, count);
            (counts, marks)
        });
        let (counts, marks) = chunks.into_iter().unzip();
        Census { columns, counts, marks }
    }

    /// Returns the exceptions of `tree`, whose census is `census`: the [`key`] of each position and its outcome.
    pub(crate) fn exceptions(&self, tree: &Tree, census: &Census) -> Vec<(u64, Wdl)> {
        let leaves = tree.leaves();
        let chunks = self.each_chunk(|chunk| {
            // The rank of the next position at each leaf with exceptions, and the next of these.
            let mut ranks = census.before(chunk);
            let mut next: Vec<usize> = vec![0; ranks.len()];
            for (leaf, column) in leaves.iter().zip(&census.columns) {
                if let Some(column) = *column {
                    next[column] =
                        leaf.exceptions.partition_point(|exception| exception.rank < ranks[column]);
                }
            }
            let mut found = Vec::new();
            let marks = &census.marks[chunk];
            let is_marked = |number: usize| marks[number / 64] >> (number % 64) & 1 == 1;
            self.visit(tree, chunk, is_marked, |_, position, leaf| {
                let Some(column) = census.columns[leaf] else { return };
                let exception = leaves[leaf].exceptions.get(next[column]);
                if let Some(exception) = exception.filter(|exception| exception.rank == ranks[column]) {
                    next[column] += 1;
                    found.push((key(position), exception.outcome));
                }
                ranks[column] += 1;
            });
            found
        });
        chunks.concat()
    }
}

/// How many positions of each chunk reach the leaves that have exceptions.
#[derive(Clone, Debug)]
pub(crate) struct Census {
    /// For each leaf with exceptions its number among those.
    columns: Vec<Option<usize>>,
    counts: Vec<Vec<u64>>,
    /// For each chunk a bit for each of its positions: whether it reaches such a leaf.
    marks: Vec<Vec<u64>>,
}

impl Census {
    /// Positions that reach each leaf; 0 where they were not counted.
    pub(crate) fn totals(&self) -> Vec<u64> {
        let totals = self.before(self.counts.len());
        self.columns.iter().map(|column| column.map_or(0, |column| totals[column])).collect()
    }

    /// Positions of the chunks before `chunk`, by column.
    fn before(&self, chunk: usize) -> Vec<u64> {
        let mut sums = vec![0; self.counts.first().map_or(0, Vec::len)];
        for counts in &self.counts[..chunk] {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        sums
    }
}

/// Returns a number below 2^52 that no other position of the same material and side to move has.
#[inline]
pub(crate) fn key(position: &Position) -> u64 {
    let squares = position.squares().iter().fold(0, |key, square| key << 6 | square.index() as u64);
    squares << 4 | u64::from(position.en_passant().map_or(8, |file| file))
}
