//! `build`: the cost of building .pcn files from nothing, as a whole process, by table and stage.
//!
//! The run is the `cubebase` command, by default on two threads, into a new directory.

use crate::Format;
use crate::process::{self, Cost, cost};
use crate::table::{self, Table};
use anyhow::{Context, Result};
use serde_json::Value;
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

/// Names in the command's output: stages, whose seconds are summed (the empty name is the whole time), and fields in bytes, of
/// which the largest counts.
const STAGES: [&str; 6] = ["generating", "trials", "minimizing", "coding", "checking", ""];
const PEAKS: [&str; 2] = ["generating_peak_bytes", "peak_bytes"];

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
    let summary: Value =
        serde_json::from_reader(File::open(&summary)?).context("the command printed no summary")?;
    let rows = summary["tables"].as_array().context("a summary without tables")?;
    if let Some(keep) = &arguments.out {
        fs::create_dir_all(keep).with_context(|| format!("cannot make {}", keep.display()))?;
        for row in rows {
            let name = format!("{}.pcn", material(row));
            fs::copy(tables.join(&name), keep.join(&name))?;
        }
    }
    let mut out = std::io::stdout().lock();
    table::write(&by_stage(rows), arguments.format, &mut out)?;
    let mark = if arguments.format == Format::Csv { "# " } else { "" };
    let has_bound = arguments.targets == ["4"] && arguments.model == "auto";
    let mut bounds = BOUNDS.iter().filter(|bound| has_bound && bound.0 == arguments.effort);
    let fine = bounds.all(|bound| seconds <= bound.1 && mebibytes <= MEBIBYTES);
    writeln!(
        out,
        "{mark}effort {}: {seconds:.1} s, {cpu_seconds:.1} s of processor time, {mebibytes:.0} MiB{}",
        arguments.effort,
        if fine { "" } else { ", TOO MUCH" }
    )?;
    Ok(fine)
}

fn material(row: &Value) -> &str {
    row["material"].as_str().unwrap_or("-")
}

/// The output: a line for each table, for the tables of each number of men if there are several, and for all.
fn by_stage(rows: &[Value]) -> Table {
    let mut table = table::with_columns(
        "material,model,bytes,syzygy_bytes,ratio,generating_s,trials_s,minimizing_s,\
         coding_s,checking_s,seconds,generating_mebibytes,mebibytes",
    );
    let mut lines: Vec<(String, Vec<&Value>)> =
        rows.iter().map(|row| (material(row).to_owned(), vec![row])).collect();
    let men = |row: &Value| material(row).len() - 1;
    let numbers: BTreeSet<usize> = rows.iter().map(men).collect();
    for &number in numbers.iter().filter(|_| numbers.len() > 1) {
        lines.push((format!("of {number} men"), rows.iter().filter(|row| men(row) == number).collect()));
    }
    lines.push(("total".into(), rows.iter().collect()));
    for (name, rows) in lines {
        let figures = |field: &str| rows.iter().filter_map(|row| row[field].as_f64()).collect::<Vec<_>>();
        let sum = |figures: &[f64]| figures.iter().sum::<f64>();
        let model = if rows.len() == 1 { rows[0]["model"].as_str() } else { None };
        let mut line = vec![name, model.unwrap_or("-").into(), sum(&figures("bytes")).to_string()];
        // Ratios are over the tables that Syzygy also has.
        let has_rival = |row: &&&Value| row["syzygy_bytes"].is_number();
        let ours = rows.iter().filter(has_rival).filter_map(|row| row["bytes"].as_f64()).sum::<f64>();
        let theirs = sum(&figures("syzygy_bytes"));
        let or_dash = |text: String| if theirs > 0.0 { text } else { "-".into() };
        line.extend([or_dash(theirs.to_string()), or_dash(format!("{:.3}", ours / theirs))]);
        let field = |stage: &str| format!("{stage}_seconds").trim_start_matches('_').to_owned();
        line.extend(STAGES.map(|stage| format!("{:.2}", sum(&figures(&field(stage))))));
        let most = |field| figures(field).into_iter().max_by(f64::total_cmp);
        let mebibytes = |bytes: f64| format!("{:.0}", bytes / f64::from(1 << 20));
        line.extend(PEAKS.map(|field| most(field).map_or("-".into(), mebibytes)));
        table.push(line);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_by_the_number_of_men_and_compare_common_tables() {
        let rows = serde_json::json!([
            {"material": "KvK", "model": "board", "bytes": 20, "syzygy_bytes": null, "seconds": 0.5, "clauses": 1,
             "generating_seconds": 0.25, "trials_seconds": 0.0, "minimizing_seconds": 0.125, "coding_seconds": 0.0,
             "checking_seconds": 0.125},
            {"material": "KQvK", "model": "attack", "bytes": 68, "syzygy_bytes": 272, "seconds": 1.5, "clauses": 9,
             "generating_seconds": 0.25, "trials_seconds": 0.25, "minimizing_seconds": 0.5, "coding_seconds": 0.25,
             "checking_seconds": 0.25, "generating_peak_bytes": 2_097_152, "peak_bytes": 3_145_728}]);
        let expected = "\
material,model,bytes,syzygy_bytes,ratio,generating_s,trials_s,minimizing_s,coding_s,checking_s,seconds,generating_mebibytes,mebibytes
KvK,board,20,-,-,0.25,0.00,0.12,0.00,0.12,0.50,-,-
KQvK,attack,68,272,0.250,0.25,0.25,0.50,0.25,0.25,1.50,2,3
of 2 men,board,20,-,-,0.25,0.00,0.12,0.00,0.12,0.50,-,-
of 3 men,attack,68,272,0.250,0.25,0.25,0.50,0.25,0.25,1.50,2,3
total,-,88,272,0.250,0.50,0.25,0.62,0.25,0.38,2.00,2,3
";
        assert_eq!(table::text(&by_stage(rows.as_array().unwrap()), Format::Csv), expected);
    }
}
