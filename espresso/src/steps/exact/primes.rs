//! The primes that contain one minterm, or one cube.
//!
//! A prime must stay disjoint from each row of the minterm's blocking matrix, in a variable in which the minterm is disjoint from
//! the row. The primes are the maximal such cubes within reach: the minimal transversals of the rows. So only the primes of
//! single minterms are computed, not the primes of the whole function, which for some tens of inputs can exceed any memory.
//!
//! A cube is disjoint from a row in a variable if it lacks all parts of the row's literal. So a row stands for several sets of
//! parts, each with one part of the row in every such variable, and a prime must lack a part of each set. Up to 64 sets are left
//! to `transversals`. With more, one row is added after the other (Berge, *Hypergraphs*, 1989).

use crate::Result;
use crate::cube::bits::{add, count, numbers};
use crate::cube::cube_algebra::CubeAlgebra;
use crate::cube::space::Space;
use crate::steps::expand::Expander;
use crate::steps::transversals::Transversals;

/// Units of work of `transversals` that count as much as one cube.
const NODES_A_CUBE: u64 = 4;

/// Cubes compared with all others between two calls of the monitor.
const CUT_A_REPORT: usize = 1 << 8;

/// The search for primes; reusable for the next cube.
#[derive(Debug, Default)]
pub(crate) struct Primes {
    transversals: Transversals,
    /// The sets of parts, as masks.
    sets: Vec<u64>,
    /// For each part the mask of the sets that have it.
    columns: Vec<u64>,
}

impl Primes {
    /// Returns as a flat list the primes that contain the cube with which `expander` has begun; `None` if there are more than
    /// `most`. With more than 64 sets it is also `None` if there are more than `most` primes for some of the rows. Calls `spend`
    /// with the number of cubes tested.
    pub(crate) fn of(
        &mut self,
        algebra: &CubeAlgebra,
        expander: &Expander,
        most: usize,
        spend: &mut impl FnMut(u64) -> Result<()>,
    ) -> Result<Option<Vec<u64>>> {
        let n = algebra.words();
        if expander.rows().is_empty() {
            return Ok(Some(expander.reach.clone()));
        }
        if !self.gather_sets(algebra, expander) {
            return by_rows(algebra, expander, most, spend);
        }
        self.columns.clear();
        self.columns.resize(n * 64, 0);
        for (i, set) in self.sets.chunks_exact(n).enumerate() {
            numbers(set).for_each(|part| self.columns[part] |= 1 << i);
        }
        self.transversals.clear();
        for (part, &sets) in self.columns.iter().enumerate().filter(|&(_, &sets)| sets != 0) {
            self.transversals.add(sets, part as u32);
        }
        let (mut primes, all) = (Vec::new(), u64::MAX >> (64 - self.sets.len() / n));
        let mut check = |_: &[u64], work: u64| spend(work.div_ceil(NODES_A_CUBE));
        self.transversals.append(
            all,
            &expander.reach,
            most.saturating_add(1) * n,
            &mut primes,
            &mut check,
        )?;
        Ok(Some(primes).filter(|primes| primes.len() <= most * n))
    }

    /// Collects the sets of parts. Returns `false` if there are more than 64.
    fn gather_sets(&mut self, algebra: &CubeAlgebra, expander: &Expander) -> bool {
        let (n, minterm) = (algebra.words(), expander.common());
        self.sets.clear();
        for row in expander.rows().chunks_exact(n) {
            let first = self.sets.len();
            self.sets.resize(first + n, 0);
            let mut are_few = true;
            algebra.for_each_conflict(row, minterm, |v| {
                let variable = &algebra.space().variables()[v];
                let count = Space::literal_len(variable, row);
                are_few &= first + (self.sets.len() - first) * count <= 64 * n;
                if !are_few {
                    return;
                }
                let mut parts = variable.bits_in(row);
                let add_to_all =
                    |sets: &mut [u64], part| sets.chunks_exact_mut(n).for_each(|set| add(set, part));
                // The sets so far get the first part, and copies of them get the other parts.
                let (own, end) = (parts.next(), self.sets.len());
                for part in parts {
                    let copy = self.sets.len();
                    self.sets.extend_from_within(first..end);
                    add_to_all(&mut self.sets[copy..], part);
                }
                own.into_iter().for_each(|part| add_to_all(&mut self.sets[first..end], part));
            });
            if !are_few {
                return false;
            }
        }
        true
    }
}

/// The primes by Berge's algorithm.
fn by_rows(
    algebra: &CubeAlgebra,
    expander: &Expander,
    most: usize,
    spend: &mut impl FnMut(u64) -> Result<()>,
) -> Result<Option<Vec<u64>>> {
    let n = algebra.words();
    let minterm = expander.common();
    let mut primes = expander.reach.clone();
    let (mut kept, mut cut) = (Vec::new(), Vec::new());
    for row in expander.rows().chunks_exact(n) {
        kept.clear();
        cut.clear();
        for cube in primes.chunks_exact(n) {
            if !algebra.intersects(cube, row) {
                kept.extend_from_slice(cube);
                continue;
            }
            algebra.for_each_conflict(row, minterm, |v| {
                let to = cut.len();
                cut.extend_from_slice(cube);
                for slot in &algebra.space().variables()[v].slots {
                    cut[to + slot.word] &= !(row[slot.word] & slot.mask);
                }
            });
        }
        spend(((cut.len() / n) * ((kept.len() + cut.len()) / n + 1)) as u64 / 8)?;
        keep_maximal(algebra, &mut kept, &cut, spend)?;
        if kept.len() > most * n {
            return Ok(None);
        }
        std::mem::swap(&mut primes, &mut kept);
    }
    Ok(Some(primes))
}

/// Adds to `kept` the cubes of `cut` that are not within another cube of `kept` or `cut`. No cube of `kept` may be within
/// another.
fn keep_maximal(
    algebra: &CubeAlgebra,
    kept: &mut Vec<u64>,
    cut: &[u64],
    spend: &mut impl FnMut(u64) -> Result<()>,
) -> Result<()> {
    let n = algebra.words();
    // A larger cube cannot be within a smaller one.
    let mut order: Vec<&[u64]> = cut.chunks_exact(n).collect();
    order.sort_by_key(|cube| std::cmp::Reverse(count(cube)));
    for (done, cube) in order.into_iter().enumerate() {
        if done.is_multiple_of(CUT_A_REPORT) {
            spend(0)?;
        }
        if !kept.chunks_exact(n).any(|other| algebra.contains(other, cube)) {
            kept.extend_from_slice(cube);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cover, testing};
    use proptest::prelude::*;

    proptest! {
        /// Both algorithms find the same primes, and the limit applies to their number.
        #[test]
        fn primes_are_those_found_row_by_row([on, off] in testing::covers([4, 40])) {
            let sorted = |list: Vec<u64>| {
                let mut cubes: Vec<Vec<u64>> = list.chunks_exact(on.space().words()).map(<[u64]>::to_vec).collect();
                cubes.sort();
                cubes
            };
            testing::run(&on, &Cover::new(on.space()), &off, |context| {
                let (algebra, full) = (context.algebra, on.space().full());
                let (mut expander, mut primes) = (Expander::new(context, full), Primes::default());
                for cube in on.iter().filter(|cube| !on.space().is_empty(cube)) {
                    expander.begin(cube)?;
                    let all = sorted(by_rows(algebra, &expander, usize::MAX / full.len(), &mut |_| Ok(()))?.unwrap());
                    let mut of = |most| primes.of(algebra, &expander, most, &mut |_| Ok(())).unwrap().map(sorted);
                    assert_eq!(of(all.len() * 64), Some(all.clone()));
                    let fewer = of(all.len() - 1);
                    assert!(all.len() < 2 || fewer.is_none() || !primes.gather_sets(algebra, &expander));
                }
                Ok(())
            });
        }
    }

    /// A row has as many sets as the product of the numbers of its parts in each variable: the sets are never all made.
    #[test]
    fn a_wide_row_takes_little_memory() {
        let space = crate::Space::new(0, &[20; 5], 1).unwrap();
        let (mut off, mut cube, mut wide) =
            (Cover::new(&space), space.full().to_vec(), space.full().to_vec());
        for variable in &space.variables()[..5] {
            crate::Space::keep_only(variable, &mut cube, variable.first);
            wide[variable.first / 64] &= !(1 << (variable.first % 64));
        }
        off.push(&wide);
        testing::run(&Cover::new(&space), &Cover::new(&space), &off, |context| {
            let (algebra, mut primes) = (context.algebra, Primes::default());
            let mut expander = Expander::new(context, space.full());
            expander.begin(&cube)?;
            assert!(!primes.gather_sets(algebra, &expander));
            assert!(primes.sets.len() <= 64 * algebra.words(), "{} words", primes.sets.len());
            let found = primes.of(algebra, &expander, 100, &mut |_| Ok(()))?.unwrap();
            assert_eq!(found.len() / algebra.words(), 5);
            Ok(())
        });
    }
}
