//! Reading a .pcn file, as FORMAT.md describes it. Trusts nothing: every field is checked, every allocation bounded
//! by the bytes at hand.

use super::reader::Reader;
use super::tree::{Node, Tree};
use super::tree_code::Unranked;
use super::write::{NO_OUTCOME, TREE, outcome_code};
use super::{
    Census, Codec, Layers, Layout, MAX_CLAUSES, MAX_MEN_WITH_EXCEPTIONS, Pcn, Positions, Section, Side,
    Turns, Walker, parts_of, tree_code, tree_plain, version1,
};
use crate::error::{Error, ErrorKind, Result};
use crate::files::read_regular;
use crate::model::{Model, Plan};
use crate::position::{Color, Material, Role, Wdl};
use std::path::Path;

/// The first two bytes of a .pcn file of version 2: the second is the version. Files of version 1 begin with E7 and `P`.
pub const MAGIC: [u8; 2] = [0xe7, 2];

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
        Decoded::new(bytes).map(|decoded| decoded.pcn)
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
enum Ranks {
    Read,
    /// They are not looked at. Each leaf has as many exceptions as it should, whichever.
    Ignored,
}

impl Decoded {
    /// Reads a file's bytes, as [`Pcn::decode`].
    pub(crate) fn new(bytes: &[u8]) -> Result<Self> {
        Self::with_ranks(bytes, Ranks::Read)
    }

    /// Reads a file's bytes but for the ranks and outcomes of exceptions, of which the number alone is right.
    pub(super) fn without_ranks(bytes: &[u8]) -> Result<Self> {
        Self::with_ranks(bytes, Ranks::Ignored)
    }

    fn with_ranks(bytes: &[u8], ranks: Ranks) -> Result<Self> {
        match bytes {
            [0xe7, 2, ..] => decode(bytes, ranks),
            _ if bytes.starts_with(&version1::MAGIC) => {
                let (pcn, payloads) = version1::decode(bytes)?;
                let censuses = vec![None; pcn.sides().len()];
                Ok(Decoded { pcn, censuses, payloads })
            }
            &[0xe7, version @ 3..32, ..] => {
                Err(Error::new(ErrorKind::UnsupportedVersion, format!("unknown .pcn version {version}")))
            }
            _ => Err(Error::new(ErrorKind::BadMagic, "not a .pcn file")),
        }
    }
}

/// Reads a file of version 2.
fn decode(bytes: &[u8], ranks: Ranks) -> Result<Decoded> {
    // The checksum is the last field, so that everything before it may be believed as far as chance goes.
    let Some((body, sum)) = bytes.split_last_chunk::<4>().filter(|(body, _)| body.len() >= MAGIC.len())
    else {
        return Err(Error::corrupt("cut short"));
    };
    if *sum != crc32fast::hash(body).to_le_bytes() {
        return Err(Error::corrupt("wrong checksum"));
    }
    let mut reader = Reader::new(body);
    reader.take(MAGIC.len())?;
    let model = reader.byte()?;
    let model = Model::from_id(model & 31, model >> 5)?;
    let material = material_of(reader.short_number()?.into())?;
    let mut table_hash = [0; 8];
    table_hash.copy_from_slice(reader.take(8)?);
    let mut sides = Vec::new();
    for &byte in reader.take(material.stored_turns().len())? {
        sides.push(side_of(byte)?);
    }
    let mut contents = Contents {
        plan: model.plan(&material),
        layout: Layout::new(model, &material),
        ranks,
        trees: Vec::new(),
        sections: Vec::new(),
        payloads: Vec::new(),
    };
    contents.trees.resize_with(sides.len(), || None);
    let mut number = 0;
    while !reader.is_at_end() {
        contents
            .section(&mut reader, &sides)
            .map_err(|error| error.context(format_args!("section {number}")))?;
        number += 1;
    }
    let is_independent = |(side, tree): (&Side, &Option<_>)| side.default.is_none() && tree.is_none();
    let independent = sides.iter().zip(&contents.trees).any(is_independent);
    let layers = if independent { Layers::Independent } else { Layers::Ordered };
    let (trees, censuses) = contents
        .trees
        .into_iter()
        .map(|tree: Option<(Tree, Option<Census>)>| {
            tree.map_or((None, None), |(tree, census)| (Some(tree), census))
        })
        .unzip();
    let pcn = Pcn::with_trees(material, model, layers, sides, trees, contents.sections, table_hash)?;
    Ok(Decoded { pcn, censuses, payloads: contents.payloads })
}

/// What has been read of the sections.
struct Contents {
    plan: Plan,
    layout: Layout,
    ranks: Ranks,
    /// By stored turn.
    trees: Vec<Option<(Tree, Option<Census>)>>,
    sections: Vec<Section>,
    payloads: Vec<(Turns, usize)>,
}

impl Contents {
    /// Reads one section, entry and payload.
    fn section(&mut self, reader: &mut Reader, sides: &[Side]) -> Result<()> {
        let kind = reader.byte()?;
        let turns = turns_of(kind & 3)?;
        let codec = Codec::from_id(kind >> 6)?;
        if kind & TREE != 0 {
            if kind >> 2 & 7 != NO_OUTCOME {
                return Err(Error::corrupt("a tree that states one outcome"));
            }
            let length = reader.short_number()? as usize;
            let payload = reader.take(length)?;
            self.payloads.push((turns, payload.len()));
            return self.tree(turns, codec, payload, sides);
        }
        let outcome = outcome_of(kind >> 2 & 7)?;
        let count = reader.short_number()? as usize;
        if !(1..=MAX_CLAUSES).contains(&count) {
            return Err(Error::corrupt(format!("{count} clauses, not 1 to {MAX_CLAUSES}")));
        }
        let length = reader.short_number()? as usize;
        let clauses = codec.decode(&self.layout, count, reader.take(length)?)?;
        self.sections.push(Section { turns, outcome, clauses });
        self.payloads.push((turns, length));
        Ok(())
    }

    fn tree(&mut self, turns: Turns, codec: Codec, payload: &[u8], sides: &[Side]) -> Result<()> {
        let turn = match turns {
            Turns::White => Color::White,
            Turns::Black => Color::Black,
            Turns::Both => return Err(Error::corrupt("a tree for either side to move")),
        };
        let place = self.plan.material().stored_turns().iter().position(|&stored| stored == turn);
        let Some(place) = place.filter(|&place| self.trees[place].is_none()) else {
            return Err(Error::corrupt("a tree for a turn that has one or is not stored"));
        };
        let parts = parts_of(&self.layout);
        let lead = sides[place].lead;
        self.trees[place] = Some(match codec {
            Codec::None => self.plain_tree(tree_plain::read(payload)?, &parts, turn, lead)?,
            Codec::Pcn => {
                let unranked = tree_code::decode(payload, &parts)?;
                if self.ranks == Ranks::Ignored {
                    self.trees[place] = Some((unranked.finish_without_ranks(), None));
                    return Ok(());
                }
                let census = self.census(&unranked, turn, lead)?;
                let positions =
                    census.as_ref().map_or_else(|| vec![0; unranked.counts().len()], Census::totals);
                (unranked.finish(&positions)?, census)
            }
            Codec::Zstd => return Err(Error::new(ErrorKind::UnsupportedVersion, "a tree in codec zstd")),
        });
        Ok(())
    }

    /// Counts the positions that reach leaves with exceptions.
    fn census(&self, unranked: &Unranked, turn: Color, lead: usize) -> Result<Option<Census>> {
        let wanted: Vec<bool> = unranked.counts().iter().map(|&count| count > 0).collect();
        self.count(unranked.nodes(), &wanted, turn, lead)
    }

    fn count(&self, nodes: &[Node], wanted: &[bool], turn: Color, lead: usize) -> Result<Option<Census>> {
        if !wanted.contains(&true) {
            return Ok(None);
        }
        let material = self.plan.material();
        if material.len() > MAX_MEN_WITH_EXCEPTIONS {
            return Err(Error::corrupt(format!("exceptions with more than {MAX_MEN_WITH_EXCEPTIONS} men")));
        }
        if lead >= material.len() {
            return Err(Error::corrupt(format!("there is no man {lead} to lead")));
        }
        Ok(Some(Positions::new(&self.plan, turn, lead).census(&Walker::new(nodes), wanted)))
    }

    fn plain_tree(
        &self,
        mut nodes: Vec<Node>,
        parts: &[u8],
        turn: Color,
        lead: usize,
    ) -> Result<(Tree, Option<Census>)> {
        let wanted: Vec<bool> = nodes
            .iter()
            .filter_map(|node| match node {
                Node::Leaf(leaf) => Some(!leaf.exceptions.is_empty()),
                Node::Test(_) => None,
            })
            .collect();
        // The walk needs a tree over these variables; which it is, is found out without the exceptions.
        let bare = nodes.iter().map(Node::without_exceptions).collect();
        Tree::new(bare, parts)?;
        let census = match self.ranks {
            Ranks::Read => self.count(&nodes, &wanted, turn, lead)?,
            Ranks::Ignored => None,
        };
        let leaves = nodes.iter_mut().filter_map(|node| match node {
            Node::Leaf(leaf) => Some(leaf),
            Node::Test(_) => None,
        });
        match &census {
            Some(census) => {
                leaves.zip(census.totals()).for_each(|(leaf, positions)| leaf.positions = positions);
            }
            None => leaves.for_each(|leaf| {
                // As many as there have to be.
                leaf.positions = leaf.exceptions.last().map_or(0, |last| last.rank + 1);
            }),
        }
        let tree = Tree::new(nodes.clone(), parts)?;
        if tree.nodes() != nodes {
            return Err(Error::corrupt("a tree is not in normal form"));
        }
        Ok((tree, census))
    }
}

/// The letters of men but kings, by their digit in a material's number.
const LETTERS: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// Returns the number that stands for `material`: its men but the kings as digits in base 6, those of White, a 0, those
/// of Black.
pub(super) fn material_number(material: &Material) -> u64 {
    let digits = |color| {
        let men = material.men().iter().filter(move |man| man.color == color && man.role != Role::King);
        men.map(|man| 1 + LETTERS.iter().position(|&role| role == man.role).unwrap_or(0) as u64)
    };
    let (white, black) = (digits(Color::White), digits(Color::Black));
    white.chain([0]).chain(black).fold(0, |number, digit| 6 * number + digit)
}

pub(super) fn material_of(number: u64) -> Result<Material> {
    let mut rest = number;
    let mut signature = Vec::new();
    while rest > 0 {
        signature.push(b"vQRBNP"[(rest % 6) as usize]);
        rest /= 6;
    }
    signature.reverse();
    let text = String::from_utf8(signature).unwrap_or_default();
    let text = if number == 0 { "v".to_owned() } else { text };
    let text = format!("K{}", text.replace('v', "vK"));
    match text.parse::<Material>() {
        Ok(material) if material_number(&material) == number => Ok(material),
        _ => Err(Error::corrupt(format!("{number} stands for no material"))),
    }
}

fn side_of(byte: u8) -> Result<Side> {
    if byte >> 6 != 0 {
        return Err(Error::corrupt(format!("reserved bits of a side: {byte:#04x}")));
    }
    let default = match byte >> 3 {
        NO_OUTCOME => None,
        code => Some(outcome_of(code)?),
    };
    Ok(Side { lead: usize::from(byte & 7), default })
}

pub(super) fn turns_of(code: u8) -> Result<Turns> {
    match code {
        1 => Ok(Turns::White),
        2 => Ok(Turns::Black),
        3 => Ok(Turns::Both),
        _ => Err(Error::corrupt("it speaks for no side")),
    }
}

pub(super) fn outcome_of(code: u8) -> Result<Wdl> {
    match Wdl::ALL.into_iter().find(|&outcome| outcome_code(outcome) == code) {
        Some(outcome) => Ok(outcome),
        None if code < 5 => Err(Error::new(
            ErrorKind::UnsupportedVersion,
            "an outcome under the 50-move rule, which is unknown",
        )),
        None => Err(Error::corrupt(format!("outcome {code}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn materials_have_numbers_of_their_own() {
        let eight: Material = "KQQPPvKPP".parse().unwrap();
        for material in (2..=5).flat_map(Material::all).chain([eight]) {
            assert_eq!(material_of(material_number(&material)).unwrap(), material);
        }
        let number = |text: &str| material_number(&text.parse().unwrap());
        assert_eq!([number("KvK"), number("KQvK"), number("KRvKR")], [0, 6, 74]);
        for wrong in [1, 5, 7, 2 * 36 + 1, u64::MAX] {
            assert!(material_of(wrong).is_err(), "{wrong}");
        }
    }
}
