//! `build`: the cost of building .pcn files from nothing, as a whole process, by table and stage.
//!
//! The run is the `cubebase` command, by default on two threads, into a new directory.

use crate::Format;
use crate::process::{self, Cost, cost};
use crate::table::{self, Table};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Build .pcn files from nothing in a separate process and print bytes, time by stage, processor time and memory.
///
/// Exit code 1 when all tables of up to four men exceed a bound.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: cubebase-bench build 4 --format csv\n         \
                        cubebase-bench build 4 --effort 1 --out tables\n         \
                        cubebase-bench build KQRvKR --model geometry")]
pub struct Arguments {
    /// Materials, or N for all tables of up to N men; one run makes all of them.
    #[arg(default_value = "3", value_name = "MATERIAL|N")]
    targets: Vec<String>,
    /// Effort of the minimizer, 1 to 4.
    #[arg(long, value_name = "1-4", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=4))]
    effort: u8,
    /// Input model; by default the one with the smallest file.
    #[arg(long, default_value = "auto")]
    model: String,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Memory limit of the command, passed on to it; by default the available memory.
    #[arg(long, value_name = "BYTES")]
    memory: Option<String>,
    /// Directory in which to keep the files.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The command; by default the one beside this program.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The most seconds for all tables of up to four men, by effort, and the most memory.
const BOUNDS: [(u8, f64); 2] = [(1, 600.0), (3, 2700.0)];
const MEBIBYTES: f64 = 8192.0;
const MEBIBYTE: f64 = (1 << 20) as f64;

/// The command's output for one table.
#[derive(Debug, Deserialize)]
struct Row {
    material: String,
    model: String,
    bytes: u64,
    syzygy_bytes: Option<u64>,
    generating_seconds: f64,
    trials_seconds: f64,
    minimizing_seconds: f64,
    coding_seconds: f64,
    checking_seconds: f64,
    /// All time.
    seconds: f64,
    /// The peak memory of the process until the table was solved.
    generating_peak_bytes: Option<u64>,
    /// The peak memory of the process until the file was checked.
    peak_bytes: Option<u64>,
}

impl Row {
    fn men(&self) -> usize {
        self.material.len() - 1
    }
}

#[derive(Deserialize)]
struct Summary {
    tables: Vec<Row>,
}

/// Runs the command. Returns `false` if a bound is exceeded.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let program = process::program(arguments.program.as_deref(), "cubebase")?;
    let directory = tempfile::tempdir()?;
    let (tables, summary) = (directory.path().join("tables"), directory.path().join("summary.json"));
    let mut command = Command::new(program);
    command.arg("build").args(&arguments.targets).arg("--out").arg(&tables);
    command.args(["--effort", &arguments.effort.to_string(), "--model", &arguments.model]);
    command.args(["--format", "json", "--quiet", "--threads", &arguments.threads.to_string()]);
    if let Some(memory) = &arguments.memory {
        command.args(["--memory", memory]);
    }
    command.stdin(Stdio::null()).stdout(File::create(&summary)?);
    let Cost { seconds, cpu_seconds, mebibytes, .. } = cost(&mut command)?;
    let rows = rows(&fs::read_to_string(&summary)?)?;
    if let Some(keep) = &arguments.out {
        fs::create_dir_all(keep).with_context(|| format!("cannot make {}", keep.display()))?;
        for row in &rows {
            let name = format!("{}.pcn", row.material);
            fs::copy(tables.join(&name), keep.join(&name))?;
        }
    }
    let mut out = std::io::stdout().lock();
    table::write(&by_stage(&rows), arguments.format, &mut out)?;
    let mark = if arguments.format == Format::Csv { "# " } else { "" };
    let bound = bound(&arguments.targets, &arguments.model, arguments.effort);
    let fine = bound.is_none_or(|bound| seconds <= bound && mebibytes <= MEBIBYTES);
    writeln!(
        out,
        "{mark}effort {}: {seconds:.1} s, {cpu_seconds:.1} s of processor time, {mebibytes:.0} MiB{}",
        arguments.effort,
        if fine { "" } else { ", TOO MUCH" }
    )?;
    Ok(fine)
}

/// The bound in seconds for a run, if there is one.
fn bound(targets: &[String], model: &str, effort: u8) -> Option<f64> {
    let bound = BOUNDS.iter().find(|bound| *targets == ["4"] && model == "auto" && bound.0 == effort);
    bound.map(|bound| bound.1)
}

/// Parses the output of `build --format json`.
fn rows(text: &str) -> Result<Vec<Row>> {
    let Summary { tables } = serde_json::from_str(text).context("the command printed no summary")?;
    Ok(tables)
}

/// The lines of the output: each table, then the tables of each number of men if there are several numbers, then all.
fn lines(rows: &[Row]) -> Vec<(String, Vec<&Row>)> {
    let mut lines: Vec<_> = rows.iter().map(|row| (row.material.clone(), vec![row])).collect();
    let men: BTreeSet<usize> = rows.iter().map(Row::men).collect();
    if men.len() > 1 {
        let of =
            |&men: &usize| (format!("of {men} men"), rows.iter().filter(|row| row.men() == men).collect());
        lines.extend(men.iter().map(of));
    }
    lines.push(("total".into(), rows.iter().collect()));
    lines
}

fn or_dash<T>(value: Option<T>, show: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| "-".into(), show)
}

fn by_stage(rows: &[Row]) -> Table {
    let mut table = table::with_columns(
        "material,model,bytes,syzygy_bytes,ratio,generating_s,trials_s,minimizing_s,\
         coding_s,checking_s,seconds,generating_mebibytes,mebibytes",
    );
    for (name, rows) in lines(rows) {
        let model = if rows.len() == 1 { rows[0].model.clone() } else { "-".into() };
        let bytes = rows.iter().map(|row| row.bytes).sum::<u64>().to_string();
        // For the tables that Syzygy also has: our bytes and theirs.
        let both = rows.iter().filter_map(|row| row.syzygy_bytes.map(|theirs| (row.bytes, theirs)));
        let both = both.reduce(|a, b| (a.0 + b.0, a.1 + b.1));
        let ratio = or_dash(both, |(ours, theirs)| format!("{:.3}", ours as f64 / theirs as f64));
        let mut line = vec![name, model, bytes, or_dash(both, |(_, theirs)| theirs.to_string()), ratio];
        let seconds: [fn(&Row) -> f64; 6] = [
            |row| row.generating_seconds,
            |row| row.trials_seconds,
            |row| row.minimizing_seconds,
            |row| row.coding_seconds,
            |row| row.checking_seconds,
            |row| row.seconds,
        ];
        line.extend(seconds.map(|of| format!("{:.2}", rows.iter().map(|row| of(row)).sum::<f64>())));
        let peaks: [fn(&Row) -> Option<u64>; 2] = [|row| row.generating_peak_bytes, |row| row.peak_bytes];
        let peaks = peaks.map(|of| rows.iter().filter_map(|row| of(row)).max());
        line.extend(peaks.map(|peak| or_dash(peak, |bytes| format!("{:.0}", bytes as f64 / MEBIBYTE))));
        table.push(line);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUMMARY: &str = r#"{"tables": [
        {"material": "KvK", "model": "board", "bytes": 20, "syzygy_bytes": null, "seconds": 0.5, "clauses": 1,
         "generating_seconds": 0.25, "trials_seconds": 0.0, "minimizing_seconds": 0.125, "coding_seconds": 0.0,
         "checking_seconds": 0.125},
        {"material": "KQvK", "model": "attack", "bytes": 68, "syzygy_bytes": 272, "seconds": 1.5, "clauses": 9,
         "generating_seconds": 0.25, "trials_seconds": 0.25, "minimizing_seconds": 0.5, "coding_seconds": 0.25,
         "checking_seconds": 0.25, "generating_peak_bytes": 2097152, "peak_bytes": 3145728}]}"#;

    #[test]
    fn sums_are_by_the_number_of_men_and_compare_common_tables() {
        let expected = "\
material,model,bytes,syzygy_bytes,ratio,generating_s,trials_s,minimizing_s,coding_s,checking_s,seconds,generating_mebibytes,mebibytes
KvK,board,20,-,-,0.25,0.00,0.12,0.00,0.12,0.50,-,-
KQvK,attack,68,272,0.250,0.25,0.25,0.50,0.25,0.25,1.50,2,3
of 2 men,board,20,-,-,0.25,0.00,0.12,0.00,0.12,0.50,-,-
of 3 men,attack,68,272,0.250,0.25,0.25,0.50,0.25,0.25,1.50,2,3
total,-,88,272,0.250,0.50,0.25,0.62,0.25,0.38,2.00,2,3
";
        assert_eq!(table::text(&by_stage(&rows(SUMMARY).unwrap()), Format::Csv), expected);
    }

    #[test]
    fn missing_fields_are_named() {
        assert!(rows("no").is_err() && rows("{}").is_err());
        let error = rows(&SUMMARY.replace("coding_seconds", "other")).unwrap_err();
        let error = format!("{error:#}");
        assert!(error.contains("missing field `coding_seconds`"), "{error}");
    }

    #[test]
    fn all_tables_of_four_men_have_bounds() {
        assert_eq!(bound(&["4".into()], "auto", 3), Some(2700.0));
        assert!(bound(&["4".into()], "board", 3).is_none() && bound(&["3".into()], "auto", 3).is_none());
        assert!(bound(&["4".into()], "auto", 4).is_none());
    }
}
