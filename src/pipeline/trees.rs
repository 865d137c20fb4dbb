//! Trees for the sides of a table, grown by the learner at the coder's costs.
//!
//! Costs depend on the tree and the tree on the costs. So a tree is grown several times, each time at the costs of the tree
//! before, with more work each time (except at effort 1).

use super::Options;
use super::code_lengths::{BIT, CodeLengths, Exceptions};
use super::memory::scratch_for_lists;
use super::sampled::{PositionRows, Sampled};
use super::shortest::Shortest;
use crate::chess::position::Wdl;
use crate::error::{Error, ErrorKind, Result};
use crate::learner::Node as GrownNode;
use crate::learner::{CostModel, Dataset, FEW, LeafRows, Rows, RowsOfLeaves, TreeOptions, grow_out_of_core};
use crate::nodes::Node;
use crate::pcn::{Excepted, Leaf, MAX_NODES, StaticFunction, Tree, tree_bytes};
use espresso::{Monitor, Progress};

/// The parameters of one growth. Its work is about its width times that of a greedy one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Growth {
    width: usize,
    /// The most rows that rollouts see if all rows are in memory.
    sample: usize,
}

/// A growth of this width with rollouts that see up to 2^`log_sample` rows.
const fn of(width: usize, log_sample: u32) -> Growth {
    Growth { width, sample: 1 << log_sample }
}

/// The growths in memory from effort 3 on. Effort 3 takes the first four, effort 4 all, so that it never gives a larger tree.
const LADDER: [Growth; 8] =
    [of(1, 15), of(2, 15), of(4, 15), of(8, 16), of(10, 16), of(12, 16), of(16, 16), of(16, 17)];

/// Returns the growths in memory of an effort.
const fn growths(effort: u8) -> &'static [Growth] {
    match effort {
        ..=1 => const { &[of(1, 12), of(1, 12)] },
        2 => const { &[of(1, 12), of(2, 12)] },
        3 => LADDER.split_at(4).0,
        4.. => &LADDER,
    }
}

/// Returns the growth on a sample that costs are fitted to out of core, and the one of all rows, of an effort.
const fn growths_out_of_core(effort: u8) -> [Growth; 2] {
    match effort {
        ..=1 => [of(1, 12), of(1, 12)],
        2 => [of(1, 12), of(4, 12)],
        3 => [of(2, 14), of(8, 14)],
        4.. => [of(8, 15), of(32, 15)],
    }
}

/// Out of core, the most rows of the sample on which costs are fitted.
const SAMPLE: u64 = 1 << 20;

const TRIAL_ROWS: u64 = 1 << 17;

/// Returns the shortest tree of the effort's growths, each at the costs of the tree before, and the rows of its leaves. With
/// more than `held` rows there is one tree of all rows. The exceptions of the tree are a placeholder.
pub(super) fn grow<R: PositionRows>(
    rows: &R,
    options: &Options<'_>,
    held: u64,
) -> Result<(Tree, RowsOfLeaves)> {
    let (parts, progress) = (rows.parts(), options.progress);
    let scratch = scratch_for_lists(rows.table_bytes(), rows.count(), parts.len() as u64, options);
    let growing = |growth: &Growth| TreeOptions {
        width: growth.width,
        sample: growth.sample,
        few: FEW,
        scratch,
        progress,
    };
    let mut costs = fresh_costs(rows, times(rows, rows.count()));
    progress.report(&Progress::new("tree: reading positions", 0, rows.count(), "positions"))?;
    if rows.count() > held {
        let [first, last] = growths_out_of_core(options.effort);
        let sampled = Sampled::new(rows, rows.count() / SAMPLE + 1);
        costs.times = times(rows, sampled.count());
        let (grown, _) = grow_out_of_core(&sampled, &costs, &growing(&first))?;
        costs = fitted_costs(&coded(grown.nodes, rows)?, rows, times(rows, rows.count()));
        let (grown, leaf_rows) = grow_out_of_core(rows, &costs, &growing(&last))?;
        return Ok((coded(grown.nodes, rows)?, leaf_rows));
    }
    let dataset = Dataset::new(rows)?;
    let mut shortest = Shortest::new();
    for growth in growths(options.effort) {
        let grown = dataset.grow(&costs, &growing(growth))?;
        let tree = coded(grown.nodes, rows)?;
        costs = fitted_costs(&tree, rows, costs.times);
        shortest.offer(tree, grown.bits, |tree| tree_bytes(tree, parts, options.codec))?;
    }
    let tree = shortest.into_inner().expect("every effort has a growth");
    let leaf_rows = dataset.into_leaf_rows(tree.nodes());
    Ok((tree, leaf_rows))
}

/// Returns the bits of a greedy tree on a sample of `rows`, to compare models and anchors.
pub(super) fn trial<R: PositionRows>(rows: &R, progress: Monitor<'_>) -> Result<f64> {
    let sampled = Sampled::new(rows, rows.count() / TRIAL_ROWS + 1);
    progress.report(&Progress::new("trial", 0, rows.count(), "positions"))?;
    let options = TreeOptions { width: 1, progress, ..TreeOptions::default() };
    Ok(Dataset::new(&sampled)?.grow(&fresh_costs(rows, vec![0.0; rows.parts().len()]), &options)?.bits)
}

/// Returns the tree of a single leaf with the commonest outcome of `rows`, and a placeholder for the exceptions.
///
/// # Errors
/// [`ErrorKind::Internal`] if there are no rows.
pub(super) fn leaf(rows: &impl PositionRows) -> Result<Tree> {
    let counts = rows.tally();
    if counts.iter().all(|&count| count == 0) {
        return Err(Error::new(ErrorKind::Internal, "a side to move without positions"));
    }
    coded(vec![Node::Leaf(LeafRows::new(&counts))], rows)
}

/// Returns the tree of `rows` with these nodes in the form of a file, with a placeholder of the final size for the exceptions. It has the
/// same leaves in the same order.
///
/// # Errors
/// [`ErrorKind::BudgetExhausted`] if it has more nodes than a file can have; [`ErrorKind::Internal`] if the normal form of the
/// nodes has other leaves.
fn coded(grown: Vec<GrownNode>, rows: &impl PositionRows) -> Result<Tree> {
    check_nodes(grown.len())?;
    let outcome = |class: usize| rows.outcomes().get(class).copied().unwrap_or(Wdl::Draw);
    let (mut filter, mut decision) = (0, 0);
    let mut leaf = |rows: LeafRows| {
        let (counts, class) = (rows.counts(), rows.class());
        let exceptions = Exceptions::new(counts, class).map(|exceptions| {
            filter += exceptions.filter();
            decision += exceptions.decision();
            let mut others = (0..counts.len()).filter(|&other| other != class && counts[other] > 0);
            let only = others.next().filter(|_| others.next().is_none());
            Excepted { level: exceptions.level(), outcome: only.map(outcome) }
        });
        Leaf { outcome: outcome(class), exceptions }
    };
    let nodes: Vec<_> = grown.into_iter().map(|node| node.map(&mut leaf)).collect();
    let tree = Tree::new(nodes.clone(), rows.parts())?;
    if !tree.leaves().eq(nodes.iter().filter_map(Node::leaf).copied()) {
        return Err(Error::new(ErrorKind::Internal, "a coded tree has other leaves than the grown one"));
    }
    Ok(if decision == 0 { tree } else { tree.with_exceptions(StaticFunction::blank(filter, decision)) })
}

fn check_nodes(nodes: usize) -> Result<()> {
    if nodes <= MAX_NODES {
        return Ok(());
    }
    let why = format!("a tree of {nodes} nodes, where a file has up to {MAX_NODES}");
    Err(Error::new(ErrorKind::BudgetExhausted, why))
}

/// The cost in bits of a nanosecond of the mean probe: a test at the root that takes 10 ns less may cost 40 bits more.
const BITS_PER_NANOSECOND: f32 = 4.0;

/// The constant time of a test, without its variable.
const TEST_NANOSECONDS: u8 = 8;

/// Returns [`CostModel::times`] for a tree grown from `count` of `rows`.
fn times(rows: &impl PositionRows, count: u64) -> Vec<f32> {
    let nanosecond = BITS_PER_NANOSECOND / count.max(1) as f32;
    let test = |variable| f32::from(TEST_NANOSECONDS + rows.nanoseconds(variable)) * nanosecond;
    (0..rows.parts().len()).map(test).collect()
}

/// The costs without an earlier tree.
fn fresh_costs(rows: &impl PositionRows, times: Vec<f32>) -> CostModel<'static> {
    let outcomes = rows.outcomes().len();
    costs(CodeLengths::fresh(rows.parts(), outcomes), rows.parts(), (0..outcomes.max(1)).collect(), times)
}

/// The costs by the counts in `tree`.
fn fitted_costs(tree: &Tree, rows: &impl PositionRows, times: Vec<f32>) -> CostModel<'static> {
    let classes = rows.outcomes().iter().map(|outcome| outcome.index()).collect();
    costs(CodeLengths::fitted(tree, rows.parts()), rows.parts(), classes, times)
}

/// The costs at these code lengths. `classes` has the coder's class of each class of the rows.
fn costs(lengths: CodeLengths, parts: &[u8], classes: Vec<usize>, times: Vec<f32>) -> CostModel<'static> {
    let least_leaf = classes.iter().map(|&class| lengths.leaf(class)).min().unwrap_or(0);
    let of_tests = lengths.clone();
    let test = |variable, low, high| bits(of_tests.test(variable, low, high).into());
    let leaf = move |counts: &[u64]| {
        let (mut class, mut most) = (0, 0);
        for (number, &count) in counts.iter().enumerate() {
            if count > most {
                (class, most) = (number, count);
            }
        }
        let exceptions = Exceptions::new(counts, class).map_or(0, |of| lengths.exceptions(of));
        bits(u64::from(lengths.leaf(classes[class])) + exceptions)
    };
    CostModel::new(parts, test, leaf, bits(least_leaf.into())).with_times(times)
}

fn bits(length: u64) -> f32 {
    length as f32 / BIT as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::model::Model;
    use crate::chess::position::Color;
    use crate::chess::retrograde::Store;
    use crate::pcn::{Codec, Pcn};
    use crate::pipeline::chess_rows::ChessRows;
    use crate::pipeline::exceptions::with_exceptions;
    use crate::pipeline::{Symmetries, verify};
    use crate::probe::Prober;

    /// The time of a test at the root has the same cost for all rows as for a sample.
    #[test]
    fn a_sample_pays_the_time_of_all_rows() {
        let material = "KQvK".parse().unwrap();
        let table = Store::new(None).get(&material).unwrap();
        let variables = Model::Attack.variable_set(&material);
        let rows = ChessRows::new(&table, &variables, Color::White, 0);
        let sampled = Sampled::new(&rows, 7);
        assert!(sampled.count() < rows.count() / 6);
        let root = |count: u64| times(&rows, count).iter().map(|row| row * count as f32).collect();
        let (all, some): (Vec<f32>, Vec<f32>) = (root(rows.count()), root(sampled.count()));
        for (variable, (all, some)) in all.iter().zip(some).enumerate() {
            let expected = BITS_PER_NANOSECOND * f32::from(8 + variables.nanoseconds(variable));
            assert!(
                (all - expected).abs() < 0.01 && (some - expected).abs() < 0.01,
                "{variable}: {all}, {some}"
            );
        }
    }

    /// Trees grown out of core are right on every position, with row numbers in memory and in scratch files.
    #[test]
    fn trees_of_rows_that_are_not_held_are_right() {
        let scratch = tempfile::tempdir().unwrap();
        for (signature, memory) in [("KRvK", None), ("KPvKP", Some(1 << 20))] {
            let table = Store::new(None).get(&signature.parse().unwrap()).unwrap();
            let (material, variables) = (*table.material(), Model::Geometry.variable_set(table.material()));
            let options = Options { memory, scratch: Some(scratch.path().into()), ..Options::default() };
            let options = options.with_effort(1);
            let mut trees = Vec::new();
            for &turn in material.stored_turns() {
                let rows = ChessRows::new(&table, &variables, turn, 1);
                let (tree, leaf_rows) = grow(&rows, &options, 5000).unwrap();
                let unlimited = Options { memory: None, ..options.clone() };
                trees.push(with_exceptions(tree, &rows, leaf_rows, &unlimited).unwrap());
            }
            let hash = table.hash();
            let pcn = Pcn::of_trees(material, Model::Geometry, vec![1; trees.len()], trees, hash);
            let prober = Prober::decode(&pcn.unwrap().encode(Codec::Compressed).unwrap()).unwrap();
            verify(&prober, &table, Symmetries::One, Monitor::default()).unwrap();
        }
    }

    #[test]
    fn a_tree_that_no_file_can_have_exhausts_the_budget() {
        assert!(check_nodes(MAX_NODES).is_ok());
        assert_eq!(check_nodes(MAX_NODES + 1).unwrap_err().kind(), ErrorKind::BudgetExhausted);
    }
}
