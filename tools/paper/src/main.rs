//! Repeats the experiment of Gomboc & Shelton: their tables 2 to 5 beside ours.
//!
//! Every table is one function in the `binary` model: the inputs are the side to move and six bits a man, the outputs win,
//! draw and loss. The comparison uses exactly the paper's positions (see [`half`]); our own complete canonical sets are
//! printed beside it.
//!
//! Exit status: 0 fine, 1 a figure fails its check (see [`check`]), 2 usage, 3 bad input.

mod check;
mod half;
mod measure;
mod published;
mod record;
mod show;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use cubebase::chess::retrograde::{Index, Store};
use cubebase::covers::{self, Columns};
use cubebase::{Material, Model, atomic};
use espresso::limits::available_memory;
use espresso::memory::{self, Sizes};
use espresso::minimize::Step;
use record::Record;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Runs the paper's steps on tables and prints its tables 2 to 5 beside ours.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Example: cubebase-paper --men 4 --record paper.csv\n         \
                  cubebase-paper KQvK KQvKR --budget 0\n\n\
                  Exit status 1 when a cover has more clauses than its bound."
)]
struct Arguments {
    /// Materials of up to four men; all of them by default.
    #[arg(value_name = "MATERIAL")]
    materials: Vec<String>,
    /// All tables of up to N men.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=4))]
    #[arg(conflicts_with = "materials")]
    men: u8,
    /// Directory of outcome tables; missing ones are generated.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Time limit in seconds for the full loop of each table; a loop over the limit is left out. 0 means no loop.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    budget: u64,
    /// CSV file for the finished rows of tables 4 and 5; tables already in it are not measured again.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(3)
        }
    }
}

fn run(arguments: &Arguments) -> Result<bool> {
    let materials = materials(arguments)?;
    let mut record = Record::open(arguments.record.as_deref())?;
    let open: Vec<Material> =
        materials.iter().filter(|material| record.row(material).is_none()).copied().collect();
    if let Some(path) = arguments.record.as_deref().filter(|_| !open.is_empty()) {
        atomic::check(path)?;
    }
    let budget = Duration::from_secs(arguments.budget);
    check_memory(&open, budget)?;
    let store = Store::new(arguments.tables.clone());

    let mut sizes = Vec::new();
    for material in materials.iter().filter(|material| material.len() <= 3) {
        sizes.extend(measure::measure_small(&*store.get(material)?)?);
    }
    print!("{}\n{}\n", show::table2(&sizes), show::table3(&sizes));

    let mut rows = Vec::new();
    for material in &materials {
        let row = if let Some(row) = record.row(material) {
            row.clone()
        } else {
            let row = measure::measure(&*store.get(material)?, budget)?;
            store.forget(material);
            record.push(row.clone())?;
            row
        };
        rows.push(row);
    }
    print!("{}\n{}", show::table4(&rows), show::table5(&rows));
    let faults = check::faults(&sizes, &rows);
    faults.iter().for_each(|fault| println!("WRONG: {fault}"));
    Ok(faults.is_empty())
}

fn materials(arguments: &Arguments) -> Result<Vec<Material>> {
    if arguments.materials.is_empty() {
        return Ok((2..=usize::from(arguments.men)).flat_map(Material::all).collect());
    }
    let mut materials = Vec::new();
    for name in &arguments.materials {
        let (material, _) = Material::parse(name).with_context(|| name.clone())?;
        ensure!(
            published::clauses(&material.to_string())[0].is_some(),
            "the paper has no table of {material}"
        );
        materials.push(material);
    }
    Ok(materials)
}

/// Checks that there is memory for making the functions, and for minimizing them.
fn check_memory(materials: &[Material], budget: Duration) -> Result<()> {
    let mut steps = measure::STEPS.to_vec();
    if !budget.is_zero() {
        steps.push(Step::Loop);
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let available = available_memory(threads);
    for material in materials {
        // Of up to three men the function of the full board is minimized.
        let is_canonical = material.len() > 3;
        covers::check_function_memory(
            material,
            Model::Binary,
            is_canonical,
            available,
            "making its function",
        )?;
        let columns = Columns::new(Model::Binary, material)?;
        // A position has a cube in F and one in R.
        let rows = Index::new(material).len().saturating_mul(material.stored_turns().len() as u64);
        let needed = memory::estimate(columns.space(), Sizes { on: rows, dc: 0, off: rows }, &steps);
        ensure!(
            available.is_none_or(|available| needed <= available),
            "{material}: minimizing takes up to {needed} bytes of memory, {} are there",
            available.unwrap_or_default()
        );
    }
    Ok(())
}
