//! Every variable has words, the words mean what the literal says, and they are true of the board that was asked about.

use super::conditions::{Condition, Teller};
use super::way_back::WayBack;
use crate::model::Model;
use crate::position::{Color, Enumeration, Material, Position, Square, Symmetry};
use crate::probe::Literal;
use std::collections::{HashMap, HashSet};

const MATERIALS: [&str; 9] = ["KvK", "KQvK", "KRvKB", "KBNvK", "KNvKP", "KBPvK", "KPvKP", "KQvKR", "KRPvKBP"];

/// Some legal positions of `material`, both sides to move.
fn sample(material: &Material, count: usize) -> Vec<Position> {
    let mut found = Vec::new();
    for &turn in material.stored_turns() {
        let all = Enumeration::new(material, turn, 0);
        for number in 0..count {
            let (slice, mut seen) = (number * all.slices() / count, 0_usize);
            all.visit(slice, &mut |position| {
                // Whichever comes at a power of two or so is as good as another.
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

/// Tells literals of `canonical` as of a board with its colours exchanged if `is_exchanged`.
fn teller<'a>(canonical: &'a Position, asked: &Position, is_exchanged: bool) -> Teller<'a> {
    let way = WayBack::find(asked, is_exchanged, canonical).unwrap();
    // The teller keeps the way and no more of what was asked.
    Teller::new(canonical, way)
}

fn literals(model: Model, position: &Position) -> Vec<(Literal, usize)> {
    let plan = model.plan(position.material());
    let view = plan.view(position);
    let all = plan.variables().iter().enumerate().map(|(variable, of)| {
        let part = plan.part(&view, variable);
        (Literal { variable, name: of.name.clone(), allowed: 1 << part, part }, of.parts)
    });
    all.collect()
}

/// The sets of parts of which some meet in files: runs, what is left without one, and two ends.
fn sets(parts: usize) -> Vec<u64> {
    let full = u64::MAX >> (64 - parts);
    let runs = (0..parts)
        .flat_map(|first| (first..parts).map(move |last| (u64::MAX >> (63 - (last - first))) << first));
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
        for model in Model::ALL {
            for (number, position) in sample(&material, 1).iter().enumerate() {
                let teller = teller(position, position, number % 2 == 1);
                let mut of_all: HashMap<(u64, usize, String), String> = HashMap::new();
                for (literal, parts) in literals(model, position) {
                    let mut of_one: HashMap<String, u64> = HashMap::new();
                    for allowed in sets(parts) {
                        let condition = teller.condition(&Literal { allowed, ..literal.clone() });
                        let Condition { sentence, value, .. } = condition;
                        for text in [&sentence, &value] {
                            assert!(!text.is_empty() && text.trim() == text, "{literal}: '{text}'");
                            let is_plain =
                                |letter: char| letter.is_ascii_alphanumeric() || " ',-".contains(letter);
                            assert!(text.chars().all(is_plain) && !text.contains("  "), "{literal}: {text}");
                        }
                        assert!(sentence.starts_with(char::is_uppercase), "{literal}: {sentence}");
                        let other = of_one.insert(sentence.clone(), allowed);
                        assert_eq!(other, None, "{} {allowed:b}: {sentence}", literal.name);
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

/// How a difference is told: what is less, equal and more; and what denies them.
const SIDES: [(&str, [&str; 3]); 12] = [
    ("files", ["to the left of", "on the file of", "to the right of"]),
    ("ranks", ["below", "on the rank of", "above"]),
    ("race", ["quicker", "as quick as", "slower"]),
    ("goal_lead", ["nearer", "as near", "further"]),
    ("front_lead", ["nearer", "as near", "further"]),
    ("in_time", ["early", "just in time", "late"]),
    ("steps_lead", ["nearer", "as near", "further"]),
    ("race_lead", ["less far", "as far", "further"]),
    ("raid", ["nearer", "as near", "further"]),
    ("nearer", ["nearer", "as near", "further"]),
    ("taxi_nearer", ["nearer", "as near", "further"]),
    ("", ["", "", ""]),
];

/// The numbers in a text.
fn numbers(text: &str) -> Vec<i32> {
    text.split(|letter: char| !letter.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
}

/// Whether a reader of a sentence about differences takes `value` for meant.
fn is_meant_difference(sentence: &str, value: i32, [less, equal, more]: [&str; 3]) -> bool {
    sentence.split(" or ").any(|alternative| {
        alternative.split(" and at most ").enumerate().all(|(place, part)| {
            let part = format!(" {part}");
            let at = |word: &str| part.find(word).unwrap_or(usize::MAX);
            // "less far ahead" has no "further" in it, "as near" no "nearer".
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

/// Whether a reader of a sentence about an amount, without the names of men, takes `value` for meant.
fn is_meant_amount(sentence: &str, value: i32) -> bool {
    let is_more = |number| sentence.contains(&format!(" {number} or more"));
    let mut alternatives = numbers(sentence).into_iter().peekable();
    if sentence.contains("at most") {
        return alternatives.next().is_some_and(|number| value <= number);
    }
    if sentence.contains("at least") {
        return alternatives.next().is_some_and(|number| value >= number);
    }
    let mut is_meant = sentence.contains(" no ") && value == 0;
    while let Some(number) = alternatives.next() {
        match alternatives.peek() {
            Some(&last) if sentence.contains(&format!("{number} to {last}")) => {
                is_meant |= (number..=last).contains(&value);
                alternatives.next();
            }
            _ => is_meant |= value == number || is_more(number) && value > number,
        }
    }
    is_meant
}

/// What a reader makes of the sentence is what the literal allows.
#[test]
fn sentences_mean_what_literals_say() {
    let position = Position::from_fen("8/1k6/2p5/8/4n3/6P1/1B4K1/8 w - - 0 1").unwrap();
    let teller = teller(&position, &position, false);
    let amounts = ["moves", "clear", "free", "path_attacked", "path_guarded", "path_taken", "hops", "taxi"];
    // Some sets of these have words of their own, without numbers.
    let with_own = ["larger", "smaller", "excess", "goal", "detour", "area"];
    let mut met = HashSet::new();
    for (literal, parts) in literals(Model::Attack, &position) {
        let family = literal.name.split('.').next().unwrap().to_owned();
        for allowed in sets(parts) {
            let condition = teller.condition(&Literal { allowed, ..literal.clone() });
            let sentence = &condition.sentence;
            for part in (0..).take(parts) {
                let is_allowed = allowed >> part & 1 != 0;
                let sides = SIDES.iter().find(|(of, _)| *of == family);
                let is_meant = match sides {
                    Some((_, sides)) => is_meant_difference(sentence, part - 7, *sides),
                    None if amounts.contains(&family.as_str()) => is_meant_amount(sentence, part),
                    None if with_own.contains(&family.as_str()) && !numbers(sentence).is_empty() => {
                        is_meant_amount(sentence, part)
                    }
                    None => continue,
                };
                assert_eq!(is_meant, is_allowed, "{family} {part}: {sentence}");
                met.insert(family.clone());
            }
        }
    }
    assert_eq!(met.len(), SIDES.len() - 1 + amounts.len() + with_own.len(), "{met:?}");
}

/// Whether a sentence about files and ranks, and nothing else, is true of men by name.
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
    let (sides, other) = SIDES[..2].iter().find_map(|(family, sides)| {
        let (_, other) = sides.iter().find_map(|side| rest.split_once(side))?;
        Some(((*family, *sides), squares.get(other.trim().split(" or ").next()?)?))
    })?;
    let difference = match sides.0 {
        "files" => i32::from(square.file()) - i32::from(other.file()),
        _ => i32::from(square.rank()) - i32::from(other.rank()),
    };
    Some(is_meant_difference(rest, difference, sides.1))
}

/// Of every image of a position, with the colours exchanged too, what is said of files and ranks is true exactly where the
/// literal holds.
#[test]
fn what_is_said_is_true_of_the_board_that_was_asked() {
    let mut checked = 0;
    for signature in MATERIALS {
        let material: Material = signature.parse().unwrap();
        for asked in sample(&material, 2).iter().flat_map(images) {
            for is_exchanged in [false, true] {
                let canonical = asked.canonical(0);
                let teller = teller(&canonical, &asked, is_exchanged);
                let colors = |color: Color| if is_exchanged { color.other() } else { color };
                let squares = asked.placed().map(|(man, square)| {
                    let name = format!("the {} {}", colors(man.color).name(), super::role_name(man.role));
                    (name, if is_exchanged { Symmetry::MIRROR_RANKS.apply(square) } else { square })
                });
                let squares: HashMap<String, Square> = squares.collect();
                for model in [Model::Geometry, Model::Binary] {
                    for (literal, parts) in literals(model, &canonical) {
                        for allowed in sets(parts).into_iter().step_by(3) {
                            let condition = teller.condition(&Literal { allowed, ..literal.clone() });
                            let Some(truth) = is_true(&condition.sentence, &squares) else { continue };
                            let holds = allowed >> literal.part & 1 != 0;
                            assert_eq!(truth, holds, "{} of {asked:?} {is_exchanged}", condition.sentence);
                            // The value is what the board has.
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

/// A sentence and a value of each family that is not about files and ranks, for a reader to compare with the board.
#[test]
fn examples() {
    for (fen, expected) in EXAMPLES {
        let position = Position::from_fen(fen).unwrap();
        let teller = teller(&position, &position, false);
        let literals = literals(Model::Attack, &position);
        for (name, sentence, value) in *expected {
            let (literal, _) = literals.iter().find(|(literal, _)| literal.name == *name).unwrap();
            let condition = teller.condition(literal);
            assert_eq!(
                (condition.sentence.as_str(), condition.value.as_str()),
                (*sentence, *value),
                "{name}"
            );
        }
    }
    let mut families: HashSet<String> = HashSet::new();
    for signature in MATERIALS {
        for variable in Model::Attack.variables(&signature.parse().unwrap()) {
            families.insert(variable.name.split('.').next().unwrap().to_owned());
        }
    }
    for (_, expected) in EXAMPLES {
        for (name, ..) in *expected {
            families.remove(name.split('.').next().unwrap());
        }
    }
    assert!(families.is_empty(), "without an example: {families:?}");
}

type Example = (&'static str, &'static [(&'static str, &'static str, &'static str)]);

const EXAMPLES: &[Example] = &[
    (
        "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1",
        &[
            ("file.wk", "The white king is on file e", "file e"),
            ("rank.wk", "The white king is on rank 1", "rank 1"),
            ("larger.wk.bk", "The white king and the black king are 3 king moves apart", "3 king moves"),
            ("larger.wk.wp", "The white king and the white pawn stand next to each other", "1 king move"),
            (
                "excess.wk.bk",
                "The white king and the black king are 3 squares off a common diagonal",
                "3 squares off",
            ),
            ("files.wk.wp", "The white pawn is on the file of the white king", "on one file"),
            ("ranks.wk.wp", "The white pawn is 1 rank above the white king", "1 rank above"),
            ("moves.wk", "The white king has 4 squares to go to", "4 squares"),
            ("contact.wp", "The white pawn is guarded and not attacked", "guarded, not attacked"),
            ("takes.bk.wp", "The black king does not attack the white pawn", "no attack"),
            (
                "cut.wk.bk.wp",
                "The white pawn is between the white king and the black king by file or by rank, not by both",
                "between by one",
            ),
            (
                "race.wk.wp",
                "The white king is 2 moves slower than the white pawn to reach its promotion square",
                "2 moves slower",
            ),
            (
                "race.bk.wp",
                "The black king is 1 move quicker than the white pawn to reach its promotion square",
                "1 move quicker",
            ),
            (
                "goal.wk.wp",
                "The white king is 7 king moves from the promotion square of the white pawn",
                "7 king moves",
            ),
            (
                "goal_lead.wp",
                "The white king is 3 squares further from the promotion square of the white pawn than the black king",
                "3 squares further",
            ),
            (
                "front_lead.wp",
                "The white king is 1 square further from the square in front of the white pawn than the black king",
                "1 square further",
            ),
            (
                "front.wp",
                "The square in front of the white pawn is empty, attacked and not guarded",
                "empty, attacked, not guarded",
            ),
            (
                "clear.wp",
                "The white pawn has 1 empty square straight ahead of it before the first man",
                "1 empty square",
            ),
            (
                "free.wp",
                "The white pawn has no squares ahead before the first that is occupied or attacked by Black",
                "no squares",
            ),
            (
                "path_attacked.wp",
                "Black attacks 2 squares on the way of the white pawn to promotion",
                "2 squares",
            ),
            (
                "path_guarded.wp",
                "White guards no squares on the way of the white pawn to promotion",
                "no squares",
            ),
            (
                "path_taken.wp",
                "The white pawn has 1 occupied square on its way to promotion",
                "1 occupied square",
            ),
            (
                "goal_standing.wp",
                "The promotion square of the white pawn is neither attacked nor guarded",
                "neither attacked nor guarded",
            ),
            (
                "in_time.wk.wp",
                "The white king is 1 move late to meet the white pawn on its way",
                "1 move late",
            ),
            (
                "in_time.bk.wp",
                "The black king is 2 moves early to meet the white pawn on its way",
                "2 moves early",
            ),
            ("on_path.wk.wp", "The white king does not stand in the way of the white pawn", "not in the way"),
            (
                "crown.wp.bk",
                "A queen on the promotion square of the white pawn would attack the black king",
                "would",
            ),
            (
                "nearer.wk.bk.wp",
                "The white king is 1 square nearer to the white pawn than the black king",
                "1 square nearer",
            ),
            (
                "nearer.wk.wp.bk",
                "The white king is 1 square further from the black king than the white pawn",
                "1 square further",
            ),
            (
                "detour.wk.bk.wp",
                "The white pawn is on a shortest way of a king between the white king and the black king",
                "no longer",
            ),
            (
                "taxi.wk.bk",
                "The white king and the black king are 3 squares apart, files and ranks added up",
                "3 squares",
            ),
            (
                "taxi_nearer.wk.bk.wp",
                "The white king is 1 square nearer to the white pawn than the black king, files and ranks added up",
                "1 square nearer",
            ),
            (
                "area.wk.bk.wp",
                "The white king, the black king and the white pawn are on one straight line",
                "on one line",
            ),
        ],
    ),
    (
        "8/8/8/8/3n4/8/k1K5/7R w - - 0 1",
        &[
            (
                "smaller.wk.wr",
                "The lesser of the distances by files and by ranks between the white king and the white rook is 1 square",
                "1 square or more both ways",
            ),
            (
                "line.wr.wk",
                "The white rook and the white king are not on one file or rank",
                "not on one line",
            ),
            ("pinned.bn.wr", "The white rook does not pin the black knight to its king", "not pinned"),
            (
                "hops.bn.wk",
                "The black knight is 1 knight move from the square of the white king",
                "1 knight move",
            ),
        ],
    ),
    (
        "8/8/8/2pP4/8/8/8/K6k w - c6 0 1",
        &[
            ("ep", "An en-passant capture on file c is possible", "on file c"),
            (
                "crown_goal.wp.bp",
                "A queen on the promotion square of the white pawn would not attack the promotion square of the black pawn",
                "would not",
            ),
            (
                "passed.wp.bp",
                "The white pawn and the black pawn are past each other or two files apart or more",
                "past each other",
            ),
            (
                "steps_lead.wp.bp",
                "The white pawn is 1 move nearer to promotion than the black pawn",
                "1 move nearer",
            ),
            (
                "race_lead.wp.bp",
                "In the race to promote, the white pawn is 6 moves further ahead of the black king than the black pawn of the white king",
                "6 moves further ahead",
            ),
            (
                "raid.wp.bp",
                "The black king is as near to the white pawn as the white king to the black pawn",
                "as near",
            ),
        ],
    ),
    (
        "8/8/4k3/8/8/P7/8/B1K5 w - - 0 1",
        &[(
            "wrong.wb.wp",
            "The white pawn is a rook's pawn and the white bishop the wrong bishop for it, which does not cover its promotion square",
            "the wrong bishop",
        )],
    ),
];
