//! The castling field of a FEN, of Chess960 too.

use super::castling::{CastlingRights, KINGS, ROOKS};
use super::man::{Man, Role};
use super::men::BoardMen;
use super::square::Square;
use crate::error::{Error, ErrorKind, Result};
use crate::outcome::Color;

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
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let on_rank = |role| {
                let rank = KINGS[color.index()].rank();
                men.of(Man::new(color, role))
                    .into_iter()
                    .filter(move |square| square.rank() == rank)
                    .map(Square::file)
            };
            let king = on_rank(Role::King).next().filter(|king| (1..7).contains(king));
            // By ascending file.
            let mut rooks = on_rank(Role::Rook);
            let rook = king.and_then(|king| match letter.to_ascii_lowercase() {
                'k' => rooks.last().filter(|&rook| rook > king),
                'q' => rooks.next().filter(|&rook| rook < king),
                file => rooks.find(|&rook| rook == (file as u8).wrapping_sub(b'a')),
            });
            let Some((king, rook)) = king.zip(rook) else {
                let why = format!(
                    "illegal position: castling right '{letter}' without the king and the rook for it"
                );
                return Err(Error::new(ErrorKind::IllegalPosition, why));
            };
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
