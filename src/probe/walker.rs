//! A decision tree laid out for walking.
//!
//! Most probes end a few nodes below the root, so what takes time is to get those nodes into the cache: nodes stand level
//! by level, the two children of a test beside each other, each in eight bytes that hold all that is needed: a test names
//! its variable by family and men, a leaf what it states.

use crate::model::{Plan, VariableCode, View};
use crate::pcn::{Excepted, Leaf, Node, PositionHash, StaticFunction, Test, Tree};
use crate::position::Wdl;
use std::collections::VecDeque;

/// A tree, ready to be walked. Immutable.
#[derive(Clone, Debug)]
pub(super) struct Walker {
    /// Level by level, the root first.
    nodes: Vec<Packed>,
    exceptions: StaticFunction,
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
    /// Where the first child stands, the second being next to it; of a leaf its number in preorder.
    next: u32,
}

const LEAF: u16 = u16::MAX;

/// What the exceptions of a leaf are, but for the index of their outcome.
const EITHER: u8 = 3;
const NONE: u8 = 4;

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
}

/// A leaf that a position has reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached(Packed);

impl Reached {
    /// The number of the leaf in preorder.
    pub(super) fn number(self) -> usize {
        self.0.next as usize
    }

    #[inline]
    fn outcome(self) -> Wdl {
        Wdl::ALL[usize::from(self.0.low & 3) % 3]
    }
}

impl Walker {
    /// Returns the walker of `tree`, which is over the variables of `plan`.
    pub(super) fn new(tree: &Tree, plan: &Plan) -> Self {
        let given: Vec<Node> = tree.nodes().collect();
        // From the last node to the first: where the second child of each test begins, and how many leaves come before.
        let (mut seconds, mut open) = (vec![0; given.len()], Vec::new());
        for (at, node) in given.iter().enumerate().rev() {
            if let Node::Test(_) = node {
                open.pop();
                seconds[at] = open.pop().unwrap_or(at);
            }
            open.push(at);
        }
        let (mut nodes, mut left) = (Vec::with_capacity(given.len()), VecDeque::from([0]));
        let mut leaves = 0;
        let leaf_number: Vec<u32> = given
            .iter()
            .map(|node| {
                let number = leaves;
                leaves += u32::from(matches!(node, Node::Leaf(_)));
                number
            })
            .collect();
        while let Some(at) = left.pop_front() {
            nodes.push(match given[at] {
                Node::Test(test) => {
                    let next = nodes.len() + left.len() + 1;
                    left.extend([at + 1, seconds[at]]);
                    Packed::test(test, plan, next as u32)
                }
                Node::Leaf(leaf) => Packed::leaf(leaf, leaf_number[at]),
            });
        }
        Walker { nodes, exceptions: tree.exceptions().clone() }
    }

    /// Bytes of memory that it takes.
    pub(super) fn memory(&self) -> usize {
        size_of_val(&self.nodes[..]) + self.exceptions.memory()
    }

    /// Returns the leaf that a position reaches; `passed` is told each test met and whether the position goes to its first
    /// child.
    #[inline]
    pub(super) fn walk(&self, view: &View<'_>, mut passed: impl FnMut(VariableCode, u64)) -> Reached {
        let mut at = 0;
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

    /// Returns the outcome of a position that reaches `leaf`, and whether it is an exception there.
    #[inline]
    pub(super) fn outcome(&self, leaf: Reached, view: &View<'_>) -> (Wdl, bool) {
        let (outcome, exceptions) = (leaf.outcome(), leaf.0.low >> 2);
        if exceptions == NONE {
            return (outcome, false);
        }
        let hash = PositionHash::of_men(view.squares(), view.en_passant());
        if !self.exceptions.is_exception(hash, leaf.0.width) {
            return (outcome, false);
        }
        let excepted = Wdl::ALL.get(usize::from(exceptions)).copied();
        (excepted.unwrap_or_else(|| self.exceptions.either(outcome, hash)), true)
    }
}
