//! `plan`: the tables of a campaign, one job each, sub-tables first, with dependencies, memory and time.

use super::aligned::grouped;
use super::args::Plan;
use super::games::{Targets, targets};
use super::generate::{self, duration};
use super::values::Format;
use super::{Resources, counted, make, paint, print, print_json, usage};
use crate::chess::position::Material;
use crate::chess::retrograde::{Chess, Conversions, Estimate, Store};
use crate::error::Result;
use crate::pipeline::{self, Forecast, Options};
use crate::retrograde::Metric;
use crate::retrograde::estimate::{self, Bytes};
use crate::xiangqi;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::process::ExitCode;

/// The job of one table: generate, minimize and check it, given the files of its sub-tables.
struct Job {
    material: Material,
    below: Vec<Material>,
    effort: u8,
    generate: Estimate,
    minimize: Forecast,
    /// Memory to minimize it, in bytes, its outcome table included, within the allowed memory.
    minimize_bytes: u64,
    /// The reason why a command would refuse it, if any.
    refused: Option<String>,
}

impl Job {
    fn new(material: Material, store: &Store, options: &Options<'_>) -> Result<Self> {
        let generate = store.plan_alone(&material);
        let minimize = pipeline::forecast(&material, options)?;
        let table = estimate::table_bytes::<Chess>(&material, Metric::Wdl);
        let allowed = options.memory.unwrap_or(u64::MAX).saturating_sub(table);
        let refusal = store
            .check_budget(&[generate])
            .and_then(|()| pipeline::check_shape(&[material], options))
            .and_then(|()| pipeline::check_memory(&[material], options));
        Ok(Job {
            below: Conversions::new(&material).materials().to_vec(),
            material,
            effort: options.effort,
            generate,
            minimize_bytes: table.saturating_add(minimize.most_bytes.min(allowed).max(minimize.least_bytes)),
            minimize,
            refused: refusal.err().map(|error| error.to_string()),
        })
    }
}

pub(super) fn plan(args: &Plan, resources: &Resources) -> Result<ExitCode> {
    let materials = match targets(&args.targets)? {
        Targets::Chess(materials) => materials,
        Targets::Xiangqi(materials) => return outcome_tables(&materials, args, resources),
    };
    // A job has a scratch directory. No estimate depends on whether it exists.
    let nowhere = std::path::PathBuf::new();
    let options = Options { scratch: Some(nowhere.clone()), ..make::options(&args.minimizer, resources)? };
    let all = Store::new(None).plan(&materials)?;
    let store = Store::new(Some(nowhere)).with_memory(resources.memory);
    let jobs = all.iter().map(|table| Job::new(table.material, &store, &options));
    let mut jobs = jobs.collect::<Result<Vec<Job>>>()?;
    if let Some(hours) = args.budget {
        spend(&mut jobs, 3600.0 * hours, &store, &options)?;
    }
    match args.format {
        Format::Text => print(paint::table(&text(&jobs, resources)))?,
        Format::Json => print_json(&json(&jobs, resources))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The plan for materials of Chinese chess: there are estimates for their outcome tables alone.
fn outcome_tables(materials: &[xiangqi::Material], args: &Plan, resources: &Resources) -> Result<ExitCode> {
    if args.budget.is_some() || !args.minimizer.is_default() {
        let why =
            "plan of Chinese chess covers outcome tables only: no --budget, and no options of minimizing";
        return Err(usage(why));
    }
    let store = xiangqi::Store::new(Some(std::path::PathBuf::new())).with_memory(resources.memory);
    let all = xiangqi::Store::new(None).plan(materials)?;
    let plan: Vec<_> = all.iter().map(|table| store.plan_alone(&table.material)).collect();
    generate::estimate(&plan, args.format, resources)
}

/// Lowers the effort of `jobs` to 1, the largest first, until all together take at most `seconds` of processor time.
/// The estimate per slot is the same for all large tables, so lowering the largest first lowers the fewest.
fn spend(jobs: &mut [Job], seconds: f64, store: &Store, options: &Options<'_>) -> Result<()> {
    if jobs.iter().any(|job| job.minimize.cpu_seconds.is_none()) {
        return Err(usage("--budget: no estimate of the time for this model or effort"));
    }
    let least = options.clone().with_effort(1);
    let mut left = seconds - Totals::of(jobs).seconds();
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_by_key(|&number| std::cmp::Reverse(jobs[number].generate.slots));
    for number in order {
        if left >= 0.0 {
            break;
        }
        let cheap = Job::new(jobs[number].material, store, &least)?;
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
            peak_bytes: all.peak_bytes.max(job.generate.peak_bytes).max(job.minimize_bytes),
            wdl_bytes: all.wdl_bytes.saturating_add(job.generate.file_bytes),
            pcn_bytes: all.pcn_bytes.saturating_add(job.minimize.file_bytes.unwrap_or(0)),
            generate_seconds: all.generate_seconds + job.generate.cpu_seconds,
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
        let below: Vec<String> = job.below.iter().map(Material::to_string).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:<8} {:>18} {:>10} {:>10} {:>6} {:>10} {:>10}  {}",
            job.material.to_string(),
            grouped(job.generate.slots),
            duration(job.generate.cpu_seconds),
            Bytes(job.generate.peak_bytes),
            job.effort,
            job.minimize.cpu_seconds.map_or("-".into(), duration),
            Bytes(job.minimize_bytes),
            below.join(" "),
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
         .pcn files\nMemory is an upper bound. Times and files are guesses from the means of tables of four and five men: a \
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

fn json(jobs: &[Job], resources: &Resources) -> Value {
    let job = |job: &Job| {
        let below: Vec<String> = job.below.iter().map(Material::to_string).collect();
        json!({
            "material": job.material.to_string(),
            "men": job.material.len(),
            "pawns": job.material.pawns(),
            "slots": job.generate.slots,
            "after": below,
            "refused": job.refused,
            "effort": job.effort,
            "generate": {
                "peak_bytes": job.generate.peak_bytes,
                "scratch_bytes": job.generate.scratch_bytes,
                "wdl_bytes": job.generate.file_bytes,
                "cpu_seconds": job.generate.cpu_seconds,
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
        "tables": jobs.iter().map(job).collect::<Value>(),
        "peak_bytes": totals.peak_bytes,
        "allowed_bytes": resources.memory,
        "wdl_bytes": totals.wdl_bytes,
        "pcn_bytes": totals.pcn_bytes,
        "cpu_seconds": totals.seconds(),
    })
}
