//! The table of Quine and McCluskey of a small function: its primes, the minterms in each, and all minimum covers.

use super::{minterms, primes, sharp};
use crate::coverage::recursion::at_depth;
use crate::coverage::set_cover::branch_and_bound::search;
use crate::steps::budget::{Budget, StageBudget};
use crate::{Cover, Error, ErrorKind, Monitor, Result};

/// Limits on the minterms of the space, and on the pairs of a minterm and a prime.
const MOST_MINTERMS: usize = 1 << 20;
const MOST_PAIRS: usize = 1 << 28;

/// The primes of a function, and the minterms that a cover must contain.
///
/// # Example
/// ```
/// use espresso::{Monitor, Pla, algebra::PrimeTable};
/// // Each minterm is in two of the six primes, so none is essential.
/// let pla = Pla::parse(".i 3\n.o 1\n10- 1\n-10 1\n0-1 1\n")?;
/// let table = PrimeTable::new(&pla.on, &pla.dc, Monitor::default())?;
/// assert_eq!((table.primes.len(), table.minterms.len()), (6, 6));
/// assert!(!(0..6).any(|prime| table.is_essential(prime)));
/// assert_eq!(table.minimum_covers(100, Monitor::default())?.len(), 2);
/// # Ok::<(), espresso::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PrimeTable {
    /// All primes of F and D, the largest first.
    pub primes: Cover,
    /// The minterms of F without D, sorted by their words.
    pub minterms: Cover,
    /// For each minterm the numbers of the primes that contain it, ascending.
    pub rows: Vec<Vec<u32>>,
}

impl PrimeTable {
    /// Returns the table of the function with this F and D.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] for covers over different spaces; [`ErrorKind::Unsupported`] if the space has more than 2^20
    /// minterms, or if the table is too large; [`ErrorKind::Cancelled`] when the callback breaks.
    pub fn new(on: &Cover, dc: &Cover, monitor: Monitor<'_>) -> Result<Self> {
        let variables = on.space().variables();
        let points =
            variables.iter().try_fold(1, |points: usize, variable| points.checked_mul(variable.parts));
        let small = points.filter(|&points| points <= MOST_MINTERMS);
        let primes = small.map(|_| primes(on, dc, monitor)).transpose()?;
        let minterms =
            small.map(|_| minterms(&sharp(on, dc, monitor)?, 0..variables.len(), monitor)).transpose()?;
        let fit =
            primes.zip(minterms).filter(|(primes, minterms)| primes.len() * minterms.len() <= MOST_PAIRS);
        let (primes, minterms) = fit.ok_or_else(|| {
            Error::new(
                ErrorKind::Unsupported,
                "a table of primes is for functions of few minterms and primes",
            )
        })?;
        let (budget, space) = (Budget::new(None, monitor), on.space());
        let stage = budget.of_cubes("table", minterms.len());
        let row = |(number, minterm)| {
            stage.spend(primes.len() as u64, number)?;
            let with = primes.iter().enumerate().filter(|(_, prime)| space.contains(prime, minterm));
            Ok(with.map(|(prime, _)| prime as u32).collect())
        };
        let rows = minterms.iter().enumerate().map(row).collect::<Result<_>>()?;
        Ok(PrimeTable { primes, minterms, rows })
    }

    /// Whether some minterm is in no other prime than this one.
    pub fn is_essential(&self, prime: usize) -> bool {
        self.rows.iter().any(|row| row[..] == [prime as u32])
    }

    /// Returns the covers of the fewest primes, or `most` of them if there are more. Deterministic; exponential in the worst
    /// case.
    ///
    /// # Errors
    /// [`ErrorKind::Cancelled`] when the callback breaks.
    pub fn minimum_covers(&self, most: usize, monitor: Monitor<'_>) -> Result<Vec<Cover>> {
        let mut rows = self.rows.clone();
        rows.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        rows.dedup();
        let budget = Budget::new(None, monitor);
        let stage = budget.of_units("minimum covers", "choices");
        let found = search(rows.clone(), rows.len() + 1, u64::MAX, false, &mut Vec::new(), &mut |work| {
            stage.spend(work, 0)
        })?;
        let mut covers = Covers {
            stage,
            most,
            chosen: Vec::new(),
            banned: vec![false; self.primes.len()],
            found: Vec::new(),
        };
        covers.choose(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>(), found.lower)?;
        let cover = |chosen: Vec<u32>| self.primes.chosen(|i| chosen.contains(&(i as u32)));
        Ok(covers.found.into_iter().map(cover).collect())
    }
}

/// The search for all covers of a size.
struct Covers<'a> {
    stage: StageBudget<'a>,
    most: usize,
    chosen: Vec<u32>,
    /// Primes of earlier branches: all covers with such a prime have been found, and none is to be found twice.
    banned: Vec<bool>,
    found: Vec<Vec<u32>>,
}

impl Covers<'_> {
    /// Finds the covers with the chosen primes and at most `left` others, which must cover the rows `open`.
    fn choose(&mut self, open: &[&[u32]], left: usize) -> Result<()> {
        self.stage.spend(open.len() as u64, 0)?;
        let mut free: Vec<Vec<u32>> = open
            .iter()
            .map(|row| row.iter().copied().filter(|&prime| !self.banned[prime as usize]).collect())
            .collect();
        free.sort_by_key(Vec::len);
        let Some(row) = free.first() else {
            self.found.push(self.chosen.clone());
            return Ok(());
        };
        // Rows that share no prime need a prime each.
        let (mut used, mut apart) = (vec![false; self.banned.len()], 0);
        for row in &free {
            if !row.iter().any(|&prime| used[prime as usize]) {
                row.iter().for_each(|&prime| used[prime as usize] = true);
                apart += 1;
            }
        }
        if apart > left {
            return Ok(());
        }
        for &prime in row {
            if self.found.len() < self.most {
                let rest: Vec<&[u32]> =
                    open.iter().copied().filter(|row| row.binary_search(&prime).is_err()).collect();
                self.chosen.push(prime);
                at_depth(self.chosen.len(), || self.choose(&rest, left - 1))?;
                self.chosen.pop();
            }
            self.banned[prime as usize] = true;
        }
        row.iter().for_each(|&prime| self.banned[prime as usize] = false);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, holds, points};
    use proptest::prelude::*;

    proptest! {
        /// Compared with a search through all sets of primes.
        #[test]
        fn minimum_covers_are_all_smallest_sets_of_primes([on, dc] in testing::covers([5, 3])) {
            let table = PrimeTable::new(&on, &dc, Monitor::default()).unwrap();
            let count = table.primes.len();
            prop_assume!(count <= 12);
            let open = points(on.space()).into_iter().filter(|point| holds(&on, point) && !holds(&dc, point));
            let open: Vec<Vec<u64>> = open.collect();
            prop_assert_eq!(open.len(), table.minterms.len());
            let of = |set: u32| table.primes.chosen(|i| set >> i & 1 == 1);
            let covers = (0..1 << count).filter(|&set: &u32| open.iter().all(|point| holds(&of(set), point)));
            let covers: Vec<u32> = covers.collect();
            let fewest = covers.iter().map(|set| set.count_ones()).min().unwrap();
            let expected: Vec<Cover> = covers.into_iter().filter(|set| set.count_ones() == fewest).map(of).collect();
            let found = table.minimum_covers(usize::MAX, Monitor::default()).unwrap();
            prop_assert!(found.iter().all(|cover| expected.contains(cover)));
            prop_assert_eq!(found.len(), expected.len());
            let first = table.minimum_covers(1, Monitor::default()).unwrap();
            prop_assert_eq!(&first[..], &found[..1]);
            for prime in 0..count {
                let is_essential = open.iter().any(|point| !holds(&of(!(1 << prime)), point));
                prop_assert_eq!(table.is_essential(prime), is_essential);
            }
        }
    }
}
