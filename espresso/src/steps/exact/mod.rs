//! EXACT: a minimum cover with proof; or, when the effort is used up, the smallest cover found and a lower bound.
//!
//! The covering matrix of Quine and McCluskey has a row for each minterm and a column for each prime, far too many of both.
//! Here rows are generated as needed: some minterms, moved to places with few primes (`witness`), with all primes that
//! contain them (`primes`). A minimum cover of these rows (`set_cover::branch_and_bound`) is no larger than a minimum
//! cover of F. If it covers all of F - D, it is a minimum. Otherwise some uncovered minterms become rows, and the problem is
//! solved again. Most of these rows are essential signature cubes, as in McGeer et al. 1993. Neither all primes nor all minterms
//! are ever listed. Each solution is also completed with cubes of the best cover so far, which often gives a smaller cover long
//! before the proof.
//!
//! A minterm that shares no prime with another row needs one cube. Any of its primes will do, so the cube of the initial cover is
//! taken. The primes of the minterm are computed only if a row is added that may share a prime with it.

pub(crate) mod primes;
mod witness;

use crate::coverage::coverage_table::UpTo;
use crate::coverage::set_cover::branch_and_bound::search;
use crate::steps::expand::Expander;
use crate::steps::irredundant::irredundant;
use crate::steps::parallel_map::parallel_map;
use crate::steps::step_context::StepContext;
use crate::steps::uncovered_by::UncoveredBy;
use crate::{Cover, ErrorKind, Result, Space};
use primes::Primes;
use std::collections::HashMap;
use witness::Mover;

/// Entries of the covering matrix that count as much work as one cube.
pub(crate) const NUMBERS_A_CUBE: u64 = 8;
/// Minterms processed at once.
const CHUNK: usize = 16;
/// At low effort, after this many minterms no more rows are made unless at least one minterm in `MIN_SHARE` became a row.
const PROBE_ROWS: usize = 16;
const MIN_SHARE: usize = 8;

/// At low effort, the step ends if at most one in this many cubes could be saved.
const WORTH_ROWS: usize = 16;
/// From so many cubes on, `WORTH_ROWS` is tested before each round, not only at the start. Also, the step then ends at the start
/// if the bound is less than one in `HOPELESS` cubes: it would stay far too low, and searches gain more in the same time.
const MANY_CUBES: usize = 256;
const HOPELESS: usize = 2;

/// The limits of the step. All are counts, so that the result is the same everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// Times that the rows are solved.
    pub(crate) rounds: usize,
    /// Places tried when a minterm is moved.
    pub(crate) moves: u32,
    /// Primes of one minterm.
    pub(crate) primes: usize,
    /// Primes of all rows together.
    pub(crate) columns: usize,
    /// Rows of one round.
    pub(crate) rows: usize,
    /// Work of one search for a minimum cover of the rows, in entries of the matrix.
    pub(crate) search: u64,
    /// Cubes tested in all, after which no more rows are made.
    pub(crate) work: u64,
}

/// The result of the step.
#[derive(Debug)]
pub(crate) struct Minimum {
    /// The smallest cover found. Its cubes are primes or cubes of the initial cover.
    pub(crate) cover: Cover,
    /// A lower bound: no cover has fewer cubes.
    pub(crate) lower: usize,
}

/// The covering matrix: a row for each minterm, with the numbers of all its primes.
#[derive(Debug, Default)]
struct CoveringMatrix {
    rows: Vec<Vec<u32>>,
    /// The primes as a flat list, and the number of each prime.
    primes: Vec<u64>,
    numbers: HashMap<Box<[u64]>, u32>,
}

impl CoveringMatrix {
    fn add(&mut self, primes: &[u64], n: usize) {
        let mut row: Vec<u32> = primes.chunks_exact(n).map(|prime| self.number(prime)).collect();
        row.sort_unstable();
        self.rows.push(row);
    }

    /// The number of a prime, which is added if it is new.
    fn number(&mut self, prime: &[u64]) -> u32 {
        if let Some(&number) = self.numbers.get(prime) {
            return number;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(prime.into(), number);
        self.primes.extend_from_slice(prime);
        number
    }

    fn prime(&self, number: u32, n: usize) -> &[u64] {
        &self.primes[number as usize * n..][..n]
    }
}

/// Returns a cover with no more cubes than `on`, and a lower bound, which are equal if `effort` is enough. `on` together with
/// the don't-cares must cover the function. If the budget is used up, the best result so far is returned, and the next step
/// fails.
///
/// Deterministic for any number of threads.
pub(crate) fn minimum(context: &StepContext, on: &Cover, effort: &Effort) -> Result<Minimum> {
    let mut exact = Exact {
        context,
        effort,
        cover: on.clone(),
        lower: 0,
        matrix: CoveringMatrix::default(),
        independent: Vec::new(),
        multipliers: Vec::new(),
        work: 0,
    };
    match exact.run() {
        Err(error) if error.kind() != ErrorKind::BudgetExhausted => Err(error),
        _ => {
            let Exact { cover, lower, .. } = exact;
            Ok(Minimum { lower: lower.min(cover.len()), cover })
        }
    }
}

/// A minterm that shares no prime with a row or with another independent minterm.
struct Independent {
    minterm: Vec<u64>,
    /// The cube that contains all of its primes.
    reach: Vec<u64>,
    /// The cube that stands for its primes.
    cube: Vec<u64>,
}

struct Exact<'s> {
    context: &'s StepContext<'s>,
    effort: &'s Effort,
    /// The best cover so far, and the lower bound.
    cover: Cover,
    lower: usize,
    matrix: CoveringMatrix,
    independent: Vec<Independent>,
    /// The multipliers of the rows in the last relaxation.
    multipliers: Vec<f64>,
    /// Cubes tested so far.
    work: u64,
}

impl Exact<'_> {
    fn run(&mut self) -> Result<()> {
        let first = self.minterms_alone()?;
        let is_worth = match self.set_independent_aside(first)? {
            Some(rows) => self.add_rows(rows)?,
            None => false,
        };
        if !is_worth {
            self.lower = self.lower.max(self.independent.len());
            return Ok(());
        }
        for round in 0..self.effort.rounds {
            // Small covers can be closed within few rounds.
            let is_small = self.effort.moves > 0 || self.cover.len() < MANY_CUBES;
            let is_done = self.lower >= self.cover.len() || !is_small && self.is_near(self.lower);
            if is_done || round > 0 && self.is_spent() || !self.round()? {
                break;
            }
        }
        Ok(())
    }

    fn is_spent(&self) -> bool {
        self.work > self.effort.work
            || self.matrix.primes.len() / self.context.algebra.words() > self.effort.columns
    }

    /// Whether at most a small share of the cubes can be saved, given a lower bound.
    fn is_near(&self, lower: usize) -> bool {
        self.cover.len().saturating_sub(lower).saturating_mul(WORTH_ROWS) <= self.cover.len()
    }

    /// Solves the rows, and adds rows for minterms that the solution does not cover. Returns `false` when nothing is left to do.
    fn round(&mut self) -> Result<bool> {
        let Some((chosen, bound)) = self.solve(self.cover.len())? else {
            self.lower = self.cover.len();
            return Ok(false);
        };
        self.lower = self.lower.max(bound);
        let Some(chosen) = chosen else { return Ok(false) };
        let open = self.open_minterms(&chosen)?;
        if open.is_empty() {
            self.cover = chosen;
            return Ok(true);
        }
        // Complete the solution with cubes of the best cover so far.
        let mut all = chosen;
        all.extend(&self.cover);
        all.normalize();
        let filled = irredundant(self.context, all)?;
        if filled.len() < self.cover.len() {
            self.cover = filled;
        }
        let before = self.matrix.rows.len();
        let mut rows = self.take_reached(&open);
        rows.extend(open);
        self.add_rows(rows)?;
        Ok(self.matrix.rows.len() > before)
    }

    /// A cover of the rows with fewer than `cap` cubes, if one was found, and the bound; `None` if there is no such cover.
    fn solve(&mut self, cap: usize) -> Result<Option<(Option<Cover>, usize)>> {
        let independent = self.independent.len();
        let cap = cap.saturating_sub(independent);
        let mut total = 0;
        let mut spend = |work: u64| {
            total += work / NUMBERS_A_CUBE;
            self.context.budget.spend(work / NUMBERS_A_CUBE, 0)
        };
        // A cover from the relaxation is enough: most of the time more rows are needed anyway.
        let found = search(
            self.matrix.rows.clone(),
            cap,
            self.effort.search,
            true,
            &mut self.multipliers,
            &mut spend,
        )?;
        self.work += total;
        if found.lower >= cap {
            return Ok(None);
        }
        let chosen = found.columns.map(|columns| {
            let n = self.context.algebra.words();
            let chosen = columns.iter().map(|&c| self.matrix.prime(c, n));
            let words = chosen
                .chain(self.independent.iter().map(|independent| &independent.cube[..]))
                .flatten()
                .copied();
            Cover::from_words(self.context.algebra.space(), words.collect())
        });
        Ok(Some((chosen, found.lower + independent)))
    }

    /// Sets independent minterms aside, and returns the others. Each minterm comes with the number of its cube. Does nothing if
    /// minterms are to be moved, which changes their primes, or if there are too many. The number of minterms of which no two
    /// share a prime is a lower bound. If the bound is near the number of cubes, all other minterms are dropped, and the result
    /// is `None`. The result is also `None` if the bound is far too low.
    fn set_independent_aside(&mut self, minterms: Vec<(usize, Vec<u64>)>) -> Result<Option<Vec<Vec<u64>>>> {
        let Exact { context, effort, .. } = *self;
        if effort.moves > 0 || minterms.len() > effort.rows {
            return Ok(Some(minterms.into_iter().map(|(_, minterm)| minterm).collect()));
        }
        let columns = &context.off().columns;
        let algebra = context.algebra;
        let reaches = parallel_map(
            minterms.len(),
            usize::MAX,
            || Expander::new(context, algebra.space().full()),
            |expander, i| {
                expander.outline(&minterms[i].1);
                context.budget.spend(std::mem::take(&mut expander.work), i)?;
                Ok(expander.reach.clone())
            },
        )?;
        // Two minterms share a prime if the smallest cube with both does not meet R.
        let reaches_other = |i: usize, j: usize| algebra.contains(&reaches[i], &minterms[j].1);
        let sharing = parallel_map(
            minterms.len(),
            minterms.len() * minterms.len(),
            || (),
            |(), i| {
                let (mut sharing, mut work) = (Vec::new(), minterms.len() as u64 / 8);
                for j in (0..i).filter(|&j| reaches_other(i, j) && reaches_other(j, i)) {
                    let mut both = minterms[i].1.clone();
                    Space::join(&mut both, &minterms[j].1);
                    work += columns.work();
                    if !columns.meets(algebra, &both) {
                        sharing.push(j);
                    }
                }
                context.budget.spend(work, i)?;
                Ok(sharing)
            },
        )?;
        let mut neighbours = vec![Vec::new(); minterms.len()];
        for (i, j) in sharing.iter().enumerate().flat_map(|(i, others)| others.iter().map(move |&j| (i, j))) {
            neighbours[i].push(j);
            neighbours[j].push(i);
        }
        let apart = maximal_independent(&neighbours);
        let count = apart.iter().filter(|&&is| is).count();
        self.lower = count;
        let is_near = self.is_near(count);
        if self.cover.len() >= MANY_CUBES && count * HOPELESS < self.cover.len() {
            return Ok(None);
        }
        let mut rows = Vec::new();
        for (i, ((at, minterm), reach)) in minterms.into_iter().zip(reaches).enumerate() {
            if neighbours[i].is_empty() || is_near && apart[i] {
                self.independent.push(Independent { minterm, reach, cube: self.cover.cube(at).to_vec() });
            } else if !is_near {
                rows.push(minterm);
            }
        }
        Ok((!is_near).then_some(rows))
    }

    /// Removes and returns the independent minterms that may share a prime with one of `rows`.
    fn take_reached(&mut self, rows: &[Vec<u64>]) -> Vec<Vec<u64>> {
        let algebra = self.context.algebra;
        let is_reached =
            |independent: &mut Independent| rows.iter().any(|row| algebra.contains(&independent.reach, row));
        self.independent.extract_if(.., is_reached).map(|independent| independent.minterm).collect()
    }

    /// For each cube of the cover a minterm that no other cube contains, with the number of the cube.
    fn minterms_alone(&self) -> Result<Vec<(usize, Vec<u64>)>> {
        let rest = UncoveredBy::new(self.context, self.cover.as_words(), UpTo::Two);
        let found = rest.each(self.cover.len(), |query, i| {
            Ok(rest.minterm(query, self.cover.cube(i), Some(i))?.map(|minterm| (i, minterm)))
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Minterms of F - D that `chosen` does not cover: at most one from each cube of the best cover so far.
    fn open_minterms(&self, chosen: &Cover) -> Result<Vec<Vec<u64>>> {
        let rest = UncoveredBy::new(self.context, chosen.as_words(), UpTo::One);
        let found = rest.each(self.cover.len(), |query, i| rest.minterm(query, self.cover.cube(i), None))?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Moves the minterms and adds rows for them; skips minterms with too many primes. Returns `false` if, at low effort, it
    /// skips too many of the first minterms: the rest would give too weak a bound.
    fn add_rows(&mut self, mut minterms: Vec<Vec<u64>>) -> Result<bool> {
        let Exact { context, effort, .. } = *self;
        minterms.truncate(effort.rows);
        let (mut rest, before) = (&minterms[..], self.matrix.rows.len());
        while !rest.is_empty() && !self.is_spent() {
            let (some, others) = rest.split_at(rest.len().min(CHUNK));
            rest = others;
            let found = parallel_map(
                some.len(),
                usize::MAX,
                || {
                    let expander = Expander::new(context, context.algebra.space().full());
                    (expander, Mover::new(context), Primes::default())
                },
                |(expander, mover, primes), i| {
                    mover.move_minterm(expander, some[i].clone(), effort.moves)?;
                    let mut work = std::mem::take(&mut mover.work) + std::mem::take(&mut expander.work);
                    context.budget.spend(work, 0)?;
                    let primes = primes.of(context.algebra, expander, effort.primes, &mut |more| {
                        work += more;
                        context.budget.spend(more, 0)
                    })?;
                    Ok((primes, work))
                },
            );
            for (primes, work) in found? {
                self.work += work;
                if let Some(primes) = primes {
                    self.matrix.add(&primes, context.algebra.words());
                }
            }
            let (tried, added) = (minterms.len() - rest.len(), self.matrix.rows.len() - before);
            if effort.moves == 0 && tried >= PROBE_ROWS && added * MIN_SHARE < tried {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A maximal independent set of a graph, given by the neighbours of each node. Nodes with few neighbours are taken first.
fn maximal_independent(neighbours: &[Vec<usize>]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..neighbours.len()).collect();
    order.sort_by_key(|&i| neighbours[i].len());
    let mut apart = vec![false; neighbours.len()];
    for i in order {
        apart[i] = !neighbours[i].iter().any(|&j| apart[j]);
    }
    apart
}
