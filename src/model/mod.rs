//! Input models: how a position is shown to the minimizer and to the clauses it leaves.
//!
//! A model turns a position into one part for each of its variables. Models are named and versioned; a .pcn file
//! records which one its clauses are about, and the prober computes exactly that. A model never changes once files
//! of a release have been written with it: a change is a new version, which is a new entry beside the old one.
//!
//! A model for one material is a [`Plan`]: its variables, each with its formula. A [`View`] is a position as a plan
//! sees it; it computes what its variables share at most once, and nothing that no one asks for.
//!
//! | file | what |
//! |---|---|
//! | `plan` | [`Plan`]: the variables of a material |
//! | `family` | what a family of variables is |
//! | `view` | [`View`]: the sets that formulas speak of |
//! | `offset` | parts that are read from tables |
//! | `block`, `columns` | parts of many positions at once |
//! | `binary` | the paper's model |
//! | `families` | the lists of families of the other models, in order |
//! | `board`, `geometry`, ... | one group of families each, with their formulas |
//!
//! A new family is one entry in the list of its group. `src/pcn/FORMAT.md` defines every family for readers.
//!
//! The side to move is not a variable: a .pcn keeps its clauses by side to move, and the exporter writes
//! the paper's first input itself.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
mod binary;
mod block;
mod board;
#[cfg(feature = "build")]
mod columns;
mod contact;
mod distances;
mod families;
mod family;
mod geometry;
mod lines;
mod measure;
#[cfg(test)]
mod naive;
mod offset;
mod pawn;
mod pawn_races;
mod plan;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use offset::Coordinates;
pub use plan::Plan;
pub(crate) use plan::VariableCode;
pub use view::View;

use crate::error::{Error, ErrorKind, Result};
use crate::position::{Material, Position};
use core::fmt;
use core::str::FromStr;

/// The most variables that a model has for any material.
pub const MAX_VARIABLES: usize = 2048;

/// The most parts that a variable of a model has.
pub const MAX_PARTS: usize = 64;

/// One input of a model: its name, unique within the model and material, and its number of parts. Parts of more than
/// two are ordered: neighbouring parts mean neighbouring values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name, as PLAs and explanations show it: `wk5`.
    pub name: String,
    /// The number of parts, 2 to [`MAX_PARTS`].
    pub parts: usize,
}

/// An input model, in one version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Model {
    /// Version 1 of `binary`: six bits a man, as in the paper; with pawns on both sides four bits for en passant.
    Binary,
    /// Version 1 of `board`: file and rank of each man.
    Board,
    /// Version 1 of `geometry`: `board`, and how each two men stand to each other.
    Geometry,
    /// Version 2 of `attack`: `geometry`, and static facts: attacks, lines, distances and a pawn's way.
    Attack,
}

impl Model {
    /// All models, simplest first.
    pub const ALL: [Model; 4] = [Model::Binary, Model::Board, Model::Geometry, Model::Attack];

    /// Returns the model that a file calls `id`, in `version`.
    ///
    /// # Errors
    /// [`ErrorKind::UnsupportedVersion`] when this build does not know it.
    pub fn from_id(id: u8, version: u8) -> Result<Self> {
        Self::ALL.into_iter().find(|model| (model.id(), model.version()) == (id, version)).ok_or_else(|| {
            Error::new(ErrorKind::UnsupportedVersion, format!("unknown input model {id}, version {version}"))
        })
    }

    /// The name, as the command line takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Model::Binary => "binary",
            Model::Board => "board",
            Model::Geometry => "geometry",
            Model::Attack => "attack",
        }
    }

    /// The number that stands for the model in files, the same in all its versions.
    pub const fn id(self) -> u8 {
        match self {
            Model::Binary => 1,
            Model::Board => 2,
            Model::Geometry => 3,
            Model::Attack => 4,
        }
    }

    /// The version, counted from 1 for each id.
    pub const fn version(self) -> u8 {
        match self {
            Model::Binary | Model::Board | Model::Geometry => 1,
            Model::Attack => 2,
        }
    }

    /// Whether each man's square is shown by its six bits and by nothing else, so that sets of squares are a few cubes:
    /// the exporter then writes the don't-cares as rows, as the paper does.
    pub const fn has_square_bits(self) -> bool {
        matches!(self, Model::Binary)
    }

    /// Returns the model for positions of `material`.
    pub fn plan(self, material: &Material) -> Plan {
        Plan::new(self, material)
    }

    /// Returns the variables of the model for `material`, in order: 1 to [`MAX_VARIABLES`] of them. Deterministic.
    pub fn variables(self, material: &Material) -> Vec<Variable> {
        self.plan(material).variables().to_vec()
    }

    /// Writes the part of each variable, in the order of [`Model::variables`], for `position` into `parts`, as
    /// [`Plan::evaluate`] does. Makes a plan for this one position: whoever has many positions keeps one.
    ///
    /// # Panics
    /// When `parts` has not exactly one element for each variable.
    pub fn evaluate(self, position: &Position, parts: &mut [u8]) {
        self.plan(position.material()).evaluate(position, parts);
    }
}

impl FromStr for Model {
    type Err = Error;

    /// Returns the model called `name`; the error's message lists the names there are.
    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Model::name).join(", ");
            Error::new(ErrorKind::BadInput, format!("no model '{name}' (there are: {names})"))
        })
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Returns the name by which variables speak of each man of `material`, in its numbering: colour and role (`wk`, `bp`), and
/// for men of which there are several a letter from `a` on (`wra`, `wrb`).
pub fn man_names(material: &Material) -> Vec<String> {
    let men = material.men();
    let mut names = Vec::with_capacity(men.len());
    for group in material.groups() {
        let man = men[group.start];
        let color = &man.color.name()[..1];
        let role = man.role.letter().to_ascii_lowercase();
        if group.len() == 1 {
            names.push(format!("{color}{role}"));
        } else {
            names.extend((b'a'..).take(group.len()).map(|letter| format!("{color}{role}{}", letter as char)));
        }
    }
    names
}
