//! Un-moves: the legal positions from which a move that keeps the material leads to a given one.
//!
//! The predecessor function of retrograde analysis (Wu & Beal, section 2.2). A man slides or leaps back to an empty
//! square; nothing is un-captured, un-promoted or un-castled, since conversions are looked up forward instead. What
//! distinguishes chess from the paper's game is en passant:
//! - a position with an en-passant file can only come from that double push;
//! - one without can come from a double push only if no legal en-passant capture answered it;
//! - wherever a man comes back to, the position before may have had an en-passant file of its own, unused.
//!
//! Forward moves and un-moves are tested against each other on every small table; they are written independently.

use super::moves::{ahead, double_push_origin, moved, promotion_rank, squares};
use crate::position::{Color, DoublePush, Man, Position, Role, Square, attacks};

/// Hands every legal predecessor of the legal position `position` by a move without capture or promotion to `visit`,
/// each once.
///
/// The men of a group are not sorted in the positions given. Deterministic; allocates nothing.
///
/// # Example
/// ```
/// use cubebase::position::{Color, Position, Square};
/// use cubebase::retrograde::unmoves;
///
/// let squares = ["a1", "c1", "e4"].map(|name| Square::parse(name).unwrap());
/// let position = Position::new("KPvK".parse()?, &squares, Color::Black, None);
/// let mut pawns = Vec::new();
/// unmoves::unmoves(&position, |before| pawns.push(before.squares()[2].to_string()));
/// pawns.retain(|square| square != "e4");
/// assert_eq!(pawns, ["e3", "e2"]);
/// # Ok::<(), cubebase::Error>(())
/// ```
#[inline]
pub fn unmoves(position: &Position, mut visit: impl FnMut(Position)) {
    let color = position.turn().other();
    if let Some(file) = position.en_passant() {
        let push = DoublePush::new(color, file);
        let pawn = Man::new(color, Role::Pawn);
        if let Some(number) = position.placed().position(|placed| placed == (pawn, push.target)) {
            legal(moved(position, number, push.origin), &mut visit);
        }
        return;
    }
    let occupied = position.occupied();
    for (number, (man, from)) in position.placed().enumerate() {
        if man.color != color {
            continue;
        }
        if man.role != Role::Pawn {
            for origin in squares(attacks::attacks(man, from, occupied) & !occupied) {
                legal(moved(position, number, origin), &mut visit);
            }
            continue;
        }
        let Some(one) = behind(color, from).filter(|square| square.bit() & occupied == 0) else { continue };
        legal(moved(position, number, one), &mut visit);
        let Some(two) = behind(color, one) else { continue };
        if two.rank() == double_push_origin(color)
            && two.bit() & occupied == 0
            && position.en_passant_capturers(from.file()).next().is_none()
        {
            legal(moved(position, number, two), &mut visit);
        }
    }
}

/// The square from which a pawn of `color` comes to `square` by a single push; `None` when that is its first rank.
fn behind(color: Color, square: Square) -> Option<Square> {
    let square = ahead(color.other(), square);
    (square.rank() != promotion_rank(color.other())).then_some(square)
}

/// Visits `before`, a position whose men stand on different squares and whose pawns stand where pawns may, if the side
/// not to move is not in check; then it with each en-passant file that it can have.
#[inline]
fn legal(before: Position, visit: &mut impl FnMut(Position)) {
    let waiting = before.turn().other();
    if before.in_check(waiting) {
        return;
    }
    visit(before);
    if !before.material().has_en_passant() {
        return;
    }
    let pawn = Man::new(waiting, Role::Pawn);
    for (man, square) in before.placed() {
        if man == pawn && square == DoublePush::new(waiting, square.file()).target {
            let with = before.with_en_passant(Some(square.file()));
            if with.is_legal() {
                visit(with);
            }
        }
    }
}
