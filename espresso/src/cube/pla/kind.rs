//! The type of a PLA: the sets that its rows describe.

use crate::{Error, ErrorKind, Result};
use std::fmt;
use std::str::FromStr;

/// The sets among F, D and R that the rows of a PLA describe; the others follow from these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PlaType {
    /// F alone: D is empty, R is the complement of F.
    F,
    /// D alone: F is empty, R is the complement of D.
    D,
    /// R alone: D is empty, F is the complement of R.
    R,
    /// F and D: R is the complement of both. The type of a PLA without `.type`.
    #[default]
    Fd,
    /// F and R: D is the complement of both.
    Fr,
    /// D and R: F is the complement of both.
    Dr,
    /// F, D and R.
    Fdr,
}

impl PlaType {
    /// All types, in the order of their names' lengths.
    pub const ALL: [PlaType; 7] =
        [PlaType::F, PlaType::D, PlaType::R, PlaType::Fd, PlaType::Fr, PlaType::Dr, PlaType::Fdr];

    /// Whether rows describe F.
    pub fn has_on(self) -> bool {
        matches!(self, PlaType::F | PlaType::Fd | PlaType::Fr | PlaType::Fdr)
    }

    /// Whether rows describe D.
    pub fn has_dc(self) -> bool {
        matches!(self, PlaType::D | PlaType::Fd | PlaType::Dr | PlaType::Fdr)
    }

    /// Whether rows describe R.
    pub fn has_off(self) -> bool {
        matches!(self, PlaType::R | PlaType::Fr | PlaType::Dr | PlaType::Fdr)
    }
}

impl fmt::Display for PlaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PlaType::F => "f",
            PlaType::D => "d",
            PlaType::R => "r",
            PlaType::Fd => "fd",
            PlaType::Fr => "fr",
            PlaType::Dr => "dr",
            PlaType::Fdr => "fdr",
        })
    }
}

impl FromStr for PlaType {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|kind| kind.to_string() == text).ok_or_else(|| {
            Error::new(
                ErrorKind::Syntax,
                format!("`{text}` is not a PLA type: use f, d, r, fd, fr, dr or fdr"),
            )
        })
    }
}
