//! The literals of a clause as conditions on the user's board: each a sentence, with the position's own value.

use super::board_transform::{BoardTransform, Line};
use super::explanation::Literal;
use super::families::{MenInWords, Wording, files, ranks, wording};
use super::numbers::lines_of;
use crate::chess::model::VariableSet;
use crate::chess::position::{Color, Man, Position, Role};

/// A literal of a clause in words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Condition {
    /// The sentence, without a full stop: "The black king has at most 2 squares to go to".
    pub sentence: String,
    /// The position's own value, in a few words: "1 square".
    pub value: String,
    /// Whether the sentence names files, ranks or directions that change when the board is mirrored or turned. It then
    /// holds only for boards in the same orientation as this one.
    pub is_turned: bool,
    /// The literal itself.
    pub literal: Literal,
}

/// Writes conditions: translates literals, which are about the canonical position, to the user's board.
pub(super) struct ConditionWriter<'a> {
    variables: &'a VariableSet,
    canonical: &'a Position,
    transform: BoardTransform,
    /// The names of the men in sentences: "the white king".
    names: Vec<String>,
}

/// "White".
pub(super) fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// "king".
pub(super) fn role_name(role: Role) -> &'static str {
    match role {
        Role::King => "king",
        Role::Queen => "queen",
        Role::Rook => "rook",
        Role::Bishop => "bishop",
        Role::Knight => "knight",
        Role::Pawn => "pawn",
    }
}

pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The lines that a man moves along.
fn lines(role: Role) -> &'static str {
    match role {
        Role::Rook => "file or rank",
        Role::Bishop => "diagonal",
        _ => "file, rank or diagonal",
    }
}

impl Line {
    fn label(self) -> String {
        match self {
            Line::File(file) => char::from(b'a' + file).to_string(),
            Line::Rank(rank) => (rank + 1).to_string(),
        }
    }

    fn number(self) -> u8 {
        let (Line::File(number) | Line::Rank(number)) = self;
        number
    }

    fn kind(self) -> &'static str {
        match self {
            Line::File(_) => "file",
            Line::Rank(_) => "rank",
        }
    }

    fn name(self) -> String {
        format!("{} {}", self.kind(), self.label())
    }
}

/// "file e", "files a to c or h"; lines of one kind.
pub(super) fn line_names(lines: impl Iterator<Item = Line>) -> String {
    let lines: Vec<Line> = lines.collect();
    let set = lines.iter().fold(0, |set, line| set | 1u64 << line.number());
    let Some(&any) = lines.first() else { return String::new() };
    let line = |number| match any {
        Line::File(_) => Line::File(number),
        Line::Rank(_) => Line::Rank(number),
    };
    lines_of(any.kind(), set, |number| line(number).label())
}

/// The members of a set of values below 8.
fn eight(set: u64) -> impl Iterator<Item = u8> {
    (0..8).filter(move |value| set >> value & 1 != 0)
}

impl<'a> ConditionWriter<'a> {
    /// `variables` are those of the literals.
    pub(super) fn new(
        variables: &'a VariableSet,
        canonical: &'a Position,
        transform: BoardTransform,
    ) -> Self {
        let men = canonical.material().men();
        let names = canonical.placed().map(|(man, square)| {
            let Man { color, role } = transform.man(man);
            let name = format!("the {} {}", color.name(), role_name(role));
            let is_one_of_several = men.iter().filter(|&&other| other == man).count() > 1;
            if is_one_of_several { format!("{name} on {}", transform.square(square)) } else { name }
        });
        let names = names.collect();
        ConditionWriter { variables, canonical, transform, names }
    }

    /// The name of man number `man` of the canonical position: "the white king", with its square if there are several.
    pub(super) fn name(&self, man: usize) -> &str {
        self.names.get(man).map_or("", |name| name)
    }

    pub(super) fn condition(&self, literal: &Literal) -> Condition {
        let (sentence, value, is_turned) = self.words(literal);
        Condition { sentence: capitalized(&sentence), value, is_turned, literal: literal.clone() }
    }

    /// The sentence and the value of a literal, and [`Condition::is_turned`].
    fn words(&self, &Literal { variable, allowed, value, .. }: &Literal) -> (String, String, bool) {
        let has_pawns = self.canonical.material().has_pawns();
        let words = |wording: Wording, allowed, value| (wording.sentence(allowed), wording.value(value));
        let mirrored = |allowed: u64, value: u8, is_mirrored| {
            if is_mirrored { (allowed.reverse_bits() >> (64 - 15), 14 - value) } else { (allowed, value) }
        };
        let (family, men) = self.variables.family_and_men(variable);
        match (family, &men[..]) {
            ("file", &[man]) => self.lines(man, eight(allowed).map(|file| self.transform.file(file)), true),
            ("rank", &[man]) => {
                self.lines(man, eight(allowed).map(|rank| self.transform.rank(rank)), !has_pawns)
            }
            ("ep", _) => self.en_passant(allowed),
            ("bit", &[man, bit]) => self.bit(man, bit, allowed),
            ("files", &[a, b]) => {
                let (allowed, value) = mirrored(allowed, value, self.transform.mirrors_files());
                let (sentence, words) = words(files(self.name(a), self.name(b), 7), allowed, value);
                (sentence, words, allowed != mirrored(allowed, value, true).0)
            }
            ("ranks", &[a, b]) => {
                let (allowed, value) = mirrored(allowed, value, self.transform.mirrors_ranks());
                let (sentence, words) = words(ranks(self.name(a), self.name(b), 7), allowed, value);
                (sentence, words, false)
            }
            _ => {
                let (sentence, words) = words(self.wording(family, &men), allowed, value);
                (sentence, words, false)
            }
        }
    }

    /// The wording for a family whose values do not change when the board is turned.
    fn wording(&self, family: &str, men: &[usize]) -> Wording {
        let all = self.canonical.material().men();
        let first = all[men[0]];
        let [own, foe] = [first.color, first.color.other()];
        wording(
            family,
            &MenInWords {
                names: [0, 1, 2].map(|place| men.get(place).map_or("", |&man| self.name(man))),
                kings: [own, foe].map(|color| self.name(color.index())),
                both_kings: [self.name(0), self.name(1)],
                friend: side(self.transform.color(own)),
                foe: side(self.transform.color(foe)),
                are_friends: men.get(1).is_some_and(|&man| all[man].color == own),
                lines: lines(first.role),
            },
        )
    }

    /// The sentence that a man is on one of `lines`, its own line as the value, and [`Condition::is_turned`].
    fn lines(
        &self,
        man: usize,
        lines: impl Iterator<Item = Line>,
        is_turned: bool,
    ) -> (String, String, bool) {
        // Pawns stand on ranks 2 to 7; the model's other ranks are don't-cares.
        let is_pawn = self.canonical.material().men()[man].role == Role::Pawn;
        let lines: Vec<Line> = lines.filter(|line| !(is_pawn && matches!(line, Line::Rank(0 | 7)))).collect();
        let square = self.transform.square(self.canonical.squares()[man]);
        let own = match lines.first() {
            Some(Line::Rank(_)) => Line::Rank(square.rank()),
            _ => Line::File(square.file()),
        };
        // With pawns the only symmetry mirrors files, so a set of files that is its own mirror image is the same on both boards.
        let is_symmetric = lines.iter().all(|line| {
            let across = |other: &Line| other.number() == 7 - line.number();
            lines.iter().any(across)
        });
        let is_turned = is_turned && !(is_symmetric && self.canonical.material().has_pawns());
        let sentence = format!("{} is on {}", self.name(man), line_names(lines.into_iter()));
        (sentence, own.name(), is_turned)
    }

    /// The sentence, value and [`Condition::is_turned`] for en passant: value 0 is none, the others are the files.
    fn en_passant(&self, allowed: u64) -> (String, String, bool) {
        let files = || eight(allowed >> 1).map(|file| self.transform.file(file));
        let any = allowed >> 1 & 0xff;
        let sentence = match (allowed & 1 != 0, any) {
            (true, 0) => "no en-passant capture is possible".into(),
            (true, _) => format!("no en-passant capture is possible, or one on {}", line_names(files())),
            (false, 0xff) => "an en-passant capture is possible".into(),
            (false, _) => format!("an en-passant capture on {} is possible", line_names(files())),
        };
        let value = self.canonical.en_passant();
        let value =
            value.map_or_else(|| "none".into(), |file| format!("on {}", self.transform.file(file).name()));
        (sentence, value, any != 0 && any != 0xff)
    }

    /// A variable of model `binary`: bit number `bit` of the square of man number `man`, with squares counted row by row from a8.
    /// The number after the last man stands for the en-passant file.
    fn bit(&self, man: usize, bit: usize, allowed: u64) -> (String, String, bool) {
        let is_allowed = move |number: u8, bit: usize| allowed >> (number >> bit & 1) & 1 != 0;
        if man == self.canonical.material().len() {
            let numbers = core::iter::once(0).chain((0..8).map(|file| 8 | file)).enumerate();
            let set = numbers.filter(|&(_, number)| is_allowed(number, bit));
            self.en_passant(set.fold(0, |set, (value, _)| set | 1 << value))
        } else if bit < 3 {
            let files = (0..8).filter(|&file| is_allowed(file, bit));
            self.lines(man, files.map(|file| self.transform.file(file)), true)
        } else {
            let ranks = (0..8).filter(|&rank| is_allowed(7 - rank, bit - 3));
            let is_turned = !self.canonical.material().has_pawns();
            self.lines(man, ranks.map(|rank| self.transform.rank(rank)), is_turned)
        }
    }
}
