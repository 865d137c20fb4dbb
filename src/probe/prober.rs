//! The prober of one table.

use super::on_demand::{File, LazySlot};
use super::side_tree::SideTree;
use crate::chess::model::VariableSet;
use crate::chess::position::{Canonizer, CastlingRights, Color, Material, PackedSquares, Position, Wdl};
use crate::covers::frozen::Matcher;
use crate::error::{Error, ErrorKind, Result};
use crate::outcome::{FIFTY_MOVES, Wdl50};
use crate::pcn::{CastlingExceptions, Pcn};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// A prober of one table: the trees of a .pcn file, or its covers as bitmaps. Probing neither allocates nor locks, except that
/// a prober made by `Tables` decodes a side's tree at its first probe, and a page when a position first reaches it.
///
/// # Example
/// ```
/// use cubebase::covers::{Clauses, Covers, Layout, Section, Turns};
/// use cubebase::pcn::Pcn;
/// use cubebase::probe::Prober;
/// use cubebase::{Model, Position, Wdl};
///
/// let material = "KvK".parse()?;
/// let clauses = Clauses::new(1, &Layout::new(Model::Binary, &material).universe());
/// let covers = Covers { sections: vec![Section { turns: Turns::White, outcome: Wdl::Draw, clauses }] };
/// let pcn = Pcn::of_covers(material, Model::Binary, vec![0], covers, [0; 8])?;
/// let prober = Prober::new(&pcn);
/// assert_eq!(prober.probe(&Position::from_fen("8/8/3k4/8/8/8/8/K7 b - - 0 1")?)?, Wdl::Draw);
/// # Ok::<(), cubebase::Error>(())
/// ```
#[derive(Debug)]
pub struct Prober {
    pub(super) material: Material,
    pub(crate) variables: VariableSet,
    /// By stored turn.
    pub(super) sides: Vec<TurnProber>,
    /// The covers of a table without trees.
    pub(crate) covers: Option<Box<Matcher>>,
    pub(super) hash: [u8; 8],
    /// Whether the outcomes under the 50-move rule are known.
    pub(super) knows_rule: bool,
    /// The castling exceptions, if the table has castling rights; for a table with a `file` empty until they are first needed.
    pub(super) castling: LazySlot<Option<CastlingExceptions>>,
    /// The file from which trees are decoded at their first probe.
    pub(super) file: Option<File>,
}

/// The part of a prober for one side to move.
#[derive(Debug)]
pub(super) struct TurnProber {
    /// The number of the anchor.
    #[cfg(feature = "explain")]
    pub(super) anchor: usize,
    canonizer: Canonizer,
    /// The tree, if the side has one; for a table with a `file` empty until the first probe.
    pub(super) tree: LazySlot<SideTree>,
    /// The tree of the 50-move rule and its number in the file, if the side has one.
    pub(super) rule_tree: Option<(usize, LazySlot<SideTree>)>,
}

impl TurnProber {
    pub(super) fn new(
        material: &Material,
        anchor: usize,
        tree: Option<SideTree>,
        rule_tree: Option<(usize, LazySlot<SideTree>)>,
    ) -> Self {
        TurnProber {
            #[cfg(feature = "explain")]
            anchor,
            canonizer: Canonizer::new(material, anchor),
            tree: LazySlot::new(tree),
            rule_tree,
        }
    }
}

impl Prober {
    /// Returns the prober of `pcn`. Costs one pass over its clauses, and their size in memory.
    pub fn new(pcn: &Pcn) -> Self {
        let (material, variables) = (pcn.material(), pcn.variable_set());
        let side = |(number, &anchor): (usize, &usize)| {
            let tree = pcn.trees().get(number).map(|tree| SideTree::new(tree, &variables));
            let rule_tree = pcn.rule_tree(material.stored_turns()[number]);
            let rule_tree =
                rule_tree.map(|tree| (number, LazySlot::new(Some(SideTree::new(tree, &variables)))));
            TurnProber::new(material, anchor, tree, rule_tree)
        };
        let matcher = |covers| Box::new(Matcher::new(covers, &pcn.layout()));
        Prober {
            material: *material,
            sides: pcn.anchors().iter().enumerate().map(side).collect(),
            castling: LazySlot::new(Some(pcn.castling.clone())),
            file: None,
            covers: pcn.covers().map(matcher),
            hash: pcn.table_hash(),
            knows_rule: pcn.knows_rule(),
            variables,
        }
    }

    /// Reads the bytes of a .pcn file.
    ///
    /// # Errors
    /// Those of [`Pcn::decode`].
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        Pcn::decode(bytes).map(|pcn| Self::new(&pcn))
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
    /// [`ErrorKind::MissingRights`] when it has castling rights and the table has none; [`ErrorKind::Corrupt`] if no clause
    /// of covers contains the position (never in a checked file).
    pub fn probe(&self, position: &Position) -> Result<Wdl> {
        self.check(position)?;
        self.probe_unchecked(position)
    }

    /// [`Prober::probe`] without its checks. For an illegal position, or one of another material, the answer is some outcome or
    /// an error.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] and [`ErrorKind::MissingRights`] as in [`Prober::probe`].
    ///
    /// # Panics
    /// May panic when the position is of another material.
    #[inline]
    pub fn probe_unchecked(&self, position: &Position) -> Result<Wdl> {
        if !position.castling().is_empty() {
            return self.probe_castling(position);
        }
        self.probe_squares(position.packed(), position.en_passant(), position.turn())
    }

    /// Whether the outcomes under the 50-move rule are known, as [`Pcn::knows_rule`].
    pub fn knows_rule(&self) -> bool {
        self.knows_rule
    }

    /// Returns the outcome of `position` under the 50-move rule with a counter of zero, for the side to move. As with
    /// [`Prober::probe`], no moves are made. A won or lost position can take a second walk.
    ///
    /// # Errors
    /// Those of [`Prober::probe`]; unless the position is drawn without the rule, also [`ErrorKind::MissingTable`] when the file does
    /// not know the outcomes under the rule, and [`ErrorKind::MissingRights`] when the position has castling rights.
    pub fn probe_wdl50(&self, position: &Position) -> Result<Wdl50> {
        self.check(position)?;
        self.probe_wdl50_unchecked(position)
    }

    /// [`Prober::probe_wdl50`] without its checks, as [`Prober::probe_unchecked`].
    pub(crate) fn probe_wdl50_unchecked(&self, position: &Position) -> Result<Wdl50> {
        if position.castling().is_empty() {
            return self.probe_wdl50_squares(position.packed(), position.en_passant(), position.turn());
        }
        if self.probe_castling(position)? == Wdl::Draw {
            return Ok(Wdl50::Draw);
        }
        let why = format!("castling rights {}: no file has them under the 50-move rule", position.castling());
        Err(Error::new(ErrorKind::MissingRights, why).of_material(self.material))
    }

    /// [`Prober::probe_wdl50_unchecked`] for men on `squares`, without castling rights.
    pub(super) fn probe_wdl50_squares(
        &self,
        mut squares: PackedSquares,
        en_passant: Option<u8>,
        turn: Color,
    ) -> Result<Wdl50> {
        let outcome = self.probe_squares(squares, en_passant, turn)?;
        if outcome == Wdl::Draw {
            return Ok(Wdl50::Draw);
        }
        if !self.knows_rule {
            let why = format!(
                "the file of {} does not know the 50-move rule: it was made from a table without distances to zeroing",
                self.material
            );
            return Err(Error::new(ErrorKind::MissingTable, why).of_material(self.material));
        }
        let mut side = turn.index();
        if side >= self.sides.len() {
            (squares, side) = (squares.colors_exchanged(self.material.len()), 0);
        }
        let side = &self.sides[side];
        let Some(tree) = self.rule_tree(side)? else { return Ok(Wdl50::new(outcome, 0)) };
        let (squares, en_passant) = side.canonizer.canonical(squares, en_passant);
        self.ruled(outcome, tree.outcome(&self.variables, squares, en_passant)?)
    }

    /// The tree of the 50-move rule of a side, decoded; `None` if it has none.
    pub(super) fn rule_tree<'s>(&'s self, side: &'s TurnProber) -> Result<Option<&'s SideTree>> {
        let Some((number, tree)) = &side.rule_tree else { return Ok(None) };
        match (tree.get(), &self.file) {
            (None, Some(file)) => file.load(*number, tree, &self.variables).map(Some),
            (tree, _) => Ok(tree),
        }
    }

    /// The outcome under the 50-move rule of a position that is won or lost, by the outcome that the tree of the rule has for it.
    pub(super) fn ruled(&self, outcome: Wdl, of_rule: Wdl) -> Result<Wdl50> {
        match of_rule {
            Wdl::Win => Ok(Wdl50::new(outcome, 0)),
            Wdl::Draw => Ok(Wdl50::new(outcome, FIFTY_MOVES + 1)),
            Wdl::Loss => Err(Error::corrupt("a rule tree with a loss").of_material(self.material)),
        }
    }

    #[cold]
    fn probe_castling(&self, position: &Position) -> Result<Wdl> {
        let found = self.castling_exception(position)?;
        found.map_or_else(|| self.probe_unchecked(&position.with_castling(CastlingRights::NONE)), Ok)
    }

    /// Whether the table has castling rights.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] when they are damaged.
    pub fn has_castling(&self) -> Result<bool> {
        Ok(self.castling()?.is_some())
    }

    /// The outcome of a legal position of this material with castling rights; `None` when the rights do not change it.
    ///
    /// # Errors
    /// [`ErrorKind::MissingRights`] when the table has no castling rights; [`ErrorKind::Corrupt`] when they are damaged.
    pub(crate) fn castling_exception(&self, position: &Position) -> Result<Option<Wdl>> {
        let Some(exceptions) = self.castling()? else {
            let (material, rights) = (&self.material, position.castling());
            let why = format!(
                "castling rights {rights}: this table of {material} has none (`cubebase castle` adds them)"
            );
            return Err(Error::new(ErrorKind::MissingRights, why).of_material(material));
        };
        Ok(exceptions.outcome(position))
    }

    fn castling(&self) -> Result<Option<&CastlingExceptions>> {
        match (self.castling.get(), &self.file) {
            (None, Some(file)) => file.load_castling(&self.castling),
            (castling, _) => Ok(castling.and_then(Option::as_ref)),
        }
    }

    /// [`Prober::probe_unchecked`] for men on `squares`, without castling rights.
    #[inline]
    pub(super) fn probe_squares(
        &self,
        mut squares: PackedSquares,
        en_passant: Option<u8>,
        mut turn: Color,
    ) -> Result<Wdl> {
        // A symmetric material stores one side. This branch is predictable, since symmetric materials are rare; a branch on the
        // turn would not be.
        if turn.index() >= self.sides.len() {
            (squares, turn) = (squares.colors_exchanged(self.material.len()), Color::White);
        }
        let side = self.side(turn)?;
        let (squares, en_passant) = side.canonizer.canonical(squares, en_passant);
        if let Some(tree) = side.tree.get() {
            return tree.outcome(&self.variables, squares, en_passant);
        }
        self.match_covers(squares, en_passant, turn)
    }

    /// The outcome of a canonical position by the covers.
    #[cold]
    fn match_covers(&self, squares: PackedSquares, en_passant: Option<u8>, turn: Color) -> Result<Wdl> {
        let view = self.variables.view_of(squares, en_passant);
        let decided = self.covers.as_ref().and_then(|covers| covers.decide(&self.variables, &view, turn));
        decided
            .map(|(.., outcome)| outcome)
            .ok_or_else(|| self.no_clause(&Position::of_packed(self.material, squares, turn, en_passant)))
    }

    /// The error about a position that no clause of covers contains.
    pub(super) fn no_clause(&self, position: &Position) -> Error {
        let message = format!("{}: no clause contains {}", self.material, position.to_fen());
        Error::corrupt(message).of_material(self.material)
    }

    /// The part of the prober for `turn`, which must be stored; its tree is decoded.
    #[inline]
    pub(super) fn side(&self, turn: Color) -> Result<&TurnProber> {
        let number = turn.index().min(self.sides.len() - 1);
        let side = &self.sides[number];
        if side.tree.get().is_none()
            && let Some(file) = &self.file
        {
            file.load(number, &side.tree, &self.variables)?;
        }
        Ok(side)
    }

    pub(crate) fn check(&self, position: &Position) -> Result<()> {
        if *position.material() != self.material {
            let message = format!("a position of {} for the table of {}", position.material(), self.material);
            return Err(Error::new(ErrorKind::MissingTable, message).of_material(position.material()));
        }
        position.check_legal()
    }
}
