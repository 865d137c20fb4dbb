//! Legal moves that keep the material: what retrograde passes walk along.
//!
//! A move is given by the position that it leads to. Captures and promotions leave the table and are the business of
//! [`super::conversions`]. There is no castling: positions with castling rights are not in any table.
//!
//! Legality is tested move by move, by asking whether the mover's king is attacked on the new board; with the few men
//! of an endgame table this costs less than finding pins first. Nothing is allocated: moves are handed to a visitor,
//! which may stop the enumeration by breaking ([`ControlFlow`]), as a search for a refutation does.

use crate::position::{Color, Man, Position, Role, Square, attacks};
use std::ops::ControlFlow;

/// The rank, 0 to 7, on which `color`'s pawns promote.
pub(super) const fn promotion_rank(color: Color) -> u8 {
    match color {
        Color::White => 7,
        Color::Black => 0,
    }
}

/// The rank, 0 to 7, from which `color`'s pawns may advance two ranks.
pub(super) const fn double_push_origin(color: Color) -> u8 {
    match color {
        Color::White => 1,
        Color::Black => 6,
    }
}

/// The square one rank ahead of `square` as `color`'s pawns go. There is none ahead of the promotion rank, where the
/// answer has no meaning.
pub(super) const fn ahead(color: Color, square: Square) -> Square {
    match color {
        Color::White => Square::at(square.file(), square.rank().wrapping_add(1)),
        Color::Black => Square::at(square.file(), square.rank().wrapping_sub(1)),
    }
}

/// The squares of a bitboard, ascending.
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let next = (set != 0).then(|| Square::new(set.trailing_zeros() as u8));
        set &= set.wrapping_sub(1);
        next
    })
}

/// Returns `position` after its man number `man` has gone to `to`: the other side to move, no en-passant file.
pub(super) fn moved(position: &Position, man: usize, to: Square) -> Position {
    let mut child = Position::new(*position.material(), position.squares(), position.turn().other(), None);
    child.squares_mut()[man] = to;
    child
}

/// Hands every legal position that a move without capture or promotion leads to from the legal position `position` to
/// `visit`, in the order of the men and then of the target squares, until it breaks.
///
/// A double push gives a position with an en-passant file exactly when a legal en-passant capture answers it. The men
/// of a group are not sorted in the positions given. Deterministic; allocates nothing.
///
/// # Example
/// ```
/// use cubebase::position::{Color, Position, Square};
/// use cubebase::retrograde::moves;
/// use std::ops::ControlFlow;
///
/// let squares = ["a1", "c2"].map(|name| Square::parse(name).unwrap());
/// let position = Position::new("KvK".parse()?, &squares, Color::White, None);
/// let mut children = Vec::new();
/// let _ = moves::quiet(&position, |child| {
///     children.push(child.king(Color::White));
///     ControlFlow::<()>::Continue(())
/// });
/// assert_eq!(children, [Square::parse("a2").unwrap()]);
/// # Ok::<(), cubebase::Error>(())
/// ```
#[inline]
pub fn quiet<B>(position: &Position, mut visit: impl FnMut(Position) -> ControlFlow<B>) -> ControlFlow<B> {
    let color = position.turn();
    let occupied = position.occupied();
    for (number, (man, from)) in position.placed().enumerate() {
        if man.color != color {
            continue;
        }
        for to in squares(targets(man, from, occupied)) {
            let child = moved(position, number, to);
            let after = occupied & !from.bit() | to.bit();
            if child.is_attacked(child.king(color), color.other(), after) {
                continue;
            }
            let double = man.role == Role::Pawn && from.rank().abs_diff(to.rank()) == 2;
            visit(if double { child.with_double_push(from.file()) } else { child })?;
        }
    }
    ControlFlow::Continue(())
}

/// The empty squares that `man` on `from` may go to without promoting, its king's safety apart.
fn targets(man: Man, from: Square, occupied: u64) -> u64 {
    if man.role != Role::Pawn {
        return attacks::attacks(man, from, occupied) & !occupied;
    }
    let one = ahead(man.color, from);
    if one.rank() == promotion_rank(man.color) || one.bit() & occupied != 0 {
        return 0;
    }
    let two = if from.rank() == double_push_origin(man.color) { ahead(man.color, one).bit() } else { 0 };
    one.bit() | two & !occupied
}
