//! Decision trees laid out for walking.
//!
//! The two children of a test stand side by side. A cache line has four such pairs, one and those next below it. So a walk down a
//! large tree finds two nodes in most lines that it reads. The lines stand level by level: most probes end a few nodes below the
//! root. A walk reads nothing but the eight bytes of each node: a test holds the code of its variable, a leaf its outcome.

use crate::chess::model::{Coordinates, VariableCode, VariableSet, View};
use crate::chess::position::Wdl;
use crate::nodes::{Test, ends};
use crate::pcn::{Excepted, Leaf, Node, PositionHash, StaticFunction};
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::iter;

/// Trees, ready to be walked. Immutable.
#[derive(Clone, Debug)]
pub(super) struct Walker {
    /// The roots first.
    lines: Box<[Line]>,
}

/// The nodes of a cache line.
const PER_LINE: usize = 8;

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line([WalkNode; PER_LINE]);

/// A node.
#[derive(Clone, Copy, Debug)]
pub(super) struct WalkNode {
    /// The code of a test's variable; [`LEAF`] for a leaf.
    code: u16,
    /// A test: the first part of the interval. A leaf: its outcome in two bits, and above them the code of its exceptions.
    low: u8,
    /// A test: the number of parts after the first. A leaf: the level of its exceptions.
    width: u8,
    /// A test: the index of the first child; the second child follows it. A leaf: its number in preorder. A cut subtree: its
    /// number among the cut subtrees.
    next: u32,
}

const LEAF: u16 = u16::MAX;

/// Codes for the exceptions of a leaf: an outcome's index if all have this outcome, [`EITHER`] if the static function stores
/// the outcome of each, [`NONE`] if there are none. [`CUT`] marks a subtree that is cut out.
const EITHER: u8 = 3;
const NONE: u8 = 4;
const CUT: u8 = 5;

impl WalkNode {
    fn test(test: Test, variables: &VariableSet, next: u32) -> Self {
        let Test { variable, low, high } = test;
        WalkNode { code: variables.code(variable.into()).number(), low, width: high - low, next }
    }

    fn leaf(leaf: Leaf, number: u32) -> Self {
        let (exceptions, width) = match leaf.exceptions {
            None => (NONE, 0),
            Some(Excepted { level, outcome }) => {
                (outcome.map_or(EITHER, |outcome| outcome.index() as u8), level)
            }
        };
        WalkNode { code: LEAF, low: leaf.outcome.index() as u8 | exceptions << 2, width, next: number }
    }

    fn of_cut(number: u32) -> Self {
        WalkNode { code: LEAF, low: CUT << 2, width: 0, next: number }
    }
}

/// Methods of a leaf or of a subtree that is cut out.
impl WalkNode {
    /// The number of the leaf in preorder.
    pub(super) fn number(self) -> usize {
        self.next as usize
    }

    /// The number of the subtree that is cut out here, if there is one.
    #[inline]
    pub(super) fn cut(self) -> Option<usize> {
        (self.low >> 2 == CUT).then(|| self.number())
    }

    /// The outcome, if no position is an exception here.
    #[inline]
    pub(super) fn certain(self) -> Option<Wdl> {
        (self.low >> 2 == NONE).then(|| self.outcome())
    }

    /// The outcome that the leaf states.
    #[inline]
    pub(super) fn outcome(self) -> Wdl {
        // Nodes are made from outcomes, so that the index is below 3.
        Wdl::ALL[usize::from(self.low & 3)]
    }

    /// Returns the outcome of a position that reaches this leaf, and whether `function` makes it an exception there.
    #[inline]
    pub(super) fn decide(self, function: &StaticFunction, view: &View<'_>) -> (Wdl, bool) {
        if let Some(outcome) = self.certain() {
            return (outcome, false);
        }
        let (outcome, exceptions) = (self.outcome(), self.low >> 2);
        let hash = PositionHash::of_men(view.squares(), view.en_passant());
        if !function.is_exception(hash, self.width) {
            return (outcome, false);
        }
        let excepted = Wdl::ALL.get(usize::from(exceptions)).copied();
        (excepted.unwrap_or_else(|| function.either(outcome, hash)), true)
    }
}

impl Walker {
    /// Returns the walker of the trees in `nodes`, which are in preorder, tree after tree, over the variables of `variables`.
    pub(super) fn new(nodes: impl Iterator<Item = Node<Option<Leaf>>>, variables: &VariableSet) -> Self {
        let preorder: Vec<Node<Option<Leaf>>> = nodes.collect();
        let ends = ends(&preorder);
        let roots = iter::successors(Some(0), |&root| ends.get(root).copied())
            .take_while(|&root| root < preorder.len());
        // Leaves and cuts before each node.
        let mut before = (0, 0);
        let number = |node: &Node<Option<Leaf>>| {
            let number = before;
            before.0 += u32::from(matches!(node, Node::Leaf(Some(_))));
            before.1 += u32::from(matches!(node, Node::Leaf(None)));
            number
        };
        let numbers: Vec<(u32, u32)> = preorder.iter().map(number).collect();
        let node = |at: usize| match preorder[at] {
            Node::Test(test) => WalkNode::test(test, variables, 0),
            Node::Leaf(Some(leaf)) => WalkNode::leaf(leaf, numbers[at].0),
            Node::Leaf(None) => WalkNode::of_cut(numbers[at].1),
        };
        let mut nodes: Vec<WalkNode> = Vec::with_capacity(preorder.len() + PER_LINE);
        // Tests whose children are to be placed: their indices here and in preorder.
        let mut left: VecDeque<(usize, usize)> = VecDeque::new();
        let is_test = |at: usize| matches!(preorder[at], Node::Test(_));
        for root in roots {
            left.extend(is_test(root).then_some((nodes.len(), root)));
            nodes.push(node(root));
        }
        // No pair crosses the end of a line.
        nodes.extend((nodes.len() % 2 == 1).then_some(WalkNode::of_cut(0)));
        let mut below: VecDeque<(usize, usize)> = VecDeque::new();
        while let Some(first) = left.pop_front() {
            below.push_back(first);
            while let Some((parent, at)) = below.pop_front() {
                nodes[parent].next = nodes.len() as u32;
                for child in [at + 1, ends[at + 1]] {
                    below.extend(is_test(child).then_some((nodes.len(), child)));
                    nodes.push(node(child));
                }
                if nodes.len().is_multiple_of(PER_LINE) {
                    break;
                }
            }
            left.append(&mut below);
        }
        let line = |nodes: &[WalkNode]| {
            Line(core::array::from_fn(|at| nodes.get(at).copied().unwrap_or(WalkNode::of_cut(0))))
        };
        Walker { lines: nodes.chunks(PER_LINE).map(line).collect() }
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        size_of_val(&self.lines[..])
    }

    #[inline]
    fn node(&self, at: usize) -> WalkNode {
        self.lines[at / PER_LINE].0[at % PER_LINE]
    }

    /// Walks from the root of tree number `tree` as long as tests are of variables by offset: a man's file or rank, or the
    /// differences of two men. Returns the index of the node where the walk stops, and the node itself if it is a leaf.
    #[inline]
    pub(super) fn walk_by_offsets(&self, tree: usize, coordinates: Coordinates) -> (usize, Option<WalkNode>) {
        let mut at = tree;
        loop {
            let node = self.node(at);
            match VariableCode::of_number(node.code).value_by_offset(coordinates) {
                Some(part) => at = node.next as usize + usize::from(part.wrapping_sub(node.low) > node.width),
                None => return (at, (node.code == LEAF).then_some(node)),
            }
        }
    }

    /// Returns the leaf that a position reaches from node `at`. The root of tree number t is node t. Calls `passed` for each test
    /// on the way, with the variable and the set of its parts that lead to the same child.
    #[inline]
    pub(super) fn walk(
        &self,
        mut at: usize,
        view: &View<'_>,
        mut passed: impl FnMut(VariableCode, u64),
    ) -> WalkNode {
        loop {
            let node = self.node(at);
            if node.code == LEAF {
                return node;
            }
            let code = VariableCode::of_number(node.code);
            let is_inside = code.value(view).wrapping_sub(node.low) <= node.width;
            let literal = (u64::MAX >> (63 - node.width)) << node.low;
            passed(code, if is_inside { literal } else { !literal });
            at = node.next as usize + usize::from(!is_inside);
        }
    }
}
