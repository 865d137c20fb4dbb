//! Every legal canonical position of a material, in one documented order.
//!
//! The order is ascending by the squares of the men, in the material's numbering, counted from a1 = 0. With equal
//! squares, the position without an en-passant file comes first, then files a to h. Rows of the minimizer come in this order.
//! Readers of files do not depend on it. New bytes: samples take every n-th row.
//!
//! The positions are those for which [`Position::is_legal`] and, with the given anchor, [`Position::is_canonical`] hold. Most are
//! not tested one by one: for the last man, one bitboard has all squares that leave the king of the side not to move unattacked.
//! A position is tested by itself if it has an en-passant file, if the anchor is on the diagonal, or if the anchor has identical
//! men.

use super::attacks;
use super::bitboard::Bitboard;
use super::legal::DoublePush;
use super::man::{Man, Role};
use super::material::Material;
use super::placement::Position;
use super::square::Square;
use super::symmetry;
use crate::outcome::Color;
use alloc::vec::Vec;

/// The legal canonical positions of a material for one side to move and one anchor, cut into slices. See the [module](self) for
/// their order.
///
/// # Example
/// ```
/// use cubebase::position::{Color, Enumeration};
/// # fn main() -> cubebase::error::Result<()> {
/// let positions = Enumeration::new(&"KQvK".parse()?, Color::Black, 1);
/// let mut count = 0;
/// for slice in 0..positions.slices() {
///     positions.visit(slice, &mut |position| count += usize::from(position.is_legal()));
/// }
/// assert_eq!(count, 28_056);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Enumeration {
    material: Material,
    turn: Color,
    canonizer: symmetry::Canonizer,
    /// The first man of the anchor's group, which stands in the [region](symmetry::region).
    first_leader: usize,
    several_lead: bool,
    kings: Vec<[Square; 2]>,
}

impl Enumeration {
    /// Returns the positions of `material` with `turn` to move that are canonical with man number `anchor` as the anchor. There are
    /// none for a turn that the material does not store.
    ///
    /// # Panics
    /// When there is no man number `anchor`.
    pub fn new(material: &Material, turn: Color, anchor: usize) -> Self {
        let group = material.group(anchor).unwrap_or_else(|| panic!("{material} has no man {anchor}"));
        let mut positions = Enumeration {
            material: *material,
            turn,
            canonizer: symmetry::Canonizer::new(material, anchor),
            first_leader: group.start,
            several_lead: group.len() > 1,
            kings: Vec::new(),
        };
        if material.stored_turns().contains(&turn) {
            for white in positions.room(0) {
                let blacks = positions.room(1) & !(attacks::king(white) | white);
                positions.kings.extend(blacks.into_iter().map(|black| [white, black]));
            }
        }
        positions
    }

    /// The number of slices, the consecutive parts of the enumeration. The kings' squares are the same in all positions of
    /// a slice. A slice may be empty.
    pub fn slices(&self) -> usize {
        self.kings.len()
    }

    /// The squares of the kings in slice number `slice`.
    ///
    /// # Panics
    /// When there is no such slice.
    #[cfg(feature = "build")]
    pub(crate) fn kings(&self, slice: usize) -> [Square; 2] {
        self.kings[slice]
    }

    /// Calls `visit` with each position of slice number `slice`, in order. Does not allocate; a few nanoseconds a
    /// position.
    ///
    /// # Panics
    /// When there is no such slice.
    pub fn visit(&self, slice: usize, visit: &mut impl FnMut(&Position)) {
        let kings = self.kings[slice];
        let Some(kings_decide) = self.kings_decide(kings) else { return };
        let mut squares = [Square::default(); super::MAX_MEN];
        squares[..2].copy_from_slice(&kings);
        let squares = &squares[..self.material.len()];
        let mut walk = Walk {
            of: self,
            position: Position::new(self.material, squares, self.turn, None),
            waiting_king: kings[self.turn.other().index()],
            kings_decide,
            visit,
        };
        let occupied = kings.into_iter().collect();
        if self.material.len() == 2 {
            walk.found();
        } else {
            walk.place(2, occupied);
        }
    }

    /// The squares where man number `man` can stand on an empty board; in the region for the first anchor.
    fn room(&self, man: usize) -> Bitboard {
        let room = self.material.men()[man].role.squares();
        if man == self.first_leader { room & symmetry::region(self.material.has_pawns()) } else { room }
    }

    /// Whether every position with these squares of the kings is canonical; `None` if none is. The kings decide if one of them is
    /// the anchor, unless both are on the diagonal. An anchor off the diagonal allows only the identity. With the anchor on the
    /// diagonal, images differ first in the square of the other king.
    fn kings_decide(&self, kings: [Square; 2]) -> Option<bool> {
        let Some(&leader) = kings.get(self.first_leader) else { return Some(false) };
        let Some(rival) = symmetry::to_region(self.material.has_pawns(), leader).1 else { return Some(true) };
        let other = kings[1 - self.first_leader];
        let image = rival.apply(other);
        (image >= other).then_some(image > other)
    }

    /// Whether another symmetry may compete with the identity if the first anchor stands on `leader`.
    fn has_rivals(&self, leader: Square) -> bool {
        self.several_lead || symmetry::to_region(self.material.has_pawns(), leader).1.is_some()
    }
}

struct Walk<'a, V> {
    of: &'a Enumeration,
    position: Position,
    waiting_king: Square,
    /// No symmetry competes with the identity.
    kings_decide: bool,
    visit: &'a mut V,
}

impl<V: FnMut(&Position)> Walk<'_, V> {
    /// Puts man number `man` and the men after it on all their squares; the men before it are on `occupied`.
    fn place(&mut self, man: usize, occupied: Bitboard) {
        let men = self.of.material.men();
        let mut room = self.of.room(man) & !occupied;
        if men[man] == men[man - 1] {
            // Identical men are sorted: this one stands above the one before.
            room &= Bitboard::above(self.position.squares()[man - 1]);
        }
        let is_last = man + 1 == men.len();
        if is_last {
            room &= self.quiet(men[man], occupied);
        }
        for square in room {
            self.position.squares_mut()[man] = square;
            if is_last {
                self.found();
            } else {
                self.place(man + 1, occupied | square);
            }
        }
    }

    /// The squares on which the last man, `man`, leaves the waiting king unattacked; the others are on `occupied`.
    fn quiet(&self, man: Man, occupied: Bitboard) -> Bitboard {
        let (turn, king) = (self.of.turn, self.waiting_king);
        let others = &self.of.material.men()[..self.of.material.len() - 1];
        let mut quiet = Bitboard::ALL;
        for (&other, &from) in others.iter().zip(self.position.squares()) {
            if other.color == turn && attacks::attacks(other, from, occupied).contains(king) {
                quiet &= attacks::between(from, king);
            }
        }
        if man.color == turn {
            // A man attacks the king from the squares that a man of the other colour on the king's square attacks.
            quiet &= !attacks::attacks(Man::new(turn.other(), man.role), king, occupied);
        }
        quiet
    }

    /// Visits the position, which is complete and legal, if it is canonical; then the same with each en-passant file.
    fn found(&mut self) {
        let (of, position) = (self.of, &self.position);
        let has_rivals = !self.kings_decide && of.has_rivals(position.squares()[of.first_leader]);
        if has_rivals && !of.canonizer.is_canonical(position.packed(), None) {
            return;
        }
        (self.visit)(position);
        if !of.material.has_en_passant() {
            return;
        }
        let pushed = Man::new(of.turn.other(), Role::Pawn);
        let rank = DoublePush::new(pushed.color, 0).target.rank();
        let placed = position.placed().filter(|&(man, square)| man == pushed && square.rank() == rank);
        // As squares of the first rank, which a bitboard sorts by file.
        let files: Bitboard = placed.map(|(_, square)| Square::at(square.file(), 0)).collect();
        for file in files {
            let position = position.with_en_passant(Some(file.file()));
            if position.is_legal()
                && (!has_rivals || of.canonizer.is_canonical(position.packed(), position.en_passant()))
            {
                (self.visit)(&position);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visited(material: &Material, turn: Color, anchor: usize) -> Vec<Position> {
        let positions = Enumeration::new(material, turn, anchor);
        let mut all = Vec::new();
        for slice in 0..positions.slices() {
            positions.visit(slice, &mut |position| all.push(*position));
        }
        all
    }

    /// All positions among `numbers`: the digits in base 64 are the squares, the first man's the most significant.
    fn by_definition(
        material: &Material,
        turn: Color,
        anchor: usize,
        numbers: impl Iterator<Item = u64>,
    ) -> Vec<Position> {
        let men = material.len();
        let mut all = Vec::new();
        for number in numbers {
            let squares: Vec<_> =
                (0..men).map(|man| Square::new((number >> (6 * (men - 1 - man)) & 63) as u8)).collect();
            for file in std::iter::once(None).chain((0..8).map(Some)) {
                let position = Position::new(*material, &squares, turn, file);
                if position.is_legal() && position.is_canonical(anchor) {
                    all.push(position);
                }
            }
        }
        all
    }

    /// The sort key.
    fn key(position: &Position) -> (&[Square], Option<u8>) {
        (position.squares(), position.en_passant())
    }

    #[test]
    fn three_men_agree_with_the_definition() {
        for signature in ["KvK", "KQvK", "KBvK", "KNvK", "KPvK"] {
            let material: Material = signature.parse().unwrap();
            for turn in Color::BOTH {
                for anchor in 0..material.len() {
                    let expected = by_definition(&material, turn, anchor, 0..1 << (6 * material.len()));
                    assert!(visited(&material, turn, anchor) == expected, "{signature} {turn:?} {anchor}");
                }
            }
        }
    }

    #[test]
    fn four_men_agree_with_the_definition_where_sampled() {
        for signature in ["KRRvK", "KPvKP", "KRvKR", "KBNvK", "KPPvK"] {
            let material: Material = signature.parse().unwrap();
            for &turn in material.stored_turns() {
                for anchor in 0..material.len() {
                    let all = visited(&material, turn, anchor);
                    assert!(all.is_sorted_by(|a, b| key(a) < key(b)), "{signature} {turn:?} {anchor}");
                    // Runs of placements, spread over the board.
                    for start in (0..1u64 << 24).step_by(2_222_221) {
                        let numbers = start..(start + 20_000).min(1 << 24);
                        let expected = by_definition(&material, turn, anchor, numbers.clone());
                        let number = |position: &Position| {
                            position.squares().iter().fold(0, |all, square| all << 6 | square.index() as u64)
                        };
                        let [from, to] = [numbers.start, numbers.end]
                            .map(|end| all.partition_point(|position| number(position) < end));
                        assert_eq!(all[from..to], expected, "{signature} {turn:?} {anchor} {start}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_turn_that_is_not_stored_has_no_positions() {
        assert_eq!(Enumeration::new(&"KRvKR".parse().unwrap(), Color::Black, 0).slices(), 0);
    }
}
