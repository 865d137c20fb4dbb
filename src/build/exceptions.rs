//! The exceptions of a tree, made into the function that tells them: two passes over the positions of a side to move.
//!
//! The first finds the exceptions and, at the leaves that have any, the other positions. From the exceptions comes the
//! filter. The second pass asks the filter about the others: those that it lets pass get an equation in the decision, as
//! the exceptions do.

use super::Options;
use super::linear_system::solve;
use super::memory::check_exceptions;
use super::position_rows::Positions;
use crate::error::Result;
use crate::pcn::{Leaf, PositionEquation, PositionHash, StaticFunction, System, Tree};
use crate::position::Position;
use espresso::Progress;
use espresso::tabular::Rows;
use rayon::prelude::*;
use roaring::RoaringBitmap;

/// An exception, the level of its leaf, and whether it has the better of two outcomes where there are two.
type Exception = (PositionHash, u8, Option<bool>);

/// What the first pass finds in a slice.
#[derive(Default)]
struct Found {
    exceptions: Vec<Exception>,
    /// The numbers in the slice of the other positions at leaves that have exceptions, and the levels of their leaves.
    others: RoaringBitmap,
    levels: Vec<u8>,
}

impl Found {
    /// Bytes that it takes. A number in the bitmap has up to two.
    fn bytes(&self) -> usize {
        size_of::<Exception>() * self.exceptions.capacity() + 2 * self.levels.len() + self.levels.capacity()
    }
}

/// Returns `tree` with the exceptions that it has on `rows`. Deterministic for any number of threads.
///
/// # Errors
/// [`ErrorKind::BudgetExhausted`](crate::ErrorKind::BudgetExhausted) with the figures when the memory of `options` does not
/// suffice; [`ErrorKind::Cancelled`](crate::ErrorKind::Cancelled) when its callback breaks;
/// [`ErrorKind::Internal`](crate::ErrorKind::Internal) when a position is shown twice, with different outcomes.
pub(super) fn with_exceptions(tree: Tree, rows: &Positions<'_>, options: &Options<'_>) -> Result<Tree> {
    if tree.leaves().iter().all(|leaf| leaf.exceptions.is_none()) {
        return Ok(tree);
    }
    let tell = |stage, slice: usize| {
        let progress = Progress::new(stage, slice as u64, rows.slices() as u64, "slices of positions");
        options.progress.tell(&progress)
    };
    let check = |held: usize, equations: usize| {
        check_exceptions(rows.table.material(), held as u64, equations as u64, options.memory)
    };
    let look = |slice: usize| {
        tell("exceptions", slice)?;
        let mut found = Found::default();
        rows.visit_positions(slice, &mut |_| true, &mut |number, position| {
            let Leaf { outcome, exceptions: Some(of) } = tree.leaves()[reached(&tree, rows, position)] else {
                return;
            };
            let own = rows.outcome(position);
            if own == outcome {
                found.others.insert(number as u32);
                found.levels.push(of.level);
            } else {
                let is_better = of.outcome.is_none().then(|| own == outcome.others()[1]);
                found.exceptions.push((PositionHash::new(position), of.level, is_better));
            }
        });
        Ok(found)
    };
    let found: Vec<Found> = (0..rows.slices()).into_par_iter().map(look).collect::<Result<_>>()?;
    let exceptions = found.iter().flat_map(|found| &found.exceptions);
    let equations = exceptions.flat_map(|&(hash, level, _)| PositionEquation::filter(hash, level));
    check(found.iter().map(Found::bytes).sum(), equations.clone().count())?;
    let filter = if tree.max_level() > Some(0) { solve(&equations)? } else { System::default() };
    let ask = |(slice, found): (usize, Found)| {
        tell("exceptions: survivors", slice)?;
        let (mut others, mut levels) = (found.others.iter().peekable(), found.levels.iter());
        let mut survivors = Vec::new();
        let mut wanted = |number: usize| others.next_if_eq(&(number as u32)).is_some();
        rows.visit_positions(slice, &mut wanted, &mut |_, position| {
            let hash = PositionHash::new(position);
            if levels.next().is_some_and(|&level| filter.passes(hash, level)) {
                survivors.push(hash);
            }
        });
        Ok((found.exceptions, survivors))
    };
    let told: Vec<(Vec<Exception>, Vec<PositionHash>)> =
        found.into_par_iter().enumerate().map(ask).collect::<Result<_>>()?;
    let survivors = told.iter().flat_map(|(_, survivors)| survivors);
    let survivors = survivors.map(|&hash| PositionEquation::is_exception(hash, false));
    let exceptions = told.iter().flat_map(|(exceptions, _)| exceptions);
    let exceptions = exceptions.flat_map(|&(hash, _, is_better)| {
        let is_better = is_better.map(|is_better| PositionEquation::is_better(hash, is_better));
        std::iter::once(PositionEquation::is_exception(hash, true)).chain(is_better)
    });
    let bytes = |(exceptions, survivors): &(Vec<_>, Vec<_>)| {
        size_of::<Exception>() * exceptions.capacity() + size_of::<PositionHash>() * survivors.capacity()
    };
    let equations = survivors.chain(exceptions);
    check(told.iter().map(bytes).sum(), equations.clone().count())?;
    Ok(tree.with_exceptions(StaticFunction::new(filter, solve(&equations)?)))
}

/// The number of the leaf that a position reaches.
fn reached(tree: &Tree, rows: &Positions<'_>, position: &Position) -> usize {
    let view = rows.plan.view(position);
    tree.walk(|variable| rows.plan.part(&view, variable))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::build::{Monitor, Symmetries, verify};
    use crate::model::Model;
    use crate::pcn::noise::{self, Noise};
    use crate::pcn::{Codec, Excepted, Layers, Pcn, Side};
    use crate::probe::{Decision, Prober};
    use crate::retrograde::Store;

    /// Any tree is right once it has its exceptions, whatever its leaves say.
    #[test]
    fn trees_of_noise_answer_every_position() {
        let store = Store::new(None);
        for (number, (signature, model)) in [
            ("KQvK", Model::Geometry),
            ("KPvK", Model::Attack),
            ("KvK", Model::Board),
            ("KNvK", Model::Binary),
        ]
        .into_iter()
        .enumerate()
        {
            let (table, mut noise) =
                (store.get(&signature.parse().unwrap()).unwrap(), Noise(77 + number as u64));
            let (material, plan) = (*table.material(), model.plan(table.material()));
            let parts: Vec<u8> = plan.variables().iter().map(|variable| variable.parts as u8).collect();
            let (mut trees, mut sides) = (Vec::new(), Vec::new());
            for &turn in material.stored_turns() {
                let lead = (number + turn.index()) % material.len();
                let mut excepted = |leaf: Leaf| {
                    let excepted = Excepted { level: noise.below(5) as u8, outcome: None };
                    Leaf { exceptions: Some(excepted), ..leaf }
                };
                let tree = noise::tree(&parts, 5, &mut Noise(7 + number as u64));
                let nodes = tree.nodes().map(|node| node.map(&mut excepted)).collect();
                let tree = Tree::new(nodes, &parts).unwrap();
                let rows = Positions::new(&table, &plan, turn, lead);
                // Beside what every command takes there is room for a byte, or for 16 MiB.
                let within = |bytes: u64| {
                    let options = Options { memory: Some((32 << 20) + bytes), ..Options::default() };
                    with_exceptions(tree.clone(), &rows, &options).map(|_| ()).map_err(|error| error.kind())
                };
                if tree.max_level().is_some() {
                    assert_eq!((within(1), within(16 << 20)), (Err(ErrorKind::BudgetExhausted), Ok(())));
                }
                trees.push(Some(with_exceptions(tree, &rows, &Options::default()).unwrap()));
                sides.push(Side { lead, default: None });
            }
            let pcn =
                Pcn::with_trees(material, model, Layers::Ordered, sides, trees, Vec::new(), table.hash())
                    .unwrap();
            for codec in [Codec::Pcn, Codec::None] {
                let prober = Prober::decode(&pcn.encode(codec).unwrap()).unwrap();
                verify(&prober, &table, Symmetries::One, Monitor::default()).unwrap();
                let positions = table.positions_in(material.stored_turns()[0], 0..table.index().len());
                for (position, outcome) in positions.step_by(97) {
                    let explained = prober.explain(&position).unwrap();
                    assert_eq!(explained.outcome, outcome);
                    assert!(matches!(explained.decision, Decision::Leaf { .. }));
                }
            }
        }
    }
}
