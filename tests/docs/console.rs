//! Commands in blocks of language `console` are run by the shell, and their output is compared with the lines after them.
//!
//! The blocks of a file run one after the other in one new directory with links to the files of the repository. A line
//! `> ` continues a command, `? 1` is its exit status. `...` stands for any lines, `[..]` for anything in a line; times in
//! seconds may differ. With the environment variable `UPDATE` set the texts are written anew.

use super::blocks::{self, Block};
use super::texts::{self, Text, root};
use snapbox::{Assert, IntoData};
use std::env;
use std::fmt::Write;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Step {
    /// The lines of the command as they are written.
    written: String,
    command: String,
    status: i32,
    expected: String,
}

fn steps(block: &Block) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut lines = block.body.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(command) = line.strip_prefix("$ ") {
            let (mut command, mut written) = (command.to_owned(), format!("{line}\n"));
            while let Some(line) = lines.next_if(|line| line.starts_with("> ")) {
                writeln!(written, "{line}").unwrap();
                write!(command, "\n{}", &line[2..]).unwrap();
            }
            let status = lines.next_if(|line| line.starts_with("? ")).map_or(0, |line| {
                writeln!(written, "{line}").unwrap();
                line[2..].parse().unwrap()
            });
            steps.push(Step { written, command, status, expected: String::new() });
        } else {
            let step = steps.last_mut().expect("a block begins with a command");
            writeln!(step.expected, "{line}").unwrap();
        }
    }
    steps
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
    let text = String::from_utf8_lossy(&output.stdout).lines().fold(String::new(), |mut text, line| {
        writeln!(text, "{}", line.trim_end()).unwrap();
        text
    });
    (text, output.status.code().unwrap_or(-1))
}

/// The text with ` #` in place of each time in seconds and the spaces before it.
fn timeless(text: &str) -> String {
    let is_time = |word: &str| word.parse::<f64>().is_ok() && word.contains('.');
    let mut lines = Vec::new();
    for line in text.trim_end().lines() {
        let mut kept = line.to_owned();
        for (at, _) in line.rmatch_indices(" s") {
            let ends = line[at + 2..].chars().next().is_none_or(|next| !next.is_alphanumeric());
            let start = line[..at].rfind(' ').map_or(0, |space| space + 1);
            if ends && is_time(&line[start..at]) {
                let start = line[..start].trim_end().len();
                kept.replace_range(start..at, " #");
            }
        }
        lines.push(kept);
    }
    lines.join("\n")
}

/// Runs the blocks of a text, slow ones only if `slow`. Returns the text with the real output wherever that differs, and
/// the differences.
fn rerun(text: &Text, slow: bool) -> (String, Vec<String>) {
    let directory = directory();
    let (mut anew, mut copied, mut wrong) = (String::new(), 0, Vec::new());
    for block in blocks::of(&text.text) {
        if !block.is_console() || block.is_slow() && !slow {
            continue;
        }
        anew += &text.text[copied..block.range.start];
        copied = block.range.end;
        for step in steps(&block) {
            let (printed, status) = run(&step.command, directory.path());
            let (actual, expected) = (timeless(&printed), timeless(&step.expected));
            let compared = Assert::new().try_eq(None, actual.into_data(), expected.into_data());
            let is_apart = step.expected == "\n" || step.expected.ends_with("\n\n");
            let blank = if is_apart { "\n" } else { "" };
            anew += &step.written;
            anew += &if compared.is_err() { printed + blank } else { step.expected.clone() };
            if let Err(why) = compared {
                wrong.push(format!("{}: $ {}\n{why}", text.path, step.command));
            }
            if status != step.status {
                wrong.push(format!("{}: $ {}\nexits with {status}", text.path, step.command));
            }
        }
    }
    anew += &text.text[copied..];
    (anew, wrong)
}

fn check(slow: bool) {
    let mut wrong = Vec::new();
    let mut ran = 0;
    for text in texts::all() {
        let blocks = blocks::of(&text.text);
        if !blocks.iter().any(|block| block.is_console() && (block.is_slow() == slow)) {
            continue;
        }
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
