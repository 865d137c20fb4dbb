//! Records of times, shown beside sizes: CSV from `tools/bench` and `tools/campaign`, JSON from `build`.

use crate::chess::position::Material;
use crate::error::{Error, ErrorKind, Result};
use crate::files::read_regular;
use std::collections::HashMap;
use std::path::Path;

/// The times of a table in a record.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Times {
    /// From nothing to the checked file.
    pub(super) build_seconds: Option<f64>,
    /// The time of a probe with this program, and with Fathom.
    pub(super) probe_ns: Option<f64>,
    pub(super) fathom_ns: Option<f64>,
    /// The time to open a file and answer the first position.
    pub(super) first_answer_ms: Option<f64>,
}

impl Times {
    /// Reads the known columns or fields by name.
    fn new(figure: impl Fn(&str) -> Option<f64>) -> Self {
        let processor = || Some(figure("generate_cpu_seconds")? + figure("minimize_cpu_seconds")?);
        Times {
            build_seconds: figure("seconds").or_else(processor),
            probe_ns: figure("ours_ns"),
            fathom_ns: figure("fathom_ns"),
            first_answer_ms: figure("first_answer_milliseconds"),
        }
    }

    fn or(self, other: Self) -> Self {
        Times {
            build_seconds: self.build_seconds.or(other.build_seconds),
            probe_ns: self.probe_ns.or(other.probe_ns),
            fathom_ns: self.fathom_ns.or(other.fathom_ns),
            first_answer_ms: self.first_answer_ms.or(other.first_answer_ms),
        }
    }
}

/// The times of all records together.
#[derive(Debug, Default)]
pub(in crate::cli) struct Records {
    times: HashMap<Material, Times>,
    /// For each record its name and its comment lines: processor, commit, command.
    pub(super) notes: Vec<(String, Vec<String>)>,
}

impl Records {
    /// Adds the record at `path`. A figure of an earlier record takes precedence.
    ///
    /// # Errors
    /// [`ErrorKind::Io`], and [`ErrorKind::BadInput`] if the file is not a record of tables.
    pub(in crate::cli) fn read(&mut self, path: &Path) -> Result<()> {
        let bytes = read_regular(path)?;
        let refuse = |why: String| Error::new(ErrorKind::BadInput, why).in_file(path);
        let text = std::str::from_utf8(&bytes).map_err(|_| refuse("not a record: not text".into()))?;
        let is_json = text.trim_start().starts_with('{');
        let found = if is_json { of_json(text) } else { of_csv(text) }.map_err(refuse)?;
        if found.is_empty() {
            return Err(refuse("not a record: no line has the times of a table".into()));
        }
        for (material, times) in found {
            let known = self.of(&material);
            self.times.insert(material, known.or(times));
        }
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let first = text.lines().take_while(|line| line.starts_with('#'));
        self.notes.push((name, first.map(|line| line.trim_start_matches(['#', ' ']).to_owned()).collect()));
        Ok(())
    }

    /// The times of a table.
    pub(super) fn of(&self, material: &Material) -> Times {
        self.times.get(material).copied().unwrap_or_default()
    }
}

/// The times of tables, or the reason why the text is not a record.
type Parsed = std::result::Result<Vec<(Material, Times)>, String>;

/// Reads the lines that name a table and have a time; other lines are sums.
fn of_csv(text: &str) -> Parsed {
    let mut reader =
        csv::ReaderBuilder::new().comment(Some(b'#')).flexible(true).from_reader(text.as_bytes());
    let head = reader.headers().map_err(|error| error.to_string())?.clone();
    let column = |name: &str| head.iter().position(|column| column == name);
    let Some(material) = column("material").or_else(|| column("table")) else {
        return Err("not a record: no column is called material or table".into());
    };
    let mut found = Vec::new();
    for line in reader.records() {
        let line = line.map_err(|error| error.to_string())?;
        let figure = |name: &str| number(line.get(column(name)?)?.parse().ok()?);
        found.extend(named(line.get(material), Times::new(figure)));
    }
    Ok(found)
}

fn of_json(text: &str) -> Parsed {
    let value: serde_json::Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let tables = value["tables"].as_array().ok_or("not a record: no field is called tables")?;
    let times = |table: &serde_json::Value| {
        named(table["material"].as_str(), Times::new(|name| number(table[name].as_f64()?)))
    };
    Ok(tables.iter().filter_map(times).collect())
}

/// The figure if it is a possible time.
fn number(figure: f64) -> Option<f64> {
    (figure.is_finite() && figure >= 0.0).then_some(figure)
}

fn named(material: Option<&str>, times: Times) -> Option<(Material, Times)> {
    let material = material?.parse().ok()?;
    (times != Times::default()).then_some((material, times))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Records> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("record.csv");
        std::fs::write(&path, text).unwrap();
        let mut records = Records::default();
        records.read(&path).map(|()| records)
    }

    fn queen(records: &Records) -> Times {
        records.of(&"KQvK".parse().unwrap())
    }

    #[test]
    fn the_committed_records_and_the_others_are_read() {
        let committed = include_str!("../../../tools/bench/records/2026-11-22-epyc-probe-3.csv");
        let records = read(committed).unwrap();
        assert_eq!((queen(&records).probe_ns, queen(&records).fathom_ns), (Some(111.0), Some(432.0)));
        assert_eq!(records.notes[0].1[1], "cpu: AMD EPYC, threads: 2");
        let campaign = include_str!("../../../docs/five-men.csv");
        // The lines change as the campaign goes on: one of them, with other figures.
        let head = campaign.lines().next().unwrap();
        let line: Vec<&str> =
            campaign.lines().find(|line| line.starts_with("KQQQvK,")).unwrap().split(',').collect();
        let figure = |name| match name {
            "first_answer_milliseconds" => "0.25",
            "generate_cpu_seconds" => "1.5",
            "minimize_cpu_seconds" => "20",
            _ => line[head.split(',').position(|column| column == name).unwrap()],
        };
        let changed: Vec<&str> = head.split(',').map(figure).collect();
        let three = read(&format!("{head}\n{}\n", changed.join(","))).unwrap().of(&"KQQQvK".parse().unwrap());
        assert_eq!((three.build_seconds, three.first_answer_ms), (Some(21.5), Some(0.25)));
        assert!(read(campaign).unwrap().of(&"KNNvKR".parse().unwrap()).build_seconds.is_some());
        let build = r#"{"tables": [{"material": "KQvK", "seconds": 0.5}, {"material": "x", "seconds": 1}]}"#;
        assert_eq!(queen(&read(build).unwrap()).build_seconds, Some(0.5));
    }

    #[test]
    fn an_earlier_record_takes_precedence() {
        let dir = tempfile::tempdir().unwrap();
        let mut records = Records::default();
        for (name, text) in [("a", "table,ours_ns\nKQvK,3\n"), ("b", "table,ours_ns,fathom_ns\nKQvK,4,5\n")] {
            std::fs::write(dir.path().join(name), text).unwrap();
            records.read(&dir.path().join(name)).unwrap();
        }
        assert_eq!((queen(&records).probe_ns, queen(&records).fathom_ns), (Some(3.0), Some(5.0)));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in
            ["", "a,b\n1,2\n", "table,ours_ns\nmixed,3\n", "table,ours_ns\nKQvK,NaN\n", "{", "{}", "\u{0}"]
        {
            assert_eq!(read(text).unwrap_err().kind(), ErrorKind::BadInput, "{text}");
        }
    }
}
