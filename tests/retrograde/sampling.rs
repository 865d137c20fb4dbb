//! Positions and tables to test on.

use crate::noise::position_in;
use cubebase::chess::retrograde::{Index, Store, Table};
use cubebase::retrograde::Metric;
use cubebase::{Material, Position, Wdl};
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::OnceLock;
use tempfile::TempDir;

pub fn material(name: &str) -> Material {
    name.parse().unwrap()
}

/// The table in a file of its own.
pub fn written(table: &Table) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(format!("{}.{}", table.material(), table.metric()));
    table.write(&path).unwrap();
    (directory, path)
}

/// A store with distances to mate that the tests of this process share.
pub fn store() -> &'static Store {
    static STORE: OnceLock<Store> = OnceLock::new();
    STORE.get_or_init(|| Store::new(None).with_metric(Metric::Dtm))
}

/// As [`store`], with distances to conversion.
pub fn store_to_conversion() -> &'static Store {
    static STORE: OnceLock<Store> = OnceLock::new();
    STORE.get_or_init(|| Store::new(None).with_metric(Metric::Dtc))
}

/// As [`store`], with distances to zeroing.
pub fn store_to_zeroing() -> &'static Store {
    static STORE: OnceLock<Store> = OnceLock::new();
    STORE.get_or_init(|| Store::new(None).with_metric(Metric::Dtz))
}

/// Up to `wanted` positions for each side to move, spread over all slots, and as many of the en-passant block.
pub fn some_positions(index: &Index, wanted: u64) -> Vec<Position> {
    // An odd step meets every square of the black king.
    let spread = |from: u64, to: u64| (from..to).step_by(((to - from) / wanted) as usize | 1);
    let slots = || spread(0, index.main_len()).chain(spread(index.main_len(), index.len()));
    let turns = index.material().stored_turns().iter();
    turns.flat_map(|&turn| slots().filter_map(move |slot| position_in(index, turn, slot))).collect()
}

/// Calls `check` with every position of the table and its outcome, on all threads. There are as many as the table counts.
pub fn every_position(table: &Table, check: impl Fn(&Position, Wdl) + Sync) {
    const CHUNK: u64 = 1 << 16;
    for &turn in table.material().stored_turns() {
        let of_chunk = |chunk: u64| {
            let mut counts = [0; 3];
            for (position, outcome) in table.positions_in(turn, chunk * CHUNK..(chunk + 1) * CHUNK) {
                check(&position, outcome);
                counts[outcome.index()] += 1;
            }
            counts
        };
        let sum = |a: [u64; 3], b: [u64; 3]| std::array::from_fn(|i| a[i] + b[i]);
        let chunks = (0..table.index().len().div_ceil(CHUNK)).into_par_iter();
        assert_eq!(chunks.map(of_chunk).reduce(|| [0; 3], sum), table.counts(turn));
    }
}
