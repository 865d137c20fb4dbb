//! Codec `pcn` for trees: the outcomes, then the nodes (`tree_nodes.rs`).

use super::mixing::Mixer;
use super::range::{Coder, Decoder, Encoder};
use super::tree::{Excepted, Leaf, Node, Tree};
use super::tree_nodes::{BETTER, EITHER, LeafCode, Learner, NodesCode, Piece, WORSE};
use crate::error::{Error, Result};
use crate::position::Wdl;
use alloc::vec;
use alloc::vec::Vec;
use core::iter;

/// Nodes that a code may have: this many for each of its bytes and of eight more. A reader thereby allocates in proportion
/// to the file.
const PER_BYTE: usize = 32;

/// Checks that a code of so many bytes may have so many nodes.
pub(super) fn check_nodes(nodes: usize, bytes: usize) -> Result<()> {
    Error::unless(nodes.div_ceil(PER_BYTE) <= bytes + 8, || {
        "a tree with more nodes than its length allows".into()
    })
}

/// The outcomes of a tree by the numbers that leaves are coded with, and whether some leaf has exceptions.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    outcomes: Vec<Wdl>,
    has_exceptions: bool,
}

impl Classes {
    pub(super) fn of(tree: &Tree) -> Self {
        Classes { outcomes: tree.outcomes().collect(), has_exceptions: tree.max_level().is_some() }
    }

    /// Codes the outcomes; an encoder is `given` them.
    pub(super) fn code(coder: &mut impl Coder, given: Option<&Self>, has_exceptions: bool) -> Result<Self> {
        let is_given = |outcome| given.is_some_and(|given| given.outcomes.contains(&outcome));
        let outcomes: Vec<Wdl> =
            Wdl::ALL.into_iter().filter(|&outcome| coder.code(is_given(outcome), 1 << 15)).collect();
        Error::unless(!outcomes.is_empty(), || "a tree without outcomes".into())?;
        Ok(Classes { outcomes, has_exceptions })
    }

    pub(super) fn len(&self) -> usize {
        self.outcomes.len()
    }

    pub(super) fn has_exceptions(&self) -> bool {
        self.has_exceptions
    }

    /// How a leaf is coded.
    pub(super) fn code_of(&self, Leaf { outcome, exceptions }: Leaf) -> LeafCode {
        let class_of = |outcome: Wdl| self.outcomes.iter().position(|&class| class == outcome).unwrap_or(0);
        let class = class_of(outcome);
        let excepted = |other: Option<Wdl>| match other {
            Some(other) if self.len() == 2 || class_of(other) == usize::from(class == 0) => WORSE,
            Some(_) => BETTER,
            None => EITHER,
        };
        LeafCode { class, exceptions: exceptions.map(|of| (of.level, excepted(of.outcome))) }
    }

    /// The leaf that is coded so.
    pub(super) fn leaf(&self, leaf: LeafCode) -> Leaf {
        let outcome = self.outcomes[leaf.class];
        let excepted = |(level, excepted)| {
            let mut others = self.outcomes.iter().copied().filter(|&other| other != outcome);
            let outcome = match excepted {
                EITHER => None,
                _ => others.nth(usize::from(excepted)),
            };
            Excepted { level, outcome }
        };
        Leaf { outcome, exceptions: leaf.exceptions.map(excepted) }
    }

    /// Checks that these are the outcomes of `tree`.
    pub(super) fn check(&self, tree: &Tree) -> Result<()> {
        let has_all = tree.outcomes().eq(self.outcomes.iter().copied());
        Error::unless(has_all, || "a tree announces an outcome that it does not have".into())
    }
}

/// Returns the code of `tree`, whose variables have `parts`, and at which byte of it each node begins and the last one ends;
/// `None` when a code of that length may not stand for so many nodes.
pub(super) fn encode(tree: &Tree, parts: &[u8]) -> Option<(Vec<u8>, Vec<usize>)> {
    code(tree, parts).filter(|(code, _)| check_nodes(tree.nodes().len(), code.len()).is_ok())
}

/// Returns the code of any length; `None` when it has more contexts than a reader can count.
pub(super) fn code(tree: &Tree, parts: &[u8]) -> Option<(Vec<u8>, Vec<usize>)> {
    let classes = Classes::of(tree);
    let mut learner = Learner { coder: Encoder::new(), mixer: Mixer::default() };
    Classes::code(&mut learner.coder, Some(&classes), classes.has_exceptions).ok()?;
    let mut starts = vec![0];
    if classes.len() > 1 {
        let given = tree.nodes().map(|node| Piece::Node(node.map(|leaf| classes.code_of(leaf))));
        let mut nodes = NodesCode::new(parts, classes.len(), classes.has_exceptions, 0);
        let take = |learner: &Learner<Encoder>, _| {
            starts.push(learner.coder.len());
            Ok(())
        };
        nodes.code(&mut learner, given, take).ok()?;
    }
    Some((learner.coder.finish(), starts))
}

/// Reads the code of a tree, whose exceptions are told elsewhere. Any code is acceptable; allocates in proportion to it.
pub(super) fn decode(code: &[u8], parts: &[u8], has_exceptions: bool) -> Result<Tree> {
    let mut decoder = Decoder::new(code);
    let classes = Classes::code(&mut decoder, None, has_exceptions)?;
    let mut nodes = Vec::new();
    if let [outcome] = classes.outcomes[..] {
        nodes.push(Node::Leaf(outcome.into()));
    } else {
        let mut learner = Learner { coder: decoder, mixer: Mixer::for_bytes(code.len()) };
        let mut coded = NodesCode::new(parts, classes.len(), has_exceptions, 0);
        coded.code(&mut learner, iter::empty(), |_, piece| {
            if let Piece::Node(node) = piece {
                nodes.push(node.map(|leaf| classes.leaf(leaf)));
            }
            check_nodes(nodes.len(), code.len())
        })?;
        decoder = learner.coder;
    }
    Error::unless(decoder.is_finished(), || "bytes after the end of a tree".into())?;
    let tree = Tree::from_preorder(nodes)?;
    classes.check(&tree)?;
    Ok(tree)
}
