//! Replaces `on_demand` without feature `std`: every tree is decoded from the start, and there are neither files nor pages.

use super::side_tree::SideTree;
use super::walker::Walker;
use crate::chess::model::VariableSet;
use crate::error::Result;

/// Empty, or holding a value.
#[derive(Debug)]
pub(super) struct LazySlot<T>(Option<T>);

impl<T> LazySlot<T> {
    pub(super) fn new(value: Option<T>) -> Self {
        LazySlot(value)
    }

    #[inline]
    pub(super) fn get(&self) -> Option<&T> {
        self.0.as_ref()
    }
}

/// No value exists: files need feature `std`.
#[derive(Debug)]
pub(super) enum File {}

impl File {
    pub(super) fn load<'a>(
        &self,
        _: usize,
        _: &'a LazySlot<SideTree>,
        _: &VariableSet,
    ) -> Result<&'a SideTree> {
        match *self {}
    }

    pub(super) fn load_castling<'a, T>(&self, _: &'a LazySlot<Option<T>>) -> Result<Option<&'a T>> {
        match *self {}
    }
}

/// No value exists: without files a tree is whole.
#[derive(Debug)]
pub(super) enum PagedTree {}

impl PagedTree {
    pub(super) fn memory(&self) -> usize {
        match *self {}
    }

    pub(super) fn with_page<T>(&self, _: usize, _: impl FnOnce(&Walker, usize) -> T) -> Result<T> {
        match *self {}
    }
}
