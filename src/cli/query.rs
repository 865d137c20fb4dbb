//! The commands that answer positions: `probe`, `moves` and `line` from clauses, `lookup` from outcome tables.

use super::args::{Lookup, Planned, Probe, Query};
use super::games::{Played, is_xiangqi_fen, no_fen};
use super::sources::{OnceByKey, check_directory, hint, is_xiangqi, listed, other_command};
use super::stream::{Layout, answer_all};
use super::values::Format;
use super::{counted, xiangqi_query};
use crate::chess::position::{Position, Wdl};
use crate::chess::retrograde::Chess;
use crate::error::{Error, ErrorKind, Result};
use crate::moves::{Line, LineEnd, Move, Moves, Plan};
use crate::outcome::Wdl50;
use crate::probe::{EXTENSION, Tables};
use crate::retrograde::Metric;
use crate::retrograde::game::Game;
use crate::retrograde::mapped::TableFile;
use crate::xiangqi::Xiangqi;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
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

/// The tables of a query: the embedded ones, then those of each path, which replace earlier ones of the same material; and the
/// paths. Decoding has no limit: a user who names a large file can interrupt the command.
pub(super) fn tables_of(query: &Query) -> Result<(Tables, Vec<PathBuf>)> {
    let variable = if query.tables.is_empty() { std::env::var_os("CUBEBASE_TABLES") } else { None };
    let variable = variable.filter(|list| !list.is_empty()).map(PathBuf::from);
    let paths: Vec<PathBuf> = query.tables.iter().chain(&variable).flat_map(|list| listed(list)).collect();
    let mut tables = Tables::embedded()?;
    tables.set_decoding_limit(usize::MAX);
    let of_chess = paths.iter().filter(|path| !path.is_file() || !is_xiangqi(path));
    let added = of_chess.into_iter().try_for_each(|path| {
        check_directory(path)?;
        tables.add(path)
    });
    added.map_err(|error| match &variable {
        Some(_) => error.context("the environment variable CUBEBASE_TABLES"),
        None => error,
    })?;
    Ok((tables, paths))
}

pub(super) fn probe(args: &Probe) -> Result<ExitCode> {
    let query = &args.query;
    let (tables, paths) = tables_of(query)?;
    let xiangqi = xiangqi_query::Opened::new(&paths);
    answer_all(&query.positions, lines(query.format), &|fen, out| {
        let position = match Position::from_fen(fen) {
            // Only an unreadable FEN is tested for the other game, so that positions of chess lose no time.
            Err(_) if is_xiangqi_fen(fen) => {
                if args.distance || args.rule {
                    return Err(no_distances());
                }
                put_answer(Answer::of(xiangqi.probe(fen)?), fen, query.format, out);
                return Ok(());
            }
            position => position.map_err(|error| no_fen(error, fen))?,
        };
        let with_hint = |error| hint(error, &paths, position.material(), false);
        // A position read from a FEN is legal.
        let outcome = tables.probe_unchecked(&position).map_err(with_hint)?;
        let mut answer = Answer::of(outcome);
        if args.rule {
            let ruled = tables.wdl50(&position, 0).map_err(with_hint)?;
            answer.text = Some(ruled.to_string());
            answer.fields = vec![("outcome_50_moves".into(), json!(ruled.name()))];
        }
        if args.distance {
            let dtz = tables.dtz(&position).map_err(with_hint)?;
            let ruled = Wdl50::new(outcome, dtz.unsigned_abs());
            answer.text = Some(format!("{ruled} {dtz}"));
            answer.fields =
                vec![("dtz".into(), json!(dtz)), ("outcome_50_moves".into(), json!(ruled.name()))];
        }
        put_answer(answer, fen, query.format, out);
        Ok(())
    })
}

pub(super) fn no_distances() -> Error {
    Error::new(ErrorKind::UnsupportedPosition, "distances to zeroing and rankings are for chess alone")
}

/// Lists the moves of positions.
pub(super) fn moves(args: &Planned) -> Result<ExitCode> {
    let query = &args.query;
    let (tables, paths) = tables_of(query)?;
    let xiangqi = xiangqi_query::Opened::new(&paths);
    answer_all(&query.positions, blocks(query.format), &|fen, out| {
        if is_xiangqi_fen(fen) {
            if args.plan {
                return Err(no_distances());
            }
            out.extend(xiangqi.moves_of(fen, query.format)?.bytes());
            return Ok(());
        }
        if args.plan {
            let plan = Plan::of(&tables, fen).map_err(|error| no_fen(error, fen))?;
            out.extend(plan_text(plan.as_ref(), query.format).bytes());
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

/// A line for the move of a plan.
pub(super) fn plan_text(plan: Option<&Plan>, format: Format) -> String {
    match (plan, format) {
        (None, Format::Text) => "no plan\n".into(),
        (Some(plan), Format::Text) if plan.pairs == 0 => format!("{} mates or zeroes\n", plan.uci),
        (Some(Plan { uci, level, next_level, pairs, .. }), Format::Text) => {
            format!("{uci} from level {level} to {next_level} within {}\n", counted((*pairs).into(), "pair"))
        }
        (plan, Format::Json) => format!("{}\n", json!({ "plan": plan.map(plan_json) })),
    }
}

pub(super) fn plan_json(Plan { uci, level, next_level, pairs, .. }: &Plan) -> Value {
    json!({ "move": uci, "level": level, "next_level": next_level, "pairs_of_moves": pairs })
}

/// Prints best play from positions.
pub(super) fn line(args: &Planned) -> Result<ExitCode> {
    let query = &args.query;
    let (tables, _) = tables_of(query)?;
    answer_all(&query.positions, blocks(query.format), &|fen, out| {
        if is_xiangqi_fen(fen) {
            return Err(no_distances());
        }
        let line = if args.plan { Line::of_plan(&tables, fen) } else { Line::of(&tables, fen) };
        let line = line.map_err(|error| no_fen(error, fen))?;
        let text = match query.format {
            Format::Text => line_text(&line, if args.plan { "no ranking" } else { "no distance" }),
            Format::Json => line.to_json() + "\n",
        };
        out.extend(text.bytes());
        Ok(())
    })
}

/// The layout for answers of several lines.
fn blocks(format: Format) -> Layout {
    let separator = if format == Format::Text { "\n" } else { "" };
    Layout { format, separator, block: 1 << 15 }
}

/// A line for the position, then an aligned line for each move. There is a column for plies if any are known.
fn moves_text(moves: &Moves) -> String {
    let mut text = heading(moves.category, moves.dtz, moves.checkmate);
    for (holds, what) in [
        (moves.stalemate, "stalemate"),
        (moves.insufficient_material, "insufficient material"),
        (moves.ignores_clock, "the halfmove clock ignored for want of distances"),
    ] {
        if holds {
            text = text + ", " + what;
        }
    }
    text.push('\n');
    let width = moves.moves.iter().map(|played| name(played.category).len()).max().unwrap_or(0).max(7);
    let has_plies = moves.moves.iter().any(|played| !plies(played).is_empty());
    for played in &moves.moves {
        let plies = if has_plies { format!("{:>4} ", plies(played)) } else { String::new() };
        let (category, notes) = (name(played.category), notes(played));
        let line = format!("{:<7} {:<5} {category:<width$} {plies}{notes}", played.san, played.uci);
        text = text + line.trim_end() + "\n";
    }
    text
}

/// A line for the position, a numbered line for each move, and a line for the end, or for what is unknown there.
fn line_text(line: &Line, unknown: &str) -> String {
    let is_mated = line.end == LineEnd::Mate && line.moves.is_empty();
    let mut text = heading(line.category, line.dtz, is_mated) + "\n";
    for (number, played) in (1..).zip(&line.moves) {
        let step =
            format!("{number:>3} {:<7} {:<5} {:>4} {}", played.san, played.uci, plies(played), notes(played));
        text = text + step.trim_end() + "\n";
    }
    let count = if line.moves.len() == 1 { "1 ply".into() } else { format!("{} plies", line.moves.len()) };
    text + &match line.end {
        LineEnd::Mate if !is_mated => format!("mate after {count}\n"),
        LineEnd::FiftyMoves => format!("draw by the 50-move rule after {count}\n"),
        LineEnd::Unknown => format!("{unknown}\n"),
        _ => String::new(),
    }
}

/// The outcome of a position, and its distance if it is won or lost.
fn heading(category: Option<Wdl50>, dtz: Option<i32>, is_mated: bool) -> String {
    let distance = match dtz.map_or(0, i32::unsigned_abs) {
        _ if is_mated => ", checkmate".into(),
        0 => String::new(),
        1 => ", 1 ply to zeroing".into(),
        plies => format!(", {plies} plies to zeroing"),
    };
    name(category) + &distance
}

/// The plies to zeroing after a move; empty after mate or if there are none.
fn plies(played: &Move) -> String {
    let plies = played.dtz.filter(|&dtz| dtz != 0 && !played.checkmate);
    plies.map_or(String::new(), |dtz| dtz.unsigned_abs().to_string())
}

fn name(category: Option<Wdl50>) -> String {
    category.map_or("unknown", Wdl50::name).to_owned()
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
        let of_chess = || chess.answer(fen).map_err(|error| no_fen(error, fen));
        let answer = if is_xiangqi_fen(fen) { xiangqi.answer(fen) } else { of_chess() };
        put_answer(answer?, fen, args.format, out);
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
        let images = G::read(fen)?;
        let files = |position| {
            let material = G::material(position);
            self.files.get(material, || open(self.directory, material))
        };
        let (mut position, mut found) = (&images[0], files(&images[0])?);
        if found.is_empty() {
            (position, found) = (&images[1], files(&images[1])?);
        }
        let Some(first) = found.first() else {
            let material = G::material(&images[0]);
            let place = self.directory.display();
            let error = Error::new(ErrorKind::MissingTable, format!("no table of {material} in {place}"));
            let path = self.directory.join(format!("{material}.{EXTENSION}"));
            return Err(other_command(error, "probe", "a file of clauses", &path));
        };
        let mut answer = Answer::of(first.wdl(position)?);
        let mut distances = Vec::new();
        for file in found.iter().filter(|file| file.metric() != Metric::Wdl) {
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
