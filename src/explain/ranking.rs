//! Rankings in words: a rule for each leaf of a ranking's tree, with the conditions that lead to it and the levels it gives.

use super::board_transform::BoardTransform;
use super::conditions::{Condition, ConditionWriter};
use super::deciding::{demand, literals};
use super::orientation_of;
use crate::chess::position::{Color, Enumeration, Material, Position};
use crate::error::Result;
use crate::probe::Tables;
use std::collections::{BTreeMap, HashMap};

/// A rule of a ranking: won positions that meet all its conditions have one of its levels.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RankingRule {
    /// The levels, from the lowest up, with the number of positions of each. If there are several, the file keeps apart which
    /// position has which.
    pub levels: Vec<(u32, u64)>,
    /// A position of the rule as a FEN. Its men are those of the conditions.
    pub example: String,
    /// In the order of the tests on the path to the leaf.
    pub conditions: Vec<Condition>,
    /// The board orientation for conditions with [`Condition::is_turned`], as a sentence; `None` if there are none.
    pub orientation: Option<String>,
}

/// A ranking as a list of rules.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RankingRules {
    /// The pairs of moves within which a level falls.
    pub pairs: u8,
    /// Sorted by their lowest levels, then by the number of positions, most first.
    pub rules: Vec<RankingRule>,
}

impl Tables {
    /// Returns the rule that gives a won position its level; `None` if there is no ranking of its material. For a position that is
    /// not won, or in which a move mates or zeroes, the rule is arbitrary. `turn` is that of the board, as for
    /// [`BoardExplanation::of_position`](super::BoardExplanation::of_position).
    ///
    /// # Errors
    /// Those of [`Tables::won_level_bitboards`].
    pub fn ranking_rule(&self, position: &Position, turn: Color) -> Result<Option<RankingRule>> {
        let is_exchanged = turn != position.turn();
        let material = position.material();
        let Some(prober) = self.ranking(material)? else { return Ok(None) };
        let stored = if material.is_symmetric() { Color::White } else { position.turn() };
        let Some(side) = prober.side_in_words(stored) else { return Ok(None) };
        let (variables, canonical) = (prober.variables(), position.canonical(side.anchor));
        let mut demanded = Vec::new();
        let (_, level) =
            side.reach(&canonical, |code, parts| demand(&mut demanded, variables, code, parts))?;
        let transform = BoardTransform::find(position, is_exchanged, &canonical)?;
        let writer = ConditionWriter::new(variables, &canonical, transform);
        let literals = literals(demanded, variables, &canonical);
        let conditions: Vec<Condition> = literals.iter().map(|literal| writer.condition(literal)).collect();
        let is_turned = conditions.iter().any(|condition| condition.is_turned);
        let orientation = is_turned.then(|| orientation_of(&canonical, &writer, side.anchor, transform));
        let levels = vec![(level.into(), 1)];
        let example = position.fen_of_colors(is_exchanged);
        Ok(Some(RankingRule { levels, example, conditions, orientation }))
    }

    /// Returns the rules of the ranking of `material`; `None` if there is none. `is_ranked` says of a position whether it is won and
    /// no move mates or zeroes: only these have levels, and are counted, without their symmetric images.
    ///
    /// # Errors
    /// Those of [`Tables::ranking_rule`] and of `is_ranked`.
    pub fn ranking_rules(
        &self,
        material: &Material,
        is_ranked: impl Fn(&Position) -> Result<bool>,
    ) -> Result<Option<RankingRules>> {
        let Some(prober) = self.ranking(material)? else { return Ok(None) };
        let mut rules = Vec::new();
        for &turn in material.stored_turns() {
            let Some(side) = prober.side_in_words(turn) else { continue };
            let mut leaves: HashMap<_, (Position, BTreeMap<u32, u64>)> = HashMap::new();
            let (positions, mut result) = (Enumeration::new(material, turn, side.anchor), Ok(()));
            for slice in 0..positions.slices() {
                positions.visit(slice, &mut |position| {
                    let reached = is_ranked(position)
                        .and_then(|is_ranked| is_ranked.then(|| side.reach(position, |_, _| ())).transpose());
                    match reached {
                        Ok(Some((leaf, level))) => {
                            let (_, levels) =
                                leaves.entry(leaf).or_insert_with(|| (*position, BTreeMap::new()));
                            *levels.entry(level.into()).or_default() += 1;
                        }
                        Ok(None) => {}
                        Err(error) => result = Err(error),
                    }
                });
                std::mem::replace(&mut result, Ok(()))?;
            }
            for (example, levels) in leaves.into_values() {
                let levels = levels.into_iter().collect();
                let rule = self.ranking_rule(&example, turn)?;
                rules.extend(rule.map(|rule| RankingRule { levels, ..rule }));
            }
        }
        rules.sort_by_key(|rule| {
            let positions: u64 = rule.levels.iter().map(|&(_, positions)| positions).sum();
            (rule.levels[0].0, std::cmp::Reverse(positions), rule.example.clone())
        });
        Ok(prober.pairs().map(|pairs| RankingRules { pairs, rules }))
    }
}
