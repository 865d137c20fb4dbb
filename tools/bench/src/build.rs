//! `build`: what making .pcn files from nothing costs as a whole process, by table and stage, and what more effort buys.
//!
//! Each run is the `cubebase` command on two threads into a new directory. Bytes are the same in every run, or the verdict
//! is wrong; of the times the table has the median.

use crate::process::{self, Cost, cost};
use crate::stats::Spread;
use crate::table::{self, Table};
use crate::{Format, Verdict};
use anyhow::{Context, Result, ensure};
use cubebase::Material;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Builds .pcn files from nothing in a process of its own and prints bytes, time by stage, processor time and memory.
///
/// Exit code 1 when all tables of up to four men take more than they may, or when two runs make different bytes.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: cubebase-bench build 4 --format csv\n         \
                        cubebase-bench build 4 --efforts 1,5,9 --out tables\n         \
                        cubebase-bench build KQRvKR --model geometry")]
pub struct Arguments {
    /// Materials, or N for all tables of up to N men; one run makes all of them.
    #[arg(default_value = "3", value_name = "MATERIAL|N")]
    targets: Vec<String>,
    /// Effort of the minimizer, 1 to 9.
    #[arg(long, value_name = "1-9", default_value_t = 5, conflicts_with = "efforts")]
    effort: u8,
    /// Several efforts side by side, in place of one by stage.
    #[arg(long, value_name = "1-9,...", value_delimiter = ',')]
    efforts: Vec<u8>,
    /// Input model; the smallest by default.
    #[arg(long, default_value = "auto")]
    model: String,
    /// Runs of each effort.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Memory that the command may take, as its own flag of that name; what is available by default. Where it is short
    /// of a table's rows the bytes may depend on it.
    #[arg(long, value_name = "BYTES")]
    memory: Option<String>,
    /// Keeps the files here; with several efforts in a directory for each.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The command; the one beside this program by default.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// How to print the results.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Efforts with the seconds that all tables of up to four men may take, and the memory.
const BOUNDS: [(u8, f64); 2] = [(1, 600.0), (5, 2700.0)];
const MEBIBYTES: f64 = 8192.0;

/// The stages whose times the command prints, in the order in which they are done.
const STAGES: [&str; 5] = ["generating", "trials", "minimizing", "coding", "checking"];

/// What was made of one table.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    material: Material,
    model: String,
    bytes: u64,
    syzygy_bytes: Option<u64>,
    /// Of each of [`STAGES`].
    stages: [f64; STAGES.len()],
    /// In all.
    seconds: f64,
    /// The most memory in MiB that the process has had until the table was solved, and until its file was checked.
    peaks: [Option<f64>; 2],
}

/// One effort.
struct Made {
    effort: u8,
    rows: Vec<Row>,
    /// Of the whole process: medians, and the most memory.
    cost: Cost,
    /// Whether all runs made the same bytes.
    same: bool,
}

/// Runs the command; wrong when a bound is exceeded or the bytes of two runs differ.
pub fn run(arguments: &Arguments) -> Result<Verdict> {
    let program = process::program(arguments.program.as_deref())?;
    let efforts =
        if arguments.efforts.is_empty() { vec![arguments.effort] } else { arguments.efforts.clone() };
    ensure!(efforts.iter().all(|effort| (1..=9).contains(effort)), "an effort is 1 to 9");
    let mut made = Vec::new();
    for &effort in &efforts {
        let out = arguments.out.as_ref().map(|out| match efforts.len() {
            1 => out.clone(),
            _ => out.join(format!("effort-{effort}")),
        });
        made.push(make(&program, arguments, effort, out.as_deref())?);
    }
    let table = if arguments.efforts.is_empty() { by_stage(&made[0]) } else { by_effort(&made) };
    let mut out = std::io::stdout().lock();
    table::write(&table, arguments.format, &mut out)?;
    let mark = if arguments.format == Format::Csv { "# " } else { "" };
    let mut good = true;
    for made in &made {
        let bound = bound(&arguments.targets, &arguments.model, made.effort);
        let fine =
            bound.is_none_or(|seconds| made.cost.seconds <= seconds && made.cost.mebibytes <= MEBIBYTES);
        let verdict = match (made.same, fine) {
            (false, _) => ", THE BYTES OF TWO RUNS DIFFER",
            (true, false) => ", TOO MUCH",
            (true, true) => "",
        };
        good &= made.same && fine;
        let Cost { seconds, cpu_seconds, mebibytes } = made.cost;
        writeln!(
            out,
            "{mark}effort {}: {seconds:.1} s, {cpu_seconds:.1} s of processor time, {mebibytes:.0} MiB{verdict}",
            made.effort
        )?;
    }
    Ok(if good { Verdict::Right } else { Verdict::Wrong })
}

/// The seconds that a run may take, if it has a bound.
fn bound(targets: &[String], model: &str, effort: u8) -> Option<f64> {
    let bound = BOUNDS.iter().find(|bound| *targets == ["4"] && model == "auto" && bound.0 == effort);
    bound.map(|bound| bound.1)
}

/// Makes the tables as often as the arguments want.
fn make(program: &Path, arguments: &Arguments, effort: u8, keep: Option<&Path>) -> Result<Made> {
    let (mut costs, mut runs) = (Vec::new(), Vec::<Vec<Row>>::new());
    for run in 1..=arguments.runs {
        eprintln!("effort {effort}: run {run} of {}", arguments.runs);
        let directory = tempfile::tempdir()?;
        let (tables, summary) = (directory.path().join("tables"), directory.path().join("summary.json"));
        let mut command = Command::new(program);
        command.arg("build").args(&arguments.targets).arg("--out").arg(&tables);
        command.args(["--effort", &effort.to_string(), "--model", &arguments.model, "--format", "json"]);
        command.args(["--quiet", "--threads", &arguments.threads.to_string()]);
        if let Some(memory) = &arguments.memory {
            command.args(["--memory", memory]);
        }
        command.stdin(Stdio::null()).stdout(File::create(&summary)?);
        costs.push(cost(&mut command)?);
        runs.push(rows(&fs::read_to_string(&summary)?)?);
        if let Some(keep) = keep {
            fs::create_dir_all(keep).with_context(|| format!("cannot make {}", keep.display()))?;
            for row in &runs[0] {
                let name = format!("{}.pcn", row.material);
                fs::copy(tables.join(&name), keep.join(&name))?;
            }
        }
    }
    let bytes = |rows: &[Row]| rows.iter().map(|row| row.bytes).collect::<Vec<_>>();
    let same = runs.iter().all(|rows| bytes(rows) == bytes(&runs[0]));
    let spread = |value: fn(&Cost) -> f64| Spread::of(costs.iter().map(value)).context("no run");
    let cost = Cost {
        seconds: spread(|cost| cost.seconds)?.median,
        cpu_seconds: spread(|cost| cost.cpu_seconds)?.median,
        mebibytes: spread(|cost| cost.mebibytes)?.max,
    };
    Ok(Made { effort, rows: medians(&runs), cost, same })
}

/// The rows of the first run with the median of each time.
fn medians(runs: &[Vec<Row>]) -> Vec<Row> {
    let median = |at: usize, value: &dyn Fn(&Row) -> f64| {
        Spread::of(runs.iter().filter_map(|rows| rows.get(at)).map(value)).map_or(0.0, |spread| spread.median)
    };
    let row = |(at, row): (usize, &Row)| Row {
        stages: std::array::from_fn(|stage| median(at, &|row| row.stages[stage])),
        seconds: median(at, &|row| row.seconds),
        ..row.clone()
    };
    runs.first().map_or_else(Vec::new, |rows| rows.iter().enumerate().map(row).collect())
}

/// Reads what `build --format json` prints.
fn rows(text: &str) -> Result<Vec<Row>> {
    let value: Value = serde_json::from_str(text).context("the command printed no JSON")?;
    value["tables"].as_array().context("the command printed no tables")?.iter().map(row).collect()
}

fn row(value: &Value) -> Result<Row> {
    let text = |name: &str| value[name].as_str().with_context(|| format!("no {name} in {value}"));
    let seconds = |name: &str| value[name].as_f64().with_context(|| format!("no {name} in {value}"));
    let mut stages = [0.0; STAGES.len()];
    for (stage, name) in stages.iter_mut().zip(STAGES) {
        *stage = seconds(&format!("{name}_seconds"))?;
    }
    Ok(Row {
        material: text("material")?.parse()?,
        model: text("model")?.to_string(),
        bytes: value["bytes"].as_u64().with_context(|| format!("no bytes in {value}"))?,
        syzygy_bytes: value["syzygy_bytes"].as_u64(),
        stages,
        seconds: seconds("seconds")?,
        peaks: ["generating_peak_bytes", "peak_bytes"]
            .map(|name| value[name].as_f64().map(|bytes| bytes / f64::from(1 << 20))),
    })
}

/// What lines stand for: each table, then the tables of each number of men where there are several, then all.
fn lines(rows: &[Row]) -> Vec<(String, Vec<&Row>)> {
    let mut lines: Vec<_> = rows.iter().map(|row| (row.material.to_string(), vec![row])).collect();
    let men: BTreeSet<usize> = rows.iter().map(|row| row.material.len()).collect();
    if men.len() > 1 {
        let of = |&men: &usize| {
            (format!("of {men} men"), rows.iter().filter(|row| row.material.len() == men).collect())
        };
        lines.extend(men.iter().map(of));
    }
    lines.push(("total".into(), rows.iter().collect()));
    lines
}

/// Bytes of a line, of Syzygy's files beside those that have one, and the ratio of these.
fn bytes(rows: &[&Row]) -> [String; 3] {
    let both = rows.iter().filter_map(|row| row.syzygy_bytes.map(|theirs| (row.bytes, theirs)));
    let sums = both.reduce(|a, b| (a.0 + b.0, a.1 + b.1));
    let ours = rows.iter().map(|row| row.bytes).sum::<u64>().to_string();
    let ratio = or_dash(sums, |(ours, theirs)| format!("{:.3}", ours as f64 / theirs as f64));
    [ours, or_dash(sums, |(_, theirs)| theirs.to_string()), ratio]
}

/// Seconds of a line.
fn seconds(rows: &[&Row], of: impl Fn(&Row) -> f64) -> String {
    format!("{:.2}", rows.iter().map(|row| of(row)).sum::<f64>())
}

fn or_dash<T>(value: Option<T>, show: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| "-".into(), show)
}

/// Bytes, seconds by stage and memory of one effort.
fn by_stage(made: &Made) -> Table {
    let stages = STAGES.map(|stage| format!("{stage}_s")).join(",");
    let columns =
        format!("material,model,bytes,syzygy_bytes,ratio,{stages},seconds,generating_mebibytes,mebibytes");
    let mut table = table::with_columns(&columns);
    for (name, rows) in lines(&made.rows) {
        let model = if rows.len() == 1 { rows[0].model.clone() } else { "-".into() };
        let mut line = vec![name, model];
        line.extend(bytes(&rows));
        line.extend((0..STAGES.len()).map(|at| seconds(&rows, |row| row.stages[at])));
        line.push(seconds(&rows, |row| row.seconds));
        let peak = |at: usize| rows.iter().filter_map(|row| row.peaks[at]).max_by(f64::total_cmp);
        line.extend((0..2).map(|at| or_dash(peak(at), |mebibytes| format!("{mebibytes:.0}"))));
        table.push(line);
    }
    table
}

/// Bytes, their ratios to Syzygy's and seconds of each effort.
fn by_effort(made: &[Made]) -> Table {
    let mut table = table::with_columns("material,syzygy_bytes");
    for what in ["bytes", "ratio", "seconds"] {
        table[0].extend(made.iter().map(|made| format!("{what}_{}", made.effort)));
    }
    let all: Vec<_> = made.iter().map(|made| lines(&made.rows)).collect();
    for (at, (name, _)) in all[0].iter().enumerate() {
        let figures = all.iter().map(|lines| {
            let [bytes, syzygy, ratio] = bytes(&lines[at].1);
            [syzygy, bytes, ratio, seconds(&lines[at].1, |row| row.seconds)]
        });
        let figures: Vec<[String; 4]> = figures.collect();
        let mut line = vec![name.clone(), figures[0][0].clone()];
        (1..4).for_each(|what| line.extend(figures.iter().map(|figures| figures[what].clone())));
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

    fn made(effort: u8, runs: &[&str]) -> Made {
        let runs: Vec<_> = runs.iter().map(|text| rows(text).unwrap()).collect();
        let cost = Cost { seconds: 2.0, cpu_seconds: 3.0, mebibytes: 10.0 };
        Made { effort, rows: medians(&runs), cost, same: true }
    }

    #[test]
    fn sums_are_by_the_number_of_men_and_compare_what_both_have() {
        let expected = "\
material,model,bytes,syzygy_bytes,ratio,generating_s,trials_s,minimizing_s,coding_s,checking_s,seconds,generating_mebibytes,mebibytes
KvK,board,20,-,-,0.25,0.00,0.12,0.00,0.12,0.50,-,-
KQvK,attack,68,272,0.250,0.25,0.25,0.50,0.25,0.25,1.50,2,3
of 2 men,board,20,-,-,0.25,0.00,0.12,0.00,0.12,0.50,-,-
of 3 men,attack,68,272,0.250,0.25,0.25,0.50,0.25,0.25,1.50,2,3
total,-,88,272,0.250,0.50,0.25,0.62,0.25,0.38,2.00,2,3
";
        assert_eq!(table::text(&by_stage(&made(5, &[SUMMARY])), Format::Csv), expected);
    }

    #[test]
    fn efforts_stand_side_by_side() {
        let longer = SUMMARY.replace("\"bytes\": 68", "\"bytes\": 34").replace("1.5", "6.0");
        let expected = "\
material,syzygy_bytes,bytes_1,bytes_5,ratio_1,ratio_5,seconds_1,seconds_5
KvK,-,20,20,-,-,0.50,0.50
KQvK,272,68,34,0.250,0.125,1.50,6.00
of 2 men,-,20,20,-,-,0.50,0.50
of 3 men,272,68,34,0.250,0.125,1.50,6.00
total,272,88,54,0.250,0.125,2.00,6.50
";
        let table = by_effort(&[made(1, &[SUMMARY]), made(5, &[&longer])]);
        assert_eq!(table::text(&table, Format::Csv), expected);
    }

    #[test]
    fn times_are_medians() {
        let runs = ["1.5", "9.0", "2.5"].map(|seconds| SUMMARY.replace("1.5", seconds));
        let made = made(5, &[&runs[0], &runs[1], &runs[2]]);
        assert_eq!((made.rows[0].seconds, made.rows[1].seconds), (0.5, 2.5));
    }

    #[test]
    fn what_is_missing_is_named() {
        assert!(rows("no").is_err() && rows("{}").is_err());
        let error = rows(&SUMMARY.replace("coding_seconds", "other")).unwrap_err().to_string();
        assert!(error.contains("no coding_seconds"), "{error}");
    }

    #[test]
    fn all_tables_of_four_men_have_bounds() {
        assert_eq!(bound(&["4".into()], "auto", 5), Some(2700.0));
        assert!(bound(&["4".into()], "board", 5).is_none() && bound(&["3".into()], "auto", 5).is_none());
        assert!(bound(&["4".into()], "auto", 9).is_none());
    }
}
