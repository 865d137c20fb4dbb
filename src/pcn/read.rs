//! Reading a .pcn file, as FORMAT.md describes it. Trusts nothing: every field is checked, every allocation bounded
//! by the bytes at hand.

use super::census::{Census, Chunks};
use super::codec::Codec;
use super::content::{Layers, MAX_CLAUSES, MAX_MEN_WITH_EXCEPTIONS, Pcn, Section, Side, Turns, too_many_men};
use super::fields::{MAGIC, NO_OUTCOME, TREE, material_of, outcome_of, side_of, turns_of};
use super::layout::Layout;
use super::reader::Reader;
use super::tree::Tree;
use super::{tree_code, tree_plain};
use crate::error::{Error, ErrorKind, Result};
use crate::files::read_regular;
use crate::model::{Model, Plan};
use crate::position::Color;
use std::path::Path;

impl Pcn {
    /// Reads a file's bytes. Any bytes are acceptable: it never panics, and allocates at most in proportion to them.
    /// Where a tree has exceptions, all positions of its side are enumerated once, by as many threads as there are
    /// processors.
    ///
    /// # Errors
    /// [`ErrorKind::BadMagic`] when this is no .pcn; [`ErrorKind::UnsupportedVersion`] when the version, the model,
    /// a codec, a shape or an outcome class is unknown to this build; [`ErrorKind::Corrupt`] with the reason when a
    /// rule of FORMAT.md is broken.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        Decoded::new(bytes, Ranks::Read).map(|decoded| decoded.pcn)
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

/// A file's content, and what was found out while reading it.
pub(crate) struct Decoded {
    pub(crate) pcn: Pcn,
    /// For each side with a tree that has exceptions how many positions reach these leaves.
    pub(crate) censuses: Vec<Option<Census>>,
    /// The sides to move that each section of the file speaks for, trees among them, and the bytes of its payload.
    pub(super) payloads: Vec<(Turns, usize)>,
}

/// What is done about the ranks of exceptions, which take an enumeration of all positions where they are coded against
/// the number of positions of their leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ranks {
    Read,
    /// They are not looked at. Each leaf has as many exceptions as it should; their ranks and outcomes mean nothing.
    Ignored,
}

impl Decoded {
    /// Reads a file's bytes, as [`Pcn::decode`].
    pub(crate) fn new(bytes: &[u8], ranks: Ranks) -> Result<Self> {
        match *bytes {
            [0xe7, 2, ..] => {}
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
            plan: model.plan(&material),
            layout: Layout::new(model, &material),
            ranks,
            trees: vec![None; sides.len()],
            censuses: vec![None; sides.len()],
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
        let Contents { sides, trees, censuses, sections, payloads, .. } = contents;
        let is_independent = |(side, tree): (&Side, &Option<Tree>)| side.default.is_none() && tree.is_none();
        let independent = sides.iter().zip(&trees).any(is_independent);
        let layers = if independent { Layers::Independent } else { Layers::Ordered };
        let pcn = Pcn::with_trees(material, model, layers, sides, trees, sections, table_hash)?;
        Ok(Decoded { pcn, censuses, payloads })
    }
}

/// What has been read of the sections.
struct Contents {
    plan: Plan,
    layout: Layout,
    ranks: Ranks,
    sides: Vec<Side>,
    /// By stored turn.
    trees: Vec<Option<Tree>>,
    censuses: Vec<Option<Census>>,
    sections: Vec<Section>,
    payloads: Vec<(Turns, usize)>,
}

impl Contents {
    /// Reads one section, entry and payload.
    fn section(&mut self, reader: &mut Reader) -> Result<()> {
        let kind = reader.byte()?;
        let turns = turns_of(kind & 3)?;
        let codec = Codec::from_id(kind >> 6)?;
        let is_tree = kind & TREE != 0;
        let list = if is_tree {
            Error::unless(kind >> 2 & 7 == NO_OUTCOME, || "a tree that states one outcome".into())?;
            None
        } else {
            let (outcome, count) = (outcome_of(kind >> 2 & 7)?, reader.short_number()? as usize);
            let is_count = (1..=MAX_CLAUSES).contains(&count);
            Error::unless(is_count, || format!("{count} clauses, not 1 to {MAX_CLAUSES}"))?;
            Some((outcome, count))
        };
        let length = reader.short_number()? as usize;
        let payload = reader.part(length)?;
        self.payloads.push((turns, length));
        let Some((outcome, count)) = list else { return self.tree(turns, codec, payload) };
        let clauses = codec.decode(&self.layout, count, payload.bytes)?;
        self.sections.push(Section { turns, outcome, clauses });
        Ok(())
    }

    fn tree(&mut self, turns: Turns, codec: Codec, payload: Reader) -> Result<()> {
        let stored = self.plan.material().stored_turns();
        Error::unless(turns != Turns::Both, || "a tree for either side to move".into())?;
        let place = stored.iter().position(|&stored| turns.contains(stored));
        let Some(place) = place.filter(|&place| self.trees[place].is_none()) else {
            return Err(Error::corrupt("a tree for a turn that has one or is not stored"));
        };
        let (turn, parts) = (stored[place], self.layout.parts());
        let (tree, census) = match codec {
            Codec::None => {
                let mut tree = tree_plain::read(payload, &parts)?;
                let census = self.census(&tree, |leaf| !leaf.exceptions.is_empty(), turn, place)?;
                if let Some(census) = &census {
                    tree = tree.with_positions(&census.totals())?;
                }
                (tree, census)
            }
            Codec::Pcn => {
                let unranked = tree_code::decode(payload.bytes, &parts)?;
                let census = self.census(unranked.tree(), |leaf| leaf.exceptions > 0, turn, place)?;
                let tree = if self.ranks == Ranks::Ignored && unranked.has_exceptions() {
                    unranked.finish_without_ranks()
                } else {
                    let none = vec![0; unranked.tree().leaves().len()];
                    unranked.finish(&census.as_ref().map_or(none, Census::totals))?
                };
                (tree, census)
            }
            Codec::Zstd => return Err(Error::new(ErrorKind::UnsupportedVersion, "a tree in codec zstd")),
        };
        (self.trees[place], self.censuses[place]) = (Some(tree), census);
        Ok(())
    }

    /// Counts the positions that reach the leaves with exceptions, if there are any and their ranks are wanted.
    fn census<L: Sync>(
        &self,
        tree: &Tree<L>,
        has_exceptions: impl Fn(&L) -> bool,
        turn: Color,
        place: usize,
    ) -> Result<Option<Census>> {
        let wanted: Vec<bool> = tree.leaves().iter().map(has_exceptions).collect();
        if !wanted.contains(&true) {
            return Ok(None);
        }
        let (men, lead) = (self.plan.material().len(), self.sides[place].lead);
        Error::unless(men <= MAX_MEN_WITH_EXCEPTIONS, too_many_men)?;
        Error::unless(lead < men, || format!("there is no man {lead} to lead"))?;
        let chunks = Chunks::new(&self.plan, turn, lead);
        Ok((self.ranks == Ranks::Read).then(|| chunks.census(tree, &wanted)))
    }
}
