//! The `espresso` program as its users meet it.

use assert_cmd::Command;
use espresso::{Function, Pla, PlaType, check};
use std::path::{Path, PathBuf};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/pla").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(fixture(name)).unwrap()
}

fn espresso(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("espresso").unwrap();
    command.args(args);
    command
}

/// Standard output of a run that succeeds, given `input` on standard input.
fn output(args: &[&str], input: &str) -> String {
    let output = espresso(args).write_stdin(input).assert().success().stderr("").get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

/// Exit code and standard error of a run that writes nothing to standard output.
fn failure(args: &[&str], input: &str) -> (i32, String) {
    let assert = espresso(args).write_stdin(input).assert().stdout("").failure();
    let output = assert.get_output();
    (output.status.code().unwrap(), String::from_utf8(output.stderr.clone()).unwrap())
}

#[test]
fn every_fixture_is_minimized_rightly() {
    for entry in std::fs::read_dir(fixture("")).unwrap() {
        let path = entry.unwrap().path();
        let source = std::fs::read_to_string(&path).unwrap();
        let pla = Pla::parse(&source).unwrap();
        let minimized = Pla::parse(&output(&["--check"], &source)).unwrap();
        let function = Function::from_pla(&pla).unwrap();
        assert_eq!(check::result(&function, &minimized.on), Ok(()), "{}", path.display());
        assert!(minimized.on.len() <= pla.on.len(), "{}", path.display());
        assert_eq!(minimized.output_labels, pla.output_labels);
    }
}

#[test]
fn out_types_add_the_other_sets() {
    let source = text("seven-segment.pla");
    let function = Function::from_pla(&Pla::parse(&source).unwrap()).unwrap();
    for arguments in [&["-ofdr"][..], &["-o", "fdr"], &["--out-type", "fdr"], &["--echo", "-o", "fdr"]] {
        let written = Pla::parse(&output(arguments, &source)).unwrap();
        assert_eq!(written.kind, PlaType::Fdr);
        let back = Function::new(written.on, written.dc, written.off).unwrap();
        assert_eq!(check::result(&function, &back.on), Ok(()));
        assert_eq!((back.dc, back.off), (function.dc.clone(), function.off.clone()));
    }
    assert!(output(&["-o", "fd"], &source).starts_with(".type fd\n.i 4\n.o 7\n.ob a b c d e f g\n.p "));
}

#[test]
fn the_type_option_is_for_a_pla_without_type() {
    let rows = ".i 1\n.o 1\n1 1\n0 0\n";
    assert!(output(&["--echo", "-ofr", "--type", "fr"], rows).contains(".p 2\n"));
    let written = output(&["--echo", "-of", "--type", "fr"], &text("adder.pla"));
    assert_eq!(Pla::parse(&written).unwrap().on, Pla::parse(&text("adder.pla")).unwrap().on);
}

#[test]
fn echo_and_merging() {
    assert_eq!(output(&["-D", "echo"], ".i 2\n.o 1\n01 1\n00 1\n"), ".i 2\n.o 1\n.p 2\n01 1\n00 1\n.e\n");
    for arguments in [["-D", "d1merge"], ["--steps", "compact"]] {
        assert_eq!(output(&arguments, ".i 2\n.o 1\n01 1\n00 1\n"), ".i 2\n.o 1\n.p 1\n0- 1\n.e\n");
    }
}

#[test]
fn fast_is_a_single_pass() {
    let report = |args: &[&str]| {
        let mut command = espresso(args);
        let run = command.args(["-s", "-x", "--format", "json"]).arg(fixture("seven-segment.pla")).assert();
        let json = run.success().stdout("").get_output().stderr.clone();
        String::from_utf8(json).unwrap()
    };
    assert_eq!(report(&["-efast"]).matches("\"step\":").count(), 3);
    assert!(report(&[]).matches("\"step\":").count() > 3);
}

#[test]
fn the_summary_is_json_with_units() {
    let assert = espresso(&["--stats", "--format", "json"]).arg(fixture("adder.pla")).assert().success();
    let json = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(json.starts_with(
        "{\"type\":\"f\",\"binary_inputs\":4,\"multi_valued_input_parts\":[],\"outputs\":3,\"on_cubes_read\":15,\
         \"dc_cubes_read\":0,\"off_cubes_read\":0,\"steps\":[{\"step\":\"compact\",\"cubes_in\":15,"
    ));
    for field in ["cubes", "input_literals", "output_literals", "budget_exhausted", "seconds"] {
        assert!(json.contains(&format!(",\"{field}\":")), "{field}");
    }
    assert!(json.ends_with("}\n"));
}

#[test]
fn checks_tell_by_exit_code() {
    let directory = tempfile::tempdir().unwrap();
    let wrong = directory.path().join("wrong.pla");
    std::fs::write(&wrong, ".i 4\n.o 3\n---- 111\n").unwrap();
    let (adder, wrong) = (fixture("adder.pla"), wrong.to_str().unwrap().to_owned());
    let adder = adder.to_str().unwrap();
    assert_eq!(
        output(&["-D", "verify", adder, adder], ""),
        "the ON-set of the second is a result for the first\n"
    );
    assert_eq!(output(&["-D", "PLAverify", adder, adder], ""), "the two are the same function\n");
    assert_eq!(output(&["-Dcheck", adder], ""), "consistent\n");
    assert_eq!(output(&["-Dtaut", &wrong], ""), "the ON-set is a tautology\n");
    let excess = "is in the cover, but neither in the ON-set nor in the DC-set";
    let differs = "is in the ON-set outside the DC-set of the second function only";
    for (command, what) in [("verify", excess), ("PLAverify", differs)] {
        let (code, message) = failure(&["-D", command, adder, &wrong], "");
        assert_eq!(code, 1);
        assert!(
            message.starts_with("espresso: mismatch: ") && message.ends_with(&format!("{what}\n")),
            "{message}"
        );
    }
    assert_eq!(
        failure(&["-D", "check"], ".i 1\n.o 1\n.type fr\n1 1\n- 0\n"),
        (1, "espresso: mismatch: 1 1 (output 1) is both in the ON-set and in the OFF-set\n".into())
    );
}

#[test]
fn bad_input_is_told_in_one_line_and_shown() {
    for (input, message) in [
        (
            ".i 2\n.o 1\n01 1\n0x 1\n",
            "line 4, column 2: `x` cannot stand in column 2 of 3 of a row: an input is 0, 1, - or ~\n    0x 1\n     ^\n",
        ),
        (
            ".i 2\n.o 1\n.phase 1\n",
            "line 3, column 1: `.phase` (output phases) is not supported\n    .phase 1\n    ^\n",
        ),
        (".i 2\n.o 1\n01 1\n01\n", "line 4, column 1: the row that began in line 4 has 2 columns of 3\n"),
        (".i 1\n.o 1\n.type fr\n1 1\n- 0\n", "1 1 (output 1) is both in the ON-set and in the OFF-set\n"),
    ] {
        assert_eq!(failure(&[], input), (3, format!("espresso: standard input: {message}")));
    }
    let (code, message) = failure(&["no such file.pla"], "");
    assert_eq!(code, 3);
    assert!(message.starts_with("espresso: no such file.pla: I/O failed: "), "{message}");
}

#[test]
fn usage_is_checked() {
    for arguments in [
        &["--steps", "shrink"][..],
        &["-D", "exact"],
        &["-e", "kiss"],
        &["a", "b"],
        &["-D", "verify", "a"],
        &["--threads", "0"],
        &["--type", "r"],
        &["--echo", "--steps", "expand"],
    ] {
        let (code, message) = failure(arguments, "");
        assert_eq!((code, message.lines().count()), (2, 1), "{arguments:?}: {message}");
        assert!(message.starts_with("espresso: ") && !message.contains("error:"), "{message}");
    }
    assert_eq!(
        failure(&["-D", "verifi", "a"], ""),
        (
            2,
            "espresso: invalid value 'verifi' for '--do <COMMAND>' [possible values: ESPRESSO, echo, d1merge, expand, \
             irred, reduce, gasp, make_sparse, taut, stats, check, verify, PLAverify]; tip: a similar value exists: \
             'verify'\n"
                .into()
        )
    );
    assert_eq!(failure(&["a", "b"], ""), (2, "espresso: this takes 1 FILE, not 2\n".into()));
    let help = espresso(&["--help"]).assert().success().get_output().stdout.clone();
    assert!(String::from_utf8(help).unwrap().contains("Examples:\n  espresso adder.pla"));
}

#[test]
fn output_files_appear_whole_or_not_at_all() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.pla");
    let files = || {
        let names = std::fs::read_dir(directory.path()).unwrap();
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    espresso(&["-o"]).arg(&path).arg(fixture("adder.pla")).assert().success().stdout("").stderr("");
    assert_eq!(files(), ["out.pla"]);
    let written = std::fs::read_to_string(&path).unwrap();
    assert_eq!(written, output(&[], &text("adder.pla")));
    espresso(&["-o"]).arg(&path).write_stdin(".i 1\n.o 1\nx").assert().code(3);
    assert_eq!((files(), std::fs::read_to_string(&path).unwrap()), (vec!["out.pla".to_owned()], written));
    let nowhere = directory.path().join("missing").join("out.pla");
    // Told before the work: this would be told to be no function.
    for input in [".i 1\n.o 1\n1 1\n", ".i 1\n.o 1\n.type fr\n1 1\n- 0\n"] {
        let (code, message) = failure(&["-o", nowhere.to_str().unwrap()], input);
        assert_eq!(code, 3);
        assert!(
            message.starts_with(&format!("espresso: {}: I/O failed: No such file", nowhere.display())),
            "{message}"
        );
        assert!(!message.contains(".unfinished-"), "{message}");
    }
    espresso(&["-o"]).arg(directory.path()).arg(fixture("adder.pla")).assert().code(3).stdout("");
    assert_eq!(files(), ["out.pla"]);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let rows: Vec<String> = (0..1 << 15).map(|i| format!("{i:016b} 1\n")).collect();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("many.pla");
    std::fs::write(&path, format!(".i 16\n.o 1\n{}", rows.concat())).unwrap();
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("espresso"))
        .arg("--echo")
        .arg(&path)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

#[test]
fn threads_do_not_change_the_result() {
    let source = text("seven-segment.pla");
    assert_eq!(output(&["--threads", "1"], &source), output(&["--threads", "3"], &source));
}
