//! A decision tree: every inner node tests one variable, every leaf states an outcome and the positions that are
//! exceptions to it.
//!
//! A tree is a cover too: each leaf is the cube of the tests on its path, each exception a minterm, and the cubes are
//! disjoint. Its nodes stand in preorder. Exceptions are named by their rank among the legal canonical positions that
//! reach the leaf, so that a tree alone does not tell which positions they are; whoever enumerates them can.

use crate::error::{Error, Result};
use crate::model::{MAX_PARTS, MAX_VARIABLES};
use crate::position::Wdl;

/// The most nodes of a tree.
pub const MAX_NODES: usize = 1 << 26;

/// A node of a [`Tree`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// An inner node.
    Test(Test),
    /// A leaf.
    Leaf(Leaf),
}

impl Node {
    /// Returns the node as it would be without exceptions.
    pub(super) fn without_exceptions(&self) -> Node {
        match self {
            Node::Test(test) => Node::Test(*test),
            Node::Leaf(leaf) => {
                Node::Leaf(Leaf { outcome: leaf.outcome, positions: 0, exceptions: Vec::new() })
            }
        }
    }
}

/// A test of one variable: positions whose part is in `low..=high` go to the next node, the others to the node after
/// that one's subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Test {
    /// The number of the variable in the model's order.
    pub variable: u16,
    /// The first part of the interval.
    pub low: u8,
    /// The last part of the interval.
    pub high: u8,
}

impl Test {
    /// The literal that leads to the first child: bit p for part p.
    pub const fn literal(self) -> u64 {
        (u64::MAX >> (63 - self.high)) & (u64::MAX << self.low)
    }
}

/// What is stated of the positions that reach a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The outcome of all but the exceptions, for the side to move.
    pub outcome: Wdl,
    /// How many legal canonical positions reach the leaf; 0 when there are no exceptions.
    pub positions: u64,
    /// The exceptions, ranks ascending.
    pub exceptions: Vec<Exception>,
}

/// A position at a leaf with another outcome than the leaf's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Exception {
    /// Its rank among the legal canonical positions that reach the leaf, in the enumeration's order, from 0.
    pub rank: u64,
    /// Its outcome.
    pub outcome: Wdl,
}

/// A decision tree in normal form, its nodes in preorder.
///
/// Normal form: on its path every test sends some parts either way; the interval is as narrow as the parts left on the
/// path allow, or begins at part 0; it never contains the last part left; and of two leaves below one test at least one
/// has exceptions, or their outcomes differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    nodes: Vec<Node>,
}

/// A test whose first child, and later whose second, is being visited.
struct Frame {
    variable: usize,
    /// Parts of the variable before the test.
    before: u64,
    /// The node where the other child begins and the parts that reach it, until it is visited.
    other: Option<(usize, u64)>,
    /// Where the test stands in the output.
    at: usize,
}

impl Tree {
    /// Returns the tree with `nodes`, which stand in preorder, brought into normal form; variable v has `parts[v]`
    /// parts. Tests that do not divide, and leaves that say the same, are removed. Takes time in proportion to the
    /// nodes.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when the nodes are no tree, a test is of a variable or part
    /// that is not there, or exceptions do not ascend, agree with their leaf or fit into its positions.
    pub fn new(nodes: Vec<Node>, parts: &[u8]) -> Result<Self> {
        let second = second_children(&nodes)?;
        nodes.iter().try_for_each(|node| check(node, parts))?;
        let mut left: Vec<u64> = parts.iter().map(|&parts| u64::MAX >> (64 - u32::from(parts))).collect();
        let mut nodes: Vec<Option<Node>> = nodes.into_iter().map(Some).collect();
        let mut out = Vec::with_capacity(nodes.len());
        let mut frames: Vec<Frame> = Vec::new();
        let mut at = 0;
        loop {
            match nodes[at].take() {
                Some(Node::Test(test)) => {
                    let variable = usize::from(test.variable);
                    let before = left[variable];
                    let (inside, outside) = (before & test.literal(), before & !test.literal());
                    if inside == 0 || outside == 0 {
                        at = if inside == 0 { second[at] } else { at + 1 };
                        continue;
                    }
                    let children = [(at + 1, inside), (second[at], outside)];
                    // The child with the last part left is the second.
                    let [first, other] = if inside > outside { [children[1], children[0]] } else { children };
                    frames.push(Frame { variable, before, other: Some(other), at: out.len() });
                    out.push(Node::Test(normal(test.variable, before, first.1)));
                    left[variable] = first.1;
                    at = first.0;
                    continue;
                }
                Some(leaf @ Node::Leaf(_)) => out.push(leaf),
                None => return Err(Error::corrupt("a node with two parents")),
            }
            // A subtree is complete: go to the other child of the last test that has one.
            loop {
                let Some(frame) = frames.last_mut() else { return Ok(Tree { nodes: out }) };
                if let Some((other, parts)) = frame.other.take() {
                    left[frame.variable] = parts;
                    at = other;
                    break;
                }
                left[frame.variable] = frame.before;
                merge_leaves(&mut out, frame.at);
                frames.pop();
            }
        }
    }

    /// Returns the tree of one leaf that states `outcome`.
    pub fn constant(outcome: Wdl) -> Self {
        Tree { nodes: vec![Node::Leaf(Leaf { outcome, positions: 0, exceptions: Vec::new() })] }
    }

    /// Returns the tree with `nodes`, which the caller made in normal form.
    pub(super) fn from_normal(nodes: Vec<Node>) -> Self {
        Tree { nodes }
    }

    /// The nodes, in preorder.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The leaves, in order.
    pub fn leaves(&self) -> impl Iterator<Item = &Leaf> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Leaf(leaf) => Some(leaf),
            Node::Test(_) => None,
        })
    }

    /// Number of exceptions at all leaves.
    pub fn exceptions(&self) -> usize {
        self.leaves().map(|leaf| leaf.exceptions.len()).sum()
    }

    /// Calls `visit` with each leaf, in order, and the tests on its path: whether the path goes to the first child.
    pub fn paths(&self, mut visit: impl FnMut(&Leaf, &[(Test, bool)])) {
        let mut path: Vec<(Test, bool)> = Vec::new();
        for node in &self.nodes {
            match node {
                Node::Test(test) => path.push((*test, true)),
                Node::Leaf(leaf) => {
                    visit(leaf, &path);
                    while path.pop_if(|(_, first)| !*first).is_some() {}
                    if let Some((_, first)) = path.last_mut() {
                        *first = false;
                    }
                }
            }
        }
    }

    /// Number of cubes: leaves and exceptions.
    pub fn clauses(&self) -> usize {
        self.leaves().count() + self.exceptions()
    }

    /// Number of literals of all cubes: of a leaf the variables that its path tests, of an exception one for each of
    /// `men`.
    pub fn literals(&self, men: usize) -> usize {
        let mut literals = men * self.exceptions();
        self.paths(|_, path| {
            let is_first = |number: usize| {
                path[..number].iter().all(|(test, _)| test.variable != path[number].0.variable)
            };
            literals += (0..path.len()).filter(|&number| is_first(number)).count();
        });
        literals
    }
}

/// Returns the test with the parts `first` of the parts `before`, an interval among them or its complement, in normal
/// form. `first` is without the last part of `before`.
fn normal(variable: u16, before: u64, first: u64) -> Test {
    let high = first.ilog2();
    let low = if before & !first & ((1 << high) - 1) == 0 { 0 } else { first.trailing_zeros() };
    Test { variable, low: low as u8, high: high as u8 }
}

/// Makes one leaf of the test at `at` of `nodes` and its two leaves, when these are all that follows and say the same.
fn merge_leaves(nodes: &mut Vec<Node>, at: usize) {
    let [Node::Leaf(a), Node::Leaf(b)] = &nodes[at + 1..] else { return };
    if a.outcome == b.outcome && a.exceptions.is_empty() && b.exceptions.is_empty() {
        nodes.truncate(at + 2);
        nodes.remove(at);
    }
}

/// For each test the number of its second child, for each leaf 0.
pub(super) fn second_children(nodes: &[Node]) -> Result<Vec<usize>> {
    if nodes.len() > MAX_NODES {
        return Err(Error::corrupt(format!("a tree of more than {MAX_NODES} nodes")));
    }
    let mut second = vec![0; nodes.len()];
    // From the last node to the first: where the subtrees begin that have no parent yet, the nearest last.
    let mut subtrees = Vec::new();
    for (number, node) in nodes.iter().enumerate().rev() {
        if let Node::Test(_) = node {
            let (Some(_), Some(&other)) = (subtrees.pop(), subtrees.last()) else {
                return Err(Error::corrupt(format!("test {number} of a tree lacks a child")));
            };
            subtrees.pop();
            second[number] = other;
        }
        subtrees.push(number);
    }
    if subtrees.len() == 1 { Ok(second) } else { Err(Error::corrupt("nodes that are not one tree")) }
}

fn check(node: &Node, parts: &[u8]) -> Result<()> {
    match node {
        Node::Test(test) => {
            let parts = parts.get(usize::from(test.variable)).copied().unwrap_or(0);
            if test.low > test.high || test.high >= parts || usize::from(parts) > MAX_PARTS {
                return Err(Error::corrupt(format!("{test:?} of a variable with {parts} parts")));
            }
        }
        Node::Leaf(leaf) => check_leaf(leaf)?,
    }
    Ok(())
}

/// Finds what is wrong with the exceptions of a leaf.
pub(super) fn check_leaf(leaf: &Leaf) -> Result<()> {
    let ascending = leaf.exceptions.is_sorted_by(|a, b| a.rank < b.rank);
    let last = leaf.exceptions.last().map(|exception| exception.rank);
    if !ascending || last.is_some_and(|rank| rank >= leaf.positions) {
        return Err(Error::corrupt("exceptions out of order, or beyond the positions of their leaf"));
    }
    if leaf.exceptions.iter().any(|exception| exception.outcome == leaf.outcome) {
        return Err(Error::corrupt("an exception that agrees with its leaf"));
    }
    if last.is_none() && leaf.positions != 0 {
        return Err(Error::corrupt("a leaf without exceptions states its positions"));
    }
    Ok(())
}

/// Returns the parts of the variables of a model, as [`Tree::new`] takes them.
pub fn parts_of(layout: &super::Layout) -> Vec<u8> {
    debug_assert!(layout.variables().len() <= MAX_VARIABLES);
    layout.variables().iter().map(|variable| variable.parts as u8).collect()
}
