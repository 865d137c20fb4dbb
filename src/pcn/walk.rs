//! Trees ready to be walked, and the count of the positions that reach each leaf.
//!
//! Exceptions are named by rank, so whoever reads or asks for them enumerates all legal canonical positions once. The
//! enumeration is cut into chunks that threads take turns at; the result does not depend on their number.

use super::tree::{Node, Test, Tree};
use crate::model::Plan;
use crate::position::{Color, Enumeration, Position, Wdl};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// A node in eight bytes.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The variable to test; [`LEAF`] at a leaf.
    variable: u16,
    low: u8,
    /// Parts beyond the first that go to the next step.
    width: u8,
    /// The step for the others; at a leaf its number.
    second: u32,
}

/// In place of a variable at a leaf.
const LEAF: u16 = u16::MAX;

/// A tree ready to be walked.
#[derive(Clone, Debug)]
pub(crate) struct Walker(Vec<Step>);

impl Walker {
    /// Returns the walker of `nodes`, which are those of a [`Tree`] but for the exceptions.
    pub(crate) fn new(nodes: &[Node]) -> Self {
        let second = super::tree::second_children(nodes).unwrap_or_default();
        let mut leaves = 0;
        let step = |(node, second): (&Node, &usize)| match node {
            Node::Test(test) => Step {
                variable: test.variable,
                low: test.low,
                width: test.high - test.low,
                second: *second as u32,
            },
            Node::Leaf(_) => {
                leaves += 1;
                Step { variable: LEAF, low: 0, width: 0, second: leaves - 1 }
            }
        };
        Walker(nodes.iter().zip(&second).map(step).collect())
    }

    /// Returns the number of the leaf that a position reaches; `part` computes the part of a variable, and is asked for
    /// those met only.
    #[inline]
    pub(crate) fn leaf(&self, mut part: impl FnMut(usize) -> u8) -> usize {
        let mut at = 0;
        loop {
            let step = self.0[at];
            if step.variable == LEAF {
                return step.second as usize;
            }
            let inside = part(step.variable.into()).wrapping_sub(step.low) <= step.width;
            at = if inside { at + 1 } else { step.second as usize };
        }
    }
}

impl Walker {
    /// Returns the tests on the path to leaf number `leaf`: the variables and the parts with which a position goes on.
    pub(crate) fn path(&self, leaf: usize) -> Vec<(usize, u64)> {
        let mut path = Vec::new();
        let mut at = 0;
        while let Some(step) = self.0.get(at).filter(|step| step.variable != LEAF) {
            let test = Test { variable: step.variable, low: step.low, high: step.low + step.width };
            // Leaves are numbered in preorder: those of the first child are below those of the second.
            let second = step.second as usize;
            let first_of_second = self.0[second..]
                .iter()
                .find(|step| step.variable == LEAF)
                .map_or(u32::MAX, |step| step.second);
            let inside = leaf < first_of_second as usize;
            path.push((usize::from(step.variable), if inside { test.literal() } else { !test.literal() }));
            at = if inside { at + 1 } else { second };
        }
        path
    }
}

/// The positions of one side to move, cut into chunks.
pub(crate) struct Positions<'a> {
    plan: &'a Plan,
    all: Enumeration,
    chunks: usize,
}

/// Chunks of an enumeration: enough for threads to finish together.
const CHUNKS: usize = 64;

impl<'a> Positions<'a> {
    pub(crate) fn new(plan: &'a Plan, turn: Color, lead: usize) -> Self {
        let all = Enumeration::new(plan.material(), turn, lead);
        let chunks = all.slices().clamp(1, CHUNKS);
        Positions { plan, all, chunks }
    }

    /// Calls `visit` with each position of chunk number `chunk` that `wanted` wants of its number in the chunk, in order,
    /// with that number and the leaf that it reaches.
    fn visit(
        &self,
        walker: &Walker,
        chunk: usize,
        wanted: impl Fn(usize) -> bool,
        mut visit: impl FnMut(usize, &Position, usize),
    ) {
        let slices = self.all.slices();
        let mut number = 0;
        for slice in slices * chunk / self.chunks..slices * (chunk + 1) / self.chunks {
            self.all.visit(slice, &mut |position: &Position| {
                if wanted(number) {
                    let view = self.plan.view(position);
                    visit(number, position, walker.leaf(|variable| self.plan.part(&view, variable)));
                }
                number += 1;
            });
        }
    }

    /// Returns what `work` makes of each chunk, in order; threads take turns.
    fn each_chunk<T: Send>(&self, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let next = AtomicUsize::new(0);
        let results = Mutex::new(Vec::with_capacity(self.chunks));
        let run = || {
            loop {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                if chunk >= self.chunks {
                    return;
                }
                let result = work(chunk);
                results.lock().unwrap_or_else(PoisonError::into_inner).push((chunk, result));
            }
        };
        thread::scope(|scope| {
            let helpers = thread::available_parallelism().map_or(0, |count| count.get() - 1);
            // Where a thread cannot be had, the others do its work.
            (0..helpers.min(self.chunks - 1))
                .for_each(|_| _ = thread::Builder::new().spawn_scoped(scope, run));
            run();
        });
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_unstable_by_key(|(chunk, _)| *chunk);
        results.into_iter().map(|(_, result)| result).collect()
    }

    /// Counts the positions that reach each of `walker`'s leaves marked in `wanted`.
    pub(crate) fn census(&self, walker: &Walker, wanted: &[bool]) -> Census {
        let mut columns = Vec::with_capacity(wanted.len());
        let mut width = 0;
        for &wanted in wanted {
            columns.push(wanted.then_some(width));
            width += usize::from(wanted);
        }
        let chunks = self.each_chunk(|chunk| {
            let (mut counts, mut marks) = (vec![0_u64; width], Vec::new());
            self.visit(
                walker,
                chunk,
                |_| true,
                |number, _, leaf| {
                    if number % 64 == 0 {
                        marks.push(0);
                    }
                    if let Some(column) = columns[leaf] {
                        counts[column] += 1;
                        marks[number / 64] |= 1_u64 << (number % 64);
                    }
                },
            );
            (counts, marks)
        });
        let (counts, marks) = chunks.into_iter().unzip();
        Census { columns, counts, marks }
    }

    /// Returns the exceptions of `tree`, whose walker is `walker` and census `census`, chunk by chunk: the [`key`] of each
    /// position and its outcome.
    pub(crate) fn exceptions(&self, walker: &Walker, tree: &Tree, census: &Census) -> Vec<Vec<(u64, Wdl)>> {
        let leaves: Vec<_> = tree.leaves().collect();
        self.each_chunk(|chunk| {
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
            self.visit(walker, chunk, is_marked, |_, position, leaf| {
                let Some(column) = census.columns[leaf] else { return };
                let exception = leaves[leaf].exceptions.get(next[column]);
                if let Some(exception) = exception.filter(|exception| exception.rank == ranks[column]) {
                    next[column] += 1;
                    found.push((key(position), exception.outcome));
                }
                ranks[column] += 1;
            });
            found
        })
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
