//! `generate`, `stats` and `lookup` from outside: estimates, whether a run keeps to them, and the answers of its files.

use crate::command::{at, fails, json, quoted, succeeds};
use serde_json::Value;

#[track_caller]
fn table<'a>(printed: &'a Value, material: &str) -> &'a Value {
    let tables = printed["tables"].as_array().unwrap();
    tables.iter().find(|table| table["material"] == material).expect(material)
}

#[test]
fn an_estimate_makes_no_file_and_lists_those_that_exist() {
    let directory = tempfile::tempdir().unwrap();
    let out = quoted(&directory);
    let text = succeeds(format!("generate KPvK --out {out} --estimate"));
    assert!(text.contains("MiB of memory at most") && text.contains("cpu time"), "{text}");
    assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0);
    succeeds(format!("generate KQvK --out {out}"));
    let plan = json(format!("generate KPvK --out {out} --estimate"));
    let is_there = |material| table(&plan, material)["is_there"].as_bool().unwrap();
    assert_eq!(["KvK", "KQvK", "KRvK", "KPvK"].map(is_there), [true, true, false, false]);
}

/// Under limits of the process on its address space and its data a run ends well or is refused: one line, exit status 3.
#[test]
#[cfg(target_os = "linux")]
fn limits_of_the_process_are_kept() {
    let program = quoted(assert_cmd::cargo::cargo_bin("cubebase"));
    let directory = tempfile::tempdir().unwrap();
    let run = |limit: &str, args: &str| {
        let out = at(&directory, &limit.replace(' ', ""));
        let script = format!("ulimit {limit} && exec {program} {args} --threads 2 --out {out}");
        let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        match output.status.code() {
            Some(0) => assert_eq!(message, "", "{limit} {args}"),
            Some(3) => {
                assert!(message.lines().count() == 1 && message.contains("memory"), "{limit}: {message}");
            }
            other => panic!("{limit} {args}: {other:?} {message}"),
        }
        output.status.code() == Some(0)
    };
    for args in ["build KQvK", "generate KQvK"] {
        assert!(!run("-v 150000", args), "{args}");
        assert!(!run("-d 20000", args), "{args}");
        run("-v 200000", args);
        run("-v 400000", args);
        assert!(run("-v 4000000", args), "{args}");
    }
}

/// The peak that the system has counted for a process so far; `None` when it has ended.
#[cfg(target_os = "linux")]
fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// Asserts that making `materials` takes no more memory than estimated, and at least one part in `share` of it.
#[cfg(target_os = "linux")]
fn assert_estimate_is_kept(materials: &str, metric: &str, share: u64) {
    let directory = tempfile::tempdir().unwrap();
    let plan =
        json(format!("generate {materials} --metric {metric} --out {} --estimate", quoted(&directory)));
    let peaks = plan["tables"].as_array().unwrap().iter().map(|table| table["peak_bytes"].as_u64());
    let estimated = peaks.max().unwrap().unwrap();
    let mut run = std::process::Command::new(assert_cmd::cargo::cargo_bin("cubebase"))
        .args(["generate", "--metric", metric, "--out"])
        .arg(directory.path())
        .args(materials.split(' '))
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut taken = 0;
    while run.try_wait().unwrap().is_none() {
        taken = peak(run.id()).unwrap_or(0).max(taken);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(run.wait().unwrap().success());
    assert!(taken <= estimated, "{metric}: {taken} bytes taken, {estimated} estimated");
    assert!(taken >= estimated / share, "{metric}: {taken} bytes taken of {estimated}: no estimate");
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_keeps_to_the_estimate() {
    for metric in ["wdl", "dtm"] {
        assert_estimate_is_kept("KQvKR KRvKB", metric, 20);
    }
}

/// With five men the solver needs more memory than all else.
#[test]
#[ignore = "slow: a minute"]
#[cfg(target_os = "linux")]
fn a_run_of_five_men_keeps_to_the_estimate() {
    for metric in ["wdl", "dtm"] {
        assert_estimate_is_kept("KQRvKR", metric, 2);
    }
}

#[test]
fn a_line_for_each_table_and_the_longest_distance() {
    let directory = tempfile::tempdir().unwrap();
    let out = quoted(&directory);
    let text = succeeds(format!("generate KQvK --metric dtm --out {out}"));
    assert!(text.contains("longest 20 plies: ") && text.contains("2 tables in"), "{text}");
    let rerun = json(format!("generate KQvK --metric dtm --out {out}"));
    let queen = table(&rerun, "KQvK");
    assert_eq!((&queen["is_new"], &queen["longest_plies"]), (&Value::from(false), &Value::from(20)));
    let counts =
        ["positions_win", "positions_draw", "positions_loss"].map(|name| queen[name].as_u64().unwrap());
    let stats = json(format!("stats {}", at(&directory, "KQvK.dtm")));
    let file = &stats["files"][0];
    let sum = |outcome: &str| {
        let sides = file["positions"].as_array().unwrap();
        sides.iter().map(|side| side[outcome].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!(["win", "draw", "loss"].map(sum), counts);
    assert_eq!(file["longest_plies"], 20);
    let fen = file["longest_fen"].as_str().unwrap();
    assert_eq!(succeeds(format!("lookup --tables {out} '{fen}'")), "loss dtm 20 plies\n");
    let text = succeeds(format!("stats {out}"));
    let black = text.lines().find(|line| line.starts_with("  black")).unwrap();
    assert_eq!(black.split_whitespace().collect::<Vec<_>>(), ["black", "0", "2,896", "25,160"], "{text}");
    assert!(text.contains(&format!("  longest dtm 20 plies, lost: {fen}\n")), "{text}");
}

#[test]
fn every_metric_in_one_directory() {
    let directory = tempfile::tempdir().unwrap();
    let out = quoted(&directory);
    for metric in ["wdl", "dtm", "dtc", "dtz"] {
        succeeds(format!("generate KPvK --metric {metric} --out {out}"));
    }
    // The pawn promotes at once; the mate is far.
    let fen = "8/3P4/8/8/8/8/2k5/K7 w - - 0 1";
    let answer = json(format!("lookup --tables {out} '{fen}'"));
    assert_eq!((&answer["outcome"], &answer["dtc_plies"]), (&Value::from("win"), &Value::from(1)));
    let mate = answer["dtm_plies"].as_u64().unwrap();
    assert!(mate > 1 && mate % 2 == 1, "{answer}");
    assert_eq!(
        succeeds(format!("lookup --tables {out} '{fen}'")),
        format!("win dtm {mate} plies, dtc 1 plies, dtz 1 plies\n")
    );
    assert_eq!((&answer["outcome_50_moves"], &answer["dtz_plies"]), (&Value::from("win"), &Value::from(1)));
    let stats = json(format!("stats {}", at(&directory, "KPvK.dtz")));
    let white = &stats["files"][0]["positions_50_moves"][0];
    // Published with Syzygy's files.
    assert_eq!((&white["win"], &white["cursed-win"]), (&Value::from(62_480), &Value::from(0)));
    assert_eq!(white["turn"], stats["files"][0]["positions"][0]["turn"]);
    let text = succeeds(format!("stats {}", at(&directory, "KPvK.dtz")));
    assert!(text.contains("50-move rule"), "{text}");
    // Before anything is made.
    let none = at(&directory, "none");
    fails(format!("generate c-ae --metric dtz --out {none}"), 2, "no distances to zeroing");
    assert!(!directory.path().join("none").exists());
}

#[test]
fn a_damaged_table_is_named_by_every_command() {
    let directory = tempfile::tempdir().unwrap();
    let out = quoted(&directory);
    succeeds(format!("generate KQvK --metric dtm --out {out}"));
    let file = directory.path().join("KQvK.dtm");
    let mut bytes = std::fs::read(&file).unwrap();
    // Behind the header, in the first block.
    bytes[200] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let path = quoted(&file);
    for line in
        [format!("stats {path}"), format!("info {path}"), format!("generate KQvK --metric dtm --out {out}")]
    {
        fails(&line, 3, "KQvK.dtm");
        fails(&line, 3, "damaged");
    }
    fails(format!("lookup --tables {out} '8/8/8/4k3/8/8/3Q4/4K3 w - - 0 1'"), 3, "damaged");
}
