//! `paper` from outside, and that the way without text in between leads to the same cover as the way through PLAs.

use crate::command::{cubebase, succeeds};
use espresso::minimize::{Options, Step, minimize};
use espresso::pla::{Pla, PlaType};
use std::path::Path;

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[track_caller]
fn fails(args: &[&str], status: i32, message: &str) {
    let output = cubebase(args);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{args:?}: {said}");
    assert!(said.contains(message) && said.lines().count() == 1, "{args:?}: {said}");
    assert_eq!(text(&output.stdout), "", "{args:?}: refused before the run");
}

/// The bytes of the file that `minimize` makes, and of the one that `pack` makes of what the minimizer leaves of the PLA.
fn both_ways(material: &str, steps: &str) -> [Vec<u8>; 2] {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).to_str().unwrap().to_string();
    let (tables, pla, min, packed, direct) =
        (at("tables"), at("in.pla"), at("out.pla"), at("packed.pcn"), at("direct.pcn"));
    succeeds(&["generate", material, "--out", &tables]);
    let model = ["--model", "binary", "--layers", "independent"];
    let minimized = ["minimize", material, "--tables", &tables, "--steps", steps, "-o", &direct];
    succeeds(&[&minimized[..], &model].concat());
    succeeds(&["export", material, "--tables", &tables, "-o", &pla]);
    // The `espresso` command belongs to another package: its library in its place.
    let function = espresso::Function::from_pla(&Pla::read(&*std::fs::read(&pla).unwrap()).unwrap()).unwrap();
    let options = Options { steps: Step::parse_list(steps).unwrap(), ..Options::default() };
    let (cover, _) = minimize(&function, &options).unwrap();
    let mut text = Vec::new();
    Pla::from_cover(cover).write(&mut text, PlaType::F).unwrap();
    std::fs::write(&min, text).unwrap();
    succeeds(&["pack", &min, "--material", material, "--tables", &tables, "-o", &packed]);
    [direct, packed].map(|path| std::fs::read(path).unwrap())
}

#[test]
fn text_in_between_changes_no_cover() {
    for material in ["KQvK", "KPvK"] {
        let mut sizes = Vec::new();
        for steps in
            ["compact", "compact,expand,irredundant", "compact,expand,irredundant,reduce,expand,irredundant"]
        {
            let [direct, packed] = both_ways(material, steps);
            assert_eq!(direct, packed, "{material} {steps}");
            sizes.push(direct.len());
        }
        assert!(sizes.is_sorted_by(|a, b| a > b), "every step counts: {sizes:?}");
    }
}

#[test]
#[ignore = "minutes: four men, one of them with two alike, and equal material"]
fn text_in_between_changes_no_cover_of_four_men() {
    for material in ["KQvKR", "KRRvK", "KRvKR"] {
        let [direct, packed] = both_ways(material, "compact,expand,irredundant");
        assert_eq!(direct, packed, "{material}");
    }
}

/// Cells of a line by the names of the first.
fn cell<'a>(csv: &'a str, material: &str, column: &str) -> &'a str {
    let at = csv.lines().next().unwrap().split(',').position(|name| name == column).unwrap();
    let line = csv.lines().find(|line| line.split(',').next() == Some(material)).unwrap();
    line.split(',').nth(at).unwrap()
}

#[test]
fn three_men_beside_the_paper() {
    let dir = tempfile::tempdir().unwrap();
    let record = dir.path().join("record.csv");
    let paper = ["paper", "--men", "3", "--record", record.to_str().unwrap(), "--format"];
    let run = |format| succeeds(&[&paper[..], &[format]].concat());
    let csv = run("csv");
    assert_eq!(csv.lines().count(), 7);
    assert_eq!(std::fs::read_to_string(&record).unwrap(), csv, "rows are printed as they are kept");
    let figure = |material, column| cell(&csv, material, column).parse::<u64>().unwrap();
    for (material, positions, zipped) in
        [("KvK", 462, "64"), ("KQvK", 46_137, "748"), ("KRvK", 50_015, "636"), ("KPvK", 165_676, "6252")]
    {
        assert_eq!(figure(material, "positions"), positions);
        let names =
            ["positions", "compacted_clauses", "expanded_clauses", "irredundant_clauses", "full_clauses"];
        let clauses = names.map(|name| figure(material, name));
        assert!(clauses.is_sorted_by(|a, b| a >= b), "{material}: {clauses:?}");
        assert_eq!(figure(material, "pcn_bytes"), 8 * clauses[3]);
        assert_eq!(cell(&csv, material, "zipped_bytes_paper"), zipped);
    }
    // With the paper's positions, to the position.
    for (material, positions) in [("KQvK", 24_851), ("KRvK", 27_212), ("KBvK", 28_215), ("KPvK", 85_018)] {
        assert_eq!(figure(material, "half_positions"), positions);
        assert_eq!(figure(material, "positions_paper"), positions);
    }
    assert_eq!(cell(&csv, "KvK", "half_positions"), "");
    assert_eq!(figure("KBvK", "irredundant_clauses"), 1);
    assert_eq!(cell(&csv, "KPvK", "syzygy_bytes"), "7824");
    // A rerun measures nothing again: the seconds are the same.
    assert_eq!(run("csv"), csv);
    let shown = run("text");
    assert!(shown.contains("Table 4") && shown.contains("Table 5"), "{shown}");
    assert_eq!(shown.lines().filter(|line| line.starts_with("KPvK ")).count(), 4, "{shown}");
    let json: serde_json::Value = serde_json::from_str(&run("json")).unwrap();
    assert_eq!(json["tables"][5]["full_hours_paper"], 0.173);
    // What has been taken out is measured again, and nothing else.
    let rest: String = csv.split_inclusive('\n').filter(|line| !line.starts_with("KRvK,")).collect();
    std::fs::write(&record, &rest).unwrap();
    let again = run("csv");
    assert_eq!(cell(&again, "KRvK", "full_clauses"), cell(&csv, "KRvK", "full_clauses"));
    assert_eq!(cell(&again, "KPvK", "full_seconds"), cell(&csv, "KPvK", "full_seconds"));
    let kept = std::fs::read_to_string(&record).unwrap();
    assert!(kept.starts_with(&rest) && kept.lines().count() == 7, "{kept}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "no temporary file");
}

#[test]
fn without_a_budget_there_is_no_full_loop() {
    let csv = succeeds(&["paper", "KPvK", "--budget", "0", "--format", "csv"]);
    assert_eq!((cell(&csv, "KPvK", "full_clauses"), cell(&csv, "KPvK", "full_seconds")), ("", ""));
    assert_eq!(cell(&csv, "KPvK", "full_clauses_paper"), "2004");
}

#[test]
fn what_cannot_be_is_refused_before_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let out = out.to_str().unwrap();
    fails(&["paper", "KQRvKR"], 2, "no table of KQRvKR");
    fails(&["paper", "5"], 2, "no table of ");
    let record = dir.path().join("record.csv");
    std::fs::write(&record, "material,clauses\n").unwrap();
    fails(&["paper", "KQvK", "--record", record.to_str().unwrap()], 3, "record.csv");
    let few = ["--memory", "16M"];
    fails(&[&["paper", "--men", "4"][..], &few].concat(), 3, "minimizing takes up to ");
    for (model, bound) in [("binary", "up to"), ("auto", "at least")] {
        let message = format!("KPvK: minimizing takes {bound} ");
        let with_model = [&few[..], &["--model", model]].concat();
        fails(&[&["minimize", "KPvK", "-o", out][..], &with_model].concat(), 3, &message);
        fails(&[&["build", "KPvK", "--out", out][..], &with_model].concat(), 3, &message);
    }
    assert!(!Path::new(out).exists());
}
