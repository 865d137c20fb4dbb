//! The clauses of one table, ready to answer.

use super::bitmaps::Bitmaps;
use super::explain::{Decision, Explanation};
use super::budget::Budget;
use super::pages::{Pages, PagesSource};
use super::walker::Walker;
use crate::bytes::Bytes;
use crate::error::{Error, ErrorKind, Result};
use crate::files::read_regular;
use crate::model::{MAX_VARIABLES, Plan, View};
use crate::pcn::{self, Below, Header, Layout, Lazy, Node, Pcn, Side, StaticFunction, Tree, Turns};
use crate::position::{Canonizer, Color, Material, PackedSquares, Position, Wdl};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What answers from one table: the clauses of a .pcn file as bitmaps, or its trees. Probing neither allocates nor locks; of a
/// prober that [`Tables`](super::Tables) made it does both when a side is first to move, to decode the tree.
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
#[derive(Debug)]
pub struct Prober {
    material: Material,
    plan: Plan,
    layout: Layout,
    /// By stored turn.
    sides: Vec<TurnProber>,
    sections: Vec<SectionBitmaps>,
    /// By [`Color::index`]: the variables that the sections look at.
    used: [Vec<u16>; 2],
    hash: [u8; 8],
    /// The file that trees are decoded from when they are first asked.
    file: Option<File>,
}

/// A file of trees.
#[derive(Debug)]
struct File {
    header: Header,
    bytes: Bytes,
    name: Name,
    budget: Arc<Budget>,
}

/// What messages call the file of a table.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) path: PathBuf,
    /// Whether it is one of several tables in the file.
    pub(super) is_part: bool,
}

impl Name {
    /// Says of an error in which file it is.
    pub(super) fn tell(&self, material: &Material, error: Error) -> Error {
        let error = if self.is_part { error.context(material) } else { error };
        error.of_material(material).in_file(&self.path)
    }
}

/// What answers for one side to move.
#[derive(Debug)]
struct TurnProber {
    lead: usize,
    canonizer: Canonizer,
    /// The tree; of a table with a file it may be there later.
    tree: OnceLock<SideTree>,
    /// Held while the tree is decoded, so that no two threads do it.
    decoding: Mutex<()>,
    /// The outcome when there is no tree and no clause contains the position.
    default: Option<Wdl>,
}

impl TurnProber {
    fn new(material: &Material, side: &Side) -> Self {
        TurnProber {
            lead: side.lead,
            canonizer: Canonizer::new(material, side.lead),
            tree: OnceLock::new(),
            decoding: Mutex::new(()),
            default: side.default,
        }
    }
}

/// A tree that answers, or the top of one whose pages are decoded when they are met.
#[derive(Debug)]
struct SideTree {
    walker: Walker,
    exceptions: StaticFunction,
    pages: Option<Arc<Pages>>,
}

impl SideTree {
    fn new(tree: &Tree, plan: &Plan) -> Self {
        let walker = Walker::new(whole(tree), plan);
        SideTree { walker, exceptions: tree.exceptions().clone(), pages: None }
    }

    /// Bytes of memory that it takes without its pages.
    fn memory(&self) -> usize {
        let pages = self.pages.as_ref().map_or(0, |pages| pages.memory());
        self.walker.memory() + self.exceptions.memory() + pages
    }

    #[inline]
    fn outcome(&self, view: &View<'_>) -> Result<Wdl> {
        let mut leaf = self.walker.walk(0, view, |_, _| ());
        if let Some(outcome) = leaf.certain() {
            return Ok(outcome);
        }
        if let (Some(cut), Some(pages)) = (leaf.cut(), &self.pages) {
            leaf = pages.ask(cut, |page, tree| page.walk(tree, view, |_, _| ()))?;
        }
        Ok(leaf.decide(&self.exceptions, view).0)
    }
}

/// The nodes of a tree that has no pages.
fn whole(tree: &Tree) -> impl Iterator<Item = Node<Below>> {
    tree.nodes().map(|node| node.map(Below::Leaf))
}

#[derive(Debug)]
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
        let side = |(side, tree): (&Side, &Option<Tree>)| TurnProber {
            tree: tree.as_ref().map_or_else(OnceLock::new, |tree| SideTree::new(tree, &plan).into()),
            ..TurnProber::new(pcn.material(), side)
        };
        Prober {
            material: *pcn.material(),
            sides: pcn.sides().iter().zip(pcn.trees()).map(side).collect(),
            file: None,
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

    /// Reads the header of a .pcn file; a tree is decoded when it is first asked, a list at once.
    ///
    /// # Errors
    /// Those of [`Pcn::decode`], but that of a damaged tree comes when that is asked.
    pub(super) fn open(bytes: Bytes, name: &Name, budget: &Arc<Budget>) -> Result<Self> {
        let header = Header::read(&bytes)?;
        if !header.has_trees_only() {
            return Self::decode(&bytes);
        }
        let material = header.material;
        Ok(Prober {
            material,
            plan: header.model.plan(&material),
            layout: Layout::new(header.model, &material),
            sides: header.sides.iter().map(|side| TurnProber::new(&material, side)).collect(),
            sections: Vec::new(),
            used: [Vec::new(), Vec::new()],
            hash: header.table_hash,
            file: Some(File { header, bytes, name: name.clone(), budget: Arc::clone(budget) }),
        })
    }

    /// Decodes the tree of side number `side` of those stored, or its top, if there is one that waits.
    ///
    /// # Errors
    /// Those of [`Pcn::decode`].
    #[cold]
    pub(super) fn load(&self, side: usize) -> Result<()> {
        let (Some(file), Some(TurnProber { tree, decoding, .. })) = (&self.file, self.sides.get(side)) else {
            return Ok(());
        };
        // A poisoned lock only means that another thread's decoding panicked: nothing was stored.
        let _decoding = decoding.lock().unwrap_or_else(PoisonError::into_inner);
        if tree.get().is_none() {
            let read = file.header.lazy(&file.bytes, side, &self.layout.parts());
            let read = read.map_err(|error| file.name.tell(&self.material, error))?;
            let tree = tree.get_or_init(|| self.tree(file, read));
            file.budget.keep(tree.memory());
        }
        Ok(())
    }

    fn tree(&self, file: &File, read: Lazy) -> SideTree {
        match read {
            Lazy::Whole(tree) => SideTree::new(&tree, &self.plan),
            Lazy::Top { top, nodes, exceptions } => {
                let walker = Walker::new(top.nodes(), &self.plan);
                let source = PagesSource {
                    nodes: file.bytes.part(nodes),
                    parts: self.layout.parts(),
                    has_exceptions: !exceptions.is_empty(),
                    plan: self.plan.clone(),
                    material: self.material,
                    name: file.name.clone(),
                };
                SideTree { walker, exceptions, pages: Some(Pages::new(top, source, &file.budget)) }
            }
        }
    }

    /// Decodes the tree of side number `side` and its pages, as many as the cap leaves room for; `go_on` is asked after each
    /// page.
    ///
    /// # Errors
    /// Those of [`Pcn::decode`].
    pub(super) fn preload(&self, side: usize, go_on: impl Fn() -> bool) -> Result<()> {
        self.load(side)?;
        let tree = self.sides.get(side).and_then(|side| side.tree.get());
        if let (Some(pages), Some(file)) = (tree.and_then(|tree| tree.pages.as_ref()), &self.file) {
            let mut size = 0;
            for page in 0..pages.len() {
                if file.budget.is_full(size) || page > 0 && !go_on() {
                    break;
                }
                size = pages.load(page)?.memory();
            }
        }
        Ok(())
    }

    /// Bytes of memory that its trees, without their pages, or clauses take.
    pub(super) fn memory(&self) -> usize {
        let trees = self.sides.iter().filter_map(|side| side.tree.get()).map(SideTree::memory);
        trees.chain(self.sections.iter().map(|section| section.clauses.memory())).sum()
    }

    /// The bytes of the file that trees are decoded from.
    pub(super) fn file_bytes(&self) -> usize {
        self.file.as_ref().map_or(0, |file| file.bytes.len())
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
        self.probe_squares(position.packed(), position.en_passant(), position.turn())
    }

    /// Returns what [`Prober::probe_unchecked`] returns for men on `squares`.
    #[inline]
    pub(super) fn probe_squares(
        &self,
        mut squares: PackedSquares,
        en_passant: Option<u8>,
        mut turn: Color,
    ) -> Result<Wdl> {
        if turn == Color::Black && self.material.is_symmetric() {
            (squares, turn) = (squares.colors_exchanged(self.material.len()), Color::White);
        }
        let side = self.side(turn)?;
        let (squares, en_passant) = side.canonizer.canonical(squares, en_passant);
        let view = self.plan.view_of(squares, en_passant);
        if let Some(tree) = side.tree.get() {
            return tree.outcome(&view);
        }
        match self.decide(&view, turn) {
            Some((section, _)) => Ok(self.sections[section].outcome),
            None => self.default(side, || Position::of_packed(self.material, squares, turn, en_passant)),
        }
    }

    /// Returns the outcome of `position` and what decided it.
    ///
    /// # Errors
    /// Those of [`Prober::probe`].
    pub fn explain(&self, position: &Position) -> Result<Explanation> {
        self.check(position)?;
        let stored = if self.material.is_symmetric() { Color::White } else { position.turn() };
        let side = self.side(stored)?;
        let lead = side.lead;
        let canonical = position.canonical(lead);
        let view = self.plan.view(&canonical);
        if let Some(tree) = side.tree.get() {
            // Leaves are numbered over all pages.
            let all = match (&tree.pages, &self.file) {
                (Some(_), Some(file)) => {
                    let side = usize::from(stored == Color::Black);
                    let all = file.header.tree(&file.bytes, side, &self.layout.parts());
                    let all = all.map_err(|error| file.name.tell(&self.material, error))?;
                    Some(Walker::new(whole(&all), &self.plan))
                }
                _ => None,
            };
            let mut clause = self.layout.universe();
            let leaf = all.as_ref().unwrap_or(&tree.walker).walk(0, &view, |code, parts| {
                let variable = self.plan.variable(code);
                let literal = self.layout.literal(&clause, variable) & parts;
                self.layout.set_literal(&mut clause, variable, literal);
            });
            let (outcome, exception) = leaf.decide(&tree.exceptions, &view);
            let literals = self.layout.display(&clause);
            let decision = Decision::Leaf { leaf: leaf.number(), literals, exception };
            return Ok(Explanation { canonical, lead, outcome, decision });
        }
        let (outcome, decision) = match self.decide(&view, canonical.turn()) {
            Some((section, clause)) => {
                let SectionBitmaps { outcome, clauses, .. } = &self.sections[section];
                let literals = self.layout.display(&clauses.clause(&self.layout, clause));
                (*outcome, Decision::Clause { section, clause, literals })
            }
            None => (self.default(side, || canonical)?, Decision::Default),
        };
        Ok(Explanation { canonical, lead, outcome, decision })
    }

    /// What answers for a stored turn.
    #[inline]
    fn side(&self, turn: Color) -> Result<&TurnProber> {
        let number = turn.index() % self.sides.len();
        let side = &self.sides[number];
        if side.tree.get().is_none() && self.file.is_some() {
            self.load(number)?;
        }
        Ok(side)
    }

    fn check(&self, position: &Position) -> Result<()> {
        if *position.material() != self.material {
            let message =
                format!("a position of {} asked of the table of {}", position.material(), self.material);
            return Err(Error::new(ErrorKind::MissingTable, message).of_material(position.material()));
        }
        position.check_legal()
    }

    /// The section and the clause that decide about a canonical position.
    #[inline]
    fn decide(&self, view: &View<'_>, turn: Color) -> Option<(usize, usize)> {
        if self.layout.variables().len() <= USUAL_VARIABLES {
            self.decide_with(view, turn, &mut [0; USUAL_VARIABLES])
        } else {
            self.decide_with(view, turn, &mut [0; MAX_VARIABLES])
        }
    }

    #[inline]
    fn decide_with(&self, view: &View<'_>, turn: Color, parts: &mut [u8]) -> Option<(usize, usize)> {
        let used = &self.used[turn.index()];
        for &variable in used {
            parts[usize::from(variable)] = self.plan.part(view, variable.into());
        }
        self.sections
            .iter()
            .enumerate()
            .filter(|(_, section)| section.turns.contains(turn))
            .find_map(|(number, section)| section.clauses.first_match(parts).map(|clause| (number, clause)))
    }

    fn default(&self, side: &TurnProber, canonical: impl FnOnce() -> Position) -> Result<Wdl> {
        side.default.ok_or_else(|| {
            let message = format!("{}: no clause contains {}", self.material, canonical().to_fen());
            Error::corrupt(message).of_material(self.material)
        })
    }
}
