//! Certificates as one line of JSON.

use super::BoardExplanation;
use super::conditions::Condition;
use super::explanation::{Decision, RuleDecision};
use super::position_counter::Coverage;
use crate::chess::position::Bitboard;

/// A JSON array of `values`.
pub(crate) fn list(values: impl Iterator<Item = String>) -> String {
    format!("[{}]", values.collect::<Vec<_>>().join(","))
}

fn squares(set: Bitboard) -> String {
    list(set.into_iter().map(|square| format!("\"{square}\"")))
}

fn optional(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "null".into(), |value| value.to_string())
}

impl Condition {
    pub(crate) fn json(&self) -> String {
        let literal = &self.literal;
        let allowed =
            (0..64).filter(|value| literal.allowed >> value & 1 != 0).map(|value| value.to_string());
        format!(
            r#"{{"sentence":"{}","value":"{}","is_turned":{},"variable":"{}","allowed":{},"value_number":{}}}"#,
            self.sentence,
            self.value,
            self.is_turned,
            literal.name,
            list(allowed),
            literal.value,
        )
    }
}

impl BoardExplanation {
    /// Returns the certificate as one line of JSON:
    ///
    /// | field | |
    /// |---|---|
    /// | `fen` | the position asked about |
    /// | `turn` | `white` or `black` |
    /// | `outcome` | `win`, `draw` or `loss` for the side to move |
    /// | `material`, `model`, `model_version` | the table, and the model of its clauses |
    /// | `decided_by` | `leaf` of a tree or `clause` of covers |
    /// | `section`, `number` | the section of a clause, null for a leaf; the number of the clause in it or of the leaf, from 0 |
    /// | `stated` | the clause's outcome: `outcome`, unless the position is an exception |
    /// | `is_exception` | whether the position is an exception |
    /// | `rule` | null, or the decision under the 50-move rule about the position without castling rights: `outcome`, and the `leaf` of the rule's tree, with `is_exception` |
    /// | `conditions` | the clause's literals, each with `sentence`; the position's own `value` in words; `is_turned`, whether the sentence holds only for boards in this `orientation`; and the model's `variable`, its `allowed` values and, as `value_number`, its value in the canonical position |
    /// | `orientation` | how the board is turned for conditions with `is_turned`, or null |
    /// | `canonical` | the canonical position, for which the clauses were evaluated |
    /// | `men` | each with `name`, `letter` of FEN, `square`; the `squares`, its own included, on which it may stand so that the same clause decides; and `exceptions`, those of them where the position is an exception |
    /// | `castling`, `without_castling` | the castling rights, `-` for none; and the outcome without them, which is that of the clause or the exception |
    /// | `coverage` | null, or counts of legal positions of the material and side to move, symmetric ones too: `positions` in all; `met`, on which the conditions hold; `decided` by the clause; `exceptions` |
    pub fn to_json(&self) -> String {
        // None of these words needs JSON escapes.
        let (by, section, number) = match self.explanation.decision {
            Decision::Leaf { leaf, .. } => ("leaf", None, leaf),
            Decision::Clause { section, clause } => ("clause", Some(section), clause),
        };
        let men = self.men.iter().map(|man| {
            format!(
                r#"{{"name":"{}","letter":"{}","square":"{}","squares":{},"exceptions":{}}}"#,
                man.name,
                man.man.fen(),
                man.square,
                squares(man.squares.all),
                squares(man.squares.exceptions),
            )
        });
        let coverage = self.coverage.map(|Coverage { positions, met, decided, exceptions }| {
            format!(
                r#"{{"positions":{positions},"met":{met},"decided":{decided},"exceptions":{exceptions}}}"#
            )
        });
        let rule = self.explanation.rule.map(|RuleDecision { outcome, leaf, exception }| {
            format!(r#"{{"outcome":"{outcome}","leaf":{leaf},"is_exception":{exception}}}"#)
        });
        format!(
            concat!(
                r#"{{"fen":"{}","turn":"{}","outcome":"{}","material":"{}","model":"{}","model_version":{},"#,
                r#""decided_by":"{}","section":{},"number":{},"stated":"{}","is_exception":{},"rule":{},"#,
                r#""conditions":{},"orientation":{},"canonical":"{}","men":{},"castling":"{}","#,
                r#""without_castling":"{}","coverage":{}}}"#
            ),
            self.fen,
            self.turn.name(),
            self.outcome(),
            self.material(),
            self.explanation.model,
            self.explanation.model.version(),
            by,
            optional(section),
            number,
            self.stated(),
            self.is_exception(),
            optional(rule),
            list(self.conditions.iter().map(Condition::json)),
            optional(self.orientation.as_ref().map(|orientation| format!("\"{orientation}\""))),
            self.explanation.canonical.to_fen(),
            list(men),
            self.castling,
            self.explanation.without_castling,
            optional(coverage),
        )
    }
}
