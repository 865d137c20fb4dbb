//! `explain`: the clause that decides a position, in words, as boards, and as a drawing.

use super::args::Explain;
use super::explain_plan;
use super::games::{is_xiangqi_fen, no_fen};
use super::query::tables_of;
use super::sources::{hint, refuse_input};
use super::stream::{Layout, answer_all};
use super::values::Format;
use super::xiangqi_query::Opened;
use super::{Resources, paint, progress, usage};
use crate::atomic;
use crate::chess::position::{Color, Material, Position};
use crate::error::Result;
use crate::explain::{BoardExplanation, Coverage, Decision, PositionCounter, Style};
use crate::probe::EXTENSION;
use crate::probe::Tables;
use rayon::prelude::*;
use std::collections::HashMap;
use std::io::{self, IsTerminal as _};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Size of a block of input, in bytes: about one line, since all threads together count the positions of one clause.
const BLOCK: usize = 64;

pub(super) fn explain(args: &Explain, resources: &Resources) -> Result<ExitCode> {
    let query = &args.query;
    if args.plan {
        return explain_plan::explain(query);
    }
    let (tables, paths) = tables_of(query)?;
    let xiangqi = Opened::new(&paths);
    let counts = Counts::default();
    let certificate = |fen: &str| {
        let certified = BoardExplanation::of_fen(&tables, fen).and_then(|mut certificate| {
            if !args.no_count {
                certificate.coverage = Some(counts.of(&certificate, &tables, resources.quiet)?);
            }
            Ok(certificate)
        });
        certified.map_err(|error| match Position::from_fen(fen) {
            Ok(position) => hint(error, &paths, position.material(), false),
            Err(_) => no_fen(error, fen),
        })
    };
    let style = style();
    let shown = |certificate: &BoardExplanation| match query.format {
        Format::Text => certificate.to_text(style),
        Format::Json => certificate.to_json() + "\n",
    };
    if let Some(path) = &args.svg {
        let [fen] = &query.positions[..] else {
            return Err(usage("--svg draws one position, and here are several"));
        };
        if fen == "-" {
            return Err(usage("--svg draws one position, and standard input may have several"));
        }
        if is_xiangqi_fen(fen) {
            return Err(usage("--svg: there is no drawing of a board of Chinese chess, only its text"));
        }
        paths.iter().try_for_each(|tables| refuse_input(tables, EXTENSION, path))?;
        atomic::check(path)?;
    }
    let separator = if query.format == Format::Text { "\n\n" } else { "" };
    let layout = Layout { format: query.format, separator, block: BLOCK };
    answer_all(&query.positions, layout, &|fen, out| {
        let text = if is_xiangqi_fen(fen) {
            xiangqi.explain(fen, query.format, style)?
        } else {
            let certificate = certificate(fen)?;
            if let Some(path) = &args.svg {
                atomic::write_bytes(path, certificate.to_svg().as_bytes())?;
            }
            shown(&certificate)
        };
        out.extend(text.bytes());
        Ok(())
    })
}

/// The number of leaves of a tree that are counted one by one. For the next leaf, all are counted together.
const ONE_BY_ONE: usize = 16;

/// The counts so far, by clause. Many positions share a clause, which is counted once in a run.
#[derive(Default)]
struct Counts(Mutex<HashMap<(Material, Color, Decision), Coverage>>);

impl Counts {
    fn of(&self, certificate: &BoardExplanation, tables: &Tables, quiet: bool) -> Result<Coverage> {
        let explanation = &certificate.explanation;
        let clause = match explanation.decision {
            Decision::Leaf { leaf, stated, .. } => Decision::Leaf { leaf, stated, exception: false },
            clause @ Decision::Clause { .. } => clause,
        };
        let key = (*certificate.material(), explanation.canonical.turn(), clause);
        let counts = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = counts().get(&key) {
            return Ok(*known);
        }
        let of_side = counts().keys().filter(|known| (known.0, known.1) == (key.0, key.1)).count();
        // The lock must be free here: a thread that waits for other threads may start on another position and need it.
        if of_side < ONE_BY_ONE || !matches!(clause, Decision::Leaf { .. }) {
            let coverage = count(tables, certificate, quiet)?;
            counts().insert(key, coverage);
            return Ok(coverage);
        }
        let leaves = count_leaves(tables, certificate, quiet)?;
        let coverage = leaves[&clause];
        counts().extend(leaves.into_iter().map(|(leaf, coverage)| ((key.0, key.1, leaf), coverage)));
        Ok(coverage)
    }
}

/// Counts the positions of a clause on all threads.
fn count(tables: &Tables, certificate: &BoardExplanation, quiet: bool) -> Result<Coverage> {
    let counter = tables.position_counter(&certificate.explanation.canonical)?;
    let sum = |mut one: Coverage, other: Coverage| {
        one += other;
        one
    };
    Ok(with_progress(&counter, certificate.material(), quiet, |tick| {
        let slices = (0..counter.slices()).into_par_iter();
        slices.map(|slice| counter.count(slice)).inspect(|_| tick()).reduce(Coverage::default, sum)
    }))
}

/// Calls `work` with a function to be called after each slice. The progress line is cleared when it returns.
fn with_progress<T>(
    counter: &PositionCounter<'_>,
    material: &Material,
    quiet: bool,
    work: impl FnOnce(&(dyn Fn() + Sync)) -> T,
) -> T {
    let line = progress::line(quiet);
    let done = AtomicUsize::new(0);
    let result = work(&|| {
        let percent = 100 * (1 + done.fetch_add(1, Ordering::Relaxed)) / counter.slices();
        if !line.is_hidden() {
            line.set_message(format!("{material}: counting positions, {percent} %"));
        }
    });
    line.finish_and_clear();
    result
}

/// Counts the positions of all leaves of a tree in one pass, which takes as long as a few leaves one by one.
fn count_leaves(
    tables: &Tables,
    certificate: &BoardExplanation,
    quiet: bool,
) -> Result<HashMap<Decision, Coverage>> {
    let counter = tables.position_counter(&certificate.explanation.canonical)?;
    let join = |one: HashMap<Decision, Coverage>, other: HashMap<Decision, Coverage>| {
        let (mut all, fewer) = if one.len() < other.len() { (other, one) } else { (one, other) };
        fewer.into_iter().for_each(|(leaf, coverage)| *all.entry(leaf).or_default() += coverage);
        all
    };
    let mut leaves = with_progress(&counter, certificate.material(), quiet, |tick| {
        let slices = (0..counter.slices()).into_par_iter();
        let counts = slices.map(|slice| counter.count_leaves(slice)).inspect(|_| tick());
        counts.try_reduce(HashMap::new, |one, other| Ok(join(one, other)))
    })?;
    let positions = leaves.values().map(|coverage| coverage.positions).sum();
    leaves.values_mut().for_each(|coverage| coverage.positions = positions);
    Ok(leaves)
}

/// The layout of text: as wide as the terminal, in colour as `--color` says.
fn style() -> Style {
    let has_color = paint::is_on();
    if !io::stdout().is_terminal() {
        return Style { has_color, ..Style::default() };
    }
    let columns = terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0));
    Style { columns: columns.min(MOST_COLUMNS), has_color }
}

/// Longer lines are hard to read.
const MOST_COLUMNS: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_clause_is_counted_once() {
        let tables = Tables::embedded().unwrap();
        let (counts, mut asked, mut clauses) = (Counts::default(), 0, HashSet::new());
        for (file, turn) in (1..=6).flat_map(|file| [(file, "w"), (file, "b")]) {
            for men in ["8/8/8/4k3/8/8/4P3", "8/8/8/4k3/8/4P3/8", "8/8/8/4k3/8/8/4R3"] {
                let fen = format!("{men}/{file}K{} {turn} - - 0 1", 7 - file);
                let Ok(certificate) = BoardExplanation::of_fen(&tables, &fen) else { continue };
                let coverage = counts.of(&certificate, &tables, true).unwrap();
                assert_eq!(coverage, count(&tables, &certificate, true).unwrap(), "{fen}");
                asked += 1;
                clauses.insert((*certificate.material(), turn, certificate.explanation.literals_text()));
            }
        }
        assert_eq!(counts.0.into_inner().unwrap().len(), clauses.len());
        assert!(clauses.len() < asked, "{asked} positions have {} clauses", clauses.len());
    }

    #[test]
    fn leaves_are_counted_together_as_one_by_one() {
        let tables = Tables::embedded().unwrap();
        for fen in [
            "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
            "8/8/8/4k3/8/4P3/8/4K3 b - - 0 1",
            "8/8/8/4k3/8/8/4Q3/4K3 b - - 0 1",
        ] {
            let certificate = BoardExplanation::of_fen(&tables, fen).unwrap();
            let leaves = count_leaves(&tables, &certificate, true).unwrap();
            let one = count(&tables, &certificate, true).unwrap();
            let of_this = leaves.iter().find(|(leaf, _)| {
                let (Decision::Leaf { leaf, .. }, Decision::Leaf { leaf: this, .. }) =
                    (leaf, certificate.explanation.decision)
                else {
                    panic!("{fen}: a tree")
                };
                *leaf == this
            });
            assert_eq!(of_this.unwrap().1, &one, "{fen}");
            assert_eq!(leaves.values().map(|leaf| leaf.met).sum::<u64>(), one.positions, "{fen}");
        }
    }
}
