//! In place of `on_demand` without feature `std`: all is there from the start, and there are neither files nor pages.

use super::side_tree::SideTree;
use super::walker::Walker;
use crate::error::Result;
use crate::model::Plan;
use alloc::sync::Arc;

/// Empty, or holding a value.
#[derive(Debug)]
pub(super) struct Later<T>(Option<T>);

impl<T> Later<T> {
    pub(super) fn new(value: Option<T>) -> Self {
        Later(value)
    }

    #[inline]
    pub(super) fn get(&self) -> Option<&T> {
        self.0.as_ref()
    }
}

/// There is none.
#[derive(Debug)]
pub(super) enum File {}

impl File {
    pub(super) fn load<'a>(&self, _: usize, _: &'a Later<SideTree>, _: &Plan) -> Result<&'a SideTree> {
        match *self {}
    }

    pub(super) fn load_castling<'a, T>(&self, _: &'a Later<Option<T>>) -> Result<Option<&'a T>> {
        match *self {}
    }
}

/// There is none.
#[derive(Debug)]
pub(super) enum PagedTree {}

impl PagedTree {
    pub(super) fn memory(&self) -> usize {
        match *self {}
    }

    pub(super) fn ask<T>(self: &Arc<Self>, _: usize, _: impl FnMut(&Walker, usize) -> T) -> Result<T> {
        match **self {}
    }
}
