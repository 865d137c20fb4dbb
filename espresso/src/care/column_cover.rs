//! The end of an expansion: the fewest parts to lower so that no blocking cube is within reach.
//!
//! The column cover of the blocking matrix of Brayton et al. 1984, section 4.3.4: each blocking cube is a row, to be
//! missed in one of the variables in which the expanded cube does not have it yet; missing it in a variable costs
//! all the parts that the two could share there, which for a binary input is one part. Departure: instead of
//! writing out all irredundant covers, a branch and bound with an effort limit, after a greedy choice.

use crate::cube::calculus::Calculus;

const MOST_NODES: u32 = 400;
/// Rows searched at most; beyond, the greedy choice stands.
const MOST_ROWS: usize = 400;

/// The buffers of the choice; reusable for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct ColumnCover {
    /// The rows: of each blocking cube the free parts of the variables in which it can be missed.
    rows: Vec<u64>,
    nodes: u32,
    best: Vec<u64>,
    best_cost: u32,
}

fn cost(lower: &[u64]) -> u32 {
    lower.iter().map(|word| word.count_ones()).sum()
}

impl ColumnCover {
    /// Sets `lower` to parts of `free` such that, without them, no cube of the flat list `blocking` intersects
    /// `raise` and `free` together. Every blocking cube is disjoint from `raise`.
    pub(crate) fn choose<const W: usize>(
        &mut self,
        calculus: &Calculus<W>,
        blocking: &[u64],
        raise: &[u64],
        free: &[u64],
        lower: &mut [u64],
    ) {
        let n = calculus.words();
        self.rows.clear();
        for block in blocking.chunks_exact(n) {
            let start = self.rows.len();
            self.rows.resize(start + n, 0);
            calculus.for_each_conflict(block, raise, |v| {
                calculus.copy_literal(v, block, &mut self.rows[start..]);
            });
            (0..n).for_each(|i| self.rows[start + i] &= free[i]);
        }
        self.drop_dominated(calculus);
        self.greedy(calculus, lower);
        if self.rows.len() / n <= MOST_ROWS {
            self.nodes = 0;
            self.best = lower.to_vec();
            self.best_cost = cost(lower);
            self.search(calculus, &mut vec![0; n]);
            lower.copy_from_slice(&self.best);
        }
    }

    /// Keeps the rows that no other row implies: for binary variables, those that contain no other.
    fn drop_dominated<const W: usize>(&mut self, calculus: &Calculus<W>) {
        let n = calculus.words();
        let mut rows: Vec<&[u64]> = self.rows.chunks_exact(n).collect();
        // Highest parts first, so that the order does not depend on where words begin.
        rows.sort_unstable_by(|a, b| cost(a).cmp(&cost(b)).then_with(|| a.iter().rev().cmp(b.iter().rev())));
        rows.dedup();
        let mut kept: Vec<&[u64]> = Vec::new();
        for row in rows {
            if !kept.iter().any(|small| calculus.all_literals_within(small, row)) {
                kept.push(row);
            }
        }
        self.rows = kept.concat();
    }

    /// Takes, again and again, the literal that misses most rows for each part lowered.
    fn greedy<const W: usize>(&self, calculus: &Calculus<W>, lower: &mut [u64]) {
        let n = calculus.words();
        lower.fill(0);
        let mut open: Vec<&[u64]> = self.rows.chunks_exact(n).collect();
        let mut literal = vec![0u64; n];
        let mut best = vec![0u64; n];
        while let Some(row) = open.iter().min_by_key(|row| options(calculus, row)) {
            let mut most: Option<(f64, usize)> = None;
            calculus.for_each_literal(row, |v| {
                literal.fill(0);
                calculus.copy_literal(v, row, &mut literal);
                let missed = open.iter().filter(|other| calculus.has_within(v, other, &literal)).count();
                let new: u32 = (0..n).map(|i| (literal[i] & !lower[i]).count_ones()).sum();
                let gain = missed as f64 / f64::from(new.max(1));
                if most.is_none_or(|(most, _)| gain > most) {
                    most = Some((gain, v));
                    best.copy_from_slice(&literal);
                }
            });
            (0..n).for_each(|i| lower[i] |= best[i]);
            open.retain(|row| !calculus.has_literal_within(row, lower));
            if most.is_none() {
                break;
            }
        }
    }

    fn search<const W: usize>(&mut self, calculus: &Calculus<W>, lower: &mut Vec<u64>) {
        self.nodes += 1;
        let n = calculus.words();
        let so_far = cost(lower);
        let open =
            self.rows.chunks_exact(n).enumerate().filter(|(_, row)| !calculus.has_literal_within(row, lower));
        let Some((at, _)) = open.min_by_key(|(_, row)| options(calculus, row)) else {
            if so_far < self.best_cost {
                self.best_cost = so_far;
                self.best.clone_from(lower);
            }
            return;
        };
        if so_far + 1 >= self.best_cost {
            return;
        }
        let row = self.rows[at * n..(at + 1) * n].to_vec();
        let mut variables = Vec::new();
        calculus.for_each_literal(&row, |v| variables.push(v));
        for v in variables {
            if self.nodes >= MOST_NODES {
                return;
            }
            let before = lower.clone();
            calculus.copy_literal(v, &row, lower);
            if cost(lower) < self.best_cost {
                self.search(calculus, lower);
            }
            *lower = before;
        }
    }
}

/// Number of variables in which the row can be missed.
fn options<const W: usize>(calculus: &Calculus<W>, row: &[u64]) -> usize {
    let mut count = 0;
    calculus.for_each_literal(row, |_| count += 1);
    count
}
