//! `probe` and `moves` from outside: the built-in tables, several sets of tables, and many lines.

use crate::bundle::answers;
use crate::command::{at, built, command, cubebase, fails, json, quoted, stderr, stdout, succeeds};
use serde_json::Value;

#[test]
fn the_built_in_tables_answer() {
    for (fen, _, outcome) in answers().step_by(7) {
        assert_eq!(succeeds(format!("probe '{fen}'")), format!("{outcome}\n"), "{fen}");
    }
    let five = "probe '8/8/8/4k3/8/8/4P3/QQ2K3 b - - 0 1'";
    fails(five, 3, "cubebase: no table of KQQPvK in the embedded tables\n");
}

/// Of several sets the last one that has a table answers.
#[test]
fn tables_are_added_and_the_last_one_answers() {
    let dir = tempfile::tempdir().unwrap();
    let win = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";
    let broken = dir.path().join("broken");
    std::fs::create_dir(&broken).unwrap();
    std::fs::write(broken.join("KQvK.pcn"), "broken").unwrap();
    let (good, broken) = (quoted(built()), quoted(broken));
    assert_eq!(succeeds(format!("probe --tables {broken} --tables {good} '{win}'")), "win\n");
    fails(format!("probe --tables {good} --tables {broken} '{win}'"), 3, "KQvK.pcn");
    // A table that the last one lacks is found in another.
    assert_eq!(succeeds(format!("probe --tables {broken} '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1'")), "draw\n");
    let moves = format!("moves --tables {good} --tables {broken} '{win}'");
    fails(&moves, 3, "KQvK.pcn");
    assert_eq!(stdout(&cubebase(moves)), "");
}

#[test]
fn moves_are_listed_best_first() {
    let text = succeeds("moves '8/7P/8/8/8/8/5k2/7K w - - 0 1'");
    let expected = "\
win, 1 ply to zeroing
h8=Q    h7h8q win       14 promotion
h8=R    h7h8r win       28 promotion
Kh2     h1h2  win        2
h8=B    h7h8b draw         promotion, insufficient material
h8=N    h7h8n draw         promotion, insufficient material
";
    assert_eq!(text, expected);
    assert_eq!(succeeds("moves '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1'"), "draw, stalemate\n");
    assert_eq!(succeeds("moves '7k/6Q1/6K1/8/8/8/8/8 b - - 0 1'"), "loss, checkmate\n");
    assert_eq!(
        succeeds("moves '7k/8/8/8/8/8/8/K7 b - - 0 1'").lines().next(),
        Some("draw, insufficient material")
    );
    let text = succeeds("moves 'r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1'");
    assert!(text.contains("O-O-O   e1c1  draw         castling\n"), "{text}");
    assert!(text.contains("\nRxa8+   a1a8  win       28 capture, check\n"), "{text}");
    // A mate on the board counts whatever the clock says.
    assert_eq!(succeeds("moves '7k/6Q1/6K1/8/8/8/8/8 b - - 120 90'"), "loss, checkmate\n");
    // The halfmove clock counts.
    let text = succeeds(format!("moves {KQK} '7k/8/8/5K2/8/8/8/6Q1 w - - 98 80'"));
    let expected = "cursed-win, 3 plies to zeroing\nKf6     f5f6  cursed-win    2\n";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn moves_for_scripts() {
    let fen = "8/7P/8/8/8/8/5k2/7K w - - 0 1";
    let answer = json(format!("moves {KQK} '{fen}'"));
    assert_eq!(answer["category"], "win");
    let best = &answer["moves"][0];
    assert_eq!(
        [&best["san"], &best["category"], &best["dtz"], &best["precise_dtz"], &best["dtm"]],
        [&Value::from("h8=Q"), &Value::from("loss"), &Value::from(-14), &Value::from(-14), &Value::Null]
    );
    let output = cubebase("moves --format json '8/8/8/8/8/8/8/K7 w - - 0 1'");
    assert_eq!(output.status.code(), Some(3));
    let error: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(error["error"], "bad FEN: black has 0 kings, not one");
    // A blank line ends each answer, and the answer to a blank line is one too.
    let input = format!("{fen}\nnonsense\n{fen}\n");
    let output = command("moves -").write_stdin(input.clone()).output().unwrap();
    let parts: Vec<&str> = stdout(&output).split("\n\n").collect();
    assert_eq!((parts.len(), parts[3], output.status.code()), (4, "", Some(3)), "{}", stdout(&output));
    assert!(
        parts[0] == parts[2] && parts[1].starts_with("error: ") && parts[0].lines().count() == 6,
        "{parts:?}"
    );
    let output = command("moves --format json -").write_stdin(input).output().unwrap();
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert!(lines.len() == 3 && lines[0] == lines[2] && lines[1].contains("\"error\""), "{lines:?}");
    for (line, expected) in
        [("moves -", [parts[0], "", parts[0], ""].join("\n\n")), ("probe -", "win\n\nwin\n".into())]
    {
        let output =
            command(line).write_stdin(format!("{fen}\n \n{}", fen.replace(' ', "_"))).output().unwrap();
        assert_eq!((stdout(&output), output.status.code()), (expected.as_str(), Some(0)), "{line}");
    }
    let wide: Vec<u8> = format!("\u{feff}{fen}\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let output = command("probe -").write_stdin(wide).output().unwrap();
    assert_eq!(stderr(&output), "cubebase: standard input is text in UTF-16: convert it to UTF-8\n");
}

/// The distances of `KQvK`.
const KQK: &str = "--tables fixtures/fuzz/pcn/KQvK-distances.pcn";

#[test]
fn lines_of_best_play() {
    let text = succeeds(format!("line {KQK} '7k/8/8/5K2/8/8/8/6Q1 w - - 0 80'"));
    let moves = "  1 Kf6     f5f6     2\n  2 Kh7     h8h7     1\n";
    let mate = "  3 Qg7#    g1g7       mate\nmate after 3 plies\n";
    assert_eq!(text, format!("win, 3 plies to zeroing\n{moves}{mate}"));
    let text = succeeds(format!("line {KQK} '7k/8/8/5K2/8/8/8/6Q1 w - - 98 80'"));
    let end = "draw by the 50-move rule after 2 plies\n";
    assert_eq!(text, format!("cursed-win, 3 plies to zeroing\n{moves}{end}"));
    assert_eq!(succeeds("line '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1'"), "draw\n");
    assert_eq!(succeeds("line '7k/6Q1/6K1/8/8/8/8/8 b - - 0 1'"), "loss, checkmate\n");
    assert_eq!(succeeds("line '4k3/8/8/8/8/8/8/QRRRK3 w - - 0 1'"), "unknown\nno distance\n");
    let line = json(format!("line {KQK} '8/8/8/3k4/8/8/8/KQ6 b - - 0 1'"));
    let (steps, dtz) = (line["mainline"].as_array().unwrap(), line["dtz"].as_i64().unwrap());
    assert_eq!((dtz, &line["winner"], steps.len()), (-18, &"w".into(), 18));
    fails("moves --plan '3k5/2R6/9/9/9/9/9/9/9/4K4 w'", 3, "rankings are for chess alone");
    fails("line '3k5/2R6/9/9/9/9/9/9/9/4K4 w'", 3, "distances to zeroing and rankings are for chess alone");
}

#[test]
fn probes_of_distances() {
    let lines = [
        ("7k/8/8/5K2/8/8/8/6Q1 w - - 0 80", "win", 3),
        ("7k/8/5K2/8/8/8/8/6Q1 b - - 0 80", "loss", -2),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "loss", -1),
        ("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "draw", 0),
    ];
    let input = lines.map(|(fen, ..)| fen).join("\n");
    let output = command(format!("probe {KQK} --distance -")).write_stdin(input.clone()).output().unwrap();
    assert_eq!(stdout(&output), lines.map(|(_, outcome, dtz)| format!("{outcome} {dtz}\n")).concat());
    let output =
        command(format!("probe {KQK} --distance --format json -")).write_stdin(input).output().unwrap();
    for ((fen, outcome, dtz), answer) in lines.into_iter().zip(stdout(&output).lines()) {
        let answer: Value = serde_json::from_str(answer).unwrap();
        let expected =
            serde_json::json!({ "fen": fen, "outcome": outcome, "dtz": dtz, "outcome_50_moves": outcome });
        assert_eq!(answer, expected);
    }
    fails(format!("probe {KQK} --distance '4k3/8/8/8/8/8/8/QRRRK3 w - - 0 1'"), 3, "no table of KQRRRvK");
    fails(
        "probe --distance '3k5/2R6/9/9/9/9/9/9/9/4K4 w'",
        3,
        "distances to zeroing and rankings are for chess alone",
    );
}

/// A failure is an object with a status, so that programs can distinguish its reasons.
#[test]
fn errors_for_scripts_have_a_status() {
    let cases = [
        ("nonsense", "bad_input", "bad_input"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "bad_input", "bad_input"),
        ("4k3/8/8/8/8/8/8/4K2R x - - 0 1", "bad_input", "bad_input"),
        ("8/8/8/8/8/8/8/Kk6 w - - 0 1", "illegal_position", "illegal_position"),
        ("8/8/8/8/3k4/8/8/K2R4 w - - 0 1", "illegal_position", "illegal_position"),
        ("4k3/8/8/8/8/8/8/4K2Q w - e6 0 1", "illegal_position", "illegal_position"),
        // For these `moves` lists the moves, with the outcomes that are known.
        ("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "unsupported_position", ""),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "unsupported_position", ""),
        ("4k3/pppp4/8/8/8/8/8/QRRRK3 w - - 0 1", "unsupported_position", ""),
        ("4k3/8/8/8/8/8/8/QRRRK3 w - - 0 1", "missing_table", ""),
    ];
    let lines = cases.map(|(fen, ..)| fen).join("\n") + "\n";
    for (name, is_moves) in [("probe", false), ("moves", true)] {
        let output = command(format!("{name} --format json -")).write_stdin(lines.clone()).output().unwrap();
        assert_eq!(output.status.code(), Some(3));
        let answers: Vec<Value> =
            stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(answers.len(), cases.len());
        for ((fen, probed, listed), answer) in cases.into_iter().zip(&answers) {
            let expected = if is_moves { listed } else { probed };
            assert_eq!(answer["status"].as_str().unwrap_or(""), expected, "{name} {fen}: {answer}");
            assert_eq!(answer["error"].is_string(), !expected.is_empty(), "{name} {fen}: {answer}");
            if !expected.is_empty() {
                assert_eq!(answer["fen"], fen);
            }
        }
    }
    // So is a damaged file.
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("KQvK.pcn"), "broken").unwrap();
    let output = cubebase(format!(
        "probe --format json --tables {} '4k3/8/8/8/8/8/8/3QK3 w - - 0 1'",
        quoted(dir.path())
    ));
    let answer: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!((answer["status"].as_str(), output.status.code()), (Some("bad_magic"), Some(3)), "{answer}");
}

#[test]
fn many_lines_are_answered_in_order_by_many_threads() {
    // Each line has its number, so that no two errors are alike.
    let answers: Vec<_> = answers().collect();
    let question = |number: usize| match number % 3 {
        0 => {
            let error = format!("error: bad FEN: the side to move is 'x{number}', not 'w' or 'b'");
            (format!("8/8/8/4k3/8/3K4/4P3/8 x{number} - -\r"), error)
        }
        1 => {
            let error = format!("error: bad FEN: the board 'x{number}' has 1 rank, not 8");
            (format!("x{number} w - -"), error)
        }
        _ => {
            let (fen, _, outcome) = &answers[number % answers.len()];
            ((*fen).to_owned(), outcome.to_string())
        }
    };
    let (questions, expected): (Vec<String>, Vec<String>) = (0..200_000).map(question).unzip();
    let (input, expected) = (questions.join("\n"), expected.join("\n") + "\n");
    for threads in ["1", "2", "7"] {
        let mut probe = command(format!("probe --threads {threads} -"));
        let output = probe.write_stdin(input.clone()).output().unwrap();
        assert_eq!((output.status.code(), stderr(&output)), (Some(3), ""));
        assert!(stdout(&output) == expected, "{threads} threads");
    }
}

/// The file is the example of FORMAT.md, whose wins with the queen on the files a to d are cursed.
#[test]
fn outcomes_under_the_rule_need_no_distances() {
    let file = at(env!("CARGO_MANIFEST_DIR"), "fixtures/fuzz/pcn/KQvK-board-rule.pcn");
    let [cursed, won] = ["8/8/8/8/4k3/8/1Q6/K7 w - - 0 1", "8/8/8/8/4k3/8/7Q/K7 w - - 0 1"];
    let line = format!("probe --tables {file} '{cursed}' '{won}'");
    assert_eq!(succeeds(&line), "win\nwin\n");
    assert_eq!(succeeds(format!("{line} --rule")), "cursed-win\nwin\n");
    let answer = json(format!("probe --rule --tables {file} '{cursed}'"));
    assert_eq!([&answer["outcome"], &answer["outcome_50_moves"]], ["win", "cursed-win"]);
    assert!(succeeds(format!("info {file}")).contains("  50-move rule: white to move 6 bytes\n"));
}
