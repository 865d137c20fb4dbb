//! Runs the paper's steps on one table and measures them.
//!
//! Source: Gomboc & Shelton, sections 2.5 and 3. Tables 2 and 3 are about two and three men, on the full board and, where
//! known, with the paper's canonical positions: positions by outcome, and clauses after compaction alone, after one
//! expansion, and after the full loop. The paper's figures without compaction are left out, since all its later figures are
//! with compaction.
//!
//! For tables 4 and 5 the function is compacted, expanded and made irredundant: these are the clauses in the paper's files.
//! Then comes the full loop, within a time limit. Departures: our canonical sets are complete, and with equal material the
//! colour swap leaves one side to move; if the paper's positions are known, they go through the same steps too. The full
//! loop starts from the irredundant cover, which the paper's loop also reaches after its first three steps. Every cover is
//! checked by code that shares nothing with the steps, and the packed file is checked on every position.

use crate::half;
use crate::record::Row;
use anyhow::{Context, Result};
use cubebase::Model;
use cubebase::chess::retrograde::Table;
use cubebase::covers::{self, Exported, Scope, paper_function};
use cubebase::pipeline::Built;
use espresso::minimize::{Options, Report, Step, minimize};
use espresso::{Cover, ErrorKind, Function, Monitor, Progress, check};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The paper's steps whose result is in its files.
pub const STEPS: [Step; 3] = [Step::Compact, Step::Expand, Step::Irredundant];

/// The treatments of table 3.
const TREATMENTS: [&[Step]; 3] =
    [&[Step::Compact], &[Step::Compact, Step::Expand], &[Step::Compact, Step::Loop]];

#[derive(Debug, Clone)]
pub struct Measured {
    pub material: String,
    /// Whether the positions are the paper's canonical ones; otherwise they are those of the full board.
    pub canonical: bool,
    pub counts: [u64; 3],
    pub clauses: [u64; 3],
    pub seconds: [f64; 3],
}

impl Measured {
    pub fn set(&self) -> &'static str {
        if self.canonical { "canonical" } else { "all" }
    }
}

/// Measures the full board, and then the paper's canonical positions if they are known.
pub fn measure_small(table: &Table) -> Result<Vec<Measured>> {
    let Exported { function, .. } = paper_function(table, Model::Binary, &Scope::full_board())?;
    let mut functions = vec![(false, function)];
    if half::is_known(table.material()) {
        functions.push((true, half::function(table)?));
    }
    let measure = |(canonical, function): (bool, Function)| {
        let (material, [counts, clauses]) = (table.material().to_string(), [[0; 3]; 2]);
        let mut line = Measured { material, canonical, counts, clauses, seconds: [0.0; 3] };
        let space = function.on.space();
        // Each position is a cube of the ON-set with one of the outputs win, draw and loss.
        line.counts = [0, 1, 2].map(|output| {
            function.on.iter().filter(|cube| space.get(cube, space.inputs(), output)).count() as u64
        });
        for (at, steps) in TREATMENTS.into_iter().enumerate() {
            let (cover, report) = treat(&function, steps, &format!("{}, {}", line.material, line.set()))?;
            line.clauses[at] = cover.len() as u64;
            line.seconds[at] = seconds(&report);
        }
        Ok(line)
    };
    functions.into_iter().map(measure).collect()
}

/// Runs the paper's steps on `table`, and the full loop unless it takes longer than `budget`.
///
/// Clauses and bytes are deterministic for any number of threads, except that the loop may or may not end in time.
pub fn measure(table: &Table, budget: Duration) -> Result<Row> {
    let material = table.material().to_string();
    let Exported { mut function, .. } = paper_function(table, Model::Binary, &Scope::default())?;
    let (cover, report) = treat(&function, &STEPS, &material)?;
    let [compacted, expanded, irredundant] = stages(&report);
    let Built { bytes, .. } = covers::pack(table, &cover, &covers::Options::default())?;
    let mut row = Row {
        material,
        positions: function.on.len() as u64,
        compacted_clauses: compacted.0,
        compacted_seconds: compacted.1,
        expanded_clauses: expanded.0,
        expanded_seconds: expanded.1,
        irredundant_clauses: irredundant.0,
        irredundant_seconds: irredundant.1,
        zstd_bytes: bytes.len() as u64,
        ..Row::default()
    };
    // The loop starts with the irredundant cover as F. Its result is checked against the table's own F.
    let on = std::mem::replace(&mut function.on, cover);
    if let Some((cover, seconds)) = full_loop(&function, budget, &row.material)? {
        function.on = on;
        check_cover(&function, &cover, &row.material)?;
        row.full_clauses = Some(cover.len() as u64);
        row.full_seconds = Some(milliseconds(row.irredundant_seconds + seconds));
    }
    if half::is_known(table.material()) {
        let function = half::function(table)?;
        let (_, report) = treat(&function, &STEPS, &format!("{}, the paper's positions", row.material))?;
        row.half_positions = Some(function.on.len() as u64);
        [row.half_compacted_clauses, row.half_expanded_clauses, row.half_irredundant_clauses] =
            stages(&report).map(|(clauses, _)| Some(clauses));
    }
    Ok(row)
}

/// Runs `steps` on `function` and checks the result.
fn treat(function: &Function, steps: &[Step], what: &str) -> Result<(Cover, Report)> {
    let names: Vec<String> = steps.iter().map(ToString::to_string).collect();
    eprintln!("{what}: {}", names.join(", "));
    let options = Options { steps: steps.to_vec(), effort: LOOP_EFFORT, ..Options::default() };
    let (cover, report) = minimize(function, &options).with_context(|| what.to_string())?;
    check_cover(function, &cover, what)?;
    Ok((cover, report))
}

fn check_cover(function: &Function, cover: &Cover, what: &str) -> Result<()> {
    check::result(function, cover).with_context(|| format!("{what}: the minimizer changed the function"))
}

/// The effort of all steps, one above the default. After the full loop at the default, `KPvK` on the full board has 4,693
/// clauses, the paper 4,657.
const LOOP_EFFORT: u8 = 3;

/// The result and the seconds of the full loop; `None` over the time limit.
fn full_loop(function: &Function, budget: Duration, what: &str) -> Result<Option<(Cover, f64)>> {
    if budget.is_zero() {
        return Ok(None);
    }
    eprintln!("{what}: compact, loop");
    let begin = Instant::now();
    let watch = |_: &Progress| {
        if begin.elapsed() > budget { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let steps = vec![Step::Compact, Step::Loop];
    let options =
        Options { steps, effort: LOOP_EFFORT, progress: Monitor::new(&watch), ..Options::default() };
    match minimize(function, &options) {
        Ok((cover, report)) => Ok(Some((cover, seconds(&report)))),
        Err(error) if error.kind() == ErrorKind::Cancelled => Ok(None),
        Err(error) => Err(error).with_context(|| what.to_string()),
    }
}

fn seconds(report: &Report) -> f64 {
    milliseconds(report.steps.iter().map(|step| step.seconds).sum())
}

/// Clauses and seconds after each of [`STEPS`].
fn stages(report: &Report) -> [(u64, f64); 3] {
    let mut sum = 0.0;
    let mut stages = [(0, 0.0); 3];
    for (stage, step) in stages.iter_mut().zip(&report.steps) {
        sum += step.seconds;
        *stage = (step.cubes_out as u64, milliseconds(sum));
    }
    stages
}

/// Rounds seconds to three decimals for the record.
fn milliseconds(seconds: f64) -> f64 {
    (1000.0 * seconds).round() / 1000.0
}
