//! `Explanation`: why a table answers what it answers.

use crate::tablebase::number;
use cubebase::probe::Decision;
use pyo3::prelude::*;

/// The outcome of a position and what decided it. `str` gives one line.
#[pyclass(module = "cubebase", frozen)]
#[derive(Debug)]
pub struct Explanation {
    explanation: cubebase::probe::Explanation,
}

impl Explanation {
    pub fn new(explanation: cubebase::probe::Explanation) -> Self {
        Explanation { explanation }
    }
}

#[pymethods]
impl Explanation {
    /// The outcome for the side to move: 2, 0 or -2.
    #[getter]
    fn wdl(&self) -> i8 {
        number(self.explanation.outcome)
    }

    /// The FEN of the symmetric position that the clauses were asked about.
    #[getter]
    fn canonical(&self) -> String {
        self.explanation.canonical.to_fen()
    }

    /// What decided: "leaf" of a tree, "clause" of a list, or "default".
    #[getter]
    fn decided_by(&self) -> &'static str {
        match self.explanation.decision {
            Decision::Leaf { .. } => "leaf",
            Decision::Clause { .. } => "clause",
            Decision::Default => "default",
        }
    }

    /// The number of the leaf, or of the clause in its section of the file; from 0.
    #[getter]
    fn number(&self) -> Option<usize> {
        match self.explanation.decision {
            Decision::Leaf { leaf: number, .. } | Decision::Clause { clause: number, .. } => Some(number),
            Decision::Default => None,
        }
    }

    /// The section of the file that the clause is in, from 0.
    #[getter]
    fn section(&self) -> Option<usize> {
        match self.explanation.decision {
            Decision::Clause { section, .. } => Some(section),
            _ => None,
        }
    }

    /// What the leaf or the clause demands of a position, by the model's names.
    #[getter]
    fn literals(&self) -> Option<&str> {
        match &self.explanation.decision {
            Decision::Leaf { literals, .. } | Decision::Clause { literals, .. } => Some(literals),
            Decision::Default => None,
        }
    }

    /// Whether the position is an exception at its leaf.
    #[getter]
    fn is_exception(&self) -> bool {
        matches!(self.explanation.decision, Decision::Leaf { exception: true, .. })
    }

    fn __str__(&self) -> String {
        self.explanation.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Explanation: {}>", self.explanation)
    }
}
