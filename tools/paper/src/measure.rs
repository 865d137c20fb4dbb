//! The way of one table through the paper's steps, for its tables 4 and 5.
//!
//! Source: Gomboc & Shelton, sections 2.5 and 3. The function is compacted, expanded and made irredundant, which is what
//! the paper's files hold; then comes the full loop, for as long as a budget allows. Departures: canonical sets are
//! complete, and with equal material the colour swap leaves one side to move; where it is known which positions the paper
//! has, these go through the same steps. The full loop goes on from the irredundant cover, where the paper's arrives too
//! after its first three steps. Every cover is checked, by code that shares nothing with the steps, and the packed file
//! on every position.

use crate::half;
use crate::row::Row;
use anyhow::{Context, Result};
use cubebase::build;
use cubebase::export::{Exported, Scope, independent};
use cubebase::pcn::Codec;
use cubebase::retrograde::Table;
use cubebase::{Model, build::Built};
use espresso::minimize::{Options, Report, Step, minimize};
use espresso::{Cover, ErrorKind, Function, Monitor, Progress, check};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The steps of the paper whose result its files hold.
pub const STEPS: [Step; 3] = [Step::Compact, Step::Expand, Step::Irredundant];

/// Takes `table` through the paper's steps, and through the full loop unless that takes longer than `budget`.
///
/// Clauses and bytes are deterministic for any number of threads, but for whether the loop ends in time.
pub fn measure(table: &Table, budget: Duration) -> Result<Row> {
    let material = *table.material();
    let Exported { mut function, .. } = independent(table, Model::Binary, &Scope::default())?;
    let (cover, report) = treat(&function, &STEPS, &material.to_string())?;
    let [compacted, expanded, irredundant] = stages(&report);
    let options = build::Options { codec: Codec::Zstd, ..build::Options::default() };
    let Built { bytes, .. } = build::pack(table, &cover, &options)?;
    let mut row = Row {
        material: material.to_string(),
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
    // The loop begins with the irredundant cover as F; what it leaves is checked against the table's own F.
    let on = std::mem::replace(&mut function.on, cover);
    if let Some((cover, seconds)) = full_loop(&function, budget, &row.material)? {
        function.on = on;
        check_cover(&function, &cover, &row.material)?;
        row.full_clauses = Some(cover.len() as u64);
        row.full_seconds = Some(milliseconds(row.irredundant_seconds + seconds));
    }
    if half::is_known(&material) {
        let function = half::function(table)?;
        let (_, report) = treat(&function, &STEPS, &format!("{material}, the paper's positions"))?;
        row.half_positions = Some(function.on.len() as u64);
        [row.half_compacted_clauses, row.half_expanded_clauses, row.half_irredundant_clauses] =
            stages(&report).map(|(clauses, _)| Some(clauses));
    }
    Ok(row)
}

/// Takes `function` through `steps` and checks what they leave.
pub fn treat(function: &Function, steps: &[Step], what: &str) -> Result<(Cover, Report)> {
    let names: Vec<String> = steps.iter().map(ToString::to_string).collect();
    eprintln!("{what}: {}", names.join(", "));
    let options = Options { steps: steps.to_vec(), ..Options::default() };
    let (cover, report) = minimize(function, &options).with_context(|| what.to_string())?;
    check_cover(function, &cover, what)?;
    Ok((cover, report))
}

fn check_cover(function: &Function, cover: &Cover, what: &str) -> Result<()> {
    check::result(function, cover).with_context(|| format!("{what}: the minimizer changed the function"))
}

/// The cover that the full loop leaves and the seconds that it takes; `None` when these are more than the budget.
fn full_loop(function: &Function, budget: Duration, what: &str) -> Result<Option<(Cover, f64)>> {
    if budget.is_zero() {
        return Ok(None);
    }
    eprintln!("{what}: compact, loop");
    let begin = Instant::now();
    let steps = vec![Step::Compact, Step::Loop];
    let watch = |_: &Progress| {
        if begin.elapsed() > budget { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = Options { steps, budget: None, progress: Monitor::new(&watch) };
    match minimize(function, &options) {
        Ok((cover, report)) => Ok(Some((cover, seconds(&report)))),
        Err(error) if error.kind() == ErrorKind::Cancelled => Ok(None),
        Err(error) => Err(error).with_context(|| what.to_string()),
    }
}

/// Seconds of all steps.
pub fn seconds(report: &Report) -> f64 {
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

/// Seconds to three decimals: the record has no use for more.
fn milliseconds(seconds: f64) -> f64 {
    (1000.0 * seconds).round() / 1000.0
}
