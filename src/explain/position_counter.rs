//! The number of positions that a clause holds for, counted over all legal positions of the material and side to move.

use super::Decision;
use crate::chess::model::{Coordinates, VariableCode};
use crate::chess::position::{Enumeration, Position, Square, Symmetry};
use crate::error::Result;
use crate::probe::on_demand::decider::{Decider, Exceptions};
use crate::probe::{Prober, Tables};
use std::collections::HashMap;
use std::ops::AddAssign;

/// The number of legal positions, of one material and side to move, that a clause holds for. Each symmetric image of a
/// position counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// All legal positions of the material with this side to move.
    pub positions: u64,
    /// Positions whose canonical image meets all literals of the clause.
    pub met: u64,
    /// Positions of `met` that the clause decides: in a tree all, in covers those that no earlier clause contains.
    pub decided: u64,
    /// Positions of `decided` that are exceptions.
    pub exceptions: u64,
}

impl AddAssign for Coverage {
    fn add_assign(&mut self, other: Self) {
        self.positions += other.positions;
        self.met += other.met;
        self.decided += other.decided;
        self.exceptions += other.exceptions;
    }
}

/// Counts the positions of a clause slice by slice; made by [`Prober::position_counter`]. `Sync`, so that several threads can
/// count slices.
#[derive(Debug)]
pub struct PositionCounter<'p> {
    prober: &'p Prober,
    positions: Enumeration,
    decision_test: DecisionTest<'p>,
    /// The literals, as variable and allowed values, of variables that depend only on the offset between two men.
    offsets: Vec<(VariableCode, u64)>,
    /// The other literals.
    others: Vec<(VariableCode, u64)>,
}

/// The test whether the clause decides a position that meets its literals.
#[derive(Debug)]
enum DecisionTest<'p> {
    Leaf(Exceptions<'p>),
    /// The first matching clause must be this one, by section and number.
    First(usize, usize),
}

impl Prober {
    /// Returns the counter of the positions of the clause that decides `position`.
    ///
    /// # Errors
    /// Those of [`Prober::explain`].
    pub fn position_counter(&self, position: &Position) -> Result<PositionCounter<'_>> {
        let explanation = self.explain(position)?;
        let decision_test = match self.decided(position, |_, _| ())?.decider {
            Decider::Leaf { exceptions, .. } => DecisionTest::Leaf(exceptions),
            Decider::Clause { section, clause } => DecisionTest::First(section, clause),
        };
        let literals = explanation
            .literals
            .iter()
            .map(|literal| (self.variables.code(literal.variable), literal.allowed));
        let coordinates = Coordinates::new(explanation.canonical.packed());
        let (offsets, others) = literals.partition(|(code, _)| code.value_by_offset(coordinates).is_some());
        let positions = Enumeration::new(self.material(), explanation.canonical.turn(), explanation.anchor);
        Ok(PositionCounter { prober: self, positions, decision_test, offsets, others })
    }
}

impl Tables {
    /// Returns the counter of the positions of the clause that decides `position`, as [`Prober::position_counter`] does.
    ///
    /// # Errors
    /// Those of [`Tables::probe`].
    ///
    /// # Example
    /// ```
    /// # #[cfg(feature = "embedded")] {
    /// use cubebase::explain::Coverage;
    /// use cubebase::{Position, Tables};
    ///
    /// let tables = Tables::embedded()?;
    /// let counter = tables.position_counter(&Position::from_fen("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")?)?;
    /// let mut coverage = Coverage::default();
    /// (0..counter.slices()).for_each(|slice| coverage += counter.count(slice));
    /// assert_eq!(coverage.positions, 163_328);
    /// assert!(coverage.met > 0);
    /// # }
    /// # Ok::<(), cubebase::Error>(())
    /// ```
    pub fn position_counter(&self, position: &Position) -> Result<PositionCounter<'_>> {
        self.table(position.material())?.position_counter(position)
    }
}

impl PositionCounter<'_> {
    /// The number of slices.
    pub fn slices(&self) -> usize {
        self.positions.slices()
    }

    /// Counts the positions of slice number `slice`: canonical ones, each as often as it has images.
    ///
    /// # Panics
    /// When there is no such slice.
    pub fn count(&self, slice: usize) -> Coverage {
        let mut coverage = Coverage::default();
        let mut symmetries = None;
        self.positions.visit(slice, &mut |position| {
            // The kings stand on the same squares in all positions of a slice.
            let symmetries = symmetries.get_or_insert_with(|| Symmetries::of(position));
            let images = symmetries.images(position);
            coverage.positions += images;
            let Some((is_decided, is_exception)) = self.meets(position) else { return };
            coverage.met += images;
            coverage.decided += images * u64::from(is_decided);
            coverage.exceptions += images * u64::from(is_exception);
        });
        coverage
    }

    /// Returns a position of slice number `slice` that the clause decides and that is no exception, for a `number` below
    /// [`Coverage::decided`] less [`Coverage::exceptions`] of the slice; `None` for other numbers. The strong side may have the other
    /// colour than in the position asked about: then so does the side to move.
    ///
    /// # Panics
    /// When there is no such slice.
    pub fn position(&self, slice: usize, number: u64) -> Option<Position> {
        let (mut before, mut found, mut symmetries) = (0, None, None);
        self.positions.visit(slice, &mut |position| {
            if found.is_some() || self.meets(position) != Some((true, false)) {
                return;
            }
            let images = symmetries.get_or_insert_with(|| Symmetries::of(position)).images(position);
            if number < before + images {
                let all = symmetries_of(position);
                found = Some(position.transformed(all[(number - before) as usize % all.len()]));
            }
            before += images;
        });
        found
    }

    /// Counts the positions of slice number `slice` for all leaves of the tree in one pass; empty for covers. The keys have
    /// `exception: false`, and `positions` of a count are those that reach the leaf.
    ///
    /// # Errors
    /// Those of [`Prober::explain`].
    ///
    /// # Panics
    /// When there is no such slice.
    pub fn count_leaves(&self, slice: usize) -> Result<HashMap<Decision, Coverage>> {
        let (mut counts, mut symmetries, mut result) = (HashMap::new(), None, Ok(()));
        self.positions.visit(slice, &mut |position| {
            let images = symmetries.get_or_insert_with(|| Symmetries::of(position)).images(position);
            match self.prober.decided(position, |_, _| ()).map(|decided| decided.decider) {
                Ok(Decider::Leaf { leaf, stated, is_exception, .. }) => {
                    let exceptions = images * u64::from(is_exception);
                    let decision = Decision::Leaf { leaf, stated, exception: false };
                    *counts.entry(decision).or_default() +=
                        Coverage { positions: images, met: images, decided: images, exceptions };
                }
                Ok(_) => {}
                Err(error) => result = Err(error),
            }
        });
        result.map(|()| counts)
    }

    /// Whether the clause decides a canonical position, and whether the position is an exception; `None` if it does not meet
    /// the literals.
    fn meets(&self, position: &Position) -> Option<(bool, bool)> {
        let coordinates = Coordinates::new(position.packed());
        let is_allowed = |allowed: u64, value: u8| allowed >> value & 1 != 0;
        let by_offset = |&(code, allowed): &(VariableCode, u64)| {
            code.value_by_offset(coordinates).is_some_and(|value| is_allowed(allowed, value))
        };
        if !self.offsets.iter().all(by_offset) {
            return None;
        }
        let view = self.prober.variables.view(position);
        if !self.others.iter().all(|&(code, allowed)| is_allowed(allowed, code.value(&view))) {
            return None;
        }
        match &self.decision_test {
            DecisionTest::Leaf(exceptions) => Some((true, exceptions.contains(&view))),
            &DecisionTest::First(section, clause) => {
                let decided = self.prober.clause_of(&view, position.turn());
                Some((
                    decided.is_some_and(|(in_section, number, _)| (in_section, number) == (section, clause)),
                    false,
                ))
            }
        }
    }
}

fn symmetries_of(position: &Position) -> &'static [Symmetry] {
    if position.material().has_pawns() { &Symmetry::WITH_PAWNS } else { &Symmetry::ALL }
}

/// The number of symmetries of a material, and the symmetries that leave both kings in place.
struct Symmetries {
    all: u64,
    of_kings: Vec<Symmetry>,
}

impl Symmetries {
    fn of(position: &Position) -> Self {
        let all = symmetries_of(position);
        let stays = |symmetry: &&Symmetry| {
            position.squares()[..2].iter().all(|&king: &Square| symmetry.apply(king) == king)
        };
        Symmetries { all: all.len() as u64, of_kings: all.iter().filter(stays).copied().collect() }
    }

    /// The number of different positions that are symmetric to `position`, itself among them.
    fn images(&self, position: &Position) -> u64 {
        let same = |&&symmetry: &&Symmetry| {
            symmetry == Symmetry::IDENTITY || position.transformed(symmetry) == *position
        };
        self.all / self.of_kings.iter().filter(same).count() as u64
    }
}
