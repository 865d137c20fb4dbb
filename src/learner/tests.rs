//! Trees of small functions: every row is right, for any memory and number of threads.

use super::decision_tree::leaf;
use super::grower::Grower;
use super::node_rows::{NodeRows, SplitSide};
use super::split::Candidate;
use super::{CostModel, Dataset, DecisionTree, Node, RowsOfLeaves, TreeOptions, grow_out_of_core};
use crate::error::{Error, ErrorKind, Result};
use crate::learner::memory_rows::{MemoryRows, NUMBER_BITS, all_rows};
use crate::learner::{Parts, RowIds, Rows};
use crate::nodes::Router;
use espresso::{Monitor, Progress};
use proptest::prelude::*;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

fn grow(rows: &dyn Rows, costs: &CostModel<'_>, options: &TreeOptions<'_>) -> Result<DecisionTree> {
    Dataset::new(rows)?.grow(costs, options)
}

/// The number of leaves.
fn leaves(tree: &DecisionTree) -> usize {
    tree.nodes.iter().filter(|node| node.leaf().is_some()).count()
}

/// The nodes, `T variable low high` or `L` with the number of rows of each class.
fn text(tree: &DecisionTree) -> String {
    let node = |node: &Node| match node {
        Node::Test(test) => format!("T {} {} {}", test.variable, test.low, test.high),
        Node::Leaf(rows) => format!("L {:?}", rows.counts()),
    };
    tree.nodes.iter().map(node).collect::<Vec<_>>().join(", ")
}

/// The tree and the rows of its leaves, grown out of core if there are more than `held` rows.
fn grow_within(
    held: u64,
    rows: &dyn Rows,
    costs: &CostModel<'_>,
    options: &TreeOptions<'_>,
) -> Result<(DecisionTree, RowsOfLeaves)> {
    if rows.count() > held {
        return grow_out_of_core(rows, costs, options);
    }
    let dataset = Dataset::new(rows)?;
    let tree = dataset.grow(costs, options)?;
    let leaf_rows = dataset.into_leaf_rows(&tree.nodes);
    Ok((tree, leaf_rows))
}

/// Random rows; rows with equal parts may have different classes.
fn functions() -> impl Strategy<Value = MemoryRows> {
    prop::collection::vec(prop_oneof![1..9_u8, 60..65_u8], 1..7).prop_flat_map(|parts| {
        let row: Vec<_> = parts.iter().map(|&count| 0..count).collect();
        prop::collection::vec((row, 0..3_u8), 1..400)
            .prop_map(move |rows| MemoryRows { parts: parts.clone(), rows })
    })
}

/// Uniform costs: all tests of a variable cost the same, and so do all sets of as many exceptions. A variable of a higher number
/// costs more time for each row.
fn uniform(parts: &[u8], time: f32) -> CostModel<'static> {
    let of_variable = (parts.len() as f32).log2();
    let test = |variable: usize, _, _| 1.0 + of_variable + 2.0 * f32::from(parts[variable]).log2();
    let leaf = |counts: &[u64]| {
        let all = counts.iter().sum::<u64>() as f32;
        let rest = all - counts.iter().copied().max().unwrap_or(0) as f32;
        if rest == 0.0 { 2.0 } else { 3.0 + 2.0 * rest.log2() + rest * ((all / rest).log2() + 2.0) }
    };
    let times = (0..parts.len()).map(|variable| time * variable as f32).collect();
    CostModel::new(parts, test, leaf, 2.0).with_times(times)
}

pub(super) fn costs(rows: &MemoryRows) -> CostModel<'static> {
    uniform(&rows.parts, 0.0)
}

/// The costs with another leaf.
fn with_leaf<'a>(
    costs: &'a CostModel<'_>,
    parts: &[u8],
    leaf: impl Fn(&[u64]) -> f32 + Sync + 'a,
) -> CostModel<'a> {
    CostModel::new(parts, |variable, low, high| costs.test(variable, low, high), leaf, 0.0)
}

/// The largest leaf whose cost a rollout asks has at least half of the sample's rows, and at most about all of them.
#[test]
fn rollouts_see_a_sample_or_their_share() {
    let rows = all_rows([8; 4], |row| row.iter().sum::<u8>() % 3);
    let dataset = Dataset::new(&rows).unwrap();
    let held = dataset.rows();
    let options = TreeOptions { sample: 64, ..TreeOptions::default() };
    let asked = |share: Option<usize>| {
        let (uniform, largest) = (costs(&rows), AtomicUsize::new(0));
        let recording = with_leaf(&uniform, &rows.parts, |counts| {
            largest.fetch_max(counts.iter().sum::<u64>() as usize, Ordering::Relaxed);
            uniform.leaf(counts)
        });
        let mut grower = Grower::new(&recording, &options, held.len() as u64);
        if let Some(share) = share {
            grower = grower.with_share(share);
        }
        grower.test(held).unwrap();
        largest.load(Ordering::Relaxed)
    };
    assert!((32..=80).contains(&asked(None)), "{}", asked(None));
    assert!((512..=1100).contains(&asked(Some(4))), "{}", asked(Some(4)));
}

#[test]
fn a_full_disk_ends_the_growth() {
    let rows = all_rows([8, 8, 8], |[a, b, c]| (a * b + c) % 3);
    let options = TreeOptions { scratch: Some("/no/such/directory".as_ref()), ..TreeOptions::default() };
    let error = grow_out_of_core(&rows, &costs(&rows), &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
}

/// The number of rows of each class at each leaf and the tree's costs, leaf by leaf and row by row, from its definition.
fn routed(rows: &MemoryRows, tree: &DecisionTree, costs: &CostModel<'_>) -> (Vec<[u64; 3]>, f64) {
    let router = Router::new(&tree.nodes);
    let (mut counts, time) = (vec![[0; 3]; leaves(tree)], Cell::new(0.0));
    for row in &rows.rows {
        let part = |variable| {
            time.set(time.get() + f64::from(costs.times[variable]));
            row.0[variable]
        };
        counts[router.leaf(part) as usize][usize::from(row.1)] += 1;
    }
    let tests = tree.nodes.iter().filter_map(Node::test);
    let tests = tests.map(|test| f64::from(costs.test(test.variable.into(), test.low, test.high)));
    let leaves = counts.iter().map(|counts| f64::from(costs.leaf(counts)));
    let bits = tests.sum::<f64>() + leaves.sum::<f64>() + time.get();
    (counts, bits)
}

/// Whether the leaves of `grown` have the classes and rows that reach them, and the tree its costs.
fn is_right(
    rows: &MemoryRows,
    (tree, leaf_rows): &(DecisionTree, RowsOfLeaves),
    costs: &CostModel<'_>,
) -> bool {
    let (counts, bits) = routed(rows, tree, costs);
    let of_leaves = tree.nodes.iter().filter_map(Node::leaf).map(super::LeafRows::counts);
    let router = Router::new(&tree.nodes);
    // The class and number of each leaf's rows, with numbers relative to the first slice.
    let mut reached = vec![Vec::new(); leaves(tree)];
    for slice in 0..rows.slices() {
        rows.visit(slice, &mut |number| {
            let ids = RowIds { first_slice: slice, numbers: &[number] };
            let row = (rows.class(slice, number), ((slice as u64) << NUMBER_BITS) + u64::from(number));
            rows.for_rows(ids, &mut |_, part| reached[router.leaf(part) as usize].push(row));
        });
    }
    let leaf = |leaf| {
        let numbered = |(class, RowIds { first_slice, numbers }): (u8, RowIds<'_>)| {
            let first = (first_slice as u64) << NUMBER_BITS;
            numbers.iter().map(|&number| (class, first + u64::from(number))).collect::<Vec<_>>()
        };
        leaf_rows.of(leaf).flat_map(numbered).collect()
    };
    let mut found: Vec<Vec<_>> = (0..leaf_rows.leaves()).map(leaf).collect();
    reached.iter_mut().chain(&mut found).for_each(|rows| rows.sort_unstable());
    of_leaves.eq(counts) && (tree.bits - bits).abs() < 0.1 && found == reached
}

/// Appends the next subtree of `nodes` to `pruned`, with a leaf for each node at which that costs no more. Returns its counts and
/// costs.
fn prune(
    nodes: &mut std::slice::Iter<'_, Node>,
    costs: &CostModel<'_>,
    pruned: &mut Vec<Node>,
) -> (Vec<u64>, f64) {
    let start = pruned.len();
    let node = nodes.next().unwrap();
    pruned.push(*node);
    let test = match node {
        Node::Leaf(rows) => return (rows.counts().to_vec(), costs.leaf(rows.counts()).into()),
        Node::Test(test) => f64::from(costs.test(test.variable.into(), test.low, test.high)),
    };
    let [(first, a), (second, b)] = [0, 1].map(|_| prune(nodes, costs, pruned));
    let counts: Vec<u64> = first.iter().zip(second).map(|(a, b)| a + b).collect();
    let (bits, alone) = (test + a + b, f64::from(costs.leaf(&counts)));
    if alone > bits {
        return (counts, bits);
    }
    pruned.truncate(start);
    pruned.push(leaf(&counts));
    (counts, alone)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_row_has_its_class(
        rows in functions(), width in 1..6_usize, sample in 1..300_usize, time in 0.0..0.1_f32,
    ) {
        let costs = uniform(&rows.parts, time);
        let options = TreeOptions { width, sample, ..TreeOptions::default() };
        let grown = grow_within(u64::MAX, &rows, &costs, &options).unwrap();
        prop_assert!(is_right(&rows, &grown, &costs), "{:?}", grown.0);
    }

    #[test]
    fn out_of_core_every_row_has_its_class(rows in functions(), few in 1..300_u64) {
        let options = TreeOptions { width: 2, few, ..TreeOptions::default() };
        let costs = costs(&rows);
        let grown = grow_out_of_core(&rows, &costs, &options).unwrap();
        prop_assert!(is_right(&rows, &grown, &costs), "{:?}", grown.0);
    }

    /// Without rollouts a tree is the greedy one, with a leaf exactly where its subtree costs no less.
    #[test]
    fn a_leaf_stands_where_it_costs_less_than_its_subtree(rows in functions(), few in 1..60_u64) {
        let (costs, options) = (costs(&rows), TreeOptions { width: 1, few, ..TreeOptions::default() });
        // A leaf of several classes costs more than any subtree in its place.
        let unpruned = with_leaf(&costs, &rows.parts, |counts| {
            let rows: u64 = counts.iter().sum();
            if counts.contains(&rows) { costs.leaf(counts) } else { (100 * rows * rows) as f32 }
        });
        let greedy = grow(&rows, &unpruned, &options).unwrap();
        let mut nodes = Vec::new();
        let (_, bits) = prune(&mut greedy.nodes.iter(), &costs, &mut nodes);
        for held in [0, u64::MAX] {
            let (tree, _) = grow_within(held, &rows, &costs, &options).unwrap();
            prop_assert_eq!(&tree.nodes, &nodes, "{} rows held", held);
            prop_assert!((tree.bits - bits).abs() < 1e-3);
        }
    }

    #[test]
    fn skipped_columns_have_no_better_test(rows in functions(), time in 0.0..0.1_f32) {
        let (costs, options) = (uniform(&rows.parts, time), TreeOptions::default());
        let dataset = Dataset::new(&rows).unwrap();
        let held = dataset.rows();
        let grower = Grower::new(&costs, &options, held.len() as u64);
        let best = |width| {
            let look = grower.look(held, width);
            look.candidates.first().map(|best| (best.column, best.low, best.high))
        };
        prop_assert_eq!(best(1), best(2));
    }

    /// A half has the histograms of its columns, whether or not the other half is a leaf.
    #[test]
    fn histograms_of_halves_are_those_of_their_columns(
        rows in functions(), column in 0..7_u16, low in 0..64_u8, high in 0..64_u8, keep in any::<u8>(), copies in 1..4_usize
    ) {
        let rows = MemoryRows { parts: rows.parts, rows: vec![rows.rows; copies].concat() };
        let dataset = Dataset::new(&rows).unwrap();
        let held = dataset.rows();
        let column = column % rows.parts.len() as u16;
        let parts = rows.parts[usize::from(column)];
        let (low, high) = (low.min(high) % parts, low.max(high) % parts);
        let test = Candidate { column, low: low.min(high), high: low.max(high), score: 0.0, bits: 0.0 };
        let keep: Vec<u16> = (0..rows.parts.len() as u16).filter(|column| keep >> column & 1 != 0).collect();
        let half = |half| match half { SplitSide::Rows(rows) => rows, SplitSide::Leaf(counts) => panic!("{counts:?}") };
        let (a, b) = held.split(&test, &keep, &|_| false);
        let (a, b) = (half(a), half(b));
        let tally: Vec<u64> = a.tally().iter().zip(b.tally()).map(|(a, b)| a + b).collect();
        prop_assert_eq!(tally, held.tally());
        let recounted = |rows: &NodeRows| rows.clone().counted().histograms().clone();
        for rows in [&a, &b] {
            prop_assert_eq!(&recounted(rows), rows.histograms());
        }
        // The same with memory reused: the bytes of a row still have the same index in all columns.
        let (c, d) = held.clone().into_halves(&test, &keep, &|_| false);
        for (copied, moved) in [(&a, half(c)), (&b, half(d))] {
            prop_assert_eq!(copied.histograms(), moved.histograms());
            prop_assert_eq!(&recounted(&moved), moved.histograms());
            for (column, _) in keep.iter().enumerate() {
                let test = Candidate { column: column as u16, low: 0, high: 0, score: 0.0, bits: 0.0 };
                let keep: Vec<u16> = (0..keep.len() as u16).collect();
                let (a, b) = copied.split(&test, &keep, &|_| false);
                let (c, d) = moved.clone().into_halves(&test, &keep, &|_| false);
                for (copied, moved) in [(a, c), (b, d)] {
                    let (copied, moved) = (half(copied), half(moved));
                    prop_assert_eq!(copied.histograms(), moved.histograms());
                }
            }
        }
        if a.tally() != b.tally() {
            for (wanted, leaf) in [(&b, a.tally()), (&a, b.tally())] {
                let halves = held.split(&test, &keep, &|counts| counts == leaf);
                let alone = if leaf == a.tally() { halves.1 } else { halves.0 };
                let alone = half(alone);
                prop_assert_eq!(alone.histograms(), wanted.histograms());
                prop_assert_eq!(&recounted(&alone), wanted.histograms());
            }
        }
    }
}

proptest! {
    // Every case starts two thread pools or makes two files.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn scratch_files_make_no_difference(rows in functions(), few in 4..30_u64) {
        let directory = tempfile::tempdir().unwrap();
        let (costs, plenty) = (costs(&rows), TreeOptions { width: 2, few, ..TreeOptions::default() });
        let (grown, _) = grow_out_of_core(&rows, &costs, &plenty).unwrap();
        let scratch = TreeOptions { scratch: Some(directory.path()), ..plenty };
        prop_assert_eq!(grow_out_of_core(&rows, &costs, &scratch).unwrap().0, grown);
    }

    #[test]
    fn the_number_of_threads_makes_no_difference(rows in functions()) {
        let many = (0..20).flat_map(|_| rows.rows.clone()).collect();
        let rows = MemoryRows { parts: rows.parts, rows: many };
        let grown = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let options = TreeOptions { few: 100, ..TreeOptions::default() };
            pool.install(|| grow_within(400, &rows, &costs(&rows), &options).unwrap().0)
        };
        prop_assert_eq!(grown(1), grown(4));
    }
}

#[test]
fn a_function_of_one_interval_is_one_test() {
    let rows = all_rows([8, 8, 8], |[_, b, _]| u8::from((3..=5).contains(&b)));
    let tree = grow(&rows, &costs(&rows), &TreeOptions::default()).unwrap();
    assert_eq!(text(&tree), "T 1 3 5, L [0, 192, 0], L [320, 0, 0]");
}

/// If two variables separate the same rows, the one that takes less time is tested, though it codes longer. A sample costs the
/// time of all rows that it stands for.
#[test]
fn time_counts() {
    let rows = all_rows([4, 8, 8], |[a, b, _]| u8::from(b < 4) + u8::from(a < 2 && b < 4));
    // Variable 0 is half of variable 2.
    let twice = |(row, class): &(Vec<u8>, u8)| ([&[row[1] / 2], &row[..]].concat(), *class);
    let rows: Vec<_> = rows.rows.iter().map(twice).collect();
    for (copies, held) in [(1, u64::MAX), (512, 1000)] {
        let rows = MemoryRows { parts: vec![4, 4, 8, 8], rows: vec![rows.clone(); copies].concat() };
        for (time, first) in [(0.0, 2), (24.0 / rows.rows.len() as f32, 0)] {
            let costs = uniform(&[63, 4, 8, 8], time);
            let options = TreeOptions { few: 1000, ..TreeOptions::default() };
            let (tree, _) = grow_within(held, &rows, &costs, &options).unwrap();
            assert_eq!(tree.nodes[0].test().unwrap().variable, first, "{}", text(&tree));
        }
    }
}

/// A sample takes more than its share of the rare class, which has one row in a hundred.
#[test]
fn a_sample_stands_for_all_rows() {
    let rows = all_rows([50, 60], |[a, b]| u8::from(a == 3 && b < 30));
    let dataset = Dataset::new(&rows).unwrap();
    let all = dataset.rows();
    assert_eq!((all.len(), all.weight()), (3000, 3000.0));
    let sample = all.sample(200);
    assert!(sample.len() < 300 && (sample.weight() - 3000.0).abs() < 0.1, "{} rows", sample.len());
    let test = Candidate { column: 1, low: 0, high: 29, score: 0.0, bits: 0.0 };
    let (SplitSide::Rows(a), SplitSide::Rows(b)) = sample.split(&test, &[0, 1], &|_| false) else {
        panic!("no leaf")
    };
    assert!((a.weight() + b.weight() - 3000.0).abs() < 0.1 && (a.weight() - 1500.0).abs() < 100.0);
    assert!((all.sample(200).sample(50).weight() - 3000.0).abs() < 0.1);
}

#[test]
fn one_row_among_many_is_an_exception() {
    let rows = all_rows([16, 16, 16], |[a, b, c]| u8::from((a, b, c) == (7, 3, 9)));
    let tree = grow(&rows, &costs(&rows), &TreeOptions::default()).unwrap();
    assert_eq!(text(&tree), "L [4095, 1, 0]");
}

#[test]
fn rows_with_equal_parts_and_another_class_are_exceptions() {
    let row = |class| (vec![1, 2], class);
    let rows = MemoryRows { parts: vec![4, 4], rows: vec![row(0), row(2), row(0), row(1), row(0)] };
    let tree = grow(&rows, &costs(&rows), &TreeOptions::default()).unwrap();
    assert_eq!(text(&tree), "L [3, 1, 1]");
}

#[test]
fn rollouts_find_pairs_of_tests() {
    // The first two variables together decide the class, and one of them alone has nearly no gain. The third alone decides the
    // class of a quarter of the rows, so that greedy growth begins with it. With the other two it is useless.
    let mut rows = all_rows([2, 2, 10, 16], |[a, b, ..]| a ^ b);
    let is_row = |parts: &[u8], class: u8| {
        (2 * class..2 * class + 8).contains(&parts[2]) && (parts[..2] != [0, 0] || parts[3] > 0)
    };
    rows.rows.retain(|(parts, class)| is_row(parts, *class));
    let costs = costs(&rows);
    let bits = |width| grow(&rows, &costs, &TreeOptions { width, ..TreeOptions::default() }).unwrap().bits;
    assert!(bits(8) < bits(1), "{} against {}", bits(8), bits(1));
}

#[test]
fn samples_find_the_tests_of_many_rows() {
    let class = |[a, b, c]: [u8; 3]| match (a, b, c) {
        (7, 33, 20) => 2,
        (0..40, 10..=50, _) => 1,
        _ => 0,
    };
    let rows = all_rows([64, 64, 32], class);
    let costs = costs(&rows);
    let options = TreeOptions { few: 4000, ..TreeOptions::default() };
    let grown = grow_out_of_core(&rows, &costs, &options).unwrap();
    assert!(is_right(&rows, &grown, &costs));
    let (tree, _) = grown;
    assert_eq!(leaves(&tree), 3);
    assert!((tree.bits - grow(&rows, &costs, &TreeOptions::default()).unwrap().bits).abs() < 0.1);
}

#[test]
fn too_many_parts_are_refused() {
    let rows = MemoryRows { parts: vec![4, 65], rows: vec![(vec![1, 1], 0)] };
    let error = grow(&rows, &costs(&rows), &TreeOptions::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Mismatch);
    assert!(error.to_string().contains("variable 1"), "{error}");
}

#[test]
fn a_callback_can_cancel() {
    let rows = all_rows([8, 8, 8], |[a, b, c]| (a * b + c) % 3);
    let stop = |_: &Progress| ControlFlow::Break(());
    let options = TreeOptions { progress: Monitor::new(&stop), ..TreeOptions::default() };
    let error: Error = grow(&rows, &costs(&rows), &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
}

/// Rows that count calls of `visit` and `for_rows`. The last field is the error of the tally.
struct Counted(MemoryRows, AtomicUsize, u64);

impl Rows for Counted {
    fn parts(&self) -> &[u8] {
        self.0.parts()
    }

    fn classes(&self) -> usize {
        self.0.classes()
    }

    fn slices(&self) -> usize {
        self.0.slices()
    }

    fn visit(&self, slice: usize, visit: &mut dyn FnMut(u32)) {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.visit(slice, visit);
    }

    fn class(&self, slice: usize, number: u32) -> u8 {
        self.0.class(slice, number)
    }

    fn number_bits(&self) -> u32 {
        self.0.number_bits()
    }

    fn for_rows(&self, rows: RowIds<'_>, visit: &mut dyn FnMut(usize, Parts<'_>)) {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.for_rows(rows, visit);
    }

    fn columns(&self, rows: RowIds<'_>, columns: &mut [u8], stride: usize) {
        self.0.columns(rows, columns, stride);
    }

    fn tally(&self) -> Vec<u64> {
        let mut tally = self.0.tally();
        tally[1] += self.2;
        tally
    }
}

#[test]
fn a_cancel_stops_visits_out_of_core() {
    let rows = Counted(all_rows([16, 16, 16], |[a, b, c]| (a * b + c) % 3), AtomicUsize::new(0), 0);
    let grown = |most: usize| {
        rows.1.store(0, Ordering::Relaxed);
        let go_on = |_: &Progress| match rows.1.load(Ordering::Relaxed) {
            visits if visits > most => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let progress = Monitor::new(&go_on);
        let options = TreeOptions { width: 1, few: 100, progress, ..TreeOptions::default() };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let result = pool.install(|| grow_out_of_core(&rows, &costs(&rows.0), &options));
        (result, rows.1.load(Ordering::Relaxed))
    };
    let (tree, all) = grown(usize::MAX);
    assert!(tree.is_ok() && all > rows.slices() + 10);
    for most in (0..rows.slices()).step_by(50).chain((rows.slices()..all).step_by(13)) {
        let (result, visits) = grown(most);
        assert_eq!(result.unwrap_err().kind(), ErrorKind::Cancelled);
        assert!(visits <= most + 3, "{visits} visits where {most} were wanted");
    }
}

#[test]
fn a_wrong_tally_is_refused() {
    let rows = Counted(all_rows([8, 8, 8], |[a, b, c]| (a * b + c) % 3), AtomicUsize::new(0), 1);
    for held in [100, 1000] {
        let grown = grow_within(held, &rows, &costs(&rows.0), &TreeOptions::default());
        assert_eq!(grown.unwrap_err().kind(), ErrorKind::Mismatch);
    }
}

#[test]
fn progress_ends_with_all_rows_decided() {
    let rows = all_rows([8, 8, 8], |[a, b, c]| (a * b + c) % 3);
    for (held, few) in [(1000, 100), (100, 20)] {
        // The least cubes and the most bits that were reported with all rows decided.
        let last = std::sync::Mutex::new((u64::MAX, 0.0_f64));
        let note = |now: &Progress| {
            assert_eq!((now.stage, now.total), ("tree", Some(512)));
            if now.done == 512 {
                let (mut last, (cubes, bits)) = (last.lock().unwrap(), now.result.unwrap());
                *last = (last.0.min(cubes), last.1.max(bits));
            }
            ControlFlow::Continue(())
        };
        let options = TreeOptions { width: 2, few, progress: Monitor::new(&note), ..TreeOptions::default() };
        let (tree, _) = grow_within(held, &rows, &costs(&rows), &options).unwrap();
        let (cubes, reported) = last.into_inner().unwrap();
        assert_eq!(cubes, leaves(&tree) as u64, "{held} rows held");
        // The most bits reported include subtrees that a leaf replaced.
        assert!((0.99 * tree.bits..1.5 * tree.bits).contains(&reported), "{reported} of {}", tree.bits);
    }
}
