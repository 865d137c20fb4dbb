//! Properties of trees and their code.

use super::frozen::reader::Reader;
use super::frozen::static_function::{PositionHash, StaticFunction, System};
use super::frozen::tree::{Excepted, Leaf, Node, Tree};
use super::frozen::tree_code::{code, decode, encode};
use super::noise::{self, Noise};
use super::solution::Solution;
use crate::chess::position::Wdl;
use crate::error::ErrorKind;
use crate::nodes::Test;
use proptest::prelude::*;
use std::collections::HashMap;

/// The shape of random trees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taste {
    /// One node in so many is a leaf.
    pub(super) leaf: usize,
    /// One leaf in so many has exceptions; none if 0.
    pub(super) exceptions: usize,
    pub(super) classes: usize,
}

fn leaf(noise: &mut Noise, taste: Taste) -> Leaf {
    let outcome = Wdl::ALL[noise.below(taste.classes)];
    let has = taste.classes > 1 && taste.exceptions > 0 && noise.below(taste.exceptions) == 0;
    let other = Wdl::ALL[(outcome.index() + 1 + noise.below(2)) % 3];
    let other = (taste.classes == 2).then_some(Wdl::ALL[1 - outcome.index() % 2]).or(Some(other));
    let excepted = |noise: &mut Noise| Excepted {
        level: noise.below(32) as u8,
        outcome: other.filter(|_| taste.classes == 2 || noise.below(3) > 0),
    };
    Leaf { outcome, exceptions: has.then(|| excepted(noise)) }
}

/// Returns `tree` with a random static function, if its leaves have exceptions.
fn with_function(tree: Tree, noise: &mut Noise) -> Tree {
    let Some(max_level) = tree.max_level() else { return tree };
    let mut system = |shards: usize| {
        let solution = |_| {
            let (seed, count) = (noise.below(16) as u16, 1 + noise.below(300));
            Solution { seed, unknowns: (0..count).map(|_| noise.below(2) == 1).collect() }
        };
        System::new(&(0..shards).map(solution).collect::<Vec<_>>())
    };
    let filter = system(if max_level == 0 { 0 } else { 2 });
    let function = StaticFunction::new(filter, system(1));
    tree.with_exceptions(function)
}

/// Nodes of a random tree. Its tests may send all positions to one child.
pub(super) fn random(parts: &[u8], taste: Taste, depth: usize, seed: u64) -> Vec<Node> {
    let mut nodes = Vec::new();
    let mut leaf = |noise: &mut Noise| leaf(noise, taste);
    noise::grow(parts, depth, taste.leaf, &mut Noise(seed | 1), &mut leaf, &mut nodes);
    nodes
}

/// The leaf that `position` reaches among `nodes`, by the definition.
fn reached<'a>(nodes: &'a [Node], position: &[u8]) -> &'a Leaf {
    fn skip(nodes: &[Node], at: usize) -> usize {
        match nodes[at] {
            Node::Leaf(_) => at + 1,
            Node::Test(_) => skip(nodes, skip(nodes, at + 1)),
        }
    }
    let mut at = 0;
    loop {
        match &nodes[at] {
            Node::Leaf(leaf) => return leaf,
            Node::Test(test) => {
                let inside = (test.low..=test.high).contains(&position[usize::from(test.variable)]);
                at = if inside { at + 1 } else { skip(nodes, at + 1) };
            }
        }
    }
}

/// Asserts that a tree is in normal form, by the words of FORMAT.md.
fn assert_normal(tree: &Tree, parts: &[u8]) {
    let mut before: Option<(Leaf, Vec<(Test, bool)>)> = None;
    tree.paths(|leaf, path| {
        let mut left: HashMap<u16, Vec<u8>> = HashMap::new();
        for &(test, first) in path {
            let all = parts[usize::from(test.variable)];
            let left = left.entry(test.variable).or_insert_with(|| (0..all).collect());
            let is_inside = |part: &u8| (test.low..=test.high).contains(part);
            assert!(left.iter().any(is_inside) && !is_inside(left.last().unwrap()));
            assert!(left.contains(&test.high));
            assert!(test.low == 0 || left.contains(&test.low) && left[0] < test.low);
            left.retain(|part| is_inside(part) == first);
        }
        if let (Some((sibling, beside)), Some(((_, false), above))) = (&before, path.split_last())
            && beside.len() == path.len()
            && beside.starts_with(above)
        {
            assert!(leaf.exceptions.or(sibling.exceptions).is_some() || leaf.outcome != sibling.outcome);
        }
        before = Some((*leaf, path.to_vec()));
    });
}

/// Decodes `code`, the code of `tree`, and adds the static function of `tree`.
fn decoded(tree: &Tree, code: &[u8], parts: &[u8]) -> crate::Result<Tree> {
    let decoded = decode(code, parts, tree.max_level().is_some())?;
    Ok(decoded.with_exceptions(tree.exceptions().clone()))
}

fn parts() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop_oneof![Just(2_u8), 2..=16_u8, Just(64_u8)], 1..300)
}

pub(super) fn taste() -> impl Strategy<Value = Taste> {
    (2..30_usize, 0..6_usize, 1..=3_usize).prop_map(|(leaf, exceptions, classes)| Taste {
        leaf,
        exceptions,
        classes,
    })
}

proptest! {
    #[test]
    fn normal_form_has_the_same_leaves(
        parts in parts(), taste in taste(), depth in 0..10_usize, seed: u64, positions: [u64; 8],
    ) {
        let nodes = random(&parts, taste, depth, seed);
        let tree = Tree::new(nodes.clone(), &parts).unwrap();
        for position in positions {
            let mut noise = Noise(position | 1);
            let position: Vec<u8> = parts.iter().map(|&parts| noise.below(parts.into()) as u8).collect();
            prop_assert_eq!(reached(&nodes, &position), reached(tree.nodes(), &position));
        }
        assert_normal(&tree, &parts);
        let has_exceptions = tree.max_level().is_some();
        prop_assert_eq!(tree.check(&parts).is_err(), has_exceptions);
        let tree = with_function(tree, &mut Noise(seed | 1));
        prop_assert!(tree.check(&parts).is_ok());
        let nothing = tree.with_exceptions(StaticFunction::default());
        prop_assert_eq!(nothing.check(&parts).is_err(), has_exceptions);
    }

    #[test]
    fn trees_that_are_not_normal_are_refused(
        parts in prop::collection::vec(2..=4_u8, 1..4), taste in taste(), depth in 0..4_usize, seed: u64,
    ) {
        let given = Tree::from_preorder(random(&parts, taste, depth, seed)).unwrap();
        let given = with_function(given, &mut Noise(seed | 1));
        let normal = Tree::new(given.nodes().to_vec(), &parts).unwrap().with_exceptions(given.exceptions().clone());
        let is_refused = given.check(&parts).is_err();
        prop_assert_eq!(is_refused, normal != given);
    }

    #[test]
    fn trees_come_back(parts in parts(), taste in taste(), depth in 0..10_usize, seed: u64) {
        let tree = Tree::new(random(&parts, taste, depth, seed), &parts).unwrap();
        let tree = with_function(tree, &mut Noise(seed | 1));
        if let Some((code, _)) = encode(&tree, &parts) {
            prop_assert_eq!(decoded(&tree, &code, &parts).unwrap(), tree);
        }
    }

    #[test]
    fn any_code_is_acceptable(
        code in prop::collection::vec(any::<u8>(), 0..100), parts in parts(), has_exceptions: bool,
    ) {
        if let Ok(tree) = decode(&code, &parts, has_exceptions) {
            prop_assert!(tree.nodes().len() <= 8 * (code.len() + 8));
            prop_assert!(has_exceptions || tree.max_level().is_none());
            prop_assert_eq!(tree.check(&parts).is_ok(), tree.max_level().is_none());
        }
    }

    #[test]
    fn functions_come_back_and_any_bytes_are_acceptable(seed: u64, bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut noise = Noise(seed | 1);
        let excepted = Excepted { level: noise.below(3) as u8, outcome: Some(Wdl::Loss) };
        let leaf = Node::Leaf(Leaf { outcome: Wdl::Win, exceptions: Some(excepted) });
        let tree = with_function(Tree::new(vec![leaf], &[2]).unwrap(), &mut noise);
        let max_level = tree.max_level().unwrap();
        let mut written = Vec::new();
        tree.exceptions().write(&mut written);
        let read = StaticFunction::read(&mut Reader::new(&written)).unwrap();
        prop_assert!(read.check_filter(max_level).is_ok());
        prop_assert_eq!(&read, tree.exceptions());
        for length in 0..written.len() {
            prop_assert!(StaticFunction::read(&mut Reader::new(&written[..length])).is_err());
        }
        prop_assert!(StaticFunction::read(&mut Reader::new(&[&written[..], &[0]].concat())).is_err());
        if let Ok(function) = StaticFunction::read(&mut Reader::new(&bytes)) {
            let hash = PositionHash::of(seed);
            let _ = (function.is_exception(hash, 31), function.is_better(hash));
        }
    }
}

#[test]
fn the_rules_of_functions_are_checked() {
    let read = |bytes: &[u8], max_level| {
        let function = StaticFunction::read(&mut Reader::new(bytes));
        function.and_then(|function| function.check_filter(max_level)).map_err(|error| error.to_string())
    };
    let refused = |bytes: &[u8], max_level, why: &str| {
        let message = read(bytes, max_level).unwrap_err();
        assert!(message.contains(why), "{message} does not say {why}");
    };
    // A system of one shard with three unknowns, and a system without shards.
    let (one, none) = ([1, 2, 0, 0b101], [0]);
    assert!(read(&[&none[..], &one].concat(), 0).is_ok());
    assert!(read(&[one, one].concat(), 1).is_ok());
    refused(&[&none[..], &one].concat(), 1, "a filter that is missing");
    refused(&[one, one].concat(), 0, "a filter that is missing or not needed");
    refused(&[&one[..], &none].concat(), 1, "without a decision");
    refused(&[0, 1, 2, 0, 0b1101], 0, "bits after the last unknown");
    refused(&[one, one, one].concat(), 1, "bytes after the exceptions");
}

#[test]
fn a_constant_costs_a_byte() {
    for outcome in Wdl::ALL {
        let tree = Tree::new(vec![Node::Leaf(outcome.into())], &[2, 3]).unwrap();
        let (payload, _) = encode(&tree, &[2, 3]).unwrap();
        assert_eq!(payload.len(), 1);
        assert_eq!(decoded(&tree, &payload, &[2, 3]).unwrap(), tree);
    }
}

/// The leaves of the tree are all minterms of twelve variables. Its code is too short for so many nodes.
#[test]
fn trees_that_expand_too_much_are_refused() {
    fn complete(variable: u16, outcome: Wdl, nodes: &mut Vec<Node>) {
        if variable == 12 {
            return nodes.push(Node::Leaf(outcome.into()));
        }
        nodes.push(Node::Test(Test { variable, low: 0, high: 0 }));
        complete(variable + 1, Wdl::Win, nodes);
        complete(variable + 1, Wdl::Loss, nodes);
    }
    let (mut nodes, parts) = (Vec::new(), [2; 12]);
    complete(0, Wdl::Win, &mut nodes);
    let tree = Tree::new(nodes, &parts).unwrap();
    assert_eq!(tree.nodes().len(), (2 << 12) - 1);
    assert_eq!(encode(&tree, &parts), None);
    let error = decode(&code(&tree, &parts).unwrap().0, &parts, false).err().unwrap();
    assert!(error.to_string().contains("than its length allows"), "{error}");
}

#[test]
fn nodes_that_are_no_tree_are_refused() {
    let leaf = |outcome: Wdl| Node::Leaf(outcome.into());
    let test = |variable, low, high| Node::Test(Test { variable, low, high });
    let refused =
        |nodes: &[Node]| Tree::new(nodes.to_vec(), &[2, 3]).unwrap_err().kind() == ErrorKind::Corrupt;
    let (win, loss) = (leaf(Wdl::Win), leaf(Wdl::Loss));
    assert!(refused(&[]));
    assert!(refused(&[win, loss]));
    assert!(refused(&[test(0, 0, 0), win]));
    assert!(refused(&[win, test(0, 0, 0), win]));
    assert!(refused(&[test(0, 0, 2), win, loss]));
    assert!(refused(&[test(2, 0, 0), win, loss]));
    assert!(refused(&[test(1, 2, 1), win, loss]));
    let tree = Tree::new(vec![test(1, 1, 2), win, loss], &[2, 3]).unwrap();
    assert_eq!(tree, Tree::from_preorder(vec![test(1, 0, 0), loss, win]).unwrap());
}
