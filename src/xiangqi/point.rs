//! Points of the board, numbered a0 = 0, b0 = 1, ... i9 = 89, and sets of them.
//!
//! Names are those of UCCI: files a to i from Red's left, ranks 0 to 9 from Red's side. The river runs between ranks 4 and 5.

use crate::bit_set::bit_set;
use crate::outcome::Color;
use core::fmt;

/// Number of files.
pub const FILES: u8 = 9;
/// Number of ranks.
pub const RANKS: u8 = 10;

/// Steps along lines: right, up, left, down, as files and ranks.
pub(super) const LINES: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
/// Diagonal steps.
pub(super) const DIAGONALS: [(i8, i8); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

/// A point of the board: rank times nine plus file, a0 = 0 and i9 = 89.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Point(u8);

impl Point {
    /// Number of points.
    pub const COUNT: usize = FILES as usize * RANKS as usize;

    /// Returns the point numbered `index`.
    ///
    /// # Panics
    /// When `index` is not below [`Point::COUNT`].
    #[inline]
    pub const fn new(index: u8) -> Self {
        assert!(index < FILES * RANKS, "a number of a point");
        Point(index)
    }

    /// Returns the point on `file`, 0 to 8, and `rank`, 0 to 9.
    ///
    /// # Panics
    /// When there is no such file or rank.
    #[inline]
    pub const fn at(file: u8, rank: u8) -> Self {
        assert!(file < FILES && rank < RANKS, "a file and a rank of the board");
        Point(rank * FILES + file)
    }

    /// The number of the point, 0 to 89.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file, a = 0 to i = 8.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 % FILES
    }

    /// The rank, 0 on Red's side to 9.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / FILES
    }

    /// The mirror image, left and right exchanged: the symmetry of the game.
    #[must_use]
    #[inline]
    pub const fn mirrored(self) -> Self {
        Self::at(FILES - 1 - self.file(), self.rank())
    }

    /// The image under an exchange of the two sides of the board: rank 0 becomes rank 9, files stay.
    #[must_use]
    #[inline]
    pub const fn sides_exchanged(self) -> Self {
        Self::at(self.file(), RANKS - 1 - self.rank())
    }

    /// The point `files` to the right and `ranks` up; `None` off the board.
    #[inline]
    pub const fn step(self, files: i8, ranks: i8) -> Option<Self> {
        // Below zero wraps to beyond the board.
        let file = self.file().wrapping_add_signed(files);
        let rank = self.rank().wrapping_add_signed(ranks);
        if file < FILES && rank < RANKS { Some(Self::at(file, rank)) } else { None }
    }

    /// Reads the name of a point, `a0` to `i9`.
    pub fn parse(text: &str) -> Option<Self> {
        match text.as_bytes() {
            &[file @ b'a'..=b'i', rank @ b'0'..=b'9'] => Some(Self::at(file - b'a', rank - b'0')),
            _ => None,
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank())
    }
}

/// A set of points: bit [`Point::index`] stands for the point, bits 90 to 127 are 0.
///
/// # Example
/// ```
/// use cubebase::position::Color;
/// use cubebase::xiangqi::{Point, Points};
///
/// let e2 = Point::parse("e2").unwrap();
/// let shared = Points::palace(Color::White) & Points::elephants(Color::White);
/// assert_eq!(shared.into_iter().collect::<Vec<_>>(), [e2]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Points(pub u128);

impl Points {
    /// No point.
    pub const EMPTY: Points = Points(0);
    /// All points.
    pub const ALL: Points = Points((1 << Point::COUNT) - 1);

    /// The nine points of `color`'s palace, where its general stays.
    pub const fn palace(color: Color) -> Self {
        const RED: Points = Points::rectangle(3, 5, 0, 2);
        RED.of_side(color)
    }

    /// The five points of `color`'s assistants.
    pub const fn assistants(color: Color) -> Self {
        const RED: Points = Points::of(&[(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)]);
        RED.of_side(color)
    }

    /// The seven points of `color`'s elephants.
    pub const fn elephants(color: Color) -> Self {
        const RED: Points = Points::of(&[(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)]);
        RED.of_side(color)
    }

    /// The 45 points beyond the river for `color`: the other side's half.
    pub const fn beyond_river(color: Color) -> Self {
        const RED: Points = Points::rectangle(0, FILES - 1, RANKS / 2, RANKS - 1);
        RED.of_side(color)
    }

    /// The 55 points of `color`'s soldiers: ten before the river, on the files that they start on, and all beyond it.
    pub const fn soldiers(color: Color) -> Self {
        const BEFORE: Points =
            Points::of(&[(0, 3), (2, 3), (4, 3), (6, 3), (8, 3), (0, 4), (2, 4), (4, 4), (6, 4), (8, 4)]);
        const RED: Points = Points(BEFORE.0 | Points::beyond_river(Color::White).0);
        RED.of_side(color)
    }

    const fn of(places: &[(u8, u8)]) -> Self {
        let (mut points, mut place) = (0, 0);
        while place < places.len() {
            points |= 1 << Point::at(places[place].0, places[place].1).index();
            place += 1;
        }
        Points(points)
    }

    const fn rectangle(left: u8, right: u8, low: u8, high: u8) -> Self {
        let (mut points, mut index) = (0, 0);
        while index < FILES * RANKS {
            let (file, rank) = (Point(index).file(), Point(index).rank());
            if left <= file && file <= right && low <= rank && rank <= high {
                points |= 1 << index;
            }
            index += 1;
        }
        Points(points)
    }

    /// Red's points, turned into the points of `color`.
    const fn of_side(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => self.sides_exchanged(),
        }
    }

    /// The images of the points under [`Point::sides_exchanged`].
    #[must_use]
    pub const fn sides_exchanged(self) -> Self {
        const RANK: u128 = (1 << FILES) - 1;
        let (mut points, mut rank) = (0, 0);
        while rank < RANKS {
            points |= (self.0 >> (rank * FILES) & RANK) << ((RANKS - 1 - rank) * FILES);
            rank += 1;
        }
        Points(points)
    }
}

bit_set!(Points(u128), Point = Point, PointsIter);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_numbers_and_images() {
        for point in Points::ALL {
            assert_eq!(Point::new(point.index() as u8), point);
            assert_eq!(Point::at(point.file(), point.rank()), point);
            assert_eq!(Point::parse(&point.to_string()), Some(point));
            assert_eq!(point.mirrored().mirrored(), point);
            assert_eq!(point.sides_exchanged().sides_exchanged(), point);
            assert_eq!(Points::from(point).sides_exchanged(), point.sides_exchanged().into());
        }
        let h2 = Point::parse("h2").unwrap();
        assert_eq!((h2.index(), h2.to_string().as_str()), (25, "h2"));
        assert_eq!([h2.mirrored(), h2.sides_exchanged()].map(|point| point.to_string()), ["b2", "h7"]);
        assert_eq!(h2.step(1, -2), Point::parse("i0"));
        assert_eq!([(2, 0), (-8, 0), (0, 8), (0, -3)].map(|(files, ranks)| h2.step(files, ranks)), [None; 4]);
        for text in ["", "e", "j0", "a10", "A0", "0a", "é"] {
            assert_eq!(Point::parse(text), None, "{text}");
        }
    }

    #[test]
    fn points_of_men() {
        // The paper, section 3.1, table 1.
        for color in Color::BOTH {
            let sets = [Points::palace(color), Points::assistants(color), Points::elephants(color)];
            assert_eq!(sets.map(Points::len), [9, 5, 7], "{color:?}");
            assert_eq!([Points::soldiers(color), Points::beyond_river(color)].map(Points::len), [55, 45]);
            assert!((Points::palace(color) & Points::beyond_river(color)).is_empty());
        }
        let names = |points: Points| points.into_iter().map(|point| point.to_string()).collect::<Vec<_>>();
        assert_eq!(names(Points::elephants(Color::Black)), ["c5", "g5", "a7", "e7", "i7", "c9", "g9"]);
        assert_eq!(names(Points::assistants(Color::White)), ["d0", "f0", "e1", "d2", "f2"]);
        assert_eq!(names(!Points::beyond_river(Color::Black) & Points::soldiers(Color::Black)).len(), 10);
        assert_eq!(!Points::ALL, Points::EMPTY);
    }
}
