//! The tables opened by `tb_init`.
//!
//! One thread may probe while another calls `tb_init` or `tb_free`: the probe continues with the old tables, which are freed
//! after it.

use crate::ffi::path_of;
use arc_swap::{ArcSwapOption, Guard};
use cubebase::Tables;
use std::sync::Arc;

static OPENED: ArcSwapOption<Tables> = ArcSwapOption::const_empty();

/// The separator of paths in a list.
const SEPARATOR: u8 = if cfg!(windows) { b';' } else { b':' };

/// An empty path in UCI.
const EMPTY: &[u8] = b"<empty>";

/// The tables, if they have been opened.
#[inline]
pub(crate) fn tables() -> Guard<Option<Arc<Tables>>> {
    OPENED.load()
}

/// Replaces the open tables by the embedded ones and those of the list `paths`. Returns whether each path could be read and
/// has tables, and the men of the largest table.
pub(crate) fn open(paths: &[u8]) -> (bool, u32) {
    let Ok(mut tables) = Tables::embedded() else { return (false, 0) };
    let mut all_found = true;
    let paths = if paths == EMPTY { &[] } else { paths };
    for path in paths.split(|&byte| byte == SEPARATOR).filter(|path| !path.is_empty()) {
        let opened = path_of(path).and_then(|path| Tables::open(path).ok());
        let has_tables =
            |opened: &Tables| !opened.materials().is_empty() || !opened.distance_materials().is_empty();
        let found = opened.filter(has_tables);
        all_found &= found.is_some();
        found.into_iter().for_each(|found| tables.add_tables(found));
    }
    let largest = tables.materials().iter().map(|material| material.len() as u32).max().unwrap_or(0);
    OPENED.store(Some(Arc::new(tables)));
    (all_found, largest)
}

/// Closes all tables.
pub(crate) fn close() {
    OPENED.store(None);
}
