//! Codec `pcn` for lists: the set of variables that have literals; then for each clause and variable whether there is a
//! literal and, bit by bit, which parts it allows.
//!
//! Clauses are sorted, so a clause often begins like the one before, and up to the first difference it cannot be smaller.
//! One context of a literal's decisions is the number of changes between allowed and excluded parts so far. This makes
//! intervals and their complements cheap and other sets possible.

use super::clauses::Clauses;
use super::layout::Layout;
use super::mixing::Mixer;
use super::range::{Coder, Decoder, Encoder};
use crate::chess::model::Variable;
use crate::error::{Error, Result};
use alloc::vec::Vec;

/// Kinds of decisions.
const IS_USED: usize = 0;
const IS_LITERAL: usize = 1;
const IS_PAIR: usize = 2;
const IS_PART: usize = 3;

/// The most words of clauses, and the most decisions about them, for each byte of a payload. Eight bytes more are counted. These
/// limits keep a reader's memory and time in proportion to the file.
const PER_BYTE: usize = 32;
const DECISIONS_PER_BYTE: usize = 64;

/// Both directions of the code.
struct ListCode<'a, C> {
    coder: C,
    mixer: Mixer,
    /// Decisions about clauses so far.
    decisions: usize,
    layout: &'a Layout,
    /// The variables of which some clause has a literal, in order.
    used: Vec<usize>,
}

impl<'a, C: Coder> ListCode<'a, C> {
    fn new(mut coder: C, layout: &'a Layout, is_used: impl Fn(usize) -> bool) -> Self {
        let mut mixer = Mixer::default();
        let (mut used, mut before) = (Vec::new(), 0);
        for (variable, Variable { values, .. }) in layout.variables().iter().enumerate() {
            let contexts = [0, before & 15, *values as u64];
            let bit = mixer.code(&mut coder, IS_USED, &contexts, is_used(variable));
            before = before << 1 | u64::from(bit);
            if bit {
                used.push(variable);
            }
        }
        ListCode { coder, mixer, decisions: 0, layout, used }
    }

    fn decide<const N: usize>(&mut self, kind: usize, contexts: &[u64; N], bit: bool) -> bool {
        self.decisions += 1;
        self.mixer.code(&mut self.coder, kind, contexts, bit)
    }

    /// Codes one clause into `clause`; an encoder gets it as `given`. `before` is the clause before.
    fn clause(&mut self, given: Option<&[u64]>, before: Option<&[u64]>, clause: &mut [u64]) {
        let mut equal = before.is_some();
        let (mut literals, mut last) = (0_u64, 0);
        for number in 0..self.used.len() {
            let variable = self.used[number];
            let full = self.layout.full(variable);
            let above = before.map_or(full, |before| self.layout.literal(before, variable));
            let wanted = given.map_or(0, |given| self.layout.literal(given, variable));
            let near = u64::from(before.is_some()) << 2 | u64::from(equal) << 1 | u64::from(above != full);
            let name = (number as u64) << 3 | near;
            // While a clause equals the one before, it cannot allow less, since clauses ascend.
            let is_literal = !(equal && above == full) && {
                let contexts =
                    [name, name << 6 | literals.min(63), name << 12 | last, near << 6 | literals.min(63)];
                self.decide(IS_LITERAL, &contexts, wanted != full)
            };
            let literal = if is_literal { self.literal(number, near, above, equal, wanted) } else { full };
            equal &= literal == above;
            if is_literal {
                literals += 1;
                last = number as u64 + 1;
            }
            self.layout.set_literal(clause, variable, literal);
        }
    }

    /// Codes a literal that is not full.
    fn literal(&mut self, number: usize, near: u64, above: u64, equal: bool, wanted: u64) -> u64 {
        let variable = self.used[number];
        let parts = self.layout.variables()[variable].values;
        let full = self.layout.full(variable);
        let name = (number as u64) << 3 | near;
        if parts == 2 {
            // Part 0 or part 1. While the clause equals the one before and that allows part 0 alone, this one does too.
            if equal && above == 1 {
                return 1;
            }
            let contexts = [name, name << 2 | above];
            let bit = self.decide(IS_PAIR, &contexts, wanted == 1);
            return if bit { 1 } else { 2 };
        }
        let mut literal = 0;
        let (mut equal, mut changes) = (equal, 0_u64);
        for part in 0..parts as u64 {
            let before = if part == 0 { 0 } else { literal >> (part - 1) & 1 };
            let bit = above >> part & 1;
            let so_far = (1 << part) - 1;
            let is_last = part + 1 == parts as u64;
            let bit = if equal && bit == 1 || is_last && literal == 0 {
                true
            } else if is_last && literal == full & so_far {
                false
            } else {
                let shape = (changes.min(7) << 1 | before) << 6 | part;
                let over = above >> part & 1 | (above >> part.saturating_sub(1) & 1) << 1;
                let contexts = [
                    shape << 4 | near,
                    (name << 13 | shape) << 1,
                    (name << 13 | shape) << 2 | over,
                    (number as u64) << 24 | part << 16 | (literal & 0xffff),
                ];
                self.decide(IS_PART, &contexts, wanted >> part & 1 == 1)
            };
            if part > 0 && u64::from(bit) != before {
                changes += 1;
            }
            literal |= u64::from(bit) << part;
            equal &= literal & (so_far << 1 | 1) == above & (so_far << 1 | 1);
        }
        literal
    }
}

/// Returns the payload of a section with `clauses`; `None` when a reader would refuse it as too short for them.
pub(super) fn encode(layout: &Layout, clauses: &Clauses) -> Option<Vec<u8>> {
    let (payload, decisions) = code(layout, clauses)?;
    let is_long_enough = (clauses.len() * clauses.width()).div_ceil(PER_BYTE) <= payload.len() + 8;
    (is_long_enough && check_decisions(decisions, payload.len()).is_ok()).then_some(payload)
}

/// Returns a payload of any length, and the number of its decisions about clauses; `None` when it has more contexts than a
/// reader can count.
fn code(layout: &Layout, clauses: &Clauses) -> Option<(Vec<u8>, usize)> {
    let is_used =
        |variable| clauses.iter().any(|clause| layout.literal(clause, variable) != layout.full(variable));
    let mut code = ListCode::new(Encoder::new(), layout, is_used);
    let mut out = layout.universe();
    let mut before = None;
    for clause in clauses {
        code.mixer.counters.check_room().ok()?;
        code.clause(Some(clause), before, &mut out);
        before = Some(clause);
    }
    Some((code.coder.finish(), code.decisions))
}

/// Checks that a payload of `bytes` bytes may have `decisions` decisions.
fn check_decisions(decisions: usize, bytes: usize) -> Result<()> {
    Error::corrupt_unless(decisions.div_ceil(DECISIONS_PER_BYTE) <= bytes + 8, || {
        "a list with more decisions than its length allows".into()
    })
}

/// Reads `count` clauses; allocates in proportion to the payload. The result ascends.
pub(super) fn decode(layout: &Layout, count: usize, payload: &[u8]) -> Result<Vec<u64>> {
    let width = layout.words();
    if count.saturating_mul(width).div_ceil(PER_BYTE) > payload.len() + 8 {
        return Err(Error::corrupt(format!("{count} clauses in {} bytes", payload.len())));
    }
    let mut code = ListCode::new(Decoder::new(payload), layout, |_| false);
    // A forged count must not allocate: room is made clause by clause.
    let mut words = Vec::new();
    let mut clause = layout.universe();
    for number in 0..count {
        let before = number.checked_sub(1).map(|number| &words[number * width..]);
        code.mixer.counters.check_room()?;
        code.clause(None, before, &mut clause);
        check_decisions(code.decisions, payload.len())?;
        // Checked at once, since a code can repeat a clause without end at no cost.
        let ascends = before.is_none_or(|before| Clauses::compare(before, &clause).is_lt());
        Error::corrupt_unless(ascends, || "clauses are not in ascending order".into())?;
        words.extend(&clause);
    }
    if !code.coder.is_finished() {
        return Err(Error::corrupt("bytes after the end of a list"));
    }
    let is_used = |&variable: &usize| {
        words.chunks_exact(width).any(|clause| layout.literal(clause, variable) != layout.full(variable))
    };
    if !code.used.iter().all(is_used) {
        return Err(Error::corrupt("a list without literals of a used variable"));
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::super::layout::tests::layout;
    use super::*;

    /// Literals that repeat cost a writer next to nothing, and a reader a decision for each part.
    #[test]
    fn a_list_with_too_many_decisions_is_refused() {
        let layout = layout(&[8; 40]);
        let literal =
            |clause: usize, variable: usize| if clause >> variable & 1 == 0 { 0b1010_1010 } else { 1 };
        let words: Vec<u64> = (0..1 << 10)
            .flat_map(|number| {
                let mut clause = layout.universe();
                (0..40).for_each(|variable| {
                    layout.set_literal(&mut clause, variable, literal(number, variable));
                });
                clause
            })
            .collect();
        let clauses = Clauses::new(layout.words(), &words);
        let (payload, decisions) = code(&layout, &clauses).unwrap();
        assert!(decisions > 64 * (payload.len() + 8) && words.len() <= 32 * (payload.len() + 8));
        assert_eq!(encode(&layout, &clauses), None);
        let error = decode(&layout, clauses.len(), &payload).unwrap_err();
        assert!(error.to_string().contains("more decisions than its length allows"), "{error}");
    }
}
