//! The two ways to minimize a table of chess: trees, and the papers' covers.

use super::args::Minimizer;
use super::{Resources, usage};
use crate::chess::model::Model;
use crate::chess::position::Material;
use crate::chess::retrograde::Table;
use crate::covers::{self, Layers};
use crate::error::Result;
use crate::pipeline::{self, Built, Forecast, Monitor};
use espresso::minimize::Step;
use std::path::PathBuf;

/// How tables are minimized.
#[derive(Clone)]
pub(super) enum Minimizing {
    Trees(pipeline::Options<'static>),
    Covers(covers::Options<'static>),
}

impl Minimizing {
    /// `scratch` is the directory for row numbers that exceed the memory.
    pub(super) fn new(args: &Minimizer, resources: &Resources, scratch: PathBuf) -> Result<Self> {
        let (codec, memory) = (args.codec, resources.memory);
        let has_covers = args.layers == Layers::Independent || args.steps.is_some();
        let models = match args.model.as_deref() {
            Some("binary") => None,
            None if has_covers => None,
            Some(name) if has_covers => {
                let why = format!("--layers independent and --steps are for model binary, not for {name}");
                return Err(usage(why));
            }
            None | Some("auto") => Some(pipeline::Options::default().models),
            Some(name) => Some(vec![name.parse().map_err(|_| {
                let names = Model::ALL.map(Model::name).join(", ");
                usage(format!("no model '{name}' (there are: auto, {names})"))
            })?]),
        };
        if let Some(models) = models {
            let (effort, scratch) = (args.effort, Some(scratch));
            let options = pipeline::Options { models, codec, effort, memory, scratch, ..Default::default() };
            return Ok(Minimizing::Trees(options));
        }
        let steps = match &args.steps {
            Some(steps) => Step::parse_list(steps).map_err(|error| usage(format!("--steps: {error}")))?,
            None if args.effort > 2 => vec![Step::Compact, Step::Loop],
            None => vec![Step::Compact, Step::Expand, Step::Irredundant],
        };
        let (layers, every_order) = (args.layers, args.effort > 3);
        let options = covers::Options { layers, codec, steps, every_order, memory, ..Default::default() };
        Ok(Minimizing::Covers(options))
    }

    /// The same at the lowest effort.
    pub(super) fn lowered(&self) -> Self {
        match self {
            Minimizing::Trees(options) => Minimizing::Trees(options.clone().with_effort(1)),
            covers @ Minimizing::Covers(_) => covers.clone(),
        }
    }

    /// Checks that the men are not too many, and that the memory suffices.
    pub(super) fn check(&self, materials: &[Material]) -> Result<()> {
        match self {
            Minimizing::Trees(options) => {
                pipeline::check_men(materials).and_then(|()| pipeline::check_memory(materials, options))
            }
            Minimizing::Covers(options) => covers::check_memory(materials, options),
        }
    }

    pub(super) fn forecast(&self, material: &Material) -> Result<Forecast> {
        match self {
            Minimizing::Trees(options) => Ok(pipeline::forecast(material, options)),
            Minimizing::Covers(options) => covers::forecast(material, options),
        }
    }

    /// The estimated time in seconds by the clock; `None` where nothing was measured.
    pub(super) fn seconds(&self, material: &Material) -> Option<f64> {
        let seconds = self.forecast(material).ok()?.cpu_seconds?;
        Some(seconds / rayon::current_num_threads() as f64)
    }

    pub(super) fn build(&self, table: &Table, progress: Monitor<'_>) -> Result<Built> {
        match self {
            Minimizing::Trees(options) => {
                pipeline::build(table, &pipeline::Options { progress, ..options.clone() })
            }
            Minimizing::Covers(options) => {
                covers::build(table, &covers::Options { progress, ..options.clone() })
            }
        }
    }
}
