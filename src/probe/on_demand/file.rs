//! A file whose trees are decoded at their first probe.

use super::decoding_limit::DecodingLimit;
use super::lazy_slot::LazySlot;
use super::pages::{PagedTree, PagesSource};
use super::source::TableOrigin;
use crate::bytes::Bytes;
use crate::chess::model::VariableSet;
use crate::error::Result;
use crate::pcn::{CastlingExceptions, Header, TreeOrTop};
use crate::probe::side_tree::SideTree;
use crate::probe::walker::Walker;
use std::sync::Arc;

/// The file of a table.
#[derive(Debug)]
pub(in crate::probe) struct File {
    pub(super) header: Header,
    pub(super) bytes: Bytes,
    pub(super) origin: TableOrigin,
    /// Parts of the variables.
    parts: Vec<u8>,
    limit: Arc<DecodingLimit>,
}

impl File {
    /// Returns the file with these bytes and this header, over the variables of `variables`.
    pub(super) fn new(
        header: Header,
        bytes: Bytes,
        variables: &VariableSet,
        origin: &TableOrigin,
        limit: &Arc<DecodingLimit>,
    ) -> Self {
        File { header, bytes, origin: origin.clone(), parts: variables.values(), limit: Arc::clone(limit) }
    }

    /// Returns the tree with this number in the file, or its top; decodes it into `tree` if that is empty.
    pub(in crate::probe) fn load<'a>(
        &self,
        number: usize,
        tree: &'a LazySlot<SideTree>,
        variables: &VariableSet,
    ) -> Result<&'a SideTree> {
        tree.make(|| {
            let allowed = self.limit.check(self.header.decoded_at_once(Some(number)));
            let tree = allowed.and_then(|()| self.header.tree(&self.bytes, number, &self.parts));
            let tree = match self.in_file(tree)? {
                TreeOrTop::Whole(tree) => SideTree::new(&tree, variables),
                TreeOrTop::Top { top, nodes, section, exceptions } => {
                    let walker = Walker::new(top.nodes().iter().copied(), variables);
                    let source = PagesSource {
                        nodes: self.bytes.part(nodes),
                        parts: self.parts.clone(),
                        has_exceptions: !exceptions.is_empty(),
                        variables: variables.clone(),
                        material: self.header.material,
                        origin: self.origin.clone(),
                        section,
                    };
                    SideTree {
                        walker,
                        exceptions,
                        pages: Some(Box::new(PagedTree::new(*top, source, &self.limit))),
                    }
                }
            };
            Ok(tree)
        })
    }

    /// Returns the castling exceptions, if the file has castling rights; reads them into `castling` if that is empty.
    pub(in crate::probe) fn load_castling<'a>(
        &self,
        castling: &'a LazySlot<Option<CastlingExceptions>>,
    ) -> Result<Option<&'a CastlingExceptions>> {
        let castling = castling.make(|| {
            self.in_file(self.limit.check(self.header.castling_bytes()))?;
            let castling = self.in_file(self.header.castling(&self.bytes))?;
            Ok(castling)
        });
        castling.map(Option::as_ref)
    }

    fn in_file<T>(&self, result: Result<T>) -> Result<T> {
        result.map_err(|error| self.origin.add_to(error, &self.header.material))
    }
}
