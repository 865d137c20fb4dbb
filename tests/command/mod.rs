//! Runs of the command as a process.

use assert_cmd::Command;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

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

/// What a run printed.
pub fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// What a run said on standard error.
pub fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// A path as an argument.
pub fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Runs, and checks that the exit status is `status` and that standard error is one line with `text` in it.
#[track_caller]
pub fn fails(args: &[&str], status: i32, text: &str) {
    let output = cubebase(args);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(status), "{args:?}: {message}");
    assert!(message.contains(text), "{args:?}: {message}");
    assert_eq!(message.lines().count(), 1, "{args:?}: {message}");
    assert!(message.starts_with("cubebase: "), "{args:?}: {message}");
}

/// The tables of `build 3`, in cargo's directory for tests. They are made once for each build of the command: where every
/// test is a process of its own, one makes them and the others wait.
pub fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli");
        std::fs::create_dir_all(&home).unwrap();
        let lock = File::create(home.join("lock")).unwrap();
        lock.lock().unwrap();
        let command = assert_cmd::cargo::cargo_bin("cubebase");
        let made_by = format!("{} {:?}", command.display(), command.metadata().unwrap().modified().unwrap());
        let tables = home.join("tables");
        let maker = tables.join("made-by");
        if std::fs::read_to_string(&maker).ok() != Some(made_by.clone()) {
            // Not there, or another command's.
            let _ = std::fs::remove_dir_all(&tables);
            let text = succeeds(&["build", "3", "--out", path(&tables), "--keep-tables"]);
            assert_eq!(text.lines().count(), 9, "a header, six tables, a total, and where they are: {text}");
            std::fs::write(maker, made_by).unwrap();
        }
        tables
    })
}
