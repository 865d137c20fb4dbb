//! Every legal position against the Syzygy files, if these exist.

use super::sampling::every_position;
use crate::skip;
use cubebase::chess::retrograde::{Store, Table};
use cubebase::compare::syzygy::Syzygy;
use cubebase::position::{Color, Material, Position, Square};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

const FIVE_MEN: [&str; 2] = ["KQRvKR", "KRPvKR"];

/// The directory of this name beside the repository.
pub fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(name)
}

/// The Syzygy files, opened once in the process, if they include that of `material`; prints a line if they do not.
pub fn files_of(material: &Material) -> Option<&'static Syzygy> {
    static OPENED: OnceLock<Option<Syzygy>> = OnceLock::new();
    let opened = OPENED.get_or_init(|| {
        let directories: Vec<PathBuf> = ["syzygy", "syzygy5", "syzygy-dtz"]
            .map(place)
            .into_iter()
            .filter(|place| place.is_dir())
            .collect();
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
    let Some(syzygy) = files_of(material) else { return };
    let table = store.get(material).unwrap();
    every_position(&table, |position, _| {
        assert_agrees(syzygy, &table, position);
        if material.is_symmetric() {
            assert_agrees(syzygy, &table, &position.colors_exchanged());
        }
    });
    println!("{material}: every position agrees");
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
