//! A file whose trees are decoded at their first probe.

use super::budget::Budget;
use super::lazy_slot::LazySlot;
use super::name::Name;
use super::pages::{PagedTree, PagesSource};
use crate::bytes::Bytes;
use crate::chess::model::VariableSet;
use crate::error::Result;
use crate::pcn::{CastlingExceptions, Header, Lazy};
use crate::probe::side_tree::SideTree;
use crate::probe::walker::Walker;
use std::sync::Arc;

/// The file of a table.
#[derive(Debug)]
pub(in crate::probe) struct File {
    pub(super) header: Header,
    pub(super) bytes: Bytes,
    pub(super) name: Name,
    /// Parts of the variables.
    parts: Vec<u8>,
    budget: Arc<Budget>,
}

impl File {
    /// Returns the file with these bytes and this header, over the variables of `plan`.
    pub(super) fn new(
        header: Header,
        bytes: Bytes,
        plan: &VariableSet,
        name: &Name,
        budget: &Arc<Budget>,
    ) -> Self {
        File { header, bytes, name: name.clone(), parts: plan.values(), budget: Arc::clone(budget) }
    }

    /// Returns the tree of the stored side `side`, or its top; decodes it into `tree` if that is empty.
    pub(in crate::probe) fn load<'a>(
        &self,
        side: usize,
        tree: &'a LazySlot<SideTree>,
        plan: &VariableSet,
    ) -> Result<&'a SideTree> {
        tree.make(|| {
            let allowed = self.budget.check_decoding(self.header.decoded_at_once(Some(side)));
            let tree = allowed.and_then(|()| self.header.tree(&self.bytes, side, &self.parts));
            let tree = match self.in_file(tree)? {
                Lazy::Whole(tree) => SideTree::new(&tree, plan),
                Lazy::Top { top, nodes, section, exceptions } => {
                    let walker = Walker::new(top.nodes().iter().copied(), plan);
                    let source = PagesSource {
                        nodes: self.bytes.part(nodes),
                        parts: self.parts.clone(),
                        has_exceptions: !exceptions.is_empty(),
                        plan: plan.clone(),
                        material: self.header.material,
                        name: self.name.clone(),
                        section,
                    };
                    SideTree { walker, exceptions, pages: Some(PagedTree::new(*top, source, &self.budget)) }
                }
            };
            self.budget.keep(tree.memory());
            Ok(tree)
        })
    }

    /// Returns the positions with castling rights, if the file has any; reads them into `castling` if that is empty.
    pub(in crate::probe) fn load_castling<'a>(
        &self,
        castling: &'a LazySlot<Option<CastlingExceptions>>,
    ) -> Result<Option<&'a CastlingExceptions>> {
        let castling = castling.make(|| {
            self.in_file(self.budget.check_decoding(self.header.castling_bytes()))?;
            let castling = self.in_file(self.header.castling(&self.bytes))?;
            self.budget.keep(castling.as_ref().map_or(0, CastlingExceptions::memory));
            Ok(castling)
        });
        castling.map(Option::as_ref)
    }

    /// Whether the cap leaves no room.
    pub(super) fn is_full(&self) -> bool {
        self.budget.is_full(0)
    }

    /// Decodes pages of `tree` until the cap leaves no room, passing over damaged ones. Ends early when `go_on`, called before
    /// each page but the first, is false.
    ///
    /// # Errors
    /// That of the first damaged page, as of [`Pcn::decode`](crate::Pcn::decode).
    pub(super) fn load_pages(&self, tree: &SideTree, go_on: impl Fn() -> bool) -> Result<()> {
        let Some(pages) = &tree.pages else { return Ok(()) };
        let (mut size, mut first_error) = (0, Ok(()));
        for page in 0..pages.len() {
            if self.budget.is_full(size) || page > 0 && !go_on() {
                break;
            }
            match pages.load(page) {
                Ok(page) => size = page.memory(),
                Err(error) => first_error = first_error.and(Err(error)),
            }
        }
        first_error
    }

    fn in_file<T>(&self, result: Result<T>) -> Result<T> {
        result.map_err(|error| self.name.add_to(error, &self.header.material))
    }
}
