//! The exhaustive check of a ranking: on every won position, the attacker can force a lower level, mate or a zeroing move, and play by
//! the levels ends in time.

use super::forcing::Forcing;
use super::{MOST_LEVELS, MOST_PAIRS, MOST_PLAYED, pairs_left};
use crate::chess::position::Position;
use crate::chess::retrograde::Table;
use crate::error::{Error, ErrorKind, Result};
use crate::pipeline::Symmetries;
use crate::pipeline::distances::prober_of;
use crate::pipeline::memory::{check as check_memory, table_bytes};
use crate::pipeline::verify::{distinct_images, sum_over};
use espresso::Monitor;
use std::sync::atomic::{AtomicU8, Ordering};

/// Decodes the level of every position to which a ranking with these bytes gives one, for these images of the canonical positions,
/// and checks that the levels are a ranking of `table`: who plays by them from a fresh counter mates or zeroes within 50 moves.
/// Returns the number of levels decoded.
///
/// # Errors
/// Those of [`verify_distances`](crate::pipeline::verify_distances); [`ErrorKind::BudgetExhausted`] if the check takes more than
/// `memory` bytes.
pub fn verify_ranking(
    bytes: &[u8],
    table: &Table,
    symmetries: Symmetries,
    memory: Option<u64>,
    progress: Monitor<'_>,
) -> Result<u64> {
    let prober = prober_of(bytes, table)?;
    let material = table.material();
    let refuse = |why: String| Err(Error::new(ErrorKind::Mismatch, format!("{material}: {why}")));
    let Some(pairs @ 1..=MOST_PAIRS) = prober.pairs() else {
        return refuse(format!("a ranking falls within 1 to {MOST_PAIRS} pairs of moves"));
    };
    let turns = material.stored_turns();
    // By side, the shortest plays and the levels by slot.
    let by_slot = 2 * turns.len() as u64 * table.slots();
    let needed = table_bytes(material, table.metric()) + Forcing::bytes(table.slots(), pairs) + by_slot;
    check_memory(&material.to_string(), needed, memory, "checking a ranking takes about")?;
    let left: Vec<Vec<u8>> = turns.iter().map(|&turn| pairs_left(table, turn)).collect();
    let levels: Vec<Vec<AtomicU8>> =
        left.iter().map(|left| left.iter().map(|_| AtomicU8::new(0)).collect()).collect();
    let decoded = sum_over(table, progress, |slot, position, _| {
        let (side, slot) = (position.turn().index(), slot as usize);
        if left[side][slot] == 0 {
            return Ok(0);
        }
        let check = |image: &Position| {
            let level = prober.distance(image.packed(), image.en_passant(), image.turn())?;
            let before = levels[side][slot].swap(level as u8, Ordering::Relaxed);
            if !(1..=MOST_LEVELS.into()).contains(&level) || before > 0 && u32::from(before) != level {
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
        if let Some(fault) = first_fault(&Forcing::new(table, turn)?, &levels, pairs, MOST_PLAYED)? {
            let (slot, what) = match fault {
                Fault::DoesNotFall(slot) => (slot, "does not fall"),
                Fault::IsTooLong(slot) => (slot, "may take more than 50 moves"),
            };
            let fen = table.positions_in(turn, slot..slot + 1).next().map(|(position, _)| position.to_fen());
            return refuse(format!("level {} {what}: {}", levels[slot as usize], fen.unwrap_or_default()));
        }
    }
    Ok(decoded)
}

/// Why levels are no ranking, with the slot of a position.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The attacker cannot force a lower level.
    DoesNotFall(u64),
    /// Play by the levels may take too long.
    IsTooLong(u64),
}

/// The first fault of `levels` from the lowest up, if play may take so many pairs of moves; a level of 0 is none.
pub(super) fn first_fault(forcing: &Forcing, levels: &[u8], pairs: u8, most: u8) -> Result<Option<Fault>> {
    let (mut below, mut reach) = (forcing.ended()?, forcing.reach(pairs)?);
    let mut by_level = vec![Vec::new(); 256];
    for (slot, &level) in (0..).zip(levels).filter(|(_, level)| **level > 0) {
        by_level[usize::from(level)].push(slot);
    }
    for of_level in by_level.into_iter().filter(|slots| !slots.is_empty()) {
        forcing.extend(&mut reach, &below)?;
        if let Some(&slot) = of_level.iter().find(|&&slot| reach.lasts(slot) == 0) {
            return Ok(Some(Fault::DoesNotFall(slot)));
        }
        if reach.longest() > most.into() {
            let too_long = (0..levels.len() as u64).find(|&slot| reach.lasts(slot) > most);
            return Ok(too_long.map(Fault::IsTooLong));
        }
        forcing.add(&mut below, of_level.into_iter());
    }
    Ok(None)
}
