//! The ordered clause list: cubes in layers. The first layer with a matching cube decides.
//!
//! The caller gives the order of the classes; the last is the default. The ON-set of a layer is the rows of its class, and the
//! OFF-set those of the classes after it; minterms that earlier layers decide are don't-cares. The steps are those of
//! Brayton et al. 1984: cubes are grown (`expand`), made irredundant (`cover`), and improved
//! (`large_neighbourhood_search`). There are three departures. The sets are not cubes but bitmaps of all minterms, so that
//! only functions with few of them have lists ([`has_few_minterms`]). The cost is not the number of cubes but their
//! coded bits (`price`). And cubes need not be primes.
//!
//! A bitmap of 8 variables of 8 parts has 2 MiB, and testing a cube is a walk over its blocks of 512 minterms. Results are
//! the same for any number of threads.

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
    /// The allowed parts, bit p for part p. Neither empty nor all parts.
    pub parts: u64,
}

impl Literal {
    /// Returns the first and the last allowed part if all between them are allowed.
    pub fn interval(&self) -> Option<(u32, u32)> {
        let low = self.parts.trailing_zeros();
        let high = 63 - self.parts.leading_zeros().min(63);
        (self.parts.count_ones() == high + 1 - low.min(high)).then_some((low, high))
    }
}

/// A cube: it matches the rows whose parts all its literals allow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Clause {
    /// The literals, at most one for each variable, by ascending variable. A clause without literals matches every row.
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
    /// The class of rows that match a clause of this layer and none of an earlier layer.
    pub class: u8,
    /// The clauses, in ascending order. Their order does not matter.
    pub clauses: Vec<Clause>,
}

/// An ordered clause list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// The layers, in the order in which they decide.
    pub layers: Vec<Layer>,
    /// The class of rows that no clause matches.
    pub default: u8,
}

impl List {
    /// Returns the class of a row with the given parts.
    pub fn class(&self, part: impl Fn(usize) -> u8) -> u8 {
        let deciding =
            self.layers.iter().find(|layer| layer.clauses.iter().any(|clause| clause.matches(&part)));
        deciding.map_or(self.default, |layer| layer.class)
    }
}

impl fmt::Display for List {
    /// One line for each layer, `layer class`, and each clause, `clause` and its literals as `variable:parts`, with parts in
    /// hexadecimal. The last line is `default class`.
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

/// The effort, the seed, and the callback for progress.
#[derive(Clone, Copy, Debug)]
pub struct ListOptions<'a> {
    /// Work units to spend on improvement. A unit is a block of 512 minterms read; ten million take about a second.
    pub work: u64,
    /// The seed of the random choices.
    pub seed: u64,
    /// Receives the work done, and the clauses and bits of the list so far.
    pub progress: Monitor<'a>,
}

impl Default for ListOptions<'_> {
    fn default() -> Self {
        ListOptions { work: 2_000_000_000, seed: 0, progress: Monitor::default() }
    }
}
