//! The committed bundle of all tables of two to four men: what it holds, and that it answers as Syzygy's files do.
//!
//! `.ci/fixtures` makes it.

use cubebase::chess::retrograde::Store;
use cubebase::pcn::{Bundle, Codec};
use cubebase::{Material, Pcn, Position, Prober, Wdl};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Positions of every table with their outcomes, by `tools/answers`.
const ANSWERS: &str = include_str!("../fixtures/answers.tsv");

pub fn bundle() -> Bundle {
    let bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/four-men.pcb"));
    Bundle::open(bytes.expect("fixtures/four-men.pcb is tracked: .ci/fixtures makes it")).unwrap()
}

fn all_materials() -> BTreeSet<String> {
    (2..=4).flat_map(Material::all).map(|material| material.to_string()).collect()
}

pub fn answers() -> impl Iterator<Item = (&'static str, Position, Wdl)> {
    answers_of(ANSWERS)
}

/// The positions of a file of answers with their outcomes.
pub fn answers_of(text: &'static str) -> impl Iterator<Item = (&'static str, Position, Wdl)> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut fields = line.split('\t');
        let (fen, outcome) = (fields.next().unwrap(), fields.next().unwrap());
        let outcome = Wdl::ALL.into_iter().find(|known| known.name() == outcome).unwrap();
        (fen, Position::from_fen(fen).unwrap(), outcome)
    })
}

#[test]
fn answers_are_of_every_table_and_those_of_three_men_are_right() {
    let named: BTreeSet<String> = answers().map(|(_, position, _)| position.material().to_string()).collect();
    assert_eq!(named, all_materials());
    let store = Store::new(None);
    for (_, position, outcome) in answers().filter(|(_, position, _)| position.material().len() <= 3) {
        let table = store.get(position.material()).unwrap();
        assert_eq!(table.wdl(&position).unwrap(), outcome, "{}", position.to_fen());
    }
}

#[test]
fn every_table_answers_as_syzygys_files_do() {
    bundle().tables().for_each(|(material, bytes)| {
        let table = Prober::decode(bytes).unwrap();
        assert_eq!(table.material(), material);
        for (_, position, outcome) in answers().filter(|(_, position, _)| position.material() == material) {
            assert_eq!(table.probe(&position).unwrap(), outcome, "{}", position.to_fen());
        }
    });
}

#[test]
fn it_holds_every_table_as_it_is_written() {
    let bundle = bundle();
    let names: BTreeSet<String> = bundle.materials().map(ToString::to_string).collect();
    assert_eq!(names, all_materials());
    for (material, bytes) in bundle.tables() {
        assert_eq!(Pcn::decode(bytes).unwrap().encode(Codec::Compressed).unwrap(), bytes, "{material}");
    }
}
