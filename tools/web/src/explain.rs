//! What decides about a position, on the board that the question showed.
//!
//! A table is asked about the canonical position: mirrored, turned, with the colours exchanged where Black is the stronger side
//! or a symmetric material has Black to move. A reader wants to hear of the position asked, so that squares go back by the
//! symmetry that makes one of the other. Where several do, as on a diagonal, each gives the same sets of squares.

use cubebase::model::man_names;
use cubebase::position::{Color, Man, Symmetry};
use cubebase::probe::Decision;
use cubebase::{Error, ErrorKind, Position, Result, Square, Tables};
use std::fmt::Write;

/// How the canonical position becomes the one asked: a symmetry, then perhaps an exchange of the colours.
struct WayBack {
    /// Its number in [`Symmetry::ALL`].
    symmetry: usize,
    exchanged: bool,
}

impl WayBack {
    /// Finds the way to the board of `fen`, which was read as a position with this canonical image.
    fn find(fen: &str, canonical: &Position) -> Option<Self> {
        let mut fields = fen.split_whitespace();
        let (board, turn) = (letters(fields.next()?), fields.next()?);
        let exchanged = (turn == "b") != (canonical.turn() == Color::Black);
        (0..Symmetry::ALL.len()).map(|symmetry| WayBack { symmetry, exchanged }).find(|way| {
            let mut men = canonical.material().men().iter().zip(canonical.squares());
            men.all(|(&man, &square)| board[way.square(square).index()] == Some(way.letter(man)))
        })
    }

    fn square(&self, square: Square) -> Square {
        let square = Symmetry::ALL[self.symmetry].apply(square);
        if self.exchanged { Symmetry::MIRROR_RANKS.apply(square) } else { square }
    }

    fn letter(&self, man: Man) -> char {
        let color = if self.exchanged { man.color.other() } else { man.color };
        Man::new(color, man.role).fen()
    }
}

/// The men of the first field of a FEN that has been read, by square.
fn letters(field: &str) -> [Option<char>; 64] {
    let mut board = [None; 64];
    for (row, text) in field.split('/').take(8).enumerate() {
        let mut file = 0;
        for letter in text.chars() {
            if let Some(empty) = letter.to_digit(10) {
                file += empty as u8;
            } else {
                board[Square::at(file, 7 - row as u8).index()] = Some(letter);
                file += 1;
            }
        }
    }
    board
}

/// Returns the JSON that [`super::explain`] describes.
pub(crate) fn json(tables: &Tables, fen: &str) -> Result<String> {
    let explanation = tables.explain(&Position::from_fen(fen)?)?;
    let canonical = &explanation.canonical;
    let way = WayBack::find(fen, canonical)
        .ok_or_else(|| Error::new(ErrorKind::Internal, "no symmetry makes the canonical position"))?;
    let mut json = format!("{{\"outcome\":\"{}\"", explanation.outcome);
    // Writing to a string cannot fail. No name has a letter that JSON escapes.
    let _ = match &explanation.decision {
        Decision::Clause { clause, literals, .. } => write!(
            json,
            ",\"by\":\"clause\",\"number\":{clause},\"exception\":false,\"literals\":\"{literals}\""
        ),
        Decision::Leaf { leaf, literals, exception } => write!(
            json,
            ",\"by\":\"leaf\",\"number\":{leaf},\"exception\":{exception},\"literals\":\"{literals}\""
        ),
        Decision::Default => write!(json, ",\"by\":\"default\",\"exception\":false,\"literals\":\"always\""),
    };
    let _ = write!(json, ",\"exchanged\":{},\"symmetry\":{},\"men\":[", way.exchanged, way.symmetry);
    let men = canonical.material().men().iter().zip(canonical.squares());
    let sets = tables.clause_squares(canonical)?;
    for (number, (((&man, &square), name), set)) in
        men.zip(man_names(canonical.material())).zip(sets).enumerate()
    {
        let comma = if number > 0 { "," } else { "" };
        let (letter, square) = (way.letter(man), way.square(square));
        let squares: Vec<String> = set.into_iter().map(|one| format!("\"{}\"", way.square(one))).collect();
        let _ = write!(
            json,
            "{comma}{{\"name\":\"{name}\",\"letter\":\"{letter}\",\"square\":\"{square}\",\"squares\":[{}]}}",
            squares.join(",")
        );
    }
    json.push_str("]}");
    Ok(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text between a field's name and the next quote.
    fn field<'a>(json: &'a str, name: &str) -> &'a str {
        let start = json.find(name).unwrap() + name.len();
        json[start..].split('"').next().unwrap()
    }

    #[test]
    fn men_stand_where_the_question_has_them() {
        let tables = Tables::embedded().unwrap();
        for fen in [
            "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
            "4k3/4p3/8/8/4K3/8/8/8 b - - 0 1",
            "4k3/4p3/8/8/4K3/8/8/8 w - - 0 1",
            "8/1r6/8/4k3/8/8/R7/4K3 b - - 0 1",
            "8/1r6/8/4k3/8/8/R7/4K3 w - - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "7k/8/5NN1/8/8/8/8/K7 b - - 0 1",
        ] {
            let json = json(&tables, fen).unwrap();
            let outcome = tables.probe(&Position::from_fen(fen).unwrap()).unwrap();
            assert_eq!(field(&json, "\"outcome\":\""), outcome.name());
            let board = letters(fen.split(' ').next().unwrap());
            let mut men = 0;
            for man in json.split("{\"name\"").skip(1) {
                let (letter, square) = (field(man, "\"letter\":\""), field(man, "\"square\":\""));
                assert_eq!(board[Square::parse(square).unwrap().index()], letter.chars().next(), "{json}");
                // A man's own square is always one of those that keep the clause.
                assert!(man.split("\"squares\":").nth(1).unwrap().contains(square), "{json}");
                men += 1;
            }
            assert_eq!(men, board.iter().flatten().count());
        }
    }

    /// What the board lights is true of the position asked: with a man moved there the same leaf decides.
    #[test]
    fn squares_are_those_of_the_position_asked() {
        let tables = Tables::embedded().unwrap();
        let fen = |square: Square| {
            let mut rows = [const { String::new() }; 8];
            for rank in 0..8 {
                for file in 0..8 {
                    let here = Square::at(file, rank);
                    let men = [("k", "g5"), ("q", "b3"), ("R", "c7")];
                    let man = men.iter().find(|(_, at)| Square::parse(at) == Some(here));
                    rows[7 - usize::from(rank)] +=
                        if here == square { "K" } else { man.map_or("1", |(letter, _)| letter) };
                }
            }
            format!("{} w - - 0 1", rows.join("/"))
        };
        let leaf =
            |fen: &str| json(&tables, fen).map(|json| json.split("\"literals\"").next().unwrap().to_owned());
        let asked = Square::parse("e1").unwrap();
        let (json, expected) = (json(&tables, &fen(asked)).unwrap(), leaf(&fen(asked)).unwrap());
        let king = json.split("{\"name\"").find(|man| man.contains("\"letter\":\"K\"")).unwrap();
        for square in (0..64).map(Square::new) {
            let is_lit = king.split("squares\":").nth(1).unwrap().contains(&square.to_string());
            let is_man = ["g5", "b3", "c7"].contains(&square.to_string().as_str());
            assert_eq!(is_lit, !is_man && leaf(&fen(square)).is_ok_and(|leaf| leaf == expected), "{square}");
        }
    }
}
