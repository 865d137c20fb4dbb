//! A tree of tests: disjoint cubes that share prefixes.

use crate::tabular::Rows;
use std::fmt;

/// A minterm of a leaf's cube that is not of the leaf's class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exception {
    /// The number of the row among those of the leaf, in the order of the rows.
    pub rank: u64,
    /// Its class.
    pub class: u8,
}

/// A node of a [`DecisionTree`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// Rows whose part of `variable` is in `low..=high` belong to the first child, the others to the second. `high` is
    /// never the last part: a test of the last parts is that of the first ones with the children exchanged.
    Test {
        /// The variable.
        variable: u16,
        /// The first part of the interval.
        low: u8,
        /// The last part of the interval.
        high: u8,
    },
    /// The cube of the path, and what its rows are.
    Leaf {
        /// The class of all rows of the cube but the exceptions.
        class: u8,
        /// How many rows reach it, exceptions included.
        rows: u64,
        /// The exceptions, by ascending rank.
        exceptions: Vec<Exception>,
    },
}

/// A tree of tests, its nodes in preorder: a test, its first child with all that is below it, then its second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionTree {
    /// The nodes.
    pub nodes: Vec<Node>,
}

impl DecisionTree {
    /// Number of leaves, each of which is a cube.
    pub fn leaves(&self) -> usize {
        self.nodes.iter().filter(|node| matches!(node, Node::Leaf { .. })).count()
    }

    /// Number of exceptions in all leaves.
    pub fn exceptions(&self) -> usize {
        let exceptions = |node: &Node| match node {
            Node::Leaf { exceptions, .. } => exceptions.len(),
            Node::Test { .. } => 0,
        };
        self.nodes.iter().map(exceptions).sum()
    }

    /// For each node the number of its second child, 0 for leaves. The first child is the next node.
    pub fn seconds(&self) -> Vec<u32> {
        let mut seconds = vec![0; self.nodes.len()];
        // Tests that wait for their second child; where a subtree ends, the next node is that child.
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

    /// Checks the tree on every row: returns a description of the first fault, none when it gives each row its class.
    /// Shares nothing with what grows trees.
    pub fn fault(&self, rows: &dyn Rows) -> Option<String> {
        let seconds = self.seconds();
        let mut reached = vec![0_u64; self.nodes.len()];
        let mut used = vec![0_usize; self.nodes.len()];
        let mut fault = None;
        for slice in 0..rows.slices() {
            rows.visit(slice, &mut |row| {
                let at = self.leaf(&seconds, |variable| row.part(variable));
                let Node::Leaf { class, exceptions, .. } = &self.nodes[at] else { return };
                let expected = match exceptions.get(used[at]) {
                    Some(exception) if exception.rank == reached[at] => {
                        used[at] += 1;
                        exception.class
                    }
                    _ => *class,
                };
                if expected != row.class() && fault.is_none() {
                    let (rank, class) = (reached[at], row.class());
                    fault = Some(format!("leaf {at}: row {rank} is of class {class}, not {expected}"));
                }
                reached[at] += 1;
            });
        }
        let short = |(at, node): (usize, &Node)| match node {
            Node::Leaf { rows, exceptions, .. } if *rows != reached[at] || exceptions.len() != used[at] => {
                Some(format!("leaf {at}: {} rows reach it, not {rows}", reached[at]))
            }
            _ => None,
        };
        fault.or_else(|| self.nodes.iter().enumerate().find_map(short))
    }
}

impl fmt::Display for DecisionTree {
    /// One node a line, in preorder: `T variable low high`, or `L class` and the exceptions as `rank:class`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for node in &self.nodes {
            match node {
                Node::Test { variable, low, high } => writeln!(f, "T {variable} {low} {high}")?,
                Node::Leaf { class, exceptions, .. } => {
                    write!(f, "L {class}")?;
                    for Exception { rank, class } in exceptions {
                        write!(f, " {rank}:{class}")?;
                    }
                    writeln!(f)?;
                }
            }
        }
        Ok(())
    }
}
