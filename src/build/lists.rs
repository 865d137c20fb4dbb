//! Clause lists for the sides of a table: the list learner of the tabular minimizer.
//!
//! All orders of the outcomes are tried shortly, the last outcome of each being its default, and the one that promises the
//! fewest coded bits is learned in earnest.

use super::layers::orders;
use super::listener::{Listener, tell};
use super::rows::Positions;
use crate::error::Result;
use crate::model::Plan;
use crate::pcn::{Clauses, Layout, Section};
use crate::position::{Color, Wdl};
use crate::retrograde::Table;
use espresso::tabular::Rows;
use espresso::tabular::list::{Layer, Learner, List, ListOptions};
use espresso::{Monitor, Progress};

/// Returns the sections for `turn` to move with man number `lead` leading, in the order in which they decide, and the
/// default; right for every position of `table`. `work` units go into improvement. `None` when `plan` has too many
/// minterms for lists.
///
/// # Errors
/// What the learner refuses; [`ErrorKind::Cancelled`](crate::ErrorKind::Cancelled) when `progress` breaks.
pub(super) fn learn(
    table: &Table,
    plan: &Plan,
    (turn, lead): (Color, usize),
    work: u64,
    progress: Listener<'_>,
) -> Result<Option<(Vec<Section>, Wdl)>> {
    let rows = Positions::new(table, plan, turn, lead);
    let outcomes = rows.outcomes();
    let what = format!("{}: {} to move, {}", table.material(), turn.name(), plan.model());
    if outcomes.len() < 2 {
        return Ok(Some((Vec::new(), outcomes.first().copied().unwrap_or(Wdl::Draw))));
    }
    tell(progress, &format!("{what}, list: reading positions"))?;
    let Some(learner) = Learner::new(&rows)? else { return Ok(None) };
    let mut best: Option<(f64, Vec<u8>)> = None;
    for order in orders(outcomes) {
        let order: Vec<u8> = order.iter().filter_map(|outcome| class(outcomes, *outcome)).collect();
        let trying = format!("{what}, list: trying {}", names(outcomes, &order));
        let report = |_: &Progress| progress(&trying);
        let options = ListOptions { progress: Monitor::new(&report), ..ListOptions::default() };
        let bits = learner.trial(&order, &options)?;
        if best.as_ref().is_none_or(|(least, _)| bits < *least) {
            best = Some((bits, order));
        }
    }
    let (_, order) = best.unwrap_or_default();
    let report = |now: &Progress| progress(&format!("{what}, {now}"));
    let options = ListOptions { work, progress: Monitor::new(&report), ..ListOptions::default() };
    let list = learner.learn(&order, &options)?;
    let default = outcomes[usize::from(list.default)];
    Ok(Some((sections(&list, &rows, &Layout::of_plan(plan), turn), default)))
}

/// An order of the classes: `win, draw, loss`.
fn names(outcomes: &[Wdl], order: &[u8]) -> String {
    let names = order.iter().map(|&class| outcomes[usize::from(class)].to_string());
    names.collect::<Vec<_>>().join(", ")
}

fn class(outcomes: &[Wdl], outcome: Wdl) -> Option<u8> {
    outcomes.iter().position(|&other| other == outcome).map(|class| class as u8)
}

fn sections(list: &List, rows: &Positions<'_>, layout: &Layout, turn: Color) -> Vec<Section> {
    debug_assert_eq!(layout.variables().len(), rows.parts().len());
    let section = |layer: &Layer| {
        let mut words = Vec::with_capacity(layer.clauses.len() * layout.words());
        for clause in &layer.clauses {
            let mut bits = layout.universe();
            for literal in &clause.literals {
                layout.set_literal(&mut bits, literal.variable.into(), literal.parts);
            }
            words.extend(bits);
        }
        Section {
            turns: turn.into(),
            outcome: rows.outcomes()[usize::from(layer.class)],
            clauses: Clauses::new(layout.words(), &words),
        }
    };
    list.layers.iter().map(section).filter(|section| !section.clauses.is_empty()).collect()
}
