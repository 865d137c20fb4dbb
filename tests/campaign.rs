//! The commands of tools/campaign that continue from a record: each test here runs a class of tests of theirs.

use super::skip;
use std::path::Path;
use std::process::Command;

fn assert_passes(class: &str) {
    let code = "import sys; assert sys.version_info >= (3, 11)";
    if !Command::new("python3").args(["-c", code]).output().is_ok_and(|run| run.status.success()) {
        return skip::outside_ci_for_want_of("Python 3.11");
    }
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/campaign/test_campaign.py");
    let run = Command::new("python3").arg(tests).arg(class).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn steps() {
    assert_passes("Steps");
}

#[test]
fn killed() {
    assert_passes("Killed");
}

#[test]
fn taken_in() {
    assert_passes("TakenIn");
}
