//! Clause lists for the sides of a table, by the learner of lists (`rows::list`).
//!
//! A quick trial of each order of the outcomes estimates its coded bits. The list is learned for the order with the fewest. The
//! last outcome of an order is the default.

use super::position_rows::Positions;
use super::sampled::PositionRows as _;
use crate::chess::position::Wdl;
use crate::error::Result;
use crate::pcn::{Clauses, Layout, Section};
use crate::rows::Rows;
use crate::rows::list::{Layer, Learner, List, ListOptions};
use espresso::{Monitor, Progress};

/// Returns the sections for the side to move of `rows`, in the order in which they decide, and the default. They are right for
/// every position. `work` units are spent on improvement. `None` if there are too many minterms for lists.
pub(super) fn learn(
    rows: &Positions<'_>,
    work: u64,
    progress: Monitor<'_>,
) -> Result<Option<(Vec<Section>, Wdl)>> {
    let outcomes = rows.outcomes();
    if outcomes.len() < 2 {
        return Ok(Some((Vec::new(), outcomes.first().copied().unwrap_or(Wdl::Draw))));
    }
    progress.report(&Progress::new("list: reading positions", 0, rows.count(), "positions"))?;
    let Some(learner) = Learner::new(rows)? else { return Ok(None) };
    let mut best = (f64::INFINITY, Vec::new());
    let orders = orders(&(0..outcomes.len() as u8).collect::<Vec<_>>());
    let all = orders.len() as u64;
    for (tried, order) in (0..).zip(orders) {
        progress.report(&Progress::new("list: trying orders", tried, all, "orders of the outcomes"))?;
        let bits = learner.trial(&order, &ListOptions { progress, ..ListOptions::default() })?;
        if bits < best.0 {
            best = (bits, order);
        }
    }
    let list = learner.learn(&best.1, &ListOptions { work, progress, ..ListOptions::default() })?;
    Ok(Some((sections(&list, rows), outcomes[usize::from(list.default)])))
}

/// Returns all orders of `outcomes`, the given one first.
pub(super) fn orders<T: Copy>(outcomes: &[T]) -> Vec<Vec<T>> {
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

fn sections(list: &List, rows: &Positions<'_>) -> Vec<Section> {
    let layout = Layout::new(rows.plan.model(), rows.plan.material());
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
            turns: rows.turn.into(),
            outcome: rows.outcomes()[usize::from(layer.class)],
            clauses: Clauses::new(layout.words(), &words),
        }
    };
    list.layers.iter().map(section).filter(|section| !section.clauses.is_empty()).collect()
}
