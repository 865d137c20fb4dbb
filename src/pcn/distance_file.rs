//! Version 6 of a .pcn file: the distances to zeroing of a table's won positions. Version 8: their levels in a ranking, in place of
//! distances. FORMAT.md has the layout.
//!
//! The outcomes are in another file. Drawn and lost positions are don't-cares here: a draw has the distance 0, and that of a lost
//! position follows from the positions after each move. Won positions with a distance of 1 are left out too: making the moves
//! shows them.

use super::frozen::context_mixer::Mixer;
use super::frozen::fields::{DISTANCES, MAGIC, RANKING, material_of};
use super::frozen::range_coder::Decoder;
use super::frozen::reader::Reader;
use super::frozen::residual_code::{DistanceLeaves, LeafDistances, MAX_CLASSES};
use super::frozen::static_function::{PositionHash, StaticFunction};
use super::frozen::tree::{MAX_NODES, Node};
use super::frozen::tree_code::check_nodes;
use super::frozen::tree_nodes::{ModelCoder, PreorderCodec, whole};
use super::pages::Top;
use crate::chess::model::Model;
use crate::chess::position::Material;
use crate::error::{Error, ErrorKind, Result};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::iter;
use core::ops::Range;

/// The distances of the positions that one side wins, with this side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DistanceTree {
    /// In preorder; a leaf is a number in `leaves`.
    pub(crate) nodes: Vec<Node<u32>>,
    pub(crate) leaves: Vec<LeafDistances>,
    /// The distance of each class in plies, ascending.
    pub(crate) plies: Vec<u16>,
    /// The filter, and the bits of code words.
    pub(crate) function: StaticFunction,
}

/// A tree of distances of which only the top is decoded.
#[derive(Debug)]
pub(crate) struct DistanceTop {
    top: Top<DistanceLeaves>,
    /// The range of the code in the file.
    code: Range<usize>,
    /// Classes and function of the whole tree, and the leaves of the top; no nodes.
    pub(crate) tree: DistanceTree,
}

/// The distances of a table; `T` has those of one side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DistanceFile<T = DistanceTree> {
    pub(crate) material: Material,
    pub(crate) model: Model,
    /// The hash of the table of outcomes.
    pub(crate) table_hash: [u8; 8],
    /// For a ranking, the pairs of moves within which a position's level falls.
    pub(crate) pairs: Option<u8>,
    /// For each stored side to move the number of its anchor, and the distances, if it wins any position that is not left out.
    pub(crate) sides: Vec<(usize, Option<T>)>,
}

/// The bits of a side's byte: it has a tree; positions with a distance of 1 are left out, always; the tree is in pages.
pub(super) const HAS_TREE: u8 = 1 << 3;
pub(super) const OMITS_ONE: u8 = 1 << 4;
pub(super) const IN_PAGES: u8 = 1 << 5;

impl DistanceTree {
    /// Returns the distance of a canonical position that reaches leaf number `leaf`.
    #[inline]
    pub(crate) fn plies_at(&self, leaf: u32, hash: impl FnOnce() -> PositionHash) -> u16 {
        self.plies_of(&self.leaves[leaf as usize], hash)
    }

    /// Returns the distance of a canonical position that reaches `leaf`.
    #[inline]
    pub(crate) fn plies_of(&self, leaf: &LeafDistances, hash: impl FnOnce() -> PositionHash) -> u16 {
        self.plies[usize::from(leaf.class(&self.function, hash))]
    }

    /// Bytes of memory, without the nodes.
    #[cfg(feature = "std")]
    pub(crate) fn memory(&self) -> usize {
        memory_of(&self.leaves) + size_of_val(&self.plies[..]) + self.function.memory()
    }

    fn read(reader: &mut Reader, parts: &[u8], check: impl Fn(usize) -> Result<()>) -> Result<Self> {
        let plies = plies(reader)?;
        let length = reader.short_number()? as usize;
        check(length)?;
        let code = reader.take(length)?;
        let leaves = DistanceLeaves::new(plies.len(), Vec::new(), length);
        let mut learner = ModelCoder { coder: Decoder::new(code), mixer: Mixer::for_bytes(length) };
        let mut coded = PreorderCodec::new(parts, leaves, 0);
        let mut nodes = Vec::new();
        coded.code(&mut learner, iter::empty(), |_, node| {
            nodes.extend(whole(node));
            check_nodes(nodes.len(), length)
        })?;
        Error::corrupt_unless(learner.coder.is_finished(), || "bytes after the end of a tree".into())?;
        let leaves = coded.leaves.leaves;
        let function = function(reader)?;
        check_levels(&leaves, &function)?;
        let has_words = leaves.iter().any(|leaf| !leaf.words.is_empty());
        Error::corrupt_unless(has_words || function.is_empty(), || "bytes after the end of a tree".into())?;
        Ok(DistanceTree { nodes, leaves, plies, function })
    }
}

/// Bytes of memory of leaves.
#[cfg(feature = "std")]
pub(crate) fn memory_of(leaves: &[LeafDistances]) -> usize {
    let words: usize = leaves.iter().map(|leaf| size_of_val(&leaf.words[..])).sum();
    words + size_of_val(leaves)
}

fn plies(reader: &mut Reader) -> Result<Vec<u16>> {
    let mut plies = vec![reader.short_number()?];
    for _ in 0..reader.short_number()? {
        let (step, count) = (reader.short_number()?, reader.short_number()?);
        Error::corrupt_unless(step > 0 && count > 0 && plies.len() + count as usize <= MAX_CLASSES, || {
            format!("{count} distances with a step of {step}")
        })?;
        for _ in 0..count {
            plies.push(plies[plies.len() - 1].saturating_add(step));
        }
    }
    // The distances ascend, so the first and the last are the extremes.
    let is_in_range = plies[0] > 0 && u16::try_from(plies[plies.len() - 1]).is_ok();
    Error::corrupt_unless(is_in_range, || "distances out of range".into())?;
    Ok(plies.into_iter().map(|plies| plies as u16).collect())
}

/// Reads the static function at the end of a payload; an empty one if nothing follows.
fn function(reader: &mut Reader) -> Result<StaticFunction> {
    if reader.is_at_end() {
        return Ok(StaticFunction::default());
    }
    let function = StaticFunction::read(reader)?;
    Error::corrupt_unless(reader.is_at_end(), || "bytes after the end of a tree".into())?;
    Ok(function)
}

/// Checks that there is a function if a leaf has words, with a filter exactly if a level is above 0.
fn check_levels(leaves: &[LeafDistances], function: &StaticFunction) -> Result<()> {
    let levels = leaves.iter().filter(|leaf| !leaf.words.is_empty()).map(|leaf| leaf.level);
    levels.max().map_or(Ok(()), |level| {
        Error::corrupt_unless(!function.is_empty(), || "leaves with words, and no function for them".into())?;
        function.check_filter(level)
    })
}

impl DistanceTop {
    fn read(reader: &mut Reader, parts: &[u8], check: impl Fn(usize) -> Result<()>) -> Result<Self> {
        let plies = plies(reader)?;
        let length = reader.short_number()? as usize;
        let code = reader.offset()..reader.offset() + length;
        let mut top = Top::read_of(reader.take(length)?, parts, |_, bytes| {
            check(bytes)?;
            Error::corrupt_unless(plies.len() > 1, || "pages of a tree with one distance".into())?;
            Ok(DistanceLeaves::new(plies.len(), Vec::new(), bytes))
        })?;
        // Pages are decoded from a shared top, which cannot give them away later.
        top.take_fresh();
        let (leaves, function) = (top.leaves().leaves.clone(), function(reader)?);
        check_levels(&leaves, &function)?;
        let tree = DistanceTree { nodes: Vec::new(), leaves, plies, function };
        Ok(DistanceTop { top, code, tree })
    }

    /// The nodes of the top in preorder; `None` is a cut subtree.
    pub(crate) fn nodes(&self) -> &[Node<Option<u32>>] {
        self.top.nodes()
    }

    /// The number of cut subtrees in each page, in order.
    pub(crate) fn pages(&self) -> impl ExactSizeIterator<Item = usize> {
        self.top.pages()
    }

    pub(crate) fn page_bytes(&self, page: usize) -> usize {
        self.top.page_bytes(page)
    }

    /// Decodes page number `page`; `file` are the bytes of the file. Returns the nodes of its subtrees in preorder, one subtree
    /// after the other, and their leaves in this order.
    pub(crate) fn page(&self, file: &[u8], page: usize) -> Result<(Vec<Node<u32>>, Vec<LeafDistances>)> {
        let (nodes, mut state) = self.top.page(&file[self.code.clone()], page, None)?;
        let leaves = state.leaves.split_off(self.tree.leaves.len());
        check_levels(&leaves, &self.tree.function)?;
        Ok((nodes, leaves))
    }

    /// Bytes of memory, without the nodes laid out for walking.
    pub(crate) fn memory(&self) -> usize {
        self.top.memory() + self.tree.memory()
    }

    fn whole(self, file: &[u8]) -> Result<DistanceTree> {
        let (mut nodes, state) = self.top.whole_nodes(&file[self.code])?;
        // The leaves of the top come first: number all in preorder.
        let mut leaves = Vec::with_capacity(state.leaves.len());
        for node in &mut nodes {
            if let Node::Leaf(number) = node {
                leaves.push(state.leaves[*number as usize].clone());
                *number = leaves.len() as u32 - 1;
            }
        }
        check_levels(&leaves, &self.tree.function)?;
        Ok(DistanceTree { nodes, leaves, ..self.tree })
    }
}

/// A tree, or the top of one in pages.
#[derive(Debug)]
pub(crate) enum DistanceTreeOrTop {
    Whole(DistanceTree),
    Top(Box<DistanceTop>),
}

/// The figures of a file of distances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceSummary {
    /// The material.
    pub material: Material,
    /// The input model.
    pub model: Model,
    /// The hash of the outcome table from which the distances were made.
    pub table_hash: [u8; 8],
    /// For a ranking, the pairs of moves within which a position's level falls. Then levels take the place of distances.
    pub pairs: Option<u8>,
    /// For each stored side to move, the figures of its tree, if it has one.
    pub sides: Vec<Option<DistanceTreeSummary>>,
    /// Bytes of the trees with their functions; the rest are headers.
    pub tree_bytes: usize,
}

/// The figures of a tree of distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DistanceTreeSummary {
    /// Number of leaves.
    pub leaves: usize,
    /// Number of leaves with more than one distance.
    pub mixed: usize,
    /// The greatest distance in plies, or the greatest level.
    pub longest: u16,
    /// Bytes of the static function, which stores the code words of positions.
    pub function_bytes: usize,
}

impl DistanceSummary {
    /// Whether `bytes` begin as a file of distances or of a ranking does.
    pub fn is_of(bytes: &[u8]) -> bool {
        DistanceFile::is_one(bytes)
    }

    /// Returns the figures of a file of distances or of a ranking with these bytes. Any bytes are acceptable.
    ///
    /// # Errors
    /// [`ErrorKind::BadMagic`] for another file; [`ErrorKind::UnsupportedVersion`] and [`ErrorKind::Corrupt`] as for outcomes.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let DistanceFile { material, model, table_hash, pairs, sides } = DistanceFile::decode(bytes)?;
        let tree = |tree: DistanceTree| {
            let mut function = Vec::new();
            tree.function.write(&mut function);
            DistanceTreeSummary {
                leaves: tree.leaves.len(),
                mixed: tree.leaves.iter().filter(|leaf| !leaf.words.is_empty()).count(),
                longest: tree.plies.last().copied().unwrap_or(0),
                function_bytes: function.len(),
            }
        };
        let sides: Vec<_> = sides.into_iter().map(|(_, side)| side.map(tree)).collect();
        let tree_bytes = skip(&mut Reader::new(bytes))?;
        Ok(DistanceSummary { material, model, table_hash, pairs, sides, tree_bytes })
    }
}

/// Skips all fields of a file; returns the number of bytes of its trees.
fn skip(reader: &mut Reader) -> Result<usize> {
    let is_ranking = reader.take(MAGIC.len() + 1)?[1] == RANKING;
    let material = material_of(reader.short_number()?.into())?;
    reader.take(8 + usize::from(is_ranking))?;
    let mut tree_bytes = 0;
    for _ in material.stored_turns() {
        if reader.byte()? & HAS_TREE != 0 {
            let length = reader.short_number()? as usize;
            tree_bytes += reader.take(length)?.len();
        }
    }
    Ok(tree_bytes)
}

impl DistanceFile {
    /// Whether `bytes` begin as such a file does.
    pub(crate) fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(&[MAGIC[0], DISTANCES]) || bytes.starts_with(&[MAGIC[0], RANKING])
    }

    /// Reads a file with all pages of its trees. Any bytes are acceptable: it never panics, and allocates in proportion to them.
    ///
    /// # Errors
    /// [`ErrorKind::BadMagic`], [`ErrorKind::UnsupportedVersion`] and [`ErrorKind::Corrupt`] as for outcomes.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self> {
        Self::read(
            bytes,
            |_| Ok(()),
            |side| match side {
                DistanceTreeOrTop::Whole(tree) => Ok(tree),
                DistanceTreeOrTop::Top(top) => top.whole(bytes),
            },
        )
    }
}

impl<T> DistanceFile<T> {
    /// Reads a file as [`DistanceFile::decode`] does, but only the top of a tree in pages. `check` gets the number of bytes of
    /// each code before the code is decoded; `side` converts the tree of a side to move.
    pub(crate) fn read(
        bytes: &[u8],
        check: impl Fn(usize) -> Result<()>,
        side: impl Fn(DistanceTreeOrTop) -> Result<T>,
    ) -> Result<Self> {
        if !DistanceFile::is_one(bytes) {
            return Err(Error::new(ErrorKind::BadMagic, "not a .pcn file of distances"));
        }
        let mut reader = Reader::of_sealed(bytes, MAGIC.len(), |reader| skip(reader).map(drop))?;
        reader.take(MAGIC.len())?;
        let model = reader.field("model", |reader| {
            let model = reader.byte()?;
            Model::from_id(model & 31, model >> 5)
        })?;
        let material = reader.field("material", |reader| material_of(reader.short_number()?.into()))?;
        let mut table_hash = [0; 8];
        table_hash.copy_from_slice(reader.field("table hash", |reader| reader.take(8))?);
        let pairs = if bytes[1] == RANKING { Some(reader.field("pairs", Reader::byte)?) } else { None };
        // The work of a plan grows with a power of the pairs.
        Error::corrupt_unless(pairs.is_none_or(|pairs| (1..=3).contains(&pairs)), || {
            "a ranking that falls within no or more than 3 pairs of moves".into()
        })?;
        let (values, mut sides) = (model.variable_set(&material).values(), Vec::new());
        for turn in material.stored_turns() {
            let side = reader.field(turn.name(), |reader| {
                let byte = reader.byte()?;
                let anchor = usize::from(byte & 7);
                let (has_tree, in_pages) = (byte & HAS_TREE != 0, byte & IN_PAGES != 0);
                Error::corrupt_unless(
                    byte >> 6 == 0 && anchor < material.len() && has_tree >= in_pages,
                    || format!("side byte {byte:#04x}"),
                )?;
                if byte & OMITS_ONE == 0 {
                    let why = "distances of 1 too, as earlier builds made them";
                    return Err(Error::new(ErrorKind::UnsupportedVersion, why));
                }
                if !has_tree {
                    return Ok((anchor, None));
                }
                let length = reader.short_number()? as usize;
                let mut payload = reader.part(length)?;
                let of_side = if in_pages {
                    DistanceTreeOrTop::Top(Box::new(DistanceTop::read(&mut payload, &values, &check)?))
                } else {
                    DistanceTreeOrTop::Whole(DistanceTree::read(&mut payload, &values, &check)?)
                };
                Ok((anchor, Some(side(of_side)?)))
            })?;
            sides.push(side);
        }
        Error::corrupt_unless(reader.is_at_end(), || "bytes after the last side".into())?;
        Ok(DistanceFile { material, model, table_hash, pairs, sides })
    }
}

const _: () = assert!(MAX_NODES <= u32::MAX as usize);
