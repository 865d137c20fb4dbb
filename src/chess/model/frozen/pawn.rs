//! Pawns: the path to the promotion square, races to it, and obstacles.

use super::contact::standing;
use super::family::{Arity, Family, MenNumbers, are_rivals, is_pawn};
use super::measure::{SIGNED, count, difference, distance, hops, signed};
use super::view::View;
use crate::chess::position::{Bitboard, Color, Man, Role, Square, attacks};

pub(in crate::chess::model) const FAMILIES: [Family; 16] = [
    Family::new("race", SIGNED, 3, Arity::Ordered(king_and_pawn), race),
    Family::new("goal", 8, 3, Arity::Ordered(king_and_pawn), |view, [k, p, _]| {
        distance(view.square(k), PromotionPath::of(view, p).goal)
    }),
    Family::new("goal_lead", SIGNED, 6, Arity::Man(is_pawn), |view, [p, ..]| {
        kings_lead(view, PromotionPath::of(view, p).goal)
    }),
    Family::new("front_lead", SIGNED, 6, Arity::Man(is_pawn), |view, [p, ..]| {
        kings_lead(view, PromotionPath::of(view, p).front)
    }),
    Family::new("front", 5, 28, Arity::Man(is_pawn), front),
    Family::new("clear", 7, 13, Arity::Man(is_pawn), |view, [p, ..]| open(view, p, view.occupied())),
    Family::new("free", 7, 20, Arity::Man(is_pawn), |view, [p, ..]| {
        open(view, p, view.occupied() | view.danger(p))
    }),
    Family::new("path_attacked", 7, 20, Arity::Man(is_pawn), |view, [p, ..]| {
        count(PromotionPath::of(view, p).path & view.danger(p), 6)
    }),
    Family::new("path_guarded", 7, 20, Arity::Man(is_pawn), |view, [p, ..]| {
        count(PromotionPath::of(view, p).path & view.guard(p), 6)
    }),
    Family::new("path_taken", 3, 4, Arity::Man(is_pawn), |view, [p, ..]| {
        count(PromotionPath::of(view, p).path & view.occupied(), 2)
    }),
    Family::new("goal_standing", 4, 30, Arity::Man(is_pawn), |view, [p, ..]| {
        standing(view, p, PromotionPath::of(view, p).goal)
    }),
    Family::new("in_time", SIGNED, 18, Arity::Ordered(leaper_and_pawn), in_time),
    Family::new("on_path", 2, 3, Arity::Ordered(|_, b| is_pawn(b)), on_path),
    Family::new(
        "crown",
        2,
        15,
        Arity::Ordered(|a, b| is_pawn(a) && a.color != b.color),
        |view, [p, b, _]| crowned(view, p, view.square(b)),
    ),
    Family::new("crown_goal", 2, 13, Arity::Ordered(are_rivals), |view, [a, b, _]| {
        crowned(view, a, PromotionPath::of(view, b).goal)
    }),
    Family::new("wrong", 2, 2, Arity::Ordered(bishop_and_own_pawn), wrong),
];

/// The path of a pawn to its promotion square.
pub(in crate::chess::model) struct PromotionPath {
    /// The promotion square.
    pub(in crate::chess::model) goal: Square,
    /// The next square.
    pub(in crate::chess::model) front: Square,
    /// All squares ahead of the pawn on its file, the promotion square included.
    pub(in crate::chess::model) path: Bitboard,
    /// The number of moves to the promotion square; a double step is one move.
    pub(in crate::chess::model) steps: u8,
}

impl PromotionPath {
    /// The path of pawn number `pawn`. A pawn on the last rank, where no legal position has one, is on its promotion square.
    #[inline]
    pub(in crate::chess::model) fn of(view: &View<'_>, pawn: usize) -> Self {
        let square = view.square(pawn);
        let (file, rank) = (square.file(), square.rank());
        let column = 0x0101_0101_0101_0101 << file;
        let (last, left, front, path) = match view.man(pawn).color {
            Color::White => (7, 7 - rank, (rank + 1).min(7), column & !(square.bit() | (square.bit() - 1))),
            Color::Black => (0, rank, rank.saturating_sub(1), column & (square.bit() - 1)),
        };
        PromotionPath {
            goal: Square::at(file, last),
            front: Square::at(file, front),
            path: Bitboard(path),
            steps: left.min(5),
        }
    }

    /// The squares of the path in order, each with the number of ranks to it.
    pub(in crate::chess::model) fn squares(
        view: &View<'_>,
        pawn: usize,
    ) -> impl Iterator<Item = (u8, Square)> {
        let square = view.square(pawn);
        let color = view.man(pawn).color;
        let left = if color == Color::White { 7 - square.rank() } else { square.rank() };
        (1..=left).map(move |ranks| {
            let rank = if color == Color::White { square.rank() + ranks } else { square.rank() - ranks };
            (ranks, Square::at(square.file(), rank))
        })
    }
}

fn king_and_pawn(a: Man, b: Man) -> bool {
    a.role == Role::King && is_pawn(b)
}

fn leaper_and_pawn(a: Man, b: Man) -> bool {
    matches!(a.role, Role::King | Role::Knight) && is_pawn(b)
}

fn bishop_and_own_pawn(a: Man, b: Man) -> bool {
    a.role == Role::Bishop && is_pawn(b) && a.color == b.color
}

/// The king's distance to the promotion square, less the pawn's moves to it.
fn race(view: &View<'_>, [k, p, _]: MenNumbers) -> u8 {
    let path = PromotionPath::of(view, p);
    difference(distance(view.square(k), path.goal), path.steps)
}

/// The number of moves by which a king or knight is late to meet the pawn. For a square, this is the man's moves less the pawn's
/// ranks to it. The least number counts, over the pawn's own square and its path.
fn in_time(view: &View<'_>, [a, p, _]: MenNumbers) -> u8 {
    let is_king = view.man(a).role == Role::King;
    let moves = |to| if is_king { distance(view.square(a), to) } else { hops(view.square(a), to) };
    let late = |(ranks, square)| i32::from(moves(square)) - i32::from(ranks);
    let path = PromotionPath::squares(view, p).map(|step: (u8, _)| late(step));
    signed(path.fold(late((0, view.square(p))), i32::min))
}

/// The white king's distance to `square` less the black king's.
fn kings_lead(view: &View<'_>, square: Square) -> u8 {
    difference(distance(view.square(0), square), distance(view.square(1), square))
}

/// 0 if the square ahead of the pawn is occupied, otherwise 1 plus the [`standing`] of this square.
fn front(view: &View<'_>, [p, ..]: MenNumbers) -> u8 {
    let front = PromotionPath::of(view, p).front;
    if view.occupied().contains(front) { 0 } else { 1 + standing(view, p, front) }
}

/// The number of squares on the pawn's path before the first `barred` one, at most 6.
fn open(view: &View<'_>, p: usize, barred: Bitboard) -> u8 {
    PromotionPath::squares(view, p).take_while(|&(_, square)| !barred.contains(square)).count().min(6) as u8
}

/// Whether the first man is on the pawn's path.
fn on_path(view: &View<'_>, [a, p, _]: MenNumbers) -> u8 {
    u8::from(PromotionPath::of(view, p).path.contains(view.square(a)))
}

/// Whether a queen on the promotion square of man number `pawn` attacks `square`, with the pawn lifted.
fn crowned(view: &View<'_>, pawn: usize, square: Square) -> u8 {
    u8::from(attacks::queen(PromotionPath::of(view, pawn).goal, view.lifted(pawn)).contains(square))
}

/// Whether the bishop is of the wrong colour: the pawn is on file a or h, and the bishop does not attack squares of the
/// colour of the promotion square.
fn wrong(view: &View<'_>, [b, p, _]: MenNumbers) -> u8 {
    let (bishop, goal) = (view.square(b), PromotionPath::of(view, p).goal);
    let same_colour = (bishop.file() ^ bishop.rank() ^ goal.file() ^ goal.rank()) & 1 == 0;
    u8::from(matches!(goal.file(), 0 | 7) && !same_colour)
}
