//! The ordered clause list: cubes in layers, the first layer that has a matching cube decides.
//!
//! The classes of a function are put in an order by the caller, the last being the default. A layer has the rows of its
//! class as ON-set and those of the classes after it as OFF-set; what earlier layers decide is don't-care. The steps are
//! those of Brayton et al. 1984: cubes are grown (`expand`), made irredundant (`cover`), and improved
//! (`large_neighbourhood_search`). Departures: the sets are not cubes but bitmaps of all minterms, so that there are
//! lists only of functions with few of them ([`has_few_minterms`]); and what counts is not the number of cubes but the
//! bits that they cost (`price`).
//!
//! With 8 variables of 8 parts a bitmap has 2 MiB, and testing a cube is a walk over its blocks of 512 minterms. A cover is
//! right at any time. Results are the same for any number of threads.

mod bitmap;
mod block;
mod choose;
mod cover;
#[cfg(test)]
mod cover_tests;
mod expand;
mod greedy_cover;
mod large_neighbourhood_search;
mod learn;
mod part_counts;
mod price;
#[cfg(test)]
mod tests;
mod variables;

pub use bitmap::has_few_minterms;
pub use learn::Learner;

use espresso::Monitor;
use std::fmt;

/// The parts of one variable that a clause allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// The variable.
    pub variable: u16,
    /// The allowed parts, bit p for part p: some, and not all.
    pub parts: u64,
}

impl Literal {
    /// Returns the first and the last allowed part, when all between them are allowed.
    pub fn interval(&self) -> Option<(u32, u32)> {
        let low = self.parts.trailing_zeros();
        let high = 63 - self.parts.leading_zeros().min(63);
        (self.parts.count_ones() == high + 1 - low.min(high)).then_some((low, high))
    }
}

/// A cube: it matches the rows that all its literals allow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Clause {
    /// The literals, at most one a variable, variables ascending; without any, everything matches.
    pub literals: Vec<Literal>,
}

impl Clause {
    /// Whether the clause matches a row with the given parts.
    #[inline]
    pub fn matches(&self, part: impl Fn(usize) -> u8) -> bool {
        self.literals.iter().all(|literal| literal.parts >> part(literal.variable.into()) & 1 != 0)
    }
}

/// The clauses of one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The class of the rows that a clause matches and no clause of an earlier layer does.
    pub class: u8,
    /// The clauses, in ascending order. Their order does not matter.
    pub clauses: Vec<Clause>,
}

/// An ordered clause list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// The layers, in the order in which they decide.
    pub layers: Vec<Layer>,
    /// The class of what no clause matches.
    pub default: u8,
}

impl List {
    /// Returns the class that the list gives a row with the given parts.
    pub fn class(&self, part: impl Fn(usize) -> u8) -> u8 {
        let deciding =
            self.layers.iter().find(|layer| layer.clauses.iter().any(|clause| clause.matches(&part)));
        deciding.map_or(self.default, |layer| layer.class)
    }
}

impl fmt::Display for List {
    /// One layer or clause a line: `layer class`; `clause` and its literals, as `variable:parts` with the parts in
    /// hexadecimal; at the end `default class`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for layer in &self.layers {
            writeln!(f, "layer {}", layer.class)?;
            for clause in &layer.clauses {
                let literals = clause
                    .literals
                    .iter()
                    .map(|literal| format!(" {}:{:x}", literal.variable, literal.parts));
                writeln!(f, "clause{}", literals.collect::<String>())?;
            }
        }
        writeln!(f, "default {}", self.default)
    }
}

/// How hard to try.
#[derive(Clone, Copy, Debug)]
pub struct ListOptions<'a> {
    /// Work units to spend on improvement: blocks of 512 minterms looked at, some ten million of which take a second.
    pub work: u64,
    /// The seed of the random choices.
    pub seed: u64,
    /// Told how much of the work is done, and of the list so far.
    pub progress: Monitor<'a>,
}

impl Default for ListOptions<'_> {
    fn default() -> Self {
        ListOptions { work: 2_000_000_000, seed: 0, progress: Monitor::default() }
    }
}
