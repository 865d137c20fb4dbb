//! The minterms that a list of cubes and D leave uncovered, as the steps ask for them.
//!
//! With a coverage table, counts answer in one pass over the minterms of the asked cube (`coverage_table`). Otherwise the answers
//! come from tautology and SCCC (`tautology`) over the cubes that an index finds near the asked cube, which are the same. A query
//! over the work limit of the context leaves too much uncovered.

use crate::Result;
use crate::coverage::coverage_table::{Buffers, CoverageCounts, UpTo};
use crate::coverage::cube_index::BlockingIndex;
use crate::coverage::tautology::Tautology;
use crate::steps::parallel_map::parallel_map;
use crate::steps::step_context::StepContext;
use std::sync::OnceLock;

/// A list of cubes, and D.
pub(crate) struct UncoveredBy<'a> {
    context: &'a StepContext<'a>,
    pub(crate) cubes: Vec<u64>,
    /// With a coverage table, for each minterm the number of the cubes that contain it.
    pub(crate) counts: Option<CoverageCounts<'a>>,
    /// The index of the cubes and of D, made when first needed.
    index: OnceLock<BlockingIndex>,
}

/// The state of queries, reusable for the next.
pub(crate) struct Query<'a> {
    tautology: Tautology<'a>,
    near: Vec<u64>,
    buffers: Buffers,
    /// The number of queries done before, for reports of progress.
    done: usize,
}

impl<'a> UncoveredBy<'a> {
    /// Returns the flat list `cubes` with the don't-cares of `context`. Queries about cubes of the list need counts up to two,
    /// and lists whose cubes shrink need all.
    pub(crate) fn new(context: &'a StepContext<'a>, cubes: &[u64], up_to: UpTo) -> Self {
        let n = context.algebra.words();
        let counts = context.coverage.map(|coverage| CoverageCounts::new(coverage, cubes, n, up_to));
        UncoveredBy { context, cubes: cubes.to_vec(), counts, index: OnceLock::new() }
    }

    pub(crate) fn query(&self) -> Query<'a> {
        Query { tautology: self.context.tautology(), near: Vec::new(), buffers: Buffers::default(), done: 0 }
    }

    /// The answers of `ask` for the numbers below `count`, in order; asked in parallel if that pays.
    pub(crate) fn each<T: Send>(
        &self,
        count: usize,
        ask: impl Fn(&mut Query<'a>, usize) -> Result<T> + Sync + Send,
    ) -> Result<Vec<T>> {
        let all = self.cubes.len() / self.context.algebra.words() + self.context.dc.len();
        parallel_map(
            count,
            count * all,
            || self.query(),
            |query, i| {
                query.done = i;
                ask(query, i)
            },
        )
    }

    /// Whether a minterm of `cube` is uncovered. If `cube` is cube number `own` of the list, the others must cover it.
    pub(crate) fn any(&self, query: &mut Query, cube: &[u64], own: Option<usize>) -> Result<bool> {
        let by_counts = |counts: &CoverageCounts, buffers: &mut Buffers| {
            let found = counts.any(cube, own.is_some(), buffers);
            (found, if own.is_some() { buffers.work } else { 0 })
        };
        let space = self.context.algebra.space();
        let by_lists = |tautology: &mut Tautology, near: &[u64]| {
            !space.is_empty(cube) && !tautology.covers(&[near], cube)
        };
        self.ask(query, cube, own, by_counts, by_lists)
    }

    /// An uncovered minterm of `cube`, as a cube. If `cube` is cube number `own` of the list, the others must not cover it.
    pub(crate) fn minterm(
        &self,
        query: &mut Query,
        cube: &[u64],
        own: Option<usize>,
    ) -> Result<Option<Vec<u64>>> {
        let by_counts = |counts: &CoverageCounts, buffers: &mut Buffers| {
            (counts.minterm(cube, own.is_some(), buffers), u64::from(own.is_none()))
        };
        self.ask(query, cube, own, by_counts, |tautology, near| tautology.uncovered_minterm(&[near], cube))
    }

    /// The supercube of the minterms of cube number `i` that the others leave uncovered; empty if there are none.
    pub(crate) fn supercube(&self, query: &mut Query, i: usize) -> Result<Vec<u64>> {
        let cube = self.cube(i);
        let by_counts =
            |counts: &CoverageCounts, buffers: &mut Buffers| (counts.supercube(cube, buffers), buffers.work);
        self.ask(query, cube, Some(i), by_counts, |tautology, near| tautology.uncovered(&[near], cube))
    }

    /// The answer by counts, which comes with its work, or by the cubes near `cube`.
    fn ask<T>(
        &self,
        query: &mut Query,
        cube: &[u64],
        own: Option<usize>,
        by_counts: impl FnOnce(&CoverageCounts, &mut Buffers) -> (T, u64),
        by_lists: impl FnOnce(&mut Tautology, &[u64]) -> T,
    ) -> Result<T> {
        let Query { tautology, near, buffers, done } = query;
        let (answer, work) = if let Some(counts) = &self.counts {
            by_counts(counts, buffers)
        } else {
            self.list_near(cube, own, near);
            (by_lists(tautology, near), 0)
        };
        self.context.budget.pay_for(&mut tautology.search, work, *done).map(|()| answer)
    }

    /// Sets `near` to the cubes of the list, but number `own`, and of D that intersect `cube`.
    pub(crate) fn list_near(&self, cube: &[u64], own: Option<usize>, near: &mut Vec<u64>) {
        let StepContext { algebra, dc, .. } = *self.context;
        let n = algebra.words();
        let index =
            self.index.get_or_init(|| BlockingIndex::new(algebra, &[&self.cubes, dc.as_words()].concat()));
        near.clear();
        for (j, other) in index.cubes(algebra, &index.columns.intersecting(algebra, cube)) {
            if Some(j) != own {
                // Cubes only shrink, so the cubes near a cube were near it from the start.
                near.extend_from_slice(self.cubes.get(j * n..(j + 1) * n).unwrap_or(other));
            }
        }
    }

    pub(crate) fn cube(&self, i: usize) -> &[u64] {
        let n = self.context.algebra.words();
        &self.cubes[i * n..(i + 1) * n]
    }

    /// Replaces cube number `i` by a cube within it.
    pub(crate) fn shrink(&mut self, query: &mut Query, i: usize, cube: &[u64]) {
        let range = i * cube.len()..(i + 1) * cube.len();
        if let Some(counts) = &mut self.counts {
            counts.remove(&self.cubes[range.clone()], &mut query.buffers);
            counts.add(cube, &mut query.buffers);
        }
        self.cubes[range].copy_from_slice(cube);
    }
}
