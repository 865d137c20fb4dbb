//! The options for packing.

use crate::chess::model::Model;
use crate::pcn::Codec;
use espresso::Monitor;

/// The options for packing a cover.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// The input model.
    pub model: Model,
    /// The codec of the file.
    pub codec: Codec,
    /// The memory limit in bytes, for the outcome table too; `None` for no limit. The file does not depend on it.
    pub memory: Option<u64>,
    /// The callback for progress, called from several threads; it can cancel the work.
    pub progress: Monitor<'a>,
}

impl Default for Options<'_> {
    /// Model `binary`, compressed.
    fn default() -> Self {
        Options { model: Model::Binary, codec: Codec::Compressed, memory: None, progress: Monitor::default() }
    }
}
