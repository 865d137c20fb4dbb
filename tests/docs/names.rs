//! Names in the texts exist: options of commands, files, and in the chapter on extensions names of the sources.

use super::texts::{self, parser, root};
use crate::command::succeeds;
use pulldown_cmark::Event;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The words in backquotes and the blocks of code.
fn code(text: &str) -> Vec<String> {
    let mut found = super::blocks::of(text).into_iter().map(|block| block.body).collect::<Vec<_>>();
    found.extend(parser(text).filter_map(|event| match event {
        Event::Code(code) => Some(code.to_string()),
        _ => None,
    }));
    found
}

#[test]
fn commands_have_the_options_that_texts_name() {
    let mut helps = BTreeMap::<String, String>::new();
    let mut checked = 0;
    for text in texts::all() {
        for line in code(&text.text).iter().flat_map(|code| code.lines()) {
            let line = line.trim_start_matches("$ ");
            let Some(words) = line.strip_prefix("cubebase ") else { continue };
            let words: Vec<&str> = words.split('|').next().unwrap().split_whitespace().collect();
            let is_command = |word: &&&str| word.chars().all(|c| c.is_ascii_lowercase());
            let Some(command) = words.first().filter(is_command) else { continue };
            let help =
                helps.entry((*command).to_owned()).or_insert_with(|| succeeds(format!("help {command}")));
            for option in words.iter().filter(|word| word.starts_with("--")) {
                let option = option.split('=').next().unwrap();
                let has = help.split_whitespace().any(|word| word == option);
                assert!(has, "{}: `{line}`: no {option}", text.path);
                checked += 1;
            }
        }
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn files_that_texts_name_are_there() {
    let tops = [".ci/", "docs/", "espresso/", "examples/", "fixtures/", "src/", "tests/", "tools/"];
    let mut checked = 0;
    for text in texts::all() {
        for code in code(&text.text) {
            for word in code.split_whitespace() {
                let word = word.trim_end_matches([',', ':', '.', ')']);
                let is_path = tops.iter().any(|top| word.starts_with(top));
                let is_example = word.contains(['*', '$', '<', '{', '('])
                    || word.contains("DATE")
                    || word.contains("TARGET");
                // A crate's own files are named from its directory too.
                let from_crate = Path::new(&text.path).parent().unwrap().join(word);
                if is_path && !is_example {
                    let there = root().join(word).exists() || root().join(from_crate).exists();
                    assert!(there, "{}: no {word}", text.path);
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 20, "{checked}");
}

/// The names and texts of all source files below a directory.
fn sources(directory: &Path, all: &mut String) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, all);
        } else if path
            .extension()
            .is_some_and(|extension| ["rs", "py", "md"].iter().any(|of| extension == *of))
        {
            all.push_str(path.file_name().unwrap().to_str().unwrap());
            all.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn names_in_the_chapter_on_extensions_are_in_the_sources() {
    let mut all = String::new();
    for directory in ["src", "espresso/src", "tests", "tools/reader"] {
        sources(&root().join(directory), &mut all);
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let has = |name: &str| {
        all.match_indices(name)
            .any(|(at, _)| !all[..at].ends_with(is_part) && !all[at + name.len()..].starts_with(is_part))
    };
    let text = texts::named("docs/extending.md");
    let mut checked = 0;
    for event in parser(&text.text) {
        let Event::Code(code) = event else { continue };
        if code.contains(' ') || root().join(&*code).exists() {
            continue;
        }
        for name in code.split(|c| !is_part(c)).filter(|name| name.len() > 2) {
            assert!(has(name), "{}: `{code}`: no {name} in the sources", text.path);
            checked += 1;
        }
    }
    assert!(
        checked > 40 && !has("no_such_name_anywhere".replace("_anywhere", "_at_all").as_str()),
        "{checked}"
    );
}
