//! Why a table answers what it answers.

use super::numbers::runs;
use crate::model::Model;
use crate::position::{Bitboard, Position, Wdl};
use std::fmt;

/// What decided a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// A clause that contains the position.
    Clause {
        /// The number of the section in the file, from 0.
        section: usize,
        /// The number of the clause in the section, from 0.
        clause: usize,
    },
    /// A leaf of the tree of the side to move, which is the clause of the tests on its path.
    Leaf {
        /// The number of the leaf, from 0.
        leaf: usize,
        /// The outcome that the leaf states, which is another than the position's if that is an exception.
        stated: Wdl,
        /// Whether the position is one of the leaf's exceptions.
        exception: bool,
    },
    /// No clause contains the position: the default of the side to move holds.
    Default,
}

/// What a clause demands of one variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// The number of the variable in the model.
    pub variable: usize,
    /// The name of the variable: `larger.wk.bk`.
    pub name: String,
    /// The parts that the clause allows, a bit each; not all.
    pub allowed: u64,
    /// The part that the canonical position has, one of those allowed.
    pub part: u8,
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
    /// The canonical position that the clauses were asked about.
    pub canonical: Position,
    /// The number of the man that leads it.
    pub lead: usize,
    /// The model whose variables the literals are about.
    pub model: Model,
    /// The outcome for the side to move.
    pub outcome: Wdl,
    /// What decided.
    pub decision: Decision,
    /// What the clause demands: a leaf's in the order of the tests on its path, those of one variable merged; without a
    /// clause nothing.
    pub literals: Vec<Literal>,
}

impl Explanation {
    /// The literals by the model's names, with spaces between: `larger.wk.bk=3 moves.bk=0,1`; without any `always`.
    pub fn literals_text(&self) -> String {
        let literals: Vec<String> = self.literals.iter().map(|literal| format!("{literal}")).collect();
        if literals.is_empty() { "always".into() } else { literals.join(" ") }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by ", self.outcome)?;
        match self.decision {
            Decision::Clause { section, clause } => {
                write!(f, "section {section}, clause {clause} ({})", self.literals_text())?;
            }
            Decision::Leaf { leaf, exception, .. } => {
                let exception = if exception { "an exception at " } else { "" };
                write!(f, "{exception}leaf {leaf} ({})", self.literals_text())?;
            }
            Decision::Default => f.write_str("default, no clause")?,
        }
        write!(f, ", as {}", self.canonical.to_fen())
    }
}

/// Where one man may stand for a clause to decide, the other men staying.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClauseSquares {
    /// All such squares.
    pub all: Bitboard,
    /// Those of them where the position is an exception.
    pub exceptions: Bitboard,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_runs() {
        for (allowed, runs) in [(0b01, "0"), (0b0110_0111, "0-2,5,6"), (1 << 63, "63"), (u64::MAX, "0-63")] {
            let literal = Literal { variable: 0, name: "rank.bk".into(), allowed, part: 0 };
            assert_eq!(literal.to_string(), format!("rank.bk={runs}"));
        }
    }
}
