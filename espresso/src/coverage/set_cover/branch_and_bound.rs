//! Minimum set cover with proof, within a work limit: the smallest cover found, and a lower bound for every cover.
//!
//! The classical reductions come first (`set_cover`). The components of the rest are bounded by Lagrangian relaxation
//! (`lagrangian`). A column is dropped if its reduced cost exceeds the gap between the bound and the best cover, and chosen if
//! its reduced cost is negative by more than this gap. Then the search branches: into covers with a column and covers without it.
//! Follows Coudert, *On Solving Covering Problems* (1996), with the bound of Caprara, Fischetti and Toth (1999) in place of
//! independent rows.

use super::lagrangian::{Relaxed, UNIT, relax};
use super::{Columns, Row, Spend, components, numbered, reduce, transposed};
use crate::Result;
use crate::coverage::recursion::at_depth;

/// Steps of the relaxation at the root.
const ROOT_STEPS: u32 = 400;
/// The same for a short search, if there are no multipliers of an earlier one.
const SHORT_ROOT_STEPS: u32 = 150;
/// A search with a lower work limit is short.
const SHORT: u64 = 1 << 23;
/// Steps of the relaxation below the root; and at the root of a short search, from the multipliers of an earlier one.
const NODE_STEPS: u32 = 60;

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Searched {
    /// The smallest cover found with fewer than `cap` columns, ascending.
    pub(crate) columns: Option<Vec<u32>>,
    /// A lower bound: no cover has fewer columns. It is `cap` if no cover has fewer than `cap`.
    pub(crate) lower: usize,
}

/// Searches for a cover of `rows`, which are ascending and not empty, with fewer than `cap` columns. After a work of `limit`
/// table entries it returns the smallest cover and the bound so far. With `at_once`, it also returns as soon as the relaxation at
/// the root finds a cover with fewer than `cap` columns. Deterministic.
///
/// `multipliers` has a number for each row of an earlier search, and is empty without one; the earlier rows come first in `rows`.
/// This search replaces the multipliers by its own. Calls `spend` with the work done.
pub(crate) fn search(
    rows: Vec<Vec<u32>>,
    cap: usize,
    limit: u64,
    at_once: bool,
    multipliers: &mut Vec<f64>,
    spend: Spend<'_>,
) -> Result<Searched> {
    multipliers.resize(rows.len(), f64::NAN);
    let rows = numbered(rows);
    let mut search = Search { spend, limit, at_once, work: 0, multipliers, depth: 0 };
    let (columns, lower) = search.solve(rows, cap)?;
    let columns = columns.map(|mut columns| {
        columns.sort_unstable();
        columns.dedup();
        columns
    });
    Ok(Searched { columns, lower: lower.min(cap) })
}

struct Search<'s> {
    spend: Spend<'s>,
    limit: u64,
    at_once: bool,
    work: u64,
    /// For each row number, the row's multiplier in its last relaxation; NaN before the first one.
    multipliers: &'s mut Vec<f64>,
    depth: usize,
}

/// A cover with fewer columns than the cap, if one was found, and a lower bound.
type Found = (Option<Vec<u32>>, usize);

impl Search<'_> {
    fn work(&mut self, work: u64) -> Result<()> {
        self.work += work;
        (self.spend)(work)
    }

    fn is_spent(&self) -> bool {
        self.work >= self.limit
    }

    fn solve(&mut self, rows: Vec<Row>, cap: usize) -> Result<Found> {
        self.work(rows.iter().map(|row| row.len() as u64 + 1).sum())?;
        let mut chosen = Vec::new();
        let parts = components(reduce(rows, &mut chosen, self.spend)?);
        if chosen.len() >= cap {
            return Ok((None, chosen.len()));
        }
        let mut bounded = Vec::with_capacity(parts.len());
        let mut lower = chosen.len();
        for part in parts {
            let (part, labels) = relabelled(part);
            let columns = transposed(&part);
            let relaxed = self.relax(&part, &columns, cap - chosen.len())?;
            lower += relaxed.lower;
            bounded.push((part, labels, relaxed));
        }
        let covers: usize = bounded.iter().map(|(.., relaxed)| relaxed.cover.len()).sum();
        if self.at_once && self.depth == 0 && chosen.len() + covers < cap {
            for (_, labels, relaxed) in bounded {
                chosen.extend(relaxed.cover.into_iter().map(|column| labels[column as usize]));
            }
            return Ok((Some(chosen), lower));
        }
        // For a finished component, `used` counts the columns of its cover, and `exact` its lower bound. For the other components
        // both count the bound of the relaxation.
        let (mut used, mut exact) = (lower, lower);
        for (part, labels, relaxed) in bounded {
            if used >= cap {
                return Ok((None, exact));
            }
            let least = relaxed.lower;
            let room = cap - (used - least);
            self.depth += 1;
            let searched = at_depth(self.depth, || self.branch(part, relaxed, room));
            self.depth -= 1;
            let (found, bound) = searched?;
            exact += bound - least;
            let Some(found) = found else { return Ok((None, exact)) };
            used += found.len() - least;
            chosen.extend(found.into_iter().map(|column| labels[column as usize]));
        }
        Ok((Some(chosen).filter(|chosen| chosen.len() < cap), exact))
    }

    fn relax(&mut self, rows: &[Row], columns: &Columns, cap: usize) -> Result<Relaxed> {
        let start: Vec<f64> = rows.iter().map(|row| self.multipliers[row.id as usize]).collect();
        let steps = match self.depth {
            0 if self.limit >= SHORT => ROOT_STEPS,
            0 if start.iter().all(|offer| offer.is_nan()) => SHORT_ROOT_STEPS,
            _ => NODE_STEPS,
        };
        let Search { work, spend, .. } = self;
        let relaxed = relax(rows, columns, start, steps, cap, &mut |more| {
            *work += more;
            spend(more)
        })?;
        for (row, &offer) in rows.iter().zip(&relaxed.multipliers) {
            self.multipliers[row.id as usize] = offer as f64 / UNIT as f64;
        }
        Ok(relaxed)
    }

    /// Searches one reduced and relaxed component for a cover with fewer than `cap` columns. The bound is at least that of the
    /// relaxation.
    fn branch(&mut self, rows: Vec<Row>, relaxed: Relaxed, cap: usize) -> Result<Found> {
        let Relaxed { value, lower, reduced, cover, .. } = relaxed;
        let mut best = Some(cover.clone()).filter(|cover| cover.len() < cap);
        let mut wanted = best.as_ref().map_or(cap, Vec::len);
        if lower >= wanted {
            return Ok((best, wanted.max(lower)));
        }
        if self.is_spent() {
            return Ok((best, lower));
        }
        let least = i64::try_from(wanted).unwrap_or(i64::MAX / UNIT) - 1;
        let room = least * UNIT - value;
        let is_out = |c: u32| reduced[c as usize] > room;
        let is_in = |c: u32| reduced[c as usize] < -room;
        let mut fixed: Vec<u32> =
            rows.iter().flat_map(|row| row.iter().copied()).filter(|&c| is_in(c)).collect();
        fixed.sort_unstable();
        fixed.dedup();
        let is_narrowed = !fixed.is_empty() || rows.iter().any(|row| row.iter().any(|&c| is_out(c)));
        if is_narrowed {
            let narrowed = without(rows, |row| !row.iter().any(|&c| is_in(c)), |c| !is_out(c));
            let bound = match narrowed {
                Some(rows) if fixed.len() < wanted => {
                    let (found, bound) = self.solve(rows, wanted - fixed.len())?;
                    if let Some(found) = found {
                        best = Some([fixed.clone(), found].concat());
                    }
                    bound + fixed.len()
                }
                _ => wanted,
            };
            return Ok((best, bound.clamp(lower, wanted)));
        }
        // Branch on one column of the cover: that with the smallest reduced cost.
        let Some(&column) = cover.iter().min_by_key(|&&c| (reduced[c as usize], c)) else {
            return Ok((best, lower));
        };
        let with = rows.iter().filter(|row| row.binary_search(&column).is_err()).cloned().collect();
        let (found, mut bound) = self.solve(with, wanted - 1)?;
        bound += 1;
        if let Some(mut found) = found {
            found.push(column);
            wanted = found.len();
            best = Some(found);
        }
        let left_out = without(rows, |_| true, |c| c != column);
        if let Some(rows) = left_out {
            let (found, other) = if self.is_spent() { (None, 0) } else { self.solve(rows, wanted)? };
            bound = bound.min(other);
            if let Some(found) = found {
                wanted = found.len();
                best = Some(found);
            }
        }
        Ok((best, bound.min(wanted).max(lower)))
    }
}

/// The kept rows with the kept columns; `None` if a row loses all its columns.
fn without(rows: Vec<Row>, is_kept: impl Fn(&Row) -> bool, stays: impl Fn(u32) -> bool) -> Option<Vec<Row>> {
    let mut kept = Vec::with_capacity(rows.len());
    for mut row in rows.into_iter().filter(is_kept) {
        row.columns.retain(|&column| stays(column));
        if row.is_empty() {
            return None;
        }
        kept.push(row);
    }
    Some(kept)
}

/// The rows with columns renumbered from zero, and the old numbers of the columns.
fn relabelled(mut rows: Vec<Row>) -> (Vec<Row>, Vec<u32>) {
    let mut labels: Vec<u32> = rows.iter().flat_map(|row| row.iter().copied()).collect();
    labels.sort_unstable();
    labels.dedup();
    for column in rows.iter_mut().flat_map(|row| &mut row.columns) {
        *column = labels.partition_point(|label| label < column) as u32;
    }
    (rows, labels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::set_cover::small_cover;
    use proptest::prelude::*;

    fn all(rows: Vec<Vec<u32>>, cap: usize, limit: u64) -> Searched {
        search(rows, cap, limit, false, &mut Vec::new(), &mut |_| Ok(())).unwrap()
    }

    /// Whether the columns of the set `chosen` and `left` others can cover the rows. Tries each column of the shortest row that
    /// `chosen` does not cover.
    fn is_coverable(rows: &[u32], chosen: u32, left: usize) -> bool {
        let open = rows.iter().filter(|&&row| row & chosen == 0).min_by_key(|row| row.count_ones());
        open.is_none_or(|row| {
            left > 0 && (0..32).any(|c| row >> c & 1 == 1 && is_coverable(rows, chosen | 1 << c, left - 1))
        })
    }

    /// The size of a minimum cover.
    fn fewest(rows: &[Vec<u32>]) -> usize {
        let masks: Vec<u32> = rows.iter().map(|row| row.iter().fold(0, |mask, c| mask | 1 << c)).collect();
        (0..=rows.len()).find(|&columns| is_coverable(&masks, 0, columns)).unwrap()
    }

    /// Rows that the reductions solve, rows that they do not change, and rows whose relaxation has an integral value. Of the last
    /// kind, each row has one column of every group, so that the columns of a group partition the rows.
    fn rows() -> impl Strategy<Value = Vec<Vec<u32>>> {
        let any = |columns: u32, sizes, counts| {
            let row = prop::collection::btree_set(0..columns, sizes);
            prop::collection::vec(row.prop_map(|row| row.into_iter().collect()), counts)
        };
        let orders = prop::collection::vec(Just((0..24u32).collect::<Vec<_>>()).prop_shuffle(), 5);
        let shared = orders.prop_map(|orders| {
            let column =
                |group: u32, order: &[u32], row: usize| orders[4][(group * 6 + order[row] / 4) as usize];
            let columns =
                |row| (0..4).map(|group| column(group, &orders[group as usize], row)).collect::<Vec<_>>();
            (0..24).map(columns).map(sorted).collect()
        });
        prop_oneof![1 => any(12, 1..5, 0..24), 3 => any(30, 2..5, 40..60), 1 => shared]
    }

    fn sorted(mut row: Vec<u32>) -> Vec<u32> {
        row.sort_unstable();
        row
    }

    #[test]
    fn the_bound_of_a_projective_plane_is_reached_by_branching() {
        // The value of its relaxation is 7/3.
        let lines = [[0, 1, 2], [0, 3, 4], [0, 5, 6], [1, 3, 5], [1, 4, 6], [2, 3, 6], [2, 4, 5]];
        let found = all(lines.iter().map(|line| line.to_vec()).collect(), 7, 1 << 20);
        assert_eq!((found.columns.unwrap().len(), found.lower), (3, 3));
    }

    proptest! {
        #[test]
        fn the_minimum_is_found(rows in rows(), more in -1..3_isize) {
            let fewest = fewest(&rows);
            let cap = fewest.saturating_add_signed(more).max(1);
            let found = all(rows.clone(), cap, u64::MAX);
            prop_assert_eq!(found.lower, fewest.min(cap));
            prop_assert_eq!(found.columns.is_some(), fewest < cap);
            if let Some(columns) = found.columns {
                prop_assert_eq!(columns.len(), fewest);
                prop_assert!(rows.iter().all(|row| row.iter().any(|c| columns.binary_search(c).is_ok())));
            }
        }

        /// The bound holds wherever a search ends, at the root or at a branch.
        #[test]
        fn a_bound_without_effort_is_a_bound(rows in rows(), limit in (0..22).prop_map(|bit| 1u64 << bit)) {
            let most = small_cover(rows.clone(), &mut |_| Ok(())).unwrap().len() + 1;
            let [none, part, whole] = [0, limit, u64::MAX].map(|limit| all(rows.clone(), most, limit));
            prop_assert!(none.lower <= part.lower && part.lower <= whole.lower);
            if let Some(columns) = part.columns {
                prop_assert!(columns.len() >= whole.lower);
                prop_assert!(rows.iter().all(|row| row.iter().any(|c| columns.binary_search(c).is_ok())));
            }
        }
    }
}
