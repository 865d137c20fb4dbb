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

use crate::Result;
use crate::care::group::FAN;
use crate::care::part_columns::PartColumns;
use crate::cpu::Level;
use crate::cube::bits::{has, numbers, remove};
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
        let cube = i * n..(i + 1) * n;
        if has(&words[cube.clone()], bit) {
            spare.extend(words[cube].iter().map(|&word| (word, ids[i])));
        } else {
            words.copy_within(cube, to * n);
            ids[to] = ids[i];
            to += 1;
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

impl Finder {
    /// The number of the cube at a place.
    #[inline]
    fn number(&self, place: usize) -> usize {
        match self {
            Finder::Columns(_) => place,
            Finder::Tree(tree) => tree.ids[place] as usize,
        }
    }
}

/// The largest distance to search for.
#[derive(Clone, Copy)]
pub(crate) enum MaxDistance {
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

    /// The cube at a place.
    pub(crate) fn cube(&self, calculus: &Calculus, place: usize) -> &[u64] {
        let n = calculus.words();
        &self.words[place * n..][..n]
    }

    /// Calls `found` with the number and the words of each cube at distance `max` or less from `cube`. Returns the number of
    /// cubes tested.
    #[inline]
    pub(crate) fn for_each_near(
        &self,
        calculus: &Calculus,
        cube: &[u64],
        max: MaxDistance,
        mut found: impl FnMut(usize, &[u64]),
    ) -> u64 {
        let mut visit = |place: usize| found(self.finder.number(place), self.cube(calculus, place));
        match &self.finder {
            Finder::Columns(columns) => {
                let mask = match max {
                    MaxDistance::Zero => columns.intersecting(calculus, cube),
                    MaxDistance::One => columns.up_to_distance_one(calculus, cube),
                };
                numbers(&mask).for_each(visit);
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
                let is_near = |place| match calculus.distance(self.cube(calculus, place), cube) {
                    Distance::Zero => true,
                    Distance::One(_) => matches!(max, MaxDistance::One),
                    Distance::More => false,
                };
                // The test ignores straddling variables.
                let is_exact = calculus.straddling().is_empty();
                FAN as u64
                    * tree.visit(&test, &mut |place| {
                        if is_exact || is_near(place) {
                            visit(place);
                        }
                    })
            }
        }
    }
}

/// An index by cores: finds the cubes within a cube. Cubes can be removed.
#[derive(Clone, Debug)]
pub(crate) struct ContainmentIndex {
    finder: Finder,
    /// A bit for each cube that is not removed.
    there: Vec<u64>,
    /// With a tree, the place of each cube.
    places: Vec<u32>,
}

impl ContainmentIndex {
    /// Returns the index of the flat list `cubes`. O(|cubes| log |cubes|) words.
    pub(crate) fn new(calculus: &Calculus, cubes: &[u64]) -> Self {
        let len = cubes.len() / calculus.words();
        if len <= MOST_BY_COLUMNS {
            let columns = PartColumns::new(calculus, cubes);
            let there = columns.all().to_vec();
            return ContainmentIndex { finder: Finder::Columns(columns), there, places: Vec::new() };
        }
        let (tree, _) = GroupTree::new(calculus, cubes, true, u64::MAX, |a, b| a & b);
        let mut places = vec![0; len];
        for (place, &id) in tree.ids.iter().enumerate() {
            places[id as usize] = place as u32;
        }
        let there = vec![u64::MAX; len.div_ceil(64)];
        ContainmentIndex { finder: Finder::Tree(tree), there, places }
    }

    /// Sets `ids` to the numbers of the cubes within `cube` that are not removed, ascending. Returns the number of cubes tested.
    pub(crate) fn within(&self, cube: &[u64], ids: &mut Vec<u32>) -> u64 {
        ids.clear();
        let looked = self.for_each_within(cube, |place| {
            let id = self.number(place);
            // In a tree, a removed cube is all ones, and so within the full cube if that uses all bits of its last word.
            if has(&self.there, id) {
                ids.push(id as u32);
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
                numbers(&within).for_each(found);
                columns.work()
            }
            Finder::Tree(tree) => {
                let within = |group: &[u64]| tree.simd.within(group, &cube[..tree.n]);
                FAN as u64 * tree.visit(&within, &mut found)
            }
        }
    }

    /// The number of the cube at a place.
    pub(crate) fn number(&self, place: usize) -> usize {
        self.finder.number(place)
    }

    pub(crate) fn take_out(&mut self, id: usize) {
        if has(&self.there, id) {
            remove(&mut self.there, id);
            if let Finder::Tree(tree) = &mut self.finder {
                tree.take_out(self.places[id] as usize);
            }
        }
    }
}

/// For each cube of the flat list whether it is within another one; of equal cubes the first is not. Calls `begin` with the
/// number of each cube before it is compared.
pub(crate) fn contained(
    calculus: &Calculus,
    cubes: &[u64],
    mut begin: impl FnMut(usize) -> Result<()>,
) -> Result<Vec<bool>> {
    let mut index = ContainmentIndex::new(calculus, cubes);
    let (mut is_within, mut within) = (vec![false; cubes.len() / calculus.words()], Vec::new());
    for (i, cube) in cubes.chunks_exact(calculus.words()).enumerate() {
        begin(i)?;
        if is_within[i] {
            continue;
        }
        index.within(cube, &mut within);
        for j in within.iter().map(|&j| j as usize).filter(|&j| j != i) {
            is_within[j] = true;
            index.take_out(j);
        }
    }
    Ok(is_within)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cover, Space, testing};
    use proptest::prelude::*;

    /// Covers over a small space, or over one with a variable that straddles words.
    fn covers() -> impl Strategy<Value = [Cover; 2]> {
        let wide = Space::new(2, &[3, 61], 2).unwrap();
        prop_oneof![testing::covers([90, 4]), [90, 4].map(|cubes| testing::cover(wide.clone(), cubes))]
    }

    proptest! {
        /// An index finds the same cubes as a scan of the list.
        #[test]
        fn finds_what_there_is(
            [cover, cubes] in covers(),
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
                blocks.for_each_near(&calculus, cube, MaxDistance::One, |i, block| apart.push((i, block.to_vec())));
                blocks.for_each_near(&calculus, cube, MaxDistance::Zero, |i, block| meeting.push((i, block.to_vec())));
                pool.within(cube, &mut within);
                apart.sort();
                meeting.sort();
                let mut expected = (Vec::new(), Vec::new());
                for (i, other) in cover.iter().enumerate() {
                    let distance = cover.space().distance(other, cube);
                    expected.0.extend((distance < 2).then(|| (i, other.to_vec())));
                    expected.1.extend((distance == 0).then(|| (i, other.to_vec())));
                }
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
