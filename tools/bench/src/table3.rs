//! `table3`: the paper's table 3, like for like, and our bounds on the canonical tables.
//!
//! Like for like means: every legal position of the full board, three outputs, the side to move an input; after
//! compaction, after compaction and expansion, after compaction and the full loop. The paper's canonical sets are
//! about half of ours, so its canonical rows are not compared with; the bounds on canonical tables are what Berkeley's
//! program makes of our sets after compaction.

use crate::command::judge;
use crate::stats::Spread;
use crate::table::Table;
use crate::{Format, Verdict, record};
use anyhow::{Context, Result, ensure};
use cubebase::export::{Exported, Scope, independent};
use cubebase::retrograde::Store;
use cubebase::{Material, Model};
use espresso::Function;
use espresso::minimize::{Options, Step, minimize};
use std::io::Write;

/// The paper's own figures.
const PAPER: &str = include_str!("../../../fixtures/paper-table3.tsv");

/// The most that ours may be of the paper's.
const BOUND: f64 = 1.0;

/// Clauses that the canonical tables may have after the full loop: what Berkeley's program made of them when the white king
/// led, which made more.
const CANONICAL: [(&str, usize); 2] = [("KQvK", 269), ("KPvK", 2666)];

/// The paper's table 3 like for like, and the bounds on canonical tables.
///
/// Exit code 1 when a bound is exceeded or a cover is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: cubebase-bench table3 KQvK KRvK")]
pub struct Arguments {
    /// Only these materials.
    materials: Vec<String>,
    /// How to print the results.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The three treatments of the table, in its order.
const TREATMENTS: [&str; 3] = ["compaction", "expansion", "full"];

/// The paper's row of one table without canonicalization.
#[derive(Debug, PartialEq)]
struct PaperRow {
    material: String,
    positions: usize,
    clauses: [usize; 3],
    seconds: [f64; 3],
}

/// What one treatment left.
#[derive(Clone, Copy, Debug)]
struct Stage {
    clauses: usize,
    seconds: f64,
    right: bool,
}

/// Runs the command; wrong when a bound is exceeded or a cover is wrong.
pub fn run(arguments: &Arguments) -> Result<Verdict> {
    let rows = paper(PAPER)?;
    for wanted in &arguments.materials {
        ensure!(rows.iter().any(|row| row.material == *wanted), "the paper's table 3 has no row of {wanted}");
    }
    let wanted = |material: &str| {
        arguments.materials.is_empty() || arguments.materials.iter().any(|wanted| wanted == material)
    };
    let mut table = Table::new(&[
        "material",
        "positions",
        "treatment",
        "clauses",
        "paper_or_bound",
        "ratio",
        "seconds",
        "paper_seconds",
        "verdict",
    ]);
    let mut good = true;
    let mut ratios = Vec::new();
    for row in rows.into_iter().filter(|row| wanted(&row.material)) {
        let function = exported(&row.material, &Scope::full_board())?;
        let positions = function.on.len();
        ensure!(
            positions == row.positions,
            "{} has {positions} positions here and {} in the paper",
            row.material,
            row.positions
        );
        for (i, stage) in stages(&row.material, &function)?.into_iter().enumerate() {
            let ratio = stage.clauses as f64 / row.clauses[i] as f64;
            let fine = stage.right && ratio <= BOUND;
            good &= fine;
            ratios.push(ratio);
            table.push(vec![
                row.material.clone(),
                "all".into(),
                TREATMENTS[i].into(),
                stage.clauses.to_string(),
                row.clauses[i].to_string(),
                format!("{ratio:.3}"),
                format!("{:.2}", stage.seconds),
                format!("{:.1}", row.seconds[i]),
                verdict(stage, fine).into(),
            ]);
        }
    }
    for (material, bound) in CANONICAL.into_iter().filter(|(material, _)| wanted(material)) {
        let function = exported(material, &Scope::default())?;
        let stage = treat(material, &function, &[Step::Compact, Step::Loop])?;
        let fine = stage.right && stage.clauses <= bound;
        good &= fine;
        table.push(vec![
            material.into(),
            "canonical".into(),
            "full".into(),
            stage.clauses.to_string(),
            bound.to_string(),
            format!("{:.3}", stage.clauses as f64 / bound as f64),
            format!("{:.2}", stage.seconds),
            "-".into(),
            verdict(stage, fine).into(),
        ]);
    }
    let mut out = std::io::stdout().lock();
    record::head(arguments.format, &mut out)?;
    table.write(&mut out, arguments.format)?;
    if let Some(spread) = Spread::of(ratios).filter(|_| arguments.format == Format::Text) {
        writeln!(out, "clauses, ours / the paper's, min / median / max: {spread}; bound {BOUND:.1}")?;
    }
    Ok(if good { Verdict::Right } else { Verdict::Wrong })
}

fn verdict(stage: Stage, fine: bool) -> &'static str {
    match (stage.right, fine) {
        (false, _) => "WRONG",
        (true, false) => "TOO-MANY",
        (true, true) => "right",
    }
}

/// The three-output function of `material`, from a freshly solved table.
fn exported(material: &str, scope: &Scope) -> Result<Function> {
    eprintln!("{material}: solving and exporting");
    let (material, _) = Material::parse(material)?;
    let table = Store::new(None).get(&material)?;
    let Exported { function, .. } = independent(&table, Model::Binary, scope)?;
    Ok(function)
}

fn stages(material: &str, function: &Function) -> Result<[Stage; 3]> {
    Ok([
        treat(material, function, &[Step::Compact])?,
        treat(material, function, &[Step::Compact, Step::Expand])?,
        treat(material, function, &[Step::Compact, Step::Loop])?,
    ])
}

fn treat(material: &str, function: &Function, steps: &[Step]) -> Result<Stage> {
    let names: Vec<String> = steps.iter().map(ToString::to_string).collect();
    let what = format!("{material}: {}", names.join(", "));
    eprintln!("{what}");
    let options = Options { steps: steps.to_vec(), ..Options::default() };
    let (cover, report) = minimize(function, &options).with_context(|| what.clone())?;
    let seconds = report.steps.iter().map(|step| step.seconds).sum();
    let right = judge(function, &cover, &what) == Verdict::Right;
    Ok(Stage { clauses: cover.len(), seconds, right })
}

/// The rows of the paper without canonicalization.
fn paper(text: &str) -> Result<Vec<PaperRow>> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect());
    let head: Vec<&str> = lines.next().context("no column names")?;
    let mut rows = Vec::new();
    for line in lines {
        let line: Vec<&str> = line;
        let cell = |name: &str| -> Result<&str> {
            let column =
                head.iter().position(|column| *column == name).with_context(|| format!("no {name}"))?;
            line.get(column).copied().with_context(|| format!("a row without {name}"))
        };
        if cell("canonical")? != "no" {
            continue;
        }
        rows.push(PaperRow {
            material: cell("material")?.into(),
            positions: cell("T_clauses")?.parse()?,
            clauses: [cell("comp")?.parse()?, cell("comp_exp")?.parse()?, cell("comp_full")?.parse()?],
            seconds: [cell("comp_s")?.parse()?, cell("comp_exp_s")?.parse()?, cell("comp_full_s")?.parse()?],
        });
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_rows_are_read_whole() {
        let rows = paper(PAPER).unwrap();
        let names: Vec<&str> = rows.iter().map(|row| row.material.as_str()).collect();
        assert_eq!(names, ["KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]);
        let row = PaperRow {
            material: "KQvK".into(),
            positions: 368_452,
            clauses: [19_024, 1_379, 1_118],
            seconds: [91.7, 470.1, 929.7],
        };
        assert_eq!(rows[1], row);
        assert_eq!(rows[5].clauses, [30_570, 6_612, 4_657]);
    }
}
