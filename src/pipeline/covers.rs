//! Minimized covers as clauses: one cover for each layer of an order of the outcomes, or the paper's three.
//!
//! Layers are a departure from the paper. The last outcome of the order is the default and has no clauses. Positions that
//! earlier layers decide are don't-cares of the later ones.

use super::Options;
use super::cover_sections::{clauses, from_cover};
use super::lists::orders;
use super::shortest::Shortest;
use super::sides::{self, Stated};
use crate::chess::model::Model;
use crate::chess::position::{Color, Wdl};
use crate::chess::retrograde::Table;
use crate::error::{Error, ErrorKind, Result};
use crate::export::{self, Scope};
use crate::pcn::{Layout, Pcn, Section};
use espresso::minimize;
use espresso::{Cover, Function};

/// The minimizer's effort. A table is made only once, so few clauses matter more than time.
const EFFORT: u8 = 6;

/// Returns `table` over model `binary`, with the outcomes from the rarest to the commonest; above effort 6 in the order that
/// codes shortest.
pub(super) fn ordered(table: &Table, options: &Options<'_>) -> Result<Pcn> {
    let material = *table.material();
    let layout = Layout::new(Model::Binary, &material);
    let mut stated = Vec::new();
    for &turn in material.stored_turns() {
        let counts = table.counts(turn);
        let mut rarest: Vec<Wdl> =
            Wdl::ALL.into_iter().filter(|outcome| counts[outcome.index()] > 0).collect();
        rarest.sort_by_key(|outcome| counts[outcome.index()]);
        let candidates = if options.effort > 6 { orders(&rarest) } else { vec![rarest] };
        let mut shortest = Shortest::new();
        for order in &candidates {
            let bytes = |stated: &Stated| stated.bytes(&layout, options.codec);
            shortest.offer(minimize_order(table, turn, order, options)?, 0.0, bytes)?;
        }
        stated.extend(shortest.into_inner());
    }
    sides::join(material, Model::Binary, stated, table.hash())
}

/// Minimizes each layer of `order` except the last, which is the default.
fn minimize_order(table: &Table, turn: Color, order: &[Wdl], options: &Options<'_>) -> Result<Stated> {
    let (scope, layout) = (Scope::default(), Layout::new(Model::Binary, table.material()));
    let mut sections = Vec::new();
    for later in 1..order.len() {
        let outcome = order[later - 1];
        let exported = export::layer(table, Model::Binary, &scope, turn, outcome, &order[later..])?;
        let what = format!("{}: {} to move, {outcome}", table.material(), turn.name());
        let cover = checked_cover(&exported.function, &what, options)?;
        let clauses = clauses(&cover, &exported.columns, &layout, |_| true);
        sections.push(Section { turns: turn.into(), outcome, clauses });
    }
    let default = order.last().copied().unwrap_or(Wdl::Draw);
    Ok(Stated::list(scope.leads[turn.index()], default, sections))
}

/// Returns `table` in the paper's scheme: a cover each for win, draw and loss, with the side to move as an input.
pub(super) fn independent(table: &Table, options: &Options<'_>) -> Result<Pcn> {
    let exported = export::independent(table, options.model(), &Scope::default())?;
    let cover = checked_cover(&exported.function, &table.material().to_string(), options)?;
    from_cover(table, options.model(), &cover, &exported.columns)
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
