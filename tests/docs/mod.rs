//! Tests of the Markdown files: their commands are run, their links lead somewhere, their figures are those of the records.

mod console;
mod figures;
mod links;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A Markdown file: its path in the repository, and its text.
struct Text {
    path: String,
    text: String,
}

/// A block of code: the words behind its fence, its lines, and their place in the text.
struct Block {
    info: String,
    body: String,
    range: Range<usize>,
}

impl Text {
    /// The blocks of code.
    fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut open: Option<Block> = None;
        for (event, range) in parser(&self.text).into_offset_iter() {
            match (event, &mut open) {
                (Event::Start(Tag::CodeBlock(kind)), _) => {
                    let info =
                        if let CodeBlockKind::Fenced(info) = kind { info.into() } else { String::new() };
                    open = Some(Block { info, body: String::new(), range: range.end..range.end });
                }
                (Event::Text(words), Some(block)) => {
                    block.range = block.range.start.min(range.start)..range.end;
                    block.body += &words;
                }
                (Event::End(TagEnd::CodeBlock), _) => blocks.extend(open.take()),
                _ => {}
            }
        }
        blocks
    }

    /// The words in backquotes.
    fn quoted(&self) -> Vec<String> {
        let code = |event| if let Event::Code(code) = event { Some(code.into()) } else { None };
        parser(&self.text).filter_map(code).collect()
    }

    /// The lines of all tables, as cells without commas in numbers.
    fn rows(&self) -> Vec<Vec<String>> {
        let lines = self.text.lines().filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'));
        lines.map(|line| line.split('|').map(|cell| cell.trim().replace(',', "")).collect()).collect()
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Markdown files, in the order of their paths.
fn texts() -> Vec<Text> {
    let paths = files(root(), &["md"]);
    assert!(paths.len() > 20, "{paths:?}");
    paths.iter().map(|path| named(path.strip_prefix(root()).unwrap().to_str().unwrap())).collect()
}

fn named(path: &str) -> Text {
    Text { path: path.to_owned(), text: fs::read_to_string(root().join(path)).unwrap() }
}

/// The files below a directory with one of the extensions, without those that programs make.
fn files(directory: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            let is_made = name.starts_with('.') || ["target", "node_modules", "tables"].contains(&name);
            found.extend(
                (!is_made && !path.is_symlink()).then(|| files(&path, extensions)).into_iter().flatten(),
            );
        } else if path.extension().is_some_and(|extension| extensions.iter().any(|of| extension == *of)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}
