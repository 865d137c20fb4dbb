//! Which models and leading men are worth minimizing with, by quick trials.
//!
//! A trial is one greedy tree on a sample of the positions. What it costs ranks candidates well enough: a model whose
//! trial is much dearer than the best one's is not tried in earnest. The leading man is chosen with `geometry`'s
//! variables, which know squares, for `attack` too, which has them all.

use super::position_rows::Positions;
use super::trees;
use crate::error::Result;
use crate::model::Model;
use crate::position::{Color, Material};
use crate::retrograde::Table;
use espresso::Monitor;

/// A model with the leading man of each stored side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub model: Model,
    pub leads: Vec<usize>,
}

/// The number of the black king, which leads where nothing is tried.
const BLACK_KING: usize = 1;

/// How much dearer than the best one the trial of a model may be.
const MARGIN: f64 = 1.1;

/// Returns the candidates for `table` among `models`, none of which is `binary`, those with the cheapest trial first. With
/// `try_leads` every man is tried as leading man.
pub(super) fn candidates(
    table: &Table,
    models: &[Model],
    try_leads: bool,
    progress: Monitor<'_>,
) -> Result<Vec<Candidate>> {
    let material = table.material();
    let stored = material.stored_turns();
    let mut found = Vec::new();
    let mut known: Option<Vec<usize>> = None;
    for &model in models {
        let leads = match &known {
            Some(leads) if model == Model::Attack => leads.clone(),
            _ if try_leads => {
                let shown = if model == Model::Attack { Model::Geometry } else { model };
                stored
                    .iter()
                    .map(|&turn| best_lead(table, shown, turn, progress))
                    .collect::<Result<Vec<_>>>()?
            }
            _ => vec![BLACK_KING; stored.len()],
        };
        if model == Model::Geometry {
            known = Some(leads.clone());
        }
        let mut bits = 0.0;
        // With a single model there is nothing to compare.
        if models.len() > 1 {
            let plan = model.plan(material);
            for (&turn, &lead) in stored.iter().zip(&leads) {
                bits += trees::trial(&Positions::new(table, &plan, turn, lead), progress)?;
            }
        }
        found.push((bits, Candidate { model, leads }));
    }
    found.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let least = found.first().map_or(0.0, |(bits, _)| *bits);
    found.retain(|(bits, _)| *bits <= MARGIN * least);
    Ok(found.into_iter().map(|(_, candidate)| candidate).collect())
}

fn best_lead(table: &Table, model: Model, turn: Color, progress: Monitor<'_>) -> Result<usize> {
    let plan = model.plan(table.material());
    let mut best = (f64::INFINITY, BLACK_KING);
    for lead in leaders(table.material()) {
        let bits = trees::trial(&Positions::new(table, &plan, turn, lead), progress)?;
        if bits < best.0 {
            best = (bits, lead);
        }
    }
    Ok(best.1)
}

/// A man of each group of identical ones, the black king first.
fn leaders(material: &Material) -> impl Iterator<Item = usize> {
    let others = material.groups().into_iter().map(|group| group.start).filter(|&man| man != BLACK_KING);
    std::iter::once(BLACK_KING).chain(others)
}
