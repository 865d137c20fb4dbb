//! Distances to zeroing of won positions, from the files of distances. Those of drawn and lost positions are not stored:
//! `moves` derives them.

use super::on_demand::Tables;
use super::walker::Walker;
use crate::chess::model::VariableSet;
use crate::chess::position::{
    Bitboard, Canonizer, CastlingRights, Color, Material, PackedSquares, Position, Square,
};
use crate::error::Result;
use crate::outcome::Wdl;
use crate::pcn::{DistanceFile, DistanceTree, Leaf, Node, PositionHash};

/// The distance to zeroing of a won position, as its file has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WonDistance {
    /// The plies to zeroing.
    Exact(u32),
    /// The plies to zeroing, unless a move mates, or zeroes and leads to a lost position. Then the distance is 1, and this
    /// number is arbitrary.
    UnlessZeroing(u32),
}

/// A prober of the distances of one table.
#[derive(Debug)]
pub(crate) struct DistanceProber {
    pub(in crate::probe) material: Material,
    pub(in crate::probe) table_hash: [u8; 8],
    omits_one: bool,
    plan: VariableSet,
    /// By stored turn.
    sides: Vec<(Canonizer, Option<SideDistances>)>,
}

/// The distances of one side to move.
#[derive(Debug)]
struct SideDistances {
    walker: Walker,
    tree: DistanceTree,
}

impl DistanceProber {
    /// Reads the bytes of a file of distances. The code of a tree may have `most` bytes.
    pub(crate) fn decode(bytes: &[u8], most: usize) -> Result<Self> {
        let DistanceFile { material, model, table_hash, omits_one, sides } =
            DistanceFile::decode(bytes, most)?;
        let plan = model.variable_set(&material);
        let side = |(anchor, tree): (usize, Option<DistanceTree>)| {
            let tree = tree.map(|mut tree| {
                // A leaf of the walker has its number alone: decoded leaves are numbered in preorder.
                let nodes = std::mem::take(&mut tree.nodes).into_iter();
                let nodes = nodes.map(|node: Node<u32>| node.map(|_| Some(Leaf::from(Wdl::Win))));
                SideDistances { walker: Walker::new(nodes, &plan), tree }
            });
            (Canonizer::new(&material, anchor), tree)
        };
        let sides = sides.into_iter().map(side).collect();
        Ok(DistanceProber { material, table_hash, omits_one, plan, sides })
    }

    /// The hash of the table of outcomes.
    #[cfg(feature = "build")]
    pub(crate) fn table_hash(&self) -> [u8; 8] {
        self.table_hash
    }

    /// The distance of a won position with men on `squares`.
    pub(crate) fn distance(
        &self,
        mut squares: PackedSquares,
        en_passant: Option<u8>,
        mut turn: Color,
    ) -> WonDistance {
        if turn.index() >= self.sides.len() {
            (squares, turn) = (squares.colors_exchanged(self.material.len()), Color::White);
        }
        let (canonizer, side) = &self.sides[turn.index()];
        // Without a tree every won position is at 1.
        let plies = side.as_ref().map_or(1, |SideDistances { walker, tree }| {
            let (squares, en_passant) = canonizer.canonical(squares, en_passant);
            let view = &self.plan.view_of(squares, en_passant);
            let leaf = walker.walk(0, view, |_, _| ());
            tree.plies_at(leaf.number() as u32, || PositionHash::of_men(view.squares(), view.en_passant()))
        });
        let plies = plies.into();
        if self.omits_one { WonDistance::UnlessZeroing(plies) } else { WonDistance::Exact(plies) }
    }

    /// Bytes of memory.
    pub(in crate::probe) fn memory(&self) -> usize {
        self.sides
            .iter()
            .filter_map(|(_, side)| side.as_ref())
            .map(|side| side.walker.memory() + side.tree.memory())
            .sum()
    }
}

impl Tables {
    /// Returns the distance to zeroing of a won position, without castling rights, for the side to move; `None` if there is no
    /// file of distances of its material. For a position that is not won it is some number.
    ///
    /// # Errors
    /// [`ErrorKind::MissingTable`](crate::ErrorKind::MissingTable) when there are distances of the material and no outcomes,
    /// [`ErrorKind::Mismatch`](crate::ErrorKind::Mismatch) when they are of other outcomes; those of reading both files.
    pub fn won_distance(&self, position: &Position) -> Result<Option<WonDistance>> {
        let prober = self.distances(position.material())?;
        Ok(prober.map(|prober| prober.distance(position.packed(), position.en_passant(), position.turn())))
    }

    /// [`Tables::won_distance`] of the position on bitboards as in [`Position::from_bitboards`].
    ///
    /// # Errors
    /// Those of [`Position::from_bitboards`] and [`Tables::won_distance`].
    pub fn won_distance_bitboards(
        &self,
        colors: [impl Into<Bitboard>; 2],
        roles: [impl Into<Bitboard>; 6],
        en_passant: Option<Square>,
        turn: Color,
    ) -> Result<Option<WonDistance>> {
        self.won_distance(&Position::from_bitboards(colors, roles, en_passant, turn, CastlingRights::NONE)?)
    }
}
