//! What shells, terminals and `man` get: completions, pages, colours, and nothing of these in pipes.

use crate::command::{at, command, fails, said, stdout, succeeds};
use crate::skip;
use std::process::{Command, Stdio};

/// What `program` prints when it is given `script` as one argument after `arguments`; `None` where it is not installed.
fn printed_by(program: &str, arguments: &[&str], script: &str) -> Option<String> {
    let output = Command::new(program).args(arguments).arg(script).stdin(Stdio::null()).output();
    let Ok(output) = output else {
        skip::outside_ci_for_want_of(program);
        return None;
    };
    assert!(output.status.success(), "{program}: {}", said(&output));
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn bash_completes_commands_options_and_values() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("cubebase.bash"), succeeds("completions bash")).unwrap();
    for (words, last, candidate) in [
        ("cubebase", "veri", "verify"),
        ("cubebase build", "--eff", "--effort"),
        ("cubebase info --format", "c", "csv"),
        ("cubebase completions", "fi", "fish"),
    ] {
        let number = words.split(' ').count();
        let script = format!(
            "source {}; COMP_WORDS=({words} {last}); COMP_CWORD={number}; \
             _cubebase cubebase {last} {}; echo \"${{COMPREPLY[@]}}\"",
            at(&dir, "cubebase.bash"),
            words.split(' ').next_back().unwrap(),
        );
        let Some(found) = printed_by("bash", &["-c"], &script) else { return };
        assert!(found.split_whitespace().any(|word| word == candidate), "{words} {last}: {found}");
    }
}

#[test]
fn each_command_has_a_page_with_its_examples() {
    let dir = tempfile::tempdir().unwrap();
    let text = succeeds(format!("man --out {}", at(&dir, "man1")));
    let pages: Vec<_> =
        std::fs::read_dir(dir.path().join("man1")).unwrap().map(|page| page.unwrap()).collect();
    assert!(text.starts_with(&format!("{} pages in ", pages.len())), "{text}");
    let help = succeeds("--help");
    let commands =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<&str> =
        commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    for name in commands.into_iter().filter(|name| !["", "help"].contains(name)) {
        let page = std::fs::read_to_string(dir.path().join(format!("man1/cubebase-{name}.1"))).unwrap();
        assert!(page.contains(".SH EXAMPLES\n.nf\ncubebase ") || name == "pack", "{page}");
        assert!(page.contains(".TH cubebase\\-") || page.contains(&format!(".TH cubebase-{name}")), "{page}");
    }
    assert!(dir.path().join("man1/cubebase.1").is_file());
    // The text that the help has after its examples.
    let page = std::fs::read_to_string(dir.path().join("man1/cubebase-man.1")).unwrap();
    let (_, notes) = page.split_once(".SH NOTES\n").unwrap();
    assert!(notes.starts_with("Then man cubebase\\-build shows what"), "{notes}");
    // It has no use for `--threads`, but accepts it.
    assert!(!page.contains("threads") && !succeeds("man --help").contains("--threads"), "{page}");
    succeeds(format!("--threads 1 man --threads 1 --out {}", at(&dir, "man1")));
    std::fs::write(dir.path().join("file"), "").unwrap();
    fails(format!("man --out {}", at(&dir, "file/man1")), 3, "make the directory");
}

#[test]
fn colours_are_for_terminals_and_those_who_ask() {
    let escape = '\u{1b}';
    for line in ["doctor", "info", "compare fixtures/four-men.pcb", "plan 3 --memory 8G"] {
        let plain = succeeds(line);
        assert!(!plain.contains(escape), "{line}: {plain}");
        let coloured = succeeds(format!("{line} --color always"));
        assert!(coloured.contains(escape), "{line}");
        assert_eq!(without_escapes(&coloured), plain, "{line}");
    }
    // Headings are bold.
    let coloured = succeeds("info --color always");
    assert!(
        coloured.contains("\u{1b}[1mfile ") && coloured.contains("\u{1b}[1mtotal: 36 files"),
        "{coloured}"
    );
    let output = command("info --format json --color always").output().unwrap();
    assert!(!stdout(&output).contains(escape), "scripts get none");
    fails("info --color sometimes", 2, "sometimes");
}

fn without_escapes(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or(part, |(_, rest)| rest))
}

/// In a terminal of 100 columns.
fn in_a_terminal(line: &str) -> Option<String> {
    in_a_terminal_of(100, line)
}

/// In a terminal, which `script` of util-linux makes.
fn in_a_terminal_of(columns: usize, line: &str) -> Option<String> {
    let program = assert_cmd::cargo::cargo_bin("cubebase");
    let line = format!("stty cols {columns} rows 50; '{}' {line}", program.display());
    let output = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR")
        .env("TERM", "xterm-256color")
        .env("COLORTERM", "truecolor")
        .stdin(Stdio::null())
        .output();
    let Ok(output) = output else {
        skip::outside_ci_for_want_of("script of util-linux");
        return None;
    };
    Some(stdout(&output).to_owned())
}

#[test]
fn a_terminal_gets_colours_and_progress() {
    let Some(text) = in_a_terminal("doctor") else { return };
    assert!(text.contains("\u{1b}[32m0 problems\u{1b}[0m"), "{text:?}");
    let Some(text) = in_a_terminal("doctor --color never") else { return };
    assert!(text.contains("sound, 0 problems"), "{text:?}");
    let Some(text) = in_a_terminal("explain '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1'") else { return };
    // The line of progress has gone before the answer comes.
    assert!(text.contains("KPvK: counting positions, ") && text.contains("\u{1b}[2K8/8/8/4k3/"), "{text:?}");
    let (_, share) = text.split_once("counting positions, ").unwrap();
    assert!(share.split(' ').next().unwrap().parse::<u32>().unwrap() < 50, "it begins with little: {text:?}");
    let dir = tempfile::tempdir().unwrap();
    let out = at(&dir, "tables");
    let Some(text) = in_a_terminal(&format!("build KQvK KRvK --effort 1 --out {out}")) else { return };
    assert!(text.contains("KRvK (2 of 2)"), "the table and its number: {text:?}");
    assert!(without_escapes(&text).contains("2 files in "), "{text:?}");
    let Some(text) = in_a_terminal(&format!("verify {out}")) else { return };
    assert!(text.contains("KRvK.pcn (2 of 2)") && text.contains("2 files right"), "{text:?}");
    let Some(quiet) = in_a_terminal(&format!("verify {out} --quiet")) else { return };
    assert!(!quiet.contains("(2 of 2)") && quiet.contains("2 files right"), "{quiet:?}");
}

#[test]
fn an_explanation_has_a_readable_width() {
    for (columns, widest) in [(70, 60..71), (100, 90..101), (200, 90..101)] {
        let line = "explain --no-count --color never '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1'";
        let Some(text) = in_a_terminal_of(columns, line) else { return };
        // Without counting there is nothing to wait for.
        assert!(text.starts_with("8/8/8/4k3/"), "{text:?}");
        let longest = text.lines().map(|line| line.trim_end().chars().count()).max().unwrap();
        assert!(widest.contains(&longest), "{columns}: {longest}\n{text}");
    }
}
