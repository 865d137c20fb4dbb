//! An index over a list of cubes: finds those near a cube, or within it, without testing all of them.
//!
//! Up to a limit, all cubes are tested by columns (`part_columns`). Above it they form a tree. The cubes are ordered so
//! that neighbours are similar: the list is split repeatedly at the part that divides it most evenly into cubes with it
//! and cubes without it. Sixteen neighbours form a group, sixteen groups form a group of the next level, and so on. Each
//! group stores its supercube, whose distance from a cube is never larger than that of a member; or its core, the parts
//! common to all members, which lies within every cube that contains a member. A search descends from the top into the
//! groups that pass the test (`group`).
//!
//! Departure from Brayton et al. 1984, where every step tests all cubes of a cover: of the hundreds of thousands of
//! blocking cubes of a large function, only a few hundred matter to one expansion.

use crate::care::group::FAN;
use crate::care::part_columns::{ConflictCounts, PartColumns};
use crate::cpu::Level;
use crate::cube::calculus::{Calculus, Distance};
use crate::cube::column_counts::ColumnCounts;

/// Cubes ordered so that neighbours are similar, with levels of groups above them.
#[derive(Clone, Debug)]
struct GroupTree {
    n: usize,
    len: usize,
    /// For each place in the order, the number of the cube.
    ids: Vec<u32>,
    /// Groups of sixteen, word by word: the cubes themselves, then the supercube or core of each group, and so on.
    levels: Vec<Vec<u64>>,
    simd: Level,
}

impl GroupTree {
    /// The tree over the flat list `cubes`, in its order unless `is_arranged`. `join` combines words of cubes to those of a
    /// supercube or core, starting from `neutral`.
    fn new(
        calculus: &Calculus,
        cubes: &[u64],
        is_arranged: bool,
        neutral: u64,
        join: fn(u64, u64) -> u64,
    ) -> (Self, Vec<u64>) {
        let n = calculus.words();
        let mut ids: Vec<u32> = (0..(cubes.len() / n) as u32).collect();
        let mut words = cubes.to_vec();
        if is_arranged {
            let columns = &mut ColumnCounts::default();
            arrange(calculus, columns, &mut words, &mut ids, &mut Vec::new());
        }
        let len = ids.len();
        let mut levels = vec![grouped(n, &words, neutral)];
        while let Some(last) = levels.last().filter(|last| last.len() > FAN * n) {
            let above: Vec<u64> = last
                .chunks_exact(FAN * n)
                .flat_map(|group| {
                    group.chunks_exact(FAN).map(|word| word.iter().copied().fold(neutral, join))
                })
                .collect();
            levels.push(grouped(n, &above, neutral));
        }
        (GroupTree { n, len, ids, levels, simd: Level::detect() }, words)
    }

    fn group(&self, level: usize, at: usize) -> &[u64] {
        &self.levels[level][at * FAN * self.n..(at + 1) * FAN * self.n]
    }

    /// Calls `found` with the place of each cube that passes `test`. A group above such a cube must pass too.
    fn visit(&self, test: &impl Fn(&[u64]) -> u32, found: &mut impl FnMut(usize)) -> u64 {
        if self.len == 0 { 0 } else { self.descend(self.levels.len() - 1, 0, test, found) }
    }

    fn descend(
        &self,
        level: usize,
        at: usize,
        test: &impl Fn(&[u64]) -> u32,
        found: &mut impl FnMut(usize),
    ) -> u64 {
        let mut passed = test(self.group(level, at));
        let below = if level == 0 { self.len } else { self.levels[level - 1].len() / (FAN * self.n) };
        let here = below - at * FAN;
        if here < FAN {
            passed &= (1 << here) - 1;
        }
        let mut groups = 1;
        while passed != 0 {
            let child = at * FAN + passed.trailing_zeros() as usize;
            if level == 0 {
                found(child);
            } else {
                groups += self.descend(level - 1, child, test, found);
            }
            passed &= passed - 1;
        }
        groups
    }
}

/// The cubes of the flat list in groups, word by word; the last group is padded with `neutral`.
fn grouped(n: usize, words: &[u64], neutral: u64) -> Vec<u64> {
    let groups = (words.len() / n).div_ceil(FAN).max(1);
    let mut result = vec![neutral; groups * FAN * n];
    for (i, cube) in words.chunks_exact(n).enumerate() {
        for (w, &word) in cube.iter().enumerate() {
            result[place(n, i, w)] = word;
        }
    }
    result
}

/// The index of word `w` of cube number `i` in the groups of a level.
fn place(n: usize, i: usize, w: usize) -> usize {
    i / FAN * FAN * n + w * FAN + i % FAN
}

/// Orders the cubes so that neighbours are similar.
fn arrange(
    calculus: &Calculus,
    columns: &mut ColumnCounts,
    words: &mut [u64],
    ids: &mut [u32],
    spare: &mut Vec<(u64, u32)>,
) {
    let n = calculus.words();
    let count = ids.len() as u32;
    if ids.len() <= FAN {
        return;
    }
    columns.take(calculus, words);
    let evenness = |bit: usize| columns.missing(bit).min(count - columns.missing(bit));
    let bits = 0..calculus.space().bits();
    let Some(bit) = bits.rev().max_by_key(|&bit| evenness(bit)).filter(|&bit| evenness(bit) > 0) else {
        return;
    };
    // The cubes without the part stay in front; the others are moved behind them.
    spare.clear();
    let mut to = 0;
    for i in 0..ids.len() {
        if words[i * n + bit / 64] >> (bit % 64) & 1 == 0 {
            words.copy_within(i * n..(i + 1) * n, to * n);
            ids[to] = ids[i];
            to += 1;
        } else {
            spare.extend(words[i * n..(i + 1) * n].iter().map(|&word| (word, ids[i])));
        }
    }
    for (slot, &(word, id)) in spare.iter().enumerate() {
        words[to * n + slot] = word;
        ids[to + slot / n] = id;
    }
    let (front, back) = words.split_at_mut(to * n);
    let (front_ids, back_ids) = ids.split_at_mut(to);
    arrange(calculus, columns, front, front_ids, spare);
    arrange(calculus, columns, back, back_ids, spare);
}

/// Up to this many cubes, all are tested by columns; with more, the tree is searched.
const MOST_BY_COLUMNS: usize = if cfg!(test) { 60 } else { 1 << 14 };

/// An index by supercubes: finds the cubes that intersect a cube or are at distance one.
#[derive(Clone, Debug)]
pub(crate) struct BlockingIndex {
    finder: Finder,
    /// The cubes in the order of their places.
    words: Vec<u64>,
}

/// The search for cubes near another.
#[derive(Clone, Debug)]
enum Finder {
    /// The place of a cube is its number.
    Columns(PartColumns),
    Tree(GroupTree),
}

/// The largest distance to search for.
#[derive(Clone, Copy)]
enum MaxDistance {
    Zero,
    One,
}

impl BlockingIndex {
    /// Returns the index of the flat list `cubes`. O(|cubes| log |cubes|) words.
    pub(crate) fn new(calculus: &Calculus, cubes: &[u64]) -> Self {
        Self::for_queries(calculus, cubes, false)
    }

    /// Like [`BlockingIndex::new`]; for few queries, a tree of many cubes is not arranged, which takes longer than to test all.
    pub(crate) fn for_queries(calculus: &Calculus, cubes: &[u64], are_few: bool) -> Self {
        if cubes.len() <= MOST_BY_COLUMNS * calculus.words() {
            let finder = Finder::Columns(PartColumns::new(calculus, cubes));
            return BlockingIndex { finder, words: cubes.to_vec() };
        }
        let (tree, words) = GroupTree::new(calculus, cubes, !are_few, 0, |a, b| a | b);
        BlockingIndex { finder: Finder::Tree(tree), words }
    }

    /// The columns, whose bits are places; `None` if the cubes are too many.
    pub(crate) fn columns(&self) -> Option<&PartColumns> {
        match &self.finder {
            Finder::Columns(columns) => Some(columns),
            Finder::Tree(_) => None,
        }
    }

    /// Columns of all cubes in the order of their places, however many there are.
    pub(crate) fn made_columns(&self, calculus: &Calculus) -> PartColumns {
        self.columns().cloned().unwrap_or_else(|| PartColumns::new(calculus, &self.words))
    }

    /// [`PartColumns::find_distinguished_minterm`]; `None` without columns.
    pub(crate) fn find_distinguished_minterm(
        &self,
        calculus: &Calculus,
        counts: &mut ConflictCounts,
        is_dont_care: impl Fn(&[u64]) -> bool,
        within: &mut [u64],
    ) -> Option<bool> {
        let cube = |place| self.cube(calculus, place);
        self.columns()?.find_distinguished_minterm(calculus, counts, cube, is_dont_care, within)
    }

    /// The cube at a place.
    pub(crate) fn cube(&self, calculus: &Calculus, place: usize) -> &[u64] {
        let n = calculus.words();
        &self.words[place * n..][..n]
    }

    /// Calls `found` with the place of each cube at distance `max` or less; straddling variables may be ignored. Returns the
    /// number of cubes tested.
    #[inline]
    fn visit(
        &self,
        calculus: &Calculus,
        cube: &[u64],
        max: MaxDistance,
        mut found: impl FnMut(usize),
    ) -> u64 {
        match &self.finder {
            Finder::Columns(columns) => {
                let mask = match max {
                    MaxDistance::Zero => columns.intersecting(calculus, cube),
                    MaxDistance::One => columns.up_to_distance_one(calculus, cube),
                };
                PartColumns::numbers(&mask).for_each(found);
                columns.work()
            }
            Finder::Tree(tree) => {
                let test = |group: &[u64]| {
                    let masks = tree.simd.distances(calculus.fields(), group, &cube[..tree.n]);
                    match max {
                        MaxDistance::Zero => masks.zero,
                        MaxDistance::One => masks.up_to_one,
                    }
                };
                FAN as u64 * tree.visit(&test, &mut found)
            }
        }
    }

    /// Adds to `lower`, for each cube at distance one from `cube`, the literal that keeps them apart. Returns the number of
    /// cubes tested.
    pub(crate) fn add_conflicts(&self, calculus: &Calculus, cube: &[u64], lower: &mut [u64]) -> u64 {
        if !calculus.straddling().is_empty() {
            return self
                .for_each_at_distance_one(calculus, cube, |block, v| calculus.copy_literal(v, block, lower));
        }
        self.visit(calculus, cube, MaxDistance::One, |at| {
            calculus.copy_conflict(self.cube(calculus, at), cube, lower);
        })
    }

    /// Calls `found` with each cube at distance one from `cube`, and the variable. Returns the number of cubes tested.
    pub(crate) fn for_each_at_distance_one(
        &self,
        calculus: &Calculus,
        cube: &[u64],
        mut found: impl FnMut(&[u64], usize),
    ) -> u64 {
        self.visit(calculus, cube, MaxDistance::One, |at| {
            let block = self.cube(calculus, at);
            if let Distance::One(v) = calculus.distance(block, cube) {
                found(block, v);
            }
        })
    }

    /// The number of the cube at a place.
    #[inline]
    fn number(&self, place: usize) -> usize {
        match &self.finder {
            Finder::Columns(_) => place,
            Finder::Tree(tree) => tree.ids[place] as usize,
        }
    }

    /// Calls `found` with the number of each cube at distance one or less from `cube`, ignoring straddling variables. Returns
    /// the number of cubes tested.
    pub(crate) fn for_each_number_up_to_distance_one(
        &self,
        calculus: &Calculus,
        cube: &[u64],
        mut found: impl FnMut(usize),
    ) -> u64 {
        self.visit(calculus, cube, MaxDistance::One, |at| found(self.number(at)))
    }

    /// Calls `found` with the number of each cube that intersects `cube`, ignoring straddling variables. Returns the number of
    /// cubes tested.
    pub(crate) fn for_each_intersecting_number(
        &self,
        calculus: &Calculus,
        cube: &[u64],
        mut found: impl FnMut(usize),
    ) -> u64 {
        self.visit(calculus, cube, MaxDistance::Zero, |at| found(self.number(at)))
    }

    /// Sets `cubes` to the cubes that intersect `cube`, ignoring straddling variables, but for cube number `but`.
    pub(crate) fn intersecting(
        &self,
        calculus: &Calculus,
        cube: &[u64],
        but: Option<usize>,
        cubes: &mut Vec<u64>,
    ) {
        cubes.clear();
        self.visit(calculus, cube, MaxDistance::Zero, |at| {
            if but != Some(self.number(at)) {
                cubes.extend_from_slice(self.cube(calculus, at));
            }
        });
    }

    /// Calls `found` with each cube that intersects `cube`. Returns the number of cubes tested.
    pub(crate) fn for_each_intersecting(
        &self,
        calculus: &Calculus,
        cube: &[u64],
        mut found: impl FnMut(&[u64]),
    ) -> u64 {
        let straddling = !calculus.straddling().is_empty();
        self.visit(calculus, cube, MaxDistance::Zero, |at| {
            let block = self.cube(calculus, at);
            if !straddling || calculus.intersects(block, cube) {
                found(block);
            }
        })
    }
}

/// An index by cores: finds the cubes within a cube. Cubes can be removed.
#[derive(Clone, Debug)]
pub(crate) struct ContainmentIndex {
    finder: Finder,
    /// With columns: a bit for each cube that is not removed.
    there: Vec<u64>,
    /// For each place the number of its cube, and for each cube its place; `u32::MAX` for a removed one.
    ids: Vec<u32>,
    places: Vec<u32>,
}

impl ContainmentIndex {
    /// Returns the index of the flat list `cubes`. O(|cubes| log |cubes|) words.
    pub(crate) fn new(calculus: &Calculus, cubes: &[u64]) -> Self {
        let len = cubes.len() / calculus.words();
        if len <= MOST_BY_COLUMNS {
            let ids: Vec<u32> = (0..len as u32).collect();
            let columns = PartColumns::new(calculus, cubes);
            return ContainmentIndex {
                there: columns.all().clone(),
                finder: Finder::Columns(columns),
                places: ids.clone(),
                ids,
            };
        }
        let (tree, _) = GroupTree::new(calculus, cubes, true, u64::MAX, |a, b| a & b);
        let mut places = vec![0; tree.len];
        for (place, &id) in tree.ids.iter().enumerate() {
            places[id as usize] = place as u32;
        }
        let ids = tree.ids.clone();
        ContainmentIndex { finder: Finder::Tree(tree), there: Vec::new(), ids, places }
    }

    /// Sets `ids` to the numbers of the cubes within `cube` that are not removed, ascending. Returns the number of cubes tested.
    pub(crate) fn within(&self, cube: &[u64], ids: &mut Vec<u32>) -> u64 {
        ids.clear();
        let looked = self.for_each_within(cube, |at| {
            let id = self.ids[at];
            // A removed cube is all ones. That is within the full cube if no bit of the last word is unused.
            if self.places[id as usize] != u32::MAX {
                ids.push(id);
            }
        });
        if matches!(self.finder, Finder::Tree(_)) {
            ids.sort_unstable();
        }
        looked
    }

    /// Calls `found` with the place of each cube within `cube`, ascending. No cube may have been removed. Returns the number of
    /// cubes tested.
    pub(crate) fn for_each_within(&self, cube: &[u64], mut found: impl FnMut(usize)) -> u64 {
        match &self.finder {
            Finder::Columns(columns) => {
                let mut within = self.there.clone();
                columns.keep_within(cube, &mut within);
                PartColumns::numbers(&within).for_each(found);
                columns.work()
            }
            Finder::Tree(tree) => {
                let within = |group: &[u64]| tree.simd.within(group, &cube[..tree.n]);
                FAN as u64 * tree.visit(&within, &mut found)
            }
        }
    }

    /// The number of the cube at each place.
    pub(crate) fn ids(&self) -> &[u32] {
        &self.ids
    }

    pub(crate) fn take_out(&mut self, id: usize) {
        let at = std::mem::replace(&mut self.places[id], u32::MAX) as usize;
        match &mut self.finder {
            _ if at == u32::MAX as usize => {}
            Finder::Columns(_) => self.there[at / 64] &= !(1 << (at % 64)),
            Finder::Tree(tree) => tree.take_out(at),
        }
    }
}

impl GroupTree {
    /// Overwrites the cube at a place with all ones, which lies within no cube but the full one.
    fn take_out(&mut self, mut at: usize) {
        let n = self.n;
        (0..n).for_each(|w| self.levels[0][place(n, at, w)] = u64::MAX);
        for level in 1..self.levels.len() {
            at /= FAN;
            let mut changed = false;
            for w in 0..n {
                let from = (at * n + w) * FAN;
                let core = self.levels[level - 1][from..from + FAN].iter().fold(u64::MAX, |a, b| a & b);
                let to = &mut self.levels[level][place(n, at, w)];
                changed |= *to != core;
                *to = core;
            }
            if !changed {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use proptest::prelude::*;

    proptest! {
        /// An index finds the same cubes as a scan of the list.
        #[test]
        fn finds_what_there_is(
            [cover, cubes] in testing::covers([90, 4]),
            gone in proptest::collection::vec(any::<prop::sample::Index>(), 0..70),
        ) {
            let calculus = Calculus::new(cover.space());
            let blocks = BlockingIndex::new(&calculus, cover.as_words());
            let mut pool = ContainmentIndex::new(&calculus, cover.as_words());
            let mut there = vec![true; cover.len()];
            for gone in gone.iter().filter(|_| !cover.is_empty()) {
                let gone = gone.index(cover.len());
                pool.take_out(gone);
                there[gone] = false;
            }
            for cube in &cubes {
                let (mut apart, mut meeting, mut within) = (Vec::new(), Vec::new(), Vec::new());
                blocks.for_each_at_distance_one(&calculus, cube, |block, v| apart.push((block.to_vec(), v)));
                blocks.for_each_intersecting(&calculus, cube, |block| meeting.push(block.to_vec()));
                pool.within(cube, &mut within);
                apart.sort();
                meeting.sort();
                let mut expected = (Vec::new(), Vec::new());
                for other in &cover {
                    match calculus.distance(other, cube) {
                        Distance::One(v) => expected.0.push((other.to_vec(), v)),
                        Distance::Zero => expected.1.push(other.to_vec()),
                        Distance::More => {}
                    }
                }
                expected.0.sort();
                expected.1.sort();
                prop_assert_eq!((apart, meeting), expected);
                let inside: Vec<u32> = (0..cover.len())
                    .filter(|&i| there[i] && calculus.contains(cube, cover.cube(i)))
                    .map(|i| i as u32)
                    .collect();
                prop_assert_eq!(within, inside);
            }
        }
    }
}
