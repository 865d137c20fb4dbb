//! Input models: the variables of a position that clauses test.
//!
//! A model gives a position a value for each of its variables. Models have names and versions. A .pcn file
//! records the model of its clauses, and the prober computes the same variables. A model does not change after a release has
//! written files with it: a changed model gets a new version, and the old one stays.
//!
//! A [`VariableSet`] is a model for one material: its variables with their formulas. A [`View`] is a position whose variables can
//! be computed. A value that several variables share is computed once, at its first use.
//!
//! | file | content |
//! |---|---|
//! | `variable_set` | [`VariableSet`]: the variables of a material |
//! | `block`, `columns` | values of many positions at once |
//! | `frozen/` | the families of variables with their formulas; they never change |
//!
//! A new family is one entry in the list of its group. `src/pcn/FORMAT.md` defines every family for readers.
//!
//! The side to move is not a variable: a .pcn has separate clauses for each side to move. The exporter adds the side to move, the
//! paper's first input.
//! Frozen, in `frozen/` and outside it: files fix the numbers of variables and their values.

use alloc::string::String;
use alloc::vec::Vec;
mod block;
#[cfg(feature = "build")]
mod columns;
mod frozen;
#[cfg(test)]
mod tests;
mod variable_set;

pub(crate) use frozen::offset::Coordinates;
pub use frozen::view::View;
pub(crate) use variable_set::VariableCode;
pub use variable_set::VariableSet;

use crate::chess::position::{Material, Position};
use crate::error::{Error, ErrorKind, Result};
use core::fmt;
use core::str::FromStr;

/// The most variables of a model for any material.
pub const MAX_VARIABLES: usize = 2048;

/// The most values of a variable.
pub const MAX_VALUES: usize = 64;

/// An input of a model: its name, unique in the model and material, and its number of values. If there are more than two, they
/// are ordered: neighbouring numbers mean neighbouring values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name in PLAs and explanations: `wk5`.
    pub name: String,
    /// The number of values, 2 to [`MAX_VALUES`].
    pub values: usize,
}

/// An input model, in one version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Model {
    /// Version 1 of `binary`: six bits a man, as in the paper; with pawns on both sides four bits for en passant.
    Binary,
    /// Version 1 of `board`: file and rank of each man.
    Board,
    /// Version 1 of `geometry`: `board`, and the relative squares of each two men.
    Geometry,
    /// Version 2 of `attack`: `geometry`, and attacks, lines, distances and the paths of pawns.
    Attack,
}

impl Model {
    /// All models, simplest first.
    pub const ALL: [Model; 4] = [Model::Binary, Model::Board, Model::Geometry, Model::Attack];

    /// Returns the model with the number `id` in files, in `version`.
    ///
    /// # Errors
    /// [`ErrorKind::UnsupportedVersion`] if it is unknown.
    pub fn from_id(id: u8, version: u8) -> Result<Self> {
        Self::ALL.into_iter().find(|model| (model.id(), model.version()) == (id, version)).ok_or_else(|| {
            Error::new(ErrorKind::UnsupportedVersion, format!("unknown input model {id}, version {version}"))
        })
    }

    /// For each model its name, its number in files, and its version.
    const TABLE: [(&str, u8, u8); 4] =
        [("binary", 1, 1), ("board", 2, 1), ("geometry", 3, 1), ("attack", 4, 2)];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        Self::TABLE[self as usize].0
    }

    /// The number of the model in files, the same for all its versions.
    pub const fn id(self) -> u8 {
        Self::TABLE[self as usize].1
    }

    /// The version, counted from 1 for each id.
    pub const fn version(self) -> u8 {
        Self::TABLE[self as usize].2
    }

    /// Whether the variables are the six bits of each man's square. Then few cubes describe a set of squares, and the exporter
    /// writes the don't-cares as rows, as the paper does.
    pub const fn has_square_bits(self) -> bool {
        matches!(self, Model::Binary)
    }

    /// Returns the variables of the model for `material`, with their formulas.
    pub fn variable_set(self, material: &Material) -> VariableSet {
        VariableSet::new(self, material)
    }

    /// Returns the variables of the model for `material`, in order: 1 to [`MAX_VARIABLES`] of them. Deterministic.
    pub fn variables(self, material: &Material) -> Vec<Variable> {
        self.variable_set(material).variables().to_vec()
    }

    /// Writes the value of each variable for `position` to `values`, in the order of [`Model::variables`]. Makes the set for this
    /// one position; for many positions use [`VariableSet::evaluate`].
    ///
    /// # Panics
    /// If the length of `values` is not the number of variables.
    pub fn evaluate(self, position: &Position, values: &mut [u8]) {
        self.variable_set(position.material()).evaluate(position, values);
    }
}

impl FromStr for Model {
    type Err = Error;

    /// Returns the model called `name`. The error lists the known names.
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

/// Returns the names that variables use for the men of `material`, in its numbering: colour and role (`wk`, `bp`), and for
/// identical men a letter from `a` on (`wra`, `wrb`).
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
