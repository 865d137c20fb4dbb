//! Table files answer as the tables that they hold, read or mapped. In a mapped file only damaged blocks fail.

use super::files::HEADER;
use super::sampling::{some_positions, store, written};
use cubebase::chess::retrograde::{Store, Table, TableFile};
use cubebase::position::Material;
use cubebase::retrograde::Metric;
use cubebase::{Color, ErrorKind, Pcn, Position};
use rayon::prelude::*;
use std::sync::Arc;

const BLOCK: u64 = 1 << 18;

/// A table of several blocks.
fn queens() -> Arc<Table> {
    store().get(&"KQQvK".parse().unwrap()).unwrap()
}

fn assert_same(file: &TableFile, table: &Table, position: &Position) {
    assert_eq!(file.wdl(position).unwrap(), table.wdl(position).unwrap(), "{position:?}");
    if table.metric() != Metric::Wdl {
        assert_eq!(file.distance(position).unwrap(), table.distance(position).unwrap(), "{position:?}");
    }
}

#[test]
fn every_position_of_up_to_three_men() {
    for metric in Metric::ALL {
        let store = Store::new(None).with_metric(metric);
        for material in (2..=3).flat_map(Material::all) {
            let table = store.get(&material).unwrap();
            let (_directory, path) = written(&table);
            let read = Table::read(&path).unwrap();
            assert_eq!((&read, read.longest()), (&*table, table.longest()));
            assert_eq!((read.hash(), read.totals()), (table.hash(), table.totals()));
            let file = TableFile::open(&path).unwrap();
            assert_eq!((file.material(), file.metric()), (&material, metric));
            assert_eq!((file.hash(), file.slots()), (table.hash(), table.index().len()));
            assert_eq!(Color::BOTH.map(|turn| file.counts(turn)), Color::BOTH.map(|turn| table.counts(turn)));
            assert_eq!(file.longest().unwrap(), table.longest());
            let positions = material.stored_turns().iter().flat_map(|&turn| table.positions(turn));
            positions.for_each(|(position, _)| assert_same(&file, &table, &position));
        }
    }
}

#[test]
fn scattered_positions_of_many_blocks_from_many_threads() {
    let table = queens();
    let (_directory, path) = written(&table);
    let file = TableFile::open(&path).unwrap();
    assert_eq!(file.longest().unwrap(), table.longest());
    let positions = some_positions(table.index(), 20_000);
    positions.par_iter().for_each(|position| assert_same(&file, &table, position));
}

#[test]
fn a_damaged_block_fails_alone() {
    let table = queens();
    let (_directory, path) = written(&table);
    let mut bytes = std::fs::read(&path).unwrap();
    let blocks = u32::from_le_bytes(bytes[44..48].try_into().unwrap()) as usize;
    // The first byte of the second block, of outcomes with White to move.
    let directory = bytes.len() - (8 * blocks + 4);
    let len = u32::from_le_bytes(bytes[directory..directory + 4].try_into().unwrap()) as usize;
    bytes[HEADER + len] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let file = TableFile::open(&path).unwrap();
    let in_block = |block: u64| {
        let slots = block * BLOCK..(block + 1) * BLOCK;
        table.positions_in(Color::White, slots).next().unwrap().0
    };
    for block in [0, 2] {
        assert_same(&file, &table, &in_block(block));
    }
    for _ in 0..2 {
        let error = file.wdl(&in_block(1)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt);
        assert!(error.to_string().contains("block 1 is damaged"), "{error}");
    }
    assert_eq!(file.longest().unwrap_err().kind(), ErrorKind::Corrupt);
}

/// Opening a pipe would wait for a writer.
#[test]
#[cfg(unix)]
fn irregular_files_are_refused_unopened() {
    use std::{process::Command, sync::mpsc, time::Duration};

    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("KQvK.wdl");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let opened = [path.as_path(), path.parent().unwrap()].map(|path| TableFile::open(path).unwrap_err());
        sender
            .send([Table::read(&path).unwrap_err(), Pcn::read(&path).unwrap_err()].into_iter().chain(opened))
    });
    for error in receiver.recv_timeout(Duration::from_secs(20)).expect("an answer at once") {
        assert!(
            error.kind() == ErrorKind::Io && error.to_string().ends_with(": not a regular file"),
            "{error}"
        );
    }
}

#[test]
fn a_file_answers_after_it_is_replaced() {
    let table = queens();
    let (directory, path) = written(&table);
    let file = TableFile::open(&path).unwrap();
    Store::new(None).get(&"KNvK".parse().unwrap()).unwrap().write(&path).unwrap();
    some_positions(table.index(), 1_000).iter().for_each(|position| assert_same(&file, &table, position));
    assert_eq!(TableFile::open(&path).unwrap().material().to_string(), "KNvK");
    drop(directory);
}

#[test]
fn positions_that_the_file_does_not_answer() {
    let table = Store::new(None).get(&"KQvK".parse().unwrap()).unwrap();
    let (directory, path) = written(&table);
    let file = TableFile::open(&path).unwrap();
    let other = Position::from_fen("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1").unwrap();
    assert_eq!(file.wdl(&other).unwrap_err().kind(), ErrorKind::MissingTable);
    let position = Position::from_fen("4k3/8/8/8/8/8/8/3QK3 w - - 0 1").unwrap();
    assert_eq!(file.distance(&position).unwrap_err().kind(), ErrorKind::MissingTable);
    let mut illegal = position;
    illegal.squares_mut()[2] = illegal.squares()[1];
    assert_eq!(file.wdl(&illegal).unwrap_err().kind(), ErrorKind::IllegalPosition);
    assert_eq!(TableFile::open(directory.path()).unwrap_err().kind(), ErrorKind::Io);
    assert_eq!(TableFile::open(&directory.path().join("none")).unwrap_err().kind(), ErrorKind::Io);
}
