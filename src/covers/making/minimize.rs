//! Minimized covers as clauses: one cover for each layer of an order of the outcomes, or the paper's three.
//!
//! Layers are a departure from the paper. The last outcome of the order is the default and has no clauses. Positions that
//! earlier layers decide are don't-cares of the later ones.

use super::function;
use super::memory::check_memory;
use super::options::Options;
use super::scope::Scope;
use super::sections::{clauses, from_cover};
use crate::chess::position::{Color, Wdl};
use crate::chess::retrograde::Table;
use crate::covers::frozen::{Covers, Layers, Layout, Payload, Section};
use crate::error::{Error, ErrorKind, Result};
use crate::pcn::{Codec, Pcn};
use crate::pipeline::{Built, StageTimes, finish, timed};
use espresso::minimize;
use espresso::{Cover, Function};

/// The minimizer's effort. A table is made only once, so few clauses matter more than time.
const EFFORT: u8 = 3;

/// Minimizes `table` by covers, packs them, and checks the packed bytes on every legal canonical position.
///
/// Deterministic for any number of threads.
///
/// # Errors
/// Those of [`check_memory`]; [`ErrorKind::Cancelled`] if [`Options::progress`] asks for it; [`ErrorKind::Internal`] if a cover
/// differs from the table, [`ErrorKind::Mismatch`] if the file differs; those of the minimizer and the coder.
pub fn build(table: &Table, options: &Options<'_>) -> Result<Built> {
    check_memory(&[*table.material()], options)?;
    let mut stages = StageTimes::default();
    let pcn = timed(&mut stages.minimizing, || match options.layers {
        Layers::Ordered => ordered(table, options),
        Layers::Independent => independent(table, options),
    })?;
    finish(table, pcn, options.codec, options.progress, stages)
}

/// Returns the content for `table` with a cover for each outcome but the last of an order.
fn ordered(table: &Table, options: &Options<'_>) -> Result<Pcn> {
    let (material, stored) = (*table.material(), table.material().stored_turns());
    let layout = Layout::new(options.model, &material);
    let (mut defaults, mut sections) = (Vec::new(), Vec::new());
    for &turn in stored {
        let counts = table.counts(turn);
        let mut rarest: Vec<Wdl> =
            Wdl::ALL.into_iter().filter(|outcome| counts[outcome.index()] > 0).collect();
        rarest.sort_by_key(|outcome| counts[outcome.index()]);
        let orders = if options.every_order { orders(&rarest) } else { vec![rarest] };
        let mut shortest: Option<(usize, Vec<Wdl>, Vec<Section>)> = None;
        for order in orders {
            let layers = minimize_order(table, turn, &order, &layout, options)?;
            let bytes = if options.every_order { coded_bytes(&layers, &layout, options.codec)? } else { 0 };
            if shortest.as_ref().is_none_or(|(least, ..)| bytes < *least) {
                shortest = Some((bytes, order, layers));
            }
        }
        if let Some((_, order, layers)) = shortest {
            defaults.push(Some(order.last().copied().unwrap_or(Wdl::Draw)));
            sections.extend(layers);
        }
    }
    let anchors = stored.iter().map(|turn| Scope::default().anchors[turn.index()]).collect();
    Pcn::of_covers(material, options.model, anchors, Covers { defaults, sections }, table.hash())
}

/// Minimizes each layer of `order` except the last, which is the default.
fn minimize_order(
    table: &Table,
    turn: Color,
    order: &[Wdl],
    layout: &Layout,
    options: &Options<'_>,
) -> Result<Vec<Section>> {
    let layer = |later: usize| {
        let outcome = order[later - 1];
        let exported =
            function::layer(table, options.model, &Scope::default(), turn, outcome, &order[later..])?;
        let what = format!("{}: {} to move, {outcome}", table.material(), turn.name());
        let cover = checked_cover(&exported.function, &what, options)?;
        let clauses = clauses(&cover, &exported.columns, layout, |_| true);
        Ok(Section { turns: turn.into(), outcome, clauses })
    };
    (1..order.len()).map(layer).collect()
}

/// The number of bytes of the sections' payloads.
fn coded_bytes(sections: &[Section], layout: &Layout, codec: Codec) -> Result<usize> {
    let bytes = |section: &Section| {
        let (_, payload) = Payload::encode(layout, &section.clauses, codec != Codec::None)?;
        Ok(payload.len())
    };
    sections.iter().map(bytes).sum()
}

/// Returns all orders of `outcomes`, the given one first.
fn orders<T: Copy>(outcomes: &[T]) -> Vec<Vec<T>> {
    if outcomes.is_empty() {
        return vec![Vec::new()];
    }
    (0..outcomes.len())
        .flat_map(|first| {
            let mut rest = outcomes.to_vec();
            let outcome = rest.remove(first);
            orders(&rest).into_iter().map(move |rest| [vec![outcome], rest].concat())
        })
        .collect()
}

/// Returns `table` in the paper's scheme: a cover each for win, draw and loss, with the side to move as an input.
fn independent(table: &Table, options: &Options<'_>) -> Result<Pcn> {
    let exported = function::independent(table, options.model, &Scope::default())?;
    let cover = checked_cover(&exported.function, &table.material().to_string(), options)?;
    from_cover(table, options.model, &cover, &exported.columns)
}

/// Minimizes `function` by the options' steps, and checks that the cover contains F - D and is contained in F + D. `what` names
/// the function in errors.
fn checked_cover(function: &Function, what: &str, options: &Options<'_>) -> Result<Cover> {
    let minimizing = minimize::Options {
        steps: options.steps.clone(),
        effort: EFFORT,
        progress: options.progress,
        ..Default::default()
    };
    let (cover, _) =
        minimize::minimize(function, &minimizing).map_err(|error| Error::from(error).context(what))?;
    espresso::check::result(function, &cover).map_err(|mismatch| {
        let message = format!("{what}: the minimizer changed the function: {mismatch}");
        Error::new(ErrorKind::Internal, message)
    })?;
    Ok(cover)
}
