//! Runs of the command as a process.

use assert_cmd::Command;
use espresso::minimize::{Options, Step, minimize};
use espresso::pla::{Pla, PlaType};
use serde_json::Value;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

/// `cubebase` with the arguments of a command line: separated by spaces, but in single quotes a space separates nothing.
pub fn command(line: impl AsRef<str>) -> Command {
    let mut command = Command::cargo_bin("cubebase").unwrap();
    command.env_remove("CUBEBASE_TABLES");
    for (at, part) in line.as_ref().split('\'').enumerate() {
        if at % 2 == 1 {
            command.arg(part)
        } else {
            command.args(part.split_whitespace())
        };
    }
    command
}

pub fn cubebase(line: impl AsRef<str>) -> Output {
    command(line).output().unwrap()
}

/// Runs [`command`], asserts that all is well, and returns what it printed.
#[track_caller]
pub fn succeeds(line: impl AsRef<str>) -> String {
    let (line, output) = (line.as_ref(), cubebase(&line));
    assert!(output.status.success(), "{line}: {}", said(&output));
    assert_eq!(stderr(&output), "", "{line}: standard error is empty without errors and terminals");
    String::from_utf8(output.stdout).unwrap()
}

/// As [`succeeds`], with what is printed for scripts.
#[track_caller]
pub fn json(line: impl AsRef<str>) -> Value {
    serde_json::from_str(&succeeds(format!("{} --format json", line.as_ref()))).unwrap()
}

/// Minimizes a PLA by the library, since the `espresso` command belongs to another package.
pub fn minimize_pla(from: &Path, to: &Path, steps: &str) {
    let pla = Pla::read(&*std::fs::read(from).unwrap()).unwrap();
    let function = espresso::Function::from_pla(&pla).unwrap();
    let options = Options { steps: Step::parse_list(steps).unwrap(), ..Options::default() };
    let (cover, _) = minimize(&function, &options).unwrap();
    let mut text = Vec::new();
    Pla::from_cover(cover).write(&mut text, PlaType::F).unwrap();
    std::fs::write(to, text).unwrap();
}

pub fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// The standard error of a run.
pub fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

pub fn said(output: &Output) -> String {
    format!("{}{}", stdout(output), stderr(output))
}

/// A path as one word of a command line.
pub fn quoted(path: impl AsRef<Path>) -> String {
    format!("'{}'", path.as_ref().display())
}

/// The file `name` in `dir`, [`quoted`].
pub fn at(dir: impl AsRef<Path>, name: &str) -> String {
    quoted(dir.as_ref().join(name))
}

/// Runs, and checks that the exit status is `status` and that standard error is one line with `text` in it.
#[track_caller]
pub fn fails(line: impl AsRef<str>, status: i32, text: &str) {
    let (line, output) = (line.as_ref(), cubebase(&line));
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(status), "{line}: {message}");
    assert!(message.contains(text) && message.starts_with("cubebase: "), "{line}: {message}");
    assert_eq!(message.lines().count(), 1, "{line}: {message}");
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
            let text = succeeds(format!("build 3 --castling --out {} --keep-tables", quoted(&tables)));
            assert_eq!(text.lines().count(), 9, "a header, six tables, a total, and where they are: {text}");
            std::fs::write(maker, made_by).unwrap();
        }
        tables
    })
}

/// The file of `material` among [`built`] tables.
pub fn pcn(material: &str) -> PathBuf {
    built().join(format!("{material}.pcn"))
}

/// Copies built tables into `dir`, each under a name.
pub fn copied(dir: impl AsRef<Path>, names: &[(&str, &str)]) {
    for (material, name) in names {
        std::fs::copy(pcn(material), dir.as_ref().join(name)).unwrap();
    }
}

/// The file of `KPvK` damaged in several ways: its bytes, a part of the error, and the advice of `doctor`.
pub fn damaged() -> Vec<(Vec<u8>, &'static str, &'static str)> {
    let good = std::fs::read(pcn("KPvK")).unwrap();
    let with = |at: usize, flipped: u8| {
        let mut bytes = good.clone();
        bytes[at] ^= flipped;
        bytes
    };
    vec![
        (with(good.len() / 2, 0x10), "checksum", "copy it again"),
        (good[..good.len() / 2].to_vec(), "cut short", "copy it again"),
        (with(1, good[1] ^ 9), "version", "use the cubebase that made it"),
        (with(0, 0xff), "not a .pcn file", "put the right one in its place"),
    ]
}
