//! The cubes that a growing cube could still cover, as bit columns.
//!
//! In Brayton et al. 1984, section 4.3.3, each of these cubes is tested against each row of the blocking matrix: would the
//! supercube with it still be an implicant, and which parts would then have to be lowered? Departure: a row is tested against
//! 64 cubes at once (`part_columns`). For each variable in which the row is disjoint from the growing cube, the columns give the
//! cubes that have a part of the row. A cube that has a part of the row in all these variables cannot be covered. If a cube lacks
//! the row's parts in only one of these variables, covering the cube lowers the row's literal of this variable.

use crate::coverage::part_columns::PartColumns;
use crate::cube::bits::{has, numbers, ones};
use crate::cube::cube_algebra::CubeAlgebra;
use std::ops::Range;

/// Limit on the feasible cubes compared with all others.
const MOST_WEIGHED: usize = 500;

/// The cubes of one expansion; reusable for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct CoverableCubes {
    pub(crate) cubes: Vec<u64>,
    columns: PartColumns,
    /// The mask of the cubes that can still be covered feasibly.
    feasible: Vec<u64>,
    /// The mask of the cubes within reach that are not covered.
    open: Vec<u64>,
    /// The parts that covering some cube would lower.
    lowered: Vec<usize>,
    /// For each part of `lowered`, the mask of the cubes whose covering would lower it. Not all these cubes are feasible.
    lowering: Vec<u64>,
    /// For each part its place in `lowered`, or `u32::MAX`.
    places: Vec<u32>,
    /// Each row as a range of `literals`.
    rows: Vec<Range<u32>>,
    /// Each literal as a range of `parts`.
    literals: Vec<Range<u32>>,
    parts: Vec<u32>,
}

impl CoverableCubes {
    /// Makes the columns of the cubes.
    pub(crate) fn make_columns(&mut self, algebra: &CubeAlgebra) {
        self.columns.fill(algebra, &self.cubes);
        for mask in [&mut self.feasible, &mut self.open] {
            mask.clear();
            mask.extend_from_slice(&self.columns.all);
        }
    }

    pub(crate) fn cube(&self, algebra: &CubeAlgebra, i: usize) -> &[u64] {
        let n = algebra.words();
        &self.cubes[i * n..(i + 1) * n]
    }

    /// The numbers of the cubes that can be covered feasibly.
    pub(crate) fn feasible(&self) -> impl Iterator<Item = usize> {
        numbers(&self.feasible)
    }

    /// Drops from the feasible cubes the cubes out of reach, and the cubes covered by `raise`.
    pub(crate) fn keep_feasible_within(&mut self, raise: &[u64], reach: &[u64]) {
        self.columns.keep_between(raise, reach, &mut self.feasible);
    }

    /// Drops the feasible cubes whose supercube with `raise` meets one of `rows`, the flat list of a blocking matrix. For the
    /// other feasible cubes, finds the parts that covering them would lower. Returns the work in words of columns.
    pub(crate) fn test(&mut self, algebra: &CubeAlgebra, rows: &[u64], raise: &[u64]) -> u64 {
        self.places.resize(algebra.words() * 64, u32::MAX);
        self.lowered.drain(..).for_each(|part| self.places[part] = u32::MAX);
        self.lowering.clear();
        self.list_literals(algebra, rows, raise);
        let Self { columns, feasible, lowered, lowering, places, rows, literals, parts, .. } = self;
        let words = feasible.len();
        let mut work = 0;
        for (word, feasible) in feasible.iter_mut().enumerate() {
            let mut alive = *feasible;
            for at in 0..rows.len() {
                if alive == 0 {
                    break;
                }
                let literals = &literals[rows[at].start as usize..rows[at].end as usize];
                work += literals.iter().map(|literal| u64::from(literal.end - literal.start)).sum::<u64>();
                let apart = |literal: &Range<u32>| {
                    let parts = parts[literal.start as usize..literal.end as usize].iter();
                    !parts.fold(0, |having, &part| having | columns.column(part as usize)[word])
                };
                let (mut one, mut two) = (0, 0);
                for literal in literals {
                    let apart = apart(literal);
                    two |= one & apart;
                    one |= apart;
                }
                alive &= one;
                let single = alive & !two;
                if single != 0 {
                    for literal in literals {
                        let single = single & apart(literal);
                        if single != 0 {
                            for &part in &parts[literal.start as usize..literal.end as usize] {
                                let place = &mut places[part as usize];
                                if *place == u32::MAX {
                                    *place = lowered.len() as u32;
                                    lowered.push(part as usize);
                                    lowering.resize(lowering.len() + words, 0);
                                }
                                lowering[*place as usize * words + word] |= single;
                            }
                        }
                    }
                }
                // A row that refutes the last cube of a word likely refutes others.
                if alive == 0 {
                    rows.swap(0, at);
                }
            }
            *feasible = alive;
        }
        work
    }

    /// Lists for each row its literals that are disjoint from `raise`.
    fn list_literals(&mut self, algebra: &CubeAlgebra, rows: &[u64], raise: &[u64]) {
        self.rows.clear();
        self.literals.clear();
        self.parts.clear();
        for row in rows.chunks_exact(algebra.words()) {
            let first = self.literals.len() as u32;
            algebra.for_each_conflict(row, raise, |v| {
                let from = self.parts.len() as u32;
                let parts = algebra.space().variables()[v].bits_in(row);
                self.parts.extend(parts.map(|part| part as u32));
                self.literals.push(from..self.parts.len() as u32);
            });
            self.rows.push(first..self.literals.len() as u32);
        }
    }

    /// After a test, the feasible cube to cover next: the cube that leaves most other cubes coverable; among equals, the cube
    /// with the fewest parts that `raise` lacks. Adds to `work` the words of a column for each cube compared.
    pub(crate) fn best(&self, algebra: &CubeAlgebra, raise: &[u64], work: &mut u64) -> Option<usize> {
        let words = self.feasible.len();
        let new_parts = |i: usize| -> u32 {
            let cube = self.cube(algebra, i);
            cube.iter().zip(raise).map(|(&cube, &raise)| (cube & !raise).count_ones()).sum()
        };
        // If covering a cube lowers nothing, all other cubes stay coverable.
        let is_free = |i: &usize| !self.lowering.chunks_exact(words).any(|mask| has(mask, *i));
        let free_of_cost = self.feasible().take(MOST_WEIGHED).filter(is_free).min_by_key(|&i| new_parts(i));
        if free_of_cost.is_some() {
            return free_of_cost;
        }
        let mut lost = vec![0; words];
        let mut count_lost = |i: usize| -> u32 {
            lost.fill(0);
            let lowering = self.lowering.chunks_exact(words);
            for (&part, _) in self.lowered.iter().zip(lowering).filter(|(_, mask)| has(mask, i)) {
                lost.iter_mut().zip(self.columns.column(part)).for_each(|(lost, having)| *lost |= having);
            }
            lost.iter().zip(&self.feasible).map(|(lost, feasible)| (lost & feasible).count_ones()).sum()
        };
        self.feasible().take(MOST_WEIGHED).min_by_key(|&i| {
            *work += words as u64;
            (count_lost(i), new_parts(i))
        })
    }

    /// After a test, adds to `lower` the parts that covering cube number `i` lowers.
    pub(crate) fn add_lowered(&self, i: usize, lower: &mut [u64]) {
        for (part, mask) in self.lowered.iter().zip(self.lowering.chunks_exact(self.feasible.len())) {
            lower[part / 64] |= (mask[i / 64] >> (i % 64) & 1) << (part % 64);
        }
    }

    /// Among the parts of `reach` that `raise` lacks, the part that most uncovered cubes within reach have; `None` if there is no
    /// such cube. Adds to `work` the words of a column for each part compared.
    pub(crate) fn most_frequent_part(
        &mut self,
        raise: &[u64],
        reach: &[u64],
        work: &mut u64,
    ) -> Option<usize> {
        self.columns.keep_between(raise, reach, &mut self.open);
        if self.open.iter().all(|&open| open == 0) {
            return None;
        }
        let mut most: Option<(u32, usize)> = None;
        for (word, (reach, raise)) in reach.iter().zip(raise).enumerate() {
            for part in ones(reach & !raise).map(|bit| word * 64 + bit) {
                *work += self.open.len() as u64;
                let having = self.columns.column(part).iter().zip(&self.open);
                let count = having.map(|(having, open)| (having & open).count_ones()).sum();
                if most.is_none_or(|(most, _)| count > most) {
                    most = Some((count, part));
                }
            }
        }
        most.map(|(_, part)| part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::blocking_matrix::BlockingMatrix;
    use crate::cube::cube_algebra::Distance;
    use crate::testing;
    use proptest::prelude::*;

    proptest! {
        /// The rows block the same cubes as the blocking cubes, also after some cubes were covered, and lower the parts of the
        /// definition.
        #[test]
        fn cubes_are_tested_as_one_by_one([blocks, cubes] in testing::covers([40, 80])) {
            let algebra = CubeAlgebra::new(blocks.space());
            let Some(first) = cubes.iter().next() else { return Ok(()) };
            let reach = blocks.space().full();
            let mut raise = first.to_vec();
            let apart: Vec<&[u64]> = blocks.iter().filter(|block| !algebra.intersects(block, first)).collect();
            let mut matrix = BlockingMatrix::default();
            apart.iter().for_each(|block| matrix.add(&algebra, block, &raise, reach));
            matrix.absorb(&algebra, &|| Ok(())).unwrap();
            let mut coverable = CoverableCubes { cubes: cubes.as_words().to_vec(), ..CoverableCubes::default() };
            coverable.make_columns(&algebra);
            let mut feasible: Vec<usize> = (0..cubes.len()).collect();
            loop {
                coverable.test(&algebra, &matrix.rows, &raise);
                let joined = |i: usize| raise.iter().zip(cubes.cube(i)).map(|(a, b)| a | b).collect::<Vec<u64>>();
                feasible.retain(|&i| !apart.iter().any(|block| algebra.intersects(block, &joined(i))));
                prop_assert_eq!(coverable.feasible().collect::<Vec<_>>(), feasible.clone());
                for &i in &feasible {
                    let (mut expected, mut lower) = (vec![0; raise.len()], vec![0; raise.len()]);
                    for block in &apart {
                        if let Distance::One(v) = algebra.distance(block, &joined(i)) {
                            algebra.copy_literal(v, block, &mut expected);
                        }
                    }
                    coverable.add_lowered(i, &mut lower);
                    prop_assert_eq!(lower, expected);
                }
                coverable.keep_feasible_within(&raise, reach);
                feasible.retain(|&i| !algebra.contains(&raise, cubes.cube(i)));
                let Some(&next) = feasible.first() else { break };
                raise = joined(next);
                matrix.refresh(&algebra, &raise, reach, &|| Ok(())).unwrap();
            }
        }
    }
}
