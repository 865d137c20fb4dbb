//! `table4`: the paper's table 4, the canonical tables of up to four men step by step.
//!
//! The three-output function of each table, the side to move an input, through compaction, expansion and irredundancy
//! (or other steps), each step's cubes and seconds beside the paper's clauses. Where the men are distinct the paper's
//! canonical sets are about half of ours (its clause column `T_clauses` beside our positions shows by how much), so the
//! ratio of clauses is for information. Cubes are checked against the function unless told otherwise.

use crate::command::judge;
use crate::table::Table;
use crate::{Format, Verdict, record};
use anyhow::{Context, Result};
use cubebase::export::{Exported, Scope, independent};
use cubebase::retrograde::Store;
use cubebase::{Material, Model};
use espresso::minimize::{Options, Step, minimize};
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// The paper's own figures.
const PAPER: &str = include_str!("../../../fixtures/paper-table4-5.tsv");

/// The paper's table 4: cubes and seconds of every step, table by table.
///
/// Exit code 1 when a cover is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: cubebase-bench table4 KQvKR KRvKP --tables out")]
pub struct Arguments {
    /// Only these materials.
    materials: Vec<String>,
    /// Directory of outcome tables; what is missing is generated.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Steps to run, in order.
    #[arg(long, value_name = "STEP,...", default_value = "compact,expand,irredundant")]
    steps: String,
    /// Do not check the covers.
    #[arg(long)]
    unchecked: bool,
    /// How to print the results.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command; wrong when a cover is.
pub fn run(arguments: &Arguments) -> Result<Verdict> {
    let steps = Step::parse_list(&arguments.steps)?;
    let store = Store::new(arguments.tables.clone());
    let mut table = Table::new(&["material", "positions", "step", "cubes", "paper", "ratio", "seconds"]);
    let mut verdict = Verdict::Right;
    let mut total = 0.0;
    for row in rows(PAPER)? {
        if !arguments.materials.is_empty() && !arguments.materials.contains(&row.material) {
            continue;
        }
        let begin = Instant::now();
        let (material, _) = Material::parse(&row.material)?;
        let outcomes = store.get(&material)?;
        let Exported { function, .. } = independent(&outcomes, Model::Binary, &Scope::default())?;
        eprintln!("{material}: solved and exported in {:.1} s", begin.elapsed().as_secs_f64());
        let positions = function.on.len();
        let options = Options { steps: steps.clone(), ..Options::default() };
        let (cover, report) = minimize(&function, &options).with_context(|| row.material.clone())?;
        for step in &report.steps {
            let name = step.step.name();
            let paper = row.clauses(name);
            eprintln!("{material}: {name} {} cubes in {:.1} s", step.cubes_out, step.seconds);
            total += step.seconds;
            table.push(vec![
                row.material.clone(),
                positions.to_string(),
                name.into(),
                step.cubes_out.to_string(),
                paper.map_or_else(|| "-".into(), |paper| paper.to_string()),
                paper.map_or_else(
                    || "-".into(),
                    |paper| format!("{:.3}", step.cubes_out as f64 / paper as f64),
                ),
                format!("{:.2}", step.seconds),
            ]);
        }
        if !arguments.unchecked && judge(&function, &cover, &row.material) == Verdict::Wrong {
            verdict = Verdict::Wrong;
        }
    }
    let mut out = std::io::stdout().lock();
    record::head(arguments.format, &mut out)?;
    table.write(&mut out, arguments.format)?;
    if arguments.format == Format::Text {
        writeln!(out, "all steps of all tables: {total:.1} s")?;
    }
    Ok(verdict)
}

/// The paper's clauses of one table after its three steps, where it has them.
#[derive(Debug, PartialEq)]
struct PaperRow {
    material: String,
    after: [Option<usize>; 3],
}

impl PaperRow {
    /// The clauses after the step of this name.
    fn clauses(&self, step: &str) -> Option<usize> {
        let at = ["compact", "expand", "irredundant"].iter().position(|&name| name == step)?;
        self.after[at]
    }
}

fn rows(text: &str) -> Result<Vec<PaperRow>> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t'));
    let head: Vec<&str> = lines.next().context("no column names")?.collect();
    let column = |name: &str| {
        head.iter().position(|column| *column == name).with_context(|| format!("no column `{name}`"))
    };
    let material = column("material")?;
    let after = [column("compaction_cubes")?, column("ce_cubes")?, column("cei_cubes")?];
    Ok(lines
        .map(|line| {
            let cells: Vec<&str> = line.collect();
            let figure = |column: usize| cells.get(column).and_then(|cell| cell.parse().ok());
            let name = cells.get(material).copied().unwrap_or_default();
            PaperRow { material: name.into(), after: after.map(figure) }
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_rows_are_read_whole() {
        let rows = rows(PAPER).unwrap();
        assert_eq!(rows.len(), 36);
        let last = PaperRow { material: "KPvKP".into(), after: [Some(580_870), Some(133_103), None] };
        assert_eq!(rows.last(), Some(&last));
        assert_eq!(rows[1].clauses("irredundant"), Some(204));
        assert_eq!(rows[1].clauses("reduce"), None);
    }
}
