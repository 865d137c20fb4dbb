//! The figures of docs/baselines.md, written between two marks.

use anyhow::{Context, Result};
use cubebase::cli::baselines::{self, Line, find};
use cubebase::compare::syzygy_bytes;
use std::fmt::Write;

const MARKS: [&str; 2] = ["<!-- figures -->\n", "<!-- end of figures -->"];

/// Returns `page` with the figures of a record in place of its old ones.
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

/// A line for each representation, over the tables that it holds.
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

/// Compares the smallest of some representations of each table with Syzygy's file. Returns the number of tables, the number where
/// it is smaller, the ratio of bytes, the number where both were timed, and the ratio of the times of a probe.
fn beside_syzygy(lines: &[Line], names: &[&str]) -> (usize, usize, f64, usize, f64) {
    let (mut bytes, mut times) = ([0.0; 2], [0.0; 2]);
    let (mut tables, mut smaller, mut timed) = (0, 0, 0);
    for material in baselines::materials(lines) {
        let all =
            names.iter().filter_map(|name| find(lines, material, name)).filter(|line| line.bytes.is_some());
        let Some(ours) = all.min_by_key(|line| line.bytes) else { continue };
        let (Some(size), Some(theirs)) = (ours.bytes, syzygy(ours)) else { continue };
        bytes = [bytes[0] + size as f64, bytes[1] + theirs as f64];
        tables += 1;
        smaller += usize::from(size < theirs);
        let published = find(lines, material, "syzygy").and_then(|line| line.probe_ns);
        if let (Some(time), Some(theirs)) = (ours.probe_ns, published) {
            times = [times[0] + time, times[1] + theirs];
            timed += 1;
        }
    }
    (tables, smaller, bytes[0] / bytes[1], timed, times[0] / times[1])
}

/// The claims of Gomboc & Shelton's two papers, compared with these figures.
fn claims(lines: &[Line]) -> String {
    let verdict = |holds| if holds { "holds" } else { "does not hold" };
    let (pairs, pairs_smaller, logic, _, logic_time) = beside_syzygy(lines, &["two-level"]);
    let (tables, smaller, mtbdd, timed, mtbdd_time) = beside_syzygy(lines, &["mtbdd-binary", "mtbdd-board"]);
    let (_, _, dag, _, dag_time) = beside_syzygy(lines, &["dag"]);
    if pairs == 0 || timed == 0 {
        return String::new();
    }
    let [fewer, smallest, order, slowest] =
        [logic < 1.0, mtbdd.min(dag) >= 1.0, mtbdd < dag, mtbdd_time.max(dag_time) < 1.0].map(verdict);
    format!(
        "Over {pairs} tables of three and four men `two-level` takes {logic:.3} of Syzygy's bytes, and fewer on {pairs_smaller} of \
         them: \"fewer bytes than Syzygy\" {fewer}. Over {tables} tables the smaller of the two MTBDDs takes {mtbdd:.3} of \
         Syzygy's bytes, and fewer on {smaller} of them; the DAG takes {dag:.2} times Syzygy's and {:.2} times the MTBDD's. \
         \"Syzygy is smallest\" {smallest}, \"the MTBDD is smaller than the DAG\" {order}. On the {timed} of these where \
         Syzygy was timed, a probe of the MTBDD takes {mtbdd_time:.2} of Syzygy's time, one of the DAG {dag_time:.2}, one of \
         `two-level` {logic_time:.2}: \"Syzygy is slowest\" {slowest} beside the diagrams.\n",
        dag / mtbdd
    )
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
