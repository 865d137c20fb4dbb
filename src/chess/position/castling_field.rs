//! The castling field of a FEN, of Chess960 too.

use super::castling::{CastlingRights, KINGS, ROOKS};
use super::man::{Man, Role};
use super::men::BoardMen;
use super::square::Square;
use crate::error::{Error, ErrorKind, Result};
use crate::outcome::Color;
use alloc::string::String;

/// For each bit of [`CastlingRights`], the files of the king and the rook. Chess960 allows other files than e, a and h.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CastlingField(pub(crate) [Option<[u8; 2]>; 4]);

impl CastlingField {
    /// Reads the field: the letters `KQkq` stand for the outermost rooks, other letters for the files of rooks.
    ///
    /// # Errors
    /// [`ErrorKind::IllegalPosition`] if a right lacks its king or its rook; [`ErrorKind::BadInput`] for two rights on one
    /// side of a king.
    pub(super) fn read(men: &BoardMen, field: &str) -> Result<Self> {
        let mut found = CastlingField::default();
        for letter in field.chars().filter(|&letter| letter != '-') {
            let color = color_of(letter);
            let [king, rook] = files_of(men, letter).map_err(|missing| {
                let kept: String = field.chars().filter(|&letter| files_of(men, letter).is_ok()).collect();
                let (side, kept) = (color.name(), if kept.is_empty() { "-" } else { &kept });
                let why = format!(
                    "illegal position: {side} has no {missing} in place for castling right '{letter}': write '{kept}'"
                );
                Error::new(ErrorKind::IllegalPosition, why)
            })?;
            let bit = 2 * color.index() + usize::from(rook < king);
            if found.0[bit].replace([king, rook]).is_some() {
                let why = format!("bad FEN: the castling rights are '{field}', two on one side of a king");
                return Err(Error::new(ErrorKind::BadInput, why));
            }
        }
        Ok(found)
    }

    /// The rights, if all are those of ordinary chess.
    pub(crate) fn ordinary(self) -> Option<CastlingRights> {
        let mut rights = CastlingRights::NONE;
        for (bit, files) in self.0.into_iter().enumerate() {
            match files {
                None => {}
                Some([king, rook]) if king == KINGS[0].file() && rook == ROOKS[bit].file() => {
                    rights = rights.union(CastlingRights::of(Color::BOTH[bit / 2], ROOKS[bit].file()));
                }
                Some(_) => return None,
            }
        }
        Some(rights)
    }
}

fn color_of(right: char) -> Color {
    if right.is_ascii_uppercase() { Color::White } else { Color::Black }
}

/// The files of the king and the rook for a right; an error with the name of the man that is not there.
fn files_of(men: &BoardMen, right: char) -> core::result::Result<[u8; 2], &'static str> {
    let color = color_of(right);
    let on_rank = |role| {
        let rank = KINGS[color.index()].rank();
        let squares = men.of(Man::new(color, role)).into_iter();
        squares.filter(move |square| square.rank() == rank).map(Square::file)
    };
    let king = on_rank(Role::King).next().filter(|king| (1..7).contains(king)).ok_or("king")?;
    // By ascending file.
    let mut rooks = on_rank(Role::Rook);
    let rook = match right.to_ascii_lowercase() {
        'k' => rooks.last().filter(|&rook| rook > king),
        'q' => rooks.next().filter(|&rook| rook < king),
        file => rooks.find(|&rook| rook == (file as u8).wrapping_sub(b'a')),
    };
    Ok([king, rook.ok_or("rook")?])
}
