//! The commands that answer positions: `probe` from clauses, `lookup` from outcome tables.

use super::args::{Format, Probe, Query};
use super::{one_line, usage};
use crate::error::{Error, ErrorKind, Result};
use crate::position::{Material, Position};
use crate::probe::{EXTENSION, Tables};
use crate::retrograde::{Metric, TableFile};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::process::ExitCode;

/// What one position was answered, as text and as JSON.
type Answer = (String, Value);

pub(super) fn probe(args: &Probe) -> Result<ExitCode> {
    let tables = Tables::open(&args.query.tables)?;
    answer_all(&args.query, |position| {
        let answered = if args.explain {
            tables.explain(position).map(|explanation| {
                let (text, outcome) = (explanation.to_string(), explanation.outcome.name());
                (text.clone(), json!({ "outcome": outcome, "explanation": text }))
            })
        } else {
            tables.probe(position).map(|outcome| (outcome.to_string(), json!({ "outcome": outcome.name() })))
        };
        answered.map_err(|error| {
            let path = args.query.tables.join(format!("{}.{}", position.material(), Metric::Wdl));
            let is_missing = error.kind() == ErrorKind::MissingTable;
            if is_missing { other_command(error, "lookup", "an outcome table", &path) } else { error }
        })
    })
}

/// The error of a table that is not there, and which command reads the file at `path` if it is there.
fn other_command(error: Error, command: &str, what: &str, path: &Path) -> Error {
    let shown = path.display();
    let hint = || Error::new(error.kind(), format!("{error}; {shown} is {what}: use `cubebase {command}`"));
    if path.exists() { hint() } else { error }
}

/// Answers from outcome tables, mapped into memory.
pub(super) fn lookup(args: &Query) -> Result<ExitCode> {
    if !args.tables.is_dir() {
        let error = Error::new(ErrorKind::Io, format!("{} is no directory", args.tables.display()));
        return Err(match Tables::open(&args.tables) {
            Ok(_) => other_command(error, "probe", "a file of clauses", &args.tables),
            Err(_) => error,
        });
    }
    let mut opened: HashMap<Material, Vec<TableFile>> = HashMap::new();
    answer_all(args, |position| {
        let files = match opened.entry(*position.material()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(open(&args.tables, position.material())?),
        };
        let Some(first) = files.first() else {
            let (material, place) = (position.material(), args.tables.display());
            let error = Error::new(ErrorKind::MissingTable, format!("no table of {material} in {place}"));
            let path = args.tables.join(format!("{material}.{EXTENSION}"));
            return Err(other_command(error, "probe", "a file of clauses", &path));
        };
        let outcome = first.wdl(position)?;
        let (mut distances, mut value) = (Vec::new(), json!({ "outcome": outcome.name() }));
        for file in files.iter().filter(|file| file.metric() != Metric::Wdl) {
            if let Some(plies) = file.distance(position)? {
                distances.push(format!(" {} {plies} plies", file.metric()));
                value[format!("{}_plies", file.metric())] = json!(plies);
            }
        }
        Ok((format!("{outcome}{}", distances.join(",")), value))
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

/// Bytes of a line of input, its end included; no FEN is as long.
const MAX_LINE: u64 = 4096;

/// Answers each position of `query` on a line of its own; exit status 3 when any was an error.
fn answer_all(query: &Query, mut answer: impl FnMut(&Position) -> Result<Answer>) -> Result<ExitCode> {
    check_quoted(&query.positions)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let written = |error| Error::with_source(ErrorKind::Io, "cannot write to standard output", error);
    let mut failed = false;
    let mut one = |line: Result<String>, out: &mut dyn Write| {
        let fen = line.as_ref().map_or_else(|_| String::new(), String::clone);
        let (text, mut value) = line
            .and_then(|fen| Position::from_fen(&fen))
            .and_then(|position| answer(&position))
            .unwrap_or_else(|error| {
                failed = true;
                // One line out for each line in.
                (format!("error: {}", one_line(&error)), json!({ "error": error.to_string() }))
            });
        value["fen"] = json!(fen);
        match query.format {
            Format::Text => writeln!(out, "{text}"),
            Format::Json => writeln!(out, "{value}"),
        }
        .map_err(written)
    };
    for argument in &query.positions {
        if argument != "-" {
            one(Ok(argument.clone()), &mut out)?;
            continue;
        }
        let mut input = BufReader::new(io::stdin().lock());
        let mut mark = "\u{feff}";
        loop {
            if input.buffer().is_empty() {
                // Whoever asks, a person or a program, may wait for the answers before asking on.
                out.flush().map_err(written)?;
            }
            let read = |error| Error::with_source(ErrorKind::Io, "cannot read standard input", error);
            let Some(line) = next_line(&mut input).map_err(read)? else { break };
            let mark = std::mem::take(&mut mark);
            one(line.map(|line| line.strip_prefix(mark).unwrap_or(&line).to_string()), &mut out)?;
        }
    }
    out.flush().map_err(written)?;
    Ok(if failed { ExitCode::from(3) } else { ExitCode::SUCCESS })
}

/// Refuses the words of a FEN that the shell has split, where each would be a position of its own.
fn check_quoted(positions: &[String]) -> Result<()> {
    let [board, turn, ..] = positions else { return Ok(()) };
    if board.matches('/').count() == 7 && !board.contains(' ') && ["w", "b"].contains(&turn.as_str()) {
        return Err(usage(format!("a FEN has spaces: quote it, as in \"{}\"", positions.join(" "))));
    }
    Ok(())
}

/// The next line of an input without its end, or what is wrong with it; `None` at the end. No line is kept that is longer
/// than [`MAX_LINE`].
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Result<String>>> {
    let mut line = Vec::new();
    input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.len() as u64 == MAX_LINE && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        let why = format!("a line of more than {MAX_LINE} bytes is no FEN");
        return Ok(Some(Err(Error::new(ErrorKind::BadInput, why))));
    }
    // A line that is not UTF-8 is a bad FEN, not the end of the others.
    Ok(Some(Ok(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_string())))
}
