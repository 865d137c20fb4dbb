//! Writing the bytes of a .pcn file, as FORMAT.md describes them.

use super::codec::{Codec, TreeCodec};
use super::content::{Content, Pcn};
use super::cover_sections::push_section;
use super::frozen::castling::CastlingExceptions;
use super::frozen::fields::{
    CASTLING, HAS_CASTLING, KNOWS_RULE, MAGIC, NO_OUTCOME, TREE, UNDER_RULE, WITH_CASTLING, WITH_EXCEPTIONS,
    material_number, side_code, turns_code,
};
use super::frozen::reader::{push_number, push_payload};
use super::frozen::tree::Tree;
use super::frozen::{tree_code, tree_plain};
use super::pages::{self, Cutting};
use super::read::Header;
use crate::chess::position::{Color, Position, Wdl};
use crate::error::{Error, ErrorKind, Result};
use alloc::vec::Vec;

impl Pcn {
    /// Returns the bytes of the file. [`Codec::Compressed`] writes large trees in pages. It writes a tree plainly if its code is
    /// too short for a reader's limits, and clauses if zstd does not shorten them. Deterministic: the same content and codec give
    /// the same bytes.
    ///
    /// # Errors
    /// [`ErrorKind::BudgetExhausted`] when a section takes 4 GiB or more; [`ErrorKind::Internal`] when zstd refuses;
    /// [`ErrorKind::UnsupportedVersion`] for compressed clauses without feature `zstd`.
    pub fn encode(&self, codec: Codec) -> Result<Vec<u8>> {
        self.encode_cut(codec, Cutting::USUAL)
    }

    /// [`Pcn::encode`] with trees cut into pages by `cutting`.
    pub(super) fn encode_cut(&self, codec: Codec, cutting: Cutting) -> Result<Vec<u8>> {
        let mut bytes = MAGIC.to_vec();
        if !self.knows_rule() || self.has_rule_trees() {
            bytes[1] = UNDER_RULE;
            bytes.push(if self.knows_rule() { KNOWS_RULE } else { 0 });
        }
        bytes.push(self.model().id() | self.model().version() << 5);
        push_number(&mut bytes, material_number(self.material()));
        bytes.extend(self.table_hash());
        let turns = self.material().stored_turns();
        bytes.extend(self.anchors.iter().map(|&anchor| side_code(anchor)));
        let push_content = |bytes: &mut Vec<u8>| match &self.content {
            Content::Trees(trees) => {
                let values = self.variable_set().values();
                let rule_trees = turns.iter().filter_map(|&turn| Some((self.rule_tree(turn)?, turn)));
                let mut all = trees.iter().zip(turns.iter().copied()).chain(rule_trees);
                all.try_for_each(|(tree, turn)| push_tree(bytes, tree, turn, &values, codec, cutting))
            }
            Content::Covers(covers) => {
                let (layout, compress) = (self.layout(), codec != Codec::None);
                let mut all = covers.sections.iter();
                all.try_for_each(|section| push_section(bytes, section, &layout, compress))
            }
        };
        push_content(&mut bytes).map_err(|error| error.context(self.material()))?;
        self.castling.iter().try_for_each(|castling| push_castling(&mut bytes, castling))?;
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// Returns the bytes of a file with new castling rights; all other sections stay as they are. `positions` are all positions
    /// whose outcome their castling rights change, each with its outcome.
    ///
    /// # Errors
    /// Those of [`Pcn::decode`] that concern the header; [`ErrorKind::BadInput`] when a position is of another material, has
    /// no castling rights or is not legal.
    pub fn add_castling(bytes: &[u8], positions: &[(Position, Wdl)]) -> Result<Vec<u8>> {
        let header = Header::read(bytes)?;
        let fits = |(position, _): &(Position, Wdl)| {
            *position.material() == header.material && !position.castling().is_empty() && position.is_legal()
        };
        if !positions.iter().all(fits) {
            let why = format!("{}: not all are positions of it with castling rights", header.material);
            return Err(Error::new(ErrorKind::BadInput, why));
        }
        // Only the checksum follows the section.
        let mut with = bytes[..bytes.len() - 4 - header.castling_bytes()].to_vec();
        push_castling(&mut with, &CastlingExceptions::new(positions))?;
        with.extend(crc32fast::hash(&with).to_le_bytes());
        Ok(with)
    }
}

pub(super) fn push_tree(
    bytes: &mut Vec<u8>,
    tree: &Tree,
    turn: Color,
    parts: &[u8],
    codec: Codec,
    cutting: Cutting,
) -> Result<()> {
    let (codec, mut payload) = encode_tree(tree, parts, codec, cutting);
    let mut code = NO_OUTCOME;
    if !tree.exceptions().is_empty() {
        code = WITH_EXCEPTIONS;
        let nodes = core::mem::take(&mut payload);
        push_number(&mut payload, nodes.len() as u64);
        payload.extend(nodes);
        tree.exceptions().write(&mut payload);
    }
    bytes.push(turns_code(turn.into()) | code << 2 | TREE | codec.id() << 6);
    push_payload(bytes, &payload)
}

/// Returns the number of bytes that a tree takes in a file.
#[cfg(feature = "build")]
pub(crate) fn tree_bytes(tree: &Tree, parts: &[u8], codec: Codec) -> Result<usize> {
    let mut bytes = Vec::new();
    push_tree(&mut bytes, tree, Color::White, parts, codec, Cutting::USUAL)?;
    Ok(bytes.len())
}

fn push_castling(bytes: &mut Vec<u8>, castling: &CastlingExceptions) -> Result<()> {
    if bytes[1] == UNDER_RULE {
        bytes[2] |= HAS_CASTLING;
    } else {
        bytes[1] = WITH_CASTLING;
    }
    bytes.push(CASTLING);
    push_payload(bytes, &castling.write())
}

/// Returns the bytes of a tree's nodes, and their codec.
fn encode_tree(tree: &Tree, parts: &[u8], codec: Codec, cutting: Cutting) -> (TreeCodec, Vec<u8>) {
    if codec == Codec::None {
        return (TreeCodec::None, tree_plain::write(tree));
    }
    let Some((payload, starts)) = tree_code::encode(tree, parts) else {
        return (TreeCodec::None, tree_plain::write(tree));
    };
    match pages::encode(tree, parts, &starts, cutting) {
        Some(payload) => (TreeCodec::Pages, payload),
        None => (TreeCodec::Pcn, payload),
    }
}
