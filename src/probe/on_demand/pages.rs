//! Trees whose pages are decoded when a probe first needs them, and kept. A probe that needs a decoded page takes no lock.

use super::decoding_limit::DecodingLimit;
use super::lazy_slot::LazySlot;
use super::source::TableOrigin;
use crate::bytes::Bytes;
use crate::chess::model::VariableSet;
use crate::chess::position::Material;
use crate::error::Result;
use crate::pcn::{Fresh, Node, Top};
use crate::probe::walker::Walker;
use std::iter;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
pub(in crate::probe) struct PagedTree {
    source: PagesSource,
    /// The top, from whose counters pages are decoded. It takes about 1 MB, up to 3 MB more until a page is decoded, and is dropped once all pages are decoded.
    top: Mutex<Option<Arc<Top>>>,
    pages: Box<[LazySlot<Walker>]>,
    /// The number of decoded pages.
    decoded: AtomicUsize,
    /// The page of each cut subtree.
    pub(super) page_of: Vec<u32>,
    /// The first cut subtree of each page.
    pub(super) first: Vec<u32>,
    /// For each cut subtree, and for the end of the tree, two numbers of leaves before it: leaves of the top, and leaves of other
    /// cut subtrees. Counted when they are first needed.
    #[cfg(feature = "explain")]
    pub(super) leaves: LazySlot<Vec<(usize, usize)>>,
    limit: Arc<DecodingLimit>,
}

/// The data that pages are decoded from.
#[derive(Debug)]
pub(super) struct PagesSource {
    /// The code of the tree's nodes.
    pub(super) nodes: Bytes,
    /// Parts of the variables.
    pub(super) parts: Vec<u8>,
    pub(super) has_exceptions: bool,
    pub(super) variables: VariableSet,
    pub(super) material: Material,
    pub(super) origin: TableOrigin,
    /// The number of the tree's section.
    pub(super) section: usize,
}

impl PagedTree {
    /// Returns the tree with the top `top` and no page decoded.
    pub(super) fn new(top: Top, source: PagesSource, limit: &Arc<DecodingLimit>) -> Self {
        let (mut page_of, mut first) = (Vec::new(), Vec::new());
        for (page, cuts) in top.pages().enumerate() {
            first.push(page_of.len() as u32);
            page_of.extend(iter::repeat_n(page as u32, cuts));
        }
        PagedTree {
            source,
            top: Mutex::new(Some(Arc::new(top))),
            pages: first.iter().map(|_| LazySlot::new(None)).collect(),
            decoded: AtomicUsize::new(0),
            page_of,
            first,
            #[cfg(feature = "explain")]
            leaves: LazySlot::new(None),
            limit: Arc::clone(limit),
        }
    }

    /// Number of pages.
    pub(super) fn len(&self) -> usize {
        self.pages.len()
    }

    /// Bytes of memory, the top and decoded pages included.
    pub(in crate::probe) fn memory(&self) -> usize {
        let pages: usize = self.pages.iter().filter_map(LazySlot::get).map(Walker::memory).sum();
        let top = self.held_top().as_ref().map_or(0, |top| top.memory());
        let index = size_of_val(&self.page_of[..]) + size_of_val(&self.first[..]);
        size_of_val(&self.pages[..]) + index + top + pages
    }

    /// Calls `visit` with the page of cut subtree number `cut`, and with the subtree's number in the page. Decodes the page first
    /// if it is not decoded.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when the page is damaged.
    pub(in crate::probe) fn with_page<T>(
        &self,
        cut: usize,
        visit: impl FnOnce(&Walker, usize) -> T,
    ) -> Result<T> {
        let page = self.page_of[cut] as usize;
        let tree = cut - self.first[page] as usize;
        let walker = self.pages[page].get().map_or_else(|| self.load(page), Ok)?;
        Ok(visit(walker, tree))
    }

    /// Returns a page, and decodes it first if it is not decoded.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when the page is damaged.
    #[cold]
    pub(super) fn load(&self, page: usize) -> Result<&Walker> {
        self.pages[page].make(|| {
            let fresh = self.held_top().as_mut().and_then(|top| Arc::get_mut(top)?.take_fresh());
            let top = self.top()?;
            let nodes = self.decode(&top, page, fresh)?.into_iter().map(|node| node.map(Some));
            if self.decoded.fetch_add(1, Ordering::Relaxed) + 1 == self.len() {
                *self.held_top() = None;
            }
            Ok(Walker::new(nodes, &self.source.variables))
        })
    }

    /// Decodes all pages but damaged ones. Calls `go_on` before each page but the first, and stops when it returns false.
    ///
    /// # Errors
    /// That of the first damaged page, as of [`Pcn::decode`](crate::Pcn::decode).
    pub(super) fn load_all(&self, go_on: impl Fn() -> bool) -> Result<()> {
        let mut first_error = Ok(());
        for page in 0..self.pages.len() {
            if page > 0 && !go_on() {
                break;
            }
            first_error = first_error.and(self.load(page).map(|_| ()));
        }
        first_error
    }

    pub(super) fn decode(&self, top: &Top, page: usize, fresh: Option<Fresh>) -> Result<Vec<Node>> {
        let PagesSource { nodes, material, origin, section, .. } = &self.source;
        let allowed = self.limit.check(top.page_bytes(page));
        allowed.and_then(|()| Ok(top.page(nodes, page, fresh)?.0)).map_err(|error| {
            let error = error.in_field(format!("page {page}")).in_field(format!("section {section}"));
            origin.add_to(error, material)
        })
    }

    /// The top, decoded again if it was dropped.
    pub(super) fn top(&self) -> Result<Arc<Top>> {
        if let Some(top) = &*self.held_top() {
            return Ok(Arc::clone(top));
        }
        let PagesSource { nodes, parts, has_exceptions, material, origin, .. } = &self.source;
        let top = Top::read(nodes, parts, *has_exceptions).map_err(|error| origin.add_to(error, material))?;
        Ok(Arc::new(top))
    }

    fn held_top(&self) -> MutexGuard<'_, Option<Arc<Top>>> {
        self.top.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
