//! The numbering of the positions of a material: a word for the men outside the black palace, a bit for the palace.
//!
//! As in Wu and Beal, section 3, men are numbered in groups. One group is the anchor: with the left-right mirror, about half of
//! its patterns suffice. If the anchor group is its own mirror, a position and its mirror have a slot each, as in the paper's
//! databases. The paper chooses the anchor among all groups. Here the black palace's group is never the anchor, since its
//! patterns are the bits of a word. [`database_size`](super::super::database_size) is the paper's number.

use super::super::Xiangqi;
use super::super::material::{MAX_MEN, Material};
use super::super::point::{Point, Points};
use super::super::position::Position;
use super::groups::{Digits, Group, MenPoints, Sizes, groups};
use super::palace::{Palace, mirrored};
use crate::error::Result;
use crate::outcome::Color;
use crate::retrograde::game::Numbering;
use std::sync::Arc;

/// The slots of a word.
pub(in crate::xiangqi) const WORD: u64 = u128::BITS as u64;

/// The dense index of a material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index(Arc<Tables>);

#[derive(Debug, PartialEq, Eq)]
struct Tables {
    material: Material,
    digits: Digits,
    palace: Palace,
}

/// The men of a word: all except those of the black palace.
#[derive(Clone, Copy, Debug)]
pub struct BlockPieces {
    /// The points by number of the man; unspecified for the black palace.
    pub(in crate::xiangqi) placed: MenPoints,
    /// The pattern of each group.
    patterns: [u32; MAX_MEN],
    /// The points of the men.
    pub(in crate::xiangqi) fixed: Points,
    /// Whether two men share a point.
    pub(in crate::xiangqi) is_impossible: bool,
}

impl Index {
    pub(in crate::xiangqi) fn palace(&self) -> &Palace {
        &self.0.palace
    }

    /// The number of values of the anchor group's digit, the most significant digit of a word.
    pub(in crate::xiangqi) fn anchor_digits(&self) -> usize {
        self.0.digits.anchor_pattern.len()
    }

    /// The numbers of the men outside the black palace.
    pub(in crate::xiangqi) fn outside(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.material.len()).filter(|&man| !self.0.palace.group.has(man))
    }

    /// The word of the men on `placed`, and whether it holds their mirror image. `None` if two men of a group share a point.
    pub(in crate::xiangqi) fn word(&self, placed: &MenPoints) -> Option<(u64, bool)> {
        let digits = &self.0.digits;
        let anchor = digits.groups[digits.anchor].rank(placed)?;
        let digit = digits.anchor_digit[anchor as usize];
        let is_mirrored = digits.anchor_pattern[digit as usize] != anchor;
        let placed = if is_mirrored { &placed.map(Point::mirrored) } else { placed };
        let mut word = u64::from(digit) * digits.strides[digits.anchor];
        for (at, group) in digits.groups.iter().enumerate().filter(|&(at, _)| at != digits.anchor) {
            word += u64::from(group.rank(placed)?) * digits.strides[at];
        }
        Some((word, is_mirrored))
    }

    /// The word after a move of man number `man` of `men`, the men of word number `word`, to `to`, and whether it holds the
    /// mirror image. `None` if two men of a group share a point.
    #[inline]
    pub(in crate::xiangqi) fn moved(
        &self,
        word: u64,
        men: &BlockPieces,
        man: usize,
        to: Point,
    ) -> Option<(u64, bool)> {
        let digits = &self.0.digits;
        let at = usize::from(digits.of_man[man]);
        let mut placed = men.placed;
        placed[man] = to;
        let pattern = digits.groups[at].rank(&placed)?;
        if at != digits.anchor {
            let change = u64::from(pattern).wrapping_sub(u64::from(men.patterns[at]));
            return Some((word.wrapping_add(change.wrapping_mul(digits.strides[at])), false));
        }
        let digit = digits.anchor_digit[pattern as usize];
        if digits.anchor_pattern[digit as usize] == pattern {
            let before = digits.anchor_digit[men.patterns[at] as usize];
            let change = u64::from(digit).wrapping_sub(u64::from(before));
            return Some((word.wrapping_add(change.wrapping_mul(digits.strides[at])), false));
        }
        Some((self.mirror_with(digit, men), true))
    }

    /// The word with digit `anchor` and the mirrors of the other groups.
    fn mirror_with(&self, anchor: u32, men: &BlockPieces) -> u64 {
        let digits = &self.0.digits;
        let others = digits.groups.iter().enumerate().filter(|&(at, _)| at != digits.anchor);
        let others =
            others.map(|(at, group)| u64::from(group.mirrored(men.patterns[at])) * digits.strides[at]);
        others.sum::<u64>() + u64::from(anchor) * digits.strides[digits.anchor]
    }

    /// The word of the mirror image after a move of man number `man` to `to`; no other un-move reaches this word. `None` unless
    /// the move makes the anchor group its own mirror, so that both images have a word.
    pub(in crate::xiangqi) fn second_image(&self, men: &BlockPieces, man: usize, to: Point) -> Option<u64> {
        let digits = &self.0.digits;
        let at = usize::from(digits.of_man[man]);
        let group = &digits.groups[at];
        if at != digits.anchor || group.mirrored(men.patterns[at]) == men.patterns[at] {
            return None;
        }
        let mut placed = men.placed;
        placed[man] = to;
        let pattern = group.rank(&placed).filter(|&pattern| group.mirrored(pattern) == pattern)?;
        Some(self.mirror_with(digits.anchor_digit[pattern as usize], men))
    }

    /// The number of positions that a slot of the word stands for: 2 with the mirror image, otherwise 1.
    pub(in crate::xiangqi) fn images(&self, men: &BlockPieces) -> u64 {
        let digits = &self.0.digits;
        let anchor = men.patterns[digits.anchor];
        if digits.groups[digits.anchor].mirrored(anchor) == anchor { 1 } else { 2 }
    }
}

impl Numbering<Xiangqi> for Index {
    type Men = BlockPieces;

    fn new(material: &Material) -> Self {
        let (outside, palace) = groups(material, true);
        let palace = Palace::new(material, Group::new(material, &palace));
        let digits = Digits::new(material, &outside);
        Index(Arc::new(Tables { material: *material, digits, palace }))
    }

    fn material(&self) -> &Material {
        &self.0.material
    }

    fn words(&self) -> u64 {
        self.0.digits.words
    }

    fn words_of(material: &Material) -> u64 {
        Sizes::of_words(material).product()
    }

    fn rank_any(&self, position: &Position) -> (Color, u64) {
        let mut placed = MenPoints::default();
        placed[..self.0.material.len()].copy_from_slice(position.points());
        let slot = self.word(&placed).and_then(|(word, is_mirrored)| {
            let placed = if is_mirrored { placed.map(Point::mirrored) } else { placed };
            Some(word * WORD + self.0.palace.rank(&placed)? as u64)
        });
        // Only an illegal position has no slot.
        (position.turn(), slot.unwrap_or(u64::MAX))
    }

    fn check(&self, position: &Position) -> Result<()> {
        position.check_of(&self.0.material)
    }

    #[inline]
    fn men(&self, _: Color, word: u64) -> BlockPieces {
        let digits = &self.0.digits;
        let mut men = BlockPieces {
            placed: MenPoints::default(),
            patterns: [0; MAX_MEN],
            fixed: Points::EMPTY,
            is_impossible: false,
        };
        for (at, group) in digits.groups.iter().enumerate() {
            let size = if at == digits.anchor { digits.anchor_pattern.len() } else { group.len() } as u64;
            let digit = (word / digits.strides[at] % size) as u32;
            let pattern = if at == digits.anchor { digits.anchor_pattern[digit as usize] } else { digit };
            men.patterns[at] = pattern;
            group.place(pattern, &mut men.placed);
        }
        for man in self.outside() {
            men.is_impossible |= men.fixed.contains(men.placed[man]);
            men.fixed |= men.placed[man];
        }
        men
    }

    #[inline]
    fn stored(&self, _: &BlockPieces) -> u128 {
        u128::MAX
    }

    fn placed(&self, turn: Color, men: &BlockPieces, slot: u64) -> Position {
        let mut placed = men.placed;
        self.0.palace.place((slot % WORD) as usize, &mut placed);
        Position::new(self.0.material, &placed[..self.0.material.len()], turn)
    }
}

/// The bits of a word, or their mirror image if `is_mirrored`.
#[inline]
pub(in crate::xiangqi) fn image(bits: u128, is_mirrored: bool) -> u128 {
    if is_mirrored { mirrored(bits) } else { bits }
}
