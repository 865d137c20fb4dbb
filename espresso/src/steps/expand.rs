//! EXPAND: every cube becomes a prime; cubes covered by a new prime are dropped.
//!
//! Follows Brayton et al. 1984, section 4.3 (the multi-valued form of Rudell and Sangiovanni-Vincentelli 1987). Cubes are
//! expanded in order of ascending weight:
//! 1. Parts that would meet the blocking cover are lowered (essential parts), and parts that nothing blocks are raised.
//! 2. While other cubes can be covered feasibly, the cube that leaves most other cubes coverable is covered.
//! 3. The parts most frequent in the cubes still within reach are raised.
//! 4. As few parts as possible are lowered (`column_cover`), and the rest are raised.
//!
//! Departure: an index (`cube_index`) finds the cubes to avoid and the cubes to cover. The blocking matrix keeps only rows
//! that are not redundant (`blocking_matrix`). With very many feasible cubes, only the first are compared with all others. In
//! large functions several cubes are expanded in parallel, independently of each other; the primes are then taken in order,
//! and a cube that earlier primes cover is dropped. The size of a batch depends only on the number of dropped cubes, so the
//! result is the same for any number of threads. With a truth table (`coverage_table`), a cube is also dropped if several earlier
//! primes together cover it. If thousands of cubes block nearly every expansion, as with random minterms, the blocking matrix
//! takes time quadratic in their number: over a limit, the remaining cubes become greedy primes (`part_columns`).

use crate::coverage::blocking_matrix::BlockingMatrix;
use crate::coverage::column_cover::column_cover;
use crate::coverage::coverable_cubes::CoverableCubes;
use crate::coverage::coverage_table::{Buffers, CoverageCounts, CoverageTable, UpTo};
use crate::coverage::cube_index::{BlockingIndex, ContainmentIndex};
use crate::coverage::part_columns::ConflictCounts;
use crate::cube::bits::{add, numbers};
use crate::cube::cover::retain;
use crate::cube::cube_algebra::{CubeAlgebra, Distance};
use crate::random::draw;
use crate::steps::budget::StageBudget;
use crate::steps::order::by_weight;
use crate::steps::step_context::StepContext;
use crate::{Cover, Result, Space};
use rayon::prelude::*;

/// Largest batch of seeds expanded in parallel; and the number of cubes from which there are batches.
const MOST_SEEDS: usize = 16;
const CUBES_FOR_BATCHES: usize = 2000;
/// Batches grow while at most one in this many expansions is dropped.
const WORTH_A_BATCH: usize = 16;

/// A blocking matrix that keeps more rows than this is large; and the limit on pairs of rows of large matrices in one step.
const MANY_ROWS: usize = 1 << 9;
const MOST_PAIRS: u64 = 1 << 32;

/// Work of one expansion between two calls of the monitor.
const UNREPORTED: u64 = 1 << 18;

/// With more blocking cubes than this, parts that only redundant rows of the blocking matrix block are raised at the start.
const MANY_BLOCKING: usize = if cfg!(test) { 60 } else { 1 << 14 };

/// Options for the cubes to expand. By default none is known to be a prime, and all parts may be raised.
#[derive(Clone, Copy, Default)]
pub(crate) struct Seeds<'a> {
    /// For each cube, whether it already is a prime.
    pub(crate) primes: Option<&'a [bool]>,
    /// The parts that may be raised.
    pub(crate) raisable: Option<&'a [u64]>,
    /// The seed of a random order, used instead of the order by weight.
    pub(crate) shuffle: Option<u64>,
    /// The minterms to be covered. A cube is dropped if earlier primes together cover all of its minterms among them.
    pub(crate) coverage: Option<&'a CoverageTable>,
    /// Limit on the cubes within reach that guide an expansion; if there are more, an evenly spaced sample is used.
    pub(crate) guides: Option<usize>,
}

/// The limit on guides if D is the complement of F and R. Then almost nothing blocks, all of F is within reach of every
/// cube, and a sample guides as well as all cubes.
pub(crate) const FEW_GUIDES: usize = 64;

/// Expands each cube of `on` to a prime against R - D, unless an earlier prime covers it. The primes cover all minterms of
/// `on`, and meet no cube of R - D that `on` does not meet already.
///
/// A cube of R - D that intersects a cube of `on` does not block it. Empty cubes of `on` are dropped. Deterministic.
/// O(|primes| · (|F| + |R|)) words, and more for feasible cubes.
pub(crate) fn expand(context: &StepContext, on: &Cover, seeds: Seeds) -> Result<Cover> {
    expand_limited(context, on, seeds, MOST_PAIRS)
}

/// Like [`expand`]; after `most_pairs` pairs of rows of large matrices, the remaining cubes become greedy primes.
fn expand_limited(context: &StepContext, on: &Cover, seeds: Seeds, most_pairs: u64) -> Result<Cover> {
    let raisable = seeds.raisable.unwrap_or(on.space().full());
    let mut state = State::new(context.algebra, on, seeds);
    let is_large = state.done.len() >= CUBES_FOR_BATCHES;
    // The batch size: doubled if almost no expansion of the last batch was dropped, halved if many were.
    let mut most = 1;
    let mut expander = Expander::new(context, raisable);
    let (mut pairs, mut is_greedy) = (0u64, false);
    loop {
        let seeds = state.next(most);
        if seeds.is_empty() {
            return Ok(Cover::from_words(on.space(), state.kept()));
        }
        let expand = |expander: &mut Expander, &seed: &usize| {
            // One expansion may take long, so the monitor is called for each.
            context.budget.report(seed)?;
            if is_greedy { Ok(expander.expand_greedily(&state, seed)) } else { expander.expand(&state, seed) }
        };
        let expanded: Vec<Expanded> = if let [seed] = &seeds[..] {
            vec![expand(&mut expander, seed)?]
        } else {
            let begin = || Expander::new(context, raisable);
            seeds.par_iter().with_max_len(1).map_init(begin, expand).collect::<Result<_>>()?
        };
        let mut dropped = 0;
        for (expanded, &seed) in expanded.iter().zip(&seeds) {
            dropped += usize::from(!state.accept(seed, expanded));
            context.budget.spend(expanded.work, seed)?;
            pairs = pairs.saturating_add(expanded.pairs);
        }
        if pairs >= most_pairs && !is_greedy {
            context.budget.cut_short();
            is_greedy = true;
        }
        if is_large && dropped * WORTH_A_BATCH <= seeds.len() {
            most = (2 * most).min(MOST_SEEDS);
        } else if dropped * WORTH_A_BATCH > 2 * seeds.len() {
            most = (most / 2).max(1);
        }
    }
}

struct State<'a> {
    algebra: &'a CubeAlgebra,
    cubes: Vec<u64>,
    /// For each cube, whether it was given as a prime.
    done: Vec<bool>,
    covered: Vec<bool>,
    /// An index of the cubes that are neither primes nor covered.
    pool: ContainmentIndex,
    /// The minterms to be covered, with the primes so far.
    counts: Option<CoverageCounts<'a>>,
    buffers: Buffers,
    guides: Option<usize>,
    /// The first cube not processed yet.
    at: usize,
}

impl<'a> State<'a> {
    fn new(algebra: &'a CubeAlgebra, on: &Cover, seeds: Seeds<'a>) -> Self {
        let n = algebra.words();
        let Seeds { primes, shuffle, coverage, guides, .. } = seeds;
        let order = match shuffle {
            None => by_weight(algebra, on.as_words()),
            Some(number) => {
                let mut order: Vec<usize> = (0..on.len()).collect();
                order.sort_by_cached_key(|&i| draw(number, i as u64));
                order
            }
        };
        let order = order.into_iter().filter(|&i| !algebra.space().is_empty(on.cube(i)));
        let (done, cubes): (Vec<bool>, Vec<&[u64]>) =
            order.map(|i| (primes.is_some_and(|primes| primes[i]), on.cube(i))).unzip();
        let cubes = cubes.concat();
        let mut pool = ContainmentIndex::new(algebra, &cubes);
        let mut counts = coverage.map(|coverage| CoverageCounts::new(coverage, &[], n, UpTo::One));
        let mut buffers = Buffers::default();
        for i in (0..done.len()).filter(|&i| done[i]) {
            pool.take_out(i);
            if let Some(counts) = &mut counts {
                counts.add(&cubes[i * n..(i + 1) * n], &mut buffers);
            }
        }
        State { algebra, covered: vec![false; done.len()], cubes, done, pool, counts, buffers, guides, at: 0 }
    }

    fn cube(&self, i: usize) -> &[u64] {
        &self.cubes[i * self.algebra.words()..][..self.algebra.words()]
    }

    /// Whether cube number `i` is not covered by the primes so far, singly or together.
    fn is_open(&mut self, i: usize) -> bool {
        let State { algebra, cubes, covered, counts, buffers, .. } = self;
        let cube = &cubes[i * algebra.words()..][..algebra.words()];
        !covered[i] && counts.as_ref().is_none_or(|counts| counts.any(cube, false, buffers))
    }

    /// The next cubes to expand, at most `most` of them.
    fn next(&mut self, most: usize) -> Vec<usize> {
        let mut seeds = Vec::with_capacity(most);
        while self.at < self.done.len() && seeds.len() < most {
            let i = self.at;
            self.at += 1;
            if self.done[i] {
                continue;
            }
            if self.is_open(i) {
                seeds.push(i);
            } else {
                self.cover(i);
            }
        }
        seeds
    }

    fn cover(&mut self, i: usize) {
        self.covered[i] = true;
        self.pool.take_out(i);
    }

    /// Adds the prime of cube number `seed`, unless other primes now cover the cube. Returns whether it was added.
    fn accept(&mut self, seed: usize, expanded: &Expanded) -> bool {
        if !self.is_open(seed) {
            self.cover(seed);
            return false;
        }
        let n = self.algebra.words();
        self.pool.take_out(seed);
        for &j in expanded.contained.iter().filter(|&&j| j != seed) {
            if self.algebra.contains(&expanded.prime, self.cube(j)) {
                self.cover(j);
            }
        }
        if let Some(counts) = &mut self.counts {
            counts.add(&expanded.prime, &mut self.buffers);
        }
        self.cubes[seed * n..][..n].copy_from_slice(&expanded.prime);
        true
    }

    fn kept(&self) -> Vec<u64> {
        let cubes = self.cubes.chunks_exact(self.algebra.words()).zip(&self.covered);
        cubes.filter(|&(_, &covered)| !covered).flat_map(|(cube, _)| cube).copied().collect()
    }
}

/// The result of expanding a seed.
#[derive(Debug)]
struct Expanded {
    prime: Vec<u64>,
    /// The previously uncovered cubes within reach.
    contained: Vec<usize>,
    work: u64,
    /// Pairs of rows of a large blocking matrix.
    pairs: u64,
}

/// The expansion of one cube at a time.
pub(crate) struct Expander<'a> {
    algebra: &'a CubeAlgebra,
    off: &'a BlockingIndex,
    /// The parts that may be raised.
    raisable: &'a [u64],
    raise: Vec<u64>,
    /// The largest cube still possible: `raise` and the parts that may still be raised.
    pub(crate) reach: Vec<u64>,
    /// The blocking matrix within `reach`.
    matrix: BlockingMatrix,
    /// The cubes that were within `reach` when they were gathered.
    coverable: CoverableCubes,
    scratch: Vec<u64>,
    conflicts: ConflictCounts,
    /// Cubes tested and words of columns read so far.
    pub(crate) work: u64,
    pairs: u64,
    /// The monitor is called within an expansion too, as if this unit of the stage were done.
    budget: StageBudget<'a>,
    unit: usize,
    /// The value of `work` at the last call.
    reported: u64,
}

impl<'a> Expander<'a> {
    pub(crate) fn new(context: &StepContext<'a>, raisable: &'a [u64]) -> Self {
        let n = context.algebra.words();
        Expander {
            algebra: context.algebra,
            off: context.off(),
            raisable,
            raise: vec![0; n],
            reach: vec![0; n],
            matrix: BlockingMatrix::default(),
            coverable: CoverableCubes::default(),
            scratch: vec![0; n],
            conflicts: ConflictCounts::default(),
            work: 0,
            pairs: 0,
            budget: context.budget,
            unit: 0,
            reported: 0,
        }
    }

    /// Expands cube number `seed`.
    fn expand(&mut self, state: &State, seed: usize) -> Result<Expanded> {
        let mut contained = Vec::new();
        self.unit = seed;
        self.begin(state.cube(seed))?;
        self.work += state.pool.for_each_contained(&self.reach, |i| contained.push(i));
        let every = contained.len().div_ceil(state.guides.unwrap_or(usize::MAX)).max(1);
        self.gather(contained.iter().step_by(every).map(|&j| state.cube(j)));
        let prime = self.finish()?.to_vec();
        let [work, pairs] = [&mut self.work, &mut self.pairs].map(std::mem::take);
        Ok(Expanded { prime, contained, work, pairs })
    }

    /// Expands cube number `seed` to a greedy prime.
    fn expand_greedily(&mut self, state: &State, seed: usize) -> Expanded {
        let (mut contained, off) = (Vec::new(), &self.off.columns);
        let prime = off.greedy_prime(self.algebra, &mut self.conflicts, state.cube(seed), self.raisable);
        let work = off.work() + state.pool.for_each_contained(&prime, |i| contained.push(i));
        Expanded { prime, contained, work, pairs: 0 }
    }

    /// Starts the expansion of `cube`: lowers and raises the parts that are forced.
    pub(crate) fn begin(&mut self, cube: &[u64]) -> Result<()> {
        self.outline(cube);
        for i in numbers(&self.conflicts.blocking) {
            self.matrix.add(self.algebra, self.off.cube(self.algebra, i), &self.raise, &self.reach);
        }
        let n = self.algebra.words();
        let rows = self.matrix.rows.len() / n;
        let (budget, unit) = (self.budget, self.unit);
        self.matrix.absorb(self.algebra, &|| budget.report(unit))?;
        let kept = self.matrix.rows.len() / n;
        self.pairs += if kept > MANY_ROWS { (rows * kept) as u64 } else { 0 };
        if self.off.len > MANY_BLOCKING {
            self.raise_unblocked();
        }
        Ok(())
    }

    /// Calls the monitor if much work was done since the last call.
    fn report(&mut self) -> Result<()> {
        if self.work.abs_diff(self.reported) < UNREPORTED {
            return Ok(());
        }
        self.reported = self.work;
        self.budget.report(self.unit)
    }

    /// Like [`Expander::begin`], but without a blocking matrix: sets `reach` and [`Expander::common`].
    pub(crate) fn outline(&mut self, cube: &[u64]) {
        self.raise.copy_from_slice(cube);
        self.reach.copy_from_slice(cube);
        Space::join(&mut self.reach, self.raisable);
        self.coverable.cubes.clear();
        self.matrix.rows.clear();
        let columns = &self.off.columns;
        columns.decide_forced_parts(self.algebra, &mut self.conflicts, &mut self.raise, &mut self.reach);
        self.work += columns.work();
    }

    /// Collects the cubes within reach, to be covered if possible.
    pub(crate) fn gather<'c>(&mut self, cubes: impl Iterator<Item = &'c [u64]>) {
        for cube in cubes {
            if self.algebra.contains(&self.reach, cube) {
                self.coverable.cubes.extend_from_slice(cube);
            }
        }
    }

    pub(crate) fn finish(&mut self) -> Result<&[u64]> {
        self.cover_feasible()?;
        self.cover_most_frequent()?;
        self.lower_fewest()?;
        Ok(&self.reach)
    }

    /// Appends to a flat list the gathered cubes that the growing cube could also contain.
    pub(crate) fn list_feasible(&mut self, list: &mut Vec<u64>) {
        let Self { algebra, coverable, .. } = self;
        coverable.make_columns(algebra);
        self.work += coverable.test(algebra, &self.matrix.rows, &self.raise);
        coverable.feasible().for_each(|i| list.extend_from_slice(coverable.cube(algebra, i)));
    }

    /// After [`Expander::begin`]: the intersection of all primes that contain the cube.
    pub(crate) fn common(&self) -> &[u64] {
        &self.raise
    }

    /// After [`Expander::begin`]: the rows of the blocking matrix that leave a choice.
    pub(crate) fn rows(&self) -> &[u64] {
        &self.matrix.rows
    }

    /// Lowers the parts in the scratch, and drops the rows that are then out of reach.
    fn lower_scratch(&mut self) {
        for i in 0..self.algebra.words() {
            self.reach[i] = self.raise[i] | self.reach[i] & !self.scratch[i];
        }
        let is_reached = |_, row: &[u64]| self.algebra.intersects(row, &self.reach);
        retain(&mut self.matrix.rows, self.algebra.words(), 0, is_reached);
    }

    /// Raises the parts that nothing blocks.
    fn raise_unblocked(&mut self) {
        let (n, algebra) = (self.algebra.words(), self.algebra);
        self.scratch.fill(0);
        for row in self.matrix.rows.chunks_exact(n) {
            algebra.copy_conflict(row, &self.raise, &mut self.scratch);
        }
        for i in 0..n {
            self.raise[i] |= self.reach[i] & !self.scratch[i];
        }
    }

    /// After parts were raised, lowers and raises the parts that this forces.
    fn decide_forced_parts(&mut self) {
        let (n, algebra) = (self.algebra.words(), self.algebra);
        self.work += 2 * (self.matrix.rows.len() / n) as u64;
        for row in self.matrix.rows.chunks_exact(n) {
            if let Distance::One(v) = algebra.distance(row, &self.raise) {
                algebra.copy_literal(v, row, &mut self.scratch);
            }
        }
        self.lower_scratch();
        self.raise_unblocked();
    }

    /// Covers other cubes while this is feasible.
    fn cover_feasible(&mut self) -> Result<()> {
        let (algebra, budget, unit) = (self.algebra, self.budget, self.unit);
        self.coverable.make_columns(algebra);
        loop {
            self.report()?;
            self.coverable.keep_feasible_within(&self.raise, &self.reach);
            self.work += self.coverable.test(algebra, &self.matrix.rows, &self.raise);
            let Some(best) = self.coverable.best(algebra, &self.raise, &mut self.work) else { return Ok(()) };
            self.scratch.fill(0);
            self.coverable.add_lowered(best, &mut self.scratch);
            Space::join(&mut self.raise, self.coverable.cube(algebra, best));
            self.decide_forced_parts();
            self.matrix.refresh(algebra, &self.raise, &self.reach, &|| budget.report(unit))?;
        }
    }

    /// Raises the parts most frequent in the cubes within reach, until none is within reach.
    fn cover_most_frequent(&mut self) -> Result<()> {
        while let Some(part) = self.coverable.most_frequent_part(&self.raise, &self.reach, &mut self.work) {
            add(&mut self.raise, part);
            self.scratch.fill(0);
            self.decide_forced_parts();
            self.report()?;
        }
        Ok(())
    }

    /// Lowers as few parts as possible so that no blocking cube is within reach.
    fn lower_fewest(&mut self) -> Result<()> {
        if !self.matrix.rows.is_empty() {
            let rows = self.matrix.rows.len() / self.algebra.words();
            self.work += rows as u64;
            self.pairs += if rows > MANY_ROWS { rows.pow(2) as u64 } else { 0 };
            let report = || self.budget.report(self.unit);
            self.scratch = column_cover(self.algebra, &self.matrix.rows, &self.raise, &self.reach, &report)?;
            self.lower_scratch();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pla, testing};

    /// The primes of `on` against `off`, expanded one cube after the other.
    fn primes(on: &Cover, off: &Cover) -> Cover {
        testing::run(on, &Cover::new(on.space()), off, |context| expand(context, on, Seeds::default()))
    }

    #[test]
    fn a_blocking_cube_that_is_met_already_does_not_block() {
        let on = Pla::parse(".i 2\n.o 1\n1- 1\n").unwrap().on;
        let off = Pla::parse(".i 2\n.o 1\n11 1\n00 1\n").unwrap().on;
        assert_eq!(primes(&on, &off), on);
    }

    /// Over the limit on pairs, the cubes after the first become greedy primes, and the step counts as cut short.
    #[test]
    fn greedily_expanded_cubes_become_primes_too() {
        let row = |m: u32| format!("{m:08b} {}\n", m.wrapping_mul(37) >> 3 & 1);
        let rows = (0..256).map(row).collect::<Vec<_>>().concat();
        let function =
            crate::Function::from_pla(&Pla::parse(&format!(".i 8\n.o 1\n{rows}")).unwrap()).unwrap();
        let (on, none) = (&function.on, Cover::new(function.on.space()));
        let greedy = testing::run(on, &none, &function.off, |context| {
            expand_limited(context, on, Seeds::default(), 0)
        });
        assert_eq!(crate::check::result(&function, &greedy), Ok(()));
        assert!(greedy.len() < on.len() && greedy != primes(on, &function.off));
    }

    #[test]
    fn large_covers_expand_the_same_on_any_number_of_threads() {
        let space = crate::Space::binary(13, 2).unwrap();
        let (mut on, mut off) = (Cover::new(&space), Cover::new(&space));
        for point in 0..1 << 13u64 {
            let inputs = (0..13).fold(0, |cube, v| cube | 1 << (2 * v + (point >> v & 1)));
            // Whole blocks of eight points, so that there is something to expand.
            for output in 0..2 {
                let cover = if draw(output, point >> 3).is_multiple_of(4) { &mut on } else { &mut off };
                cover.push(&[inputs | 1 << (26 + output)]);
            }
        }
        assert!(on.len() >= CUBES_FOR_BATCHES);
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| primes(&on, &off))
        };
        let primes = run(1);
        assert_eq!(primes, run(3));
        assert!(primes.len() * 8 <= on.len());
        let function = crate::Function::new(on.clone(), Cover::new(&space), off.clone()).unwrap();
        assert!(crate::check::result(&function, &primes).is_ok());
    }
}
