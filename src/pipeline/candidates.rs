//! The choice of candidate models and anchors by quick trials.
//!
//! A trial grows a greedy tree on a sample of the positions. Its cost ranks candidates well enough: a model whose trial costs
//! much more than the best one's is dropped. The anchor for `attack` is chosen with the variables of `geometry`, which
//! `attack` has too.

use super::chess_rows::ChessRows;
use super::trees;
use crate::chess::model::Model;
use crate::chess::position::{BLACK_KING, Color};
use crate::chess::retrograde::Table;
use crate::error::Result;
use espresso::Monitor;

/// A model with the anchor of each stored side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ModelCandidate {
    pub model: Model,
    pub anchors: Vec<usize>,
}

/// The greatest ratio of the cost of a candidate's trial to that of the best.
const MARGIN: f64 = 1.1;

/// Returns the candidates for `table` among `models`, which must not contain `binary`, the cheapest trial first. With
/// `try_anchors` every man is tried as the anchor.
pub(super) fn candidates(
    table: &Table,
    models: &[Model],
    try_anchors: bool,
    progress: Monitor<'_>,
) -> Result<Vec<ModelCandidate>> {
    let material = table.material();
    let stored = material.stored_turns();
    let mut found = Vec::new();
    let (mut anchors, mut tried) = (vec![BLACK_KING; stored.len()], None);
    for &model in models {
        let shown = if model == Model::Attack { Model::Geometry } else { model };
        if try_anchors && tried != Some(shown) {
            let best = stored.iter().map(|&turn| best_anchor(table, shown, turn, progress));
            anchors = best.collect::<Result<_>>()?;
            tried = Some(shown);
        }
        let mut bits = 0.0;
        // With a single model there is nothing to compare.
        if models.len() > 1 {
            let variables = model.variable_set(material);
            for (&turn, &anchor) in stored.iter().zip(&anchors) {
                bits += trees::trial(&ChessRows::new(table, &variables, turn, anchor), progress)?;
            }
        }
        found.push((bits, ModelCandidate { model, anchors: anchors.clone() }));
    }
    found.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let least = found.first().map_or(0.0, |(bits, _)| *bits);
    found.retain(|(bits, _)| *bits <= MARGIN * least);
    Ok(found.into_iter().map(|(_, candidate)| candidate).collect())
}

/// Returns the best anchor. Tries one of each group of identical men, the black king first.
fn best_anchor(table: &Table, model: Model, turn: Color, progress: Monitor<'_>) -> Result<usize> {
    let variables = model.variable_set(table.material());
    let groups = table.material().groups().into_iter().map(|group| group.start);
    let mut best = (f64::INFINITY, BLACK_KING);
    for anchor in std::iter::once(BLACK_KING).chain(groups.filter(|&man| man != BLACK_KING)) {
        let bits = trees::trial(&ChessRows::new(table, &variables, turn, anchor), progress)?;
        if bits < best.0 {
            best = (bits, anchor);
        }
    }
    Ok(best.1)
}
