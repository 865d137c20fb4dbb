//! Writing the bytes of a .pcn file, as FORMAT.md describes them.

use super::castling::CastlingExceptions;
use super::codec::{Codec, TreeCodec};
use super::content::{Pcn, Section};
use super::fields::{
    CASTLING, MAGIC, NO_OUTCOME, TREE, WITH_CASTLING, WITH_EXCEPTIONS, material_number, outcome_code,
    side_code, turns_code,
};
use super::layout::Layout;
use super::pages::{self, Cutting};
use super::read::Header;
use super::reader::push_number;
use super::tree::Tree;
use super::{tree_code, tree_plain};
use crate::chess::position::{Color, Position, Wdl};
use crate::error::{Error, ErrorKind, Result};
use alloc::vec::Vec;

impl Pcn {
    /// Returns the bytes of the file. Lists are written by `codec`, or by [`Codec::None`] when that is not longer. Trees are
    /// written by an adaptive range coder, large ones in pages; plainly with [`Codec::None`], or if the coder's code is too short
    /// for a reader's limits. Deterministic: the same content and codec give the same bytes.
    ///
    /// # Errors
    /// [`ErrorKind::BudgetExhausted`] when a section takes 4 GiB or more; [`ErrorKind::Internal`] when zstd refuses.
    pub fn encode(&self, codec: Codec) -> Result<Vec<u8>> {
        self.encode_cut(codec, Cutting::USUAL)
    }

    /// [`Pcn::encode`] with trees cut into pages by `cutting`.
    pub(super) fn encode_cut(&self, codec: Codec, cutting: Cutting) -> Result<Vec<u8>> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(self.model().id() | self.model().version() << 5);
        push_number(&mut bytes, material_number(self.material()));
        bytes.extend(self.table_hash());
        bytes.extend(self.sides().iter().map(|&side| side_code(side)));
        let layout = self.layout();
        let stated = |bytes: &mut Vec<u8>| {
            for (tree, &turn) in self.trees().iter().zip(self.material().stored_turns()) {
                tree.iter()
                    .try_for_each(|tree| push_tree(bytes, tree, turn, &layout.parts(), codec, cutting))?;
            }
            self.sections().iter().try_for_each(|section| push_section(bytes, section, &layout, codec))
        };
        stated(&mut bytes).map_err(|error| error.context(self.material()))?;
        self.castling.iter().try_for_each(|castling| push_castling(&mut bytes, castling))?;
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// Returns the bytes of a file with new castling rights; all other sections stay as they are. `positions` are all those
    /// with rights whose outcome differs from that without them, each with its outcome.
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

/// Returns the number of bytes that a tree, if there is one, and sections take in a file.
#[cfg(feature = "build")]
pub(crate) fn stated_bytes(
    tree: Option<&Tree>,
    sections: &[Section],
    layout: &Layout,
    codec: Codec,
) -> Result<usize> {
    let of_tree = tree.map_or(Ok(0), |tree| tree_bytes(tree, &layout.parts(), codec))?;
    let mut bytes = Vec::new();
    sections.iter().try_for_each(|section| push_section(&mut bytes, section, layout, codec))?;
    Ok(of_tree + bytes.len())
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

fn push_section(bytes: &mut Vec<u8>, section: &Section, layout: &Layout, codec: Codec) -> Result<()> {
    let (codec, payload) = codec.encode(layout, &section.clauses)?;
    bytes.push(turns_code(section.turns) | outcome_code(section.outcome) << 2 | codec.id() << 6);
    push_number(bytes, section.clauses.len() as u64);
    push_payload(bytes, &payload)
}

fn push_castling(bytes: &mut Vec<u8>, castling: &CastlingExceptions) -> Result<()> {
    bytes[1] = WITH_CASTLING;
    bytes.push(CASTLING);
    push_payload(bytes, &castling.write())
}

fn push_payload(bytes: &mut Vec<u8>, payload: &[u8]) -> Result<()> {
    let length = u32::try_from(payload.len())
        .map_err(|_| Error::new(ErrorKind::BudgetExhausted, "a section of 4 GiB or more"))?;
    push_number(bytes, length.into());
    bytes.extend(payload);
    Ok(())
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
