//! A tree of tests: disjoint cubes that share prefixes.

use super::router::Interval;
use crate::rows::Rows;
use std::fmt;

/// A node of a [`DecisionTree`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// Rows whose part of `variable` is in `low..=high` go to the first child, the others to the second. `high` is never the
    /// last part: the test of `0..=low - 1` does the same with the children exchanged.
    Test {
        /// The variable.
        variable: u16,
        /// The first part of the interval.
        low: u8,
        /// The last part of the interval.
        high: u8,
    },
    /// The cube of the path to it.
    Leaf {
        /// The class of most rows of the cube. The others are exceptions.
        class: u8,
        /// The number of rows of each class that reach it.
        counts: Vec<u64>,
    },
}

impl Node {
    /// The variable and the interval of a test; `None` for a leaf.
    pub(super) fn interval(&self) -> Option<Interval> {
        match self {
            Node::Test { variable, low, high } => Some((*variable, *low, *high)),
            Node::Leaf { .. } => None,
        }
    }
}

/// A tree of tests, with its nodes in preorder: a test, its first subtree, then its second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionTree {
    /// The nodes.
    pub nodes: Vec<Node>,
}

impl DecisionTree {
    /// The number of leaves, each of which is a cube.
    pub fn leaves(&self) -> usize {
        self.nodes.iter().filter(|node| matches!(node, Node::Leaf { .. })).count()
    }

    /// The number of exceptions in all leaves.
    pub fn exceptions(&self) -> u64 {
        let exceptions = |node: &Node| match node {
            Node::Leaf { class, counts } => exceptions(*class, counts),
            Node::Test { .. } => 0,
        };
        self.nodes.iter().map(exceptions).sum()
    }

    /// Returns the number of each node's second child, 0 for leaves. The first child is the next node.
    pub fn seconds(&self) -> Vec<u32> {
        let mut seconds = vec![0; self.nodes.len()];
        // Tests whose second child has not begun. The node after a leaf is the second child of the last of them.
        let mut waiting = Vec::new();
        for (number, node) in self.nodes.iter().enumerate() {
            match node {
                Node::Test { .. } => waiting.push(number),
                Node::Leaf { .. } => {
                    if let Some(test) = waiting.pop() {
                        seconds[test] = number as u32 + 1;
                    }
                }
            }
        }
        seconds
    }

    /// Returns the number of the leaf that a row with the given parts reaches; `seconds` are those of this tree.
    #[inline]
    pub fn leaf(&self, seconds: &[u32], part: impl Fn(usize) -> u8) -> usize {
        let mut at = 0;
        loop {
            match self.nodes[at] {
                Node::Test { variable, low, high } => {
                    let inside = (low..=high).contains(&part(variable.into()));
                    at = if inside { at + 1 } else { seconds[at] as usize };
                }
                Node::Leaf { .. } => return at,
            }
        }
    }

    /// Checks the tree on every row. Returns a description of the first leaf with wrong counts, or with a class that is not
    /// that of most rows. Shares no code with the growing of trees.
    pub fn fault(&self, rows: &dyn Rows) -> Option<String> {
        let seconds = self.seconds();
        let mut reached = vec![vec![0_u64; rows.classes()]; self.nodes.len()];
        for slice in 0..rows.slices() {
            rows.visit(slice, &mut |row| {
                reached[self.leaf(&seconds, |variable| row.part(variable))][usize::from(row.class())] += 1;
            });
        }
        let fault = |(at, node): (usize, &Node)| {
            let Node::Leaf { class, counts } = node else { return None };
            let is_right = *counts == reached[at] && counts.iter().max() == counts.get(usize::from(*class));
            (!is_right).then(|| format!("leaf {at} of class {class}: {:?} rows, not {counts:?}", reached[at]))
        };
        self.nodes.iter().enumerate().find_map(fault)
    }
}

pub(super) fn is_pure(counts: &[u64]) -> bool {
    counts.iter().filter(|&&count| count > 0).count() < 2
}

/// Returns the leaf of rows with the given counts. Of several most frequent classes it takes the first.
pub(super) fn leaf(counts: &[u64]) -> Node {
    let class = (0..counts.len()).max_by_key(|&class| (counts[class], std::cmp::Reverse(class))).unwrap_or(0);
    Node::Leaf { class: class as u8, counts: counts.to_vec() }
}

/// The number of rows that are not of `class`.
fn exceptions(class: u8, counts: &[u64]) -> u64 {
    let others = (0..).zip(counts).filter(|&(other, _)| other != class);
    others.map(|(_, &count)| count).sum()
}

impl fmt::Display for DecisionTree {
    /// One node a line, in preorder: `T variable low high` or `L class exceptions/rows`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for node in &self.nodes {
            match node {
                Node::Test { variable, low, high } => writeln!(f, "T {variable} {low} {high}")?,
                Node::Leaf { class, counts } => {
                    let rows: u64 = counts.iter().sum();
                    writeln!(f, "L {class} {}/{rows}", exceptions(*class, counts))?;
                }
            }
        }
        Ok(())
    }
}
