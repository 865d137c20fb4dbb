//! The blocks of code in the texts: which are run, and why the others are not.

use super::texts::{self, Text, parser};
use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};
use std::ops::Range;

/// A block of code: the words behind its fence, its lines, and where these stand in the text.
pub struct Block {
    pub info: String,
    pub body: String,
    pub range: Range<usize>,
}

impl Block {
    /// Whether it is commands with what they print.
    pub fn is_console(&self) -> bool {
        self.info.split(',').next() == Some("console")
    }

    /// Whether its commands take more than a few seconds: `.ci/slow docs` runs it.
    pub fn is_slow(&self) -> bool {
        self.info == "console,slow"
    }
}

pub fn of(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (event, range) in parser(text).into_offset_iter() {
        match (event, &mut open) {
            (Event::Start(Tag::CodeBlock(kind)), _) => {
                let info =
                    if let CodeBlockKind::Fenced(info) = kind { info.to_string() } else { String::new() };
                open = Some(Block { info, body: String::new(), range: 0..0 });
            }
            (Event::Text(words), Some(block)) => {
                let start = if block.body.is_empty() { range.start } else { block.range.start };
                block.range = start..range.end;
                block.body.push_str(&words);
            }
            (Event::End(TagEnd::CodeBlock), _) => blocks.extend(open.take()),
            _ => {}
        }
    }
    blocks
}

/// Blocks that are not run: the file, how the block begins, and why or where else it is run. An empty beginning covers
/// all blocks of the file that are not of language `console`.
const NOT_RUN: &[(&str, &str, &str)] = &[
    ("ARCHITECTURE.md", "material ->", "a picture"),
    ("CONTRIBUTING.md", "cargo build", "it lists the checks themselves"),
    ("README.md", "cargo run --release -- explain", "tests/explain.rs, tests/moves.rs and .ci/run run it"),
    ("README.md", "cargo test", "this is one of these tests"),
    ("README.md", ".ci/slow", "hours"),
    ("README.md", "use cubebase::", "run with the examples of the documentation"),
    ("README.md", "import cubebase", "tools/python/tests/test_examples.py runs it"),
    ("README.md", "cubebase_embedded", "as in tools/capi/README.md, whose tests compile and run it"),
    ("docs/baselines.md", "cubebase generate", "an hour; .ci/slow baselines makes the tables of three men"),
    ("docs/baselines.md", "material", "tools/baselines/tests compares it with the record"),
    ("docs/castling.md", "python3", "needs Syzygy's files: .ci/slow castling"),
    ("docs/library.md", "use cubebase::", "compiled with the examples of the documentation"),
    ("docs/library.md", "cubebase = {", ".ci/run builds the prober with these features and fewer"),
    ("docs/extending.md", "Family::new", "a part of a program, followed by hand"),
    ("docs/extending.md", "use cubebase::", "compiled and run with the examples of the documentation"),
    ("docs/five-men.md", "tools/campaign/go-on", "days; tests/campaign.rs tests both commands"),
    ("docs/from-fen-to-clause.md", "8  .", "a board"),
    ("docs/paper-table3.md", "material", "what .ci/slow table3 prints and bounds, with times"),
    ("docs/paper-table4-5.md", "cargo run", "a quarter of an hour: .ci/slow paper"),
    ("docs/paper-table4-5.md", "Table", "tools/paper compares it with the record"),
    ("docs/six-men.md", "cubebase plan", "figures.rs runs it and compares the sums"),
    ("docs/six-men.md", "cubebase generate", "an hour on a busy machine, and 8 GiB"),
    (
        "docs/pyeda-and-sympy.md",
        "",
        "tools/python/tests/test_espresso.py and the documentation of espresso::run have the same",
    ),
    ("docs/sizes.md", "cargo build", "makes the command"),
    ("docs/sizes.md", "for model", "half an hour: .ci/slow four, .ci/slow docs"),
    ("docs/sizes.md", "material         board", "figures.rs compares it with the records"),
    ("docs/sizes.md", "B ", "minutes, and times, which differ: .ci/slow four builds the second"),
    ("docs/sizes.md", "material   model", "times, which differ; the bytes are those of the first table"),
    ("docs/two-level-minimization.md", "        dx=0", "a picture"),
    ("docs/xiangqi.md", "cargo build", "it needs a package of Python: .ci/slow xiangqi runs it"),
    ("espresso/README.md", "use espresso::", "compiled and run with the examples of the documentation"),
    ("src/retrograde/FORMAT.md", "moves_out(m) = 1", "the equations that tests/retrograde/bellman.rs checks"),
    ("src/pcn/FORMAT.md", "", "tools/reader is written from it, and src/pcn/tests.rs reads its files"),
    ("tools/bench/records/README.md", "", "a minute on an idle machine; .ci/slow generate"),
    ("tools/campaign/README.md", "", ".ci/slow campaign and .ci/slow slurm"),
    ("tools/capi/README.md", "", "tools/capi/tests/compiled.rs does the same: .ci/slow capi"),
    ("tools/python/README.md", "", ".ci/slow python installs it and runs the tests of what they show"),
    ("tools/web/README.md", "", ".ci/slow web"),
];

#[test]
fn every_block_is_run_or_has_a_reason() {
    let mut unused: Vec<_> = NOT_RUN.iter().collect();
    let mut without = Vec::new();
    for Text { path, text } in texts::all() {
        for block in of(&text) {
            if block.is_console() {
                assert!(block.is_slow() || block.info == "console", "{path}: a block of '{}'", block.info);
                continue;
            }
            let covers =
                |(file, start, _): &&(&str, &str, &str)| *file == path && block.body.starts_with(start);
            if !NOT_RUN.iter().any(|entry| covers(&entry)) {
                without.push(format!("{path}: {}", block.body.lines().next().unwrap_or_default()));
            }
            unused.retain(|entry| !covers(entry));
        }
    }
    assert!(without.is_empty(), "neither run (```console) nor listed in NOT_RUN:\n{}", without.join("\n"));
    assert!(unused.is_empty(), "listed, but no longer there: {unused:?}");
}
