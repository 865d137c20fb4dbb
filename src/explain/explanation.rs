//! The result of explaining a probe: the decision, its literals, and the canonical position.

use super::numbers::runs;
use crate::chess::model::Model;
use crate::chess::position::{Bitboard, CastlingRights, Position, Wdl};
use crate::outcome::Wdl50;
use std::fmt;

/// The part of a table that decided a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// A clause that contains the position.
    Clause {
        /// The number of the section in the file, from 0.
        section: usize,
        /// The number of the clause in the section, from 0.
        clause: usize,
    },
    /// A leaf of the tree of the side to move. Its clause consists of the tests on its path.
    Leaf {
        /// The number of the leaf, from 0.
        leaf: usize,
        /// The leaf's outcome. An exception has another.
        stated: Wdl,
        /// Whether the position is one of the leaf's exceptions.
        exception: bool,
    },
}

/// The decision about a won or lost position under the 50-move rule, from a counter of zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleDecision {
    /// The outcome under the rule for the side to move.
    pub outcome: Wdl50,
    /// The number of the leaf of the rule's tree, from 0.
    pub leaf: usize,
    /// Whether the position is one of the leaf's exceptions.
    pub exception: bool,
}

/// The values of one variable that a clause allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// The number of the variable in the model.
    pub variable: usize,
    /// The name of the variable: `larger.wk.bk`.
    pub name: String,
    /// The allowed values, one bit each; never all values.
    pub allowed: u64,
    /// The value of the canonical position, one of the allowed ones.
    pub value: u8,
}

/// Displays as in `larger.wk.bk=0-2,5`.
impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let run = |(first, last): (i32, i32)| match last - first {
            0 => format!("{first}"),
            1 => format!("{first},{last}"),
            _ => format!("{first}-{last}"),
        };
        let runs: Vec<String> = runs(self.allowed).into_iter().map(run).collect();
        write!(f, "{}={}", self.name, runs.join(","))
    }
}

/// The outcome of a position and what decided it. Displays as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The canonical position, for which the clauses were evaluated.
    pub canonical: Position,
    /// The number of the anchor, the man that fixes the canonical form.
    pub anchor: usize,
    /// The model of the literals' variables.
    pub model: Model,
    /// The outcome for the side to move.
    pub outcome: Wdl,
    /// The castling rights of the position. The canonical one has none: the clause is about the position without them.
    pub castling: CastlingRights,
    /// The outcome without castling rights. It differs from `outcome` only if the table lists the position with its rights.
    pub without_castling: Wdl,
    /// The clause or leaf that decided the position without castling rights.
    pub decision: Decision,
    /// The leaf of the tree of the 50-move rule that decides whether the rule draws the position without castling rights. `None` if
    /// it is drawn anyway, or the file has no such tree for the side to move.
    pub rule: Option<RuleDecision>,
    /// The literals of the clause. Those of a leaf are in the order of the tests on its path, with tests of the same
    /// variable merged.
    pub literals: Vec<Literal>,
}

impl Explanation {
    /// The literals with the model's names, separated by spaces: `larger.wk.bk=3 moves.bk=0,1`; `always` if there are none.
    pub fn literals_text(&self) -> String {
        let literals: Vec<String> = self.literals.iter().map(|literal| format!("{literal}")).collect();
        if literals.is_empty() { "always".into() } else { literals.join(" ") }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by ", self.without_castling)?;
        match self.decision {
            Decision::Clause { section, clause } => {
                write!(f, "section {section}, clause {clause} ({})", self.literals_text())?;
            }
            Decision::Leaf { leaf, exception, .. } => {
                let exception = if exception { "an exception at " } else { "" };
                write!(f, "{exception}leaf {leaf} ({})", self.literals_text())?;
            }
        }
        write!(f, ", as {}", self.canonical.to_fen())?;
        match self.castling {
            CastlingRights::NONE => Ok(()),
            rights => write!(f, "; with castling rights {rights} {}", self.outcome),
        }
    }
}

/// The squares on which one man may stand, the other men unmoved, so that the same clause decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClauseSquares {
    /// All such squares.
    pub all: Bitboard,
    /// The squares among them where the position is an exception.
    pub exceptions: Bitboard,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_runs() {
        for (allowed, runs) in [(0b01, "0"), (0b0110_0111, "0-2,5,6"), (1 << 63, "63"), (u64::MAX, "0-63")] {
            let literal = Literal { variable: 0, name: "rank.bk".into(), allowed, value: 0 };
            assert_eq!(literal.to_string(), format!("rank.bk={runs}"));
        }
    }
}
