//! The rows as the paper prints them, ours beside the paper's: table 4 (clauses; seconds) and table 5 (bytes).
//!
//! The paper's canonical sets have about half of our positions where the men are distinct, and about as many as ours
//! where two men are alike; so clauses are held against two bounds of this project's own. With the paper's positions,
//! where they are known, table 4 is printed once more, like for like.

use super::Row;
use crate::compare::{PaperRow, paper_table5, syzygy_bytes};
use crate::position::Material;
use std::fmt::Write as _;

/// The most clauses after irredundancy, as a multiple of the paper's, of a four-man table with distinct men.
pub const BOUND_DISTINCT: f64 = 1.6;

/// The same of a four-man table with two men alike.
pub const BOUND_IDENTICAL: f64 = 1.0;

/// Rows as text.
#[derive(Clone, Copy, Debug)]
pub struct Tables<'a> {
    /// The rows, in the order in which they are printed.
    pub rows: &'a [Row],
}

impl Tables<'_> {
    /// The first lines of table 4: what its columns are.
    pub fn head() -> String {
        let mut text = String::from(
            "Table 4: clauses after compaction, then expansion, then irredundancy, then the full loop; ours, the \
             paper's,\nand their ratio\n",
        );
        let _ = write!(text, "{:<8}{:>10}{:>9}{:>6}", "material", "positions", "paper", "ratio");
        for stage in ["compacted", "expanded", "irred.", "full"] {
            let _ = write!(text, "{stage:>11}{:>8}{:>6}", "paper", "ratio");
        }
        text.push('\n');
        text
    }

    /// The line of table 4 for one row.
    pub fn line(row: &Row) -> String {
        let paper = paper_table5(&row.material);
        let ours = row.all_stages().map(|stage| stage.map(|stage| stage.clauses));
        line(
            &row.material.to_string(),
            [row.positions, paper.map_or(0, |paper| paper.positions.into())],
            ours,
            theirs(paper),
        )
    }

    /// What follows the lines of table 4: its totals, the seconds, table 5, and how our clauses stand to the bounds.
    pub fn rest(&self) -> String {
        let mut text = self.totals();
        text.push('\n');
        self.push_halves(&mut text);
        text.push('\n');
        self.push_seconds(&mut text);
        text.push('\n');
        self.push_bytes(&mut text);
        text.push('\n');
        self.push_bounds(&mut text);
        text
    }

    /// Whether every four-man table is within its bound.
    pub fn within_bounds(&self) -> bool {
        self.rows.iter().filter_map(bounded).all(|(ratio, bound)| ratio <= bound)
    }

    /// Sums of the clauses that both have.
    fn totals(&self) -> String {
        let mut positions = [0; 2];
        let (mut ours, mut theirs) = ([Some(0); 4], [Some(0); 4]);
        for row in self.rows {
            let paper = paper_table5(&row.material);
            positions[0] += row.positions;
            positions[1] += paper.map_or(0, |paper| u64::from(paper.positions));
            for (at, stage) in row.all_stages().into_iter().enumerate() {
                if let Some((stage, paper)) = stage.zip(self::theirs(paper)[at]) {
                    ours[at] = ours[at].map(|sum| sum + stage.clauses);
                    theirs[at] = theirs[at].map(|sum| sum + paper);
                }
            }
        }
        line("both", positions, ours, theirs)
    }

    fn push_halves(&self, text: &mut String) {
        text.push_str(
            "Table 4, like for like: the same with the paper's positions, where it is known which they are\n",
        );
        let _ = write!(text, "{:<8}{:>10}{:>9}{:>6}", "material", "positions", "paper", "ratio");
        for stage in ["compacted", "expanded", "irred."] {
            let _ = write!(text, "{stage:>11}{:>8}{:>6}", "paper", "ratio");
        }
        text.push('\n');
        let mut positions = [0; 2];
        let (mut sums, mut sums_paper) = ([0; 3], [0; 3]);
        for row in self.rows {
            let Some((half, paper)) = row.half.zip(paper_table5(&row.material)) else { continue };
            let counts = [half.positions, paper.positions.into()];
            let ours = half.stages.map(|stage| Some(stage.clauses));
            let [compacted, expanded, irredundant, _] = theirs(Some(paper));
            let theirs = [compacted, expanded, irredundant];
            text.push_str(&line(&row.material.to_string(), counts, ours, theirs));
            (0..2).for_each(|at| positions[at] += counts[at]);
            for at in 0..3 {
                sums[at] += ours[at].unwrap_or(0);
                sums_paper[at] += theirs[at].unwrap_or(0);
            }
        }
        text.push_str(&line("both", positions, sums.map(Some), sums_paper.map(Some)));
    }

    fn push_seconds(&self, text: &mut String) {
        text.push_str(
            "Table 4: seconds by the clock from the beginning of compaction to the end of each step, beside the \
             paper's core-hours;\nseconds of export before and of checks behind; the most memory in MiB\n",
        );
        let _ = writeln!(
            text,
            "{:<8}{:>10}{:>8}{:>10}{:>8}{:>10}{:>8}{:>10}{:>9}{:>9}{:>9}{:>7}{:>8}",
            "material",
            "compacted",
            "paper",
            "expanded",
            "paper",
            "irred.",
            "paper",
            "full",
            "paper",
            "export",
            "checks",
            "MiB",
            "threads"
        );
        let mut sums = [0.0; 10];
        for row in self.rows {
            let hours = paper_table5(&row.material).map_or([None; 4], |paper| paper.hours);
            let _ = write!(text, "{:<8}", row.material.to_string());
            for (at, stage) in row.all_stages().into_iter().enumerate() {
                let wide = if at == 3 { 9 } else { 8 };
                let seconds = stage.map(|stage| stage.seconds);
                let _ = write!(text, "{:>10}{:>wide$}", decimal(seconds, 2), decimal(hours[at], 3));
                sums[2 * at] += seconds.unwrap_or(0.0);
                sums[2 * at + 1] += hours[at].unwrap_or(0.0);
            }
            sums[8] += row.export_seconds;
            sums[9] += row.check_seconds;
            let peak = row.peak_bytes.map(|bytes| (bytes >> 20).to_string());
            let _ = writeln!(
                text,
                "{:>9.2}{:>9.2}{:>7}{:>8}",
                row.export_seconds,
                row.check_seconds,
                peak.unwrap_or_else(|| "-".into()),
                row.threads
            );
        }
        let peak = self.rows.iter().filter_map(|row| row.peak_bytes).max();
        let _ = writeln!(
            text,
            "{:<8}{:>10.2}{:>8.3}{:>10.2}{:>8.3}{:>10.2}{:>8.3}{:>10.2}{:>9.3}{:>9.2}{:>9.2}{:>7}",
            "total",
            sums[0],
            sums[1],
            sums[2],
            sums[3],
            sums[4],
            sums[5],
            sums[6],
            sums[7],
            sums[8],
            sums[9],
            peak.map_or_else(|| "-".into(), |bytes| (bytes >> 20).to_string())
        );
    }

    fn push_bytes(&self, text: &mut String) {
        text.push_str(
            "Table 5: bytes of the irredundant cover, eight a clause, then compressed with zstd as a .pcn file, and \
             Syzygy's\n",
        );
        let line = |name: &str, figures: [Option<u64>; 5]| {
            let mut line = format!("{name:<8}");
            let shown = figures.map(|figure| figure.map_or_else(|| "-".into(), |figure| figure.to_string()));
            let ratio = |a: usize, b: usize| match (figures[a], figures[b]) {
                (Some(a), Some(b)) if b > 0 => format!("{:.3}", a as f64 / b as f64),
                _ => "-".into(),
            };
            let [pcn, pcn_paper, zstd, zipped, syzygy] = &shown;
            let _ = writeln!(
                line,
                "{pcn:>10}{pcn_paper:>10}{:>7}{zstd:>10}{zipped:>10}{:>7}{syzygy:>10}{:>7}",
                ratio(0, 1),
                ratio(2, 3),
                ratio(2, 4)
            );
            line
        };
        let _ = writeln!(
            text,
            "{:<8}{:>10}{:>10}{:>7}{:>10}{:>10}{:>7}{:>10}{:>7}",
            "material", "pcn", "paper", "ratio", "zstd", "paper", "ratio", "Syzygy", "ratio"
        );
        let mut sums = [0; 5];
        for row in self.rows {
            let paper = paper_table5(&row.material);
            let figures = [
                Some(row.pcn_bytes()),
                paper.and_then(|paper| paper.pcn_bytes).map(u64::from),
                Some(row.zstd_bytes),
                paper.and_then(|paper| paper.zipped_bytes).map(u64::from),
                syzygy_bytes(&row.material),
            ];
            text.push_str(&line(&row.material.to_string(), figures));
            if figures.iter().all(Option::is_some) {
                sums.iter_mut().zip(figures.into_iter().flatten()).for_each(|(sum, figure)| *sum += figure);
            }
        }
        // A sum over tables that not all have would compare nothing.
        text.push_str(&line("all have", sums.map(Some)));
    }

    fn push_bounds(&self, text: &mut String) {
        for (identical, bound) in [(false, BOUND_DISTINCT), (true, BOUND_IDENTICAL)] {
            let rows = self.rows.iter().filter(|row| has_identical(&row.material) == identical);
            let ratios = rows.filter_map(|row| Some((bounded(row)?.0, row.material)));
            let Some((most, material)) = ratios.max_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
            let men = if identical { "two men alike" } else { "distinct men" };
            let verdict = if most <= bound { "within" } else { "BEYOND" };
            let _ = writeln!(
                text,
                "four men, {men}: after irredundancy at most {most:.3} of the paper's clauses ({material}), \
                 {verdict} the bound of {bound}"
            );
        }
    }
}

fn theirs(paper: Option<PaperRow>) -> [Option<u64>; 4] {
    paper.map_or([None; 4], |paper| {
        [Some(paper.compacted), Some(paper.expanded), paper.clauses, paper.full]
            .map(|clauses| clauses.map(u64::from))
    })
}

fn has_identical(material: &Material) -> bool {
    material.groups().iter().any(|group| group.len() > 1)
}

/// Our clauses after irredundancy as a multiple of the paper's, and what they may be; `None` where there is no bound.
fn bounded(row: &Row) -> Option<(f64, f64)> {
    let theirs = paper_table5(&row.material)?.clauses.filter(|_| row.material.len() == 4)?;
    let bound = if has_identical(&row.material) { BOUND_IDENTICAL } else { BOUND_DISTINCT };
    Some((row.stages[2].clauses as f64 / f64::from(theirs), bound))
}

fn decimal(number: Option<f64>, digits: usize) -> String {
    number.map_or_else(|| "-".into(), |number| format!("{number:.digits$}"))
}

fn line<const N: usize>(
    name: &str,
    positions: [u64; 2],
    ours: [Option<u64>; N],
    theirs: [Option<u64>; N],
) -> String {
    let ratio = |ours: Option<u64>, theirs: Option<u64>| match (ours, theirs) {
        (Some(ours), Some(theirs)) if theirs > 0 => format!("{:.3}", ours as f64 / theirs as f64),
        _ => "-".into(),
    };
    let whole = |figure: Option<u64>| figure.map_or_else(|| "-".into(), |figure| figure.to_string());
    let [here, there] = positions;
    let mut text = format!("{name:<8}{here:>10}{there:>9}{:>6}", ratio(Some(here), Some(there)));
    for (ours, theirs) in ours.into_iter().zip(theirs) {
        let _ = write!(text, "{:>11}{:>8}{:>6}", whole(ours), whole(theirs), ratio(ours, theirs));
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::super::{Half, Stage};
    use super::*;

    fn row(name: &str, clauses: u64) -> Row {
        let stage = Stage { clauses, seconds: 1.0 };
        Row {
            material: name.parse().unwrap(),
            positions: 1000,
            stages: [stage; 3],
            full: None,
            half: Some(Half { positions: 500, stages: [stage; 3] }),
            zstd_bytes: 100,
            export_seconds: 0.5,
            check_seconds: 2.0,
            peak_bytes: None,
            threads: 2,
        }
    }

    #[test]
    fn bounds_hold_for_four_men() {
        for (name, clauses, within) in [
            ("KQvKR", 13_433, true),
            ("KQvKR", 13_434, false),
            ("KRRvK", 320, true),
            ("KRRvK", 321, false),
            ("KQvK", 1_000_000, true),
            ("KPvKP", 1_000_000, true),
        ] {
            let rows = [row(name, clauses)];
            let tables = Tables { rows: &rows };
            assert_eq!(tables.within_bounds(), within, "{name} {clauses}");
            assert_eq!(tables.rest().contains("BEYOND"), !within, "{name} {clauses}");
        }
    }

    #[test]
    fn lines_are_aligned() {
        let rows = [row("KvK", 1), row("KRvKP", 123_456), row("KPvKP", 234_567)];
        let head = Tables::head();
        let width = head.lines().last().unwrap().len();
        for row in &rows {
            assert_eq!(Tables::line(row).trim_end_matches('\n').len(), width);
        }
        let rest = Tables { rows: &rows }.rest();
        for block in rest.split("\n\n").skip(1).take(3) {
            let lines: Vec<&str> = block.lines().skip_while(|line| !line.starts_with("material")).collect();
            assert_eq!(lines.len(), 5, "{block}");
            assert!(lines[..4].iter().all(|line| line.len() == lines[0].len()), "{block}");
        }
        // Only KRvKP has a file at Syzygy's, in the paper and here.
        assert!(rest.contains("all have    987648    366800"), "{rest}");
    }
}
