//! The complement of a cover, and the sharp of two covers.
//!
//! The unate recursive paradigm of Brayton et al. 1984, section 4.2: the supercube of the list is taken out by De
//! Morgan's law, a list that is unate in every variable is taken apart without a literal on the smaller cofactor's
//! side, and any other is split at the binate variable that most cubes depend on. The sides are put together by
//! merging equal cubes and by lifting the cubes of one side that are contained in a cube of the other, which keeps
//! the complement small.
//!
//! Departure: the output variable is split first, in halves, although it is the last multi-valued variable like any
//! other. Outputs often depend on few inputs each and on all of them together; the complement of all at once can
//! then be exponentially larger than those of each. Pairs are compared only up to a limit, so that sides of very
//! many cubes (minterms) stay affordable; equal cubes are found by sorting at any size.

use crate::care::cube_index::BlockingIndex;
use crate::cube::calculus::{Calculus, with_calculus};
use crate::cube::cofactor::{Literal, cofactor_by_cube};
use crate::cube::column_counts::ColumnCounts;
use crate::steps::budget::{Budget, StageBudget};
use crate::{Cover, Monitor, Result};
use rayon::prelude::*;

/// Pairs of cubes compared at most when two sides are put together.
const MOST_PAIRS: usize = 1 << 24;

/// Returns a cover of all minterms of the space, outputs included, that `cover` does not cover. Its cubes may
/// overlap.
///
/// Deterministic. Exponential in the worst case, which some unate covers of many variables reach.
///
/// # Source
/// Brayton et al. 1984, section 4.2.
pub fn complement(cover: &Cover) -> Cover {
    // Without a limit and a callback nothing stops it.
    complement_within(cover, None, Monitor::default()).unwrap_or_else(|_| Cover::new(cover.space()))
}

/// As [`complement`], telling `monitor`; fails when that takes more than `limit`, in cubes looked at and, 64 for one,
/// pairs of cubes compared.
pub(crate) fn complement_within(cover: &Cover, limit: Option<u64>, monitor: Monitor<'_>) -> Result<Cover> {
    let budget = Budget::new(limit, monitor);
    let words = with_calculus!(cover.space(), calculus => {
        let mut cubes = cover.clone();
        cubes.normalize();
        Complement::new(calculus, &budget).of(cubes.into_words(), cover.space().full())?
    });
    Ok(Cover::from_words(cover.space(), words))
}

/// Returns a cover of the minterms of `a` that are none of `b`: the cubes of `a` that do not meet `b` as they are, in
/// order, then pieces of the others.
///
/// Deterministic, whatever the number of threads. For each cube of `a` that meets `b` |b| words, and the complement of
/// the part of `b` within it.
///
/// # Panics
/// When the covers are over different spaces.
///
/// # Source
/// Brayton et al. 1984, section 3.1.
pub fn sharp(a: &Cover, b: &Cover) -> Cover {
    assert_eq!(a.space(), b.space(), "covers over one space");
    with_calculus!(a.space(), calculus => {
        let index = BlockingIndex::new(calculus, b.as_words());
        let meets = |cube: &[u64]| {
            let mut any = false;
            index.for_each_meeting(calculus, cube, |_| any = true);
            any
        };
        let cubes = || a.as_words().par_chunks_exact(calculus.words());
        let is_shared: Vec<bool> = cubes().map(meets).collect();
        let shared = cubes().zip(&is_shared).filter(|&(_, &is_shared)| is_shared);
        let pieces: Vec<Vec<u64>> = shared.map(|(cube, _)| sharp_cube(calculus, cube, b.as_words())).collect();
        let mut result = a.clone();
        result.retain(|i, _| !is_shared[i]);
        result.extend(&Cover::from_words(a.space(), pieces.concat()));
        result
    })
}

/// The minterms of `cube` that are none of the flat list `others`.
fn sharp_cube<const W: usize>(calculus: &Calculus<W>, cube: &[u64], others: &[u64]) -> Vec<u64> {
    let mut within = Vec::new();
    cofactor_by_cube(calculus, others, cube, &mut within);
    // Without a limit and a callback nothing stops it.
    let budget = Budget::default();
    let mut rest = Complement::new(calculus, &budget).of(within, calculus.space().full()).unwrap_or_default();
    for piece in rest.chunks_exact_mut(calculus.words()) {
        piece.iter_mut().zip(cube).for_each(|(piece, &cube)| *piece &= cube);
    }
    rest
}

/// The recursion. Lists are owned by their level, since results grow and shrink.
struct Complement<'k, const W: usize> {
    calculus: &'k Calculus<W>,
    columns: ColumnCounts,
    budget: StageBudget<'k>,
    /// Lists complemented so far.
    lists: usize,
}

impl<'k, const W: usize> Complement<'k, W> {
    fn new(calculus: &'k Calculus<W>, budget: &'k Budget<'k>) -> Self {
        let budget = budget.of_units("complement", "lists");
        Complement { calculus, columns: ColumnCounts::new(calculus.space()), budget, lists: 0 }
    }

    /// The complement of the flat list `cubes`, right within the cube `within`. The list is a cofactor with respect
    /// to that: its cubes have all parts outside.
    fn of(&mut self, cubes: Vec<u64>, within: &[u64]) -> Result<Vec<u64>> {
        let (n, space) = (self.calculus.words(), self.calculus.space().clone());
        self.lists += 1;
        self.spend(cubes.len() / n)?;
        if cubes.is_empty() {
            return Ok(space.full().to_vec());
        }
        if cubes.len() == n {
            return Ok(self.de_morgan(&cubes));
        }
        self.columns.take(self.calculus, &cubes);
        if self.columns.has_full() {
            return Ok(Vec::new());
        }
        if self.columns.has_empty_column(&space) {
            return self.within_supercube(cubes, within);
        }
        let output = space.inputs();
        let splitting = if self.columns.active(output) > 0 {
            Some(output)
        } else {
            self.columns.most_active(&space, |v| !self.columns.is_weakly_unate(&space, v))
        };
        if let Some(v) = splitting {
            let [low, _] = Literal::halves(&space, v, &self.columns);
            let literals = [low.others(&space, v, within), low];
            let lists = literals.each_ref().map(|literal| {
                let mut list = Vec::new();
                cofactor_list(self.calculus, literal, &cubes, &mut list);
                list
            });
            drop(cubes);
            let mut sides = [Vec::new(), Vec::new()];
            for ((side, list), literal) in sides.iter_mut().zip(lists).zip(&literals) {
                let mut within = within.to_vec();
                literal.restrict(&mut within);
                *side = self.of(list, &within)?;
                side.chunks_exact_mut(n).for_each(|cube| literal.restrict(cube));
            }
            let [high, low] = sides;
            let (count, pairs) =
                ((high.len() + low.len()) / n, (high.len() / n).saturating_mul(low.len() / n));
            self.spend(if pairs <= MOST_PAIRS { count.saturating_add(pairs / 64) } else { count })?;
            return Ok(merge(self.calculus, v, &high, &low));
        }
        let Some(v) = self.columns.most_active(&space, |_| true) else { return Ok(Vec::new()) };
        self.unate_split(v, &cubes, within)
    }

    fn spend(&self, work: usize) -> Result<()> {
        self.budget.spend(work as u64, self.lists)
    }

    /// One cube for each variable that the cube depends on.
    fn de_morgan(&self, cube: &[u64]) -> Vec<u64> {
        let space = self.calculus.space();
        let mut result = Vec::new();
        self.calculus.for_each_dependence(cube, |v| {
            let to = result.len();
            result.extend_from_slice(space.full());
            for slot in &space.variables()[v].slots {
                result[to + slot.word] &= !(cube[slot.word] & slot.mask);
            }
        });
        result
    }

    /// The complement of the supercube of the list, and the complement of the list within it.
    fn within_supercube(&mut self, mut cubes: Vec<u64>, within: &[u64]) -> Result<Vec<u64>> {
        let n = self.calculus.words();
        let full = self.calculus.space().full();
        let mut supercube = vec![0u64; n];
        for cube in cubes.chunks_exact(n) {
            supercube.iter_mut().zip(cube).for_each(|(all, &cube)| *all |= cube);
        }
        for cube in cubes.chunks_exact_mut(n) {
            (0..n).for_each(|i| cube[i] |= full[i] & !supercube[i]);
        }
        let inside: Vec<u64> = within.iter().zip(&supercube).map(|(&within, &all)| within & all).collect();
        let mut result = self.of(cubes, &inside)?;
        for cube in result.chunks_exact_mut(n) {
            cube.iter_mut().zip(&supercube).for_each(|(cube, &all)| *cube &= all);
        }
        result.extend(self.de_morgan(&supercube));
        Ok(result)
    }

    /// The complement of a list that is weakly unate in `v`. Where `v` has the parts that all cubes depending on it
    /// lack, only the others count; elsewhere all count, and what they leave is left with those parts as well, so
    /// that it needs no literal of `v` but for parts on which the list depends further.
    fn unate_split(&mut self, v: usize, cubes: &[u64], within: &[u64]) -> Result<Vec<u64>> {
        let n = self.calculus.words();
        let space = self.calculus.space();
        let active = self.columns.active(v);
        let lacked = Literal::new(space, v, |bit| self.columns.missing(bit) == active);
        let rest = lacked.others(space, v, within);
        let mut all = Vec::new();
        cofactor_list(self.calculus, &rest, cubes, &mut all);
        let mut few = Vec::new();
        cofactor_list(self.calculus, &lacked, cubes, &mut few);
        let mut side = within.to_vec();
        rest.restrict(&mut side);
        let all = self.of(all, &side)?;
        side.copy_from_slice(within);
        lacked.restrict(&mut side);
        let mut few = self.of(few, &side)?;
        few.chunks_exact_mut(n).for_each(|cube| lacked.restrict(cube));
        let pairs = (all.len() / n).saturating_mul(few.len() / n);
        if pairs <= MOST_PAIRS {
            self.spend(pairs / 64)?;
            let mut kept = Vec::with_capacity(few.len());
            for cube in few.chunks_exact(n) {
                if !all.chunks_exact(n).any(|other| self.calculus.contains(other, cube)) {
                    kept.extend_from_slice(cube);
                }
            }
            few = kept;
        }
        few.extend(all);
        Ok(few)
    }
}

/// Appends to `to` the cofactor of the flat list `cubes` with respect to the literal.
fn cofactor_list<const W: usize>(
    calculus: &Calculus<W>,
    literal: &Literal,
    cubes: &[u64],
    to: &mut Vec<u64>,
) {
    for cube in cubes.chunks_exact(calculus.words()) {
        if literal.meets(cube) {
            let at = to.len();
            to.extend_from_slice(cube);
            literal.fill(&mut to[at..]);
        }
    }
}

/// Puts the two sides of a split at variable `v` together: equal but for `v` become one cube, and a cube of one
/// side that is contained, but for `v`, in a cube of the other gets that one's parts of `v` too.
fn merge<const W: usize>(calculus: &Calculus<W>, v: usize, a: &[u64], b: &[u64]) -> Vec<u64> {
    let n = calculus.words();
    let mut variable = vec![0u64; n];
    for slot in &calculus.space().variables()[v].slots {
        variable[slot.word] |= slot.mask;
    }
    let apart = |cube: &[u64]| -> (Vec<u64>, Vec<u64>) {
        let rest = cube.iter().zip(&variable).map(|(&cube, &mask)| cube & !mask);
        let literal = cube.iter().zip(&variable).map(|(&cube, &mask)| cube & mask);
        (rest.collect(), literal.collect())
    };
    let equal = |x: &[u64], y: &[u64]| (0..n).all(|i| (x[i] ^ y[i]) & !variable[i] == 0);
    let by_rest =
        |x: &&[u64], y: &&[u64]| (0..n).map(|i| x[i] & !variable[i]).cmp((0..n).map(|i| y[i] & !variable[i]));
    let within = |x: &[u64], y: &[u64]| (0..n).all(|i| x[i] & !variable[i] & !y[i] == 0);
    let mut left: Vec<&[u64]> = a.chunks_exact(n).collect();
    let mut right: Vec<&[u64]> = b.chunks_exact(n).collect();
    left.sort_unstable_by(by_rest);
    right.sort_unstable_by(by_rest);
    let lift = left.len().saturating_mul(right.len()) <= MOST_PAIRS;
    let mut result = Vec::with_capacity(a.len() + b.len());
    let mut paired = vec![false; right.len()];
    let mut j = 0;
    let mut push = |cube: &[u64], partner: Option<&[u64]>, others: &[&[u64]]| {
        let (rest, mut literal) = apart(cube);
        if let Some(partner) = partner {
            (0..n).for_each(|i| literal[i] |= partner[i] & variable[i]);
        } else if lift {
            for other in others.iter().filter(|other| within(cube, other)) {
                (0..n).for_each(|i| literal[i] |= other[i] & variable[i]);
            }
        }
        result.extend(rest.iter().zip(&literal).map(|(&rest, &literal)| rest | literal));
    };
    for cube in &left {
        while j < right.len() && by_rest(&right[j], cube).is_lt() {
            j += 1;
        }
        let partner = (j < right.len() && equal(right[j], cube)).then(|| right[j]);
        if partner.is_some() {
            paired[j] = true;
        }
        push(cube, partner, &right);
    }
    for (cube, _) in right.iter().zip(&paired).filter(|(_, paired)| !**paired) {
        push(cube, None, &left);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorKind, Pla};

    fn cover(text: &str) -> Cover {
        Pla::parse(text).unwrap().on
    }

    #[test]
    fn outputs_with_inputs_of_their_own_do_not_multiply() {
        // Twelve outputs, each the product of three inputs: three cubes each, not three to the twelfth.
        let mut text = String::from(".i 36\n.o 12\n");
        for output in 0..12 {
            let spread = |block: &str, other: &str| {
                (0..12).map(|k| if k == output { block } else { other }).collect::<String>()
            };
            text = format!("{text}{} {}\n", spread("111", "---"), spread("1", "0"));
        }
        assert_eq!(complement(&cover(&text)).len(), 36);
    }

    #[test]
    fn work_is_limited_and_changes_nothing() {
        let on = cover(".i 6\n.o 1\n1-0-1- 1\n-01-0- 1\n0-1--1 1\n");
        let within = |limit| complement_within(&on, Some(limit), Monitor::default());
        assert_eq!(within(3).unwrap_err().kind(), ErrorKind::BudgetExhausted);
        assert_eq!(within(1000).unwrap(), complement(&on));
    }

    #[test]
    fn sharp_leaves_what_it_does_not_meet() {
        let a = cover(".i 2\n.o 1\n1- 1\n0- 1\n");
        let b = cover(".i 2\n.o 1\n11 1\n");
        assert_eq!(sharp(&a, &b), cover(".i 2\n.o 1\n0- 1\n10 1\n"));
    }
}
