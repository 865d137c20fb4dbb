//! IRREDUNDANT: drops as many cubes as possible that other cubes and the DC-set cover.
//!
//! Follows Brayton et al. 1984, section 4.5. A cube that the others and D do not cover is relatively essential. Of the rest,
//! cubes that D and the relatively essential cubes cover are totally redundant, all others partially redundant. For each
//! partially redundant cube, a recursion finds the minimal sets of cubes that must not all be dropped. A minimum cover of
//! these sets (`set_cover`) is kept.
//!
//! Departure: there is no limit on the number of cubes and sets. In the recursion, which runs on masks over columns
//! (`cube_columns`), a branch is cut if the full cubes met so far contain a set found before. With the care set as a truth
//! table (`coverage_table`), counts show which cubes are essential or redundant, and each minterm gives a set.

use crate::coverage::coverage_table::{Buffers, CoverageTable};
use crate::coverage::cube_columns::CubeColumns;
use crate::coverage::cube_index::{BlockingIndex, MaxDistance};
use crate::coverage::recursion::at_depth;
use crate::coverage::set_cover::minimum_cover;
use crate::coverage::tautology::Search;
use crate::cube::bits::{numbers, ones};
use crate::cube::cube_algebra::CubeAlgebra;
use crate::steps::budget::StageBudget;
use crate::steps::parallel_map::parallel_map;
use crate::steps::step_context::StepContext;
use crate::{Cover, Monitor, Result};
use rayon::prelude::*;

/// Entries of the covering matrix that count as much work as one cube.
const NUMBERS_A_CUBE: u64 = 64;
/// The number of last sets with which a path is compared.
const RECENT: usize = 4;
/// Limit on pairs of a minterm and a cube for the sets by minterms: 1 GiB. With more, the sets come from lists.
const MOST_PAIRS: u64 = 1 << 28;

/// Returns a small irredundant selection of the cubes of `on`, in order, that together with the don't-cares covers `on`.
///
/// Deterministic for any number of threads. O(|F| · (|F| + |D|)) words, and a tautology for each cube.
pub(crate) fn irredundant(context: &StepContext, mut on: Cover) -> Result<Cover> {
    let keep = needed(context, &on)?;
    on.retain(|i, _| keep[i]);
    Ok(on)
}

/// For each cube of `on` whether it is kept.
pub(crate) fn needed(context: &StepContext, on: &Cover) -> Result<Vec<bool>> {
    needed_within(context, on, MOST_PAIRS)
}

/// [`needed`] by a truth table if that takes at most `most` pairs of a minterm and a cube, otherwise by lists.
fn needed_within(context: &StepContext, on: &Cover, most: u64) -> Result<Vec<bool>> {
    if let Some(coverage) = context.coverage
        && let Some(keep) = needed_by_table(on, coverage, &context.budget, most)?
    {
        return Ok(keep);
    }
    needed_by_lists(context, on)
}

/// [`needed`] by a truth table; `None` if there are too many sets.
fn needed_by_table(
    on: &Cover,
    coverage: &CoverageTable,
    budget: &StageBudget,
    most: u64,
) -> Result<Option<Vec<bool>>> {
    // Minterms in at least one cube; and in more than one.
    let (mut once, mut twice) = (vec![0u64; coverage.words()], vec![0u64; coverage.words()]);
    let (mut buffers, mut work) = (Buffers::default(), 0);
    for (i, cube) in on.iter().enumerate() {
        coverage.for_each(cube, &mut buffers, |at, minterms| {
            twice[at as usize] |= once[at as usize] & minterms;
            once[at as usize] |= minterms;
        });
        budget.spend(buffers.work, i)?;
        work += buffers.work;
    }
    // The minterms in at least one cube that are not don't-cares; later, only those that no kept cube covers.
    let mut open = once;
    for (at, open) in open.iter_mut().enumerate() {
        *open &= coverage.care(at as u32);
    }
    let is_needed = |buffers: &mut Buffers, i: usize| {
        Ok(coverage.any(on.cube(i), buffers, |at, set| open[at as usize] & !twice[at as usize] & set != 0))
    };
    let mut keep = parallel_map(on.len(), work as usize, Buffers::default, is_needed)?;
    drop(twice);
    for (cube, _) in on.iter().zip(&keep).filter(|&(_, &keep)| keep) {
        coverage.for_each(cube, &mut buffers, |at, minterms| open[at as usize] &= !minterms);
    }
    let mut is_open = |cube| coverage.any(cube, &mut buffers, |at, set| open[at as usize] & set != 0);
    let partial: Vec<usize> = (0..keep.len()).filter(|&i| !keep[i] && is_open(on.cube(i))).collect();
    let Some(rows) = rows_of_minterms(on, &partial, coverage, &open, most, budget)? else { return Ok(None) };
    budget.spend(rows.iter().map(|row| row.len() as u64).sum(), 0)?;
    for k in minimum_cover(rows, &mut |work| budget.spend(work / NUMBERS_A_CUBE, 0))? {
        keep[partial[k as usize]] = true;
    }
    Ok(Some(keep))
}

/// For each minterm of `open` the set of cubes of `partial` that contain it, by their numbers in `partial`; each set once.
/// `None` if there are more than `most` pairs of a minterm and a cube.
fn rows_of_minterms(
    on: &Cover,
    partial: &[usize],
    coverage: &CoverageTable,
    open: &[u64],
    most: u64,
    budget: &StageBudget,
) -> Result<Option<Vec<Vec<u32>>>> {
    let mut buffers = Buffers::default();
    // For each word the number of open minterms before it.
    let mut before = Vec::with_capacity(open.len());
    let mut minterms = 0u32;
    for word in open {
        before.push(minterms);
        minterms += word.count_ones();
    }
    // For each minterm the start of its set: first the sizes, then their sums.
    let mut starts = vec![0u32; minterms as usize + 1];
    let mut visit = |i: usize, found: &mut dyn FnMut(usize)| {
        coverage.for_each(on.cube(i), &mut buffers, |at, minterms| {
            let at = at as usize;
            for bit in ones(open[at] & minterms) {
                found((before[at] + (open[at] & ((1 << bit) - 1)).count_ones()) as usize);
            }
        });
    };
    let mut pairs = 0u64;
    for (k, &i) in partial.iter().enumerate() {
        budget.report(k)?;
        visit(i, &mut |minterm| {
            starts[minterm + 1] += 1;
            pairs += 1;
        });
        if pairs > most {
            return Ok(None);
        }
    }
    (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
    let mut labels = vec![0u32; pairs as usize];
    let mut next = starts.clone();
    for (k, &i) in partial.iter().enumerate() {
        budget.report(k)?;
        visit(i, &mut |minterm| {
            labels[next[minterm] as usize] = k as u32;
            next[minterm] += 1;
        });
    }
    drop(next);
    let row =
        |minterm: u32| &labels[starts[minterm as usize] as usize..starts[minterm as usize + 1] as usize];
    let mix = |hash: u64, label: &u32| {
        (hash ^ u64::from(*label)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
    };
    let mut hashed: Vec<(u64, u32)> =
        (0..minterms).map(|minterm| (row(minterm).iter().fold(0, mix), minterm)).collect();
    hashed.par_sort_unstable();
    // Equal sets have equal hashes. If different sets have equal hashes, a set may stay twice, which is harmless.
    hashed.dedup_by(|a, b| a.0 == b.0 && row(a.1) == row(b.1));
    Ok(Some(hashed.into_iter().map(|(_, minterm)| row(minterm).to_vec()).collect()))
}

fn needed_by_lists(context: &StepContext, on: &Cover) -> Result<Vec<bool>> {
    let all: Vec<usize> = (0..on.len()).filter(|&i| !on.space().is_empty(on.cube(i))).collect();
    let others = Others::new(context, on);
    let mut keep = vec![false; on.len()];
    // First the relatively essential cubes, then the cubes that neither they nor D cover.
    for i in others.uncovered(context, &all, |_| true)? {
        keep[i] = true;
    }
    let rest: Vec<usize> = all.into_iter().filter(|&i| !keep[i]).collect();
    let partial = others.uncovered(context, &rest, |i| keep[i])?;
    let pieces: Vec<u64> = partial.iter().flat_map(|&i| on.cube(i)).copied().collect();
    let near = |k: usize, fixed: &mut Vec<u64>| {
        others.near(context.algebra, on.cube(partial[k]), |i| keep[i], fixed);
    };
    let chosen = choose(context, &pieces, near)?;
    for k in chosen {
        keep[partial[k as usize]] = true;
    }
    Ok(keep)
}

/// A small choice of the partially redundant cubes `partial`, a flat list, that together with the cubes always kept covers all of
/// `partial`. For the cube with a given number, `fixed` sets a list to the cubes always kept that meet the cube.
pub(crate) fn choose(
    context: &StepContext,
    partial: &[u64],
    fixed: impl Fn(usize, &mut Vec<u64>) + Sync + Send,
) -> Result<Vec<u32>> {
    let (algebra, budget) = (context.algebra, &context.budget);
    let count = partial.len() / algebra.words();
    let rows = parallel_map(
        count,
        count * count,
        || (Witnesses::new(algebra, context.query_limit.min(budget.left()), budget.monitor()), Vec::new()),
        |(witnesses, near), k| {
            fixed(k, near);
            let rows = witnesses.of(partial, k, near);
            budget.pay_for(&mut witnesses.search, 0, k).map(|()| rows)
        },
    )?;
    minimum_cover(rows.concat(), &mut |work| budget.spend(work / NUMBERS_A_CUBE, 0))
}

/// The cubes of a cover and the don't-cares, indexed.
pub(crate) struct Others<'a> {
    on: &'a Cover,
    /// The cubes of the cover, then those of D.
    index: BlockingIndex,
}

impl<'a> Others<'a> {
    pub(crate) fn new(context: &StepContext, on: &'a Cover) -> Self {
        let words = [on.as_words(), context.dc.as_words()].concat();
        Others { on, index: BlockingIndex::new(context.algebra, &words) }
    }

    /// Sets `near` to the cubes of D, and the cubes of the cover with `is_other`, that intersect `cube`.
    pub(crate) fn near(
        &self,
        algebra: &CubeAlgebra,
        cube: &[u64],
        is_other: impl Fn(usize) -> bool,
        near: &mut Vec<u64>,
    ) {
        near.clear();
        self.index.for_each_near(algebra, cube, MaxDistance::Zero, |j, other| {
            if j >= self.on.len() || is_other(j) {
                near.extend_from_slice(other);
            }
        });
    }

    /// The cubes of `some` that D and the other cubes for which `is_other` holds do not cover.
    fn uncovered(
        &self,
        context: &StepContext,
        some: &[usize],
        is_other: impl Fn(usize) -> bool + Sync + Send,
    ) -> Result<Vec<usize>> {
        let left = parallel_map(
            some.len(),
            some.len() * (self.on.len() + context.dc.len()),
            || (context.tautology(), Vec::new()),
            |(tautology, near), at| {
                let i = some[at];
                self.near(context.algebra, self.on.cube(i), |j| j != i && is_other(j), near);
                let is_covered = tautology.covers(&[near], self.on.cube(i));
                context.budget.pay_for(&mut tautology.search, 0, i).map(|()| (!is_covered).then_some(i))
            },
        )?;
        Ok(left.into_iter().flatten().collect())
    }
}

/// The recursion that finds, for one partially redundant cube, sets of partially redundant cubes that must not all be
/// dropped. All sets are masks of cubes.
struct Witnesses<'k> {
    algebra: &'k CubeAlgebra,
    columns: CubeColumns,
    /// The mask of the cubes that are always kept.
    fixed: Vec<u64>,
    /// The recursion, with four masks for each node: its cubes, the cubes that cover the whole cofactor, and two for counts.
    /// Nothing here reads its region.
    search: Search<'k>,
    rows: Vec<u64>,
}

impl<'k> Witnesses<'k> {
    /// Returns the search for the sets of one cube after the other, with a work limit for each in cubes tested.
    fn new(algebra: &'k CubeAlgebra, most: u64, monitor: Monitor<'k>) -> Self {
        let search = Search::new(algebra.space(), most, monitor);
        Witnesses { algebra, columns: CubeColumns::default(), fixed: Vec::new(), search, rows: Vec::new() }
    }

    /// The sets for cube number `k` of the flat list `partial`, each ascending and with `k` in it.
    fn of(&mut self, partial: &[u64], k: usize, fixed: &[u64]) -> Vec<Vec<u32>> {
        let n = self.algebra.words();
        let by = &partial[k * n..(k + 1) * n];
        self.columns.fill(self.algebra, &[partial, fixed], by);
        self.search.work += ((partial.len() + fixed.len()) / n) as u64;
        let (words, free) =
            (self.columns.words, self.columns.numbers.partition_point(|&i| i < partial.len() / n));
        self.search.begin(&self.columns, by);
        self.fixed.clone_from(&self.search.masks);
        for (word, fixed) in self.fixed.iter_mut().enumerate() {
            *fixed &= u64::MAX.checked_shl(free.saturating_sub(word * 64) as u32).unwrap_or(0);
        }
        self.search.masks.resize(2 * words, 0);
        self.rows.clear();
        let columns = std::mem::take(&mut self.columns);
        match words {
            1 => self.node::<1>(&columns, 0, 0),
            2 => self.node::<2>(&columns, 0, 0),
            _ => self.node::<0>(&columns, 0, 0),
        }
        self.columns = columns;
        // Over the work limit, the cube is kept.
        if self.search.has_given_up() {
            return vec![vec![k as u32]];
        }
        let row = |row| numbers(row).map(|i| self.columns.numbers[i] as u32).collect();
        self.rows.chunks_exact(words).map(row).collect()
    }

    /// Pops the masks from `base` on and the fields from `start` on, and adds their sets.
    fn node<const W: usize>(&mut self, columns: &CubeColumns, base: usize, start: usize) {
        self.search.depth += 1;
        at_depth(self.search.depth, || self.visit::<W>(columns, base, start));
        self.search.depth -= 1;
        self.search.masks.truncate(base);
        self.search.open.truncate(start);
    }

    /// Full cubes move from the list to the path, the cubes that cover the whole cofactor. Cubes that depend on a weakly unate
    /// variable are dropped: they only lead to sets that contain other sets.
    fn visit<const W: usize>(&mut self, columns: &CubeColumns, base: usize, start: usize) {
        let (words, space) = (columns.words, self.algebra.space());
        let Self { search, fixed, rows, .. } = self;
        search.masks.resize(base + 4 * words, 0);
        loop {
            if search.is_over(columns, start) {
                return;
            }
            let (alive, rest) = search.masks[base..].split_at_mut(words);
            let (path, rest) = rest.split_at_mut(words);
            let (one, two) = rest.split_at_mut(words);
            let masks = [&mut *alive, &mut *one, &mut *two];
            let has_dropped =
                columns.reduce_unate::<W>(space, masks, &mut search.open, start, &mut search.region);
            search.region.undo(space, 0);
            let mut left = 0;
            for i in 0..words {
                let full = alive[i] & !one[i];
                if full & fixed[i] != 0 {
                    return;
                }
                path[i] |= full;
                alive[i] &= !full;
                left |= alive[i];
            }
            if has_dropped && left != 0 {
                continue;
            }
            let is_within = |row: &[u64]| row.iter().zip(&*path).all(|(row, path)| row & !path == 0);
            if rows.rchunks_exact(words).take(RECENT).any(is_within) {
                return;
            }
            if left == 0 {
                rows.extend_from_slice(path);
                return;
            }
            let Some((at, _)) = columns.most_active::<W>(alive, &search.open[start..]) else { return };
            let field = search.open.remove(start + at);
            for (_, column) in columns.branches(field, alive) {
                let Search { masks, open, .. } = &mut self.search;
                let (to, end) = (masks.len(), open.len());
                masks.extend_from_within(base..base + 2 * words);
                columns.cofactor::<W>(&mut masks[to..to + words], column);
                open.extend_from_within(start..);
                self.node::<W>(columns, to, end);
            }
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pla;
    use crate::coverage::tautology::Tautology;
    use crate::testing;
    use proptest::prelude::*;

    proptest! {
        /// With too many pairs for a table, the sets come from lists.
        #[test]
        fn lists_take_the_place_of_a_table(function in testing::covers([12, 4]), most in 0u64..40) {
            let [on, dc] = function;
            let off = crate::complement::complement(&on.with(&dc));
            let keep = testing::run(&on, &dc, &off, |context| {
                assert!(context.coverage.is_some());
                needed_within(context, &on, most)
            });
            let is_covered = |cubes: &dyn Fn(usize) -> bool, cube: &[u64]| {
                let others = on.chosen(cubes);
                Tautology::new(&CubeAlgebra::new(on.space())).covers(&[others.as_words(), dc.as_words()], cube)
            };
            prop_assert!(on.iter().all(|cube| is_covered(&|i| keep[i], cube)));
            let mut kept = (0..on.len()).filter(|&i| keep[i]);
            prop_assert!(kept.all(|k| !is_covered(&|i| keep[i] && i != k, on.cube(k))));
        }
    }

    #[test]
    fn deep_recursions_do_not_overflow_the_stack() {
        let sets = testing::on_small_stack(600, |on| {
            let algebra = CubeAlgebra::new(on.space());
            Witnesses::new(&algebra, 1 << 25, Monitor::silent()).of(on.as_words(), 0, &[])
        });
        assert_eq!(sets, [[0]]);
    }

    /// The six primes of three variables that are not all equal: each minterm is in two of them.
    #[test]
    fn a_cube_whose_sets_are_not_all_found_stays() {
        let on = Pla::parse(".i 3\n.o 1\n10- 1\n1-0 1\n-10 1\n01- 1\n0-1 1\n-01 1\n").unwrap().on;
        let algebra = CubeAlgebra::new(on.space());
        let sets =
            |most: u64, k: usize| Witnesses::new(&algebra, most, Monitor::silent()).of(on.as_words(), k, &[]);
        for k in 0..6 {
            assert!(sets(u64::MAX, k).iter().all(|set| set.len() == 2));
            assert_eq!(sets(7, k), [[k as u32]]);
        }
    }
}
