//! `explain --plan`: the rule of a ranking that gives a won position its level, or all rules of a ranking, in words.

use super::args::Query;
use super::games::{is_xiangqi_fen, no_fen};
use super::query::{no_distances, plan_json, plan_text, tables_of};
use super::stream::{Layout, answer_all};
use super::values::Format;
use super::{counted, material};
use crate::chess::position::{Fen, Material, Position};
use crate::error::{Error, ErrorKind, Result};
use crate::explain::{RankingRule, RankingRules};
use crate::moves::Plan;
use crate::probe::Tables;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::process::ExitCode;

pub(super) fn explain(query: &Query) -> Result<ExitCode> {
    let (tables, _) = tables_of(query)?;
    let separator = if query.format == Format::Text { "\n\n" } else { "" };
    let layout = Layout { format: query.format, separator, block: 64 };
    answer_all(&query.positions, layout, &|asked, out| {
        let is_material = !asked.contains(|letter: char| letter == '/' || letter.is_whitespace());
        let text = match is_material.then(|| material(asked)).transpose()? {
            Some(material) => {
                let needs = |position: &Position| Plan::needs_ranking(&tables, position);
                let rules = tables.ranking_rules(&material, needs)?;
                let rules = rules.ok_or_else(|| without_ranking(&material))?;
                match query.format {
                    Format::Text => rules_text(&material, &rules),
                    Format::Json => {
                        let all: Vec<Value> = rules.rules.iter().map(rule_json).collect();
                        let material = material.to_string();
                        let fields =
                            json!({ "material": material, "pairs_of_moves": rules.pairs, "rules": all });
                        format!("{fields}\n")
                    }
                }
            }
            None => of_position(&tables, asked, query.format)?,
        };
        out.extend(text.bytes());
        Ok(())
    })
}

fn without_ranking(material: &Material) -> Error {
    let why = format!(
        "no ranking of {material}: cubebase build {material} --ranking --out DIR makes one for --tables DIR"
    );
    Error::new(ErrorKind::MissingTable, why).of_material(material)
}

/// The plan of a position, and the rule that gives it its level.
fn of_position(tables: &Tables, fen: &str, format: Format) -> Result<String> {
    if is_xiangqi_fen(fen) {
        return Err(no_distances());
    }
    let read = Fen::parse(fen).map_err(|error| no_fen(error, fen))?;
    let (turn, position) = (read.turn, read.position().map_err(|error| no_fen(error, fen))?);
    let plan = Plan::of(tables, fen)?;
    let rule = match &plan {
        Some(plan) if plan.pairs > 0 => tables.ranking_rule(&position, turn)?,
        _ => None,
    };
    if format == Format::Json {
        let fields = json!({
            "plan": plan.as_ref().map(plan_json),
            "rule": rule.as_ref().map(rule_json),
        });
        return Ok(format!("{fields}\n"));
    }
    let mut text = plan_text(plan.as_ref(), format);
    if let Some(rule) = rule {
        text +=
            "Its level is that of won positions in which all of these hold, or of exceptions among them:\n";
        put_conditions(&mut text, &rule, true);
        put_orientation(&mut text, &rule);
    }
    Ok(text)
}

fn rules_text(material: &Material, RankingRules { pairs, rules }: &RankingRules) -> String {
    let mut text = format!(
        "{material}: a ranking of {}. A level falls within {} of moves, whatever is replied; then a move mates or zeroes.\n\
         The rules are about won positions in which no move mates or zeroes. Mirrored and turned positions count once.\n",
        counted(rules.len(), "rule"),
        counted((*pairs).into(), "pair")
    );
    let mut orientation = None;
    for (number, rule) in rules.iter().enumerate() {
        let levels: Vec<String> = rule
            .levels
            .iter()
            .map(|&(level, positions)| format!("level {level}: {}", counted(positions as usize, "position")))
            .collect();
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{}. {}, such as {}\n", number + 1, levels.join(", "), rule.example);
        put_conditions(&mut text, rule, false);
        // Most rules have the same.
        if rule.orientation.is_some() && rule.orientation != orientation {
            orientation.clone_from(&rule.orientation);
            put_orientation(&mut text, rule);
        }
    }
    text
}

/// Writes the conditions, with the values of the example if asked.
fn put_conditions(text: &mut String, rule: &RankingRule, with_values: bool) {
    for condition in &rule.conditions {
        let mark = if condition.is_turned { "*" } else { "" };
        let value = if with_values { format!(": {}", condition.value) } else { String::new() };
        let _ = writeln!(text, "   {}{mark}{value}", condition.sentence);
    }
}

fn put_orientation(text: &mut String, rule: &RankingRule) {
    if let Some(orientation) = &rule.orientation {
        let _ = writeln!(text, "   * {orientation}");
    }
}

fn rule_json(rule: &RankingRule) -> Value {
    let levels: Vec<Value> = rule
        .levels
        .iter()
        .map(|&(level, positions)| json!({ "level": level, "positions": positions }))
        .collect();
    let conditions: Vec<Value> = rule
        .conditions
        .iter()
        .map(|condition| json!({ "sentence": condition.sentence, "value": condition.value, "is_turned": condition.is_turned }))
        .collect();
    json!({
        "levels": levels,
        "example": rule.example,
        "conditions": conditions,
        "orientation": rule.orientation,
    })
}
