//! The committed bundle of all tables of two to four men: what it holds, and that it answers as Syzygy's files do.
//!
//! `.ci/fixtures` makes it.

use cubebase::pcn::{Bundle, Codec, Summary};
use cubebase::retrograde::Store;
use cubebase::{Material, Pcn, Position, Prober, Wdl};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Positions of every table with their outcomes, by `tools/answers`.
const ANSWERS: &str = include_str!("../fixtures/answers.tsv");

fn bundle() -> Bundle {
    let bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/four-men.pcb"));
    Bundle::open(bytes.expect("fixtures/four-men.pcb is tracked: .ci/fixtures makes it")).unwrap()
}

fn all_materials() -> BTreeSet<String> {
    (2..=4).flat_map(Material::all).map(|material| material.to_string()).collect()
}

fn answers() -> impl Iterator<Item = (Position, Wdl)> {
    ANSWERS.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (fen, outcome) = line.split_once('\t').unwrap();
        let outcome = Wdl::ALL.into_iter().find(|known| known.name() == outcome).unwrap();
        (Position::from_fen(fen).unwrap(), outcome)
    })
}

/// The signature under which a table of either colour's men is kept.
fn signature(position: &Position) -> String {
    Material::parse(&position.material().to_string()).unwrap().0.to_string()
}

#[test]
fn answers_are_of_every_table_and_those_of_three_men_are_right() {
    let named: BTreeSet<String> = answers().map(|(position, _)| signature(&position)).collect();
    assert_eq!(named, all_materials());
    let store = Store::new(None);
    for (position, outcome) in answers().filter(|(position, _)| position.material().len() <= 3) {
        let table = store.get(position.material()).unwrap();
        assert_eq!(table.wdl(&position).unwrap(), outcome, "{}", position.to_fen());
    }
}

/// A table is decoded in a second or so, most of which goes into finding which positions its exceptions are: all cores
/// take part.
#[test]
fn every_table_answers_as_syzygys_files_do() {
    let bundle = bundle();
    let tables: Vec<(&Material, &[u8])> = bundle.tables().collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((material, bytes)) = tables.get(next.fetch_add(1, Ordering::Relaxed)) {
            let table = Prober::decode(bytes).unwrap();
            assert_eq!(table.material(), *material);
            for (position, outcome) in answers().filter(|(position, _)| *position.material() == **material) {
                assert_eq!(table.probe(&position).unwrap(), outcome, "{}", position.to_fen());
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
}

#[test]
fn it_holds_every_table_as_it_is_listed() {
    let bundle = bundle();
    let names: BTreeSet<String> = bundle.materials().map(ToString::to_string).collect();
    assert_eq!(names, all_materials());
    let line = |(material, bytes): (&Material, &[u8])| {
        let Summary { model, clauses, literals, sides, .. } = Summary::decode(bytes).unwrap();
        // Of the others all positions would have to be enumerated.
        if sides.iter().all(|side| side.tree.is_none_or(|tree| tree.exceptions == 0)) {
            assert_eq!(Pcn::decode(bytes).unwrap().encode(Codec::Pcn).unwrap(), bytes, "{material}");
        }
        format!("{material},{model},{clauses},{literals},{}", bytes.len())
    };
    let mut held: Vec<String> = bundle.tables().map(line).collect();
    held.sort();
    assert_eq!(held, include_str!("../fixtures/sizes.csv").lines().skip(1).collect::<Vec<_>>());
}
