//! The content of a .pcn file, and the rules that it must satisfy.

use super::frozen::castling::CastlingExceptions;
use super::frozen::tree::Tree;
use crate::chess::model::{Model, VariableSet};
use crate::chess::position::{Color, Material, Wdl};
use crate::covers::frozen::{Covers, Layout};
use crate::error::{Error, Result};
use alloc::vec::Vec;

/// The content of a .pcn file. Every value of this type is valid; FORMAT.md states the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pcn {
    pub(super) material: Material,
    pub(super) model: Model,
    pub(super) anchors: Vec<usize>,
    pub(super) content: Content,
    pub(super) table_hash: [u8; 8],
    /// For each stored side to move the tree of the 50-move rule, if it draws decisive positions; `None` if this is unknown.
    pub(super) rule_trees: Option<Vec<Option<Tree>>>,
    pub(crate) castling: Option<CastlingExceptions>,
}

/// The answers for the stored sides to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// A tree for each side.
    Trees(Vec<Tree>),
    Covers(Covers),
}

impl Pcn {
    /// Returns the table of `material` with trees over `model`'s variables. `anchors` are the anchors and `trees` the trees of
    /// [`Material::stored_turns`]; `table_hash` is the hash of the outcome table from which the trees were made.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) with the reason, when a rule of FORMAT.md is broken: a missing side, an
    /// anchor that does not exist, a tree that is not in normal form over the model's variables, exceptions without a static
    /// function.
    pub fn of_trees(
        material: Material,
        model: Model,
        anchors: Vec<usize>,
        trees: Vec<Tree>,
        table_hash: [u8; 8],
    ) -> Result<Self> {
        Self::of_content(material, model, anchors, Content::Trees(trees), table_hash)
    }

    /// Returns the table of `material` with covers over `model`'s variables; `anchors` and `table_hash` as in [`Pcn::of_trees`].
    /// Sections without clauses are dropped.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) with the reason, when a rule of FORMAT.md is broken: a missing side, an
    /// anchor that does not exist, sections out of order, a clause with an empty literal, too many clauses.
    pub fn of_covers(
        material: Material,
        model: Model,
        anchors: Vec<usize>,
        mut covers: Covers,
        table_hash: [u8; 8],
    ) -> Result<Self> {
        covers.sections.retain(|section| !section.clauses.is_empty());
        Self::of_content(material, model, anchors, Content::Covers(covers), table_hash)
    }

    fn of_content(
        material: Material,
        model: Model,
        anchors: Vec<usize>,
        content: Content,
        table_hash: [u8; 8],
    ) -> Result<Self> {
        let rule_trees = Some(vec![None; anchors.len()]);
        Pcn { material, model, anchors, content, table_hash, rule_trees, castling: None }.checked()
    }

    /// Returns the same table with these trees of the 50-move rule, for each of [`Material::stored_turns`]. `None` for a side means
    /// that the rule draws no position that is won or lost without it; `None` for all, that this is unknown. A leaf states a draw for
    /// the positions that the rule draws, and a win for the other won and lost ones. What it states for drawn positions does not
    /// matter.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) with the reason, when a rule of FORMAT.md is broken: a missing side, a tree
    /// that is not in normal form or states a loss, or a table with covers.
    pub fn with_rule_trees(self, rule_trees: Option<Vec<Option<Tree>>>) -> Result<Self> {
        Pcn { rule_trees, ..self }.checked()
    }

    /// The number of positions whose outcome their castling rights change; `None` when the file has no castling rights.
    pub fn castling(&self) -> Option<usize> {
        self.castling.as_ref().map(CastlingExceptions::len)
    }

    /// Checks all rules.
    pub(super) fn checked(self) -> Result<Self> {
        let turns = self.material.stored_turns();
        Error::corrupt_unless(self.anchors.len() == turns.len(), || {
            format!("{} sides to move for {}, not {}", self.anchors.len(), self.material, turns.len())
        })?;
        for (&anchor, turn) in self.anchors.iter().zip(turns) {
            let is_man = anchor < self.material.len();
            Error::corrupt_unless(is_man, || format!("{}: there is no man {anchor} to lead", turn.name()))?;
        }
        match &self.content {
            Content::Trees(trees) => {
                let (count, wanted) = (trees.len(), turns.len());
                Error::corrupt_unless(count == wanted, || format!("{count} trees, not {wanted}"))?;
                let values = self.variable_set().values();
                trees.iter().try_for_each(|tree| tree.check(&values))?;
            }
            Content::Covers(covers) => covers.check(&self.material, &self.layout())?,
        }
        self.check_rule_trees()?;
        Ok(self)
    }

    fn check_rule_trees(&self) -> Result<()> {
        let Some(trees) = &self.rule_trees else { return Ok(()) };
        Error::corrupt_unless(trees.len() == self.anchors.len(), || format!("{} rule trees", trees.len()))?;
        let values = self.variable_set().values();
        for tree in trees.iter().flatten() {
            Error::corrupt_unless(self.covers().is_none(), || "a rule tree together with clauses".into())?;
            tree.check(&values)?;
            let states_loss = tree.leaves().any(|leaf| {
                let excepted = leaf.exceptions.map(|exceptions| exceptions.outcome);
                leaf.outcome == Wdl::Loss || matches!(excepted, Some(None | Some(Wdl::Loss)))
            });
            Error::corrupt_unless(!states_loss, || "a rule tree with a loss".into())?;
        }
        Ok(())
    }

    /// Whether the outcomes under the 50-move rule are known, with a counter of zero and without castling rights.
    pub fn knows_rule(&self) -> bool {
        self.rule_trees.is_some()
    }

    /// The tree of the 50-move rule for `turn`, if the rule draws positions that are won or lost without it; see
    /// [`Pcn::with_rule_trees`].
    pub fn rule_tree(&self, turn: Color) -> Option<&Tree> {
        let place = self.material.stored_turns().iter().position(|&stored| stored == turn)?;
        self.rule_trees.as_ref()?.get(place)?.as_ref()
    }

    /// Whether there is a tree of the 50-move rule.
    pub(super) fn has_rule_trees(&self) -> bool {
        self.rule_trees.iter().flatten().any(Option::is_some)
    }

    /// The material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The input model of the clauses and trees.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The layout of clauses over the model's variables.
    pub fn layout(&self) -> Layout {
        Layout::new(self.model, &self.material)
    }

    /// The model's variables for the material, with their formulas.
    pub fn variable_set(&self) -> VariableSet {
        self.model.variable_set(&self.material)
    }

    /// The numbers of the anchors of canonical positions (see [`Position::canonical`](crate::Position::canonical)), in the order
    /// of [`Material::stored_turns`].
    pub fn anchors(&self) -> &[usize] {
        &self.anchors
    }

    /// The trees, in the order of [`Material::stored_turns`]; empty for covers.
    pub fn trees(&self) -> &[Tree] {
        match &self.content {
            Content::Trees(trees) => trees,
            Content::Covers(_) => &[],
        }
    }

    /// The covers, if the file has no trees.
    pub fn covers(&self) -> Option<&Covers> {
        match &self.content {
            Content::Trees(_) => None,
            Content::Covers(covers) => Some(covers),
        }
    }

    /// The hash of the outcome table from which the content was made and against which it was checked.
    pub fn table_hash(&self) -> [u8; 8] {
        self.table_hash
    }

    /// The tree of `turn`, if it has one.
    pub fn tree(&self, turn: Color) -> Option<&Tree> {
        let place = self.material.stored_turns().iter().position(|&stored| stored == turn)?;
        self.trees().get(place)
    }

    /// Number of clauses; a leaf of a tree counts as a clause. Exceptions and the trees of the 50-move rule are not counted.
    pub fn clauses(&self) -> usize {
        let sections = self.covers().into_iter().flat_map(|covers| &covers.sections);
        let leaves = self.trees().iter().map(|tree| tree.leaves().count());
        sections.map(|section| section.clauses.len()).chain(leaves).sum()
    }

    /// Number of literals in all clauses. A variable that a clause leaves free is not a literal.
    pub fn literals(&self) -> usize {
        let layout = self.layout();
        let sections = self.covers().into_iter().flat_map(|covers| &covers.sections);
        let trees = self.trees().iter().map(Tree::literals);
        sections.map(|section| section.literals(&layout)).chain(trees).sum()
    }
}
