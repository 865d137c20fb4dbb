//! The record of `tools/baselines`: a line for each table and each representation in which it was stored and measured.
//!
//! A line with the version, then CSV. A representation that cannot hold a table has a line too, with the limit that it met.

use super::aligned::{aligned, grouped};
use crate::chess::position::Material;
use crate::error::{Error, ErrorKind, Result};
use crate::files::read_regular;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The first line of a record.
pub const VERSION: &str = "# cubebase-baselines record, version 1";

/// The measurements of one representation of one table. Fields are missing where a limit was met or nothing was built.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The material signature.
    pub material: String,
    /// The name of the representation.
    pub representation: String,
    /// Bytes as stored.
    pub bytes: Option<u64>,
    /// The bytes after zstd at level 19.
    pub zstd_bytes: Option<u64>,
    /// The bytes after xz at level 9, extreme.
    pub xz_bytes: Option<u64>,
    /// Nodes, clauses or leaves.
    pub elements: Option<u64>,
    /// Processor seconds of building.
    pub build_cpu_seconds: Option<f64>,
    /// The most memory of the process while building, with the outcome table in it.
    pub build_mebibytes: Option<f64>,
    /// Nanoseconds of a warm probe of a random position, from bitboards.
    pub probe_ns: Option<f64>,
    /// Microseconds from the stored bytes in memory to the first answer.
    pub first_answer_us: Option<f64>,
    /// The number of legal positions of the full board whose answers were compared with the outcome table.
    pub asked: Option<u64>,
    /// The number of losses, draws and wins among the answers.
    pub losses: Option<u64>,
    /// See [`Line::losses`].
    pub draws: Option<u64>,
    /// See [`Line::losses`].
    pub wins: Option<u64>,
    /// The limit that was met.
    pub limit: Option<String>,
    /// Sizes of the variants that were tried, and other remarks.
    pub detail: String,
}

/// Reads the record at `path`.
///
/// # Errors
/// [`ErrorKind::Io`], and those of [`parse`].
pub fn read(path: &Path) -> Result<Vec<Line>> {
    parse(&read_regular(path)?).map_err(|error| error.in_file(path))
}

/// Reads a record from its bytes.
///
/// # Errors
/// [`ErrorKind::UnsupportedVersion`] for no record of this version; [`ErrorKind::BadInput`] for a line that cannot be read;
/// [`ErrorKind::BadMaterial`] for a line without a valid material.
pub fn parse(bytes: &[u8]) -> Result<Vec<Line>> {
    if !bytes.starts_with(format!("{VERSION}\n").as_bytes()) {
        let why = format!("not a record of this version: the first line is not \"{VERSION}\"");
        return Err(Error::new(ErrorKind::UnsupportedVersion, why));
    }
    let lines = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(bytes).into_deserialize();
    let lines: Vec<Line> = lines
        .collect::<std::result::Result<_, _>>()
        .map_err(|error| Error::new(ErrorKind::BadInput, error.to_string()))?;
    lines.iter().try_for_each(|line| line.material.parse::<Material>().map(drop))?;
    Ok(lines)
}

/// The first two lines of a record.
///
/// # Errors
/// Those of [`to_csv`].
pub fn head() -> Result<String> {
    let text = to_csv(&[Line::default()], true)?;
    Ok(text.lines().take(2).map(|line| line.to_owned() + "\n").collect())
}

/// Returns the lines as CSV, after the head of a record if `has_head`.
///
/// # Errors
/// [`ErrorKind::Internal`] when a line cannot be written as CSV.
pub fn to_csv(lines: &[Line], has_head: bool) -> Result<String> {
    let mut csv = csv::WriterBuilder::new().has_headers(has_head).from_writer(Vec::new());
    let internal = |error: &dyn std::fmt::Display| Error::new(ErrorKind::Internal, error.to_string());
    lines.iter().try_for_each(|line| csv.serialize(line)).map_err(|error| internal(&error))?;
    let text = csv.into_inner().map_err(|error| internal(&error))?;
    let head = if has_head { format!("{VERSION}\n") } else { String::new() };
    Ok(head + &String::from_utf8_lossy(&text))
}

/// The representations of a record, in the order of their first lines.
pub fn representations(lines: &[Line]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for line in lines {
        if !names.contains(&line.representation.as_str()) {
            names.push(&line.representation);
        }
    }
    names
}

/// The materials of a record, fewer men first, then by signature.
pub fn materials(lines: &[Line]) -> Vec<&str> {
    let mut names: Vec<&str> = lines.iter().map(|line| line.material.as_str()).collect();
    names.sort_by_key(|name| (name.len(), *name));
    names.dedup();
    names
}

/// The line of a table in a representation.
pub fn find<'a>(lines: &'a [Line], material: &str, representation: &str) -> Option<&'a Line> {
    lines.iter().find(|line| line.material == material && line.representation == representation)
}

/// The sums of a representation over the common tables, those that every representation of a record holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Sum<'a> {
    /// The name of the representation.
    pub name: &'a str,
    /// Tables that it holds, of all that the record has.
    pub tables: usize,
    /// Bytes of the common tables.
    pub bytes: u64,
    /// The mean of the nanoseconds of a probe over the common tables.
    pub probe_ns: Option<f64>,
}

/// Returns the number of common tables, and each representation's sums.
pub fn sums(lines: &[Line]) -> (usize, Vec<Sum<'_>>) {
    let names = representations(lines);
    let holds =
        |material: &str, name: &str| find(lines, material, name).is_some_and(|line| line.bytes.is_some());
    let mut common = materials(lines);
    common.retain(|material| names.iter().all(|name| holds(material, name)));
    let sum = |name| {
        let own = || common.iter().filter_map(|material| find(lines, material, name));
        let times: Vec<f64> = own().filter_map(|line| line.probe_ns).collect();
        Sum {
            name,
            tables: lines.iter().filter(|line| line.representation == name && line.bytes.is_some()).count(),
            bytes: own().filter_map(|line| line.bytes).sum(),
            probe_ns: (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64),
        }
    };
    (common.len(), names.iter().copied().map(sum).collect())
}

/// The names of the timed representations on the Pareto front: no other is as good in bytes and time and better in one.
pub fn efficient<'a>(sums: &[Sum<'a>]) -> Vec<&'a str> {
    let time = |sum: &Sum<'_>| sum.probe_ns.unwrap_or(f64::INFINITY);
    let beats = |one: &Sum<'_>, other: &Sum<'_>| {
        one.bytes <= other.bytes
            && time(one) <= time(other)
            && (one.bytes < other.bytes || time(one) < time(other))
    };
    let kept =
        sums.iter().filter(|sum| sum.probe_ns.is_some() && !sums.iter().any(|other| beats(other, sum)));
    kept.map(|sum| sum.name).collect()
}

/// Bytes by table and representation as aligned text, with sums and times.
pub fn table_text(lines: &[Line]) -> String {
    let names = representations(lines);
    let mut rows = vec![std::iter::once("material").chain(names.iter().copied()).map(String::from).collect()];
    for material in materials(lines) {
        let cell = |name: &&str| match find(lines, material, name) {
            Some(Line { bytes: Some(bytes), .. }) => grouped(*bytes),
            Some(Line { limit: Some(_), .. }) => "limit".into(),
            _ => "-".into(),
        };
        rows.push(std::iter::once(material.to_owned()).chain(names.iter().map(cell)).collect::<Vec<_>>());
    }
    let (common, sums) = sums(lines);
    let mut sum = |name: &str, cell: &dyn Fn(&Sum<'_>) -> String| {
        rows.push(std::iter::once(name.to_owned()).chain(sums.iter().map(cell)).collect());
    };
    sum("common", &|sum| grouped(sum.bytes));
    sum("probe ns", &|sum| sum.probe_ns.map_or_else(|| "-".into(), |time| format!("{time:.0}")));
    sum("tables", &|sum| sum.tables.to_string());
    format!(
        "{}bytes as stored; common: sums over the {common} tables that all hold, and means of their times\n",
        aligned(rows)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(material: &str, representation: &str, bytes: Option<u64>) -> Line {
        let limit = bytes.is_none().then(|| "5 s".to_owned());
        let (material, representation) = (material.to_owned(), representation.to_owned());
        Line { material, representation, bytes, probe_ns: bytes.map(|_| 50.0), limit, ..Line::default() }
    }

    fn lines() -> Vec<Line> {
        let tables =
            [("KQvK", "a", Some(7)), ("KPvK", "a", Some(1_000)), ("KQvK", "b", Some(5)), ("KPvK", "b", None)];
        tables.map(|(material, name, bytes)| line(material, name, bytes)).to_vec()
    }

    #[test]
    fn a_record_is_read_as_it_was_written_and_nothing_else_is() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("record.csv");
        let text = to_csv(&lines()[..1], true).unwrap() + &to_csv(&lines()[1..], false).unwrap();
        std::fs::write(&path, &text).unwrap();
        assert_eq!(read(&path).unwrap(), lines());
        for (other, kind) in [
            (text.replace("version 1", "version 2"), ErrorKind::UnsupportedVersion),
            (String::new(), ErrorKind::UnsupportedVersion),
            (text.replace("1000", "many"), ErrorKind::BadInput),
            (text.replace("KPvK", "KXvK"), ErrorKind::BadMaterial),
        ] {
            std::fs::write(&path, &other).unwrap();
            assert_eq!(read(&path).unwrap_err().kind(), kind, "{other}");
        }
    }

    #[test]
    fn sums_are_over_the_common_tables() {
        let expected = "\
material      a      b
KPvK      1,000  limit
KQvK          7      5
common        7      5
probe ns     50     50
tables        2      1
bytes as stored; common: sums over the 1 tables that all hold, and means of their times
";
        assert_eq!(table_text(&lines()), expected);
        // As quick, and smaller.
        assert_eq!(efficient(&sums(&lines()).1), ["b"]);
    }
}
