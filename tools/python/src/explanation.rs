//! `Explanation`: the clause that decides about a position, in terms of the user's board.

use crate::outcome::number;
use cubebase::explain::{BoardExplanation, Decision, Style};
use pyo3::prelude::*;

/// The outcome of a position and the clause that decides it. `str` gives the text of the command `explain`.
#[pyclass(module = "cubebase", frozen)]
#[derive(Debug)]
pub struct Explanation {
    certificate: BoardExplanation,
    /// The outcome for the side to move: 2, 0 or -2.
    #[pyo3(get)]
    wdl: i8,
    /// The FEN of the canonical position, for which the clauses were evaluated.
    #[pyo3(get)]
    canonical: String,
    /// The kind of decision: "leaf" of a tree or "clause" of covers.
    #[pyo3(get)]
    decided_by: &'static str,
    /// The number of the leaf, or of the clause in its section of the file; from 0.
    #[pyo3(get)]
    number: usize,
    /// The section of the clause in the file, from 0.
    #[pyo3(get)]
    section: Option<usize>,
    /// The conditions of the leaf or clause.
    #[pyo3(get)]
    conditions: Vec<Condition>,
    /// Whether the position is an exception of its leaf.
    #[pyo3(get)]
    is_exception: bool,
}

/// A condition of the deciding clause, about one variable of its model.
#[pyclass(module = "cubebase", frozen, get_all)]
#[derive(Clone, Debug)]
pub struct Condition {
    /// The condition as a sentence about the user's board.
    sentence: String,
    /// The position's own value, in a few words.
    value: String,
    /// The literal with the model's names, about the canonical position: "larger.wk.bk=0-2".
    literal: String,
}

impl Explanation {
    pub fn new(certificate: BoardExplanation) -> Self {
        let (decided_by, section, number_of_it) = match certificate.explanation.decision {
            Decision::Leaf { leaf, .. } => ("leaf", None, leaf),
            Decision::Clause { section, clause } => ("clause", Some(section), clause),
        };
        let condition = |of: &cubebase::explain::Condition| Condition {
            sentence: of.sentence.clone(),
            value: of.value.clone(),
            literal: of.literal.to_string(),
        };
        Explanation {
            wdl: number(certificate.outcome()),
            canonical: certificate.explanation.canonical.to_fen(),
            decided_by,
            number: number_of_it,
            section,
            conditions: certificate.conditions.iter().map(condition).collect(),
            is_exception: certificate.is_exception(),
            certificate,
        }
    }
}

#[pymethods]
impl Explanation {
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
    fn __str__(&self) -> &str {
        &self.sentence
    }

    fn __repr__(&self) -> String {
        format!("<Condition: {} (here: {})>", self.sentence, self.value)
    }
}
