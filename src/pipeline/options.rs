//! The options for minimizing and coding a table.

use crate::chess::model::Model;
use crate::pcn::Codec;
use crate::retrograde::Metric;
use espresso::Monitor;
use std::path::PathBuf;

/// The effort with which the tables of up to four men are made.
pub const DEFAULT_EFFORT: u8 = 3;

/// The greatest effort.
pub const MOST_EFFORT: u8 = 4;

/// The options for minimizing and coding a table.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// The input models to choose from. The smallest file is kept; models whose trial costs much more than the best one's are
    /// dropped. Model `binary` is for covers and not among them.
    pub models: Vec<Model>,
    /// The codec of the file.
    pub codec: Codec,
    /// The effort, 1 to [`MOST_EFFORT`].
    pub effort: u8,
    /// The memory limit in bytes, for the outcome table too; `None` for no limit. Trees of outcomes do not depend on it. A tree
    /// of distances does, if its rows do not fit in memory.
    pub memory: Option<u64>,
    /// The metric of the outcome table, for estimates of its memory.
    pub metric: Metric,
    /// A directory for scratch files, for the row numbers of a large table that do not fit in memory.
    pub scratch: Option<PathBuf>,
    /// The callback for progress, called from several threads; it can cancel the work. Some stages are not interrupted: reading
    /// positions into memory, solving for the exceptions and coding. They take seconds with four men, up to a minute with five.
    pub progress: Monitor<'a>,
}

impl Default for Options<'_> {
    /// All models but `binary`, the project's own codec, effort 3, no progress.
    fn default() -> Self {
        Options {
            models: vec![Model::Board, Model::Geometry, Model::Attack],
            codec: Codec::Compressed,
            effort: DEFAULT_EFFORT,
            memory: None,
            metric: Metric::Wdl,
            scratch: None,
            progress: Monitor::default(),
        }
    }
}

impl Options<'_> {
    /// The model of distances, the richest one.
    pub(crate) fn model_of_distances(&self) -> Model {
        self.models.iter().copied().max_by_key(|model| model.id()).unwrap_or(Model::Attack)
    }

    /// Sets the effort.
    #[must_use]
    pub fn with_effort(self, effort: u8) -> Self {
        Options { effort, ..self }
    }
}
