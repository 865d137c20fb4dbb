//! Tests of the `espresso` program from outside.

use assert_cmd::Command;
use espresso::{Function, Pla, PlaType, check};
use proptest::prelude::*;
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

/// `transcript.txt` has commands with their input, output and exit codes. With the environment variable `UPDATE` set it is
/// written again.
#[test]
fn the_transcript_is_what_the_program_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcript.txt");
    let written = std::fs::read_to_string(&path).unwrap();
    let mut said: Vec<String> = Vec::new();
    let mut lines = written.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(arguments) = line.strip_prefix("$ espresso") {
            let mut input = String::new();
            said.push(line.to_owned());
            while let Some(line) = lines.next_if(|line| line.starts_with("< ")) {
                said.push(line.to_owned());
                input.extend([&line[2..], "\n"]);
            }
            let arguments: Vec<&str> = arguments.split_whitespace().collect();
            said.extend(answer(&mut espresso(&arguments), &input));
        } else if line.is_empty() || line.starts_with("# ") {
            said.push(line.to_owned());
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, said.join("\n") + "\n").unwrap();
        return;
    }
    for (number, (said, written)) in said.iter().zip(written.lines()).enumerate() {
        assert_eq!(said, written, "line {} of {}", number + 1, path.display());
    }
    assert_eq!(said.len(), written.lines().count());
}

/// Standard output and standard error line by line, and the exit code.
fn answer(command: &mut Command, input: &str) -> Vec<String> {
    let output = command.current_dir(fixture("")).write_stdin(input).output().unwrap();
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    let marked = |mark, line| format!("{mark} {line}").trim_end().to_owned();
    let stdout = stdout.lines().map(|line| marked('|', line));
    let stderr = stderr.lines().map(|line| marked('!', line));
    stdout.chain(stderr).chain([format!("= {}", output.status.code().unwrap())]).collect()
}

#[test]
fn every_fixture_is_minimized_correctly() {
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// A function whose sets overlap is written as a consistent one in every format of sets, and its ON-set is a result.
    #[test]
    fn written_functions_are_consistent(points in prop::collection::vec(0..6_usize, 16)) {
        let mut text = String::from(".i 3\n.o 2\n.type fdr\n");
        for (number, sets) in points.into_iter().enumerate() {
            for set in ["1", "0", "-", "1-", "0-", "01-"][sets].chars() {
                let outputs = if number < 8 { format!("{set}~") } else { format!("~{set}") };
                text = format!("{text}{:03b} {outputs}\n", number % 8);
            }
        }
        let function = Function::from_pla(&Pla::parse(&text).unwrap()).unwrap();
        for command in ["--do=ESPRESSO", "--do=d1merge", "--echo"] {
            for kind in ["f", "fd", "fr", "fdr"] {
                let written = output(&[command, "-o", kind], &text);
                let pla = Pla::read_as(written.as_bytes(), PlaType::F).unwrap();
                prop_assert_eq!(pla.kind.to_string(), kind);
                prop_assert!(Function::from_pla(&pla).is_ok(), "{command} -o {kind} of\n{text}is\n{written}");
                prop_assert_eq!(check::result(&function, &pla.on), Ok(()));
            }
        }
    }
}

/// Exit code, standard output and standard error of a run within a limit of the shell's `ulimit`.
#[cfg(unix)]
fn limited(limit: &str, args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let script = format!("ulimit {limit} && exec \"$0\" --threads 1 \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).arg(assert_cmd::cargo::cargo_bin("espresso")).args(args);
    let output = command.write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Too little memory is an error with a message, and no abort.
#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_is_an_error() {
    let [ones, dashes] = ["1", "-"].map(|c| c.repeat(10_000));
    let wide = format!(".i 20000\n.o 1\n{ones}{dashes} 1\n{dashes}{ones} 1\n");
    let reason = "complement: the result does not fit into the memory that is left";
    let refused = (Some(3), String::new(), format!("espresso: standard input: {reason}\n"));
    assert_eq!(limited("-v 1000000", &["-o", "fr"], &wide), refused);
    // Enough cubes for truth tables of 26 inputs.
    let row = |number: u32| format!("{:026b} 1\n", number.wrapping_mul(0x9e37_79b1) >> 6);
    let many = format!(".i 26\n.o 1\n{}", (0..1100).map(row).collect::<String>());
    let (code, written, message) = limited("-v 300000", &["-o", "f"], &many);
    assert_eq!((code, written.as_str()), (Some(3), ""));
    assert!(message.starts_with("espresso: standard input: minimizing takes about 1"), "{message}");
    assert!(message.ends_with(" MiB are available\n"), "{message}");
}

/// A function whose complement has too many cubes is minimized without it. Phases need the complement and are refused.
#[test]
fn a_complement_that_explodes_is_not_computed() {
    let row = |i: usize| format!("{}111{} 1\n", "-".repeat(3 * i), "-".repeat(3 * (30 - i)));
    let rows: String = (0..31).map(row).collect();
    let text = format!(".i 93\n.o 1\n{rows}{}0 1\n", "1".repeat(92));
    let assert = espresso(&["--check"]).write_stdin(text.clone()).assert().code(0);
    let output = assert.get_output().clone();
    // The last row is inside the first.
    assert!(String::from_utf8(output.stdout).unwrap().contains("\n.p 31\n"));
    let warning = "warning: the OFF-set has too many cubes: minimized without it, by fewer steps\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("espresso: standard input: {warning}"));
    for command in ["opo", "so_both"] {
        let (code, error) = failure(&["-D", command], &text);
        let reason = "the OFF-set has too many cubes, so no output can be complemented";
        assert_eq!((code, error), (1, format!("espresso: standard input: {reason}\n")), "{command}");
    }
}

/// The DC-set has too many cubes to list, but it counts: no minterm of F is an essential prime.
#[test]
fn essential_primes_depend_on_all_dont_cares() {
    let row = |i: u64| format!("{:040b} {}\n", i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 24, i % 2);
    let text = format!(".i 40\n.o 1\n.type fr\n{}", (1..=40).map(row).collect::<String>());
    let assert = espresso(&["--do", "essen"]).write_stdin(text).assert().code(0);
    let output = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert!(output.contains("\n.p 20\n"), "{output}");
}

/// The PLA names the complemented outputs, as Berkeley's program does; an output complemented twice is not among them.
#[test]
fn phases_that_were_chosen_are_written() {
    let text = ".i 2\n.o 2\n11 11\n01 10\n10 10\n";
    let output = |text: &str| {
        let assert = espresso(&["-D", "opo"]).write_stdin(text).assert().code(0);
        String::from_utf8(assert.get_output().stdout.clone()).unwrap()
    };
    for sizes in [".o 2\n", ".o 2\n.phase 01\n"] {
        let text = text.replace(".o 2\n", sizes);
        assert_eq!(output(&text), ".i 2\n.o 2\n#.phase 01\n.p 2\n00 10\n11 01\n.e\n", "{text}");
    }
}

/// An interrupt is handled: the process ends by itself, with the exit code of an interrupt, and leaves no file.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_leaves_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let fifo = directory.path().join("in");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("espresso"))
        .arg(&fifo)
        .arg("-o")
        .arg(directory.path().join("out.pla"))
        .spawn()
        .unwrap();
    // Waits until the program opens the pipe, which it does after it has installed the handler.
    let writer = std::fs::OpenOptions::new().write(true).open(&fifo).unwrap();
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(writer);
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

/// An interrupt ends the program within a second at any stage, and leaves nothing.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_every_command() {
    let directory = tempfile::tempdir().unwrap();
    // The complement of these pairs has 2^40 cubes, and their disjoint form has about as many.
    let pairs = (0..40)
        .map(|i| format!("{}11{} 1\n", "--".repeat(i), "--".repeat(39 - i)))
        .collect::<Vec<_>>()
        .concat();
    let path = directory.path().join("pairs.pla");
    std::fs::write(&path, format!(".i 80\n.o 1\n{pairs}.e\n")).unwrap();
    for command in ["ESPRESSO", "disjoint", "equiv", "many", "xor"] {
        let output = directory.path().join("out.pla");
        let mut run = std::process::Command::new(assert_cmd::cargo::cargo_bin("espresso"));
        run.args(["--threads", "1", "--do", command]).arg(&path).stdout(std::process::Stdio::null());
        if command == "xor" {
            run.arg(&path);
        }
        if command != "equiv" {
            run.arg("--output").arg(&output);
        }
        let mut child = run.spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert_eq!(child.try_wait().unwrap(), None, "{command} is at work");
        let pid = child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        let start = std::time::Instant::now();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{command}");
        assert!(start.elapsed().as_secs_f64() < 1.0, "{command}");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1, "{command}");
    }
}

/// Sizes that would take more memory than there is give a result or an error.
#[cfg(target_os = "linux")]
#[test]
fn huge_sizes_are_bounded() {
    let wide = |ones: usize| format!("{}{}", "1".repeat(ones), "-".repeat(100_000 - ones));
    let outputs = |ones: usize| format!("{}{}", "1".repeat(ones), "0".repeat(60_000 - ones));
    let few = format!(".i 100000\n.o 60000\n{} {}\n{} {}\n", wide(3), outputs(5), wide(2), outputs(1));
    let run = |args: &[&str], input: &str| limited("-v 1500000", args, input);
    let (code, result, message) = run(&[], &few);
    assert_eq!((code, message), (Some(0), String::new()));
    assert_eq!(Pla::parse(&result).unwrap().on.len(), 2);
    // A short name in a symbolic column stands for many parts.
    let names = (0..150_000).map(|i| format!("n{i} 1\n")).collect::<Vec<_>>().concat();
    let (code, _, message) = run(&["--echo"], &format!(".mv 2 0 -150000 1\n{names}"));
    assert_eq!(code, Some(3));
    assert!(message.contains("do not fit into the available memory"), "{message}");
    // Each row has a cube for each value and bit of a symbolic output.
    let words =
        |name: &str, count: usize| (0..count).map(|i| format!(" {name}{i}")).collect::<Vec<_>>().concat();
    let rows = (0..2000).map(|i| format!("{i:011b} {}\n", "1".repeat(12))).collect::<Vec<_>>().concat();
    let (outputs, values) = (words("o", 12), words("n", 4096));
    let symbolic = format!(".i 11\n.o 12\n.ob{outputs}\n.symbolic-output{outputs} ;{values} ;\n{rows}");
    let (code, _, message) = run(&[], &symbolic);
    assert_eq!(code, Some(3));
    assert!(message.contains("the rows with symbolic outputs do not fit"), "{message}");
    let (code, _, message) = run(&["--do", "minterms"], &format!(".i 64\n.o 1\n{} 1\n", "-".repeat(64)));
    assert_eq!(code, Some(3));
    assert!(message.contains("minterms: "), "{message}");
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
    assert!(json.ends_with("}\n") && json.matches("\"step\":").count() > 3);
    let summary = |args: &[&str]| {
        let assert =
            espresso(args).args(["-sx", "--format", "json"]).arg(fixture("adder.pla")).assert().success();
        String::from_utf8(assert.get_output().stderr.clone()).unwrap()
    };
    for (args, parts) in [
        (
            &["--exact"][..],
            &[
                "\"cubes\":11,\"input_literals\":32,\"output_literals\":11,",
                "\"lower_bound_cubes\":11,",
                "\"strategy\":\"coverage by truth table, blocking by OFF-set\",",
            ][..],
        ),
        (&["--exact", "--do", "so"], &["\"cubes\":11,", "\"lower_bound_cubes\":11,", "\"strategy\":\""]),
        (&["--budget", "0"], &["\"budget_exhausted\":true,", "\"lower_bound_cubes\":null,"]),
        (&["--effort", "2"], &["\"budget_exhausted\":false,", "\"step\":\"reduce\"", "\"step\":\"gasp\""]),
        (&["--effort", "2", "-estrong"], &["\"step\":\"supergasp\""]),
    ] {
        let json = summary(args);
        assert!(parts.iter().all(|part| json.contains(part)), "{args:?}: {json}");
    }
    assert!(!summary(&["--effort", "1"]).contains("\"step\":\"exact\""));
    assert!(!summary(&["-efast", "--do", "so"]).contains("\"step\":\"reduce\""));
    let fast = espresso(&["-efast", "-sx", "--format", "json"])
        .arg(fixture("adder.pla"))
        .assert()
        .success()
        .stdout("");
    let json = String::from_utf8(fast.get_output().stderr.clone()).unwrap();
    assert_eq!(json.matches("\"step\":").count(), 4);
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
    espresso(&["-o"]).arg(&path).write_stdin(".i 1\n.o 1\n1x").assert().code(3);
    assert_eq!((files(), std::fs::read_to_string(&path).unwrap()), (vec!["out.pla".to_owned()], written));
    let nowhere = directory.path().join("missing").join("out.pla");
    // This fails before the work, which would find that the second input is inconsistent.
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

/// A file may grow to one block: the write fails in the middle, as on a full disk.
#[cfg(unix)]
#[test]
fn a_limit_on_the_size_of_files_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out.pla");
    let long = format!(".i 40\n.o 1\n{}", format!("{} 1\n", "-".repeat(40)).repeat(100));
    let (code, _, message) = limited("-f 1", &["--do", "echo", "-o", out.to_str().unwrap()], &long);
    let says = format!("espresso: {}: I/O failed: File too large (os error 27)\n", out.display());
    assert_eq!((code, message), (Some(3), says));
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}

/// Several results go to one file, each with its summary on standard error.
#[test]
fn many_results_are_one_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.pla");
    let input = ".i 1\n.o 1\n1 1\n.e\n.i 2\n.o 1\n11 1\n.e\n";
    let mut many = espresso(&["--do", "many", "--stats", "--output"]);
    let assert = many.arg(&path).write_stdin(input).assert().success().stdout("");
    let summaries = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert_eq!(summaries.matches("standard input: type fd").count(), 2, "{summaries}");
    assert_eq!(std::fs::read_to_string(path).unwrap(), output(&["--do", "many"], input));
}

/// The ending of a file's name selects the format, and the rest is the name of the model.
#[test]
fn names_of_files_have_a_meaning() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("two words.eqn");
    std::fs::write(&path, "f = a & b;\n").unwrap();
    let written = output(&["--out-type", "blif", path.to_str().unwrap()], "");
    assert!(written.starts_with(".model two_words\n.inputs a b\n.outputs f\n"), "{written}");
}

/// Berkeley's options for summaries write comments to standard output; its options for traces also report every step.
#[test]
fn summaries_of_berkeley_are_comments() {
    for (option, has_steps) in [("-s", false), ("-t", true), ("-d", true), ("-vall", false)] {
        let text = output(&["-x", option], ".i 1\n.o 1\n1 1\n");
        assert!(text.lines().all(|line| line.starts_with("# ")), "{option}: {text}");
        assert!(text.contains("# ESPRESSO\tTime was "), "{option}: {text}");
        assert_eq!(text.contains("# EXPAND "), has_steps, "{option}: {text}");
    }
    // A name of a file that is not UTF-8 is shown with a sign in its place.
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        espresso(&["-s"]).arg(std::ffi::OsStr::from_bytes(b"caf\xe9.pla")).assert().code(1);
    }
    // Verilog has no such comments.
    let verilog = espresso(&["-s", "-o", "verilog"]).write_stdin(".i 1\n.o 1\n1 1\n").assert().success();
    let verilog = String::from_utf8_lossy(&verilog.get_output().stdout).into_owned();
    assert!(!verilog.contains('#'), "{verilog}");
}

/// In type fr with a large D, each cube of F is in one cube of the result: here it has three cubes, and there is one of two.
#[test]
fn a_minimum_that_is_not_proven_is_named() {
    let mut pla = String::from(".i 100\n.o 1\n.type fr\n");
    let mut noise = 1u64;
    for start in ["11-", "0-1", "-11"] {
        pla.extend([start, &"-".repeat(97), " 1\n"]);
    }
    for _ in 0..100 {
        let mut row: Vec<char> = (0..100)
            .map(|_| {
                noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                if noise >> 63 == 1 { '1' } else { '0' }
            })
            .collect();
        // Of ab' + a'c'.
        let zero = if row[0] == '1' { 1 } else { 2 };
        row[zero] = '0';
        pla.extend(row);
        pla += " 0\n";
    }
    let run = espresso(&["--exact"]).write_stdin(pla).assert().success();
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.contains("not proven"), "{said}");
    assert_eq!(output(&["--exact"], ".i 2\n.o 1\n11 1\n10 1\n").lines().count(), 5);
}

/// Names of outputs suffice if no input has a name; but a PLA without an output is no result for one that has it.
#[test]
fn columns_without_names_are_matched_by_position() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let both = write("both.pla", ".i 1\n.o 2\n.ob f g\n1 10\n0 01\n");
    let turned = write("turned.pla", ".i 1\n.o 2\n.ob g f\n1 01\n0 10\n");
    let one = write("one.pla", ".i 1\n.o 1\n.ob f\n1 1\n");
    output(&["--do", "PLAverify", &both, &turned], "");
    let (code, why) = failure(&["--do", "PLAverify", &both, &one], "");
    assert!(code == 1 && why.contains("outputs that the second lacks"), "{why}");
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

/// Bash runs each example of the help, with the files that it names and a home directory of its own.
#[test]
#[cfg(unix)]
fn the_examples_of_the_help_run() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["adder.pla", "table.pla"] {
        std::fs::write(dir.path().join(name), text("adder.pla")).unwrap();
    }
    for home in [".local/share/bash-completion/completions", ".local/share/man/man1"] {
        std::fs::create_dir_all(dir.path().join(home)).unwrap();
    }
    let program = assert_cmd::cargo::cargo_bin("espresso");
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let help = output(&["--help"], "");
    let examples: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Examples:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        // An explanation follows after several spaces.
        .map(|line| line.trim_start().split("   ").next().unwrap_or_default())
        .collect();
    for example in &examples {
        assert!(example.starts_with("espresso "), "{help}");
        let mut bash = Command::new("bash");
        let done =
            bash.args(["-c", example]).env("PATH", &path).env("HOME", dir.path()).current_dir(&dir).output();
        let done = done.unwrap();
        assert!(done.status.success(), "{example}: {done:?}");
    }
    assert!(examples.len() >= 5 && dir.path().join("adder.min.pla").is_file(), "{help}");
}

#[test]
fn completions_and_the_manual_have_every_option() {
    for shell in ["bash", "zsh", "fish"] {
        let script = output(&["--completions", shell], "");
        assert!(script.contains("out-type") && script.contains("espresso"), "{shell}");
    }
    let page = output(&["--man"], "");
    assert!(page.contains(".TH espresso 1") && page.contains("out\\-type"), "{page}");
    assert!(
        page.contains(".SH EXAMPLES\n.nf\nespresso adder.pla ")
            && page.contains(".SH NOTES\n.PP\nA command line"),
        "{page}"
    );
    for threads in ["", "0", "2"] {
        espresso(&["--man"]).env("RAYON_NUM_THREADS", threads).assert().success();
        espresso(&[]).env("RAYON_NUM_THREADS", threads).write_stdin(".i 1\n.o 1\n1 1\n").assert().success();
    }
    espresso(&[]).env("RAYON_NUM_THREADS", "many").assert().code(2);
    assert!(failure(&["--man", "--check"], "").1.contains("--man"));
    assert!(failure(&["--completions", "csh"], "").1.contains("csh"));
}
