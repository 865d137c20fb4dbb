//! From an outcome table to a checked .pcn file: layers, minimization, packing, and the exhaustive check.

mod choice;
mod layers;
mod listener;
mod lists;
mod memory;
mod pack;
mod rows;
mod shape;
mod sides;
mod stages;
mod trees;
mod verify;

pub use listener::Listener;
pub(crate) use listener::tell;
pub use memory::{check_function_memory, check_memory, estimate, estimate_function};
pub(crate) use pack::from_cover;
pub use pack::pack;
pub use shape::{Shape, check_shape};
pub use stages::Stages;
pub use verify::{Symmetries, verify};

use crate::error::{Error, ErrorKind, Result};
use crate::export::{self, Scope};
use crate::model::Model;
use crate::pcn::{Codec, Layers, Pcn, Section, Side, Turns};
use crate::position::{Color, Material, Wdl};
use crate::probe;
use crate::retrograde::Table;
use espresso::minimize::Step;
use layers::{minimize_order, orders, rarest_first};
use stages::timed;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How a table is minimized and coded.
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
    /// Whether every order of the outcomes is minimized and the smallest kept, or only the one from the rarest
    /// outcome to the commonest.
    pub every_order: bool,
    /// How much is tried, 1 to 9.
    pub effort: u8,
    /// Memory in bytes that minimizing may take by [`estimate`]; unlimited when `None`.
    pub memory: Option<u64>,
    /// Told what is being done; may cancel it.
    pub progress: Listener<'a>,
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("models", &self.models)
            .field("layers", &self.layers)
            .field("shape", &self.shape)
            .field("codec", &self.codec)
            .field("steps", &self.steps)
            .field("every_order", &self.every_order)
            .field("effort", &self.effort)
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
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
            every_order: false,
            effort: 5,
            memory: None,
            progress: &|_| ControlFlow::Continue(()),
        }
    }
}

impl Options<'_> {
    /// The model of the cover engine.
    pub(crate) fn model(&self) -> Model {
        self.models.first().copied().unwrap_or(Model::Binary)
    }

    /// Sets the steps and the search for orders by an effort of 1 to 9: up to 2 a single expansion and
    /// irredundancy, up to 6 the full loop, above it the full loop for every order of the outcomes.
    #[must_use]
    pub fn with_effort(mut self, effort: u8) -> Self {
        self.steps = match effort {
            ..=2 => vec![Step::Compact, Step::Expand, Step::Irredundant],
            _ => vec![Step::Compact, Step::Loop],
        };
        self.every_order = effort > 6;
        self.effort = effort;
        self
    }
}

/// A table as a checked file.
#[derive(Clone, Debug)]
pub struct Built {
    /// The content.
    pub pcn: Pcn,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// Legal canonical positions of both sides to move by outcome: [`Wdl::index`].
    pub positions: [u64; 3],
    /// Time that minimizing, packing and checking took.
    pub time: Duration,
    /// The same by stage.
    pub stages: Stages,
}

/// Minimizes `table`, packs it, and checks the packed bytes on every legal canonical position.
///
/// Deterministic for any number of threads.
///
/// # Errors
/// Those of [`check_shape`] and [`check_memory`]; [`ErrorKind::Cancelled`] when [`Options::progress`] asks for it;
/// [`ErrorKind::Internal`] when a cover or the file does not give the table's values; what the minimizer and the coder
/// refuse.
pub fn build(table: &Table, options: &Options<'_>) -> Result<Built> {
    let start = Instant::now();
    let mut stages = Stages::default();
    let pcn = minimize_staged(table, options, &mut stages)?;
    let built = finish(table, pcn, options, start)?;
    Ok(Built { stages: stages.plus(built.stages), ..built })
}

/// Encodes `pcn` and checks the bytes against `table`.
pub(crate) fn finish(table: &Table, pcn: Pcn, options: &Options<'_>, start: Instant) -> Result<Built> {
    let mut stages = Stages::default();
    let bytes = timed(&mut stages.coding, || pcn.encode(options.codec))?;
    let checking = format!("{}: checking every position", table.material());
    tell(options.progress, &checking)?;
    timed(&mut stages.checking, || {
        let asked = || tell(options.progress, &checking);
        verify::verify_asking(&probe::Prober::decode(&bytes)?, table, Symmetries::One, &asked)
    })?;
    Ok(Built { pcn, bytes, positions: table.totals(), time: start.elapsed(), stages })
}

/// Minimizes `table` into clauses. The covers are checked against their functions; the clauses are not yet checked
/// on positions.
///
/// # Errors
/// As [`build`].
pub fn minimize(table: &Table, options: &Options<'_>) -> Result<Pcn> {
    minimize_staged(table, options, &mut Stages::default())
}

/// As [`minimize`]; what it takes is added to `stages`.
fn minimize_staged(table: &Table, options: &Options<'_>, stages: &mut Stages) -> Result<Pcn> {
    check_shape(&[*table.material()], options)?;
    check_memory(&[*table.material()], options)?;
    if options.layers == Layers::Independent {
        let exported = export::independent(table, options.model(), &Scope::default())?;
        let what = table.material().to_string();
        let cover =
            timed(&mut stages.minimizing, || layers::checked_cover(&exported.function, &what, options))?;
        return from_cover(*table.material(), options.model(), &cover, &exported.columns, table.hash());
    }
    let mut best: Option<(usize, Pcn)> = None;
    let mut keep = |pcn: Pcn, coding: &mut Duration| -> Result<()> {
        let bytes = timed(coding, || pcn.encode(options.codec))?.len();
        if best.as_ref().is_none_or(|(least, _)| bytes < *least) {
            best = Some((bytes, pcn));
        }
        Ok(())
    };
    if options.models.contains(&Model::Binary) {
        let pcn = timed(&mut stages.minimizing, || ordered(table, options))?;
        keep(pcn, &mut stages.coding)?;
    }
    let shown = shape::tabular_models(table.material(), options);
    let candidates = timed(&mut stages.trials, || {
        choice::candidates(table, &shown, options.effort > 2, options.progress)
    })?;
    for candidate in candidates {
        let pcn = timed(&mut stages.minimizing, || tabular(table, &candidate, options))?;
        keep(pcn, &mut stages.coding)?;
    }
    best.map(|(_, pcn)| pcn).ok_or_else(|| Error::new(ErrorKind::BadInput, "no input model to choose"))
}

/// Memory that the rows of the tabular minimizer take at most, in bytes.
const ROWS_MEMORY: u64 = 5 << 30;

/// Returns `table` over the candidate's model, each side to move in the shape that codes shorter.
fn tabular(table: &Table, candidate: &choice::Candidate, options: &Options<'_>) -> Result<Pcn> {
    let material = *table.material();
    let plan = candidate.model.plan(&material);
    let memory = options.memory.map_or(ROWS_MEMORY, |memory| ROWS_MEMORY.min(memory / 4 * 3));
    let (mut sides, mut trees, mut sections) = (Vec::new(), Vec::new(), Vec::new());
    for (&turn, &lead) in material.stored_turns().iter().zip(&candidate.leads) {
        let stated = sides::minimize(table, &plan, (turn, lead), options, memory)?;
        sides.push(stated.side);
        trees.push(stated.tree);
        sections.extend(stated.sections);
    }
    Pcn::with_trees(material, candidate.model, Layers::Ordered, sides, trees, sections, table.hash())
}

fn ordered(table: &Table, options: &Options<'_>) -> Result<Pcn> {
    let material = *table.material();
    let scope = Scope::default();
    let (mut sides, mut sections) = (Vec::new(), Vec::new());
    for &turn in material.stored_turns() {
        let natural = rarest_first(table, turn);
        let candidates = if options.every_order { orders(&natural) } else { vec![natural] };
        let mut best: Option<(usize, Side, Vec<Section>)> = None;
        for order in &candidates {
            let side = Side {
                lead: scope.leads[turn.index()],
                default: Some(order.last().copied().unwrap_or(Wdl::Draw)),
            };
            let found: Vec<Section> = minimize_order(table, &scope, turn, order, options)?
                .into_iter()
                .map(|layer| Section {
                    turns: Turns::from(turn),
                    outcome: layer.outcome,
                    clauses: layer.clauses,
                })
                .collect();
            let bytes = coded_bytes(&material, turn, side, &found, options)?;
            if best.as_ref().is_none_or(|(least, ..)| bytes < *least) {
                best = Some((bytes, side, found));
            }
        }
        let (_, side, found) =
            best.ok_or_else(|| Error::new(ErrorKind::Internal, "a side without an order of outcomes"))?;
        sides.push(side);
        sections.extend(found);
    }
    Pcn::new(material, Model::Binary, Layers::Ordered, sides, sections, table.hash())
}

/// Returns the bytes of a file that holds only `turn`'s sections.
fn coded_bytes(
    material: &Material,
    turn: Color,
    side: Side,
    sections: &[Section],
    options: &Options<'_>,
) -> Result<usize> {
    let constant = Side { lead: 0, default: Some(Wdl::Draw) };
    let sides =
        material.stored_turns().iter().map(|&stored| if stored == turn { side } else { constant }).collect();
    let pcn = Pcn::new(*material, Model::Binary, Layers::Ordered, sides, sections.to_vec(), [0; 8])?;
    Ok(pcn.encode(options.codec)?.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrograde::Store;

    fn built(material: &str, models: &[Model], shape: Shape, effort: u8) -> Built {
        let table = Store::new(None).get(&material.parse().unwrap()).unwrap();
        let options = Options { models: models.to_vec(), shape, ..Options::default() }.with_effort(effort);
        // Building checks every position.
        build(&table, &options).unwrap()
    }

    const SHOWN: [Model; 3] = [Model::Board, Model::Geometry, Model::Attack];

    #[test]
    fn every_model_and_shape_is_exact_on_pawn_endings() {
        let bytes = |model, shape| {
            let built = built("KPvK", &[model], shape, 1);
            assert_eq!(built.pcn.model(), model);
            let trees = built.pcn.trees().iter().flatten().count();
            assert_eq!(trees, if shape == Shape::Tree { 2 } else { 0 }, "{model}");
            built.bytes.len()
        };
        let [board, geometry, attack] = SHOWN.map(|model| bytes(model, Shape::Tree));
        let list = bytes(Model::Board, Shape::List);
        assert!(
            attack < geometry && geometry < list && list < board,
            "{list}, {board}, {geometry}, {attack}"
        );
    }

    #[test]
    fn auto_is_no_larger_than_what_it_chose_from() {
        let bytes = |models: &[Model]| built("KQvK", models, Shape::Auto, 4).bytes.len();
        let auto = bytes(&SHOWN);
        for model in SHOWN {
            assert!(auto <= bytes(&[model]), "{model}");
        }
    }

    #[test]
    fn a_table_without_decisions_takes_some_tens_of_bytes() {
        for material in ["KvK", "KBvK"] {
            assert!(built(material, &SHOWN, Shape::Auto, 1).bytes.len() < 30);
        }
    }

    #[test]
    fn bytes_do_not_depend_on_the_number_of_threads() {
        let bytes = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| built("KRvK", &[Model::Geometry], Shape::Auto, 4).bytes)
        };
        assert_eq!(bytes(1), bytes(3));
    }

    #[test]
    fn a_listener_can_stop_every_stage() {
        let table = Store::new(None).get(&"KRvK".parse().unwrap()).unwrap();
        for (model, effort, stage) in [
            (Model::Board, 3, "board, trial with man 1"),
            (Model::Board, 1, "board: reading positions"),
            (Model::Board, 4, "list: reading positions"),
            (Model::Board, 4, "trying "),
            (Model::Board, 1, "tree: "),
            (Model::Board, 4, "blocks looked at"),
            (Model::Board, 1, "checking every position"),
            (Model::Binary, 1, " cubes"),
        ] {
            let said = std::sync::Mutex::new(Vec::new());
            let stop = |what: &str| {
                said.lock().unwrap().push(what.to_string());
                if what.contains(stage) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let options = Options { models: vec![model], progress: &stop, ..Options::default() };
            let outcome = build(&table, &options.with_effort(effort)).map(|built| built.bytes.len());
            let said = said.into_inner().unwrap();
            assert_eq!(outcome.map_err(|error| error.kind()), Err(ErrorKind::Cancelled), "{stage}: {said:?}");
        }
    }

    #[test]
    fn no_model_is_refused() {
        let table = Store::new(None).get(&"KvK".parse().unwrap()).unwrap();
        let error = build(&table, &Options { models: Vec::new(), ..Options::default() }).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadInput);
    }
}
