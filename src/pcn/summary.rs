//! A summary of a file: its header, sizes and counts.

use super::content::{Layers, Side, Turns};
use super::read::{Decoded, Payload};
use super::tree::Tree;
use crate::chess::model::Model;
use crate::chess::position::{Color, Material, Wdl};
use crate::error::Result;
use alloc::vec::Vec;

/// The figures of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The material.
    pub material: Material,
    /// The input model.
    pub model: Model,
    /// The division of outcomes between sections.
    pub layers: Layers,
    /// The hash of the outcome table from which the clauses were made and against which they were checked.
    pub table_hash: [u8; 8],
    /// Number of clauses, as [`Pcn::clauses`](crate::Pcn::clauses) counts them.
    pub clauses: usize,
    /// Number of literals, as [`Pcn::literals`](crate::Pcn::literals) counts them.
    pub literals: usize,
    /// The sides to move, in the order of [`Material::stored_turns`].
    pub sides: Vec<SideSummary>,
    /// The sections of clauses, in the order in which they decide.
    pub sections: Vec<SectionSummary>,
    /// Bytes of all trees in the file.
    pub tree_bytes: usize,
    /// Bytes of all lists of clauses; a list for both sides counts once. The rest of the file is castling rights and headers.
    pub list_bytes: usize,
    /// Bytes of the section of castling rights; 0 when there is none.
    pub castling_bytes: usize,
    /// Number of positions with castling rights whose outcome differs from that without them; `None` when the file has no
    /// castling rights.
    pub castling_exceptions: Option<usize>,
}

/// The figures of one side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideSummary {
    /// The side to move.
    pub turn: Color,
    /// Its leading man and its default.
    pub side: Side,
    /// Bytes of its tree or its clauses in the file, with lists for both sides.
    pub bytes: usize,
    /// Number of its clauses, with those for both sides; a leaf of a tree counts as a clause.
    pub clauses: usize,
    /// Number of literals in these clauses.
    pub literals: usize,
    /// Its tree, if it has one.
    pub tree: Option<TreeSummary>,
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
        let side = |((&side, tree), &turn): ((&Side, &Option<Tree>), &Color)| {
            let tree = tree.as_ref();
            let mut clauses = tree.map_or(0, |tree| tree.leaves().count());
            let mut literals = tree.map_or(0, Tree::literals);
            for (_, section) in pcn.sections_for(turn) {
                clauses += section.clauses.len();
                literals += section.literals(&layout);
            }
            let payloads = payloads.iter().filter(|payload| payload.turns.contains(turn));
            let bytes = payloads.clone().map(|payload| payload.bytes).sum();
            let tree = tree.map(|tree| TreeSummary {
                leaves: tree.leaves().count(),
                excepted: tree.leaves().filter(|leaf| leaf.exceptions.is_some()).count(),
                exception_bytes: payloads.clone().map(|payload| payload.exceptions).sum(),
                pages: payloads.map(|payload| payload.pages).sum(),
            });
            SideSummary { turn, side, bytes, clauses, literals, tree }
        };
        let sections = pcn.sections().iter().map(|section| SectionSummary {
            turns: section.turns,
            outcome: section.outcome,
            clauses: section.clauses.len(),
        });
        // A side with a tree has no lists.
        let is_tree =
            |turns: Turns| Color::BOTH.iter().any(|&turn| turns.contains(turn) && pcn.tree(turn).is_some());
        let sum = |of_trees| {
            let payloads = payloads.iter().filter(|payload: &&Payload| is_tree(payload.turns) == of_trees);
            payloads.map(|payload| payload.bytes).sum()
        };
        Ok(Summary {
            tree_bytes: sum(true),
            list_bytes: sum(false),
            castling_bytes,
            castling_exceptions: pcn.castling(),
            material: *pcn.material(),
            model: pcn.model(),
            layers: pcn.layers(),
            table_hash: pcn.table_hash(),
            clauses: pcn.clauses(),
            literals: pcn.literals(),
            sides: pcn.sides().iter().zip(pcn.trees()).zip(pcn.material().stored_turns()).map(side).collect(),
            sections: sections.collect(),
        })
    }
}
