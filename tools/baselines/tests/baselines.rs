//! The program from outside: every representation of the smallest tables, limits, going on, and bad input.

use assert_cmd::Command;
use cubebase::Material;
use cubebase::chess::retrograde::Store;
use cubebase::cli::baselines::{self, Line};
use std::path::Path;
use tempfile::TempDir;

const REPRESENTATIONS: [&str; 11] = [
    "array",
    "index",
    "blocks",
    "ribbon",
    "dag",
    "mtbdd-binary",
    "mtbdd-board",
    "two-level",
    "board",
    "geometry",
    "auto",
];

/// A directory with the outcome tables.
fn tables(names: &[&str]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let materials: Vec<Material> = names.iter().map(|name| name.parse().unwrap()).collect();
    Store::new(Some(dir.path().to_owned())).generate(&materials).unwrap();
    dir
}

fn command(arguments: &str, dir: &Path) -> Command {
    let mut command = Command::cargo_bin("cubebase-baselines").unwrap();
    command.args(arguments.split_whitespace()).current_dir(dir);
    command
}

fn run(arguments: &str, dir: &Path) -> Vec<Line> {
    command(&format!("run {arguments} --effort 1 --positions 1000"), dir).assert().success();
    baselines::read(&dir.join("record.csv")).unwrap()
}

#[test]
fn all_representations_hold_the_smallest_tables() {
    let dir = tables(&["KvK", "KQvK", "KRvK", "KPvK", "KNvK"]);
    let lines = run("KvK KQvK KPvK KNvK --tables . --record record.csv --jobs 2", dir.path());
    for material in ["KvK", "KQvK", "KPvK", "KNvK"] {
        let line = |name: &str| baselines::find(&lines, material, name).unwrap();
        for name in REPRESENTATIONS {
            let Line { bytes, asked, probe_ns, limit, .. } = line(name);
            assert!(
                bytes.unwrap() > 0 && asked.unwrap() > 3000 && probe_ns.unwrap() > 0.0,
                "{material} {name}"
            );
            assert_eq!(*limit, None);
        }
        // Two bits for each placement, for either side to move.
        let placements = 64_u64.pow(material.len() as u32 - 1);
        assert_eq!(line("array").bytes, Some(placements / 2));
        assert!(line("index").bytes < line("array").bytes && line("auto").bytes < line("index").bytes);
    }
    // The published number of positions with kings apart: 3,612 for each side to move.
    assert_eq!(baselines::find(&lines, "KvK", "dag").unwrap().asked, Some(7224));
    let said = command("check record.csv", dir.path()).assert().success();
    assert_eq!(said.get_output().stdout, b"44 lines, 0 at a limit, 0 disagree\n");
    let text = std::fs::read_to_string(dir.path().join("record.csv")).unwrap();
    std::fs::write(dir.path().join("record.csv"), text.replacen(",7224,", ",7223,", 1)).unwrap();
    command("check record.csv", dir.path()).assert().code(1);
    std::fs::write(dir.path().join("page.md"), "a\n<!-- figures -->\nold\n<!-- end of figures -->\nb\n")
        .unwrap();
    command("page record.csv page.md", dir.path()).assert().success();
    let page = std::fs::read_to_string(dir.path().join("page.md")).unwrap();
    assert!(
        page.starts_with("a\n<!-- figures -->\n| representation")
            && page.ends_with("<!-- end of figures -->\nb\n")
    );
    assert!(page.contains("| `dag` | 4 |") && !page.contains("NaN") && !page.contains("\nold\n"), "{page}");
}

#[test]
fn a_run_continues_and_limits_are_lines() {
    let dir = tables(&["KvK", "KQvK"]);
    let first = run("KvK --tables . --record record.csv --only index --only dag", dir.path());
    assert_eq!(first.len(), 2);
    // Killed while it wrote a line.
    let path = dir.path().join("record.csv");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &text[..text.len() - 20]).unwrap();
    let again = run("KvK --tables . --record record.csv --only index --only dag", dir.path());
    assert_eq!((again.len(), &again[0]), (2, &first[0]));
    let lines = run("KQvK --tables . --record record.csv --only dag --seconds 0", dir.path());
    assert_eq!((lines[2].limit.as_deref(), lines[2].bytes), (Some("0 s"), None));
    let lines = run("KQvK --tables . --record record.csv --only index --memory 0", dir.path());
    assert_eq!(lines[3].limit.as_deref(), Some("0 MiB"));
}

#[test]
fn the_page_has_the_figures_of_the_record() {
    let docs = Path::new("../../docs");
    let dir = tempfile::tempdir().unwrap();
    for name in ["baselines.md", "baselines.csv"] {
        std::fs::copy(docs.join(name), dir.path().join(name)).unwrap();
    }
    command("page baselines.csv baselines.md", dir.path()).assert().success();
    let [there, made] =
        [docs, dir.path()].map(|folder| std::fs::read_to_string(folder.join("baselines.md")).unwrap());
    assert_eq!(made, there);
    command("check baselines.csv", dir.path()).assert().success();
}

#[test]
fn bad_input_gets_one_line() {
    let dir = tables(&["KvK"]);
    let fails = |arguments: &str, message: &str| {
        let said = command(arguments, dir.path()).assert().code(3);
        let error = String::from_utf8(said.get_output().stderr.clone()).unwrap();
        assert!(
            error.starts_with("error: ") && error.contains(message) && error.lines().count() == 1,
            "{error}"
        );
    };
    fails("run KQvK --tables . --record record.csv", "KQvK.wdl: not there");
    fails("run KvX --tables . --record record.csv", "KvX");
    fails("run KvK --tables . --record record.csv --syzygy nowhere", "nowhere: no directory");
    fails("run KvK --record record.csv", "--tables");
    fails("one syzygy KQvK --tables .", "no Syzygy file KQvK.rtbw");
    for text in ["# cubebase-baselines record, version 2\n", "material\nKvK\n", ""] {
        std::fs::write(dir.path().join("other.csv"), text).unwrap();
        fails("run KvK --tables . --record other.csv", "not a record of this version");
        fails("check other.csv", "not a record of this version");
    }
}
