//! Codec `pcn` for trees: the contexts of the decisions about a node, made of its path and its sibling.
//!
//! A context is one number for each tuple of FORMAT.md. The numbers are private, and small ones are found faster; so a
//! variable is represented by its place, from 1, and 0 stands for no variable.

use crate::chess::model::MAX_VARIABLES;
use crate::nodes::Test;

/// The context of a missing grandparent: variable 1024, first child.
const NO_GRANDPARENT: u64 = 2048;
const _: () = assert!(MAX_VARIABLES <= 1 << 11);

/// The first child of a node's parent, for the contexts of the second child.
#[derive(Clone, Copy, Debug)]
pub(in crate::pcn) struct Sibling {
    /// The class of a leaf, and whether it has exceptions; `None` for a test or a cut subtree.
    pub(in crate::pcn) leaf: Option<(usize, bool)>,
    /// The place of the variable that it tests, from 1; 0 for a leaf or a cut subtree.
    pub(in crate::pcn) place: u64,
    /// Nodes in its subtree.
    pub(in crate::pcn) size: usize,
}

/// A test on the path.
#[derive(Clone, Copy, Debug)]
pub(in crate::pcn) struct Ancestor {
    pub(in crate::pcn) test: Test,
    /// The place of the variable, from 1.
    pub(in crate::pcn) place: u64,
    /// Parts of the variable before the test.
    pub(in crate::pcn) before: u64,
    /// The first child, once it is complete.
    pub(in crate::pcn) first: Option<Sibling>,
}

/// The common part of the contexts of a node's decisions.
pub(crate) struct Context {
    /// The place of the parent's variable.
    parent: u64,
    /// The interval of the parent's test.
    interval: u64,
    /// 0 for a first child, 1 for a second child, 2 for the root.
    side: u64,
    /// The side and the kind of the sibling, as a number 0 to 4.
    near: u64,
    /// The side, and the sibling's kind and class, as a number 0 to 8.
    near_class: u64,
    grandparent: u64,
    depth: u64,
    pub(in crate::pcn) narrowing: u64,
    pub(in crate::pcn) sibling: Option<Sibling>,
}

impl Context {
    /// Returns the context of the next node at the end of `path`. `narrowing` is that of
    /// [`PreorderCodec`](super::tree_nodes::PreorderCodec).
    pub(in crate::pcn) fn new(path: &[Ancestor], narrowing: u32) -> Self {
        let parent = path.last();
        let side = parent.map_or(2, |frame| u64::from(frame.first.is_some()));
        let sibling = parent.and_then(|frame| frame.first);
        let (near, near_class) = match sibling {
            None => (side / 2, side / 2),
            Some(Sibling { leaf: None, .. }) => (2, 2),
            Some(Sibling { leaf: Some((class, exceptions)), .. }) => {
                let near = 3 + u64::from(exceptions);
                (near, 3 * (near - 2) + class as u64)
            }
        };
        let above = path.len().checked_sub(2).map(|at| &path[at]);
        Context {
            parent: parent.map_or(0, |frame| frame.place),
            interval: parent.map_or(0, |frame| u64::from(frame.test.low) << 6 | u64::from(frame.test.high)),
            side,
            near,
            near_class,
            grandparent: above.map_or(NO_GRANDPARENT, |frame| {
                u64::from(frame.test.variable) << 1 | u64::from(frame.first.is_some())
            }),
            depth: path.len().min(63) as u64,
            narrowing: (narrowing / 2).min(255).into(),
            sibling,
        }
    }

    fn sibling_size(&self) -> u64 {
        self.sibling.map_or(0, |sibling| size_class(sibling.size))
    }

    pub(in crate::pcn) fn is_leaf(&self) -> [u64; 6] {
        [
            self.sibling_size() << 3 | self.near,
            self.depth << 3 | self.near,
            self.parent << 3 | self.near,
            self.narrowing << 3 | self.near,
            (self.parent << 12 | self.interval) << 2 | self.side,
            (self.sibling_size() << 2 | self.side) << 8 | self.narrowing,
        ]
    }

    pub(in crate::pcn) fn is_cut(&self) -> [u64; 3] {
        [self.depth << 3 | self.near, self.narrowing << 3 | self.near, self.parent << 2 | self.side]
    }

    pub(in crate::pcn) fn outcome(&self, last: u64) -> [u64; 5] {
        [
            self.near_class,
            (self.parent << 12 | self.interval) << 2 | self.side,
            last << 4 | self.near_class,
            self.parent << 4 | self.near_class,
            (self.grandparent << 12 | self.parent) << 2 | self.side,
        ]
    }

    pub(in crate::pcn) fn exceptions(&self, class: u64) -> [u64; 5] {
        [
            class,
            self.narrowing << 2 | class,
            self.near << 2 | class,
            self.depth << 2 | class,
            (self.parent << 2 | self.side) << 2 | class,
        ]
    }

    /// The contexts of the usual distance of a leaf; `last` is the usual distance of the latest leaf.
    pub(in crate::pcn) fn usual(&self, last: u64) -> [u64; 5] {
        [
            self.near,
            last << 3 | self.near,
            self.parent << 3 | self.near,
            (self.parent << 12 | self.interval) << 2 | self.side,
            self.narrowing << 3 | self.near,
        ]
    }

    /// The contexts of the decision whether a leaf has other distances than the usual one.
    pub(in crate::pcn) fn has_words(&self, usual: u64) -> [u64; 5] {
        [
            self.near,
            self.narrowing << 3 | self.near,
            self.depth << 3 | self.near,
            (self.parent << 2 | self.side) << 3 | self.near,
            usual << 3 | self.near,
        ]
    }

    pub(in crate::pcn) fn variable(&self) -> [u64; 6] {
        [
            0,
            self.parent << 2 | self.side,
            self.depth,
            self.sibling.map_or(0, |sibling| sibling.place) << 2 | self.side,
            (self.grandparent << 12 | self.parent) << 2 | self.side,
            self.narrowing,
        ]
    }

    /// The contexts of a test's interval; the variable has place `place`, from 1, and the parts `left`.
    pub(in crate::pcn) fn interval(&self, place: u64, left: u64) -> [u64; 5] {
        let (first, last) = (u64::from(left.trailing_zeros()), u64::from(left.ilog2()));
        let is_siblings = self.sibling.is_some_and(|sibling| sibling.place == place);
        [
            place,
            place << 12 | first << 6 | last,
            first << 6 | last,
            place << 12 | self.parent,
            place << 7 | u64::from(is_siblings) << 6 | self.depth,
        ]
    }
}

pub(in crate::pcn) fn size_class(size: usize) -> u64 {
    u64::from((size + 1).ilog2())
}
