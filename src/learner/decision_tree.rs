//! A tree of tests: disjoint cubes that share prefixes.

use super::split::MAX_CLASSES;
use crate::nodes;

/// A node of a [`DecisionTree`]. The `high` of a test is never the last value: `0..=low - 1` is the same test with its children
/// exchanged.
pub type Node = nodes::Node<LeafRows>;

/// The rows of a leaf, by class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafRows {
    counts: [u64; MAX_CLASSES],
    classes: u8,
}

impl LeafRows {
    /// Returns a leaf with `counts` rows of each class.
    pub fn new(of_classes: &[u64]) -> Self {
        let mut counts = [0; MAX_CLASSES];
        counts[..of_classes.len()].copy_from_slice(of_classes);
        LeafRows { counts, classes: of_classes.len() as u8 }
    }

    /// The number of rows of each class.
    pub fn counts(&self) -> &[u64] {
        &self.counts[..self.classes.into()]
    }

    /// The class of most rows, the first of several. The other rows are exceptions.
    pub fn class(&self) -> usize {
        let counts = self.counts();
        (0..counts.len()).max_by_key(|&class| (counts[class], std::cmp::Reverse(class))).unwrap_or(0)
    }
}

/// A tree of tests. Its leaves, with their exceptions, give every row its class.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionTree {
    /// The nodes in preorder: a test, its first subtree, then its second.
    pub nodes: Vec<Node>,
    /// The cost in bits.
    pub bits: f64,
}

pub(super) fn is_pure(counts: &[u64]) -> bool {
    counts.iter().filter(|&&count| count > 0).count() < 2
}

/// Returns the leaf of rows with the given counts.
pub(super) fn leaf(counts: &[u64]) -> Node {
    Node::Leaf(LeafRows::new(counts))
}
