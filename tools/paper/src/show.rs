//! The paper's tables as text, ours beside its own.

use crate::published::{self, table2 as counts_of_paper};
use crate::row::Row;
use crate::small::Measured;
use cubebase::compare;
use std::iter;

/// Table 2: positions by outcome.
pub fn table2(lines: &[Measured]) -> String {
    let rows = lines.iter().map(|line| {
        let paper = counts_of_paper(&line.material, line.canonical);
        let ours = [line.counts.win, line.counts.draw, line.counts.loss];
        let theirs =
            [paper.map(|paper| paper.win), paper.map(|paper| paper.draw), paper.map(|paper| paper.loss)];
        let figures =
            ours.into_iter().zip(theirs).flat_map(|(ours, theirs)| [ours.to_string(), figure(theirs)]);
        name_and_set(line).into_iter().chain(figures).collect()
    });
    let head = ["material", "positions", "win", "paper", "draw", "paper", "loss", "paper"];
    format!("Table 2: legal positions by outcome for the side to move\n{}", aligned(&head, rows))
}

/// Table 3: clauses and seconds by treatment.
pub fn table3(lines: &[Measured]) -> String {
    let rows = lines.iter().map(|line| {
        let paper = published::table3(&line.material, line.canonical);
        let mut cells = name_and_set(line);
        for at in 0..3 {
            let theirs = paper.map(|paper| paper.clauses()[at]);
            cells.extend(beside(Some(line.clauses[at]), theirs));
            cells.push(decimal(Some(line.seconds[at]), 2));
            cells.push(decimal(paper.map(|paper| paper.seconds()[at]), 1));
        }
        cells
    });
    let treatments =
        ["compacted", "expanded", "full"].map(|name| [name, "paper", "ratio", "seconds", "paper"]);
    let head: Vec<&str> = ["material", "positions"].into_iter().chain(treatments.concat()).collect();
    let title = "Table 3: clauses after compaction, after compaction and expansion, and after compaction and the full loop;\n\
                 seconds of one core of the paper's machine beside ours\n";
    format!("{title}{}", aligned(&head, rows))
}

/// Table 4: clauses after each step, like for like and of our complete canonical sets, and the time.
pub fn table4(rows: &[Row]) -> String {
    let mut halves = Comparison::<3>::default();
    let mut whole = Comparison::<4>::default();
    let mut times = Vec::new();
    for row in rows {
        let Ok(paper) = row.paper() else { continue };
        let [compacted, expanded, irredundant, full] = paper.clauses();
        if row.half_positions.is_some() {
            let theirs = [compacted, expanded, irredundant];
            halves.push(
                &row.material,
                [row.half_positions, Some(paper.positions)],
                row.half_clauses(),
                theirs,
            );
        }
        let theirs = [compacted, expanded, irredundant, full];
        whole.push(&row.material, [Some(row.positions), Some(paper.positions)], row.clauses(), theirs);
        let pairs = row.seconds().into_iter().zip(paper.hours());
        let cells = pairs.flat_map(|(seconds, hours)| [decimal(seconds, 2), decimal(hours, 3)]);
        times.push(iter::once(row.material.clone()).chain(cells).collect());
    }
    let stages = ["compacted", "paper", "expanded", "paper", "irredundant", "paper", "full", "paper"];
    let head: Vec<&str> = iter::once("material").chain(stages).collect();
    format!(
        "Table 4, like for like: clauses after compaction, then expansion, then irredundancy, with the paper's positions\n\
         {}\n\
         Table 4, our complete canonical sets: clauses after the same steps, then after the full loop\n{}\n\
         Table 4: seconds by the clock from the beginning of compaction to the end of each step, beside the paper's core-hours\n\
         {}",
        halves.text(),
        whole.text(),
        aligned(&head, times),
    )
}

/// Table 5: bytes of the irredundant cover.
pub fn table5(rows: &[Row]) -> String {
    let mut sums = [0; 5];
    let mut lines = Vec::new();
    for row in rows {
        let Ok(paper) = row.paper() else { continue };
        let ours = (Some(row.pcn_bytes()), Some(row.zstd_bytes));
        let figures = [ours.0, paper.pcn_bytes, ours.1, paper.pcn_zipped_bytes, paper.syzygy_wdl_bytes];
        if figures.iter().all(Option::is_some) {
            sums.iter_mut().zip(figures.into_iter().flatten()).for_each(|(sum, figure)| *sum += figure);
        }
        lines.push(bytes(&row.material, figures));
    }
    // A sum over tables that not all have would compare nothing.
    lines.push(bytes("all have", sums.map(Some)));
    let head = ["material", "pcn", "paper", "ratio", "zstd", "paper", "ratio", "Syzygy", "ratio"];
    let title = "Table 5: bytes of the irredundant cover of our complete canonical sets, eight a clause, then compressed with\n\
                 zstd as a .pcn file, and Syzygy's\n";
    format!("{title}{}", aligned(&head, lines))
}

fn bytes(name: &str, [pcn, pcn_paper, zstd, zipped, syzygy]: [Option<u64>; 5]) -> Vec<String> {
    let name = iter::once(name.to_string());
    name.chain(beside(pcn, pcn_paper))
        .chain(beside(zstd, zipped))
        .chain([figure(syzygy), ratio(zstd, syzygy)])
        .collect()
}

/// Clauses of ours beside the paper's after `N` steps, with the sums of what both have.
struct Comparison<const N: usize> {
    lines: Vec<Vec<String>>,
    positions: [u64; 2],
    clauses: [[u64; 2]; N],
}

impl<const N: usize> Default for Comparison<N> {
    fn default() -> Self {
        Comparison { lines: Vec::new(), positions: [0; 2], clauses: [[0; 2]; N] }
    }
}

impl<const N: usize> Comparison<N> {
    fn push(
        &mut self,
        name: &str,
        positions: [Option<u64>; 2],
        ours: [Option<u64>; N],
        theirs: [Option<u64>; N],
    ) {
        self.lines.push(Self::line(name, positions, ours, theirs));
        self.positions.iter_mut().zip(positions).for_each(|(sum, count)| *sum += count.unwrap_or(0));
        for (sums, both) in self.clauses.iter_mut().zip(ours.into_iter().zip(theirs)) {
            if let (Some(ours), Some(theirs)) = both {
                *sums = [sums[0] + ours, sums[1] + theirs];
            }
        }
    }

    fn line(
        name: &str,
        positions: [Option<u64>; 2],
        ours: [Option<u64>; N],
        theirs: [Option<u64>; N],
    ) -> Vec<String> {
        let mut cells = vec![name.to_string()];
        cells.extend(beside(positions[0], positions[1]));
        ours.into_iter().zip(theirs).for_each(|(ours, theirs)| cells.extend(beside(ours, theirs)));
        cells
    }

    fn text(mut self) -> String {
        let [ours, theirs] = [0, 1].map(|at| self.clauses.map(|sums| Some(sums[at])));
        self.lines.push(Self::line("both", self.positions.map(Some), ours, theirs));
        let stages = ["positions", "compacted", "expanded", "irredundant", "full"]
            .map(|name| [name, "paper", "ratio"]);
        let head: Vec<&str> = iter::once("material").chain(stages[..=N].concat()).collect();
        aligned(&head, self.lines)
    }
}

fn name_and_set(line: &Measured) -> Vec<String> {
    vec![line.material.to_string(), if line.canonical { "canonical" } else { "all" }.to_string()]
}

/// Ours, the paper's and their ratio.
fn beside(ours: Option<u64>, theirs: Option<u64>) -> [String; 3] {
    [figure(ours), figure(theirs), ratio(ours, theirs)]
}

fn figure(figure: Option<u64>) -> String {
    figure.map_or_else(|| "-".into(), |figure| figure.to_string())
}

fn ratio(ours: Option<u64>, theirs: Option<u64>) -> String {
    let both = ours.zip(theirs.filter(|&theirs| theirs > 0));
    decimal(both.map(|(ours, theirs)| ours as f64 / theirs as f64), 3)
}

fn decimal(number: Option<f64>, digits: usize) -> String {
    number.map_or_else(|| "-".into(), |number| format!("{number:.digits$}"))
}

/// The head and the lines as text.
fn aligned(head: &[&str], lines: impl IntoIterator<Item = Vec<String>>) -> String {
    let head: Vec<String> = head.iter().map(ToString::to_string).collect();
    compare::aligned(iter::once(head).chain(lines))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record;

    /// What the document of tables 4 and 5 shows is what the program prints of the record beside it.
    #[test]
    fn the_document_shows_what_the_record_gives() {
        let rows = record::read(include_str!("../../../docs/paper-table4-5.csv").as_bytes()).unwrap();
        let document = include_str!("../../../docs/paper-table4-5.md");
        for text in [table4(&rows), table5(&rows)] {
            for line in text.lines().filter(|line| !line.is_empty()) {
                assert!(document.contains(&format!("    {line}\n")), "{line}");
            }
        }
    }
}
