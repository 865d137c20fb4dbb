//! Codec `pcn` for trees: what the decisions about a node depend on, which is the path, the sibling and the size of what was
//! coded before.

use super::tree::Test;
use crate::model::MAX_VARIABLES;

/// In place of a variable where there is none.
pub(super) const NONE: u64 = MAX_VARIABLES as u64;

/// What a node may know of the first child of its parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sibling {
    /// The class of a leaf, and whether it has exceptions.
    pub(super) leaf: Option<(usize, bool)>,
    /// The variable that it tests.
    pub(super) variable: u64,
    /// Nodes in its subtree.
    pub(super) size: usize,
}

/// A test on the path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ancestor {
    pub(super) test: Test,
    /// Parts of the variable before the test.
    pub(super) before: u64,
    /// The first child, once it is complete.
    pub(super) first: Option<Sibling>,
}

/// What the decisions about a node have in common.
pub(super) struct Context {
    /// The variable of the parent, or [`NONE`]; its interval; which child this is, 2 for the root.
    parent: u64,
    interval: u64,
    side: u64,
    grandparent: u64,
    depth: u64,
    pub(super) narrowing: u64,
    pub(super) sibling: Option<Sibling>,
}

impl Context {
    /// Returns the context of the next node below `path`, which leaves `narrowing`.
    pub(super) fn new(path: &[Ancestor], narrowing: u32) -> Self {
        let parent = path.last();
        let side = parent.map_or(2, |frame| u64::from(frame.first.is_some()));
        let above = path.len().checked_sub(2).map(|at| &path[at]);
        Context {
            parent: parent.map_or(NONE, |frame| frame.test.variable.into()),
            interval: parent.map_or(0, |frame| u64::from(frame.test.low) << 6 | u64::from(frame.test.high)),
            side,
            grandparent: above
                .map_or(NONE, |frame| u64::from(frame.test.variable) << 1 | u64::from(frame.first.is_some())),
            depth: path.len().min(63) as u64,
            narrowing: (narrowing / 2).min(255).into(),
            sibling: parent.and_then(|frame| frame.first),
        }
    }

    /// 0 to 3: no sibling yet, a leaf without or with exceptions, a test.
    fn sibling_kind(&self) -> u64 {
        match self.sibling {
            None => 0,
            Some(Sibling { leaf: Some((_, exceptions)), .. }) => 1 + u64::from(exceptions),
            Some(_) => 3,
        }
    }

    fn sibling_class(&self) -> u64 {
        self.sibling.and_then(|sibling| sibling.leaf).map_or(3, |(class, _)| class as u64)
    }

    fn sibling_size(&self) -> u64 {
        self.sibling.map_or(0, |sibling| size_class(sibling.size))
    }

    pub(super) fn is_leaf(&self) -> [u64; 6] {
        let near = self.side << 2 | self.sibling_kind();
        [
            self.sibling_size() << 4 | near,
            self.depth << 4 | near,
            self.parent << 4 | near,
            self.narrowing << 4 | near,
            (self.parent << 12 | self.interval) << 2 | self.side,
            self.sibling_size() << 12 | self.narrowing << 4 | self.side,
        ]
    }

    pub(super) fn outcome(&self, last: u64) -> [u64; 5] {
        let near = self.side << 4 | self.sibling_kind() << 2 | self.sibling_class();
        [
            near,
            (self.parent << 12 | self.interval) << 2 | self.side,
            last << 8 | near,
            self.parent << 6 | near,
            (self.grandparent << 12 | self.parent) << 2 | self.side,
        ]
    }

    pub(super) fn exceptions(&self, class: u64) -> [u64; 5] {
        let near = class << 2 | self.sibling_kind();
        [
            class,
            self.narrowing << 2 | class,
            near << 2 | self.side,
            self.depth << 2 | class,
            (self.parent << 2 | self.side) << 2 | class,
        ]
    }

    pub(super) fn variable(&self) -> [u64; 6] {
        let sibling = self.sibling.map_or(NONE, |sibling| sibling.variable);
        [
            0,
            self.parent << 2 | self.side,
            self.depth,
            sibling << 2 | self.side,
            (self.grandparent << 12 | self.parent) << 2 | self.side,
            self.narrowing,
        ]
    }

    pub(super) fn interval(&self, variable: u64, left: u64) -> [u64; 5] {
        let (first, last) = (u64::from(left.trailing_zeros()), u64::from(left.ilog2()));
        let sibling = self.sibling.is_some_and(|sibling| sibling.variable == variable);
        [
            variable,
            variable << 12 | first << 6 | last,
            first << 6 | last,
            variable << 12 | self.parent,
            variable << 7 | u64::from(sibling) << 6 | self.depth,
        ]
    }
}

pub(super) fn size_class(size: usize) -> u64 {
    u64::from((size + 1).ilog2())
}
