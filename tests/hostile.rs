//! The messages and exit statuses of the commands for input that is wrong, damaged or hostile.

use crate::command::{
    at, built, command, copied, cubebase, damaged, fails, pcn, quoted, said, stderr, stdout, succeeds,
};
use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

/// Black has the distant opposition: drawn.
const PAWN: &str = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";

#[test]
fn errors_of_the_command_line_take_one_line() {
    for (line, message) in [
        ("frobnicate", "unrecognized subcommand 'frobnicate'"),
        ("inof x", "unrecognized subcommand 'inof'; tip: a similar subcommand exists: 'info'"),
        ("build", "the following required arguments were not provided: --out <DIR> <MATERIAL|N>..."),
        (
            "build 3 --out x --codec round",
            "invalid value 'round' for '--codec <CODEC>' [possible values: none, compressed]",
        ),
        ("build 3 --out x --shape tree", "unexpected argument '--shape' found"),
        (
            "build 3 --out x --modle auto",
            "unexpected argument '--modle' found; tip: a similar argument exists: '--model'",
        ),
    ] {
        let output = cubebase(line);
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""), "{line}");
        assert_eq!(stderr(&output), format!("cubebase: {message}\n"), "{line}");
    }
    // Help and the version are no errors, and may take many lines.
    for line in ["--help", "build --help", "--version", "help pack", "help --help", "help pack -h"] {
        let output = cubebase(line);
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""), "{line}");
    }
    let output = cubebase("");
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""));
    assert!(stderr(&output).contains("130 interrupted"), "without arguments there is help");
}

#[test]
fn an_output_that_cannot_be_written_is_found_before_the_work() {
    let dir = tempfile::tempdir().unwrap();
    let (nowhere, blocked) = (dir.path().join("none/x.pcn"), dir.path().join("KQRvKR.pcn"));
    fs::create_dir(&blocked).unwrap();
    let refused = |line: &str, says: &str| {
        // Work that would not end soon.
        let five = line.replace("FIVE", "KQRvKR --effort 4 --memory 64G");
        let output = command(five).timeout(Duration::from_secs(20)).output().unwrap();
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{line}: {message}");
        assert!(message.contains(says) && message.lines().count() == 1, "{line}: {message}");
    };
    for line in [
        "minimize FIVE",
        "export KQRvKR --memory 64G",
        "pack /no/such.pla --material KQvK",
        "bundle /no/such/dir",
    ] {
        let says = format!("cannot write {}: No such file or directory", nowhere.display());
        refused(&format!("{line} -o {}", quoted(&nowhere)), &says);
    }
    let says = format!("cannot write {}: ", blocked.display());
    refused(&format!("build FIVE --out {}", quoted(&dir)), &says);
    if Path::new("/proc/self").exists() {
        refused("build FIVE --out /proc/self", "cannot write /proc/self/KQRvKR.pcn: ");
        refused("generate KQRvKR --memory 64G --out /proc/self", "cannot write /proc/self/");
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left behind");
}

#[test]
fn missing_and_broken_files_have_exit_status_three() {
    let dir = tempfile::tempdir().unwrap();
    fails(format!("probe --tables /no/such/dir '{PAWN}'"), 3, "/no/such/dir");
    fails(format!("verify {}", quoted(&dir)), 3, "no .pcn");
    fails("compare /no/such.pcn", 3, "/no/such.pcn");
    assert_eq!(stdout(&cubebase("compare /no/such.pcn")), "");
    fails("pack /no/such.pla --material KQvK -o x", 3, "/no/such.pla");
    let short = [0, 3].map(|length| (fs::read(pcn("KPvK")).unwrap()[..length].to_vec(), "", ""));
    for (bytes, text, _) in damaged().into_iter().chain(short) {
        fs::write(dir.path().join("KPvK.pcn"), bytes).unwrap();
        let broken = at(&dir, "KPvK.pcn");
        fails(format!("info {broken}"), 3, text);
        for line in [format!("probe --tables {broken} '{PAWN}'"), format!("verify {broken}")] {
            fails(&line, 3, text);
            assert_eq!(stdout(&cubebase(line)), "");
        }
    }
}

#[test]
fn commands_continue_after_a_broken_file() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("KBvK.pcn"), "broken").unwrap();
    copied(&dir, &[("KQvK", "KQvK.pcn")]);
    let tables = quoted(&dir);
    let fens = "'8/8/8/4k3/8/8/4B3/4K3 w - - 0 1' '4k3/8/8/8/8/8/8/3QK3 w - - 0 1'";
    let output = cubebase(format!("probe --tables {tables} {fens}"));
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(stdout(&output), "win\n");
    assert!(
        stderr(&output).starts_with("cubebase: '8/8/8/4k3/8/8/4B3/4K3 w - - 0 1': "),
        "{}",
        stderr(&output)
    );
    for line in [
        format!("info {} {tables}", at(&dir, "none.pcn")),
        format!("compare {tables}"),
        format!("verify {tables}"),
    ] {
        let output = cubebase(&line);
        assert_eq!(output.status.code(), Some(3), "{line}");
        assert!(stdout(&output).contains("KQvK"), "{line}: {}", stdout(&output));
        assert!(stderr(&output).contains("KBvK.pcn"), "{line}: {}", stderr(&output));
    }
    let output = cubebase(format!("info {tables} --format json"));
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
    let (program, out) = (quoted(cubebase), at(&dir, "KQvK.pla"));
    // With the signal of the limit ignored, and with its default action.
    for trap in ["trap '' XFSZ", "trap - XFSZ"] {
        let script = format!("{trap}; ulimit -f 1; exec {program} export KQvK -o {out}");
        let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        let message = stderr(&output);
        assert_eq!((output.status.code(), message.lines().count()), (Some(3), 1), "{trap}: {message}");
        assert!(message.contains("KQvK.pla: ") && message.contains("File too large"), "{trap}: {message}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
    if Path::new("/dev/full").exists() {
        fails("export KvK -o /dev/full", 3, "/dev/full");
        fails("export KQvK -o /dev/full", 3, "/dev/full");
    }
}

#[test]
#[cfg(unix)]
fn full_standard_streams() {
    let Ok(full) = File::options().write(true).open("/dev/full") else { return };
    let run = || std::process::Command::new(assert_cmd::cargo::cargo_bin("cubebase"));
    // An error of standard error cannot be reported, so it does not change the exit status.
    let silent = run().args(["info", "/no/such/file"]).stderr(full.try_clone().unwrap()).status().unwrap();
    assert_eq!(silent.code(), Some(3));
    for args in [&["help"][..], &["--version"], &["export", "KQvK"], &["info", built().to_str().unwrap()]] {
        let output = run().args(args).stdout(full.try_clone().unwrap()).output().unwrap();
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{args:?}: {message}");
        assert!(message.starts_with("cubebase: cannot write to standard output: "), "{args:?}: {message}");
    }
}

#[test]
fn positions_that_no_table_answers() {
    for (fen, text) in [
        ("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "castling rights of Chess960"),
        ("4k3/8/8/8/8/8/8/4K1R1 w K - 0 1", "castling rights of Chess960"),
        ("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "white has no rook in place for castling right 'Q': write 'K'"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "men"),
        ("8/8/8/8/8/8/4k3/4K3 w - - 0 1", "illegal position: the kings are adjacent"),
        ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "check"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "pawn"),
        ("4k3/8/8/8/8/8/8/3QK1NR w - - 0 1", "no table of KQRNvK"),
        ("4k3/8/8/8/8/8/8/4K3", "bad FEN"),
        ("", "bad FEN"),
    ] {
        for command in ["probe", "lookup", "explain"] {
            let line = format!("{command} --tables {} '{fen}'", quoted(built()));
            fails(&line, 3, text);
            assert_eq!(stdout(&cubebase(line)), "", "{command} {fen}");
        }
    }
}

#[test]
fn usage_errors_have_exit_status_two() {
    let dir = tempfile::tempdir().unwrap();
    let fails = |line: &str, status, text: &str| {
        fails(line.replace("DIR", &quoted(&dir)).replace("FILE", &at(&dir, "x")), status, text);
    };
    for material in ["XYZ", "KQ", "KQvKX", "QvK", "1", "99", "KQQQQQQQQvK"] {
        fails(&format!("generate {material} --out DIR"), 2, material);
    }
    for (line, text) in [
        ("build KQvK --out DIR --model none", "'none' of trees (there are: auto, board, geometry, attack)"),
        (
            "build KQvK --out DIR --model binary",
            "'binary' of trees (there are: auto, board, geometry, attack)",
        ),
        ("generate 'KQ\nvK\rX' --out DIR", "is no material"),
        // A PLA has one model.
        ("export KQvK --model auto", "no model 'auto' (there are: binary, board, geometry, attack)"),
        ("export KQvK --model board --type fdr", "too many don't-cares to list"),
        ("build KQRBvKQRB --out DIR", "KQRBvKQRB: a tree is grown of up to seven men"),
        ("minimize KQRBvKQRB -o FILE", "a tree is grown of up to seven men"),
        ("info DIR --threads 1000000", "1000000"),
        // A FEN without quotes.
        (&format!("probe {PAWN}"), &format!("quote it, as in \"{PAWN}\"")),
        ("probe 4k4/9/9/9/9/9/9/9/9/R3K4 r", "quote it, as in \"4k4/9/9/9/9/9/9/9/9/R3K4 r\""),
    ] {
        fails(line, 2, text);
    }
    for effort in ["1e9", "-1", "0", "5"] {
        let why =
            format!("invalid value '{effort}' for '--effort <1-4>': an effort is a whole number from 1 to 4");
        fails(&format!("build 3 --out x --effort {effort}"), 2, &why);
    }
    fails("info x --memory 16777216T", 2, "below 16777216T");
    fails("info x --memory many", 2, "not a number of bytes");
    let mut by_variable = command(format!("build KvK --out {}", quoted(&dir)));
    by_variable.env("RAYON_NUM_THREADS", "100000").timeout(Duration::from_secs(60));
    let output = by_variable.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "one limit for the option and the variable");
    assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn too_little_memory_is_refused_before_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let out = at(&dir, "out");
    for (line, message) in [
        ("export KQvKR --model attack --memory 100M -o", "KQvKR: exporting takes up to "),
        ("pack - --material KQvKR --model attack --memory 100M -o", "KQvKR: packing takes up to "),
        ("minimize KPvK --memory 16M -o", "KPvK: minimizing takes at least "),
        ("build KPvK --memory 16M --out", "KPvK: minimizing takes at least "),
        // The small table comes first: if it is not refused, the test fails before the large one takes long.
        ("generate KQvK --memory 1M --out", "KQvK: needs about "),
        ("generate KQQQvKQQQ --memory 8G --out", "KQQQvKQQQ: needs about "),
    ] {
        fails(format!("{line} {out}"), 3, message);
        fails(format!("{line} {out}"), 3, "memory");
    }
    assert!(!dir.path().join("out").exists());
    succeeds(format!("generate KQvK --memory 1G --out {out}"));
}

#[test]
fn a_damaged_syzygy_file_is_named_and_harms_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let [tables, none, syzygy] = ["tables", "none", "syzygy"].map(|name| dir.path().join(name));
    [&tables, &none, &syzygy].iter().for_each(|dir| fs::create_dir(dir).unwrap());
    copied(&tables, &[("KPvK", "KPvK.pcn")]);
    // The first directory has nothing.
    let args = format!("{} --syzygy {} --syzygy {}", quoted(tables), quoted(none), quoted(&syzygy));
    fails(format!("verify {args}"), 3, "no .rtbw file there");
    let zeros = [&[0x71, 0xe8, 0x23, 0x5d][..], &[0; 76]].concat();
    // A promotion leads to the file of `KQvK`.
    for (command, name) in [("verify", "KQvK.rtbw"), ("compare", "KPvK.rtbw")] {
        let file = syzygy.join(name);
        for (bytes, why) in [
            (&[][..], "empty"),
            (&[0; 80], "magic bytes"),
            (&zeros[..4], "cut short"),
            (&zeros[..74], "cut short"),
            (&zeros, "checksum"),
        ] {
            fs::write(&file, bytes).unwrap();
            fails(format!("{command} {args}"), 3, &format!("damaged Syzygy file {}: ", file.display()));
            fails(format!("{command} {args}"), 3, why);
        }
        fs::remove_file(file).unwrap();
    }
    let theirs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/syzygy");
    if !theirs.is_dir() {
        return crate::skip::for_want_of("../shared/syzygy");
    }
    fs::copy(theirs.join("KQvK.rtbw"), syzygy.join("KPvK.rtbw")).unwrap();
    for command in ["verify", "compare"] {
        fails(format!("{command} {args}"), 3, "a Syzygy file of another material than its name");
    }
}

/// A command that makes or checks files does so even if nobody reads what it prints.
#[test]
fn a_closed_pipe_ends_no_work() {
    let dir = tempfile::tempdir().unwrap();
    let status = |arguments: &[&str]| {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("cubebase"));
        let mut child = command.args(arguments).stdout(std::process::Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        child.wait().unwrap().code()
    };
    let out = dir.path().join("out").display().to_string();
    assert_eq!(status(&["build", "KBvK", "KNvK", "--effort", "1", "--out", &out]), Some(0));
    assert!(["KBvK", "KNvK"].iter().all(|name| Path::new(&out).join(name).with_extension("pcn").exists()));
    fs::write(Path::new(&out).join("KBvK.pcn"), "no table").unwrap();
    assert_eq!(status(&["doctor", &out]), Some(1));
    assert_eq!(status(&["verify", &out]), Some(3));
}

#[test]
fn inputs_are_not_replaced() {
    let dir = tempfile::tempdir().unwrap();
    copied(&dir, &[("KQvK", "KQvK.pcn")]);
    let (all, file) = (quoted(&dir), quoted(dir.path().join("KQvK.pcn")));
    let [wdl, pla] = ["KQvK.wdl", "KQvK.pla"].map(|name| quoted(dir.path().join(name)));
    let bytes = fs::read(dir.path().join("KQvK.pcn")).unwrap();
    succeeds(format!("generate KQvK --out {all}"));
    succeeds(format!("export KQvK --tables {all} -o {pla}"));
    let fen = "'8/8/8/4k3/8/8/8/K6Q w - - 0 1'";
    for line in [
        format!("compare {all} --html {file}"),
        format!("compare {file} --html {file}"),
        format!("explain --svg {file} --tables {all} {fen}"),
        format!("minimize KQvK --effort 1 --tables {all} -o {wdl}"),
        format!("export KQvK --tables {all} -o {wdl}"),
        format!("pack {pla} --material KQvK -o {pla}"),
        format!("bundle {file} -o {file}"),
    ] {
        fails(line, 3, "is an input: it would be replaced");
    }
    assert!(fs::read(dir.path().join("KQvK.pcn")).unwrap() == bytes);
    fails(format!("stats {file}"), 3, "is a file of clauses: use `cubebase info`");
    let bundle = quoted(dir.path().join("all.pcb"));
    succeeds(format!("bundle {file} -o {bundle}"));
    fails(format!("castle {bundle}"), 3, "a bundle: castle takes .pcn files");
    // Another file of that directory is none.
    succeeds(format!("minimize KQvK --effort 1 --tables {all} -o {file}"));
    fails("export KQvK --tables nowhere -o x.pla", 3, "nowhere is not a directory");
}

#[test]
fn every_command_names_files_that_probe_does_not_use() {
    let dir = tempfile::tempdir().unwrap();
    let wrong = ["KNvK.pcn", "kpvk.pcn", "KvKP.pcn", "another.pcn"];
    copied(&dir, &[("KQvK", "KQvK.pcn"), ("KRvK", wrong[0]), ("KPvK", wrong[1])]);
    copied(&dir, &[("KPvK", wrong[2]), ("KBvK", wrong[3])]);
    for command in ["verify", "info", "compare"] {
        let output = cubebase(format!("{command} {}", quoted(&dir)));
        assert_eq!(output.status.code(), Some(3), "{command}");
        let said = said(&output);
        for name in wrong {
            let is_named = |line: &str| line.contains(name) && line.contains("probe looks for it in ");
            assert!(said.lines().any(is_named), "{command}: {name}: {said}");
        }
        assert!(stdout(&output).contains("KQvK"), "{command} goes on: {said}");
    }
    fails(format!("bundle {} -o {}", quoted(&dir), at(&dir, "out.pcb")), 3, "probe looks for it in ");
    for name in wrong {
        // A file that is given by its path may have any name that is no material's.
        let status = cubebase(format!("info {}", at(&dir, name))).status.code();
        assert_eq!(status, Some(if name == "another.pcn" { 0 } else { 3 }), "{name}");
    }
}

#[test]
fn a_bundle_replaces_none_of_its_inputs() {
    let dir = tempfile::tempdir().unwrap();
    copied(&dir, &[("KQvK", "KQvK.pcn"), ("KPvK", "KPvK.pcn")]);
    let (all, one, bundle) = (quoted(&dir), at(&dir, "KPvK.pcn"), at(&dir, "two.pcb"));
    fails(format!("bundle {all} -o {one}"), 3, "is an input");
    fails(format!("bundle {one} -o {one}"), 3, "is an input");
    assert!(fs::read(dir.path().join("KPvK.pcn")).unwrap() == fs::read(pcn("KPvK")).unwrap());
    succeeds(format!("bundle {all} -o {bundle}"));
    fails(format!("bundle {bundle} -o {bundle}"), 3, "is an input");
}

#[test]
#[cfg(unix)]
fn a_link_to_a_missing_file_is_followed_and_a_leftover_of_a_killed_run_is_removed() {
    let dir = tempfile::tempdir().unwrap();
    let (link, left) = (dir.path().join("link.pla"), dir.path().join(".unfinished-killed.tmp"));
    std::os::unix::fs::symlink("real.pla", &link).unwrap();
    fs::write(&left, "half a PLA").unwrap();
    let text = succeeds(format!("export KvK -o {}", quoted(&link)));
    assert!(text.contains("link.pla: KvK in model binary"), "{text}");
    assert!(link.is_symlink() && dir.path().join("real.pla").is_file() && !left.exists());
}

#[test]
fn materials_are_taken_as_people_write_them() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["kqvk", "KQVK", "KQK", "kkq", "KvKQ"] {
        let text = succeeds(format!("generate {name} --out {}", quoted(&dir)));
        assert!(text.contains("KQvK "), "{name}: {text}");
    }
    for name in ["KQ", "KQvKvK", "KVQK", "KQKK", "QK"] {
        fails(format!("generate {name} --out {}", quoted(&dir)), 2, name);
    }
    let one = succeeds(format!("generate KvK --out {}", at(&dir, "one")));
    assert!(one.contains("1 table in "), "{one}");
}

#[test]
fn a_directory_without_tables_says_what_it_has() {
    let dir = tempfile::tempdir().unwrap();
    let empty = format!("{}: no .pcn file in it", dir.path().display());
    for (name, what) in [
        ("KQvK.txt", &*empty),
        ("KQvK.rtbw", "KQvK.rtbw is a Syzygy file: `cubebase verify --syzygy` compares it"),
        ("KQvK.rtbz", "KQvK.rtbz is a Syzygy file of distances, which cubebase does not read"),
        ("KQvK.wdl", "KQvK.wdl is an outcome table: use `cubebase lookup`"),
        ("all.pcb", "all.pcb is a bundle: name the file itself"),
        ("notes.pcn", "no file in it has the name of a table, as KQvK.pcn"),
        ("kqvk.pcn", "probe looks for kqvk.pcn in KQvK.pcn only"),
    ] {
        fs::write(dir.path().join(name), "not looked at").unwrap();
        for command in ["probe", "moves", "line", "explain"] {
            fails(format!("{command} --tables {} '{PAWN}'", quoted(&dir)), 3, what);
        }
        let output = command(format!("probe '{PAWN}'")).env("CUBEBASE_TABLES", dir.path()).output().unwrap();
        let start = "cubebase: the environment variable CUBEBASE_TABLES: ";
        assert!(stderr(&output).starts_with(start) && stderr(&output).contains(what), "{}", stderr(&output));
        fs::remove_file(dir.path().join(name)).unwrap();
    }
    // A table of Chinese chess.
    fs::write(dir.path().join("c-k.pcn"), "not looked at").unwrap();
    succeeds(format!("probe --tables {} '{PAWN}'", quoted(&dir)));
}

#[test]
#[cfg(unix)]
fn paths_of_tables_may_be_a_list() {
    let dir = tempfile::tempdir().unwrap();
    let queen = "'8/8/8/4k3/8/8/8/3QK3 w - - 0 1'";
    copied(&dir, &[("KRvK", "KRvK.pcn")]);
    fs::write(dir.path().join("KPvK.pcn"), "broken").unwrap();
    // With a colon in its name, it is one path if it exists.
    let colon = dir.path().join("a:b");
    fs::create_dir(&colon).unwrap();
    fs::write(colon.join("KQvK.pcn"), "broken").unwrap();
    let list = format!("{}::{}", built().display(), dir.path().display());
    let probe = |fen: &str| format!("probe --tables {} {fen}", quoted(&list));
    succeeds(probe(queen));
    fails(probe(&format!("'{PAWN}'")), 3, "KPvK.pcn: not a .pcn file");
    fails(format!("probe --tables {} {queen}", quoted(&colon)), 3, "a:b/KQvK.pcn: not a .pcn file");
    fails(format!("probe --tables {list}:/none {queen}"), 3, "cannot read /none: ");
    let output = command(format!("probe '{PAWN}'")).env("CUBEBASE_TABLES", &list).output().unwrap();
    assert!(stderr(&output).contains("KPvK.pcn: not a .pcn file"), "{}", stderr(&output));
}

#[test]
fn files_of_the_other_command_give_its_name() {
    let dir = tempfile::tempdir().unwrap();
    let is_told = |line: &str, why: &str| {
        let output = cubebase(line);
        assert_eq!(output.status.code(), Some(3));
        assert!(said(&output).contains(why), "{}", said(&output));
    };
    // More men than the built-in tables have.
    fs::write(dir.path().join("KQQPvK.wdl"), "not looked at").unwrap();
    let line = format!("probe --tables {} '8/8/8/4k3/8/8/4P3/QQ2K3 b - - 0 1'", quoted(&dir));
    is_told(&line, "KQQPvK.wdl is an outcome table: use `cubebase lookup`");
    copied(&dir, &[("KPvK", "KPvK.pcn")]);
    for tables in [quoted(&dir), at(&dir, "KPvK.pcn")] {
        let line = format!("lookup --tables {tables} '{PAWN}'");
        is_told(&line, "KPvK.pcn is a file of clauses: use `cubebase probe`");
    }
}
