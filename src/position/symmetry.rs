//! Canonical positions: the chosen representative of each class of positions that a symmetry maps to one another.
//!
//! The symmetries are those of the board (eight without pawns, the left-right mirror with pawns) and, when both sides
//! have the same men, the exchange of the colours: such a material stores White to move only.
//!
//! Which representative is chosen depends on the man that *leads*: the one that is brought into the triangle a1-d1-d4,
//! or onto files a to d when there are pawns. Of a group of identical men the whole group leads, and its lowest square
//! is what comes there. Among the board's symmetries the one wins whose key is lexicographically smallest:
//!
//! 1. the squares of the leading group, ascending;
//! 2. the white king, the black king, and the other groups in the material's order, each ascending;
//! 3. the en-passant file.
//!
//! Squares compare by number, so that the lowest image of a square lies in the triangle and only the symmetries that
//! bring a leading man to the lowest image compete. For three squares in four that is a single one.

use super::man::Color;
use super::placement::Position;
use super::square::{Square, Symmetry};

/// The lowest image of a square, and the symmetries that lead to it, bit n for [`Symmetry::ALL`]`[n]`.
#[derive(Clone, Copy)]
struct Fold {
    lowest: Square,
    symmetries: u8,
}

/// Without pawns: into the triangle a1-d1-d4.
static TO_TRIANGLE: [Fold; 64] = folds(Symmetry::ALL.len());
/// With pawns: onto files a to d.
static TO_LEFT_HALF: [Fold; 64] = folds(Symmetry::WITH_PAWNS.len());

/// The folds by the first `count` of all symmetries.
const fn folds(count: usize) -> [Fold; 64] {
    let mut table = [Fold { lowest: Square::new(63), symmetries: 0 }; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < count {
            let image = Symmetry::ALL[i].apply(Square::new(from as u8));
            let fold = &mut table[from];
            if image.index() < fold.lowest.index() {
                *fold = Fold { lowest: image, symmetries: 0 };
            }
            if image.index() == fold.lowest.index() {
                fold.symmetries |= 1 << i;
            }
            i += 1;
        }
        from += 1;
    }
    table
}

/// The symmetries in a mask of [`Fold::symmetries`], in order.
fn members(mut mask: u8) -> impl Iterator<Item = Symmetry> {
    std::iter::from_fn(move || {
        let first = Symmetry::ALL.get(mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(*first)
    })
}

/// The symmetries that bring a king on `square` to where it leads: one, or two when that is on the diagonal of the
/// triangle.
#[cfg(feature = "build")]
#[inline]
pub(crate) fn leading(pawns: bool, square: Square) -> (Symmetry, Option<Symmetry>) {
    let folds = if pawns { &TO_LEFT_HALF } else { &TO_TRIANGLE };
    let mut found = members(folds[square.index()].symmetries);
    (found.next().unwrap_or(Symmetry::IDENTITY), found.next())
}

impl Position {
    /// Returns the image of this position under `symmetry`, identical men sorted, the en-passant file mirrored with
    /// the files. With pawns only [`Symmetry::WITH_PAWNS`] keeps the values of positions.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Self {
        let file = self.en_passant().map(|file| symmetry.apply(Square::at(file, 0)).file());
        let mut image = self.with_en_passant(file);
        for square in image.squares_mut() {
            *square = symmetry.apply(*square);
        }
        image.sort();
        image
    }

    /// Returns the canonical position of this one's class when man number `lead` leads: same material, same value for
    /// the side to move, [stored turn](super::Material::stored_turns), identical men sorted. Idempotent.
    ///
    /// The position need not be legal. In a symmetric material with Black to move, `lead` is a man of the position
    /// with colours exchanged.
    ///
    /// # Panics
    /// When there is no man number `lead`.
    #[must_use]
    pub fn canonical(&self, lead: usize) -> Self {
        let position = if self.is_stored_turn() { *self } else { self.colors_exchanged() };
        let mut images = members(position.competitors(lead)).map(|symmetry| position.transformed(symmetry));
        let first = images.next().unwrap_or(position);
        images.fold(first, |best, image| if image.key(lead) < best.key(lead) { image } else { best })
    }

    /// Whether this is the canonical position of its class when man number `lead` leads.
    ///
    /// # Panics
    /// When there is no man number `lead`.
    pub fn is_canonical(&self, lead: usize) -> bool {
        let competitors = self.competitors(lead);
        let identity = 1;
        self.is_stored_turn()
            && competitors & identity != 0
            && self.is_sorted()
            && members(competitors & !identity)
                .all(|symmetry| self.key(lead) <= self.transformed(symmetry).key(lead))
    }

    fn is_stored_turn(&self) -> bool {
        self.turn() == Color::White || !self.material().is_symmetric()
    }

    /// The symmetries that bring a man of the leading group to the lowest square that any of the group can reach.
    fn competitors(&self, lead: usize) -> u8 {
        let folds = if self.material().has_pawns() { &TO_LEFT_HALF } else { &TO_TRIANGLE };
        let group = self.leaders(lead).iter().map(|square| folds[square.index()]);
        group
            .reduce(|a, b| match a.lowest.cmp(&b.lowest) {
                std::cmp::Ordering::Less => a,
                std::cmp::Ordering::Equal => Fold { symmetries: a.symmetries | b.symmetries, ..a },
                std::cmp::Ordering::Greater => b,
            })
            .map_or(0, |fold| fold.symmetries)
    }

    /// What is smallest for the canonical position. The leading group comes twice, which changes no comparison.
    fn key(&self, lead: usize) -> (&[Square], &[Square], Option<u8>) {
        (self.leaders(lead), self.squares(), self.en_passant())
    }

    /// The squares of man number `lead` and of the men identical to it.
    fn leaders(&self, lead: usize) -> &[Square] {
        let group = self.material().group(lead);
        &self.squares()[group.unwrap_or_else(|| panic!("{} has no man {lead}", self.material()))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(signature: &str, squares: &str, turn: Color) -> Position {
        let squares: Vec<Square> = squares.split(' ').map(|name| Square::parse(name).unwrap()).collect();
        Position::new(signature.parse().unwrap(), &squares, turn, None)
    }

    #[test]
    fn folds_reach_triangle_and_half() {
        let lowest = |folds: &[Fold; 64]| {
            let mut squares: Vec<String> = folds.iter().map(|fold| fold.lowest.to_string()).collect();
            squares.sort_unstable();
            squares.dedup();
            squares.join(" ")
        };
        assert_eq!(lowest(&TO_TRIANGLE), "a1 b1 b2 c1 c2 c3 d1 d2 d3 d4");
        assert_eq!(lowest(&TO_LEFT_HALF).split(' ').count(), 32);
        let alone = TO_TRIANGLE.iter().filter(|fold| fold.symmetries.is_power_of_two()).count();
        assert_eq!(alone, 48, "three squares in four");
    }

    #[test]
    fn the_lead_comes_into_the_triangle() {
        let queen = position("KQvK", "b6 g8 f3", Color::Black);
        for (lead, squares) in [(0, "c2 a7 f6"), (1, "g3 b1 c6"), (2, "g6 b8 c3")] {
            let canonical = position("KQvK", squares, Color::Black);
            assert_eq!(queen.canonical(lead), canonical, "lead {lead}");
            assert!(canonical.is_canonical(lead) && !queen.is_canonical(lead));
        }
    }

    #[test]
    fn a_group_leads_together_and_pawns_keep_their_rank() {
        let pawns = position("KPPvK", "c4 a8 h2 g3", Color::White);
        assert_eq!(pawns.canonical(0), position("KPPvK", "c4 a8 h2 g3", Color::White));
        for lead in [2, 3] {
            assert_eq!(pawns.canonical(lead), position("KPPvK", "f4 h8 a2 b3", Color::White));
        }
        let unsorted = position("KPPvK", "c4 a8 g3 h2", Color::White);
        assert!(pawns.is_canonical(0) && !unsorted.is_canonical(0));
    }

    #[test]
    fn the_en_passant_file_is_mirrored() {
        let pushed = position("KPvKP", "g1 a8 e4 d4", Color::Black).with_en_passant(Some(4));
        let exchanged = pushed.colors_exchanged().canonical(0);
        assert_eq!(exchanged.squares(), position("KPvKP", "a1 g8 d5 e5", Color::White).squares());
        assert_eq!(exchanged.en_passant(), Some(4));
        let mirrored = pushed.canonical(0);
        assert_eq!(mirrored, exchanged, "black to move is stored with colours exchanged");
        let white = position("KPvKP", "g1 a8 e5 d5", Color::White).with_en_passant(Some(3));
        assert_eq!(white.canonical(0).en_passant(), Some(4));
    }

    #[test]
    fn all_symmetries_of_a_class_agree() {
        let rooks = position("KRRvKRR", "d4 f7 a3 c8 h1 e2", Color::White);
        for lead in 0..6 {
            let canonical = rooks.canonical(lead);
            assert!(canonical.is_canonical(lead));
            for symmetry in Symmetry::ALL {
                assert_eq!(rooks.transformed(symmetry).canonical(lead), canonical);
                assert_eq!(rooks.transformed(symmetry).colors_exchanged().canonical(lead), canonical);
            }
        }
    }
}
