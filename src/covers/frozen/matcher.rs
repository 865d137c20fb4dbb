//! The sections of a table as bitmaps, ready to be matched.

use super::bitmaps::Bitmaps;
use super::layout::Layout;
use super::sections::{Covers, Section, Turns};
use crate::chess::model::{MAX_VARIABLES, VariableSet, View};
use crate::chess::position::{Color, Wdl};
use alloc::vec::Vec;

/// The covers of a table, ready to be matched. Matching neither allocates nor locks.
#[derive(Debug)]
pub(crate) struct Matcher {
    sections: Vec<SectionBitmaps>,
    /// By [`Color::index`]: the variables with a literal in some section.
    used: [Vec<u16>; 2],
}

#[derive(Debug)]
struct SectionBitmaps {
    turns: Turns,
    outcome: Wdl,
    clauses: Bitmaps,
}

/// Most tables have no more variables than this. For these tables, matching clears only a small array for the values.
const USUAL_VARIABLES: usize = 128;

impl Matcher {
    /// Returns the matcher of `covers`. Costs one pass over the clauses, and their size in memory.
    pub(crate) fn new(covers: &Covers, layout: &Layout) -> Self {
        let section = |section: &Section| SectionBitmaps {
            turns: section.turns,
            outcome: section.outcome,
            clauses: Bitmaps::new(layout, &section.clauses),
        };
        let sections: Vec<SectionBitmaps> = covers.sections.iter().map(section).collect();
        let used = Color::BOTH.map(|turn| {
            let of_turn = sections.iter().filter(|section| section.turns.contains(turn));
            let variables = of_turn.flat_map(|section| section.clauses.variables());
            let mut used: Vec<u16> = variables.map(|variable| variable as u16).collect();
            used.sort_unstable();
            used.dedup();
            used
        });
        Matcher { sections, used }
    }

    /// Bytes of memory.
    #[cfg(feature = "std")]
    pub(crate) fn memory(&self) -> usize {
        self.sections.iter().map(|section| section.clauses.memory()).sum()
    }

    /// The numbers of the section and the clause that decide the canonical position of `view`, and its outcome; `None` if no clause
    /// contains it.
    pub(crate) fn decide(
        &self,
        variables: &VariableSet,
        view: &View<'_>,
        turn: Color,
    ) -> Option<(usize, usize, Wdl)> {
        if variables.variables().len() <= USUAL_VARIABLES {
            self.decide_with(variables, view, turn, &mut [0; USUAL_VARIABLES])
        } else {
            self.decide_with(variables, view, turn, &mut [0; MAX_VARIABLES])
        }
    }

    fn decide_with(
        &self,
        variables: &VariableSet,
        view: &View<'_>,
        turn: Color,
        values: &mut [u8],
    ) -> Option<(usize, usize, Wdl)> {
        for &variable in &self.used[turn.index()] {
            values[usize::from(variable)] = variables.value(view, variable.into());
        }
        let mut sections =
            self.sections.iter().enumerate().filter(|(_, section)| section.turns.contains(turn));
        sections.find_map(|(number, section)| {
            section.clauses.first_match(values).map(|clause| (number, clause, section.outcome))
        })
    }

    /// A clause in the words of `layout`.
    ///
    /// # Panics
    /// When there is no such clause.
    #[cfg(feature = "explain")]
    pub(crate) fn clause(&self, layout: &Layout, section: usize, clause: usize) -> Vec<u64> {
        self.sections[section].clauses.clause(layout, clause)
    }
}
