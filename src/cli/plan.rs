//! `plan`: the tables of a campaign, one job each, sub-tables first, with dependencies, memory and time.

use super::aligned::grouped;
use super::args::Plan;
use super::games::{Played, Targets, targets};
use super::generate::duration;
use super::minimizing::Minimizing;
use super::values::Format;
use super::{Resources, counted, paint, print, print_json, usage};
use crate::chess::retrograde::Chess;
use crate::error::Result;
use crate::pipeline::Forecast;
use crate::retrograde::Metric;
use crate::retrograde::estimate::Bytes;
use crate::retrograde::store::Store;
use crate::xiangqi::Xiangqi;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// The job of one table: generate, minimize and check it, given the files of its sub-tables.
struct Job {
    material: String,
    men: usize,
    pawns: usize,
    below: Vec<String>,
    effort: u8,
    slots: u64,
    generate_seconds: f64,
    generate_bytes: u64,
    scratch_bytes: u64,
    wdl_bytes: u64,
    minimize: Forecast,
    /// The memory to minimize it in bytes, within the allowed memory if possible; includes its outcome table.
    minimize_bytes: u64,
    /// The error with which a command would refuse it, if any.
    refused: Option<String>,
}

impl Job {
    fn new<G: Played>(
        material: &G::Material,
        store: &Store<G>,
        effort: u8,
        allowed: Option<u64>,
        minimizing: &G::Minimizing,
    ) -> Self {
        let (generate, minimize) = (store.plan_alone(material), minimizing.forecast(material));
        let allowed = allowed.unwrap_or(u64::MAX);
        let refusal = store.check_budget(&[generate]);
        let refusal = refusal.and(minimizing.check(std::slice::from_ref(material)));
        let [men, pawns] = G::men(material);
        Job {
            below: G::sub_materials(material).iter().map(ToString::to_string).collect(),
            material: material.to_string(),
            men,
            pawns,
            effort,
            slots: generate.slots,
            generate_seconds: generate.cpu_seconds,
            generate_bytes: generate.peak_bytes,
            scratch_bytes: generate.scratch_bytes,
            wdl_bytes: generate.file_bytes,
            minimize_bytes: minimize.most_bytes.min(allowed).max(minimize.least_bytes),
            minimize,
            refused: refusal.err().map(|error| error.to_string()),
        }
    }
}

pub(super) fn plan(args: &Plan, resources: &Resources) -> Result<ExitCode> {
    match targets(&args.targets)? {
        Targets::Chess(materials) => jobs::<Chess>(&materials, args, resources),
        Targets::Xiangqi(materials) => jobs::<Xiangqi>(&materials, args, resources),
    }
}

fn jobs<G: Played>(materials: &[G::Material], args: &Plan, resources: &Resources) -> Result<ExitCode> {
    // A job has a scratch directory, which need not exist for the estimates.
    let metric = args.minimizer.metric::<G>(materials, None);
    let minimizing = G::Minimizing::new(&args.minimizer, metric, resources, PathBuf::new())?;
    let lowered = minimizing.lowered();
    let all = Store::<G>::new(None).with_metric(metric).plan(materials)?;
    let store = Store::<G>::new(Some(PathBuf::new())).with_metric(metric).with_memory(resources.memory);
    let job = |number: usize, effort| {
        let minimizing = if effort == args.minimizer.effort { &minimizing } else { &lowered };
        Job::new(&all[number].material, &store, effort, resources.memory, minimizing)
    };
    let mut jobs: Vec<Job> = (0..all.len()).map(|number| job(number, args.minimizer.effort)).collect();
    if let Some(hours) = args.budget {
        spend(&mut jobs, 3600.0 * hours, |number| job(number, 1))?;
    }
    match args.format {
        Format::Text => print(paint::table(&text(&jobs, resources)))?,
        Format::Json => print_json(&json(&jobs, metric, resources))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Lowers the effort of `jobs` to 1, the largest first, until all together take at most `seconds` of processor time.
/// `lowered` returns a job at effort 1 by its number. The estimate per slot is the same for all large tables, so this order
/// lowers the fewest.
fn spend(jobs: &mut [Job], seconds: f64, lowered: impl Fn(usize) -> Job) -> Result<()> {
    if jobs.iter().any(|job| job.minimize.cpu_seconds.is_none()) {
        return Err(usage("--budget: no estimate of the time at effort 4"));
    }
    let mut left = seconds - Totals::of(jobs).seconds();
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_by_key(|&number| std::cmp::Reverse(jobs[number].slots));
    for number in order {
        if left >= 0.0 {
            break;
        }
        let cheap = lowered(number);
        let seconds = |job: &Job| job.minimize.cpu_seconds.unwrap_or(0.0);
        left += seconds(&jobs[number]) - seconds(&cheap);
        jobs[number] = cheap;
    }
    if left < 0.0 {
        let needed = duration(Totals::of(jobs).seconds());
        return Err(usage(format!("--budget: all tables take about {needed} of cpu time at effort 1")));
    }
    Ok(())
}

/// Sums of the estimates over all jobs, and the largest memory of one.
#[derive(Default)]
struct Totals {
    peak_bytes: u64,
    wdl_bytes: u64,
    pcn_bytes: u64,
    generate_seconds: f64,
    minimize_seconds: f64,
}

impl Totals {
    /// Processor time.
    fn seconds(&self) -> f64 {
        self.generate_seconds + self.minimize_seconds
    }

    fn of(jobs: &[Job]) -> Self {
        jobs.iter().fold(Totals::default(), |all, job| Totals {
            peak_bytes: all.peak_bytes.max(job.generate_bytes).max(job.minimize_bytes),
            wdl_bytes: all.wdl_bytes.saturating_add(job.wdl_bytes),
            pcn_bytes: all.pcn_bytes.saturating_add(job.minimize.file_bytes.unwrap_or(0)),
            generate_seconds: all.generate_seconds + job.generate_seconds,
            minimize_seconds: all.minimize_seconds + job.minimize.cpu_seconds.unwrap_or(0.0),
        })
    }
}

fn text(jobs: &[Job], resources: &Resources) -> String {
    let mut text = format!(
        "{:<8} {:>18} {:>10} {:>10} {:>6} {:>10} {:>10}  {}\n",
        "material", "slots", "generate", "memory", "effort", "minimize", "memory", "after"
    );
    for job in jobs {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:<8} {:>18} {:>10} {:>10} {:>6} {:>10} {:>10}  {}",
            job.material,
            grouped(job.slots),
            duration(job.generate_seconds),
            Bytes(job.generate_bytes),
            job.effort,
            job.minimize.cpu_seconds.map_or("-".into(), duration),
            Bytes(job.minimize_bytes),
            job.below.join(" "),
        );
    }
    for refused in jobs.iter().filter_map(|job| job.refused.as_ref()) {
        let _ = writeln!(text, "refused: {refused}");
    }
    let totals = Totals::of(jobs);
    let allowed = resources.memory.map_or("unknown".into(), |bytes| Bytes(bytes).to_string());
    let _ = writeln!(
        text,
        "total: {}; {} of cpu time to generate, {} to minimize; {} of memory at most, {allowed} allowed; {} of outcome tables, {} of \
         .pcn files\nMemory is an upper bound. Times and files are guesses from the means of chess tables of four and five men: a \
         table may take ten times as long, or a tenth.",
        counted(jobs.len(), "table"),
        duration(totals.generate_seconds),
        duration(totals.minimize_seconds),
        Bytes(totals.peak_bytes),
        Bytes(totals.wdl_bytes),
        Bytes(totals.pcn_bytes),
    );
    text
}

fn json(jobs: &[Job], metric: Metric, resources: &Resources) -> Value {
    let job = |job: &Job| {
        json!({
            "material": job.material,
            "men": job.men,
            "pawns": job.pawns,
            "slots": job.slots,
            "after": job.below,
            "refused": job.refused,
            "effort": job.effort,
            "generate": {
                "peak_bytes": job.generate_bytes,
                "scratch_bytes": job.scratch_bytes,
                "wdl_bytes": job.wdl_bytes,
                "cpu_seconds": job.generate_seconds,
            },
            "minimize": {
                "least_bytes": job.minimize.least_bytes,
                "peak_bytes": job.minimize_bytes,
                "pcn_bytes": job.minimize.file_bytes,
                "cpu_seconds": job.minimize.cpu_seconds,
            },
        })
    };
    let totals = Totals::of(jobs);
    json!({
        "metric": metric.name(),
        "tables": jobs.iter().map(job).collect::<Value>(),
        "peak_bytes": totals.peak_bytes,
        "allowed_bytes": resources.memory,
        "wdl_bytes": totals.wdl_bytes,
        "pcn_bytes": totals.pcn_bytes,
        "cpu_seconds": totals.seconds(),
    })
}
