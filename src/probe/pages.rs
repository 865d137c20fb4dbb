//! Pages of trees that are decoded when they are first met and, beyond a cap on memory, let go again.
//!
//! A probe that meets a decoded page takes no lock.

use super::budget::{Budget, Part, Slot};
use super::file::Name;
use super::walker::Walker;
use crate::bytes::Bytes;
use crate::error::Result;
use crate::model::Plan;
use crate::pcn::{Below, Top};
use crate::position::Material;
use std::sync::Arc;

/// A tree in pages.
#[derive(Debug)]
pub(super) struct PagedTree {
    source: PagesSource,
    /// What pages are decoded with.
    pub(super) top: Slot<Top>,
    pub(super) pages: Vec<Slot<Walker>>,
    /// By number of a subtree that is cut out: the page where it is. By page: which is its first subtree.
    page_of: Vec<u32>,
    first: Vec<u32>,
    budget: Arc<Budget>,
}

/// Where pages come from.
#[derive(Debug)]
pub(super) struct PagesSource {
    /// The code of the tree's nodes.
    pub(super) nodes: Bytes,
    /// Parts of the variables.
    pub(super) parts: Vec<u8>,
    pub(super) has_exceptions: bool,
    pub(super) plan: Plan,
    pub(super) material: Material,
    pub(super) name: Name,
}

impl PagedTree {
    /// Returns the tree with the top `top` and no page decoded.
    pub(super) fn new(top: Top, source: PagesSource, budget: &Arc<Budget>) -> Arc<Self> {
        let (mut pages, mut page_of, mut first) = (Vec::new(), Vec::new(), Vec::new());
        for (page, cuts) in top.pages().enumerate() {
            pages.push(Slot::default());
            first.push(page_of.len() as u32);
            page_of.extend(std::iter::repeat_n(page as u32, cuts));
        }
        let budget = Arc::clone(budget);
        let all = Arc::new(PagedTree { source, top: Slot::default(), pages, page_of, first, budget });
        all.hold_top(Arc::new(top));
        all
    }

    /// Number of pages.
    pub(super) fn len(&self) -> usize {
        self.pages.len()
    }

    /// Bytes of memory that all but the top and the pages take.
    pub(super) fn memory(&self) -> usize {
        size_of_val(&self.pages[..]) + size_of_val(&self.page_of[..]) + size_of_val(&self.first[..])
    }

    /// Calls `ask` with the page that has subtree number `cut` of those cut out, and with the subtree's number there. The page
    /// is decoded if it is not there.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when the page is damaged.
    pub(super) fn ask<T>(self: &Arc<Self>, cut: usize, ask: impl Fn(&Walker, usize) -> T) -> Result<T> {
        let page = self.page_of[cut] as usize;
        let tree = cut - self.first[page] as usize;
        match self.pages[page].read(|walker| walker.map(|walker| ask(walker, tree))) {
            Some(answer) => Ok(answer),
            None => Ok(ask(&*self.load(page)?, tree)),
        }
    }

    /// Decodes a page unless it is there.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when the page is damaged.
    #[cold]
    pub(super) fn load(self: &Arc<Self>, page: usize) -> Result<Arc<Walker>> {
        let slot = &self.pages[page];
        let _filling = slot.filling();
        if let Some(walker) = slot.get() {
            return Ok(walker);
        }
        let PagesSource { nodes, plan, material, name, .. } = &self.source;
        let nodes = self.top()?.page(nodes, page).map_err(|error| {
            let error = error.in_field(format!("page {page} of a tree"));
            name.tell(material, error)
        })?;
        let walker = Arc::new(Walker::new(nodes.into_iter().map(|node| node.map(Below::Leaf)), plan));
        slot.fill(Arc::clone(&walker));
        self.budget.hold(Arc::downgrade(self), Part::Page(page), walker.memory());
        Ok(walker)
    }

    /// The top, which is decoded again if it was let go.
    fn top(self: &Arc<Self>) -> Result<Arc<Top>> {
        let _filling = self.top.filling();
        if let Some(top) = self.top.get() {
            return Ok(top);
        }
        let PagesSource { nodes, parts, has_exceptions, material, name, .. } = &self.source;
        let top = Top::read(nodes, parts, *has_exceptions).map_err(|error| name.tell(material, error))?;
        let top = Arc::new(top);
        self.hold_top(Arc::clone(&top));
        Ok(top)
    }

    fn hold_top(self: &Arc<Self>, top: Arc<Top>) {
        let bytes = top.memory();
        self.top.fill(top);
        self.budget.hold(Arc::downgrade(self), Part::Top, bytes);
    }

    /// Empties the place of `part` unless that was used since this was last asked; returns whether it did.
    #[cfg(feature = "cap")]
    pub(super) fn let_go(&self, part: Part) -> bool {
        match part {
            Part::Top => self.top.let_go(),
            Part::Page(page) => self.pages[page].let_go(),
        }
    }
}
