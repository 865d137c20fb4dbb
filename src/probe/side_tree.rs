//! The tree of one side to move, laid out for probing.

use super::on_demand::PagedTree;
use super::walker::{WalkNode, Walker};
use crate::chess::model::{Coordinates, VariableSet};
use crate::chess::position::{PackedSquares, Wdl};
use crate::error::Result;
use crate::pcn::{StaticFunction, Tree};
use alloc::boxed::Box;

/// A tree, or the top of a tree in pages. A page is decoded when a probe first reaches it.
#[derive(Debug)]
pub(super) struct SideTree {
    pub(super) walker: Walker,
    pub(super) exceptions: StaticFunction,
    pub(super) pages: Option<Box<PagedTree>>,
}

impl SideTree {
    /// Returns `tree`, over the variables of `variables`, laid out for probing.
    pub(super) fn new(tree: &Tree, variables: &VariableSet) -> Self {
        SideTree {
            walker: Walker::new(tree.nodes().iter().map(|node| node.map(Some)), variables),
            exceptions: tree.exceptions().clone(),
            pages: None,
        }
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        let pages = self.pages.as_ref().map_or(0, |pages| pages.memory());
        self.walker.memory() + self.exceptions.memory() + pages
    }

    /// Returns the outcome of a position of the material of `variables`.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when the position's page is damaged.
    #[inline]
    pub(super) fn outcome(
        &self,
        variables: &VariableSet,
        squares: PackedSquares,
        en_passant: Option<u8>,
    ) -> Result<Wdl> {
        // Many positions reach a leaf here and need no view.
        let (at, leaf) = self.walker.walk_by_offsets(0, Coordinates::new(squares));
        if let Some(outcome) = leaf.and_then(WalkNode::certain) {
            return Ok(outcome);
        }
        let view = &variables.view_of(squares, en_passant);
        let leaf = self.walker.walk(at, view, |_, _| ());
        if let Some(outcome) = leaf.certain() {
            return Ok(outcome);
        }
        let leaf = match (leaf.cut(), &self.pages) {
            (Some(cut), Some(pages)) => {
                pages.with_page(cut, |page, tree| page.walk(tree, view, |_, _| ()))?
            }
            _ => leaf,
        };
        Ok(leaf.decide(&self.exceptions, view).0)
    }
}
