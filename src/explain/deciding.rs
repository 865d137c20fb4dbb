//! The clause that decides a position, its literals, and the squares on which each man may stand so that it still decides.

use super::explanation::{ClauseSquares, Decision, Explanation, Literal, RuleDecision};
use crate::chess::model::{VariableCode, VariableSet};
use crate::chess::position::{Bitboard, CastlingRights, Position};
use crate::covers::frozen::Layout;
use crate::error::Result;
use crate::probe::on_demand::decider::{Decided, Decider};
use crate::probe::{Prober, Tables};

/// Adds a test on a path, with the parts that lead to the same child, to the values demanded of its variable so far.
pub(super) fn demand(
    demanded: &mut Vec<(usize, u64)>,
    variables: &VariableSet,
    code: VariableCode,
    parts: u64,
) {
    let mut numbers = 0..variables.variables().len();
    let Some(variable) = numbers.find(|&variable| variables.code(variable) == code) else { return };
    match demanded.iter_mut().find(|(demanded, _)| *demanded == variable) {
        Some((_, allowed)) => *allowed &= parts,
        None => demanded.push((variable, parts & u64::MAX >> (64 - variables.variables()[variable].values))),
    }
}

/// The literals of demanded values, with those of a canonical position.
pub(super) fn literals(
    demanded: Vec<(usize, u64)>,
    variables: &VariableSet,
    canonical: &Position,
) -> Vec<Literal> {
    let view = variables.view(canonical);
    let literal = |(variable, allowed)| Literal {
        variable,
        name: variables.variables()[variable].name.clone(),
        allowed,
        value: variables.value(&view, variable),
    };
    demanded.into_iter().map(literal).collect()
}

impl Prober {
    /// Returns the outcome of `position` and the clause that decides it. For a tree in pages, the first call decodes all
    /// pages to number the leaves.
    ///
    /// # Errors
    /// Those of [`Prober::probe`]. A damaged page of the side to move is an error for every position with a tree in pages.
    pub fn explain(&self, position: &Position) -> Result<Explanation> {
        self.check(position)?;
        let mut demanded: Vec<(usize, u64)> = Vec::new();
        let Decided { canonical, anchor, outcome, decider } =
            self.decided(position, |code, parts| demand(&mut demanded, &self.variables, code, parts))?;
        let decision = match decider {
            Decider::Leaf { leaf, stated, is_exception, .. } => {
                Decision::Leaf { leaf, stated, exception: is_exception }
            }
            Decider::Clause { section, clause } => {
                if let Some(covers) = &self.covers {
                    let layout = Layout::of(self.variables.shared_variables());
                    demanded = layout.literals(&covers.clause(&layout, section, clause)).collect();
                }
                Decision::Clause { section, clause }
            }
        };
        let (without_castling, castling) = (outcome, position.castling());
        let outcome =
            if castling.is_empty() { outcome } else { self.castling_exception(position)?.unwrap_or(outcome) };
        let literals = literals(demanded, &self.variables, &canonical);
        let model = self.variables.model();
        let rule = self.decided_by_rule(&canonical, without_castling)?;
        let rule = rule.map(|(outcome, leaf, exception)| RuleDecision { outcome, leaf, exception });
        Ok(Explanation {
            canonical,
            anchor,
            model,
            outcome,
            castling,
            without_castling,
            decision,
            rule,
            literals,
        })
    }

    /// Returns, for each man of `position` in its numbering, the squares on which it may stand, the other men unmoved, so that
    /// the position is legal and the same clause or leaf decides. Its own square is one of them. The en-passant file
    /// stays as it is. Castling rights are ignored, since clauses are about positions without them.
    ///
    /// Costs up to 64 explanations a man, without their text.
    ///
    /// # Errors
    /// Those of [`Prober::explain`].
    pub fn clause_squares(&self, position: &Position) -> Result<Vec<ClauseSquares>> {
        self.check(position)?;
        // The number of the clause or leaf, and whether the position is an exception.
        let decider = |position: &Position| -> Result<_> {
            Ok(match self.decided(position, |_, _| ())?.decider {
                Decider::Clause { section, clause } => ((section, clause), false),
                Decider::Leaf { leaf, is_exception, .. } => ((0, leaf), is_exception),
            })
        };
        let (decided, _) = decider(position)?;
        let mut sets = Vec::with_capacity(position.squares().len());
        for man in 0..position.squares().len() {
            let (mut set, mut moved) =
                (ClauseSquares::default(), position.with_castling(CastlingRights::NONE));
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

impl Tables {
    /// Returns the outcome of `position` and the clause that decides it.
    ///
    /// # Errors
    /// Those of [`Tables::probe`].
    pub fn explain(&self, position: &Position) -> Result<Explanation> {
        self.table(position.material())?.explain(position)
    }

    /// Returns, for each man of `position`, the squares on which it may stand so that the same clause decides: see
    /// [`Prober::clause_squares`].
    ///
    /// # Errors
    /// Those of [`Tables::probe`].
    ///
    /// # Example
    /// ```
    /// # #[cfg(feature = "embedded")] {
    /// use cubebase::{Position, Tables};
    ///
    /// let tables = Tables::embedded()?;
    /// let position = Position::from_fen("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")?;
    /// for (square, squares) in position.squares().iter().zip(tables.clause_squares(&position)?) {
    ///     assert!(squares.all.contains(*square));
    /// }
    /// # }
    /// # Ok::<(), cubebase::Error>(())
    /// ```
    pub fn clause_squares(&self, position: &Position) -> Result<Vec<ClauseSquares>> {
        self.table(position.material())?.clause_squares(position)
    }
}
