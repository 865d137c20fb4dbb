//! Canonical positions: the chosen representative of each class of positions that a symmetry maps to one another.
//!
//! The symmetries are those of the board (eight without pawns, the left-right mirror with pawns) and, when both sides
//! have the same men, the exchange of the colours: such a material stores White to move only.
//!
//! The representative depends on the *anchor*: the man that is brought into the triangle a1-d1-d4,
//! or onto files a to d when there are pawns. Identical men are anchors together: any of them
//! may be brought there. The representative is the image whose key is lexicographically smallest:
//!
//! 1. the squares of the group of the anchor, ascending;
//! 2. the white king, the black king, and the other groups in the material's order, each ascending;
//! 3. the en-passant file.
//!
//! Squares compare by number, so that the lowest image of a square lies in the triangle and only the symmetries that
//! bring an anchor to the lowest image compete. A single anchor off the diagonals leaves one symmetry.

use super::super::bitboard::Bitboard;
use super::super::castling::CastlingRights;
use super::super::material::Material;
use super::super::placement::Position;
use super::super::square::{Square, Symmetry};
use super::packed::PackedSquares;
use crate::outcome::Color;
use core::ops::Range;

/// The lowest image of a square, and the symmetries that lead to it, bit n for [`Symmetry::ALL`]`[n]`.
#[derive(Clone, Copy, Debug)]
struct CanonicalImage {
    lowest: Square,
    symmetries: u8,
}

/// Without pawns: into the triangle a1-d1-d4.
static TO_TRIANGLE: [CanonicalImage; 64] = images(Symmetry::ALL.len());
/// With pawns: onto files a to d.
static TO_LEFT_HALF: [CanonicalImage; 64] = images(Symmetry::WITH_PAWNS.len());

#[inline]
fn images_of(has_pawns: bool) -> &'static [CanonicalImage; 64] {
    if has_pawns { &TO_LEFT_HALF } else { &TO_TRIANGLE }
}

/// The images by the first `count` of all symmetries.
const fn images(count: usize) -> [CanonicalImage; 64] {
    let mut table = [CanonicalImage { lowest: Square::new(63), symmetries: 0 }; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < count {
            let image = Symmetry::ALL[i].apply(Square::new(from as u8));
            let images = &mut table[from];
            if image.index() < images.lowest.index() {
                *images = CanonicalImage { lowest: image, symmetries: 0 };
            }
            if image.index() == images.lowest.index() {
                images.symmetries |= 1 << i;
            }
            i += 1;
        }
        from += 1;
    }
    table
}

/// The symmetries in a mask of [`CanonicalImage::symmetries`], in order.
fn members(mut mask: u8) -> impl Iterator<Item = Symmetry> {
    core::iter::from_fn(move || {
        let first = Symmetry::ALL.get(mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(*first)
    })
}

/// The symmetries that bring an anchor on `square` to its region: one, or without pawns two for a square on a diagonal.
#[inline]
pub(crate) fn to_region(has_pawns: bool, square: Square) -> (Symmetry, Option<Symmetry>) {
    let mut found = members(images_of(has_pawns)[square.index()].symmetries);
    (found.next().expect("an image in the region"), found.next())
}

/// The squares where the anchor of a canonical position stands: the triangle a1-d1-d4, or files a to d with pawns. Of several
/// anchors, the anchor on the lowest square stands here.
pub(crate) const fn region(has_pawns: bool) -> Bitboard {
    const REGIONS: [Bitboard; 2] =
        [lowest(&images(Symmetry::ALL.len())), lowest(&images(Symmetry::WITH_PAWNS.len()))];
    REGIONS[has_pawns as usize]
}

/// The squares that are the lowest of their images.
const fn lowest(images: &[CanonicalImage; 64]) -> Bitboard {
    let mut squares = 0;
    let mut at = 0;
    while at < 64 {
        if images[at].lowest.index() == at {
            squares |= 1 << at;
        }
        at += 1;
    }
    Bitboard(squares)
}

/// The canonical form of the positions of a material with a certain anchor.
#[derive(Clone, Debug)]
pub(crate) struct Canonizer {
    images: &'static [CanonicalImage; 64],
    /// The group of the anchor.
    anchor: Range<usize>,
    men: usize,
    repeats: u8,
}

impl Canonizer {
    /// # Panics
    /// When there is no man number `anchor`.
    #[inline]
    pub(crate) fn new(material: &Material, anchor: usize) -> Self {
        Canonizer {
            images: images_of(material.has_pawns()),
            anchor: material.group(anchor).unwrap_or_else(|| panic!("{material} has no man {anchor}")),
            men: material.len(),
            repeats: material.repeats(),
        }
    }

    /// The canonical image of squares and en-passant file. The side to move must be stored.
    #[inline]
    pub(crate) fn canonical(&self, squares: PackedSquares, file: Option<u8>) -> (PackedSquares, Option<u8>) {
        let image = |number: u8| self.image(squares, file, Symmetry(number));
        let mut left = self.competitors(squares);
        let mut best = image(left.trailing_zeros() as u8 & 7);
        left &= left.wrapping_sub(1);
        while left != 0 {
            let other = image(left.trailing_zeros() as u8);
            if self.key(other) < self.key(best) {
                best = other;
            }
            left &= left - 1;
        }
        best
    }

    /// Whether squares and en-passant file are their own canonical image. Identical men must be sorted, and the side to
    /// move stored.
    #[inline]
    pub(in crate::chess::position) fn is_canonical(&self, squares: PackedSquares, file: Option<u8>) -> bool {
        let identity = 1;
        let competitors = self.competitors(squares);
        competitors & identity != 0
            && members(competitors & !identity)
                .all(|symmetry| self.key((squares, file)) <= self.key(self.image(squares, file, symmetry)))
    }

    /// The symmetries that bring an anchor to the lowest square that the anchors can reach. Only these symmetries may lead to the
    /// canonical image.
    #[inline]
    fn competitors(&self, squares: PackedSquares) -> u8 {
        let images = self.anchor.clone().map(|man| self.images[squares.square(man).index()]);
        let lowest = images.reduce(|a, b| match a.lowest.cmp(&b.lowest) {
            core::cmp::Ordering::Less => a,
            core::cmp::Ordering::Equal => CanonicalImage { symmetries: a.symmetries | b.symmetries, ..a },
            core::cmp::Ordering::Greater => b,
        });
        lowest.expect("an anchor").symmetries
    }

    #[inline]
    fn image(
        &self,
        squares: PackedSquares,
        file: Option<u8>,
        symmetry: Symmetry,
    ) -> (PackedSquares, Option<u8>) {
        (squares.image(symmetry, self.men).sorted(self.repeats), file.map(|file| symmetry.file(file)))
    }

    /// The sort key of an image; the canonical image has the smallest. The anchors come twice, which changes no comparison.
    #[inline]
    fn key(&self, (squares, file): (PackedSquares, Option<u8>)) -> ((u64, u64), Option<u8>) {
        (squares.key(&self.anchor), file)
    }
}

impl Position {
    /// Returns the image of this position under `symmetry`, identical men sorted, the en-passant file mirrored with
    /// the files. With pawns only [`Symmetry::WITH_PAWNS`] keep outcomes. Castling rights, which no symmetry keeps, are
    /// dropped.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Self {
        let file = self.en_passant().map(|file| symmetry.file(file));
        let mut image = self.with_en_passant(file).with_castling(CastlingRights::NONE);
        for square in image.squares_mut() {
            *square = symmetry.apply(*square);
        }
        image.sort();
        image
    }

    /// Returns the canonical position of this position's class with man number `anchor` as the anchor: same material, same value
    /// for the side to move, [stored turn](super::super::Material::stored_turns), identical men sorted. Idempotent.
    ///
    /// The position need not be legal. Castling rights are dropped. In a symmetric material with Black to move, `anchor` is a
    /// man of the position with colours exchanged.
    ///
    /// # Panics
    /// When there is no man number `anchor`.
    #[must_use]
    pub fn canonical(&self, anchor: usize) -> Self {
        let (material, mut squares) = (self.material(), self.packed());
        if !self.is_stored_turn() {
            squares = squares.colors_exchanged(material.len());
        }
        let turn = if self.is_stored_turn() { self.turn() } else { Color::White };
        let (squares, file) = Canonizer::new(material, anchor).canonical(squares, self.en_passant());
        Position::of_packed(*material, squares, turn, file)
    }

    /// Whether this is the canonical position of its class with man number `anchor` as the anchor.
    ///
    /// # Panics
    /// When there is no man number `anchor`.
    pub fn is_canonical(&self, anchor: usize) -> bool {
        let canonizer = Canonizer::new(self.material(), anchor);
        self.is_stored_turn() && self.is_sorted() && canonizer.is_canonical(self.packed(), self.en_passant())
    }

    fn is_stored_turn(&self) -> bool {
        self.turn() == Color::White || !self.material().is_symmetric()
    }
}
