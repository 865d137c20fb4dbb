//! Certificates as self-contained SVG files.

use super::text::{NOTE, wrapped};
use super::{BoardExplanation, PlacedMan};
use crate::chess::position::{Bitboard, Man, Square};
use core::fmt::Write;

/// The shapes of the men, in tiles of 40 by 40, each in a group named by its letter.
const MEN: &str = include_str!("men.svg");

const STYLE: &str = "\
text{font-family:system-ui,'Segoe UI','DejaVu Sans',Helvetica,Arial,sans-serif;font-size:13px;fill:#1a1f26}\
.head{font-size:24px;font-weight:600}.small{font-size:12px;fill:#515b68}.value{fill:#15603a;font-weight:500}\
.label{font-size:11px;fill:#515b68;text-anchor:middle}.end{text-anchor:end}.note{fill:#515b68}\
.light{fill:#eef1f5}.dark{fill:#c3cedb}.lit{fill:#7fca90}.excepted{fill:#f0a63c}.mark{fill:#17663a}\
.cross{stroke:#7a3b00;stroke-width:3;fill:none}.rule{stroke:#d5dbe3}\
.men-white{fill:#fff;stroke:#1a1f26}.men-black{fill:#3a424d;stroke:#0d1014}\
.men-white,.men-black{stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round}\
.line{fill:none;stroke-width:1.2}.dot{stroke:none}\
.men-white .line{stroke:#1a1f26}.men-white .dot{fill:#1a1f26}.men-black .line{stroke:#dfe5ec}.men-black .dot{fill:#dfe5ec}\
.page{fill:#fff}\
@media(prefers-color-scheme:dark){text{fill:#e4e9ef}.small,.label,.note{fill:#a3aebb}.value{fill:#82d3a2}.rule{stroke:#3b4551}\
.page{fill:#151a20}.light{fill:#94a1b0}.dark{fill:#6b7a8b}.lit{fill:#4fae68}.excepted{fill:#d98a24}.mark{fill:#0b3d20}}";

const WIDTH: usize = 900;
const MARGIN: usize = 24;
/// The left edge of the right column; then the number of letters that fit into its sentences, its values and a whole line.
const COLUMN: usize = 372;
const SENTENCE: usize = 46;
const VALUE: usize = 20;
const COLUMN_LINE: usize = 70;
const WHOLE_LINE: usize = 118;
const LINE: usize = 18;

impl BoardExplanation {
    /// Returns the certificate as an SVG file: the board, the conditions with the position's own values, and a board for each
    /// man with the squares where it may stand. Deterministic.
    pub fn to_svg(&self) -> String {
        let mut body = String::new();
        text(&mut body, (MARGIN, 44), "head", &self.headline());
        text(&mut body, (MARGIN, 66), "small", &self.fen);
        self.draw_board(&mut body, (MARGIN + 16, 84), 38, None);
        let board_end = 84 + 8 * 38 + 24;
        let column_end = self.column(&mut body, 96);
        let mut y = board_end.max(column_end) + 12;
        let orientation = self.orientation.as_ref().map(|orientation| format!("* Here {orientation}."));
        for words in [orientation, self.coverage_sentence(), Some(NOTE.into())].into_iter().flatten() {
            y = paragraph(&mut body, (MARGIN, y), "note", &words, WHOLE_LINE) + 6;
        }
        // Writing to a string cannot fail.
        let _ = writeln!(body, r#"<path class="rule" d="M{MARGIN} {y}H{}"/>"#, WIDTH - MARGIN);
        y += 24;
        y = paragraph(&mut body, (MARGIN, y), "", &self.boards_head("dots", "crosses"), WHOLE_LINE) + 12;
        for row in self.men.chunks(4) {
            for (number, man) in row.iter().enumerate() {
                let x = MARGIN + 14 + number * 214;
                let name = man.name.strip_prefix("the ").unwrap_or(&man.name);
                let count = man.squares.all.len();
                let squares = if count == 1 { "square" } else { "squares" };
                text(&mut body, (x, y), "", &format!("{name}: {count} {squares}"));
                self.draw_board(&mut body, (x, y + 10), 23, Some(man));
            }
            y += 10 + 8 * 23 + 50;
        }
        let height = y - 14;
        format!(
            concat!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img">"#,
                "\n<title>{2} {3}</title>\n<style>{4}</style>\n",
                r#"<rect width="{0}" height="{1}" class="page"/>"#,
                "\n{5}</svg>\n"
            ),
            WIDTH,
            height,
            self.fen,
            self.headline(),
            STYLE,
            body
        )
    }

    /// Writes the deciding clause and the conditions; returns the `y` of their end.
    fn column(&self, body: &mut String, y: usize) -> usize {
        let mut y = paragraph(body, (COLUMN, y), "", &self.decider(), COLUMN_LINE) + 8;
        if self.conditions.is_empty() {
            return y;
        }
        text(body, (COLUMN, y), "small", "All of these hold:");
        text(body, (WIDTH - MARGIN, y), "small end", "here");
        y += LINE + 2;
        for (number, condition) in self.conditions.iter().enumerate() {
            let mark = if condition.is_turned { "*" } else { "" };
            text(body, (COLUMN + 16, y), "small end", &format!("{}.", number + 1));
            let sentence = format!("{}{mark}", condition.sentence);
            let left = paragraph(body, (COLUMN + 24, y), "", &sentence, SENTENCE);
            let right = paragraph(body, (WIDTH - MARGIN, y), "value end", &condition.value, VALUE);
            y = left.max(right) + 3;
        }
        y
    }

    /// Draws the board with its corner at `left`, `top`, and the squares of a man highlighted.
    fn draw_board(
        &self,
        body: &mut String,
        (left, top): (usize, usize),
        size: usize,
        lit: Option<&PlacedMan>,
    ) {
        let at = |square: Square| {
            (left + usize::from(square.file()) * size, top + usize::from(7 - square.rank()) * size)
        };
        for square in Bitboard::ALL {
            let (x, y) = at(square);
            let is_excepted = lit.is_some_and(|man| man.squares.exceptions.contains(square));
            let is_lit = lit.is_some_and(|man| man.squares.all.contains(square));
            let class = match (is_excepted, is_lit) {
                (true, _) => "excepted",
                (false, true) => "lit",
                _ if (square.file() + square.rank()) % 2 == 0 => "dark",
                _ => "light",
            };
            let _ =
                writeln!(body, r#"<rect class="{class}" x="{x}" y="{y}" width="{size}" height="{size}"/>"#);
            let is_free = self.men.iter().all(|man| man.square != square);
            if is_excepted && is_free {
                let (from, to) = (size / 3, size - size / 3);
                let (x, y, back, side) = (x + from, y + from, to - from, to - from);
                let _ = writeln!(
                    body,
                    r#"<path class="cross" d="M{x} {y}l{side} {side}m-{back} 0l{side} -{side}"/>"#
                );
            } else if is_lit && is_free {
                let (x, y, r) = (x + size / 2, y + size / 2, size / 7);
                let _ = writeln!(body, r#"<circle class="mark" cx="{x}" cy="{y}" r="{r}"/>"#);
            }
        }
        for number in 0..8 {
            let (file, rank) = (char::from(b'a' + number as u8), 8 - number);
            let (x, y) = (left + number * size + size / 2, top + 8 * size + 13);
            text(body, (x, y), "label", &format!("{file}"));
            text(body, (left - 8, top + number * size + size / 2 + 4), "label", &format!("{rank}"));
        }
        for man in &self.men {
            let ((x, y), class) = (at(man.square), man.man.color.name());
            let scale = size as f64 / 40.0;
            let shape = shape(man.man);
            let _ = writeln!(
                body,
                r#"<g class="men-{class}" transform="translate({x} {y}) scale({scale})">{shape}</g>"#
            );
        }
    }
}

/// The drawing of a man, from [`MEN`].
fn shape(man: Man) -> &'static str {
    let start = format!(r#"<g id="shape-{}">"#, man.role.letter().to_ascii_lowercase());
    let rest = MEN.split_once(&start).map_or("", |(_, rest)| rest);
    rest.split_once("</g>").map_or("", |(shape, _)| shape)
}

/// Writes one line. The words of a certificate need no XML escapes: an apostrophe is allowed in text.
fn text(body: &mut String, (x, y): (usize, usize), class: &str, words: &str) {
    let _ = writeln!(body, r#"<text class="{class}" x="{x}" y="{y}">{words}</text>"#);
}

/// Writes lines of at most `letters` letters and returns the `y` of the next line.
fn paragraph(body: &mut String, (x, y): (usize, usize), class: &str, words: &str, letters: usize) -> usize {
    let mut below = y;
    for line in wrapped(words, letters) {
        text(body, (x, below), class, &line);
        below += LINE;
    }
    below
}
