//! `distances`: the time of a distance to zeroing, of won positions, whose distance is stored, and of lost ones, whose distance is
//! derived from their moves.
//!
//! The positions are random and legal, equally many for each table. All tables are decoded before; each table's positions are
//! asked about in passes of their own. A won position is a walk through the tree from bitboards on; a lost one begins with a
//! checked position, as `Tables::dtz` takes it.

use crate::Format;
use crate::bitboards::Bitboards;
use crate::probe::{nanoseconds, ours};
use crate::random::Random;
use crate::stats::Spread;
use crate::table;
use anyhow::{Context, Result, ensure};
use cubebase::{Material, Position, Tables, Wdl};
use std::path::PathBuf;

/// Measure distances to zeroing of won and of lost positions, warm.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: cubebase-bench distances fixtures/four-men.pcb fixtures/four-men-distances.pcb"
)]
pub struct Arguments {
    /// Bundles or directories of .pcn files, of outcomes and of distances.
    #[arg(required = true)]
    tables: Vec<PathBuf>,
    /// Number of won and of lost positions of each table, if it has some.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Passes over the positions of each table.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(arguments: &Arguments) -> Result<bool> {
    let mut tables = Tables::empty();
    arguments.tables.iter().try_for_each(|path| tables.add(path))?;
    tables.preload()?;
    let materials = tables.distance_materials();
    ensure!(!materials.is_empty(), "no distances there");
    let mut random = Random(1);
    let mut lines = table::with_columns("table,won_ns,least,most,lost_ns,least,most");
    for material in materials {
        let [won, lost] = drawn(&tables, material, arguments.positions as usize, &mut random)?;
        let lost_positions = lost.iter().map(Bitboards::position).collect::<Result<Vec<Position>, _>>()?;
        let mut next = lost_positions.iter().cycle();
        let of_won = spread(arguments.runs, &won, |board| {
            tables.won_distance_bitboards(board.colors, board.roles, None, board.turn).is_ok()
        })?;
        let of_lost = spread(arguments.runs, &lost, |_| {
            next.next().is_some_and(|position| tables.dtz(position).is_ok())
        })?;
        let mut line = vec![material.to_string()];
        for spread in [of_won, of_lost] {
            let figures =
                spread.map(|spread| [spread.median, spread.min, spread.max].map(|ns| format!("{ns:.0}")));
            line.extend(figures.unwrap_or(["-"; 3].map(str::to_owned)));
        }
        lines.push(line);
    }
    table::write(&lines, arguments.format, &mut std::io::stdout().lock())?;
    Ok(true)
}

/// Nanoseconds for a position over some passes; `None` without positions.
fn spread(
    runs: u32,
    boards: &[Bitboards],
    mut ask: impl FnMut(&Bitboards) -> bool,
) -> Result<Option<Spread>> {
    let runs = if boards.is_empty() { 0 } else { runs };
    let passes = (0..runs).map(|_| nanoseconds(boards, &mut ask)).collect::<Result<Vec<f64>>>()?;
    Ok(Spread::of(passes))
}

/// Random won and lost positions, not more than `count` of each, and as many as are found in `200 * count` drawn.
pub fn drawn(
    tables: &Tables,
    material: Material,
    count: usize,
    random: &mut Random,
) -> Result<[Vec<Bitboards>; 2]> {
    let [mut won, mut lost] = [Vec::new(), Vec::new()];
    for _ in 0..200 * count {
        let board = random.bitboards(material);
        let into = match ours(tables, &board).context("a table has distances and no outcomes")? {
            Wdl::Win => &mut won,
            Wdl::Loss => &mut lost,
            _ => continue,
        };
        if into.len() < count {
            into.push(board);
        } else if won.len() == count && lost.len() == count {
            break;
        }
    }
    Ok([won, lost])
}
