//! Runs of the command as a process.

use assert_cmd::Command;
use espresso::minimize::{Options, Step, minimize};
use espresso::pla::{Pla, PlaType};
use serde_json::Value;
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

/// As [`succeeds`], with what is printed for scripts.
#[track_caller]
pub fn json(args: &[&str]) -> Value {
    serde_json::from_str(&succeeds(&[args, &["--format", "json"]].concat())).unwrap()
}

/// What the library's minimizer makes of a PLA, in place of the `espresso` command, which belongs to another package.
pub fn minimize_pla(from: &Path, to: &Path, steps: &str) {
    let pla = Pla::read(&*std::fs::read(from).unwrap()).unwrap();
    let function = espresso::Function::from_pla(&pla).unwrap();
    let options = Options { steps: Step::parse_list(steps).unwrap(), ..Options::default() };
    let (cover, _) = minimize(&function, &options).unwrap();
    let mut text = Vec::new();
    Pla::from_cover(cover).write(&mut text, PlaType::F).unwrap();
    std::fs::write(to, text).unwrap();
}

/// What a run printed.
pub fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// What a run said on standard error.
pub fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// Both.
pub fn said(output: &Output) -> String {
    format!("{}{}", stdout(output), stderr(output))
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

/// Copies built tables into `dir`, each under a name.
pub fn copied(dir: &Path, names: &[(&str, &str)]) {
    for (material, name) in names {
        std::fs::copy(built().join(format!("{material}.pcn")), dir.join(name)).unwrap();
    }
}
