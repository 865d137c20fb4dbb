//! The file of a table's distances to zeroing: rows, prices, growth, coding, and the exhaustive check.
//!
//! The rows of a side to move are the positions that it wins, the classes are their distances. A leaf has a prefix code for its
//! distances (`pcn/frozen/residual_code.rs`), the shortest for its numbers of positions (Huffman 1952), behind a filter where
//! one distance prevails.

use super::Options;
use super::chess_rows::ChessRows;
use super::cost::{BIT, TreeCost};
use super::memory::{check_exceptions, check_memory_of_distances, held_rows};
use super::sampled::PositionRows;
use super::shortest::Shortest;
use super::verify::{Symmetries, distinct_images, sum_over};
use crate::chess::model::{Model, VariableSet};
use crate::chess::position::{Color, Position, Wdl};
use crate::chess::retrograde::Table;
use crate::error::{Error, ErrorKind, Result};
use crate::learner::{ClassCounts, ClassTree, Parts, Price, RowIds, Rows, TreeOptions, grow_classes};
use crate::nodes::Node;
use crate::pcn::{
    DistanceFile, DistanceTree, Leaf, LeafDistances, MAX_CLASSES, MAX_LEVEL, MAX_WORD, PositionEquation,
    PositionHash, StaticFunction, System, solve,
};
use crate::probe::{DistanceProber, WonDistance};
use espresso::Monitor;
use rayon::prelude::*;

/// The positions that one side wins, with it to move; the classes are their distances, ascending.
struct DistanceRows<'a> {
    inner: ChessRows<'a>,
    plies: Vec<u16>,
    /// The class of each distance.
    classes: Vec<u8>,
}

impl<'a> DistanceRows<'a> {
    fn new(table: &'a Table, variables: &'a VariableSet, (turn, anchor): (Color, usize)) -> Result<Self> {
        let inner = ChessRows::new(table, variables, turn, anchor);
        let mut rows = DistanceRows { inner, plies: Vec::new(), classes: Vec::new() };
        let in_slice = |slice| {
            let mut met = Vec::new();
            rows.inner.visit(slice, &mut |number| {
                if let Some(plies) = rows.plies_of(slice, number) {
                    met.resize(met.len().max(plies + 1), false);
                    met[plies] = true;
                }
            });
            met
        };
        let union = |a: Vec<bool>, b: Vec<bool>| {
            let length = a.len().max(b.len());
            let has = |met: &[bool], plies| met.get(plies).copied().unwrap_or(false);
            (0..length).map(|plies| has(&a, plies) || has(&b, plies)).collect()
        };
        let met: Vec<bool> = (0..rows.inner.slices()).into_par_iter().map(in_slice).reduce(Vec::new, union);
        rows.classes = vec![0; met.len()];
        for plies in (0..met.len()).filter(|&plies| met[plies]) {
            rows.classes[plies] = rows.plies.len() as u8;
            rows.plies.push(plies as u16);
        }
        if rows.plies.len() > MAX_CLASSES {
            let why = format!("{} distances, where a file has up to {MAX_CLASSES}", rows.plies.len());
            return Err(Error::new(ErrorKind::BudgetExhausted, why));
        }
        Ok(rows)
    }

    /// The distance of a row; `None` for a position that is not won, or at a distance of 1, which is left out.
    fn plies_of(&self, slice: usize, number: u32) -> Option<usize> {
        let position = self.inner.position(slice, number);
        let (outcome, plies) = self.inner.table.value_and_distance(&position)?;
        let plies = plies as usize;
        (outcome == Wdl::Win && plies > 1).then_some(plies)
    }
}

impl Rows for DistanceRows<'_> {
    fn parts(&self) -> &[u8] {
        self.inner.parts()
    }

    fn classes(&self) -> usize {
        self.plies.len().max(1)
    }

    fn slices(&self) -> usize {
        self.inner.slices()
    }

    fn number_bits(&self) -> u32 {
        self.inner.number_bits()
    }

    fn visit(&self, slice: usize, visit: &mut dyn FnMut(u32)) {
        self.inner.visit(slice, &mut |number| {
            if self.plies_of(slice, number).is_some() {
                visit(number);
            }
        });
    }

    fn class(&self, slice: usize, number: u32) -> u8 {
        self.plies_of(slice, number).map_or(0, |plies| self.classes[plies])
    }

    fn for_rows(&self, rows: RowIds<'_>, visit: &mut dyn FnMut(usize, Parts<'_>)) {
        self.inner.for_rows(rows, visit);
    }

    fn columns(&self, rows: RowIds<'_>, columns: &mut [u8], stride: usize) {
        self.inner.columns(rows, columns, stride);
    }
}

/// The shortest code of a leaf, and its equations.
struct LeafCode {
    leaf: LeafDistances,
    filter: u64,
    decision: u64,
}

impl LeafCode {
    /// Returns the code of a leaf with these numbers of positions by class. At least one number is not 0.
    fn new(counts: &[(u8, u64)]) -> Self {
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

/// The prices of a leaf, of its code if it has one, and of each word of the code, in 256ths of a bit: about what the coder takes in
/// trees of thousands of leaves.
const LEAF: u32 = 43 * BIT / 10;
const CODE: u32 = 8 * BIT / 5;
const WORD: u32 = 11 * BIT / 5;

/// The prices of a tree of distances.
struct Prices {
    cost: TreeCost,
    least: f32,
}

impl Prices {
    fn fresh(rows: &DistanceRows<'_>) -> Self {
        Self::of(TreeCost::fresh(rows.parts(), 1), rows)
    }

    fn fitted(tree: &DistanceTree, rows: &DistanceRows<'_>) -> Self {
        // The outcomes of the leaves do not matter for the prices of tests.
        let nodes = tree.nodes.iter().map(|node| node.map(|_| Leaf::from(Wdl::Draw)));
        Self::of(TreeCost::of(rows.parts(), &[tree.leaves.len() as u64], nodes), rows)
    }

    fn of(cost: TreeCost, rows: &DistanceRows<'_>) -> Self {
        let parts = rows.parts();
        let tests = (0..parts.len()).flat_map(|variable| {
            let cost = &cost;
            (0..parts[variable] - 1).map(move |high| cost.test(variable, 0, high))
        });
        let least = (tests.min().unwrap_or(0) + 2 * LEAF) as f32 / BIT as f32;
        Prices { cost, least }
    }
}

impl Price for Prices {
    fn test(&self, variable: usize, low: u8, high: u8) -> f32 {
        self.cost.test(variable, low, high) as f32 / BIT as f32
    }

    fn leaf(&self, counts: &[u64]) -> f32 {
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

    fn least_test(&self) -> f32 {
        self.least
    }
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
    let rows =
        sides.clone().map(|side| DistanceRows::new(table, &variables, side)).collect::<Result<Vec<_>>>()?;
    let (mut trees, mut positions) = (Vec::new(), 0);
    for (rows, (_, anchor)) in rows.iter().zip(sides) {
        let tree = if rows.plies.is_empty() { None } else { Some(tree_of(rows, options, &mut positions)?) };
        trees.push((anchor, tree));
    }
    let leaves = trees.iter().filter_map(|(_, tree)| tree.as_ref()).map(|tree| tree.leaves.len()).sum();
    let file = DistanceFile { material, model, table_hash: table.hash(), omits_one: true, sides: trees };
    let bytes = file.encode()?;
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
    let prober = DistanceProber::of_trusted(bytes)?;
    let material = table.material();
    let refuse = |why: String| Err(Error::new(ErrorKind::Mismatch, format!("{material}: {why}")));
    if prober.table_hash() != table.hash() {
        return refuse("the distances are of another outcome table".into());
    }
    sum_over(table, progress, |position, outcome| {
        if outcome != Wdl::Win {
            return Ok(0);
        }
        let plies = table.value_and_distance(position).map_or(0, |(_, plies)| plies);
        let check =
            |image: &Position| match prober.distance(image.packed(), image.en_passant(), image.turn())? {
                WonDistance::UnlessZeroing(_) if plies == 1 => Ok(0),
                WonDistance::UnlessZeroing(found) | WonDistance::Exact(found) if found == plies => Ok(1),
                WonDistance::UnlessZeroing(found) | WonDistance::Exact(found) => {
                    refuse(format!("the file says {found} plies, the table {plies}: {}", image.to_fen()))
                }
            };
        distinct_images(position, symmetries.of(material)).try_fold(0, |sum, image| Ok(sum + check(&image)?))
    })
}

fn tree_of(rows: &DistanceRows<'_>, options: &Options<'_>, positions: &mut u64) -> Result<DistanceTree> {
    let mut price = Prices::fresh(rows);
    let mut shortest = Shortest::new();
    let held = held_rows(rows.inner.variables, options.memory) as usize;
    for &width in widths(options.effort) {
        let growing = TreeOptions {
            width,
            sample: if width < 6 { 1 << 14 } else { 1 << 16 },
            progress: options.progress,
            ..TreeOptions::default()
        };
        let grown = grow_classes(rows, &price, &growing, held)?;
        let (tree, blank) = blank(&grown, rows);
        price = Prices::fitted(&tree, rows);
        let bytes = tree.node_bytes(rows.parts())? + blank as usize / 8;
        let mut end = 0;
        let of_leaf = |counts: &ClassCounts| {
            end += counts.iter().map(|&(_, count)| count as usize).sum::<usize>();
            end
        };
        let ends: Vec<usize> = grown.nodes.iter().filter_map(Node::leaf).map(of_leaf).collect();
        shortest.offer((tree, grown.numbers, ends, blank, bytes), 0.0, |offered| Ok(offered.4))?;
    }
    let (mut tree, numbers, ends, equations, _) = shortest.into_inner().expect("every effort has a growth");
    // The numbers of the rows, their hashes with distances, and those with words.
    let held = rows.inner.table_bytes() + 40 * numbers.len() as u64;
    check_exceptions(&rows.inner.name(), held, equations, options.memory)?;
    *positions += numbers.len() as u64;
    tree.function = function(&pieces(&tree.leaves, &numbers, &ends), rows)?;
    Ok(tree)
}

/// Returns the tree without its static function, and the number of its equations.
fn blank(grown: &ClassTree, rows: &DistanceRows<'_>) -> (DistanceTree, u64) {
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
    (
        DistanceTree { nodes, leaves, plies: rows.plies.clone(), function: StaticFunction::default() },
        equations,
    )
}

/// A leaf and some of its rows.
type Piece<'a> = (&'a LeafDistances, &'a [u64]);

/// The rows that a thread processes at a time.
const CHUNK: usize = 1 << 14;

/// Returns the static function of the leaves; `pieces` are the rows of those with several distances.
fn function(pieces: &[Piece<'_>], rows: &DistanceRows<'_>) -> Result<StaticFunction> {
    let kept = |numbers: &[u64], keeps: &dyn Fn(PositionHash, u8) -> bool| {
        let row = |&number: &u64| {
            let (slice, number) = ((number >> 32) as usize, number as u32);
            let (hash, class) = (rows.inner.hash(slice, number), rows.class(slice, number));
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
