//! A decision tree: every inner node tests one variable, every leaf states an outcome and may have exceptions to it.
//!
//! A tree is a cover too: each leaf is the cube of the tests on its path, each exception a minterm, and the cubes are
//! disjoint. Nodes are stored in preorder. A static function stores which positions are exceptions (`static_function.rs`).

use super::static_function::{MAX_LEVEL, StaticFunction};
use crate::chess::model::MAX_VALUES;
use crate::chess::position::Wdl;
use crate::error::{Error, Result};
use crate::nodes::{Path, Test, ends};
use alloc::vec::Vec;

/// The greatest number of nodes of a tree.
pub const MAX_NODES: usize = 1 << 26;

/// A node of a tree.
pub type Node<L = Leaf> = crate::nodes::Node<L>;

/// A leaf: the outcome of the positions that reach it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Leaf {
    /// The outcome of all but the exceptions, for the side to move.
    pub outcome: Wdl,
    /// Its exceptions, if there are any.
    pub exceptions: Option<Excepted>,
}

/// The exceptions of a leaf, which a static function stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Excepted {
    /// The number of equations of the filter that each exception satisfies, up to [`MAX_LEVEL`].
    pub level: u8,
    /// The outcome of all exceptions; `None` when the static function stores the outcome of each.
    pub outcome: Option<Wdl>,
}

impl From<Wdl> for Leaf {
    /// A leaf without exceptions.
    fn from(outcome: Wdl) -> Self {
        Leaf { outcome, exceptions: None }
    }
}

/// A decision tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// In preorder.
    nodes: Vec<Node>,
    /// For each outcome, in the order of [`Wdl::ALL`], whether a leaf or an exception has it.
    outcomes: [bool; 3],
    exceptions: StaticFunction,
}

/// A test whose first or second child is being visited.
struct Pending {
    variable: usize,
    /// Parts of the variable before the test.
    before: u64,
    /// The first node of the second child, and the parts that reach this child; `None` once it is visited.
    other: Option<(usize, u64)>,
    /// The index of the test in the output.
    at: usize,
}

impl Tree {
    /// Returns the tree with `nodes`, in preorder and unchanged, without exceptions.
    pub(in crate::pcn) fn from_preorder(nodes: Vec<Node>) -> Result<Self> {
        Error::corrupt_unless(nodes.len() <= MAX_NODES, || format!("a tree of more than {MAX_NODES} nodes"))?;
        // Subtrees that are still to come.
        let mut missing = 1_usize;
        let mut outcomes = [false; 3];
        for (at, &node) in nodes.iter().enumerate() {
            Error::corrupt_unless(missing > 0, || format!("nodes of a tree after its end at node {at}"))?;
            missing = match node {
                Node::Test(_) => missing + 1,
                Node::Leaf(Leaf { outcome, exceptions }) => {
                    outcomes[outcome.index()] = true;
                    match exceptions {
                        Some(Excepted { outcome: Some(other), .. }) => outcomes[other.index()] = true,
                        Some(Excepted { outcome: None, .. }) => outcomes = [true; 3],
                        None => {}
                    }
                    missing - 1
                }
            };
        }
        Error::corrupt_unless(missing == 0, || format!("a tree that lacks {missing} nodes"))?;
        Ok(Tree { nodes, outcomes, exceptions: StaticFunction::default() })
    }

    /// Returns the tree with these exceptions.
    pub(crate) fn with_exceptions(self, exceptions: StaticFunction) -> Self {
        Tree { exceptions, ..self }
    }

    /// The nodes, in preorder.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The leaves, in order.
    pub fn leaves(&self) -> impl Iterator<Item = Leaf> {
        self.nodes.iter().filter_map(Node::leaf).copied()
    }

    /// The outcomes of leaves and exceptions, worst first.
    pub fn outcomes(&self) -> impl Iterator<Item = Wdl> {
        Wdl::ALL.into_iter().filter(|outcome| self.outcomes[outcome.index()])
    }

    /// The function that stores which positions are exceptions.
    pub(crate) fn exceptions(&self) -> &StaticFunction {
        &self.exceptions
    }

    /// The greatest level of a leaf; `None` when no leaf has exceptions.
    pub(crate) fn max_level(&self) -> Option<u8> {
        self.leaves().filter_map(|leaf| leaf.exceptions).map(|excepted| excepted.level).max()
    }

    /// Calls `visit` with each leaf, in order, and its path: each test, and whether the path goes to the test's first child.
    pub fn paths(&self, mut visit: impl FnMut(&Leaf, &[(Test, bool)])) {
        let mut path = Path::new();
        for node in &self.nodes {
            match node {
                Node::Test(test) => path.descend(*test),
                Node::Leaf(leaf) => {
                    visit(leaf, path.tests());
                    path.advance(|_| ());
                }
            }
        }
    }

    /// Returns the tree with `nodes`, in preorder, brought into normal form; variable v has `parts[v]` parts. Removes tests that
    /// send all positions to one child, and merges two equal leaves without exceptions below one test. Takes time in proportion
    /// to the nodes.
    ///
    /// Normal form: each child of a test gets some of the parts left on its path. The interval of a test is as narrow as these
    /// parts allow, or begins at part 0. It never contains the last part left. Two leaves below one test differ, or have
    /// exceptions.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when the nodes are no tree, a test is of a variable or part that
    /// does not exist, or a level is above [`MAX_LEVEL`].
    pub fn new(nodes: Vec<Node>, parts: &[u8]) -> Result<Self> {
        let given = Self::from_preorder(nodes)?;
        given.nodes.iter().try_for_each(|&node| check_node(node, parts))?;
        Self::from_preorder(normal_form(&given.nodes, parts, can_merge))
    }

    /// Checks that the tree is over variables with `parts`, is in normal form, and has a static function exactly when some
    /// leaf has exceptions.
    pub(in crate::pcn) fn check(&self, parts: &[u8]) -> Result<()> {
        self.nodes.iter().try_for_each(|&node| check_node(node, parts))?;
        Error::corrupt_unless(self.is_normal(parts), || "a tree is not in normal form".into())?;
        Error::corrupt_unless(self.max_level().is_none() == self.exceptions.is_empty(), || {
            "a tree with exceptions and no function for them, or the reverse".into()
        })
    }

    /// Whether the tree, over variables with `parts`, is in the normal form of [`Tree::new`].
    fn is_normal(&self, parts: &[u8]) -> bool {
        let mut left: Vec<u64> = parts.iter().map(|&parts| u64::MAX >> (64 - u32::from(parts))).collect();
        // For each test its variable, the parts before it, and the parts of its second child.
        let mut path: Path<(usize, u64, u64)> = Path::new();
        for (at, node) in self.nodes.iter().enumerate() {
            if let Node::Test(test) = *node {
                let variable = usize::from(test.variable);
                let before = left[variable];
                let (inside, outside) = (before & test.literal(), before & !test.literal());
                let are_same = match self.nodes[at + 1..] {
                    [Node::Leaf(a), Node::Leaf(b), ..] => can_merge(a, b),
                    _ => false,
                };
                // The set with the last part is the greater number.
                if inside == 0
                    || inside > outside
                    || normal(test.variable, before, inside) != test
                    || are_same
                {
                    return false;
                }
                path.descend((variable, before, outside));
                left[variable] = inside;
                continue;
            }
            let next = path.advance(|(variable, before, _)| left[variable] = before).copied();
            if let Some((variable, _, outside)) = next {
                left[variable] = outside;
            }
        }
        true
    }

    /// Number of literals of all leaves' cubes, one for each variable that the leaf's path tests. Takes time in proportion to
    /// the nodes.
    pub fn literals(&self) -> usize {
        let tests = self.nodes.iter().filter_map(|node| node.test());
        let variables = tests.map(|test| usize::from(test.variable) + 1).max().unwrap_or(0);
        // For each variable the number of its tests on the path; then the number of variables with a test.
        let mut tests = vec![0_u32; variables];
        let (mut tested, mut literals) = (0, 0);
        let mut path = Path::new();
        for node in &self.nodes {
            if let Node::Test(test) = node {
                let variable = usize::from(test.variable);
                tested += usize::from(tests[variable] == 0);
                tests[variable] += 1;
                path.descend(variable);
                continue;
            }
            literals += tested;
            path.advance(|variable| {
                tests[variable] -= 1;
                tested -= usize::from(tests[variable] == 0);
            });
        }
        literals
    }
}

/// Returns the nodes of a tree, in preorder, in the normal form of [`Tree::new`]; variable v has `parts[v]` parts. Two leaves
/// below one test become one if `can_merge` holds for them.
pub(in crate::pcn) fn normal_form<L: Copy>(
    given: &[Node<L>],
    parts: &[u8],
    can_merge: impl Fn(L, L) -> bool + Copy,
) -> Vec<Node<L>> {
    let mut left: Vec<u64> = parts.iter().map(|&parts| u64::MAX >> (64 - u32::from(parts))).collect();
    let ends = ends(given);
    let mut out = Vec::with_capacity(ends.len());
    let mut pending: Vec<Pending> = Vec::new();
    let mut at = 0;
    loop {
        out.push(match given[at] {
            Node::Test(test) => {
                let variable = usize::from(test.variable);
                let before = left[variable];
                let (inside, outside) = (before & test.literal(), before & !test.literal());
                if inside == 0 || outside == 0 {
                    at = if inside == 0 { ends[at + 1] } else { at + 1 };
                    continue;
                }
                let children = [(at + 1, inside), (ends[at + 1], outside)];
                // The child with the last part left is the second.
                let [first, other] = if inside > outside { [children[1], children[0]] } else { children };
                pending.push(Pending { variable, before, other: Some(other), at: out.len() });
                (at, left[variable]) = first;
                Node::Test(normal(test.variable, before, first.1))
            }
            leaf @ Node::Leaf(_) => leaf,
        });
        if let Some(Node::Test(_)) = out.last() {
            continue;
        }
        // A subtree is complete: go to the second child of the last test that has one left.
        loop {
            let Some(test) = pending.last_mut() else { return out };
            if let Some((other, parts)) = test.other.take() {
                left[test.variable] = parts;
                at = other;
                break;
            }
            left[test.variable] = test.before;
            merge_leaves(&mut out, test.at, can_merge);
            pending.pop();
        }
    }
}

/// Returns the test, in normal form, that sends the parts `first`, out of `before`, to the first child. `first` is an interval of
/// `before` or the complement of one, and lacks the last part.
fn normal(variable: u16, before: u64, first: u64) -> Test {
    let high = first.ilog2();
    let low = if before & !first & ((1 << high) - 1) == 0 { 0 } else { first.trailing_zeros() };
    Test { variable, low: low as u8, high: high as u8 }
}

/// Whether one leaf can replace both.
fn can_merge(a: Leaf, b: Leaf) -> bool {
    a == b && a.exceptions.is_none()
}

/// Replaces the test at `at` and its two leaves by one leaf, if they are the last of `nodes` and can merge.
fn merge_leaves<L: Copy>(nodes: &mut Vec<Node<L>>, at: usize, can_merge: impl Fn(L, L) -> bool) {
    let [Node::Leaf(a), Node::Leaf(b)] = &nodes[at + 1..] else { return };
    if can_merge(*a, *b) {
        nodes.truncate(at + 2);
        nodes.remove(at);
    }
}

fn check_node(node: Node, parts: &[u8]) -> Result<()> {
    match node {
        Node::Test(test) => {
            let parts = parts.get(usize::from(test.variable)).copied().unwrap_or(0);
            Error::corrupt_unless(
                test.low <= test.high && test.high < parts && usize::from(parts) <= MAX_VALUES,
                || format!("{test:?} of a variable with {parts} parts"),
            )
        }
        Node::Leaf(Leaf { exceptions: None, .. }) => Ok(()),
        Node::Leaf(Leaf { outcome, exceptions: Some(excepted) }) => {
            Error::corrupt_unless(excepted.level <= MAX_LEVEL, || {
                format!("level {}, above {MAX_LEVEL}", excepted.level)
            })?;
            let differs = excepted.outcome != Some(outcome);
            Error::corrupt_unless(differs, || "exceptions that agree with their leaf".into())
        }
    }
}
