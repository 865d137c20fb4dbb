//! The commands that answer positions: `probe` from clauses, `lookup` from outcome tables.

use super::args::{Format, Probe, Query};
use super::one_line;
use crate::error::{Error, ErrorKind, Result};
use crate::position::{Material, Position, Wdl};
use crate::probe::Tables;
use crate::retrograde::{Metric, TableFile};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

/// What one position was answered.
struct Answer {
    outcome: Wdl,
    /// The whole answer in text when it is more than the outcome, and the additional fields of JSON.
    more: Option<(String, Vec<(String, Value)>)>,
}

/// Answers from .pcn files.
pub(super) fn probe(args: &Probe) -> Result<ExitCode> {
    let tables = Tables::open(&args.query.tables)?;
    answer_all(&args.query, |position| {
        if !args.explain {
            return Ok(Answer { outcome: tables.probe(position)?, more: None });
        }
        let explanation = tables.explain(position)?;
        let text = explanation.to_string();
        let fields = vec![("explanation".to_string(), json!(text))];
        Ok(Answer { outcome: explanation.outcome, more: Some((text, fields)) })
    })
}

/// Answers from outcome tables, mapped into memory.
pub(super) fn lookup(args: &Query) -> Result<ExitCode> {
    if !args.tables.is_dir() {
        return Err(Error::new(ErrorKind::Io, format!("{} is no directory", args.tables.display())));
    }
    let mut opened: HashMap<Material, Vec<TableFile>> = HashMap::new();
    answer_all(args, |position| {
        let files = match opened.entry(*position.material()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(open(&args.tables, position.material())?),
        };
        let Some(first) = files.first() else {
            let (material, place) = (position.material(), args.tables.display());
            return Err(Error::new(ErrorKind::MissingTable, format!("no table of {material} in {place}")));
        };
        let outcome = first.wdl(position)?;
        let (mut texts, mut fields) = (Vec::new(), Vec::new());
        for file in files.iter().filter(|file| file.metric() != Metric::Wdl) {
            if let Some(plies) = file.distance(position)? {
                texts.push(format!("{} {plies} plies", file.metric()));
                fields.push((format!("{}_plies", file.metric()), json!(plies)));
            }
        }
        let more = (!texts.is_empty()).then(|| (format!("{outcome} {}", texts.join(", ")), fields));
        Ok(Answer { outcome, more })
    })
}

/// Opens the files of `material` in `directory`, of every metric.
fn open(directory: &Path, material: &Material) -> Result<Vec<TableFile>> {
    let mut files = Vec::new();
    for metric in Metric::ALL {
        let path = directory.join(format!("{material}.{metric}"));
        if !path.exists() {
            continue;
        }
        let file = TableFile::open(&path)?;
        if (file.material(), file.metric()) != (material, metric) {
            let why = format!("{} holds the {} table of {}", path.display(), file.metric(), file.material());
            return Err(Error::corrupt(why));
        }
        files.push(file);
    }
    Ok(files)
}

/// Answers each position of `query` on a line of its own; exit status 3 when any was an error.
fn answer_all(query: &Query, mut answer: impl FnMut(&Position) -> Result<Answer>) -> Result<ExitCode> {
    let mut out = BufWriter::new(io::stdout().lock());
    let written = |error| Error::with_source(ErrorKind::Io, "cannot write to standard output", error);
    let mut failed = false;
    let mut one = |fen: &str, out: &mut dyn Write| {
        let result = Position::from_fen(fen).and_then(|position| answer(&position));
        failed |= result.is_err();
        let line = match query.format {
            Format::Text => text(&result),
            Format::Json => json_line(fen, &result).to_string(),
        };
        writeln!(out, "{line}").map_err(written)
    };
    for argument in &query.positions {
        if argument != "-" {
            one(argument, &mut out)?;
            continue;
        }
        let mut input = BufReader::new(io::stdin().lock());
        let mut line = Vec::new();
        loop {
            line.clear();
            if input.buffer().is_empty() {
                // Whoever asks, a person or a program, may wait for the answers before asking on.
                out.flush().map_err(written)?;
            }
            let read = input
                .read_until(b'\n', &mut line)
                .map_err(|error| Error::with_source(ErrorKind::Io, "cannot read standard input", error))?;
            if read == 0 {
                break;
            }
            // A line that is not UTF-8 is a bad FEN, not the end of the others.
            one(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']), &mut out)?;
        }
    }
    out.flush().map_err(written)?;
    if failed {
        return Ok(ExitCode::from(3));
    }
    Ok(ExitCode::SUCCESS)
}

fn text(result: &Result<Answer>) -> String {
    match result {
        Ok(Answer { outcome, more: None }) => outcome.to_string(),
        Ok(Answer { more: Some((text, _)), .. }) => text.clone(),
        // One line out for each line in.
        Err(error) => format!("error: {}", one_line(error)),
    }
}

fn json_line(fen: &str, result: &Result<Answer>) -> Value {
    match result {
        Ok(answer) => {
            let mut line = json!({ "fen": fen, "outcome": answer.outcome.name() });
            for (name, value) in answer.more.iter().flat_map(|(_, fields)| fields) {
                line[name] = value.clone();
            }
            line
        }
        Err(error) => json!({ "fen": fen, "error": error.to_string() }),
    }
}
