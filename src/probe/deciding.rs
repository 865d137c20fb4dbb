//! Which clause decides about a position, what it demands, and where the men may stand for it.

use super::explain::{ClauseSquares, Decision, Explanation, Literal};
use super::prober::{Decider, Prober};
use crate::error::Result;
use crate::position::{Bitboard, Position};
use alloc::vec::Vec;

impl Prober {
    /// Returns the outcome of `position` and what decided it. The first time that a tree in pages is asked, its leaves are
    /// counted, which decodes all pages.
    ///
    /// # Errors
    /// Those of [`Prober::probe`], for any position of the side to move.
    pub fn explain(&self, position: &Position) -> Result<Explanation> {
        self.check(position)?;
        let (canonical, side) = self.canonical(position)?;
        let mut demanded: Vec<(usize, u64)> = Vec::new();
        let (outcome, decider) = self.decider(&canonical, side, |code, parts| {
            let variable = self.plan.variable(code);
            match demanded.iter_mut().find(|(demanded, _)| *demanded == variable) {
                Some((_, allowed)) => *allowed &= parts,
                None => demanded.push((variable, parts & self.layout.full(variable))),
            }
        })?;
        let decision = match decider {
            Decider::Leaf { leaf, reached, exception } => {
                Decision::Leaf { leaf, stated: reached.outcome(), exception }
            }
            Decider::Clause { section, clause } => {
                let clauses = &self.sections[section].clauses;
                demanded = self.layout.literals(&clauses.clause(&self.layout, clause)).collect();
                Decision::Clause { section, clause }
            }
            Decider::Default => Decision::Default,
        };
        let view = self.plan.view(&canonical);
        let literal = |(variable, allowed)| Literal {
            variable,
            name: self.layout.variables()[variable].name.clone(),
            allowed,
            part: self.plan.part(&view, variable),
        };
        let literals = demanded.into_iter().map(literal).collect();
        Ok(Explanation { canonical, lead: side.lead, model: self.plan.model(), outcome, decision, literals })
    }

    /// Returns, for each man of `position` in its numbering, the squares where it may stand for the same clause to decide,
    /// the other men staying: its own, and each other one that makes a legal position which, in whatever symmetry, comes to
    /// the clause or leaf of [`Prober::explain`]. Without a clause they are the squares of positions without one. An
    /// en-passant capture stays possible.
    ///
    /// Costs up to 64 explanations a man, without their text.
    ///
    /// # Errors
    /// Those of [`Prober::explain`].
    pub fn clause_squares(&self, position: &Position) -> Result<Vec<ClauseSquares>> {
        self.check(position)?;
        // The clause or leaf by its number, and whether the position is an exception.
        let decider = |position: &Position| -> Result<_> {
            let (canonical, side) = self.canonical(position)?;
            Ok(match self.decider(&canonical, side, |_, _| ())?.1 {
                Decider::Clause { section, clause } => (Some((section, clause)), false),
                Decider::Leaf { leaf, exception, .. } => (Some((0, leaf)), exception),
                Decider::Default => (None, false),
            })
        };
        let (decided, _) = decider(position)?;
        let mut sets = Vec::with_capacity(position.squares().len());
        for man in 0..position.squares().len() {
            let (mut set, mut moved) = (ClauseSquares::default(), *position);
            for square in Bitboard::ALL {
                moved.squares_mut()[man] = square;
                if !moved.is_legal() {
                    continue;
                }
                let (clause, exception) = decider(&moved)?;
                if clause == decided {
                    set.all |= square;
                    if exception {
                        set.exceptions |= square;
                    }
                }
            }
            sets.push(set);
        }
        Ok(sets)
    }
}
