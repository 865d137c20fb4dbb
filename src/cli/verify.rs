//! `verify`: checks files on every legal position, against outcome tables (by default generated anew) and Syzygy's files.

use super::aligned::grouped;
use super::args::Verify;
use super::generate::{can_be_cursed, elapsed, metric, store as tables};
use super::progress::{self, ItemProgress};
use super::sources::{Contents, Source, sources};
use super::values::Format;
use super::{Resources, complain, counted, one_line, paint, print, print_json, status_of};
use crate::chess::retrograde::castling::CastlingLayers;
use crate::chess::retrograde::{Chess, Store, Table};
use crate::compare::syzygy::Syzygy;
use crate::error::{Error, ErrorKind, Result};
use crate::pipeline::{self, Monitor, Symmetries};
use crate::probe::{EXTENSION, Prober, Tables};
use crate::retrograde::{Metric, estimate};
use crate::xiangqi::Xiangqi;
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

pub(super) fn verify(args: &Verify, resources: &Resources) -> Result<ExitCode> {
    let line = progress::line(resources.quiet);
    let files = sources(&args.path, &[EXTENSION])?;
    let syzygy = if args.syzygy.is_empty() {
        None
    } else {
        // A file that cannot be read is reported below, when it is verified.
        let material = |file: &Source| match file.open().ok()?.0 {
            Contents::Outcomes(summary) => Some(summary.material),
            _ => None,
        };
        Some(Syzygy::open(&args.syzygy, &files.iter().filter_map(material).collect::<Vec<_>>())?)
    };
    let xiangqi_store = tables::<Xiangqi>(args.tables.as_deref(), &line, resources);
    // One store for each metric: [`metric`] chooses between them.
    let stores = [Metric::Wdl, Metric::Dtz]
        .map(|metric| tables::<Chess>(args.tables.as_deref(), &line, resources).with_metric(metric));
    let layers = stores.each_ref().map(CastlingLayers::new);
    let symmetries = if args.canonical { Symmetries::One } else { Symmetries::All };
    let (mut status, start) = (0, Instant::now());
    let (mut results, mut sums) = (Vec::new(), Sums::default());
    let mut run = ItemProgress::over(files.iter().map(|file| {
        let stem = file.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        super::material(stem).map_or(1.0, |material| estimate::slots::<Chess>(&material) as f64)
    }));
    for source in &files {
        let path = &source.path;
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let show = run.next(&line, &name);
        let progress = Monitor::new(&show);
        let result = source.open().and_then(|(contents, bytes)| match contents {
            Contents::Xiangqi(clauses) => {
                let table = xiangqi_store.get(clauses.material())?;
                Ok(Verified { positions: clauses.verify(&table, progress)?, ..Verified::default() })
            }
            Contents::Distances(summary) => {
                let table = stores[1].get(&summary.material)?;
                let positions = match summary.pairs {
                    Some(_) => {
                        pipeline::verify_ranking(&bytes, &table, symmetries, resources.memory, progress)
                    }
                    None => pipeline::verify_distances(&bytes, &table, symmetries, progress),
                }?;
                Ok(Verified { positions, ..Verified::default() })
            }
            Contents::Outcomes(_) => {
                verify_file((path, &bytes), &stores, &layers, syzygy.as_ref(), (args, symmetries), progress)
            }
        });
        sums.add(&result);
        if let Err(error) = &result {
            status = status.max(status_of(error.kind()));
        }
        match (args.format, &result) {
            (Format::Json, _) => results.push(json(path, &result)),
            (Format::Text, Err(error)) if error.kind() != ErrorKind::Mismatch => {
                line.suspend(|| complain(error));
            }
            (Format::Text, _) => line.suspend(|| print(text(path, &result, syzygy.is_some())))?,
        }
    }
    line.finish_and_clear();
    match args.format {
        Format::Json => print_json(&json!({ "files": results }))?,
        Format::Text if files.len() > 1 => print(sums.text(start.elapsed()))?,
        Format::Text => {}
    }
    Ok(ExitCode::from(status))
}

/// The results of all files.
#[derive(Default)]
struct Sums {
    right: usize,
    not_right: usize,
    positions: u64,
}

impl Sums {
    fn add(&mut self, result: &Result<Verified>) {
        match result {
            Ok(verified) => {
                self.right += 1;
                self.positions += verified.positions;
            }
            Err(_) => self.not_right += 1,
        }
    }

    fn text(&self, time: Duration) -> String {
        let style = if self.not_right == 0 { paint::GOOD } else { paint::BAD };
        let others = match self.not_right {
            0 => String::new(),
            others => format!(", {} not", counted(others, "file")),
        };
        let right = format!("{} right{others}", counted(self.right, "file"));
        let (positions, time) = (grouped(self.positions), elapsed(time));
        format!("{}: {positions} positions in {time}\n", paint::out(style, right))
    }
}

/// The result for a file without a mismatch.
#[derive(Default)]
struct Verified {
    /// The number of answers checked.
    positions: u64,
    /// The number of answers compared with a Syzygy file, if there is one for the material.
    compared: Option<u64>,
    /// The check of outcomes under the 50-move rule; `None` where the rule makes no difference.
    rule: Option<RuleCheck>,
    /// The longest time for a first answer, opening the file anew for each; only in JSON.
    first_answer: Option<Duration>,
}

/// The check of a file's outcomes under the 50-move rule.
#[derive(Clone, Copy)]
enum RuleCheck {
    Right,
    /// The table has no distances.
    NotChecked,
    /// The file does not know the rule.
    Unknown,
}

impl RuleCheck {
    const fn name(self) -> &'static str {
        match self {
            RuleCheck::Right => "right",
            RuleCheck::NotChecked => "not checked",
            RuleCheck::Unknown => "not in the file",
        }
    }
}

fn verify_file(
    (path, bytes): (&Path, &[u8]),
    stores: &[Store; 2],
    layers: &[CastlingLayers<'_>; 2],
    syzygy: Option<&Syzygy>,
    (args, symmetries): (&Verify, Symmetries),
    progress: Monitor<'_>,
) -> Result<Verified> {
    let clauses = Prober::decode(bytes).map_err(|error| error.in_file(path))?;
    let material = *clauses.material();
    let metric = metric::<Chess>(&[material], args.tables.as_deref());
    let number = usize::from(metric == Metric::Dtz);
    let table = stores[number].get(&material)?;
    let mut positions = pipeline::verify(&clauses, &table, symmetries, progress)?;
    if clauses.has_castling()? {
        positions += pipeline::verify_castling(&clauses, &*layers[number].get(&material)?)?;
    }
    if clauses.table_hash() != table.hash() {
        let message = format!(
            "{material}: every value is right, but the file's table hash is that of another outcome table"
        );
        return Err(Error::new(ErrorKind::Mismatch, message));
    }
    let syzygy = syzygy.filter(|syzygy| syzygy.has(&material));
    let compared = syzygy.map(|syzygy| syzygy.verify(&clauses, &table)).transpose()?;
    let is_timed = args.format == Format::Json;
    let first_answer = is_timed.then(|| first_answer(bytes, &table)).transpose()?;
    let rule = match metric {
        _ if !can_be_cursed::<Chess>(&material) => None,
        _ if !clauses.knows_rule() => Some(RuleCheck::Unknown),
        Metric::Dtz => Some(RuleCheck::Right),
        _ => Some(RuleCheck::NotChecked),
    };
    Ok(Verified { positions, compared, rule, first_answer })
}

/// Positions of each side for which a first answer is timed: more than most files have pages.
const PLACES: u64 = 64;

/// Runs for each of these positions: the shortest time counts, since other processes may slow a run down.
const TRIES: usize = 3;

/// Returns the longest time for a first answer from `bytes`, over positions spread over `table`.
fn first_answer(bytes: &[u8], table: &Table) -> Result<Duration> {
    let slots = table.index().len();
    let mut longest = Duration::ZERO;
    for &turn in table.material().stored_turns() {
        for place in 0..PLACES {
            let range = slots * place / PLACES..slots * (place + 1) / PLACES;
            let Some((position, _)) = table.positions_in(turn, range).next() else { continue };
            let mut shortest = Duration::MAX;
            for _ in 0..TRIES {
                let bytes = bytes.to_vec();
                let start = Instant::now();
                let mut tables = Tables::empty();
                tables.set_decoding_limit(usize::MAX);
                tables.add_bytes(bytes)?;
                tables.probe_unchecked(&position)?;
                shortest = shortest.min(start.elapsed());
            }
            longest = longest.max(shortest);
        }
    }
    Ok(longest)
}

fn text(path: &Path, result: &Result<Verified>, with_syzygy: bool) -> String {
    let path = path.display();
    match result {
        Ok(Verified { positions, compared, rule, .. }) => {
            let compared = match compared {
                Some(compared) => format!(", {} compared with Syzygy", grouped(*compared)),
                None if with_syzygy => ", no Syzygy file to compare with".into(),
                None => String::new(),
            };
            let right = paint::out(paint::GOOD, "right");
            let rule = rule.map_or(String::new(), |rule| format!(", 50-move rule {}", rule.name()));
            format!("{path}: {right} on all {} positions{rule}{compared}\n", grouped(*positions))
        }
        Err(error) => format!("{path}: {} {}\n", paint::out(paint::BAD, "WRONG:"), one_line(error)),
    }
}

fn json(path: &Path, result: &Result<Verified>) -> Value {
    let mut value = json!({ "file": path.display().to_string(), "right": result.is_ok() });
    match result {
        Ok(Verified { positions, compared, rule, first_answer }) => {
            value["positions"] = json!(positions);
            value["positions_compared_with_syzygy"] = json!(compared);
            value["rule_of_50_moves"] = json!(rule.map(RuleCheck::name));
            value["first_answer_milliseconds"] =
                json!(first_answer.map(|wait| wait.as_micros() as f64 / 1e3));
        }
        Err(error) => value["error"] = json!(error.to_string()),
    }
    value
}
