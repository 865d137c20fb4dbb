//! Searches for minterms that a cover leaves open: tautology, whether a cover covers a cube, and SCCC.
//!
//! Follows the unate recursive paradigm of Brayton et al. 1984, sections 4.1 and 4.4, on bit columns (`cube_columns`): a
//! full cube ends a branch, cubes that depend on a weakly unate variable are dropped, a list that splits into blocks of
//! disjoint variables is a tautology if one block is, and otherwise the list is split at the variable that most cubes depend
//! on. Departures: a cube with a single literal decides a variable without a split, and the branch with fewer cubes comes first. A
//! search that fails proves a tautology; one that succeeds leaves a cube of open minterms, which gives SCCC several parts at a
//! time. A query with a work limit that the recursion does not soon answer is first given to a local search
//! (`local_search`).

use crate::care::cube_columns::{CubeColumns, Forced, Region};
use crate::care::local_search::{distinct, open_minterm};
use crate::cube::bits::{add, count, has};
use crate::cube::calculus::Calculus;
use crate::random::draw;
use crate::{Cover, Space};

/// For a query with a work limit: the cubes tested by the recursion before the local search, and by that search.
const SHORT_RECURSION: u64 = 1 << 12;
const SEARCH: u64 = 1 << 19;
/// Limit on the cubes for the test of blocks, which seldom decides longer lists.
const SHORT: u32 = 512;
/// Columns become shorter when one in this many cubes is left.
const WORTH_SELECTING: u32 = 4;

/// Returns whether the cubes together cover all minterms of the space, for every output.
///
/// Deterministic. Exponential in the worst case; each branch costs O(|F| · words) at most.
///
/// # Source
/// Brayton et al. 1984, section 4.1.
pub fn is_tautology(cover: &Cover) -> bool {
    let space = cover.space();
    Tautology::new(&Calculus::new(space)).covers(&[cover.as_words()], space.full())
}

/// Answers queries about open minterms.
#[derive(Debug)]
pub(crate) struct Tautology<'k> {
    calculus: &'k Calculus,
    columns: CubeColumns,
    search: Search<'k>,
    /// Work limit of one query, in cubes tested.
    most: u64,
}

impl<'k> Tautology<'k> {
    pub(crate) fn new(calculus: &'k Calculus) -> Self {
        Self::limited(calculus, u64::MAX)
    }

    /// Like [`Tautology::new`], with a work limit: a query that tests more than `most` cubes is given up, and everything not
    /// shown to be covered counts as not covered.
    pub(crate) fn limited(calculus: &'k Calculus, most: u64) -> Self {
        let search = Search {
            space: calculus.space(),
            masks: Vec::new(),
            open: Vec::new(),
            region: Region::default(),
            work: 0,
            end: u64::MAX,
        };
        Tautology { calculus, columns: CubeColumns::default(), search, most }
    }

    /// Whether the last query was given up.
    pub(crate) fn has_given_up(&self) -> bool {
        self.search.has_given_up()
    }

    /// The work since the last call, in cubes tested.
    pub(crate) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.search.work)
    }

    /// Whether the cubes of the flat lists together cover the nonempty `cube`.
    pub(crate) fn covers(&mut self, lists: &[&[u64]], cube: &[u64]) -> bool {
        self.begin(lists, cube);
        if self.most == u64::MAX {
            return !self.finds_open(cube, None);
        }
        let end = self.search.end;
        self.search.end = end.min(self.search.work.saturating_add(SHORT_RECURSION));
        let is_open = self.finds_open(cube, None);
        if !self.has_given_up() {
            return !is_open;
        }
        self.search.end = end;
        let start = drawn_minterm(self.calculus.space(), cube, 0);
        let list = lists.concat();
        let cubes = distinct(self.calculus.words(), &list);
        self.search_locally(&cubes, cube, start, None).is_none() && !self.finds_open(cube, None)
    }

    /// A minterm of the nonempty `cube` that the flat lists do not cover. There must be no work limit: a query that is given up
    /// would return any minterm.
    pub(crate) fn uncovered_minterm(&mut self, lists: &[&[u64]], cube: &[u64]) -> Option<Vec<u64>> {
        self.begin(lists, cube);
        self.finds_open(cube, None).then(|| drawn_minterm(self.calculus.space(), &self.search.region.cube, 0))
    }

    /// The smallest cube that contains all minterms of the nonempty `cube` that the flat lists do not cover; empty if there
    /// are none. A query over the work limit ([`Tautology::limited`]) gives a larger cube.
    pub(crate) fn uncovered(&mut self, lists: &[&[u64]], cube: &[u64]) -> Vec<u64> {
        let mut found = vec![0; self.calculus.words()];
        self.begin(lists, cube);
        let end = self.search.end;
        if self.most < u64::MAX {
            self.search.end = end.min(self.search.work.saturating_add(SHORT_RECURSION));
        }
        self.add_open(cube, &mut found);
        if self.has_given_up() && self.search.end < end {
            self.search.end = end;
            found.fill(0);
            self.add_found_locally(&lists.concat(), cube, &mut found);
            self.add_open(cube, &mut found);
        }
        found
    }

    fn begin(&mut self, lists: &[&[u64]], cube: &[u64]) {
        let search = &mut self.search;
        search.end = search.work.saturating_add(self.most);
        search.work += lists.iter().map(|list| (list.len() / self.calculus.words()) as u64).sum::<u64>();
        self.columns.fill(self.calculus, lists, cube);
    }

    /// Whether a minterm of `cube` is open. If a field and one of its columns are given, only minterms with the part of the
    /// column count. The region of the search then consists of open minterms.
    fn finds_open(&mut self, cube: &[u64], at: Option<(u32, usize)>) -> bool {
        let Tautology { columns, search, .. } = self;
        search.region.begin(cube);
        if columns.has_full {
            return false;
        }
        search.masks.clear();
        search.masks.extend(columns.all());
        search.open.clear();
        search.open.extend(0..columns.fields.len() as u32);
        if let Some((field, column)) = at {
            columns.choose(search.space, field, column, &search.masks, &mut search.region);
            columns.cofactor::<0>(&mut search.masks, column);
            search.open.retain(|&other| other != field);
        }
        search.run(columns, 0, 0)
    }

    /// Adds to `found` the parts of all open minterms of `cube`.
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

    /// Adds to `found` the parts of minterms of `cube` outside the flat list, found by a local search for each part.
    fn add_found_locally(&mut self, list: &[u64], cube: &[u64], found: &mut [u64]) {
        let space = self.calculus.space();
        let cubes = distinct(self.calculus.words(), list);
        for bit in 0..space.bits() {
            if self.search.work >= self.search.end {
                break;
            }
            if !has(cube, bit) || has(found, bit) {
                continue;
            }
            let mut minterm = drawn_minterm(space, cube, bit as u64);
            let v = self.calculus.owner(bit);
            Space::keep_only(&space.variables()[v], &mut minterm, bit);
            if let Some(open) = self.search_locally(&cubes, cube, minterm, Some(v)) {
                Space::join(found, &open);
            }
        }
    }

    /// A minterm of `cube` that none of the [`distinct`] cubes contains, by local search from `start`; the part of variable
    /// `fixed` stays. A query whose last search finds one is not given up.
    fn search_locally(
        &mut self,
        cubes: &[&[u64]],
        cube: &[u64],
        start: Vec<u64>,
        fixed: Option<usize>,
    ) -> Option<Vec<u64>> {
        let Search { work, end, .. } = &mut self.search;
        let most = SEARCH.min(end.saturating_sub(*work));
        let (found, tested) = open_minterm(self.calculus, cubes, cube, start, fixed, most);
        *work += tested;
        if found.is_some() {
            *end = (*end).max(*work);
        }
        found
    }
}

/// The recursion.
#[derive(Debug)]
struct Search<'k> {
    space: &'k Space,
    /// For each node three masks: its cubes, and two for counts.
    masks: Vec<u64>,
    /// For each node the fields whose variables are not decided.
    open: Vec<u32>,
    /// The decisions so far; after a search that has found open minterms, these minterms.
    region: Region,
    /// Cubes tested since the last [`Tautology::take_work`].
    work: u64,
    /// The value of `work` at which the current query is given up.
    end: u64,
}

impl Search<'_> {
    fn has_given_up(&self) -> bool {
        self.work > self.end
    }

    /// Whether the cubes of the mask from `base` on leave a minterm open, by the fields from `start` on. Takes both off the
    /// stack.
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
        let is_open = self.visit::<W>(columns, base, start);
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
            self.work += columns.work(self.open.len() - start);
            if self.has_given_up() {
                return true;
            }
            let (alive, rest) = self.masks[base..].split_at_mut(words);
            let (one, two) = rest.split_at_mut(words);
            let masks = [&mut *alive, &mut *one, &mut *two];
            let has_dropped = columns.settle::<W>(self.space, masks, &mut self.open, start, &mut self.region);
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

    /// The branch of a node at the part of a column.
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

/// The `number`-th pseudo-random minterm of the nonempty `cube`.
fn drawn_minterm(space: &Space, cube: &[u64], number: u64) -> Vec<u64> {
    let mut minterm = cube.to_vec();
    for (i, (word, &low)) in minterm.iter_mut().zip(space.binary_low()).enumerate() {
        let both = *word & *word >> 1 & low;
        let ones = draw(number, i as u64) & both;
        *word &= !(ones | (both & !ones) << 1);
    }
    for (v, variable) in space.non_binary().iter().enumerate() {
        let parts = Space::literal_len(variable, cube);
        let chosen = (draw(number, (space.words() + v) as u64) % parts as u64) as usize;
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
            let (calculus, list) = (Calculus::new(&space), points.concat());
            let mut expected = vec![0; space.words()];
            let inside = open.iter().filter(|point| space.contains(&cube, point));
            inside.for_each(|point| Space::join(&mut expected, point));
            let mut tautology = Tautology::new(&calculus);
            prop_assert_eq!(tautology.covers(&[&list], &cube), space.is_empty(&expected));
            let minterm = tautology.uncovered_minterm(&[&list], &cube);
            prop_assert_eq!(minterm.is_some(), !space.is_empty(&expected));
            prop_assert!(minterm.is_none_or(|minterm| open.contains(&minterm) && space.contains(&cube, &minterm)));
            prop_assert_eq!(tautology.uncovered(&[&list], &cube), expected);
        }
    }
}
