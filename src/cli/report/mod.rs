//! `compare --html`: sizes, bytes by content, and times, as one self-contained page.
//!
//! Charts are SVG. The page is light or dark as the reader's browser prefers. The only script sorts the table.

mod chart;
mod record;

use super::aligned::{grouped, percent};
use super::baselines::{self, Line};
use super::comparison::{self, Distances};
use super::counted;
use crate::chess::position::{MAX_MEN, Material};
use crate::compare::{Report, Row, Total, syzygy_dtz_bytes};
use crate::pcn::ByteBreakdown;
use chart::{Bars, Point, Series, bars, divided, scatter};
use maud::{DOCTYPE, Markup, PreEscaped, html};
pub(super) use record::Records;
use record::Times;

/// A set of files, compared as a whole with others.
pub(super) struct Set {
    pub(super) name: String,
    pub(super) report: Report,
    /// The bytes by content of each row's file.
    pub(super) breakdowns: Vec<ByteBreakdown>,
}

/// Number of colour classes for sets; with more sets, colours repeat.
const COLOURS: usize = 6;

/// Returns the page as HTML.
pub(super) fn page(sets: &[Set], of_distances: &[Distances], records: &Records, lines: &[Line]) -> String {
    let with_distances = comparison::rows(of_distances.iter().map(|(_, files)| files.iter().copied()));
    let tables = rows(sets).len().max(with_distances.len());
    let tables = if tables == 0 { baselines::materials(lines).len() } else { tables };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content=(concat!("cubebase ", env!("CARGO_PKG_VERSION")));
                title { "cubebase: sizes of " (tables) " tables" }
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body {
                main {
                    h1 { "Sizes of " (tables) " chess endgame tables" }
                    p.about {
                        "Win, draw or loss for the side to move, as two-level logic. Made by "
                        (concat!("cubebase ", env!("CARGO_PKG_VERSION"))) "."
                    }
                    @for set in sets { (cards(set, sets.len() > 1)) }
                    @if !lines.is_empty() { (representations(lines)) }
                    @if !sets.is_empty() {
                        (sizes(sets))
                        (codes(sets))
                        (times(sets, records))
                        (figures(sets, records))
                        (notes(records))
                    }
                    @if !of_distances.is_empty() { (distances(of_distances, &with_distances)) }
                }
                script { (PreEscaped(include_str!("page.js"))) }
            }
        }
    };
    page.into_string()
}

/// Bytes against the time of a probe: a point for each representation in the record of `tools/baselines`.
fn representations(lines: &[Line]) -> Markup {
    let (common, sums) = baselines::sums(lines);
    let efficient = baselines::efficient(&sums);
    let point = |sum: &baselines::Sum<'_>| {
        Some(Point {
            name: sum.name.to_owned(),
            x: sum.probe_ns?,
            y: sum.bytes as f64,
            is_efficient: efficient.contains(&sum.name),
        })
    };
    let points: Vec<Point> = sums.iter().filter_map(point).collect();
    html! {
        h2 { "Bytes against the time of a probe" }
        p.note {
            "Sums of bytes and means of times over the " (counted(common, "table")) " that every representation holds, both \
             logarithmic. The line joins the efficient ones: none is both smaller and quicker."
        }
        (scatter(&points, |time| format!("{} ns", whole(time)), |bytes| format!("{} bytes", whole(bytes))))
    }
}

/// One table in each set; `None` in a set without it.
type Found<'a> = Vec<Option<(&'a Row, ByteBreakdown)>>;

fn rows(sets: &[Set]) -> Vec<(Material, Found<'_>)> {
    comparison::rows(sets.iter().map(|set| {
        let rows = set.report.rows.iter().zip(&set.breakdowns);
        rows.map(|(row, breakdown)| (row.ours.material, (row, *breakdown)))
    }))
}

/// Bars of the tables with figures, under a heading for each number of men.
fn groups(sets: &[Set], figures: impl Fn(&Row, &Found<'_>) -> Vec<Option<f64>>) -> Vec<(String, Vec<Bars>)> {
    let mut groups = Vec::new();
    for tables in rows(sets).chunk_by(|(one, _), (other, _)| one.len() == other.len()) {
        let bars = |(material, found): &(Material, Found<'_>)| {
            let figures = figures(found.iter().flatten().next()?.0, found);
            figures.iter().any(Option::is_some).then(|| Bars { label: material.to_string(), figures })
        };
        let bars: Vec<Bars> = tables.iter().filter_map(bars).collect();
        if !bars.is_empty() {
            let heading = format!("{} men, {}", tables[0].0.len(), counted(bars.len(), "table"));
            groups.push((heading, bars));
        }
    }
    groups
}

/// A ratio in percent, or a dash.
fn share(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "-".into(), percent)
}

fn cards(set: &Set, is_named: bool) -> Markup {
    let Report { rows, bytes, clauses, literals, syzygy, paper, .. } = &set.report;
    let card = |what: &str, figure: String, more: String| html! { div { dt { (what) } dd { (figure) small { (more) } } } };
    let beside = |of: &Total| {
        let tables = counted(of.tables as usize, "table");
        format!("{} of {} in {tables}", grouped(of.ours_bytes), grouped(of.theirs_bytes))
    };
    html! {
        @if is_named { h2.set { (set.name) } }
        dl.cards {
            (card("Bytes", grouped(*bytes), format!("in {}", counted(rows.len(), "file"))))
            @if syzygy.tables > 0 { (card("Of Syzygy's bytes", share(syzygy.ratio()), beside(syzygy))) }
            @if paper.tables > 0 { (card("Of the paper's bytes", share(paper.ratio()), beside(paper))) }
            @if let Some(worst) = set.report.worst() {
                (card("Worst of Syzygy's", share(worst.syzygy_ratio()), worst.ours.material.to_string()))
            }
            (card("Clauses", grouped(*clauses), format!("with {}", counted(*literals as usize, "literal"))))
        }
    }
}

fn class_of(number: usize) -> String {
    format!("s{}", number % COLOURS)
}

/// Bars of bytes: the sets, Syzygy, the paper.
fn sizes(sets: &[Set]) -> Markup {
    let mut series: Vec<Series> = sets
        .iter()
        .enumerate()
        .map(|(number, set)| Series { name: set.name.clone(), class: class_of(number) })
        .collect();
    series.push(Series { name: "Syzygy".into(), class: "syzygy".into() });
    let has_paper = sets.iter().any(|set| set.report.paper.tables > 0);
    if has_paper {
        series.push(Series { name: "the paper".into(), class: "published".into() });
    }
    let groups = groups(sets, |any, found| {
        let ours = found.iter().map(|set| set.map(|(row, _)| row.ours.bytes as f64));
        let syzygy = any.syzygy_bytes.map(|bytes| bytes as f64);
        let paper = any.paper.and_then(|paper| paper.zipped_bytes).map(f64::from);
        ours.chain([syzygy]).chain(has_paper.then_some(paper)).collect()
    });
    html! {
        h2 { "Bytes of whole files" }
        p.note { "Syzygy's are the WDL files, the paper's its compressed clauses." }
        (bars(&series, &groups, whole))
    }
}

/// Bars of the bytes of distances: the sets, Syzygy.
fn distances(sets: &[Distances], tables: &[(Material, Vec<Option<u64>>)]) -> Markup {
    let series = sets.iter().enumerate();
    let series = series.map(|(number, (name, _))| Series { name: name.clone(), class: class_of(number) });
    let series: Vec<Series> =
        series.chain([Series { name: "Syzygy".into(), class: "syzygy".into() }]).collect();
    let bars_of = |(material, found): &(Material, Vec<Option<u64>>)| {
        let figures = found.iter().copied().chain([syzygy_dtz_bytes(material)]);
        let figures = figures.map(|bytes| bytes.map(|bytes| bytes as f64)).collect();
        Bars { label: material.to_string(), figures }
    };
    let of_men = tables.chunk_by(|(one, _), (other, _)| one.len() == other.len());
    let groups: Vec<_> = of_men
        .map(|tables| (format!("{} men", tables[0].0.len()), tables.iter().map(bars_of).collect()))
        .collect();
    html! {
        h2 { "Bytes of distances to zeroing" }
        p.note { "Exact distances, in files of their own. Syzygy's DTZ files have rounded ones." }
        (bars(&series, &groups, whole))
    }
}

/// A figure without decimals.
#[allow(clippy::cast_sign_loss)] // Sizes and times are not negative.
fn whole(figure: f64) -> String {
    grouped(figure.round() as u64)
}

/// A time with as few digits as are useful.
fn seconds(figure: f64) -> String {
    match figure {
        ..0.0995 => format!("{figure:.3} s"),
        ..9.95 => format!("{figure:.1} s"),
        _ => format!("{} s", whole(figure)),
    }
}

/// Colour classes of [`ByteBreakdown::parts`], in their order.
const CLASSES: [&str; 5] = ["headers", "s0", "s1", "s2", "s3"];

/// Bars of the bytes by content, for each set and each number of men.
fn codes(sets: &[Set]) -> Markup {
    let bar = |label: &str, breakdown: ByteBreakdown| {
        let parts = breakdown.parts().into_iter().zip(CLASSES);
        let parts: Vec<_> = parts.map(|((name, bytes), class)| (name, class, bytes)).collect();
        divided(label, &parts)
    };
    let sum = |breakdowns: &mut dyn Iterator<Item = ByteBreakdown>| {
        breakdowns.fold(ByteBreakdown::default(), ByteBreakdown::plus)
    };
    let all = sum(&mut sets.iter().flat_map(|set| set.breakdowns.iter().copied()));
    let there = all.parts().into_iter().zip(CLASSES).filter(|((_, bytes), _)| *bytes > 0);
    let series: Vec<Series> =
        there.map(|((name, _), class)| Series { name: name.into(), class: class.into() }).collect();
    html! {
        h2 { "What the bytes code" }
        p.note {
            "A tree is tests and leaves; the positions that a leaf is wrong about are its exceptions. Lists are the \
             clauses of covers. An adaptive code has no boundaries between tests and leaves: bytes are divided by the cost of each decision."
        }
        (chart::legend(&series))
        @for set in sets {
            @if sets.len() > 1 { h3 { (set.name) } }
            (bar("all", sum(&mut set.breakdowns.iter().copied())))
            @for men in 2..=MAX_MEN {
                @let of = set.report.rows.iter().zip(&set.breakdowns).filter(|(row, _)| row.ours.material.len() == men);
                @if of.clone().next().is_some() {
                    (bar(&format!("{men} men"), sum(&mut of.map(|(_, breakdown)| *breakdown))))
                }
            }
        }
    }
}

/// Bars of the times in the records, if there are any.
fn times(sets: &[Set], records: &Records) -> Markup {
    let series = |name: &str, class: &str| Series { name: name.into(), class: class.into() };
    let times = |any: &Row| records.of(&any.ours.material);
    let probes = groups(sets, |any, _| vec![times(any).probe_ns, times(any).fathom_ns]);
    let builds = groups(sets, |any, _| vec![times(any).build_seconds]);
    html! {
        @if !probes.is_empty() {
            h2 { "Nanoseconds a probe" }
            p.note { "From the record, with all pages decoded; Fathom probes Syzygy's files." }
            (bars(&[series("ours", "s0"), series("Fathom", "syzygy")], &probes, |figure| format!("{} ns", whole(figure))))
        }
        @if !builds.is_empty() {
            h2 { "Seconds to build" }
            p.note { "From the record: by the clock, or processor time if the record has no other." }
            (bars(&[series("from nothing to the checked file", "s1")], &builds, seconds))
        }
    }
}

/// A cell: its text, and the value by which it is sorted.
struct Cell {
    shown: String,
    value: String,
    is_word: bool,
}

impl Cell {
    fn word(text: &str) -> Self {
        Cell { shown: text.into(), value: text.into(), is_word: true }
    }

    fn figure(figure: Option<f64>, show: impl Fn(f64) -> String) -> Self {
        let value = figure.map_or_else(String::new, |figure| figure.to_string());
        Cell { shown: figure.map_or_else(|| "-".into(), show), value, is_word: false }
    }

    fn count(number: u64) -> Self {
        Cell::figure(Some(number as f64), whole)
    }
}

/// The cells of one table in one set, each with the head of its column.
fn line(set: &Set, row: &Row, breakdown: ByteBreakdown, times: &Times) -> Vec<(&'static str, Cell)> {
    let ratio = |figure: f64| format!("{figure:.3}");
    let mut cells = vec![
        ("table", Cell::word(&row.ours.material.to_string())),
        ("set", Cell::word(&set.name)),
        ("model", Cell::word(row.ours.model.name())),
        ("shape", Cell::word(row.ours.shape)),
        ("bytes", Cell::count(row.ours.bytes)),
        ("Syzygy", Cell::figure(row.syzygy_bytes.map(|bytes| bytes as f64), whole)),
        ("ratio", Cell::figure(row.syzygy_ratio(), ratio)),
        ("paper", Cell::figure(row.paper.and_then(|paper| paper.zipped_bytes).map(f64::from), whole)),
        ("ratio to paper", Cell::figure(row.paper_ratio(), ratio)),
        ("clauses", Cell::count(row.ours.clauses)),
        ("literals", Cell::count(row.ours.literals)),
    ];
    cells.extend(breakdown.parts().map(|(name, bytes)| (name, Cell::count(bytes as u64))));
    cells.extend([
        ("probe ns", Cell::figure(times.probe_ns, whole)),
        ("Fathom ns", Cell::figure(times.fathom_ns, whole)),
        ("first answer ms", Cell::figure(times.first_answer_ms, |figure| format!("{figure:.3}"))),
        ("build s", Cell::figure(times.build_seconds, |figure| format!("{figure:.2}"))),
    ]);
    cells
}

/// The table of all figures. Empty columns are left out.
fn figures(sets: &[Set], records: &Records) -> Markup {
    let mut lines = Vec::new();
    for (number, (_, found)) in rows(sets).into_iter().enumerate() {
        for (set, row) in sets.iter().zip(found) {
            if let Some((row, breakdown)) = row {
                lines.push((number, line(set, row, breakdown, &records.of(&row.ours.material))));
            }
        }
    }
    let columns = lines.first().map_or(0, |(_, line)| line.len());
    let is_wanted = |column: usize| {
        let mut cells = lines.iter().map(|(_, line)| &line[column]);
        match cells.clone().next() {
            Some((name, _)) if *name == "set" => sets.len() > 1,
            _ => cells.any(|(_, cell)| cell.is_word || !cell.value.is_empty() && cell.value != "0"),
        }
    };
    let wanted: Vec<usize> = (0..columns).filter(|&column| is_wanted(column)).collect();
    html! {
        h2 { "All figures" }
        p.note { "Bytes, unless the column head says otherwise." span.scripted hidden { " Click a column head to sort." } }
        div.scroll tabindex="0" {
            table.sortable {
                thead { tr {
                    @for &column in &wanted {
                        @if let Some((_, line)) = lines.first() { th.word[line[column].1.is_word] scope="col" { (line[column].0) } }
                    }
                } }
                tbody {
                    @for (number, line) in &lines {
                        tr {
                            @for &column in &wanted {
                                @let Cell { shown, value, is_word } = &line[column].1;
                                // Materials sort as listed: by number of men first.
                                @if column == 0 { td data-value=(number) { (shown) } }
                                @else { td.word[*is_word] data-value=(value) { (shown) } }
                            }
                        }
                    }
                }
                tfoot {
                    @for set in sets { (total(set, sets.len() > 1, &wanted)) }
                }
            }
        }
    }
}

/// The totals of a set. Ratios are over the tables that both have.
fn total(set: &Set, is_named: bool, wanted: &[usize]) -> Markup {
    let Report { bytes, clauses, literals, syzygy, paper, .. } = &set.report;
    let ratio = |ratio: Option<f64>| ratio.map_or_else(|| "-".into(), |ratio| format!("{ratio:.3}"));
    let mut cells = vec![
        "total".into(),
        if is_named { set.name.clone() } else { String::new() },
        String::new(),
        String::new(),
        grouped(*bytes),
        grouped(syzygy.theirs_bytes),
        ratio(syzygy.ratio()),
        grouped(paper.theirs_bytes),
        ratio(paper.ratio()),
        grouped(*clauses),
        grouped(*literals),
    ];
    let breakdown = set.breakdowns.iter().copied().fold(ByteBreakdown::default(), ByteBreakdown::plus);
    cells.extend(breakdown.parts().map(|(_, bytes)| grouped(bytes as u64)));
    html! { tr { @for &column in wanted { td { (cells.get(column).map_or("", String::as_str)) } } } }
}

/// The sources of the figures.
fn notes(records: &Records) -> Markup {
    html! {
        h2 { "Where the figures are from" }
        p { "Sizes are of whole files, without castling rights. Ratios are ours divided by theirs, over the tables that both \
             have; the worst ignores Syzygy's files under 128 bytes." }
        p { "Syzygy: the WDL files as they are published. To probe them, captures are searched; a file made here needs one look-up. \
             The paper: Gomboc and Shelton, " i { "Lossless compression via two-level logic minimization: a case study using Chess \
             endgame data" } ", table 5: the compressed file; if all men are distinct, for about half of our canonical positions." }
        @for (name, lines) in &records.notes {
            p { "Times: " (name) @for line in lines { br; span.about { (line) } } }
        }
    }
}
