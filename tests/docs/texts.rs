//! The Markdown files of the repository.

use pulldown_cmark::{Options, Parser};
use std::fs;
use std::path::{Path, PathBuf};

/// A Markdown file: its path in the repository, with `/`, and its text as it stands there.
pub struct Text {
    pub path: String,
    pub text: String,
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All texts, in the order of their paths.
pub fn all() -> Vec<Text> {
    let mut paths = Vec::new();
    collect(root(), &mut paths);
    paths.sort();
    assert!(paths.len() > 20, "{paths:?}");
    paths.iter().map(|path| named(path)).collect()
}

pub fn named(path: &str) -> Text {
    Text { path: path.to_owned(), text: fs::read_to_string(root().join(path)).unwrap() }
}

fn collect(directory: &Path, paths: &mut Vec<String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let is_made = name.starts_with('.') || ["target", "node_modules", "tables"].contains(&name);
        if path.is_dir() && !path.is_symlink() && !is_made {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let path = path.strip_prefix(root()).unwrap();
            paths.push(
                path.components()
                    .map(|part| part.as_os_str().to_str().unwrap())
                    .collect::<Vec<_>>()
                    .join("/"),
            );
        }
    }
}

/// The text as the book has it, with the texts of the files that it includes.
pub fn with_includes(text: &Text) -> String {
    let expand = |line: &str| {
        let included = line.strip_prefix("{{#include ").and_then(|line| line.strip_suffix("}}"));
        included.map_or_else(|| line.to_owned(), |path| named(&beside(&text.path, path)).text)
    };
    text.text.lines().map(expand).collect::<Vec<_>>().join("\n")
}

/// The path in the repository to which `link` leads from the file at `from`.
pub fn beside(from: &str, link: &str) -> String {
    let mut path: Vec<&str> = from.split('/').collect();
    path.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(path.pop().expect("a link within the repository")),
            _ => path.push(part),
        }
    }
    path.join("/")
}

pub fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}
