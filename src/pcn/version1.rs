//! Reading version 1 of the file, as FORMAT.md describes it: lists only, a checksum for each part.

use super::read::{outcome_of, turns_of};
use super::reader::Reader;
use super::{Codec, Layers, Layout, MAX_CLAUSES, Pcn, Section, Side, Turns};
use crate::error::{Error, ErrorKind, Result};
use crate::model::Model;
use crate::position::Material;

/// The first four bytes of a file of version 1.
pub(super) const MAGIC: [u8; 4] = [0xe7, b'P', b'C', b'N'];

const VERSION: u8 = 1;

/// The code of the shape of a section: a list of clauses.
const LIST: u8 = 0;

/// Reads a whole file that begins with [`MAGIC`]; returns also the sides to move that each section speaks for and the
/// bytes of its payload.
pub(super) fn decode(bytes: &[u8]) -> Result<(Pcn, Vec<(Turns, usize)>)> {
    let mut reader = Reader::new(bytes);
    let header = Header::read(&mut reader)?;
    let model = Model::from_id(header.model.0, header.model.1)?;
    let layout = Layout::new(model, &header.material);
    let mut sections = Vec::with_capacity(header.sections.len());
    for (number, entry) in header.sections.iter().enumerate() {
        let section = entry.section(&mut reader, &layout);
        sections.push(section.map_err(|error| error.context(format_args!("section {number}")))?);
    }
    if !reader.is_at_end() {
        return Err(Error::corrupt(format!("{} bytes after the end", bytes.len() - reader.at)));
    }
    let sides = header.sides.iter().map(|&side| side_of(side)).collect::<Result<_>>()?;
    let payloads = sections.iter().zip(&header.sections);
    let payloads = payloads.map(|(section, entry)| (section.turns, entry.length as usize)).collect();
    let pcn = Pcn::new(header.material, model, header.layers, sides, sections, header.table_hash)?;
    Ok((pcn, payloads))
}

struct Header {
    material: Material,
    model: (u8, u8),
    layers: Layers,
    table_hash: [u8; 8],
    sides: Vec<u8>,
    sections: Vec<Entry>,
}

impl Header {
    fn read(reader: &mut Reader) -> Result<Self> {
        reader.take(MAGIC.len())?;
        let version = reader.byte()?;
        if version != VERSION {
            return Err(Error::new(ErrorKind::UnsupportedVersion, format!("unknown .pcn version {version}")));
        }
        let flags = reader.byte()?;
        let model = (reader.byte()?, reader.byte()?);
        let length = reader.byte()?;
        let material = material_of(reader.take(length.into())?)?;
        let mut table_hash = [0; 8];
        table_hash.copy_from_slice(reader.take(8)?);
        let sides = reader.take(material.stored_turns().len())?.to_vec();
        let count = reader.byte()?;
        let sections = (0..count).map(|_| Entry::read(reader)).collect::<Result<_>>()?;
        reader.checksum(&reader.bytes[..reader.at]).map_err(|error| error.context("header"))?;
        let layers = match flags {
            0 => Layers::Ordered,
            1 => Layers::Independent,
            _ => return Err(Error::corrupt(format!("reserved flags {flags:#04x}"))),
        };
        Ok(Header { material, model, layers, table_hash, sides, sections })
    }
}

/// A section as the header announces it.
struct Entry {
    kind: u8,
    codec: u8,
    count: u32,
    length: u32,
}

impl Entry {
    fn read(reader: &mut Reader) -> Result<Self> {
        Ok(Entry {
            kind: reader.byte()?,
            codec: reader.byte()?,
            count: reader.short_number()?,
            length: reader.short_number()?,
        })
    }

    /// Reads the payload and its checksum, which come next in `reader`, and the clauses in it.
    fn section(&self, reader: &mut Reader, layout: &Layout) -> Result<Section> {
        let turns = turns_of(self.kind & 3)?;
        let outcome = outcome_of(self.kind >> 2 & 7)?;
        let shape = self.kind >> 5;
        if shape != LIST {
            return Err(Error::new(ErrorKind::UnsupportedVersion, format!("unknown shape {shape}")));
        }
        let codec = Codec::from_id(self.codec)?;
        if codec == Codec::Pcn {
            return Err(Error::new(ErrorKind::UnsupportedVersion, "a codec of a later version"));
        }
        let count = self.count as usize;
        if !(1..=MAX_CLAUSES).contains(&count) {
            return Err(Error::corrupt(format!("{count} clauses, not 1 to {MAX_CLAUSES}")));
        }
        let payload = reader.take(self.length as usize)?;
        reader.checksum(payload)?;
        Ok(Section { turns, outcome, clauses: codec.decode(layout, count, payload)? })
    }
}

fn material_of(signature: &[u8]) -> Result<Material> {
    let text = String::from_utf8_lossy(signature);
    match text.parse::<Material>() {
        Ok(material) if material.to_string() == text => Ok(material),
        _ => Err(Error::corrupt(format!("'{}' is no normalized material", text.escape_debug()))),
    }
}

fn side_of(byte: u8) -> Result<Side> {
    let default = match byte >> 4 {
        15 => None,
        code => Some(outcome_of(code)?),
    };
    Ok(Side { lead: usize::from(byte & 15), default })
}
