//! Codec `pcn` for trees: the outcomes, by the numbers that leaves are coded with.

use super::range::Coder;
use super::tree::{Leaf, Tree};
use crate::error::{Error, Result};
use crate::position::Wdl;
use alloc::vec::Vec;

/// The class of a leaf's exceptions, of those that the leaf does not have: [`EITHER`] where each exception has its own.
pub(super) const WORSE: u8 = 0;
const BETTER: u8 = 1;
const EITHER: u8 = 2;

/// The outcomes of a tree, worst first, and whether some leaf has exceptions.
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

    /// The leaf that is the whole tree, when there is one outcome.
    pub(super) fn only_leaf(&self) -> Option<Leaf> {
        if let [outcome] = self.outcomes[..] { Some(outcome.into()) } else { None }
    }

    /// The number of an outcome.
    pub(super) fn number(&self, outcome: Wdl) -> usize {
        self.outcomes.iter().position(|&class| class == outcome).unwrap_or(0)
    }

    /// The outcome with this number.
    pub(super) fn outcome(&self, number: usize) -> Wdl {
        self.outcomes[number]
    }

    /// How it is coded that the exceptions of a leaf have the outcome `other`.
    pub(super) fn excepted(&self, leaf: Wdl, other: Option<Wdl>) -> u8 {
        match other {
            Some(other) if self.len() == 2 || self.number(other) == usize::from(self.number(leaf) == 0) => {
                WORSE
            }
            Some(_) => BETTER,
            None => EITHER,
        }
    }

    /// The outcome of exceptions that is coded so.
    pub(super) fn outcome_excepted(&self, leaf: Wdl, excepted: u8) -> Option<Wdl> {
        let mut others = self.outcomes.iter().copied().filter(|&other| other != leaf);
        if excepted == EITHER { None } else { others.nth(excepted.into()) }
    }

    /// Checks that these are the outcomes of `tree`.
    pub(super) fn check(&self, tree: &Tree) -> Result<()> {
        let has_all = tree.outcomes().eq(self.outcomes.iter().copied());
        Error::unless(has_all, || "a tree announces an outcome that it does not have".into())
    }
}
