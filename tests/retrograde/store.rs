//! Stores: directories filled, continued, and refused because of a wrong file in them.

use super::sampling::material;
use cubebase::chess::retrograde::{Store, Table};
use cubebase::{Color, ErrorKind};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

fn store(directory: &TempDir) -> Store {
    Store::new(Some(directory.path().to_owned()))
}

fn files(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_store_writes_a_directory_and_reads_it_again() {
    let directory = tempfile::tempdir().unwrap();
    let (queen, rook) = (material("KQvK"), material("KRvK"));
    store(&directory).generate(&[queen]).unwrap();
    assert_eq!(files(directory.path()), ["KQvK.wdl", "KvK.wdl"]);

    assert_eq!(store(&directory).get(&queen).unwrap(), Store::new(None).get(&queen).unwrap());
    let untouched = std::fs::metadata(directory.path().join("KQvK.wdl")).unwrap().modified().unwrap();
    store(&directory).generate(&[queen, rook]).unwrap();
    assert_eq!(files(directory.path()), ["KQvK.wdl", "KRvK.wdl", "KvK.wdl"]);
    let now = std::fs::metadata(directory.path().join("KQvK.wdl")).unwrap().modified().unwrap();
    assert_eq!(untouched, now);

    std::fs::copy(directory.path().join("KQvK.wdl"), directory.path().join("KRvK.wdl")).unwrap();
    let swapped = store(&directory).get(&rook).unwrap_err();
    assert_eq!(swapped.kind(), ErrorKind::Corrupt, "{swapped}");
}

#[test]
fn a_cancelled_run_leaves_finished_tables_only_and_continues() {
    let directory = tempfile::tempdir().unwrap();
    let pawn = material("KPvK");
    let cancelled = store(&directory).with_progress(move |progress| {
        let stop = progress.material == pawn && progress.pass == 3;
        if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(cancelled.generate(&[pawn]).unwrap_err().kind(), ErrorKind::Cancelled);
    assert_eq!(files(directory.path()), ["KBvK.wdl", "KNvK.wdl", "KQvK.wdl", "KRvK.wdl", "KvK.wdl"]);
    store(&directory).generate(&[pawn]).unwrap();
    let read = Table::read(&directory.path().join("KPvK.wdl")).unwrap();
    assert_eq!(read, *Store::new(None).get(&pawn).unwrap());
}

/// A directory with the tables of `KPvK` and below.
fn pawn() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    store(&directory).generate(&[material("KPvK")]).unwrap();
    directory
}

/// A rerun names the file and the remedy, and leaves every file as it is.
#[track_caller]
fn assert_refused(directory: &TempDir, name: &str, kind: ErrorKind, why: &str) {
    let contents = || -> Vec<_> {
        let read = |name: &String| std::fs::read(directory.path().join(name)).unwrap();
        files(directory.path()).iter().map(read).collect()
    };
    let before = contents();
    let error = store(directory).generate(&[material("KPvK")]).unwrap_err();
    let text = error.to_string();
    assert_eq!(error.kind(), kind, "{text}");
    for part in [name, why, "remove this file"] {
        assert!(text.contains(part), "{text}");
    }
    assert!(before == contents(), "{name}: a file was changed");
}

#[test]
fn wrong_files_are_named_and_never_overwritten() {
    let directory = pawn();
    let path = directory.path().join("KQvK.wdl");
    let good = std::fs::read(&path).unwrap();
    std::fs::write(&path, "my notes on queens").unwrap();
    assert_refused(&directory, "KQvK.wdl", ErrorKind::BadMagic, "not a table");
    std::fs::write(&path, &good[..good.len() - 1]).unwrap();
    assert_refused(&directory, "KQvK.wdl", ErrorKind::Corrupt, "cut short");
    let mut damaged = good.clone();
    *damaged.last_mut().unwrap() ^= 1;
    std::fs::write(&path, &damaged).unwrap();
    assert_refused(&directory, "KQvK.wdl", ErrorKind::Corrupt, "damaged");
    std::fs::copy(directory.path().join("KRvK.wdl"), &path).unwrap();
    assert_refused(&directory, "KQvK.wdl", ErrorKind::Corrupt, "table of KRvK");
    std::fs::write(&path, &good).unwrap();
    store(&directory).generate(&[material("KPvK")]).unwrap();
}

/// Headers are looked at first: hours of work do not end at a file that was bad from the beginning.
#[test]
fn a_foreign_file_is_refused_before_anything_is_made() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("KPvK.wdl"), "not a table").unwrap();
    assert_refused(&directory, "KPvK.wdl", ErrorKind::BadMagic, "not a table");
    assert_eq!(files(directory.path()), ["KPvK.wdl"]);
}

#[test]
fn a_table_made_from_other_sub_tables_is_refused() {
    /// Places in the header of the hash of sub-tables and of the header's checksum.
    const SOURCES: usize = 104;
    const CHECKSUM: usize = 124;
    let directory = pawn();
    let path = directory.path().join("KPvK.wdl");
    let good = std::fs::read(&path).unwrap();
    assert_ne!(good[SOURCES..SOURCES + 8], [0; 8]);
    let with_sources = |sources: [u8; 8]| {
        let mut file = good.clone();
        file[SOURCES..SOURCES + 8].copy_from_slice(&sources);
        let checksum = crc32fast::hash(&file[..CHECKSUM]);
        file[CHECKSUM..CHECKSUM + 4].copy_from_slice(&checksum.to_le_bytes());
        std::fs::write(&path, file).unwrap();
    };
    with_sources([7; 8]);
    assert_refused(&directory, "KPvK.wdl", ErrorKind::Corrupt, "other sub-tables");
    // Zeros: no sub-tables are recorded.
    with_sources([0; 8]);
    store(&directory).generate(&[material("KPvK")]).unwrap();
}

#[test]
fn temporary_files_of_killed_runs_are_removed() {
    let directory = pawn();
    std::fs::write(directory.path().join(".unfinished-abcdef.tmp"), "half a table").unwrap();
    store(&directory).generate(&[material("KQvK")]).unwrap();
    assert!(files(directory.path()).iter().all(|name| !name.starts_with('.')));
}

#[test]
fn every_table_is_reported_once_when_it_is_finished() {
    let directory = tempfile::tempdir().unwrap();
    let run = || {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&seen);
        let store = store(&directory).with_finished(move |finished| {
            let name = finished.table.material().to_string();
            shared.lock().unwrap().push((name, finished.is_new, finished.table.counts(Color::Black)));
        });
        store.generate(&[material("KPvK"), material("KQvK")]).unwrap();
        drop(store);
        let mut seen = Arc::into_inner(seen).unwrap().into_inner().unwrap();
        seen.sort();
        seen
    };
    let (first, second) = (run(), run());
    assert_eq!(first.len(), 6);
    for (made, found) in first.iter().zip(&second) {
        assert_eq!((&made.0, made.1, made.2), (&found.0, true, found.2));
        assert!(!found.1, "{found:?}");
    }
}

#[test]
fn too_much_memory_is_refused_beforehand() {
    let directory = tempfile::tempdir().unwrap();
    let allowed = Some(8 << 30);
    for name in ["KQQQvKQQQ", "KPPPvKPPP"] {
        for store in [store(&directory), Store::new(None)] {
            let store = store.with_memory(allowed);
            for result in [store.generate(&[material(name)]), store.get(&material(name)).map(drop)] {
                let error = result.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::BudgetExhausted, "{error}");
                assert!(error.to_string().contains("8.0 GiB"), "{error}");
            }
        }
    }
    assert_eq!(files(directory.path()), [] as [&str; 0]);
    let store = store(&directory).with_memory(allowed);
    store.generate(&[material("KQvK")]).unwrap();
    let plan = store.plan(&[material("KRvK"), material("KQvK")]).unwrap();
    let there: Vec<_> = plan.iter().map(|table| (table.material.to_string(), table.is_there)).collect();
    assert_eq!(there[0], ("KvK".to_owned(), true));
    assert!(there.contains(&("KRvK".to_owned(), false)) && there.contains(&("KQvK".to_owned(), true)));
}

/// Where memory is short, sub-tables of five men are read into scratch files, which changes no table and leaves nothing.
#[test]
#[ignore = "slow: minutes, and gigabytes"]
fn short_memory_changes_no_table() {
    let pawns = [material("KNPPvK")];
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("KNPPvK.wdl");
    store(&directory).generate(&pawns).unwrap();
    let table = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let last = |store: &Store| store.plan(&pawns).unwrap().into_iter().last().unwrap();
    let in_memory = last(&store(&directory));
    let short = store(&directory).with_memory(Some(in_memory.peak_bytes - 1));
    assert!(last(&short).scratch_bytes > 0 && last(&short).peak_bytes < in_memory.peak_bytes);
    short.generate(&pawns).unwrap();
    assert!(std::fs::read(&path).unwrap() == table);
    assert!(files(directory.path()).iter().all(|name| !name.starts_with('.')));
}
