//! All primes of a cover.
//!
//! Follows Brayton et al. 1984, section 3.4, and Rudell and Sangiovanni-Vincentelli, *Multiple-Valued Minimization for
//! PLA Optimization* (1987). If in every variable all literals that are not full are equal, the primes are the maximal cubes
//! of the cover. Otherwise the parts of a variable are split into two halves, each with its cofactor. Each prime is a prime of
//! a half, or the consensus over that variable of a prime of each half. Cubes within others are dropped.

use super::{contain, one_space};
use crate::cube::bits::has;
use crate::cube::cofactor::LiteralMask;
use crate::steps::budget::{Budget, StageBudget};
use crate::{Cover, Monitor, Result, Space};

/// Returns all primes of the union of both covers, the largest first.
///
/// Deterministic. Exponential in the worst case: there can be more primes than there are minterms.
///
/// # Errors
/// [`Mismatch`](crate::ErrorKind::Mismatch) for covers over different spaces; [`Cancelled`](crate::ErrorKind::Cancelled)
/// when the callback breaks; [`Unsupported`](crate::ErrorKind::Unsupported) when they do not fit into memory.
///
/// # Example
/// ```
/// use espresso::{Monitor, Pla, algebra};
/// let pla = Pla::parse(".i 3\n.o 1\n11- 1\n0-1 1\n")?;
/// // The two cubes and their consensus.
/// assert_eq!(algebra::primes(&pla.on, &pla.dc, Monitor::default())?.len(), 3);
/// # Ok::<(), espresso::Error>(())
/// ```
pub fn primes(on: &Cover, dc: &Cover, monitor: Monitor<'_>) -> Result<Cover> {
    one_space(on, dc)?;
    let budget = Budget::in_memory(None, monitor);
    let finder = Finder { space: on.space(), stage: budget.of_units("primes", "covers"), monitor };
    let primes = finder.of(&contain(&on.with(dc), monitor)?)?;
    contain(&primes, monitor)
}

struct Finder<'a> {
    space: &'a Space,
    stage: StageBudget<'a>,
    monitor: Monitor<'a>,
}

impl Finder<'_> {
    /// All primes of the cover.
    fn of(&self, cover: &Cover) -> Result<Cover> {
        self.stage.spend(cover.len() as u64, 0)?;
        if cover.iter().any(|cube| cube == self.space.full()) {
            return Ok(Cover::universe(self.space));
        }
        let Some(v) = self.mixed_variable(cover) else { return contain(cover, self.monitor) };
        let variable = &self.space.variables()[v];
        let is_lacked = |&bit: &usize| cover.iter().any(|cube| !has(cube, bit));
        let lacking: Vec<usize> = variable.bits().filter(is_lacked).collect();
        // Parts that no cube lacks may go into either half.
        let middle = lacking[lacking.len().div_ceil(2)];
        let high: Vec<u32> = variable.bits().skip_while(|&bit| bit < middle).map(|bit| bit as u32).collect();
        let high = LiteralMask::of_bits(self.space, v, &high);
        let sides = [high.others(self.space, v, self.space.full()), high];
        let mut primes = Vec::new();
        for side in &sides {
            let cofactor = side.cofactor_of(cover.as_words(), self.space.words());
            let cofactor = contain(&Cover::from_words(self.space, cofactor), self.monitor)?;
            let mut found = self.of(&cofactor)?;
            (0..found.len()).for_each(|i| side.restrict(found.cube_mut(i)));
            primes.push(found);
        }
        let mut all = primes[0].with(&primes[1]);
        let mut both = Vec::new();
        for (i, a) in primes[0].iter().enumerate() {
            for b in &primes[1] {
                let from = both.len();
                both.extend(a.iter().zip(b).map(|(&a, &b)| a & b));
                for slot in &variable.slots {
                    both[from + slot.word] |= (a[slot.word] | b[slot.word]) & slot.mask;
                }
                if self.space.is_empty(&both[from..]) {
                    both.truncate(from);
                }
            }
            self.stage.expect_room(both.len())?;
            self.stage.spend(primes[1].len() as u64, i)?;
            self.stage.report(i)?;
        }
        all.extend(&Cover::from_words(self.space, both));
        contain(&all, self.monitor)
    }

    /// Among the variables in which literals that are not full differ, the one in which the most cubes lack parts.
    fn mixed_variable(&self, cover: &Cover) -> Option<usize> {
        let variables = self.space.variables();
        let lacking = |v: usize| {
            let mut first: Option<&[u64]> = None;
            let (mut count, mut is_mixed) = (0, false);
            for cube in cover.iter().filter(|cube| !Space::literal_is_full(&variables[v], cube)) {
                count += 1;
                is_mixed |= first.is_some_and(|first| variables[v].differs(first, cube));
                first = first.or(Some(cube));
            }
            (is_mixed, count)
        };
        let mixed = (0..variables.len()).map(|v| (v, lacking(v))).filter(|(_, (is_mixed, _))| *is_mixed);
        mixed.max_by_key(|&(v, (_, count))| (count, std::cmp::Reverse(v))).map(|(v, _)| v)
    }
}
