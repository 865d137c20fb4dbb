//! The loop of Brayton et al. 1984, figure 4.2.1, and the steps that follow it.

use super::is_better;
use super::session::Session;
use super::split_outputs::split_outputs;
use super::strategy::Coverage;
use crate::steps::expand_without_off::MOST_OUTPUTS;
use crate::steps::reduce::Order;
use crate::steps::step::Step;
use crate::{Rest, Result};

/// Searches between two rounds in random order.
const SEARCHES_A_ROUND: usize = 2;
/// Unless coverage is by lists, rounds and gasps end when one of them saves less than one in this many cubes.
const WORTH_A_ROUND: usize = 100;
/// At low effort, no searches follow if less than one in this many cubes could be saved, unless the cubes are few.
const WORTH_SEARCHES: usize = 16;
const FEW_CUBES: usize = 128;
/// Limit on the cubes of a cover for the exact step in the loop: for more, its effort is too small to help.
const MOST_CUBES_EXACT: usize = 5000;

/// A round of the loop.
const ROUND: [Step; 3] = [Step::Reduce, Step::Expand, Step::Irredundant];

impl Session<'_> {
    /// The loop, whose result is never worse than its start. With a truth table it begins with the cover before the compaction,
    /// if that cover is kept: compaction has already decided which minterms go together, and EXPAND decides better. If the rounds
    /// end with more cubes, splitting the outputs has lost too much, and the loop starts again without splitting.
    pub(super) fn classical_loop(&mut self) -> Result<()> {
        let uncompacted = self.uncompacted.take();
        self.restore_essential();
        let begin = self.on.clone();
        if let (Coverage::TruthTable, Some(mut on)) = (self.strategy().coverage, uncompacted) {
            on.normalize();
            self.replace(on);
        }
        if let Some(split) = split_outputs(&self.on) {
            self.replace(split);
        }
        self.iterate()?;
        if begin.len() < self.on.len() + self.essential.len() {
            self.restore_essential();
            self.replace(begin.clone());
            self.iterate()?;
        }
        self.improve()?;
        if is_better(&begin, &self.on) {
            self.replace(begin);
        }
        Ok(())
    }

    /// Berkeley's loop: expand, irredundant, essential primes; then reduce, expand, irredundant while the cost falls; and again
    /// after each gasp that lowers the cost.
    fn iterate(&mut self) -> Result<()> {
        self.run(Step::Expand)?;
        self.run(Step::Irredundant)?;
        // Without R, essential primes and reduction take time quadratic in the number of outputs.
        if self.sets.rest == Rest::Off && self.on.space().outputs() > MOST_OUTPUTS {
            return Ok(());
        }
        self.run(Step::Essential)?;
        loop {
            while self.lowers_cost(&ROUND)? {}
            if self.sets.rest == Rest::Off || !self.lowers_cost(&[self.gasp])? {
                return Ok(());
            }
        }
    }

    /// The exact step, searches and make sparse.
    fn improve(&mut self) -> Result<()> {
        if self.sets.rest == Rest::Off {
            self.restore_essential();
            return Ok(());
        }
        self.find_minimum()?;
        if !self.is_near_minimum() {
            self.search_neighbourhoods()?;
        }
        self.run(Step::MakeSparse)
    }

    /// The exact step, with the effort of the loop.
    fn find_minimum(&mut self) -> Result<()> {
        if let Some(mut exact) = self.effort.exact.filter(|_| self.on.len() <= MOST_CUBES_EXACT) {
            if let Some(share) = self.effort.share {
                let most = share.exact(self.budget.spent(), self.strategy().coverage);
                exact.work = most.min(exact.work);
                exact.search = 2 * exact.work;
            }
            let whole = std::mem::replace(&mut self.exact, exact);
            self.run(Step::Exact)?;
            self.exact = whole;
        }
        Ok(())
    }

    /// Whether the cover is a minimum; at low effort, whether the searches could only save a small share of many cubes.
    fn is_near_minimum(&self) -> bool {
        let cubes = self.on.len() + self.essential.len();
        let is_share_enough = self.effort.share.is_some() && cubes >= FEW_CUBES;
        let worth = if is_share_enough { WORTH_SEARCHES } else { usize::MAX };
        self.lower_bound
            .is_some_and(|lower| cubes.saturating_sub(lower).saturating_mul(worth) <= self.on.len())
    }

    /// Cubes of the cover after the last step, without the essential primes set aside; then literals, with them.
    fn last_cost(&self) -> (usize, usize) {
        (self.on.len(), self.report.steps.last().map_or(0, |last| last.literals))
    }

    /// Runs `steps`. Returns whether the cost has fallen enough to run them again.
    fn lowers_cost(&mut self, steps: &[Step]) -> Result<bool> {
        let before = self.last_cost();
        steps.iter().try_for_each(|&step| self.run(step))?;
        let after = self.last_cost();
        let little =
            self.strategy().coverage != Coverage::Lists && before.0 < after.0 + before.0 / WORTH_A_ROUND;
        Ok(after < before && !little)
    }

    /// Large neighbourhood searches, with a round in random order and a last gasp after every few, until several in a row have
    /// not led to fewer cubes, or their work limit is reached.
    fn search_neighbourhoods(&mut self) -> Result<()> {
        if self.strategy().coverage == Coverage::Lists {
            return Ok(());
        }
        let mut best = self.on.clone();
        let mut vain = 0;
        let spent = self.budget.spent();
        let most = self
            .effort
            .share
            .map_or(u64::MAX, |share| spent.saturating_add(share.searches(spent, self.strategy().coverage)));
        for number in 1..=self.effort.searches {
            self.run(Step::LargeNeighbourhoodSearch)?;
            if number % SEARCHES_A_ROUND == 0 {
                self.order = Order::Shuffled(self.draws);
                self.lowers_cost(&ROUND)?;
                self.run(Step::LastGasp)?;
            }
            vain = if self.on.len() < best.len() { 0 } else { vain + 1 };
            if is_better(&self.on, &best) {
                best.clone_from(&self.on);
            }
            // Most is gained by the round after searches.
            let is_over = number % SEARCHES_A_ROUND == 0 && self.budget.spent() >= most;
            if vain == self.effort.searches_in_vain || is_over {
                break;
            }
        }
        self.replace(best);
        Ok(())
    }
}
