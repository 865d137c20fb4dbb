//! The options for covers.

use crate::chess::model::Model;
use crate::covers::frozen::Layers;
use crate::pcn::Codec;
use espresso::Monitor;
use espresso::minimize::Step;

/// The options for minimizing a table by covers, and for packing.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// The input model.
    pub model: Model,
    /// The scheme of layers.
    pub layers: Layers,
    /// The codec of the file.
    pub codec: Codec,
    /// The minimizer's steps.
    pub steps: Vec<Step>,
    /// Whether to try each order of the outcomes and keep the shortest result. Otherwise rarer outcomes come first.
    pub every_order: bool,
    /// The memory limit in bytes, for the outcome table too; `None` for no limit. The file does not depend on it.
    pub memory: Option<u64>,
    /// The callback for progress, called from several threads; it can cancel the work.
    pub progress: Monitor<'a>,
}

impl Default for Options<'_> {
    /// Model `binary`, ordered layers, compaction and the loop, compressed.
    fn default() -> Self {
        Options {
            model: Model::Binary,
            layers: Layers::Ordered,
            codec: Codec::Compressed,
            steps: vec![Step::Compact, Step::Loop],
            every_order: false,
            memory: None,
            progress: Monitor::default(),
        }
    }
}
