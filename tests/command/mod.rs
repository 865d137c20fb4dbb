//! Runs of the command as a process.

use assert_cmd::Command;
use std::process::Output;

/// Runs `cubebase`.
pub fn cubebase(args: &[&str]) -> Output {
    Command::cargo_bin("cubebase").unwrap().args(args).output().unwrap()
}

/// Runs `cubebase`, asserts that all is well, and returns what it printed.
#[track_caller]
pub fn succeeds(args: &[&str]) -> String {
    let output = cubebase(args);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {}{message}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(message, "", "{args:?}: nothing on standard error when all is well and no terminal there");
    String::from_utf8(output.stdout).unwrap()
}
