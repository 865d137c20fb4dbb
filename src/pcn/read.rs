//! Reading a .pcn file, as FORMAT.md describes it. Every field is checked, and every allocation is bounded by the bytes at
//! hand.

use super::codec::TreeCodec;
use super::content::{self, Pcn};
use super::cover_sections::ClausesEntry;
use super::frozen::castling::CastlingExceptions;
use super::frozen::fields::{
    CASTLING, HAS_CASTLING, KNOWS_RULE, MAGIC, NO_OUTCOME, OTHER_GAME, TREE, UNDER_RULE, WITH_CASTLING,
    WITH_EXCEPTIONS, material_of, side_of, turns_of,
};
use super::frozen::reader::{CHECKSUM, Reader};
use super::frozen::static_function::StaticFunction;
use super::frozen::tree::Tree;
use super::frozen::{tree_code, tree_plain};
use super::pages::Top;
use crate::chess::model::Model;
use crate::chess::position::Material;
use crate::covers::frozen::{Covers, Layout, Payload as ClausesCode, Section, Turns};
use crate::error::{Error, ErrorKind, Result};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

impl Pcn {
    /// Reads a file's bytes. Any bytes are acceptable: it never panics, and allocates at most in proportion to them.
    ///
    /// # Errors
    /// [`ErrorKind::BadMagic`] when this is no .pcn; [`ErrorKind::UnsupportedVersion`] when the version, the model, a codec
    /// or an outcome is unknown to this build; [`ErrorKind::Corrupt`] with the reason when a rule of FORMAT.md is broken.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        Decoded::new(bytes).map(|decoded| decoded.pcn)
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    /// [`ErrorKind::Io`], and those of [`Pcn::decode`], with the path in front.
    #[cfg(feature = "std")]
    pub fn read(path: &std::path::Path) -> Result<Self> {
        let bytes = crate::files::read_regular(path)?;
        Self::decode(&bytes).map_err(|error| error.in_file(path))
    }
}

/// A file's content, and the sizes of its pieces.
pub(super) struct Decoded {
    pub(super) pcn: Pcn,
    /// The sections of the file, trees among them.
    pub(super) payloads: Vec<Payload>,
    /// Bytes of the section of castling rights, with its kind and length.
    pub(super) castling_bytes: usize,
}

/// The sizes of a section's payload.
pub(super) struct Payload {
    /// The sides to move that the section applies to.
    pub(super) turns: Turns,
    pub(super) bytes: usize,
    /// The number of the tree in the file, as in [`Header::tree`].
    pub(super) tree: Option<usize>,
    /// Bytes of the payload that store the exceptions of a tree.
    pub(super) exceptions: usize,
    /// Number of pages of a tree; 0 when it is in one piece.
    pub(super) pages: usize,
}

/// A tree that was read from a file.
struct TreeRead {
    tree: Tree,
    /// Bytes of its exceptions.
    exceptions: usize,
    /// Number of its pages; 0 when it is in one piece.
    pages: usize,
}

impl Decoded {
    /// Reads a file's bytes, as [`Pcn::decode`].
    pub(super) fn new(bytes: &[u8]) -> Result<Self> {
        let (mut plan, mut trees, mut sections, mut payloads) = (None, Vec::new(), Vec::new(), Vec::new());
        let header = Header::read_with(bytes, |header, entry| {
            let plan = plan.get_or_insert_with(|| header.model.variable_set(&header.material));
            trees.resize(2 * header.anchors.len(), None);
            let (exceptions, pages) = entry.field(bytes, |payload| match entry.content {
                EntryContent::Clauses(ClausesEntry { payload: code, outcome, count }) => {
                    let layout = Layout::of(plan.shared_variables());
                    let clauses = code.decode(&layout, count, payload.bytes)?;
                    sections.push(Section { turns: entry.turns, outcome, clauses });
                    Ok((0, 0))
                }
                EntryContent::Tree { number, .. } => {
                    let TreeRead { tree, exceptions, pages } = entry.tree(payload, &plan.values())?;
                    trees[number] = Some(tree);
                    Ok((exceptions, pages))
                }
            })?;
            let (turns, bytes) = (entry.turns, entry.payload.len());
            payloads.push(Payload { turns, bytes, tree: entry.tree_number(), exceptions, pages });
            Ok(())
        })?;
        let castling = header.castling(bytes)?;
        let castling_bytes = header.castling_bytes();
        let Header { material, model, table_hash, anchors, knows_rule, .. } = header;
        let rule_trees = trees.split_off(trees.len().min(anchors.len()));
        let content = if trees.iter().all(Option::is_none) {
            content::Content::Covers(Covers { sections })
        } else {
            Error::corrupt_unless(sections.is_empty(), || "a tree together with clauses".into())?;
            content::Content::Trees(trees.into_iter().flatten().collect())
        };
        let mut rule_trees = knows_rule.then_some(rule_trees);
        // There were no sections.
        rule_trees.iter_mut().for_each(|trees| trees.resize(anchors.len(), None));
        let pcn = Pcn { material, model, anchors, content, table_hash, rule_trees, castling }.checked()?;
        Ok(Decoded { pcn, payloads, castling_bytes })
    }
}

/// The header of a file and the places of its sections.
#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) material: Material,
    pub(crate) model: Model,
    pub(crate) table_hash: [u8; 8],
    /// The anchor of each stored side to move.
    pub(crate) anchors: Vec<usize>,
    entries: Vec<SectionEntry>,
    /// Whether the outcomes under the 50-move rule are known.
    pub(crate) knows_rule: bool,
    /// The start of the section of castling rights in the file, and the range of its payload.
    castling: Option<(usize, Range<usize>)>,
}

/// The name of the section of castling rights in error messages.
const CASTLING_FIELD: &str = "castling rights";

/// A section whose payload is not decoded.
#[derive(Debug)]
struct SectionEntry {
    number: usize,
    /// The start of the section in the file.
    start: usize,
    turns: Turns,
    content: EntryContent,
    payload: Range<usize>,
    /// Bytes of the payload to decode; the other bytes are copied.
    coded: usize,
}

/// The part of a tree that is decoded before the first probe.
#[derive(Debug)]
pub(crate) enum TreeOrTop {
    /// All of it.
    Whole(Tree),
    /// Its top, the range of its nodes in the file, the number of its section, and its exceptions.
    Top { top: Box<Top>, nodes: Range<usize>, section: usize, exceptions: StaticFunction },
}

#[derive(Clone, Copy, Debug)]
enum EntryContent {
    Clauses(ClausesEntry),
    /// `number` is that of the tree in the file, as in [`Header::tree`].
    Tree {
        codec: TreeCodec,
        number: usize,
        has_exceptions: bool,
    },
}

impl Header {
    /// Reads everything but the payloads, and compares the checksum.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self> {
        Self::read_with(bytes, |_, _| Ok(()))
    }

    /// [`Header::read`] that calls `visit` after each section, with the header so far and the section.
    fn read_with(bytes: &[u8], mut visit: impl FnMut(&Self, &SectionEntry) -> Result<()>) -> Result<Self> {
        match *bytes {
            [magic, 3 | WITH_CASTLING | UNDER_RULE, ..] if magic == MAGIC[0] => {}
            [0xe7, OTHER_GAME, ..] => {
                let message = "a .pcn file of another game than chess";
                return Err(Error::new(ErrorKind::UnsupportedVersion, message));
            }
            // A bundle has a letter here.
            [0xe7, version @ ..32, ..] => {
                let message = format!("unknown .pcn version {version}");
                return Err(Error::new(ErrorKind::UnsupportedVersion, message));
            }
            [] => return Err(Error::new(ErrorKind::BadMagic, "an empty file")),
            _ => return Err(Error::new(ErrorKind::BadMagic, "not a .pcn file")),
        }
        let mut reader = Reader::of_sealed(bytes, MAGIC.len(), Self::skip)?;
        let (mut header, has_castling) = Self::start(&mut reader)?;
        let expects_rule_trees = bytes[1] == UNDER_RULE && header.knows_rule;
        while !reader.is_at_end() {
            if has_castling && bytes[reader.offset()] == CASTLING {
                header.castling = Some(reader.field(CASTLING_FIELD, castling_entry)?);
                Error::corrupt_unless(reader.is_at_end(), || "sections after the castling rights".into())?;
                break;
            }
            let field = format!("section {}", header.entries.len());
            let entry = reader.field(&field, |reader| header.entry(reader, expects_rule_trees))?;
            visit(&header, &entry)?;
            header.entries.push(entry);
        }
        let is_whole = header.castling.is_some() == has_castling;
        Error::corrupt_unless(is_whole, || "no castling rights where they must be".into())?;
        let has_rule_trees = (0..header.anchors.len()).any(|side| header.rule_tree(side).is_some());
        Error::corrupt_unless(has_rule_trees == expects_rule_trees, || "no rule trees in version 7".into())?;
        Ok(header)
    }

    /// Skips the fields of a file that may have any damage.
    fn skip(reader: &mut Reader) -> Result<()> {
        let (_, has_castling) = Self::start(reader)?;
        while reader.left() > CHECKSUM {
            if has_castling && reader.bytes[reader.at] == CASTLING {
                castling_entry(reader)?;
            } else {
                SectionEntry::read(reader, 0, |_| Some(0))?;
            }
        }
        Ok(())
    }

    /// Reads the fields before the sections. Returns the header, and whether there are castling rights.
    fn start(reader: &mut Reader) -> Result<(Self, bool)> {
        let flags = match reader.take(MAGIC.len())?[1] {
            UNDER_RULE => reader.field("flags", Reader::byte)?,
            WITH_CASTLING => KNOWS_RULE | HAS_CASTLING,
            _ => KNOWS_RULE,
        };
        let (has_castling, knows_rule) = (flags & HAS_CASTLING != 0, flags & KNOWS_RULE != 0);
        Error::corrupt_unless(flags & !(HAS_CASTLING | KNOWS_RULE) == 0, || format!("flags {flags:#04x}"))?;
        let model = reader.field("model", |reader| {
            let byte = reader.byte()?;
            Model::from_id(byte & 31, byte >> 5)
        })?;
        let material = reader.field("material", |reader| material_of(reader.short_number()?.into()))?;
        let mut table_hash = [0; 8];
        table_hash.copy_from_slice(reader.field("table hash", |reader| reader.take(8))?);
        let anchors = reader.field("sides", |reader| {
            reader.take(material.stored_turns().len())?.iter().map(|&byte| side_of(byte)).collect()
        })?;
        let entries = Vec::new();
        let header = Header { material, model, table_hash, anchors, entries, knows_rule, castling: None };
        Ok((header, has_castling))
    }

    /// Reads the fields before a section's payload, and skips the payload.
    fn entry(&self, reader: &mut Reader, may_be_rule_tree: bool) -> Result<SectionEntry> {
        let stored = self.material.stored_turns();
        // The second tree of a side is that of the 50-move rule.
        let number = |turns: Turns| {
            let side = stored.iter().position(|&turn| turns.contains(turn))?;
            Some(if self.tree_entry(side).is_some() { side + stored.len() } else { side })
        };
        let entry = SectionEntry::read(reader, self.entries.len(), number)?;
        if let Some(number) = entry.tree_number()
            && (self.tree_entry(number).is_some() || number >= stored.len() && !may_be_rule_tree)
        {
            return Err(Error::corrupt("a tree for a turn that has one"));
        }
        // Checked before the next section: each repeat would take three bytes of a hostile file, and much time.
        if let EntryContent::Clauses(clauses) = entry.content {
            let same = |other: &SectionEntry| {
                other.turns == entry.turns
                    && matches!(other.content, EntryContent::Clauses(of) if of.outcome == clauses.outcome)
            };
            Error::corrupt_unless(!self.entries.iter().any(same), || "its turns and outcome repeat".into())?;
        }
        Ok(entry)
    }

    /// Reads section `number` of the file `bytes`. The section must be a tree for `turn`, over variables with `parts`. Returns
    /// the tree and the number of its bytes.
    #[cfg(feature = "build")]
    pub(super) fn tree_section(
        bytes: &[u8],
        reader: &mut Reader,
        number: usize,
        turn: crate::chess::position::Color,
        parts: &[u8],
    ) -> Result<(Tree, usize)> {
        let entry = reader.field(&format!("section {number}"), |reader| {
            let entry = SectionEntry::read(reader, number, |turns| turns.contains(turn).then_some(number))?;
            let is_tree = matches!(entry.content, EntryContent::Tree { .. });
            Error::corrupt_unless(is_tree, || format!("no tree for {}", turn.name()))?;
            Ok(entry)
        })?;
        entry.field(bytes, |payload| entry.tree(payload, parts)).map(|read| (read.tree, entry.payload.len()))
    }

    fn tree_entry(&self, number: usize) -> Option<&SectionEntry> {
        self.entries.iter().find(|entry| entry.tree_number() == Some(number))
    }

    /// The number of the tree of the 50-move rule for the stored side `side`, if it has one.
    pub(crate) fn rule_tree(&self, side: usize) -> Option<usize> {
        let number = side + self.anchors.len();
        self.tree_entry(number).map(|_| number)
    }

    /// Whether the file has a tree for each side, so that sides can be decoded one by one.
    pub(crate) fn has_trees_only(&self) -> bool {
        self.entries.iter().all(|entry| entry.tree_number().is_some())
            && (0..self.anchors.len()).all(|side| self.tree_entry(side).is_some())
            && self.anchors.iter().all(|&anchor| anchor < self.material.len())
    }

    /// The number of bytes to decode for tree number `tree`, or without `tree` for the whole file. With `tree`, a tree in pages
    /// counts 0, since its top is small.
    pub(crate) fn decoded_at_once(&self, tree: Option<usize>) -> usize {
        let bytes = |entry: &SectionEntry| match entry.content {
            EntryContent::Tree { codec: TreeCodec::Pages, .. } if tree.is_some() => 0,
            EntryContent::Tree { number, .. } if tree.is_some_and(|tree| tree != number) => 0,
            _ => entry.coded,
        };
        let castling = if tree.is_none() { self.castling_bytes() } else { 0 };
        self.entries.iter().map(bytes).sum::<usize>() + castling
    }

    /// Returns the castling exceptions, if the file has castling rights; `bytes` are the file's.
    pub(crate) fn castling(&self, bytes: &[u8]) -> Result<Option<CastlingExceptions>> {
        let Some((start, payload)) = self.castling.clone() else { return Ok(None) };
        let read = CastlingExceptions::read(&mut Reader::of_part(bytes, payload), &self.material);
        read.map(Some).map_err(|error| error.in_field(CASTLING_FIELD).at_offset(start))
    }

    /// Bytes of the section of castling rights, with its kind and length.
    pub(crate) fn castling_bytes(&self) -> usize {
        self.castling.as_ref().map_or(0, |(start, payload)| payload.end - start)
    }

    /// Returns tree number `number`, over variables with `parts`; `bytes` are the file's. The number is that of a stored side for its
    /// outcomes, or [`Header::rule_tree`]. For a tree in pages it returns the top.
    ///
    /// # Errors
    /// Those of [`Pcn::decode`], but an error in a page is found when the page is decoded; [`ErrorKind::Corrupt`] when the side
    /// has no tree.
    pub(crate) fn tree(&self, bytes: &[u8], number: usize, parts: &[u8]) -> Result<TreeOrTop> {
        let entry = self.tree_entry(number).ok_or_else(|| Error::corrupt("a side without a tree"))?;
        entry.field(bytes, |payload| entry.lazy(payload, parts))
    }
}

/// Skips the section of castling rights; returns its start, and the range of its payload.
fn castling_entry(reader: &mut Reader) -> Result<(usize, Range<usize>)> {
    let start = reader.offset();
    reader.byte()?;
    let length = reader.short_number()? as usize;
    let first = reader.offset();
    reader.take(length)?;
    Ok((start, first..first + length))
}

impl SectionEntry {
    /// Reads the fields before a payload, and skips the payload. `tree` returns the number of a tree with the given turns.
    fn read(reader: &mut Reader, number: usize, tree: impl FnOnce(Turns) -> Option<usize>) -> Result<Self> {
        let start = reader.offset();
        let kind = reader.byte()?;
        let turns = turns_of(kind & 3)?;
        let content = if kind & TREE == 0 {
            EntryContent::Clauses(ClausesEntry::read(kind, reader)?)
        } else {
            let (codec, code) = (TreeCodec::from_id(kind >> 6)?, kind >> 2 & 7);
            let is_tree = [NO_OUTCOME, WITH_EXCEPTIONS].contains(&code);
            Error::corrupt_unless(is_tree, || "a tree whose kind has an outcome".into())?;
            Error::corrupt_unless(turns != Turns::Both, || "a tree for both sides to move".into())?;
            let number = tree(turns).ok_or_else(|| Error::corrupt("a tree for a turn that is not stored"))?;
            EntryContent::Tree { codec, number, has_exceptions: code == WITH_EXCEPTIONS }
        };
        let length = reader.short_number()? as usize;
        let first = reader.offset();
        let payload = reader.take(length)?;
        let coded = match content {
            EntryContent::Clauses(ClausesEntry { payload: ClausesCode::Plain, .. })
            | EntryContent::Tree { codec: TreeCodec::None, .. } => 0,
            // A static function follows the nodes.
            EntryContent::Tree { has_exceptions: true, .. } => Reader::of_part(payload, 0..length)
                .short_number()
                .map_or(length, |nodes| length.min(nodes as usize)),
            _ => length,
        };
        Ok(SectionEntry { number, start, turns, content, payload: first..first + length, coded })
    }

    /// The number of the tree, if it is one.
    fn tree_number(&self) -> Option<usize> {
        if let EntryContent::Tree { number, .. } = self.content { Some(number) } else { None }
    }

    /// Calls `read` with the payload, and adds the section to its error.
    fn field<T>(&self, bytes: &[u8], read: impl FnOnce(&mut Reader) -> Result<T>) -> Result<T> {
        let mut payload = Reader::of_part(bytes, self.payload.clone());
        read(&mut payload)
            .map_err(|error| error.in_field(format!("section {}", self.number)).at_offset(self.start))
    }

    fn tree(&self, payload: &mut Reader, parts: &[u8]) -> Result<TreeRead> {
        let (mut nodes, codec, has_exceptions) = self.nodes(payload)?;
        let mut pages = 0;
        let tree = match codec {
            TreeCodec::None => tree_plain::read(&mut nodes)?,
            TreeCodec::Pcn => tree_code::decode(nodes.bytes, parts, has_exceptions)?,
            TreeCodec::Pages => {
                let top = Top::read(nodes.bytes, parts, has_exceptions)?;
                pages = top.pages().len();
                top.whole(nodes.bytes)?
            }
        };
        let start = payload.at;
        let exceptions = if has_exceptions {
            let max_level =
                tree.max_level().ok_or_else(|| Error::corrupt("a tree with exceptions at no leaf"))?;
            let exceptions = StaticFunction::read(payload)?;
            exceptions.check_filter(max_level)?;
            exceptions
        } else {
            StaticFunction::default()
        };
        Ok(TreeRead { tree: tree.with_exceptions(exceptions), exceptions: payload.at - start, pages })
    }

    /// Returns the bytes of a tree's nodes, their codec, and whether exceptions follow in the payload.
    fn nodes<'a>(&self, payload: &mut Reader<'a>) -> Result<(Reader<'a>, TreeCodec, bool)> {
        let EntryContent::Tree { codec, has_exceptions, .. } = self.content else {
            return Err(Error::corrupt("clauses in place of a tree"));
        };
        let length = if has_exceptions { payload.short_number()? as usize } else { payload.bytes.len() };
        Ok((payload.part(length)?, codec, has_exceptions))
    }

    /// Reads a tree, or only the top of a tree in pages.
    fn lazy(&self, payload: &mut Reader, parts: &[u8]) -> Result<TreeOrTop> {
        let is_whole = !matches!(self.content, EntryContent::Tree { codec: TreeCodec::Pages, .. });
        if is_whole {
            let TreeRead { tree, .. } = self.tree(payload, parts)?;
            tree.check(parts)?;
            return Ok(TreeOrTop::Whole(tree));
        }
        let (nodes, _, has_exceptions) = self.nodes(payload)?;
        let top = Box::new(Top::read(nodes.bytes, parts, has_exceptions)?);
        let exceptions =
            if has_exceptions { StaticFunction::read(payload)? } else { StaticFunction::default() };
        let nodes = nodes.offset()..nodes.offset() + nodes.bytes.len();
        Ok(TreeOrTop::Top { top, nodes, section: self.number, exceptions })
    }
}
