//! Positions of a material: a point for each of its men, and the side to move.

use super::board::Board;
use super::man::Man;
use super::material::{Counts, MAX_MEN, Material};
use super::point::{Point, Points};
use crate::error::{Error, ErrorKind, Result};
use crate::outcome::Color;

/// A position of a material: side to move and a point for each man in the material's numbering: red general, black
/// general, other red men, other black men.
///
/// It may be illegal; see [`Position::check_legal`]. Identical men may stand in any order; [`Position::sort`] sorts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    material: Material,
    points: [Point; MAX_MEN],
    turn: Color,
}

impl Position {
    /// Returns the position of `material` with its men on `points`, as many as there are men, `turn` to move.
    ///
    /// # Panics
    /// When there are not as many points as men.
    pub fn new(material: Material, points: &[Point], turn: Color) -> Self {
        assert_eq!(points.len(), material.len(), "a point for each man");
        let mut all = [Point::default(); MAX_MEN];
        all[..points.len()].copy_from_slice(points);
        Position { material, points: all, turn }
    }

    /// Returns the position on a board, identical men sorted, and whether the colours were exchanged because Black has the
    /// attackers.
    ///
    /// # Errors
    /// - [`ErrorKind::IllegalPosition`]: see [`Board::check_legal`];
    /// - [`ErrorKind::UnsupportedPosition`]: attackers on both sides, more men than [`MAX_MEN`], or too many positions.
    pub fn from_board(board: &Board) -> Result<(Self, bool)> {
        board.check_legal()?;
        let mut counts = Counts::default();
        board.placed().for_each(|(man, _)| counts[man.color.index()][man.role as usize] += 1);
        let (material, exchanged) = Material::of_counts(counts)
            .map_err(|error| Error::new(ErrorKind::UnsupportedPosition, error.to_string()))?;
        let board = if exchanged { board.colors_exchanged() } else { *board };
        let mut points = [Point::default(); MAX_MEN];
        for group in material.groups() {
            let man = material.men()[group.start];
            let on = board.placed().filter(|&(other, _)| other == man).map(|(_, on)| on);
            points[group].iter_mut().zip(on).for_each(|(place, on)| *place = on);
        }
        Ok((Position { material, points, turn: board.turn() }, exchanged))
    }

    /// [`Position::from_board`] for the board and for the board with the colours exchanged. Both are the same position, unless
    /// neither side has attackers.
    ///
    /// # Errors
    /// Those of [`Position::from_board`].
    pub fn images(board: &Board) -> Result<[Self; 2]> {
        Ok([Self::from_board(board)?.0, Self::from_board(&board.colors_exchanged())?.0])
    }

    /// The board with the men of the position. If men share a point, it has the last of them.
    pub fn board(&self) -> Board {
        let mut board = Board::empty(self.turn);
        self.placed().for_each(|(man, on)| board.set(on, Some(man)));
        board
    }

    /// The material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The points of the men, in the material's numbering.
    #[inline]
    pub fn points(&self) -> &[Point] {
        &self.points[..self.material.len()]
    }

    /// The points of the men, mutable.
    #[inline]
    pub fn points_mut(&mut self) -> &mut [Point] {
        &mut self.points[..self.material.len()]
    }

    /// The men with their points.
    pub fn placed(&self) -> impl Iterator<Item = (Man, Point)> + '_ {
        self.material.men().iter().copied().zip(self.points().iter().copied())
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Sorts the points of identical men, ascending.
    pub fn sort(&mut self) {
        for group in self.material.groups() {
            self.points[group].sort_unstable();
        }
    }

    /// The mirror image, left and right exchanged, identical men sorted. It has the same value.
    #[must_use]
    pub fn mirrored(mut self) -> Self {
        self.points_mut().iter_mut().for_each(|on| *on = on.mirrored());
        self.sort();
        self
    }

    /// The smaller of the position and its mirror image, identical men sorted. Points are compared in the material's numbering.
    #[must_use]
    pub fn canonical(mut self) -> Self {
        self.sort();
        let mirrored = self.mirrored();
        if mirrored.points < self.points { mirrored } else { self }
    }

    /// Checks that the position is legal and of `material`, before a look-up in its table.
    ///
    /// # Errors
    /// [`ErrorKind::MissingTable`] if it is of another material, and those of [`Position::check_legal`].
    pub(super) fn check_of(&self, material: &Material) -> Result<()> {
        if self.material != *material {
            let why = format!("a position of {} asked of the table of {material}", self.material);
            return Err(Error::new(ErrorKind::MissingTable, why));
        }
        self.check_legal()
    }

    /// Checks that the position is legal.
    ///
    /// # Errors
    /// [`ErrorKind::IllegalPosition`]: two men share a point, or see [`Board::check_legal`].
    pub fn check_legal(&self) -> Result<()> {
        let taken: Points = self.points().iter().copied().collect();
        if taken.len() < self.material.len() {
            return Err(Error::new(ErrorKind::IllegalPosition, "illegal position: two men share a point"));
        }
        self.board().check_legal()
    }
}
