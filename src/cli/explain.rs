//! `explain`: the clause that decides about a position, in words, as boards, and drawn.

use super::args::{Explain, Format};
use super::ask::{hint_at_lookup, tables_of};
use super::stream::{Layout, answer_all};
use super::{Resources, paint, print, progress, usage};
use crate::atomic;
use crate::error::Result;
use crate::explain::{Certificate, Coverage, Style};
use crate::position::Position;
use crate::probe::Tables;
use rayon::prelude::*;
use std::io::{self, IsTerminal as _};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of lines that are answered together: about one, since all threads count its positions.
const BLOCK: usize = 64;

pub(super) fn explain(args: &Explain, resources: &Resources) -> Result<ExitCode> {
    let query = &args.query;
    let tables = tables_of(query)?;
    let certificate = |fen: &str| {
        let certified = certificate(&tables, fen, !args.no_count, resources.quiet);
        certified.map_err(|error| match Position::from_fen(fen) {
            Ok(position) => hint_at_lookup(error, &query.tables, position.material()),
            Err(_) => error,
        })
    };
    let style = style();
    let shown = |certificate: &Certificate| match query.format {
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
        atomic::check(path)?;
        let certificate = certificate(fen)?;
        atomic::write_bytes(path, certificate.to_svg().as_bytes())?;
        print(shown(&certificate))?;
        return Ok(ExitCode::SUCCESS);
    }
    let separator = if query.format == Format::Text { "\n\n" } else { "" };
    let layout = Layout { format: query.format, separator, block: BLOCK };
    answer_all(&query.positions, layout, &|fen, out| {
        out.extend(shown(&certificate(fen)?).bytes());
        Ok(())
    })
}

/// The clause that decides about a position, with its positions counted if `is_counted`.
fn certificate(tables: &Tables, fen: &str, is_counted: bool, quiet: bool) -> Result<Certificate> {
    let mut certificate = Certificate::of_fen(tables, fen)?;
    if is_counted {
        certificate.coverage = Some(count(tables, &certificate, quiet)?);
    }
    Ok(certificate)
}

/// Counts the positions of a clause by all threads. The line that says how far that is has gone when the answer is printed.
fn count(tables: &Tables, certificate: &Certificate, quiet: bool) -> Result<Coverage> {
    let counting = tables.counting(&certificate.explanation.canonical)?;
    let line = progress::line(quiet);
    let (all, done) = (counting.slices(), AtomicUsize::new(0));
    let count = |slice| {
        let coverage = counting.count(slice);
        let done = 1 + done.fetch_add(1, Ordering::Relaxed);
        if !line.is_hidden() {
            line.set_message(format!(
                "{}: counting positions, {} %",
                certificate.material(),
                100 * done / all
            ));
        }
        coverage
    };
    let sum = |mut one: Coverage, other: Coverage| {
        one += other;
        one
    };
    let counted = (0..all).into_par_iter().map(count).reduce(Coverage::default, sum);
    line.finish_and_clear();
    Ok(counted)
}

/// How text is laid out: as wide as the terminal, with colours where all commands have them.
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
