//! A lower bound of a set cover by Lagrangian relaxation, and a cover found from the multipliers.
//!
//! Every row has a multiplier. The reduced cost of a column is one minus the multipliers of its rows. The sum of all
//! multipliers and of all negative reduced costs is a lower bound on the columns of any cover. Subgradient steps raise the
//! multipliers of uncovered rows and lower those of rows covered more than once, after Held and Karp (1971) and, for set
//! covering, Caprara, Fischetti and Toth, *A Heuristic Method for the Set Covering Problem* (1999). Departure: at the end
//! the best multipliers are rounded to multiples of 1/[`UNIT`] and the bound is summed up again in integers, so that
//! floating-point rounding cannot make it too high.

use super::{Columns, Row, Spend};
use crate::Result;

/// The cost of one column, in the unit to which multipliers are rounded.
pub(super) const UNIT: i64 = 1 << 24;
/// Steps without a better bound after which the step length is halved.
const PATIENCE: u32 = 12;
/// The step length at which the relaxation stops.
const SHORTEST: f64 = 0.004;

/// The result of a relaxation.
#[derive(Clone, Debug)]
pub(super) struct Relaxed {
    /// The bound in units.
    pub(super) value: i64,
    /// The bound rounded up to whole columns.
    pub(super) lower: usize,
    /// The reduced cost of each column up to the highest.
    pub(super) reduced: Vec<i64>,
    /// An irredundant cover.
    pub(super) cover: Vec<u32>,
    /// The multiplier of each row, in units.
    pub(super) multipliers: Vec<i64>,
}

struct Ascent<'r> {
    rows: &'r [Row],
    columns: &'r Columns,
    costs: Vec<f64>,
    gradient: Vec<f64>,
    cover: Vec<u32>,
    /// Work not yet reported to `spend`, in table entries.
    work: u64,
}

/// Relaxes the problem `rows`, none of them empty, from the multipliers `start`; NaN stands for a row without a multiplier.
/// Ends after `steps` steps, or when the bound reaches `cap` or the size of the best cover found. Calls `spend` with the work
/// done.
pub(super) fn relax(
    rows: &[Row],
    columns: &Columns,
    start: Vec<f64>,
    steps: u32,
    cap: usize,
    spend: Spend<'_>,
) -> Result<Relaxed> {
    let mut ascent =
        Ascent { rows, columns, costs: Vec::new(), gradient: Vec::new(), cover: Vec::new(), work: 0 };
    // The first multiplier of a row: each column divides its cost evenly among its rows, and the row gets its smallest share.
    let share = |row: &Row| row.iter().map(|&c| 1.0 / columns[c as usize].len() as f64).fold(1.0, f64::min);
    let mut multipliers = start;
    for (offer, row) in multipliers.iter_mut().zip(rows).filter(|(offer, _)| offer.is_nan()) {
        *offer = share(row);
    }
    let (mut best, mut best_value) = (multipliers.clone(), f64::NEG_INFINITY);
    let (mut length, mut vain) = (1.0, 0);
    for step in 0..steps {
        spend(std::mem::take(&mut ascent.work))?;
        let value = ascent.price(&multipliers);
        if value > best_value + 1e-4 {
            vain = 0;
        } else {
            vain += 1;
            if vain % PATIENCE == 0 {
                length *= 0.5;
            }
        }
        let is_better = value > best_value;
        if is_better {
            best_value = value;
            best.clone_from(&multipliers);
        }
        if step == 0 || is_better && step % 4 == 0 || step % 16 == 0 {
            ascent.find_cover();
        }
        let aim = cap.min(ascent.cover.len()) as f64;
        // A bound above `aim - 1` excludes a cover with one column less.
        if best_value > aim - 1.0 + 1e-3
            || length < SHORTEST
            || !ascent.step(&mut multipliers, (aim - value) * length)
        {
            break;
        }
    }
    ascent.price(&best);
    ascent.find_cover();
    spend(ascent.work)?;
    Ok(ascent.rounded(&best))
}

impl Ascent<'_> {
    /// Sets the reduced costs of the columns, and returns the bound.
    fn price(&mut self, multipliers: &[f64]) -> f64 {
        self.costs.clear();
        self.costs.resize(self.columns.len(), 1.0);
        let mut value = 0.0;
        for (row, &offer) in self.rows.iter().zip(multipliers) {
            value += offer;
            row.iter().for_each(|&c| self.costs[c as usize] -= offer);
            self.work += row.len() as u64;
        }
        value + self.costs.iter().copied().filter(|&cost| cost < 0.0).sum::<f64>()
    }

    /// Moves the multipliers along the subgradient. Returns `false` if columns of negative reduced cost cover every row exactly
    /// once: the bound then cannot rise.
    fn step(&mut self, multipliers: &mut [f64], length: f64) -> bool {
        self.gradient.clear();
        for row in self.rows {
            let used = row.iter().filter(|&&c| self.costs[c as usize] < 0.0).count();
            self.gradient.push(1.0 - used as f64);
            self.work += row.len() as u64;
        }
        let norm: f64 = self.gradient.iter().map(|slope| slope * slope).sum();
        if norm == 0.0 {
            return false;
        }
        let step = length.max(0.05) / norm;
        for (slope, offer) in self.gradient.iter().zip(multipliers) {
            *offer = (*offer + step * slope).max(0.0);
        }
        true
    }

    /// Builds a cover greedily: rows with the fewest columns first, each by its cheapest column. Keeps it if it is the
    /// smallest so far.
    fn find_cover(&mut self) {
        let mut covered = vec![0u32; self.rows.len()];
        let mut chosen: Vec<u32> = Vec::new();
        let take = |c: u32, covered: &mut Vec<u32>, chosen: &mut Vec<u32>| {
            chosen.push(c);
            self.columns[c as usize].iter().for_each(|&row| covered[row as usize] += 1);
        };
        let mut open: Vec<usize> = (0..self.rows.len()).collect();
        open.sort_by_key(|&i| self.rows[i].len());
        for i in open {
            if covered[i] > 0 {
                continue;
            }
            let gain = |c: u32| {
                let new =
                    self.columns[c as usize].iter().filter(|&&row| covered[row as usize] == 0).count() as f64;
                let cost = self.costs[c as usize];
                if cost > 0.0 { cost / new } else { cost * new }
            };
            let cheapest = self.rows[i]
                .iter()
                .map(|&c| (gain(c), c))
                .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            if let Some((_, c)) = cheapest {
                self.work += self.columns[c as usize].len() as u64 * self.rows[i].len() as u64;
                take(c, &mut covered, &mut chosen);
            }
        }
        // Try to drop the most expensive columns first.
        chosen.sort_by(|&a, &b| self.costs[b as usize].total_cmp(&self.costs[a as usize]).then(b.cmp(&a)));
        chosen.retain(|&c| {
            let mine = &self.columns[c as usize];
            let is_needed = mine.iter().any(|&row| covered[row as usize] == 1);
            if !is_needed {
                mine.iter().for_each(|&row| covered[row as usize] -= 1);
            }
            is_needed
        });
        if self.cover.is_empty() || chosen.len() < self.cover.len() {
            self.cover = chosen;
        }
    }

    fn rounded(self, multipliers: &[f64]) -> Relaxed {
        let multipliers: Vec<i64> = multipliers.iter().map(|&offer| (offer * UNIT as f64) as i64).collect();
        let mut reduced = vec![UNIT; self.columns.len()];
        for (row, &offer) in self.rows.iter().zip(&multipliers) {
            row.iter().for_each(|&c| reduced[c as usize] -= offer);
        }
        let value = multipliers.iter().sum::<i64>() + reduced.iter().filter(|&&cost| cost < 0).sum::<i64>();
        let lower = usize::try_from((value.max(0) + UNIT - 1) / UNIT).unwrap_or(0);
        Relaxed { value, lower, reduced, cover: self.cover, multipliers }
    }
}
