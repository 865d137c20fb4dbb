//! Boards: any men of Chinese chess on points, check, and the legal moves.
//!
//! Moves are found point by point. Tests compare the generator's moves of whole words with them. There is no draw by stalemate:
//! a side without a legal move has lost.

use super::man::{Man, Role, color_name};
use super::point::{DIAGONALS, LINES, Point, Points};
use crate::error::{Error, ErrorKind, Result};
use crate::outcome::Color;
use core::fmt;

/// A move: the points that a man leaves and enters. It displays as in UCCI: `h2e2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The point that the man leaves.
    pub from: Point,
    /// The point that it enters; a man of the other side there is captured.
    pub to: Point,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", self.from, self.to))
    }
}

/// Men on the points of a board, and the side to move. It may be illegal: see [`Board::check_legal`].
///
/// # Example
/// ```
/// use cubebase::xiangqi::Board;
///
/// let board = Board::initial();
/// assert_eq!(board.legal_moves().len(), 44);
/// assert_eq!(board.perft(2), 1920);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    men: [Option<Man>; Point::COUNT],
    turn: Color,
}

impl Board {
    /// Returns a board without men, `turn` to move.
    pub const fn empty(turn: Color) -> Self {
        Board { men: [None; Point::COUNT], turn }
    }

    /// Returns the board on which a game begins.
    pub fn initial() -> Self {
        use Role::{Assistant, Chariot, Elephant, General, Gunner, Horse, Soldier};
        let mut board = Self::empty(Color::White);
        let back = [Chariot, Horse, Elephant, Assistant, General, Assistant, Elephant, Horse, Chariot];
        let places = (0..).zip(back).map(|(file, role)| (role, file, 0));
        let gunners = [1, 7].map(|file| (Gunner, file, 2));
        let soldiers = [0, 2, 4, 6, 8].map(|file| (Soldier, file, 3));
        for (role, file, rank) in places.chain(gunners).chain(soldiers) {
            let on = Point::at(file, rank);
            board.set(on, Some(Man::new(Color::White, role)));
            board.set(on.sides_exchanged(), Some(Man::new(Color::Black, role)));
        }
        board
    }

    /// The side to move.
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The man on a point.
    #[inline]
    pub const fn man(&self, on: Point) -> Option<Man> {
        self.men[on.index()]
    }

    /// Puts a man on a point, occupied or not; `None` empties the point.
    pub const fn set(&mut self, on: Point, man: Option<Man>) {
        self.men[on.index()] = man;
    }

    /// The men with their points, by ascending point.
    pub fn placed(&self) -> impl Iterator<Item = (Man, Point)> + '_ {
        Points::ALL.into_iter().filter_map(|on| self.man(on).map(|man| (man, on)))
    }

    /// The mirror image, left and right exchanged, which has the same value.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut image = Self::empty(self.turn);
        self.placed().for_each(|(man, on)| image.set(on.mirrored(), Some(man)));
        image
    }

    /// The board with the colours exchanged, the ranks reversed and the other side to move. It has the same value.
    #[must_use]
    pub fn colors_exchanged(&self) -> Self {
        let mut image = Self::empty(self.turn.other());
        for (man, on) in self.placed() {
            image.set(on.sides_exchanged(), Some(Man::new(man.color.other(), man.role)));
        }
        image
    }

    /// Checks that the board is legal: one general a side, no more other men than a game begins with, each man on one of its
    /// points, the generals not facing, the side not to move not in check.
    ///
    /// # Errors
    /// [`ErrorKind::IllegalPosition`]
    pub fn check_legal(&self) -> Result<()> {
        let illegal =
            |why: String| Err(Error::new(ErrorKind::IllegalPosition, format!("illegal position: {why}")));
        for man in Color::BOTH.into_iter().flat_map(|color| Role::ALL.map(|role| Man::new(color, role))) {
            let (color, role) = (color_name(man.color), man.role.name());
            let count = self.men.iter().filter(|&&other| other == Some(man)).count();
            if count > man.role.limit() {
                return illegal(format!("{color} has {count} {role}s, more than {}", man.role.limit()));
            }
            if man.role == Role::General && count == 0 {
                return illegal(format!("{color} has no general"));
            }
        }
        if let Some((man, on)) = self.placed().find(|(man, on)| !man.points().contains(*on)) {
            let (color, role) = (color_name(man.color), man.role.name());
            return illegal(format!("a {color} {role} cannot stand on {on}"));
        }
        if self.generals_face() {
            return illegal("the generals face each other".into());
        }
        let waiting = self.turn.other();
        if self.is_in_check(waiting) {
            let [waiting, turn] = [waiting, self.turn].map(color_name);
            return illegal(format!("{waiting} is in check, and {turn} is to move"));
        }
        Ok(())
    }

    fn general(&self, color: Color) -> Option<Point> {
        let general = Some(Man::new(color, Role::General));
        Points::palace(color).into_iter().find(|&on| self.man(on) == general)
    }

    /// Whether the generals stand on one file with no man between. No move may lead to this.
    pub fn generals_face(&self) -> bool {
        let [Some(red), Some(black)] = Color::BOTH.map(|color| self.general(color)) else { return false };
        red.file() == black.file() && ray(red, (0, 1)).find(|&on| self.man(on).is_some()) == Some(black)
    }

    /// Whether `color`'s general is attacked. Facing the other general is not an attack.
    pub fn is_in_check(&self, color: Color) -> bool {
        let Some(general) = self.general(color) else { return false };
        let is = |on: Option<Point>, role| {
            on.is_some_and(|on| self.man(on) == Some(Man::new(color.other(), role)))
        };
        let step = |(files, ranks)| general.step(files, ranks);
        let along_lines = LINES.into_iter().any(|line| {
            let mut men = ray(general, line).filter(|&on| self.man(on).is_some());
            is(men.next(), Role::Chariot) || is(men.next(), Role::Gunner)
        });
        // The leg of a horse that attacks is diagonally beside the general.
        let by_horse = |(files, ranks): (i8, i8)| {
            step((files, ranks)).is_some_and(|leg| self.man(leg).is_none())
                && [(2 * files, ranks), (files, 2 * ranks)]
                    .into_iter()
                    .any(|from| is(step(from), Role::Horse))
        };
        along_lines
            || DIAGONALS.into_iter().any(by_horse)
            || [(1, 0), (-1, 0), (0, forward(color))].into_iter().any(|from| is(step(from), Role::Soldier))
    }

    /// The legal moves of the side to move, sorted. Without any it has lost.
    ///
    /// For an illegal board, these are the moves that obey the rules of their men and leave their own general safe.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for (man, from) in self.placed().filter(|(man, _)| man.color == self.turn) {
            self.for_each_target(man, from, |to| {
                if self.man(to).is_none_or(|captured| captured.color != man.color) {
                    moves.push(Move { from, to });
                }
            });
        }
        let mut after = *self;
        moves.retain(|&Move { from, to }| {
            let [moved, captured] = [from, to].map(|on| self.man(on));
            after.set(from, None);
            after.set(to, moved);
            let is_legal = !after.is_in_check(self.turn) && !after.generals_face();
            after.set(from, moved);
            after.set(to, captured);
            is_legal
        });
        moves.sort_unstable();
        moves
    }

    /// Calls `found` for each point that `man` reaches from `from`, even if a man of its own side is there.
    fn for_each_target(&self, man: Man, from: Point, mut found: impl FnMut(Point)) {
        let mut step = |by: (i8, i8)| {
            if let Some(to) = from.step(by.0, by.1).filter(|&to| man.points().contains(to)) {
                found(to);
            }
        };
        let is_empty = |by: (i8, i8)| from.step(by.0, by.1).is_some_and(|on| self.man(on).is_none());
        match man.role {
            Role::General => LINES.into_iter().for_each(step),
            Role::Assistant => DIAGONALS.into_iter().for_each(step),
            Role::Elephant => {
                let open = DIAGONALS.into_iter().filter(|&eye| is_empty(eye));
                open.map(|(files, ranks)| (2 * files, 2 * ranks)).for_each(step);
            }
            Role::Horse => {
                for (files, ranks) in LINES.into_iter().filter(|&leg| is_empty(leg)) {
                    // Two steps along the line and one to either side.
                    let jump = |side| step((2 * files + side * ranks, 2 * ranks + side * files));
                    [-1, 1].into_iter().for_each(jump);
                }
            }
            Role::Soldier => {
                step((0, forward(man.color)));
                if Points::beyond_river(man.color).contains(from) {
                    [-1, 1].into_iter().for_each(|files| step((files, 0)));
                }
            }
            Role::Chariot | Role::Gunner => {
                for line in LINES {
                    let mut points = ray(from, line);
                    let first = points.by_ref().find(|&on| {
                        let is_man = self.man(on).is_some();
                        if !is_man || man.role == Role::Chariot {
                            found(on);
                        }
                        is_man
                    });
                    if man.role == Role::Gunner && first.is_some() {
                        points.find(|&on| self.man(on).is_some()).into_iter().for_each(&mut found);
                    }
                }
            }
        }
    }

    /// The board after a move, which is taken to be one of [`Board::legal_moves`].
    #[must_use]
    pub fn after(&self, Move { from, to }: Move) -> Self {
        let mut after = *self;
        after.set(to, self.man(from));
        after.set(from, None);
        after.turn = self.turn.other();
        after
    }

    /// Number of sequences of `depth` legal moves.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.legal_moves().len() as u64,
            _ => self.legal_moves().into_iter().map(|played| self.after(played).perft(depth - 1)).sum(),
        }
    }
}

/// The points after `from` in a direction, up to the rim.
fn ray(from: Point, (files, ranks): (i8, i8)) -> impl Iterator<Item = Point> {
    core::iter::successors(from.step(files, ranks), move |on| on.step(files, ranks))
}

/// The direction of `color`'s soldiers, in ranks.
const fn forward(color: Color) -> i8 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_move_with_and_without_check() {
        for (fen, is_check) in
            [("5k3/9/9/9/4r4/9/9/9/r8/3K5 w", false), ("5k3/9/9/9/3rr4/9/9/9/9/3K5 w", true)]
        {
            let board = Board::from_fen(fen).unwrap();
            assert_eq!((board.legal_moves().len(), board.is_in_check(Color::White)), (0, is_check), "{fen}");
        }
    }

    #[test]
    fn published_numbers_of_sequences() {
        // https://www.chessprogramming.org/Chinese_Chess_Perft_Results
        for (fen, numbers) in [
            (
                "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
                &[44, 1920, 79_666, 3_290_240][..],
            ),
            ("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w", &[38, 1128, 43_929]),
            ("1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w", &[7, 281, 8620, 326_201]),
            ("5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w", &[25, 424, 9850, 202_884]),
            ("CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w", &[28, 516, 14_808, 395_483]),
        ] {
            let board = Board::from_fen(fen).unwrap();
            for (depth, &number) in (1..).zip(numbers) {
                assert_eq!(board.perft(depth), number, "{fen}, depth {depth}");
            }
        }
    }
}
