//! Version 5 of a .pcn file: trees for both sides to move of a table of another game than chess.
//!
//! The sections are as in version 3. The header names the game, and has the material as text, so that a reader needs no table of
//! materials; FORMAT.md has the layout.

use super::codec::Codec;
use super::frozen::fields::{MAGIC, OTHER_GAME};
use super::frozen::reader::{Reader, push_number};
use super::frozen::tree::Tree;
use super::pages::Cutting;
use super::read::Header;
use super::write::push_tree;
use crate::chess::position::Color;
use crate::error::{Error, ErrorKind, Result};
use alloc::string::String;
use alloc::vec::Vec;

/// The most letters of a material.
const MAX_NAME: usize = 32;

/// The trees of a table, each over variables with the same numbers of parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TreeFile {
    pub(crate) game: u8,
    /// The number of the model and its version, below 32 and 8.
    pub(crate) model: (u8, u8),
    pub(crate) material: String,
    pub(crate) table_hash: [u8; 8],
    /// By [`Color::index`].
    pub(crate) trees: [Tree; 2],
}

impl TreeFile {
    /// Whether `bytes` begin with the magic and the version of such a file.
    pub(crate) fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(&[MAGIC[0], OTHER_GAME])
    }

    /// Returns the bytes of the file. Variable v has `parts[v]` parts. Deterministic.
    pub(crate) fn encode(&self, parts: &[u8], codec: Codec) -> Result<Vec<u8>> {
        let mut bytes = [MAGIC[0], OTHER_GAME, self.game, self.model.0 | self.model.1 << 5].to_vec();
        push_number(&mut bytes, self.material.len() as u64);
        bytes.extend(self.material.bytes());
        bytes.extend(self.table_hash);
        for (tree, turn) in self.trees.iter().zip(Color::BOTH) {
            push_tree(&mut bytes, tree, turn, parts, codec, Cutting::USUAL)?;
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// Reads a file. Returns its content and the number of bytes of its trees. `parts` returns the number of parts of each
    /// variable for a game, a model with its version, and a material. Any bytes are acceptable.
    pub(crate) fn decode(
        bytes: &[u8],
        parts: impl FnOnce(u8, (u8, u8), &str) -> Result<Vec<u8>>,
    ) -> Result<(Self, usize)> {
        if !Self::is_one(bytes) {
            return Err(Error::new(ErrorKind::BadMagic, "not a .pcn file of another game than chess"));
        }
        let mut reader = Reader::of_sealed(bytes, MAGIC.len(), |_| Ok(()))?;
        reader.take(MAGIC.len())?;
        let game = reader.field("game", Reader::byte)?;
        let model = reader.field("model", Reader::byte)?;
        let model = (model & 31, model >> 5);
        let material = reader.field("material", |reader| {
            let length = reader.short_number()? as usize;
            Error::corrupt_unless(length <= MAX_NAME, || format!("{length} letters, more than {MAX_NAME}"))?;
            let name = reader.take(length)?.to_vec();
            String::from_utf8(name).map_err(|_| Error::corrupt("letters that are none"))
        })?;
        let mut table_hash = [0; 8];
        table_hash.copy_from_slice(reader.field("table hash", |reader| reader.take(8))?);
        let parts = parts(game, model, &material)?;
        let (mut trees, mut tree_bytes) = (Vec::new(), 0);
        for turn in Color::BOTH {
            let (tree, coded) = Header::tree_section(bytes, &mut reader, trees.len(), turn, &parts)?;
            tree.check(&parts).map_err(|error| error.in_field(turn.name()))?;
            trees.push(tree);
            tree_bytes += coded;
        }
        Error::corrupt_unless(reader.is_at_end(), || "more than two sections".into())?;
        let trees = trees.try_into().map_err(|_| Error::corrupt("not two trees"))?;
        Ok((TreeFile { game, model, material, table_hash, trees }, tree_bytes))
    }
}
