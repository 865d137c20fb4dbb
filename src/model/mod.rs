//! Input models: how a position is shown to the minimizer and to the clauses it leaves.
//!
//! A model turns a position into one part for each of its variables. Models are named and versioned; a .pcn file
//! records which one its clauses are about, and the prober computes exactly that. A model never changes once files
//! have been written with it: a change is a new version, which is a new entry beside the old one.
//!
//! A model is a file of this folder with a `SPEC`; [`Model`] and its `spec` are the only place that lists them.
//!
//! Whose turn it is is no variable of any model: a .pcn keeps its clauses by side to move, and the exporter writes
//! the paper's first input itself.

mod binary;

use crate::error::{Error, ErrorKind, Result};
use crate::position::{Material, Position};
use std::fmt;
use std::str::FromStr;

/// The most variables that a model has for any material.
pub const MAX_VARIABLES: usize = 512;

/// The most parts that a variable of a model has.
pub const MAX_PARTS: usize = 64;

/// One input of a model: its name, unique within the model and material, and its number of parts.
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
}

/// What a model's own file states about it.
struct Spec {
    name: &'static str,
    /// What a .pcn calls the model; the version is counted from 1 for each id.
    id: u8,
    version: u8,
    has_square_bits: bool,
    variables: fn(&Material) -> Vec<Variable>,
    evaluate: fn(&Position, &mut [u8]),
}

impl Model {
    /// All models, simplest first; of several versions the newest first.
    pub const ALL: [Model; 1] = [Model::Binary];

    const fn spec(self) -> &'static Spec {
        match self {
            Model::Binary => &binary::SPEC,
        }
    }

    /// Returns the newest version of the model called `name`.
    ///
    /// # Errors
    /// [`ErrorKind::BadInput`] when there is no model of that name; the message lists those there are.
    pub fn parse(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Model::name).join(", ");
            Error::new(ErrorKind::BadInput, format!("no model '{name}' (there are: {names})"))
        })
    }

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
        self.spec().name
    }

    /// The number that stands for the model in files, the same in all its versions.
    pub const fn id(self) -> u8 {
        self.spec().id
    }

    /// The version, counted from 1.
    pub const fn version(self) -> u8 {
        self.spec().version
    }

    /// Whether each man's square is shown by its six bits and by nothing else, so that sets of squares are a few cubes:
    /// the exporter then writes the don't-cares as rows, as the paper does.
    pub const fn has_square_bits(self) -> bool {
        self.spec().has_square_bits
    }

    /// Returns the variables of the model for `material`, in order: 1 to [`MAX_VARIABLES`] of them. Deterministic.
    pub fn variables(self, material: &Material) -> Vec<Variable> {
        (self.spec().variables)(material)
    }

    /// Writes the part of each variable, in the order of [`Model::variables`], for `position` into `parts`. The
    /// position is taken as it stands: canonicalize it first. Neither legality nor the side to move matter. Does
    /// not allocate.
    ///
    /// # Panics
    /// When `parts` has not exactly one element for each variable.
    pub fn evaluate(self, position: &Position, parts: &mut [u8]) {
        (self.spec().evaluate)(position, parts);
    }
}

impl FromStr for Model {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Returns a short name for each man of `material`, in its numbering: colour and role (`wk`, `bp`), and for men of
/// which there are several a letter from `a` on (`wra`, `wrb`).
fn man_names(material: &Material) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{Color, Square};
    use std::collections::HashSet;

    fn materials() -> impl Iterator<Item = Material> {
        let eight: Material = "KQQPPvKPP".parse().unwrap();
        (2..=5).flat_map(Material::all).chain([eight])
    }

    #[test]
    fn ids_and_names_lead_back_to_the_model() {
        for model in Model::ALL {
            assert_eq!(Model::from_id(model.id(), model.version()).unwrap(), model);
            assert_eq!(Model::parse(model.name()).unwrap().id(), model.id());
        }
        assert_eq!(Model::parse("Binary").unwrap_err().kind(), ErrorKind::BadInput);
        assert_eq!(Model::from_id(0, 0).unwrap_err().kind(), ErrorKind::UnsupportedVersion);
        assert_eq!(Model::from_id(1, 2).unwrap_err().kind(), ErrorKind::UnsupportedVersion);
    }

    #[test]
    fn variables_keep_to_the_limits_and_have_names_of_their_own() {
        for model in Model::ALL {
            for material in materials() {
                let variables = model.variables(&material);
                assert!((1..=MAX_VARIABLES).contains(&variables.len()));
                assert!(variables.iter().all(|variable| (2..=MAX_PARTS).contains(&variable.parts)));
                let names: HashSet<_> = variables.iter().map(|variable| &variable.name).collect();
                assert_eq!(names.len(), variables.len());
            }
        }
    }

    #[test]
    fn parts_are_in_range() {
        for model in Model::ALL {
            for material in materials() {
                let variables = model.variables(&material);
                let mut parts = vec![u8::MAX; variables.len()];
                for shift in 0..64 {
                    let squares: Vec<_> =
                        (0..material.len() as u8).map(|man| Square::new(shift + 11 * man)).collect();
                    let file = material.has_en_passant().then_some(shift % 8);
                    model.evaluate(&Position::new(material, &squares, Color::White, file), &mut parts);
                    assert!(
                        parts
                            .iter()
                            .zip(&variables)
                            .all(|(&part, variable)| usize::from(part) < variable.parts)
                    );
                }
            }
        }
    }
}
