//! Every legal position against the Syzygy files, where they are at hand.

use crate::skip;
use cubebase::chess::retrograde::{Store, Table};
use cubebase::compare::syzygy::Syzygy;
use cubebase::position::{Color, Material, Position, Square};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

const FIVE_MEN: [&str; 2] = ["KQRvKR", "KRPvKR"];

/// The Syzygy files, opened once in the process, if they include that of `material`; says so when they do not.
pub fn files_of(material: &Material) -> Option<&'static Syzygy> {
    static OPENED: OnceLock<Option<Syzygy>> = OnceLock::new();
    let opened = OPENED.get_or_init(|| {
        let place = |name| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(name);
        let directories: Vec<PathBuf> =
            ["syzygy", "syzygy5"].map(place).into_iter().filter(|place| place.is_dir()).collect();
        let materials = (3..=4).flat_map(Material::all).chain(FIVE_MEN.map(|name| name.parse().unwrap()));
        (!directories.is_empty()).then(|| Syzygy::open(&directories, &materials.collect::<Vec<_>>()).unwrap())
    });
    let found = opened.as_ref().filter(|files| files.has(material));
    if found.is_none() {
        skip::for_want_of(&format!("{material}.rtbw in ../shared/syzygy and ../shared/syzygy5"));
    }
    found
}

fn assert_agrees(syzygy: &Syzygy, table: &Table, position: &Position) {
    assert_eq!(syzygy.wdl(position).ok(), table.wdl(position).ok(), "{position:?} {}", position.to_fen());
}

/// Every legal placement on the whole board, canonical or not.
#[test]
fn three_men() {
    let store = Store::new(None);
    for material in Material::all(3) {
        let Some(syzygy) = files_of(&material) else { continue };
        let table = store.get(&material).unwrap();
        for placement in 0..2 << 18 {
            let squares = [0, 6, 12].map(|shift| Square::new((placement >> shift) as u8));
            let turn = Color::BOTH[placement >> 18];
            let position = Position::new(material, &squares, turn, None);
            if position.is_legal() {
                assert_agrees(syzygy, &table, &position);
            }
        }
    }
}

/// Every canonical position, with colours exchanged too where both sides have the same men.
fn assert_table_agrees(store: &Store, material: &Material) {
    const CHUNK: u64 = 1 << 16;
    let Some(syzygy) = files_of(material) else { return };
    let table = &store.get(material).unwrap();
    let slots = table.index().len();
    let check = |turn, chunk: u64| {
        let slots = chunk * CHUNK..slots.min((chunk + 1) * CHUNK);
        let mut count = 0_u64;
        for (position, _) in table.positions_in(turn, slots) {
            assert_agrees(syzygy, table, &position);
            if material.is_symmetric() {
                assert_agrees(syzygy, table, &position.colors_exchanged());
            }
            count += 1;
        }
        count
    };
    let chunks = slots.div_ceil(CHUNK);
    for &turn in material.stored_turns() {
        let count: u64 = (0..chunks).into_par_iter().map(|chunk| check(turn, chunk)).sum();
        assert_eq!(count, table.counts(turn).iter().sum::<u64>());
        println!("{material}, {} to move: {count} positions agree", turn.name());
    }
}

#[test]
#[ignore = "slow: minutes"]
fn four_men() {
    let store = Store::new(None);
    Material::all(4).iter().for_each(|material| assert_table_agrees(&store, material));
}

/// Cursed wins count as wins and blessed losses as losses: tables here know no 50-move rule.
#[test]
#[ignore = "slow: many minutes"]
fn five_men() {
    let store = Store::new(None);
    FIVE_MEN.iter().for_each(|name| assert_table_agrees(&store, &name.parse().unwrap()));
}
