//! The tests of a tree, laid out for walking.

/// A tree of tests whose leaves are numbered in preorder.
pub(super) struct Router(Vec<RoutedTest>);

struct RoutedTest {
    variable: usize,
    low: u8,
    width: u8,
    /// Inside the interval and outside: the number of the next test, or that of a leaf with [`LEAF`].
    next: [u32; 2],
}

/// The bit that makes a number that of a leaf.
const LEAF: u32 = 1 << 31;

/// Variable, lowest and highest part of a test.
pub type Interval = (u16, u8, u8);

impl Router {
    /// Returns the tree of these nodes, in preorder; `None` is a leaf.
    pub(super) fn new(nodes: impl Iterator<Item = Option<Interval>>) -> Self {
        let mut tests: Vec<RoutedTest> = Vec::new();
        // Tests that wait for a child, and whether it is their second.
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

    /// The number of the leaf that a row with these parts comes to.
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
