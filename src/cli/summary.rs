//! The output of `build`: a line for each table, and the totals.

use super::aligned::{grouped, percent};
use super::counted;
use super::generate::elapsed;
use crate::chess::position::{Material, Wdl};
use crate::compare::syzygy_bytes;
use crate::pipeline::Built;
use serde::Serialize;
use std::path::Path;
use std::time::Duration;

/// The figures of one table; serialized as the JSON output.
#[derive(Serialize)]
pub(super) struct Row {
    material: String,
    model: &'static str,
    positions_win: u64,
    positions_draw: u64,
    positions_loss: u64,
    clauses: u64,
    literals: usize,
    /// Without castling rights.
    bytes: u64,
    castling_bytes: usize,
    syzygy_bytes: Option<u64>,
    /// Time from the start of solving until the file is written.
    seconds: f64,
    /// Part of `seconds`: solving the table and its sub-tables, or reading it.
    generating_seconds: f64,
    trials_seconds: f64,
    minimizing_seconds: f64,
    coding_seconds: f64,
    checking_seconds: f64,
    /// The peak memory of the process until the table was solved.
    generating_peak_bytes: Option<u64>,
    /// The peak memory of the process until the file was checked and written.
    peak_bytes: Option<u64>,
}

impl Row {
    pub(super) const HEADER: &'static str =
        "material         win        draw        loss   clauses      bytes      Syzygy   ratio   seconds\n";

    /// Returns the row of a table and of the bytes that its castling rights take. The pairs of times and of peaks are those until
    /// it was solved and until its file was written.
    pub(super) fn new(
        material: &Material,
        built: &Built,
        castling_bytes: usize,
        [generating, time]: [Duration; 2],
        [generating_peak_bytes, peak_bytes]: [Option<u64>; 2],
    ) -> Self {
        Row {
            material: material.to_string(),
            model: built.pcn.model().name(),
            positions_win: built.positions[Wdl::Win.index()],
            positions_draw: built.positions[Wdl::Draw.index()],
            positions_loss: built.positions[Wdl::Loss.index()],
            clauses: built.pcn.clauses() as u64,
            literals: built.pcn.literals(),
            bytes: built.bytes.len() as u64,
            castling_bytes,
            syzygy_bytes: syzygy_bytes(material),
            seconds: time.as_secs_f64(),
            generating_seconds: generating.as_secs_f64(),
            trials_seconds: built.stages.trials.as_secs_f64(),
            minimizing_seconds: built.stages.minimizing.as_secs_f64(),
            coding_seconds: built.stages.coding.as_secs_f64(),
            checking_seconds: built.stages.checking.as_secs_f64(),
            generating_peak_bytes,
            peak_bytes,
        }
    }

    pub(super) fn text(&self) -> String {
        let positions = [self.positions_win, self.positions_draw, self.positions_loss];
        let compared = self.syzygy_bytes.map(|theirs| (self.bytes, theirs));
        line(&self.material, positions, [self.clauses, self.bytes], compared, self.seconds)
    }

    /// The line of sums; the ratio is over the tables that Syzygy also has.
    pub(super) fn total(rows: &[Row]) -> String {
        let sum = |of: fn(&Row) -> u64| rows.iter().map(of).sum::<u64>();
        let positions =
            [sum(|row| row.positions_win), sum(|row| row.positions_draw), sum(|row| row.positions_loss)];
        let sizes = [sum(|row| row.clauses), sum(|row| row.bytes)];
        let seconds = rows.iter().map(|row| row.seconds).sum();
        line("total", positions, sizes, Self::compared(rows), seconds)
    }

    /// Our bytes and Syzygy's, over the tables that it has.
    fn compared(rows: &[Row]) -> Option<(u64, u64)> {
        let compared = rows.iter().filter_map(|row| row.syzygy_bytes.map(|theirs| (row.bytes, theirs)));
        compared.reduce(|sums, both| (sums.0 + both.0, sums.1 + both.1))
    }

    /// The last line: number of files, directory, bytes and time.
    pub(super) fn end(rows: &[Row], place: &Path, time: Duration) -> String {
        let bytes = grouped(rows.iter().map(|row| row.bytes).sum::<u64>());
        let beside = Self::compared(rows).map_or(String::new(), |(ours, theirs)| {
            format!(", {} of Syzygy's {}", percent(ours as f64 / theirs as f64), grouped(theirs))
        });
        let castling = match rows.iter().map(|row| row.castling_bytes).sum() {
            0 => String::new(),
            bytes => format!(", and {} of castling rights", counted(bytes, "byte")),
        };
        let (files, time) = (counted(rows.len(), "file"), elapsed(time));
        format!("{files} in {}: {bytes} bytes{beside}{castling}, in {time}\n", place.display())
    }
}

/// A line in columns of fixed widths, since lines are printed one by one as tables are finished.
fn line(
    name: &str,
    positions: [u64; 3],
    sizes: [u64; 2],
    compared: Option<(u64, u64)>,
    seconds: f64,
) -> String {
    let ([win, draw, loss], [clauses, bytes]) = (positions.map(grouped), sizes.map(grouped));
    let syzygy = compared.map_or("-".into(), |(_, theirs)| grouped(theirs));
    let ratio = compared.map_or("-".into(), |(ours, theirs)| format!("{:.3}", ours as f64 / theirs as f64));
    format!(
        "{name:<8} {win:>11} {draw:>11} {loss:>11} {clauses:>9} {bytes:>10} {syzygy:>11} {ratio:>7} {seconds:>9.2}\n"
    )
}
