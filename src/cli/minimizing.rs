//! The ways to minimize a table: trees for both games, and for chess distances and rankings.

use super::args::Minimizer;
use super::{Resources, usage};
use crate::chess::position;
use crate::chess::retrograde::{self, Chess};
use crate::compare::{syzygy_bytes, syzygy_dtz_bytes};
use crate::error::{Error, ErrorKind, Result};
use crate::pcn::Codec;
use crate::pipeline::{self, Built, BuiltDistances, Forecast, Monitor, StageTimes};
use crate::retrograde::Metric;
use crate::retrograde::game::Game;
use crate::retrograde::table::Table;
use crate::xiangqi::{self, Clauses, Xiangqi};
use std::path::PathBuf;

/// How the tables of a game are minimized.
pub(super) trait Minimizing<G: Game>: Sized {
    /// `metric` is that of the tables, `scratch` the directory for row numbers that exceed the memory.
    fn new(args: &Minimizer, metric: Metric, resources: &Resources, scratch: PathBuf) -> Result<Self>;

    /// Returns these options at the lowest effort.
    fn lowered(&self) -> Self;

    /// Checks that the men are not too many, and that the memory suffices.
    fn check(&self, materials: &[G::Material]) -> Result<()>;

    fn forecast(&self, material: &G::Material) -> Forecast;

    /// Returns a file that was checked on every position.
    fn build(&self, table: &Table<G>, progress: Monitor<'_>) -> Result<Made>;

    /// The estimated time in seconds by the clock; `None` where nothing was measured.
    fn seconds(&self, material: &G::Material) -> Option<f64> {
        let seconds = self.forecast(material).cpu_seconds?;
        Some(seconds / rayon::current_num_threads() as f64)
    }
}

/// The bytes of a file and its figures.
pub(super) struct Made {
    pub(super) bytes: Vec<u8>,
    /// The game's name; `None` for chess.
    pub(super) game: Option<&'static str>,
    pub(super) model: &'static str,
    pub(super) clauses: usize,
    pub(super) literals: usize,
    /// The numbers of legal canonical positions, by [`Wdl::index`](crate::Wdl::index).
    pub(super) positions: [u64; 3],
    /// `None` for Chinese chess.
    pub(super) stages: Option<StageTimes>,
    pub(super) syzygy_bytes: Option<u64>,
}

impl From<Built> for Made {
    fn from(Built { pcn, bytes, positions, stages }: Built) -> Self {
        let (clauses, literals) = (pcn.clauses(), pcn.literals());
        let (model, syzygy_bytes) = (pcn.model().name(), syzygy_bytes(pcn.material()));
        Made { bytes, game: None, model, clauses, literals, positions, stages: Some(stages), syzygy_bytes }
    }
}

impl Made {
    fn of_distances(built: BuiltDistances, table: &retrograde::Table) -> Self {
        let BuiltDistances { bytes, model, leaves, positions } = built;
        Made {
            bytes,
            game: None,
            model: model.name(),
            clauses: leaves,
            literals: 0,
            positions: [0, 0, positions],
            stages: None,
            syzygy_bytes: syzygy_dtz_bytes(table.material()),
        }
    }
}

pub(super) struct OfChess {
    values: Values,
    options: pipeline::Options<'static>,
}

/// The values at the leaves of the trees.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    Outcomes,
    Distances,
    /// Levels that fall within so many pairs of moves.
    Ranking(u8),
}

impl Minimizing<Chess> for OfChess {
    fn new(args: &Minimizer, metric: Metric, resources: &Resources, scratch: PathBuf) -> Result<Self> {
        let all = pipeline::Options::default().models;
        let named = |name: &str| {
            all.iter().copied().find(|model| model.name() == name).ok_or_else(|| {
                let names = all.iter().map(|model| model.name()).collect::<Vec<_>>().join(", ");
                usage(format!("no model '{name}' of trees (there are: auto, {names})"))
            })
        };
        let models = match args.model.as_str() {
            "auto" => all.clone(),
            name => vec![named(name)?],
        };
        let (codec, effort, memory, scratch) = (args.codec, args.effort, resources.memory, Some(scratch));
        if args.are_beside() && codec == Codec::None {
            return Err(usage("--distances and --ranking have a code of their own: no --codec none"));
        }
        let values = match args.ranking {
            Some(pairs) => Values::Ranking(pairs),
            None if args.distances => Values::Distances,
            None => Values::Outcomes,
        };
        let options =
            pipeline::Options { models, codec, effort, memory, metric, scratch, ..Default::default() };
        Ok(OfChess { values, options })
    }

    fn lowered(&self) -> Self {
        OfChess { values: self.values, options: self.options.clone().with_effort(1) }
    }

    fn check(&self, materials: &[position::Material]) -> Result<()> {
        pipeline::check_men(materials)?;
        if self.values == Values::Outcomes {
            pipeline::check_memory(materials, &self.options)
        } else {
            pipeline::check_memory_of_distances(materials, &self.options)
        }
    }

    fn forecast(&self, material: &position::Material) -> Forecast {
        if self.values == Values::Outcomes {
            pipeline::forecast(material, &self.options)
        } else {
            pipeline::forecast_distances(material, &self.options)
        }
    }

    fn build(&self, table: &retrograde::Table, progress: Monitor<'_>) -> Result<Made> {
        let options = pipeline::Options { progress, ..self.options.clone() };
        let built = match self.values {
            Values::Outcomes => return pipeline::build(table, &options).map(Made::from),
            Values::Distances => pipeline::build_distances(table, &options)?,
            Values::Ranking(pairs) => pipeline::build_ranking(table, pairs, &options)?,
        };
        Ok(Made::of_distances(built, table))
    }
}

pub(super) struct OfXiangqi {
    /// The models to try; the smallest file stays.
    models: Vec<xiangqi::Model>,
    options: pipeline::Options<'static>,
}

impl Minimizing<Xiangqi> for OfXiangqi {
    fn new(args: &Minimizer, _: Metric, resources: &Resources, scratch: PathBuf) -> Result<Self> {
        if args.are_beside() {
            return Err(usage("Chinese chess has no distances to zeroing"));
        }
        let models = match args.model.as_str() {
            "auto" => xiangqi::Model::ALL.to_vec(),
            name => vec![name.parse().map_err(|error: Error| usage(error.to_string()))?],
        };
        let (memory, scratch) = (resources.memory, Some(scratch));
        let options = pipeline::Options { codec: args.codec, memory, scratch, ..Default::default() };
        Ok(OfXiangqi { models, options: options.with_effort(args.effort) })
    }

    fn lowered(&self) -> Self {
        OfXiangqi { models: self.models.clone(), options: self.options.clone().with_effort(1) }
    }

    fn check(&self, materials: &[xiangqi::Material]) -> Result<()> {
        let check = |material| Clauses::check_size(material, &self.models, &self.options);
        materials.iter().try_for_each(check)
    }

    fn forecast(&self, material: &xiangqi::Material) -> Forecast {
        Clauses::forecast(material, &self.models, &self.options)
    }

    fn build(&self, table: &xiangqi::Table, progress: Monitor<'_>) -> Result<Made> {
        let options = pipeline::Options { progress, ..self.options.clone() };
        let mut best: Option<Vec<u8>> = None;
        for &model in &self.models {
            let bytes = Clauses::build(table, model, &options)?;
            best = Some(best.filter(|best| best.len() <= bytes.len()).unwrap_or(bytes));
        }
        let bytes = best.ok_or_else(|| Error::new(ErrorKind::BadInput, "no input model to choose"))?;
        let of = Clauses::decode(&bytes)?;
        let (model, (clauses, literals)) = (of.variables().model().name(), of.clauses_and_literals());
        let (game, positions) = (Some("xiangqi"), table.totals());
        Ok(Made { bytes, game, model, clauses, literals, positions, stages: None, syzygy_bytes: None })
    }
}
