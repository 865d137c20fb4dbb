//! Why a table answers what it answers.

use crate::position::{Position, Wdl};
use alloc::string::String;
use core::fmt;

/// What decided a probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A clause that contains the position.
    Clause {
        /// The number of the section in the file, from 0.
        section: usize,
        /// The number of the clause in the section, from 0.
        clause: usize,
        /// Its literals by the model's names: `wk5=0 bk3=1`; `always` without any.
        literals: String,
    },
    /// A leaf of the tree of the side to move, which is the clause of the tests on its path.
    Leaf {
        /// The number of the leaf, from 0.
        leaf: usize,
        /// Its literals by the model's names, those of one variable merged; `always` without any.
        literals: String,
        /// Whether the position is one of the leaf's exceptions.
        exception: bool,
    },
    /// No clause contains the position: the default of the side to move holds.
    Default,
}

/// The outcome of a position and what decided it. Displays as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The canonical position that the clauses were asked about.
    pub canonical: Position,
    /// The number of the man that leads it.
    pub lead: usize,
    /// The outcome for the side to move.
    pub outcome: Wdl,
    /// What decided.
    pub decision: Decision,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by ", self.outcome)?;
        match &self.decision {
            Decision::Clause { section, clause, literals } => {
                write!(f, "section {section}, clause {clause} ({literals})")?;
            }
            Decision::Leaf { leaf, literals, exception } => {
                let exception = if *exception { "an exception at " } else { "" };
                write!(f, "{exception}leaf {leaf} ({literals})")?;
            }
            Decision::Default => f.write_str("default, no clause")?,
        }
        write!(f, ", as {}", self.canonical.to_fen())
    }
}
