//! Codec `pcn` for trees: nodes in preorder, each named by decisions whose contexts are the path, the sibling and what
//! the same variable was tested for before; then the ranks of the exceptions as gaps.
//!
//! What the path excludes costs nothing: a test names its variable among those with two parts left, and its interval
//! among the parts left. Of two leaves below one test the second cannot repeat the first.

use super::mixing::Mixer;
use super::range::{Coder, Decoder, Encoder};
use super::ranks;
use super::symbols::Set;
use super::tree::{Exception, Leaf, Node, Test, Tree};
use crate::error::{Error, Result};
use crate::model::MAX_VARIABLES;
use crate::position::Wdl;

/// Kinds of decisions. A kind that codes numbers takes two.
pub(super) mod kind {
    pub const IS_LEAF: usize = 0;
    pub const OUTCOME: usize = 1;
    pub const HAS_EXCEPTIONS: usize = 2;
    pub const EXCEPTIONS: usize = 3;
    pub const IS_NEW: usize = 5;
    pub const VARIABLE: usize = 6;
    pub const IS_INTERIOR: usize = 7;
    pub const CUT: usize = 8;
    pub const LOW: usize = 9;
    pub const HIGH: usize = 10;
    pub const GAP: usize = 11;
    pub const EXCEPTION: usize = 13;
}

/// Nodes and exceptions that a payload may have: this many for each of its bytes and of eight more. A reader thereby
/// allocates in proportion to the file.
const PER_BYTE: usize = 32;

/// In place of a variable where there is none.
const NONE: u64 = MAX_VARIABLES as u64;

/// A node without ranks: what the first part of the payload says of it.
#[derive(Clone, Copy, Debug)]
enum Item {
    Test(Test),
    /// A leaf: the number of its outcome's class, and of its exceptions.
    Leaf(usize, u64),
}

/// What a node may know of the first child of its parent.
#[derive(Clone, Copy, Debug)]
struct Sibling {
    /// The class of a leaf, and whether it has exceptions.
    leaf: Option<(usize, bool)>,
    /// The variable that it tests.
    variable: u64,
    /// Nodes in its subtree.
    size: usize,
}

/// A test on the path.
#[derive(Clone, Copy, Debug)]
struct Frame {
    test: Test,
    /// Parts of the variable before the test.
    before: u64,
    /// The first child, once it is complete.
    first: Option<Sibling>,
}

/// Both directions of the code.
struct TreeCode<C> {
    coder: C,
    mixer: Mixer,
    /// The outcomes in the tree.
    classes: Vec<Wdl>,
    has_exceptions: bool,
    /// Parts left of each variable on the path.
    left: Vec<u64>,
    /// Variables in the order of their first test, and the place of each in it.
    seen: Vec<u16>,
    place: Vec<Option<u16>>,
    /// The places of seen variables with two parts left, and the number of unseen variables.
    open: Set,
    path: Vec<Frame>,
    /// How much of all positions the path leaves, as if parts were equally likely: -4 log2 of it.
    narrowing: u32,
    /// The class of the last leaf.
    last_class: usize,
    nodes: usize,
}

impl<C: Coder> TreeCode<C> {
    fn new(coder: C, parts: &[u8], classes: Vec<Wdl>, has_exceptions: bool) -> Self {
        TreeCode {
            coder,
            mixer: Mixer::default(),
            last_class: classes.len(),
            classes,
            has_exceptions,
            left: parts.iter().map(|&parts| u64::MAX >> (64 - u32::from(parts))).collect(),
            seen: Vec::new(),
            place: vec![None; parts.len()],
            open: Set::EMPTY,
            path: Vec::new(),
            narrowing: 0,
            nodes: 0,
        }
    }

    /// Codes a tree: `given` has its nodes by number for an encoder, nothing for a decoder; `take` gets every node
    /// coded.
    fn run(
        &mut self,
        given: impl Fn(usize) -> Option<Item>,
        mut take: impl FnMut(Item) -> Result<()>,
    ) -> Result<()> {
        loop {
            let item = self.item(given(self.nodes));
            self.nodes += 1;
            take(item)?;
            match item {
                Item::Test(test) => {
                    let before = self.left[usize::from(test.variable)];
                    self.path.push(Frame { test, before, first: None });
                    self.restrict(test.variable, before & test.literal());
                }
                Item::Leaf(class, exceptions) => {
                    self.last_class = class;
                    let leaf = Sibling { leaf: Some((class, exceptions > 0)), variable: NONE, size: 1 };
                    if self.complete(leaf) {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Goes on to the second child of the last test that lacks it; returns whether there is none.
    fn complete(&mut self, mut subtree: Sibling) -> bool {
        while let Some(frame) = self.path.last_mut() {
            let Frame { test, before, first } = *frame;
            let Some(first) = first else {
                frame.first = Some(subtree);
                self.restrict(test.variable, before & !test.literal());
                return false;
            };
            self.restrict(test.variable, before);
            self.path.pop();
            let size = first.size + subtree.size + 1;
            subtree = Sibling { leaf: None, variable: test.variable.into(), size };
        }
        true
    }

    /// Makes `parts` those left of `variable`.
    fn restrict(&mut self, variable: u16, parts: u64) {
        let left = &mut self.left[usize::from(variable)];
        self.narrowing = self.narrowing + quarter_bits(*left) - quarter_bits(parts);
        *left = parts;
        if let Some(place) = self.place[usize::from(variable)] {
            if parts.count_ones() > 1 {
                self.open.insert(place.into());
            } else {
                self.open.remove(place.into());
            }
        }
    }

    fn item(&mut self, given: Option<Item>) -> Item {
        let parent = self.path.last().copied();
        let context = Context::new(self, parent);
        let unseen = self.left.len() - self.seen.len();
        let is_leaf = (self.open.is_empty() && unseen == 0)
            || self.mixer.code(
                &mut self.coder,
                kind::IS_LEAF,
                &context.is_leaf(),
                None,
                matches!(given, Some(Item::Leaf(..))),
            );
        if is_leaf {
            let given =
                if let Some(Item::Leaf(class, exceptions)) = given { (class, exceptions) } else { (0, 0) };
            let (class, exceptions) = self.leaf(&context, given);
            return Item::Leaf(class, exceptions);
        }
        let given =
            if let Some(Item::Test(test)) = given { test } else { Test { variable: 0, low: 0, high: 0 } };
        let variable = self.variable(&context, given.variable);
        Item::Test(self.interval(&context, variable, given))
    }

    fn leaf(&mut self, context: &Context, (class, exceptions): (usize, u64)) -> (usize, u64) {
        let classes = self.classes.len();
        let sibling = context.sibling.and_then(|sibling| sibling.leaf);
        let mut candidates = Set::of_bits((1 << classes) - 1);
        if let Some((class, false)) = sibling
            && !self.has_exceptions
        {
            candidates.remove(class);
        }
        let class = self.mixer.symbol(
            &mut self.coder,
            kind::OUTCOME,
            &context.outcome(self.last_class as u64),
            &candidates,
            class,
        );
        if !self.has_exceptions {
            return (class, 0);
        }
        let contexts = context.exceptions(class as u64);
        let forced = sibling == Some((class, false));
        let has =
            forced || self.mixer.code(&mut self.coder, kind::HAS_EXCEPTIONS, &contexts, None, exceptions > 0);
        if !has {
            return (class, 0);
        }
        let most = ranks::MAX_POSITIONS - 1;
        let given = exceptions.saturating_sub(1);
        (class, 1 + self.mixer.number(&mut self.coder, kind::EXCEPTIONS, &contexts[..2], most, given))
    }

    fn variable(&mut self, context: &Context, given: u16) -> u16 {
        let unseen = self.left.len() - self.seen.len();
        let place = self.place.get(usize::from(given)).copied().flatten();
        let is_new = match (self.open.is_empty(), unseen) {
            (true, _) => true,
            (false, 0) => false,
            _ => {
                let contexts =
                    [self.seen.len().min(40) as u64, context.narrowing.min(63), size_class(self.nodes)];
                self.mixer.code(&mut self.coder, kind::IS_NEW, &contexts, None, place.is_none())
            }
        };
        if !is_new {
            let given = place.unwrap_or(0).into();
            let place =
                self.mixer.symbol(&mut self.coder, kind::VARIABLE, &context.variable(), &self.open, given);
            return self.seen[place];
        }
        // The number of the variable among those not seen yet.
        let given = self.place[..usize::from(given)].iter().filter(|place| place.is_none()).count();
        let rank = self.coder.uniform(given as u64, unseen as u64) as usize;
        let mut fresh = (0..self.place.len()).filter(|&variable| self.place[variable].is_none());
        let variable = fresh.nth(rank).unwrap_or(0);
        self.place[variable] = Some(self.seen.len() as u16);
        self.open.insert(self.seen.len());
        self.seen.push(variable as u16);
        variable as u16
    }

    fn interval(&mut self, context: &Context, variable: u16, given: Test) -> Test {
        let left = self.left[usize::from(variable)];
        let last = 1 << left.ilog2();
        let first = left & left.wrapping_neg();
        let name = u64::from(variable);
        let contexts = context.interval(name, left);
        let middle = left & !last & !first;
        let is_interior = middle != 0
            && self.mixer.code(&mut self.coder, kind::IS_INTERIOR, &contexts[..3], None, given.low > 0);
        let mut symbol = |kind, candidates, contexts: &[u64], given: u8| {
            let candidates = Set::of_bits(candidates);
            self.mixer.symbol(&mut self.coder, kind, contexts, &candidates, given.into()) as u8
        };
        if !is_interior {
            return Test { variable, low: 0, high: symbol(kind::CUT, left & !last, &contexts, given.high) };
        }
        let low = symbol(kind::LOW, middle, &contexts[..3], given.low);
        let high = middle & (u64::MAX << low);
        let contexts = contexts.map(|context| context << 6 | u64::from(low));
        Test { variable, low, high: symbol(kind::HIGH, high, &contexts[..3], given.high) }
    }
}

/// 4 log2 of the number of parts in `parts`, rounded.
fn quarter_bits(parts: u64) -> u32 {
    const TABLE: [u32; 65] = {
        let mut table = [0; 65];
        let mut n = 1;
        while n < 65 {
            // n^8 in units of 2^(1/2) powers: 4 log2 n = log2(n^8) / 2.
            let eighth = (n as u128).pow(8);
            table[n] = eighth.ilog2().div_ceil(2);
            n += 1;
        }
        table
    };
    TABLE[parts.count_ones() as usize]
}

fn size_class(size: usize) -> u64 {
    u64::from((size + 1).ilog2())
}

/// What the decisions about a node have in common.
struct Context {
    /// The variable of the parent, or [`NONE`]; its interval; which child this is, 2 for the root.
    parent: u64,
    interval: u64,
    side: u64,
    grandparent: u64,
    depth: u64,
    narrowing: u64,
    sibling: Option<Sibling>,
}

impl Context {
    fn new<C>(code: &TreeCode<C>, parent: Option<Frame>) -> Self {
        let side = parent.map_or(2, |frame| u64::from(frame.first.is_some()));
        let above = code.path.len().checked_sub(2).map(|at| &code.path[at]);
        Context {
            parent: parent.map_or(NONE, |frame| frame.test.variable.into()),
            interval: parent.map_or(0, |frame| u64::from(frame.test.low) << 6 | u64::from(frame.test.high)),
            side,
            grandparent: above
                .map_or(NONE, |frame| u64::from(frame.test.variable) << 1 | u64::from(frame.first.is_some())),
            depth: code.path.len().min(63) as u64,
            narrowing: (code.narrowing / 2).min(255).into(),
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

    fn is_leaf(&self) -> [u64; 6] {
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

    fn outcome(&self, last: u64) -> [u64; 5] {
        let near = self.side << 4 | self.sibling_kind() << 2 | self.sibling_class();
        [
            near,
            (self.parent << 12 | self.interval) << 2 | self.side,
            last << 8 | near,
            self.parent << 6 | near,
            (self.grandparent << 12 | self.parent) << 2 | self.side,
        ]
    }

    fn exceptions(&self, class: u64) -> [u64; 5] {
        let near = class << 2 | self.sibling_kind();
        [
            class,
            self.narrowing << 2 | class,
            near << 2 | self.side,
            self.depth << 2 | class,
            (self.parent << 2 | self.side) << 2 | class,
        ]
    }

    fn variable(&self) -> [u64; 6] {
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

    fn interval(&self, variable: u64, left: u64) -> [u64; 5] {
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

/// Returns the payload of a section with `tree`, whose variables have `parts`; `None` when a payload of that length may
/// not stand for so many nodes.
pub(super) fn encode(tree: &Tree, parts: &[u8]) -> Option<Vec<u8>> {
    let is_there = |class: &Wdl| {
        tree.leaves()
            .any(|leaf| leaf.outcome == *class || leaf.exceptions.iter().any(|e| e.outcome == *class))
    };
    let classes: Vec<Wdl> = Wdl::ALL.into_iter().filter(is_there).collect();
    let class_of = |outcome: Wdl| classes.iter().position(|&class| class == outcome).unwrap_or(0);
    let mut encoder = Encoder::new();
    for class in Wdl::ALL {
        encoder.code(classes.contains(&class), 1 << 15);
    }
    if classes.len() == 1 {
        return Some(encoder.finish());
    }
    let exceptions = tree.exceptions();
    encoder.code(exceptions > 0, 1 << 15);
    let mut code = TreeCode::new(encoder, parts, classes.clone(), exceptions > 0);
    let item = |number: usize| {
        tree.nodes().get(number).map(|node| match node {
            Node::Test(test) => Item::Test(*test),
            Node::Leaf(leaf) => Item::Leaf(class_of(leaf.outcome), leaf.exceptions.len() as u64),
        })
    };
    code.run(item, |_| Ok(())).ok()?;
    for leaf in tree.leaves().filter(|leaf| !leaf.exceptions.is_empty()) {
        let given: Vec<(u64, usize)> =
            leaf.exceptions.iter().map(|exception| (exception.rank, class_of(exception.outcome))).collect();
        let count = given.len() as u64;
        let classes = (classes.len(), class_of(leaf.outcome));
        ranks::code(
            &mut code.mixer,
            &mut code.coder,
            classes,
            leaf.positions,
            count,
            |n| given[n],
            |_, _| (),
        );
    }
    let payload = code.coder.finish();
    (tree.nodes().len() + exceptions <= PER_BYTE * (payload.len() + 8)).then_some(payload)
}

/// A tree whose ranks have not been read yet: that takes the number of positions that reach each leaf with exceptions.
pub(super) struct Unranked<'a> {
    code: Option<TreeCode<Decoder<'a>>>,
    nodes: Vec<Node>,
    /// The number of exceptions of each leaf.
    counts: Vec<u64>,
    classes: Vec<Wdl>,
}

/// Reads the first part of a payload: everything but the ranks of exceptions. Any payload is acceptable; allocates in
/// proportion to it.
///
/// # Errors
/// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) with the reason.
pub(super) fn decode<'a>(payload: &'a [u8], parts: &[u8]) -> Result<Unranked<'a>> {
    let mut decoder = Decoder::new(payload);
    let classes: Vec<Wdl> = Wdl::ALL.into_iter().filter(|_| decoder.code(false, 1 << 15)).collect();
    match classes[..] {
        [] => return Err(Error::corrupt("a tree without outcomes")),
        [outcome] => {
            finished(&decoder)?;
            let nodes = Tree::constant(outcome).nodes().to_vec();
            return Ok(Unranked { code: None, nodes, counts: vec![0], classes });
        }
        _ => {}
    }
    let has_exceptions = decoder.code(false, 1 << 15);
    let limit = PER_BYTE * (payload.len() + 8);
    let (mut nodes, mut counts, mut exceptions) = (Vec::new(), Vec::new(), 0_u64);
    let mut code = TreeCode::new(decoder, parts, classes.clone(), has_exceptions);
    let take = |item| {
        match item {
            Item::Test(test) => nodes.push(Node::Test(test)),
            Item::Leaf(class, count) => {
                nodes.push(Node::Leaf(Leaf {
                    outcome: classes[class],
                    positions: 0,
                    exceptions: Vec::new(),
                }));
                counts.push(count);
                exceptions = exceptions.saturating_add(count);
            }
        }
        if (nodes.len() as u64).saturating_add(exceptions) > limit as u64 {
            return Err(Error::corrupt("a payload with more nodes and exceptions than its length allows"));
        }
        Ok(())
    };
    code.run(|_| None, take)?;
    if has_exceptions == (exceptions == 0) {
        return Err(Error::corrupt("a tree that announces exceptions and has none"));
    }
    let unranked = Unranked { code: Some(code), nodes, counts, classes };
    if exceptions == 0 {
        unranked.check_end()?;
    }
    Ok(unranked)
}

fn finished(decoder: &Decoder) -> Result<()> {
    if decoder.is_finished() { Ok(()) } else { Err(Error::corrupt("bytes after the end of a tree")) }
}

impl Unranked<'_> {
    /// The nodes; leaves still without positions and exceptions.
    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The number of exceptions of each leaf, in order.
    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Reads the ranks; `positions` says how many positions reach each leaf, as far as it has exceptions.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when a leaf has more exceptions than positions, or bytes are left
    /// over.
    pub(super) fn finish(mut self, positions: &[u64]) -> Result<Tree> {
        let leaves = self.nodes.iter_mut().filter_map(|node| match node {
            Node::Leaf(leaf) => Some(leaf),
            Node::Test(_) => None,
        });
        for ((leaf, &count), &positions) in leaves.zip(&self.counts).zip(positions) {
            let Some(code) = self.code.as_mut().filter(|_| count > 0) else { continue };
            if count > positions || positions > ranks::MAX_POSITIONS {
                return Err(Error::corrupt(format!("{count} exceptions among {positions} positions")));
            }
            leaf.positions = positions;
            leaf.exceptions.reserve_exact(count as usize);
            let class = self.classes.iter().position(|&class| class == leaf.outcome).unwrap_or(0);
            let classes = (self.classes.len(), class);
            let take = |rank, class: usize| {
                leaf.exceptions.push(Exception { rank, outcome: self.classes[class] });
            };
            ranks::code(&mut code.mixer, &mut code.coder, classes, positions, count, |_| (0, 0), take);
        }
        self.check_end()?;
        Ok(Tree::from_normal(self.nodes))
    }

    /// Returns the tree with as many exceptions at each leaf as it has, but not those: what follows the nodes is not read.
    pub(super) fn finish_without_ranks(mut self) -> Tree {
        let leaves = self.nodes.iter_mut().filter_map(|node| match node {
            Node::Leaf(leaf) => Some(leaf),
            Node::Test(_) => None,
        });
        for (leaf, &count) in leaves.zip(&self.counts) {
            // A tree of one class has no exceptions.
            let Some(&outcome) = self.classes.iter().find(|class| **class != leaf.outcome) else { continue };
            leaf.positions = count;
            leaf.exceptions = (0..count).map(|rank| Exception { rank, outcome }).collect();
        }
        Tree::from_normal(self.nodes)
    }

    /// Checks that the payload ends where the tree does and that every outcome announced is there.
    fn check_end(&self) -> Result<()> {
        if let Some(code) = &self.code {
            finished(&code.coder)?;
        }
        let is_there = |class: &Wdl| {
            self.nodes.iter().any(|node| match node {
                Node::Leaf(leaf) => {
                    leaf.outcome == *class
                        || leaf.exceptions.iter().any(|exception| exception.outcome == *class)
                }
                Node::Test(_) => false,
            })
        };
        if self.classes.iter().all(is_there) {
            Ok(())
        } else {
            Err(Error::corrupt("a tree announces an outcome that it does not have"))
        }
    }
}
