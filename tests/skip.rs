//! Tells a person that a test did not run because something is missing.
//!
//! The test harness hides the output of passing tests, but not these lines, which go to standard error past it. Tests of
//! other crates take this file by its path.

#![allow(dead_code)] // Not every program of tests lacks both kinds of things.

use std::io::{Write, stderr};
use std::thread;

/// Says that the running test is skipped for want of `missing`, which a machine may lack.
pub fn for_want_of(missing: &str) {
    let thread = thread::current();
    let test = thread.name().unwrap_or("a test");
    // If standard error is closed, there is nowhere to report it.
    let _ = writeln!(stderr(), "SKIPPED {test}: {missing} is missing");
}

/// As [`for_want_of`], for things that `.ci/run` and `.ci/slow` install.
///
/// # Panics
/// Where the environment says `CI=true`, as these two do.
#[track_caller]
pub fn outside_ci_for_want_of(missing: &str) {
    assert!(!std::env::var("CI").is_ok_and(|ci| ci == "true"), "{missing} is missing, which CI installs");
    for_want_of(missing);
}
