//! `doctor`: its reports of damaged and of missing files.

use crate::command::{
    at, built, copied, cubebase, damaged, fails, json, pcn, quoted, said, stdout, succeeds,
};
use serde_json::Value;
use std::fs;

#[test]
fn sound_tables_have_no_problem() {
    let built_in = succeeds("doctor --complete 4");
    assert_eq!(built_in, "36 tables sound, 0 problems\n2 men: 1 of 1\n3 men: 5 of 5\n4 men: 30 of 30\n");
    assert!(
        succeeds(format!("doctor {}", quoted(built())))
            .starts_with("6 tables sound, 0 problems\n2 men: 1 of 1\n")
    );
    let text = succeeds(format!("doctor {}", quoted(pcn("KPvK"))));
    assert!(text.contains("3 men: 1 of 5; missing: KBvK KNvK KQvK KRvK\n"), "{text}");
    assert!(
        text.contains("2 men: 0 of 1; missing: KvK\n") && text.contains("No table needs those"),
        "{text}"
    );
    let json = json(format!("doctor {}", quoted(pcn("KPvK"))));
    assert_eq!(json["by_men"][1]["missing"].as_array().map(Vec::len), Some(4), "{json}");
    assert_eq!(json["problems"].as_array().map(Vec::len), Some(0), "{json}");
}

#[test]
fn files_that_do_not_know_the_50_move_rule_are_named() {
    let known = json(format!("doctor {}", quoted(built())));
    assert_eq!(known["without_50_move_rule"], serde_json::json!([]));
    let dir = tempfile::tempdir().unwrap();
    let pcn = cubebase::Pcn::decode(&fs::read(pcn("KQvK")).unwrap()).unwrap();
    let bytes = pcn.with_rule_trees(None).unwrap().encode(cubebase::pcn::Codec::Compressed).unwrap();
    fs::write(dir.path().join("KQvK.pcn"), bytes).unwrap();
    let text = succeeds(format!("doctor {}", quoted(&dir)));
    assert!(text.contains("1 table sound, 0 problems\n"), "{text}");
    assert!(text.contains("\n50-move rule: not known for KQvK; files made from distances"), "{text}");
    let unknown = json(format!("doctor {}", quoted(&dir)));
    assert_eq!(unknown["without_50_move_rule"], serde_json::json!(["KQvK"]));
}

#[test]
fn complete_lists_missing_tables() {
    let tables = quoted(built());
    succeeds(format!("doctor --complete 3 {tables}"));
    let output = cubebase(format!("doctor --complete 4 {tables}"));
    assert_eq!(output.status.code(), Some(1));
    let first = stdout(&output).lines().next().unwrap();
    assert!(first.starts_with("30 tables of up to 4 men missing: ") && first.contains(" KPvKP"), "{first}");
    assert!(first.contains("make them: cubebase build "), "{first}");
    let output = cubebase(format!("doctor --complete 4 {} --format json", quoted(pcn("KvK"))));
    let json: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert!(json["problems"][0]["file"].is_null() && output.status.code() == Some(1), "{json}");
    fails("doctor --complete 1", 2, "--complete");
}

#[test]
fn each_damage_is_a_problem_with_advice() {
    let dir = tempfile::tempdir().unwrap();
    let renamed = (fs::read(pcn("KQvK")).unwrap(), "is the table of KQvK", "rename it");
    for (bytes, what, advice) in damaged().into_iter().chain([renamed]) {
        fs::write(dir.path().join("KPvK.pcn"), bytes).unwrap();
        copied(&dir, &[("KRvK", "KRvK.pcn")]);
        for path in [quoted(&dir), at(&dir, "KPvK.pcn")] {
            let output = cubebase(format!("doctor {path}"));
            assert_eq!(output.status.code(), Some(1), "{}", said(&output));
            let line = stdout(&output).lines().next().unwrap();
            let file = dir.path().join("KPvK.pcn");
            assert!(line.starts_with(&format!("{}: ", file.display())), "{line}");
            assert_eq!(line.matches(&*file.to_string_lossy()).count(), 1, "{line}");
            assert!(line.contains(what) && line.contains(advice), "{line}");
            assert!(stdout(&output).contains("1 problem\n"));
        }
    }
}

#[test]
fn a_damaged_bundle_is_found_out() {
    let dir = tempfile::tempdir().unwrap();
    let path = at(&dir, "x.pcb");
    succeeds(format!("bundle {} -o {path}", quoted(built())));
    let good = fs::read(dir.path().join("x.pcb")).unwrap();
    let flipped = |place: usize| {
        let mut bad = good.clone();
        bad[place] ^= 0x40;
        bad
    };
    for (bad, what) in [
        (flipped(0), "x.pcb: not a bundle of tables; put the right one in its place"),
        (
            flipped(6),
            "x.pcb: index of the bundle: 64 is the number of no material, at offset 5; copy it again",
        ),
        (good[..9].to_vec(), "x.pcb: index of the bundle: cut short: "),
        (good[..good.len() / 2].to_vec(), "x.pcb: a bundle cut short: "),
        (
            flipped(good.len() - 3),
            "x.pcb/KRvK.pcn: checksum: wrong checksum, at offset 31; copy the bundle again",
        ),
    ] {
        fs::write(dir.path().join("x.pcb"), &bad).unwrap();
        let output = cubebase(format!("doctor {path}"));
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        let line = stdout(&output).lines().next().unwrap();
        assert!(line.contains(what) && line.matches("bundle").count() == 1, "{line}");
    }
}

#[test]
fn duplicate_tables_and_missing_paths_are_problems() {
    let (tables, other) = (quoted(built()), tempfile::tempdir().unwrap());
    let one = quoted(pcn("KvK"));
    // Once each, however often they are named.
    assert!(succeeds(format!("doctor {tables} {one} {tables}")).contains("6 tables sound, 0 problems"));
    fs::copy(pcn("KvK"), other.path().join("KvK.pcn")).unwrap();
    let output = cubebase(format!("doctor {tables} {}", quoted(&other)));
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("KvK is also in "), "{}", stdout(&output));
    let output = cubebase(format!("doctor {tables} /no/such.pcn"));
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stdout(&output).contains("/no/such.pcn: ") && stdout(&output).contains("6 tables sound"),
        "{}",
        said(&output)
    );
    let empty = tempfile::tempdir().unwrap();
    let output = cubebase(format!("doctor {}", quoted(&empty)));
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(stdout(&output).contains("no .pcn file in it"), "{}", said(&output));
}
