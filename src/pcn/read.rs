//! Reading a .pcn file, as FORMAT.md describes it. Trusts nothing: every field is checked, every allocation bounded
//! by the bytes at hand.

use super::codec::Codec;
use super::content::{Layers, MAX_CLAUSES, Pcn, Section, Side, Turns};
use super::fields::{MAGIC, NO_OUTCOME, TREE, WITH_EXCEPTIONS, material_of, outcome_of, side_of, turns_of};
use super::layout::Layout;
use super::reader::Reader;
use super::static_function::StaticFunction;
use super::tree::Tree;
use super::{tree_code, tree_plain};
use crate::error::{Error, ErrorKind, Result};
use crate::files::read_regular;
use crate::model::Model;
use crate::position::Material;
use std::path::Path;

impl Pcn {
    /// Reads a file's bytes. Any bytes are acceptable: it never panics, and allocates at most in proportion to them.
    ///
    /// # Errors
    /// [`ErrorKind::BadMagic`] when this is no .pcn; [`ErrorKind::UnsupportedVersion`] when the version, the model,
    /// a codec, a shape or an outcome class is unknown to this build; [`ErrorKind::Corrupt`] with the reason when a
    /// rule of FORMAT.md is broken.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        Decoded::new(bytes).map(|decoded| decoded.pcn)
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    /// [`ErrorKind::Io`], and those of [`Pcn::decode`], with the path in front.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = read_regular(path)?;
        Self::decode(&bytes).map_err(|error| error.in_file(path))
    }
}

/// A file's content, and the sizes of its pieces.
pub(super) struct Decoded {
    pub(super) pcn: Pcn,
    /// The sections of the file, trees among them.
    pub(super) payloads: Vec<Payload>,
}

/// The bytes of a section's payload.
pub(super) struct Payload {
    /// The sides to move that the section speaks for.
    pub(super) turns: Turns,
    pub(super) bytes: usize,
    /// Those of them that tell exceptions.
    pub(super) exceptions: usize,
}

impl Decoded {
    /// Reads a file's bytes, as [`Pcn::decode`].
    pub(super) fn new(bytes: &[u8]) -> Result<Self> {
        match *bytes {
            [magic, version, ..] if [magic, version] == MAGIC => {}
            // A bundle has a letter here.
            [0xe7, version @ ..32, ..] => {
                let message = format!("unknown .pcn version {version}");
                return Err(Error::new(ErrorKind::UnsupportedVersion, message));
            }
            _ => return Err(Error::new(ErrorKind::BadMagic, "not a .pcn file")),
        }
        // The checksum is the last field, so that everything before it may be believed as far as chance goes.
        let Some((body, _)) = bytes.split_last_chunk::<4>().filter(|(body, _)| body.len() >= MAGIC.len())
        else {
            return Err(Error::corrupt("cut short"));
        };
        let mut all = Reader::new(bytes);
        let mut reader = all.part(body.len())?;
        all.field("checksum", |all| all.checksum(body))?;
        reader.take(MAGIC.len())?;
        let model = reader.field("model", |reader| {
            let byte = reader.byte()?;
            Model::from_id(byte & 31, byte >> 5)
        })?;
        let material = reader.field("material", |reader| material_of(reader.short_number()?.into()))?;
        let mut table_hash = [0; 8];
        table_hash.copy_from_slice(reader.field("table hash", |reader| reader.take(8))?);
        let sides: Vec<Side> = reader.field("sides", |reader| {
            reader.take(material.stored_turns().len())?.iter().map(|&byte| side_of(byte)).collect()
        })?;
        let mut contents = Contents {
            material,
            layout: Layout::new(model, &material),
            trees: vec![None; sides.len()],
            sides,
            sections: Vec::new(),
            payloads: Vec::new(),
        };
        for number in 0.. {
            if reader.is_at_end() {
                break;
            }
            reader.field(&format!("section {number}"), |reader| contents.section(reader))?;
        }
        let Contents { layout, sides, trees, sections, payloads, .. } = contents;
        let is_independent = |(side, tree): (&Side, &Option<Tree>)| side.default.is_none() && tree.is_none();
        let independent = sides.iter().zip(&trees).any(is_independent);
        let layers = if independent { Layers::Independent } else { Layers::Ordered };
        let pcn = Pcn { material, model, layers, sides, trees, sections, table_hash }.checked(&layout)?;
        Ok(Decoded { pcn, payloads })
    }
}

/// What has been read of the sections.
struct Contents {
    material: Material,
    layout: Layout,
    sides: Vec<Side>,
    /// By stored turn.
    trees: Vec<Option<Tree>>,
    sections: Vec<Section>,
    payloads: Vec<Payload>,
}

impl Contents {
    /// Reads one section, entry and payload.
    fn section(&mut self, reader: &mut Reader) -> Result<()> {
        let kind = reader.byte()?;
        let turns = turns_of(kind & 3)?;
        let codec = Codec::from_id(kind >> 6)?;
        let is_tree = kind & TREE != 0;
        let list = if is_tree {
            None
        } else {
            let (outcome, count) = (outcome_of(kind >> 2 & 7)?, reader.short_number()? as usize);
            let is_count = (1..=MAX_CLAUSES).contains(&count);
            Error::unless(is_count, || format!("{count} clauses, not 1 to {MAX_CLAUSES}"))?;
            Some((outcome, count))
        };
        let length = reader.short_number()? as usize;
        let mut payload = reader.part(length)?;
        let mut exceptions = 0;
        if let Some((outcome, count)) = list {
            let clauses = codec.decode(&self.layout, count, payload.bytes)?;
            self.sections.push(Section { turns, outcome, clauses });
        } else {
            exceptions = self.tree(turns, codec, kind >> 2 & 7, &mut payload)?;
        }
        self.payloads.push(Payload { turns, bytes: length, exceptions });
        Ok(())
    }

    /// Reads a tree; returns the bytes that tell its exceptions.
    fn tree(&mut self, turns: Turns, codec: Codec, code: u8, payload: &mut Reader) -> Result<usize> {
        let is_tree = [NO_OUTCOME, WITH_EXCEPTIONS].contains(&code);
        Error::unless(is_tree, || "a tree that states one outcome".into())?;
        Error::unless(turns != Turns::Both, || "a tree for either side to move".into())?;
        let place = self.material.stored_turns().iter().position(|&stored| turns.contains(stored));
        let Some(place) = place.filter(|&place| self.trees[place].is_none()) else {
            return Err(Error::corrupt("a tree for a turn that has one or is not stored"));
        };
        let has_exceptions = code == WITH_EXCEPTIONS;
        let length = if has_exceptions { payload.short_number()? as usize } else { payload.bytes.len() };
        let mut nodes = payload.part(length)?;
        let tree = match codec {
            Codec::None => tree_plain::read(&mut nodes)?,
            Codec::Pcn => tree_code::decode(nodes.bytes, &self.layout.parts(), has_exceptions)?,
            Codec::Zstd => return Err(Error::new(ErrorKind::UnsupportedVersion, "a tree in codec zstd")),
        };
        let start = payload.at;
        let exceptions = if has_exceptions {
            let max_rank = tree.max_rank().ok_or_else(|| Error::corrupt("exceptions without a leaf"))?;
            StaticFunction::read(payload, max_rank)?
        } else {
            StaticFunction::default()
        };
        self.trees[place] = Some(tree.with_exceptions(exceptions));
        Ok(payload.at - start)
    }
}
