//! `probe`: the time of an answer, from bitboards to the outcome, compared with Fathom on Syzygy files in the same run.
//!
//! The positions are random and legal, equally many for each table, with either colour as the stronger side and in any
//! symmetry. Warm passes over all positions alternate between ours and Fathom. Passes over the positions of one table give
//! the figures by table. Cold figures, and those of several threads at once, are only for ours: cold, a table is opened anew and
//! probed once.

use crate::Format;
use crate::bitboards::Bitboards;
use crate::fathom::Fathom;
use crate::random::Random;
use crate::stats::Spread;
use crate::table;
use anyhow::{Context, Result, bail, ensure};
use cubebase::probe::Memory;
use cubebase::{CastlingRights, Material, Tables, Wdl};
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Measure probing, warm and cold, compared with Fathom.
///
/// Exit code 1 when the two disagree on a position.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: cubebase-bench probe fixtures/four-men.pcb --syzygy syzygy")]
pub struct Arguments {
    /// A bundle or a directory of .pcn files.
    tables: PathBuf,
    /// Directories of Syzygy files for Fathom; without them only ours is measured.
    #[arg(long, value_name = "DIR")]
    syzygy: Vec<PathBuf>,
    /// Number of positions, over all tables.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Warm passes of each of the two.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Threads that probe all positions at once, each in an order of its own, after the other passes.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
    /// Output format of the figures by table.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(arguments: &Arguments) -> Result<bool> {
    let tables = Tables::open(&arguments.tables)?;
    let materials = materials(&tables, &arguments.tables)?;
    let fathom = if arguments.syzygy.is_empty() { None } else { Some(Fathom::open(&arguments.syzygy)?) };
    let (mut random, mut boards) = (Random(1), Vec::with_capacity(arguments.positions as usize));
    for number in 0..arguments.positions as usize {
        let of = number % materials.len();
        boards.push((of, random.bitboards(materials[of])));
    }
    let cold = cold(arguments, &boards, materials.len())?;
    let mut agree = true;
    for (_, board) in &boards {
        let ours = ours(&tables, board)?;
        if let Some(fathom) = &fathom
            && fathom.probe(board).context("Fathom has no answer: is a Syzygy file missing?")? != ours
        {
            agree = false;
            eprintln!("not the same: {}", board.position()?.to_fen());
        }
    }
    // In random order, as in a search; and table after table.
    let mut mixed: Vec<Bitboards> = boards.iter().map(|(_, board)| *board).collect();
    for at in (1..mixed.len()).rev() {
        mixed.swap(at, random.below(at as u64 + 1) as usize);
    }
    let warm = Warm { tables: &tables, fathom: fathom.as_ref(), runs: arguments.runs };
    let all = warm.measure(&mixed)?;
    let mut lines = table::with_columns("table,ours_ns,fathom_ns,ratio");
    let mut line = |name: String, (ours, theirs, ratio): (Spread, Option<Spread>, Option<Spread>)| {
        let or_none = |spread: Option<Spread>, digits| {
            spread.map_or("-".into(), |spread| format!("{:.digits$}", spread.median))
        };
        lines.push(vec![name, format!("{:.0}", ours.median), or_none(theirs, 0), or_none(ratio, 3)]);
    };
    for (of, material) in materials.iter().enumerate() {
        let own: Vec<Bitboards> =
            boards.iter().filter(|(number, _)| *number == of).map(|(_, board)| *board).collect();
        if !own.is_empty() {
            line(material.to_string(), warm.measure(&own)?);
        }
    }
    line("mixed".into(), all);
    let mut out = std::io::stdout().lock();
    table::write(&lines, arguments.format, &mut out)?;
    let before = if arguments.format == Format::Csv { "# " } else { "" };
    if let (_, _, Some(ratio)) = all {
        println!("{before}mean of ours to Fathom's, min / median / max of {} runs: {ratio}", arguments.runs);
    }
    println!("{before}{cold}");
    if arguments.threads > 1 {
        println!("{before}{}", together(&tables, &mixed, arguments.threads)?);
    }
    let Memory { decoded, files, .. } = tables.memory();
    println!("{before}{decoded} bytes of memory decoded, of {files} bytes of files");
    Ok(agree)
}

/// The materials of three men or more.
pub fn materials(tables: &Tables, path: &Path) -> Result<Vec<Material>> {
    let mut materials = tables.materials();
    materials.retain(|material| material.len() > 2);
    ensure!(!materials.is_empty(), "{}: no table of three men or more", path.display());
    Ok(materials)
}

#[inline]
pub fn ours(tables: &Tables, board: &Bitboards) -> cubebase::Result<Wdl> {
    tables.probe_bitboards(board.colors, board.roles, None, board.turn, CastlingRights::NONE)
}

/// Passes over positions whose tables are decoded.
struct Warm<'a> {
    tables: &'a Tables,
    fathom: Option<&'a Fathom>,
    runs: u32,
}

impl Warm<'_> {
    /// Nanoseconds for a position: ours, Fathom's and the ratio, over alternating runs.
    fn measure(&self, boards: &[Bitboards]) -> Result<(Spread, Option<Spread>, Option<Spread>)> {
        let (mut own, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..self.runs {
            own.push(nanoseconds(boards, |board| ours(self.tables, board).is_ok())?);
            if let Some(fathom) = self.fathom {
                theirs.push(nanoseconds(boards, |board| fathom.probe(board).is_some())?);
            }
        }
        let ratios = own.iter().zip(&theirs).map(|(own, theirs)| own / theirs);
        let ratio = Spread::of(ratios);
        Ok((Spread::of(own).context("no runs")?, Spread::of(theirs), ratio))
    }
}

/// Nanoseconds of a probe: the mean over `boards`, in a single pass.
pub fn nanoseconds(boards: &[Bitboards], mut probe: impl FnMut(&Bitboards) -> bool) -> Result<f64> {
    let start = Instant::now();
    let answered = boards.iter().filter(|board| black_box(probe(black_box(board)))).count();
    let seconds = start.elapsed().as_secs_f64();
    if answered < boards.len() {
        bail!("{} positions without an answer", boards.len() - answered);
    }
    Ok(seconds * 1e9 / boards.len() as f64)
}

/// Returns, as text, the times to open the tables, to get a table's first answer, and to open and decode all tables.
fn cold(arguments: &Arguments, boards: &[(usize, Bitboards)], materials: usize) -> Result<String> {
    let (mut openings, mut firsts, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    for (_, board) in boards.iter().take(materials) {
        let start = Instant::now();
        let tables = Tables::open(&arguments.tables)?;
        openings.push(start.elapsed().as_secs_f64() * 1e3);
        let (start, before) = (Instant::now(), page_faults());
        ours(&tables, board)?;
        firsts.push(start.elapsed().as_secs_f64() * 1e3);
        faults.extend(Option::zip(before, page_faults()).map(|(before, after)| after - before));
    }
    let start = Instant::now();
    Tables::open(&arguments.tables)?.preload_with(1, |_| ControlFlow::Continue(()))?;
    let all = start.elapsed().as_secs_f64() * 1e3;
    let (opening, first) =
        (Spread::of(openings).context("no tables")?, Spread::of(firsts).context("no tables")?);
    let faults = Spread::of(faults).map_or("unknown".into(), |faults| faults.to_string());
    Ok(format!(
        "cold, in milliseconds, min / median / max: opening {opening}; first answer of a table {first} \
         (page faults {faults}); all tables opened and decoded by one thread {all:.1}"
    ))
}

/// Page faults of this process so far that needed no disk, where the system tells it as Linux does.
fn page_faults() -> Option<f64> {
    let all = std::fs::read_to_string("/proc/self/stat").ok()?;
    all.rsplit(')').next()?.split_whitespace().nth(7)?.parse().ok()
}

/// Returns, as text, how many positions are answered in a second by one thread and by several at once.
fn together(tables: &Tables, boards: &[Bitboards], threads: u32) -> Result<String> {
    let alone = 1e9 / nanoseconds(boards, |board| ours(tables, board).is_ok())?;
    let start = Instant::now();
    std::thread::scope(|scope| {
        let pass = |number: u32| {
            let (end, begin) = boards.split_at(boards.len() / threads as usize * number as usize);
            nanoseconds(begin, |board| ours(tables, board).is_ok())?;
            nanoseconds(end, |board| ours(tables, board).is_ok())
        };
        let running: Vec<_> = (0..threads).map(|number| scope.spawn(move || pass(number))).collect();
        running.into_iter().try_for_each(|thread| thread.join().expect("no thread panics").map(drop))
    })?;
    let all = f64::from(threads) * boards.len() as f64 / start.elapsed().as_secs_f64();
    Ok(format!(
        "positions in a second: {alone:.0} by one thread, {all:.0} by {threads} at once, {:.2} times as many",
        all / alone
    ))
}
