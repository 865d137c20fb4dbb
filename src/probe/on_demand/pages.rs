//! Trees whose pages are decoded when a probe first needs them and evicted beyond a cap on memory. A probe that needs a
//! decoded page takes no lock.

use super::budget::{Budget, Evictable, Part, Slot};
use super::name::Name;
use super::shared_slot::CAN_EVICT;
use crate::bytes::Bytes;
use crate::chess::model::VariableSet;
use crate::chess::position::Material;
use crate::error::Result;
use crate::pcn::{Node, Top};
use crate::probe::walker::Walker;
use std::iter;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

#[derive(Debug)]
pub(in crate::probe) struct PagedTree {
    source: PagesSource,
    /// The top, which decoding a page needs. With feature `cap` it is dropped while all pages are there.
    top: Slot<Top>,
    pages: Vec<Slot<Walker>>,
    /// The number of pages that are there.
    decoded: AtomicUsize,
    /// The page of each cut subtree.
    pub(super) page_of: Vec<u32>,
    /// The first cut subtree of each page.
    pub(super) first: Vec<u32>,
    /// For each cut subtree, and for the end of the tree: the leaves of the top before it, and the leaves of the subtrees
    /// before it. Counted when they are first needed.
    #[cfg(feature = "explain")]
    pub(super) leaves: super::lazy_slot::LazySlot<Vec<(usize, usize)>>,
    budget: Arc<Budget>,
}

/// The data that pages are decoded from.
#[derive(Debug)]
pub(super) struct PagesSource {
    /// The code of the tree's nodes.
    pub(super) nodes: Bytes,
    /// Parts of the variables.
    pub(super) parts: Vec<u8>,
    pub(super) has_exceptions: bool,
    pub(super) plan: VariableSet,
    pub(super) material: Material,
    pub(super) name: Name,
    /// The section in which the tree is.
    pub(super) section: usize,
}

impl PagedTree {
    /// Returns the tree with the top `top` and no page decoded.
    pub(super) fn new(top: Top, source: PagesSource, budget: &Arc<Budget>) -> Arc<Self> {
        let (mut pages, mut page_of, mut first) = (Vec::new(), Vec::new(), Vec::new());
        for (page, cuts) in top.pages().enumerate() {
            pages.push(Slot::default());
            first.push(page_of.len() as u32);
            page_of.extend(iter::repeat_n(page as u32, cuts));
        }
        let tree = Arc::new(PagedTree {
            source,
            top: Slot::default(),
            pages,
            decoded: AtomicUsize::new(0),
            page_of,
            first,
            #[cfg(feature = "explain")]
            leaves: super::lazy_slot::LazySlot::new(None),
            budget: Arc::clone(budget),
        });
        tree.hold_top(Arc::new(top));
        tree
    }

    /// Number of pages.
    pub(super) fn len(&self) -> usize {
        self.pages.len()
    }

    /// Bytes of memory without the top and the pages.
    pub(in crate::probe) fn memory(&self) -> usize {
        size_of_val(&self.pages[..]) + size_of_val(&self.page_of[..]) + size_of_val(&self.first[..])
    }

    /// Calls `ask` with the page of the cut subtree number `cut`, and with the subtree's number in it. Decodes the page if it
    /// is not there.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when the page is damaged.
    pub(in crate::probe) fn ask<T>(
        self: &Arc<Self>,
        cut: usize,
        mut ask: impl FnMut(&Walker, usize) -> T,
    ) -> Result<T> {
        let page = self.page_of[cut] as usize;
        let tree = cut - self.first[page] as usize;
        match self.pages[page].read(|walker| walker.map(|walker| ask(walker, tree))) {
            Some(answer) => Ok(answer),
            None => Ok(ask(&*self.load(page)?, tree)),
        }
    }

    /// Returns a page, decoded unless it is there.
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
        let nodes = self.decode(page)?.into_iter().map(|node| node.map(Some));
        let walker = Arc::new(Walker::new(nodes, &self.source.plan));
        slot.fill(Arc::clone(&walker));
        self.decoded.fetch_add(1, Ordering::Relaxed);
        self.budget.hold(self.weak(), Part::Page(page), walker.memory());
        if CAN_EVICT && self.decoded.load(Ordering::Relaxed) == self.len() {
            self.budget.release(&self.weak(), Part::Top, || self.top.clear());
        }
        Ok(walker)
    }

    pub(super) fn decode(self: &Arc<Self>, page: usize) -> Result<Vec<Node>> {
        let PagesSource { nodes, material, name, section, .. } = &self.source;
        let top = self.top()?;
        let allowed = self.budget.check_decoding(top.page_bytes(page));
        allowed.and_then(|()| top.page(nodes, page)).map_err(|error| {
            let error = error.in_field(format!("page {page}")).in_field(format!("section {section}"));
            name.add_to(error, material)
        })
    }

    /// The top, decoded again if it was evicted.
    pub(super) fn top(self: &Arc<Self>) -> Result<Arc<Top>> {
        let _filling = self.top.filling();
        if let Some(top) = self.top.get() {
            return Ok(top);
        }
        let PagesSource { nodes, parts, has_exceptions, material, name, .. } = &self.source;
        let top = Top::read(nodes, parts, *has_exceptions).map_err(|error| name.add_to(error, material))?;
        let top = Arc::new(top);
        self.hold_top(Arc::clone(&top));
        Ok(top)
    }

    fn hold_top(self: &Arc<Self>, top: Arc<Top>) {
        let bytes = top.memory();
        self.top.fill(top);
        self.budget.hold(self.weak(), Part::Top, bytes);
    }

    /// A weak reference to the tree, for the budget.
    fn weak(self: &Arc<Self>) -> Weak<dyn Evictable> {
        let tree: Arc<dyn Evictable> = Arc::clone(self) as _;
        Arc::downgrade(&tree)
    }
}

impl Evictable for PagedTree {
    fn evict(&self, part: Part, in_any_case: bool) -> bool {
        match part {
            Part::Top => self.top.evict(in_any_case),
            Part::Page(page) => {
                let is_evicted = self.pages[page].evict(in_any_case);
                self.decoded.fetch_sub(usize::from(is_evicted), Ordering::Relaxed);
                is_evicted
            }
        }
    }
}

#[cfg(all(test, feature = "cap"))]
mod tests {
    use super::super::file::File;
    use super::super::lazy_slot::LazySlot;
    use super::super::page_tests::fixture;
    use super::*;
    use crate::pcn::Header;
    use crate::pcn::noise::Noise;
    use std::borrow::Cow;
    use std::path::PathBuf;

    #[test]
    fn the_budget_counts_the_bytes_in_memory() {
        let bytes: Bytes = Cow::from(fixture()).into();
        let header = Header::read(&bytes).unwrap();
        let plan = header.model.variable_set(&header.material);
        let name = Name { path: PathBuf::new(), is_part: false };
        let budget = Arc::default();
        let file = File::new(header, bytes, &plan, &name, &budget);
        let side = LazySlot::new(None);
        let side = file.load(1, &side, &plan).unwrap();
        let (tree, fixed) = (side.pages.as_ref().unwrap(), side.memory());
        let there = || tree.pages.iter().filter_map(Slot::peek).map(|page| page.memory());
        let mut noise = Noise(3);
        let mut ask = |cap: usize| {
            let cut = noise.below(tree.page_of.len());
            tree.ask(cut, |_, _| ()).unwrap();
            assert!(tree.pages[tree.page_of[cut] as usize].peek().is_some());
            let top = tree.top.peek().map_or(0, |top| top.memory());
            assert_eq!(budget.parts(), there().sum::<usize>() + top);
            assert!(fixed + budget.parts() <= cap || there().count() + usize::from(top > 0) == 1);
            there().count()
        };
        for _ in 0..50 {
            ask(usize::MAX);
        }
        assert_eq!(there().count(), tree.len());
        assert!(tree.top.peek().is_none());
        let all = fixed + budget.parts();
        for cap in [0, all - 1] {
            budget.set_cap(cap);
            let counts: Vec<usize> = (0..50).map(|_| ask(cap)).collect();
            assert!(counts.iter().all(|&count| count < tree.len()), "{counts:?}");
        }
        // The top goes again once all pages are there again.
        budget.set_cap(usize::MAX);
        for _ in 0..50 {
            ask(usize::MAX);
        }
        assert!(there().count() == tree.len() && tree.top.peek().is_none());
    }
}
