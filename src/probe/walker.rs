//! Decision trees laid out for walking.
//!
//! Most probes end a few nodes below the root, so what takes time is to get those nodes into the cache: nodes stand level
//! by level, the two children of a test beside each other, each in eight bytes that hold all that is needed: a test names
//! its variable by family and men, a leaf what it states.

use crate::model::{Coordinates, Plan, VariableCode, View};
use crate::pcn::{Below, Excepted, Leaf, Node, PositionHash, StaticFunction, Test, ends};
use crate::position::Wdl;
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::iter;

/// Trees, ready to be walked. Immutable.
#[derive(Clone, Debug)]
pub(super) struct Walker {
    /// Level by level, the roots first.
    nodes: Box<[Packed]>,
}

/// A node.
#[derive(Clone, Copy, Debug)]
struct Packed {
    /// Of a test its variable; [`LEAF`] at a leaf.
    code: u16,
    /// The first part of the interval; of a leaf its outcome, and four times what its exceptions are.
    low: u8,
    /// The parts beyond the first; of a leaf the level of its exceptions.
    width: u8,
    /// Where the first child stands, the second being next to it; of a leaf its number in preorder; of a subtree that is cut
    /// out its number among those.
    next: u32,
}

const LEAF: u16 = u16::MAX;

/// Codes for the exceptions of a leaf, beside the indices of outcomes.
const EITHER: u8 = 3;
const NONE: u8 = 4;

/// In place of that where a subtree is cut out.
const CUT: u8 = 5;

impl Packed {
    fn test(test: Test, plan: &Plan, next: u32) -> Self {
        let Test { variable, low, high } = test;
        Packed { code: plan.code(variable.into()).number(), low, width: high - low, next }
    }

    fn leaf(leaf: Leaf, number: u32) -> Self {
        let (exceptions, width) = match leaf.exceptions {
            None => (NONE, 0),
            Some(Excepted { level, outcome }) => {
                (outcome.map_or(EITHER, |outcome| outcome.index() as u8), level)
            }
        };
        Packed { code: LEAF, low: leaf.outcome.index() as u8 | exceptions << 2, width, next: number }
    }

    fn cut(number: u32) -> Self {
        Packed { code: LEAF, low: CUT << 2, width: 0, next: number }
    }
}

/// A leaf that a position has reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached(Packed);

impl Reached {
    /// The number of the leaf in preorder.
    pub(super) fn number(self) -> usize {
        self.0.next as usize
    }

    /// The number of the subtree that is cut out here, if it is no leaf.
    #[inline]
    pub(super) fn cut(self) -> Option<usize> {
        (self.0.low >> 2 == CUT).then(|| self.number())
    }

    /// The outcome, if no position is an exception here.
    #[inline]
    pub(super) fn certain(self) -> Option<Wdl> {
        (self.0.low >> 2 == NONE).then(|| self.outcome())
    }

    /// The outcome that the leaf states.
    #[inline]
    pub(super) fn outcome(self) -> Wdl {
        Wdl::ALL[usize::from(self.0.low & 3) % 3]
    }
}

impl Walker {
    /// Returns the walker of trees over the variables of `plan`, which stand in `nodes` one after the other, each in preorder.
    pub(super) fn new(nodes: impl Iterator<Item = Node<Below>>, plan: &Plan) -> Self {
        let given: Vec<Node<Below>> = nodes.collect();
        let ends = ends(&given);
        let roots =
            iter::successors(Some(0), |&root| ends.get(root).copied()).take_while(|&root| root < given.len());
        // Leaves and cuts before each node.
        let mut before = (0, 0);
        let number = |node: &Node<Below>| {
            let number = before;
            before.0 += u32::from(matches!(node, Node::Leaf(Below::Leaf(_))));
            before.1 += u32::from(matches!(node, Node::Leaf(Below::Cut)));
            number
        };
        let numbers: Vec<(u32, u32)> = given.iter().map(number).collect();
        let mut nodes = Vec::with_capacity(given.len());
        let mut left: VecDeque<usize> = roots.collect();
        while let Some(at) = left.pop_front() {
            nodes.push(match given[at] {
                Node::Test(test) => {
                    let next = nodes.len() + left.len() + 1;
                    left.extend([at + 1, ends[at + 1]]);
                    Packed::test(test, plan, next as u32)
                }
                Node::Leaf(Below::Leaf(leaf)) => Packed::leaf(leaf, numbers[at].0),
                Node::Leaf(Below::Cut) => Packed::cut(numbers[at].1),
            });
        }
        Walker { nodes: nodes.into() }
    }

    /// Bytes of memory that it takes.
    pub(super) fn memory(&self) -> usize {
        size_of_val(&self.nodes[..])
    }

    /// Goes from the root of tree number `tree` as far as tests of offsets alone lead; returns the node there, and what it
    /// is if it is a leaf.
    #[inline]
    pub(super) fn walk_by_offsets(&self, tree: usize, coordinates: Coordinates) -> (usize, Option<Reached>) {
        let mut at = tree;
        loop {
            let node = self.nodes[at];
            match VariableCode::of_number(node.code).part_by_offset(coordinates) {
                Some(part) => at = node.next as usize + usize::from(part.wrapping_sub(node.low) > node.width),
                None => return (at, (node.code == LEAF).then_some(Reached(node))),
            }
        }
    }

    /// Returns the leaf that a position reaches from node `at`, which is the number of a tree for its root; `passed` is told
    /// each test met and the parts that the position goes on with.
    #[inline]
    pub(super) fn walk(
        &self,
        mut at: usize,
        view: &View<'_>,
        mut passed: impl FnMut(VariableCode, u64),
    ) -> Reached {
        loop {
            let node = self.nodes[at];
            if node.code == LEAF {
                return Reached(node);
            }
            let code = VariableCode::of_number(node.code);
            let is_inside = code.part(view).wrapping_sub(node.low) <= node.width;
            let literal = (u64::MAX >> (63 - node.width)) << node.low;
            passed(code, if is_inside { literal } else { !literal });
            at = node.next as usize + usize::from(!is_inside);
        }
    }
}

impl Reached {
    /// Returns the outcome of a position that reaches this leaf, and whether it is an exception there, which `function`
    /// tells.
    #[inline]
    pub(super) fn decide(self, function: &StaticFunction, view: &View<'_>) -> (Wdl, bool) {
        if let Some(outcome) = self.certain() {
            return (outcome, false);
        }
        let (outcome, exceptions) = (self.outcome(), self.0.low >> 2);
        let hash = PositionHash::of_men(view.squares(), view.en_passant());
        if !function.is_exception(hash, self.0.width) {
            return (outcome, false);
        }
        let excepted = Wdl::ALL.get(usize::from(exceptions)).copied();
        (excepted.unwrap_or_else(|| function.either(outcome, hash)), true)
    }
}
