//! Links, and names of options, files and blocks of code: they are there.

use super::{Text, files, named, parser, root, texts};
use crate::command::succeeds;
use pulldown_cmark::{Event, Tag, TagEnd};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The links of a text, images too.
fn links(text: &str) -> Vec<String> {
    let target = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    };
    parser(text).filter_map(target).collect()
}

/// The anchors of the headings, as code forges and mdBook make them: the second of the same name ends with `-1`.
fn anchors(text: &str) -> BTreeSet<String> {
    let (mut anchors, mut heading) = (BTreeSet::new(), None::<String>);
    for event in parser(text) {
        match (event, &mut heading) {
            (Event::Start(Tag::Heading { .. }), _) => heading = Some(String::new()),
            (Event::Text(words) | Event::Code(words), Some(heading)) => heading.push_str(&words),
            (Event::End(TagEnd::Heading(_)), Some(words)) => {
                let kept = words.chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
                let anchor = kept.collect::<String>().to_lowercase().replace(' ', "-");
                let numbered = (1..).map(|number| format!("{anchor}-{number}"));
                let mut free = std::iter::once(anchor.clone()).chain(numbered);
                anchors.insert(free.find(|anchor| !anchors.contains(anchor)).unwrap());
                heading = None;
            }
            _ => {}
        }
    }
    anchors
}

/// The path in the repository to which `link` leads from the file at `from`.
fn beside(from: &str, link: &str) -> String {
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

/// The text as the book has it, with the texts of the files that it includes.
fn with_includes(text: &Text) -> String {
    let include = Regex::new(r"\{\{#include (.+)\}\}").unwrap();
    include.replace_all(&text.text, |path: &regex::Captures| named(&beside(&text.path, &path[1])).text).into()
}

/// The broken links of a text, with the reason.
fn broken(text: &Text) -> Vec<String> {
    let whole = with_includes(text);
    let mut wrong = Vec::new();
    for link in links(&whole).iter().filter(|link| !link.contains("://") && !link.starts_with("mailto:")) {
        let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
        let file = if path.is_empty() { text.path.clone() } else { beside(&text.path, path) };
        let target = || if path.is_empty() { whole.clone() } else { with_includes(&named(&file)) };
        let is_page = Path::new(&file).extension().is_some_and(|extension| extension == "md");
        let why = if !path.is_empty() && !root().join(&file).exists() {
            "is not there"
        } else if !anchor.is_empty() && !anchors(&target()).contains(anchor) {
            "has no such heading"
        } else if is_page && text.path.starts_with("docs/") && !file.starts_with("docs/") {
            // mdBook would link to a page that does not exist; a link to the directory works.
            "is not in the book"
        } else {
            continue;
        };
        wrong.push(format!("{}: {link} {why}", text.path));
    }
    wrong
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let wrong: Vec<String> = texts().iter().flat_map(broken).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let text = |text: &str| Text { path: "docs/decisions/page.md".into(), text: text.into() };
    let right = "# A `b`, c\n## Twice\n## Twice\n[file](../sizes.md) [part](../sizes.md#by-model) [here](#a-b-c) \
                 [again](#twice-1) [dir](../decisions) [site](https://example.org/nothing)";
    assert_eq!(broken(&text(right)), [""; 0]);
    let wrong = "# A\n[file](../nothing.md) [part](../sizes.md#by-nothing) [here](#b) ![picture](none.svg) \
                 [other](../../README.md)";
    assert_eq!(broken(&text(wrong)).len(), 5, "{:?}", broken(&text(wrong)));
}

/// A page that SUMMARY.md does not name is in no book, and links to it lead nowhere there.
#[test]
fn the_book_has_every_page_of_docs() {
    let chapters = links(&named("docs/SUMMARY.md").text);
    let chapters: BTreeSet<String> = chapters.iter().map(|link| beside("docs/SUMMARY.md", link)).collect();
    let pages = texts().into_iter().map(|text| text.path);
    assert_eq!(
        chapters,
        pages.filter(|path| path.starts_with("docs/") && path != "docs/SUMMARY.md").collect()
    );
}

#[test]
fn every_block_of_code_is_run_or_has_a_reason() {
    let not_run = include_str!("not-run.txt").lines().skip(1);
    let not_run: Vec<_> = not_run.map(|line| line.splitn(3, " | ").collect::<Vec<_>>()).collect();
    let (mut used, mut without) = (BTreeSet::new(), Vec::new());
    for text in texts() {
        for block in text.blocks().iter().filter(|block| !["console", "console,slow"].contains(&&*block.info))
        {
            let covers = |entry: &&Vec<&str>| entry[0] == text.path && block.body.starts_with(entry[1]);
            used.extend(not_run.iter().filter(covers));
            if not_run.iter().find(covers).is_none() {
                without.push(format!("{}: {}", text.path, block.body.lines().next().unwrap_or_default()));
            }
        }
    }
    assert!(without.is_empty(), "neither run (```console) nor in not-run.txt:\n{}", without.join("\n"));
    assert_eq!(used.len(), not_run.len(), "in not-run.txt, but no longer there");
}

/// Options of commands, and paths of files, in backquotes and in blocks.
#[test]
fn options_and_files_that_texts_name_are_there() {
    let (mut helps, mut checked) = (BTreeMap::<String, String>::new(), [0; 2]);
    let command = Regex::new(r"^(?:\$ )?cubebase ([a-z]+) ([^|]*)").unwrap();
    let option = Regex::new(r"(?:^| )(--[a-z-]+)").unwrap();
    let path = Regex::new(r"^(?:\.ci|docs|espresso|examples|fixtures|src|tests|tools)/[^*$<{(]*$").unwrap();
    for text in texts() {
        let code = text.quoted().into_iter().chain(text.blocks().into_iter().map(|block| block.body));
        for line in code.flat_map(|code| code.lines().map(str::to_owned).collect::<Vec<_>>()) {
            if let Some(of) = command.captures(&line) {
                let help =
                    helps.entry(of[1].to_owned()).or_insert_with(|| succeeds(format!("help {}", &of[1])));
                for option in option.captures_iter(&of[2]) {
                    let has = help.split_whitespace().any(|word| word == &option[1]);
                    assert!(has, "{}: `{line}`: no {}", text.path, &option[1]);
                    checked[0] += 1;
                }
            }
            let words = line.split_whitespace().map(|word| word.trim_end_matches([',', ':', '.', ')']));
            for word in
                words.filter(|word| path.is_match(word) && !word.contains("DATE") && !word.contains("TARGET"))
            {
                // A crate's own files are named from its directory too.
                let from_crate = Path::new(&text.path).parent().unwrap().join(word);
                let is_there = root().join(word).exists() || root().join(from_crate).exists();
                assert!(is_there, "{}: no {word}", text.path);
                checked[1] += 1;
            }
        }
    }
    assert!(checked.iter().all(|&number| number > 20), "{checked:?}");
}

#[test]
fn names_in_the_chapter_on_extensions_are_in_the_sources() {
    let mut all = String::new();
    for path in ["src", "espresso/src", "tests", "tools/reader"]
        .iter()
        .flat_map(|top| files(&root().join(top), &["rs", "py", "md"]))
    {
        all += path.file_name().unwrap().to_str().unwrap();
        all += &fs::read_to_string(path).unwrap();
    }
    let word = Regex::new(r"\w{3,}").unwrap();
    let names: BTreeSet<&str> = word.find_iter(&all).map(|name| name.as_str()).collect();
    let mut checked = 0;
    for code in named("docs/extending.md").quoted() {
        if !code.contains(' ') && !root().join(&code).exists() {
            for name in word.find_iter(&code) {
                assert!(names.contains(name.as_str()), "`{code}`: no {} in the sources", name.as_str());
                checked += 1;
            }
        }
    }
    assert!(checked > 40, "{checked}");
}
