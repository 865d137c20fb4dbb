//! A list of the positions with castling rights whose outcome differs from that without them. There are few.
//! `castling_code` has their bytes.

use crate::position::{Position, Wdl};
use alloc::vec::Vec;

/// The lowest bit of the rights and the side to move in a key, above the number of the position.
pub(super) const SET: u32 = 48;

/// Positions with castling rights, each with its outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CastlingExceptions {
    /// Ascending by key.
    pub(super) entries: Vec<(u64, Wdl)>,
}

/// The key of a position, the same for all that are equal but for the colours: bits 48 to 51 are the rights, bit 52 the side to
/// move, the others the number.
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
    /// Returns `positions`, legal ones of one material with castling rights, each with its outcome.
    pub(super) fn new(positions: &[(Position, Wdl)]) -> Self {
        let entries = positions.iter().map(|(position, outcome)| (key(position), *outcome));
        let mut entries: Vec<(u64, Wdl)> = entries.collect();
        entries.sort_unstable_by_key(|entry| entry.0);
        entries.dedup_by_key(|entry| entry.0);
        CastlingExceptions { entries }
    }

    /// Bytes of memory that they take.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.entries)
    }

    /// How many they are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The outcome of a legal position if it is one of these.
    pub(crate) fn outcome(&self, position: &Position) -> Option<Wdl> {
        let found = self.entries.binary_search_by_key(&key(position), |entry| entry.0).ok()?;
        Some(self.entries[found].1)
    }
}
