//! One table, ready to answer.

use super::bitmaps::Bitmaps;
use super::exceptions::Exceptions;
use super::explain::{Decision, Explanation};
use crate::error::{Error, ErrorKind, Result};
use crate::files::read_regular;
use crate::model::{MAX_VARIABLES, Plan};
use crate::pcn::{self, Census, Decoded, Layout, Pcn, Positions, Side, Tree, Turns, Walker};
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
    plan: Plan,
    layout: Layout,
    /// By [`Color::index`] of the side to move; a symmetric material's only one twice.
    sides: [Side; 2],
    /// The trees, by stored turn.
    trees: Vec<Option<TreeSide>>,
    sections: Vec<Section>,
    /// By [`Color::index`]: the variables that the sections look at.
    used: [Vec<u16>; 2],
    hash: [u8; 8],
}

#[derive(Clone, Debug)]
struct Section {
    turns: Turns,
    outcome: Wdl,
    clauses: Bitmaps,
}

/// A side to move that is decided by a tree.
#[derive(Clone, Debug)]
struct TreeSide {
    walker: Walker,
    /// The outcome of each leaf, and whether it has exceptions.
    leaves: Vec<(Wdl, bool)>,
    exceptions: Exceptions,
}

/// Variables whose parts are held on the stack by an ordinary probe; a table that looks at more takes a longer way.
const USUAL_VARIABLES: usize = 128;

impl Table {
    /// Returns the table with the content of `pcn`. Costs one pass over its clauses, and their size in memory; where a
    /// tree has exceptions, two enumerations of all positions of that side, by as many threads as there are processors.
    pub fn new(pcn: &Pcn) -> Self {
        Self::of(pcn, &vec![None; pcn.sides().len()])
    }

    /// Returns the table of `pcn`; for trees with exceptions the census of the positions may be known.
    fn of(pcn: &Pcn, censuses: &[Option<Census>]) -> Self {
        let layout = pcn.layout();
        let plan = pcn.plan();
        let turns = pcn.material().stored_turns();
        let sides = pcn.trees().iter().zip(censuses).zip(pcn.sides().iter().zip(turns));
        let trees = sides
            .map(|((tree, census), (side, &turn))| {
                tree.as_ref().map(|tree| TreeSide::new(tree, census.as_ref(), &plan, turn, side.lead))
            })
            .collect();
        let section = |section: &crate::pcn::Section| Section {
            turns: section.turns,
            outcome: section.outcome,
            clauses: Bitmaps::new(&layout, &section.clauses),
        };
        let sections: Vec<Section> = pcn.sections().iter().map(section).collect();
        let used = Color::BOTH.map(|turn| {
            let speaking = sections.iter().filter(|section| section.turns.contains(turn));
            let mut used: Vec<u16> = speaking
                .flat_map(|section| section.clauses.variables())
                .map(|variable| variable as u16)
                .collect();
            used.sort_unstable();
            used.dedup();
            used
        });
        Table {
            material: *pcn.material(),
            sides: [0, pcn.sides().len() - 1].map(|side| pcn.sides()[side]),
            trees,
            sections,
            used,
            hash: pcn.table_hash(),
            plan,
            layout,
        }
    }

    /// Reads the bytes of a .pcn file.
    ///
    /// # Errors
    /// Those of [`Pcn::decode`].
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        Decoded::new(bytes).map(|decoded| Self::of(&decoded.pcn, &decoded.censuses))
    }

    /// Reads the .pcn file at `path`.
    ///
    /// # Errors
    /// Those of [`Pcn::read`].
    pub fn read(path: &Path) -> Result<Self> {
        Self::decode(&read_regular(path)?).map_err(|error| error.context(path.display()))
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
        if let Some(tree) = self.tree(position.turn()) {
            return Ok(tree.decide(&self.plan, &canonical).0);
        }
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
        if let Some(tree) = self.tree(position.turn()) {
            let (outcome, leaf, exception) = tree.decide(&self.plan, &canonical);
            let literals = self.layout.display(&tree.clause(&self.layout, leaf)).to_string();
            let decision = Decision::Leaf { leaf, literals, exception };
            return Ok(Explanation { canonical, lead: side.lead, outcome, decision });
        }
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

    /// The tree of the side to move, if it has one.
    #[inline]
    fn tree(&self, turn: Color) -> Option<&TreeSide> {
        self.trees[turn.index().min(self.trees.len() - 1)].as_ref()
    }

    /// The section and the clause that decide about a canonical position.
    #[inline]
    fn decide(&self, canonical: &Position) -> Option<(usize, usize)> {
        if self.layout.variables().len() <= USUAL_VARIABLES {
            self.decide_with(canonical, &mut [0; USUAL_VARIABLES])
        } else {
            self.decide_with(canonical, &mut [0; MAX_VARIABLES])
        }
    }

    #[inline]
    fn decide_with(&self, canonical: &Position, parts: &mut [u8]) -> Option<(usize, usize)> {
        let turn = canonical.turn();
        let used = &self.used[turn.index()];
        let view = self.plan.view(canonical);
        for &variable in used {
            parts[usize::from(variable)] = self.plan.part(&view, variable.into());
        }
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

impl TreeSide {
    fn new(tree: &Tree, census: Option<&Census>, plan: &Plan, turn: Color, lead: usize) -> Self {
        let walker = Walker::new(tree.nodes());
        let leaves: Vec<(Wdl, bool)> =
            tree.leaves().map(|leaf| (leaf.outcome, !leaf.exceptions.is_empty())).collect();
        let mut exceptions = Exceptions::default();
        if leaves.iter().any(|(_, exceptions)| *exceptions) {
            let positions = Positions::new(plan, turn, lead);
            let counted;
            let census = if let Some(census) = census {
                census
            } else {
                let wanted: Vec<bool> = leaves.iter().map(|(_, exceptions)| *exceptions).collect();
                counted = positions.census(&walker, &wanted);
                &counted
            };
            let found = positions.exceptions(&walker, tree, census).concat();
            exceptions = Exceptions::new(found.into_iter());
        }
        TreeSide { walker, leaves, exceptions }
    }

    /// The outcome of a canonical position, the number of its leaf, and whether it is an exception there.
    #[inline]
    fn decide(&self, plan: &Plan, canonical: &Position) -> (Wdl, usize, bool) {
        let view = plan.view(canonical);
        let leaf = self.walker.leaf(|variable| plan.part(&view, variable));
        let (outcome, has_exceptions) = self.leaves[leaf];
        let exception = if has_exceptions { self.exceptions.get(pcn::key(canonical)) } else { None };
        (exception.unwrap_or(outcome), leaf, exception.is_some())
    }

    /// The clause of the tests on the path to leaf number `leaf`.
    fn clause(&self, layout: &Layout, leaf: usize) -> Vec<u64> {
        let mut clause = layout.universe();
        for (variable, parts) in self.walker.path(leaf) {
            let literal = layout.literal(&clause, variable) & parts;
            layout.set_literal(&mut clause, variable, literal);
        }
        clause
    }
}
