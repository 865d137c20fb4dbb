//! `plan`: the tables of a campaign, one job each, sub-tables first: what each waits for, and what it will take.

use super::args::{Format, Plan};
use super::generate::duration;
use super::{Resources, counted, make, materials, print, print_json};
use crate::build::{self, Forecast};
use crate::error::Result;
use crate::position::Material;
use crate::retrograde::estimate::{self, Bytes};
use crate::retrograde::{Conversions, Estimate, Metric, Store};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::process::ExitCode;

/// One table: made, minimized and checked by itself, the files of its sub-tables being there.
struct Job {
    material: Material,
    below: Vec<Material>,
    generate: Estimate,
    minimize: Forecast,
    /// Memory in bytes to minimize it with, as far as it may be had.
    minimize_bytes: u64,
}

pub(super) fn plan(args: &Plan, resources: &Resources) -> Result<ExitCode> {
    let options = make::options(&args.minimizer, resources)?;
    let materials = materials(&args.targets)?;
    let all = Store::new(None).plan(&materials)?;
    let jobs = all.iter().map(|table| {
        let material = table.material;
        let generate = estimate::alone(&material, Metric::Wdl, resources.memory);
        let minimize = build::forecast(&material, &options)?;
        let table = estimate::in_memory(&material, Metric::Wdl);
        let allowed = resources.memory.unwrap_or(u64::MAX);
        let minimize_bytes =
            table + minimize.most_bytes.min(allowed.saturating_sub(table)).max(minimize.least_bytes);
        Ok(Job {
            below: Conversions::new(&material).materials().to_vec(),
            material,
            generate,
            minimize,
            minimize_bytes,
        })
    });
    let jobs = jobs.collect::<Result<Vec<Job>>>()?;
    match args.format {
        Format::Text => print(text(&jobs))?,
        Format::Json => print_json(&json(&jobs))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Sums over all jobs, and the most memory that one takes.
#[derive(Default)]
struct Totals {
    memory_bytes: u64,
    table_bytes: u64,
    file_bytes: u64,
    generate_seconds: f64,
    minimize_seconds: f64,
}

impl Totals {
    fn of(jobs: &[Job]) -> Self {
        jobs.iter().fold(Totals::default(), |all, job| Totals {
            memory_bytes: all.memory_bytes.max(job.generate.peak_bytes).max(job.minimize_bytes),
            table_bytes: all.table_bytes.saturating_add(job.generate.file_bytes),
            file_bytes: all.file_bytes.saturating_add(job.minimize.file_bytes),
            generate_seconds: all.generate_seconds + job.generate.cpu_seconds,
            minimize_seconds: all.minimize_seconds + job.minimize.cpu_seconds,
        })
    }
}

fn text(jobs: &[Job]) -> String {
    let mut text = format!(
        "{:<8} {:>15} {:>10} {:>10} {:>10} {:>10}  {}\n",
        "material", "slots", "generate", "memory", "minimize", "memory", "after"
    );
    for job in jobs {
        let below: Vec<String> = job.below.iter().map(Material::to_string).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:<8} {:>15} {:>10} {:>10} {:>10} {:>10}  {}",
            job.material.to_string(),
            job.generate.slots,
            duration(job.generate.cpu_seconds),
            Bytes(job.generate.peak_bytes).to_string(),
            duration(job.minimize.cpu_seconds),
            Bytes(job.minimize_bytes).to_string(),
            below.join(" "),
        );
    }
    let totals = Totals::of(jobs);
    let _ = writeln!(
        text,
        "{}: {} of cpu time to generate, {} to minimize; {} of memory at most; {} of outcome tables, {} of .pcn files\n\
         Memory is an upper bound. Times and files are guesses from the means of tables of four men: a table may take \
         ten times as long, or a tenth.",
        counted(jobs.len(), "table"),
        duration(totals.generate_seconds),
        duration(totals.minimize_seconds),
        Bytes(totals.memory_bytes),
        Bytes(totals.table_bytes),
        Bytes(totals.file_bytes),
    );
    text
}

fn json(jobs: &[Job]) -> Value {
    let job = |job: &Job| {
        let below: Vec<String> = job.below.iter().map(Material::to_string).collect();
        json!({
            "material": job.material.to_string(),
            "men": job.material.len(),
            "pawns": job.material.pawns(),
            "slots": job.generate.slots,
            "after": below,
            "generate": {
                "memory_bytes": job.generate.peak_bytes,
                "scratch_bytes": job.generate.scratch_bytes,
                "file_bytes": job.generate.file_bytes,
                "cpu_seconds": job.generate.cpu_seconds,
            },
            "minimize": {
                "least_memory_bytes": job.minimize.least_bytes,
                "memory_bytes": job.minimize_bytes,
                "file_bytes": job.minimize.file_bytes,
                "cpu_seconds": job.minimize.cpu_seconds,
            },
        })
    };
    let totals = Totals::of(jobs);
    json!({
        "tables": jobs.iter().map(job).collect::<Value>(),
        "memory_bytes": totals.memory_bytes,
        "table_bytes": totals.table_bytes,
        "file_bytes": totals.file_bytes,
        "cpu_seconds": totals.generate_seconds + totals.minimize_seconds,
    })
}
