//! Rankings: a level for each won position, such that the attacker can force a lower level, mate or a zeroing move within a few pairs
//! of moves. docs/decisions/rankings.md has the theory.
//!
//! A ranking is chosen level by level (`choose`), by the positions from which play can be forced into a set (`forcing`), with
//! several controls in turn; the smallest tree stays. Its file is that of distances with levels in their place.

mod choose;
mod forcing;
#[cfg(test)]
mod tests;
mod verify;

pub use verify::verify_ranking;

use super::chess_rows::ChessRows;
use super::code_lengths::CodeLengths;
use super::distances::{blank, coded, costs_with, fitted_lengths, tree_of};
use super::memory::{check, check_memory_of_distances, check_rows, table_bytes};
use super::shortest::Shortest;
use super::{BuiltDistances, Options, Symmetries};
use crate::chess::position::{Color, Wdl};
use crate::chess::retrograde::Table;
use crate::error::{Error, ErrorKind, Result};
use crate::learner::{ClassTree, CostModel, Rows, StagedRows, TreeOptions};
use crate::outcome::FIFTY_MOVES;
use crate::pcn::{DistanceFile, DistanceTree};
use choose::{Controls, Goal, leaf_bits};
use espresso::Progress;
use forcing::Forcing;
use std::collections::BTreeSet;

/// The most pairs of moves within which a level falls.
pub const MOST_PAIRS: u8 = 3;

/// The pairs of moves that may pass before the 50th move of the attacker, which mates or zeroes.
pub(super) const MOST_PLAYED: u8 = (FIFTY_MOVES / 2 - 1) as u8;

/// The greatest level.
pub(super) const MOST_LEVELS: u8 = u8::MAX - 1;

/// The number of controls that an effort tries.
const fn trials(effort: u8) -> usize {
    match effort {
        ..=1 => 1,
        2 => 6,
        3 => 12,
        4.. => 40,
    }
}

/// Returns the file of a ranking of `table`, whose metric is that to zeroing. It falls within `pairs` pairs of moves, from 1 to
/// [`MOST_PAIRS`]. The file is decoded and checked on every won position.
///
/// # Errors
/// As [`build`](super::build); [`ErrorKind::BadInput`] if a win takes 100 plies, which leaves play by levels no ply.
pub fn build_ranking(table: &Table, pairs: u8, options: &Options<'_>) -> Result<BuiltDistances> {
    let material = *table.material();
    check_memory_of_distances(&[material], options)?;
    let model = options.model_of_distances();
    let (mut sides, mut leaves, mut positions) = (Vec::new(), 0, 0);
    for &turn in material.stored_turns() {
        let anchor = turn.other().index();
        let left = pairs_left(table, turn);
        if left.iter().any(|&left| left > MOST_PLAYED) {
            let why = format!("no ranking of {material}: a win takes 100 plies; its distances can be stored");
            return Err(Error::new(ErrorKind::BadInput, why));
        }
        let count = left.iter().filter(|&&left| left > 0).count();
        positions += count as u64;
        let tree = if count == 0 { None } else { Some(tree_of_side(table, turn, &left, pairs, options)?) };
        leaves += tree.as_ref().map_or(0, |tree| tree.leaves.len());
        sides.push((anchor, tree));
    }
    let (pairs, table_hash) = (Some(pairs), table.hash());
    let bytes = DistanceFile { material, model, table_hash, pairs, sides }.encode()?;
    verify_ranking(&bytes, table, Symmetries::One, options.memory, options.progress)?;
    Ok(BuiltDistances { bytes, model, leaves, positions })
}

/// By slot, the pairs of moves before the one that mates or zeroes, with the shortest play; 0 for other positions than those that
/// have a level.
fn pairs_left(table: &Table, turn: Color) -> Vec<u8> {
    let Some(side) = table.side(turn) else { return Vec::new() };
    let of_slot = |slot: u64| match side.distances.get(slot as usize) {
        Some(plies @ 2..=FIFTY_MOVES) if side.outcome(slot) == Some(Wdl::Win) => (plies / 2) as u8,
        _ => 0,
    };
    (0..table.slots()).map(of_slot).collect()
}

/// Returns the smallest tree of a ranking that is found for the positions with `turn` to move.
fn tree_of_side(
    table: &Table,
    turn: Color,
    left: &[u8],
    pairs: u8,
    options: &Options<'_>,
) -> Result<DistanceTree> {
    let variables = options.model_of_distances().variable_set(table.material());
    let side = (turn, turn.other().index());
    let rows = ChessRows::of_levels(table, &variables, side, left);
    let parts = rows.parts().to_vec();
    check_rows(table.material(), rows.count(), &variables, options.memory)?;
    let growing = TreeOptions { width: 1, progress: options.progress, ..TreeOptions::default() };
    let mut lengths = CodeLengths::fresh(&parts, 1);
    let mut staged = StagedRows::new(&rows, &costs_with(&lengths, &parts, |_| 0.0), &growing);
    let slots: Vec<u32> = staged
        .numbers
        .iter()
        .map(|&number| {
            let position = rows.position((number >> 32) as usize, number as u32);
            table.index().rank_any(&position).1 as u32
        })
        .collect();
    let sets = Forcing::bytes(table.slots(), pairs);
    let needed = table_bytes(table.material(), table.metric()) + sets + 64 * slots.len() as u64;
    check(&table.material().to_string(), needed, options.memory, "choosing a ranking takes about")?;
    let goal = Goal { forcing: &Forcing::new(table, turn)?, slots: &slots, left, pairs };
    let mut best: Option<(usize, ClassTree, Vec<u8>)> = None;
    let (mut tried, mut at) = (BTreeSet::new(), Controls::FIRST);
    loop {
        // Until a ranking is found, levels are given sooner and sooner.
        let next = if best.is_none() && !tried.is_empty() { Some(at.sooner()) } else { at.untried(&tried) };
        let is_over = best.is_some() && tried.len() >= trials(options.effort);
        let Some(controls) = next.filter(|next| !is_over && !tried.contains(next)) else { break };
        let done = tried.len() as u64;
        options.progress.report(&Progress::new(
            "rankings",
            done,
            Some(trials(options.effort) as u64),
            "tried",
        ))?;
        tried.insert(controls);
        let costs = |reward: f32| -> CostModel<'static> {
            costs_with(&lengths, &parts, move |counts| leaf_bits(counts, reward))
        };
        let most_leaves = best.as_ref().map_or(usize::MAX, |(_, grown, _)| grown.nodes.len() / 2 * 5 / 4 + 8);
        let Some(chosen) = goal.choose(&mut staged, controls, costs, &growing, most_leaves)? else {
            at = if best.is_none() { controls } else { at };
            continue;
        };
        let grown = chosen.class_tree(&staged.numbers);
        let (tree, equations) = blank(&grown, (1..=u16::from(chosen.used)).collect());
        let bytes = tree.node_bytes(&parts)? + equations as usize / 8;
        if best.as_ref().is_none_or(|(least, ..)| bytes < *least) {
            at = controls;
            lengths = fitted_lengths(&tree, &parts);
            let mut levels = vec![0; left.len()];
            slots.iter().zip(&chosen.levels).for_each(|(&slot, &level)| levels[slot as usize] = level);
            best = Some((bytes, grown, levels));
        }
    }
    drop(staged);
    let bytes = |tree: &DistanceTree| Ok(tree.node_bytes(&parts)? + tree.function.memory());
    let mut smallest = Shortest::new();
    let longest = left.iter().copied().max().unwrap_or(0);
    if best.is_none() || 2 * longest > MOST_PLAYED {
        // With little slack, levels of as many pairs of moves as play looks ahead, which are distances in larger units, can be smaller.
        let levels: Vec<u8> = left.iter().map(|left| left.div_ceil(pairs)).collect();
        smallest.offer(
            tree_of(&ChessRows::of_levels(table, &variables, side, &levels), options, &mut 0)?,
            0.0,
            bytes,
        )?;
    }
    if let Some((_, grown, levels)) = best {
        smallest.offer(
            coded(&grown, &ChessRows::of_levels(table, &variables, side, &levels), options)?,
            0.0,
            bytes,
        )?;
    }
    Ok(smallest.into_inner().expect("one tree at least"))
}
