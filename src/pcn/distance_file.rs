//! Version 6 of a .pcn file: the distances to zeroing of a table's won positions. FORMAT.md has the layout.
//!
//! The outcomes are in another file. This one says nothing about drawn and lost positions: their distances follow from those of
//! the positions after each move. It may leave out positions with a distance of 1, since whoever makes moves sees it.

use super::frozen::context_mixer::Mixer;
use super::frozen::fields::{DISTANCES, MAGIC, material_of};
use super::frozen::range_coder::Decoder;
use super::frozen::reader::Reader;
use super::frozen::residual_code::{DistanceLeaves, LeafDistances, MAX_CLASSES};
use super::frozen::static_function::{PositionHash, StaticFunction};
use super::frozen::tree::{MAX_NODES, Node};
use super::frozen::tree_code::check_nodes;
use super::frozen::tree_nodes::{ModelCoder, PreorderCodec, whole};
use crate::chess::model::Model;
use crate::chess::position::Material;
use crate::error::{Error, ErrorKind, Result};
use crate::outcome::FIFTY_MOVES;
use alloc::vec::Vec;
use core::iter;

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

/// The distances of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DistanceFile {
    pub(crate) material: Material,
    pub(crate) model: Model,
    /// The hash of the table of outcomes.
    pub(crate) table_hash: [u8; 8],
    /// Whether positions with a distance of 1 are left out.
    pub(crate) omits_one: bool,
    /// For each stored side to move the number of its anchor, and the distances, if it wins any position that is not left out.
    pub(crate) sides: Vec<(usize, Option<DistanceTree>)>,
}

/// The bit of a side's byte that is set if it has a tree, and the bit of the first side's that is set if 1 is left out.
pub(super) const HAS_TREE: u8 = 1 << 3;
pub(super) const OMITS_ONE: u8 = 1 << 4;

/// The number of words that a code of `bytes` bytes does not reach, so that its time is in proportion to its length.
pub(super) const fn most_words(bytes: usize) -> usize {
    8 * (bytes + 8)
}

impl DistanceTree {
    /// Returns the distance of a canonical position that reaches leaf number `leaf`.
    #[inline]
    pub(crate) fn plies_at(&self, leaf: u32, hash: impl FnOnce() -> PositionHash) -> u16 {
        let class = self.leaves[leaf as usize].class(&self.function, hash);
        self.plies[usize::from(class)]
    }

    /// Bytes of memory, without the nodes.
    #[cfg(feature = "std")]
    pub(crate) fn memory(&self) -> usize {
        let words: usize = self.leaves.iter().map(|leaf| size_of_val(&leaf.words[..])).sum();
        words + size_of_val(&self.leaves[..]) + size_of_val(&self.plies[..]) + self.function.memory()
    }

    fn read(reader: &mut Reader, parts: &[u8], most: usize) -> Result<Self> {
        let mut plies = vec![reader.short_number()?];
        for _ in 0..reader.short_number()? {
            let (step, count) = (reader.short_number()?, reader.short_number()?);
            Error::corrupt_unless(
                step > 0 && count > 0 && plies.len() + count as usize <= MAX_CLASSES,
                || format!("{count} distances with a step of {step}"),
            )?;
            for _ in 0..count {
                plies.push(plies[plies.len() - 1].saturating_add(step));
            }
        }
        // They ascend.
        let is_in_range = plies[0] > 0 && u16::try_from(plies[plies.len() - 1]).is_ok();
        Error::corrupt_unless(is_in_range, || "distances out of range".into())?;
        let plies: Vec<u16> = plies.into_iter().map(|plies| plies as u16).collect();
        let length = reader.short_number()? as usize;
        if length > most {
            let why = format!("{length} bytes of code to decode at once, where the limit is {most}");
            return Err(Error::new(ErrorKind::BudgetExhausted, why));
        }
        let code = reader.take(length)?;
        let words_left = most_words(length);
        let leaves = DistanceLeaves { classes: plies.len(), leaves: Vec::new(), words_left };
        let mut learner = ModelCoder { coder: Decoder::new(code), mixer: Mixer::for_bytes(length) };
        let mut coded = PreorderCodec::new(parts, leaves, 0);
        let mut nodes = Vec::new();
        coded.code(&mut learner, iter::empty(), |_, node| {
            nodes.extend(whole(node));
            check_nodes(nodes.len(), length)
        })?;
        Error::corrupt_unless(learner.coder.is_finished(), || "bytes after the end of a tree".into())?;
        let leaves = coded.leaves.leaves;
        let levels = leaves.iter().filter(|leaf| !leaf.words.is_empty()).map(|leaf| leaf.level);
        let mut function = StaticFunction::default();
        if let Some(level) = levels.max() {
            function = StaticFunction::read(reader)?;
            function.check_filter(level)?;
        }
        Error::corrupt_unless(reader.is_at_end(), || "bytes after the end of a tree".into())?;
        Ok(DistanceTree { nodes, leaves, plies, function })
    }
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
    /// Whether positions with a distance of 1 are left out.
    pub omits_one: bool,
    /// For each stored side to move, the figures of its tree, if it has one.
    pub sides: Vec<Option<DistanceTreeSummary>>,
}

/// The figures of a tree of distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DistanceTreeSummary {
    /// Number of leaves.
    pub leaves: usize,
    /// Number of leaves with more than one distance.
    pub mixed: usize,
    /// The greatest distance in plies.
    pub longest: u16,
    /// Bytes of the functions that tell the distances of a leaf apart.
    pub function_bytes: usize,
}

impl DistanceSummary {
    /// Whether `bytes` begin as a file of distances does.
    pub fn is_of(bytes: &[u8]) -> bool {
        DistanceFile::is_one(bytes)
    }

    /// Returns the figures of a file of distances with these bytes. Any bytes are acceptable.
    ///
    /// # Errors
    /// [`ErrorKind::BadMagic`] for another file; [`ErrorKind::UnsupportedVersion`] and [`ErrorKind::Corrupt`] as for outcomes.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let DistanceFile { material, model, table_hash, omits_one, sides } =
            DistanceFile::decode(bytes, usize::MAX)?;
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
        let sides = sides.into_iter().map(|(_, side)| side.map(tree)).collect();
        Ok(DistanceSummary { material, model, table_hash, omits_one, sides })
    }
}

impl DistanceFile {
    /// Whether `bytes` begin as such a file does.
    pub(crate) fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(&[MAGIC[0], DISTANCES])
    }

    /// Reads a file. Any bytes are acceptable: it never panics, and allocates in proportion to them. The code of a tree may have
    /// `most` bytes.
    ///
    /// # Errors
    /// [`ErrorKind::BadMagic`], [`ErrorKind::UnsupportedVersion`] and [`ErrorKind::Corrupt`] as for outcomes;
    /// [`ErrorKind::BudgetExhausted`] for a longer code.
    pub(crate) fn decode(bytes: &[u8], most: usize) -> Result<Self> {
        if !Self::is_one(bytes) {
            return Err(Error::new(ErrorKind::BadMagic, "not a .pcn file of distances"));
        }
        let mut reader = Reader::of_sealed(bytes, MAGIC.len())?;
        reader.take(MAGIC.len())?;
        let model = reader.field("model", |reader| {
            let model = reader.byte()?;
            Model::from_id(model & 31, model >> 5)
        })?;
        let material = reader.field("material", |reader| material_of(reader.short_number()?.into()))?;
        let mut table_hash = [0; 8];
        table_hash.copy_from_slice(reader.field("table hash", |reader| reader.take(8))?);
        let (values, mut sides, mut omits) = (model.variable_set(&material).values(), Vec::new(), Vec::new());
        for turn in material.stored_turns() {
            let side = reader.field(turn.name(), |reader| {
                let byte = reader.byte()?;
                let lead = usize::from(byte & 7);
                Error::corrupt_unless(byte >> 5 == 0 && lead < material.len(), || {
                    format!("side byte {byte:#04x}")
                })?;
                omits.push(byte & OMITS_ONE != 0);
                if byte & HAS_TREE == 0 {
                    return Ok((lead, None));
                }
                let length = reader.short_number()? as usize;
                let tree = DistanceTree::read(&mut reader.part(length)?, &values, most)?;
                Ok((lead, Some(tree)))
            })?;
            sides.push(side);
        }
        Error::corrupt_unless(reader.is_at_end(), || "bytes after the last side".into())?;
        Error::corrupt_unless(omits.windows(2).all(|pair| pair[0] == pair[1]), || {
            "sides that disagree".into()
        })?;
        let longest = sides.iter().filter_map(|(_, tree)| tree.as_ref()?.plies.last()).max();
        let may_omit = longest.is_none_or(|&plies| u32::from(plies) <= FIFTY_MOVES);
        Error::corrupt_unless(may_omit || !omits[0], || {
            "distances of 1 are left out of a table with cursed wins".into()
        })?;
        Ok(DistanceFile { material, model, table_hash, omits_one: omits[0], sides })
    }
}

const _: () = assert!(MAX_NODES <= u32::MAX as usize);
