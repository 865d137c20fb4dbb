//! The figures of docs/baselines.md, written between two marks.

use anyhow::{Context, Result};
use cubebase::cli::baselines::{self, Line, find};
use cubebase::compare::syzygy_bytes;
use std::fmt::Write;

const MARKS: [&str; 2] = ["<!-- figures -->\n", "<!-- end of figures -->"];

/// Returns `page` with the figures of a record in place of those that it has.
pub fn with_figures(page: &str, lines: &[Line]) -> Result<String> {
    let (before, rest) = page.split_once(MARKS[0]).context("no mark of figures")?;
    let (_, after) = rest.split_once(MARKS[1]).context("no mark of the end of figures")?;
    let figures = [summary(lines)?, claims(lines), dont_cares(lines)?, tables(lines)?].join("\n");
    Ok([before, MARKS[0], &figures, MARKS[1], after].concat())
}

fn syzygy(line: &Line) -> Option<u64> {
    syzygy_bytes(&line.material.parse().ok()?)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
    (count > 0.0).then(|| sum / count)
}

fn shown(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "-".into(), |value| format!("{value:.digits$}"))
}

/// A line a representation, over the tables that it holds.
fn summary(lines: &[Line]) -> Result<String> {
    let mut text = String::from(
        "| representation | tables | bytes | of Syzygy's | after xz | nodes, clauses | cpu seconds | most MiB | ns a probe | first answer, us |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for name in baselines::representations(lines) {
        let own = || lines.iter().filter(|line| line.representation == name && line.bytes.is_some());
        let sum = |figure: fn(&Line) -> Option<u64>| own().filter_map(figure).sum::<u64>();
        let ours: u64 = own().filter(|line| syzygy(line).is_some()).filter_map(|line| line.bytes).sum();
        let seconds = own().filter_map(|line| line.build_cpu_seconds).reduce(|sum, seconds| sum + seconds);
        let most = own().filter_map(|line| line.build_mebibytes).max_by(f64::total_cmp);
        writeln!(
            text,
            "| `{name}` | {} | {} | {:.3} | {} | {} | {} | {} | {} | {} |",
            own().count(),
            sum(|line| line.bytes),
            ours as f64 / sum(syzygy) as f64,
            sum(|line| line.xz_bytes),
            sum(|line| line.elements),
            shown(seconds, 1),
            shown(most, 0),
            shown(mean(own().filter_map(|line| line.probe_ns)), 0),
            shown(mean(own().filter_map(|line| line.first_answer_us)), 0),
        )?;
    }
    Ok(text)
}

/// The ranking of Gomboc & Shelton (ECAI 2024) beside ours.
fn claims(lines: &[Line]) -> String {
    let (mut bytes, mut times) = ([0; 3], [0.0; 3]);
    let (mut tables, mut timed, mut smaller) = (0, 0, 0);
    for material in baselines::materials(lines) {
        let orders = ["mtbdd-binary", "mtbdd-board"].map(|name| find(lines, material, name));
        let smallest = orders.into_iter().flatten().min_by_key(|line| line.bytes.unwrap_or(u64::MAX));
        let (Some(mtbdd), Some(dag)) = (smallest, find(lines, material, "dag")) else { continue };
        let (Some(theirs), Some(m), Some(d)) = (syzygy(mtbdd), mtbdd.bytes, dag.bytes) else { continue };
        bytes = [bytes[0] + theirs, bytes[1] + m, bytes[2] + d];
        tables += 1;
        smaller += usize::from(m < theirs);
        let all = [find(lines, material, "syzygy"), Some(mtbdd), Some(dag)];
        if let [Some(one), Some(two), Some(three)] = all.map(|line| line.and_then(|line| line.probe_ns)) {
            times = [times[0] + one, times[1] + two, times[2] + three];
            timed += 1;
        }
    }
    let verdict = |holds| if holds { "holds" } else { "does not hold" };
    let [smallest, smaller_one] = [bytes[0] <= bytes[1].min(bytes[2]), bytes[1] < bytes[2]].map(verdict);
    let [theirs, m, d] = bytes.map(|bytes| bytes as f64);
    let [m_time, d_time] = [1, 2].map(|at| times[at] / times[0]);
    let (m, d, beside) = (m / theirs, d / theirs, d / m);
    let slowest = verdict(m_time < 1.0 && d_time < 1.0);
    let text = format!(
        "Over {tables} tables of three and four men the smaller of the two MTBDDs takes {m:.3} of Syzygy's bytes, and fewer on \
         {smaller} of them; the DAG takes {d:.2} times Syzygy's and {beside:.2} times the MTBDD's. \"Syzygy is smallest\" {smallest}, \
         \"the MTBDD is smaller than the DAG\" {smaller_one}. Over the {timed} of these where Syzygy was timed, a probe of the MTBDD \
         takes {m_time:.2} of Syzygy's time and one of the DAG {d_time:.2}: \"Syzygy is slowest\" {slowest}.\n"
    );
    if timed > 0 { text } else { String::new() }
}

/// Bytes of the MTBDDs by order and treatment of don't-cares.
fn dont_cares(lines: &[Line]) -> Result<String> {
    let treatments = ["none", "restrict", "one-sided", "two-sided"];
    let mut text = format!("| MTBDD, order | {} |\n|---|---:|---:|---:|---:|\n", treatments.join(" | "));
    let variants = ["mtbdd-binary", "mtbdd-board"].map(|name| [(name, "read"), (name, "sifted")]);
    for (name, when) in variants.concat() {
        let sum = |treatment: &str| -> u64 {
            let variant = format!("{when} {treatment}=");
            let own = lines.iter().filter(|line| line.representation == name);
            let parts = own.flat_map(|line| line.detail.split("; "));
            parts.filter_map(|part| part.strip_prefix(&variant)?.parse::<u64>().ok()).sum()
        };
        let cells = treatments.map(|treatment| sum(treatment).to_string()).join(" | ");
        writeln!(text, "| `{name}`, {when} | {cells} |")?;
    }
    Ok(text)
}

/// Bytes by table, and the limits that were met.
fn tables(lines: &[Line]) -> Result<String> {
    let mut text = format!("```\n{}```\n", baselines::table_text(lines));
    for Line { material, representation, limit, .. } in lines {
        if let Some(limit) = limit {
            writeln!(text, "\n- `{material}` in `{representation}` met a limit: {limit}")?;
        }
    }
    Ok(text)
}
