//! The steps of a minimization, and their names.

use crate::error::{Error, ErrorKind, Result};
use std::fmt;

/// One step of a minimization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Step {
    /// Distance-one merging of F and D until nothing merges, and of R if its cubes are small.
    Compact,
    /// Expands every cube to a prime; drops covered cubes.
    Expand,
    /// Sets essential primes aside, as don't-cares for the later steps.
    Essential,
    /// Drops redundant cubes.
    Irredundant,
    /// Shrinks each cube to the smallest cube with all minterms that only this cube covers.
    Reduce,
    /// Tries primes that cover several maximally reduced cubes.
    LastGasp,
    /// Tries all primes that cover maximally reduced cubes. In the loop it replaces the last gasp if
    /// [`Options::is_strong`](crate::minimize::Options::is_strong).
    SuperGasp,
    /// Drops half of the cubes, covers their minterms anew, and keeps the better cover. Does nothing unless the function has
    /// few enough minterms or [the rest is in D](crate::Function::rest).
    LargeNeighbourhoodSearch,
    /// Searches for a minimum cover, and finds a lower bound. In the loop, the effort limits it.
    Exact,
    /// Lowers outputs and raises inputs, after putting essential primes back.
    MakeSparse,
    /// The whole classical loop.
    Loop,
}

impl Step {
    const NAMES: [(&'static str, Step); 12] = [
        ("compact", Step::Compact),
        ("expand", Step::Expand),
        ("essential", Step::Essential),
        ("irredundant", Step::Irredundant),
        ("reduce", Step::Reduce),
        ("gasp", Step::LastGasp),
        ("supergasp", Step::SuperGasp),
        ("lns", Step::LargeNeighbourhoodSearch),
        ("exact", Step::Exact),
        ("sparse", Step::MakeSparse),
        ("loop", Step::Loop),
        ("full", Step::Loop),
    ];

    /// The name of the step, as [`Step::parse_list`] reads it.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|&&(_, step)| step == self).map_or("", |&(name, _)| name)
    }

    /// Returns the steps named in `text`, separated by commas: `compact`, `expand`, `essential`, `irredundant`,
    /// `reduce`, `gasp`, `supergasp`, `lns` (large neighbourhood search), `exact`, `sparse`, and `loop` or `full`.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] for any other name, and for an empty list.
    ///
    /// # Example
    /// ```
    /// use espresso::minimize::Step;
    /// let steps = Step::parse_list("compact, expand,irredundant").unwrap();
    /// assert_eq!(steps, [Step::Compact, Step::Expand, Step::Irredundant]);
    /// assert!(Step::parse_list("shrink").is_err());
    /// ```
    pub fn parse_list(text: &str) -> Result<Vec<Step>> {
        let named = |name: &str| {
            let known = Self::NAMES.iter().find(|&&(known, _)| known == name);
            known.map(|&(_, step)| step).ok_or_else(|| {
                let message = format!(
                    "`{name}` is not a step; the steps are {}",
                    Self::NAMES.map(|(n, _)| n).join(", ")
                );
                Error::new(ErrorKind::Syntax, message)
            })
        };
        text.split(',').map(str::trim).map(named).collect()
    }
}

#[cfg(feature = "cli")]
impl serde::Serialize for Step {
    fn serialize<S: serde::Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
