//! A fast reader of FENs in the usual form, for lists of millions.
//!
//! Any other text is read by [`Position::from_fen`], which also has the error messages.

use crate::board::Board;
use crate::outcome::{number, ruled_number};
use cubebase::{Color, ErrorKind, Position, Tables};

/// The code of each character of a board: 16 plus colour and role for a man, the number of empty squares for a digit, 32 for
/// a slash, 0 for all others.
static CODES: [u8; 256] = codes();
const MAN: u8 = 16;
const SLASH: u8 = 32;

const fn codes() -> [u8; 256] {
    let mut codes = [0; 256];
    let (letters, mut role) = (*b"kqrbnp", 0);
    while role < letters.len() {
        codes[letters[role].to_ascii_uppercase() as usize] = MAN | role as u8;
        codes[letters[role] as usize] = MAN | 8 | role as u8;
        role += 1;
    }
    let mut digit = 1;
    while digit <= 8 {
        codes[b'0' as usize + digit] = digit as u8;
        digit += 1;
    }
    codes[b'/' as usize] = SLASH;
    codes
}

/// Returns the board of a FEN without castling rights, with four to six well-formed fields separated by single blanks; `None` for
/// any other text.
fn read(text: &[u8]) -> Option<Board> {
    let (mut colors, mut roles) = ([0; 2], [0; 6]);
    // The number of the next square: 8 ranks, from a8 on.
    let (mut rank, mut file) = (7_u32, 0_u32);
    let mut at = 0;
    loop {
        let letter = *text.get(at)?;
        at += 1;
        let code = CODES[usize::from(letter)];
        if code & MAN != 0 {
            let square = 1 << (8 * rank + (file & 7));
            colors[usize::from(code >> 3 & 1)] |= square;
            *roles.get_mut(usize::from(code & 7))? |= square;
            file += 1;
        } else if code == SLASH {
            if file != 8 || rank == 0 {
                return None;
            }
            (rank, file) = (rank - 1, 0);
        } else if code != 0 {
            // `Position::from_fen` refuses two adjacent digits.
            if text.get(at).is_some_and(u8::is_ascii_digit) {
                return None;
            }
            file += u32::from(code);
        } else if letter == b' ' && file == 8 && rank == 0 {
            break;
        } else {
            return None;
        }
        // A man on a ninth square would wrap to the first.
        if file > 8 {
            return None;
        }
    }
    let mut fields = text[at..].split(|&byte| byte == b' ');
    let turn = match fields.next()? {
        b"w" => Color::White,
        b"b" => Color::Black,
        _ => return None,
    };
    if fields.next()? != b"-" {
        return None;
    }
    let en_passant = match *fields.next()? {
        [b'-'] => None,
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(8 * (rank - b'1') + file - b'a'),
        _ => return None,
    };
    let are_numbers =
        fields.by_ref().take(2).all(|field| !field.is_empty() && field.iter().all(u8::is_ascii_digit));
    let is_whole = are_numbers && fields.next().is_none();
    is_whole.then_some(Board { colors, roles, en_passant, turn, castling: 0 })
}

/// Like [`read`], with any white space between the fields.
fn board_of(text: &str) -> Option<Board> {
    let spaced = || text.split_whitespace().collect::<Vec<_>>().join(" ");
    read(text.as_bytes()).or_else(|| read(spaced().as_bytes()))
}

/// [`Board::probe`] of a position given as FEN text.
pub fn probe_fen(text: &str, tables: &Tables, can_be_cursed: bool) -> cubebase::Result<i8> {
    if let Some(board) = board_of(text) {
        return board.probe(tables, can_be_cursed);
    }
    let position = with_rights(text)?;
    let outcome = tables.probe_unchecked(&position)?;
    if can_be_cursed { ruled_number(outcome, &position, tables) } else { Ok(number(outcome)) }
}

/// The position of a FEN that [`board_of`] does not read.
///
/// # Errors
/// Those of [`position_of_fen`].
fn with_rights(text: &str) -> cubebase::Result<Position> {
    Position::from_fen(text).map_err(|error| {
        let mut fields: Vec<&str> = text.split_whitespace().collect();
        if error.kind() != ErrorKind::BadInput || fields.len() < 3 {
            return error;
        }
        // A board that can be read without its rights, but is not legal, lacks a king.
        fields[2] = "-";
        let board = board_of(&fields.join(" "));
        board.and_then(|board| board.position().err()).unwrap_or(error)
    })
}

/// The position of a FEN.
///
/// # Errors
/// Those of [`Position::from_fen`]; but a board without one king a side is an illegal position, as in [`Board::position`].
pub fn position_of_fen(text: &str) -> cubebase::Result<Position> {
    match board_of(text) {
        Some(board) => board.position(),
        None => with_rights(text),
    }
}

/// The side to move of a FEN; White if it has none.
pub fn turn_of_fen(text: &str) -> Color {
    let mut fields = text
        .split(|between: char| between.is_whitespace() || between == '_')
        .filter(|field| !field.is_empty());
    if fields.nth(1) == Some("b") { Color::Black } else { Color::White }
}
