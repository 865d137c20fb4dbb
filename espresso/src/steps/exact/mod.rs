//! EXACT: the fewest cubes, with proof, or the fewest found and a lower bound when the effort is spent.
//!
//! The covering matrix of Quine and McCluskey has a row for each minterm and a column for each prime, far too many of
//! both. Here rows are made as they are needed: some minterms, moved to where they have few primes (`witness`), with all
//! the primes that contain them (`primes`). A minimum cover of these rows (`set_cover::branch_and_bound`) is no larger than
//! a cover of F. If it covers all of F - D, it is a minimum; otherwise minterms that it leaves out become rows, and it is
//! solved again. The rows that come about so are essential signature cubes mostly, as in McGeer et al. 1993, and no
//! list of all primes or of all minterms is ever made. What a minimum cover of the rows leaves is also filled up with the
//! cubes of the best cover so far, which often leads to a smaller one long before the proof.
//!
//! Of a minterm that shares no prime with another row it does not matter which primes it has: it takes one cube, that of the
//! cover begun with. Its primes are made when a row is added with which it may share one.

pub(crate) mod primes;
mod witness;

use crate::care::care_set::{Buffers, CoverageCounts, Uncovered};
use crate::care::cube_index::BlockingIndex;
use crate::care::set_cover::branch_and_bound::search;
use crate::care::tautology::Tautology;
use crate::steps::expand::Expander;
use crate::steps::irredundant::irredundant;
use crate::steps::of_each::of_each;
use crate::steps::setting::Setting;
use crate::{Cover, ErrorKind, Result};
use std::collections::HashMap;
use witness::Mover;

/// Numbers of columns of the covering matrix that are as much work as a cube.
pub(crate) const NUMBERS_A_CUBE: u64 = 8;
/// Minterms taken up at once.
const CHUNK: usize = 16;
/// Minterms after which, with little effort, no more rows are made unless one of so many has few enough primes.
const ROWS_THAT_TELL: usize = 32;
const WORTH_GOING_ON: usize = 8;

/// How far to go. All are counts, so that the outcome is the same everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// How often the rows are solved.
    pub(crate) rounds: usize,
    /// Places that a minterm is moved to on trial.
    pub(crate) moves: u32,
    /// Primes of one minterm, and of all rows together.
    pub(crate) primes: usize,
    pub(crate) columns: usize,
    /// Rows of one round.
    pub(crate) rows: usize,
    /// Numbers looked at in one search for a minimum cover of the rows.
    pub(crate) search: u64,
    /// Cubes looked at in all, after which no more rows are made.
    pub(crate) work: u64,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Minimum {
    /// The smallest cover found, of primes unless it is the one begun with.
    pub(crate) cover: Cover,
    /// No cover has fewer cubes.
    pub(crate) lower: usize,
    pub(crate) table: PrimeTable,
}

/// The covering matrix: minterms, and for each its primes, all of them unless it has none in common with the others.
#[derive(Debug, Default)]
pub(crate) struct PrimeTable {
    pub(crate) minterms: Vec<Vec<u64>>,
    pub(crate) rows: Vec<Vec<u32>>,
    primes: Vec<Vec<u64>>,
    numbers: HashMap<Vec<u64>, u32>,
}

impl PrimeTable {
    fn add(&mut self, minterm: Vec<u64>, primes: &[u64]) {
        let mut row: Vec<u32> = primes.chunks_exact(minterm.len()).map(|prime| self.number(prime)).collect();
        row.sort_unstable();
        self.rows.push(row);
        self.minterms.push(minterm);
    }

    fn number(&mut self, prime: &[u64]) -> u32 {
        if let Some(&number) = self.numbers.get(prime) {
            return number;
        }
        let number = self.primes.len() as u32;
        self.primes.push(prime.to_vec());
        self.numbers.insert(prime.to_vec(), number);
        number
    }
}

/// Returns a cover of no more cubes than `on`, with a lower bound of the cubes of any; both are the same where `effort`
/// is enough. `on` is a cover that with the don't-cares covers the function. When the budget is used up, the best so far is
/// returned, and the next step will hear of it.
///
/// Deterministic, whatever the number of threads.
pub(crate) fn minimum(
    setting: &Setting,
    on: &Cover,
    off: &BlockingIndex,
    effort: &Effort,
) -> Result<Minimum> {
    let table = PrimeTable::default();
    let mut exact =
        Exact { setting, off, effort, cover: on.clone(), lower: 0, table, isolated: Vec::new(), work: 0 };
    match exact.run() {
        Err(error) if error.kind() != ErrorKind::BudgetExhausted => Err(error),
        _ => {
            let Exact { mut table, cover, lower, isolated, .. } = exact;
            isolated.into_iter().for_each(|Isolated { minterm, cube, .. }| table.add(minterm, &cube));
            Ok(Minimum { lower: lower.min(cover.len()), cover, table })
        }
    }
}

/// A minterm that has no prime in common with a row or with another of these.
struct Isolated {
    minterm: Vec<u64>,
    /// The cube that contains all of its primes.
    reach: Vec<u64>,
    /// The cube that stands for any of them.
    cube: Vec<u64>,
}

struct Exact<'s> {
    setting: &'s Setting<'s>,
    off: &'s BlockingIndex,
    effort: &'s Effort,
    /// The best cover so far, and how many cubes any has.
    cover: Cover,
    lower: usize,
    table: PrimeTable,
    isolated: Vec<Isolated>,
    /// Cubes looked at so far.
    work: u64,
}

impl Exact<'_> {
    fn run(&mut self) -> Result<()> {
        let first = self.minterms_alone(&self.cover)?;
        let rows = self.set_isolated_aside(first)?;
        if !self.add_rows(rows)? {
            self.lower = self.isolated.len();
            return Ok(());
        }
        for round in 0..self.effort.rounds {
            if self.lower >= self.cover.len() || round > 0 && self.is_spent() || !self.round()? {
                break;
            }
        }
        Ok(())
    }

    fn is_spent(&self) -> bool {
        self.work > self.effort.work || self.table.primes.len() > self.effort.columns
    }

    /// Solves the rows, and adds rows for what the solution leaves out; false when there is nothing more to do.
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
        // What the solution leaves out is filled up with the cover so far.
        let mut all = chosen;
        all.extend(&self.cover);
        all.normalize();
        let filled = irredundant(self.setting, all)?;
        if filled.len() < self.cover.len() {
            self.cover = filled;
        }
        let before = self.table.rows.len();
        let mut rows = self.take_reached(&open);
        rows.extend(open);
        self.add_rows(rows)?;
        Ok(self.table.rows.len() > before)
    }

    /// A cover of the rows of fewer than `cap` cubes, if one was found, and the bound; nothing when there is none.
    fn solve(&mut self, cap: usize) -> Result<Option<(Option<Cover>, usize)>> {
        let isolated = self.isolated.len();
        let cap = cap.saturating_sub(isolated);
        let mut total = 0;
        let mut spend = |work: u64| {
            total += work / NUMBERS_A_CUBE;
            self.setting.budget.spend(work / NUMBERS_A_CUBE, 0)
        };
        let rows = || self.table.rows.clone();
        // First what the relaxation finds: most of the time more rows are needed anyway.
        let mut found = search(rows(), cap, 0, &mut spend)?;
        if found.columns.is_none() && found.lower < cap && self.effort.search > 0 {
            found = search(rows(), cap, self.effort.search, &mut spend)?;
        }
        self.work += total;
        if found.lower >= cap {
            return Ok(None);
        }
        let chosen = found.columns.map(|columns| {
            let chosen = columns.iter().map(|&c| &self.table.primes[c as usize]);
            let words = chosen.chain(self.isolated.iter().map(|isolated| &isolated.cube)).flatten().copied();
            Cover::from_words(self.setting.calculus.space(), words.collect())
        });
        Ok(Some((chosen, found.lower + isolated)))
    }

    /// Sets those minterms aside that have no prime in common with another, each with the number of its cube; returns the
    /// others. Not where minterms are moved, to where other primes are, or where R has no columns.
    fn set_isolated_aside(&mut self, minterms: Vec<(usize, Vec<u64>)>) -> Result<Vec<Vec<u64>>> {
        let Exact { setting, off, effort, .. } = *self;
        if effort.moves > 0 || off.columns().is_none() || minterms.len() > effort.rows {
            return Ok(minterms.into_iter().map(|(_, minterm)| minterm).collect());
        }
        let calculus = setting.calculus;
        let reaches = of_each(
            minterms.len(),
            usize::MAX,
            || Expander::new(calculus, off, calculus.space().full()),
            |expander, i| {
                expander.outline(&minterms[i].1);
                setting.budget.spend(std::mem::take(&mut expander.work), i)?;
                Ok(expander.reach().to_vec())
            },
        )?;
        let reaches_other = |i: usize, j: usize| calculus.contains(&reaches[i], &minterms[j].1);
        let is_shared =
            |i: usize| (0..minterms.len()).any(|j| j != i && reaches_other(i, j) && reaches_other(j, i));
        let shared: Vec<bool> = (0..minterms.len()).map(is_shared).collect();
        let mut rows = Vec::new();
        for (((at, minterm), reach), is_shared) in minterms.into_iter().zip(reaches).zip(shared) {
            if is_shared {
                rows.push(minterm);
            } else {
                self.isolated.push(Isolated { minterm, reach, cube: self.cover.cube(at).to_vec() });
            }
        }
        Ok(rows)
    }

    /// Takes the isolated minterms back that may have a prime in common with one of `rows`.
    fn take_reached(&mut self, rows: &[Vec<u64>]) -> Vec<Vec<u64>> {
        let calculus = self.setting.calculus;
        let is_reached =
            |isolated: &mut Isolated| rows.iter().any(|row| calculus.contains(&isolated.reach, row));
        self.isolated.extract_if(.., is_reached).map(|isolated| isolated.minterm).collect()
    }

    /// For each cube of `on` a minterm that no other cube has, with the number of the cube.
    fn minterms_alone(&self, on: &Cover) -> Result<Vec<(usize, Vec<u64>)>> {
        let Setting { calculus, dc, care_set, ref budget, .. } = *self.setting;
        let (n, words) = (calculus.words(), on.as_words());
        if let Some(care_set) = care_set {
            let counts = CoverageCounts::new(care_set, words, n);
            let mut buffers = Buffers::default();
            let alone = |(i, cube)| counts.minterm_alone(cube, &mut buffers).map(|minterm| (i, minterm));
            return Ok(on.iter().enumerate().filter_map(alone).collect());
        }
        let all = [words, dc.as_words()].concat();
        let index = BlockingIndex::new(calculus, &all);
        let alone = of_each(
            on.len(),
            on.len() * (on.len() + dc.len()),
            || (Tautology::new(calculus), Vec::new()),
            |(tautology, near), i| {
                near.clear();
                index.for_each_number(calculus, on.cube(i), |j| {
                    if j != i {
                        near.extend_from_slice(&all[j * n..(j + 1) * n]);
                    }
                });
                let minterm = tautology.uncovered_minterm(&[near], on.cube(i));
                budget.spend(tautology.take_work(), i).map(|()| minterm.map(|minterm| (i, minterm)))
            },
        )?;
        Ok(alone.into_iter().flatten().collect())
    }

    /// Minterms of F - D that `chosen` does not cover: of each cube of the cover so far one.
    fn open_minterms(&self, chosen: &Cover) -> Result<Vec<Vec<u64>>> {
        let Setting { calculus, dc, care_set, ref budget, .. } = *self.setting;
        let cover = &self.cover;
        if let Some(care_set) = care_set {
            let mut open = Uncovered::new(care_set);
            chosen.iter().for_each(|cube| open.close(cube));
            budget.spend(cover.len() as u64, 0)?;
            return Ok(cover.iter().filter_map(|cube| open.minterm(cube)).collect());
        }
        let all = [chosen.as_words(), dc.as_words()].concat();
        let (n, index) = (calculus.words(), BlockingIndex::new(calculus, &all));
        let open = of_each(
            cover.len(),
            cover.len() * (chosen.len() + dc.len()),
            || (Tautology::new(calculus), Vec::new()),
            |(tautology, near), i| {
                near.clear();
                index.for_each_number(calculus, cover.cube(i), |j| {
                    near.extend_from_slice(&all[j * n..(j + 1) * n]);
                });
                let minterm = tautology.uncovered_minterm(&[near], cover.cube(i));
                budget.spend(tautology.take_work(), i).map(|()| minterm)
            },
        )?;
        Ok(open.into_iter().flatten().collect())
    }

    /// Moves the minterms and adds rows for them; those with too many primes are passed over. False when that are most of the
    /// first ones and the effort is small: what is left says too little.
    fn add_rows(&mut self, mut minterms: Vec<Vec<u64>>) -> Result<bool> {
        let Exact { setting, off, effort, .. } = *self;
        minterms.truncate(effort.rows);
        let (mut rest, before) = (&minterms[..], self.table.rows.len());
        while !rest.is_empty() && !self.is_spent() {
            let (some, others) = rest.split_at(rest.len().min(CHUNK));
            rest = others;
            let found = of_each(
                some.len(),
                usize::MAX,
                || {
                    let expander = Expander::new(setting.calculus, off, setting.calculus.space().full());
                    (expander, Mover::new(setting, off))
                },
                |(expander, mover), i| {
                    let minterm = mover.settle(expander, some[i].clone(), effort.moves);
                    let mut work = std::mem::take(&mut mover.work) + std::mem::take(&mut expander.work);
                    setting.budget.spend(work, 0)?;
                    let primes = primes::primes(setting.calculus, expander, effort.primes, |more| {
                        work += more;
                        setting.budget.spend(more, 0)
                    })?;
                    Ok((minterm, primes, work))
                },
            );
            for (minterm, primes, work) in found? {
                self.work += work;
                if let Some(primes) = primes {
                    self.table.add(minterm, &primes);
                }
            }
            let (tried, added) = (minterms.len() - rest.len(), self.table.rows.len() - before);
            if effort.moves == 0 && tried >= ROWS_THAT_TELL && added * WORTH_GOING_ON < tried {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
