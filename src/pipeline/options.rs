//! The options for minimizing and coding a table.

use crate::chess::model::Model;
use crate::pcn::{Codec, Layers};
use espresso::Monitor;
use espresso::minimize::Step;
use std::path::PathBuf;

/// The shape of the clauses of a side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// An ordered list of overlapping clauses: in model `binary`, and for functions with few minterms in others, as in `board`
    /// with up to four men.
    List,
    /// A tree of disjoint clauses.
    Tree,
    /// A tree; from effort 4 on a list, if there is one and it codes shorter.
    #[default]
    Auto,
}

/// The options for minimizing and coding a table.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// The input models to choose from. The smallest file is kept; models whose trial costs much more than the best one's are
    /// dropped. With independent layers only the first is used.
    pub models: Vec<Model>,
    /// The scheme of layers: ordered or independent.
    pub layers: Layers,
    /// The shape of each side's clauses. `binary` has only lists.
    pub shape: Shape,
    /// The codec of the file.
    pub codec: Codec,
    /// The minimizer's steps.
    pub steps: Vec<Step>,
    /// The effort, 1 to 9. Above 6 model `binary` is minimized in every order of the outcomes, not only from the rarest to the
    /// commonest, and the smallest result is kept.
    pub effort: u8,
    /// The memory limit in bytes, for the outcome table too; `None` for no limit. The file does not depend on it.
    pub memory: Option<u64>,
    /// A directory for scratch files, for the row numbers of a large table that do not fit in memory.
    pub scratch: Option<PathBuf>,
    /// The callback for progress, called from several threads; it can cancel the work. Some stages are not interrupted: reading
    /// positions into memory, a list's first clauses, solving for the exceptions, coding and the check of a cover. They take seconds with four men, up to a
    /// minute with five.
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
    /// The model of covers with independent layers, and of a packed PLA: the first one.
    pub(super) fn model(&self) -> Model {
        self.models.first().copied().unwrap_or(Model::Binary)
    }

    /// Sets the effort, 1 to 9, and the steps of covers: the full loop above effort 2, otherwise one expansion and irredundancy.
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
