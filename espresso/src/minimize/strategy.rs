//! The strategy of a minimization: how its steps find uncovered minterms, and what blocks an expansion. It is chosen from the
//! function and the cover after compaction, and holds until a cover is compacted again.

use crate::coverage::coverage_table::CoverageTable;
use crate::{Cover, Function, Rest};
use std::fmt;

/// How steps find the minterms of a cube that neither the other cubes nor D cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Coverage {
    /// By a truth table of the minterms outside D, in a space that is small enough.
    TruthTable,
    /// By the cubes of F, if all but F and R is in D: each must be within one cube of the cover.
    OnCubes,
    /// By tautology and SCCC of lists of cubes.
    Lists,
}

/// The obstacle to the growth of an expanded cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Blocking {
    /// The cubes of R - D, as bit columns.
    OffCubes,
    /// Tautology: a part is raised if F and D cover what the cube gains. For functions without a listed R.
    Tautology,
}

/// The strategy. Displays as `coverage by truth table, blocking by OFF-set`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// How coverage is found.
    pub coverage: Coverage,
    /// The obstacle to growth.
    pub blocking: Blocking,
}

impl Strategy {
    /// Chooses the strategy for the cover `on` of a function with these sets.
    pub(super) fn new(sets: &Function, on: &Cover) -> Self {
        let coverage = if sets.rest == Rest::Dc {
            Coverage::OnCubes
        } else if CoverageTable::is_worthwhile(on, &sets.dc) {
            Coverage::TruthTable
        } else {
            Coverage::Lists
        };
        Strategy {
            coverage,
            blocking: if sets.rest == Rest::Off { Blocking::Tautology } else { Blocking::OffCubes },
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let coverage = match self.coverage {
            Coverage::TruthTable => "truth table",
            Coverage::OnCubes => "cubes of the ON-set",
            Coverage::Lists => "lists of cubes",
        };
        let blocking = match self.blocking {
            Blocking::OffCubes => "OFF-set",
            Blocking::Tautology => "tautology",
        };
        write!(f, "coverage by {coverage}, blocking by {blocking}")
    }
}
