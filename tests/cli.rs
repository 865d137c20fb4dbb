//! The commands from outside: the way through every file, what they print, and how they refuse bad input.

use crate::command::{cubebase, succeeds};
use assert_cmd::Command;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;
use std::time::Duration;

/// Black has the distant opposition: drawn.
const PAWN: &str = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Runs, and checks that the exit status is `status` and that standard error is one line with `text` in it.
#[track_caller]
fn fails(args: &[&str], status: i32, text: &str) {
    let output = cubebase(args);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(status), "{args:?}: {message}");
    assert!(message.contains(text), "{args:?}: {message}");
    assert_eq!(message.lines().count(), 1, "{args:?}: {message}");
    assert!(message.starts_with("cubebase: "), "{args:?}: {message}");
}

/// The tables of `build 3`, in cargo's directory for tests. They are made once for each build of the command: where every
/// test is a process of its own, one makes them and the others wait.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli");
        std::fs::create_dir_all(&home).unwrap();
        let lock = File::create(home.join("lock")).unwrap();
        lock.lock().unwrap();
        let command = assert_cmd::cargo::cargo_bin("cubebase");
        let made_by = format!("{} {:?}", command.display(), command.metadata().unwrap().modified().unwrap());
        let tables = home.join("tables");
        let maker = tables.join("made-by");
        if std::fs::read_to_string(&maker).ok() != Some(made_by.clone()) {
            // Not there, or another command's.
            let _ = std::fs::remove_dir_all(&tables);
            let text = succeeds(&["build", "3", "--out", path(&tables), "--keep-tables"]);
            assert_eq!(text.lines().count(), 8, "a header, six tables, a total: {text}");
            std::fs::write(maker, made_by).unwrap();
        }
        tables
    })
}

#[test]
fn build_makes_six_small_files() {
    let mut bytes = 0;
    for material in ["KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK"] {
        bytes += std::fs::metadata(built().join(format!("{material}.pcn"))).unwrap().len();
    }
    assert!(bytes <= 11_000, "{bytes} bytes");
}

/// Sizes change only on purpose: then the fixture changes with them, by `.ci/fixtures`. Tables of four men take too long
/// here: `.ci/slow four` compares all.
#[test]
fn sizes_are_those_of_the_fixture() {
    let is_quick = |line: &&str| line.split(',').next().is_some_and(|material| material.len() <= 4);
    let wanted: Vec<&str> = include_str!("../fixtures/sizes.csv")
        .lines()
        .filter(|line| line.starts_with("material") || is_quick(line))
        .collect();
    let csv = succeeds(&["info", path(built()), "--format", "csv"]);
    assert_eq!(csv.lines().collect::<Vec<_>>(), wanted);
}

/// The committed bundle is made as these tables are.
#[test]
fn tables_are_those_of_the_bundle() {
    let bytes = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/four-men.pcb"));
    let bytes = bytes.expect("fixtures/four-men.pcb is tracked: .ci/fixtures makes it");
    let bundle = cubebase::pcn::Bundle::open(bytes).unwrap();
    for (material, bytes) in bundle.tables().filter(|(material, _)| material.len() <= 3) {
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
    let json = succeeds(&["compare", path(&board), path(&auto), "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
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
    let bytes: u64 = ["KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]
        .iter()
        .map(|material| std::fs::metadata(built().join(format!("{material}.pcn"))).unwrap().len())
        .sum();
    let text = succeeds(&["info", path(built())]);
    let totals: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("total: ")).collect();
    assert!(totals[0].starts_with(&format!("total: 6 files, {bytes} bytes, ")), "{text}");
    let bytes_of = |line: &&str| line.strip_suffix(" bytes")?.rsplit(' ').next()?.parse::<u64>().ok();
    assert_eq!(totals[1..].iter().filter_map(bytes_of).sum::<u64>(), bytes, "{text}");
    assert!(totals.last().unwrap().starts_with("  headers: "), "{text}");
    let json = succeeds(&["info", path(built()), "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let totals = &json["totals"];
    assert_eq!((totals["files"].as_u64(), totals["bytes"].as_u64()), (Some(6), Some(bytes)));
    assert_eq!(kinds_and_headers(totals), bytes);
    // One file is its own sum.
    assert!(!succeeds(&["info", path(&built().join("KPvK.pcn"))]).contains("total"));
    // A clause that speaks for both sides is counted once.
    let dir = tempfile::tempdir().unwrap();
    let both = dir.path().join("KRvK.pcn");
    succeeds(&["minimize", "KRvK", "--layers", "independent", "--effort", "1", "-o", path(&both)]);
    let json = succeeds(&["info", path(&both), "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let headers = json["totals"]["headers_bytes"].as_u64().unwrap();
    assert!((20..40).contains(&headers), "{json}");
}

#[test]
fn a_build_says_where_its_time_went() {
    let dir = tempfile::tempdir().unwrap();
    let json = succeeds(&["build", "KQvK", "--effort", "1", "--out", path(dir.path()), "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
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
    let json = succeeds(&["probe", "--tables", tables, "--format", "json", PAWN]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
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
fn positions_that_no_table_answers() {
    let tables = path(built());
    let refused = |fen: &str, text: &str| {
        let output = cubebase(&["probe", "--tables", tables, fen]);
        assert_eq!(output.status.code(), Some(3), "{fen}");
        let line = stdout(&output);
        assert!(
            line.starts_with("error: ") && line.contains(text) && line.lines().count() == 1,
            "{fen}: {line}"
        );
    };
    refused("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "castling");
    refused("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "men");
    refused("8/8/8/8/8/8/4k3/4K3 w - - 0 1", "king");
    refused("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "check");
    refused("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "pawn");
    refused("4k3/8/8/8/8/8/8/3QK2R w - - 0 1", "KQRvK");
    refused("4k3/8/8/8/8/8/8/4K3", "");
    refused("", "");
}

#[test]
fn usage_errors_are_two() {
    let dir = tempfile::tempdir().unwrap();
    let out = path(dir.path());
    for material in ["XYZ", "KQ", "KQvKX", "QvK", "1", "99", "KQQQQQQQQvK"] {
        fails(&["generate", material, "--out", out], 2, material);
    }
    fails(&["build", "3", "--out", out, "--no-such-flag"], 2, "--no-such-flag");
    let all = "binary, board, geometry, attack)";
    let offered = format!("no model 'none' (there are: auto, {all}");
    fails(&["build", "KQvK", "--out", out, "--model", "none"], 2, &offered);
    // A PLA is of one model.
    let offered = format!("no model 'auto' (there are: {all}");
    fails(&["export", "KQvK", "--model", "auto"], 2, &offered);
    fails(&["export", "KQvK", "--model", "board", "--type", "fdr"], 2, "no list of cubes holds that");
    let memory = ["--model", "attack", "--memory", "100M"];
    fails(&[&["export", "KQvKR"][..], &memory].concat(), 3, "KQvKR: exporting takes up to ");
    let pack = ["pack", "-", "--material", "KQvKR", "-o", "unwritten.pcn"];
    fails(&[&pack[..], &memory].concat(), 3, "KQvKR: packing takes up to ");
    fails(&["build", "KQvK", "--out", out, "--effort", "10"], 2, "10");
    fails(&["build", "KQvK", "--out", out, "--steps", "shrink"], 2, "shrink");
    let board = ["build", "KQvK", "--out", out, "--model", "board"];
    fails(&[&board[..], &["--layers", "independent"]].concat(), 2, "of model binary, not of board");
    fails(&[&board[..], &["--steps", "expand"]].concat(), 2, "of model binary, not of board");
    let tree = ["--model", "binary", "--shape", "tree"];
    fails(&[&["build", "KQvK", "--out", out][..], &tree].concat(), 2, "lists alone");
    for covers in [["--layers", "independent"], ["--steps", "expand"]] {
        for model in [&[][..], &["--model", "binary"]] {
            let args = [&["build", "KQvK", "--out", out, "--shape", "tree"][..], &covers, model].concat();
            fails(&args, 2, "lists alone");
        }
    }
    for shape in ["auto", "tree"] {
        fails(&["build", "KQRvKRB", "--out", out, "--shape", shape], 2, "KQRvKRB: trees are of up to 5 men");
        let file = path(&dir.path().join("x")).to_string();
        fails(&["minimize", "KQRvKRB", "-o", &file, "--shape", shape], 2, "trees are of up to 5 men");
    }
    for list in [&["KQvKR", "--model", "geometry"][..], &["KQRvKR"]] {
        let why = format!("{}: too many minterms for a list: take shape tree", list[0]);
        fails(&[&["build", "KvK", "--out", out, "--shape", "list"], list].concat(), 2, &why);
    }
    fails(&["info", out, "--threads", "1000000"], 2, "1000000");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_wrong_command_line_is_told_on_one_line() {
    let said = |args: &[&str]| {
        let output = cubebase(args);
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""), "{args:?}");
        stderr(&output).to_string()
    };
    for (args, message) in [
        (&["frobnicate"][..], "unrecognized subcommand 'frobnicate'"),
        (&["inof", "x"], "unrecognized subcommand 'inof'; tip: a similar subcommand exists: 'info'"),
        (&["build"], "the following required arguments were not provided: --out <DIR> <MATERIAL|N>..."),
        (
            &["build", "3", "--out", "x", "--shape", "round"],
            "invalid value 'round' for '--shape <SHAPE>' [possible values: list, tree, auto]",
        ),
        (
            &["build", "3", "--out", "x", "--effort", "10"],
            "invalid value '10' for '--effort <1-9>': 10 is not in 1..=9",
        ),
        (
            &["build", "3", "--out", "x", "--modle", "auto"],
            "unexpected argument '--modle' found; tip: a similar argument exists: '--model'",
        ),
    ] {
        assert_eq!(said(args), format!("cubebase: {message}\n"), "{args:?}");
    }
    // Help and the version are no errors, and as long as they are.
    for args in [&["--help"][..], &["build", "--help"], &["--version"], &["help", "pack"]] {
        let output = cubebase(args);
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""), "{args:?}");
    }
    assert!(said(&[]).contains("130 interrupted"), "without arguments there is help");
}

#[test]
fn an_output_that_cannot_be_written_is_found_before_the_work() {
    let dir = tempfile::tempdir().unwrap();
    let nowhere = dir.path().join("none/x.pcn");
    // Work that would not end soon.
    let five = ["KQRvKR", "--effort", "9", "--memory", "64G"];
    let says = format!("cannot write {}: No such file or directory", nowhere.display());
    let refused = |args: &[&str], says: &str| {
        let mut command = Command::cargo_bin("cubebase").unwrap();
        let output = command.args(args).timeout(Duration::from_secs(20)).output().unwrap();
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{args:?}: {message}");
        assert!(message.contains(says) && message.lines().count() == 1, "{args:?}: {message}");
    };
    refused(&[&["minimize"][..], &five, &["-o", path(&nowhere)]].concat(), &says);
    refused(&["export", "KQRvKR", "-o", path(&nowhere)], &says);
    refused(&["pack", "/no/such.pla", "--material", "KQvK", "-o", path(&nowhere)], &says);
    refused(&["bundle", "/no/such/dir", "-o", path(&nowhere)], &says);
    let blocked = dir.path().join("KQRvKR.pcn");
    std::fs::create_dir(&blocked).unwrap();
    let says = format!("cannot write {}: ", blocked.display());
    refused(&[&["build"][..], &five, &["--out", path(dir.path())]].concat(), &says);
    if Path::new("/proc/self").exists() {
        refused(
            &[&["build"][..], &five, &["--out", "/proc/self"]].concat(),
            "cannot write /proc/self/KQRvKR.pcn: ",
        );
        refused(
            &["generate", "KQRvKR", "--memory", "64G", "--out", "/proc/self"],
            "cannot write /proc/self/",
        );
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left behind");
}

#[test]
fn a_message_is_one_line_whatever_it_quotes() {
    let output = cubebase(&["generate", "KQ\nvK\rX", "--out", "x"]);
    assert_eq!((output.status.code(), stderr(&output).lines().count()), (Some(2), 1), "{}", stderr(&output));
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
fn missing_and_broken_files_are_three() {
    let dir = tempfile::tempdir().unwrap();
    fails(&["probe", "--tables", "/no/such/dir", PAWN], 3, "/no/such/dir");
    fails(&["verify", path(dir.path())], 3, "no .pcn");
    fails(&["pack", "/no/such.pla", "--material", "KQvK", "-o", "x"], 3, "/no/such.pla");
    let good = std::fs::read(built().join("KPvK.pcn")).unwrap();
    let broken = dir.path().join("KPvK.pcn");
    let refused = |bytes: &[u8], text: &str| {
        std::fs::write(&broken, bytes).unwrap();
        fails(&["info", path(&broken)], 3, text);
        let output = cubebase(&["probe", "--tables", path(&broken), PAWN]);
        assert_eq!(output.status.code(), Some(3));
        let said = format!("{}{}", stdout(&output), stderr(&output));
        assert!(said.contains(text) && said.lines().count() == 1, "{said}");
        let output = cubebase(&["verify", path(&broken)]);
        assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    };
    refused(&good[..good.len() / 2], "");
    refused(&good[..3], "");
    refused(b"", "");
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 0x10;
    refused(&flipped, "checksum");
    let mut foreign = good.clone();
    foreign[1] = 9;
    refused(&foreign, "version");
    let mut other = good;
    other[0] ^= 0xff;
    refused(&other, "");
}

#[test]
fn a_directory_answers_around_a_broken_file() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::copy(built().join("KQvK.pcn"), dir.path().join("KQvK.pcn")).unwrap();
    std::fs::write(dir.path().join("KPvK.pcn"), "broken").unwrap();
    let output = cubebase(&["probe", "--tables", path(dir.path()), PAWN, "4k3/8/8/8/8/8/8/3QK3 w - - 0 1"]);
    assert_eq!(output.status.code(), Some(3));
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert!(lines[0].starts_with("error: "), "{lines:?}");
    assert_eq!(lines[1], "win");
}

#[test]
fn reports_go_on_behind_a_broken_file() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("KBvK.pcn"), "broken").unwrap();
    std::fs::copy(built().join("KQvK.pcn"), dir.path().join("KQvK.pcn")).unwrap();
    let missing = dir.path().join("none.pcn");
    for args in [&["info", path(&missing), path(dir.path())][..], &["compare", path(dir.path())]] {
        let output = cubebase(args);
        assert_eq!(output.status.code(), Some(3), "{args:?}");
        assert!(stdout(&output).contains("KQvK"), "{args:?}: {}", stdout(&output));
        assert!(stderr(&output).contains("KBvK.pcn"), "{args:?}: {}", stderr(&output));
    }
    let output = cubebase(&["info", path(dir.path()), "--format", "json"]);
    assert_eq!(output.status.code(), Some(3));
    let json: serde_json::Value = serde_json::from_str(stdout(&output)).unwrap();
    assert!(json["files"][0]["error"].is_string() && json["files"][1]["clauses"].is_number(), "{json}");
}

#[test]
fn a_wrong_table_is_a_mismatch() {
    // The clauses of another table under a PLA's name: the inputs fit, the values do not.
    let dir = tempfile::tempdir().unwrap();
    let (pla, min, out) = (dir.path().join("a.pla"), dir.path().join("b.pla"), dir.path().join("c.pcn"));
    let tables = path(built());
    succeeds(&["export", "KRvK", "--tables", tables, "-o", path(&pla)]);
    minimize_pla(&pla, &min);
    fails(&["pack", path(&min), "--material", "KQvK", "--tables", tables, "-o", path(&out)], 1, "KQvK");
    assert!(!out.exists());
    fails(&["pack", path(&min), "--material", "KQvKR", "--tables", tables, "-o", path(&out)], 3, "inputs");
}

#[test]
fn a_cover_that_contradicts_itself_is_a_mismatch() {
    let dir = tempfile::tempdir().unwrap();
    let (pla, min, out) = (dir.path().join("a.pla"), dir.path().join("b.pla"), dir.path().join("c.pcn"));
    let tables = path(built());
    succeeds(&["export", "KQvK", "--tables", tables, "-o", path(&pla)]);
    minimize_pla(&pla, &min);
    // One more clause: everything is lost, whatever else it is.
    let text = std::fs::read_to_string(&min).unwrap();
    let row = format!("{} 001\n.e", "-".repeat(19));
    let rows: Vec<&str> = text.lines().filter(|line| !line.starts_with(".p")).collect();
    std::fs::write(&min, rows.join("\n").replace(".e", &row)).unwrap();
    fails(
        &["pack", path(&min), "--material", "KQvK", "--tables", tables, "-o", path(&out)],
        1,
        "no cover of KQvK",
    );
    assert!(!out.exists());
}

/// The library's minimizer in place of the `espresso` command, which belongs to another package.
fn minimize_pla(from: &Path, to: &Path) {
    use espresso::minimize::{Options, minimize};
    use espresso::pla::{Pla, PlaType};
    let pla = Pla::parse(&std::fs::read_to_string(from).unwrap()).unwrap();
    let function = espresso::Function::from_pla(&pla).unwrap();
    let (cover, _) = minimize(&function, &Options::default()).unwrap();
    espresso::check::result(&function, &cover).unwrap();
    let mut text = Vec::new();
    Pla::from_cover(cover).write(&mut text, PlaType::F).unwrap();
    std::fs::write(to, text).unwrap();
}

#[test]
fn a_table_walks_through_every_file() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| path(&dir.path().join(name)).to_string();
    let (tables, pla, min, pcn) = (at("tables"), at("KQvK.pla"), at("KQvK.min.pla"), at("KQvK.pcn"));
    let text = succeeds(&["generate", "KQvK", "--out", &tables]);
    assert!(text.contains("KQvK"), "{text}");
    succeeds(&["export", "KQvK", "--tables", &tables, "-o", &pla]);
    minimize_pla(Path::new(&pla), Path::new(&min));
    let text = succeeds(&["pack", &min, "--material", "KQvK", "--tables", &tables, "-o", &pcn]);
    assert!(text.contains("46137 positions"), "{text}");
    assert_eq!(succeeds(&["probe", "--tables", &pcn, "4k3/8/8/8/8/8/8/3QK3 b - - 0 1"]), "loss\n");
    assert!(succeeds(&["verify", &pcn]).contains("right on all "));
    let again = at("again.pcn");
    succeeds(&["minimize", "KQvK", "--tables", &tables, "--layers", "independent", "-o", &again]);
    assert_eq!(
        std::fs::read(&pcn).unwrap(),
        std::fs::read(&again).unwrap(),
        "text in between changes nothing"
    );
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
    for (directory, materials) in [(&one, &["KQvK", "KRvK"][..]), (&dir.path().join("two"), &["KvK", "KBvK"])]
    {
        std::fs::create_dir(directory).unwrap();
        for material in materials {
            let name = format!("{material}.pcn");
            std::fs::copy(built().join(&name), directory.join(&name)).unwrap();
        }
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
    let json = succeeds(&["info", tables, "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
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
#[cfg(unix)]
fn a_full_disk_leaves_nothing_half_written() {
    let dir = tempfile::tempdir().unwrap();
    let cubebase = assert_cmd::cargo::cargo_bin("cubebase");
    // A file may grow to one block: the write fails in the middle, as on a full disk.
    let script = format!(
        "trap '' XFSZ; ulimit -f 1; exec '{}' export KQvK -o '{}'",
        cubebase.display(),
        dir.path().join("KQvK.pla").display()
    );
    let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    if Path::new("/dev/full").exists() {
        fails(&["export", "KvK", "-o", "/dev/full"], 3, "/dev/full");
        fails(&["export", "KQvK", "-o", "/dev/full"], 3, "/dev/full");
    }
}

#[test]
#[cfg(unix)]
fn a_full_standard_error_changes_no_exit_status() {
    let Ok(full) = File::options().write(true).open("/dev/full") else { return };
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("cubebase"));
    let status = command.args(["probe", "--tables", "/no/such/dir", PAWN]).stderr(full).status().unwrap();
    assert_eq!(status.code(), Some(3));
}

#[test]
fn threads_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    for threads in ["1", "2"] {
        let out = dir.path().join(threads);
        succeeds(&[
            "build",
            "KPvK",
            "--out",
            path(&out),
            "--keep-tables",
            "--effort",
            "1",
            "--threads",
            threads,
        ]);
    }
    for name in ["KPvK.pcn", "KPvK.wdl"] {
        let bytes = |threads: &str| std::fs::read(dir.path().join(threads).join(name)).unwrap();
        assert_eq!(bytes("1"), bytes("2"), "{name}");
    }
}
