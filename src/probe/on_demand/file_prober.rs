//! Probers of files.

use super::file::File;
use super::lazy_slot::LazySlot;
use crate::chess::model::VariableSet;
use crate::covers::frozen::Matcher;
use crate::error::Result;
use crate::files::read_regular;
use crate::pcn::CastlingExceptions;
use crate::probe::Prober;
use crate::probe::prober::TurnProber;
use crate::probe::side_tree::SideTree;
use std::path::Path;

impl Prober {
    /// Reads the .pcn file at `path`.
    ///
    /// # Errors
    /// Those of [`Pcn::read`](crate::Pcn::read).
    pub fn read(path: &Path) -> Result<Self> {
        Self::decode(&read_regular(path)?).map_err(|error| error.in_file(path))
    }

    /// Returns the prober of `file`, whose trees are decoded at their first probe.
    pub(super) fn of_file(file: File, variables: VariableSet) -> Self {
        let material = file.header.material;
        let side = |(side, &anchor): (usize, &usize)| {
            let rule_tree = file.header.rule_tree(side).map(|number| (number, LazySlot::new(None)));
            TurnProber::new(&material, anchor, None, rule_tree)
        };
        Prober {
            material,
            variables,
            sides: file.header.anchors.iter().enumerate().map(side).collect(),
            covers: None,
            hash: file.header.table_hash,
            knows_rule: file.header.knows_rule,
            castling: LazySlot::new(None),
            file: Some(file),
        }
    }

    /// Decodes the trees of the stored side `side` and their pages. Calls `go_on` between pages, and stops when it returns false.
    pub(super) fn preload(&self, side: usize, go_on: impl Fn() -> bool) -> Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let TurnProber { tree, rule_tree, .. } = &self.sides[side];
        let trees = rule_tree.iter().map(|(number, tree)| (*number, tree));
        for (number, tree) in std::iter::once((side, tree)).chain(trees) {
            let tree = file.load(number, tree, &self.variables)?;
            tree.pages.as_ref().map_or(Ok(()), |pages| pages.load_all(&go_on))?;
        }
        Ok(())
    }

    /// Bytes of the file from which trees are decoded.
    pub(super) fn file_bytes(&self) -> usize {
        self.file.as_ref().map_or(0, |file| file.bytes.len())
    }

    /// Bytes of memory of the decoded trees, covers and castling rights.
    pub(super) fn memory(&self) -> usize {
        let rule_trees = self.sides.iter().filter_map(|side| side.rule_tree.as_ref()?.1.get());
        let trees = self.sides.iter().filter_map(|side| side.tree.get()).chain(rule_trees);
        let trees = trees.map(SideTree::memory);
        let castling = self.castling.get().and_then(Option::as_ref).map(CastlingExceptions::memory);
        trees.chain(self.covers.as_deref().map(Matcher::memory)).chain(castling).sum()
    }
}
