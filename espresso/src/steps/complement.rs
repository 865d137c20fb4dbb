//! The complement of a cover, and the sharp of two covers.
//!
//! Follows the unate recursive paradigm of Brayton et al. 1984, section 4.2. The complement of the list's supercube comes
//! from De Morgan's law. A list that is unate in every variable is split so that one branch needs no literal. Any other list
//! is split at the binate variable that most cubes depend on. To keep the complement small, the branches are merged: equal
//! cubes become one, and a cube of one branch that lies within a cube of the other is lifted.
//!
//! Departure: the output variable is split first, in halves. Often each output depends on few inputs, and all outputs
//! together depend on all inputs; a common complement can then be exponentially larger than the single ones. Pairs are
//! compared only up to a limit, so that branches with very many cubes (minterms) stay affordable. Equal cubes are found by
//! sorting, at any size.

use crate::care::cube_index::{BlockingIndex, grouped};
use crate::care::group::FAN;
use crate::cpu::Level;
use crate::cube::calculus::{Calculus, ones};
use crate::cube::cofactor::{LiteralMask, cofactor_by_cube};
use crate::cube::column_counts::{Among, ColumnCounts};
use crate::cube::output_classes::OutputClasses;
use crate::steps::budget::{Budget, StageBudget};
use crate::steps::parallel_map::parallel_map;
use crate::{Cover, Result};
use std::cmp::Ordering;

/// Limit on the pairs of cubes compared when two branches are merged.
const MOST_PAIRS: usize = 1 << 24;
/// Up to this many cubes of a branch are compared one by one.
const FEW: usize = 8;

/// Returns a cover of all minterms of the space, outputs included, that `cover` does not cover. Its cubes may overlap.
///
/// Deterministic. Exponential in the worst case, for example for some unate covers of many variables.
///
/// # Source
/// Brayton et al. 1984, section 4.2.
pub fn complement(cover: &Cover) -> Cover {
    unlimited(complement_within(cover, &Budget::default()))
}

/// The result of a computation without limit and callback.
fn unlimited<T>(made: Result<T>) -> T {
    made.expect("nothing stops it")
}

/// Like [`complement`], within a budget of memory and of work: cubes tested, where 64 compared pairs count as one cube.
pub(crate) fn complement_within(cover: &Cover, budget: &Budget<'_>) -> Result<Cover> {
    if let Some(classes) = OutputClasses::of(cover)? {
        let complement = complement_within(&classes.compressed(cover), budget)?;
        let words = complement.len() * cover.space().words();
        budget.of_units("complement", "lists").expect_room(words)?;
        return Ok(classes.expanded(&complement, cover.space()));
    }
    let mut cubes = cover.clone();
    cubes.normalize();
    let words = Complement::new(&Calculus::new(cover.space()), budget).of(cubes.into_words())?;
    Ok(Cover::from_words(cover.space(), words))
}

/// Returns a cover of the minterms of `a` that are not in `b`: first the cubes of `a` that do not meet `b`, unchanged and in
/// order, then pieces of the others.
///
/// Deterministic for any number of threads. Each cube of `a` that meets `b` costs |b| words and the complement of the part
/// of `b` within it, which is exponential in the worst case.
///
/// # Panics
/// When the covers are over different spaces.
///
/// # Source
/// Brayton et al. 1984, section 3.1.
pub fn sharp(a: &Cover, b: &Cover) -> Cover {
    unlimited(sharp_within(a, b, &Budget::default()))
}

/// Like [`sharp`], within a budget as in [`complement_within`]; cubes that do not meet `b` cost nothing.
pub(crate) fn sharp_within(a: &Cover, b: &Cover, budget: &Budget<'_>) -> Result<Cover> {
    assert_eq!(a.space(), b.space(), "covers over one space");
    let stage = budget.of_cubes("sharp", a.len());
    if b.is_empty() {
        return Ok(a.clone());
    }
    let calculus = &Calculus::new(a.space());
    let index = BlockingIndex::new(calculus, b.as_words());
    let is_shared = parallel_map(
        a.len(),
        a.len(),
        || (),
        |(), i| {
            let mut any = false;
            index.for_each_intersecting(calculus, a.cube(i), |_| any = true);
            stage.spend(0, i).map(|()| any)
        },
    )?;
    let shared: Vec<usize> = (0..a.len()).filter(|&i| is_shared[i]).collect();
    let pieces = parallel_map(
        shared.len(),
        shared.len() * b.len(),
        || (),
        |(), k| {
            let piece = sharp_cube(calculus, a.cube(shared[k]), b.as_words(), budget)?;
            stage.hold(piece.len());
            Ok(piece)
        },
    )?;
    let mut result = a.clone();
    result.retain(|i, _| !is_shared[i]);
    let pieces = pieces.concat();
    stage.release(pieces.len());
    result.extend(&Cover::from_words(a.space(), pieces));
    Ok(result)
}

/// A cover of the minterms of `cube` that are not in the flat list `others`.
fn sharp_cube(calculus: &Calculus, cube: &[u64], others: &[u64], budget: &Budget<'_>) -> Result<Vec<u64>> {
    let mut within = Vec::new();
    cofactor_by_cube(calculus, others, cube, &mut within);
    let mut rest = Complement::new(calculus, budget).of(within)?;
    for piece in rest.chunks_exact_mut(calculus.words()) {
        piece.iter_mut().zip(cube).for_each(|(piece, &cube)| *piece &= cube);
    }
    Ok(rest)
}

/// A pending task. Each task produces one list; tasks that merge consume the last lists.
enum Task {
    /// Complements a list within a cube. The list is a cofactor with respect to that cube: its cubes have all parts outside.
    Complement { cubes: Vec<u64>, within: Vec<u64> },
    /// Intersects the last result with the supercube of a list, and adds the complement of the supercube.
    Supercube(Vec<u64>),
    /// Merges the two branches of a split at variable `v`, computed within these parts of it.
    Merge { v: usize, sides: [LiteralMask; 2] },
    /// Combines the complement of all cubes, and that of the few cubes that count at the parts that the others lack.
    Unate(LiteralMask),
}

/// The recursion, with an explicit stack, since its depth may be the number of variables.
struct Complement<'k> {
    calculus: &'k Calculus,
    columns: ColumnCounts,
    budget: StageBudget<'k>,
    /// Lists complemented so far.
    lists: usize,
    /// The next task is the last one.
    tasks: Vec<Task>,
    made: Vec<Vec<u64>>,
    /// Words of the lists in tasks and results.
    held: usize,
}

impl Drop for Complement<'_> {
    fn drop(&mut self) {
        self.budget.release(self.held);
    }
}

impl<'k> Complement<'k> {
    fn new(calculus: &'k Calculus, budget: &'k Budget<'k>) -> Self {
        let budget = budget.of_units("complement", "lists");
        let columns = ColumnCounts::new(calculus.space());
        Complement { calculus, columns, budget, lists: 0, tasks: Vec::new(), made: Vec::new(), held: 0 }
    }

    /// The complement of the flat list `cubes`.
    fn of(&mut self, cubes: Vec<u64>) -> Result<Vec<u64>> {
        self.add(cubes, self.calculus.space().full().to_vec())?;
        while let Some(task) = self.tasks.pop() {
            let list = match task {
                Task::Complement { cubes, within } => {
                    self.release(cubes.len() + within.len());
                    match self.complement(cubes, &within)? {
                        Some(list) => list,
                        None => continue,
                    }
                }
                Task::Supercube(supercube) => self.beyond(&supercube)?,
                Task::Merge { v, sides } => self.merge(v, &sides)?,
                Task::Unate(lacked) => self.unite(&lacked)?,
            };
            self.hold(list.len())?;
            self.made.push(list);
        }
        Ok(self.take())
    }

    /// Adds the task to complement a list.
    fn add(&mut self, cubes: Vec<u64>, within: Vec<u64>) -> Result<()> {
        self.hold(cubes.len() + within.len())?;
        self.tasks.push(Task::Complement { cubes, within });
        Ok(())
    }

    /// Pops the last result.
    fn take(&mut self) -> Vec<u64> {
        let list = self.made.pop().unwrap_or_default();
        self.release(list.len());
        list
    }

    fn hold(&mut self, words: usize) -> Result<()> {
        self.budget.hold(words);
        self.held += words;
        self.budget.expect_room(0)
    }

    fn release(&mut self, words: usize) {
        self.budget.release(words);
        self.held -= words;
    }

    fn spend(&self, work: usize) -> Result<()> {
        self.budget.spend(work as u64, self.lists)
    }

    /// The complement of a list in a simple case; otherwise pushes the tasks that compute it.
    fn complement(&mut self, cubes: Vec<u64>, within: &[u64]) -> Result<Option<Vec<u64>>> {
        let (n, space) = (self.calculus.words(), self.calculus.space());
        self.lists += 1;
        self.spend(cubes.len() / n)?;
        if cubes.is_empty() {
            return Ok(Some(space.full().to_vec()));
        }
        if cubes.len() == n {
            return self.de_morgan(&cubes).map(Some);
        }
        self.columns.take(self.calculus, &cubes);
        if self.columns.has_full() {
            return Ok(Some(Vec::new()));
        }
        if self.columns.has_empty_column() {
            self.within_supercube(cubes, within)?;
            return Ok(None);
        }
        let output = space.inputs();
        let splitting = if self.columns.active(output) > 0 {
            Some(output)
        } else {
            self.columns.most_active(self.calculus, Among::Binate)
        };
        if let Some(v) = splitting {
            let [low, _] = LiteralMask::halves(space, v, &self.columns);
            let high = low.others(space, v, within);
            let lists = [&low, &high].map(|literal| side(literal, &cubes, within));
            self.tasks.push(Task::Merge { v, sides: [high, low] });
            lists.into_iter().try_for_each(|(list, within)| self.add(list, within))?;
            return Ok(None);
        }
        let Some(v) = self.columns.most_active(self.calculus, Among::All) else {
            return Ok(Some(Vec::new()));
        };
        self.split_unate(v, &cubes, within)?;
        Ok(None)
    }

    /// One cube for each variable that the cube depends on.
    fn de_morgan(&self, cube: &[u64]) -> Result<Vec<u64>> {
        let space = self.calculus.space();
        let mut count = 0;
        self.calculus.for_each_dependence(cube, |_| count += 1);
        self.budget.expect_room(count * space.words())?;
        let mut result = Vec::with_capacity(count * space.words());
        self.calculus.for_each_dependence(cube, |v| {
            let to = result.len();
            result.extend_from_slice(space.full());
            for slot in &space.variables()[v].slots {
                result[to + slot.word] &= !(cube[slot.word] & slot.mask);
            }
        });
        Ok(result)
    }

    /// The complement of the supercube of the list, and the complement of the list within it.
    fn within_supercube(&mut self, mut cubes: Vec<u64>, within: &[u64]) -> Result<()> {
        let n = self.calculus.words();
        let full = self.calculus.space().full();
        let mut supercube = vec![0u64; n];
        for cube in cubes.chunks_exact(n) {
            supercube.iter_mut().zip(cube).for_each(|(all, &cube)| *all |= cube);
        }
        for cube in cubes.chunks_exact_mut(n) {
            (0..n).for_each(|i| cube[i] |= full[i] & !supercube[i]);
        }
        let inside = within.iter().zip(&supercube).map(|(&within, &all)| within & all).collect();
        self.tasks.push(Task::Supercube(supercube));
        self.add(cubes, inside)
    }

    fn beyond(&mut self, supercube: &[u64]) -> Result<Vec<u64>> {
        let mut result = self.take();
        for cube in result.chunks_exact_mut(supercube.len()) {
            cube.iter_mut().zip(supercube).for_each(|(cube, &all)| *cube &= all);
        }
        result.extend(self.de_morgan(supercube)?);
        Ok(result)
    }

    fn merge(&mut self, v: usize, sides: &[LiteralMask; 2]) -> Result<Vec<u64>> {
        let n = self.calculus.words();
        let (mut low, mut high) = (self.take(), self.take());
        for (list, literal) in [&mut high, &mut low].into_iter().zip(sides) {
            list.chunks_exact_mut(n).for_each(|cube| literal.restrict(cube));
        }
        let (count, pairs) = ((high.len() + low.len()) / n, (high.len() / n).saturating_mul(low.len() / n));
        self.spend(if pairs <= MOST_PAIRS { count.saturating_add(pairs / 64) } else { count })?;
        Ok(merge(self.calculus, v, &high, &low))
    }

    /// The complement of a list that is weakly unate in `v`. At the parts of `v` that all cubes depending on `v` lack, only the
    /// other cubes count. At the other parts all cubes count; the complement there also holds at the first parts, so it needs no
    /// literal of `v` for them.
    fn split_unate(&mut self, v: usize, cubes: &[u64], within: &[u64]) -> Result<()> {
        let space = self.calculus.space();
        let active = self.columns.active(v);
        let lacked = LiteralMask::new(space, v, |slot| self.columns.lacked_by(slot, active));
        let rest = lacked.others(space, v, within);
        let lists = [&lacked, &rest].map(|literal| side(literal, cubes, within));
        self.tasks.push(Task::Unate(lacked));
        lists.into_iter().try_for_each(|(list, within)| self.add(list, within))
    }

    fn unite(&mut self, lacked: &LiteralMask) -> Result<Vec<u64>> {
        let n = self.calculus.words();
        let (mut few, all) = (self.take(), self.take());
        few.chunks_exact_mut(n).for_each(|cube| lacked.restrict(cube));
        let pairs = (all.len() / n).saturating_mul(few.len() / n);
        if pairs <= MOST_PAIRS {
            self.spend(pairs / 64)?;
            few = outside(self.calculus, &few, &all);
        }
        few.extend(all);
        Ok(few)
    }
}

/// The cubes of the flat list `cubes` that are not within a cube of the flat list `all`.
fn outside(calculus: &Calculus, cubes: &[u64], all: &[u64]) -> Vec<u64> {
    let n = calculus.words();
    let (is_short, simd) = (all.len() <= FEW * n, Level::detect());
    // A cube is within another if it lacks all parts that the other lacks.
    let lacking: Vec<u64> = if is_short { Vec::new() } else { all.iter().map(|word| !word).collect() };
    let lacking = if is_short { lacking } else { grouped(n, &lacking, u64::MAX) };
    let (mut kept, mut lacks) = (Vec::with_capacity(cubes.len()), vec![0; n]);
    for cube in cubes.chunks_exact(n) {
        let is_within = if is_short {
            all.chunks_exact(n).any(|other| calculus.contains(other, cube))
        } else {
            lacks.iter_mut().zip(cube).for_each(|(lacks, cube)| *lacks = !cube);
            lacking.chunks_exact(FAN * n).any(|group| simd.within(group, &lacks) != 0)
        };
        if !is_within {
            kept.extend_from_slice(cube);
        }
    }
    kept
}

/// One branch of a split: the cofactor of a flat list, and the part of `within` in the branch.
fn side(literal: &LiteralMask, cubes: &[u64], within: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let mut side = within.to_vec();
    literal.restrict(&mut side);
    (literal.cofactor_of(cubes, within.len()), side)
}

/// Merges the two branches of a split at variable `v`. Cubes equal except for `v` become one. A cube of one branch that,
/// except for `v`, is within a cube of the other also gets the parts of `v` of the other.
fn merge(calculus: &Calculus, v: usize, a: &[u64], b: &[u64]) -> Vec<u64> {
    let n = calculus.words();
    let mut variable = vec![0u64; n];
    for slot in &calculus.space().variables()[v].slots {
        variable[slot.word] |= slot.mask;
    }
    let equal = |x: &[u64], y: &[u64]| (0..n).all(|i| (x[i] ^ y[i]) & !variable[i] == 0);
    let by_rest = |x: &&[u64], y: &&[u64]| {
        for i in 0..n {
            let order = (x[i] & !variable[i]).cmp(&(y[i] & !variable[i]));
            if order.is_ne() {
                return order;
            }
        }
        Ordering::Equal
    };
    let mut left: Vec<&[u64]> = a.chunks_exact(n).collect();
    let mut right: Vec<&[u64]> = b.chunks_exact(n).collect();
    left.sort_unstable_by(by_rest);
    right.sort_unstable_by(by_rest);
    // Outputs are merged last, and lifted outputs would not make more cubes equal.
    let lift = v != calculus.space().inputs() && left.len().saturating_mul(right.len()) <= MOST_PAIRS;
    let is_short = lift && left.len().max(right.len()) <= FEW;
    let mut result = Vec::with_capacity(a.len() + b.len());
    let mut paired = vec![false; right.len()];
    let mut j = 0;
    // Except for `v`, a cube is within another if it lacks all parts outside `v` that the other lacks.
    let lacking = |cubes: &[&[u64]]| {
        let lacking: Vec<u64> = cubes.iter().flat_map(|cube| cube.iter().map(|word| !word)).collect();
        grouped(n, &lacking, u64::MAX)
    };
    let lacked = if lift && !is_short { [lacking(&left), lacking(&right)] } else { [Vec::new(), Vec::new()] };
    let (simd, mut free) = (Level::detect(), vec![0u64; n]);
    let mut push = |cube: &[u64], partner: Option<&[u64]>, others: &[&[u64]], lacked: &[u64]| {
        let to = result.len();
        result.extend_from_slice(cube);
        let literal = &mut result[to..];
        if let Some(partner) = partner {
            (0..n).for_each(|i| literal[i] |= partner[i] & variable[i]);
        } else if is_short {
            for other in others.iter().filter(|other| (0..n).all(|i| cube[i] & !variable[i] & !other[i] == 0))
            {
                (0..n).for_each(|i| literal[i] |= other[i] & variable[i]);
            }
        } else if lift {
            (0..n).for_each(|i| free[i] = !(cube[i] & !variable[i]));
            for (at, group) in lacked.chunks_exact(FAN * n).enumerate() {
                for place in ones(u64::from(simd.within(group, &free))) {
                    if let Some(other) = others.get(at * FAN + place) {
                        (0..n).for_each(|i| literal[i] |= other[i] & variable[i]);
                    }
                }
            }
        }
    };
    for cube in &left {
        while j < right.len() && by_rest(&right[j], cube).is_lt() {
            j += 1;
        }
        let partner = (j < right.len() && equal(right[j], cube)).then(|| right[j]);
        if partner.is_some() {
            paired[j] = true;
        }
        push(cube, partner, &right, &lacked[1]);
    }
    for (cube, _) in right.iter().zip(&paired).filter(|(_, paired)| !**paired) {
        push(cube, None, &left, &lacked[0]);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorKind, Monitor, Pla, Space};

    fn cover(text: &str) -> Cover {
        Pla::parse(text).unwrap().on
    }

    #[test]
    fn outputs_with_inputs_of_their_own_do_not_multiply() {
        // Twelve outputs, each the product of three inputs: the complement has three cubes for each, not 3^12.
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
        let within = |limit| complement_within(&on, &Budget::new(Some(limit), Monitor::default()));
        assert_eq!(within(3).unwrap_err().kind(), ErrorKind::BudgetExhausted);
        assert_eq!(within(1000).unwrap(), complement(&on));
    }

    #[test]
    fn lists_of_many_variables_go_as_deep_as_memory_allows() {
        // Two cubes without a common variable: the complement has a cube for each pair of their literals.
        let two = |literals: usize| {
            let [ones, dashes] = ["1", "-"].map(|c| c.repeat(literals));
            cover(&format!(".i {}\n.o 1\n{ones}{dashes} 1\n{dashes}{ones} 1\n", 2 * literals))
        };
        let within = |cover: &Cover, bytes| {
            let budget = Budget::default().with_memory(Some(bytes));
            complement_within(cover, &budget).map(|made| made.len())
        };
        assert_eq!(within(&two(30), 1 << 20).unwrap(), 900);
        let error = within(&two(10_000), 256 << 20).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert_eq!(error.to_string(), "complement: the result does not fit into the memory that is left");
        // The error comes before the cubes of one list are made.
        assert!(within(&cover(&format!(".i 9999\n.o 1\n{} 1\n", "1".repeat(9999))), 1 << 20).is_err());
    }

    #[test]
    fn held_memory_is_released() {
        let on = cover(".i 6\n.o 1\n1-0-1- 1\n-01-0- 1\n0-1--1 1\n");
        let (all, budget) = (Cover::universe(on.space()), Budget::default().with_memory(Some(1 << 10)));
        let wide = Cover::universe(&Space::binary(9999, 1).unwrap());
        for _ in 0..100 {
            assert!(complement_within(&wide, &budget).is_err());
            assert_eq!(complement_within(&on, &budget).unwrap(), sharp_within(&all, &on, &budget).unwrap());
        }
    }

    #[test]
    fn sharp_leaves_disjoint_cubes_unchanged() {
        let a = cover(".i 2\n.o 1\n1- 1\n0- 1\n");
        let b = cover(".i 2\n.o 1\n11 1\n");
        assert_eq!(sharp(&a, &b), cover(".i 2\n.o 1\n0- 1\n10 1\n"));
    }
}
