//! Explanations of answers for people: the user's board, and sentences about it for the clause that decides.
//!
//! [`explain`](crate::explain) does the same for chess and defines certificates. Literals are about the canonical position: the
//! board, possibly mirrored and with the colours exchanged.

use super::board::Board;
use super::clauses::{Clauses, Explanation};
use super::fen::letter;
use super::frozen::model::VariableSet;
use super::man::color_name;
use super::point::{FILES, Point, RANKS};
use super::position::Position;
use super::wording::{lines, wording};
use crate::error::Result;
use crate::explain::conditions::capitalized;
use crate::explain::json::list;
use crate::explain::text::{NOTE, exception, page, tree_decider};
use crate::explain::{Condition, Literal, Style};
use crate::outcome::{Color, Wdl};

/// The clause that decides a position, in terms of the board that was asked about.
#[derive(Clone, Debug)]
pub struct BoardExplanation<'a> {
    clauses: &'a Clauses,
    board: Board,
    /// Whether the colours are exchanged in the canonical position.
    is_exchanged: bool,
    explanation: Explanation,
    /// The literals of the clause in words, in the order of the tests.
    pub conditions: Vec<Condition>,
}

/// Writes conditions: translates literals of the canonical position to the board that was asked about.
struct ConditionWriter<'a> {
    variables: &'a VariableSet,
    canonical: &'a Position,
    is_mirrored: bool,
    is_exchanged: bool,
}

impl ConditionWriter<'_> {
    fn color(&self, color: Color) -> Color {
        if self.is_exchanged { color.other() } else { color }
    }

    /// "the red chariot", with its point if there are several.
    fn name(&self, number: usize) -> String {
        let (man, mut on) = (self.canonical.material().men()[number], self.canonical.points()[number]);
        let name = format!("the {} {}", color_name(self.color(man.color)), man.role.name());
        if self.canonical.material().count(man) == 1 {
            return name;
        }
        on = if self.is_mirrored { on.mirrored() } else { on };
        format!("{name} on {}", if self.is_exchanged { on.sides_exchanged() } else { on })
    }

    /// The condition that a variable's part is one of `allowed`; its part in the position is `part`.
    fn condition(&self, variable: usize, allowed: u64, part: u8) -> Condition {
        let (parts, (family, men)) =
            (self.variables.values()[variable], self.variables.family_and_men(variable));
        let reversed = |set: u64| set.reverse_bits() >> (64 - parts);
        let is_sideways = family.starts_with("file");
        let is_reversed = if is_sideways { self.is_mirrored } else { self.is_exchanged };
        let (set, shown) = if is_reversed && (is_sideways || family.starts_with("rank")) {
            (reversed(allowed), parts - 1 - part)
        } else {
            (allowed, part)
        };
        let names = men.map(|man| self.name(man));
        let own = self.color(self.canonical.material().men()[men[0]].color);
        let sides = [own, own.other()].map(side);
        let (sentence, value) =
            match wording(family, names.each_ref().map(|name| &**name), sides.each_ref().map(|side| &**side))
            {
                Some(wording) => (wording.sentence(set), wording.value(shown)),
                None => lines(family, &names[0], set, shown),
            };
        Condition {
            sentence: capitalized(&sentence),
            value,
            is_turned: is_sideways && reversed(allowed) != allowed,
            literal: Literal { variable, name: self.variables.name(variable), allowed, value: part },
        }
    }
}

/// "Red".
fn side(color: Color) -> String {
    capitalized(color_name(color))
}

impl<'a> BoardExplanation<'a> {
    /// Returns the certificate of a legal board. It, or without attackers the board with the colours exchanged, must be of the
    /// material of `clauses`.
    ///
    /// # Errors
    /// Those of [`Position::from_board`] and [`Clauses::explain`].
    pub fn new(clauses: &'a Clauses, board: &Board) -> Result<Self> {
        let (mut position, mut is_exchanged) = Position::from_board(board)?;
        if position.material() != clauses.material() {
            // Without attackers, the other side may have the fewer men.
            (position, is_exchanged) = (Position::images(board)?[1], !is_exchanged);
        }
        let (explanation, variables) = (clauses.explain(&position)?, clauses.variables());
        let canonical = &explanation.canonical;
        let is_mirrored = *canonical != position;
        let writer = ConditionWriter { variables, canonical, is_mirrored, is_exchanged };
        let mut demanded: Vec<(usize, u64, u8)> = Vec::new();
        for &(test, part) in &explanation.tests {
            let variable = usize::from(test.variable);
            let full = u64::MAX >> (64 - variables.values()[variable]);
            let set = if test.contains(part) { test.literal() } else { full & !test.literal() };
            match demanded.iter_mut().find(|(demanded, ..)| *demanded == variable) {
                Some((_, allowed, _)) => *allowed &= set,
                None => demanded.push((variable, set, part)),
            }
        }
        let condition = |(variable, allowed, part)| writer.condition(variable, allowed, part);
        let conditions = demanded.into_iter().map(condition).collect();
        Ok(BoardExplanation { clauses, board: *board, is_exchanged, explanation, conditions })
    }

    /// "Red wins", of an outcome for the side to move.
    fn outcome_words(&self, outcome: Wdl) -> String {
        let turn = self.board.turn();
        match outcome {
            Wdl::Win => format!("{} wins", side(turn)),
            Wdl::Loss => format!("{} wins", side(turn.other())),
            Wdl::Draw => "Draw".into(),
        }
    }

    /// The note for a reader who applies the conditions to another board; `None` if no condition is about left and right.
    fn orientation(&self) -> Option<&'static str> {
        let is_turned = self.conditions.iter().any(|condition| condition.is_turned);
        is_turned
            .then_some("left and right are those of this board; another board may have to be mirrored first")
    }

    /// The certificate as lines of text, the last one ended.
    pub fn to_text(&self, style: Style) -> String {
        let turn = side(self.board.turn());
        let table =
            format!("The table {} (model {})", self.clauses.material(), self.clauses.variables().model());
        let Explanation { outcome, stated, leaf, .. } = self.explanation;
        let mut decider = tree_decider(&table, &turn, (!self.conditions.is_empty()).then_some(leaf));
        let headline = self.outcome_words(outcome);
        if stated != outcome {
            decider += &exception(&self.outcome_words(stated), &headline);
        }
        let orientation = self.orientation().map(|orientation| format!("* Here {orientation}."));
        let notes = orientation.into_iter().chain([NOTE.into()]);
        let head = [&*self.board.to_fen(), &format!("{headline}. {turn} is to move."), &decider];
        page(head, &self.conditions, notes, style) + "\n" + &board_text(&self.board)
    }

    /// The certificate as one line of JSON, with the fields of [`chess`](crate::explain::BoardExplanation::to_json) that apply;
    /// `is_exchanged` says whether the colours are exchanged in `canonical`.
    pub fn to_json(&self) -> String {
        let Explanation { outcome, leaf, stated, canonical, .. } = &self.explanation;
        // None of these words needs JSON escapes.
        format!(
            concat!(
                r#"{{"game":"xiangqi","fen":"{}","turn":"{}","outcome":"{}","material":"{}","model":"{}","model_version":{},"#,
                r#""decided_by":"leaf","number":{},"stated":"{}","is_exception":{},"conditions":{},"orientation":{},"canonical":"{}","is_exchanged":{}}}"#
            ),
            self.board.to_fen(),
            color_name(self.board.turn()),
            outcome,
            self.clauses.material(),
            self.clauses.variables().model(),
            self.clauses.variables().model().version(),
            leaf,
            stated,
            stated != outcome,
            list(self.conditions.iter().map(Condition::json)),
            self.orientation().map_or("null".into(), |orientation| format!("\"{orientation}\"")),
            canonical.to_fen(),
            self.is_exchanged,
        )
    }
}

/// The board, Black's side above: bars beside the palaces, waves for the river.
fn board_text(board: &Board) -> String {
    let mut text = String::new();
    for rank in (0..RANKS).rev() {
        text.push(char::from(b'0' + rank));
        for file in 0..FILES {
            let is_palace = !(3..7).contains(&rank) && [3, 6].contains(&file);
            text.push(if is_palace { '|' } else { ' ' });
            text.push(board.man(Point::at(file, rank)).map_or('.', letter));
        }
        text.push('\n');
        if rank == RANKS / 2 {
            text += "  ~ ~ ~ ~ ~ ~ ~ ~ ~\n";
        }
    }
    text + "  a b c d e f g h i\n"
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::*;
    use std::collections::HashSet;

    /// Calls `test` with each variable, its part in the position of `fen`, and a writer for the image of the position.
    fn each(fen: &str, images: &str, mut test: impl FnMut(&ConditionWriter<'_>, usize, u8)) {
        let canonical = &Position::from_fen(fen).unwrap().0;
        let variables = &VariableSet::new(Model::Attack, canonical.material());
        let [is_mirrored, is_exchanged] = ['m', 'x'].map(|image| images.contains(image));
        let writer = ConditionWriter { variables, canonical, is_mirrored, is_exchanged };
        let mut parts = vec![0; variables.values().len()];
        variables.evaluate(canonical, &mut parts);
        parts.iter().enumerate().for_each(|(variable, &part)| test(&writer, variable, part));
    }

    /// The positions of the worked examples in `model`.
    const MANY: &str = "R2ak4/4a4/4b4/9/2N6/4C4/9/9/9/4K4 b";
    const FEW: &str = "4k4/9/R3b4/9/9/9/9/9/9/3K5 b";

    /// The position; `m` if it is the mirror image, `x` if the colours are exchanged; the literal, its sentence and value.
    const EXAMPLES: &str = "\
        many - file.rc 0,3 | The red chariot is on files a or d | file a
        many m file.rc 0,3 | The red chariot is on files f or i | file i
        many x rank.rc 0-2,9 | The black chariot is on ranks 0 or 7 to 9 | rank 0
        many - files.rk.rc 0-7 | The red chariot is to the left of the red general | 4 files to the left
        many m files.rk.rc 0-6 | The red chariot is at least 2 files to the right of the red general | 4 files to the right
        many x ranks.rk.rc 18 | The black chariot is at least 9 ranks below the black general | 9 ranks below
        many mx taxi.rk.rc 13 | The black general and the black chariot are 13 points apart, files and ranks added up | 13 points
        many - between.rk.bk 2,3 | The red general and the black general are on one line with one man between or on one line \
            with two men or more between | on one line with two men or more between
        many - attacks.rc.bab 1 | The red chariot attacks the black assistant on d9 | attacked
        many mx attacks.rc.baa 0 | The black chariot does not attack the red assistant on e1 | no attack
        many - guards.bk.baa 1 | The black general guards the black assistant on e8 | guarded
        many - leg.rh.be 0,2 | From the red horse to the black elephant there is no horse's move or a hobbled horse's move | \
            no horse's move
        many - attackers.bab 1-3 | The black assistant on d9 has at least 1 attacker | 1 attacker
        many - guardians.bab 0-2 | The black assistant on d9 has at most 2 guards | 2 guards
        many - free.bk 0,1 | The black general has at most 1 point to go to | 1 point
        few x safe.be 1-4 | The red elephant has 1 to 4 points to go to that Black does not attack | 4 points
        few x loose.bk 1 | Red has 1 piece attacked and not guarded | 1 piece
        few - escapes.bk 2 | The black general has 2 points to go to without being taken there | 2 points";

    #[test]
    fn a_worked_example_of_each_family() {
        for example in EXAMPLES.lines() {
            let [start, sentence, value] = example.split(" | ").collect::<Vec<_>>()[..] else {
                panic!("{example}")
            };
            let [which, images, name, allowed] = start.split_whitespace().collect::<Vec<_>>()[..] else {
                panic!("{example}")
            };
            let part_of = |number: &str| number.parse::<u32>().unwrap();
            let allowed = allowed.split(',').map(|run| run.split_once('-').unwrap_or((run, run)));
            let allowed = allowed
                .flat_map(|(first, last)| part_of(first)..=part_of(last))
                .fold(0, |set, part| set | 1 << part);
            let mut found = None;
            each(if which == "many" { MANY } else { FEW }, images, |writer, variable, part| {
                if writer.variables.name(variable) == name {
                    found = Some(writer.condition(variable, allowed, part));
                }
            });
            let found = found.unwrap_or_else(|| panic!("{name}"));
            assert_eq!((&*found.sentence, &*found.value), (sentence, value), "{name}");
            assert_eq!(found.is_turned, name.starts_with("file"), "{name}");
        }
    }

    #[test]
    fn every_set_of_every_variable_has_a_sentence_of_its_own() {
        let mut sentences = HashSet::new();
        each(MANY, "", |writer, variable, part| {
            let parts = writer.variables.values()[variable];
            let full = u64::MAX >> (64 - parts);
            for (low, high) in (0..parts).flat_map(|low| (low..parts).map(move |high| (low, high))) {
                let inside = (u64::MAX >> (63 - (high - low))) << low;
                // The complement of a run at an end is another run.
                let outside = (low > 0 && high + 1 < parts).then_some(full & !inside);
                for allowed in [inside].into_iter().chain(outside).filter(|&allowed| allowed != full) {
                    let Condition { sentence, value, .. } = writer.condition(variable, allowed, part);
                    assert!(!value.is_empty() && sentence.starts_with(char::is_uppercase), "{sentence}");
                    assert!(sentences.insert(sentence.clone()), "{sentence}");
                }
            }
        });
        assert!(sentences.len() > 1000);
    }

    #[test]
    fn a_board_shows_palaces_and_the_river() {
        let text = board_text(&Board::from_fen(MANY).unwrap());
        let is = "9 R . .|a k .|. . . 6 . . . . . . . . . ~ ~ ~ ~ ~ ~ ~ ~ ~ 4 . . . . C . . . . 0 . . .|. K .|. . .";
        let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
        assert_eq!([0, 3, 5, 6, 10].map(|line| lines[line]).join(" "), is);
    }
}
