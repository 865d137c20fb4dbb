//! Worked examples to compare with the board by eye: a sentence and a value of each family of variables, also with colours
//! exchanged; and the sentences for sets of parts.

use super::explanation::Literal;
use super::tests::{MATERIALS, literals, sets, writer};
use crate::chess::model::Model;
use crate::chess::position::Position;
use std::collections::HashSet;

fn with_colours_exchanged(text: &str) -> String {
    let names = [("white", "black"), ("White", "Black")];
    names.iter().fold(text.to_owned(), |text, (one, other)| {
        text.replace(one, "#").replace(other, one).replace('#', other)
    })
}

/// If Black is the stronger side, the text is the same with the colours exchanged.
#[test]
fn exchanging_the_colours_exchanges_them_in_the_text() {
    let mut told = 0;
    for fen in EXAMPLES.lines().filter(|line| !line.starts_with(' ')) {
        let position = Position::from_fen(fen).unwrap();
        let variables = Model::Attack.variable_set(position.material());
        let [plain, exchanged] =
            [false, true].map(|exchanged| writer(&variables, &position, &position, exchanged));
        for (literal, parts) in literals(&variables, &position) {
            // Up and down are exchanged too.
            if ["rank", "ranks"].contains(&variables.family_and_men(literal.variable).0) {
                continue;
            }
            for allowed in sets(parts) {
                let literal = Literal { allowed, ..literal.clone() };
                let (one, other) = (plain.condition(&literal), exchanged.condition(&literal));
                assert_eq!(with_colours_exchanged(&one.sentence), other.sentence);
                assert_eq!(with_colours_exchanged(&one.value), other.value);
                told += 1;
            }
        }
    }
    assert!(told > 1000, "{told}");
}

/// Each family has an example, and each example its sentence and its value.
#[test]
fn examples() {
    let mut families: HashSet<String> = HashSet::new();
    for signature in MATERIALS {
        for variable in Model::Attack.variables(&signature.parse().unwrap()) {
            families.insert(variable.name.split('.').next().unwrap().to_owned());
        }
    }
    let mut position = None;
    for line in EXAMPLES.lines() {
        let Some(example) = line.strip_prefix("  ") else {
            position = Some(Position::from_fen(line).unwrap());
            continue;
        };
        let [name, sentence, value] = example.split(" | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let position = position.as_ref().unwrap();
        let variables = Model::Attack.variable_set(position.material());
        let literals = literals(&variables, position);
        let (literal, _) = literals.iter().find(|(literal, _)| literal.name == name).unwrap();
        let condition = writer(&variables, position, position, false).condition(literal);
        assert_eq!((&*condition.sentence, &*condition.value), (sentence, value), "{name}");
        families.remove(name.split('.').next().unwrap());
    }
    assert!(families.is_empty(), "without an example: {families:?}");
}

/// The sentences for sets of parts, with the value of the first of them.
#[test]
fn sets_of_parts() {
    let position = Position::from_fen("8/1k6/2p5/8/4n3/6P1/1B4K1/8 w - - 0 1").unwrap();
    let variables = Model::Attack.variable_set(position.material());
    let (writer, literals) =
        (writer(&variables, &position, &position, false), literals(&variables, &position));
    let number = |text: &str| text.parse::<u8>().unwrap();
    let (mut literal, mut wrong) = (None, Vec::new());
    for line in SETS.lines() {
        let Some(example) = line.strip_prefix("  ") else {
            literal = literals.iter().find(|(literal, _)| literal.name == line);
            assert!(literal.is_some(), "{line}");
            continue;
        };
        let [parts, sentence, value] = example.split(" | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let runs = parts.split(',').map(|run| run.split_once('-').unwrap_or((run, run)));
        let parts: Vec<u8> = runs.flat_map(|(first, last)| number(first)..=number(last)).collect();
        let allowed = parts.iter().fold(0, |set, part| set | 1 << part);
        let literal = Literal { allowed, value: parts[0], ..literal.unwrap().0.clone() };
        let condition = writer.condition(&literal);
        if (&*condition.sentence, &*condition.value) != (sentence, value) {
            wrong.push(format!("{literal}: {} | {}", condition.sentence, condition.value));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Positions, each followed by its examples: the literal, the sentence and the value.
const EXAMPLES: &str = include_str!("examples.txt");

/// Variables, each followed by sets of its parts, with the sentence and the value. They have every kind of wording.
const SETS: &str = include_str!("examples_of_sets.txt");
