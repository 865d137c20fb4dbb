//! How many positions a clause holds for: every legal one of the material and side to move is asked.

use super::Decision;
use crate::error::Result;
use crate::model::{Coordinates, VariableCode};
use crate::position::{Enumeration, Position, Square, Symmetry};
use crate::probe::on_demand::decider::{Decider, Exceptions};
use crate::probe::{Prober, Tables};
use std::collections::HashMap;
use std::ops::AddAssign;

/// How many legal positions of a material with one side to move a clause holds for. All positions that are symmetric to one
/// another count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// All legal positions of the material with this side to move.
    pub positions: u64,
    /// Those of them that meet all that the clause demands, in canonical form; without a clause those that no clause contains.
    pub met: u64,
    /// Those of `met` that the clause decides: of a tree all; of a list those that no clause before it contains.
    pub decided: u64,
    /// Those of `decided` that are exceptions.
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

/// The positions of a clause, to be counted slice by slice; made by [`Prober::counting`]. `Sync`, so that slices can be counted
/// by several threads.
#[derive(Debug)]
pub struct Counting<'p> {
    prober: &'p Prober,
    positions: Enumeration,
    decides: Decides<'p>,
    /// What is demanded of variables that an offset gives, then of the others.
    offsets: Vec<(VariableCode, u64)>,
    others: Vec<(VariableCode, u64)>,
}

/// What tells of a position that meets the demands whether the clause decides, and whether it is an exception.
#[derive(Debug)]
enum Decides<'p> {
    Leaf(Exceptions<'p>),
    /// The section and the clause; none for the default.
    First(Option<(usize, usize)>),
}

impl Prober {
    /// Returns what counts the positions of the clause that decides about `position`; without a clause those without one.
    ///
    /// # Errors
    /// Those of [`Prober::explain`].
    pub fn counting(&self, position: &Position) -> Result<Counting<'_>> {
        let explanation = self.explain(position)?;
        let decides = match self.decided(position, |_, _| ())?.decider {
            Decider::Leaf { exceptions, .. } => Decides::Leaf(exceptions),
            Decider::Clause { section, clause } => Decides::First(Some((section, clause))),
            Decider::Default => Decides::First(None),
        };
        let literals =
            explanation.literals.iter().map(|literal| (self.plan.code(literal.variable), literal.allowed));
        let coordinates = Coordinates::new(explanation.canonical.packed());
        let (offsets, others) = literals.partition(|(code, _)| code.part_by_offset(coordinates).is_some());
        let positions = Enumeration::new(self.material(), explanation.canonical.turn(), explanation.lead);
        Ok(Counting { prober: self, positions, decides, offsets, others })
    }
}

impl Tables {
    /// Returns what counts the positions of the clause that decides about `position`, as [`Prober::counting`] does.
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
    /// let counting = tables.counting(&Position::from_fen("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")?)?;
    /// let mut coverage = Coverage::default();
    /// (0..counting.slices()).for_each(|slice| coverage += counting.count(slice));
    /// assert_eq!(coverage.positions, 163_328);
    /// assert!(coverage.met > 0);
    /// # }
    /// # Ok::<(), cubebase::Error>(())
    /// ```
    pub fn counting(&self, position: &Position) -> Result<Counting<'_>> {
        self.table(position.material())?.counting(position)
    }
}

impl Counting<'_> {
    /// The number of slices.
    pub fn slices(&self) -> usize {
        self.positions.slices()
    }

    /// Counts the positions of slice number `slice`, canonical ones with all their images.
    ///
    /// # Panics
    /// When there is no such slice.
    pub fn count(&self, slice: usize) -> Coverage {
        let mut coverage = Coverage::default();
        let mut symmetries = None;
        self.positions.visit(slice, &mut |position| {
            // The kings stand on the same squares in all of a slice.
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

    /// Counts the positions of slice number `slice` for all leaves of the tree at once, quicker than for each alone; in the keys
    /// none is an exception. In each count `positions` are those that reach the leaf. Of lists there are none.
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

    /// Whether the clause decides about a canonical position and it is an exception, if it meets the demands.
    fn meets(&self, position: &Position) -> Option<(bool, bool)> {
        let coordinates = Coordinates::new(position.packed());
        let is_allowed = |allowed: u64, part: u8| allowed >> part & 1 != 0;
        let by_offset = |&(code, allowed): &(VariableCode, u64)| {
            code.part_by_offset(coordinates).is_some_and(|part| is_allowed(allowed, part))
        };
        if !self.offsets.iter().all(by_offset) {
            return None;
        }
        let view = self.prober.plan.view(position);
        if !self.others.iter().all(|&(code, allowed)| is_allowed(allowed, code.part(&view))) {
            return None;
        }
        match &self.decides {
            Decides::Leaf(exceptions) => Some((true, exceptions.contains(&view))),
            &Decides::First(clause) => {
                let is_decided = self.prober.decide(&view, position.turn()) == clause;
                // Nothing is demanded where no clause decides, but that there is none.
                (is_decided || clause.is_some()).then_some((is_decided, false))
            }
        }
    }
}

/// The symmetries of a material, and those of them that leave both kings in place.
struct Symmetries {
    all: u64,
    of_kings: Vec<Symmetry>,
}

impl Symmetries {
    fn of(position: &Position) -> Self {
        let all = if position.material().has_pawns() { &Symmetry::WITH_PAWNS[..] } else { &Symmetry::ALL };
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
