//! The commands from outside: the way through every file, what they print, and how they refuse bad input.

use crate::bundle::bundle;
use crate::command::{built, copied, fails, json, minimize_pla, path, stderr, stdout, succeeds};
use assert_cmd::Command;
use std::path::Path;

/// Black has the distant opposition: drawn.
const PAWN: &str = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";

/// Sizes change only on purpose: then the fixture changes with them, by `.ci/fixtures`.
#[test]
fn sizes_of_the_bundle_are_those_of_the_fixture() {
    let bundle = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/four-men.pcb");
    let csv = succeeds(&["info", path(&bundle), "--format", "csv"]);
    assert_eq!(csv, include_str!("../fixtures/sizes.csv"));
}

/// The committed bundle is made as these tables are. Tables of four men take too long here: `.ci/slow four` compares all.
#[test]
fn tables_are_those_of_the_bundle() {
    for (material, bytes) in bundle().tables().filter(|(material, _)| material.len() <= 3) {
        let file = std::fs::read(built().join(format!("{material}.pcn"))).unwrap();
        assert!(file == bytes, "{material} is another file: .ci/fixtures makes the bundle anew");
    }
}

#[test]
fn sets_of_files_stand_side_by_side() {
    let dir = tempfile::tempdir().unwrap();
    let (board, auto) = (dir.path().join("board"), dir.path().join("auto.pcb"));
    succeeds(&["build", "KQvK", "KRvK", "--model", "board", "--effort", "1", "--out", path(&board)]);
    succeeds(&["bundle", path(built()), "-o", path(&auto)]);
    let text = succeeds(&["compare", path(&board), path(&auto)]);
    let head: Vec<&str> = text.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(head, ["material", "board", "auto", "syzygy", "paper", "board", "ratio", "auto", "ratio"]);
    let line = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap().to_string();
    assert_eq!(line("KPvK").split_whitespace().nth(1), Some("-"), "{text}");
    assert_eq!(line("tables").split_whitespace().collect::<Vec<_>>(), ["tables", "2", "6"]);
    let json = json(&["compare", path(&board), path(&auto)]);
    let set = &json["sets"][0];
    assert_eq!((set["name"].as_str(), set["tables"].as_array().map(Vec::len)), (Some("board"), Some(2)));
    assert_eq!(kinds_and_headers(set), set["bytes"].as_u64().unwrap(), "{set}");
    for (at, column) in ["board", "auto"].into_iter().enumerate() {
        let cell = |line: &str| line.split_whitespace().rev().nth(1 - at)?.parse::<u64>().ok();
        let kinds = text.lines().skip_while(|line| !line.starts_with("worst table")).skip(1);
        let sum: u64 = kinds.filter_map(cell).sum();
        assert_eq!(
            line("total").split_whitespace().nth(1 + at),
            Some(&sum.to_string()[..]),
            "{column}: {text}"
        );
    }
    assert!(set["worst_syzygy_ratio"].is_number(), "{json}");
}

/// The sum of what `compare` and `info` list by model and shape, and of the headers.
fn kinds_and_headers(of: &serde_json::Value) -> u64 {
    let kinds = of["models_and_shapes"].as_array().unwrap().iter();
    kinds.map(|kind| kind["bytes"].as_u64().unwrap()).sum::<u64>() + of["headers_bytes"].as_u64().unwrap()
}

#[test]
fn info_of_several_files_ends_with_their_sums() {
    let file = |material| built().join(format!("{material}.pcn"));
    let bytes = ["KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK"].map(|of| file(of).metadata().unwrap().len());
    let bytes: u64 = bytes.iter().sum();
    let text = succeeds(&["info", path(built())]);
    let totals: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("total: ")).collect();
    assert!(totals[0].starts_with(&format!("total: 6 files, {bytes} bytes, ")), "{text}");
    let bytes_of = |line: &&str| line.strip_suffix(" bytes")?.rsplit(' ').next()?.parse::<u64>().ok();
    assert_eq!(totals[1..].iter().filter_map(bytes_of).sum::<u64>(), bytes, "{text}");
    assert!(totals.last().unwrap().starts_with("  headers: "), "{text}");
    let json = json(&["info", path(built())]);
    let totals = &json["totals"];
    assert_eq!((totals["files"].as_u64(), totals["bytes"].as_u64()), (Some(6), Some(bytes)));
    assert_eq!(kinds_and_headers(totals), bytes);
    // One file is its own sum.
    assert!(!succeeds(&["info", path(&built().join("KPvK.pcn"))]).contains("total"));
    // A clause that speaks for both sides is counted once.
    let dir = tempfile::tempdir().unwrap();
    let both = dir.path().join("KRvK.pcn");
    succeeds(&["minimize", "KRvK", "--layers", "independent", "--effort", "1", "-o", path(&both)]);
    let json = crate::command::json(&["info", path(&both)]);
    let headers = json["totals"]["headers_bytes"].as_u64().unwrap();
    assert!((20..40).contains(&headers), "{json}");
}

#[test]
fn a_build_says_where_its_time_went() {
    let dir = tempfile::tempdir().unwrap();
    let json = json(&["build", "KQvK", "--effort", "1", "--out", path(dir.path())]);
    let table = &json["tables"][0];
    let stages = ["generating", "trials", "minimizing", "coding", "checking"];
    let seconds: f64 = stages.iter().map(|stage| table[format!("{stage}_seconds")].as_f64().unwrap()).sum();
    assert!(seconds > 0.0 && seconds <= table["seconds"].as_f64().unwrap(), "{json}");
    assert!(table["model"].is_string(), "{json}");
}

#[test]
fn a_newcomer_probes() {
    let tables = path(built());
    assert_eq!(succeeds(&["probe", "--tables", tables, PAWN]), "draw\n");
    let one = built().join("KPvK.pcn");
    assert_eq!(succeeds(&["probe", "--tables", path(&one), PAWN]), "draw\n");
    let json = json(&["probe", "--tables", tables, PAWN]);
    assert_eq!((json["fen"].as_str(), json["outcome"].as_str()), (Some(PAWN), Some("draw")));
}

#[test]
fn lookup_agrees_and_gives_distances() {
    let tables = path(built());
    assert_eq!(succeeds(&["lookup", "--tables", tables, PAWN]), "draw\n");
    let dir = tempfile::tempdir().unwrap();
    let dtm = path(dir.path());
    succeeds(&["generate", "KQvK", "--metric", "dtm", "--out", dtm]);
    // Queen and king mate at once.
    let mate_in_one = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1";
    assert_eq!(succeeds(&["lookup", "--tables", dtm, mate_in_one]), "win dtm 1 plies\n");
}

#[test]
fn one_line_out_for_each_line_in() {
    let lines = [PAWN, "", "nonsense", "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1\r", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"];
    let output = Command::cargo_bin("cubebase")
        .unwrap()
        .args(["probe", "--tables", path(built()), "-"])
        .write_stdin(lines.join("\n"))
        .output()
        .unwrap();
    let answers: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(stderr(&output), "");
    assert_eq!(answers.len(), lines.len(), "{answers:?}");
    assert_eq!((answers[0], answers[3]), ("draw", "draw"));
    for (line, text) in [(1, ""), (2, ""), (4, "castling")] {
        assert!(answers[line].starts_with("error: ") && answers[line].contains(text), "{}", answers[line]);
    }
}

#[test]
fn each_answer_comes_before_the_next_question() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("cubebase"))
        .args(["probe", "--tables", path(built()), "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut questions, answers) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut answers = BufReader::new(answers);
    for _ in 0..2 {
        writeln!(questions, "{PAWN}").unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert_eq!(answer, "draw\n");
    }
    drop(questions);
    assert!(child.wait().unwrap().success());
}

#[test]
fn every_step_that_the_help_names_is_one() {
    let help = succeeds(&["minimize", "--help"]);
    let dir = tempfile::tempdir().unwrap();
    let steps = ["compact", "expand", "essential", "irredundant", "reduce", "gasp", "lns", "sparse", "loop"];
    assert!(help.split_whitespace().collect::<Vec<_>>().join(" ").contains(&steps.join(", ")), "{help}");
    let out = dir.path().join("KvK.pcn");
    succeeds(&["minimize", "KvK", "--steps", &steps.join(","), "-o", path(&out)]);
}

#[test]
fn a_wrong_table_is_a_mismatch() {
    // The clauses of another table under a PLA's name: the inputs fit, the values do not.
    let dir = tempfile::tempdir().unwrap();
    let (pla, min, out) = (dir.path().join("a.pla"), dir.path().join("b.pla"), dir.path().join("c.pcn"));
    let tables = path(built());
    succeeds(&["export", "KRvK", "--tables", tables, "-o", path(&pla)]);
    minimize_pla(&pla, &min, "compact,loop");
    fails(&["pack", path(&min), "--material", "KQvK", "--tables", tables, "-o", path(&out)], 1, "KQvK");
    assert!(!out.exists());
    fails(&["pack", path(&min), "--material", "KQvKR", "--tables", tables, "-o", path(&out)], 3, "inputs");
}

#[test]
fn a_table_walks_through_every_file() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| path(&dir.path().join(name)).to_string();
    let (tables, pla, min, pcn) = (at("tables"), at("KQvK.pla"), at("KQvK.min.pla"), at("KQvK.pcn"));
    let text = succeeds(&["generate", "KQvK", "--out", &tables]);
    assert!(text.contains("KQvK"), "{text}");
    succeeds(&["export", "KQvK", "--tables", &tables, "-o", &pla]);
    minimize_pla(Path::new(&pla), Path::new(&min), "compact,loop");
    let text = succeeds(&["pack", &min, "--material", "KQvK", "--tables", &tables, "-o", &pcn]);
    assert!(text.contains("46137 positions"), "{text}");
    assert_eq!(succeeds(&["probe", "--tables", &pcn, "4k3/8/8/8/8/8/8/3QK3 b - - 0 1"]), "loss\n");
    assert!(succeeds(&["verify", &pcn]).contains("right on all "));
    let ordered = at("ordered.pcn");
    succeeds(&["minimize", "KQvK", "--tables", &tables, "--effort", "7", "-o", &ordered]);
    assert!(std::fs::metadata(&ordered).unwrap().len() < std::fs::metadata(&pcn).unwrap().len());
}

#[test]
fn a_bundle_is_as_good_as_a_directory() {
    let dir = tempfile::tempdir().unwrap();
    let (tables, bundle) = (path(built()), dir.path().join("three.pcb"));
    let bundle = path(&bundle);
    assert!(succeeds(&["bundle", tables, "-o", bundle]).contains("6 tables"));
    assert_eq!(succeeds(&["probe", "--tables", bundle, PAWN]), "draw\n");
    let text = succeeds(&["info", bundle]);
    assert!(text.contains("three.pcb/KPvK.pcn: KPvK, "), "{text}");
    let text = succeeds(&["verify", bundle]);
    assert_eq!(text.lines().filter(|line| line.contains("right on all")).count(), 6, "{text}");
    assert_eq!(succeeds(&["compare", bundle]), succeeds(&["compare", tables]));
    let again = dir.path().join("again.pcb");
    succeeds(&["bundle", tables, "-o", path(&again)]);
    assert_eq!(std::fs::read(bundle).unwrap(), std::fs::read(again).unwrap());
    let merged = dir.path().join("merged.pcb");
    let (one, two) = (dir.path().join("one"), dir.path().join("two.pcb"));
    for (directory, names) in [
        (&one, [("KQvK", "KQvK.pcn"), ("KRvK", "KRvK.pcn")]),
        (&dir.path().join("two"), [("KvK", "KvK.pcn"), ("KBvK", "KBvK.pcn")]),
    ] {
        std::fs::create_dir(directory).unwrap();
        copied(directory, &names);
    }
    succeeds(&["bundle", path(&dir.path().join("two")), "-o", path(&two)]);
    let (knight, pawn) = (built().join("KNvK.pcn"), built().join("KPvK.pcn"));
    let text = succeeds(&["bundle", path(&one), path(&knight), path(&two), path(&pawn), "-o", path(&merged)]);
    assert!(text.contains("6 tables"), "{text}");
    assert_eq!(std::fs::read(bundle).unwrap(), std::fs::read(&merged).unwrap());
    let twice = format!("two tables of KQvK: {} and {bundle}/KQvK.pcn", one.join("KQvK.pcn").display());
    fails(&["bundle", path(&one), bundle, "-o", path(&merged)], 3, &twice);
    assert_eq!(std::fs::read(bundle).unwrap(), std::fs::read(&merged).unwrap());
    fails(&["bundle", "/no/such.pcn", "-o", path(&merged)], 3, "/no/such.pcn");
    std::fs::write(bundle, b"\xe7PCB\x01").unwrap();
    fails(&["info", bundle], 3, "cut short");
    fails(&["probe", "--tables", bundle, PAWN], 3, "cut short");
}

#[test]
fn reports() {
    let tables = path(built());
    let text = succeeds(&["info", tables]);
    assert!(text.contains("KPvK.pcn") && text.contains("KPvK.wdl"), "{text}");
    let json = json(&["info", tables]);
    assert_eq!(json["files"].as_array().unwrap().len(), 12);
    let dir = tempfile::tempdir().unwrap();
    let renamed = dir.path().join("KPvK.pcn.old");
    std::fs::copy(built().join("KPvK.pcn"), &renamed).unwrap();
    assert!(succeeds(&["info", path(&renamed)]).contains("KPvK, "));
    let text = succeeds(&["compare", tables]);
    assert!(text.contains("KPvK") && text.contains("7824") && text.contains("6252"), "{text}");
    assert!(text.ends_with('\n'), "{text}");
    let text = succeeds(&["verify", tables]);
    assert_eq!(text.lines().filter(|line| line.contains("right on all")).count(), 6, "{text}");
    let text = succeeds(&["probe", "--tables", tables, "--explain", PAWN]);
    assert!(text.starts_with("draw ") && text.lines().count() == 1, "{text}");
}

#[test]
fn threads_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    for threads in ["1", "2"] {
        let out = dir.path().join(threads);
        let args = ["--keep-tables", "--effort", "1", "--threads", threads];
        succeeds(&[&["build", "KPvK", "--out", path(&out)][..], &args].concat());
    }
    for name in ["KPvK.pcn", "KPvK.wdl"] {
        let bytes = |threads: &str| std::fs::read(dir.path().join(threads).join(name)).unwrap();
        assert_eq!(bytes("1"), bytes("2"), "{name}");
    }
}
