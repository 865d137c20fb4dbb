//! The file of a table's distances to zeroing: rows, costs, growth, coding, and the exhaustive check.
//!
//! The rows of a side to move are the positions that it wins, the classes are their distances. A leaf has a prefix code for its
//! distances (`pcn/frozen/residual_code.rs`), the shortest for its numbers of positions (Huffman 1952), behind a filter where
//! one distance prevails.

use super::Options;
use super::chess_rows::ChessRows;
use super::code_lengths::{BIT, CodeLengths};
use super::memory::{check_exceptions, check_memory_of_distances, held_rows};
use super::sampled::PositionRows;
use super::shortest::Shortest;
use super::verify::{Symmetries, distinct_images, sum_over};
use crate::chess::model::Model;
use crate::chess::position::{Position, Wdl};
use crate::chess::retrograde::Table;
use crate::error::{Error, ErrorKind, Result};
use crate::learner::{ClassCounts, ClassTree, CostModel, Rows, TreeOptions, grow_classes};
use crate::nodes::Node;
use crate::pcn::{
    DistanceFile, DistanceTree, Leaf, LeafDistances, MAX_CLASSES, MAX_LEVEL, MAX_WORD, PositionEquation,
    PositionHash, StaticFunction, System, solve,
};
use crate::probe::DistanceProber;
use espresso::Monitor;
use rayon::prelude::*;

/// The shortest code of a leaf, and its equations.
pub(super) struct LeafCode {
    pub(super) leaf: LeafDistances,
    pub(super) filter: u64,
    pub(super) decision: u64,
}

impl LeafCode {
    /// Returns the code of a leaf with these numbers of positions by class. At least one number is not 0.
    pub(super) fn new(counts: &[(u8, u64)]) -> Self {
        let &(usual, most) =
            counts.iter().max_by_key(|(class, count)| (*count, 255 - class)).unwrap_or(&(0, 0));
        let all: u64 = counts.iter().map(|(_, count)| count).sum();
        let others = all - most;
        let pure = LeafDistances { usual, level: 0, words: Vec::new() };
        if others == 0 {
            return LeafCode { leaf: pure, filter: 0, decision: 0 };
        }
        // The level near which the filter pays, and those around it.
        let near = (most / others).max(1).ilog2().min(MAX_LEVEL.into()) as u8;
        let mut weights: Vec<(u64, u8)> = Vec::with_capacity(counts.len());
        let mut best: Option<LeafCode> = None;
        for level in near.saturating_sub(1)..=(near + 1).min(MAX_LEVEL) {
            weights.clear();
            weights.extend(counts.iter().map(|&(class, count)| {
                (if class == usual { (count >> level).max(1) } else { count }, class)
            }));
            let lengths = word_lengths(&mut weights);
            let decision = lengths.iter().map(|&(weight, length, _)| weight * u64::from(length)).sum();
            let filter = others * u64::from(level);
            if best.as_ref().is_none_or(|best| filter + decision < best.filter + best.decision) {
                let mut words: Vec<(u8, u8)> =
                    lengths.iter().map(|&(_, length, class)| (length, class)).collect();
                let apart = |class: u8| 2 * class.abs_diff(usual) as u16 + u16::from(class < usual);
                words.sort_unstable_by_key(|&(length, class)| (length, apart(class)));
                let leaf = LeafDistances { usual, level, words };
                best = Some(LeafCode { leaf, filter, decision });
            }
        }
        best.unwrap_or(LeafCode { leaf: pure, filter: 0, decision: 0 })
    }
}

/// Returns the weight, the length of the word and the class of each class, by Huffman's algorithm. Weights are above 0.
fn word_lengths(weights: &mut [(u64, u8)]) -> Vec<(u64, u8, u8)> {
    loop {
        weights.sort_unstable_by_key(|&(weight, class)| (std::cmp::Reverse(weight), class));
        let count = weights.len();
        // The nodes: the leaves by rising weight, then the inner nodes in the order in which they are made.
        let mut sums: Vec<u64> = weights.iter().rev().map(|(weight, _)| *weight).collect();
        let mut parents = vec![0; 2 * count - 1];
        let (mut leaf, mut inner) = (0, count);
        for made in count..2 * count - 1 {
            let mut sum = 0;
            for _ in 0..2 {
                let least = if leaf < count && (inner >= made || sums[leaf] <= sums[inner]) {
                    &mut leaf
                } else {
                    &mut inner
                };
                sum += sums[*least];
                parents[*least] = made;
                *least += 1;
            }
            sums.push(sum);
        }
        let mut depths = vec![0_u8; 2 * count - 1];
        for node in (0..2 * count - 2).rev() {
            depths[node] = depths[parents[node]] + 1;
        }
        if depths.iter().all(|&depth| depth <= MAX_WORD) {
            return weights
                .iter()
                .enumerate()
                .map(|(at, &(weight, class))| (weight, depths[count - 1 - at], class))
                .collect();
        }
        // Flatter weights have shorter words.
        weights.iter_mut().for_each(|(weight, _)| *weight = *weight / 4 + 1);
    }
}

/// The lengths of a leaf, of its code if it has one, and of each word of the code, in 256ths of a bit: about what the coder takes in
/// trees of thousands of leaves.
const LEAF: u32 = 43 * BIT / 10;
const CODE: u32 = 8 * BIT / 5;
const WORD: u32 = 11 * BIT / 5;

/// The costs of a tree of distances at these code lengths.
fn costs(lengths: &CodeLengths, parts: &[u8]) -> CostModel<'static> {
    costs_with(lengths, parts, leaf_bits)
}

/// The costs of a tree with these code lengths, and the bits of leaves by their counts.
pub(super) fn costs_with(
    lengths: &CodeLengths,
    parts: &[u8],
    leaf_bits: impl Fn(&[u64]) -> f32 + Sync + 'static,
) -> CostModel<'static> {
    let bits = |length: u32| length as f32 / BIT as f32;
    let test = |variable, low, high| bits(lengths.test(variable, low, high));
    let prefixes =
        (0..parts.len()).flat_map(|variable| (0..parts[variable] - 1).map(move |high| (variable, high)));
    let least = prefixes.map(|(variable, high)| lengths.test(variable, 0, high)).min();
    let mut costs = CostModel::new(parts, test, leaf_bits, bits(LEAF));
    costs.least_test = bits(least.unwrap_or(0) + 2 * LEAF);
    costs
}

/// The code lengths by the counts in `tree`.
pub(super) fn fitted_lengths(tree: &DistanceTree, parts: &[u8]) -> CodeLengths {
    // The outcomes of the leaves do not matter for the lengths of tests.
    let nodes = tree.nodes.iter().map(|node| node.map(|_| Leaf::from(Wdl::Draw)));
    CodeLengths::of(parts, &[tree.leaves.len() as u64], nodes)
}

fn leaf_bits(counts: &[u64]) -> f32 {
    let counts: Vec<(u8, u64)> = counts
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0)
        .map(|(class, &count)| (class as u8, count))
        .collect();
    let LeafCode { leaf, filter, decision } = LeafCode::new(&counts);
    let words = leaf.words.len() as u64;
    let code = if words > 0 { CODE + WORD * words as u32 } else { 0 };
    // A bit for each equation, and the overhead of shards and rounding.
    let equations = (filter + decision) * u64::from(BIT) * 129 / 128;
    (equations + u64::from(LEAF + code)) as f32 / BIT as f32
}

/// A checked file of distances.
#[derive(Clone, Debug)]
pub struct BuiltDistances {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// The input model.
    pub model: Model,
    /// The number of leaves.
    pub leaves: usize,
    /// The positions whose distances it stores.
    pub positions: u64,
}

/// The widths of the growths of each effort, the last of effort 4 on larger samples. Measured: docs/decisions/distances.md.
const fn widths(effort: u8) -> &'static [usize] {
    match effort {
        ..=1 => &[1],
        2 => &[1, 1],
        3 => &[1, 4],
        4.. => &[1, 4, 6],
    }
}

/// Returns the file of the distances in `table`, whose metric is that to zeroing. Every stored distance is decoded and compared
/// with the table.
///
/// # Errors
/// As [`build`](super::build).
pub fn build_distances(table: &Table, options: &Options<'_>) -> Result<BuiltDistances> {
    let material = *table.material();
    check_memory_of_distances(&[material], options)?;
    let model = options.model_of_distances();
    let variables = model.variable_set(&material);
    // The king of the side that loses leads.
    let sides = material.stored_turns().iter().map(|turn| (*turn, turn.other().index()));
    let rows: Vec<_> = sides.clone().map(|side| ChessRows::of_distances(table, &variables, side)).collect();
    if let Some(classes) = rows.iter().map(|rows| rows.values().len()).find(|&classes| classes > MAX_CLASSES)
    {
        let why = format!("{classes} distances, where a file has up to {MAX_CLASSES}");
        return Err(Error::new(ErrorKind::BudgetExhausted, why));
    }
    let (mut trees, mut positions) = (Vec::new(), 0);
    for (rows, (_, anchor)) in rows.iter().zip(sides) {
        let tree =
            if rows.values().is_empty() { None } else { Some(tree_of(rows, options, &mut positions)?) };
        trees.push((anchor, tree));
    }
    let leaves = trees.iter().filter_map(|(_, tree)| tree.as_ref()).map(|tree| tree.leaves.len()).sum();
    let bytes =
        DistanceFile { material, model, table_hash: table.hash(), pairs: None, sides: trees }.encode()?;
    verify_distances(&bytes, table, Symmetries::One, options.progress)?;
    Ok(BuiltDistances { bytes, model, leaves, positions })
}

/// Decodes every distance that a file with these bytes stores, and compares it with `table`, for these images of the canonical
/// positions. Returns their number.
///
/// # Errors
/// [`ErrorKind::Mismatch`] with an example if a distance differs, or the file is of other outcomes; those of reading the file;
/// [`ErrorKind::Cancelled`] if `progress` breaks.
pub fn verify_distances(
    bytes: &[u8],
    table: &Table,
    symmetries: Symmetries,
    progress: Monitor<'_>,
) -> Result<u64> {
    let prober = prober_of(bytes, table)?;
    let material = table.material();
    let refuse = |why: String| Err(Error::new(ErrorKind::Mismatch, format!("{material}: {why}")));
    sum_over(table, progress, |slot, position, outcome| {
        if outcome != Wdl::Win {
            return Ok(0);
        }
        let plies = table.distance_in(position.turn(), slot);
        let check =
            |image: &Position| match prober.distance(image.packed(), image.en_passant(), image.turn())? {
                _ if plies == 1 => Ok(0),
                found if found == plies => Ok(1),
                found => {
                    refuse(format!("the file says {found} plies, the table {plies}: {}", image.to_fen()))
                }
            };
        distinct_images(position, symmetries.of(material)).try_fold(0, |sum, image| Ok(sum + check(&image)?))
    })
}

/// The prober of a file with these bytes.
///
/// # Errors
/// [`ErrorKind::Mismatch`] if the file is not of `table`; those of reading it.
pub(super) fn prober_of(bytes: &[u8], table: &Table) -> Result<DistanceProber> {
    let prober = DistanceProber::of_trusted(bytes)?;
    if prober.table_hash() != table.hash() {
        let why = format!("{}: the file is of another outcome table", table.material());
        return Err(Error::new(ErrorKind::Mismatch, why));
    }
    Ok(prober)
}

/// Returns the smallest tree of the classes of `rows`, and adds their number to `positions`.
pub(super) fn tree_of(
    rows: &ChessRows<'_>,
    options: &Options<'_>,
    positions: &mut u64,
) -> Result<DistanceTree> {
    let mut costs = self::costs(&CodeLengths::fresh(rows.parts(), 1), rows.parts());
    let mut shortest = Shortest::new();
    let held = held_rows(rows.variables, options.memory) as usize;
    for &width in widths(options.effort) {
        let growing = TreeOptions {
            width,
            sample: if width < 6 { 1 << 14 } else { 1 << 16 },
            progress: options.progress,
            ..TreeOptions::default()
        };
        let grown = grow_classes(rows, &costs, &growing, held)?;
        let (tree, equations) = blank(&grown, rows.values().to_vec());
        costs = self::costs(&fitted_lengths(&tree, rows.parts()), rows.parts());
        let bytes = tree.node_bytes(rows.parts())? + equations as usize / 8;
        shortest.offer((grown, bytes), 0.0, |offered| Ok(offered.1))?;
    }
    let (grown, _) = shortest.into_inner().expect("every effort has a growth");
    *positions += grown.numbers.len() as u64;
    coded(&grown, rows, options)
}

/// Returns the tree of the classes of `rows`, with its static function.
pub(super) fn coded(grown: &ClassTree, rows: &ChessRows<'_>, options: &Options<'_>) -> Result<DistanceTree> {
    let (mut tree, equations) = blank(grown, rows.values().to_vec());
    let numbers = &grown.numbers;
    let mut end = 0;
    let of_leaf = |counts: &ClassCounts| {
        end += counts.iter().map(|&(_, count)| count as usize).sum::<usize>();
        end
    };
    let ends: Vec<usize> = grown.nodes.iter().filter_map(Node::leaf).map(of_leaf).collect();
    // The numbers of the rows, their hashes with distances, and those with words.
    let held = rows.table_bytes() + 40 * numbers.len() as u64;
    check_exceptions(&rows.name(), held, equations, options.memory)?;
    tree.function = function(&pieces(&tree.leaves, numbers, &ends), rows)?;
    Ok(tree)
}

/// Returns the tree without its static function, and the number of its equations. `plies` are the distances of the classes.
pub(super) fn blank(grown: &ClassTree, plies: Vec<u16>) -> (DistanceTree, u64) {
    let (mut leaves, mut equations) = (Vec::new(), 0);
    let mut leaf = |counts: &ClassCounts| {
        let counts: Vec<(u8, u64)> = counts.iter().map(|&(class, count)| (class, count.into())).collect();
        let LeafCode { leaf, filter, decision } = LeafCode::new(&counts);
        equations += filter + decision;
        leaves.push(leaf);
        leaves.len() as u32 - 1
    };
    let nodes = grown.nodes.iter().map(|node| match node {
        Node::Test(test) => Node::Test(*test),
        Node::Leaf(counts) => Node::Leaf(leaf(counts)),
    });
    let nodes = nodes.collect();
    (DistanceTree { nodes, leaves, plies, function: StaticFunction::default() }, equations)
}

/// A leaf and some of its rows.
type Piece<'a> = (&'a LeafDistances, &'a [u64]);

/// The rows that a thread processes at a time.
const CHUNK: usize = 1 << 14;

/// Returns the static function of the leaves; `pieces` are the rows of those with several distances.
fn function(pieces: &[Piece<'_>], rows: &ChessRows<'_>) -> Result<StaticFunction> {
    let kept = |numbers: &[u64], keeps: &dyn Fn(PositionHash, u8) -> bool| {
        let row = |&number: &u64| {
            let (slice, number) = ((number >> 32) as usize, number as u32);
            let (hash, class) = (rows.hash(slice, number), rows.class(slice, number));
            keeps(hash, class).then_some((hash, class))
        };
        numbers.iter().filter_map(row).collect::<Vec<_>>()
    };
    if pieces.is_empty() {
        return Ok(StaticFunction::default());
    }
    let behind_filter = pieces.par_iter().filter(|(leaf, _)| leaf.level > 0);
    let others: Vec<_> = behind_filter
        .map(|&(leaf, numbers)| (leaf.level, kept(numbers, &|_, class| class != leaf.usual)))
        .collect();
    let equations = others.iter().flat_map(|(level, rows)| {
        rows.iter().flat_map(move |&(hash, _)| PositionEquation::filter(hash, *level))
    });
    let filter = if others.is_empty() { System::default() } else { solve(&equations)? };
    let word = |&(leaf, numbers): &Piece<'_>| {
        let passing = kept(numbers, &|hash, _| filter.passes(hash, leaf.level));
        passing.into_iter().filter_map(|(hash, class)| Some((hash, leaf.word(class)?))).collect()
    };
    let words: Vec<Vec<_>> = pieces.par_iter().map(word).collect();
    let equations = words.iter().flatten().flat_map(|&(hash, word)| PositionEquation::word(hash, word));
    Ok(StaticFunction::new(filter, solve(&equations)?))
}

/// The rows of each leaf with several distances. `numbers` are all rows in the order of the leaves, `ends` the ends of the leaves.
fn pieces<'a>(leaves: &'a [LeafDistances], numbers: &'a [u64], ends: &[usize]) -> Vec<Piece<'a>> {
    let mut start = 0;
    let mut pieces = Vec::new();
    for (leaf, &end) in leaves.iter().zip(ends) {
        if !leaf.words.is_empty() {
            pieces.extend(numbers[start..end].chunks(CHUNK).map(|numbers| (leaf, numbers)));
        }
        start = end;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::retrograde::Store;
    use crate::pcn::DistanceSummary;
    use crate::retrograde::Metric;

    fn table(name: &str) -> std::sync::Arc<Table> {
        Store::new(None).with_metric(Metric::Dtz).get(&name.parse().unwrap()).unwrap()
    }

    fn built(table: &Table, effort: u8) -> BuiltDistances {
        let options = Options { models: vec![Model::Geometry], ..Options::default() };
        // Every distance is checked.
        build_distances(table, &options.with_effort(effort)).unwrap()
    }

    /// Also for a table that both sides win, a symmetric one, and one that nobody wins.
    #[test]
    fn every_stored_distance_is_that_of_the_table() {
        for (name, longest) in [("KRvK", Some(31)), ("KQvKP", Some(52)), ("KQvKQ", Some(19)), ("KBvK", None)]
        {
            let built = built(&table(name), 1);
            let summary = DistanceSummary::decode(&built.bytes).unwrap();
            let found = summary.sides.iter().flatten().map(|side| side.longest).max();
            assert_eq!(found, longest, "{name}");
        }
    }

    #[test]
    fn more_effort_makes_smaller_files_and_threads_make_no_difference() {
        let table = table("KQvK");
        let bytes = |threads, effort| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| built(&table, effort).bytes)
        };
        let [fast, best] = [1, 3].map(|effort| bytes(2, effort));
        assert!(best.len() < fast.len());
        assert_eq!(bytes(1, 3), best);
    }

    #[test]
    fn distances_of_another_table_are_refused() {
        let bytes = built(&table("KQvK"), 1).bytes;
        let error =
            verify_distances(&bytes, &table("KRvK"), Symmetries::One, Monitor::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Mismatch);
    }

    /// Weights whose words would be too long get flatter ones, and the words still fill the code.
    #[test]
    fn words_of_any_weights_fill_the_code() {
        let fibonacci = |count: usize| {
            let mut weights = vec![1_u64, 1];
            (2..count).for_each(|at| weights.push(weights[at - 1] + weights[at - 2]));
            weights
        };
        for weights in [vec![1, 1], vec![9, 1, 1], fibonacci(60), vec![7; 255]] {
            let counts: Vec<(u8, u64)> = (0..).zip(weights).collect();
            let LeafCode { leaf, .. } = LeafCode::new(&counts);
            let share: u32 = leaf.words.iter().map(|(length, _)| 1 << (MAX_WORD - length)).sum();
            assert_eq!((share, leaf.words.len()), (1 << MAX_WORD, counts.len()));
        }
    }
}
