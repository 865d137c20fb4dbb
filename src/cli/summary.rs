//! The output of `build`: a line for each table, and the totals.

use super::aligned::{grouped, percent};
use super::counted;
use super::generate::elapsed;
use super::minimizing::Made;
use crate::outcome::Wdl;
use crate::pipeline::StageTimes;
use serde::Serialize;
use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

/// The figures of one table; serialized as the JSON output.
#[derive(Serialize)]
pub(super) struct Row {
    /// The game's name; `None` for chess.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'static str>,
    material: String,
    model: &'static str,
    positions_win: u64,
    positions_draw: u64,
    positions_loss: u64,
    clauses: usize,
    literals: usize,
    /// Without castling rights.
    bytes: u64,
    castling_bytes: usize,
    syzygy_bytes: Option<u64>,
    /// Time from the start of solving until the file is written.
    seconds: f64,
    /// Part of `seconds`: solving the table and its sub-tables, or reading it.
    generating_seconds: f64,
    trials_seconds: Option<f64>,
    minimizing_seconds: Option<f64>,
    coding_seconds: Option<f64>,
    checking_seconds: Option<f64>,
    /// The peak memory of the process until the table was solved.
    generating_peak_bytes: Option<u64>,
    /// The peak memory of the process until the file was checked and written.
    peak_bytes: Option<u64>,
}

impl Row {
    pub(super) const HEADER: &'static str =
        "material         win        draw        loss   clauses      bytes      Syzygy   ratio   seconds\n";

    /// Returns the row of a table. Times and peaks are pairs: until the table was solved, and until its file was written.
    pub(super) fn new(
        material: &dyn Display,
        made: &Made,
        castling_bytes: usize,
        [generating, time]: [Duration; 2],
        [generating_peak_bytes, peak_bytes]: [Option<u64>; 2],
    ) -> Self {
        let stage =
            |of: fn(&StageTimes) -> Duration| made.stages.as_ref().map(|stages| of(stages).as_secs_f64());
        Row {
            game: made.game,
            material: material.to_string(),
            model: made.model,
            positions_win: made.positions[Wdl::Win.index()],
            positions_draw: made.positions[Wdl::Draw.index()],
            positions_loss: made.positions[Wdl::Loss.index()],
            clauses: made.clauses,
            literals: made.literals,
            bytes: made.bytes.len() as u64,
            castling_bytes,
            syzygy_bytes: made.syzygy_bytes,
            seconds: time.as_secs_f64(),
            generating_seconds: generating.as_secs_f64(),
            trials_seconds: stage(|stages| stages.trials),
            minimizing_seconds: stage(|stages| stages.minimizing),
            coding_seconds: stage(|stages| stages.coding),
            checking_seconds: stage(|stages| stages.checking),
            generating_peak_bytes,
            peak_bytes,
        }
    }

    pub(super) fn text(&self) -> String {
        let positions = [self.positions_win, self.positions_draw, self.positions_loss];
        let compared = self.syzygy_bytes.map(|theirs| (self.bytes, theirs));
        line(&self.material, positions, [self.clauses as u64, self.bytes], compared, self.seconds)
    }

    /// The line of sums; the ratio is over the tables that Syzygy also has.
    pub(super) fn total(rows: &[Row]) -> String {
        let sum = |of: fn(&Row) -> u64| rows.iter().map(of).sum::<u64>();
        let positions =
            [sum(|row| row.positions_win), sum(|row| row.positions_draw), sum(|row| row.positions_loss)];
        let sizes = [sum(|row| row.clauses as u64), sum(|row| row.bytes)];
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
