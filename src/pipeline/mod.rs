//! From an outcome table to a checked .pcn file: growth of trees, coding, and the exhaustive check.
//! New bytes (see ARCHITECTURE.md): another choice here makes another file of the same answers. Free: `forecast`, `memory`,
//! `stages`, and `verify`, which no change may weaken.

mod candidates;
mod castling;
mod chess_rows;
mod code_lengths;
mod distances;
mod exceptions;
mod forecast;
pub(crate) mod memory;
mod options;
mod ranking;
mod row_numbers;
mod rule;
mod sampled;
mod shortest;
mod stages;
mod trees;
mod verify;

pub use castling::{add_castling, verify_castling};
pub use distances::{BuiltDistances, build_distances, verify_distances};
pub use espresso::{Monitor, Progress};
pub use forecast::{Forecast, forecast, forecast_distances};
pub use memory::{check_memory, check_memory_of_distances};
pub use options::{DEFAULT_EFFORT, MOST_EFFORT, Options};
pub use ranking::{MOST_PAIRS, build_ranking, verify_ranking};
pub(crate) use sampled::PositionRows;
pub use stages::StageTimes;
use stages::timed;
pub use verify::{Symmetries, verify, verify_answers};
pub(crate) use verify::{check, sum_over};

use crate::chess::model::Model;
use crate::chess::position::Material;
use crate::chess::retrograde::Table;
use crate::error::{Error, ErrorKind, Result};
use crate::learner::RowsOfLeaves;
use crate::pcn::{Codec, Pcn, Tree};
use crate::probe::Prober;
use candidates::ModelCandidate;
use chess_rows::ChessRows;
use shortest::Shortest;

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

/// The most men of a table with trees: given both kings, the number of a position has 32 bits, six for each other man.
const MAX_MEN: usize = 7;

/// Checks that trees can be grown of each of `materials`.
///
/// # Errors
/// [`ErrorKind::BadMaterial`] with the first material that has too many men.
pub fn check_men(materials: &[Material]) -> Result<()> {
    match materials.iter().find(|material| material.len() > MAX_MEN) {
        None => Ok(()),
        Some(material) => {
            let why = format!("{material}: a tree is grown of up to seven men");
            Err(Error::new(ErrorKind::BadMaterial, why))
        }
    }
}

/// Grows the smallest trees of `table` over one of the options' models, codes them, and checks the coded bytes on every legal
/// canonical position. The file has trees of the 50-move rule if the rule draws won or lost positions. From five men on it does not
/// know the rule if the table has no distances to zeroing.
///
/// Deterministic for any number of threads.
///
/// # Errors
/// Those of [`check_men`] and [`check_memory`]; [`ErrorKind::BadInput`] without models; [`ErrorKind::Cancelled`] if
/// [`Options::progress`] asks for it; [`ErrorKind::Mismatch`] if the file has other values than the table; those of the coder.
pub fn build(table: &Table, options: &Options<'_>) -> Result<Built> {
    check_men(&[*table.material()])?;
    let options = &Options { metric: table.metric(), ..options.clone() };
    check_memory(&[*table.material()], options)?;
    let mut stages = StageTimes::default();
    let candidates = timed(&mut stages.trials, || {
        candidates::candidates(table, &options.models, options.effort > 2, options.progress)
    })?;
    let mut shortest = Shortest::new();
    for candidate in candidates {
        let pcn = timed(&mut stages.minimizing, || of_candidate(table, &candidate, options))?;
        let bytes = |pcn: &Pcn| Ok(timed(&mut stages.coding, || pcn.encode(options.codec))?.len());
        shortest.offer(pcn, 0.0, bytes)?;
    }
    let pcn = shortest.into_inner();
    let pcn = pcn.ok_or_else(|| Error::new(ErrorKind::BadInput, "no input model to choose"))?;
    let pcn = timed(&mut stages.minimizing, || rule::add_trees(pcn, table, options))?;
    finish(table, pcn, options.codec, options.progress, stages)
}

/// Returns `table` as trees over the candidate's model.
fn of_candidate(table: &Table, candidate: &ModelCandidate, options: &Options<'_>) -> Result<Pcn> {
    let (material, anchors) = (*table.material(), candidate.anchors.clone());
    let variables = candidate.model.variable_set(&material);
    let sides = material.stored_turns().iter().zip(&anchors);
    let trees =
        sides.map(|(&turn, &anchor)| tree_of(&ChessRows::new(table, &variables, turn, anchor), options));
    let trees = trees.collect::<Result<_>>()?;
    Pcn::of_trees(material, candidate.model, anchors, trees, table.hash())
}

/// Returns `table` as static functions: for each side to move a tree of one leaf with the commonest outcome, and all positions
/// with another outcome as exceptions. This is a baseline that uses no structure of the table.
///
/// # Errors
/// Those of [`build`], without [`check_men`] and [`check_memory`].
pub fn static_function(table: &Table, options: &Options<'_>) -> Result<Built> {
    let (material, mut stages) = (*table.material(), StageTimes::default());
    let variables = Model::Board.variable_set(&material);
    let tree = |&turn| {
        let rows = ChessRows::new(table, &variables, turn, 0);
        exceptions::with_exceptions(trees::leaf(&rows)?, &rows, RowsOfLeaves::of_one(&rows)?, options)
    };
    let trees =
        timed(&mut stages.minimizing, || material.stored_turns().iter().map(tree).collect::<Result<_>>())?;
    let anchors = vec![0; material.stored_turns().len()];
    let pcn = Pcn::of_trees(material, Model::Board, anchors, trees, table.hash())?;
    finish(table, pcn, options.codec, options.progress, stages)
}

/// Returns the smallest tree of `rows` at the effort of `options`, with the static function of its exceptions.
pub(crate) fn tree_of(rows: &impl PositionRows, options: &Options<'_>) -> Result<Tree> {
    let (tree, leaf_rows) = trees::grow(rows, options, memory::HELD)?;
    exceptions::with_exceptions(tree, rows, leaf_rows, options)
}

/// Encodes `pcn` and checks the bytes against `table`. The file knows the 50-move rule if its outcomes under the rule are right.
pub(crate) fn finish(
    table: &Table,
    pcn: Pcn,
    codec: Codec,
    progress: Monitor<'_>,
    mut stages: StageTimes,
) -> Result<Built> {
    let pcn = rule::marked(pcn, table)?;
    let bytes = timed(&mut stages.coding, || pcn.encode(codec))?;
    timed(&mut stages.checking, || verify(&Prober::decode(&bytes)?, table, Symmetries::One, progress))?;
    Ok(Built { pcn, bytes, positions: table.totals(), stages })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::retrograde::Store;
    use std::ops::ControlFlow;

    fn built(material: &str, models: &[Model], effort: u8) -> Built {
        let table = Store::new(None).get(&material.parse().unwrap()).unwrap();
        let options = Options { models: models.to_vec(), effort, ..Options::default() };
        // `build` checks every position.
        build(&table, &options).unwrap()
    }

    const SHOWN: [Model; 3] = [Model::Board, Model::Geometry, Model::Attack];

    #[test]
    fn each_step_of_knowledge_saves_bytes() {
        let bytes = |model| {
            let built = built("KPvK", &[model], 1);
            assert_eq!((built.pcn.model(), built.pcn.trees().len()), (model, 2));
            built.bytes.len()
        };
        let [board, geometry, attack] = SHOWN.map(bytes);
        assert!(attack < geometry && geometry < board, "{board}, {geometry}, {attack}");
    }

    #[test]
    fn trees_of_too_many_positions_are_refused() {
        let check = |names: &[&str]| {
            let materials: Vec<Material> = names.iter().map(|name| name.parse().unwrap()).collect();
            check_men(&materials).map_err(|error| error.to_string())
        };
        assert_eq!(check(&["KvK", "KQRvKR", "KQRBvKQR"]), Ok(()));
        let why = check(&["KvK", "KQRBvKQRB", "KQRBNvKQR"]).unwrap_err();
        assert!(why.starts_with("KQRBvKQRB: a tree is grown of"), "{why}");
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
        let bytes = |models: &[Model]| built("KQvK", models, 3).bytes.len();
        let auto = bytes(&SHOWN);
        for model in SHOWN {
            assert!(auto <= bytes(&[model]), "{model}");
        }
    }

    #[test]
    fn bytes_do_not_depend_on_the_number_of_threads() {
        let bytes = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| built("KRvK", &[Model::Geometry], 3).bytes)
        };
        assert_eq!(bytes(1), bytes(3));
    }

    #[test]
    fn a_monitor_can_stop_every_stage() {
        let table = Store::new(None).get(&"KRvK".parse().unwrap()).unwrap();
        for (model, effort, stage) in [
            (Model::Board, 3, "trial: "),
            (Model::Board, 1, "tree: reading positions: "),
            (Model::Board, 1, " rows, "),
            (Model::Board, 1, "checking: "),
        ] {
            let said = std::sync::Mutex::new(Vec::new());
            let stop = |now: &Progress| {
                let now = now.to_string();
                let is_over = now.contains(stage);
                said.lock().unwrap().push(now);
                if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let progress = Monitor::new(&stop);
            let options = Options { models: vec![model], effort, progress, ..Options::default() };
            let outcome = build(&table, &options).map(|built| built.bytes.len());
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
        let (models, progress) = (vec![Model::Board], Monitor::new(&hear));
        build(&table, &Options { models, effort: 1, progress, ..Options::default() }).unwrap();
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
