//! The committed tables of five men: each file is that of its line in the record, and answers as Syzygy's files do or, where there
//! is none, as its own answers after all moves demand.

use super::bundle::answers_of;
use super::skip;
use cubebase::{Material, Position, Tables};
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const RECORD: &str = include_str!("../docs/five-men.csv");
/// Ten positions of every table with their outcomes, by `tools/answers`.
const ANSWERS: &str = include_str!("../fixtures/five-men-answers.tsv");

/// Positions with their outcomes under the 50-move rule, by `tools/answers`.
const RULE_ANSWERS: &str = include_str!("../fixtures/five-men-rule-answers.tsv");

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/five-men")
}

fn names(materials: &[Material]) -> BTreeSet<String> {
    materials.iter().map(Material::to_string).collect()
}

/// The tables and their names; `None`, with a line, where the directory is missing, as in the crate.
fn tables() -> Option<(Tables, BTreeSet<String>)> {
    if !directory().is_dir() {
        skip::outside_ci_for_want_of("fixtures/five-men");
        return None;
    }
    let tables = Tables::open(directory()).unwrap();
    let names = names(&tables.materials());
    Some((tables, names))
}

#[test]
fn each_file_is_that_of_its_line() {
    let mut lines = RECORD.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let column = |name| head.iter().position(|column| *column == name).unwrap();
    let lines: BTreeMap<String, Vec<&str>> = lines.map(|line| (line[0].to_owned(), line)).collect();
    assert!(lines.keys().eq(&names(&Material::all(5))));
    let Some((_, names)) = tables() else { return };
    assert!(names.iter().eq(lines.keys()), "a table without its file");
    names.par_iter().for_each(|name| {
        let bytes = fs::read(directory().join(format!("{name}.pcn"))).unwrap();
        let line = &lines[name];
        assert_eq!(format!("{:x}", Sha256::digest(&bytes)), line[column("sha256")], "{name}");
        let hash = u64::from_str_radix(line[column("table_hash")], 16).unwrap().to_be_bytes();
        assert!(bytes[..16].windows(8).any(|there| there == hash), "{name}");
    });
}

#[test]
fn answers_are_those_of_syzygy_or_of_the_moves() {
    let Some((tables, names)) = tables() else { return };
    let mut asked = BTreeMap::new();
    for (_, position, _) in answers_of(ANSWERS) {
        *asked.entry(position.material().to_string()).or_insert(0) += 1;
    }
    let how = "fixtures/README.md has the command that makes five-men-answers.tsv anew";
    assert!(asked.keys().eq(&names) && asked.values().all(|count| *count >= 4), "{how}: {asked:?}");
    answers_of(ANSWERS).par_bridge().for_each(|(fen, position, outcome)| {
        assert_eq!(tables.probe(&position).unwrap(), outcome, "{fen}");
    });
}

/// Each file that has trees of the 50-move rule answers for positions that the rule draws.
#[test]
fn answers_under_the_rule_are_those_of_the_generator() {
    let Some((tables, names)) = tables() else { return };
    let mut drawn = BTreeSet::new();
    for line in RULE_ANSWERS.lines().filter(|line| !line.starts_with('#')) {
        let (fen, expected) = line.split_once('\t').unwrap();
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(tables.probe_wdl50(&position).unwrap().name(), expected, "{fen}");
        if expected.contains('-') {
            drawn.insert(position.material().to_string());
        }
    }
    // Version 7 of the format, where the rule is known.
    let has_rule_trees = |name: &&String| {
        let bytes = fs::read(directory().join(format!("{name}.pcn"))).unwrap();
        bytes[1] == 7 && bytes[2] & 2 != 0
    };
    let ruled: BTreeSet<String> = names.iter().filter(has_rule_trees).cloned().collect();
    assert_eq!(drawn, ruled, "fixtures/README.md has the command that makes five-men-rule-answers.tsv anew");
}

#[cfg(feature = "cli")]
#[test]
fn the_environment_names_tables() {
    let fen = "8/8/8/3k4/8/8/3K4/QQB5 w - - 0 1";
    let ask = || super::command::command(format!("probe '{fen}'"));
    let said =
        |command: &mut assert_cmd::Command| String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert_eq!(said(ask().env("CUBEBASE_TABLES", directory())), "win\n");
    for unset in ["", "no such directory"] {
        assert_eq!(said(ask().env("CUBEBASE_TABLES", unset)), "");
    }
}
