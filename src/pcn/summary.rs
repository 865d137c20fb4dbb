//! What a file says about itself: its header, its sizes and counts, without the positions that are exceptions.
//!
//! Which positions these are is known only to whoever enumerates all positions of the side to move, a second or so for
//! four men; how many they are, and everything else about a file, stands in its bytes.

use super::content::{Layers, Side, Turns};
use super::read::{Decoded, Ranks};
use super::tree::Tree;
use crate::error::Result;
use crate::model::Model;
use crate::position::{Color, Material, Wdl};

/// The figures of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The material.
    pub material: Material,
    /// The input model that the clauses speak of.
    pub model: Model,
    /// How the sections divide the outcomes.
    pub layers: Layers,
    /// The hash of the outcome table that the clauses were made from and checked against.
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
    /// Bytes of all lists of clauses, each counted once for whichever sides it speaks. The rest of the file are headers.
    pub list_bytes: usize,
}

/// The figures of one side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideSummary {
    /// The side to move.
    pub turn: Color,
    /// Its leading man and its default.
    pub side: Side,
    /// Bytes of its tree or its clauses in the file, those for either side included.
    pub bytes: usize,
    /// Number of its clauses, those for either side included; a leaf of a tree is a clause, and so is an exception.
    pub clauses: usize,
    /// Number of literals in these.
    pub literals: usize,
    /// Its tree, if it has one.
    pub tree: Option<TreeSummary>,
}

/// The figures of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeSummary {
    /// Number of leaves.
    pub leaves: usize,
    /// Number of exceptions at all of them.
    pub exceptions: usize,
}

/// The figures of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectionSummary {
    /// The sides to move that it speaks for.
    pub turns: Turns,
    /// What it states, for the side to move.
    pub outcome: Wdl,
    /// Number of its clauses.
    pub clauses: usize,
}

impl Summary {
    /// Returns the figures of a file with these bytes. Any bytes are acceptable. Everything is read and checked but the
    /// ranks of exceptions, so that no positions are enumerated; takes time in proportion to the bytes.
    ///
    /// # Errors
    /// Those of [`Pcn::decode`](crate::Pcn::decode), but for ranks that contradict the positions.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let Decoded { pcn, payloads, .. } = Decoded::new(bytes, Ranks::Ignored)?;
        let layout = pcn.layout();
        let side = |((&side, tree), &turn): ((&Side, &Option<Tree>), &Color)| {
            let tree = tree.as_ref();
            let mut clauses = tree.map_or(0, Tree::clauses);
            let mut literals = tree.map_or(0, |tree| tree.literals(pcn.material().len()));
            for (_, section) in pcn.sections_for(turn) {
                clauses += section.clauses.len();
                literals += section.literals(&layout);
            }
            let payloads = payloads.iter().filter(|(turns, _)| turns.contains(turn));
            let bytes = payloads.map(|(_, bytes)| bytes).sum();
            let tree =
                tree.map(|tree| TreeSummary { leaves: tree.leaves().len(), exceptions: tree.exceptions() });
            SideSummary { turn, side, bytes, clauses, literals, tree }
        };
        let sections = pcn.sections().iter().map(|section| SectionSummary {
            turns: section.turns,
            outcome: section.outcome,
            clauses: section.clauses.len(),
        });
        // No list speaks for a side with a tree.
        let is_tree =
            |turns: Turns| Color::BOTH.iter().any(|&turn| turns.contains(turn) && pcn.tree(turn).is_some());
        let sum = |of_trees| {
            let payloads = payloads.iter().filter(|&&(turns, _)| is_tree(turns) == of_trees);
            payloads.map(|(_, bytes)| bytes).sum()
        };
        Ok(Summary {
            tree_bytes: sum(true),
            list_bytes: sum(false),
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
