//! Every legal position against the Syzygy files, where they are at hand.

use super::oracles::Syzygy;
use cubebase::position::{Color, Material, Position, Square};
use cubebase::retrograde::{Store, Table};
use rayon::prelude::*;

fn assert_agrees(syzygy: &Syzygy, table: &Table, position: &Position) {
    assert_eq!(syzygy.wdl(position), table.wdl(position).ok(), "{position:?} {}", position.to_fen());
}

/// Every legal placement on the whole board, canonical or not.
#[test]
fn three_men() {
    let Some(syzygy) = Syzygy::open() else { return };
    let store = Store::new(None);
    for material in Material::all(3).into_iter().filter(|material| syzygy.has(material)) {
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
fn assert_table_agrees(syzygy: &Syzygy, table: &Table) {
    const CHUNK: u64 = 1 << 16;
    let material = table.material();
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
    let Some(syzygy) = Syzygy::open() else { return };
    let store = Store::new(None);
    for material in Material::all(4).into_iter().filter(|material| syzygy.has(material)) {
        assert_table_agrees(syzygy, &store.get(&material).unwrap());
    }
}

/// Cursed wins count as wins and blessed losses as losses: tables here know no 50-move rule.
#[test]
#[ignore = "slow: many minutes"]
fn five_men() {
    let Some(syzygy) = Syzygy::open() else { return };
    let store = Store::new(None);
    for material in ["KQRvKR", "KRPvKR"].map(|name| name.parse().unwrap()) {
        if syzygy.has(&material) {
            assert_table_agrees(syzygy, &store.get(&material).unwrap());
        }
    }
}
