//! Inputs for which the program once was wrong or silent, with their right results.

use assert_cmd::Command;

/// Exit code, standard output and standard error of a run; `files` are written for `{0}`, `{1}` in the arguments.
pub fn run(arguments: &str, files: &[&str]) -> (i32, String, String) {
    run_named(arguments, "pla", &files.iter().map(|file| file.as_bytes()).collect::<Vec<_>>())
}

fn run_named(arguments: &str, ending: &str, files: &[&[u8]]) -> (i32, String, String) {
    let directory = tempfile::tempdir().unwrap();
    let mut arguments = arguments.to_owned();
    for (number, file) in files.iter().enumerate() {
        let path = directory.path().join(format!("{number}.{ending}"));
        std::fs::write(&path, file).unwrap();
        arguments = arguments.replace(&format!("{{{number}}}"), path.to_str().unwrap());
    }
    let mut command = Command::cargo_bin("espresso").unwrap();
    let output = command.current_dir(directory.path()).args(arguments.split_whitespace()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// The check needs no complement; the complement of these pairs has 2^40 cubes.
#[test]
fn wide_plas_are_verified_without_their_complements() {
    let row = |i: usize| format!("{}11{} 1\n", "--".repeat(i), "--".repeat(39 - i));
    let text = format!(".i 80\n.o 1\n{}.e\n", (0..40).map(row).collect::<String>());
    let (code, verdict, _) = run("-Dverify {0} {1}", &[&text, &text]);
    assert_eq!((code, verdict.as_str()), (0, "PLA's compared equal\n"));
}

/// Strategy 1 and `--exact` find minima, for outputs one by one and in both phases.
#[test]
fn single_outputs_are_minimized_exactly() {
    // Two cyclic functions, where the loop without the exact step may leave one cube too many.
    let text = ".i 4\n.o 2\n0000 11\n0001 10\n0011 11\n0111 01\n1111 11\n1110 10\n1100 11\n1000 01\n";
    let rows = |arguments: &str| {
        let (code, pla, error) = run(&format!("{arguments} {{0}}"), &[text]);
        assert_eq!(code, 0, "{arguments}: {error}");
        pla.lines().find_map(|line| line.strip_prefix(".p ")).unwrap().parse::<usize>().unwrap()
    };
    let exact = rows("--do so --exact");
    assert_eq!([rows("-Dso -S1"), rows("-Dso -S 1")], [exact; 2]);
    let (_, _, steps) = run("--do so --exact --stats --format json {0}", &[text]);
    assert_eq!(steps.matches("\"step\":\"exact\"").count(), 4, "{steps}");
    assert!(rows("-Dso_both -S1") <= exact && rows("--do opo --exact") <= exact);
    assert_eq!(run("--do expand --exact {0}", &[text]).0, 2);
}

/// The last of repeated options counts, as in Berkeley's program.
#[test]
fn the_last_of_repeated_options_counts() {
    let text = ".i 2\n.o 1\n11 1\n10 1\n";
    assert_eq!(run("-Dexact -Decho {0}", &[text]), run("-Decho {0}", &[text]));
    assert_eq!(run("-S0 -S1 -Dso {0}", &[text]), run("-S1 -Dso {0}", &[text]));
    assert_eq!(run("-r0-1 -r 1-1 -Dminterms {0}", &[text]), run("-r1-1 -Dminterms {0}", &[text]));
    for misspelt in ["-oeqntot", "-o eqntot", "-overilo", "-ofdx"] {
        let (code, _, message) = run(&format!("{misspelt} {{0}}"), &[text]);
        assert!(code != 0 && message.contains("format"), "{misspelt}: {message}");
    }
}

#[test]
fn operations_are_what_their_help_says() {
    let [a, b] = [".i 2\n.o 1\n1- 1\n-1 1\n", ".i 2\n.o 1\n00 1\n"];
    assert_eq!(run("-Ddsharp {0} {1}", &[a, b]).1, ".i 2\n.o 1\n.p 2\n1- 1\n01 1\n.e\n");
    let free = ".i 3\n.o 1\n.ilb a DONT_CARE c\n.ob f\n1-1 1\n010 1\n.e\n";
    let mapped = ".type fd\n.i 2\n.o 1\n.ilb a c\n.ob f\n.p 2\n11 1\n00 2\n.end\n";
    assert_eq!(run("-Dmapdc {0}", &[free]).1, mapped);
}

#[test]
fn rows_of_state_tables_that_clash_are_refused() {
    let table = ".i 2\n.o 1\n.s 2\n0- A A 0\n-0 A B 0\n1- A B 1\n-- B A 0\n.e\n";
    let (code, _, message) = run_named("{0}", "kiss2", &[table.as_bytes()]);
    assert!(code == 3 && message.contains("lines 4 and 5"), "{message}");
    // An unspecified next state clashes with none, and in type fr it is a don't-care.
    let open = table.replace("-0 A B 0\n1- A B 1", "-0 A * 0\n11 A - 1");
    let [fd, fr] =
        ["fd", "fr"].map(|kind| run_named(&format!("--type {kind} {{0}}"), "kiss2", &[open.as_bytes()]));
    assert_eq!((fd.0, fr.0, fd.2, fr.2), (0, 0, String::new(), String::new()));
    assert!(fr.1.lines().count() < fd.1.lines().count(), "{}{}", fd.1, fr.1);
}

#[test]
fn equations_of_other_languages_are_not_taken_silently() {
    let read = |text: &str| run_named("--echo {0}", "eqn", &[text.as_bytes()]);
    for (text, warning) in [
        ("out = a & b\n    # c & !d\n    ;\n", "line 2: `#` begins a comment inside an equation"),
        ("f = \u{430} & a;\n", "the name `\u{430}` has letters beyond ASCII"),
    ] {
        let (code, _, message) = read(text);
        assert!(code == 0 && message.contains(warning), "{text}: {message}");
    }
    for (text, place) in
        [("f = a & /c;\n", "column 9"), ("f = a \u{f7} b;\n", "column 7"), ("f = a\u{2192}b;\n", "column 6")]
    {
        let (code, _, message) = read(text);
        assert!(code == 3 && message.contains(place), "{text}: {message}");
    }
    let (code, pla, message) = read("NAME = adder;\nINORDER = a b c;\nOUTORDER = f;\nf = a & b;\n");
    assert_eq!((code, message.as_str()), (0, ""));
    assert!(pla.contains("\n.i 3\n") && pla.contains("adder"), "{pla}");
    // The last equation needs no semicolon.
    assert_eq!(["f = a & b", "f = a;\ng = b\n"].map(|text| read(text).2), ["", ""]);
}

#[test]
fn errors_name_the_line_that_is_wrong() {
    for (text, place) in [
        (".i 2\n.o 1\n11 1\n101 1\n.e\n", "line 4, column 5"),
        (".i 2\n.o 1\n11 1\n101 1\n1x 1\n", "line 4, column 5"),
        (".I 2\n.o 1\n11 1\n", "line 1, column 1: keywords are in lower case: `.i`"),
    ] {
        let (code, _, message) = run("{0}", &[text]);
        assert!(code == 3 && message.contains(place), "{text}: {message}");
    }
    let wide: Vec<u8> =
        [0xfeff].into_iter().chain(".i 2\n".encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for ending in ["pla", "eqn"] {
        let (code, _, message) = run_named("{0}", ending, &[&wide]);
        assert!(code == 3 && message.contains("UTF-16"), "{message}");
    }
    let latin = b".i 2\n.o 1\n.ilb \xe9 \xe8\n.ob f\n10 1\n.e\n";
    let (code, pla, _) = run_named("--echo {0}", "pla", &[latin]);
    assert!(code == 0 && pla.contains(".ilb \u{e9} \u{e8}\n"), "{pla}");
}

/// The summary counts the don't-cares that type fr leaves.
#[test]
fn summaries_count_the_rest_as_dont_cares() {
    let (_, summary, _) = run("-s -x {0}", &[".i 2\n.o 1\n.type fr\n11 1\n00 0\n"]);
    assert!(summary.contains("# DC-set cost is  c=2(2) in=4 out=2 tot=6"), "{summary}");
}
