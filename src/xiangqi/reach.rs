//! The reach of a man, for all positions of a word at once.
//!
//! The positions of a word differ only in the black palace's men. So a point is occupied in all positions, in none, or in the
//! positions of a mask; a path is followed with the mask of the positions in which it is free. Targets are not tested: a move
//! onto a man of the same side leads to a slot without a position.

use super::frozen::palace::Palace;
use super::man::{Man, Role};
use super::point::{DIAGONALS, LINES, Point, Points};
use crate::outcome::Color;

/// The points that are occupied in some of the positions of a word.
pub(super) trait Occupied {
    /// The positions with a man on `point`.
    fn at(&self, point: Point) -> u128;
}

/// The men of a word: the `fixed` men, the same in all positions, and the black palace's.
pub(super) struct BlockPoints<'a> {
    pub(super) palace: &'a Palace,
    pub(super) fixed: Points,
}

impl Occupied for BlockPoints<'_> {
    #[inline]
    fn at(&self, point: Point) -> u128 {
        if self.fixed.contains(point) { u128::MAX } else { self.palace.occupied(point) }
    }
}

/// A single position: every mask is whole or empty.
impl Occupied for Points {
    #[inline]
    fn at(&self, point: Point) -> u128 {
        if self.contains(point) { u128::MAX } else { 0 }
    }
}

/// The reach of men on a board with these occupied points.
pub(super) struct Reach<O>(pub(super) O);

/// The legs and the targets of a horse on `from`: each jump goes over the leg, which must be empty.
pub(super) fn jumps(from: Point) -> impl Iterator<Item = (Point, Point)> {
    LINES
        .into_iter()
        .filter_map(move |(files, ranks)| Some((from.step(files, ranks)?, files, ranks)))
        .flat_map(|(leg, files, ranks)| {
            let sides = if files == 0 { [(1, ranks), (-1, ranks)] } else { [(files, 1), (files, -1)] };
            sides.into_iter().filter_map(move |(files, ranks)| Some((leg, leg.step(files, ranks)?)))
        })
}

impl<O: Occupied> Reach<O> {
    #[inline]
    fn occupied(&self, point: Point) -> u128 {
        self.0.at(point)
    }

    /// Calls `visit` with each point that `man` on `from` can move to without a capture, and the positions in which the way is
    /// free.
    #[inline]
    pub(super) fn quiet(&self, man: Man, from: Point, mut visit: impl FnMut(Point, u128)) {
        match man.role {
            Role::Gunner => self.lines(from, |to, open, _| visit(to, open)),
            Role::Soldier => soldier(man.color, from, false, |to| visit(to, u128::MAX)),
            _ => self.captures(man, from, visit),
        }
    }

    /// As [`Reach::quiet`], for the points from which `man` can have come to `from` without a capture.
    #[inline]
    pub(super) fn quiet_origins(&self, man: Man, from: Point, mut visit: impl FnMut(Point, u128)) {
        match man.role {
            Role::Horse => {
                for (_, to) in jumps(from) {
                    // The leg is beside `to`, from which the horse came.
                    let half =
                        |from: u8, to: u8| if from.abs_diff(to) == 2 { u8::midpoint(from, to) } else { to };
                    let leg = Point::at(half(from.file(), to.file()), half(from.rank(), to.rank()));
                    visit(to, !self.occupied(leg));
                }
            }
            Role::Soldier => soldier(man.color, from, true, |to| visit(to, u128::MAX)),
            _ => self.quiet(man, from, visit),
        }
    }

    /// Calls `visit` with each point on which `man` on `from` can capture, and the positions in which the way there is free. The
    /// captured man is not tested.
    #[inline]
    pub(super) fn captures(&self, man: Man, from: Point, mut visit: impl FnMut(Point, u128)) {
        let step = |(files, ranks): (i8, i8)| from.step(files, ranks).filter(|&to| man.points().contains(to));
        match man.role {
            Role::General => LINES.into_iter().filter_map(step).for_each(|to| visit(to, u128::MAX)),
            Role::Assistant => DIAGONALS.into_iter().filter_map(step).for_each(|to| visit(to, u128::MAX)),
            Role::Elephant => {
                for (files, ranks) in DIAGONALS {
                    if let (Some(eye), Some(to)) = (from.step(files, ranks), step((2 * files, 2 * ranks))) {
                        visit(to, !self.occupied(eye));
                    }
                }
            }
            Role::Horse => jumps(from).for_each(|(leg, to)| visit(to, !self.occupied(leg))),
            Role::Chariot => self.lines(from, |to, open, _| visit(to, open)),
            Role::Gunner => self.lines(from, |to, _, screened| visit(to, screened)),
            Role::Soldier => soldier(man.color, from, false, |to| visit(to, u128::MAX)),
        }
    }

    /// Calls `visit` with each point on the lines through `from`, the positions with no man between, and the positions with one
    /// man between.
    #[inline]
    pub(super) fn lines(&self, from: Point, mut visit: impl FnMut(Point, u128, u128)) {
        for (files, ranks) in LINES {
            let (mut open, mut screened) = (u128::MAX, 0);
            let mut at = from;
            while let Some(to) = at.step(files, ranks) {
                visit(to, open, screened);
                let occupied = self.occupied(to);
                screened = screened & !occupied | open & occupied;
                open &= !occupied;
                if open | screened == 0 {
                    break;
                }
                at = to;
            }
        }
    }
}

impl Reach<BlockPoints<'_>> {
    /// The positions in which the generals face each other.
    pub(super) fn facing(&self, red: Point) -> u128 {
        let (mut open, mut facing) = (u128::MAX, 0);
        let mut at = red;
        while let Some(to) = at.step(0, 1) {
            facing |= open & self.0.palace.generals[to.index()];
            open &= !self.occupied(to);
            at = to;
        }
        facing
    }
}

/// Calls `visit` with each point that a soldier on `from` can move to, or if `back`, can have come from.
#[inline]
fn soldier(color: Color, from: Point, back: bool, mut visit: impl FnMut(Point)) {
    let points = Points::soldiers(color);
    let ahead = if (color == Color::White) == back { -1 } else { 1 };
    let sideways = Points::beyond_river(color).contains(from);
    let steps = [(0, ahead), (1, 0), (-1, 0)].into_iter().take(if sideways { 3 } else { 1 });
    steps
        .filter_map(|(files, ranks)| from.step(files, ranks))
        .filter(|&to| points.contains(to))
        .for_each(&mut visit);
}
