//! An index over a list of cubes: which of them lie near a cube, or within it, without looking at all of them.
//!
//! The cubes are put in an order in which neighbours are alike, by splitting the list again and again at the part
//! that divides it most evenly into cubes that have it and cubes that lack it. Sixteen neighbours form a group,
//! sixteen groups a group of the next level, and so on; of each group its supercube is known, which is at no larger a
//! distance from anything than any of its cubes, or its core, the parts that all its cubes have, which lies within
//! whatever one of them lies within. A search goes from the top into the groups that pass (`group`).
//!
//! Departure from Brayton et al. 1984, where every step looks at all cubes of a cover: of the hundreds of thousands
//! of blocking cubes of a large function a few hundred matter to an expansion.

use crate::care::group::FAN;
use crate::care::part_columns::PartColumns;
use crate::cpu::Level;
use crate::cube::calculus::{Calculus, Meet};
use crate::cube::column_counts::ColumnCounts;
use std::sync::OnceLock;

/// Cubes in an order in which neighbours are alike, with groups above them.
#[derive(Clone, Debug)]
struct GroupTree {
    n: usize,
    len: usize,
    /// For each place in the order, the number of its cube.
    ids: Vec<u32>,
    /// Groups of sixteen, word by word: the cubes themselves, then what stands for each group, and so on.
    levels: Vec<Vec<u64>>,
    simd: Level,
}

impl GroupTree {
    /// The tree over the flat list `cubes`, where `join` makes of the words of two what stands for both, beginning
    /// with `neutral`.
    fn new<const W: usize>(
        calculus: &Calculus<W>,
        cubes: &[u64],
        neutral: u64,
        join: fn(u64, u64) -> u64,
    ) -> (Self, Vec<u64>) {
        let n = calculus.words();
        let mut ids: Vec<u32> = (0..(cubes.len() / n) as u32).collect();
        let mut words = cubes.to_vec();
        arrange(calculus, &mut ColumnCounts::new(calculus.space()), &mut words, &mut ids, &mut Vec::new());
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

    /// Calls `found` with the places of the cubes that pass `test`, as do all the groups that they are in.
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

/// The cubes of the flat list in groups, word by word; the last one is filled up with `neutral`.
pub(crate) fn grouped(n: usize, words: &[u64], neutral: u64) -> Vec<u64> {
    let groups = (words.len() / n).div_ceil(FAN).max(1);
    let mut result = vec![neutral; groups * FAN * n];
    for (i, cube) in words.chunks_exact(n).enumerate() {
        for (w, &word) in cube.iter().enumerate() {
            result[place(n, i, w)] = word;
        }
    }
    result
}

/// Where word `w` of cube number `i` is among the groups of a level.
fn place(n: usize, i: usize, w: usize) -> usize {
    i / FAN * FAN * n + w * FAN + i % FAN
}

/// Orders the cubes so that neighbours are alike.
fn arrange<const W: usize>(
    calculus: &Calculus<W>,
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
    // The cubes that lack the part stay in front; the others wait.
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

/// An index by supercubes: which cubes intersect a cube, or are at distance one.
#[derive(Clone, Debug)]
pub(crate) struct BlockingIndex {
    tree: GroupTree,
    /// The cubes in the order of the tree.
    words: Vec<u64>,
    /// The same by columns, once they are asked for.
    columns: OnceLock<PartColumns>,
}

/// Cubes up to which they are compared by columns, all of them; of more the tree finds those that matter.
const MOST_BY_COLUMNS: usize = 1 << 14;

impl BlockingIndex {
    /// Returns the index of the flat list `cubes`. O(|cubes| log |cubes|) words.
    pub(crate) fn new<const W: usize>(calculus: &Calculus<W>, cubes: &[u64]) -> Self {
        let (tree, words) = GroupTree::new(calculus, cubes, 0, |a, b| a | b);
        BlockingIndex { tree, words, columns: OnceLock::new() }
    }

    /// The cubes by columns, unless they are too many, each by its place.
    pub(crate) fn columns<const W: usize>(&self, calculus: &Calculus<W>) -> Option<&PartColumns> {
        let are_few = self.tree.len <= MOST_BY_COLUMNS;
        are_few.then(|| self.columns.get_or_init(|| PartColumns::new(calculus, &self.words)))
    }

    /// The cube at a place.
    pub(crate) fn cube(&self, place: usize) -> &[u64] {
        &self.words[place * self.tree.n..][..self.tree.n]
    }

    /// Adds to `lower` the literals of cubes at distance one from `cube` that keep them apart from it; returns the cubes
    /// looked at.
    pub(crate) fn add_conflicts<const W: usize>(
        &self,
        calculus: &Calculus<W>,
        cube: &[u64],
        lower: &mut [u64],
    ) -> u64 {
        if !calculus.straddling().is_empty() {
            return self.for_each_apart(calculus, cube, |block, v| calculus.copy_literal(v, block, lower));
        }
        let (simd, n) = (self.tree.simd, self.tree.n);
        let test = |group: &[u64]| simd.near(calculus.fields(), group, &cube[..n]).near;
        FAN as u64
            * self.tree.visit(&test, &mut |at| {
                calculus.copy_conflict(&self.words[at * n..(at + 1) * n], cube, lower);
            })
    }

    /// Calls `found` with each cube at distance one from `cube`, and the variable; returns the cubes looked at.
    pub(crate) fn for_each_apart<const W: usize>(
        &self,
        calculus: &Calculus<W>,
        cube: &[u64],
        mut found: impl FnMut(&[u64], usize),
    ) -> u64 {
        let (simd, n) = (self.tree.simd, self.tree.n);
        let test = |group: &[u64]| simd.near(calculus.fields(), group, &cube[..n]).near;
        FAN as u64
            * self.tree.visit(&test, &mut |at| {
                let block = &self.words[at * n..(at + 1) * n];
                if let Meet::Apart(v) = calculus.meet(block, cube) {
                    found(block, v);
                }
            })
    }

    /// Calls `found` with the number of each cube at distance one or less from `cube`, straddling variables not looked
    /// at; returns the cubes looked at.
    pub(crate) fn for_each_near<const W: usize>(
        &self,
        calculus: &Calculus<W>,
        cube: &[u64],
        mut found: impl FnMut(usize),
    ) -> u64 {
        let (simd, n) = (self.tree.simd, self.tree.n);
        let test = |group: &[u64]| simd.near(calculus.fields(), group, &cube[..n]).near;
        FAN as u64 * self.tree.visit(&test, &mut |at| found(self.tree.ids[at] as usize))
    }

    /// Calls `found` with the number of each cube that intersects `cube`, straddling variables not looked at; returns the
    /// cubes looked at.
    pub(crate) fn for_each_number<const W: usize>(
        &self,
        calculus: &Calculus<W>,
        cube: &[u64],
        mut found: impl FnMut(usize),
    ) -> u64 {
        let (simd, n) = (self.tree.simd, self.tree.n);
        let test = |group: &[u64]| simd.near(calculus.fields(), group, &cube[..n]).meet;
        FAN as u64 * self.tree.visit(&test, &mut |at| found(self.tree.ids[at] as usize))
    }

    /// Calls `found` with each cube that intersects `cube`; returns the cubes looked at.
    pub(crate) fn for_each_meeting<const W: usize>(
        &self,
        calculus: &Calculus<W>,
        cube: &[u64],
        mut found: impl FnMut(&[u64]),
    ) -> u64 {
        let (simd, n) = (self.tree.simd, self.tree.n);
        let test = |group: &[u64]| simd.near(calculus.fields(), group, &cube[..n]).meet;
        let straddling = !calculus.straddling().is_empty();
        FAN as u64
            * self.tree.visit(&test, &mut |at| {
                let block = &self.words[at * n..(at + 1) * n];
                if !straddling || calculus.intersects(block, cube) {
                    found(block);
                }
            })
    }
}

/// An index by cores: which cubes lie within a cube. Cubes can be taken out.
#[derive(Clone, Debug)]
pub(crate) struct ContainmentIndex {
    tree: GroupTree,
    /// For each cube the place in the order; `u32::MAX` for one taken out.
    places: Vec<u32>,
}

impl ContainmentIndex {
    /// Returns the index of the flat list `cubes`. O(|cubes| log |cubes|) words.
    pub(crate) fn new<const W: usize>(calculus: &Calculus<W>, cubes: &[u64]) -> Self {
        let (tree, _) = GroupTree::new(calculus, cubes, u64::MAX, |a, b| a & b);
        let mut places = vec![0; tree.len];
        for (place, &id) in tree.ids.iter().enumerate() {
            places[id as usize] = place as u32;
        }
        ContainmentIndex { tree, places }
    }

    /// Sets `ids` to the numbers of the cubes, not taken out, that lie within `cube`, ascending; returns the cubes
    /// looked at.
    pub(crate) fn within(&self, cube: &[u64], ids: &mut Vec<u32>) -> u64 {
        ids.clear();
        let looked = self.for_each_within(cube, |at| {
            let id = self.tree.ids[at];
            // A cube taken out is all ones, which lies within the cube of all minterms when no bit is unused.
            if self.places[id as usize] != u32::MAX {
                ids.push(id);
            }
        });
        ids.sort_unstable();
        looked
    }

    /// Calls `found` with the place of each cube, of which none was taken out, that lies within `cube`, ascending;
    /// returns the cubes looked at.
    pub(crate) fn for_each_within(&self, cube: &[u64], mut found: impl FnMut(usize)) -> u64 {
        let GroupTree { simd, n, .. } = self.tree;
        FAN as u64 * self.tree.visit(&|group: &[u64]| simd.within(group, &cube[..n]), &mut found)
    }

    /// For each place the number of its cube.
    pub(crate) fn ids(&self) -> &[u32] {
        &self.tree.ids
    }

    pub(crate) fn take_out(&mut self, id: usize) {
        let n = self.tree.n;
        let mut at = std::mem::replace(&mut self.places[id], u32::MAX) as usize;
        if at == u32::MAX as usize {
            return;
        }
        (0..n).for_each(|w| self.tree.levels[0][place(n, at, w)] = u64::MAX);
        for level in 1..self.tree.levels.len() {
            at /= FAN;
            let mut changed = false;
            for w in 0..n {
                let from = (at * n + w) * FAN;
                let core = self.tree.levels[level - 1][from..from + FAN].iter().fold(u64::MAX, |a, b| a & b);
                let to = &mut self.tree.levels[level][place(n, at, w)];
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
        /// An index finds what going through the list finds.
        #[test]
        fn finds_what_there_is(
            [cover, cubes] in testing::covers([90, 4]),
            gone in proptest::collection::vec(any::<prop::sample::Index>(), 0..70),
        ) {
            let calculus = Calculus::<0>::new(cover.space());
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
                blocks.for_each_apart(&calculus, cube, |block, v| apart.push((block.to_vec(), v)));
                blocks.for_each_meeting(&calculus, cube, |block| meeting.push(block.to_vec()));
                pool.within(cube, &mut within);
                apart.sort();
                meeting.sort();
                let mut expected = (Vec::new(), Vec::new());
                for other in &cover {
                    match calculus.meet(other, cube) {
                        Meet::Apart(v) => expected.0.push((other.to_vec(), v)),
                        Meet::Intersect => expected.1.push(other.to_vec()),
                        Meet::Far => {}
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
