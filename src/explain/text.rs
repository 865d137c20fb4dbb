//! Certificates for a terminal: outcome, conditions with the position's own values, coverage, and boards.

use super::conditions::{Condition, capitalized, side};
use super::explanation::{Decision, RuleDecision};
use super::position_counter::Coverage;
use super::{BoardExplanation, PlacedMan};
use crate::chess::position::{Color, Square, Wdl};
use core::fmt::Write;

/// The layout of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Columns of the terminal; less than 60 count as 60.
    pub columns: usize,
    /// Whether squares are coloured with ANSI codes. They are marked by signs in any case.
    pub has_color: bool,
}

impl Default for Style {
    /// 80 columns without colours.
    fn default() -> Self {
        Style { columns: 80, has_color: false }
    }
}

const LIT: &str = "\x1b[30;42m";
const EXCEPTED: &str = "\x1b[30;43m";
const BOLD: &str = "\x1b[1m";
const PLAIN: &str = "\x1b[0m";

/// The fewest columns of a terminal.
const NARROWEST: usize = 60;

/// The width in columns of the position's own values, and of a board.
const VALUES: usize = 24;
const BOARD: usize = 18;
const GAP: usize = 3;

/// "White wins", "draw".
pub(super) fn outcome_words(outcome: Wdl, turn: Color) -> String {
    match outcome {
        Wdl::Win => format!("{} wins", side(turn)),
        Wdl::Loss => format!("{} wins", side(turn.other())),
        Wdl::Draw => "draw".into(),
    }
}

/// A number with commas between its thousands: `1,262,704`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Breaks text at spaces into lines of at most `columns` letters; only a longer word exceeds them.
pub(super) fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

/// Writes the page: position, headline and decider, the conditions, and paragraphs of notes.
pub(crate) fn page(
    [position, headline, decider]: [&str; 3],
    conditions: &[Condition],
    notes: impl Iterator<Item = String>,
    style: Style,
) -> String {
    let columns = style.columns.max(NARROWEST);
    let [bold, plain] = if style.has_color { [BOLD, PLAIN] } else { [""; 2] };
    let mut text = format!("{position}\n{bold}{headline}{plain}\n");
    let paragraph = |text: &mut String, words: &str| {
        text.push('\n');
        for line in wrapped(words, columns) {
            text.push_str(&line);
            text.push('\n');
        }
    };
    paragraph(&mut text, decider);
    if !conditions.is_empty() {
        text.push('\n');
        conditions_text(&mut text, conditions, columns);
    }
    notes.for_each(|note| paragraph(&mut text, &note));
    text
}

fn conditions_text(text: &mut String, conditions: &[Condition], columns: usize) {
    let width = columns - VALUES - GAP - 4;
    // Writing to a string cannot fail.
    let _ = writeln!(text, "    {:width$}   here", "All of these hold:");
    for (number, condition) in conditions.iter().enumerate() {
        let mark = if condition.is_turned { "*" } else { "" };
        let sentence = wrapped(&format!("{}{mark}", condition.sentence), width);
        let value = wrapped(&condition.value, VALUES);
        for line in 0..sentence.len().max(value.len()) {
            let number = if line == 0 { format!("{:>2}.", number + 1) } else { String::new() };
            let [left, right] = [&sentence, &value].map(|lines| lines.get(line).map_or("", |line| line));
            let line = format!("{number:3} {left:width$}   {right}");
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
}

/// The sentences about a tree that decides with a leaf. `leaf` is `None` if the tree has only one.
pub(crate) fn tree_decider(table: &str, turn: &str, leaf: Option<usize>) -> String {
    match leaf {
        None => {
            format!("{table} has one leaf for all positions with {turn} to move.")
        }
        Some(leaf) => format!(
            "{table} is a tree of questions about a position. Their answers lead this one to leaf {leaf}; together they are the \
             clause that decides."
        ),
    }
}

/// The sentences about an exception of a leaf.
pub(crate) fn exception(stated: &str, outcome: &str) -> String {
    format!(
        " It states: {stated}. But this position is one of its exceptions, which the table keeps apart: {outcome}."
    )
}

impl BoardExplanation {
    /// "White wins. Black is to move."
    pub(super) fn headline(&self) -> String {
        format!("{}. {} is to move.", capitalized(&outcome_words(self.outcome(), self.turn)), side(self.turn))
    }

    /// The deciding clause, in a sentence or two.
    pub(super) fn decider(&self) -> String {
        let table = format!("The table {} (model {})", self.material(), self.explanation.model);
        let stated = outcome_words(self.stated(), self.turn);
        let decider = match self.explanation.decision {
            Decision::Leaf { leaf, .. } => {
                tree_decider(&table, side(self.turn), (!self.conditions.is_empty()).then_some(leaf))
            }
            Decision::Clause { section, clause } => format!(
                "{table} has clauses in sections. Clause {clause} of section {section} is the first that holds, and so decides."
            ),
        };
        let without_castling = outcome_words(self.explanation.without_castling, self.turn);
        let decider =
            if self.is_exception() { decider + &exception(&stated, &without_castling) } else { decider };
        let decider = match self.explanation.rule {
            None => decider,
            Some(RuleDecision { outcome, leaf, exception }) => {
                let exception = if exception { "an exception at " } else { "" };
                let outcome = outcome.name().replace('-', " ");
                let turn = side(self.turn);
                format!(
                    "{decider} Under the 50-move rule, from a counter of zero, it is a {outcome} for {turn}, by {exception}leaf \
                     {leaf} of the rule's tree."
                )
            }
        };
        let rights = self.castling;
        if rights.is_empty() {
            decider
        } else if self.outcome() == self.explanation.without_castling {
            format!("{decider} All this is without castling rights; with {rights} the outcome is the same.")
        } else {
            format!(
                "{decider} All this is without castling rights: {without_castling}. The table lists this position with {rights}: \
                 {}.",
                outcome_words(self.outcome(), self.turn)
            )
        }
    }

    /// The coverage of the clause in a sentence or two, if its positions have been counted.
    pub fn coverage_sentence(&self) -> Option<String> {
        let Coverage { positions, met, decided, exceptions } = self.coverage?;
        let images = if self.material().has_pawns() { "mirrored" } else { "mirrored and turned" };
        let of = format!(
            "of the {} legal positions with these men and {} to move, {images} ones included",
            grouped(positions),
            side(self.turn)
        );
        let each = match outcome_words(self.stated(), self.turn) {
            draw if draw == "draw" => "the game is drawn".into(),
            wins => wins,
        };
        let earlier = match met - decided {
            0 => "In all of them".to_owned(),
            earlier => format!(
                "In {} of them a clause before it in the order decides. In the other {}",
                grouped(earlier),
                grouped(decided)
            ),
        };
        let exceptions = match exceptions {
            0 => "without exception".into(),
            1 => "with 1 exception, which the table stores".into(),
            many => format!("with {} exceptions, which the table stores", grouped(many)),
        };
        let all = match (self.conditions.is_empty(), self.explanation.decision) {
            (false, _) => "All conditions hold",
            (true, Decision::Leaf { .. }) => "The leaf holds",
            (true, Decision::Clause { .. }) => "The clause holds",
        };
        Some(format!("{all} in {} {of}. {earlier} {each}, {exceptions}.", grouped(met)))
    }

    /// The certificate as lines of text, the last one ended.
    pub fn to_text(&self, style: Style) -> String {
        let orientation = self.orientation.as_ref().map(|orientation| format!("* Here {orientation}."));
        let notes = orientation.into_iter().chain(self.coverage_sentence());
        let notes = notes.chain([NOTE.into(), self.boards_head("*", "x")]);
        let head = [&*self.fen, &self.headline(), &self.decider()];
        let mut text = page(head, &self.conditions, notes, style);
        text.push('\n');
        self.boards_text(&mut text, style.columns.max(NARROWEST), style.has_color);
        text
    }

    /// The legend of the boards, where `sign` marks a square of the clause and `excepted` an exception.
    pub(super) fn boards_head(&self, sign: &str, excepted: &str) -> String {
        let has_exceptions = self.men.iter().any(|man| !man.squares.exceptions.is_empty());
        let exceptions = if has_exceptions {
            format!(", {excepted} where it does and the position is an exception")
        } else {
            String::new()
        };
        format!("One man moved, the others staying: {sign} where the same clause decides{exceptions}.")
    }

    fn boards_text(&self, text: &mut String, columns: usize, has_color: bool) {
        let beside = ((columns + GAP) / (BOARD + GAP)).max(1);
        for row in self.men.chunks(beside) {
            let boards: Vec<Vec<String>> = row.iter().map(|man| self.board_lines(man, has_color)).collect();
            for line in 0..boards[0].len() {
                let cells: Vec<&str> = boards.iter().map(|board| board[line].as_str()).collect();
                text.push_str(cells.join("   ").trim_end());
                text.push('\n');
            }
        }
    }

    /// The lines of a board with the squares of one man highlighted, all of the same width.
    fn board_lines(&self, lit: &PlacedMan, has_color: bool) -> Vec<String> {
        let own = lit.name.strip_prefix("the ").unwrap_or(&lit.name);
        let mut lines = vec![format!("{:BOARD$}", format!("{} ({})", own, lit.squares.all.len()))];
        for rank in (0..8).rev() {
            let mut line = format!("{}", rank + 1);
            for file in 0..8 {
                let square = Square::at(file, rank);
                let man = self.men.iter().find(|man| man.square == square).map(|man| man.man.fen());
                let is_excepted = lit.squares.exceptions.contains(square);
                let is_lit = lit.squares.all.contains(square);
                let sign = man.unwrap_or(if is_excepted {
                    'x'
                } else if is_lit {
                    '*'
                } else {
                    '.'
                });
                let _ = match (has_color, is_excepted, is_lit) {
                    (true, true, _) => write!(line, " {EXCEPTED}{sign}{PLAIN}"),
                    (true, false, true) => write!(line, " {LIT}{sign}{PLAIN}"),
                    _ => write!(line, " {sign}"),
                };
            }
            line.push(' ');
            lines.push(line);
        }
        lines.push(format!("{:BOARD$}", "  a b c d e f g h"));
        lines
    }
}

/// The note under every certificate.
pub(crate) const NOTE: &str = "This is a certificate, not a reason: every legal position was checked, and the conditions were \
    chosen to be few, not to teach. Positions that cannot arise were left open (don't-cares): a clause may cover them.";
