//! Distances to zeroing of won positions, from the files of distances. Those of drawn and lost positions are not stored:
//! `moves` derives them.

use super::on_demand::{DecodingLimit, LazySlot, Tables};
use super::walker::Walker;
use crate::bytes::Bytes;
use crate::chess::model::{VariableCode, VariableSet, View};
use crate::chess::position::{
    Bitboard, Canonizer, CastlingRights, Color, Material, PackedSquares, Position, Square,
};
use crate::error::Result;
use crate::outcome::Wdl;
use crate::pcn::{
    DistanceFile, DistanceTop, DistanceTree, DistanceTreeOrTop, Leaf, LeafDistances, Node, PositionHash,
    memory_of,
};
use std::sync::Arc;

/// A prober of the distances of one table.
#[derive(Debug)]
pub(crate) struct DistanceProber {
    pub(in crate::probe) material: Material,
    pub(in crate::probe) table_hash: [u8; 8],
    /// For a ranking, the pairs of moves within which a level falls.
    pairs: Option<u8>,
    variables: VariableSet,
    /// By stored turn: the anchor, and the tree.
    sides: Vec<(usize, Canonizer, Option<SideDistances>)>,
    /// The bytes of the file.
    file: Bytes,
    limit: Arc<DecodingLimit>,
}

/// The distances of one side to move.
#[derive(Debug)]
struct SideDistances {
    walker: Walker,
    tree: TreeOrPages,
}

#[derive(Debug)]
enum TreeOrPages {
    Tree(DistanceTree),
    Pages(Box<DistancePages>),
}

/// The pages of a tree, decoded when a position first reaches them and kept.
#[derive(Debug)]
struct DistancePages {
    top: Box<DistanceTop>,
    /// The number of the first cut subtree of each page.
    first: Vec<usize>,
    pages: Box<[LazySlot<DistancePage>]>,
}

#[derive(Debug)]
struct DistancePage {
    walker: Walker,
    leaves: Vec<LeafDistances>,
}

/// A leaf of a tree: its page, from 1, or 0 if it is not in a page; and its number there.
pub(crate) type LeafNumber = (usize, usize);

/// The tree of a side to move, whose leaves are explained.
#[cfg(feature = "explain")]
pub(crate) struct SideInWords<'p> {
    /// The anchor of canonical positions.
    pub(crate) anchor: usize,
    prober: &'p DistanceProber,
    side: &'p SideDistances,
}

#[cfg(feature = "explain")]
impl SideInWords<'_> {
    /// The leaf that a canonical position reaches, and its level. Calls `passed` as [`Walker::walk`] does.
    pub(crate) fn reach(
        &self,
        canonical: &Position,
        passed: impl FnMut(VariableCode, u64),
    ) -> Result<(LeafNumber, u16)> {
        self.prober.reach(self.side, &self.prober.variables.view(canonical), passed)
    }
}

/// A leaf of a walker has its number in preorder alone.
const LEAF: Option<Leaf> = Some(Leaf { outcome: Wdl::Win, exceptions: None });

impl SideDistances {
    fn new(tree: DistanceTreeOrTop, variables: &VariableSet) -> Self {
        match tree {
            DistanceTreeOrTop::Whole(mut tree) => {
                // Decoded leaves are numbered in preorder.
                let nodes = std::mem::take(&mut tree.nodes).into_iter().map(|node| node.map(|_| LEAF));
                SideDistances { walker: Walker::new(nodes, variables), tree: TreeOrPages::Tree(tree) }
            }
            DistanceTreeOrTop::Top(top) => {
                let nodes = top.nodes().iter().map(|node| node.map(|leaf| leaf.and(LEAF)));
                let walker = Walker::new(nodes, variables);
                let first = top.pages().scan(0, |cuts, of_page| {
                    *cuts += of_page;
                    Some(*cuts - of_page)
                });
                let first: Vec<usize> = first.collect();
                let pages = first.iter().map(|_| LazySlot::new(None)).collect();
                let pages = Box::new(DistancePages { top, first, pages });
                SideDistances { walker, tree: TreeOrPages::Pages(pages) }
            }
        }
    }

    fn memory(&self) -> usize {
        let of_tree = match &self.tree {
            TreeOrPages::Tree(tree) => tree.memory(),
            TreeOrPages::Pages(pages) => {
                let decoded = pages.pages.iter().filter_map(LazySlot::get);
                let decoded = decoded.map(|page| page.walker.memory() + memory_of(&page.leaves));
                pages.top.memory() + decoded.sum::<usize>()
            }
        };
        self.walker.memory() + of_tree
    }
}

impl DistanceProber {
    /// Reads the bytes of a file of distances. Pages are decoded when they are needed.
    ///
    /// # Errors
    /// Those of the format; [`ErrorKind::BudgetExhausted`](crate::ErrorKind::BudgetExhausted) beyond `limit`.
    pub(in crate::probe) fn decode(file: Bytes, limit: &Arc<DecodingLimit>) -> Result<Self> {
        let DistanceFile { material, model, table_hash, pairs, sides } =
            DistanceFile::read(&file, |bytes| limit.check(bytes), Ok)?;
        let variables = model.variable_set(&material);
        let side = |(anchor, tree): (usize, Option<DistanceTreeOrTop>)| {
            let tree = tree.map(|tree| SideDistances::new(tree, &variables));
            (anchor, Canonizer::new(&material, anchor), tree)
        };
        let sides = sides.into_iter().map(side).collect();
        Ok(DistanceProber { material, table_hash, pairs, variables, sides, file, limit: Arc::clone(limit) })
    }

    /// Reads the bytes of a trusted file of distances.
    ///
    /// # Errors
    /// Those of the format.
    #[cfg(feature = "build")]
    pub(crate) fn of_trusted(bytes: &[u8]) -> Result<Self> {
        let limit = Arc::<DecodingLimit>::default();
        limit.set(usize::MAX);
        Self::decode(bytes.to_vec().into(), &limit)
    }

    /// For a ranking, the pairs of moves within which a level falls; `None` for distances.
    pub(crate) fn pairs(&self) -> Option<u8> {
        self.pairs
    }

    /// The hash of the table of outcomes.
    #[cfg(feature = "build")]
    pub(crate) fn table_hash(&self) -> [u8; 8] {
        self.table_hash
    }

    /// The plies of a won position with men on `squares`: [`Tables::won_distance`].
    ///
    /// # Errors
    /// When the position's page is damaged or beyond the limit.
    pub(crate) fn distance(
        &self,
        mut squares: PackedSquares,
        en_passant: Option<u8>,
        mut turn: Color,
    ) -> Result<u32> {
        if turn.index() >= self.sides.len() {
            (squares, turn) = (squares.colors_exchanged(self.material.len()), Color::White);
        }
        let (_, canonizer, side) = &self.sides[turn.index()];
        // Without a tree every won position is at 1.
        let plies = match side {
            None => 1,
            Some(side) => {
                let (squares, en_passant) = canonizer.canonical(squares, en_passant);
                self.reach(side, &self.variables.view_of(squares, en_passant), |_, _| ())?.1
            }
        };
        Ok(plies.into())
    }

    /// The leaf that a canonical position reaches in the tree of a side, and its distance or level. Calls `passed` as [`Walker::walk`] does.
    #[inline]
    fn reach(
        &self,
        side: &SideDistances,
        view: &View<'_>,
        mut passed: impl FnMut(VariableCode, u64),
    ) -> Result<(LeafNumber, u16)> {
        let hash = || PositionHash::of_men(view.squares(), view.en_passant());
        let node = side.walker.walk(0, view, &mut passed);
        let of_node = |tree: &DistanceTree| ((0, node.number()), tree.plies_at(node.number() as u32, hash));
        match &side.tree {
            TreeOrPages::Tree(tree) => Ok(of_node(tree)),
            TreeOrPages::Pages(pages) => {
                let tree = &pages.top.tree;
                let Some(cut) = node.cut() else { return Ok(of_node(tree)) };
                let page = pages.first.partition_point(|&first| first <= cut) - 1;
                let slot = &pages.pages[page];
                let DistancePage { walker, leaves } =
                    slot.get().map_or_else(|| self.load(pages, page), Ok)?;
                let leaf = walker.walk(cut - pages.first[page], view, &mut passed).number();
                Ok(((1 + page, leaf), tree.plies_of(&leaves[leaf], hash)))
            }
        }
    }

    #[cold]
    fn load<'p>(&self, pages: &'p DistancePages, page: usize) -> Result<&'p DistancePage> {
        pages.pages[page].make(|| {
            self.limit.check(pages.top.page_bytes(page))?;
            let decoded = pages.top.page(&self.file, page);
            let (nodes, leaves) = decoded.map_err(|error| error.in_field(format!("page {page}")))?;
            let nodes = nodes.into_iter().map(|node: Node<u32>| node.map(|_| LEAF));
            Ok(DistancePage { walker: Walker::new(nodes, &self.variables), leaves })
        })
    }

    /// The tree with a stored side to move, if there is one.
    #[cfg(feature = "explain")]
    pub(crate) fn side_in_words(&self, turn: Color) -> Option<SideInWords<'_>> {
        let (anchor, _, side) = self.sides.get(turn.index())?;
        Some(SideInWords { anchor: *anchor, prober: self, side: side.as_ref()? })
    }

    /// The variables of the tests.
    #[cfg(feature = "explain")]
    pub(crate) fn variables(&self) -> &VariableSet {
        &self.variables
    }

    /// Decodes all pages. Calls `go_on` between them, and stops when it returns false.
    pub(in crate::probe) fn preload(&self, go_on: impl Fn() -> bool) -> Result<()> {
        for (.., side) in &self.sides {
            let Some(SideDistances { tree: TreeOrPages::Pages(pages), .. }) = side else { continue };
            for page in (0..pages.pages.len()).take_while(|_| go_on()) {
                self.load(pages, page)?;
            }
        }
        Ok(())
    }

    /// Bytes of the file.
    pub(in crate::probe) fn file_bytes(&self) -> usize {
        self.file.len()
    }

    /// Bytes of memory.
    pub(in crate::probe) fn memory(&self) -> usize {
        self.sides.iter().filter_map(|(.., side)| side.as_ref()).map(SideDistances::memory).sum()
    }
}

impl Tables {
    /// Returns the plies to zeroing of a won position, without castling rights, for the side to move; `None` if there is no file of
    /// distances of its material. The number is arbitrary if a move mates, or zeroes and leads to a position that is lost under the
    /// 50-move rule: then the distance is 1; and for a position that is not won. [`Tables::dtz`](crate::Tables::dtz) looks for such moves.
    ///
    /// # Errors
    /// [`ErrorKind::MissingTable`](crate::ErrorKind::MissingTable) when there are distances of the material and no outcomes,
    /// [`ErrorKind::Mismatch`](crate::ErrorKind::Mismatch) when they are of other outcomes; those of reading both files.
    pub fn won_distance(&self, position: &Position) -> Result<Option<u32>> {
        let Some(prober) = self.distances(position.material())? else { return Ok(None) };
        prober.distance(position.packed(), position.en_passant(), position.turn()).map(Some)
    }

    /// Returns the level in a ranking of a won position, and the pairs of moves within which the attacker can force a lower level;
    /// `None` if there is no ranking of its material. The level is arbitrary if a move mates, or zeroes and leads to a position that
    /// is lost under the 50-move rule; and for a position that is not won. The position is on bitboards as in
    /// [`Position::from_bitboards`].
    ///
    /// # Errors
    /// Those of [`Tables::won_distance_bitboards`].
    pub fn won_level_bitboards(
        &self,
        colors: [impl Into<Bitboard>; 2],
        roles: [impl Into<Bitboard>; 6],
        en_passant: Option<Square>,
        turn: Color,
    ) -> Result<Option<(u32, u8)>> {
        let (colors, roles) = (colors.map(Into::into), roles.map(Into::into));
        let found = if en_passant.is_none() { self.find(colors, roles, turn) } else { None };
        let (material, squares, file, turn) = if let Some((material, squares, turn)) = found {
            (*material, squares, None, turn)
        } else {
            let rights = CastlingRights::NONE;
            let position = Position::from_bitboards(colors, roles, en_passant, turn, rights)?;
            (*position.material(), position.packed(), position.en_passant(), position.turn())
        };
        let Some(prober) = self.ranking(&material)? else { return Ok(None) };
        let level = prober.distance(squares, file, turn)?;
        Ok(prober.pairs().map(|pairs| (level, pairs)))
    }

    /// [`Tables::won_distance`] of the position on bitboards as in [`Position::from_bitboards`]. The position must be legal; for an
    /// illegal position the answer is some number or an error.
    ///
    /// # Errors
    /// Those of [`Position::from_bitboards`] and [`Tables::won_distance`].
    pub fn won_distance_bitboards(
        &self,
        colors: [impl Into<Bitboard>; 2],
        roles: [impl Into<Bitboard>; 6],
        en_passant: Option<Square>,
        turn: Color,
    ) -> Result<Option<u32>> {
        let (colors, roles) = (colors.map(Into::into), roles.map(Into::into));
        if en_passant.is_none()
            && let Some((material, squares, turn)) = self.find(colors, roles, turn)
        {
            let prober = self.distances(material)?;
            return prober.map(|prober| prober.distance(squares, None, turn)).transpose();
        }
        self.won_distance(&Position::from_bitboards(colors, roles, en_passant, turn, CastlingRights::NONE)?)
    }
}
