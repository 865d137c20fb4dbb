//! The blocking matrix of one expansion: the limits to the growth of a cube.
//!
//! In Brayton et al. 1984, section 4.3.1, each blocking cube has one row, which gives the variables in which it is disjoint
//! from the growing cube. Departure: a row is itself a cube. In every variable that keeps the two apart it has the
//! blocking cube's literal, restricted to the parts within reach; in the others it has all parts. A row that lies within
//! another is then redundant, since the other blocks all that it blocks, and is dropped. A thousand blocking cubes leave
//! about a dozen rows, so a test against all rows is often a test against one group (`group`).

use crate::care::cube_index::grouped;
use crate::care::group::FAN;
use crate::cpu::Level;
use crate::cube::calculus::{Calculus, Distance, ones};

/// The rows, also arranged in groups for the most frequent test of an expansion. Reusable for the next expansion.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockingMatrix {
    rows: Vec<u64>,
    /// Empty until the first test.
    groups: Vec<u64>,
    /// The complements of the rows kept so far, in groups.
    lacking: Vec<u64>,
    /// The numbers of the rows, by number of parts.
    order: Vec<u32>,
    sizes: Vec<u32>,
    spare: Vec<u64>,
    /// The groups found by one test.
    apart: Vec<(u32, u32)>,
    joined: Vec<u64>,
    /// One row.
    block: Vec<u64>,
}

impl BlockingMatrix {
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.groups.clear();
    }

    pub(crate) fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// Adds a blocking cube that does not intersect `raise`.
    pub(crate) fn add(&mut self, calculus: &Calculus, block: &[u64], raise: &[u64], reach: &[u64]) {
        let start = self.rows.len();
        self.rows.extend_from_slice(calculus.space().full());
        let row = &mut self.rows[start..];
        for w in 0..calculus.words() {
            let tops = calculus.fields()[w].empty(block[w] & raise[w]);
            row[w] &= !calculus.spread(w, tops) | block[w] & reach[w];
        }
        for &v in calculus.straddling() {
            let variable = &calculus.space().variables()[v];
            if variable.slots.iter().all(|slot| block[slot.word] & raise[slot.word] & slot.mask == 0) {
                for slot in &variable.slots {
                    row[slot.word] &= !slot.mask | block[slot.word] & reach[slot.word];
                }
            }
        }
    }

    pub(crate) fn drop_unreached(&mut self, calculus: &Calculus, reach: &[u64]) {
        let n = calculus.words();
        let mut to = 0;
        for at in (0..self.rows.len()).step_by(n) {
            if calculus.intersects(&self.rows[at..at + n], reach) {
                self.rows.copy_within(at..at + n, to);
                to += n;
            }
        }
        self.rows.truncate(to);
    }

    /// After parts were raised, removes from each row the variables that no longer keep it apart. Then drops rows within others.
    pub(crate) fn refresh(&mut self, calculus: &Calculus, raise: &[u64], reach: &[u64]) {
        let old = std::mem::take(&mut self.rows);
        self.rows = std::mem::take(&mut self.spare);
        self.rows.clear();
        old.chunks_exact(calculus.words()).for_each(|row| self.add(calculus, row, raise, reach));
        self.spare = old;
        self.absorb(calculus);
    }

    /// Drops the rows that lie within others. O(rows · rows kept) words.
    pub(crate) fn absorb(&mut self, calculus: &Calculus) {
        let n = calculus.words();
        self.sort_by_size(n);
        let simd = Level::detect();
        let size = FAN * n;
        self.lacking.clear();
        self.spare.clear();
        let mut kept = 0;
        for &at in &self.order {
            let row = &self.rows[at as usize * n..(at as usize + 1) * n];
            self.joined.clear();
            self.joined.extend(row.iter().map(|word| !word));
            // A larger row contains this one if it has all of its parts.
            if self.lacking.chunks_exact(size).any(|group| simd.within(group, &self.joined) != 0) {
                continue;
            }
            if kept % FAN == 0 {
                self.lacking.resize(self.lacking.len() + size, u64::MAX);
            }
            let group = &mut self.lacking[kept / FAN * size..];
            (0..n).for_each(|w| group[w * FAN + kept % FAN] = self.joined[w]);
            self.spare.extend_from_slice(row);
            kept += 1;
        }
        std::mem::swap(&mut self.rows, &mut self.spare);
        self.groups.clear();
    }

    fn sort_by_size(&mut self, n: usize) {
        let size = |row: &[u64]| row.iter().map(|word| word.count_zeros()).sum::<u32>() as usize;
        self.sizes.clear();
        self.sizes.resize(n * 64 + 1, 0);
        self.rows.chunks_exact(n).for_each(|row| self.sizes[size(row)] += 1);
        let mut first = 0;
        for count in &mut self.sizes {
            first += std::mem::replace(count, first);
        }
        self.order.clear();
        self.order.resize(self.rows.len() / n, 0);
        for (i, row) in self.rows.chunks_exact(n).enumerate() {
            let place = &mut self.sizes[size(row)];
            self.order[*place as usize] = i as u32;
            *place += 1;
        }
    }

    /// Tests whether `cube` can be joined to `raise`: whether no row intersects the supercube. Also returns the number of rows
    /// tested. Adds to `lower` the parts that would have to be lowered. A group with an intersecting row moves to the front.
    #[inline]
    pub(crate) fn try_to_cover(
        &mut self,
        calculus: &Calculus,
        raise: &[u64],
        cube: &[u64],
        lower: &mut [u64],
    ) -> (bool, u64) {
        let n = calculus.words();
        self.joined.clear();
        self.joined.extend((0..n).map(|i| raise[i] | cube[i]));
        if self.groups.is_empty() && !self.rows.is_empty() {
            self.groups = grouped(n, &self.rows, 0);
        }
        let size = FAN * n;
        let simd = Level::detect();
        let is_straddling = !calculus.straddling().is_empty();
        self.block.resize(n, 0);
        let mut from = 0;
        loop {
            self.apart.clear();
            let rest = &self.groups[from * size..];
            let meeting = simd.first_intersecting(calculus.fields(), rest, &self.joined, &mut self.apart);
            if let Some(at) = meeting {
                let group = &rest[at * size..(at + 1) * size];
                let is_refuted = !is_straddling || {
                    (0..FAN).any(|j| {
                        (0..n).for_each(|w| self.block[w] = group[w * FAN + j]);
                        calculus.intersects(&self.block, &self.joined)
                    })
                };
                if is_refuted {
                    let at = from + at;
                    for i in 0..size {
                        self.groups.swap(i, at * size + i);
                    }
                    return (false, ((at + 1) * FAN) as u64);
                }
                // Only a variable that straddles words can keep the two apart.
                self.apart.push((at as u32, u32::MAX >> (32 - FAN)));
            }
            for &(at, near) in &self.apart {
                let group = &rest[at as usize * size..(at as usize + 1) * size];
                for j in ones(u64::from(near)) {
                    (0..n).for_each(|w| self.block[w] = group[w * FAN + j]);
                    if !is_straddling {
                        calculus.copy_conflict(&self.block, &self.joined, lower);
                    } else if let Distance::One(v) = calculus.distance(&self.block, &self.joined) {
                        calculus.copy_literal(v, &self.block, lower);
                    }
                }
            }
            match meeting {
                None => return (true, (self.groups.len() / n) as u64),
                Some(at) => from += at + 1,
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
        /// The rows block the same cubes as the blocking cubes, also after one cube was covered.
        #[test]
        fn rows_block_what_the_blocking_cubes_block([blocks, cubes] in testing::covers([40, 6])) {
            let calculus = Calculus::new(blocks.space());
            let Some(first) = cubes.iter().next() else { return Ok(()) };
            let reach = blocks.space().full();
            let mut raise = first.to_vec();
            let apart: Vec<&[u64]> = blocks.iter().filter(|block| !calculus.intersects(block, first)).collect();
            let mut matrix = BlockingMatrix::default();
            apart.iter().for_each(|block| matrix.add(&calculus, block, &raise, reach));
            matrix.absorb(&calculus);
            for cube in &cubes {
                let joined: Vec<u64> = raise.iter().zip(cube).map(|(a, b)| a | b).collect();
                let (mut expected, mut lower) = (vec![0; raise.len()], vec![0; raise.len()]);
                for block in &apart {
                    if let Distance::One(v) = calculus.distance(block, &joined) {
                        calculus.copy_literal(v, block, &mut expected);
                    }
                }
                let blocked = apart.iter().any(|block| calculus.intersects(block, &joined));
                let (feasible, _) = matrix.try_to_cover(&calculus, &raise, cube, &mut lower);
                prop_assert_eq!(feasible, !blocked);
                if feasible {
                    prop_assert_eq!(lower, expected);
                    raise = joined;
                    matrix.refresh(&calculus, &raise, reach);
                }
            }
        }
    }
}
