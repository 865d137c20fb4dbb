//! C programs, compiled with the libraries installed by `tools/capi/install`.

use crate::skip;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The linking of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linked {
    /// With the flags that pkg-config prints.
    Shared,
    /// With the static library.
    Static,
    /// With the static library and the address sanitizer.
    Sanitized,
}

/// The libraries.
pub const CUBEBASE: &str = "cubebase";
pub const ESPRESSO: &str = "cubebase_espresso";
pub const FATHOM: &str = "cubebase_fathom";

/// A file of this crate.
pub fn of_crate(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The directory of the installed libraries; they are installed once in the process.
pub fn installed() -> &'static Path {
    static INSTALLED: OnceLock<PathBuf> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let prefix = temporary.join("installed");
        let mut install = Command::new(of_crate("install"));
        install.arg(&prefix).env("CARGO", env!("CARGO")).env("CARGO_TARGET_DIR", temporary.parent().unwrap());
        succeed(&mut install);
        prefix
    })
}

/// Runs a command that must succeed.
pub fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}: {error}", output.status);
    output
}

pub fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Returns the existing ones of `compilers`, and prints the missing ones.
pub fn present<'a>(compilers: &[&'a str]) -> Vec<&'a str> {
    let (there, missing): (Vec<_>, Vec<_>) = compilers.iter().partition(|compiler| is_there(compiler));
    missing.into_iter().for_each(skip::outside_ci_for_want_of);
    there
}

/// A compiler command for a C file of this crate, with warnings as errors.
pub fn compiler(name: &str, source: &str) -> Command {
    let mut command = Command::new(name);
    let language: &[&str] = if name.ends_with("++") { &["-x", "c++"] } else { &["-std=c11"] };
    command.args(language).args(["-Wall", "-Wextra", "-Werror", "-O1", "-g"]).arg(of_crate(source));
    // The arguments after the source are not C files.
    command.args(["-x", "none"]);
    command
}

/// Compiles `source` with one of the libraries, and with headers from `include`; returns the program.
pub fn program(name: &str, source: &str, library: &str, linked: Linked, include: Option<&Path>) -> PathBuf {
    let mut command = compiler(name, source);
    if let Some(include) = include {
        command.arg("-I").arg(include);
    }
    let prefix = installed();
    if linked == Linked::Shared {
        command.args(flags(library));
        command.arg(format!("-Wl,-rpath,{}", prefix.join("lib").display()));
    } else {
        command.arg("-I").arg(prefix.join("include")).arg(prefix.join(format!("lib/lib{library}.a")));
        command.args(["-lpthread", "-ldl", "-lm"]);
        if linked == Linked::Sanitized {
            command.arg("-fsanitize=address,undefined");
        }
    }
    let to = Path::new(source).file_stem().and_then(OsStr::to_str).unwrap();
    built(&mut command, &format!("{to}-{library}-{name}-{linked:?}"))
}

/// Runs a compiler and returns the path of its output. Compiles each name once in the process: tests share programs, and a
/// running program must not be replaced.
pub fn built(command: &mut Command, name: &str) -> PathBuf {
    static BUILT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if !built.contains(&to) {
        succeed(command.arg("-o").arg(&to));
        built.insert(to.clone());
    }
    to
}

fn flags(library: &str) -> Vec<String> {
    if !is_there("pkg-config") {
        skip::outside_ci_for_want_of("pkg-config");
        let at = installed().display();
        return vec![format!("-I{at}/include"), format!("-L{at}/lib"), format!("-l{library}")];
    }
    let path = installed().join("lib/pkgconfig");
    let mut command = Command::new("pkg-config");
    let output = succeed(command.args(["--cflags", "--libs", library]).env("PKG_CONFIG_PATH", path));
    let text = String::from_utf8(output.stdout).unwrap();
    text.split_whitespace().map(str::to_owned).collect()
}

/// The output of a program that reads the file at `input` and must succeed.
pub fn printed(program: &Path, arguments: &[&OsStr], input: Option<&Path>) -> String {
    let mut command = Command::new(program);
    command.args(arguments);
    if let Some(input) = input {
        command.stdin(File::open(input).unwrap());
    }
    String::from_utf8(succeed(&mut command).stdout).unwrap()
}

/// Checks what the lines of the README after `start` print, with the rest of a program around them.
pub fn readme(start: &str, [head, end]: [&str; 2], library: &str, expected: &str) {
    let text = std::fs::read_to_string(of_crate("README.md")).unwrap();
    let lines = text.split_once(start).unwrap().1.split_once("```").unwrap().0;
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join(format!("readme_{library}.c"));
    std::fs::write(&source, [head, lines, end].concat()).unwrap();
    for compiler in present(&["gcc"]) {
        let readme = program(compiler, source.to_str().unwrap(), library, Linked::Sanitized, None);
        assert_eq!(printed(&readme, &[], None), expected);
    }
}

/// The directory of Fathom's sources, which come with the crate that the benches use. Prints a message if there is none.
pub fn fathom_sources() -> Option<PathBuf> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version", "1", "--locked", "--manifest-path"]);
    let output = command.arg(of_crate("Cargo.toml")).output().unwrap();
    let found = serde_json::from_slice::<serde_json::Value>(&output.stdout).ok().and_then(|metadata| {
        let packages = metadata["packages"].as_array()?;
        let package = packages.iter().find(|package| package["name"] == "fathom-syzygy-sys")?;
        let manifest = Path::new(package["manifest_path"].as_str()?);
        Some(manifest.with_file_name("git").join("fathom/src"))
    });
    let found = found.filter(|folder| folder.join("tbprobe.h").is_file());
    if found.is_none() {
        skip::outside_ci_for_want_of("tbprobe.h of crate fathom-syzygy-sys");
    }
    found
}

/// The directory of Syzygy files named in the environment. Prints a message if there is none.
pub fn syzygy() -> Option<PathBuf> {
    let named = std::env::var_os("CUBEBASE_SYZYGY").map(PathBuf::from);
    let directory = named.unwrap_or_else(|| of_crate("../../../shared/syzygy"));
    let found = directory.is_dir().then(|| directory.canonicalize().unwrap());
    if found.is_none() {
        skip::for_want_of("a directory of Syzygy files, $CUBEBASE_SYZYGY or ../shared/syzygy,");
    }
    found
}
