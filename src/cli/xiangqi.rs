//! Chinese chess in the commands about .pcn files: `minimize` and `build` make them, `probe`, `moves` and `explain` ask them,
//! `verify` and `info` say what they are.

use super::args::{Build, Export, Minimize, Minimizer};
use super::generate::elapsed;
use super::sources::Source;
use super::stats::of_file;
use super::values::Format;
use super::values::PlaTypeArg;
use super::{
    Resources, counted, directory_of, paint, print, print_json, progress, to_standard_output, usage,
};
use crate::atomic;
use crate::chess::position::Wdl;
use crate::error::{Error, ErrorKind, Result};
use crate::files::{open_regular, read_regular};
use crate::pcn::Layers;
use crate::pipeline::{Monitor, Options, Shape};
use crate::probe::EXTENSION;
use crate::xiangqi::{
    Board, Clauses, Explanation, Material, Model, Move, Position, Store, Table, Xiangqi, write_pla,
};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

fn store(directory: Option<&Path>, line: &ProgressBar, resources: &Resources) -> Store {
    Store::new(directory.map(Path::to_path_buf))
        .with_memory(resources.memory)
        .with_progress(progress::generating(line, &[]))
}

/// The models to try; the smallest file stays.
fn models(args: &Minimizer) -> Result<Vec<Model>> {
    if args.layers != Layers::Ordered || args.steps.is_some() || args.shape == Shape::List {
        let why = "Chinese chess has trees alone: no lists, and so no --layers independent or --steps";
        return Err(usage(why));
    }
    match args.model.as_deref() {
        None | Some("auto") => Ok(Model::ALL.to_vec()),
        Some(name) => Ok(vec![name.parse().map_err(|error: Error| usage(error.to_string()))?]),
    }
}

/// The bytes of the smallest checked file of `material` over `models`.
fn smallest(
    material: &Material,
    models: &[Model],
    store: &Store,
    options: &Options<'_>,
    line: &ProgressBar,
) -> Result<Vec<u8>> {
    let table = store.get(material)?;
    let show = progress::showing(line, material, None);
    let options = Options { progress: Monitor::new(&show), ..options.clone() };
    let mut best: Option<Vec<u8>> = None;
    for &model in models {
        let bytes = Clauses::build(&table, model, &options)?;
        best = Some(best.filter(|best| best.len() <= bytes.len()).unwrap_or(bytes));
    }
    best.ok_or_else(|| Error::new(ErrorKind::BadInput, "no input model to choose"))
}

fn options(args: &Minimizer, resources: &Resources, scratch: PathBuf) -> Options<'static> {
    let options = Options { codec: args.codec, memory: resources.memory, ..Options::default() };
    Options { scratch: Some(scratch), ..options }.with_effort(args.effort)
}

pub(super) fn minimize(args: &Minimize, resources: &Resources) -> Result<ExitCode> {
    let (material, models) = (args.material.parse()?, models(&args.minimizer)?);
    let line = progress::line(resources.quiet);
    atomic::check(&args.output)?;
    let options = options(&args.minimizer, resources, directory_of(&args.output));
    let store = store(args.tables.as_deref(), &line, resources);
    let bytes = smallest(&material, &models, &store, &options, &line)?;
    atomic::write_bytes(&args.output, &bytes)?;
    line.finish_and_clear();
    print(summary(&args.output, &bytes)?)?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn build(materials: &[Material], args: &Build, resources: &Resources) -> Result<ExitCode> {
    if args.castling {
        return Err(usage("--castling: Chinese chess has no castling"));
    }
    let models = models(&args.minimizer)?;
    let line = progress::line(resources.quiet);
    let options = options(&args.minimizer, resources, args.out.clone());
    let store = store(Some(&args.out), &line, resources);
    store.check_budget(&store.plan(materials)?)?;
    std::fs::create_dir_all(&args.out).map_err(|error| Error::io("make the directory", &args.out, error))?;
    let file = |material: &Material| args.out.join(format!("{material}.{EXTENSION}"));
    materials.iter().try_for_each(|material| atomic::check(&file(material)))?;
    if args.keep_tables {
        store.generate(materials)?;
    }
    let (start, mut rows) = (Instant::now(), Vec::new());
    for material in materials {
        let bytes = smallest(material, &models, &store, &options, &line)?;
        atomic::write_bytes(&file(material), &bytes)?;
        match args.format {
            Format::Text => line.suspend(|| print(summary(&file(material), &bytes)?))?,
            Format::Json => rows.push(json(&Clauses::decode(&bytes)?, bytes.len())),
        }
    }
    line.finish_and_clear();
    match args.format {
        Format::Text => {
            print(format!("{} in {}\n", counted(materials.len(), "table"), elapsed(start.elapsed())))?;
        }
        Format::Json => print_json(&json!({ "tables": rows }))?,
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn export(args: &Export, resources: &Resources) -> Result<ExitCode> {
    let material: Material = args.material.parse()?;
    // The default is chess's, which this game has not.
    let name = if args.model == "binary" { "board" } else { &args.model };
    let model: Model = name.parse().map_err(|error: Error| usage(error.to_string()))?;
    if args.no_canonical || matches!(args.r#type, Some(PlaTypeArg::Fdr)) {
        let why = "a PLA of Chinese chess has canonical positions and is of type fr: no --no-canonical, no --type fdr";
        return Err(usage(why));
    }
    let line = progress::line(resources.quiet);
    args.output.as_deref().map_or(Ok(()), atomic::check)?;
    let table = store(args.tables.as_deref(), &line, resources).get(&material)?;
    let Some(path) = &args.output else {
        return to_standard_output(|out| write_pla(&table, model, out));
    };
    atomic::write(path, |out| write_pla(&table, model, out).map_err(|error| error.context(path.display())))?;
    line.finish_and_clear();
    print(format!("{}: {material} in model {model}\n", path.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// A line about a file that was just made.
fn summary(path: &Path, bytes: &[u8]) -> Result<String> {
    Ok(line(path, &Clauses::decode(bytes)?, bytes.len()))
}

fn line(path: &Path, clauses: &Clauses, bytes: usize) -> String {
    let (leaves, literals) = clauses.clauses_and_literals();
    format!(
        "{}: {}, Chinese chess, model {}, {}, {}, {}\n",
        paint::out(paint::HEAD, path.display()),
        clauses.material(),
        clauses.plan().model(),
        counted(bytes, "byte"),
        counted(leaves, "clause"),
        counted(literals, "literal"),
    )
}

/// The clauses in the bytes of a source, whose name must be that of their material.
pub(super) fn decode(source: &Source, bytes: &[u8]) -> Result<Clauses> {
    let clauses = Clauses::decode(bytes).map_err(|error| error.in_file(&source.path))?;
    source.check_name(clauses.material())?;
    Ok(clauses)
}

/// Whether the file at `path` is one of Chinese chess.
pub(super) fn is_file(path: &Path) -> bool {
    let mut head = [0; 2];
    path.is_file()
        && open_regular(path).is_ok_and(|mut file| file.read_exact(&mut head).is_ok())
        && Clauses::are_in(&head)
}

/// The bytes of a file of Chinese chess; `None` for others, and for those that cannot be read.
pub(super) fn bytes_of(source: &Source) -> Option<Vec<u8>> {
    source.read().ok().filter(|bytes| Clauses::are_in(bytes))
}

/// The text and the JSON of a .pcn file.
pub(super) fn describe(source: &Source, bytes: &[u8]) -> Result<(String, Value)> {
    let clauses = decode(source, bytes)?;
    let mut value = json(&clauses, bytes.len());
    value["file"] = json!(source.path.display().to_string());
    Ok((line(&source.path, &clauses, bytes.len()), value))
}

/// The same of an outcome table, all of which is checked.
pub(super) fn describe_table(path: &Path) -> Result<(String, Value)> {
    Table::read(path)?;
    of_file::<Xiangqi>(path)
}

/// A file as a JSON object.
fn json(clauses: &Clauses, bytes: usize) -> Value {
    let (leaves, literals) = clauses.clauses_and_literals();
    json!({
        "game": "xiangqi",
        "material": clauses.material().to_string(),
        "model": clauses.plan().model().name(),
        "bytes": bytes,
        "clauses": leaves,
        "literals": literals,
    })
}

/// Checks the file of `source`, with these bytes, on every position. Returns the number of probes.
pub(super) fn verify(
    source: &Source,
    bytes: &[u8],
    tables: Option<&Path>,
    line: &ProgressBar,
    resources: &Resources,
    progress: Monitor<'_>,
) -> Result<u64> {
    let clauses = decode(source, bytes)?;
    let table = store(tables, line, resources).get(clauses.material())?;
    clauses.verify(&table, progress)
}

/// The clauses in the files of a query, opened when they are asked.
pub(super) struct Opened<'a> {
    paths: &'a [PathBuf],
    files: Mutex<HashMap<Material, Arc<Clauses>>>,
}

impl<'a> Opened<'a> {
    pub(super) fn new(paths: &'a [PathBuf]) -> Self {
        Opened { paths, files: Mutex::default() }
    }

    fn of(&self, material: &Material) -> Result<Arc<Clauses>> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = files.get(material) {
            return Ok(Arc::clone(found));
        }
        // The last one answers, as in chess.
        for path in self.paths.iter().rev() {
            let file =
                if path.is_dir() { path.join(format!("{material}.{EXTENSION}")) } else { path.clone() };
            if !file.exists() {
                continue;
            }
            let bytes = read_regular(&file)?;
            if !Clauses::are_in(&bytes) {
                continue;
            }
            let clauses = Clauses::decode(&bytes).map_err(|error| error.in_file(&file))?;
            if clauses.material() == material {
                return Ok(Arc::clone(files.entry(*material).or_insert_with(|| Arc::new(clauses))));
            }
            if path.is_dir() {
                let why = format!("{} has the table of {}", file.display(), clauses.material());
                return Err(Error::corrupt(why));
            }
        }
        let why = format!("no table of {material} (of Chinese chess none are built in; --tables names them)");
        Err(Error::new(ErrorKind::MissingTable, why))
    }

    /// The outcome of the position in a FEN.
    pub(super) fn probe(&self, fen: &str) -> Result<Wdl> {
        let (position, _) = Position::from_fen(fen)?;
        self.of(position.material())?.probe(&position)
    }

    /// The legal moves of a position, each with the outcome for the side that makes it, `None` where there is no table.
    fn moves(&self, board: &Board) -> Result<Vec<(Move, Option<Wdl>)>> {
        let outcome = |played: Move| {
            let after = Position::from_board(&board.after(played))?.0;
            match self.of(after.material()) {
                Ok(clauses) => clauses.probe(&after).map(|wdl| (played, Some(wdl.other()))),
                Err(error) if error.kind() == ErrorKind::MissingTable => Ok((played, None)),
                Err(error) => Err(error),
            }
        };
        board.legal_moves().into_iter().map(outcome).collect()
    }

    /// The text or the JSON of the moves of the position in a FEN.
    pub(super) fn moves_of(&self, fen: &str, format: Format) -> Result<String> {
        let board = Board::from_fen(fen)?;
        let (position, _) = Position::from_board(&board)?;
        let outcome = match self.of(position.material()) {
            Ok(clauses) => Some(clauses.probe(&position)?),
            Err(error) if error.kind() == ErrorKind::MissingTable => None,
            Err(error) => return Err(error),
        };
        let name = |outcome: Option<Wdl>| outcome.map_or("unknown", Wdl::name);
        let moves = self.moves(&board)?;
        if format == Format::Json {
            let moves: Vec<Value> = moves
                .iter()
                .map(|(played, outcome)| json!({ "move": played.to_string(), "outcome": outcome.map(Wdl::name) }))
                .collect();
            return Ok(format!(
                "{}\n",
                json!({ "fen": fen, "outcome": outcome.map(Wdl::name), "moves": moves })
            ));
        }
        let mut text = name(outcome).to_owned() + if moves.is_empty() { ", no legal move\n" } else { "\n" };
        for (played, outcome) in moves {
            let _ = writeln!(text, "{played} {}", name(outcome));
        }
        Ok(text)
    }

    /// The text or the JSON of the explanation of the position in a FEN.
    pub(super) fn explain(&self, fen: &str, format: Format) -> Result<String> {
        let (position, exchanged) = Position::from_fen(fen)?;
        let clauses = self.of(position.material())?;
        let explanation = clauses.explain(&position)?;
        Ok(match format {
            Format::Text => explanation_text(&clauses, &explanation, exchanged),
            Format::Json => format!("{}\n", explanation_json(fen, &clauses, &explanation, exchanged)),
        })
    }
}

/// The literals of an explanation: the variable, its part, the interval, whether the part is inside, and the meaning.
fn literals(clauses: &Clauses, explanation: &Explanation) -> Vec<(String, u8, [u8; 2], bool, &'static str)> {
    let literal = |(test, part): &(crate::pcn::Test, u8)| {
        let variable = usize::from(test.variable);
        let is_inside = (test.low..=test.high).contains(part);
        let (name, meaning) = (clauses.plan().name(variable), clauses.plan().meaning(variable));
        (name, *part, [test.low, test.high], is_inside, meaning)
    };
    explanation.tests.iter().map(literal).collect()
}

fn explanation_text(clauses: &Clauses, explanation: &Explanation, exchanged: bool) -> String {
    let mut text = format!("{}: {}\n", explanation.outcome, explanation.canonical.to_fen());
    if exchanged {
        text.push_str("The colours are exchanged: the attackers are Red's.\n");
    }
    if explanation.is_exception {
        text.push_str("The position is an exception to the clause that it is in.\n");
    }
    for (name, part, [low, high], is_inside, meaning) in literals(clauses, explanation) {
        let within = if low == high { format!("{low}") } else { format!("{low} to {high}") };
        let not = if is_inside { "" } else { "not " };
        let _ = writeln!(text, "  {name} is {part}, {not}{within} ({meaning})");
    }
    text
}

fn explanation_json(fen: &str, clauses: &Clauses, explanation: &Explanation, exchanged: bool) -> Value {
    let literals: Vec<Value> = literals(clauses, explanation)
        .into_iter()
        .map(|(name, part, interval, is_inside, meaning)| {
            json!({ "variable": name, "part": part, "interval": interval, "inside": is_inside, "meaning": meaning })
        })
        .collect();
    json!({
        "fen": fen,
        "outcome": explanation.outcome.name(),
        "canonical_fen": explanation.canonical.to_fen(),
        "colors_exchanged": exchanged,
        "exception": explanation.is_exception,
        "literals": literals,
    })
}
