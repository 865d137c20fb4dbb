//! The commands with input that is wrong, damaged or hostile: what they say, and with which exit status.

use crate::command::{built, copied, cubebase, fails, path, said, stderr, stdout, succeeds};
use assert_cmd::Command;
use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

/// Black has the distant opposition: drawn.
const PAWN: &str = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";

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
    refused(&["export", "KQRvKR", "--memory", "64G", "-o", path(&nowhere)], &says);
    refused(&["pack", "/no/such.pla", "--material", "KQvK", "-o", path(&nowhere)], &says);
    refused(&["bundle", "/no/such/dir", "-o", path(&nowhere)], &says);
    let blocked = dir.path().join("KQRvKR.pcn");
    fs::create_dir(&blocked).unwrap();
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
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left behind");
}

#[test]
fn missing_and_broken_files_are_three() {
    let dir = tempfile::tempdir().unwrap();
    fails(&["probe", "--tables", "/no/such/dir", PAWN], 3, "/no/such/dir");
    fails(&["verify", path(dir.path())], 3, "no .pcn");
    fails(&["pack", "/no/such.pla", "--material", "KQvK", "-o", "x"], 3, "/no/such.pla");
    let good = fs::read(built().join("KPvK.pcn")).unwrap();
    let broken = dir.path().join("KPvK.pcn");
    let refused = |bytes: &[u8], text: &str| {
        fs::write(&broken, bytes).unwrap();
        fails(&["info", path(&broken)], 3, text);
        let output = cubebase(&["probe", "--tables", path(&broken), PAWN]);
        assert_eq!(output.status.code(), Some(3));
        let said = said(&output);
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
fn answers_and_reports_go_on_behind_a_broken_file() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("KBvK.pcn"), "broken").unwrap();
    copied(dir.path(), &[("KQvK", "KQvK.pcn")]);
    let fens = ["8/8/8/4k3/8/8/4B3/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/3QK3 w - - 0 1"];
    let output = cubebase(&[&["probe", "--tables", path(dir.path())][..], &fens].concat());
    assert_eq!(output.status.code(), Some(3));
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert!(lines[0].starts_with("error: ") && lines[1] == "win", "{lines:?}");
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
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
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
    let all = "binary, board, geometry, attack)";
    let offered = format!("no model 'none' (there are: auto, {all}");
    fails(&["build", "KQvK", "--out", out, "--model", "none"], 2, &offered);
    fails(&["generate", "KQ\nvK\rX", "--out", out], 2, "is no material");
    // A PLA is of one model.
    let offered = format!("no model 'auto' (there are: {all}");
    fails(&["export", "KQvK", "--model", "auto"], 2, &offered);
    fails(&["export", "KQvK", "--model", "board", "--type", "fdr"], 2, "no list of cubes holds that");
    let memory = ["--model", "attack", "--memory", "100M"];
    fails(&[&["export", "KQvKR"][..], &memory].concat(), 3, "KQvKR: exporting takes up to ");
    let pack = ["pack", "-", "--material", "KQvKR", "-o", "unwritten.pcn"];
    fails(&[&pack[..], &memory].concat(), 3, "KQvKR: packing takes up to ");
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
    let by_variable = Command::cargo_bin("cubebase")
        .unwrap()
        .args(["build", "KvK", "--out", out])
        .env("RAYON_NUM_THREADS", "100000")
        .timeout(Duration::from_secs(60))
        .output()
        .unwrap();
    assert_eq!(by_variable.status.code(), Some(2), "one limit for the option and the variable");
    assert_eq!(stderr(&by_variable).lines().count(), 1, "{}", stderr(&by_variable));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_damaged_syzygy_file_is_named_and_harms_nothing() {
    let (tables, syzygy) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    copied(tables.path(), &[("KPvK", "KPvK.pcn")]);
    let none = tempfile::tempdir().unwrap();
    // The first directory has nothing.
    let dirs = ["--syzygy", path(none.path()), "--syzygy", path(syzygy.path())];
    fails(&[&["verify", path(tables.path())][..], &dirs].concat(), 3, "no .rtbw file there");
    let zeros = [&[0x71, 0xe8, 0x23, 0x5d][..], &[0; 76]].concat();
    // A promotion leads to the file of `KQvK`.
    for (command, name) in [("verify", "KQvK.rtbw"), ("compare", "KPvK.rtbw")] {
        let file = syzygy.path().join(name);
        for (bytes, why) in [
            (&[][..], "empty"),
            (&[0; 80], "begin"),
            (&zeros[..4], "cut short"),
            (&zeros[..74], "cut short"),
            (&zeros, "checksum"),
        ] {
            fs::write(&file, bytes).unwrap();
            let args = [&[command, path(tables.path())][..], &dirs].concat();
            fails(&args, 3, &format!("damaged Syzygy file {}: ", file.display()));
            fails(&args, 3, why);
        }
        fs::remove_file(file).unwrap();
    }
}

#[test]
fn what_probe_would_not_use_is_named_by_every_command() {
    let dir = tempfile::tempdir().unwrap();
    copied(
        dir.path(),
        &[("KQvK", "KQvK.pcn"), ("KRvK", "KNvK.pcn"), ("KPvK", "kpvk.pcn"), ("KPvK", "KvKP.pcn")],
    );
    copied(dir.path(), &[("KBvK", "another.pcn")]);
    let wrong = ["KNvK.pcn", "kpvk.pcn", "KvKP.pcn", "another.pcn"];
    for command in ["verify", "info", "compare"] {
        let output = cubebase(&[command, path(dir.path())]);
        assert_eq!(output.status.code(), Some(3), "{command}");
        let said = said(&output);
        for name in wrong {
            let named =
                said.lines().any(|line| line.contains(name) && line.contains("probe looks for it in "));
            assert!(named, "{command}: {name}: {said}");
        }
        assert!(stdout(&output).contains("KQvK"), "{command} goes on: {said}");
    }
    let out = dir.path().join("out.pcb");
    fails(&["bundle", path(dir.path()), "-o", path(&out)], 3, "probe looks for it in ");
    for name in wrong {
        // A file that is named may have any name but a material's.
        let file = dir.path().join(name);
        let status = cubebase(&["info", path(&file)]).status.code();
        assert_eq!(status, Some(if name == "another.pcn" { 0 } else { 3 }), "{name}");
    }
}

#[test]
fn a_bundle_replaces_none_of_its_inputs() {
    let dir = tempfile::tempdir().unwrap();
    copied(dir.path(), &[("KQvK", "KQvK.pcn"), ("KPvK", "KPvK.pcn")]);
    let (one, bundle) = (dir.path().join("KPvK.pcn"), dir.path().join("two.pcb"));
    let before = fs::read(&one).unwrap();
    fails(&["bundle", path(dir.path()), "-o", path(&one)], 3, "is an input");
    fails(&["bundle", path(&one), "-o", path(&one)], 3, "is an input");
    assert!(fs::read(&one).unwrap() == before);
    succeeds(&["bundle", path(dir.path()), "-o", path(&bundle)]);
    fails(&["bundle", path(&bundle), "-o", path(&bundle)], 3, "is an input");
}

#[test]
#[cfg(unix)]
fn a_link_to_no_file_yet_is_followed_and_what_a_kill_left_is_removed() {
    let dir = tempfile::tempdir().unwrap();
    let (link, left) = (dir.path().join("link.pla"), dir.path().join(".unfinished-killed.tmp"));
    std::os::unix::fs::symlink("real.pla", &link).unwrap();
    fs::write(&left, "half a PLA").unwrap();
    let text = succeeds(&["export", "KvK", "-o", path(&link)]);
    assert!(text.contains("link.pla: KvK in model binary"), "{text}");
    assert!(link.is_symlink() && dir.path().join("real.pla").is_file() && !left.exists());
}

#[test]
fn a_line_without_end_is_no_fen() {
    let mut input = b"\xef\xbb\xbf".to_vec();
    input.extend(format!("{PAWN}\n").bytes());
    input.extend(std::iter::repeat_n(b'8', 10 << 20));
    input.extend(format!("\n{PAWN}\n").bytes());
    let mut command = Command::cargo_bin("cubebase").unwrap();
    let output = command.args(["probe", "--tables", path(built()), "-"]).write_stdin(input).output().unwrap();
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!(lines, ["draw", "error: a line of more than 4096 bytes is no FEN", "draw"]);
}

#[test]
fn a_fen_without_quotes_is_one_error_with_a_hint() {
    let words: Vec<&str> = PAWN.split(' ').collect();
    fails(
        &[&["probe", "--tables", path(built())][..], &words].concat(),
        2,
        &format!("quote it, as in \"{PAWN}\""),
    );
}

#[test]
fn materials_are_taken_as_people_write_them() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["kqvk", "KQVK", "KQK", "kkq", "KvKQ"] {
        let text = succeeds(&["generate", name, "--out", path(dir.path())]);
        assert!(text.contains("KQvK "), "{name}: {text}");
    }
    for name in ["KQ", "KQvKvK", "KVQK", "KQKK", "QK"] {
        fails(&["generate", name, "--out", path(dir.path())], 2, name);
    }
    let one = succeeds(&["generate", "KvK", "--out", path(&dir.path().join("one"))]);
    assert!(one.contains("1 table in "), "{one}");
}

#[test]
fn numbers_out_of_range_are_refused_in_our_words() {
    for effort in ["1e9", "-1", "0", "10"] {
        let why =
            format!("invalid value '{effort}' for '--effort <1-9>': an effort is a whole number from 1 to 9");
        fails(&["build", "3", "--out", "x", "--effort", effort], 2, &why);
    }
    fails(&["info", "x", "--memory", "16777216T"], 2, "less than 16777216T");
    fails(&["info", "x", "--memory", "many"], 2, "not a number of bytes");
}

#[test]
fn the_other_command_is_named_where_its_files_are() {
    let dir = tempfile::tempdir().unwrap();
    fs::copy(built().join("KPvK.wdl"), dir.path().join("KPvK.wdl")).unwrap();
    let said = |args: &[&str]| {
        let output = cubebase(args);
        assert_eq!(output.status.code(), Some(3));
        said(&output)
    };
    let text = said(&["probe", "--tables", path(dir.path()), PAWN]);
    assert!(text.contains("KPvK.wdl is an outcome table: use `cubebase lookup`"), "{text}");
    fs::remove_file(dir.path().join("KPvK.wdl")).unwrap();
    copied(dir.path(), &[("KPvK", "KPvK.pcn")]);
    for tables in [path(dir.path()), path(&dir.path().join("KPvK.pcn"))] {
        let text = said(&["lookup", "--tables", tables, PAWN]);
        assert!(text.contains("KPvK.pcn is a file of clauses: use `cubebase probe`"), "{text}");
    }
}

#[test]
#[cfg(unix)]
fn a_full_standard_output_is_told() {
    let Ok(full) = File::options().write(true).open("/dev/full") else { return };
    for args in [&["help"][..], &["--version"], &["export", "KQvK"], &["info", path(built())]] {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("cubebase"));
        let output = command.args(args).stdout(full.try_clone().unwrap()).output().unwrap();
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{args:?}: {message}");
        assert!(message.starts_with("cubebase: cannot write to standard output: "), "{args:?}: {message}");
    }
}
