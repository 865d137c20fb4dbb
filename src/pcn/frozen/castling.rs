//! The list of positions that have another outcome with castling rights than without. They are few, so a file lists them.

use crate::chess::position::{Position, Wdl};
use alloc::vec::Vec;

/// The bit of a key at which the rights and the side to move begin, above the number of the position.
pub(in crate::pcn) const SET: u32 = 48;

/// Positions with castling rights, each with its outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CastlingExceptions {
    /// Ascending by key.
    pub(in crate::pcn) entries: Vec<(u64, Wdl)>,
}

/// The key of a position: bits 0 to 47 are its number, 48 to 51 the rights, bit 52 the side to move. In a symmetric material
/// Black to move has the key of the position with the colours exchanged.
fn key(position: &Position) -> u64 {
    let mut stored = *position;
    if !stored.material().stored_turns().contains(&stored.turn()) {
        stored = stored.colors_exchanged();
    }
    stored.sort();
    let set = u64::from(stored.castling().bits()) | (stored.turn().index() as u64) << 4;
    set << SET | stored.castling_number()
}

impl CastlingExceptions {
    /// Returns the list of `positions` with their outcomes. They must be legal, of one material, and have castling rights.
    pub(in crate::pcn) fn new(positions: &[(Position, Wdl)]) -> Self {
        let entries = positions.iter().map(|(position, outcome)| (key(position), *outcome));
        let mut entries: Vec<(u64, Wdl)> = entries.collect();
        entries.sort_unstable_by_key(|entry| entry.0);
        entries.dedup_by_key(|entry| entry.0);
        CastlingExceptions { entries }
    }

    /// The memory of the list in bytes.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.entries)
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The outcome of a legal position if it is listed.
    pub(crate) fn outcome(&self, position: &Position) -> Option<Wdl> {
        let found = self.entries.binary_search_by_key(&key(position), |entry| entry.0).ok()?;
        Some(self.entries[found].1)
    }
}
