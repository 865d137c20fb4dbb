//! Runs interrupted and killed: the files that they leave, and that a rerun of `generate` makes the same bytes as an
//! undisturbed run.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

/// Six small tables, and one that takes long enough to be interrupted.
const TARGETS: [&str; 2] = ["3", "KQQvK"];
const TABLES: usize = 7;

fn generate(out: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("cubebase"));
    command.arg("generate").args(TARGETS).args(["--threads", "2", "--out"]).arg(out);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(directory) else { return BTreeMap::new() };
    let read = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        std::fs::read(entry.path()).ok().map(|bytes| (name, bytes))
    };
    entries.filter_map(|entry| read(entry.unwrap())).collect()
}

fn undisturbed() -> &'static BTreeMap<String, Vec<u8>> {
    static FILES: OnceLock<BTreeMap<String, Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        assert!(generate(directory.path()).status().unwrap().success());
        let files = files(directory.path());
        assert_eq!(files.len(), TABLES, "{:?}", files.keys());
        files
    })
}

/// Sends `signal` to the process by kill(1): the standard library can send only SIGKILL.
fn send(signal: &str, child: &Child) {
    let status = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// Waits until the run has printed so many lines, or has ended; returns its output, which must stay open.
fn printed(child: &mut Child, lines: usize) -> BufReader<ChildStdout> {
    let mut output = BufReader::new(child.stdout.take().unwrap());
    (0..lines).for_each(|_| _ = output.read_line(&mut String::new()).unwrap());
    output
}

/// Starts a run and sends `signal` when `wanted` tables are finished, then looks at what is left, and runs again.
/// Returns whether the signal came before the end.
fn disturbed(signal: &str, status: Option<i32>, wanted: usize) -> bool {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path();
    let mut child = generate(out).stdout(Stdio::piped()).spawn().unwrap();
    // A line for each table that is finished.
    let _output = printed(&mut child, wanted);
    send(signal, &child);
    let ended = child.wait().unwrap();
    let left = files(out);
    for (name, bytes) in left.iter().filter(|(name, _)| !name.starts_with('.')) {
        assert!(undisturbed()[name] == *bytes, "{signal}: {name} is not whole");
    }
    if signal == "INT" {
        assert!(left.keys().all(|name| !name.starts_with('.')), "{:?}", left.keys());
    }
    // A kill during a write leaves such a file; this one may have come at another time.
    std::fs::write(out.join(".unfinished-killed.tmp"), "half a table").unwrap();
    assert!(generate(out).status().unwrap().success());
    assert!(files(out) == *undisturbed(), "{signal} at {wanted}: {:?}", files(out).keys());
    let in_time = !ended.success();
    assert!(!in_time || ended.code() == status, "{signal}: {ended}");
    in_time
}

#[test]
fn interrupted_runs_continue() {
    let in_time = (1..TABLES).filter(|&wanted| disturbed("INT", Some(130), wanted)).count();
    assert!(in_time >= 3, "only {in_time} interrupts came before the end");
}

#[test]
fn killed_runs_continue() {
    let in_time = (1..TABLES).filter(|&wanted| disturbed("KILL", None, wanted)).count();
    assert!(in_time >= 3, "only {in_time} kills came before the end");
}

/// An interrupt while trees are grown, which takes a quarter of a minute or more here.
#[test]
fn an_interrupted_build_ends_at_once_and_keeps_what_is_finished() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("cubebase"));
    command.args(["build", "KvK", "KQvKR", "--keep-tables", "--model", "geometry", "--effort", "4"]);
    command.args(["--threads", "1", "--out"]).arg(out);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // All tables are solved before the first file is made. The second line, after the header, is that of the first
    // file; then the second file is begun.
    let _output = printed(&mut child, 2);
    assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
    let finished = files(out);
    send("INT", &child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "cubebase: interrupted\n");
    assert!(files(out) == finished, "{:?}", files(out).keys());
    assert!(finished.contains_key("KQvKR.wdl") && !finished.contains_key("KQvKR.pcn"));
    assert!(finished.keys().all(|name| !name.starts_with('.')), "{:?}", finished.keys());
    cubebase::Pcn::decode(&finished["KvK.pcn"]).unwrap();
}
