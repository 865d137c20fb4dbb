//! Comparison of our sizes with those of Syzygy's WDL files and of the paper's table 5.
//!
//! The caller measures our files; the published figures are in [`mod@reference`].
//! Free, except for `syzygy`, whose files are another program's.

mod checksum;
pub mod reference;
pub mod syzygy;

pub use reference::{PaperRow, paper_table5, syzygy_bytes, syzygy_dtz_bytes};

use crate::chess::model::Model;
use crate::chess::position::Material;
use crate::error::{Error, Result};
use crate::pcn::Summary;
use std::path::PathBuf;

/// The least length of a Syzygy file in [`Report::worst`]. Smaller files are nearly all header.
pub(crate) const SMALL_BYTES: u64 = 128;

/// The kinds of sides to move: all pairs of input model and shape.
pub(crate) fn kinds<V: Copy>(models: impl IntoIterator<Item = V>) -> impl Iterator<Item = (V, &'static str)> {
    models
        .into_iter()
        .flat_map(|model| ["covers", "tree", "distances", "ranking"].map(|shape| (model, shape)))
}

/// Sides to move of one shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides {
    /// Their number.
    pub count: u64,
    /// The bytes of their trees or covers, without headers.
    pub bytes: u64,
}

/// The caller's measurements of one of our files: by default of chess, otherwise with another game's material and model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured<M = Material, V = Model> {
    /// The table.
    pub material: M,
    /// The size of the file in bytes, without castling rights, which the rivals lack.
    pub bytes: u64,
    /// The bytes that castling rights take in the file.
    pub castling: u64,
    /// The number of clauses, of both sides to move.
    pub clauses: u64,
    /// The number of literals of the clauses.
    pub literals: u64,
    /// Its input model.
    pub model: V,
    /// The shape of its sides to move: `tree` or `covers`, or `distances` and `ranking` for trees of these in place of outcomes.
    pub shape: &'static str,
    /// Its sides to move.
    pub sides: Sides,
}

impl Measured {
    /// Returns the figures of a file of `bytes` bytes in all.
    pub fn new(summary: &Summary, bytes: u64) -> Self {
        let sides = summary.tree_bytes + summary.list_bytes;
        Measured {
            material: summary.material,
            bytes: bytes.saturating_sub(summary.castling_bytes as u64),
            castling: summary.castling_bytes as u64,
            clauses: summary.clauses as u64,
            literals: summary.literals as u64,
            model: summary.model,
            shape: if summary.covers.is_some() { "covers" } else { "tree" },
            sides: Sides { count: summary.sides.len() as u64, bytes: sides as u64 },
        }
    }
}

impl<M, V: Copy + PartialEq> Measured<M, V> {
    /// The sides to move of `files` by model, one of `models`, and by shape; empty kinds are left out. Their bytes and those of
    /// [`Measured::headers`] add up to all bytes.
    pub(crate) fn kinds(
        files: &[&Self],
        models: impl IntoIterator<Item = V>,
    ) -> Vec<(V, &'static str, Sides)> {
        let total = |(model, shape)| {
            let files = files.iter().filter(|file| (file.model, file.shape) == (model, shape));
            let sum = |sum: Sides, Sides { count, bytes }| Sides {
                count: sum.count + count,
                bytes: sum.bytes + bytes,
            };
            (model, shape, files.map(|file| file.sides).fold(Sides::default(), sum))
        };
        kinds(models).map(total).filter(|(.., sides)| sides.count > 0).collect()
    }

    /// The bytes of the file outside its sides to move.
    pub fn headers(&self) -> u64 {
        self.bytes.saturating_sub(self.sides.bytes)
    }
}

/// A table with the sizes of its rivals.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Our file.
    pub ours: Measured,
    /// The size of the Syzygy WDL file in bytes, if known.
    pub syzygy_bytes: Option<u64>,
    /// The paper's figures, if it has the table.
    pub paper: Option<PaperRow>,
}

impl Row {
    /// Our bytes divided by Syzygy's. Below 1, ours is smaller.
    pub fn syzygy_ratio(&self) -> Option<f64> {
        self.syzygy_bytes.map(|theirs| self.ours.bytes as f64 / theirs as f64)
    }

    /// Our bytes divided by those of the paper's compressed file. Below 1, ours is smaller.
    pub fn paper_ratio(&self) -> Option<f64> {
        let theirs = self.paper?.zipped_bytes?;
        Some(self.ours.bytes as f64 / f64::from(theirs))
    }
}

/// Sums over the tables that we and a rival have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// The number of tables.
    pub tables: u64,
    /// The bytes of our files.
    pub ours_bytes: u64,
    /// The bytes of the rival's files.
    pub theirs_bytes: u64,
}

impl Total {
    fn add(&mut self, ours: u64, theirs: u64) {
        self.tables += 1;
        self.ours_bytes += ours;
        self.theirs_bytes += theirs;
    }

    /// Our bytes divided by theirs; `None` without a table in both.
    pub fn ratio(&self) -> Option<f64> {
        (self.tables > 0).then(|| self.ours_bytes as f64 / self.theirs_bytes as f64)
    }
}

/// A set of tables compared with their rivals, with totals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// One row for each table, in the caller's order.
    pub rows: Vec<Row>,
    /// Our bytes in all, with tables that have no rival, without castling rights.
    pub bytes: u64,
    /// Our clauses in all.
    pub clauses: u64,
    /// Our literals in all.
    pub literals: u64,
    /// The total against Syzygy's WDL files.
    pub syzygy: Total,
    /// The total against the paper's compressed files.
    pub paper: Total,
}

impl Report {
    /// Compares `measured` with the published figures. If there are directories `syzygy`, Syzygy's sizes are those of the `.rtbw`
    /// files in them, and not compiled-in ones.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if a directory or a file in it cannot be read;
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt), with its name, if a file is damaged.
    pub fn new(measured: impl IntoIterator<Item = Measured>, syzygy: &[PathBuf]) -> Result<Self> {
        for directory in syzygy {
            std::fs::read_dir(directory).map_err(|error| Error::io("read", directory, error))?;
        }
        let mut report = Report::default();
        for ours in measured {
            let from_files = || syzygy::bytes(syzygy, &ours.material);
            let syzygy_bytes = if syzygy.is_empty() { syzygy_bytes(&ours.material) } else { from_files()? };
            let paper = paper_table5(&ours.material);
            report.bytes += ours.bytes;
            report.clauses += ours.clauses;
            report.literals += ours.literals;
            if let Some(theirs) = syzygy_bytes {
                report.syzygy.add(ours.bytes, theirs);
            }
            if let Some(theirs) = paper.and_then(|paper| paper.zipped_bytes) {
                report.paper.add(ours.bytes, theirs.into());
            }
            report.rows.push(Row { ours, syzygy_bytes, paper });
        }
        Ok(report)
    }

    /// The sides to move by the input model of their file and their shape. Their bytes and those of
    /// [`Report::headers`] add up to all bytes.
    pub fn kinds(&self) -> Vec<(Model, &'static str, Sides)> {
        let files: Vec<&Measured> = self.rows.iter().map(|row| &row.ours).collect();
        Measured::kinds(&files, Model::ALL)
    }

    /// The bytes of all files outside sides: magic, hashes, entries of sections, checksums.
    pub fn headers(&self) -> u64 {
        self.rows.iter().map(|row| row.ours.headers()).sum()
    }

    /// The row with the largest ratio to Syzygy's file, without files under 128 bytes.
    pub fn worst(&self) -> Option<&Row> {
        let compared =
            self.rows.iter().filter(|row| row.syzygy_bytes.is_some_and(|theirs| theirs >= SMALL_BYTES));
        let ratios = compared.filter_map(|row| Some((row, row.syzygy_ratio()?)));
        ratios.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(row, _)| row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(signature: &str, bytes: u64, clauses: u64) -> Measured {
        let material = Material::parse(signature).unwrap().0;
        let (shape, sides) = ("covers", Sides { count: 1, bytes: bytes - 17 });
        Measured { material, bytes, castling: 0, clauses, literals: 0, model: Model::Binary, shape, sides }
    }

    #[test]
    fn ratios_and_totals_use_only_the_tables_that_both_have() {
        let ours = [measured("KvK", 40, 0), measured("KQvK", 136, 30), measured("KPvKP", 122_664, 900)];
        let report = Report::new(ours, &[]).unwrap();
        assert_eq!((report.bytes, report.clauses), (122_840, 930));
        assert_eq!(report.syzygy, Total { tables: 2, ours_bytes: 122_800, theirs_bytes: 245_600 });
        assert_eq!(report.paper, Total { tables: 2, ours_bytes: 176, theirs_bytes: 812 });
        assert_eq!(report.rows[1].syzygy_ratio(), Some(0.5));
        assert_eq!(report.rows[0].syzygy_ratio(), None);
        assert_eq!(report.rows[2].paper_ratio(), None);
    }

    #[test]
    fn sizes_are_those_of_the_directories_if_there_are_some() {
        let directory = tempfile::tempdir().unwrap();
        let report = Report::new([measured("KQvK", 136, 30)], &[directory.path().into()]).unwrap();
        assert_eq!(report.rows[0].syzygy_bytes, None);
        let missing = directory.path().join("none");
        assert_eq!(Report::new([], &[missing]).unwrap_err().kind(), crate::ErrorKind::Io);
    }
}
