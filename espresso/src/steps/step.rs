//! The steps that a minimization is made of, and their names.

use crate::error::{Error, ErrorKind, Result};
use std::fmt;

/// One step of a minimization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Step {
    /// Distance-one merging of F, D and R until nothing merges.
    Compact,
    /// Every cube becomes a prime; covered cubes go.
    Expand,
    /// Essential primes are set aside, as don't-cares for the steps that follow.
    Essential,
    /// Redundant cubes go.
    Irredundant,
    /// Cubes shrink to what only they cover.
    Reduce,
    /// Primes that cover several maximally reduced cubes are tried.
    LastGasp,
    /// All primes that cover maximally reduced cubes are tried; in the loop the last gasp's place is taken by it where
    /// [`Options::is_strong`](crate::minimize::Options::is_strong).
    SuperGasp,
    /// Half of the cubes are dropped, what only they covered is covered anew, and the better of both is kept; for
    /// functions of few enough minterms or with [`Function::rest_is_dc`](crate::Function::rest_is_dc), otherwise
    /// nothing.
    LargeNeighbourhoodSearch,
    /// The fewest cubes are looked for, with a lower bound, as far as the effort goes.
    Exact,
    /// Outputs are lowered and inputs raised; essential primes come back first.
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
    /// `reduce`, `gasp`, `supergasp`, `lns` (large neighbourhood search), `exact`, `sparse`, `loop`, or `full`, which is `loop` too.
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
                let message =
                    format!("`{name}` is no step; the steps are {}", Self::NAMES.map(|(n, _)| n).join(", "));
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
