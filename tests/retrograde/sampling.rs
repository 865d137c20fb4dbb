//! Positions and tables to test on.

use cubebase::Position;
use cubebase::retrograde::{Index, Metric, Store};
use std::sync::OnceLock;

/// A store with distances to mate that the tests of this process share.
pub fn store() -> &'static Store {
    static STORE: OnceLock<Store> = OnceLock::new();
    STORE.get_or_init(|| Store::new(None).with_metric(Metric::Dtm))
}

/// Another with distances to conversion.
pub fn store_to_conversion() -> &'static Store {
    static STORE: OnceLock<Store> = OnceLock::new();
    STORE.get_or_init(|| Store::new(None).with_metric(Metric::Dtc))
}

/// All positions of the index, of all stored sides to move.
pub fn all_positions(index: &Index) -> impl Iterator<Item = Position> + '_ {
    let turns = index.material().stored_turns().iter();
    turns.flat_map(|&turn| index.positions(turn, 0..index.len())).map(|(_, position)| position)
}

/// About `wanted` positions of the index, the same ones every time, a share of them with an en-passant file where there
/// are any.
pub fn some_positions(index: &Index, wanted: usize, seed: u64) -> Vec<Position> {
    let mut state = seed | 1;
    let mut random = move |below: u64| {
        // Marsaglia's xorshift: enough to scatter.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let turns = index.material().stored_turns();
    let en_passant = index.len() - index.main_len();
    let mut positions = Vec::new();
    for attempt in 0..20 * wanted {
        let turn = turns[attempt % turns.len()];
        let slot = match attempt / turns.len() % 4 {
            0 if en_passant > 0 => index.main_len() + random(en_passant),
            _ => random(index.len()),
        };
        positions.extend(index.unrank(turn, slot));
        if positions.len() >= wanted {
            break;
        }
    }
    positions
}
