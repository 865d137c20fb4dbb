//! Our sizes beside those of others: Syzygy's WDL files and the paper's table 5.
//!
//! Pure arithmetic over figures that the caller has measured; the published figures are in [`mod@reference`].

mod aligned;
mod checksum;
pub mod reference;
mod steps;
pub mod syzygy;

pub use aligned::{aligned, grouped, percent};
pub use reference::{PaperRow, paper_table5, syzygy_bytes};
pub use steps::Steps;

use crate::error::{Error, Result};
use crate::model::Model;
use crate::pcn::Summary;
use crate::position::Material;
use std::fmt;
use std::path::PathBuf;

/// Sides to move of one shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides {
    /// How many they are.
    pub count: u64,
    /// Bytes of their trees or lists in the files, without headers.
    pub bytes: u64,
}

/// What the caller measured of one of our files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The table.
    pub material: Material,
    /// Size of the whole file in bytes.
    pub bytes: u64,
    /// Number of clauses in it, both sides to move and all layers.
    pub clauses: u64,
    /// Number of literals in these.
    pub literals: u64,
    /// Its input model.
    pub model: Model,
    /// Its sides to move with a tree.
    pub trees: Sides,
    /// The others, whose lists may be empty.
    pub lists: Sides,
}

impl Measured {
    /// Returns the figures of a file of `bytes` bytes.
    pub fn new(summary: &Summary, bytes: u64) -> Self {
        let trees = summary.sides.iter().filter(|side| side.tree.is_some()).count() as u64;
        Measured {
            material: summary.material,
            bytes,
            clauses: summary.clauses as u64,
            literals: summary.literals as u64,
            model: summary.model,
            trees: Sides { count: trees, bytes: summary.tree_bytes as u64 },
            lists: Sides { count: summary.sides.len() as u64 - trees, bytes: summary.list_bytes as u64 },
        }
    }

    /// What the file states its outcomes by: `list`, `tree`, or `both`.
    pub fn shape(&self) -> &'static str {
        match (self.lists.count, self.trees.count) {
            (_, 0) => "list",
            (0, _) => "tree",
            _ => "both",
        }
    }

    /// Bytes of the file that are neither of a tree nor of a list.
    pub fn headers(&self) -> u64 {
        self.bytes.saturating_sub(self.trees.bytes).saturating_sub(self.lists.bytes)
    }
}

/// One table beside its rivals.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Ours.
    pub ours: Measured,
    /// Size of the Syzygy WDL file in bytes, when known.
    pub syzygy_bytes: Option<u64>,
    /// The paper's figures, when it has the table.
    pub paper: Option<PaperRow>,
}

impl Row {
    /// Our bytes divided by Syzygy's: below one, ours is smaller.
    pub fn syzygy_ratio(&self) -> Option<f64> {
        self.syzygy_bytes.map(|theirs| self.ours.bytes as f64 / theirs as f64)
    }

    /// Our bytes divided by those of the paper's compressed file: below one, ours is smaller.
    pub fn paper_ratio(&self) -> Option<f64> {
        let theirs = self.paper?.zipped_bytes?;
        Some(self.ours.bytes as f64 / f64::from(theirs))
    }
}

/// Sums over the tables that both sides have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// Number of tables that both sides have.
    pub tables: u64,
    /// Our bytes for those tables.
    pub ours_bytes: u64,
    /// Their bytes for those tables.
    pub theirs_bytes: u64,
}

impl Total {
    fn add(&mut self, ours: u64, theirs: u64) {
        self.tables += 1;
        self.ours_bytes += ours;
        self.theirs_bytes += theirs;
    }

    /// Our bytes divided by theirs; `None` when they share no table.
    pub fn ratio(&self) -> Option<f64> {
        (self.tables > 0).then(|| self.ours_bytes as f64 / self.theirs_bytes as f64)
    }
}

/// A set of tables beside their rivals, with totals. Displays as an aligned table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// One row a table, in the caller's order.
    pub rows: Vec<Row>,
    /// Our bytes in all, tables without a rival included.
    pub bytes: u64,
    /// Our clauses in all.
    pub clauses: u64,
    /// Our literals in all.
    pub literals: u64,
    /// Against Syzygy's WDL files.
    pub syzygy: Total,
    /// Against the paper's compressed files.
    pub paper: Total,
}

impl Report {
    /// Compares `measured` with the published figures; the `.rtbw` files in the directories `syzygy` override the
    /// compiled-in sizes.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) when a directory or a file in it cannot be read;
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when a file is damaged, which it names.
    pub fn new(measured: impl IntoIterator<Item = Measured>, syzygy: &[PathBuf]) -> Result<Self> {
        for directory in syzygy {
            std::fs::read_dir(directory).map_err(|error| Error::io("read", directory, error))?;
        }
        let mut report = Report::default();
        for ours in measured {
            let from_file = syzygy::bytes(syzygy, &ours.material)?;
            let syzygy_bytes = from_file.or_else(|| syzygy_bytes(&ours.material));
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
}

/// A figure, or a dash where there is none.
fn figure(value: Option<u64>) -> String {
    value.map_or_else(|| "-".into(), grouped)
}

/// A ratio with three decimals, or a dash where there is none.
fn ratio(value: Option<f64>) -> String {
    value.map_or_else(|| "-".into(), |value| format!("{value:.3}"))
}

const HEAD: [&str; 8] =
    ["material", "clauses", "bytes", "syzygy", "ratio", "paper clauses", "paper bytes", "ratio"];

impl Row {
    fn cells(&self) -> [String; 8] {
        [
            self.ours.material.to_string(),
            grouped(self.ours.clauses),
            grouped(self.ours.bytes),
            figure(self.syzygy_bytes),
            ratio(self.syzygy_ratio()),
            figure(self.paper.and_then(|paper| paper.clauses).map(u64::from)),
            figure(self.paper.and_then(|paper| paper.zipped_bytes).map(u64::from)),
            ratio(self.paper_ratio()),
        ]
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = vec![HEAD.map(String::from)];
        lines.extend(self.rows.iter().map(Row::cells));
        lines.push([
            "total".into(),
            grouped(self.clauses),
            grouped(self.bytes),
            figure(Some(self.syzygy.theirs_bytes)),
            ratio(self.syzygy.ratio()),
            "-".into(),
            figure(Some(self.paper.theirs_bytes)),
            ratio(self.paper.ratio()),
        ]);
        f.write_str(&aligned(lines))?;
        write!(
            f,
            "ratios are ours / theirs over the tables that both have: {} of Syzygy, {} of the paper",
            self.syzygy.tables, self.paper.tables
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(signature: &str, bytes: u64, clauses: u64) -> Measured {
        let material = Material::parse(signature).unwrap().0;
        let (trees, lists) = (Sides::default(), Sides { count: 1, bytes: bytes - 17 });
        Measured { material, bytes, clauses, literals: 0, model: Model::Binary, trees, lists }
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
    fn a_directory_that_is_not_there_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let missing = directory.path().join("none");
        assert_eq!(Report::new([], &[missing]).unwrap_err().kind(), crate::ErrorKind::Io);
    }

    #[test]
    fn displays_aligned() {
        let report =
            Report::new([measured("KvK", 40, 0), measured("KQvK", 136, 30)], &[]).unwrap().to_string();
        let expected = "\
material  clauses  bytes  syzygy  ratio  paper clauses  paper bytes  ratio
KvK             0     40       -      -              1           64  0.625
KQvK           30    136     272  0.500            204          748  0.182
total          30    176     272  0.500              -          812  0.217
ratios are ours / theirs over the tables that both have: 1 of Syzygy, 2 of the paper";
        assert_eq!(report, expected);
    }
}
