//! The paper's tables as text, with our figures beside the paper's.

use crate::measure::Measured;
use crate::published;
use crate::record::Row;
use cubebase::cli;
use std::iter;

type Pair = [Option<u64>; 2];

pub fn table2(lines: &[Measured]) -> String {
    let rows = lines.iter().map(|line| {
        let theirs = published::counts(&line.material, line.canonical);
        let figures = line.counts.iter().zip(theirs);
        let figures = figures.flat_map(|(ours, theirs)| [ours.to_string(), figure(theirs)]);
        name_and_set(line).into_iter().chain(figures).collect()
    });
    let head = ["material", "positions", "win", "paper", "draw", "paper", "loss", "paper"];
    format!("Table 2: legal positions by outcome for the side to move\n{}", aligned(&head, rows))
}

/// Table 3: clauses and seconds by treatment.
pub fn table3(lines: &[Measured]) -> String {
    let rows = lines.iter().map(|line| {
        let theirs = published::treatments(&line.material, line.canonical);
        let their_seconds = published::treatment_seconds(&line.material, line.canonical);
        let treatments = (0..3).flat_map(|at| {
            let seconds = [decimal(Some(line.seconds[at]), 2), decimal(their_seconds[at], 1)];
            beside([Some(line.clauses[at]), theirs[at]]).into_iter().chain(seconds)
        });
        name_and_set(line).into_iter().chain(treatments).collect()
    });
    let treatments =
        ["compacted", "expanded", "full"].map(|name| [name, "paper", "ratio", "seconds", "paper"]);
    let head: Vec<&str> = ["material", "positions"].into_iter().chain(treatments.concat()).collect();
    let title = "Table 3: clauses after compaction, after compaction and expansion, and after compaction and the full loop;\n\
                 seconds of one core of the paper's machine beside ours\n";
    format!("{title}{}", aligned(&head, rows))
}

/// Table 4: clauses after each step, for the paper's positions and for our complete canonical sets, and the time.
pub fn table4(rows: &[Row]) -> String {
    let halves = rows.iter().filter(|row| row.half_positions.is_some());
    let halves = halves.map(|row| (&*row.material, row.half_clauses()));
    let whole = rows.iter().map(|row| (&*row.material, row.clauses()));
    let times = rows.iter().map(|row| {
        let pairs = row.seconds().into_iter().zip(published::hours(&row.material));
        let cells = pairs.flat_map(|(seconds, hours)| [decimal(seconds, 2), decimal(hours, 3)]);
        iter::once(row.material.clone()).chain(cells).collect()
    });
    let stages = ["compacted", "paper", "expanded", "paper", "irredundant", "paper", "full", "paper"];
    let head: Vec<&str> = iter::once("material").chain(stages).collect();
    format!(
        "Table 4, like for like: clauses after compaction, then expansion, then irredundancy, with the paper's positions\n\
         {}\n\
         Table 4, our complete canonical sets: clauses after the same steps, then after the full loop\n{}\n\
         Table 4: seconds by the clock from the beginning of compaction to the end of each step, beside the paper's core-hours\n\
         {}",
        compared(halves),
        compared(whole),
        aligned(&head, times),
    )
}

/// Adds figures to sums if no figure is missing: sums over different tables cannot be compared.
fn add(sums: &mut [Option<u64>], figures: &[Option<u64>]) {
    if !figures.contains(&None) {
        sums.iter_mut().flatten().zip(figures.iter().flatten()).for_each(|(sum, figure)| *sum += figure);
    }
}

/// Our clauses beside the paper's, and below them the sums over the tables that both have.
fn compared<'a, const N: usize>(rows: impl Iterator<Item = (&'a str, [Option<u64>; N])>) -> String {
    let line = |name: &str, pairs: &[Pair]| -> Vec<String> {
        iter::once(name.to_string()).chain(pairs.iter().flat_map(|&pair| beside(pair))).collect()
    };
    let mut sums = [[Some(0); 2]; N];
    let mut lines = Vec::new();
    for (name, ours) in rows {
        let theirs = published::clauses(name);
        let pairs: [Pair; N] = std::array::from_fn(|at| [ours[at], theirs[at]]);
        sums.iter_mut().zip(&pairs).for_each(|(sums, pair)| add(sums, pair));
        lines.push(line(name, &pairs));
    }
    lines.push(line("both", &sums));
    let stages = ["positions", "compacted", "expanded", "irredundant", "full"];
    let stages = stages[..N].iter().flat_map(|name| [*name, "paper", "ratio"]);
    aligned(&iter::once("material").chain(stages).collect::<Vec<_>>(), lines)
}

/// Table 5: bytes of the irredundant cover.
pub fn table5(rows: &[Row]) -> String {
    let line = |name: &str, [pcn, zstd, pcn_paper, zipped, syzygy]: [Option<u64>; 5]| -> Vec<String> {
        let pairs = [[pcn, pcn_paper], [zstd, zipped]].into_iter().flat_map(beside);
        let syzygy = [figure(syzygy), ratio([zstd, syzygy])];
        iter::once(name.to_string()).chain(pairs).chain(syzygy).collect()
    };
    let mut sums = [Some(0); 5];
    let mut lines = Vec::new();
    for row in rows {
        let [pcn, zipped, syzygy] = published::bytes(&row.material);
        // Eight bytes a clause in the paper's plain positional cube notation.
        let figures = [Some(8 * row.irredundant_clauses), Some(row.zstd_bytes), pcn, zipped, syzygy];
        add(&mut sums, &figures);
        lines.push(line(&row.material, figures));
    }
    lines.push(line("all have", sums));
    let head = ["material", "pcn", "paper", "ratio", "zstd", "paper", "ratio", "Syzygy", "ratio"];
    let title = "Table 5: bytes of the irredundant cover of our complete canonical sets, eight a clause, then compressed with\n\
                 zstd as a .pcn file, and Syzygy's\n";
    format!("{title}{}", aligned(&head, lines))
}

fn name_and_set(line: &Measured) -> [String; 2] {
    [line.material.clone(), line.set().to_string()]
}

/// Ours, the paper's and their ratio.
fn beside(pair: Pair) -> [String; 3] {
    [figure(pair[0]), figure(pair[1]), ratio(pair)]
}

fn figure(figure: Option<u64>) -> String {
    figure.map_or_else(|| "-".into(), |figure| figure.to_string())
}

fn ratio([ours, theirs]: Pair) -> String {
    let both = ours.zip(theirs.filter(|&theirs| theirs > 0));
    decimal(both.map(|(ours, theirs)| ours as f64 / theirs as f64), 3)
}

fn decimal(number: Option<f64>, digits: usize) -> String {
    number.map_or_else(|| "-".into(), |number| format!("{number:.digits$}"))
}

fn aligned(head: &[&str], lines: impl IntoIterator<Item = Vec<String>>) -> String {
    let head: Vec<String> = head.iter().map(ToString::to_string).collect();
    cli::aligned(iter::once(head).chain(lines))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record;

    /// The document of tables 4 and 5 shows the program's output for the record beside it.
    #[test]
    fn the_document_shows_the_figures_of_the_record() {
        let rows = record::read(include_str!("../../../docs/paper-table4-5.csv").as_bytes()).unwrap();
        let document = include_str!("../../../docs/paper-table4-5.md");
        for text in [table4(&rows), table5(&rows)] {
            for line in text.lines().filter(|line| !line.is_empty()) {
                assert!(document.contains(&format!("\n{line}\n")), "{line}");
            }
        }
    }
}
