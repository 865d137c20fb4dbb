//! Cubes as bit columns: for each part, one bit for each cube that has it. A cube is compared with 64 cubes at a time.
//!
//! In Brayton et al. 1984, section 4.3, the blocking matrix has a row for each blocking cube, with its conflicts: the variables
//! in which it is disjoint from the growing cube. Departure: the matrix is transposed. The conflicts are counted for 64 cubes at
//! once, in two bit planes, "one or more" and "two or more", as in a carry-save adder. A part must be lowered if it is in a cube
//! whose only conflict is the part's variable. A part may be raised if it is in no cube with a conflict in the part's variable.

use crate::coverage::transpose::transpose;
use crate::cube::bits::{add, numbers, ones, remove};
use crate::cube::cube_algebra::CubeAlgebra;
use crate::cube::space::Slot;

/// The cost of one word of all columns, in units of cubes tested.
const COST: u64 = 16;

/// Words of a mask that are tested together until all are empty.
const BLOCK: usize = if cfg!(test) { 1 } else { 16 };

/// Words of a column that a greedy choice looks at.
const MOST_SAMPLED: usize = if cfg!(test) { 2 } else { 128 };

/// Cubes as bit columns; reusable for others.
#[derive(Clone, Debug, Default)]
pub(crate) struct PartColumns {
    /// Words in a column.
    words: usize,
    /// The mask of all cubes, one bit each.
    pub(crate) all: Vec<u64>,
    /// The cube of all minterms.
    full: Vec<u64>,
    columns: Vec<u64>,
}

/// The conflicts of cubes with a growing cube; reusable for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConflictCounts {
    /// The numbers of the variables whose literal is not full.
    variables: Vec<u32>,
    /// For each of these variables, the mask of the cubes with a conflict in it.
    kept: Vec<u64>,
    /// The mask of the cubes with at least one conflict.
    one: Vec<u64>,
    /// The mask of the cubes with at least two conflicts.
    two: Vec<u64>,
    /// The mask of the cubes that intersect a cube within reach of the growing cube.
    pub(crate) blocking: Vec<u64>,
    spare: Vec<u64>,
    /// Parts of one variable.
    parts: Vec<usize>,
}

impl PartColumns {
    /// Returns the columns of the flat list `cubes`.
    pub(crate) fn new(algebra: &CubeAlgebra, cubes: &[u64]) -> Self {
        let mut columns = PartColumns::default();
        columns.fill(algebra, cubes);
        columns
    }

    /// Replaces the cubes by the flat list `cubes`.
    pub(crate) fn fill(&mut self, algebra: &CubeAlgebra, cubes: &[u64]) {
        let n = algebra.words();
        let len = cubes.len() / n;
        let words = len.div_ceil(64).max(1);
        let Self { columns, all, full, .. } = self;
        columns.clear();
        columns.resize(algebra.space().bits() * words, 0);
        transpose(n, cubes, |part, word, cubes| columns[part * words + word] |= cubes);
        all.clear();
        all.resize(words, u64::MAX);
        let used = len - (words - 1) * 64;
        all[words - 1] = if used == 0 { 0 } else { u64::MAX >> (64 - used) };
        full.clear();
        full.extend_from_slice(algebra.space().full());
        self.words = words;
    }

    /// The cost of a query, in units of cubes tested.
    pub(crate) fn work(&self) -> u64 {
        COST * self.words as u64
    }

    /// The cubes that intersect `cube`.
    pub(crate) fn intersecting(&self, algebra: &CubeAlgebra, cube: &[u64]) -> Vec<u64> {
        let mut meeting = self.all.clone();
        let mut sharing = vec![0; self.words];
        algebra.for_each_dependence(cube, |v| {
            let sharing = self.shared(algebra, v, cube, &mut sharing);
            meeting.iter_mut().zip(sharing).for_each(|(meeting, sharing)| *meeting &= sharing);
        });
        meeting
    }

    /// Whether one of the cubes intersects `cube`.
    pub(crate) fn meets(&self, algebra: &CubeAlgebra, cube: &[u64]) -> bool {
        self.intersecting(algebra, cube).iter().any(|&word| word != 0)
    }

    /// The cubes at distance one or less from `cube`.
    pub(crate) fn up_to_distance_one(&self, algebra: &CubeAlgebra, cube: &[u64]) -> Vec<u64> {
        let (mut meeting, mut near) = (self.all.clone(), self.all.clone());
        let mut sharing = vec![0; self.words];
        algebra.for_each_dependence(cube, |v| {
            let sharing = self.shared(algebra, v, cube, &mut sharing);
            for ((meeting, near), sharing) in meeting.iter_mut().zip(&mut near).zip(sharing) {
                *near &= *meeting | sharing;
                *meeting &= sharing;
            }
        });
        near
    }

    /// Keeps the cubes of a mask that lie within `cube`.
    pub(crate) fn keep_contained(&self, cube: &[u64], mask: &mut [u64]) {
        let lacked: Vec<u64> = self.full.iter().zip(cube).map(|(full, cube)| full & !cube).collect();
        for (block, mask) in mask.chunks_mut(BLOCK).enumerate() {
            for part in numbers(&lacked) {
                let column = &self.column(part)[block * BLOCK..];
                let left = mask.iter_mut().zip(column).fold(0, |left, (within, has)| {
                    *within &= !has;
                    left | *within
                });
                if left == 0 {
                    break;
                }
            }
        }
    }

    /// Keeps the cubes of a mask that lie within `reach` but not within `raise`, a cube within `reach`.
    pub(crate) fn keep_between(&self, raise: &[u64], reach: &[u64], mask: &mut [u64]) {
        self.keep_contained(reach, mask);
        for (at, mask) in mask.iter_mut().enumerate().filter(|(_, mask)| **mask != 0) {
            let mut outside = 0;
            for (word, (&reach, &raise)) in reach.iter().zip(raise).enumerate() {
                outside = ones(reach & !raise).fold(outside, |outside, bit| {
                    outside | self.columns[(word * 64 + bit) * self.words + at]
                });
            }
            *mask &= outside;
        }
    }

    /// The mask of the cubes that share a part of variable `v` with `cube`. `space` is used if `cube` has several parts.
    #[inline]
    fn shared<'s>(
        &'s self,
        algebra: &CubeAlgebra,
        v: usize,
        cube: &[u64],
        space: &'s mut [u64],
    ) -> &'s [u64] {
        let variable = &algebra.space().variables()[v];
        if let [slot] = variable.slots[..] {
            let parts = cube[slot.word] & slot.mask;
            if parts.is_power_of_two() {
                return self.column(slot.word * 64 + parts.trailing_zeros() as usize);
            }
        }
        let mut parts = variable.bits_in(cube);
        match parts.next() {
            Some(part) => space.copy_from_slice(self.column(part)),
            None => space.fill(0),
        }
        for part in parts {
            space.iter_mut().zip(self.column(part)).for_each(|(sharing, has)| *sharing |= has);
        }
        space
    }

    /// The mask of the cubes with a part.
    #[inline]
    pub(crate) fn column(&self, part: usize) -> &[u64] {
        &self.columns[part * self.words..][..self.words]
    }

    /// Decides the forced parts of a cube that grows from `raise` to at most `reach`. If a cube has a single conflict, its parts
    /// of the conflict's variable are removed from `reach`. Then the parts that no cube blocks are added to `raise`. Sets
    /// `counts.blocking` to the cubes that still block within reach. A cube that intersects `raise` at the start does not block.
    pub(crate) fn decide_forced_parts(
        &self,
        algebra: &CubeAlgebra,
        counts: &mut ConflictCounts,
        raise: &mut [u64],
        reach: &mut [u64],
    ) {
        self.count_conflicts(algebra, counts, raise);
        let (words, space) = (self.words, algebra.space());
        let ConflictCounts { variables: open, kept, one, two, blocking, spare: within, parts: free } = counts;
        // Cubes with a single conflict.
        two.iter_mut().zip(&*one).for_each(|(two, one)| *two = one & !*two);
        let single = &*two;
        blocking.clone_from(one);
        for (&v, kept) in open.iter().zip(kept.chunks_exact(words)) {
            let slots = &space.variables()[v as usize].slots;
            let single_here = is_meeting(kept, single);
            // A cube that is out of reach in this variable does not block.
            if (v as usize) < space.binary_inputs() {
                // All cubes with a conflict in a binary variable have the other part.
                let (slot, other) = other_part(slots, raise, reach);
                if single_here || other == 0 {
                    reach[slot] &= !other;
                    blocking.iter_mut().zip(kept).for_each(|(blocking, kept)| *blocking &= !kept);
                }
                continue;
            }
            parts_between(slots, raise, reach, free);
            within.iter_mut().zip(kept).for_each(|(within, kept)| *within = !kept);
            for &part in &*free {
                let column = self.column(part);
                let mut all = column.iter().zip(kept).zip(single);
                if single_here && all.any(|((has, kept), single)| has & kept & single != 0) {
                    remove(reach, part);
                } else {
                    within.iter_mut().zip(column).for_each(|(within, has)| *within |= has);
                }
            }
            blocking.iter_mut().zip(&*within).for_each(|(blocking, within)| *blocking &= within);
        }
        for (&v, kept) in open.iter().zip(kept.chunks_exact(words)) {
            let slots = &space.variables()[v as usize].slots;
            if (v as usize) < space.binary_inputs() {
                let (slot, other) = other_part(slots, raise, reach);
                raise[slot] |= if is_meeting(kept, blocking) { 0 } else { other };
                continue;
            }
            parts_between(slots, raise, reach, free);
            for &part in &*free {
                let mut all = self.column(part).iter().zip(kept).zip(&*blocking);
                if !all.any(|((has, kept), blocking)| has & kept & blocking != 0) {
                    add(raise, part);
                }
            }
        }
    }

    /// A prime that contains `cube`. First it keeps each literal that is the only conflict of some cube. Until every cube has a
    /// conflict, it then keeps the literal that is a conflict of most other cubes. Only the parts `raisable` are raised. This is
    /// far quicker than an expansion by a blocking matrix of very many rows, but it looks neither for cubes to cover nor for the
    /// fewest literals.
    pub(crate) fn greedy_prime(
        &self,
        algebra: &CubeAlgebra,
        counts: &mut ConflictCounts,
        cube: &[u64],
        raisable: &[u64],
    ) -> Vec<u64> {
        self.count_conflicts(algebra, counts, cube);
        let (words, variables) = (self.words, algebra.space().variables());
        let ConflictCounts { variables: literals, kept, one, two, blocking: open, .. } = counts;
        let stays = self.literals_that_stay(literals.len(), kept, [one, two], open);
        // A cube that `cube` meets does not block.
        let first = one.clone();
        let mut prime = cube.to_vec();
        for (_, &v) in literals.iter().enumerate().filter(|(place, _)| !stays.contains(place)) {
            let slots = variables[v as usize].slots.iter();
            slots.for_each(|slot| prime[slot.word] |= raisable[slot.word] & slot.mask);
        }
        // Then raise single parts of the literals that stay, unless a cube with the part has no conflict in another variable.
        let mut free = Vec::new();
        let mut is_counted = false;
        for &place in &stays {
            parts_between(&variables[literals[place] as usize].slots, &prime, raisable, &mut free);
            for &part in &free {
                if !std::mem::replace(&mut is_counted, true) {
                    one.fill(0);
                    two.fill(0);
                    for &place in &stays {
                        let planes = one.iter_mut().zip(&mut *two).zip(&kept[place * words..]);
                        for ((one, two), kept) in planes {
                            *two |= *one & kept;
                            *one |= kept;
                        }
                    }
                }
                let (column, own) = (self.column(part), &mut kept[place * words..][..words]);
                let single = one.iter().zip(&*two).zip(&first);
                let mut blocked = column.iter().zip(&*own).zip(single);
                if !blocked.any(|((has, own), ((one, two), first))| has & own & one & !two & first != 0) {
                    add(&mut prime, part);
                    own.iter_mut().zip(column).for_each(|(own, has)| *own &= !has);
                    is_counted = false;
                }
            }
        }
        prime
    }

    /// The literals that a greedy prime keeps, among `count` literals with the masks `kept`: first each only conflict of some
    /// cube, then repeatedly the conflict of most other cubes. The planes are those of [`ConflictCounts`].
    fn literals_that_stay(
        &self,
        count: usize,
        kept: &[u64],
        [one, two]: [&[u64]; 2],
        open: &mut Vec<u64>,
    ) -> Vec<usize> {
        let mut stays = Vec::new();
        open.clear();
        open.extend_from_slice(one);
        for (place, kept) in kept.chunks_exact(self.words).enumerate() {
            if kept.iter().zip(one.iter().zip(two)).any(|(kept, (one, two))| kept & one & !two != 0) {
                stays.push(place);
                open.iter_mut().zip(kept).for_each(|(open, kept)| *open &= !kept);
            }
        }
        loop {
            let left = open.iter().filter(|&&open| open != 0).count();
            if left == 0 {
                return stays;
            }
            // A sample of the words is enough to choose a good literal.
            let some = open.iter().enumerate().filter(|&(_, &open)| open != 0);
            let sample: Vec<(usize, &u64)> = some.step_by(left.div_ceil(MOST_SAMPLED)).collect();
            let hits = |&place: &usize| -> u32 {
                let kept = &kept[place * self.words..][..self.words];
                sample.iter().map(|&(at, open)| (kept[at] & open).count_ones()).sum()
            };
            let others = (0..count).filter(|place| !stays.contains(place));
            let Some(most) = others.max_by_key(hits) else { return stays };
            stays.push(most);
            open.iter_mut().zip(&kept[most * self.words..]).for_each(|(open, kept)| *open &= !kept);
        }
    }

    /// Counts the conflicts of each cube with `cube`.
    fn count_conflicts(&self, algebra: &CubeAlgebra, counts: &mut ConflictCounts, cube: &[u64]) {
        let words = self.words;
        let ConflictCounts { variables, kept, one, two, spare, .. } = counts;
        variables.clear();
        kept.clear();
        for plane in [&mut *one, two, spare] {
            plane.clear();
            plane.resize(words, 0);
        }
        algebra.for_each_dependence(cube, |v| {
            variables.push(v as u32);
            let shared = self.shared(algebra, v, cube, spare);
            kept.extend(shared.iter().zip(one.iter_mut().zip(&mut *two)).map(|(shared, (one, two))| {
                let kept = !shared;
                *two |= *one & kept;
                *one |= kept;
                kept
            }));
        });
        one.iter_mut().zip(&self.all).for_each(|(one, all)| *one &= all);
    }
}

/// Whether two masks have a cube in common.
fn is_meeting(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).fold(0, |common, (a, b)| common | a & b) != 0
}

/// The word of a binary variable, and in it the parts that `reach` has and `raise` lacks.
fn other_part(slots: &[Slot], raise: &[u64], reach: &[u64]) -> (usize, u64) {
    let slot = &slots[0];
    (slot.word, reach[slot.word] & !raise[slot.word] & slot.mask)
}

/// Sets `parts` to the parts of a variable that `reach` has and `raise` lacks.
fn parts_between(slots: &[Slot], raise: &[u64], reach: &[u64], parts: &mut Vec<usize>) {
    parts.clear();
    for slot in slots {
        parts.extend(ones(reach[slot.word] & !raise[slot.word] & slot.mask).map(|bit| slot.word * 64 + bit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::bits::numbers;
    use crate::testing;
    use proptest::prelude::*;

    proptest! {
        /// The greedy prime contains the cube, meets no cube that it does not meet, and is a prime if all parts may be raised.
        #[test]
        fn greedy_primes_are_primes([on, off] in testing::covers([4, 150])) {
            let (space, algebra) = (on.space(), CubeAlgebra::new(on.space()));
            let columns = PartColumns::new(&algebra, off.as_words());
            for cube in on.iter().filter(|cube| !space.is_empty(cube)) {
                let meets = |other: &[u64]| off.iter().any(|block| space.intersects(block, other) && !space.intersects(block, cube));
                let prime = columns.greedy_prime(&algebra, &mut ConflictCounts::default(), cube, space.full());
                prop_assert!(space.contains(&prime, cube) && !meets(&prime));
                prop_assert!(testing::raised(&prime, space.bits()).all(|larger| meets(&larger)));
                let same = columns.greedy_prime(&algebra, &mut ConflictCounts::default(), cube, cube);
                prop_assert_eq!(same, cube);
            }
        }

        /// Compares with a cube-by-cube computation from the definitions, where all parts may be raised.
        #[test]
        fn forced_parts_are_those_of_the_definition([on, off] in testing::covers([4, 150])) {
            let (space, algebra) = (on.space(), CubeAlgebra::new(on.space()));
            let columns = PartColumns::new(&algebra, off.as_words());
            let mut counts = ConflictCounts::default();
            for cube in &on {
                let (mut raise, mut reach) = (cube.to_vec(), space.full().to_vec());
                columns.decide_forced_parts(&algebra, &mut counts, &mut raise, &mut reach);
                let conflicts = |block: &[u64]| {
                    let mut variables = Vec::new();
                    algebra.for_each_conflict(block, cube, |v| variables.push(v));
                    variables
                };
                let mut lowered = vec![0; space.words()];
                for block in &off {
                    if let [v] = conflicts(block)[..] {
                        algebra.copy_literal(v, block, &mut lowered);
                    }
                }
                let expected: Vec<u64> =
                    space.full().iter().zip(&lowered).zip(cube).map(|((full, low), own)| full & !low | own).collect();
                prop_assert_eq!(&reach, &expected);
                let blocks =
                    |block: &[u64]| !conflicts(block).is_empty() && algebra.intersects(block, &expected);
                let blocking: Vec<usize> = (0..off.len()).filter(|&at| blocks(off.cube(at))).collect();
                prop_assert_eq!(numbers(&counts.blocking).collect::<Vec<_>>(), blocking.clone());
                let mut blocked = vec![0; space.words()];
                for at in blocking {
                    conflicts(off.cube(at)).into_iter().for_each(|v| algebra.copy_literal(v, off.cube(at), &mut blocked));
                }
                let expected: Vec<u64> =
                    cube.iter().zip(&expected).zip(&blocked).map(|((own, reach), blocked)| own | reach & !blocked).collect();
                prop_assert_eq!(&raise, &expected);
            }
        }
    }
}
