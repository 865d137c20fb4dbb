//! The tests of a tree, laid out for walking.

/// A tree of tests whose leaves are numbered in preorder.
pub(super) struct Router(Vec<RoutedTest>);

struct RoutedTest {
    variable: usize,
    low: u8,
    width: u8,
    /// The children for parts inside and outside the interval: the number of a test, or [`LEAF`] plus that of a leaf.
    next: [u32; 2],
}

/// The bit that marks the number of a leaf.
const LEAF: u32 = 1 << 31;

/// The variable, first part and last part of a test.
pub type Interval = (u16, u8, u8);

impl Router {
    /// Returns the tree of these nodes, which are in preorder; `None` is a leaf.
    pub(super) fn new(nodes: impl Iterator<Item = Option<Interval>>) -> Self {
        let mut tests: Vec<RoutedTest> = Vec::new();
        // The tests with a missing child, each with the index of that child in `next`.
        let mut waiting: Vec<(usize, usize)> = Vec::new();
        let mut leaves = 0;
        for node in nodes {
            let reached = if node.is_some() { tests.len() as u32 } else { LEAF | leaves };
            if let Some((parent, child)) = waiting.pop() {
                tests[parent].next[child] = reached;
                if child == 0 {
                    waiting.push((parent, 1));
                }
            }
            match node {
                Some((variable, low, high)) => {
                    waiting.push((tests.len(), 0));
                    tests.push(RoutedTest {
                        variable: variable.into(),
                        low,
                        width: high - low,
                        next: [0; 2],
                    });
                }
                None => leaves += 1,
            }
        }
        Router(tests)
    }

    /// Returns the number of the leaf that a row with these parts reaches.
    #[inline]
    pub(super) fn walk(&self, part: impl Fn(usize) -> u8) -> u32 {
        let mut at = if self.0.is_empty() { LEAF } else { 0 };
        while at & LEAF == 0 {
            let test = &self.0[at as usize];
            let outside = part(test.variable).wrapping_sub(test.low) > test.width;
            at = test.next[usize::from(outside)];
        }
        at ^ LEAF
    }
}
