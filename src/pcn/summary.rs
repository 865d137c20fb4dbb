//! A summary of a file: its header, sizes and counts.

use super::frozen::tree::Tree;
use super::read::{Decoded, Payload};
use crate::chess::model::Model;
use crate::chess::position::{Color, Material, Wdl};
use crate::covers::frozen::{Section, Turns};
use crate::error::Result;
use alloc::vec::Vec;

/// The figures of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The material.
    pub material: Material,
    /// The input model.
    pub model: Model,
    /// The hash of the outcome table from which the clauses were made and against which they were checked.
    pub table_hash: [u8; 8],
    /// Number of clauses, as [`Pcn::clauses`](crate::Pcn::clauses) counts them.
    pub clauses: usize,
    /// Number of literals, as [`Pcn::literals`](crate::Pcn::literals) counts them.
    pub literals: usize,
    /// The sides to move, in the order of [`Material::stored_turns`].
    pub sides: Vec<SideSummary>,
    /// The sections of covers, in the order in which they decide; `None` if the file has trees.
    pub covers: Option<Vec<SectionSummary>>,
    /// Whether the outcomes under the 50-move rule are known, as [`Pcn::knows_rule`](crate::Pcn::knows_rule).
    pub knows_rule: bool,
    /// Bytes of all trees in the file, those of the 50-move rule included.
    pub tree_bytes: usize,
    /// Bytes of all clauses; clauses for both sides count once. The rest of the file is castling rights and headers.
    pub list_bytes: usize,
    /// Bytes of the section of castling rights; 0 when there is none.
    pub castling_bytes: usize,
    /// Number of positions whose outcome their castling rights change; `None` when the file has no castling rights.
    pub castling_exceptions: Option<usize>,
}

/// The figures of one side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideSummary {
    /// The side to move.
    pub turn: Color,
    /// The number of its anchor.
    pub anchor: usize,
    /// Bytes of its tree of outcomes or its clauses in the file; clauses for both sides are included.
    pub bytes: usize,
    /// Number of its clauses, clauses for both sides included; a leaf of a tree counts as a clause.
    pub clauses: usize,
    /// Number of literals in these clauses.
    pub literals: usize,
    /// Its tree, if it has one.
    pub tree: Option<TreeSummary>,
    /// Bytes of its tree of the 50-move rule; 0 when it has none.
    pub rule_bytes: usize,
}

/// The figures of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeSummary {
    /// Number of leaves.
    pub leaves: usize,
    /// Number of leaves with exceptions.
    pub excepted: usize,
    /// Bytes of the functions that store the exceptions.
    pub exception_bytes: usize,
    /// Number of pages beside the top; 0 when the tree is in one piece.
    pub pages: usize,
}

/// The figures of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectionSummary {
    /// The sides to move that it applies to.
    pub turns: Turns,
    /// Its outcome, for the side to move.
    pub outcome: Wdl,
    /// Number of its clauses.
    pub clauses: usize,
}

impl Summary {
    /// Returns the figures of a file with these bytes. Any bytes are acceptable.
    ///
    /// # Errors
    /// Those of [`Pcn::decode`](crate::Pcn::decode).
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let Decoded { pcn, payloads, castling_bytes } = Decoded::new(bytes)?;
        let layout = pcn.layout();
        let side = |(number, (&anchor, &turn)): (usize, (&usize, &Color))| {
            let tree = pcn.tree(turn);
            let mut clauses = tree.map_or(0, |tree| tree.leaves().count());
            let mut literals = tree.map_or(0, Tree::literals);
            for (_, section) in pcn.covers().into_iter().flat_map(|covers| covers.sections_for(turn)) {
                clauses += section.clauses.len();
                literals += section.literals(&layout);
            }
            let payloads = payloads.iter().filter(|payload| payload.turns.contains(turn));
            let (rule, payloads): (Vec<&Payload>, Vec<&Payload>) =
                payloads.partition(|payload| payload.tree.is_some_and(|tree| tree != number));
            let bytes = payloads.iter().map(|payload| payload.bytes).sum();
            let tree = tree.map(|tree| TreeSummary {
                leaves: tree.leaves().count(),
                excepted: tree.leaves().filter(|leaf| leaf.exceptions.is_some()).count(),
                exception_bytes: payloads.iter().map(|payload| payload.exceptions).sum(),
                pages: payloads.iter().map(|payload| payload.pages).sum(),
            });
            let rule_bytes = rule.iter().map(|payload| payload.bytes).sum();
            SideSummary { turn, anchor, bytes, clauses, literals, tree, rule_bytes }
        };
        let section = |section: &Section| SectionSummary {
            turns: section.turns,
            outcome: section.outcome,
            clauses: section.clauses.len(),
        };
        let covers: Option<Vec<SectionSummary>> =
            pcn.covers().map(|covers| covers.sections.iter().map(section).collect());
        let all = payloads.iter().map(|payload| payload.bytes).sum();
        let (tree_bytes, list_bytes) = if covers.is_none() { (all, 0) } else { (0, all) };
        Ok(Summary {
            knows_rule: pcn.knows_rule(),
            tree_bytes,
            list_bytes,
            castling_bytes,
            castling_exceptions: pcn.castling(),
            material: *pcn.material(),
            model: pcn.model(),
            table_hash: pcn.table_hash(),
            clauses: pcn.clauses(),
            literals: pcn.literals(),
            sides: pcn.anchors().iter().zip(pcn.material().stored_turns()).enumerate().map(side).collect(),
            covers,
        })
    }
}
