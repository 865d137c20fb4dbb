//! Reading a .pcn file, as FORMAT.md describes it. Trusts nothing: every field is checked, every allocation bounded
//! by the bytes at hand.

use super::write::{NO_OUTCOME, outcome_code};
use super::{Codec, Layers, Layout, MAX_CLAUSES, Pcn, Section, Side, Turns};
use crate::error::{Error, ErrorKind, Result};
use crate::files::read_regular;
use crate::model::Model;
use crate::position::{Material, Wdl};
use std::path::Path;

/// The first four bytes of every .pcn file.
pub const MAGIC: [u8; 4] = [0xe7, b'P', b'C', b'N'];

/// The version of the format that this build reads and writes.
pub(super) const VERSION: u8 = 1;

/// The code of the shape of a section: a list of clauses. Others are reserved.
pub(super) const LIST: u8 = 0;

impl Pcn {
    /// Reads a file's bytes. Any bytes are acceptable: it never panics, and allocates at most in proportion to them.
    ///
    /// # Errors
    /// [`ErrorKind::BadMagic`] when this is no .pcn; [`ErrorKind::UnsupportedVersion`] when the version, the model,
    /// a codec, a shape or an outcome class is unknown to this build; [`ErrorKind::Corrupt`] with the reason when a
    /// rule of FORMAT.md is broken.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader { bytes, at: 0 };
        let header = Header::read(&mut reader)?;
        let model = Model::from_id(header.model.0, header.model.1)?;
        let layout = Layout::new(model, &header.material);
        let mut sections = Vec::with_capacity(header.sections.len());
        for (number, entry) in header.sections.iter().enumerate() {
            let section = entry.section(&mut reader, &layout);
            sections.push(section.map_err(|error| error.context(format_args!("section {number}")))?);
        }
        if reader.at != bytes.len() {
            return Err(Error::corrupt(format!("{} bytes after the end", bytes.len() - reader.at)));
        }
        let sides = header.sides.iter().map(|&side| side_of(side)).collect::<Result<_>>()?;
        Self::new(header.material, model, header.layers, sides, sections, header.table_hash)
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    /// [`ErrorKind::Io`], and those of [`Pcn::decode`], with the path in front.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = read_regular(path)?;
        Self::decode(&bytes).map_err(|error| error.context(path.display()))
    }
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
        if reader.bytes.get(..4) != Some(&MAGIC) {
            return Err(Error::new(ErrorKind::BadMagic, "not a .pcn file"));
        }
        reader.at = MAGIC.len();
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
            count: reader.number()?,
            length: reader.number()?,
        })
    }

    /// Reads the payload and its checksum, which come next in `reader`, and the clauses in it.
    fn section(&self, reader: &mut Reader, layout: &Layout) -> Result<Section> {
        let turns = match self.kind & 3 {
            1 => Turns::White,
            2 => Turns::Black,
            3 => Turns::Both,
            _ => return Err(Error::corrupt("it speaks for no side")),
        };
        let outcome = outcome_of(self.kind >> 2 & 7)?;
        let shape = self.kind >> 5;
        if shape != LIST {
            return Err(Error::new(ErrorKind::UnsupportedVersion, format!("unknown shape {shape}")));
        }
        let codec = Codec::from_id(self.codec)?;
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
        NO_OUTCOME => None,
        code => Some(outcome_of(code)?),
    };
    Ok(Side { lead: usize::from(byte & 15), default })
}

fn outcome_of(code: u8) -> Result<Wdl> {
    match Wdl::ALL.into_iter().find(|&outcome| outcome_code(outcome) == code) {
        Some(outcome) => Ok(outcome),
        None if code < 5 => Err(Error::new(
            ErrorKind::UnsupportedVersion,
            "an outcome under the 50-move rule, which is unknown",
        )),
        None => Err(Error::corrupt(format!("outcome {code}"))),
    }
}

/// The bytes of a file, and how far they have been read.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let rest = &self.bytes[self.at..];
        let taken = rest.get(..length).ok_or_else(|| {
            let (have, at) = (rest.len(), self.at);
            Error::corrupt(format!("cut short: {length} bytes wanted at offset {at}, {have} there"))
        })?;
        self.at += length;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    /// Reads a number of 32 bits: groups of seven bits, least significant first, bit 7 set in all but the last.
    fn number(&mut self) -> Result<u32> {
        let mut number = 0_u64;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                let minimal = byte != 0 || shift == 0;
                let fits = u32::try_from(number).ok().filter(|_| minimal);
                return fits.ok_or_else(|| Error::corrupt("a number written too long or beyond 32 bits"));
            }
        }
        Err(Error::corrupt("a number written too long or beyond 32 bits"))
    }

    /// Reads the checksum that follows and compares it with that of `bytes`.
    fn checksum(&mut self, bytes: &[u8]) -> Result<()> {
        let at = self.at;
        let stored = self.take(4)?;
        if stored == crc32fast::hash(bytes).to_le_bytes() {
            Ok(())
        } else {
            Err(Error::corrupt(format!("wrong checksum at offset {at}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_form_and_32_bits() {
        let number = |bytes: &[u8]| Reader { bytes, at: 0 }.number().ok();
        assert_eq!(number(&[0]), Some(0));
        assert_eq!(number(&[0x7f]), Some(127));
        assert_eq!(number(&[0x80, 1]), Some(128));
        assert_eq!(number(&[0xff, 0xff, 0xff, 0xff, 0x0f]), Some(u32::MAX));
        for bad in [&[0x80][..], &[0x80, 0], &[0x81, 0], &[0xff, 0xff, 0xff, 0xff, 0x10], &[0x80; 6]] {
            assert_eq!(number(bad), None, "{bad:x?}");
        }
    }
}
