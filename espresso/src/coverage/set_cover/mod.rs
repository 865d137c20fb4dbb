//! Set cover: few columns such that every row has one of them.
//!
//! The end of IRREDUNDANT is such a problem (Brayton et al. 1984, section 4.5). First the classical reductions: the column
//! of a row with one column is essential; a row that contains another row is implied by it; a column whose rows are all in
//! another column is dominated. The rest splits into components, which are covered greedily, and then pruned. Departure: no
//! limit on the number of rows or columns; large components are reduced only now and then. Tried without success: a branch and
//! bound of small components, which saved one cube in thirty thousand. For a minimum with proof, `branch_and_bound` continues from
//! the same reductions.

pub(crate) mod branch_and_bound;
mod lagrangian;

use crate::Result;
use std::ops::{Deref, Index};

/// Limit on the rows of a component that is reduced after each choice.
const MOST_ROWS: usize = 300;

/// The columns of a row, ascending, and the number of the row in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    id: u32,
    columns: Vec<u32>,
}

impl Deref for Row {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.columns
    }
}

/// The nonempty rows with their numbers.
fn numbered(rows: Vec<Vec<u32>>) -> Vec<Row> {
    let numbered = rows.into_iter().enumerate().map(|(id, columns)| Row { id: id as u32, columns });
    numbered.filter(|row| !row.is_empty()).collect()
}

/// Returns a small irredundant set of columns, ascending, such that each row has one of them.
///
/// `rows` are ascending lists of columns; an empty row cannot be covered and is ignored. Calls `spend` with the work done, in
/// entries of rows, and returns its error. Deterministic.
pub(crate) fn small_cover(rows: Vec<Vec<u32>>, spend: Spend<'_>) -> Result<Vec<u32>> {
    let mut chosen = Vec::new();
    let all = drop_implied(numbered(rows), spend)?;
    solve(all.clone(), &mut chosen, spend)?;
    Ok(prune(&all, chosen))
}

/// Takes the work done since the last call. Fails over a limit and on cancellation.
type Spend<'s> = &'s mut (dyn FnMut(u64) -> Result<()> + Send);

/// Steps of a reduction between two calls of `spend` with zero, which notice a cancellation.
const UNREPORTED: usize = 1 << 16;

fn entries(rows: &[Row]) -> u64 {
    rows.iter().map(|row| row.len() as u64).sum()
}

/// Covers components greedily. Of a large one, a tenth of the rows is covered, then the rest is reduced again.
fn solve(rows: Vec<Row>, chosen: &mut Vec<u32>, spend: Spend<'_>) -> Result<()> {
    let mut open = vec![rows];
    while let Some(rows) = open.pop() {
        spend(entries(&rows))?;
        for mut rows in components(reduce(rows, chosen, spend)?) {
            if rows.len() <= MOST_ROWS {
                chosen.extend(greedy(rows, spend)?);
                continue;
            }
            let until = rows.len() - rows.len() / 10;
            while rows.len() >= until {
                spend(entries(&rows))?;
                let Some(column) = heaviest(&rows) else { break };
                chosen.push(column);
                rows.retain(|row| row.binary_search(&column).is_err());
            }
            open.push(rows);
        }
    }
    Ok(())
}

/// Chooses greedily, reducing after each choice.
fn greedy(mut rows: Vec<Row>, spend: Spend<'_>) -> Result<Vec<u32>> {
    let mut chosen = Vec::new();
    let all = rows.clone();
    while let Some(column) = heaviest(&rows) {
        spend(entries(&rows))?;
        chosen.push(column);
        rows.retain(|row| row.binary_search(&column).is_err());
        rows = reduce(rows, &mut chosen, spend)?;
    }
    Ok(prune(&all, chosen))
}

/// The column with the largest weight, where a row of k columns adds 1 / (k - 1) to each; the lowest among equals.
fn heaviest(rows: &[Row]) -> Option<u32> {
    let mut weights = vec![0.0f64; width(rows)];
    for row in rows {
        for &column in row.iter() {
            weights[column as usize] += 1.0 / (row.len() as f64 - 1.0).max(0.5);
        }
    }
    let mut best = None;
    for (column, &weight) in weights.iter().enumerate() {
        if weight > best.map_or(0.0, |(_, most)| most) {
            best = Some((column as u32, weight));
        }
    }
    best.map(|(column, _)| column)
}

/// Applies the three reductions until none changes anything; essential columns go to `chosen`.
fn reduce(mut rows: Vec<Row>, chosen: &mut Vec<u32>, spend: Spend<'_>) -> Result<Vec<Row>> {
    loop {
        rows = drop_implied(rows, spend)?;
        // No row occurs twice; rows of one column come first, sorted by column.
        let singles = rows.partition_point(|row| row.len() == 1);
        if singles > 0 {
            let mut is_essential = vec![false; width(&rows)];
            for row in &rows[..singles] {
                is_essential[row[0] as usize] = true;
                chosen.push(row[0]);
            }
            rows.retain(|row| !row.iter().any(|&column| is_essential[column as usize]));
        }
        if !drop_dominated(&mut rows, spend)? {
            return Ok(rows);
        }
    }
}

/// One more than the highest column.
fn width(rows: &[Row]) -> usize {
    rows.iter().filter_map(|row| row.last()).max().map_or(0, |&column| column as usize + 1)
}

/// The rows of each column, ascending, one column after the other.
struct Columns {
    /// For each column the start of its rows, and the end of all.
    starts: Vec<u32>,
    rows: Vec<u32>,
}

impl Columns {
    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|column| &self[column])
    }
}

impl Index<usize> for Columns {
    type Output = [u32];

    fn index(&self, column: usize) -> &[u32] {
        &self.rows[self.starts[column] as usize..self.starts[column + 1] as usize]
    }
}

fn transposed(rows: &[Row]) -> Columns {
    // While rows are added, `starts[column + 1]` is the end of the rows of `column` so far.
    let mut starts = vec![0; width(rows) + 2];
    rows.iter().flat_map(|row| row.iter()).for_each(|&column| starts[column as usize + 2] += 1);
    (2..starts.len()).for_each(|column| starts[column] += starts[column - 1]);
    let mut list = vec![0; starts.last().map_or(0, |&end| end as usize)];
    for (i, row) in rows.iter().enumerate() {
        for &column in row.iter() {
            let at = &mut starts[column as usize + 1];
            list[*at as usize] = i as u32;
            *at += 1;
        }
    }
    starts.pop();
    Columns { starts, rows: list }
}

/// Adds `more` to `steps`, and calls `spend` with zero after each [`UNREPORTED`] steps.
fn notice(spend: Spend<'_>, steps: &mut usize, more: usize) -> Result<()> {
    let before = *steps / UNREPORTED;
    *steps += more;
    if *steps / UNREPORTED > before { spend(0) } else { Ok(()) }
}

/// Drops repeated rows and rows that contain another.
fn drop_implied(mut rows: Vec<Row>, spend: Spend<'_>) -> Result<Vec<Row>> {
    rows.sort_unstable_by(|a, b| (a.len(), &a.columns, a.id).cmp(&(b.len(), &b.columns, b.id)));
    rows.dedup_by(|a, b| a.columns == b.columns);
    let columns = width(&rows);
    let mut uses = vec![0u32; columns];
    rows.iter().flat_map(|row| row.iter()).for_each(|&column| uses[column as usize] += 1);
    // Each kept row is filed under its rarest column. A row that contains the kept row also has this column. `links` holds, for
    // each kept row, the next row filed under the same column, and the residues of the kept row.
    let mut filed = vec![u32::MAX; columns];
    let mut links: Vec<(u32, u64)> = Vec::new();
    let mut kept: Vec<Row> = Vec::new();
    let mut steps = 0;
    for row in rows {
        let mine = residues(&row);
        let mut compared = row.len();
        let mut is_implied_by = |first: u32| {
            let mut next = first;
            while let Some(&(following, theirs)) = links.get(next as usize) {
                compared += 1;
                if theirs & !mine == 0 && is_subset(&kept[next as usize], &row) {
                    return true;
                }
                next = following;
            }
            false
        };
        let implied = row.iter().any(|&column| is_implied_by(filed[column as usize]));
        notice(spend, &mut steps, compared)?;
        if !implied && let Some(&rarest) = row.iter().min_by_key(|&&column| uses[column as usize]) {
            links.push((std::mem::replace(&mut filed[rarest as usize], kept.len() as u32), mine));
            kept.push(row);
        }
    }
    Ok(kept)
}

/// The residues modulo 64 of the numbers in a list. A list that contains another has all residues of the other.
fn residues(list: &[u32]) -> u64 {
    list.iter().fold(0, |residues, &number| residues | 1 << (number % 64))
}

/// Removes from the rows the columns whose rows are all rows of another column; of two equal columns the higher.
fn drop_dominated(rows: &mut [Row], spend: Spend<'_>) -> Result<bool> {
    let columns = transposed(rows);
    let residues: Vec<u64> = columns.iter().map(residues).collect();
    let mut dropped = vec![false; columns.len()];
    let mut steps = 0;
    for (c, mine) in columns.iter().enumerate() {
        let Some(&shortest) = mine.iter().min_by_key(|&&row| rows[row as usize].len()) else { continue };
        notice(spend, &mut steps, mine.len() + rows[shortest as usize].len())?;
        dropped[c] = rows[shortest as usize].iter().map(|&d| d as usize).any(|d| {
            d != c
                && residues[c] & !residues[d] == 0
                && !dropped[d]
                && (columns[d].len() > mine.len() || columns[d].len() == mine.len() && d < c)
                && is_subset(mine, &columns[d])
        });
    }
    let any = dropped.contains(&true);
    if any {
        for row in rows {
            row.columns.retain(|&column| !dropped[column as usize]);
        }
    }
    Ok(any)
}

fn is_subset(a: &[u32], b: &[u32]) -> bool {
    let mut rest = b.iter();
    a.len() <= b.len() && a.iter().all(|x| rest.by_ref().find(|&y| y >= x) == Some(x))
}

/// The lowest element of the set of `x`, its root: union-find with path halving (Tarjan and van Leeuwen 1984). The parent of an
/// element is a lower element of the same set; the root is its own parent.
fn root(parent: &mut [usize], mut x: usize) -> usize {
    while parent[x] != x {
        parent[x] = parent[parent[x]];
        x = parent[x];
    }
    x
}

/// Unites the sets of `a` and `b`.
fn unite(parent: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(parent, a), root(parent, b));
    parent[a.max(b)] = a.min(b);
}

/// The components of the rows, which share no column with each other, in order of their first rows.
fn components(rows: Vec<Row>) -> Vec<Vec<Row>> {
    let count = width(&rows);
    let mut parent: Vec<usize> = (0..count).collect();
    for row in &rows {
        row.iter().for_each(|&column| unite(&mut parent, row[0] as usize, column as usize));
    }
    let mut group = vec![usize::MAX; count];
    let mut groups: Vec<Vec<Row>> = Vec::new();
    for row in rows {
        let at = root(&mut parent, row[0] as usize);
        if group[at] == usize::MAX {
            group[at] = groups.len();
            groups.push(Vec::new());
        }
        groups[group[at]].push(row);
    }
    groups
}

/// Drops each chosen column whose rows all have another chosen column, the last chosen first. Sorts the rest.
fn prune(rows: &[Row], mut chosen: Vec<u32>) -> Vec<u32> {
    let columns = transposed(rows);
    let mut covered = vec![0u32; rows.len()];
    for &column in &chosen {
        columns[column as usize].iter().for_each(|&row| covered[row as usize] += 1);
    }
    for i in (0..chosen.len()).rev() {
        let mine = &columns[chosen[i] as usize];
        if mine.iter().all(|&row| covered[row as usize] > 1) {
            for &row in mine {
                covered[row as usize] -= 1;
            }
            chosen.remove(i);
        }
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::draw;
    use crate::{Error, ErrorKind};
    use std::collections::BTreeSet;

    fn rows(text: &str) -> Vec<Vec<u32>> {
        text.split(';').map(|row| row.split_whitespace().map(|c| c.parse().unwrap()).collect()).collect()
    }

    #[test]
    fn covers_are_small() {
        for (text, columns) in [
            ("", 0),
            ("3; 1 2; 2 3; 1 4", 2),
            // A cycle.
            ("0 1; 1 2; 2 3; 3 4; 0 4", 3),
            // The projective plane of seven points.
            ("0 1 2; 0 3 4; 0 5 6; 1 3 5; 1 4 6; 2 3 6; 2 4 5", 3),
        ] {
            let cover = small_cover(rows(text), &mut |_| Ok(())).unwrap();
            assert_eq!(cover.len(), columns, "{text}");
            let is_covered =
                |row: &Vec<u32>| row.is_empty() || row.iter().any(|column| cover.contains(column));
            assert!(rows(text).iter().all(is_covered), "{text}");
        }
    }

    /// A cancellation is noticed while many pairs of rows are compared without a reduction.
    #[test]
    fn reductions_can_be_cancelled() {
        let rows: Vec<Vec<u32>> = (0..20_000).map(|row| vec![0, 1 + row % 150, 151 + row / 150]).collect();
        let mut calls = 0;
        let stopped = drop_implied(numbered(rows), &mut |work| {
            calls += 1;
            assert_eq!(work, 0);
            if calls < 3 { Ok(()) } else { Err(Error::new(ErrorKind::Cancelled, "cancelled")) }
        });
        assert_eq!((stopped.unwrap_err().kind(), calls), (ErrorKind::Cancelled, 3));
    }

    /// Large components are pruned too.
    #[test]
    fn no_column_is_chosen_without_need() {
        for series in 0..60 {
            let row = |row: usize| {
                let column = |at| (draw(series, 4 * row as u64 + at) % 150) as u32;
                (0..4).map(column).collect::<BTreeSet<u32>>().into_iter().collect()
            };
            let rows: Vec<Vec<u32>> = (0..MOST_ROWS + 150).map(row).collect();
            let cover = small_cover(rows.clone(), &mut |_| Ok(())).unwrap();
            let chosen = |row: &Vec<u32>| row.iter().filter(|column| cover.contains(column)).count();
            assert!(rows.iter().all(|row| chosen(row) > 0));
            let is_needed = |column: &u32| rows.iter().any(|row| row.contains(column) && chosen(row) == 1);
            assert!(cover.iter().all(is_needed), "{series}");
            let stopped = small_cover(rows, &mut |_| Err(Error::new(ErrorKind::Cancelled, "cancelled")));
            assert_eq!(stopped.unwrap_err().kind(), ErrorKind::Cancelled);
        }
    }
}
