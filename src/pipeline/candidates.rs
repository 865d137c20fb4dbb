//! The choice of candidate models and leading men by quick trials.
//!
//! A trial grows a greedy tree on a sample of the positions. Its cost ranks candidates well enough: a model whose trial costs
//! much more than the best one's is dropped. The leading man for `attack` is chosen with the variables of `geometry`, which
//! `attack` has too.

use super::position_rows::Positions;
use super::trees;
use crate::chess::model::Model;
use crate::chess::position::{BLACK_KING, Color};
use crate::chess::retrograde::Table;
use crate::error::Result;
use espresso::Monitor;

/// A model with the leading man of each stored side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ModelCandidate {
    pub model: Model,
    pub leads: Vec<usize>,
}

/// The greatest ratio of the cost of a candidate's trial to that of the best.
const MARGIN: f64 = 1.1;

/// Returns the candidates for `table` among `models`, which must not contain `binary`, the cheapest trial first. With
/// `try_leads` every man is tried as the leading man.
pub(super) fn candidates(
    table: &Table,
    models: &[Model],
    try_leads: bool,
    progress: Monitor<'_>,
) -> Result<Vec<ModelCandidate>> {
    let material = table.material();
    let stored = material.stored_turns();
    let mut found = Vec::new();
    let (mut leads, mut tried) = (vec![BLACK_KING; stored.len()], None);
    for &model in models {
        let shown = if model == Model::Attack { Model::Geometry } else { model };
        if try_leads && tried != Some(shown) {
            let best = stored.iter().map(|&turn| best_lead(table, shown, turn, progress));
            leads = best.collect::<Result<_>>()?;
            tried = Some(shown);
        }
        let mut bits = 0.0;
        // With a single model there is nothing to compare.
        if models.len() > 1 {
            let plan = model.variable_set(material);
            for (&turn, &lead) in stored.iter().zip(&leads) {
                bits += trees::trial(&Positions::new(table, &plan, turn, lead), progress)?;
            }
        }
        found.push((bits, ModelCandidate { model, leads: leads.clone() }));
    }
    found.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let least = found.first().map_or(0.0, |(bits, _)| *bits);
    found.retain(|(bits, _)| *bits <= MARGIN * least);
    Ok(found.into_iter().map(|(_, candidate)| candidate).collect())
}

/// Returns the best leading man. Tries one of each group of identical men, the black king first.
fn best_lead(table: &Table, model: Model, turn: Color, progress: Monitor<'_>) -> Result<usize> {
    let plan = model.variable_set(table.material());
    let groups = table.material().groups().into_iter().map(|group| group.start);
    let mut best = (f64::INFINITY, BLACK_KING);
    for lead in std::iter::once(BLACK_KING).chain(groups.filter(|&man| man != BLACK_KING)) {
        let bits = trees::trial(&Positions::new(table, &plan, turn, lead), progress)?;
        if bits < best.0 {
            best = (bits, lead);
        }
    }
    Ok(best.1)
}
