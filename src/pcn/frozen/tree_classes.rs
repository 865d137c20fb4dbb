//! Codec `pcn` for trees: classes, the numbers by which the outcomes of a tree are coded.

use super::range_coder::Coder;
use super::static_function::MAX_LEVEL;
use super::tree::{Excepted, Leaf, Tree};
use super::tree_context::Context;
use super::tree_nodes::{LeafCodec, ModelCoder, bits_below, kind};
use crate::chess::position::Wdl;
use crate::error::{Error, Result};
use alloc::vec::Vec;

/// Codes for the outcome of a leaf's exceptions: the worse or the better of the two outcomes other than the leaf's, or
/// [`EITHER`]. In a tree with two outcomes the other outcome is [`WORSE`].
pub(in crate::pcn) const WORSE: u8 = 0;
const BETTER: u8 = 1;
const EITHER: u8 = 2;

/// Bits of a class or of the code of exceptions, and of a level.
const CLASS_BITS: u32 = 2;
pub(in crate::pcn) const LEVEL_BITS: u32 = bits_below(MAX_LEVEL as usize + 1);

/// The outcomes of a tree, worst first, and whether some leaf has exceptions.
#[derive(Clone, Debug)]
pub(crate) struct Classes {
    outcomes: Vec<Wdl>,
    has_exceptions: bool,
}

impl Classes {
    pub(in crate::pcn) fn of(tree: &Tree) -> Self {
        Classes { outcomes: tree.outcomes().collect(), has_exceptions: tree.max_level().is_some() }
    }

    /// Codes the outcomes; an encoder gets them as `given`.
    pub(in crate::pcn) fn code_outcomes(
        coder: &mut impl Coder,
        given: Option<&Self>,
        has_exceptions: bool,
    ) -> Result<Self> {
        let is_given = |outcome| given.is_some_and(|given| given.outcomes.contains(&outcome));
        let outcomes: Vec<Wdl> =
            Wdl::ALL.into_iter().filter(|&outcome| coder.code(is_given(outcome), 1 << 15)).collect();
        Error::corrupt_unless(!outcomes.is_empty(), || "a tree without outcomes".into())?;
        Ok(Classes { outcomes, has_exceptions })
    }

    pub(in crate::pcn) fn len(&self) -> usize {
        self.outcomes.len()
    }

    pub(in crate::pcn) fn has_exceptions(&self) -> bool {
        self.has_exceptions
    }

    /// The leaf that is the whole tree, when there is one outcome.
    pub(in crate::pcn) fn only_leaf(&self) -> Option<Leaf> {
        if let [outcome] = self.outcomes[..] { Some(outcome.into()) } else { None }
    }

    pub(in crate::pcn) fn number(&self, outcome: Wdl) -> usize {
        self.outcomes.iter().position(|&class| class == outcome).unwrap_or(0)
    }

    pub(in crate::pcn) fn outcome(&self, number: usize) -> Wdl {
        self.outcomes[number]
    }

    /// The code for the outcome `other` of the exceptions of a leaf with outcome `leaf`.
    pub(in crate::pcn) fn excepted(&self, leaf: Wdl, other: Option<Wdl>) -> u8 {
        match other {
            Some(other) if self.len() == 2 || self.number(other) == usize::from(self.number(leaf) == 0) => {
                WORSE
            }
            Some(_) => BETTER,
            None => EITHER,
        }
    }

    /// The inverse of [`Classes::excepted`].
    pub(in crate::pcn) fn outcome_excepted(&self, leaf: Wdl, excepted: u8) -> Option<Wdl> {
        let mut others = self.outcomes.iter().copied().filter(|&other| other != leaf);
        if excepted == EITHER { None } else { others.nth(excepted.into()) }
    }

    /// Checks that these are the outcomes of `tree`.
    pub(in crate::pcn) fn check_tree(&self, tree: &Tree) -> Result<()> {
        let has_all = tree.outcomes().eq(self.outcomes.iter().copied());
        Error::corrupt_unless(has_all, || "a tree whose outcomes are not its classes".into())
    }
}

impl LeafCodec for Classes {
    type Leaf = Leaf;

    fn no_class(&self) -> usize {
        self.len()
    }

    fn kind(&self, leaf: &Leaf) -> (usize, bool) {
        (self.number(leaf.outcome), leaf.exceptions.is_some())
    }

    fn code<C: Coder>(
        &mut self,
        learner: &mut ModelCoder<C>,
        context: &Context,
        last: usize,
        given: Option<Leaf>,
    ) -> Leaf {
        let sibling = context.sibling.and_then(|sibling| sibling.leaf);
        let mut candidates = (1 << self.len()) - 1;
        if let Some((class, false)) = sibling
            && !self.has_exceptions()
        {
            candidates &= !(1 << class);
        }
        let class = learner.symbol(
            kind::OUTCOME,
            &context.outcome(last as u64),
            (CLASS_BITS, &[candidates]),
            given.map_or(0, |leaf| self.number(leaf.outcome)),
        );
        let outcome = self.outcome(class);
        if !self.has_exceptions() {
            return outcome.into();
        }
        let contexts = context.exceptions(class as u64);
        let forced = sibling == Some((class, false));
        let given = given.and_then(|leaf| leaf.exceptions);
        let has = forced || learner.code(kind::HAS_EXCEPTIONS, &contexts, given.is_some());
        if !has {
            return outcome.into();
        }
        let (level, excepted) = given.map_or((0, WORSE), |of| (of.level, self.excepted(outcome, of.outcome)));
        let mut symbol = |kind, bits, candidates, given: u8| {
            learner.symbol(kind, &contexts, (bits, &[candidates]), given.into()) as u8
        };
        let level = symbol(kind::LEVEL, LEVEL_BITS, (1 << (MAX_LEVEL + 1)) - 1, level);
        let excepted =
            if self.len() == 2 { WORSE } else { symbol(kind::EXCEPTED, CLASS_BITS, 0b111, excepted) };
        let exceptions = Excepted { level, outcome: self.outcome_excepted(outcome, excepted) };
        Leaf { outcome, exceptions: Some(exceptions) }
    }
}
