//! One table, ready to answer.

use super::bitmaps::Bitmaps;
use super::explain::{Decision, Explanation};
use crate::error::{Error, ErrorKind, Result};
use crate::model::{MAX_VARIABLES, Model};
use crate::pcn::{Layout, Pcn, Side, Turns};
use crate::position::{Color, Material, Position, Wdl};
use std::path::Path;

/// A table ready to answer: the clauses of a .pcn file as bitmaps. Immutable; probing neither allocates nor locks.
///
/// # Example
/// ```
/// use cubebase::pcn::{Layers, Pcn, Side};
/// use cubebase::probe::Table;
/// use cubebase::{Model, Position, Wdl};
///
/// let side = Side { lead: 0, default: Some(Wdl::Draw) };
/// let pcn = Pcn::new("KvK".parse()?, Model::Binary, Layers::Ordered, vec![side], vec![], [0; 8])?;
/// let table = Table::new(&pcn);
/// assert_eq!(table.probe(&Position::from_fen("8/8/3k4/8/8/8/8/K7 b - - 0 1")?)?, Wdl::Draw);
/// # Ok::<(), cubebase::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    material: Material,
    model: Model,
    layout: Layout,
    /// By [`Color::index`] of the side to move; a symmetric material's only one twice.
    sides: [Side; 2],
    sections: Vec<Section>,
    hash: [u8; 8],
}

#[derive(Clone, Debug)]
struct Section {
    turns: Turns,
    outcome: Wdl,
    clauses: Bitmaps,
}

impl Table {
    /// Returns the table with the content of `pcn`. Costs one pass over its clauses, and their size in memory.
    pub fn new(pcn: &Pcn) -> Self {
        let layout = pcn.layout();
        let section = |section: &crate::pcn::Section| Section {
            turns: section.turns,
            outcome: section.outcome,
            clauses: Bitmaps::new(&layout, &section.clauses),
        };
        Table {
            material: *pcn.material(),
            model: pcn.model(),
            sides: [0, pcn.sides().len() - 1].map(|side| pcn.sides()[side]),
            sections: pcn.sections().iter().map(section).collect(),
            hash: pcn.table_hash(),
            layout,
        }
    }

    /// Reads the bytes of a .pcn file.
    ///
    /// # Errors
    /// Those of [`Pcn::decode`].
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        Pcn::decode(bytes).map(|pcn| Self::new(&pcn))
    }

    /// Reads the .pcn file at `path`.
    ///
    /// # Errors
    /// Those of [`Pcn::read`].
    pub fn read(path: &Path) -> Result<Self> {
        Pcn::read(path).map(|pcn| Self::new(&pcn))
    }

    /// The material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The hash of the outcome table that the clauses were made from and checked against.
    pub fn table_hash(&self) -> [u8; 8] {
        self.hash
    }

    /// Returns the outcome of `position` for the side to move. The position may be of any symmetry; it need not be
    /// canonical.
    ///
    /// # Errors
    /// [`ErrorKind::MissingTable`] when the position is of another material; [`ErrorKind::IllegalPosition`];
    /// [`ErrorKind::Corrupt`] when no clause of independent layers contains the position, which no checked file does.
    pub fn probe(&self, position: &Position) -> Result<Wdl> {
        self.check(position)?;
        self.probe_unchecked(position)
    }

    /// Returns what [`Table::probe`] returns for a position that is of this material and legal; for another one
    /// some outcome or error. For callers that know, and ask for many.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] as in [`Table::probe`].
    ///
    /// # Panics
    /// May panic when the position is of another material.
    #[inline]
    pub fn probe_unchecked(&self, position: &Position) -> Result<Wdl> {
        let (canonical, side) = self.canonical(position);
        match self.decide(&canonical) {
            Some((section, _)) => Ok(self.sections[section].outcome),
            None => self.default(side, &canonical),
        }
    }

    /// Returns the outcome of `position` and what decided it.
    ///
    /// # Errors
    /// Those of [`Table::probe`].
    pub fn explain(&self, position: &Position) -> Result<Explanation> {
        self.check(position)?;
        let (canonical, side) = self.canonical(position);
        let (outcome, decision) = match self.decide(&canonical) {
            Some((section, clause)) => {
                let Section { outcome, clauses, .. } = &self.sections[section];
                let literals = self.layout.display(&clauses.clause(&self.layout, clause)).to_string();
                (*outcome, Decision::Clause { section, clause, literals })
            }
            None => (self.default(side, &canonical)?, Decision::Default),
        };
        Ok(Explanation { canonical, lead: side.lead, outcome, decision })
    }

    fn check(&self, position: &Position) -> Result<()> {
        if *position.material() != self.material {
            let message =
                format!("a position of {} asked of the table of {}", position.material(), self.material);
            return Err(Error::new(ErrorKind::MissingTable, message));
        }
        position.check_legal()
    }

    #[inline]
    fn canonical(&self, position: &Position) -> (Position, &Side) {
        let side = &self.sides[position.turn().index()];
        (position.canonical(side.lead), side)
    }

    /// The section and the clause that decide about a canonical position.
    #[inline]
    fn decide(&self, canonical: &Position) -> Option<(usize, usize)> {
        let mut parts = [0; MAX_VARIABLES];
        let parts = &mut parts[..self.layout.variables().len()];
        self.model.evaluate(canonical, parts);
        let turn: Color = canonical.turn();
        self.sections
            .iter()
            .enumerate()
            .filter(|(_, section)| section.turns.contains(turn))
            .find_map(|(number, section)| section.clauses.first_match(parts).map(|clause| (number, clause)))
    }

    #[inline]
    fn default(&self, side: &Side, canonical: &Position) -> Result<Wdl> {
        side.default.ok_or_else(|| {
            let message = format!("{}: no clause contains {}", self.material, canonical.to_fen());
            Error::corrupt(message)
        })
    }
}
