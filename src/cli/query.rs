//! The commands that answer positions: `probe` and `moves` from clauses, `lookup` from outcome tables.

use super::args::{Lookup, Query};
use super::games::{Played, is_xiangqi_fen, no_fen};
use super::sources::{OnceByKey, hint, is_xiangqi, other_command};
use super::stream::{Layout, answer_all};
use super::values::Format;
use super::xiangqi_query;
use crate::chess::position::{Position, Wdl};
use crate::chess::retrograde::Chess;
use crate::error::{Error, ErrorKind, Result};
use crate::moves::{Move, Moves};
use crate::outcome::Wdl50;
use crate::probe::{EXTENSION, Tables};
use crate::retrograde::Metric;
use crate::retrograde::game::Game;
use crate::retrograde::mapped::TableFile;
use crate::xiangqi::Xiangqi;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// The answer to one position.
struct Answer {
    outcome: Wdl,
    /// The text, if it is more than the outcome.
    text: Option<String>,
    /// Further fields of the JSON object.
    fields: Vec<(String, Value)>,
}

impl Answer {
    fn of(outcome: Wdl) -> Self {
        Answer { outcome, text: None, fields: vec![] }
    }
}

/// The layout for answers of one line.
fn lines(format: Format) -> Layout {
    Layout { format, separator: "", block: 1 << 20 }
}

/// The tables of a query: the embedded ones, then those of each path, which replace earlier ones of the same material.
/// Decoding has no limit: a user who names a large file can interrupt the command.
pub(super) fn tables_of(query: &Query) -> Result<Tables> {
    let mut tables = Tables::embedded()?;
    tables.set_decoding_limit(usize::MAX);
    for path in query.tables.iter().filter(|path| !path.is_file() || !is_xiangqi(path)) {
        tables.add(path)?;
    }
    Ok(tables)
}

pub(super) fn probe(query: &Query) -> Result<ExitCode> {
    let (tables, xiangqi) = (tables_of(query)?, xiangqi_query::Opened::new(&query.tables));
    answer_all(&query.positions, lines(query.format), &|fen, out| {
        let position = match Position::from_fen(fen) {
            // Only an unreadable FEN is tested for the other game, so that positions of chess lose no time.
            Err(_) if is_xiangqi_fen(fen) => {
                put_answer(Answer::of(xiangqi.probe(fen)?), fen, query.format, out);
                return Ok(());
            }
            position => position.map_err(|error| no_fen(error, fen))?,
        };
        // A position read from a FEN is legal.
        let answered = tables.probe_unchecked(&position).map(Answer::of);
        let answer = answered.map_err(|error| hint(error, &query.tables, position.material(), false))?;
        put_answer(answer, fen, query.format, out);
        Ok(())
    })
}

/// Lists the moves of positions.
pub(super) fn moves(query: &Query) -> Result<ExitCode> {
    let (tables, xiangqi) = (tables_of(query)?, xiangqi_query::Opened::new(&query.tables));
    let separator = if query.format == Format::Text { "\n" } else { "" };
    let layout = Layout { format: query.format, separator, block: 1 << 15 };
    answer_all(&query.positions, layout, &|fen, out| {
        if is_xiangqi_fen(fen) {
            out.extend(xiangqi.moves_of(fen, query.format)?.bytes());
            return Ok(());
        }
        let moves = Moves::of(&tables, fen).map_err(|error| no_fen(error, fen))?;
        let text = match query.format {
            Format::Text => moves_text(&moves),
            Format::Json => moves.to_json() + "\n",
        };
        out.extend(text.bytes());
        Ok(())
    })
}

/// A line for the position, then an aligned line for each move.
fn moves_text(moves: &Moves) -> String {
    let mut text = name(moves.outcome).to_owned();
    for (holds, what) in [
        (moves.checkmate, "checkmate"),
        (moves.stalemate, "stalemate"),
        (moves.insufficient_material, "insufficient material"),
    ] {
        if holds {
            text = text + ", " + what;
        }
    }
    text.push('\n');
    for played in &moves.moves {
        let line =
            format!("{:<7} {:<5} {:<7} {}", played.san, played.uci, name(played.outcome), notes(played));
        text = text + line.trim_end() + "\n";
    }
    text
}

fn name(outcome: Option<Wdl>) -> &'static str {
    outcome.map_or("unknown", Wdl::name)
}

/// The remarks on a move: capture, check and others.
fn notes(played: &Move) -> String {
    let notes = [
        (played.castling, "castling"),
        (played.capture, "capture"),
        (played.promotion.is_some(), "promotion"),
        (played.check && !played.checkmate, "check"),
        (played.checkmate, "mate"),
        (played.stalemate, "stalemate"),
        (played.insufficient_material, "insufficient material"),
    ];
    let notes: Vec<&str> = notes.into_iter().filter(|(holds, _)| *holds).map(|(_, what)| what).collect();
    notes.join(", ")
}

/// Answers from outcome tables, mapped into memory.
pub(super) fn lookup(args: &Lookup) -> Result<ExitCode> {
    if !args.tables.is_dir() {
        let error = Error::new(ErrorKind::Io, format!("{} is not a directory", args.tables.display()));
        let is_probed = Tables::open(&args.tables).is_ok() || is_xiangqi(&args.tables);
        let hint = |error| other_command(error, "probe", "a file of clauses", &args.tables);
        return Err(if is_probed { hint(error) } else { error });
    }
    let (chess, xiangqi) = (Opened::<Chess>::new(&args.tables), Opened::<Xiangqi>::new(&args.tables));
    answer_all(&args.positions, lines(args.format), &|fen, out| {
        let answer = if is_xiangqi_fen(fen) { xiangqi.answer(fen) } else { chess.answer(fen) };
        put_answer(answer.map_err(|error| no_fen(error, fen))?, fen, args.format, out);
        Ok(())
    })
}

/// The outcome tables of a game in a directory, opened when they are first needed.
struct Opened<'a, G: Played> {
    directory: &'a Path,
    /// The files of each material, of every metric.
    files: OnceByKey<G::Material, Vec<TableFile<G>>>,
}

impl<'a, G: Played> Opened<'a, G> {
    fn new(directory: &'a Path) -> Self {
        Opened { directory, files: OnceByKey::default() }
    }

    fn answer(&self, fen: &str) -> Result<Answer> {
        let position = &G::read(fen)?;
        let material = G::material(position);
        let files = self.files.get(material, || open(self.directory, material))?;
        let Some(first) = files.first() else {
            let place = self.directory.display();
            let error = Error::new(ErrorKind::MissingTable, format!("no table of {material} in {place}"));
            let path = self.directory.join(format!("{material}.{EXTENSION}"));
            return Err(other_command(error, "probe", "a file of clauses", &path));
        };
        let mut answer = Answer::of(first.wdl(position)?);
        let mut distances = Vec::new();
        for file in files.iter().filter(|file| file.metric() != Metric::Wdl) {
            let plies = file.distance(position)?;
            if let Some(plies) = plies {
                distances.push(format!(" {} {plies} plies", file.metric()));
                answer.fields.push((format!("{}_plies", file.metric()), json!(plies)));
            }
            if file.metric() == Metric::Dtz {
                let ruled = Wdl50::new(answer.outcome, plies.unwrap_or(0));
                answer.fields.push(("outcome_50_moves".into(), json!(ruled.name())));
                if [Wdl50::BlessedLoss, Wdl50::CursedWin].contains(&ruled) {
                    distances.push(format!(" {ruled}"));
                }
            }
        }
        answer.text = Some(format!("{}{}", answer.outcome, distances.join(",")));
        Ok(answer)
    }
}

/// Opens the files of `material` in `directory`, of every metric.
fn open<G: Game>(directory: &Path, material: &G::Material) -> Result<Vec<TableFile<G>>> {
    let mut files = Vec::new();
    for metric in Metric::ALL {
        let path = directory.join(format!("{material}.{metric}"));
        if !path.exists() {
            continue;
        }
        let file = TableFile::<G>::open(&path)?;
        if (file.material(), file.metric()) != (material, metric) {
            let why = format!("{} holds the {} table of {}", path.display(), file.metric(), file.material());
            return Err(Error::corrupt(why));
        }
        files.push(file);
    }
    Ok(files)
}

/// Appends a line with the answer to a position.
fn put_answer(answer: Answer, fen: &str, format: Format, out: &mut Vec<u8>) {
    match format {
        Format::Text => {
            out.extend_from_slice(answer.text.as_deref().unwrap_or(answer.outcome.name()).as_bytes());
            out.push(b'\n');
        }
        Format::Json => {
            let mut value = json!({ "fen": fen, "outcome": answer.outcome.name() });
            answer.fields.into_iter().for_each(|(name, field)| value[name] = field);
            // Writing to a vector cannot fail.
            let _ = writeln!(out, "{value}");
        }
    }
}
