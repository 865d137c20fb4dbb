//! A position as the formulas of variables see it.

use crate::position::{Color, MAX_MEN, Man, Material, Position, Square};

/// A position whose variables can be asked for one by one; made by [`Plan::view`](super::Plan::view). What several
/// variables share is computed when the first of them is asked for, and kept, so that a view is `Send` but not `Sync`.
#[derive(Clone, Debug)]
pub struct View<'p> {
    men: &'p [Man],
    squares: [Square; MAX_MEN],
    turn: Color,
    en_passant: Option<u8>,
    /// The bitboards of the men of each colour.
    sides: [u64; 2],
}

impl<'p> View<'p> {
    #[inline]
    pub(super) fn new(material: &'p Material, position: &Position) -> Self {
        let mut view = View {
            men: material.men(),
            squares: [Square::default(); MAX_MEN],
            turn: position.turn(),
            en_passant: position.en_passant(),
            sides: [0; 2],
        };
        for ((place, &square), man) in view.squares.iter_mut().zip(position.squares()).zip(view.men) {
            *place = square;
            view.sides[man.color.index()] |= square.bit();
        }
        view
    }

    /// The square of man number `man`.
    #[inline]
    pub(super) fn square(&self, man: usize) -> Square {
        self.squares[man % MAX_MEN]
    }

    /// The squares of the men, in the material's numbering.
    pub(super) fn squares(&self) -> &[Square] {
        &self.squares[..self.men.len()]
    }

    /// The en-passant file.
    pub(super) fn en_passant(&self) -> Option<u8> {
        self.en_passant
    }
}
