//! One representation of one table: it is made, opened again, checked on every legal position, and timed.
//!
//! Times of probes are processor time of the one thread that asks, so that other work on the machine counts little.

use crate::bitboards::Bitboards;
use crate::cells::Answer;
use crate::random::Random;
use crate::representation::{Kind, Settings};
use anyhow::{Context, Result};
use cubebase::Material;
use cubebase::chess::retrograde::Store;
use cubebase::cli::baselines::Line;
use cubebase::pipeline::{Monitor, Symmetries, verify_answers};
use liblzma::write::XzEncoder;
use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The time limit of a warm pass, and the number of passes. The quickest counts.
const PASS: Duration = Duration::from_secs(2);
const PASSES: usize = 3;

/// The number of first answers. The median counts.
const OPENINGS: usize = 9;

/// The preset of xz: level 9, extreme.
const XZ: u32 = 9 | 1 << 31;

/// Returns the record's line of a table.
pub fn measure(
    kind: Kind,
    material: &Material,
    tables: Option<PathBuf>,
    settings: &Settings,
) -> Result<Line> {
    let table = Store::new(tables).get(material)?;
    let start = time(ClockId::ProcessCPUTime);
    let made = kind.make(&table, settings)?;
    let is_built = kind != Kind::Syzygy;
    let seconds = since(ClockId::ProcessCPUTime, start).as_secs_f64();
    // Before the bytes are compressed, which takes memory of its own.
    let mebibytes = mebibytes("self", "VmHWM").filter(|_| is_built);
    let mut line = Line {
        material: material.to_string(),
        representation: kind.name(),
        bytes: Some(made.bytes.len() as u64),
        zstd_bytes: Some(zstd::bulk::compress(&made.bytes, 19)?.len() as u64),
        xz_bytes: Some(xz(&made.bytes)?),
        elements: made.elements,
        build_cpu_seconds: is_built.then(|| (seconds * 1e3).round() / 1e3),
        build_mebibytes: mebibytes,
        detail: made.detail,
        ..Line::default()
    };
    let open = || kind.open(&made.bytes, material, settings);
    let opened = open()?;
    let counts = [const { AtomicU64::new(0) }; 3];
    let who = format!("the answers of {}", line.representation);
    let answer = |position: &_| {
        let outcome = opened.answer(position)?;
        counts[outcome.index()].fetch_add(1, Ordering::Relaxed);
        Ok(outcome)
    };
    line.asked = Some(verify_answers(&who, answer, &table, Symmetries::All, Monitor::default())?);
    [line.losses, line.draws, line.wins] = counts.map(|count| Some(count.into_inner()));
    let mut random = Random(1);
    let boards: Vec<Bitboards> = (0..settings.positions).map(|_| random.bitboards(*material)).collect();
    line.probe_ns = Some(round(warm(&*opened, &boards)?));
    // Only one set of Syzygy files can be open at a time.
    drop(opened);
    let mut firsts = Vec::new();
    for board in boards.iter().take(OPENINGS) {
        let start = time(ClockId::ThreadCPUTime);
        black_box(open()?.answer(&board.position()?)?);
        firsts.push(since(ClockId::ThreadCPUTime, start).as_secs_f64() * 1e6);
    }
    firsts.sort_unstable_by(f64::total_cmp);
    line.first_answer_us = Some(round(firsts[firsts.len() / 2]));
    Ok(line)
}

/// Nanoseconds of a probe, from bitboards.
fn warm(opened: &dyn Answer, boards: &[Bitboards]) -> Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..PASSES {
        let (start, mut asked) = (time(ClockId::ThreadCPUTime), 0);
        for boards in boards.chunks(1000) {
            for board in boards {
                black_box(opened.answer(&black_box(board).position()?)?);
            }
            asked += boards.len();
            if since(ClockId::ThreadCPUTime, start) > PASS {
                break;
            }
        }
        best = best.min(since(ClockId::ThreadCPUTime, start).as_secs_f64() * 1e9 / asked as f64);
    }
    Ok(best)
}

fn xz(bytes: &[u8]) -> Result<u64> {
    let mut encoder = XzEncoder::new(Vec::new(), XZ);
    encoder.write_all(bytes)?;
    Ok(encoder.finish().context("xz")?.len() as u64)
}

fn round(figure: f64) -> f64 {
    (10.0 * figure).round() / 10.0
}

/// The processor time so far, of all threads or of this one.
fn time(clock: ClockId) -> Duration {
    Duration::try_from(clock_gettime(clock)).unwrap_or_default()
}

fn since(clock: ClockId, start: Duration) -> Duration {
    time(clock).saturating_sub(start)
}

/// Returns a memory field of a process's status, on Linux: `VmHWM`, its peak, or `VmRSS`, the present amount.
pub fn mebibytes(process: &str, field: &str) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
    Some(round(line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()? / 1024.0))
}
