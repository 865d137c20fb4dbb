//! The finished rows as a CSV file, ours beside the paper's: a rerun goes on behind them.
//!
//! One line a table in the order in which they were finished, with the same columns always; lines that begin with `#`
//! are comments. The file is written anew, whole or not at all, with every row (see [`atomic`]).

use super::{Half, Row, Stage};
use crate::atomic;
use crate::compare::{paper_table5, syzygy_bytes};
use crate::error::{Error, Result};
use crate::position::Material;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What a row is of: a cell for each column.
const HEAD: [&str; 36] = [
    "material",
    "positions",
    "positions_paper",
    "compacted_clauses",
    "compacted_clauses_paper",
    "compacted_seconds",
    "compacted_hours_paper",
    "expanded_clauses",
    "expanded_clauses_paper",
    "expanded_seconds",
    "expanded_hours_paper",
    "irredundant_clauses",
    "irredundant_clauses_paper",
    "irredundant_seconds",
    "irredundant_hours_paper",
    "full_clauses",
    "full_clauses_paper",
    "full_seconds",
    "full_hours_paper",
    "half_positions",
    "half_compacted_clauses",
    "half_compacted_seconds",
    "half_expanded_clauses",
    "half_expanded_seconds",
    "half_irredundant_clauses",
    "half_irredundant_seconds",
    "pcn_bytes",
    "pcn_bytes_paper",
    "zstd_bytes",
    "zipped_bytes_paper",
    "syzygy_bytes",
    "export_seconds",
    "check_seconds",
    "peak_bytes",
    "threads",
    "version",
];

/// The rows that are finished, kept in a file if there is one.
#[derive(Debug)]
pub struct Record {
    path: Option<PathBuf>,
    rows: Vec<Row>,
}

impl Record {
    /// Returns the rows of the file at `path`, none when it does not exist or no path is given. Nothing is written yet.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io), and [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) with the line
    /// when the file is not one that [`Record::push`] has written.
    pub fn open(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else { return Ok(Record { path: None, rows: Vec::new() }) };
        let rows = match std::fs::read_to_string(path) {
            Ok(text) => parse(&text).map_err(|error| error.context(path.display()))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(Error::io("read", path, error)),
        };
        Ok(Record { path: Some(path.to_path_buf()), rows })
    }

    /// The row of `material`, if it is finished.
    pub fn row(&self, material: &Material) -> Option<&Row> {
        self.rows.iter().find(|row| row.material == *material)
    }

    /// Adds a row and writes the file.
    ///
    /// # Errors
    /// Those of [`atomic::write`]; the file then is what it was.
    pub fn push(&mut self, row: Row) -> Result<()> {
        self.rows.push(row);
        let Some(path) = &self.path else { return Ok(()) };
        atomic::write(path, |out| {
            let mut put =
                |line: &str| out.write_all(line.as_bytes()).map_err(|error| Error::io("write", path, error));
            put(&Self::head())?;
            self.rows.iter().try_for_each(|row| put(&Self::line(row)))
        })
    }

    /// The names of the columns, as the first line.
    pub fn head() -> String {
        HEAD.join(",") + "\n"
    }

    /// A row as a line.
    pub fn line(row: &Row) -> String {
        let paper = paper_table5(&row.material);
        let figure = |figure: Option<u64>| figure.map_or(String::new(), |figure| figure.to_string());
        let decimal = |number: Option<f64>| number.map_or(String::new(), |number| format!("{number:.3}"));
        let theirs = paper.map_or([None; 4], |paper| {
            [Some(paper.compacted), Some(paper.expanded), paper.clauses, paper.full]
        });
        let hours = paper.map_or([None; 4], |paper| paper.hours);
        let mut cells = vec![
            row.material.to_string(),
            row.positions.to_string(),
            figure(paper.map(|paper| paper.positions.into())),
        ];
        for (at, stage) in row.all_stages().into_iter().enumerate() {
            cells.push(figure(stage.map(|stage| stage.clauses)));
            cells.push(figure(theirs[at].map(u64::from)));
            cells.push(decimal(stage.map(|stage| stage.seconds)));
            cells.push(decimal(hours[at]));
        }
        cells.push(figure(row.half.map(|half| half.positions)));
        for at in 0..3 {
            let stage = row.half.map(|half| half.stages[at]);
            cells.push(figure(stage.map(|stage| stage.clauses)));
            cells.push(decimal(stage.map(|stage| stage.seconds)));
        }
        cells.extend([
            row.pcn_bytes().to_string(),
            figure(paper.and_then(|paper| paper.pcn_bytes).map(u64::from)),
            row.zstd_bytes.to_string(),
            figure(paper.and_then(|paper| paper.zipped_bytes).map(u64::from)),
            figure(syzygy_bytes(&row.material)),
            decimal(Some(row.export_seconds)),
            decimal(Some(row.check_seconds)),
            figure(row.peak_bytes),
            row.threads.to_string(),
            env!("CARGO_PKG_VERSION").to_string(),
        ]);
        cells.join(",") + "\n"
    }
}

/// Reads the rows of a whole file.
fn parse(text: &str) -> Result<Vec<Row>> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    match lines.next() {
        Some((_, head)) if head == HEAD.join(",") => {}
        _ => return Err(Error::corrupt("no record of measured tables: other columns")),
    }
    let mut rows: Vec<Row> = Vec::new();
    for (number, line) in lines {
        let row = parse_row(line).ok_or_else(|| Error::corrupt(format!("line {}: no row", number + 1)))?;
        if rows.iter().any(|other| other.material == row.material) {
            return Err(Error::corrupt(format!("line {}: {} again", number + 1, row.material)));
        }
        rows.push(row);
    }
    Ok(rows)
}

fn number<T: FromStr>(cell: Option<&str>) -> Option<T> {
    cell?.parse().ok()
}

fn parse_row(line: &str) -> Option<Row> {
    let cells: Vec<&str> = line.split(',').collect();
    if cells.len() != HEAD.len() {
        return None;
    }
    let cell = |name: &str| cells.get(HEAD.iter().position(|column| *column == name)?).copied();
    let decimal = |name: &str| number(cell(name)).filter(|number: &f64| number.is_finite() && *number >= 0.0);
    let stage = |name: &str| {
        let clauses = number(cell(&format!("{name}_clauses")))?;
        Some(Stage { clauses, seconds: decimal(&format!("{name}_seconds"))? })
    };
    let full = match cell("full_clauses")? {
        "" => None,
        _ => Some(stage("full")?),
    };
    let half = match cell("half_positions")? {
        "" => None,
        positions => Some(Half {
            positions: positions.parse().ok()?,
            stages: [stage("half_compacted")?, stage("half_expanded")?, stage("half_irredundant")?],
        }),
    };
    let peak_bytes = match cell("peak_bytes")? {
        "" => None,
        bytes => Some(bytes.parse().ok()?),
    };
    Some(Row {
        material: Material::parse(cell("material")?).ok()?.0,
        positions: number(cell("positions"))?,
        stages: [stage("compacted")?, stage("expanded")?, stage("irredundant")?],
        full,
        half,
        zstd_bytes: number(cell("zstd_bytes"))?,
        export_seconds: decimal("export_seconds")?,
        check_seconds: decimal("check_seconds")?,
        peak_bytes,
        threads: number(cell("threads"))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    fn row(name: &str, full: Option<Stage>, peak_bytes: Option<u64>) -> Row {
        let stage = |clauses, seconds| Stage { clauses, seconds };
        Row {
            material: name.parse().unwrap(),
            positions: 1000,
            stages: [stage(300, 0.125), stage(20, 0.25), stage(10, 1.5)],
            full,
            half: full.map(|full| Half { positions: 500, stages: [full, stage(7, 2.5), stage(6, 2.75)] }),
            zstd_bytes: 77,
            export_seconds: 0.5,
            check_seconds: 2.0,
            peak_bytes,
            threads: 2,
        }
    }

    #[test]
    fn rows_are_there_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("record.csv");
        let full = Some(Stage { clauses: 9, seconds: 3.25 });
        let rows = [row("KQvK", full, Some(1 << 20)), row("KPvKP", None, None), row("KvK", full, None)];
        for (done, row) in rows.iter().enumerate() {
            let mut record = Record::open(Some(&path)).unwrap();
            assert_eq!(record.rows, rows[..done]);
            record.push(row.clone()).unwrap();
        }
        let record = Record::open(Some(&path)).unwrap();
        assert_eq!(record.rows, rows);
        assert_eq!(record.row(&"KPvKP".parse().unwrap()), Some(&rows[1]));
        assert_eq!(record.row(&"KPvK".parse().unwrap()), None);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.lines().all(|line| line.split(',').count() == HEAD.len()), "{text}");
        assert!(text.contains("KQvK,1000,24851,300,4586,0.125,0.005,20,235,"), "{text}");
    }

    #[test]
    fn other_files_are_refused_by_line() {
        let good = Record::head() + &Record::line(&row("KQvK", None, None));
        assert_eq!(parse(&good).unwrap().len(), 1);
        assert_eq!(parse(&format!("# a comment\n{good}")).unwrap().len(), 1);
        let cut = &good[..good.len() - 20];
        let twice = good.clone() + &Record::line(&row("KQvK", None, None));
        for (text, message) in [
            ("", "other columns"),
            ("material,clauses\n", "other columns"),
            (cut, "line 2"),
            (&twice, "line 3: KQvK again"),
            (&good.replace("1000", "-1"), "line 2"),
            (&good.replace("0.125", "NaN"), "line 2"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Corrupt);
            assert!(error.to_string().contains(message), "{message}: {error}");
        }
    }
}
