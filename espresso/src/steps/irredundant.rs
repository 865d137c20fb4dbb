//! IRREDUNDANT: drops as many cubes as possible that other cubes and the DC-set cover.
//!
//! Follows Brayton et al. 1984, section 4.5. A cube that the others and D do not cover is relatively essential. Of the rest,
//! cubes that D and the relatively essential cubes cover are totally redundant, all others partially redundant. For each
//! partially redundant cube, a recursion finds the minimal sets of cubes that must not all be dropped. A small cover of
//! these sets (`set_cover`) is kept.
//!
//! Departure: there is no limit on the number of cubes and sets. In the recursion, which runs on masks over columns
//! (`cube_columns`), a branch is cut if the full cubes met so far contain a set found before. With a coverage table, each
//! minterm gives a set instead.

use crate::coverage::coverage_table::{Buffers, CoverageCounts, UpTo};
use crate::coverage::cube_columns::CubeColumns;
use crate::coverage::recursion::at_depth;
use crate::coverage::set_cover::small_cover;
use crate::coverage::tautology::Search;
use crate::cube::bits::{numbers, ones};
use crate::cube::cube_algebra::CubeAlgebra;
use crate::steps::budget::StageBudget;
use crate::steps::parallel_map::parallel_map;
use crate::steps::step_context::StepContext;
use crate::steps::uncovered_by::{Query, UncoveredBy};
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

/// [`needed`], with sets by minterms if that takes at most `most` pairs of a minterm and a cube.
fn needed_within(context: &StepContext, on: &Cover, most: u64) -> Result<Vec<bool>> {
    // First the relatively essential cubes, then the cubes that neither they nor D cover.
    let all = UncoveredBy::new(context, on.as_words(), UpTo::Two);
    let mut keep = all.each(on.len(), |query, i| all.any(query, on.cube(i), Some(i)))?;
    drop(all);
    if !keep.contains(&false) {
        return Ok(keep);
    }
    let kept = UncoveredBy::new(context, on.chosen(|i| keep[i]).as_words(), UpTo::One);
    let is_partial = |query: &mut Query, i: usize| Ok(!keep[i] && kept.any(query, on.cube(i), None)?);
    let is_partial = kept.each(on.len(), is_partial)?;
    let partial = on.chosen(|i| is_partial[i]);
    let by_minterms = match &kept.counts {
        Some(counts) => sets_by_minterms(&partial, counts, most, &context.budget)?,
        None => None,
    };
    let sets = by_minterms.map_or_else(|| sets_by_lists(context, partial.as_words(), &kept), Ok)?;
    let chosen = small_cover(sets, &mut |work| context.budget.spend(work / NUMBERS_A_CUBE, 0))?;
    let numbers: Vec<usize> = (0..on.len()).filter(|&i| is_partial[i]).collect();
    chosen.into_iter().for_each(|k| keep[numbers[k as usize]] = true);
    Ok(keep)
}

/// For each minterm of the cubes `partial` that is open beside the counted cubes, the set of the cubes that contain it, by their
/// numbers; each set once. `None` if there are more than `most` pairs of a minterm and a cube.
fn sets_by_minterms(
    partial: &Cover,
    counts: &CoverageCounts,
    most: u64,
    budget: &StageBudget,
) -> Result<Option<Vec<Vec<u32>>>> {
    let (coverage, mut buffers) = (counts.coverage, Buffers::default());
    let mut open = vec![0; coverage.words()];
    for cube in partial {
        coverage.for_each(cube, &mut buffers, |at, set| open[at as usize] |= set & counts.open(at, false));
    }
    // For each word the number of open minterms before it.
    let mut before = Vec::with_capacity(open.len());
    let mut minterms = 0u32;
    for word in &open {
        before.push(minterms);
        minterms += word.count_ones();
    }
    // For each minterm the start of its set: first the sizes, then their sums.
    let mut starts = vec![0u32; minterms as usize + 1];
    let mut visit = |k: usize, found: &mut dyn FnMut(usize)| {
        coverage.for_each(partial.cube(k), &mut buffers, |at, minterms| {
            let at = at as usize;
            for bit in ones(open[at] & minterms) {
                found((before[at] + (open[at] & ((1 << bit) - 1)).count_ones()) as usize);
            }
        });
    };
    let mut pairs = 0u64;
    for k in 0..partial.len() {
        budget.report(k)?;
        visit(k, &mut |minterm| {
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
    for k in 0..partial.len() {
        budget.report(k)?;
        visit(k, &mut |minterm| {
            labels[next[minterm] as usize] = k as u32;
            next[minterm] += 1;
        });
    }
    drop(next);
    let set =
        |minterm: u32| &labels[starts[minterm as usize] as usize..starts[minterm as usize + 1] as usize];
    let mix = |hash: u64, label: &u32| {
        (hash ^ u64::from(*label)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
    };
    let mut hashed: Vec<(u64, u32)> =
        (0..minterms).map(|minterm| (set(minterm).iter().fold(0, mix), minterm)).collect();
    hashed.par_sort_unstable();
    // Equal sets have equal hashes. If different sets have equal hashes, a set may stay twice, which is harmless.
    hashed.dedup_by(|a, b| a.0 == b.0 && set(a.1) == set(b.1));
    let sets: Vec<Vec<u32>> = hashed.into_iter().map(|(_, minterm)| set(minterm).to_vec()).collect();
    budget.spend(sets.iter().map(|set| set.len() as u64).sum(), 0)?;
    Ok(Some(sets))
}

/// Sets of the cubes of the flat list `partial` that must not all be dropped if the cubes `kept` stay, found by the recursion.
fn sets_by_lists(context: &StepContext, partial: &[u64], kept: &UncoveredBy) -> Result<Vec<Vec<u32>>> {
    let (algebra, budget) = (context.algebra, &context.budget);
    let count = partial.len() / algebra.words();
    let sets = parallel_map(
        count,
        count * count,
        || (Witnesses::new(algebra, context.query_limit.min(budget.left()), budget.monitor()), Vec::new()),
        |(witnesses, near), k| {
            kept.list_near(&partial[k * algebra.words()..][..algebra.words()], None, near);
            let sets = witnesses.of(partial, k, near);
            budget.pay_for(&mut witnesses.search, 0, k).map(|()| sets)
        },
    )?;
    Ok(sets.concat())
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
