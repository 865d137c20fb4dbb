//! The end of an expansion: the fewest parts to lower so that no blocking cube is within reach.
//!
//! This is the column cover of the blocking matrix, Brayton et al. 1984, section 4.3.4. Each blocking cube is a row. The
//! expanded cube must stay disjoint from the blocking cube in one of the variables in which the two are disjoint so far. In this
//! variable, all parts that the two could share are lowered: for a binary input, one part. Departure: a greedy
//! choice, instead of listing all irredundant covers.

use crate::Result;
use crate::coverage::blocking_matrix::ROWS_A_REPORT;
use crate::cube::bits::count;
use crate::cube::cube_algebra::CubeAlgebra;
use crate::cube::space::Space;

/// Returns parts of `reach`, none of `raise`, such that without them no cube of the flat list `blocking` intersects
/// `reach`. Every blocking cube is disjoint from `raise`, which lies within `reach`. Calls `report` now and then, and returns its
/// error.
pub(crate) fn column_cover(
    algebra: &CubeAlgebra,
    blocking: &[u64],
    raise: &[u64],
    reach: &[u64],
    report: &dyn Fn() -> Result<()>,
) -> Result<Vec<u64>> {
    let n = algebra.words();
    // For each blocking cube, its parts within reach in the variables in which it is disjoint from `raise`.
    let mut rows = vec![0; blocking.len()];
    for (row, block) in rows.chunks_exact_mut(n).zip(blocking.chunks_exact(n)) {
        algebra.copy_conflict(block, raise, row);
        Space::meet(row, reach);
    }
    let rows = undominated(algebra, rows.chunks_exact(n).collect(), report)?;
    greedy(algebra, rows, report)
}

/// Keeps the rows that no other row implies: for binary variables, the rows that contain no other row.
fn undominated<'r>(
    algebra: &CubeAlgebra,
    mut rows: Vec<&'r [u64]>,
    report: &dyn Fn() -> Result<()>,
) -> Result<Vec<&'r [u64]>> {
    // Highest parts first, so that the order does not depend on where words begin.
    rows.sort_unstable_by(|a, b| count(a).cmp(&count(b)).then_with(|| a.iter().rev().cmp(b.iter().rev())));
    rows.dedup();
    let mut kept: Vec<&[u64]> = Vec::new();
    for (done, row) in rows.into_iter().enumerate() {
        if done % ROWS_A_REPORT == ROWS_A_REPORT - 1 {
            report()?;
        }
        if !kept.iter().any(|small| algebra.all_literals_within(small, row)) {
            kept.push(row);
        }
    }
    Ok(kept)
}

/// Repeatedly takes the uncovered row with the fewest literals, and lowers the one of its literals that covers the most rows per
/// newly lowered part.
fn greedy(algebra: &CubeAlgebra, mut open: Vec<&[u64]>, report: &dyn Fn() -> Result<()>) -> Result<Vec<u64>> {
    let [mut lower, mut literal, mut best] = [(); 3].map(|()| vec![0u64; algebra.words()]);
    while let Some(row) = open.iter().min_by_key(|row| options(algebra, row)) {
        if open.len() >= ROWS_A_REPORT {
            report()?;
        }
        let mut most: Option<f64> = None;
        algebra.for_each_literal(row, |v| {
            literal.fill(0);
            algebra.copy_literal(v, row, &mut literal);
            let missed = open.iter().filter(|other| algebra.has_within(v, other, &literal)).count();
            let new: u32 = literal.iter().zip(&lower).map(|(new, lower)| (new & !lower).count_ones()).sum();
            let gain = missed as f64 / f64::from(new.max(1));
            if most.is_none_or(|most| gain > most) {
                most = Some(gain);
                best.copy_from_slice(&literal);
            }
        });
        Space::join(&mut lower, &best);
        open.retain(|row| !algebra.has_literal_within(row, &lower));
        if most.is_none() {
            break;
        }
    }
    Ok(lower)
}

/// The number of literals of the row.
fn options(algebra: &CubeAlgebra, row: &[u64]) -> usize {
    let mut count = 0;
    algebra.for_each_literal(row, |_| count += 1);
    count
}
