//! Worked examples to compare with the board by eye: a sentence and a value of each family of variables, also with colours
//! exchanged.

use super::explanation::Literal;
use super::tests::{MATERIALS, literals, sets, writer};
use crate::chess::model::Model;
use crate::chess::position::Position;
use std::collections::HashSet;

/// The text with the colours exchanged.
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
        let [plain, exchanged] = [false, true].map(|exchanged| writer(&position, &position, exchanged));
        for (literal, parts) in literals(Model::Attack, &position) {
            let family = literal.name.split('.').next().unwrap();
            // Up and down are exchanged too.
            if ["rank", "ranks"].contains(&family) {
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
        let literals = literals(Model::Attack, position);
        let (literal, _) = literals.iter().find(|(literal, _)| literal.name == name).unwrap();
        let condition = writer(position, position, false).condition(literal);
        assert_eq!((&*condition.sentence, &*condition.value), (sentence, value), "{name}");
        families.remove(name.split('.').next().unwrap());
    }
    assert!(families.is_empty(), "without an example: {families:?}");
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
