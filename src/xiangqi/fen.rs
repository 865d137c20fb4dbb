//! Boards of Chinese chess as text: Forsyth-Edwards Notation, from Black's back rank down.
//!
//! Letters are K A B N R C P, as in other programs. The reader also accepts E for elephants, H for horses, `r` for Red to move,
//! and the paper's G for gunners. In the paper C is a chariot; here it is a gunner, and R a chariot. So C beside G is refused.

use super::board::Board;
use super::man::{Man, Role};
use super::point::{FILES, Point, RANKS};
use super::position::Position;
use crate::error::{Error, ErrorKind, Result, plural, quoted};
use crate::fen_board::{FenBoard, fields};
use crate::outcome::Color;

const BOARD: FenBoard = FenBoard { files: FILES, ranks: RANKS, first_rank: 0, place: "point" };

fn bad(reason: impl AsRef<str>) -> Error {
    Error::new(ErrorKind::BadInput, format!("bad FEN of Chinese chess: {}", reason.as_ref()))
}

impl Board {
    /// Reads a legal board. After the men and the side to move, up to four more fields are checked in form only: two hyphens and
    /// two numbers.
    ///
    /// # Errors
    /// - [`ErrorKind::BadInput`]: the text has another form;
    /// - [`ErrorKind::IllegalPosition`]: see [`Board::check_legal`].
    ///
    /// # Example
    /// ```
    /// use cubebase::xiangqi::Board;
    ///
    /// let wxf = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r";
    /// let ucci = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    /// assert_eq!(Board::from_fen(wxf)?, Board::initial());
    /// assert_eq!(Board::initial().to_fen(), ucci);
    /// # Ok::<(), cubebase::Error>(())
    /// ```
    pub fn from_fen(text: &str) -> Result<Self> {
        let mut rest = fields(text);
        let (Some(men), Some(turn)) = (rest.next(), rest.next()) else {
            let count = fields(text).count();
            return Err(bad(format!("{count} field{}, not 2 to 6", plural(count))));
        };
        let turn = match turn {
            "w" | "r" => Color::White,
            "b" => Color::Black,
            _ => return Err(bad(format!("the side to move is {}, not 'w', 'r' or 'b'", quoted(turn)))),
        };
        for (number, field) in (3..).zip(rest) {
            match number {
                3 | 4 if field != "-" => {
                    return Err(bad(format!("field {number} is {}, not '-'", quoted(field))));
                }
                5 | 6 if !field.bytes().all(|byte| byte.is_ascii_digit()) => {
                    return Err(bad(format!("field {number} is {}, not a number", quoted(field))));
                }
                3..=6 => {}
                _ => return Err(bad("more than 6 fields")),
            }
        }
        let board = read_men(men, turn)?;
        board.check_legal()?;
        Ok(board)
    }

    /// Returns the board as text, with letters K A B N R C P, halfmove clock 0 and move number 1.
    pub fn to_fen(&self) -> String {
        let men = BOARD.write(|file, rank| self.man(Point::at(file, rank)).map(letter));
        let turn = if self.turn() == Color::White { 'w' } else { 'b' };
        format!("{men} {turn} - - 0 1")
    }
}

impl Position {
    /// Reads a position, and returns whether the colours were exchanged for it.
    ///
    /// # Errors
    /// Those of [`Board::from_fen`] and [`Position::from_board`].
    pub fn from_fen(text: &str) -> Result<(Self, bool)> {
        Self::from_board(&Board::from_fen(text)?)
    }

    /// Returns the position as text: see [`Board::to_fen`].
    pub fn to_fen(&self) -> String {
        self.board().to_fen()
    }
}

pub(super) fn letter(man: Man) -> char {
    let letter = man.role.fen();
    if man.color == Color::White { letter } else { letter.to_ascii_lowercase() }
}

fn man_of(letter: char) -> Option<Man> {
    let usual = match letter.to_ascii_uppercase() {
        'E' => 'B',
        'H' => 'N',
        'G' => 'C',
        usual => usual,
    };
    let role = Role::ALL.into_iter().find(|role| role.fen() == usual)?;
    Some(Man::new(if letter.is_ascii_uppercase() { Color::White } else { Color::Black }, role))
}

fn read_men(field: &str, turn: Color) -> Result<Board> {
    if field.contains(['c', 'C']) && field.contains(['g', 'G']) {
        return Err(bad("C and G side by side: both are gunners, a chariot is R"));
    }
    let mut board = Board::empty(turn);
    BOARD
        .read(field, man_of, |file, rank, man| board.set(Point::at(file, rank), Some(man)))
        .ok_or_else(|| bad(BOARD.fault(field, |letter| man_of(letter).is_some())))?;
    Ok(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_others() {
        // The position of the paper's longest win, with its letters.
        let (position, exchanged) = Position::from_fen("3a1Ge2/9/e2ak4/9/9/9/2P6/4E4/3K5/5A3 r").unwrap();
        assert_eq!((position.material().to_string().as_str(), exchanged), ("aegp-aaee", false));
        assert_eq!(position.to_fen(), "3a1Cb2/9/b2ak4/9/9/9/2P6/4B4/3K5/5A3 w - - 0 1");
    }

    #[test]
    fn errors_name_what_is_wrong() {
        use ErrorKind::{BadInput, IllegalPosition, UnsupportedPosition};
        let kings = |rank: &str| format!("4k4/9/9/9/9/{rank}/9/9/9/3K5 w");
        for (fen, kind, message) in [
            (String::new(), BadInput, "0 fields, not 2 to 6"),
            ("nonsense".into(), BadInput, "1 field, not 2 to 6"),
            (kings("9") + " - - 0 1 1", BadInput, "more than 6 fields"),
            ("4k3/8 w".into(), BadInput, "the board '4k3/8' has 2 ranks, not 10"),
            (kings("4c5"), BadInput, "rank 4, '4c5', has more than 9 points"),
            (kings("4c3"), BadInput, "rank 4, '4c3', has 8 points, not 9"),
            (kings("45"), BadInput, "rank 4, '45', has two numbers side by side"),
            (kings("0Q8"), BadInput, "rank 4, '0Q8', holds '0', which is no man"),
            (kings("Q8"), BadInput, "rank 4, 'Q8', holds 'Q', which is no man"),
            (kings("cG7"), BadInput, "C and G side by side: both are gunners, a chariot is R"),
            (kings("9").replace('w', "x"), BadInput, "the side to move is 'x', not 'w', 'r' or 'b'"),
            (kings("9") + " KQkq", BadInput, "field 3 is 'KQkq', not '-'"),
            (kings("9") + " - - x", BadInput, "field 5 is 'x', not a number"),
            (kings("9").replace('K', "A"), IllegalPosition, "red has no general"),
            (kings("8k"), IllegalPosition, "black has 2 generals, more than 1"),
            (kings("RRR6"), IllegalPosition, "red has 3 chariots, more than 2"),
            (kings("8B"), IllegalPosition, "a red elephant cannot stand on i4"),
            (kings("1P7"), IllegalPosition, "a red soldier cannot stand on b4"),
            (
                kings("9").replace("3K", "4K").replace("K5", "K4"),
                IllegalPosition,
                "the generals face each other",
            ),
            (kings("4R4"), IllegalPosition, "black is in check, and red is to move"),
            (kings("3r5").replace('w', "b"), IllegalPosition, "red is in check, and black is to move"),
        ] {
            let error = Board::from_fen(&fen).unwrap_err();
            let start = if kind == BadInput { "bad FEN of Chinese chess: " } else { "illegal position: " };
            assert_eq!((error.kind(), error.to_string()), (kind, format!("{start}{message}")), "{fen}");
        }
        let error = Position::from_fen(&kings("cC7")).unwrap_err();
        assert_eq!(error.kind(), UnsupportedPosition);
        assert!(error.to_string().starts_with("attackers (h, c, g, p) on both sides"), "{error}");
    }

    #[test]
    fn long_fields_are_cut_in_messages() {
        let error = Board::from_fen(&format!("{} w", "x\u{7}".repeat(1000))).unwrap_err().to_string();
        assert!(error.len() < 140 && !error.contains('\u{7}'), "{error}");
    }
}
