//! A certificate for a lower bound of a set cover: weights of the rows such that the rows of no column weigh more than one.
//!
//! Then every cover has at least as many columns as all rows weigh. Rows that share no column can weigh one each. If these
//! are too few, the multipliers of the relaxation (`lagrangian`) become weights: lowered until no column is overweight, then
//! raised as long as none becomes so, after the dual ascent of Erlenkotter (1978). Rows are divided into groups that share
//! no column, so that the weight of each group can be rounded up.

use super::branch_and_bound::relabelled;
use super::lagrangian::{UNIT, relax};
use super::{Columns, Row, components, numbered, reduce_telling, transposed};
use crate::Result;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The largest weight of a column.
pub(crate) const WHOLE: u64 = UNIT as u64;
const STEPS: u32 = 2000;

/// Returns groups of row numbers with weights. No column has rows of two groups, nor rows of more than [`WHOLE`] together.
/// Calls `spend` with the work done. Deterministic.
pub(crate) fn packing(
    rows: Vec<Vec<u32>>,
    spend: &mut dyn FnMut(u64) -> Result<()>,
) -> Result<Vec<Vec<(usize, u64)>>> {
    let mut groups = Vec::new();
    // Only the row that makes a column essential has weight. The column's other rows, and rows dropped with it, have none.
    let rest = reduce_telling(numbered(rows), &mut |row| groups.push(vec![(row.id as usize, WHOLE)]));
    for part in components(rest) {
        let (part, _) = relabelled(part);
        let columns = transposed(&part);
        let apart = independent(&part, &columns);
        let weights = weights(&part, &columns, spend)?;
        let weighed = weights.iter().sum::<u64>().div_ceil(WHOLE);
        if apart.len() as u64 >= weighed {
            groups.extend(apart.into_iter().map(|i| vec![(part[i].id as usize, WHOLE)]));
        } else {
            let weighed = part.iter().zip(weights).filter(|&(_, weight)| weight > 0);
            groups.push(weighed.map(|(row, weight)| (row.id as usize, weight)).collect());
        }
    }
    Ok(groups)
}

/// Rows that share no column, those that share columns with the fewest others first.
fn independent(rows: &[Row], columns: &Columns) -> Vec<usize> {
    let neighbours: Vec<BTreeSet<u32>> = rows
        .iter()
        .map(|row| row.iter().flat_map(|&c| columns[c as usize].iter().copied()).collect())
        .collect();
    let mut degree: Vec<usize> = neighbours.iter().map(BTreeSet::len).collect();
    let mut open: BTreeSet<(usize, usize)> =
        degree.iter().enumerate().map(|(i, &degree)| (degree, i)).collect();
    let mut chosen = Vec::new();
    while let Some((_, i)) = open.pop_first() {
        chosen.push(i);
        for &j in neighbours[i].iter().filter(|&&j| j as usize != i) {
            let j = j as usize;
            if !open.remove(&(degree[j], j)) {
                continue;
            }
            for &k in &neighbours[j] {
                let k = k as usize;
                if open.remove(&(degree[k], k)) {
                    degree[k] -= 1;
                    open.insert((degree[k], k));
                }
            }
        }
    }
    chosen
}

/// Weights of the rows such that the rows of no column weigh more than one.
fn weights(rows: &[Row], columns: &Columns, spend: &mut dyn FnMut(u64) -> Result<()>) -> Result<Vec<u64>> {
    let mut weights = relax(rows, columns, vec![f64::NAN; rows.len()], STEPS, usize::MAX, spend)?.multipliers;
    let weight = |weights: &[i64], rows: &[u32]| rows.iter().map(|&row| weights[row as usize]).sum::<i64>();
    for column in columns.iter() {
        let mut excess = weight(&weights, column) - UNIT;
        // Lower rows of many columns first: their weight counts in more columns.
        let mut mine: Vec<usize> = column.iter().map(|&row| row as usize).collect();
        mine.sort_by_key(|&row| (Reverse(rows[row].len()), row));
        for row in mine {
            let less = excess.clamp(0, weights[row]);
            weights[row] -= less;
            excess -= less;
        }
    }
    let mut room: Vec<i64> = columns.iter().map(|column| UNIT - weight(&weights, column)).collect();
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&i| (rows[i].len(), i));
    for i in order {
        let more = rows[i].iter().map(|&c| room[c as usize]).min().unwrap_or(0);
        rows[i].iter().for_each(|&c| room[c as usize] -= more);
        weights[i] += more;
    }
    Ok(weights.into_iter().map(|weight| u64::try_from(weight).unwrap_or(0)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::care::set_cover::branch_and_bound::search;
    use proptest::prelude::*;

    /// A cycle of rows of two columns: if it is even, rows that share no column suffice; if it is odd, they are one too few.
    #[test]
    fn weights_are_for_where_rows_apart_are_too_few() {
        let cycle =
            |rows: u32| (0..rows).map(|i| vec![i.min((i + 1) % rows), i.max((i + 1) % rows)]).collect();
        let groups = packing(cycle(5), &mut |_| Ok(())).unwrap();
        let weight: u64 = groups[0].iter().map(|&(_, weight)| weight).sum();
        assert_eq!((groups.len(), weight.div_ceil(WHOLE)), (1, 3));
        let groups = packing(cycle(6), &mut |_| Ok(())).unwrap();
        assert_eq!(groups.len(), 3);
        assert!(groups.iter().all(|group| matches!(group[..], [(_, WHOLE)])));
    }

    proptest! {
        #[test]
        fn no_column_is_overweight_and_no_cover_smaller(
            rows in prop_oneof![
                prop::collection::vec(prop::collection::btree_set(0u32..30, 1..5), 0..50),
                // Rows that the reductions do not change.
                prop::collection::vec(prop::collection::btree_set(0u32..30, 2..5), 40..60),
            ],
        ) {
            let rows: Vec<Vec<u32>> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
            let groups = packing(rows.clone(), &mut |_| Ok(())).unwrap();
            for column in 0..30 {
                let weights = groups.iter().map(|group| {
                    let mine = group.iter().filter(|&&(row, _)| rows[row].contains(&column));
                    mine.map(|&(_, weight)| weight).sum::<u64>()
                });
                let weights: Vec<u64> = weights.filter(|&weight| weight > 0).collect();
                prop_assert!(weights.len() < 2 && weights.iter().all(|&weight| weight <= WHOLE));
            }
            let bound: u64 = groups.iter().map(|g| g.iter().map(|&(_, weight)| weight).sum::<u64>().div_ceil(WHOLE)).sum();
            let minimum = search(rows, 31, u64::MAX, false, &mut Vec::new(), &mut |_| Ok(())).unwrap();
            prop_assert!(bound <= minimum.lower as u64);
        }
    }
}
