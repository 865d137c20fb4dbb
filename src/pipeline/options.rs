//! How a table is minimized and coded.

use crate::model::Model;
use crate::pcn::{Codec, Layers};
use espresso::Monitor;
use espresso::minimize::Step;
use std::path::PathBuf;

/// The shape of the clauses of a side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// An ordered list of overlapping clauses. In the models that are minimized row by row, all but `binary`, there are
    /// lists of functions with few minterms alone: in `board` up to four men.
    List,
    /// A tree of disjoint clauses.
    Tree,
    /// A tree, or from effort 4 on a list where there may be one and it codes shorter.
    #[default]
    Auto,
}

/// How a table is minimized and coded.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// The input models to choose from: the smallest file is kept, and models that a short trial finds much dearer are
    /// dropped. With independent layers the first is taken.
    pub models: Vec<Model>,
    /// How the outcomes of a side become covers.
    pub layers: Layers,
    /// The shape of each side's clauses; `binary` has lists alone.
    pub shape: Shape,
    /// How the clauses are coded.
    pub codec: Codec,
    /// The minimizer's steps.
    pub steps: Vec<Step>,
    /// How much is tried, 1 to 9. Above 6 model `binary` is minimized in every order of the outcomes, and the smallest
    /// kept, not only in the one from the rarest to the commonest.
    pub effort: u8,
    /// Memory in bytes that minimizing may take; unlimited when `None`. It makes no difference to the file.
    pub memory: Option<u64>,
    /// A directory for scratch files, where memory has no room for something of each row of a large table.
    pub scratch: Option<PathBuf>,
    /// Told how far the work is, from several threads; may cancel it. Reading positions into memory, a list's first
    /// clauses, coding, and the check of a cover are not interrupted: seconds with four men, up to a minute with five.
    pub progress: Monitor<'a>,
}

impl Default for Options<'_> {
    /// Model `binary`, ordered layers, the project's own codec, effort 5, no progress.
    fn default() -> Self {
        Options {
            models: vec![Model::Binary],
            layers: Layers::Ordered,
            shape: Shape::Auto,
            codec: Codec::Pcn,
            steps: vec![Step::Compact, Step::Loop],
            effort: 5,
            memory: None,
            scratch: None,
            progress: Monitor::default(),
        }
    }
}

impl Options<'_> {
    /// The model of the cover engine.
    pub(super) fn model(&self) -> Model {
        self.models.first().copied().unwrap_or(Model::Binary)
    }

    /// Sets the effort, 1 to 9, and the steps that it stands for: up to 2 a single expansion and irredundancy, above it
    /// the full loop.
    #[must_use]
    pub fn with_effort(mut self, effort: u8) -> Self {
        self.steps = match effort {
            ..=2 => vec![Step::Compact, Step::Expand, Step::Irredundant],
            _ => vec![Step::Compact, Step::Loop],
        };
        self.effort = effort;
        self
    }
}
