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
const EXAMPLES: &str = "\
8/8/8/8/4k3/8/4P3/4K3 w - - 0 1
  file.wk | The white king is on file e | file e
  rank.wk | The white king is on rank 1 | rank 1
  larger.wk.bk | The white king and the black king are 3 king moves apart | 3 king moves
  larger.wk.wp | The white king and the white pawn stand next to each other | 1 king move
  excess.wk.bk | The white king and the black king are 3 squares off a common diagonal | 3 squares off
  files.wk.wp | The white pawn is on the file of the white king | on one file
  ranks.wk.wp | The white pawn is 1 rank above the white king | 1 rank above
  moves.wk | The white king has 4 squares to go to | 4 squares
  contact.wp | The white pawn is guarded and not attacked | guarded, not attacked
  takes.bk.wp | The black king does not attack the white pawn | no attack
  cut.wk.bk.wp | The white pawn is between the white king and the black king by file or by rank, not by both | between by one
  race.wk.wp | The white king is 2 moves slower than the white pawn to reach its promotion square | 2 moves slower
  race.bk.wp | The black king is 1 move quicker than the white pawn to reach its promotion square | 1 move quicker
  goal.wk.wp | The white king is 7 king moves from the promotion square of the white pawn | 7 king moves
  goal_lead.wp | The white king is 3 squares further from the promotion square of the white pawn than the black king | 3 squares further
  front_lead.wp | The white king is 1 square further from the square in front of the white pawn than the black king | 1 square further
  front.wp | The square in front of the white pawn is empty, attacked and not guarded | empty, attacked, not guarded
  clear.wp | The white pawn has 1 empty square straight ahead of it before the first man | 1 empty square
  free.wp | The white pawn has no squares ahead before the first that is occupied or attacked by Black | no squares
  path_attacked.wp | Black attacks 2 squares on the way of the white pawn to promotion | 2 squares
  path_guarded.wp | White guards no squares on the way of the white pawn to promotion | no squares
  path_taken.wp | The white pawn has 1 occupied square on its way to promotion | 1 occupied square
  goal_standing.wp | The promotion square of the white pawn is neither attacked nor guarded | neither attacked nor guarded
  in_time.wk.wp | The white king is 1 move late to meet the white pawn on its way | 1 move late
  in_time.bk.wp | The black king is 2 moves early to meet the white pawn on its way | 2 moves early
  on_path.wk.wp | The white king does not stand in the way of the white pawn | not in the way
  crown.wp.bk | A queen on the promotion square of the white pawn would attack the black king | would
  nearer.wk.bk.wp | The white king is 1 square nearer to the white pawn than the black king | 1 square nearer
  nearer.wk.wp.bk | The white king is 1 square further from the black king than the white pawn | 1 square further
  detour.wk.bk.wp | The white pawn is on a shortest way of a king between the white king and the black king | no longer
  taxi.wk.bk | The white king and the black king are 3 squares apart, files and ranks added up | 3 squares
  taxi_nearer.wk.bk.wp | The white king is 1 square nearer to the white pawn than the black king, files and ranks added up | 1 square nearer
  area.wk.bk.wp | The white king, the black king and the white pawn are on one straight line | on one line
8/8/8/8/3n4/8/k1K5/7R w - - 0 1
  smaller.wk.wr | The lesser of the distances by files and by ranks between the white king and the white rook is 1 square | 1 square or more both ways
  line.wr.wk | The white rook and the white king are not on one file or rank | not on one line
  pinned.bn.wr | The white rook does not pin the black knight to its king | not pinned
  hops.bn.wk | The black knight is 1 knight move from the square of the white king | 1 knight move
8/8/8/2pP4/8/8/8/K6k w - c6 0 1
  ep | An en-passant capture on file c is possible | on file c
  crown_goal.wp.bp | A queen on the promotion square of the white pawn would not attack the promotion square of the black pawn | would not
  passed.wp.bp | The white pawn and the black pawn are past each other or two files apart or more | past each other
  steps_lead.wp.bp | The white pawn is 1 move nearer to promotion than the black pawn | 1 move nearer
  race_lead.wp.bp | In the race to promote, the white pawn is 6 moves further ahead of the black king than the black pawn of the white king | 6 moves further ahead
  raid.wp.bp | The black king is as near to the white pawn as the white king to the black pawn | as near
8/8/4k3/8/8/P7/8/B1K5 w - - 0 1
  wrong.wb.wp | The white pawn is a rook's pawn and the white bishop the wrong bishop for it, which does not cover its promotion square | the wrong bishop
";

/// Variables, each followed by sets of its parts, with the sentence and the value. They have every kind of wording.
const SETS: &str = "\
files.wk.wp
  7 | The white pawn is on the file of the white king | on one file
  0-6 | The white pawn is to the left of the white king | 7 files to the left
  8-14 | The white pawn is to the right of the white king | 1 file to the right
  0-7 | The white pawn is not to the right of the white king | 7 files to the left
  7-14 | The white pawn is not to the left of the white king | on one file
  0-5 | The white pawn is at least 2 files to the left of the white king | 7 files to the left
  9-14 | The white pawn is at least 2 files to the right of the white king | 2 files to the right
  0-9 | The white pawn is at most 2 files to the right of the white king | 7 files to the left
  5-14 | The white pawn is at most 2 files to the left of the white king | 2 files to the left
  6 | The white pawn is 1 file to the left of the white king | 1 file to the left
  9 | The white pawn is 2 files to the right of the white king | 2 files to the right
  4,5 | The white pawn is 2 to 3 files to the left of the white king | 3 files to the left
  9,10 | The white pawn is 2 to 3 files to the right of the white king | 2 files to the right
  5-7 | The white pawn is 0 to 2 files to the left of the white king | 2 files to the left
  5-9 | The white pawn is at most 2 files to the left of the white king and at most 2 files to the right of the white king | 2 files to the left
  6,8 | The white pawn is 1 file to the left of the white king or 1 file to the right of the white king | 1 file to the left
race.wk.wp
  0-7 | The white king is no slower than the white pawn to reach its promotion square | 7 or more moves quicker
  7-14 | The white king is no quicker than the white pawn to reach its promotion square | as quick
moves.wk
  0 | The white king has no squares to go to | no squares
  1 | The white king has 1 square to go to | 1 square
  0-3 | The white king has at most 3 squares to go to | no squares
  4-8 | The white king has at least 4 squares to go to | 4 squares
  2-4 | The white king has 2 to 4 squares to go to | 2 squares
  0,2-4,8 | The white king has 0, 2 to 4 or 8 squares to go to | no squares
clear.wp
  6 | The white pawn has 6 or more empty squares straight ahead of it before the first man | 6 or more empty squares
  4-6 | The white pawn has at least 4 empty squares straight ahead of it before the first man | 4 empty squares
  1,6 | The white pawn has 1 or 6 or more empty squares straight ahead of it before the first man | 1 empty square
smaller.wk.bk
  1-7 | The white king and the black king are neither on one file nor on one rank | 1 square or more both ways
excess.wk.bk
  1-7 | The white king and the black king are not on one diagonal | 1 square off
contact.wb
  0,1 | The white bishop is attacked | attacked, not guarded
  0,3 | The white bishop is either attacked or guarded, not both | attacked, not guarded
  1-3 | The white bishop is guarded or not attacked | attacked and guarded
  0-2 | The white bishop is attacked or not guarded | attacked, not guarded
front.wp
  0 | The square in front of the white pawn is occupied | occupied
  1-4 | The square in front of the white pawn is empty | empty, attacked, not guarded
  2 | The square in front of the white pawn is empty, attacked and guarded | empty, attacked and guarded
  3 | The square in front of the white pawn is empty, neither attacked nor guarded | empty, neither attacked nor guarded
  4 | The square in front of the white pawn is empty, guarded and not attacked | empty, guarded, not attacked
  3,4 | The square in front of the white pawn is empty, not attacked | empty, neither attacked nor guarded
  0,2-4 | The square in front of the white pawn is occupied, or empty and guarded or not attacked | occupied
  0,1 | The square in front of the white pawn is occupied, or empty and attacked and not guarded | occupied
goal_standing.wp
  2,3 | The promotion square of the white pawn is not attacked | neither attacked nor guarded
line.wb.bp
  2 | The white bishop attacks the black pawn | open line
  0,1 | The white bishop does not attack the black pawn | not on one line
  0,2 | The white bishop attacks the black pawn or is not on one diagonal with it | not on one line
race_lead.wp.bp
  0-6 | In the race to promote, the white pawn is less far ahead of the black king than the black pawn of the white king | 7 or more moves less far ahead
  7 | In the race to promote, the white pawn is as far ahead of the black king as the black pawn of the white king | as far ahead
  8-14 | In the race to promote, the white pawn is further ahead of the black king than the black pawn of the white king | 1 move further ahead
raid.wp.bp
  8-14 | The black king is further from the white pawn than the white king from the black pawn | 1 square further
in_time.wk.wp
  0-6 | The white king is early to meet the white pawn on its way | 7 or more moves early
  7 | The white king is just in time to meet the white pawn on its way | just in time
  8-14 | The white king is late to meet the white pawn on its way | 1 move late
  0-7 | The white king is not late to meet the white pawn on its way | 7 or more moves early
  7-14 | The white king is not early to meet the white pawn on its way | just in time
line.wb.wp
  0,1 | The white bishop does not guard the white pawn | not on one line
";
