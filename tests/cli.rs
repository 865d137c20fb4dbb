//! The commands from outside: the way through every file, what they print, and how they refuse bad input.

use crate::bundle::bundle;
use crate::command::{at, built, command, copied, fails, json, minimize_pla, pcn, quoted, stdout, succeeds};
use serde_json::Value;

/// Black has the distant opposition: drawn.
const PAWN: &str = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";

/// Sizes change only on purpose: then the fixture changes with them, by `.ci/fixtures`.
#[test]
fn sizes_of_the_bundle_are_those_of_the_fixture() {
    let bundle = at(env!("CARGO_MANIFEST_DIR"), "fixtures/four-men.pcb");
    let csv = succeeds(format!("info {bundle} --format csv"));
    assert_eq!(csv, include_str!("../fixtures/sizes.csv"));
}

/// The committed bundle is made as these tables are. Tables of four men take too long here: `.ci/slow four` compares all.
#[test]
fn tables_are_those_of_the_bundle() {
    for (material, bytes) in bundle().tables().filter(|(material, _)| material.len() <= 3) {
        let file = std::fs::read(pcn(&material.to_string())).unwrap();
        assert!(file == bytes, "{material} is another file: .ci/fixtures makes the bundle anew");
    }
}

#[test]
fn a_vector_level_that_does_not_exist_is_refused() {
    let bundle = at(env!("CARGO_MANIFEST_DIR"), "fixtures/four-men.pcb");
    let with = |level| {
        let output = command(format!("info {bundle}")).env("CUBEBASE_KERNEL", level).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(["portable", ""].map(with), [(); 2].map(|()| (Some(0), String::new())));
    let message = "cubebase: the environment variable CUBEBASE_KERNEL is \"avx\"; it may be one of portable, avx2, \
        avx512, avx512icl\n";
    assert_eq!(with("avx"), (Some(2), message.to_owned()));
}

#[test]
fn sets_of_files_are_compared() {
    let dir = tempfile::tempdir().unwrap();
    let (board, auto) = (at(&dir, "board"), at(&dir, "auto.pcb"));
    succeeds(format!("build KQvK KRvK --model board --effort 1 --out {board}"));
    succeeds(format!("bundle {} -o {auto}", quoted(built())));
    let text = succeeds(format!("compare {board} {auto}"));
    let head: Vec<&str> = text.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(head, ["material", "board", "auto", "syzygy", "paper", "board", "ratio", "auto", "ratio"]);
    let cells = |name: &str| -> Vec<&str> {
        text.lines().find(|line| line.starts_with(name)).unwrap().split_whitespace().collect()
    };
    assert_eq!(cells("KPvK")[1], "-", "{text}");
    assert_eq!(cells("tables"), ["tables", "2", "6"]);
    let json = json(format!("compare {board} {auto}"));
    let set = &json["sets"][0];
    assert_eq!((set["name"].as_str(), set["tables"].as_array().map(Vec::len)), (Some("board"), Some(2)));
    assert_eq!(kinds_and_headers(set), set["bytes"].as_u64().unwrap(), "{set}");
    for at in 0..2 {
        let cell = |line: &str| line.split_whitespace().rev().nth(1 - at)?.parse::<u64>().ok();
        let kinds = text.lines().skip_while(|line| !line.starts_with("worst table")).skip(1);
        assert_eq!(cells("total")[1 + at], kinds.filter_map(cell).sum::<u64>().to_string(), "{text}");
    }
    assert!(set["worst_syzygy_ratio"].is_number(), "{json}");
}

/// The sum of the bytes that `compare` and `info` list by model and shape, and of those of the headers.
fn kinds_and_headers(of: &Value) -> u64 {
    let kinds = of["models_and_shapes"].as_array().unwrap().iter();
    kinds.map(|kind| kind["bytes"].as_u64().unwrap()).sum::<u64>() + of["headers_bytes"].as_u64().unwrap()
}

/// In the text, the lines of the sides to move have the figures of the JSON fields.
fn check_sides(text: &str, file: &Value) {
    for side in file["sides"].as_array().unwrap() {
        let turn = side["turn"].as_str().unwrap();
        let line = text.lines().find(|line| line.trim_start().starts_with(turn)).unwrap().replace(',', "");
        let shown: Vec<&str> = line.split_whitespace().skip(2).take(5).collect();
        let fields = ["bytes", "clauses", "literals", "exception_bytes", "pages"];
        assert_eq!(shown, fields.map(|field| side[field].to_string()), "{text}");
        assert!(side["exception_bytes"].as_u64() > Some(0), "{side}");
    }
}

#[test]
fn info_of_several_files_ends_with_their_sums() {
    let bytes = ["KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK"].map(|of| pcn(of).metadata().unwrap().len());
    // Two of them are castling rights, which have a sum of their own.
    let bytes = bytes.iter().sum::<u64>() - 2;
    let tables = quoted(built());
    let text = succeeds(format!("info {tables}"));
    assert!(text.contains("KPvK.pcn") && text.contains("KPvK.wdl"), "{text}");
    let totals: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("total: ")).collect();
    assert!(totals[0].starts_with(&format!("total: 6 files, {bytes} bytes, ")), "{text}");
    let bytes_of = |line: &&str| line.strip_suffix(" bytes")?.rsplit(' ').next()?.parse::<u64>().ok();
    assert_eq!(totals[1..].iter().filter_map(bytes_of).sum::<u64>(), bytes, "{text}");
    assert!(totals.last().unwrap().starts_with("  headers: "), "{text}");
    let info = json(format!("info {tables}"));
    assert_eq!(info["files"].as_array().unwrap().len(), 12);
    let pawn = &info["files"]
        .as_array()
        .unwrap()
        .iter()
        .find(|file| file["kind"] == "pcn" && file["material"] == "KPvK");
    check_sides(&succeeds(format!("info {}", quoted(pcn("KPvK")))), pawn.unwrap());
    let totals = &info["totals"];
    assert_eq!((totals["files"].as_u64(), totals["bytes"].as_u64()), (Some(6), Some(bytes)));
    assert_eq!(kinds_and_headers(totals), bytes);
    // Outcome tables have a line each, with the sums of both sides to move.
    let rook = text.lines().find(|line| line.contains("KRvK.wdl")).unwrap();
    assert_eq!(rook.split_whitespace().collect::<Vec<_>>(), ["KRvK.wdl", "wdl", "21,959", "2,796", "25,260"]);
    let (clauses, literals) = (&totals["clauses"], &totals["literals"]);
    let end = format!(" bytes {clauses} clauses {literals} literals 2 bytes of castling rights");
    assert!(text.lines().any(|line| line.replace(',', "").ends_with(&end)), "{text}");
    // For one file there is no total. Its name may be any.
    let dir = tempfile::tempdir().unwrap();
    copied(&dir, &[("KPvK", "KPvK.pcn.old")]);
    let text = succeeds(format!("info {}", at(&dir, "KPvK.pcn.old")));
    assert!(text.contains("KPvK, ") && !text.contains("total"), "{text}");
    assert!(succeeds(format!("info {}", quoted(pcn("KvK")))).contains(" bytes, 1 clause, 0 literals\n"));
    // A section for both sides is counted once.
    let info = json("info fixtures/fuzz/pcn/KRvK-binary-covers.pcn");
    assert!((20..40).contains(&info["totals"]["headers_bytes"].as_u64().unwrap()), "{info}");
}

#[test]
fn a_build_reports_the_time_of_each_stage() {
    let dir = tempfile::tempdir().unwrap();
    let json = json(format!("build KQvK --effort 1 --out {}", quoted(&dir)));
    let table = &json["tables"][0];
    let stages = ["generating", "trials", "minimizing", "coding", "checking"];
    let seconds: f64 = stages.iter().map(|stage| table[format!("{stage}_seconds")].as_f64().unwrap()).sum();
    assert!(seconds > 0.0 && seconds <= table["seconds"].as_f64().unwrap(), "{json}");
    assert!(table["model"].is_string(), "{json}");
}

#[test]
fn castling_rights_are_added_to_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let (file, tables, fen) = (at(&dir, "KRvK.pcn"), quoted(built()), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    succeeds(format!("build KRvK KQvK --model board --effort 1 --out {}", quoted(&dir)));
    let verified = |more: &str| {
        let text = succeeds(format!("verify {file} --tables {tables} --canonical"));
        assert!(text.contains(more), "{text}");
    };
    verified("right on all 50,015 positions");
    fails(format!("probe --tables {file} '{fen}'"), 3, "castling rights K: this table of KRvK has none");
    let status = command(format!("probe --format json --tables {file} '{fen}'")).output().unwrap();
    assert!(stdout(&status).contains(r#""status":"missing_rights""#), "{}", stdout(&status));
    let text = succeeds(format!("castle {} --tables {tables}", quoted(&dir)));
    assert!(text.ends_with("KRvK.pcn: 2 bytes of castling rights, which matter in 0 positions\n"), "{text}");
    assert_eq!(text.lines().count(), 1, "KQvK has no rook: {text}");
    // Positions with rights are counted too.
    verified("right on all 50,226 positions");
    assert_eq!(succeeds(format!("probe --tables {file} '{fen}'")), "win\n");
    fails(format!("lookup --tables {tables} '{fen}'"), 3, "castling rights K: outcome tables have none");
    let info = succeeds(format!("info {file}"));
    assert!(
        info.contains("castling 2\n")
            && info.contains("castling rights: 2 bytes, they matter in 0 positions"),
        "{info}"
    );
    let refused = format!("build KRBvKRB --castling --out {}", quoted(&dir));
    fails(refused, 3, "KRBvKRB: castling rights are solved for up to five men");
}

#[test]
fn a_wrong_table_is_a_mismatch() {
    // The clauses of another table under a PLA's name: the inputs fit, the values do not.
    let dir = tempfile::tempdir().unwrap();
    let [pla, min, out] = ["a.pla", "b.pla", "c.pcn"].map(|name| dir.path().join(name));
    let tables = quoted(built());
    succeeds(format!("export KRvK --tables {tables} -o {}", quoted(&pla)));
    minimize_pla(&pla, &min, "compact,loop");
    for (material, status, why) in [("KQvK", 1, "KQvK"), ("KQvKR", 3, "inputs")] {
        let (min, out) = (quoted(&min), quoted(&out));
        fails(format!("pack {min} --material {material} --tables {tables} -o {out}"), status, why);
    }
    assert!(!out.exists());
}

#[test]
fn a_table_walks_through_every_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str| dir.path().join(name);
    let [tables, pla, min, pcn] =
        ["tables", "KQvK.pla", "KQvK.min.pla", "KQvK.pcn"].map(|name| at(&dir, name));
    let text = succeeds(format!("generate KQvK --out {tables}"));
    assert!(text.contains("KQvK"), "{text}");
    succeeds(format!("export KQvK --tables {tables} -o {pla}"));
    minimize_pla(&file("KQvK.pla"), &file("KQvK.min.pla"), "compact,loop");
    let text = succeeds(format!("pack {min} --material KQvK --tables {tables} -o {pcn}"));
    assert!(text.contains("46,137 positions"), "{text}");
    assert_eq!(succeeds(format!("probe --tables {pcn} '4k3/8/8/8/8/8/8/3QK3 b - - 0 1'")), "loss\n");
    assert!(succeeds(format!("verify {pcn}")).contains("right on all 368,452 positions"));
    assert!(succeeds(format!("verify --canonical {pcn}")).contains("right on all 46,137 positions"));
    let verified = &json(format!("verify {pcn}"))["files"][0];
    assert_eq!(verified["right"], true);
    let milliseconds = verified["first_answer_milliseconds"].as_f64().unwrap();
    assert!(milliseconds > 0.0 && milliseconds.to_string().len() <= "10.123".len(), "{verified}");
    succeeds(format!("minimize KQvK --tables {tables} --effort 4 -o {}", at(&dir, "tree.pcn")));
    assert!(file("tree.pcn").metadata().unwrap().len() < file("KQvK.pcn").metadata().unwrap().len());
}

#[test]
fn a_bundle_is_as_good_as_a_directory() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str| dir.path().join(name);
    let (tables, bundle) = (quoted(built()), at(&dir, "three.pcb"));
    assert!(succeeds(format!("bundle {tables} -o {bundle}")).contains("6 tables"));
    let bytes = std::fs::read(file("three.pcb")).unwrap();
    assert_eq!(succeeds(format!("probe --tables {bundle} '{PAWN}'")), "draw\n");
    let text = succeeds(format!("info {bundle}"));
    assert!(
        text.contains("three.pcb: 6 tables\n") && text.contains("\n  KPvK.pcn  attack   tree "),
        "{text}"
    );
    for tables in [&bundle, &tables] {
        let text = succeeds(format!("verify {tables}"));
        assert_eq!(text.lines().filter(|line| line.contains("right on all")).count(), 6, "{text}");
        assert!(text.lines().last().unwrap().starts_with("6 files right: "), "{text}");
    }
    let text = succeeds(format!("compare {tables}"));
    assert!(text.contains("KPvK") && text.contains("7,824") && text.contains("6,252"), "{text}");
    assert!(text.ends_with('\n'), "{text}");
    assert_eq!(succeeds(format!("compare {bundle}")), text);
    // The same tables from files, directories and bundles together.
    for (name, files) in [
        ("one", [("KQvK", "KQvK.pcn"), ("KRvK", "KRvK.pcn")]),
        ("two", [("KvK", "KvK.pcn"), ("KBvK", "KBvK.pcn")]),
    ] {
        std::fs::create_dir(file(name)).unwrap();
        copied(file(name), &files);
    }
    let [one, two, merged] = ["one", "two.pcb", "merged.pcb"].map(|name| at(&dir, name));
    succeeds(format!("bundle {} -o {two}", at(&dir, "two")));
    let (knight, pawn) = (quoted(pcn("KNvK")), quoted(pcn("KPvK")));
    let text = succeeds(format!("bundle {one} {knight} {two} {pawn} -o {merged}"));
    assert!(text.contains("6 tables"), "{text}");
    assert_eq!(bytes, std::fs::read(file("merged.pcb")).unwrap());
    let (queen, bundled) = (file("one/KQvK.pcn"), file("three.pcb/KQvK.pcn"));
    let twice = format!("two tables of KQvK: {} and {}", queen.display(), bundled.display());
    fails(format!("bundle {one} {bundle} -o {merged}"), 3, &twice);
    assert_eq!(bytes, std::fs::read(file("merged.pcb")).unwrap());
    fails(format!("bundle /no/such.pcn -o {merged}"), 3, "/no/such.pcn");
    std::fs::write(file("three.pcb"), b"\xe7PCB\x01").unwrap();
    fails(format!("info {bundle}"), 3, "cut short");
    fails(format!("probe --tables {bundle} '{PAWN}'"), 3, "cut short");
}
