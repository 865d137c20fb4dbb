//! From an outcome table to a checked .pcn file: trees, lists or covers, packing, and the exhaustive check.

mod candidates;
mod castling;
mod cost;
mod cover_sections;
mod covers;
mod exceptions;
mod forecast;
mod linear_system;
mod lists;
mod memory;
mod numbering;
mod options;
mod pack;
mod position_rows;
mod sampled;
mod shape;
mod shortest;
mod sides;
mod stage_progress;
mod stage_times;
mod trees;
mod verify;

pub use castling::{add_castling, verify_castling};
pub use espresso::minimize::Step;
pub use espresso::{Monitor, Progress};
pub use forecast::{Forecast, forecast};
pub use memory::{check_function_memory, check_memory};
pub use options::{Options, Shape};
pub use pack::pack;
pub(crate) use sampled::PositionRows;
pub use shape::check_shape;
pub use stage_times::StageTimes;
pub use verify::{Symmetries, verify, verify_answers};
pub(crate) use verify::{check, sum_over};

use crate::chess::model::Model;
use crate::chess::retrograde::Table;
use crate::error::{Error, ErrorKind, Result};
use crate::pcn::{Layers, Pcn, Tree, tree_bytes};
use crate::probe::Prober;
use crate::rows::tree::LeafRows;
use candidates::ModelCandidate;
use position_rows::Positions;
use shortest::Shortest;
use stage_times::timed;

/// The checked file of a table.
#[derive(Clone, Debug)]
pub struct Built {
    /// The content.
    pub pcn: Pcn,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// The numbers of legal canonical positions of both sides to move, by [`Wdl::index`](crate::Wdl::index).
    pub positions: [u64; 3],
    /// The times of minimizing, packing and checking.
    pub stages: StageTimes,
}

/// Minimizes `table`, packs it, and checks the packed bytes on every legal canonical position.
///
/// Deterministic for any number of threads.
///
/// # Errors
/// Those of [`check_shape`] and [`check_memory`]; [`ErrorKind::Cancelled`] if [`Options::progress`] asks for it;
/// [`ErrorKind::Internal`] if a cover has other values than the table, [`ErrorKind::Mismatch`] if the file has; those of the
/// minimizer and the coder.
pub fn build(table: &Table, options: &Options<'_>) -> Result<Built> {
    check_shape(&[*table.material()], options)?;
    check_memory(&[*table.material()], options)?;
    let mut stages = StageTimes::default();
    let pcn = if options.layers == Layers::Independent {
        timed(&mut stages.minimizing, || covers::independent(table, options))?
    } else {
        smallest(table, options, &mut stages)?
    };
    finish(table, pcn, options, stages)
}

/// Returns `table` as static functions: for each side to move a tree of one leaf with the commonest outcome, and all positions
/// with another outcome as exceptions. This is a baseline that uses no structure of the table.
///
/// # Errors
/// Those of [`build`], without [`check_shape`] and [`check_memory`].
pub fn static_function(table: &Table, options: &Options<'_>) -> Result<Built> {
    let (mut stages, plan) = (StageTimes::default(), Model::Board.variable_set(table.material()));
    let stated = table.material().stored_turns().iter().map(|&turn| {
        let rows = Positions::new(table, &plan, turn, 0);
        let tree = exceptions::with_exceptions(trees::leaf(&rows)?, &rows, None, options)?;
        Ok(sides::Stated::tree(rows.lead, tree, None))
    });
    let stated = timed(&mut stages.minimizing, || stated.collect::<Result<_>>())?;
    finish(table, sides::join(*table.material(), Model::Board, stated, table.hash())?, options, stages)
}

/// Returns the smallest tree of `rows` at the effort of `options`, with the static function of its exceptions.
pub(crate) fn tree_of(rows: &impl PositionRows, options: &Options<'_>) -> Result<Tree> {
    let bytes = |grown: &(Tree, Option<LeafRows>)| tree_bytes(&grown.0, rows.parts(), options.codec);
    let mut shortest = Shortest::new();
    trees::grow(rows, options, memory::HELD, |tree, bits, leaf_rows| {
        shortest.offer((tree, leaf_rows), bits, bytes)
    })?;
    let grown = shortest.into_inner();
    let (tree, leaf_rows) =
        grown.ok_or_else(|| Error::new(ErrorKind::Internal, "an effort without a growth"))?;
    exceptions::with_exceptions(tree, rows, leaf_rows, options)
}

/// Encodes `pcn` and checks the bytes against `table`.
fn finish(table: &Table, pcn: Pcn, options: &Options<'_>, mut stages: StageTimes) -> Result<Built> {
    let bytes = timed(&mut stages.coding, || pcn.encode(options.codec))?;
    timed(&mut stages.checking, || {
        verify(&Prober::decode(&bytes)?, table, Symmetries::One, options.progress)
    })?;
    Ok(Built { pcn, bytes, positions: table.totals(), stages })
}

/// Returns `table` over the model with the smallest file.
fn smallest(table: &Table, options: &Options<'_>, stages: &mut StageTimes) -> Result<Pcn> {
    let mut shortest = Shortest::new();
    let mut offer = |pcn: Pcn, stages: &mut StageTimes| {
        let bytes = |pcn: &Pcn| Ok(timed(&mut stages.coding, || pcn.encode(options.codec))?.len());
        shortest.offer(pcn, 0.0, bytes)
    };
    if options.models.contains(&Model::Binary) {
        offer(timed(&mut stages.minimizing, || covers::ordered(table, options))?, stages)?;
    }
    let shown = shape::row_models(table.material(), options);
    let candidates = timed(&mut stages.trials, || {
        candidates::candidates(table, &shown, options.effort > 2, options.progress)
    })?;
    for candidate in candidates {
        offer(timed(&mut stages.minimizing, || of_rows(table, &candidate, options))?, stages)?;
    }
    shortest.into_inner().ok_or_else(|| Error::new(ErrorKind::BadInput, "no input model to choose"))
}

/// Returns `table` over the candidate's model, each side to move in the shape that codes shorter.
fn of_rows(table: &Table, candidate: &ModelCandidate, options: &Options<'_>) -> Result<Pcn> {
    let material = *table.material();
    let plan = candidate.model.variable_set(&material);
    let turns = material.stored_turns().iter().zip(&candidate.leads);
    let stated =
        turns.map(|(&turn, &lead)| sides::minimize(&Positions::new(table, &plan, turn, lead), options));
    sides::join(material, candidate.model, stated.collect::<Result<_>>()?, table.hash())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::retrograde::Store;
    use std::ops::ControlFlow;

    fn built(material: &str, models: &[Model], shape: Shape, effort: u8) -> Built {
        let table = Store::new(None).get(&material.parse().unwrap()).unwrap();
        let options = Options { models: models.to_vec(), shape, ..Options::default() }.with_effort(effort);
        // `build` checks every position.
        build(&table, &options).unwrap()
    }

    const SHOWN: [Model; 3] = [Model::Board, Model::Geometry, Model::Attack];

    #[test]
    fn trees_and_lists_of_a_pawn_ending_are_exact() {
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

    /// One bit a position; with three outcomes, another bit for each position without the commonest.
    #[test]
    fn a_static_function_takes_a_bit_or_two_a_position() {
        let table = Store::new(None).get(&"KPvK".parse().unwrap()).unwrap();
        let bits: u64 = crate::Color::BOTH
            .iter()
            .map(|&turn| {
                let mut counts = table.counts(turn);
                counts.sort_unstable();
                let [rarest, rarer, commonest] = counts;
                rarest + rarer + commonest + if rarest > 0 { rarest + rarer } else { 0 }
            })
            .sum();
        let bytes = static_function(&table, &Options::default()).unwrap().bytes.len() as u64;
        assert!((bits * 90 / 800..bits * 101 / 800).contains(&bytes), "{bytes} for {bits} bits");
    }

    #[test]
    fn auto_is_no_larger_than_its_candidates() {
        let bytes = |models: &[Model]| built("KQvK", models, Shape::Auto, 3).bytes.len();
        let auto = bytes(&SHOWN);
        for model in SHOWN {
            assert!(auto <= bytes(&[model]), "{model}");
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
    fn a_monitor_can_stop_every_stage() {
        let table = Store::new(None).get(&"KRvK".parse().unwrap()).unwrap();
        for (model, effort, stage) in [
            (Model::Board, 3, "trial: "),
            (Model::Board, 1, "tree: reading positions: "),
            (Model::Board, 4, "list: reading positions: "),
            (Model::Board, 4, "list: trying orders: "),
            (Model::Board, 1, " rows, "),
            (Model::Board, 4, "blocks looked at"),
            (Model::Board, 1, "checking: "),
            (Model::Binary, 1, " cubes"),
        ] {
            let said = std::sync::Mutex::new(Vec::new());
            let stop = |now: &Progress| {
                let now = now.to_string();
                let is_over = now.contains(stage);
                said.lock().unwrap().push(now);
                if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let progress = Monitor::new(&stop);
            let options = Options { models: vec![model], progress, ..Options::default() };
            let outcome = build(&table, &options.with_effort(effort)).map(|built| built.bytes.len());
            let said = said.into_inner().unwrap();
            assert_eq!(outcome.map_err(|error| error.kind()), Err(ErrorKind::Cancelled), "{stage}: {said:?}");
        }
    }

    /// The progress of a stage never goes back. It starts again for the second side to move.
    #[test]
    fn progress_of_several_threads_goes_forward() {
        let table = Store::new(None).get(&"KPvK".parse().unwrap()).unwrap();
        let said = std::sync::Mutex::new(Vec::new());
        let hear = |now: &Progress| {
            said.lock().unwrap().push(*now);
            ControlFlow::Continue(())
        };
        let options =
            Options { models: vec![Model::Board], progress: Monitor::new(&hear), ..Options::default() };
        build(&table, &options.with_effort(1)).unwrap();
        let said = said.into_inner().unwrap();
        for stage in ["exceptions", "exceptions: survivors", "checking"] {
            let mut done = 0;
            for now in said.iter().filter(|now| now.stage == stage) {
                assert!(
                    now.done > done && Some(now.done) <= now.total,
                    "{stage}: {} behind {done}",
                    now.done
                );
                done = if Some(now.done) == now.total { 0 } else { now.done };
            }
            assert!(done == 0 && said.iter().any(|now| now.stage == stage), "{stage} ends at {done}");
        }
    }

    #[test]
    fn no_model_is_refused() {
        let table = Store::new(None).get(&"KvK".parse().unwrap()).unwrap();
        let error = build(&table, &Options { models: Vec::new(), ..Options::default() }).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadInput);
    }
}
