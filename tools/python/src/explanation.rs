//! `Explanation`: the clause that decides about a position, in terms of the user's board.

use crate::outcome::number;
use cubebase::explain::{Certificate, Decision, Style};
use pyo3::prelude::*;

/// The outcome of a position and the clause that decides it. `str` gives the text of the command `explain`.
#[pyclass(module = "cubebase", frozen)]
#[derive(Debug)]
pub struct Explanation {
    certificate: Certificate,
}

/// A condition of the deciding clause, about one variable of its model.
#[pyclass(module = "cubebase", frozen)]
#[derive(Clone, Debug)]
pub struct Condition {
    condition: cubebase::explain::Condition,
}

impl Explanation {
    pub fn new(certificate: Certificate) -> Self {
        Explanation { certificate }
    }
}

#[pymethods]
impl Explanation {
    /// The outcome for the side to move: 2, 0 or -2.
    #[getter]
    fn wdl(&self) -> i8 {
        number(self.certificate.outcome())
    }

    /// The FEN of the canonical position, for which the clauses were evaluated.
    #[getter]
    fn canonical(&self) -> String {
        self.certificate.explanation.canonical.to_fen()
    }

    /// The kind of decision: "leaf" of a tree, "clause" of a list, or "default".
    #[getter]
    fn decided_by(&self) -> &'static str {
        match self.certificate.explanation.decision {
            Decision::Leaf { .. } => "leaf",
            Decision::Clause { .. } => "clause",
            Decision::Default => "default",
        }
    }

    /// The number of the leaf, or of the clause in its section of the file; from 0.
    #[getter]
    fn number(&self) -> Option<usize> {
        match self.certificate.explanation.decision {
            Decision::Leaf { leaf: number, .. } | Decision::Clause { clause: number, .. } => Some(number),
            Decision::Default => None,
        }
    }

    /// The section of the clause in the file, from 0.
    #[getter]
    fn section(&self) -> Option<usize> {
        match self.certificate.explanation.decision {
            Decision::Clause { section, .. } => Some(section),
            _ => None,
        }
    }

    /// The conditions of the leaf or clause.
    #[getter]
    fn conditions(&self) -> Vec<Condition> {
        self.certificate.conditions.iter().cloned().map(|condition| Condition { condition }).collect()
    }

    /// Whether the position is an exception of its leaf.
    #[getter]
    fn is_exception(&self) -> bool {
        self.certificate.is_exception()
    }

    /// The drawing, as the text of an SVG file.
    fn svg(&self) -> String {
        self.certificate.to_svg()
    }

    fn __str__(&self) -> String {
        self.certificate.to_text(Style::default())
    }

    /// The drawing, for notebooks.
    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __repr__(&self) -> String {
        format!("<Explanation: {}>", self.certificate.explanation)
    }
}

#[pymethods]
impl Condition {
    /// The condition as a sentence about the user's board.
    #[getter]
    fn sentence(&self) -> &str {
        &self.condition.sentence
    }

    /// The position's own value, in a few words.
    #[getter]
    fn value(&self) -> &str {
        &self.condition.value
    }

    /// The literal with the model's names, about the canonical position: "larger.wk.bk=0-2".
    #[getter]
    fn literal(&self) -> String {
        self.condition.literal.to_string()
    }

    fn __str__(&self) -> &str {
        self.sentence()
    }

    fn __repr__(&self) -> String {
        format!("<Condition: {} (here: {})>", self.condition.sentence, self.condition.value)
    }
}
