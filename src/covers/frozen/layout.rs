//! Positional cube notation over a model's variables: the bit of each part in a clause.
//!
//! A clause is [`Layout::words`] 64-bit words, one bit a part. The parts of a variable are consecutive, variables
//! follow each other in the model's order, and bit b of the clause is bit b mod 64 of word b / 64. A variable may
//! straddle two words. Bits beyond the last part are zero.
//!
//! Source: Gomboc & Shelton, section 2.1 (after Hong, Cain and Ostapko 1974).

use crate::chess::model::{Model, Variable};
use crate::chess::position::Material;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The variables of a model for one material, and the bits of their parts in a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    variables: Arc<[Variable]>,
    /// The first bit of each variable.
    first: Vec<usize>,
    bits: usize,
}

impl Layout {
    /// Returns the layout of clauses over the variables of `model` for `material`.
    pub fn new(model: Model, material: &Material) -> Self {
        Self::of(model.variable_set(material).shared_variables())
    }

    /// Returns the layout of clauses over `variables`.
    pub(crate) fn of(variables: Arc<[Variable]>) -> Self {
        let (mut first, mut bits) = (Vec::new(), 0);
        for variable in &*variables {
            first.push(bits);
            bits += variable.values;
        }
        Layout { variables, first, bits }
    }

    /// The variables, in order.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The number of parts of all variables, which is the number of bits of a clause.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// The number of 64-bit words of a clause: bits / 64, rounded up.
    pub fn words(&self) -> usize {
        self.bits.div_ceil(64)
    }

    /// Returns the literal with all parts of variable number `variable`: bit p for part p.
    ///
    /// # Panics
    /// When there is no such variable.
    pub fn full(&self, variable: usize) -> u64 {
        u64::MAX >> (64 - self.variables[variable].values)
    }

    /// Returns the literal of variable number `variable` in `clause`: bit p is 1 if part p is allowed.
    ///
    /// # Panics
    /// When there is no such variable, or the clause is too short.
    pub fn literal(&self, clause: &[u64], variable: usize) -> u64 {
        let (word, shift) = (self.first[variable] / 64, self.first[variable] % 64);
        let mut literal = clause[word] >> shift;
        if shift + self.variables[variable].values > 64 {
            literal |= clause[word + 1] << (64 - shift);
        }
        literal & self.full(variable)
    }

    /// Replaces the literal of variable number `variable` in `clause` by `literal`; bits beyond its parts are ignored.
    ///
    /// # Panics
    /// When there is no such variable, or the clause is too short.
    pub fn set_literal(&self, clause: &mut [u64], variable: usize, literal: u64) {
        let full = self.full(variable);
        let literal = literal & full;
        let (word, shift) = (self.first[variable] / 64, self.first[variable] % 64);
        clause[word] = clause[word] & !(full << shift) | literal << shift;
        if shift + self.variables[variable].values > 64 {
            clause[word + 1] = clause[word + 1] & !(full >> (64 - shift)) | literal >> (64 - shift);
        }
    }

    /// Returns the clause that allows every part of every variable.
    pub fn universe(&self) -> Vec<u64> {
        let mut clause = vec![u64::MAX; self.words()];
        if let Some(last) = clause.last_mut() {
            *last >>= (64 - self.bits % 64) % 64;
        }
        clause
    }

    /// Writes the minterm with these parts, one for each variable, into `minterm`.
    ///
    /// # Panics
    /// When there are fewer parts than variables, or `minterm` has fewer words than a clause.
    pub fn write_minterm(&self, parts: &[u8], minterm: &mut [u64]) {
        minterm.fill(0);
        for (first, &part) in self.first.iter().zip(&parts[..self.variables.len()]) {
            let bit = first + usize::from(part);
            minterm[bit / 64] |= 1 << (bit % 64);
        }
    }

    /// Returns the reason why `clause` is no clause of this layout, if there is one: a literal without parts, a bit beyond
    /// the last part, or the wrong number of words.
    pub fn fault(&self, clause: &[u64]) -> Option<String> {
        if clause.len() != self.words() {
            return Some(format!("a clause of {} words in place of {}", clause.len(), self.words()));
        }
        let universe = self.universe();
        if clause.iter().zip(&universe).any(|(word, universe)| word & !universe != 0) {
            return Some("a bit beyond the last part of a clause".into());
        }
        let empty = (0..self.variables.len()).find(|&variable| self.literal(clause, variable) == 0)?;
        Some(format!("a clause allows no part of {}", self.variables[empty].name))
    }

    /// The literals of `clause` that do not allow every part, in order: the number of the variable, and the parts allowed.
    pub fn literals<'a>(&'a self, clause: &'a [u64]) -> impl Iterator<Item = (usize, u64)> + 'a {
        let all = (0..self.variables.len()).map(|variable| (variable, self.literal(clause, variable)));
        all.filter(|&(variable, literal)| literal != self.full(variable))
    }
}

/// Whether `clause` contains `minterm`: no part of the minterm is missing in the clause.
pub fn contains(clause: &[u64], minterm: &[u64]) -> bool {
    clause.iter().zip(minterm).all(|(clause, minterm)| minterm & !clause == 0)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A layout with variables of the given numbers of parts.
    pub(crate) fn layout(parts: &[usize]) -> Layout {
        let variable = |(number, &parts)| Variable { name: format!("v{number}"), values: parts };
        Layout::of(parts.iter().enumerate().map(variable).collect())
    }

    #[test]
    fn binary_clauses_up_to_five_men_are_one_word() {
        let layout = |text: &str| Layout::new(Model::Binary, &text.parse().unwrap());
        assert_eq!((layout("KvK").bits(), layout("KvK").words()), (24, 1));
        assert_eq!((layout("KQRvKR").bits(), layout("KQRvKR").words()), (60, 1));
        assert_eq!((layout("KPPvKP").bits(), layout("KPPvKP").words()), (68, 2));
        assert_eq!((layout("KPPPvKPPP").bits(), layout("KPPPvKPPP").words()), (104, 2));
    }

    #[test]
    fn literals_that_allow_every_part_are_left_out() {
        let layout = layout(&[2, 8, 8, 64]);
        let mut clause = layout.universe();
        assert_eq!(layout.literals(&clause).count(), 0);
        layout.set_literal(&mut clause, 0, 0b01);
        layout.set_literal(&mut clause, 1, 0b0110_0111);
        layout.set_literal(&mut clause, 3, 1 << 63);
        let literals: Vec<_> = layout.literals(&clause).collect();
        assert_eq!(literals, [(0, 0b01), (1, 0b0110_0111), (3, 1 << 63)]);
    }

    #[test]
    fn faults_are_named() {
        let layout = layout(&[2, 40, 40]);
        let mut clause = layout.universe();
        assert_eq!(layout.fault(&clause), None);
        assert!(layout.fault(&clause[..1]).unwrap().contains("1 words"));
        clause[1] |= 1 << 18;
        assert!(layout.fault(&clause).unwrap().contains("beyond"));
        clause = layout.universe();
        layout.set_literal(&mut clause, 1, 0);
        assert!(layout.fault(&clause).unwrap().contains("v1"));
    }

    proptest! {
        #[test]
        fn setting_a_literal_changes_no_other(
            parts in prop::collection::vec(2..=64_usize, 1..12),
            literals in prop::collection::vec(any::<u64>(), 12),
        ) {
            let layout = layout(&parts);
            let mut clause = layout.universe();
            for (variable, &literal) in literals.iter().enumerate().take(parts.len()) {
                layout.set_literal(&mut clause, variable, literal);
            }
            for (variable, &literal) in literals.iter().enumerate().take(parts.len()) {
                prop_assert_eq!(layout.literal(&clause, variable), literal & layout.full(variable));
            }
            for variable in 0..parts.len() {
                layout.set_literal(&mut clause, variable, u64::MAX);
            }
            prop_assert_eq!(clause, layout.universe());
        }

        #[test]
        fn a_clause_contains_a_minterm_when_every_literal_has_its_part(
            parts in prop::collection::vec(2..=64_usize, 1..12),
            literals in prop::collection::vec(any::<u64>(), 12),
            picks in prop::collection::vec(any::<u8>(), 12),
        ) {
            let layout = layout(&parts);
            let mut clause = vec![0; layout.words()];
            let picks: Vec<u8> = picks.iter().zip(&parts).map(|(&pick, &parts)| pick % parts as u8).collect();
            for (variable, &literal) in literals.iter().enumerate().take(parts.len()) {
                layout.set_literal(&mut clause, variable, literal | literal << 1);
            }
            let mut minterm = vec![0; layout.words()];
            layout.write_minterm(&picks, &mut minterm);
            let expected = (0..parts.len()).all(|v| layout.literal(&clause, v) >> picks[v] & 1 == 1);
            prop_assert_eq!(contains(&clause, &minterm), expected);
        }
    }
}
