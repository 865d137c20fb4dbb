//! Positions as text: Forsyth-Edwards Notation.
//!
//! Six fields: board, side to move, castling rights, en-passant square, halfmove clock and move number. The two numbers may be
//! missing, and only their form is checked. In their place or after them may be operations of Extended Position Description, of
//! which only the halfmove clock is read. `men.rs` makes the position from the fields.

use super::castling_field::CastlingField;
use super::legal::DoublePush;
use super::man::Man;
use super::men::BoardMen;
use super::placement::Position;
use super::square::{Square, Symmetry};
use crate::error::{Error, ErrorKind, Result, plural, quoted};
use crate::fen_board::{FenBoard, fields};
use crate::outcome::Color;
use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};

const BOARD: FenBoard = FenBoard { files: 8, ranks: 8, first_rank: 1, place: "square" };

fn bad(reason: impl AsRef<str>) -> Error {
    Error::new(ErrorKind::BadInput, format!("bad FEN: {}", reason.as_ref()))
}

/// A FEN of the right form, whose legality is not checked yet.
pub(crate) struct Fen<'a> {
    pub(crate) men: BoardMen,
    pub(crate) turn: Color,
    pub(crate) castling: CastlingField,
    pub(crate) passed: Option<Square>,
    /// Halfmove clock and move number: digits, where they are given.
    #[cfg_attr(
        not(any(feature = "moves", feature = "explain")),
        allow(dead_code, reason = "moves are counted from them")
    )]
    pub(crate) numbers: [Option<&'a str>; 2],
}

impl<'a> Fen<'a> {
    /// Reads the fields of a FEN.
    ///
    /// # Errors
    /// [`ErrorKind::BadInput`] if the form is wrong; those of [`CastlingField::read`].
    pub(crate) fn parse(text: &'a str) -> Result<Self> {
        let mut rest = fields(text);
        let [board, turn, castling, en_passant] = core::array::from_fn(|_| rest.next().unwrap_or_default());
        if en_passant.is_empty() {
            let count = fields(text).count();
            return Err(bad(format!("{count} field{}, not 4 to 6", plural(count))));
        }
        let mut men = BoardMen::default();
        BOARD
            .read(board, Man::from_fen, |file, rank, man| men.add(man, Square::at(file, rank)))
            .ok_or_else(|| bad(BOARD.fault(board, |letter| Man::from_fen(letter).is_some())))?;
        let turn = match turn {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(bad(format!("the side to move is {}, not 'w' or 'b'", quoted(turn)))),
        };
        check_castling(castling)?;
        let passed = read_en_passant(en_passant)?;
        let has_operations = rest.clone().last().is_some_and(|field| field.ends_with(';'));
        let numbers = read_numbers(rest, has_operations)?;
        let castling = CastlingField::read(&men, castling)?;
        Ok(Fen { men, turn, castling, passed, numbers })
    }

    /// The position, as [`Position::from_fen`] returns it.
    pub(crate) fn position(self) -> Result<Position> {
        let rights = self.castling.ordinary().ok_or_else(|| {
            let why = "castling rights of Chess960: the tables have those of ordinary chess";
            Error::new(ErrorKind::UnsupportedPosition, why)
        })?;
        Position::of_men(self.men, self.turn, self.passed, rights).map_err(|error| match error.kind() {
            ErrorKind::BadInput => error.context("bad FEN"),
            _ => error,
        })
    }
}

impl Position {
    /// Reads a position in Forsyth-Edwards Notation, in the orientation of its material, identical men sorted. The
    /// position is legal; it need not be canonical. Fields may be separated by underscores, and operations of Extended Position
    /// Description (`bm Kd4;`) may follow the fourth field or the numbers.
    ///
    /// # Errors
    /// - [`ErrorKind::BadInput`]: the text has another form, or a side has not exactly one king;
    /// - [`ErrorKind::UnsupportedPosition`]: castling rights of Chess960 (the king not on the e-file, or the rook not in its
    ///   corner), or more than [`MAX_MEN`](super::MAX_MEN) men;
    /// - [`ErrorKind::IllegalPosition`]: see [`Position::check_legal`]; or an en-passant square that no double push can
    ///   have passed.
    ///
    /// # Example
    /// ```
    /// use cubebase::{Color, Position};
    ///
    /// let position = Position::from_fen("8/8/8/8/8/1q6/8/k1K5 b - - 0 1")?;
    /// assert_eq!(position.material().to_string(), "KQvK");
    /// assert_eq!(position.turn(), Color::White);
    /// assert_eq!(position.to_fen(), "K1k5/8/1Q6/8/8/8/8/8 w - - 0 1");
    /// # Ok::<(), cubebase::Error>(())
    /// ```
    pub fn from_fen(text: &str) -> Result<Self> {
        Fen::parse(text)?.position()
    }

    /// Returns the position in Forsyth-Edwards Notation, with halfmove clock 0 and move number 1.
    pub fn to_fen(&self) -> String {
        self.fen_of_colors(false)
    }

    /// [`Position::to_fen`]; if `is_exchanged`, of the position with ranks mirrored and colours exchanged.
    pub(crate) fn fen_of_colors(&self, is_exchanged: bool) -> String {
        let symmetry = if is_exchanged { Symmetry::MIRROR_RANKS } else { Symmetry::IDENTITY };
        let color = |color: Color| if is_exchanged { color.other() } else { color };
        let man_on = |on: Square| {
            let (man, _) = self.placed().find(|&(_, square)| symmetry.apply(square) == on)?;
            Some(Man { color: color(man.color), ..man }.fen())
        };
        let board = BOARD.write(|file, rank| man_on(Square::at(file, rank)));
        let turn = color(self.turn());
        let passed = self.en_passant().map(|file| DoublePush::new(turn.other(), file).passed);
        let turn = if turn == Color::White { 'w' } else { 'b' };
        let castling = if is_exchanged { self.castling().exchanged() } else { self.castling() };
        let passed = passed.map_or_else(|| "-".to_owned(), |square| square.to_string());
        format!("{board} {turn} {castling} {passed} 0 1")
    }
}

fn check_castling(field: &str) -> Result<()> {
    let is_right = |letter: char| matches!(letter.to_ascii_uppercase(), 'K' | 'Q' | 'A'..='H');
    if field == "-" || field.chars().all(is_right) {
        return Ok(());
    }
    Err(bad(format!("the castling rights are {}, not '-' or letters of KQkq", quoted(field))))
}

fn read_en_passant(field: &str) -> Result<Option<Square>> {
    let wrong = || bad(format!("the en-passant square is {}, not '-' or a square", quoted(field)));
    if field == "-" { Ok(None) } else { Square::parse(field).ok_or_else(wrong).map(Some) }
}

/// Reads the fields after the fourth: halfmove clock and move number, then operations of EPD if there are any.
fn read_numbers<'a>(
    rest: impl Iterator<Item = &'a str>,
    has_operations: bool,
) -> Result<[Option<&'a str>; 2]> {
    const NAMES: [&str; 2] = ["halfmove clock", "move number"];
    let is_number = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
    let wrong = |name, field| Err(bad(format!("the {name} is {}, not a number", quoted(field))));
    let (mut rest, mut numbers) = (rest.peekable(), [None; 2]);
    for (name, number) in NAMES.iter().zip(&mut numbers) {
        *number = rest.next_if(is_number);
        match rest.peek() {
            Some(field) if number.is_none() && !has_operations => return wrong(name, field),
            _ => {}
        }
    }
    if !has_operations {
        return if rest.next().is_none() { Ok(numbers) } else { Err(bad("more than 6 fields")) };
    }
    if let Some(clock) = half_moves(rest) {
        if clock.is_empty() || !is_number(&clock) {
            return wrong(&NAMES[0], clock);
        }
        numbers[0] = Some(clock);
    }
    Ok(numbers)
}

/// The operand of the operation `hmvc` among operations that end with semicolons; "" if it has none. Texts in quotes are not searched.
fn half_moves<'a>(fields: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (mut opcode, mut is_quoted) = (None, false);
    for piece in fields.flat_map(|field| field.split_inclusive(';')) {
        is_quoted ^= piece.matches('"').count() % 2 == 1;
        let word = piece.trim_end_matches(';');
        match opcode {
            Some("hmvc") => return Some(word),
            None if !word.is_empty() => opcode = Some(word),
            _ => {}
        }
        if !is_quoted && piece.ends_with(';') {
            if opcode == Some("hmvc") {
                return Some("");
            }
            opcode = None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_of_epd_and_underscores_are_read() {
        let fen = "8/8/8/4k3/8/3K4/4P3/8 w - -";
        let expected = Position::from_fen(fen).unwrap();
        for (more, numbers) in [
            (" bm Kd4 Kc4; id \"a; b\";", [None, None]),
            (" hmvc 7; fmvn 9;", [Some("7"), None]),
            (" 3 40 acd 5; hmvc 12;", [Some("12"), Some("40")]),
            (" 3 bm e4; ", [Some("3"), None]),
            (" c0 \"hmvc 99 plies; hmvc 98;\"; hmvc 7;fmvn 9;", [Some("7"), None]),
            (" acd hmvc; id \"x\";hmvc 5 ;", [Some("5"), None]),
            (" 3 40", [Some("3"), Some("40")]),
        ] {
            let text = format!("{fen}{more}");
            for text in [text.replace(' ', "_"), text] {
                assert_eq!(Fen::parse(&text).unwrap().numbers, numbers, "{text}");
                assert_eq!(Position::from_fen(&text).unwrap(), expected, "{text}");
            }
        }
    }

    #[test]
    fn en_passant_needs_a_legal_capture() {
        // No pawn beside; a capture that uncovers a check along the rank; one by a pinned pawn.
        for fen in [
            "k7/8/8/8/4P3/8/6p1/K7 b - e3 0 1",
            "8/8/8/8/k2pP2R/8/8/K7 b - e3 0 1",
            "3k4/8/8/8/3pP3/8/8/K2R4 b - e3 0 1",
        ] {
            assert_eq!(Position::from_fen(fen).unwrap().en_passant(), None, "{fen}");
        }
    }

    #[test]
    fn errors_name_what_is_wrong() {
        for (fen, message) in [
            ("", "bad FEN: 0 fields, not 4 to 6"),
            ("nonsense", "bad FEN: 1 field, not 4 to 6"),
            ("8/8/8/8/8/8/8/K1k5 w - - 0 1 1", "bad FEN: more than 6 fields"),
            ("K1k5/8 w - -", "bad FEN: the board 'K1k5/8' has 2 ranks, not 8"),
            ("8/8/8/8/8/8/8/K1k6 w - -", "bad FEN: rank 1, 'K1k6', has more than 8 squares"),
            ("8/8/8/7/8/8/8/K1k5 w - -", "bad FEN: rank 5, '7', has 7 squares, not 8"),
            ("8/8/8/1/8/8/8/K1k5 w - -", "bad FEN: rank 5, '1', has 1 square, not 8"),
            ("8/8/8/44/8/8/8/K1k5 w - -", "bad FEN: rank 5, '44', has two numbers side by side"),
            ("8/8/8/8/8/8/8/KXk5 w - -", "bad FEN: rank 1, 'KXk5', holds 'X', which is no man"),
            ("8/8/8/8/8/8/8/K1k5 white - -", "bad FEN: the side to move is 'white', not 'w' or 'b'"),
            ("8/8/8/8/8/8/8/K1K5 w - -", "bad FEN: white has 2 kings, not one"),
            ("8/8/8/8/8/8/8/K1k5 w x -", "bad FEN: the castling rights are 'x', not '-' or letters of KQkq"),
            ("8/8/8/8/8/8/8/K1k5 w - e9", "bad FEN: the en-passant square is 'e9', not '-' or a square"),
            ("8/8/8/8/8/8/8/K1k5 w - - x", "bad FEN: the halfmove clock is 'x', not a number"),
            ("8/8/8/8/8/8/8/K1k5 w - - 0 -1", "bad FEN: the move number is '-1', not a number"),
            ("8/8/8/8/8/8/8/K1k5 w - - bm Kb2", "bad FEN: the halfmove clock is 'bm', not a number"),
            ("8/8/8/8/8/8/8/K1k5 w - - hmvc ;", "bad FEN: the halfmove clock is '', not a number"),
            ("8/8/8/8/8/8/8/K1k5 w - - hmvc x;", "bad FEN: the halfmove clock is 'x', not a number"),
            (
                "4k3/8/8/8/8/8/8/4K1R1 w G -",
                "castling rights of Chess960: the tables have those of ordinary chess",
            ),
            (
                "4k3/8/8/8/8/8/8/4K2R w Q -",
                "illegal position: white has no rook in place for castling right 'Q': write '-'",
            ),
            ("qqqqqqqk/8/8/8/8/8/8/K7 w - -", "9 men, more than 8"),
            ("8/8/8/8/8/8/8/Kk6 w - -", "illegal position: the kings are adjacent"),
            ("8/8/8/8/8/8/8/K1k4P w - -", "illegal position: a pawn on h1"),
            ("8/8/8/8/8/8/8/K1k4p w - -", "illegal position: a pawn on h1"),
            ("8/8/8/8/8/8/8/K1k4R w - -", "illegal position: black is in check, and white is to move"),
            ("8/8/8/8/8/8/2k5/K6r b - -", "illegal position: white is in check, and black is to move"),
            (
                "k7/8/8/8/3pP3/8/8/K7 b - e6",
                "illegal position: en passant on e6, which no double push of the opponent passes",
            ),
            ("k7/8/8/8/3p4/8/8/K7 b - e3", "illegal position: en passant without a pawn on e4 to capture"),
            (
                "k7/8/8/8/3pP3/8/4p3/K7 b - e3",
                "illegal position: en passant although e2, behind the pawn, is not empty",
            ),
            (
                "8/8/8/8/3pP3/5k2/8/K7 b - e3",
                "illegal position: en passant although black would have been in check before the push",
            ),
        ] {
            let error = Position::from_fen(fen).unwrap_err();
            let kind = match message.split(": ").next() {
                Some("bad FEN") => ErrorKind::BadInput,
                Some("illegal position") => ErrorKind::IllegalPosition,
                _ => ErrorKind::UnsupportedPosition,
            };
            assert_eq!((error.kind(), error.to_string().as_str()), (kind, message), "{fen}");
        }
    }

    #[test]
    fn long_fields_are_cut_in_messages() {
        let error = Position::from_fen(&format!("{} w - -", "x\u{7}".repeat(1000))).unwrap_err();
        assert!(error.to_string().len() < 120, "{error}");
        assert!(!error.to_string().contains('\u{7}'));
    }
}
