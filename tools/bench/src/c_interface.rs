//! `c-interface`: the extra cost of a probe through the C interface, compared with the call in Rust in the same run.
//!
//! Passes over the same random positions alternate. The C function is called through an opaque pointer, so that the compiler
//! cannot inline it, as in a C program.

#![allow(unsafe_code, reason = "calls of the C ABI")]

use crate::Format;
use crate::bitboards::Bitboards;
use crate::probe::{materials, nanoseconds, ours};
use crate::random::Random;
use crate::stats::Spread;
use crate::table;
use anyhow::{Context, Result, ensure};
use cubebase::{Color, Tables};
use cubebase_capi::{Handle, Outcome, Status, api};
use std::ffi::CString;
use std::hint::black_box;
use std::path::PathBuf;
use std::ptr::null_mut;

/// Largest extra cost of a probe, in nanoseconds.
const BOUND: f64 = 15.0;

/// Compare probing through the C interface with the call in Rust.
///
/// Exit code 1 when the two disagree on a position, or when the median of the extra cost is above 15 ns.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: cubebase-bench c-interface fixtures/four-men.pcb")]
pub struct Arguments {
    /// A bundle or a directory of .pcn files.
    tables: PathBuf,
    /// Number of positions, over all tables.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Passes of each of the two.
    #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Tables opened through the C interface.
struct Opened(*mut Handle);

impl Opened {
    fn new(path: &std::path::Path) -> Result<Self> {
        let path = CString::new(path.as_os_str().as_encoded_bytes())?;
        let mut opened = Opened(null_mut());
        // SAFETY: the text ends with a zero, and the pointer to the handle is valid for writing.
        let status = unsafe { api::cubebase_open(path.as_ptr(), &raw mut opened.0) };
        ensure!(status == Status::Ok, "cubebase_open: {status:?}");
        Ok(opened)
    }

    #[inline]
    fn probe(&self, board: &Bitboards) -> Option<Outcome> {
        let [white, black] = board.colors;
        let [kings, queens, rooks, bishops, knights, pawns] = board.roles;
        let (turn, mut outcome) = (u8::from(board.turn == Color::White), Outcome::Draw);
        let to = &raw mut outcome;
        let probe: unsafe extern "C" fn(_, _, _, _, _, _, _, _, _, _, _, _, _, _) -> _ = api::cubebase_probe;
        let probe = black_box(probe);
        // SAFETY: the handle is open, and the pointer to the outcome is valid for writing.
        let status = unsafe {
            probe(self.0, white, black, kings, queens, rooks, bishops, knights, pawns, 0, 0, 0, turn, to)
        };
        (status == Status::Ok).then_some(outcome)
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // SAFETY: the handle is open and not used again.
        unsafe { api::cubebase_close(self.0) }
    }
}

pub fn run(arguments: &Arguments) -> Result<bool> {
    let tables = Tables::open(&arguments.tables)?;
    let opened = Opened::new(&arguments.tables)?;
    let materials = materials(&tables, &arguments.tables)?;
    let mut random = Random(1);
    let board = |_| {
        let of = random.below(materials.len() as u64) as usize;
        random.bitboards(materials[of])
    };
    let boards: Vec<Bitboards> = (0..arguments.positions).map(board).collect();
    // This also decodes the tables of both.
    for board in &boards {
        let outcome = opened.probe(board).map(|outcome| outcome as usize);
        if outcome != Some(2 * ours(&tables, board)?.index()) {
            eprintln!("not the same: {}", board.position()?.to_fen());
            return Ok(false);
        }
    }
    let (mut rust, mut c) = (Vec::new(), Vec::new());
    for _ in 0..arguments.runs {
        rust.push(nanoseconds(&boards, |board| ours(&tables, board).is_ok())?);
        c.push(nanoseconds(&boards, |board| opened.probe(board).is_some())?);
    }
    let more = Spread::of(c.iter().zip(&rust).map(|(c, rust)| c - rust)).context("no runs")?;
    let mut lines = table::with_columns("of,min_ns,median_ns,max_ns");
    let spreads = [("rust", Spread::of(rust)), ("c", Spread::of(c)), ("c_more_than_rust", Some(more))];
    for (of, spread) in spreads {
        let Spread { min, median, max } = spread.context("no runs")?;
        let figures = [min, median, max].map(|figure| format!("{figure:.1}"));
        lines.push([&[of.to_owned()][..], &figures].concat());
    }
    table::write(&lines, arguments.format, &mut std::io::stdout().lock())?;
    Ok(more.median <= BOUND)
}
