//! `explain` from outside, and what a certificate promises: its conditions hold, and every position of its clause has the
//! outcome that it states.

use crate::bundle::answers;
use crate::command::{at, command, fails, json, quoted, stderr, stdout, succeeds};
use cubebase::explain::{BoardExplanation, Style};
use cubebase::explain::{ClauseSquares, Coverage, Decision, Explanation};
use cubebase::model::VariableSet;
use cubebase::position::Bitboard;
use cubebase::{Material, Position, Square, Tables, Wdl};
use serde_json::Value;
use std::collections::HashSet;
use std::path::Path;

const PAWN: &str = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";

fn embedded() -> Tables {
    Tables::embedded().unwrap()
}

/// Checks that literals have the parts of the canonical position and allow them.
fn check_literals(explanation: &Explanation) {
    let canonical = &explanation.canonical;
    let variables = explanation.model.variable_set(canonical.material());
    let mut parts = vec![0; variables.variables().len()];
    variables.evaluate(canonical, &mut parts);
    for literal in &explanation.literals {
        assert_eq!(variables.variables()[literal.variable].name, literal.name);
        assert_eq!(parts[literal.variable], literal.value, "{literal} {}", canonical.to_fen());
        assert!(literal.allowed >> literal.value & 1 != 0, "{literal} {}", canonical.to_fen());
    }
}

/// The squares of a FEN's board with their letters, in the FEN's order; `1` for an empty one.
fn squares_of(fen: &str) -> Vec<(Square, char)> {
    let mut letters = fen.split(' ').next().unwrap().replace('/', "");
    for empty in 2..=8 {
        letters = letters.replace(&empty.to_string(), &"1".repeat(empty));
    }
    let square = |place: u8| Square::at(place % 8, 7 - place / 8);
    letters.chars().zip(0..).map(|(letter, place)| (square(place), letter)).collect()
}

/// The men of a FEN's board by their squares.
fn men_of(fen: &str) -> HashSet<(char, String)> {
    let men = squares_of(fen).into_iter().filter(|(_, letter)| *letter != '1');
    men.map(|(square, letter)| (letter, square.to_string())).collect()
}

/// The FEN with the man on `from` moved to `to`.
fn moved(fen: &str, from: Square, to: Square) -> String {
    let squares = squares_of(fen);
    let (_, man) = squares.iter().find(|(square, _)| *square == from).unwrap();
    let letter = |(square, letter): &(Square, char)| match *square {
        square if square == to => *man,
        square if square == from => '1',
        _ => *letter,
    };
    let rows: Vec<String> = squares.chunks(8).map(|row| row.iter().map(letter).collect()).collect();
    let mut board = rows.join("/");
    for empty in (2..=8).rev() {
        board = board.replace(&"1".repeat(empty), &empty.to_string());
    }
    let (_, rest) = fen.split_once(' ').unwrap();
    format!("{board} {rest}")
}

#[test]
fn conditions_hold_and_highlighted_squares_have_the_outcome() {
    let tables = embedded();
    for (fen, _, outcome) in answers().step_by(11) {
        let certificate = BoardExplanation::of_fen(&tables, fen).unwrap();
        assert_eq!(certificate.outcome(), outcome, "{fen}");
        assert_eq!(certificate.is_exception(), certificate.stated() != outcome, "{fen}");
        check_literals(&certificate.explanation);
        let men = certificate.men.iter().map(|man| (man.man.fen(), man.square.to_string()));
        assert_eq!(men.collect::<HashSet<_>>(), men_of(fen), "{fen}");
        let is_passed = fen.split(' ').nth(3) != Some("-");
        for man in &certificate.men {
            assert!(man.squares.all.contains(man.square), "{fen}");
            assert_eq!(man.squares.exceptions.contains(man.square), certificate.is_exception(), "{fen}");
            assert!((man.squares.exceptions & !man.squares.all).is_empty(), "{fen}");
            // An en-passant square would have to fit.
            for to in if is_passed { Bitboard::EMPTY } else { Bitboard::ALL } {
                let moved = moved(fen, man.square, to);
                let Ok(other) = BoardExplanation::of_fen(&tables, &moved) else {
                    assert!(!man.squares.all.contains(to), "{fen} {moved}");
                    continue;
                };
                let is_other = men_of(&moved).len() < certificate.men.len();
                let is_same = !is_other
                    && match (certificate.explanation.decision, other.explanation.decision) {
                        (Decision::Leaf { leaf, .. }, Decision::Leaf { leaf: other, .. }) => leaf == other,
                        (one, other) => one == other,
                    };
                assert_eq!(man.squares.all.contains(to), is_same, "{fen} {moved}");
                let is_exception = is_same && other.is_exception();
                assert_eq!(man.squares.exceptions.contains(to), is_exception, "{fen} {moved}");
            }
            if man.man.role == cubebase::Role::King && certificate.men.len() == 4 {
                break;
            }
        }
    }
}

/// The counts of a clause by its definition. Every legal placement of the men is made canonical and compared with each literal.
/// A position that meets all literals has the stated outcome, is an exception, or is decided by an earlier clause.
fn by_definition(tables: &Tables, position: &Position) -> Coverage {
    let explanation = tables.explain(position).unwrap();
    let (material, turn) = (*position.material(), position.turn());
    let variables: VariableSet = explanation.model.variable_set(&material);
    let stated = match explanation.decision {
        Decision::Leaf { stated, .. } => stated,
        Decision::Clause { .. } => explanation.outcome,
    };
    let mut coverage = Coverage::default();
    let men = material.len();
    for number in 0..1u32 << (6 * men) {
        let squares: Vec<Square> =
            (0..men).map(|man| Square::new((number >> (6 * man) & 63) as u8)).collect();
        for file in
            std::iter::once(None).chain((0..8).map(Some)).take(if material.has_en_passant() { 9 } else { 1 })
        {
            let other = Position::new(material, &squares, turn, file);
            if !other.is_sorted() || !other.is_legal() {
                continue;
            }
            coverage.positions += 1;
            let canonical = other.canonical(explanation.anchor);
            let view = variables.view(&canonical);
            let meets = |literal: &cubebase::explain::Literal| {
                literal.allowed >> variables.value(&view, literal.variable) & 1 != 0
            };
            if !explanation.literals.iter().all(meets) {
                continue;
            }
            let found = tables.explain(&other).unwrap();
            assert_eq!(found.outcome, tables.probe(&other).unwrap());
            coverage.met += 1;
            let (is_decided, is_exception) = match (explanation.decision, found.decision) {
                (Decision::Leaf { leaf, .. }, Decision::Leaf { leaf: other, exception, .. }) => {
                    assert_eq!(leaf, other, "{}", canonical.to_fen());
                    (true, exception)
                }
                (
                    Decision::Clause { section, clause },
                    Decision::Clause { section: other_section, clause: other },
                ) => {
                    assert!((other_section, other) <= (section, clause), "{}", canonical.to_fen());
                    ((other_section, other) == (section, clause), false)
                }
                (one, other) => (one == other, false),
            };
            assert!(!is_decided || is_exception == (found.outcome != stated), "{}", canonical.to_fen());
            coverage.decided += u64::from(is_decided);
            coverage.exceptions += u64::from(is_exception);
        }
    }
    coverage
}

fn counted(tables: &Tables, position: &Position) -> Coverage {
    let counter = tables.position_counter(position).unwrap();
    let mut coverage = Coverage::default();
    (0..counter.slices()).for_each(|slice| coverage += counter.count(slice));
    coverage
}

#[test]
fn counts_are_those_of_the_definition() {
    let tables = embedded();
    let mut clauses = 0;
    for (fen, position, _) in answers().filter(|(_, position, _)| position.material().len() <= 3).step_by(10)
    {
        let coverage = counted(&tables, &position);
        assert_eq!(coverage, by_definition(&tables, &position), "{fen}");
        assert!(coverage.met > 0 && coverage.decided == coverage.met, "{fen}");
        clauses += 1;
    }
    assert!(clauses > 5, "{clauses}");
    // Identical men, the same men on both sides, and exceptions.
    let mut exceptions = 0;
    for (_, _, fen) in exceptions_and_others() {
        let position = Position::from_fen(&fen).unwrap();
        let coverage = counted(&tables, &position);
        assert_eq!(coverage, by_definition(&tables, &position), "{fen}");
        exceptions += coverage.exceptions;
    }
    assert!(exceptions > 0);
}

/// A position of each of some tables: with exceptions at its leaf if there is one.
fn exceptions_and_others() -> Vec<(Material, Wdl, String)> {
    let tables = embedded();
    let mut found = Vec::new();
    for signature in ["KNNvK", "KRvKR"] {
        let of = |(_, position, _): &(&str, Position, Wdl)| position.material().to_string() == signature;
        let has_exceptions = |position: &Position| counted(&tables, position).exceptions > 0;
        let all: Vec<_> = answers().filter(of).collect();
        let chosen = all.iter().find(|(_, position, _)| has_exceptions(position)).unwrap_or(&all[0]);
        found.push((*chosen.1.material(), chosen.2, chosen.0.to_owned()));
    }
    found
}

/// In a section of covers the first clause that holds decides.
#[test]
fn counts_of_covers_are_those_of_the_definition() {
    let tables = Tables::open("fixtures/fuzz/pcn/KRvK-binary-covers.pcn").unwrap();
    let mut earlier = 0;
    for (fen, position, _) in answers().filter(|(_, position, _)| position.material().to_string() == "KRvK") {
        let explanation = tables.explain(&position).unwrap();
        check_literals(&explanation);
        let coverage = counted(&tables, &position);
        assert_eq!(coverage, by_definition(&tables, &position), "{fen}");
        earlier += coverage.met - coverage.decided;
        let mut certificate = BoardExplanation::of_fen(&tables, fen).unwrap();
        certificate.coverage = Some(coverage);
        let (text, svg) = (certificate.to_text(Style::default()), certificate.to_svg());
        assert!(text.contains("(model binary) has clauses"), "{text}");
        let head = "where the same clause decides";
        assert!(text.contains(&format!(": * {head}.")) && svg.contains(&format!(": dots {head}.")), "{text}");
        let earlier = coverage.met - coverage.decided;
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let says = format!(
            "In {earlier} of them a clause before it in the order decides. In the other {} ",
            coverage.decided
        );
        assert_eq!(flat.replace(',', "").contains(&says), earlier > 0, "{text}");
    }
    assert!(earlier > 0);
}

#[test]
fn a_position_is_explained() {
    let text = succeeds(format!("explain '{PAWN}'"));
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut lines = text.lines();
    assert_eq!((lines.next(), lines.next()), (Some(PAWN), Some("Draw. White is to move.")));
    assert!(flat.contains("legal positions with these men and White to move"), "{text}");
    assert!(flat.contains("a certificate, not a reason"), "{text}");
    assert!(text.contains("1 . . * * K * * .") && !text.contains('\x1b'), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80 && line.trim_end() == line), "{text}");
    let value = json(format!("explain '{PAWN}'"));
    let conditions = value["conditions"].as_array().unwrap();
    let is_whole = |one: &Value| one["sentence"].is_string() && one["value_number"].is_u64();
    assert!(conditions.len() > 3 && conditions.iter().all(is_whole));
    // The shortest ones stand on one line, each with its value.
    for condition in conditions.iter().filter(|one| one["sentence"].as_str().unwrap().len() < 40) {
        let [sentence, value] = ["sentence", "value"].map(|name| condition[name].as_str().unwrap());
        assert!(
            flat.contains(&format!("{sentence} {value}")) || flat.contains(&format!("{sentence}* {value}"))
        );
    }
    let coverage = &value["coverage"];
    assert_eq!(coverage["positions"], 163_328);
    let with_whom = "legal positions with these men and White to move, mirrored ones included";
    assert!(flat.contains(&format!("hold in {} of the 163,328 {with_whom}.", coverage["met"])), "{text}");
    let rook = succeeds("explain '7K/8/8/8/8/3R4/2k5/8 b - - 0 1'").replace('\n', " ");
    assert!(rook.contains("with these men and Black to move, mirrored and turned ones included."), "{rook}");
    assert_eq!((&value["outcome"], &value["fen"]), (&Value::from("draw"), &Value::from(PAWN)));
    assert_eq!(json(format!("explain --no-count '{PAWN}'"))["coverage"], Value::Null);
}

/// Black is the stronger side here, which is White in the table.
#[test]
fn explanations_are_about_the_users_board() {
    let fen = "8/7k/8/8/8/q7/8/3K4 b - - 0 1";
    let value = json(format!("explain --no-count '{fen}'"));
    assert_eq!((&value["turn"], &value["outcome"]), (&Value::from("black"), &Value::from("win")));
    let named = |name: &str| {
        value["men"].as_array().unwrap().iter().find(|man| man["name"] == name).unwrap()["square"].clone()
    };
    assert_eq!(["the white king", "the black king", "the black queen"].map(named), ["d1", "h7", "a3"]);
    assert!(succeeds(format!("explain --no-count '{fen}'")).contains("Black wins. Black is to move."));
}

/// A position that was read with its colours exchanged is explained with its own colours.
#[test]
fn a_position_without_a_fen_is_explained_alike() {
    let tables = embedded();
    for fen in ["8/7k/8/8/8/q7/8/3K4 b - - 0 1", "K7/8/8/8/2Pp4/8/8/7k b - c3 0 1", PAWN] {
        let (position, one) =
            (Position::from_fen(fen).unwrap(), BoardExplanation::of_fen(&tables, fen).unwrap());
        let other = BoardExplanation::of_position(&tables, &position, one.turn).unwrap();
        assert_eq!(
            (one.fen, one.conditions, one.orientation),
            (other.fen, other.conditions, other.orientation),
            "{fen}"
        );
        let square = |man: &cubebase::explain::PlacedMan| (man.name.clone(), man.square, man.squares);
        assert!(one.men.iter().map(square).eq(other.men.iter().map(square)), "{fen}");
    }
}

/// A corner, the square three files or ranks from it, and one in the middle.
const TRIANGLES: [&str; 8] =
    ["a1-d1-d4", "a1-a4-d4", "h1-e1-e4", "h1-h4-e4", "a8-d8-d5", "a8-a5-d5", "h8-e8-e5", "h8-h5-e5"];

/// The orientation is that of the board that was asked: a leading man is in the region that it names.
#[test]
fn the_orientation_is_that_of_the_users_board() {
    let tables = embedded();
    let mut kinds = [0, 0, 0];
    for (fen, ..) in answers() {
        let certificate = BoardExplanation::of_fen(&tables, fen).unwrap();
        assert_eq!(
            certificate.orientation.is_some(),
            certificate.conditions.iter().any(|one| one.is_turned),
            "{fen}"
        );
        let Some(orientation) = certificate.orientation else { continue };
        let (_, rest) = orientation.split_once("those of a board with ").unwrap();
        let (name, rest) =
            rest.split_once(" on files ").or_else(|| rest.split_once(" in the triangle ")).unwrap();
        let region = rest.split(';').next().unwrap();
        let in_region = |square: Square| {
            if let Some((first, last)) = region.split_once(" to ") {
                assert!(["a to d", "e to h"].contains(&region), "{orientation}");
                return (first..=last).contains(&&square.to_string()[..1]);
            }
            assert!(TRIANGLES.contains(&region), "{orientation}");
            let [corner, side, middle] = [0, 3, 6].map(|at| Square::parse(&region[at..at + 2]).unwrap());
            // So many steps from the corner to the side, and then towards the middle.
            let at = |along: i32, across: i32, of: fn(Square) -> u8| {
                let [corner, side, middle] = [corner, side, middle].map(|square| i32::from(of(square)));
                corner + (side - corner) / 3 * along + (middle - side) / 3 * across
            };
            let is_at = |along, across| {
                [Square::file, Square::rank].iter().all(|&of| at(along, across, of) == i32::from(of(square)))
            };
            (0..=3).any(|along| (0..=along).any(|across| is_at(along, across)))
        };
        let one_of = name.strip_prefix("one of ").map(|alike| alike.trim_end_matches('s'));
        let mut leading = certificate.men.iter().filter(|man| match one_of {
            Some(alike) => man.name.starts_with(alike),
            None => man.name == name,
        });
        assert!(leading.any(|man| in_region(man.square)), "{fen}: {orientation}");
        kinds[usize::from(region.contains('-')) + usize::from(one_of.is_some())] += 1;
    }
    assert!(kinds[0] > 0 && kinds[1] > 0, "{kinds:?}");
}

/// An exception is called one, with the outcome that the clause states and the true one.
#[test]
fn an_exception_is_explained() {
    let tables = embedded();
    let is_exception = |fen: &&str| BoardExplanation::of_fen(&tables, fen).unwrap().is_exception();
    let fen = answers().map(|(fen, ..)| fen).find(is_exception).unwrap();
    let value = json(format!("explain '{fen}'"));
    let certificate = BoardExplanation::of_fen(&tables, fen).unwrap();
    let words = |outcome: Wdl| match (outcome, certificate.turn == cubebase::Color::White) {
        (Wdl::Draw, _) => "draw",
        (Wdl::Win, true) | (Wdl::Loss, false) => "White wins",
        _ => "Black wins",
    };
    let flat = succeeds(format!("explain '{fen}'")).split_whitespace().collect::<Vec<_>>().join(" ");
    let (stated, outcome) = (words(certificate.stated()), words(certificate.outcome()));
    assert!(stated != outcome && flat.contains(&format!("It states: {stated}. But")), "{flat}");
    assert!(flat.contains(&format!("keeps apart: {outcome}.")), "{flat}");
    assert_eq!(
        (&value["is_exception"], &value["stated"]),
        (&Value::Bool(true), &certificate.stated().name().into())
    );
    assert_eq!(value["outcome"], certificate.outcome().name());
    let Decision::Leaf { leaf, .. } = certificate.explanation.decision else { panic!("{value}") };
    assert_eq!(value["number"], leaf);
    // Squares of exceptions are crossed, by their own sign, and coloured.
    let with_color = certificate.to_text(Style { has_color: true, ..Style::default() });
    for (man, of_json) in certificate.men.iter().zip(value["men"].as_array().unwrap()) {
        let squares =
            |set: Bitboard| set.into_iter().map(|square| Value::from(square.to_string())).collect::<Vec<_>>();
        assert_eq!(of_json["exceptions"], Value::from(squares(man.squares.exceptions)), "{fen}");
        assert_eq!(of_json["squares"], Value::from(squares(man.squares.all)), "{fen}");
    }
    let count =
        |of: fn(&ClauseSquares) -> usize| certificate.men.iter().map(|man| of(&man.squares)).sum::<usize>();
    let excepted = count(|squares| squares.exceptions.into_iter().count());
    let lit = count(|squares| squares.all.into_iter().count()) - excepted;
    assert_eq!(with_color.matches("\x1b[30;43m").count(), excepted);
    assert_eq!(with_color.matches("\x1b[30;42m").count(), lit);
    // Where a man stands is its letter; the sign is once in the line above the boards.
    let free = excepted - certificate.men.len();
    assert_eq!(certificate.to_text(Style::default()).matches(" x").count(), free + 1);
    let svg = certificate.to_svg();
    assert_eq!(svg.matches("class=\"excepted\"").count(), excepted);
    assert_eq!(svg.matches("class=\"cross\"").count(), free);
}

#[test]
fn many_positions_are_explained_in_order() {
    let input = format!("{PAWN}\nnonsense\n{PAWN}\n");
    let run = |line: &str| command(line).write_stdin(input.clone()).output().unwrap();
    let output = run("explain --no-count --format json -");
    let lines: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((output.status.code(), lines.len(), stderr(&output)), (Some(3), 3, ""));
    assert!(lines[0] == lines[2] && lines[1]["error"].is_string());
    let output = run("explain --no-count -");
    assert_eq!((output.status.code(), stdout(&output).matches(PAWN).count()), (Some(3), 2));
    assert_eq!(stdout(&output).lines().filter(|line| line.starts_with("error: bad FEN")).count(), 1);
}

#[test]
fn castling_rights_are_explained() {
    let words = |fen: &str| {
        let text = succeeds(format!("explain --no-count '{fen}'"));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let fen = "8/8/8/3k4/8/8/1r6/R3K3 w Q - 0 1";
    let text = words(fen);
    assert!(text.contains("White wins. White is to move."), "{text}");
    let lists =
        "All this is without castling rights: draw. The table lists this position with Q: White wins.";
    assert!(text.contains(lists), "{text}");
    let same = words("r3k3/8/8/8/8/8/8/4K3 w q - 0 1");
    assert!(
        same.contains("Black wins. White is to move.") && same.contains("with q the outcome is the same."),
        "{same}"
    );
    let json = json(format!("explain --no-count '{fen}'"));
    let said =
        ["outcome", "stated", "castling", "without_castling"].map(|field| json[field].as_str().unwrap());
    assert_eq!(said, ["win", "draw", "Q", "draw"]);
}

/// Checks that every element ends where it must, and that nothing else stands between them but text.
fn check_xml(text: &str) {
    let mut open = Vec::new();
    for tag in text.split('<').skip(1) {
        let (tag, between) = tag.split_once('>').unwrap();
        assert!(!between.contains(['&', '>']), "{between}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn a_drawing_is_made() {
    let dir = tempfile::tempdir().unwrap();
    for (name, fen) in
        [("a", PAWN), ("b", "8/1r6/8/4k3/8/8/R7/4K3 b - - 0 1"), ("c", "8/8/2bn4/8/3k4/8/8/K7 b - - 0 1")]
    {
        let file = dir.path().join(name);
        let text = succeeds(format!("explain --svg {} '{fen}'", quoted(&file)));
        assert!(text.starts_with(fen));
        let svg = std::fs::read_to_string(&file).unwrap();
        check_xml(&svg);
        assert!(svg.contains("@media(prefers-color-scheme:dark)"));
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" ") && svg.contains(fen));
        let men = men_of(fen).len();
        // Every man is on the large board and on a small one for each; none is without a shape.
        assert_eq!(svg.matches("<g class=\"men-").count(), men * (men + 1), "{fen}");
        assert!(!svg.contains("\"></g>"), "{fen}");
        assert_eq!(svg.matches("<rect class=").count(), 64 * (men + 1), "{fen}");
        assert!(!svg.contains("href"), "it needs no other file");
    }
    // The drawing in the README is that of the position under it.
    let (file, fen) = (dir.path().join("README"), "7K/8/8/8/8/3R4/2k5/8 b - - 0 1");
    succeeds(format!("explain --svg {} '{fen}'", quoted(&file)));
    let texts = [&file, Path::new("docs/explained.svg")].map(|of| std::fs::read_to_string(of).unwrap());
    assert!(texts[0] == texts[1], "make it anew: cubebase explain --svg docs/explained.svg '{fen}'");
    let folder = tempfile::tempdir().unwrap();
    fails(format!("explain --svg {} '{PAWN}'", quoted(&folder)), 3, "cannot write");
    fails(format!("explain --svg {} '{PAWN}'", at(&folder, "no/a.svg")), 3, "cannot write");
    fails(format!("explain --svg {} nonsense", at(&folder, "a.svg")), 3, "bad FEN");
    fails(format!("explain --svg {} '{PAWN}' '{PAWN}'", at(&folder, "a.svg")), 2, "one position");
    fails(format!("explain --svg {} -", at(&folder, "a.svg")), 2, "one position");
    assert_eq!(folder.path().read_dir().unwrap().count(), 0, "nothing is left");
    if std::path::Path::new("/dev/full").exists() {
        fails(format!("explain --svg /dev/full '{PAWN}'"), 3, "/dev/full");
    }
}
