//! The tables opened by `tb_init`.
//!
//! One thread may probe while another calls `tb_init` or `tb_free`: the probe continues with the old tables, which are freed
//! after it.

use crate::ffi::path_of;
use arc_swap::{ArcSwapOption, Guard};
use cubebase::Tables;
use cubebase::probe::{DISTANCES, EXTENSION, RANKING};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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

/// Waits until no other thread opens or closes tables, so that `TB_LARGEST` is that of the open ones.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static OPENING: Mutex<()> = Mutex::new(());
    OPENING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Replaces the open tables by the embedded ones and those of the list `paths`. Returns whether each path could be read and has
/// tables, none of them empty or found to be damaged, and the men of the largest table.
pub(crate) fn open(paths: &[u8]) -> (bool, u32) {
    let Ok(mut tables) = Tables::embedded() else { return (false, 0) };
    let mut all_found = true;
    let paths = if paths == EMPTY { &[] } else { paths };
    for path in paths.split(|&byte| byte == SEPARATOR).filter(|path| !path.is_empty()) {
        let Some((path, found)) = path_of(path).and_then(|path| Some((path, Tables::open(path).ok()?)))
        else {
            all_found = false;
            continue;
        };
        let (outcomes, distances, rankings) =
            (found.materials(), found.distance_materials(), found.ranking_materials());
        let names = outcomes.iter().map(|material| format!("{material}.{EXTENSION}"));
        let names = names.chain(distances.iter().map(|material| format!("{material}.{DISTANCES}")));
        let names = names.chain(rankings.iter().map(|material| format!("{material}.{RANKING}")));
        let sizes = names.map(|name| std::fs::metadata(path.join(name)).map(|file| file.len()).ok());
        let has_tables = !(outcomes.is_empty() && distances.is_empty() && rankings.is_empty());
        all_found &= has_tables && sizes.into_iter().all(|size| size != Some(0));
        all_found &= tables.add_undamaged_tables(found);
    }
    let largest = tables.materials().iter().map(|material| material.len() as u32).max().unwrap_or(0);
    OPENED.store(Some(Arc::new(tables)));
    (all_found, largest)
}

/// Closes all tables.
pub(crate) fn close() {
    OPENED.store(None);
}
