//! The finished rows as a CSV file; a later run continues after them.
//!
//! There is one line for each table, in the order of completion. Columns are found by name; columns that are not in [`Row`]
//! are ignored, and lines that begin with `#` are comments. After every row the file is rewritten, whole or not at all.

use crate::published;
use anyhow::{Context, Result, ensure};
use cubebase::{Material, atomic};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The measurements of one table for the paper's tables 4 and 5: clauses, bytes, and seconds by the clock from the
/// beginning of compaction to the end of a step.
///
/// The columns whose names begin with `half` are for the paper's own positions, and are empty if those are unknown. The columns
/// of the full loop are empty if it did not end within the limit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub material: String,
    /// Legal canonical positions: clauses of the ON-cover before anything is done.
    pub positions: u64,
    pub compacted_clauses: u64,
    pub compacted_seconds: f64,
    pub expanded_clauses: u64,
    pub expanded_seconds: f64,
    pub irredundant_clauses: u64,
    pub irredundant_seconds: f64,
    pub full_clauses: Option<u64>,
    pub full_seconds: Option<f64>,
    pub half_positions: Option<u64>,
    pub half_compacted_clauses: Option<u64>,
    pub half_expanded_clauses: Option<u64>,
    pub half_irredundant_clauses: Option<u64>,
    /// Bytes of the .pcn file with the irredundant cover, compressed with zstd.
    pub zstd_bytes: u64,
}

impl Row {
    /// Positions, then clauses after compaction, then expansion, then irredundancy, then the full loop.
    pub fn clauses(&self) -> [Option<u64>; 5] {
        let [compacted, expanded, irredundant] =
            [self.compacted_clauses, self.expanded_clauses, self.irredundant_clauses].map(Some);
        [Some(self.positions), compacted, expanded, irredundant, self.full_clauses]
    }

    /// The same for the paper's positions, without the loop.
    pub fn half_clauses(&self) -> [Option<u64>; 4] {
        let Row { half_compacted_clauses, half_expanded_clauses, half_irredundant_clauses, .. } = *self;
        [self.half_positions, half_compacted_clauses, half_expanded_clauses, half_irredundant_clauses]
    }

    /// Seconds until each of the four steps.
    pub fn seconds(&self) -> [Option<f64>; 4] {
        let [compacted, expanded, irredundant] =
            [self.compacted_seconds, self.expanded_seconds, self.irredundant_seconds].map(Some);
        [compacted, expanded, irredundant, self.full_seconds]
    }
}

/// Limit on the length of a record; one of 36 tables is shorter.
const MAX_BYTES: u64 = 1 << 20;

/// The finished rows, kept in a file if there is one.
#[derive(Debug)]
pub struct Record {
    path: Option<PathBuf>,
    rows: Vec<Row>,
}

impl Record {
    /// Returns the rows of the file at `path`, or no rows if it does not exist or no path is given. Nothing is written yet.
    ///
    /// Only a regular file is opened: reading a pipe or `/dev/zero` would never end.
    pub fn open(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else { return Ok(Record { path: None, rows: Vec::new() }) };
        let shown = || path.display().to_string();
        let rows = match std::fs::metadata(path) {
            Ok(metadata) => {
                ensure!(metadata.is_file(), "{}: a record is a regular file", path.display());
                let file = File::open(path).with_context(shown)?;
                read(file.take(MAX_BYTES)).with_context(shown)?
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error).with_context(shown),
        };
        Ok(Record { path: Some(path.to_path_buf()), rows })
    }

    pub fn row(&self, material: &Material) -> Option<&Row> {
        self.rows.iter().find(|row| row.material == material.to_string())
    }

    /// Adds a row and writes the file. After an error the file is unchanged.
    pub fn push(&mut self, row: Row) -> Result<()> {
        self.rows.push(row);
        let Some(path) = &self.path else { return Ok(()) };
        let mut text = csv::Writer::from_writer(Vec::new());
        self.rows.iter().try_for_each(|row| text.serialize(row))?;
        let text = text.into_inner()?;
        Ok(atomic::write_bytes(path, &text)?)
    }
}

pub fn read(text: impl Read) -> Result<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    for row in csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text).deserialize() {
        let row: Row = row?;
        ensure!(published::clauses(&row.material)[0].is_some(), "the paper has no table of {}", row.material);
        let seconds =
            row.seconds().into_iter().flatten().all(|seconds| seconds.is_finite() && seconds >= 0.0);
        ensure!(seconds, "{}: no number of seconds", row.material);
        ensure!(rows.iter().all(|other| other.material != row.material), "{} again", row.material);
        rows.push(row);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, full_clauses: Option<u64>) -> Row {
        let (material, full_seconds) = (name.to_string(), full_clauses.map(|_| 3.25));
        let (positions, compacted_seconds) = (1000, 0.125);
        Row { material, positions, compacted_seconds, full_clauses, full_seconds, ..Row::default() }
    }

    #[test]
    fn rows_are_read_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("record.csv");
        let rows = [row("KQvK", Some(9)), row("KPvKP", None), row("KvK", Some(0))];
        for (done, row) in rows.iter().enumerate() {
            let mut record = Record::open(Some(&path)).unwrap();
            assert_eq!(record.rows, rows[..done]);
            record.push(row.clone()).unwrap();
        }
        let record = Record::open(Some(&path)).unwrap();
        assert_eq!(record.rows, rows);
        assert_eq!(record.row(&"KPvKP".parse().unwrap()), Some(&rows[1]));
        assert_eq!(record.row(&"KPvK".parse().unwrap()), None);
    }

    #[test]
    fn other_files_are_refused_with_the_reason() {
        let mut text = csv::Writer::from_writer(Vec::new());
        text.serialize(row("KQvK", None)).unwrap();
        let good = String::from_utf8(text.into_inner().unwrap()).unwrap();
        assert_eq!(read(good.as_bytes()).unwrap().len(), 1);
        assert_eq!(read(format!("# a comment\n{good}").as_bytes()).unwrap().len(), 1);
        let twice = good.clone() + good.lines().last().unwrap() + "\n";
        for (text, message) in [
            ("material,clauses\nKvK,1\n", "missing field"),
            (&good[..good.len() - 5], "fields"),
            (&twice, "KQvK again"),
            (&good.replace("1000", "-1"), "invalid digit"),
            (&good.replace("0.125", "NaN"), "no number of seconds"),
            (&good.replace("KQvK", "KQRvKR"), "no table of KQRvKR"),
        ] {
            let error = format!("{:#}", read(text.as_bytes()).unwrap_err());
            assert!(error.contains(message), "{message}: {error}");
        }
    }
}
