//! The example PLAs of the Berkeley distribution, if present, are read, completed and checked.

use crate::skip;
use espresso::{Function, Pla, check};
use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared").join(name);
    if path.exists() {
        return Some(path);
    }
    skip::for_want_of(&path.display().to_string());
    None
}

fn plas() -> Vec<(String, Pla)> {
    let Some(directory) = shared("pla") else { return Vec::new() };
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let pla = Pla::read(BufReader::new(File::open(&path).unwrap())).unwrap();
        (path.file_name().unwrap().to_string_lossy().into_owned(), pla)
    };
    paths.into_iter().map(read).collect()
}

/// F and D have as many cubes as Berkeley's program reads, except in newxcpla1: its list of output names is too short, and
/// Berkeley's program reads three rows as names.
#[test]
fn as_many_cubes_are_read() {
    let Some(baseline) = shared("reference/espresso-baseline.tsv") else { return };
    let table = std::fs::read_to_string(baseline).unwrap();
    let mut lines = table.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let column = |name: &str| header.iter().position(|&field| field == name).unwrap();
    let columns = ["inputs", "outputs", "on_cubes_read", "dc_cubes_read"].map(column);
    let name = column("name");
    let expected: HashMap<&str, [usize; 4]> =
        lines.map(|line| (line[name], columns.map(|column| line[column].parse().unwrap()))).collect();
    for (name, pla) in plas() {
        let Some(&[inputs, outputs, on, dc]) = expected.get(name.as_str()) else { continue };
        let on = if name == "newxcpla1" { on + 3 } else { on };
        let found = [pla.space().inputs(), pla.space().outputs(), pla.on.len(), pla.dc.len()];
        assert_eq!(found, [inputs, outputs, on, dc], "{name}");
    }
}

#[test]
fn completed_functions_are_consistent() {
    for (name, pla) in plas() {
        let function = Function::from_pla(&pla).unwrap();
        assert_eq!(check::consistent(&function), Ok(()), "{name}");
    }
}
