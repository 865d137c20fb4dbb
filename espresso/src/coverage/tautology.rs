//! Searches for minterms that a cover leaves uncovered: tautology, whether a cover covers a cube, and SCCC.
//!
//! Follows the unate recursive paradigm of Brayton et al. 1984, sections 4.1 and 4.4, on bit columns (`cube_columns`): a
//! full cube ends a branch, cubes that depend on a weakly unate variable are dropped, a list that splits into blocks of
//! disjoint variables is a tautology if one block is, and otherwise the list is split at the variable that most cubes depend
//! on. Departures: a cube with a single literal decides a variable without a split, and the branch with fewer cubes comes first.
//! A search that fails proves a tautology; a search that succeeds leaves a cube of uncovered minterms, which gives SCCC several
//! parts at a time.

use crate::coverage::cube_columns::{CubeColumns, Forced, Region};
use crate::coverage::recursion::at_depth;
use crate::cube::bits::{add, count, has};
use crate::cube::cube_algebra::CubeAlgebra;
use crate::random::draw;
use crate::{Cover, Monitor, Progress, Space};

/// Cubes tested between two calls of the monitor.
const UNREPORTED: u64 = 1 << 14;
/// Limit on the cubes for the test of blocks, which seldom decides longer lists.
const SHORT: u32 = 512;
/// Columns are rebuilt for the cubes left when at most one cube in this many is left.
const WORTH_SELECTING: u32 = 4;

/// Returns whether the cubes together cover all minterms of the space, for every output.
///
/// Deterministic. Exponential in the worst case; each branch costs O(|F| · words) at most.
///
/// # Source
/// Brayton et al. 1984, section 4.1.
pub fn is_tautology(cover: &Cover) -> bool {
    let space = cover.space();
    Tautology::new(&CubeAlgebra::new(space)).covers(&[cover.as_words()], space.full())
}

/// Answers queries about uncovered minterms.
#[derive(Debug)]
pub(crate) struct Tautology<'k> {
    algebra: &'k CubeAlgebra,
    columns: CubeColumns,
    pub(crate) search: Search<'k>,
    /// Work limit of one query, in cubes tested.
    most: u64,
}

impl<'k> Tautology<'k> {
    pub(crate) fn new(algebra: &'k CubeAlgebra) -> Self {
        Self::limited(algebra, u64::MAX, Monitor::silent())
    }

    /// Like [`Tautology::new`], with a work limit: a query that tests more than `most` cubes is given up, and everything not
    /// shown to be covered counts as not covered. Long queries call the monitor; a query is also given up if the monitor cancels.
    pub(crate) fn limited(algebra: &'k CubeAlgebra, most: u64, monitor: Monitor<'k>) -> Self {
        let search = Search::new(algebra.space(), u64::MAX, monitor);
        Tautology { algebra, columns: CubeColumns::default(), search, most }
    }

    /// Whether the cubes of the flat lists together cover the nonempty `cube`.
    pub(crate) fn covers(&mut self, lists: &[&[u64]], cube: &[u64]) -> bool {
        self.begin(lists, cube);
        !self.finds_open(cube, None)
    }

    /// A minterm of the nonempty `cube` that the flat lists do not cover. A query that is given up returns any minterm: check
    /// [`Search::has_given_up`] before use.
    pub(crate) fn uncovered_minterm(&mut self, lists: &[&[u64]], cube: &[u64]) -> Option<Vec<u64>> {
        self.begin(lists, cube);
        self.finds_open(cube, None).then(|| drawn_minterm(self.algebra.space(), &self.search.region.cube))
    }

    /// The smallest cube that contains all minterms of the nonempty `cube` that the flat lists do not cover; empty if there
    /// are none. A query over the work limit ([`Tautology::limited`]) gives a larger cube.
    pub(crate) fn uncovered(&mut self, lists: &[&[u64]], cube: &[u64]) -> Vec<u64> {
        let mut found = vec![0; self.algebra.words()];
        self.begin(lists, cube);
        self.add_open(cube, &mut found);
        found
    }

    fn begin(&mut self, lists: &[&[u64]], cube: &[u64]) {
        let search = &mut self.search;
        search.end = search.work.saturating_add(self.most);
        search.work += lists.iter().map(|list| (list.len() / self.algebra.words()) as u64).sum::<u64>();
        self.columns.fill(self.algebra, lists, cube);
    }

    /// Whether a minterm of `cube` is uncovered; if so, the region of the search consists of uncovered minterms. If a field and
    /// one of its columns are given, only minterms with the part of the column count.
    fn finds_open(&mut self, cube: &[u64], at: Option<(u32, usize)>) -> bool {
        let Tautology { columns, search, .. } = self;
        if columns.has_full {
            return false;
        }
        search.begin(columns, cube);
        if let Some((field, column)) = at {
            columns.choose(search.space, field, column, &search.masks, &mut search.region);
            columns.cofactor::<0>(&mut search.masks, column);
            search.open.retain(|&other| other != field);
        }
        search.run(columns, 0, 0)
    }

    /// Adds to `found` the parts of all uncovered minterms of `cube`.
    fn add_open(&mut self, cube: &[u64], found: &mut [u64]) {
        if !self.finds_open(cube, None) {
            return;
        }
        Space::join(found, &self.search.region.cube);
        for field in 0..self.columns.fields.len() as u32 {
            for (column, bit) in self.columns.parts(field).collect::<Vec<_>>() {
                if !has(found, bit as usize) && self.finds_open(cube, Some((field, column))) {
                    Space::join(found, &self.search.region.cube);
                }
            }
        }
    }
}

/// A recursion on columns.
#[derive(Debug)]
pub(crate) struct Search<'k> {
    space: &'k Space,
    /// For each node some masks. Tautology has three: its cubes, and two for counts.
    pub(crate) masks: Vec<u64>,
    /// For each node the fields whose variables are not decided.
    pub(crate) open: Vec<u32>,
    /// The depth of the current node.
    pub(crate) depth: usize,
    /// The decisions so far; after a search that has found uncovered minterms, these minterms.
    pub(crate) region: Region,
    /// Cubes tested since the last [`Search::take_work`].
    pub(crate) work: u64,
    /// The value of `work` at which the current query is given up.
    end: u64,
    monitor: Monitor<'k>,
    /// The value of `work` at the last call of the monitor.
    reported: u64,
    pub(crate) is_cancelled: bool,
}

impl<'k> Search<'k> {
    pub(crate) fn new(space: &'k Space, end: u64, monitor: Monitor<'k>) -> Self {
        Search {
            space,
            masks: Vec::new(),
            open: Vec::new(),
            depth: 0,
            region: Region::default(),
            work: 0,
            end,
            monitor,
            reported: 0,
            is_cancelled: false,
        }
    }

    /// Begins with one node: all cubes of the columns within `cube`.
    pub(crate) fn begin(&mut self, columns: &CubeColumns, cube: &[u64]) {
        self.region.begin(cube);
        self.masks.clear();
        self.masks.extend(columns.all());
        self.open.clear();
        self.open.extend(0..columns.fields.len() as u32);
    }

    /// Whether the last query was given up.
    pub(crate) fn has_given_up(&self) -> bool {
        self.is_cancelled || self.work > self.end
    }

    /// The work since the last call, in cubes tested.
    pub(crate) fn take_work(&mut self) -> u64 {
        self.reported = 0;
        std::mem::take(&mut self.work)
    }

    /// Counts a pass over the fields from `start` on as work. Returns whether the query is given up.
    #[inline]
    pub(crate) fn is_over(&mut self, columns: &CubeColumns, start: usize) -> bool {
        self.work += columns.work(self.open.len() - start);
        if self.work - self.reported > UNREPORTED {
            self.reported = self.work;
            let progress = Progress::new("tautology", self.work, None, "cubes");
            self.is_cancelled |= self.monitor.report(&progress).is_err();
        }
        self.has_given_up()
    }

    /// Whether the cubes of the mask from `base` on leave a minterm uncovered in the fields from `start` on. Pops mask and fields
    /// from their stacks.
    fn run(&mut self, columns: &CubeColumns, base: usize, start: usize) -> bool {
        match columns.words {
            1 => self.node::<1>(columns, base, start),
            2 => self.node::<2>(columns, base, start),
            3 => self.node::<3>(columns, base, start),
            4 => self.node::<4>(columns, base, start),
            _ => self.node::<0>(columns, base, start),
        }
    }

    fn node<const W: usize>(&mut self, columns: &CubeColumns, base: usize, start: usize) -> bool {
        let mark = self.region.mark();
        self.depth += 1;
        let is_open = at_depth(self.depth, || self.visit::<W>(columns, base, start));
        self.depth -= 1;
        if !is_open {
            self.region.undo(self.space, mark);
        }
        self.masks.truncate(base);
        self.open.truncate(start);
        is_open
    }

    fn visit<const W: usize>(&mut self, columns: &CubeColumns, base: usize, start: usize) -> bool {
        let words = if W == 0 { columns.words } else { W };
        self.masks.resize(base + 3 * words, 0);
        loop {
            if self.is_over(columns, start) {
                return true;
            }
            let (alive, rest) = self.masks[base..].split_at_mut(words);
            let (one, two) = rest.split_at_mut(words);
            let masks = [&mut *alive, &mut *one, &mut *two];
            let has_dropped =
                columns.reduce_unate::<W>(self.space, masks, &mut self.open, start, &mut self.region);
            if alive.iter().all(|&word| word == 0) {
                return true;
            }
            if alive.iter().zip(&*one).any(|(alive, one)| alive & !one != 0) {
                return false;
            }
            if has_dropped {
                continue;
            }
            let masks = [&mut *alive, &mut *one, &mut *two];
            match columns.force::<W>(self.space, masks, &mut self.open, start, &mut self.region) {
                Forced::All => return false,
                Forced::Some => continue,
                Forced::None => {}
            }
            let Some((at, active)) = columns.most_active::<W>(alive, &self.open[start..]) else {
                return false;
            };
            let (field, cubes) = (self.open[start + at], count(alive));
            if cubes <= SHORT && active < cubes {
                columns.block::<W>(field, alive, &self.open[start..], one);
                if alive != one {
                    alive.iter_mut().zip(&*one).for_each(|(alive, block)| *alive &= !block);
                    let (to, from) = (self.masks.len(), base + words);
                    self.masks.extend_from_within(from..from + words);
                    let end = self.open.len();
                    self.open.extend_from_within(start..);
                    if !self.node::<W>(columns, to, end) {
                        return false;
                    }
                    continue;
                }
            }
            let mut branches = columns.branches(field, alive);
            let last = branches.pop();
            for (lacking, column) in branches {
                if self.branch::<W>(columns, [base, start], (field, column), cubes - lacking) {
                    return true;
                }
            }
            let Some((_, column)) = last else { return false };
            let alive = &mut self.masks[base..base + words];
            columns.choose(self.space, field, column, alive, &mut self.region);
            columns.cofactor::<W>(alive, column);
            self.open.remove(start + at);
        }
    }

    /// Whether the branch of a node with the part of a column leaves a minterm uncovered.
    fn branch<const W: usize>(
        &mut self,
        columns: &CubeColumns,
        [base, start]: [usize; 2],
        (field, column): (u32, usize),
        left: u32,
    ) -> bool {
        let words = if W == 0 { columns.words } else { W };
        let (mark, to, end) = (self.region.mark(), self.masks.len(), self.open.len());
        columns.choose(self.space, field, column, &self.masks[base..base + words], &mut self.region);
        self.masks.extend_from_within(base..base + words);
        columns.cofactor::<W>(&mut self.masks[to..], column);
        for at in start..end {
            if self.open[at] != field {
                self.open.push(self.open[at]);
            }
        }
        let is_open = if words >= WORTH_SELECTING as usize && left * WORTH_SELECTING <= 64 * words as u32 {
            let selected = columns.select(&self.masks[to..], &self.open[end..]);
            self.masks.truncate(to);
            self.masks.extend(selected.all());
            self.open.truncate(end);
            self.open.extend(0..selected.fields.len() as u32);
            self.run(&selected, to, end)
        } else {
            self.node::<W>(columns, to, end)
        };
        if !is_open {
            self.region.undo(self.space, mark);
        }
        is_open
    }
}

/// A pseudo-random minterm of the nonempty `cube`.
fn drawn_minterm(space: &Space, cube: &[u64]) -> Vec<u64> {
    let mut minterm = cube.to_vec();
    for (i, (word, &low)) in minterm.iter_mut().zip(space.binary_low()).enumerate() {
        let both = *word & *word >> 1 & low;
        let ones = draw(0, i as u64) & both;
        *word &= !(ones | (both & !ones) << 1);
    }
    for (v, variable) in space.non_binary().iter().enumerate() {
        let parts = Space::literal_len(variable, cube);
        let chosen = (draw(0, (space.words() + v) as u64) % parts as u64) as usize;
        Space::clear(variable, &mut minterm);
        variable.bits_in(cube).nth(chosen).into_iter().for_each(|bit| add(&mut minterm, bit));
    }
    minterm
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use proptest::prelude::*;

    #[test]
    fn deep_recursions_do_not_overflow_the_stack() {
        assert!(!testing::on_small_stack(700, is_tautology));
    }

    proptest! {
        /// Lists of many minterms, for which columns are long and become shorter.
        #[test]
        fn what_long_lists_leave_open_is_found(
            multi in 2usize..6, outputs in 1usize..4, gaps in proptest::collection::vec(any::<prop::sample::Index>(), 0..4),
            seed in any::<u64>(),
        ) {
            let space = Space::new(6, &[multi], outputs).unwrap();
            let (mut points, cube) = (testing::points(&space), testing::cube(&space, seed));
            let open: Vec<Vec<u64>> = gaps.iter().map(|gap| points.swap_remove(gap.index(points.len()))).collect();
            let (algebra, list) = (CubeAlgebra::new(&space), points.concat());
            let mut expected = vec![0; space.words()];
            let inside = open.iter().filter(|point| space.contains(&cube, point));
            inside.for_each(|point| Space::join(&mut expected, point));
            let mut tautology = Tautology::new(&algebra);
            prop_assert_eq!(tautology.covers(&[&list], &cube), space.is_empty(&expected));
            let minterm = tautology.uncovered_minterm(&[&list], &cube);
            prop_assert_eq!(minterm.is_some(), !space.is_empty(&expected));
            prop_assert!(minterm.is_none_or(|minterm| open.contains(&minterm) && space.contains(&cube, &minterm)));
            prop_assert_eq!(tautology.uncovered(&[&list], &cube), expected);
        }
    }
}
