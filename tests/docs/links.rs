//! Links between the texts and to other files: the file is there, and so is the heading.

use super::texts::{self, Text, beside, parser, root, with_includes};
use pulldown_cmark::{Event, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
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
    let mut times = BTreeMap::<String, usize>::new();
    for event in parser(text) {
        match (event, &mut heading) {
            (Event::Start(Tag::Heading { .. }), _) => heading = Some(String::new()),
            (Event::Text(words) | Event::Code(words), Some(heading)) => heading.push_str(&words),
            (Event::End(TagEnd::Heading(_)), Some(words)) => {
                let kept = words.chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
                let anchor: String = kept.collect::<String>().to_lowercase().replace(' ', "-");
                let before = times.entry(anchor.clone()).or_default();
                anchors.insert(if *before == 0 { anchor } else { format!("{anchor}-{before}") });
                *before += 1;
                heading = None;
            }
            _ => {}
        }
    }
    anchors
}

fn is_markdown(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|extension| extension == "md")
}

/// What is wrong with the links of a text, a line each.
fn broken(text: &Text) -> Vec<String> {
    let whole = with_includes(text);
    let mut wrong = Vec::new();
    for link in links(&whole) {
        if link.contains("://") || link.starts_with("mailto:") {
            continue;
        }
        let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
        let file = if path.is_empty() { text.path.clone() } else { beside(&text.path, path) };
        let has = |anchor| {
            let of = if path.is_empty() { whole.clone() } else { with_includes(&texts::named(&file)) };
            anchors(&of).contains(anchor)
        };
        if !path.is_empty() && !root().join(&file).exists() {
            wrong.push(format!("{}: no file {file}", text.path));
        } else if !anchor.is_empty() && !has(anchor) {
            wrong.push(format!("{}: {file} has no heading for #{anchor}", text.path));
        } else if text.path.starts_with("docs/") && is_markdown(&file) && !file.starts_with("docs/") {
            // mdBook would link to a page that does not exist; a link to the directory works.
            wrong.push(format!("{}: {file} is not in the book", text.path));
        }
    }
    wrong
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let wrong: Vec<String> = texts::all().iter().flat_map(broken).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn broken_links_are_found() {
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
    let summary = texts::named("docs/SUMMARY.md");
    let chapters: BTreeSet<String> =
        links(&summary.text).iter().map(|link| beside(&summary.path, link)).collect();
    let pages = texts::all().into_iter().map(|text| text.path);
    let pages: BTreeSet<String> =
        pages.filter(|path| path.starts_with("docs/") && *path != summary.path).collect();
    assert_eq!(chapters, pages);
}
