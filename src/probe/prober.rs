//! The clauses of one table, ready to answer.

use super::bitmaps::Bitmaps;
use super::explain::{Decision, Explanation};
use crate::error::{Error, ErrorKind, Result};
use crate::files::read_regular;
use crate::model::{MAX_VARIABLES, Plan};
use crate::pcn::{self, Layout, Pcn, Side, Test, Tree, Turns};
use crate::position::{Color, Material, Position, Wdl};
use std::path::Path;

/// What answers from one table: the clauses of a .pcn file as bitmaps, or its trees. Immutable; probing neither allocates nor locks.
///
/// # Example
/// ```
/// use cubebase::pcn::{Layers, Pcn, Side};
/// use cubebase::probe::Prober;
/// use cubebase::{Model, Position, Wdl};
///
/// let side = Side { lead: 0, default: Some(Wdl::Draw) };
/// let pcn = Pcn::new("KvK".parse()?, Model::Binary, Layers::Ordered, vec![side], vec![], [0; 8])?;
/// let prober = Prober::new(&pcn);
/// assert_eq!(prober.probe(&Position::from_fen("8/8/3k4/8/8/8/8/K7 b - - 0 1")?)?, Wdl::Draw);
/// # Ok::<(), cubebase::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Prober {
    material: Material,
    plan: Plan,
    layout: Layout,
    /// By [`Color::index`] of the side to move; a symmetric material's only one twice.
    sides: [Side; 2],
    /// The trees, by stored turn.
    trees: Vec<Option<Tree>>,
    sections: Vec<SectionBitmaps>,
    /// By [`Color::index`]: the variables that the sections look at.
    used: [Vec<u16>; 2],
    hash: [u8; 8],
}

#[derive(Clone, Debug)]
struct SectionBitmaps {
    turns: Turns,
    outcome: Wdl,
    clauses: Bitmaps,
}

/// Variables whose parts are held on the stack by an ordinary probe; a table that looks at more takes a longer way.
const USUAL_VARIABLES: usize = 128;

impl Prober {
    /// Returns the prober of `pcn`. Costs one pass over its clauses, and their size in memory.
    pub fn new(pcn: &Pcn) -> Self {
        let plan = pcn.plan();
        let layout = Layout::of(plan.variables().to_vec());
        let section = |section: &pcn::Section| SectionBitmaps {
            turns: section.turns,
            outcome: section.outcome,
            clauses: Bitmaps::new(&layout, &section.clauses),
        };
        let sections: Vec<SectionBitmaps> = pcn.sections().iter().map(section).collect();
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
        Prober {
            material: *pcn.material(),
            sides: [0, pcn.sides().len() - 1].map(|side| pcn.sides()[side]),
            trees: pcn.trees().to_vec(),
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
        Pcn::decode(bytes).map(|pcn| Self::new(&pcn))
    }

    /// Reads the .pcn file at `path`.
    ///
    /// # Errors
    /// Those of [`Pcn::read`].
    pub fn read(path: &Path) -> Result<Self> {
        Self::decode(&read_regular(path)?).map_err(|error| error.in_file(path))
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

    /// Returns what [`Prober::probe`] returns for a position that is of this material and legal; for another one
    /// some outcome or error. For callers that know, and ask for many.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] as in [`Prober::probe`].
    ///
    /// # Panics
    /// May panic when the position is of another material.
    #[inline]
    pub fn probe_unchecked(&self, position: &Position) -> Result<Wdl> {
        let (canonical, side) = self.canonical(position);
        if let Some(tree) = self.tree(position.turn()) {
            return Ok(self.walk(tree, &canonical, |_, _| ()).0);
        }
        match self.decide(&canonical) {
            Some((section, _)) => Ok(self.sections[section].outcome),
            None => self.default(side, &canonical),
        }
    }

    /// Returns the outcome of `position` and what decided it.
    ///
    /// # Errors
    /// Those of [`Prober::probe`].
    pub fn explain(&self, position: &Position) -> Result<Explanation> {
        self.check(position)?;
        let (canonical, side) = self.canonical(position);
        if let Some(tree) = self.tree(position.turn()) {
            let mut clause = self.layout.universe();
            let (outcome, leaf, exception) = self.walk(tree, &canonical, |test, is_first| {
                let parts = if is_first { test.literal() } else { !test.literal() };
                let variable = test.variable.into();
                let literal = self.layout.literal(&clause, variable) & parts;
                self.layout.set_literal(&mut clause, variable, literal);
            });
            let literals = self.layout.display(&clause);
            let decision = Decision::Leaf { leaf, literals, exception };
            return Ok(Explanation { canonical, lead: side.lead, outcome, decision });
        }
        let (outcome, decision) = match self.decide(&canonical) {
            Some((section, clause)) => {
                let SectionBitmaps { outcome, clauses, .. } = &self.sections[section];
                let literals = self.layout.display(&clauses.clause(&self.layout, clause));
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
            return Err(Error::new(ErrorKind::MissingTable, message).of_material(position.material()));
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
    fn tree(&self, turn: Color) -> Option<&Tree> {
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
            Error::corrupt(message).of_material(self.material)
        })
    }

    /// The outcome of a canonical position, the number of its leaf, and whether it is an exception there; `passed` is told
    /// each test on the path and whether the position goes to its first child.
    #[inline]
    fn walk(&self, tree: &Tree, canonical: &Position, passed: impl FnMut(Test, bool)) -> (Wdl, usize, bool) {
        let view = self.plan.view(canonical);
        let leaf = tree.walk(|variable| self.plan.part(&view, variable), passed);
        let exception = tree.exception(leaf, canonical);
        (exception.unwrap_or(tree.leaves()[leaf].outcome), leaf, exception.is_some())
    }
}
