//! Trees of many classes: every row is at its leaf, for any memory and number of threads, and a callback can cancel.

use super::memory_rows::all_rows;
use super::tests::costs;
use super::{RowIds, Rows, TreeOptions, grow_classes};
use crate::error::ErrorKind;
use crate::nodes::Router;
use espresso::{Monitor, Progress};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The callback is asked while rows are read and tests are compared, long before the first leaf.
#[test]
fn a_cancel_stops_a_tree_of_many_classes() {
    let rows = all_rows([16, 16, 16], |[a, b, c]| (a * b + c) % 3);
    let grown = |held: usize, breaks_at: usize| {
        let (calls, before_leaves) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let go_on = |now: &Progress| {
            before_leaves.fetch_add(usize::from(now.done == 0), Ordering::Relaxed);
            let call = calls.fetch_add(1, Ordering::Relaxed);
            if call >= breaks_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = TreeOptions { progress: Monitor::new(&go_on), ..TreeOptions::default() };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let result = pool.install(|| grow_classes(&rows, &costs(&rows), &options, held));
        (result.err().map(|error| error.kind()), calls.into_inner(), before_leaves.into_inner())
    };
    for held in [300, usize::MAX] {
        let (error, calls, before_leaves) = grown(held, usize::MAX);
        assert!(error.is_none() && before_leaves > 70 && calls > before_leaves, "{calls} {before_leaves}");
        for breaks_at in (0..before_leaves).step_by(7) {
            assert_eq!(grown(held, breaks_at), (Some(ErrorKind::Cancelled), breaks_at + 1, breaks_at + 1));
        }
    }
}

/// One thread and three grow the same tree. Out of core or not, a leaf has the rows that reach it.
#[test]
fn trees_of_many_classes_have_their_rows() {
    let rows = all_rows([6, 5, 7, 4], |[a, b, c, d]| u8::from(a > b) + u8::from(c / 2 == d));
    let options = |width| TreeOptions { width, sample: 64, ..TreeOptions::default() };
    let grown = |threads, held| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| grow_classes(&rows, &costs(&rows), &options(3), held).unwrap())
    };
    let tree = grown(1, usize::MAX);
    assert_eq!(tree.nodes, grown(3, usize::MAX).nodes);
    for tree in [tree, grown(3, 100)] {
        let router = Router::new(&tree.nodes);
        let leaves = || tree.nodes.iter().filter_map(|node| node.leaf());
        let mut numbers = tree.numbers.iter();
        for (number, counts) in leaves().enumerate() {
            for _ in 0..counts.iter().map(|(_, count)| *count).sum::<u32>() {
                let &row = numbers.next().unwrap();
                let (slice, row) = ((row >> 32) as usize, row as u32);
                assert!(counts.iter().any(|(class, _)| *class == rows.class(slice, row)));
                let ids = RowIds { first_slice: slice, numbers: &[row] };
                rows.for_rows(ids, &mut |_, part| assert_eq!(router.leaf(part), number as u32));
            }
        }
        assert_eq!(numbers.next(), None);
        assert!(leaves().count() > 4);
    }
}
