//! Every variable has a sentence; sentences mean the same as the literals, and are true of the user's board.

use super::board_transform::BoardTransform;
use super::conditions::{Condition, ConditionWriter};
use super::explanation::Literal;
use crate::chess::model::{Model, VariableSet};
use crate::chess::position::{Bitboard, Color, Enumeration, Material, Position, Square, Symmetry};
use std::collections::{HashMap, HashSet};

pub(super) const MATERIALS: [&str; 9] =
    ["KvK", "KQvK", "KRvKB", "KBNvK", "KNvKP", "KBPvK", "KPvKP", "KQvKR", "KRPvKBP"];

/// Some legal positions of `material`, both sides to move.
fn sample(material: &Material, count: usize) -> Vec<Position> {
    let mut found = Vec::new();
    for &turn in material.stored_turns() {
        let all = Enumeration::new(material, turn, 0);
        for number in 0..count {
            let (slice, mut seen) = (number * all.slices() / count, 0_usize);
            all.visit(slice, &mut |position| {
                // Any small sample will do: here, at most one position of a slice.
                if seen == (1 << (number % 12)) - 1 {
                    found.push(*position);
                }
                seen += 1;
            });
        }
    }
    found
}

/// The images of a position under the symmetries of its material.
fn images(position: &Position) -> Vec<Position> {
    let symmetries = if position.material().has_pawns() { &Symmetry::WITH_PAWNS[..] } else { &Symmetry::ALL };
    symmetries.iter().map(|&symmetry| position.transformed(symmetry)).collect()
}

/// The writer of conditions for `canonical` on the board `asked`, with its colours exchanged if `is_exchanged`.
pub(super) fn writer<'a>(
    variables: &'a VariableSet,
    canonical: &'a Position,
    asked: &Position,
    is_exchanged: bool,
) -> ConditionWriter<'a> {
    let transform = BoardTransform::find(asked, is_exchanged, canonical).unwrap();
    ConditionWriter::new(variables, canonical, transform)
}

/// The literals that allow a position's own values alone, each with the number of values of its variable.
pub(super) fn literals(variables: &VariableSet, position: &Position) -> Vec<(Literal, usize)> {
    let view = variables.view(position);
    let all = variables.variables().iter().enumerate().map(|(variable, of)| {
        let value = variables.value(&view, variable);
        (Literal { variable, name: of.name.clone(), allowed: 1 << value, value }, of.values)
    });
    all.collect()
}

/// Typical sets of values: runs, complements of runs, and two ends.
pub(super) fn sets(values: usize) -> Vec<u64> {
    let full = u64::MAX >> (64 - values);
    let runs = (0..values)
        .flat_map(|first| (first..values).map(move |last| (u64::MAX >> (63 - (last - first))) << first));
    let all: HashSet<u64> = runs.flat_map(|run| [run, full & !run]).collect();
    let mut all: Vec<u64> = all.into_iter().filter(|&set| set != 0 && set != full).collect();
    all.sort_unstable();
    all
}

#[test]
fn every_variable_of_every_model_has_words() {
    let mut told = 0;
    for signature in MATERIALS {
        let material: Material = signature.parse().unwrap();
        for variables in Model::ALL.map(|model| model.variable_set(&material)) {
            for (number, position) in sample(&material, 1).iter().enumerate() {
                let writer = writer(&variables, position, position, number % 2 == 1);
                let mut of_all: HashMap<(u64, usize, String), String> = HashMap::new();
                for (literal, parts) in literals(&variables, position) {
                    let mut of_one: HashMap<String, u64> = HashMap::new();
                    let is_of_pawn = literal.name.starts_with("rank.") && literal.name.ends_with('p');
                    let possible = if is_of_pawn { 0x7e } else { u64::MAX };
                    for allowed in sets(parts).into_iter().filter(|set| set & possible != 0) {
                        let condition = writer.condition(&Literal { allowed, ..literal.clone() });
                        let Condition { sentence, value, .. } = condition;
                        for text in [&sentence, &value] {
                            assert!(!text.is_empty() && text.trim() == text, "{literal}: '{text}'");
                            let is_plain =
                                |letter: char| letter.is_ascii_alphanumeric() || " ',-".contains(letter);
                            assert!(text.chars().all(is_plain) && !text.contains("  "), "{literal}: {text}");
                        }
                        assert!(sentence.starts_with(char::is_uppercase), "{literal}: {sentence}");
                        let other = of_one.insert(sentence.clone(), allowed & possible);
                        assert!(
                            other.is_none_or(|other| other == allowed & possible && is_of_pawn),
                            "{} {allowed:b}: {sentence}",
                            literal.name
                        );
                        assert!(!is_of_pawn || !sentence.contains(['1', '8']), "{sentence}");
                        let other = of_all.insert((allowed, parts, sentence), literal.name.clone());
                        assert_eq!(other, None, "{}", literal.name);
                        told += 1;
                    }
                }
            }
        }
    }
    assert!(told > 10_000, "{told}");
}

/// The words for less, equal and more of the differences that depend on the board's orientation.
const SIDES: [(&str, [&str; 3]); 2] = [
    ("files", ["to the left of", "on the file of", "to the right of"]),
    ("ranks", ["below", "on the rank of", "above"]),
];

fn numbers(text: &str) -> Vec<i32> {
    text.split(|letter: char| !letter.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
}

/// Whether a sentence about a difference, read as English, allows `value`.
fn is_meant_difference(sentence: &str, value: i32, [less, equal, more]: [&str; 3]) -> bool {
    sentence.split(" or ").any(|alternative| {
        alternative.split(" and at most ").enumerate().all(|(place, part)| {
            let part = format!(" {part}");
            let at = |word: &str| part.find(word).unwrap_or(usize::MAX);
            let sign = if at(equal) < at(less).min(at(more)) {
                return value == 0;
            } else if at(less) < at(more) {
                -1
            } else {
                1
            };
            let value = sign * value;
            let numbers = numbers(&part);
            match numbers[..] {
                [] if part.contains(" no ") || part.contains(" not ") => value <= 0,
                [] => value >= 1,
                [number] if part.contains("at most") || place > 0 => value <= number,
                [number] if part.contains("at least") => value >= number,
                [number] => value == number,
                [least, most] => (least..=most).contains(&value),
                _ => panic!("{part}"),
            }
        })
    })
}

/// Whether a sentence about files and ranks is true of men on `squares`; `None` for other sentences.
fn is_true(sentence: &str, squares: &HashMap<String, Square>) -> Option<bool> {
    let sentence = sentence.replacen("The", "the", 1);
    let (man, rest) = sentence.split_once(" is ")?;
    let square = squares.get(man)?;
    for (kind, own) in [("file", square.file()), ("rank", square.rank())] {
        let named =
            rest.strip_prefix(&format!("on {kind} ")).or_else(|| rest.strip_prefix(&format!("on {kind}s ")));
        let Some(named) = named else { continue };
        let number = |label: &str| {
            let byte = label.as_bytes()[0];
            if byte.is_ascii_digit() { byte - b'1' } else { byte - b'a' }
        };
        return Some(named.split([',']).flat_map(|run| run.split(" or ")).map(str::trim).any(|run| {
            let (first, last) = run.split_once(" to ").unwrap_or((run, run));
            (number(first)..=number(last)).contains(&own)
        }));
    }
    let (sides, other) = SIDES.iter().find_map(|(family, sides)| {
        let (_, other) = sides.iter().find_map(|side| rest.split_once(side))?;
        Some(((*family, *sides), squares.get(other.trim().split(" or ").next()?)?))
    })?;
    let difference = match sides.0 {
        "files" => i32::from(square.file()) - i32::from(other.file()),
        _ => i32::from(square.rank()) - i32::from(other.rank()),
    };
    Some(is_meant_difference(rest, difference, sides.1))
}

/// For every image of a position, also with the colours exchanged, a sentence about files and ranks is true if and only if the
/// literal holds.
#[test]
fn sentences_are_true_of_the_users_board() {
    let mut checked = 0;
    for signature in MATERIALS {
        let material: Material = signature.parse().unwrap();
        for asked in sample(&material, 2).iter().flat_map(images) {
            for is_exchanged in [false, true] {
                let canonical = asked.canonical(0);
                let colors = |color: Color| if is_exchanged { color.other() } else { color };
                let squares = asked.placed().map(|(man, square)| {
                    let name = format!("the {} {}", colors(man.color).name(), super::role_name(man.role));
                    (name, if is_exchanged { Symmetry::MIRROR_RANKS.apply(square) } else { square })
                });
                let squares: HashMap<String, Square> = squares.collect();
                for model in [Model::Geometry, Model::Binary] {
                    let variables = model.variable_set(&material);
                    let writer = writer(&variables, &canonical, &asked, is_exchanged);
                    for (literal, parts) in literals(&variables, &canonical) {
                        for allowed in sets(parts).into_iter().step_by(3) {
                            let condition = writer.condition(&Literal { allowed, ..literal.clone() });
                            let Some(truth) = is_true(&condition.sentence, &squares) else { continue };
                            let holds = allowed >> literal.value & 1 != 0;
                            assert_eq!(truth, holds, "{} of {asked:?} {is_exchanged}", condition.sentence);
                            // The value is that of the board.
                            if condition.value.starts_with(['f', 'r']) {
                                let name = condition.sentence.replacen("The", "the", 1);
                                let square = squares[name.split(" is ").next().unwrap()];
                                let own = square.to_string();
                                assert!(own.contains(&condition.value[5..]), "{} {own}", condition.value);
                            }
                            checked += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(checked > 10_000, "{checked}");
}

/// The last part of some variables includes all larger values, as do both ends of differences, except of files and ranks. The
/// values of these parts, and no others, say "or more".
#[test]
fn open_ended_parts_are_or_more() {
    let amounts = ["clear", "free", "path_attacked", "path_guarded", "path_taken", "detour", "area"];
    let differences = [
        "race",
        "goal_lead",
        "front_lead",
        "in_time",
        "steps_lead",
        "race_lead",
        "raid",
        "nearer",
        "taxi_nearer",
    ];
    let position = Position::from_fen("8/1k6/2p5/8/4n3/6P1/1B4K1/8 w - - 0 1").unwrap();
    let variables = Model::Attack.variable_set(position.material());
    let writer = writer(&variables, &position, &position, false);
    let mut met = HashSet::new();
    for (literal, parts) in literals(&variables, &position) {
        let family = literal.name.split('.').next().unwrap().to_owned();
        let has_end = amounts.contains(&&*family);
        let has_both = differences.contains(&&*family);
        for part in 0..parts {
            let of_part = Literal { allowed: 1 << part, value: part as u8, ..literal.clone() };
            let value = writer.condition(&of_part).value;
            let is_open = part + 1 == parts && (has_end || has_both) || part == 0 && has_both;
            // "1 square or more both ways" is about two distances.
            assert_eq!(
                value.contains(" or more") && family != "smaller",
                is_open,
                "{family} {part}: {value}"
            );
        }
        if has_end || has_both {
            met.insert(family);
        }
    }
    assert_eq!(met.len(), amounts.len() + differences.len(), "{met:?}");
}

/// The file of an en-passant capture is that of the user's board.
#[test]
fn en_passant_files_are_those_of_the_users_board() {
    let canonical = Position::from_fen("8/8/8/2pP4/8/8/8/K6k w - c6 0 1").unwrap();
    for (symmetry, file) in Symmetry::WITH_PAWNS.iter().zip(["c", "f"]) {
        let asked = canonical.transformed(*symmetry);
        let variables = Model::Attack.variable_set(canonical.material());
        let writer = writer(&variables, &canonical, &asked, false);
        let literals = literals(&variables, &canonical);
        let (literal, _) = literals.iter().find(|(literal, _)| literal.name == "ep").unwrap();
        let told = |allowed| {
            let condition = writer.condition(&Literal { allowed, ..literal.clone() });
            assert_eq!(condition.value, format!("on file {file}"));
            (condition.sentence, condition.is_turned)
        };
        let one = format!("n en-passant capture on file {file} is possible");
        assert_eq!(told(0b1000), (format!("A{one}"), true));
        let none = "No en-passant capture is possible";
        assert_eq!(told(0b1001), (format!("{none}, or one on file {file}"), true));
        assert_eq!(told(0b1), (none.into(), false));
        assert_eq!(told(0b1_1111_1110), ("An en-passant capture is possible".into(), false));
    }
}

/// `is_turned` is set if and only if the sentence changes its truth on some mirrored or turned board: every placement of its
/// men is compared with its images.
#[test]
fn conditions_that_change_with_orientation_are_marked() {
    let mut marked = [0, 0];
    for signature in ["KRvK", "KQvKP"] {
        let material: Material = signature.parse().unwrap();
        let variables = Model::Geometry.variable_set(&material);
        for position in sample(&material, 2) {
            let writer = writer(&variables, &position, &position, false);
            let symmetries = if material.has_pawns() { &Symmetry::WITH_PAWNS[..] } else { &Symmetry::ALL };
            let names: Vec<String> = (0..material.len()).map(|man| writer.name(man).to_owned()).collect();
            for (literal, parts) in literals(&variables, &position) {
                let (family, men) = variables.family_and_men(literal.variable);
                if !["file", "rank", "files", "ranks"].contains(&family) {
                    continue;
                }
                for allowed in sets(parts) {
                    let Condition { sentence, is_turned, .. } =
                        writer.condition(&Literal { allowed, ..literal.clone() });
                    let holds = |squares: [Square; 2]| {
                        let places =
                            men.iter().zip(squares).map(|(&man, square)| (names[man].clone(), square));
                        is_true(&sentence, &places.collect())
                    };
                    // `is_true` does not read sentences with two bounds.
                    if holds([Square::at(0, 0); 2]).is_none() {
                        continue;
                    }
                    // Up to symmetry: the first of two men stands on one square of each class.
                    let differs = Bitboard::ALL.into_iter().any(|square| {
                        let places = [Square::at(1, 3), Square::at(7, 2)].map(|other| [other, square]);
                        places.into_iter().any(|place| {
                            let place = if men.len() == 1 { [square, square] } else { place };
                            symmetries
                                .iter()
                                .any(|image| holds(place) != holds(place.map(|of| image.apply(of))))
                        })
                    });
                    assert_eq!(is_turned, differs, "{sentence}");
                    marked[usize::from(is_turned)] += 1;
                }
            }
        }
    }
    assert!(marked.iter().all(|&count| count > 100), "{marked:?}");
}

/// If the anchor is one of several of its kind, the sentence says so.
#[test]
fn one_of_several_leads() {
    for (fen, exchanged, expected) in [
        ("7k/8/8/8/8/8/8/K1NN4 w - - 0 1", false, "one of the white knights in the triangle a1-d1-d4; "),
        ("7k/8/8/8/8/8/8/K1NN4 w - - 0 1", true, "one of the black knights in the triangle a8-d8-d5; "),
        ("7k/8/8/8/8/8/PP6/K7 w - - 0 1", false, "one of the white pawns on files a to d; "),
    ] {
        let position = Position::from_fen(fen).unwrap();
        let transform = BoardTransform::find(&position, exchanged, &position).unwrap();
        let variables = Model::Board.variable_set(position.material());
        let writer = ConditionWriter::new(&variables, &position, transform);
        let orientation = super::orientation_of(&position, &writer, 2, transform);
        assert!(orientation.contains(&format!(" are those of a board with {expected}")), "{orientation}");
    }
}

#[test]
fn outcomes_and_large_numbers_in_words() {
    use super::text::{grouped, outcome_words};
    use crate::chess::position::Wdl;
    let words = |outcome| [Color::White, Color::Black].map(|turn| outcome_words(outcome, turn));
    assert_eq!(words(Wdl::Win), ["White wins", "Black wins"]);
    assert_eq!(words(Wdl::Loss), ["Black wins", "White wins"]);
    assert_eq!(words(Wdl::Draw), ["draw", "draw"]);
    let numbers = [0, 999, 1000, 1_262_704, u64::MAX].map(grouped);
    assert_eq!(numbers, ["0", "999", "1,000", "1,262,704", "18,446,744,073,709,551,615"]);
}
