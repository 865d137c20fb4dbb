//! The cost of clauses, in bits of the coded list.
//!
//! A clause has a base cost, and each literal costs its variable and its symbol, which is the set of allowed parts. Frequent
//! ones are cheap, as with an adaptive coder, whose code lengths follow the counts so far. A price is -log2 of a smoothed
//! frequency in the current list: of the variable among all literals, or of the symbol among those of the variable. A symbol
//! without occurrences has the frequency of its kind (prefixes, suffixes, single parts, ...) over all variables.

use super::variables::Variables;
use super::{Clause, Literal};
use std::collections::HashMap;

/// Kinds of symbols: prefixes, suffixes, one part, all parts but one, other intervals, their complements, the rest.
const KINDS: usize = 7;

/// The count of an unseen variable, and the count of all unseen symbols of a variable together.
const NEW_VARIABLE: f64 = 0.1;
const NEW_SYMBOL: f64 = 0.7;

/// The kind of a symbol, and the number of symbols of that kind for a variable of `count` parts.
fn kind(count: u8, parts: u64) -> (usize, f64) {
    let count = u32::from(count);
    let full = u64::MAX >> (64 - count);
    let n = f64::from(count);
    let run = |parts: u64| (Literal { variable: 0, parts }).interval();
    match (run(parts), run(!parts & full)) {
        _ if count == 2 => (0, 2.0),
        (Some((0, _)), _) => (0, n - 1.0),
        (Some((_, high)), _) if high + 1 == count => (1, n - 1.0),
        (Some((low, high)), _) if low == high => (2, n - 2.0),
        (_, Some((low, high))) if low == high => (3, n - 2.0),
        (Some(_), _) => (4, (n - 2.0) * (n - 3.0) / 2.0),
        (_, Some(_)) => (5, (n - 2.0) * (n - 3.0) / 2.0),
        _ => (6, libm::exp2(n)),
    }
}

pub(super) struct Frequencies {
    parts: Vec<u8>,
    clauses: f64,
    literals: f64,
    variables: Vec<f64>,
    symbols: HashMap<(usize, u64), f64>,
    kinds: [f64; KINDS],
}

impl Frequencies {
    /// Returns the frequencies in `clauses`. `parts` are the numbers of parts of the variables.
    pub(super) fn new(parts: &[u8], clauses: &[&Clause]) -> Self {
        let mut frequencies = Frequencies {
            parts: parts.to_vec(),
            clauses: clauses.len() as f64,
            literals: 0.0,
            variables: vec![0.0; parts.len()],
            symbols: HashMap::new(),
            // Intervals are likelier than other sets.
            kinds: [2.0, 2.0, 1.0, 1.0, 1.0, 0.5, 0.05],
        };
        for literal in clauses.iter().flat_map(|clause| &clause.literals) {
            let variable = usize::from(literal.variable);
            frequencies.literals += 1.0;
            frequencies.variables[variable] += 1.0;
            let seen = frequencies.symbols.entry((variable, literal.parts)).or_default();
            *seen += 1.0;
            if *seen < 1.5 {
                frequencies.kinds[kind(parts[variable], literal.parts).0] += 1.0;
            }
        }
        frequencies
    }

    /// The probability of a symbol without occurrences.
    fn unseen(&self, variable: usize, parts: u64) -> f64 {
        let (kind, members) = kind(self.parts[variable], parts);
        self.kinds[kind] / self.kinds.iter().sum::<f64>() / members
    }

    /// The cost of coding a variable, or the end of a clause, that occurs `count` times.
    fn name(&self, count: f64) -> f64 {
        let names = self.literals + self.clauses + NEW_VARIABLE * (self.variables.len() as f64 + 1.0);
        libm::log2(names / (count + NEW_VARIABLE))
    }

    /// The base cost of a clause: its end, less the bits that the free order of clauses saves. Can be negative.
    fn clause(&self) -> f32 {
        (self.name(self.clauses).min(3.0) - libm::log2(self.clauses + 1.0)) as f32
    }

    /// The cost of coding `variable` in a clause.
    pub(super) fn variable(&self, variable: usize) -> f32 {
        self.name(self.variables[variable]) as f32
    }

    /// The cost of coding the allowed parts of `variable` as `parts`.
    pub(super) fn symbol(&self, variable: usize, parts: u64) -> f32 {
        let seen = self.symbols.get(&(variable, parts)).copied().unwrap_or_default();
        let chance =
            (seen + NEW_SYMBOL * self.unseen(variable, parts)) / (self.variables[variable] + NEW_SYMBOL);
        -libm::log2(chance) as f32
    }
}

/// Returns the cost of all clauses in bits: the length of an adaptive code whose frequencies start at the smoothing constants,
/// less the bits that the free order of clauses and literals saves.
pub(super) fn total_bits(parts: &[u8], clauses: &[&Clause]) -> f64 {
    let seen = Frequencies::new(parts, clauses);
    // log2 of start * (start + 1) * ... of `count` factors.
    let rising = |start: f64, count: f64| {
        let factors = std::iter::successors(Some(0.0), |i| Some(i + 1.0)).take_while(|&i| i < count);
        factors.map(|i: f64| libm::log2(start + i)).sum::<f64>()
    };
    let alphabet = NEW_VARIABLE * (parts.len() as f64 + 1.0);
    let mut bits = rising(alphabet, seen.literals + seen.clauses) - rising(NEW_VARIABLE, seen.clauses);
    for &count in &seen.variables {
        bits += rising(NEW_SYMBOL, count) - rising(NEW_VARIABLE, count);
    }
    let mut symbols: Vec<_> =
        seen.symbols.iter().map(|(&(variable, parts), &count)| (variable, parts, count)).collect();
    symbols.sort_unstable_by_key(|&(variable, parts, _)| (variable, parts));
    for (variable, parts, count) in symbols {
        bits -= rising(NEW_SYMBOL * seen.unseen(variable, parts), count);
    }
    let orders = |count: usize| rising(1.0, count as f64);
    bits - orders(clauses.len()) - clauses.iter().map(|clause| orders(clause.literals.len())).sum::<f64>()
}

/// Prices in tables: those of intervals and their complements.
pub(super) struct Tariff {
    frequencies: Frequencies,
    base: f32,
    names: Vec<f32>,
    /// The number of parts of each variable and the start of its tables: of intervals low..=high at low * parts + high, then
    /// of their complements.
    tables: Vec<(u64, usize)>,
    symbols: Vec<f32>,
    /// The average cost of a clause.
    pub(super) typical: f32,
}

const LEAST: f32 = 1.0;

impl Tariff {
    /// Returns the prices by the frequencies in `clauses`.
    pub(super) fn new(variables: &Variables, clauses: &[&Clause]) -> Self {
        let frequencies = Frequencies::new(&variables.parts, clauses);
        let (mut tables, mut symbols) = (Vec::new(), Vec::new());
        for (variable, &parts) in variables.parts.iter().enumerate() {
            let full = variables.full(variable);
            tables.push((u64::from(parts), symbols.len()));
            for flip in [0, full] {
                for (low, high) in (0..parts).flat_map(|low| (0..parts).map(move |high| (low, high))) {
                    let inside = if low <= high { (u64::MAX >> (63 - (high - low))) << low } else { full };
                    let literal = inside ^ flip;
                    let is_literal = literal != 0 && literal != full;
                    symbols.push(if is_literal { frequencies.symbol(variable, literal) } else { 0.0 });
                }
            }
        }
        let names: Vec<f32> = (0..variables.len()).map(|variable| frequencies.variable(variable)).collect();
        let mut tariff =
            Tariff { base: frequencies.clause(), names, tables, symbols, frequencies, typical: 30.0 };
        if !clauses.is_empty() {
            let sum: f32 = clauses.iter().map(|clause| tariff.clause(&clause.literals)).sum();
            tariff.typical = (sum / clauses.len() as f32).max(4.0);
        }
        tariff
    }

    /// The cost of the literal with this interval.
    #[inline]
    pub(super) fn interval(&self, variable: usize, low: usize, high: usize) -> f32 {
        let (parts, first) = self.tables[variable];
        self.names[variable] + self.symbols[first + low * parts as usize + high]
    }

    /// The cost of the literal with the complement of this interval.
    #[inline]
    pub(super) fn complement(&self, variable: usize, low: usize, high: usize) -> f32 {
        // The table of complements begins `parts` rows further down.
        self.interval(variable, self.tables[variable].0 as usize + low, high)
    }

    /// The cost of a literal; 0 if it allows all parts.
    pub(super) fn literal(&self, literal: &Literal) -> f32 {
        let variable = usize::from(literal.variable);
        let full = u64::MAX >> (64 - self.tables[variable].0);
        if literal.parts == full {
            return 0.0;
        }
        if let Some((low, high)) = literal.interval() {
            return self.interval(variable, low as usize, high as usize);
        }
        let others = Literal { parts: !literal.parts & full, ..*literal };
        if let Some((low, high)) = others.interval() {
            return self.complement(variable, low as usize, high as usize);
        }
        self.names[variable] + self.frequencies.symbol(variable, literal.parts)
    }

    pub(super) fn clause(&self, literals: &[Literal]) -> f32 {
        (self.base + literals.iter().map(|literal| self.literal(literal)).sum::<f32>()).max(LEAST)
    }
}
