//! `plans`: the time of `Plan::of` in won positions, each asked once, in tables that are decoded before.

use crate::Format;
use crate::distances::drawn;
use crate::random::Random;
use crate::table;
use anyhow::Result;
use cubebase::Tables;
use cubebase::moves::Plan;
use std::path::PathBuf;
use std::time::Instant;

/// Measure the moves that rankings choose in won positions: microseconds, from the FEN on.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: cubebase-bench plans fixtures/four-men.pcb DIR")]
pub struct Arguments {
    /// Bundles or directories of .pcn files, of outcomes and of rankings.
    #[arg(required = true)]
    tables: Vec<PathBuf>,
    /// Number of won positions of each table.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(arguments: &Arguments) -> Result<bool> {
    let mut tables = Tables::empty();
    arguments.tables.iter().try_for_each(|path| tables.add(path))?;
    tables.preload()?;
    let mut random = Random(1);
    let mut lines = table::with_columns("table,pairs,median_us,99_percent,most");
    for material in tables.ranking_materials() {
        let [won, _] = drawn(&tables, material, arguments.positions as usize, &mut random)?;
        let (mut times, mut pairs) = (Vec::new(), 0);
        for board in &won {
            let fen = board.position()?.to_fen();
            let start = Instant::now();
            let Some(plan) = Plan::of(&tables, &fen)? else { continue };
            times.push(start.elapsed().as_secs_f64() * 1e6);
            pairs = pairs.max(plan.pairs);
        }
        times.sort_by(f64::total_cmp);
        let Some(last) = times.len().checked_sub(1) else { continue };
        let at = |percent: usize| format!("{:.0}", times[last * percent / 100]);
        lines.push(vec![material.to_string(), pairs.to_string(), at(50), at(99), at(100)]);
    }
    table::write(&lines, arguments.format, &mut std::io::stdout().lock())?;
    Ok(true)
}
