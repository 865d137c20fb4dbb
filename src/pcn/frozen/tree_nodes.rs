//! Codec `pcn` for trees: the nodes, in preorder, each coded as a few decisions in the contexts of `tree_context.rs`.
//!
//! Parts that the path excludes cost nothing: a test chooses its variable among the variables with two or more parts left, and
//! its interval among the parts left. Of two leaves below one test the second cannot repeat the first. So every code decodes to a
//! tree in normal form.
//!
//! A subtree may be cut out: then only its place is coded (`pages.rs`), as a leaf `None`.

use super::context_mixer::Mixer;
use super::range_coder::Coder;
use super::tree_context::{Ancestor, Context, Sibling, size_class};
use crate::error::Result;
use crate::nodes::{Node, Test};
use alloc::vec::Vec;

/// Kinds of decisions.
pub(in crate::pcn) mod kind {
    pub const IS_LEAF: usize = 0;
    pub const OUTCOME: usize = 1;
    pub const HAS_EXCEPTIONS: usize = 2;
    pub const LEVEL: usize = 3;
    pub const EXCEPTED: usize = 4;
    pub const IS_NEW: usize = 5;
    pub const VARIABLE: usize = 6;
    pub const IS_INTERIOR: usize = 7;
    pub const HALF: usize = 8;
    pub const LOW: usize = 9;
    pub const HIGH: usize = 10;
    pub const IS_CUT: usize = 11;
    pub const LENGTH: usize = 12;
    pub const OFFSET: usize = 13;
}

/// The leaves of a tree, as they are coded.
pub(crate) trait LeafCodec {
    type Leaf: Copy + PartialEq;

    /// The number that the first leaf gets in place of the class of the latest leaf.
    fn no_class(&self) -> usize;

    /// Checks that the leaves read so far do not exceed the limits of a reader.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// Begins a page with a code of `bytes` bytes.
    fn begin_page(&mut self, _bytes: usize) {}

    /// The class of a leaf, and whether it has exceptions.
    fn kind(&self, leaf: &Self::Leaf) -> (usize, bool);

    /// Codes a leaf; an encoder gets it as `given`. `last` is the class of the latest leaf.
    fn code<C: Coder>(
        &mut self,
        learner: &mut ModelCoder<C>,
        context: &Context,
        last: usize,
        given: Option<Self::Leaf>,
    ) -> Self::Leaf;
}

/// The node, unless a subtree is cut out here.
pub(in crate::pcn) fn whole<L>(node: Node<Option<L>>) -> Option<Node<L>> {
    match node {
        Node::Test(test) => Some(Node::Test(test)),
        Node::Leaf(leaf) => leaf.map(Node::Leaf),
    }
}

/// A cut subtree in the contexts of its sibling: a test of unknown variable, counted as 512 nodes.
const OF_CUT: Sibling = Sibling { leaf: None, place: 0, size: 1 << 9 };

/// A coder and its mixer.
pub(crate) struct ModelCoder<C> {
    pub(in crate::pcn) coder: C,
    pub(in crate::pcn) mixer: Mixer,
}

impl<C: Coder> ModelCoder<C> {
    pub(in crate::pcn) fn code<const N: usize>(
        &mut self,
        kind: usize,
        contexts: &[u64; N],
        bit: bool,
    ) -> bool {
        self.mixer.code(&mut self.coder, kind, contexts, bit)
    }

    pub(in crate::pcn) fn symbol<const N: usize>(
        &mut self,
        kind: usize,
        contexts: &[u64; N],
        candidates: (u32, &[u64]),
        value: usize,
    ) -> usize {
        self.mixer.symbol(&mut self.coder, kind, contexts, candidates, value)
    }
}

/// The state of coding nodes, the same for both directions.
pub(in crate::pcn) struct PreorderCodec<L> {
    pub(in crate::pcn) leaves: L,
    /// Cut subtrees still to come.
    cuts: usize,
    /// Parts left of each variable on the path.
    left: Vec<u64>,
    seen: VariableRanks,
    /// The set of places of seen variables with two or more parts left, 64 a word, and its size.
    open: Vec<u64>,
    open_count: usize,
    /// The most bits of a place, and of a part.
    place_bits: u32,
    part_bits: u32,
    path: Vec<Ancestor>,
    /// Tests on the path to the root of the cut subtree that is being coded; 0 otherwise.
    base: usize,
    /// -4 log2 of the share of positions that the path leaves, if parts were equally likely.
    narrowing: u32,
    last_class: usize,
}

/// The variables that were tested.
#[derive(Clone, Debug)]
pub(in crate::pcn) struct VariableRanks {
    /// In the order of their first test.
    variables: Vec<u16>,
    /// The index of each variable in `variables`.
    place: Vec<Option<u16>>,
    /// Nodes coded.
    nodes: usize,
}

impl<L: LeafCodec> PreorderCodec<L> {
    /// Returns the state at the root of a tree over variables with `parts`, from which `cuts` subtrees are cut out.
    pub(in crate::pcn) fn new(parts: &[u8], leaves: L, cuts: usize) -> Self {
        PreorderCodec {
            last_class: leaves.no_class(),
            leaves,
            cuts,
            left: parts.iter().map(|&parts| u64::MAX >> (64 - u32::from(parts))).collect(),
            seen: VariableRanks { variables: Vec::new(), place: vec![None; parts.len()], nodes: 0 },
            open: vec![0; parts.len().div_ceil(64)],
            open_count: 0,
            place_bits: bits_below(parts.len()),
            part_bits: bits_below(parts.iter().copied().max().unwrap_or(0).into()),
            path: Vec::new(),
            base: 0,
            narrowing: 0,
        }
    }

    /// Cut subtrees still to come.
    pub(in crate::pcn) fn cuts(&self) -> usize {
        self.cuts
    }

    /// The variables that were tested so far.
    pub(in crate::pcn) fn seen(&self) -> &VariableRanks {
        &self.seen
    }

    /// Replaces the set of seen variables.
    pub(in crate::pcn) fn resume(&mut self, seen: VariableRanks) {
        self.seen = seen;
        self.open.fill(0);
        self.open_count = 0;
        for place in 0..self.seen.variables.len() {
            let left = self.left[usize::from(self.seen.variables[place])];
            self.set_open(place, left & left.wrapping_sub(1) != 0);
        }
    }

    /// Codes a tree: `given` are its nodes for an encoder, nothing for a decoder. Calls `take` with every node coded.
    pub(in crate::pcn) fn code<C: Coder>(
        &mut self,
        learner: &mut ModelCoder<C>,
        mut given: impl Iterator<Item = Node<Option<L::Leaf>>>,
        mut take: impl FnMut(&ModelCoder<C>, Node<Option<L::Leaf>>) -> Result<()>,
    ) -> Result<()> {
        loop {
            learner.mixer.counters.check_room()?;
            self.leaves.check()?;
            let node = self.node(learner, given.next());
            self.seen.nodes += 1;
            take(learner, node)?;
            if self.pass(node) {
                return Ok(());
            }
        }
    }

    /// Codes the subtree that is cut out at the current place, and stays at this place.
    pub(in crate::pcn) fn code_cut<C: Coder>(
        &mut self,
        learner: &mut ModelCoder<C>,
        mut given: impl Iterator<Item = Node<Option<L::Leaf>>>,
        mut take: impl FnMut(Node<Option<L::Leaf>>) -> Result<()>,
    ) -> Result<()> {
        let (base, last_class) = (self.base, self.last_class);
        self.base = self.path.len();
        // The root is always a test, so whether it is a leaf is not coded.
        learner.mixer.counters.check_room()?;
        let context = Context::new(&self.path, self.narrowing);
        let node = Node::Test(self.test(learner, &context, given.next()));
        self.seen.nodes += 1;
        take(node)?;
        self.pass(node);
        self.code(learner, given, |_, node| take(node))?;
        (self.base, self.last_class) = (base, last_class);
        Ok(())
    }

    /// Moves to the place after `node`; returns whether the tree is complete.
    pub(in crate::pcn) fn pass(&mut self, node: Node<Option<L::Leaf>>) -> bool {
        match node {
            Node::Test(test) => {
                let before = self.left[usize::from(test.variable)];
                let place = self.number(test.variable);
                self.path.push(Ancestor { test, place, before, first: None });
                self.restrict(test.variable, before & test.literal());
                false
            }
            Node::Leaf(Some(leaf)) => {
                let (class, has_exceptions) = self.leaves.kind(&leaf);
                self.last_class = class;
                self.complete(Sibling { leaf: Some((class, has_exceptions)), place: 0, size: 1 })
            }
            Node::Leaf(None) => self.complete(OF_CUT),
        }
    }

    /// Moves to the second child of the last test without one; returns whether the tree is complete.
    fn complete(&mut self, mut subtree: Sibling) -> bool {
        while self.path.len() > self.base
            && let Some(frame) = self.path.last_mut()
        {
            let Ancestor { test, place, before, first } = *frame;
            let Some(first) = first else {
                frame.first = Some(subtree);
                self.restrict(test.variable, before & !test.literal());
                return false;
            };
            self.restrict(test.variable, before);
            self.path.pop();
            let size = first.size + subtree.size + 1;
            subtree = Sibling { leaf: None, place, size };
        }
        true
    }

    /// The place of a seen variable, from 1; 0 for another.
    fn number(&self, variable: u16) -> u64 {
        self.seen.place[usize::from(variable)].map_or(0, |place| u64::from(place) + 1)
    }

    fn restrict(&mut self, variable: u16, parts: u64) {
        let left = &mut self.left[usize::from(variable)];
        self.narrowing = self.narrowing + quarter_bits(*left) - quarter_bits(parts);
        *left = parts;
        if let Some(place) = self.seen.place[usize::from(variable)] {
            self.set_open(place.into(), parts & parts.wrapping_sub(1) != 0);
        }
    }

    /// Records whether the variable with this place has two or more parts left.
    fn set_open(&mut self, place: usize, is_open: bool) {
        let word = &mut self.open[place / 64];
        let was_open = *word >> (place % 64) & 1 == 1;
        *word ^= u64::from(was_open != is_open) << (place % 64);
        self.open_count = self.open_count + usize::from(is_open) - usize::from(was_open);
    }

    fn node<C: Coder>(
        &mut self,
        learner: &mut ModelCoder<C>,
        given: Option<Node<Option<L::Leaf>>>,
    ) -> Node<Option<L::Leaf>> {
        let context = Context::new(&self.path, self.narrowing);
        let is_complete = self.open_count == 0 && self.left.len() == self.seen.variables.len();
        let leaf = if let Some(Node::Leaf(Some(leaf))) = given { Some(leaf) } else { None };
        let is_leaf = is_complete || learner.code(kind::IS_LEAF, &context.is_leaf(), leaf.is_some());
        if is_leaf {
            return Node::Leaf(Some(self.leaves.code(learner, &context, self.last_class, leaf)));
        }
        let is_cut = given == Some(Node::Leaf(None));
        if self.cuts > 0 && !self.path.is_empty() && learner.code(kind::IS_CUT, &context.is_cut(), is_cut) {
            self.cuts -= 1;
            return Node::Leaf(None);
        }
        Node::Test(self.test(learner, &context, given))
    }

    fn test<C: Coder>(
        &mut self,
        learner: &mut ModelCoder<C>,
        context: &Context,
        given: Option<Node<Option<L::Leaf>>>,
    ) -> Test {
        let given = match given {
            Some(Node::Test(test)) => test,
            _ => Test { variable: 0, low: 0, high: 0 },
        };
        let variable = self.variable(learner, context, given.variable);
        self.interval(learner, context, variable, given)
    }

    fn variable<C: Coder>(&mut self, learner: &mut ModelCoder<C>, context: &Context, given: u16) -> u16 {
        let VariableRanks { variables: seen, place: places, nodes } = &self.seen;
        let unseen = self.left.len() - seen.len();
        let place = places.get(usize::from(given)).copied().flatten();
        let is_new = match (self.open_count == 0, unseen) {
            (true, _) => true,
            (false, 0) => false,
            _ => {
                let contexts = [seen.len().min(40) as u64, context.narrowing.min(63), size_class(*nodes)];
                learner.code(kind::IS_NEW, &contexts, place.is_none())
            }
        };
        if !is_new {
            let given = place.unwrap_or(0).into();
            let candidates = (self.place_bits, &self.open[..]);
            return seen[learner.symbol(kind::VARIABLE, &context.variable(), candidates, given)];
        }
        // The number of the variable among the variables not seen yet.
        let given = places[..usize::from(given)].iter().filter(|place| place.is_none()).count();
        learner.coder.about(kind::VARIABLE);
        let number = learner.coder.uniform(given as u64, unseen as u64) as usize;
        let mut fresh = (0..places.len()).filter(|&variable| places[variable].is_none());
        let variable = fresh.nth(number).unwrap_or(0);
        let place = seen.len();
        self.seen.place[variable] = Some(place as u16);
        self.seen.variables.push(variable as u16);
        self.set_open(place, true);
        variable as u16
    }

    fn interval<C: Coder>(
        &mut self,
        learner: &mut ModelCoder<C>,
        context: &Context,
        variable: u16,
        given: Test,
    ) -> Test {
        let left = self.left[usize::from(variable)];
        let last = 1 << left.ilog2();
        let first = left & left.wrapping_neg();
        let contexts = context.interval(self.number(variable), left);
        let middle = left & !last & !first;
        let [a, b, c, ..] = contexts;
        let is_interior = middle != 0 && learner.code(kind::IS_INTERIOR, &[a, b, c], given.low > 0);
        if !is_interior {
            let candidates = (self.part_bits, &[left & !last][..]);
            let high = learner.symbol(kind::HALF, &contexts, candidates, given.high.into());
            return Test { variable, low: 0, high: high as u8 };
        }
        let mut symbol = |kind, candidates, contexts, given: u8| {
            learner.symbol(kind, &contexts, (self.part_bits, &[candidates]), given.into()) as u8
        };
        let low = symbol(kind::LOW, middle, [a, b, c], given.low);
        let high = middle & (u64::MAX << low);
        let contexts = [a, b, c].map(|context| context << 6 | u64::from(low));
        Test { variable, low, high: symbol(kind::HIGH, high, contexts, given.high) }
    }
}

/// Bits of the greatest number below `count`.
pub(in crate::pcn) const fn bits_below(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

/// 4 log2 of the number of parts in `parts`, rounded.
fn quarter_bits(parts: u64) -> u32 {
    const TABLE: [u32; 65] = {
        let mut table = [0; 65];
        let mut n = 1;
        while n < 65 {
            // 4 log2 n = log2(n^8) / 2.
            let eighth = (n as u128).pow(8);
            table[n] = eighth.ilog2().div_ceil(2);
            n += 1;
        }
        table
    };
    TABLE[parts.count_ones() as usize]
}
