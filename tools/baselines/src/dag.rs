//! A decision diagram with a level for each man and 64 branches a node, equal nodes merged. It follows the decision DAG of
//! Gomboc & Shelton's second paper (ECAI 2024) as far as the paper describes it.
//!
//! Two variants are tried and the smaller is kept: don't-cares as a value of their own, and, as a departure, don't-cares filled
//! with the value of the square before, so that more nodes are equal. A node whose children are all the same is left out.

use crate::cells::{self, DONT_CARE, Made, SQUARE_BITS};
use crate::diagram::{Level, Nodes, TERMINALS};
use anyhow::{Context, Result};
use cubebase::chess::retrograde::Table;
use std::collections::HashMap;

const BRANCHES: usize = 1 << SQUARE_BITS;

/// Returns the smaller of the two variants.
pub fn make(table: &Table) -> Result<Made> {
    let cells = cells::canonical_cells(table);
    let variants = [("none", false), ("filled", true)].map(|(name, fills)| {
        let made = merge(&cells, table.material().len(), fills).encode();
        (format!("{name}={}", made.bytes.len()), made)
    });
    let detail = variants.each_ref().map(|(size, _)| size.as_str()).join("; ");
    let (_, made) = variants.into_iter().min_by_key(|(_, made)| made.bytes.len()).context("no variants")?;
    Ok(Made { detail, ..made })
}

fn merge(cells: &[(usize, Vec<u8>)], men: usize, fills: bool) -> Nodes {
    let mut nodes = Nodes { bits: SQUARE_BITS as u8, ..Nodes::default() };
    let mut rows: Vec<Vec<u32>> = Vec::new();
    let mut next = TERMINALS;
    for man in 0..men {
        let mut known = HashMap::<[u32; BRANCHES], u32>::new();
        let mut level = Level { shift: (man * SQUARE_BITS) as u8, children: Vec::new() };
        let mut number = |mut row: [u32; BRANCHES]| {
            if fills {
                fill(&mut row);
            }
            if row.iter().all(|&child| child == row[0]) {
                return row[0];
            }
            *known.entry(row).or_insert_with(|| {
                level.children.extend(row);
                next += 1;
                next - 1
            })
        };
        rows = if man == 0 {
            let of_cells = |(_, cells): &(usize, Vec<u8>)| {
                cells.as_chunks().0.iter().map(|row: &[u8; BRANCHES]| number(row.map(u32::from))).collect()
            };
            cells.iter().map(of_cells).collect()
        } else {
            rows.iter().map(|rows| rows.as_chunks().0.iter().map(|row| number(*row)).collect()).collect()
        };
        nodes.levels.push(level);
    }
    nodes.roots = cells.iter().zip(rows).map(|((function, _), row)| (*function, row[0])).collect();
    nodes
}

/// Replaces each don't-care by the child before it, and don't-cares at the start by the first other child.
fn fill(row: &mut [u32; BRANCHES]) {
    let is_care = |child: &u32| *child != u32::from(DONT_CARE);
    let Some(mut last) = row.iter().copied().find(is_care) else { return };
    for child in row {
        if is_care(child) {
            last = *child;
        } else {
            *child = last;
        }
    }
}
