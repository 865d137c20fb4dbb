//! The content of a .pcn file, and the rules that it must satisfy.

use super::castling::CastlingExceptions;
use super::clauses::Clauses;
use super::layout::Layout;
use super::tree::Tree;
use crate::chess::model::{Model, VariableSet};
use crate::chess::position::{Color, Material, Wdl};
use crate::error::{Error, Result};
use alloc::vec::Vec;

/// The greatest number of clauses in a section.
pub const MAX_CLAUSES: usize = 1 << 26;

/// The division of outcomes between the sections of one side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layers {
    /// A decision list: earlier sections win, and the last outcome is the default and has no section.
    Ordered,
    /// The paper's scheme: a section for every outcome, no default. If a position is in two of them, the first decides, but
    /// correct covers of the paper's function have no such position.
    Independent,
}

impl Layers {
    /// `ordered` or `independent`.
    pub const fn name(self) -> &'static str {
        match self {
            Layers::Ordered => "ordered",
            Layers::Independent => "independent",
        }
    }
}

/// The leading man and the default outcome of one side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Side {
    /// The number of the man that leads the canonical position.
    pub lead: usize,
    /// The outcome when no clause matches: always with [`Layers::Ordered`], never with [`Layers::Independent`] or when the
    /// side has a tree.
    pub default: Option<Wdl>,
}

/// The sides to move that a section applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turns {
    /// White to move.
    White,
    /// Black to move.
    Black,
    /// Either.
    Both,
}

impl Turns {
    /// Whether `turn` is among them.
    pub const fn contains(self, turn: Color) -> bool {
        matches!((self, turn), (Turns::Both, _) | (Turns::White, Color::White) | (Turns::Black, Color::Black))
    }
}

impl From<Color> for Turns {
    fn from(turn: Color) -> Self {
        match turn {
            Color::White => Turns::White,
            Color::Black => Turns::Black,
        }
    }
}

/// Clauses that state one outcome, for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The sides to move that it applies to.
    pub turns: Turns,
    /// The outcome of the positions in its clauses, for the side to move.
    pub outcome: Wdl,
    /// The clauses, over the model's variables.
    pub clauses: Clauses,
}

impl Section {
    /// Number of literals in the clauses, whose words follow `layout`. A variable of which a clause allows all parts is no
    /// literal.
    pub fn literals(&self, layout: &Layout) -> usize {
        let literals = |clause| {
            (0..layout.variables().len()).filter(|&v| layout.literal(clause, v) != layout.full(v)).count()
        };
        self.clauses.iter().map(literals).sum()
    }
}

/// The content of a .pcn file. Every value of this type is valid; FORMAT.md states the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pcn {
    pub(super) material: Material,
    pub(super) model: Model,
    pub(super) layers: Layers,
    pub(super) sides: Vec<Side>,
    /// A tree for each side that has one.
    pub(super) trees: Vec<Option<Tree>>,
    pub(super) sections: Vec<Section>,
    pub(super) table_hash: [u8; 8],
    pub(crate) castling: Option<CastlingExceptions>,
}

impl Pcn {
    /// Returns the table of `material` with clauses over `model`'s variables. `sides` has one element for each of
    /// [`Material::stored_turns`]; `table_hash` is the hash of the outcome table from which the clauses were made. Sections
    /// without clauses are dropped.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) with the reason, when a rule of FORMAT.md is broken: a missing side,
    /// a leading man that does not exist, a default where there must be none, sections out of order, a clause with an empty
    /// literal, too many clauses.
    pub fn new(
        material: Material,
        model: Model,
        layers: Layers,
        sides: Vec<Side>,
        sections: Vec<Section>,
        table_hash: [u8; 8],
    ) -> Result<Self> {
        let trees = vec![None; sides.len()];
        Self::with_trees(material, model, layers, sides, trees, sections, table_hash)
    }

    /// [`Pcn::new`] with `trees`, one element for each side. A side with a tree has no default and no sections.
    ///
    /// # Errors
    /// Those of [`Pcn::new`], and [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when a tree is not in normal form over
    /// the model's variables, is combined with independent layers, or has leaves with exceptions but no function that stores
    /// them.
    pub fn with_trees(
        material: Material,
        model: Model,
        layers: Layers,
        sides: Vec<Side>,
        trees: Vec<Option<Tree>>,
        mut sections: Vec<Section>,
        table_hash: [u8; 8],
    ) -> Result<Self> {
        sections.retain(|section| !section.clauses.is_empty());
        let pcn = Pcn { material, model, layers, sides, trees, sections, table_hash, castling: None };
        let layout = pcn.layout();
        pcn.checked(&layout)
    }

    /// The number of positions with castling rights whose outcome differs from that without them; `None` when the file has
    /// no castling rights.
    pub fn castling(&self) -> Option<usize> {
        self.castling.as_ref().map(CastlingExceptions::len)
    }

    /// Checks all rules; the layout is that of the model.
    pub(super) fn checked(self, layout: &Layout) -> Result<Self> {
        self.check_sides()?;
        self.check_trees(&layout.parts())?;
        self.check_sections()?;
        self.check_clauses(layout)?;
        Ok(self)
    }

    /// The material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The input model of the clauses and trees.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The layout of the clauses.
    pub fn layout(&self) -> Layout {
        Layout::new(self.model, &self.material)
    }

    /// The model's variables for the material, with their formulas.
    pub fn variable_set(&self) -> VariableSet {
        self.model.variable_set(&self.material)
    }

    /// The division of outcomes between sections.
    pub fn layers(&self) -> Layers {
        self.layers
    }

    /// The sides to move that are stored, in the order of [`Material::stored_turns`].
    pub fn sides(&self) -> &[Side] {
        &self.sides
    }

    /// The trees of the sides that have one, in the order of [`Material::stored_turns`].
    pub fn trees(&self) -> &[Option<Tree>] {
        &self.trees
    }

    /// The sections, in the order in which they decide.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The sections that apply to `turn`, with their numbers, in the order in which they decide.
    pub fn sections_for(&self, turn: Color) -> impl Iterator<Item = (usize, &Section)> {
        self.sections.iter().enumerate().filter(move |(_, section)| section.turns.contains(turn))
    }

    /// The hash of the outcome table from which the clauses were made and against which they were checked.
    pub fn table_hash(&self) -> [u8; 8] {
        self.table_hash
    }

    /// The tree of `turn`, if it has one.
    pub fn tree(&self, turn: Color) -> Option<&Tree> {
        let place = self.material.stored_turns().iter().position(|&stored| stored == turn)?;
        self.trees[place].as_ref()
    }

    /// Number of clauses in all sections; a leaf of a tree counts as a clause. Exceptions are not counted: the file does not
    /// list them.
    pub fn clauses(&self) -> usize {
        let lists: usize = self.sections.iter().map(|section| section.clauses.len()).sum();
        lists + self.trees.iter().flatten().map(|tree| tree.leaves().count()).sum::<usize>()
    }

    /// Number of literals in all clauses, as [`Section::literals`] counts them.
    pub fn literals(&self) -> usize {
        let layout = self.layout();
        let lists: usize = self.sections.iter().map(|section| section.literals(&layout)).sum();
        lists + self.trees.iter().flatten().map(Tree::literals).sum::<usize>()
    }

    fn check_sides(&self) -> Result<()> {
        let turns = self.material.stored_turns();
        let (sides, trees, wanted) = (self.sides.len(), self.trees.len(), turns.len());
        Error::corrupt_unless(sides == wanted, || {
            format!("{sides} sides to move for {}, not {wanted}", self.material)
        })?;
        Error::corrupt_unless(trees == wanted, || format!("{trees} trees, not {wanted}"))?;
        for ((side, tree), turn) in self.sides.iter().zip(&self.trees).zip(turns) {
            let turn = turn.name();
            let lead = side.lead;
            Error::corrupt_unless(lead < self.material.len(), || {
                format!("{turn}: there is no man {lead} to lead")
            })?;
            let fault = match (self.layers, side.default, tree) {
                (Layers::Ordered, Some(_), None)
                | (Layers::Ordered, None, Some(_))
                | (Layers::Independent, None, None) => continue,
                (_, _, Some(_)) => "a tree together with a default or independent layers",
                (Layers::Ordered, None, None) => "ordered layers without a default",
                (Layers::Independent, Some(_), None) => "independent layers with a default",
            };
            return Err(Error::corrupt(format!("{turn}: {fault}")));
        }
        Ok(())
    }

    fn check_trees(&self, parts: &[u8]) -> Result<()> {
        for (tree, &turn) in self.trees.iter().zip(self.material.stored_turns()) {
            let Some(tree) = tree else { continue };
            let is_alone = self.sections_for(turn).next().is_none();
            Error::corrupt_unless(is_alone, || format!("{}: clauses beside a tree", turn.name()))?;
            tree.check(parts)?;
        }
        Ok(())
    }

    fn check_sections(&self) -> Result<()> {
        let turns = self.material.stored_turns();
        for (number, section) in self.sections.iter().enumerate() {
            Error::corrupt_unless(section.turns == Turns::White || turns.len() == 2, || {
                format!("section {number} applies to a turn that is not stored")
            })?;
            let same = |other: &Section| (other.turns, other.outcome) == (section.turns, section.outcome);
            Error::corrupt_unless(!self.sections[..number].iter().any(same), || {
                format!("section {number} repeats an earlier one's turns and outcome")
            })?;
        }
        for (side, &turn) in self.sides.iter().zip(turns) {
            let mut outcomes: Vec<Wdl> =
                self.sections_for(turn).map(|(_, section)| section.outcome).collect();
            outcomes.dedup();
            outcomes.extend(side.default);
            let returns = (1..outcomes.len()).any(|i| outcomes[..i].contains(&outcomes[i]));
            Error::corrupt_unless(!returns, || {
                format!("{}: an outcome returns after another one", turn.name())
            })?;
        }
        Ok(())
    }

    fn check_clauses(&self, layout: &Layout) -> Result<()> {
        for (number, section) in self.sections.iter().enumerate() {
            let fault = if section.clauses.len() > MAX_CLAUSES {
                Some(format!("more than {MAX_CLAUSES} clauses"))
            } else {
                section.clauses.iter().find_map(|clause| layout.fault(clause))
            };
            if let Some(fault) = fault {
                return Err(Error::corrupt(format!("section {number}: {fault}")));
            }
        }
        Ok(())
    }
}
