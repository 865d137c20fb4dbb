//! The program as a process: three men beside the paper, the record, and refused input.

use assert_cmd::Command;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

fn paper(args: &[&str]) -> Output {
    let mut command = Command::cargo_bin("cubebase-paper").unwrap();
    // Longer than any run here takes, so that a hanging run fails.
    command.args(args).timeout(Duration::from_secs(300)).output().unwrap()
}

#[track_caller]
fn succeeds(args: &[&str]) -> String {
    let output = paper(args);
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn fails(args: &[&str], message: &str) {
    let output = paper(args);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{args:?}: {said}");
    assert!(said.contains(message), "{args:?}: {said}");
    assert!(output.stdout.is_empty(), "{args:?}: refused before the run");
}

fn line<'a>(text: &'a str, table: &str, cells: &[&str]) -> Vec<&'a str> {
    let lines = text.lines().skip_while(|line| !line.starts_with(table));
    let mut lines = lines.map(|line| line.split_whitespace().collect::<Vec<_>>());
    lines.find(|line| line.starts_with(cells)).unwrap_or_else(|| panic!("{table}: no line {cells:?}: {text}"))
}

#[test]
fn three_men_beside_the_paper() {
    let dir = tempfile::tempdir().unwrap();
    let record = dir.path().join("record.csv");
    let arguments = ["--men", "3", "--record", record.to_str().unwrap()];
    let text = succeeds(&arguments);
    for canonical in [
        ["KQvK", "canonical", "9563", "9563", "1739", "1739", "13549", "13549"],
        ["KPvK", "all", "124960", "124960", "108788", "108788", "97604", "97604"],
    ] {
        assert_eq!(line(&text, "Table 2", &canonical[..2]), canonical);
    }
    let [_, _, ours, theirs] = line(&text, "Table 3", &["KPvK", "all"])[..4] else { panic!("{text}") };
    assert_eq!((ours, theirs), ("17444", "30570"));
    for (material, positions) in [("KQvK", "24851"), ("KRvK", "27212"), ("KPvK", "85018")] {
        assert_eq!(line(&text, "Table 4, like for like", &[material])[1..4], [positions, positions, "1.000"]);
    }
    assert_eq!(line(&text, "Table 4, our", &["KPvK"])[1], "165676");
    let bytes = line(&text, "Table 5", &["KPvK"]);
    assert_eq!([bytes[5], bytes[7]], ["6252", "7824"]);

    // A removed row is measured again, and no other.
    let kept = std::fs::read_to_string(&record).unwrap();
    assert_eq!(kept.lines().count(), 7, "{kept}");
    let seconds = kept.lines().find(|line| line.starts_with("KPvK,")).unwrap();
    let rest: String = kept.split_inclusive('\n').filter(|line| !line.starts_with("KRvK,")).collect();
    std::fs::write(&record, rest).unwrap();
    let again = succeeds(&arguments);
    let table5 = |text: &str| text[text.find("Table 5").unwrap()..].to_string();
    assert_eq!(table5(&again), table5(&text));
    let kept = std::fs::read_to_string(&record).unwrap();
    assert!(kept.lines().any(|line| line == seconds) && kept.lines().count() == 7, "{kept}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "no temporary file");
}

#[test]
fn without_a_budget_there_is_no_full_loop() {
    let text = succeeds(&["KBvK", "--budget", "0"]);
    assert_eq!(line(&text, "Table 4, our", &["KBvK"])[13..], ["-", "1", "-"]);
}

#[test]
fn bad_input_is_refused_before_the_run() {
    fails(&["KQRvKR"], "no table of KQRvKR");
    fails(&["XYZ"], "XYZ");
    let dir = tempfile::tempdir().unwrap();
    let record = dir.path().join("record.csv");
    let refused = |record: &Path, message| fails(&["KQvK", "--record", record.to_str().unwrap()], message);
    std::fs::write(&record, "material,clauses\nKQvK,1\n").unwrap();
    refused(&record, "record.csv");
    refused(&dir.path().join("none/record.csv"), "none/record.csv");
    refused(dir.path(), "a record is a regular file");
    if cfg!(unix) {
        // Reading one of these would never end.
        let pipe = dir.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for record in [&*pipe, Path::new("/dev/full"), Path::new("/dev/zero"), Path::new("/dev/null")] {
            refused(record, "a record is a regular file");
        }
    }
}
