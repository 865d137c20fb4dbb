//! Commands in blocks of language `console` are run by the shell, and their output is compared with the lines after them.
//!
//! The blocks of a file run one after the other in one new directory with links to the files of the repository. A line
//! `> ` continues a command, `? 1` is its exit status. `...` stands for any lines, `[..]` for anything in a line; times in
//! seconds may differ. With the environment variable `UPDATE` set the texts are written anew.

use super::{Text, root, texts};
use regex::Regex;
use snapbox::{Assert, IntoData};
use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Step<'a> {
    /// The lines of the command as they are written.
    written: &'a str,
    command: String,
    status: i32,
    expected: &'a str,
}

fn steps(body: &str) -> Vec<Step<'_>> {
    let starts: Vec<usize> =
        Regex::new(r"(?m)^\$ ").unwrap().find_iter(body).map(|found| found.start()).collect();
    assert_eq!(starts.first(), Some(&0), "a block begins with a command: {body}");
    let ends = starts.iter().skip(1).copied().chain([body.len()]);
    let step = |(start, end): (&usize, usize)| {
        let text = &body[*start..end];
        let is_command = |line: &&str| ["$ ", "> ", "? "].iter().any(|mark| line.starts_with(mark));
        let written: usize = text.split_inclusive('\n').take_while(is_command).map(str::len).sum();
        let (written, expected) = text.split_at(written);
        let (mut command, mut status) = (Vec::new(), 0);
        for line in written.lines() {
            if line.starts_with('?') { status = line[2..].parse().unwrap() } else { command.push(&line[2..]) }
        }
        Step { written, command: command.join("\n"), status, expected }
    };
    starts.iter().zip(ends).map(step).collect()
}

/// The directory of both commands. Cargo has built `cubebase`; `espresso`, of another package, is built if it is missing.
fn commands() -> PathBuf {
    let espresso = assert_cmd::cargo::cargo_bin("cubebase").with_file_name("espresso");
    if !espresso.exists() {
        let profile = if cfg!(debug_assertions) { "test" } else { "release" };
        let made = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--locked", "-p", "cubebase-espresso", "--profile", profile])
            .current_dir(root())
            .status();
        assert!(made.unwrap().success() && espresso.exists(), "{}", espresso.display());
    }
    espresso.parent().unwrap().to_owned()
}

/// A new directory with links to the files of the repository.
fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(root()).unwrap() {
        let name = entry.unwrap().file_name();
        if !["target", "tables", ".git"].iter().any(|made| name == *made) {
            symlink(root().join(&name), directory.path().join(&name)).unwrap();
        }
    }
    directory
}

/// The output of a command, errors too, and its exit status.
fn run(command: &str, directory: &Path) -> (String, i32) {
    let mut paths = vec![commands()];
    paths.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(directory)
        .env("PATH", env::join_paths(paths).unwrap())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let text = text.lines().fold(String::new(), |text, line| text + line.trim_end() + "\n");
    (text, output.status.code().unwrap_or(-1))
}

/// The text with ` # s` in place of each time in seconds and the spaces before it.
fn timeless(text: &str) -> String {
    Regex::new(r" +\d+\.\d+ s\b").unwrap().replace_all(text.trim_end(), " # s").into()
}

/// Runs the blocks of a text, slow ones only if `slow`. Returns the text with the real output wherever that differs, and
/// the differences.
fn rerun(text: &Text, slow: bool) -> (String, Vec<String>) {
    let directory = directory();
    let (mut anew, mut copied, mut wrong) = (String::new(), 0, Vec::new());
    for block in text.blocks().iter().filter(|block| block.info == "console" || slow && block.info == SLOW) {
        anew += &text.text[copied..block.range.start];
        copied = block.range.end;
        for step in steps(&block.body) {
            let (printed, status) = run(&step.command, directory.path());
            let (actual, expected) = (timeless(&printed), timeless(step.expected));
            let compared = Assert::new().try_eq(None, actual.into_data(), expected.into_data());
            let is_apart = step.expected == "\n" || step.expected.ends_with("\n\n");
            let blank = if is_apart { "\n" } else { "" };
            anew += step.written;
            anew += &if compared.is_err() { printed + blank } else { step.expected.into() };
            let command = format!("{}: $ {}", text.path, step.command);
            wrong.extend(compared.err().map(|why| format!("{command}\n{why}")));
            wrong.extend((status != step.status).then(|| format!("{command}\nexits with {status}")));
        }
    }
    (anew + &text.text[copied..], wrong)
}

/// The language of blocks whose commands take more than a few seconds: `.ci/slow docs` runs them.
const SLOW: &str = "console,slow";

fn check(slow: bool) {
    let wanted = if slow { SLOW } else { "console" };
    let texts = texts().into_iter().filter(|text| text.blocks().iter().any(|block| block.info == wanted));
    let (mut ran, mut wrong) = (0, Vec::new());
    for text in texts {
        ran += 1;
        let (anew, differs) = rerun(&text, slow);
        if env::var_os("UPDATE").is_some() {
            fs::write(root().join(&text.path), anew).unwrap();
        }
        wrong.extend(differs);
    }
    assert!(ran > 0, "no text has such commands");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn commands_print_what_the_texts_say() {
    check(false);
}

#[test]
#[ignore = "minutes: .ci/slow docs runs it"]
fn slow_commands_print_what_the_texts_say() {
    check(true);
}

#[test]
fn differences_are_found() {
    let text =
        |body: &str| Text { path: "page.md".into(), text: format!("# A\n\n```console\n{body}```\n\nEnd.\n") };
    let right = text(
        "$ echo a; echo b >&2\na\nb\n$ echo 'one\n> two 0.25 s'\none\ntwo  13.00 s\n$ (exit 3)\n? 3\n\n$ seq 9\n1\n...\n9\n",
    );
    assert_eq!(rerun(&right, false), (right.text.clone(), Vec::new()));
    for (wrong, anew) in [
        ("$ echo a\nb\n", "$ echo a\na\n"),
        ("$ echo a\n\n$ echo b\nb\n", "$ echo a\na\n\n$ echo b\nb\n"),
        ("$ echo 0.25\n0.5\n", "$ echo 0.25\n0.25\n"),
        ("$ printf '1\\n2\\n'\n1\n", "$ printf '1\\n2\\n'\n1\n2\n"),
    ] {
        let (written, differs) = rerun(&text(wrong), false);
        assert_eq!((written, differs.len()), (text(anew).text, 1), "{wrong}");
    }
    assert_eq!(rerun(&text("$ false\n"), false).1.len(), 1);
}
