//! The exhaustive check of a ranking: on every won position, the attacker can force a lower level, mate or a conversion.

use super::forcing::Forcing;
use super::{MOST_PAIRS, most_levels, pairs_left};
use crate::chess::position::Position;
use crate::chess::retrograde::Table;
use crate::error::{Error, ErrorKind, Result};
use crate::pipeline::Symmetries;
use crate::pipeline::verify::{distinct_images, sum_over};
use crate::probe::{DistanceProber, WonDistance};
use espresso::Monitor;
use std::sync::atomic::{AtomicU8, Ordering};

/// Decodes the level of every position to which a ranking with these bytes gives one, for these images of the canonical positions,
/// and checks that the levels are a ranking of `table`: who plays by them from a fresh counter mates or converts within 50 moves.
/// Returns the number of levels decoded.
///
/// # Errors
/// Those of [`verify_distances`](crate::pipeline::verify_distances).
pub fn verify_ranking(
    bytes: &[u8],
    table: &Table,
    symmetries: Symmetries,
    progress: Monitor<'_>,
) -> Result<u64> {
    let prober = DistanceProber::of_trusted(bytes)?;
    let material = table.material();
    let refuse = |why: String| Err(Error::new(ErrorKind::Mismatch, format!("{material}: {why}")));
    if prober.table_hash() != table.hash() {
        return refuse("the ranking is of another outcome table".into());
    }
    let Some(pairs @ 1..=MOST_PAIRS) = prober.pairs() else {
        return refuse(format!("a ranking falls within 1 to {MOST_PAIRS} pairs of moves"));
    };
    let turns = material.stored_turns();
    let left: Vec<Vec<u8>> = turns.iter().map(|&turn| pairs_left(table, turn)).collect();
    let levels: Vec<Vec<AtomicU8>> =
        left.iter().map(|left| left.iter().map(|_| AtomicU8::new(0)).collect()).collect();
    let decoded = sum_over(table, progress, |position, _| {
        let (turn, slot) = table.index().rank_any(position);
        let (side, slot) = (turn.index(), slot as usize);
        if left[side][slot] == 0 {
            return Ok(0);
        }
        let check = |image: &Position| {
            let (WonDistance::Exact(level) | WonDistance::UnlessZeroing(level)) =
                prober.distance(image.packed(), image.en_passant(), image.turn())?;
            let before = levels[side][slot].swap(level as u8, Ordering::Relaxed);
            if !(1..=most_levels(pairs).into()).contains(&level) || before > 0 && u32::from(before) != level {
                return refuse(format!(
                    "level {level} is out of range or not that of an image: {}",
                    image.to_fen()
                ));
            }
            Ok(1)
        };
        distinct_images(position, symmetries.of(material)).try_fold(0, |sum, image| Ok(sum + check(&image)?))
    })?;
    for (&turn, levels) in turns.iter().zip(levels) {
        let levels: Vec<u8> = levels.into_iter().map(AtomicU8::into_inner).collect();
        if let Some(slot) = first_that_does_not_fall(&Forcing::new(table, turn)?, &levels, pairs)? {
            let fen = table.positions_in(turn, slot..slot + 1).next().map(|(position, _)| position.to_fen());
            return refuse(format!(
                "level {} does not fall: {}",
                levels[slot as usize],
                fen.unwrap_or_default()
            ));
        }
    }
    Ok(decoded)
}

/// The first slot from which the attacker cannot force a lower level; a level of 0 is none.
pub(super) fn first_that_does_not_fall(forcing: &Forcing, levels: &[u8], pairs: u8) -> Result<Option<u64>> {
    let (mut below, mut reach) = (forcing.ended()?, forcing.reach(pairs)?);
    let mut by_level = vec![Vec::new(); 256];
    for (slot, &level) in (0..).zip(levels).filter(|(_, level)| **level > 0) {
        by_level[usize::from(level)].push(slot);
    }
    for of_level in by_level {
        forcing.extend(&mut reach, &below);
        if let Some(&slot) = of_level.iter().find(|&&slot| !reach.has(slot)) {
            return Ok(Some(slot));
        }
        forcing.add(&mut below, of_level.into_iter());
    }
    Ok(None)
}
