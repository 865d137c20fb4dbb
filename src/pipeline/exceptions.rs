//! The static function of a tree's exceptions, made in two passes over the rows of leaves that have exceptions.
//!
//! The first pass makes the filter from the exceptions. The second finds the other rows that pass the filter. These and the
//! exceptions have equations in the decision.

use super::Options;
use super::memory::check_exceptions;
use super::sampled::PositionRows;
use super::stages::StageProgress;
use crate::error::Result;
use crate::learner::{RowIds, RowsOfLeaves};
use crate::pcn::{Excepted, Leaf, PositionEquation, PositionHash, StaticFunction, System, Tree, solve};
use rayon::prelude::*;

/// An exception, the level of its leaf, and, if exceptions of the leaf have two outcomes, whether it has the better one.
type Exception = (PositionHash, u8, Option<bool>);

/// Rows of one outcome at a leaf.
struct Piece<'a> {
    leaf: Leaf,
    exceptions: Excepted,
    class: u8,
    first_slice: usize,
    numbers: &'a [u32],
}

/// The rows that a thread processes at a time.
const CHUNK: usize = 1 << 14;

/// Returns `tree` with the static function of its exceptions on `rows`. `of_leaves` are the rows of its leaves.
/// Deterministic for any number of threads.
///
/// # Errors
/// [`ErrorKind::BudgetExhausted`](crate::ErrorKind::BudgetExhausted) with the figures if the memory of `options` is too little;
/// [`ErrorKind::Cancelled`](crate::ErrorKind::Cancelled) if its callback breaks;
/// [`ErrorKind::Internal`](crate::ErrorKind::Internal) if a position occurs twice with different outcomes.
pub(super) fn with_exceptions(
    tree: Tree,
    rows: &impl PositionRows,
    of_leaves: RowsOfLeaves,
    options: &Options<'_>,
) -> Result<Tree> {
    if tree.leaves().all(|leaf| leaf.exceptions.is_none()) {
        return Ok(tree);
    }
    let pieces = pieces(&tree, &of_leaves);
    let progress = |stage| StageProgress::new(options.progress, stage, pieces.len() as u64, "pieces");
    let check = |held: usize, equations: usize| {
        check_exceptions(&rows.name(), rows.table_bytes() + held as u64, equations as u64, options.memory)
    };
    let hashes = |piece: &Piece<'_>| {
        piece.numbers.iter().map(|&number| rows.hash(piece.first_slice, number)).collect::<Vec<_>>()
    };
    let looked = progress("exceptions");
    let look = |piece: &Piece<'_>| {
        looked.add(1)?;
        let own = rows.outcomes()[usize::from(piece.class)];
        if own == piece.leaf.outcome {
            return Ok(Vec::new());
        }
        let Excepted { level, outcome } = piece.exceptions;
        let is_better = outcome.is_none().then(|| own == piece.leaf.outcome.others()[1]);
        Ok(hashes(piece).into_iter().map(|hash| (hash, level, is_better)).collect())
    };
    let exceptions: Vec<Vec<Exception>> = pieces.par_iter().map(look).collect::<Result<_>>()?;
    let exceptions = exceptions.iter().flatten();
    let equations = exceptions.clone().flat_map(|&(hash, level, _)| PositionEquation::filter(hash, level));
    let held = size_of::<Exception>() * exceptions.clone().count();
    check(held, equations.clone().count())?;
    let filter = if tree.max_level() > Some(0) { solve(&equations)? } else { System::default() };
    let asked = progress("exceptions: survivors");
    let ask = |piece: &Piece<'_>| {
        asked.add(1)?;
        if rows.outcomes()[usize::from(piece.class)] != piece.leaf.outcome {
            return Ok(Vec::new());
        }
        let mut survivors = hashes(piece);
        survivors.retain(|&hash| filter.passes(hash, piece.exceptions.level));
        survivors.shrink_to_fit();
        Ok(survivors)
    };
    let survivors: Vec<Vec<PositionHash>> = pieces.par_iter().map(ask).collect::<Result<_>>()?;
    drop(pieces);
    drop(of_leaves);
    let survivors = survivors.iter().flatten();
    let held = held + size_of::<PositionHash>() * survivors.clone().count();
    let survivors = survivors.map(|&hash| PositionEquation::is_exception(hash, false));
    let exceptions = exceptions.flat_map(|&(hash, _, is_better)| {
        let is_better = is_better.map(|is_better| PositionEquation::is_better(hash, is_better));
        std::iter::once(PositionEquation::is_exception(hash, true)).chain(is_better)
    });
    let equations = survivors.chain(exceptions);
    check(held, equations.clone().count())?;
    Ok(tree.with_exceptions(StaticFunction::new(filter, solve(&equations)?)))
}

/// The rows of the leaves that have exceptions.
fn pieces<'a>(tree: &Tree, of_leaves: &'a RowsOfLeaves) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    for (number, leaf) in tree.leaves().enumerate() {
        let Some(exceptions) = leaf.exceptions else { continue };
        for (class, RowIds { first_slice, numbers }) in of_leaves.of(number) {
            let piece = |numbers| Piece { leaf, exceptions, class, first_slice, numbers };
            pieces.extend(numbers.chunks(CHUNK).map(piece));
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::chess::model::Model;
    use crate::chess::retrograde::Store;
    use crate::learner::Dataset;
    use crate::pcn::noise::{self, Noise};
    use crate::pcn::{Codec, Excepted, Pcn};
    use crate::pipeline::chess_rows::ChessRows;
    use crate::pipeline::{Monitor, Symmetries, verify};
    use crate::probe::Prober;

    /// With its exceptions any tree is right, whatever the outcomes of its leaves.
    #[test]
    fn trees_of_noise_answer_every_position() {
        let store = Store::new(None);
        for (number, (signature, model)) in [
            ("KQvK", Model::Geometry),
            ("KBvK", Model::Attack),
            ("KvK", Model::Board),
            ("KNvK", Model::Binary),
        ]
        .into_iter()
        .enumerate()
        {
            let (table, mut noise) =
                (store.get(&signature.parse().unwrap()).unwrap(), Noise(77 + number as u64));
            let (material, variables) = (*table.material(), model.variable_set(table.material()));
            let parts: Vec<u8> = variables.variables().iter().map(|variable| variable.values as u8).collect();
            let (mut trees, mut anchors) = (Vec::new(), Vec::new());
            for &turn in material.stored_turns() {
                let anchor = (number + turn.index()) % material.len();
                let mut excepted = |leaf: Leaf| {
                    let excepted = Excepted { level: noise.below(5) as u8, outcome: None };
                    Leaf { exceptions: Some(excepted), ..leaf }
                };
                let tree = noise::tree(&parts, 5, &mut Noise(7 + number as u64));
                let nodes = tree.nodes().iter().map(|node| node.map(&mut excepted)).collect();
                let tree = Tree::new(nodes, &parts).unwrap();
                let rows = ChessRows::new(&table, &variables, turn, anchor);
                let leaf_rows = || Dataset::new(&rows).unwrap().into_leaf_rows(tree.nodes());
                // A memory limit of `bytes` beyond the constant need.
                let within = |bytes: u64| {
                    let options = Options { memory: Some((32 << 20) + bytes), ..Options::default() };
                    with_exceptions(tree.clone(), &rows, leaf_rows(), &options)
                        .map(|_| ())
                        .map_err(|error| error.kind())
                };
                // Only once, as this takes as long as the rest of the test.
                if number == 0 {
                    assert_eq!((within(1), within(16 << 20)), (Err(ErrorKind::BudgetExhausted), Ok(())));
                }
                trees.push(with_exceptions(tree.clone(), &rows, leaf_rows(), &Options::default()).unwrap());
                anchors.push(anchor);
            }
            let pcn = Pcn::of_trees(material, model, anchors, trees, table.hash()).unwrap();
            for codec in [Codec::Compressed, Codec::None] {
                let prober = Prober::decode(&pcn.encode(codec).unwrap()).unwrap();
                verify(&prober, &table, Symmetries::One, Monitor::default()).unwrap();
                #[cfg(feature = "explain")]
                let positions = table.positions_in(material.stored_turns()[0], 0..table.index().len());
                #[cfg(feature = "explain")]
                for (position, outcome) in positions.step_by(97) {
                    let explained = prober.explain(&position).unwrap();
                    assert_eq!(explained.outcome, outcome);
                    assert!(matches!(explained.decision, crate::explain::Decision::Leaf { .. }));
                }
            }
        }
    }
}
