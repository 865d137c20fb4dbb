//! Decision trees as nodes in preorder: a test, its first subtree, then its second. The learner grows these nodes and the coder
//! codes them. A prober has a layout of its own.

use alloc::vec::Vec;

/// A node of a tree, with an `L` at each leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node<L> {
    /// An inner node.
    Test(Test),
    /// A leaf.
    Leaf(L),
}

impl<L> Node<L> {
    /// The test, if the node is one.
    pub fn test(&self) -> Option<&Test> {
        match self {
            Node::Test(test) => Some(test),
            Node::Leaf(_) => None,
        }
    }

    /// The leaf, if the node is one.
    pub fn leaf(&self) -> Option<&L> {
        match self {
            Node::Test(_) => None,
            Node::Leaf(leaf) => Some(leaf),
        }
    }

    /// Applies `f` to a leaf, and leaves a test unchanged.
    pub fn map<M>(self, f: impl FnOnce(L) -> M) -> Node<M> {
        match self {
            Node::Test(test) => Node::Test(test),
            Node::Leaf(leaf) => Node::Leaf(f(leaf)),
        }
    }
}

/// A test of one variable: positions whose value is in `low..=high` go to the first child, the others to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Test {
    /// The number of the variable in the model's order.
    pub variable: u16,
    /// The first value of the interval.
    pub low: u8,
    /// The last value of the interval.
    pub high: u8,
}

impl Test {
    /// The literal that leads to the first child: bit v for value v.
    pub const fn literal(self) -> u64 {
        (u64::MAX >> (63 - self.high)) & (u64::MAX << self.low)
    }

    /// Whether a position with this value goes to the first child.
    #[inline]
    pub const fn contains(self, value: u8) -> bool {
        value.wrapping_sub(self.low) <= self.high - self.low
    }
}

/// The tests from the root to the current node of a walk in preorder: for each a value of the caller, and whether the node is in
/// the test's first subtree.
#[derive(Clone, Debug)]
pub(crate) struct Path<T>(Vec<(T, bool)>);

impl<T> Path<T> {
    pub(crate) const fn new() -> Self {
        Path(Vec::new())
    }

    pub(crate) fn tests(&self) -> &[(T, bool)] {
        &self.0
    }

    /// Goes from a test to its first child.
    pub(crate) fn descend(&mut self, test: T) {
        self.0.push((test, true));
    }

    /// Goes from a leaf to the next node, a second child, and returns the value of its test; `None` at the end of the tree. Calls
    /// `leave` with each test whose subtree is complete, the lowest first.
    pub(crate) fn advance(&mut self, mut leave: impl FnMut(T)) -> Option<&mut T> {
        while let Some((test, _)) = self.0.pop_if(|(_, is_first)| !*is_first) {
            leave(test);
        }
        let (test, is_first) = self.0.last_mut()?;
        *is_first = false;
        Some(test)
    }
}

/// Returns the end of the subtree of each node. `nodes` are trees in preorder, one after the other.
pub(crate) fn ends<L>(nodes: &[Node<L>]) -> Vec<usize> {
    // From the last node to the first. `open` has the ends of the subtrees without a parent yet, the nearest last.
    let (mut ends, mut open) = (vec![0; nodes.len()], Vec::new());
    for (at, node) in nodes.iter().enumerate().rev() {
        ends[at] = match node {
            Node::Test(_) => {
                open.pop();
                open.pop().unwrap_or(at + 1)
            }
            Node::Leaf(_) => at + 1,
        };
        open.push(ends[at]);
    }
    ends
}

/// A tree that finds the leaf of a row. Leaves are numbered in preorder.
#[cfg(feature = "build")]
pub(crate) struct Router {
    /// Each node, with the number of the leaf or the index of the test's second child.
    nodes: Vec<(Node<u32>, u32)>,
}

#[cfg(feature = "build")]
impl Router {
    /// Returns the router of the tree with these nodes.
    ///
    /// # Panics
    /// If `nodes` are not one whole tree.
    pub(crate) fn new<L>(nodes: &[Node<L>]) -> Self {
        let ends = ends(nodes);
        assert_eq!(ends.first(), Some(&nodes.len()), "one tree");
        let mut leaves = 0;
        let node = |(at, node): (usize, &Node<L>)| match node {
            Node::Test(test) => (Node::Test(*test), ends[at + 1] as u32),
            Node::Leaf(_) => {
                leaves += 1;
                (Node::Leaf(leaves - 1), 0)
            }
        };
        Router { nodes: nodes.iter().enumerate().map(node).collect() }
    }

    /// Returns the number of the leaf that a row with these values reaches.
    #[inline]
    pub(crate) fn leaf(&self, value: impl Fn(usize) -> u8) -> u32 {
        let mut at = 0;
        loop {
            match self.nodes[at] {
                (Node::Test(test), second) => {
                    at = if test.contains(value(test.variable.into())) { at + 1 } else { second as usize };
                }
                (Node::Leaf(number), _) => return number,
            }
        }
    }
}
