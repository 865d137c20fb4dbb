//! Material signatures: `KQvKR`, stronger side first. `KRvKQ` is also read.

use super::man::{Man, Role};
use crate::error::{Error, ErrorKind, Result, quoted};
use crate::outcome::Color;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// The number of the black king.
#[cfg(feature = "build")]
pub(crate) const BLACK_KING: usize = 1;

/// The most men, kings included, that a signature may name.
pub const MAX_MEN: usize = 8;

/// The men of a table. White is the stronger side: it has more men, or as many and its men come first in signature order (`K`
/// before `Q` before `R`, `B`, `N`, `P`).
///
/// The men are numbered: 0 the white king, 1 the black king, then the other white men and the other black men, each
/// in signature order, so that identical men are neighbours.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Material {
    men: [Man; MAX_MEN],
    len: u8,
    pawns: u8,
    symmetric: bool,
    /// Bit n when man number n is identical to man number n - 1.
    repeats: u8,
}

impl Material {
    /// Returns the material of the kings and the given men, and whether the colours had to be exchanged to make White the
    /// stronger side.
    ///
    /// # Errors
    /// [`ErrorKind::BadMaterial`] when a king is among the men or there are more than [`MAX_MEN`] with the kings.
    pub fn new(white: &[Role], black: &[Role]) -> Result<(Self, bool)> {
        let mut counts = [[0; Role::ALL.len()]; 2];
        for (counts, roles) in counts.iter_mut().zip([white, black]) {
            roles.iter().for_each(|&role| counts[role as usize] += 1);
        }
        if counts.iter().any(|counts| counts[Role::King as usize] > 0) {
            return Err(Error::new(ErrorKind::BadMaterial, "one king a side"));
        }
        Self::of_counts(counts)
    }

    /// [`Material::new`] from the number of men of each colour and role, kings ignored. Does not allocate.
    pub(super) fn of_counts(mut counts: [[usize; Role::ALL.len()]; 2]) -> Result<(Self, bool)> {
        counts.iter_mut().for_each(|counts| counts[Role::King as usize] = 0);
        let [white, black] = counts.map(|counts| counts.iter().sum::<usize>());
        if white + black + 2 > MAX_MEN {
            return Err(Error::new(ErrorKind::BadMaterial, format!("more than {MAX_MEN} men")));
        }
        let swapped = (black, counts[1]) > (white, counts[0]);
        if swapped {
            counts.reverse();
        }
        let king = |color| Man::new(color, Role::King);
        let mut men = [king(Color::White); MAX_MEN];
        men[1] = king(Color::Black);
        let mut len = 2;
        for (color, counts) in Color::BOTH.into_iter().zip(counts) {
            for (role, count) in Role::ALL.into_iter().zip(counts) {
                men[len..len + count].fill(Man::new(color, role));
                len += count;
            }
        }
        let pawns = men[..len].iter().filter(|man| man.role == Role::Pawn).count();
        let symmetric = counts[0] == counts[1];
        let repeats = (1..len).filter(|&man| men[man] == men[man - 1]).fold(0, |all, man| all | 1 << man);
        Ok((Material { men, len: len as u8, pawns: pawns as u8, symmetric, repeats }, swapped))
    }

    /// Returns every material of exactly `men` men, simplest first: each material comes after the materials that its promotions
    /// lead to.
    pub fn all(men: usize) -> Vec<Self> {
        let Some(others) = men.checked_sub(2).filter(|_| men <= MAX_MEN) else { return Vec::new() };
        let mut all: Vec<Self> = Self::new(&[], &[]).into_iter().map(|(kings, _)| kings).collect();
        for _ in 0..others {
            let with = |material: &Self, color: Color, role: Role| {
                let mut roles = Color::BOTH.map(|color| material.roles(color).collect::<Vec<_>>());
                roles[color.index()].push(role);
                Self::new(&roles[0], &roles[1]).ok().map(|(material, _)| material)
            };
            let added = Color::BOTH.map(|color| Role::ALL.map(|role| (color, role)));
            let more = |material| {
                added.as_flattened().iter().filter_map(move |&(color, role)| with(material, color, role))
            };
            all = all.iter().flat_map(more).collect();
            all.sort_by_cached_key(|material| (material.pawns(), material.to_string()));
            all.dedup();
        }
        all
    }

    /// The men in their numbering: kings first.
    #[inline]
    pub fn men(&self) -> &[Man] {
        &self.men[..self.len as usize]
    }

    /// Number of men, kings included.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// False: there are always two kings.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Number of pawns of both sides.
    pub fn pawns(&self) -> usize {
        self.pawns as usize
    }

    /// Whether there is a pawn.
    pub fn has_pawns(&self) -> bool {
        self.pawns() > 0
    }

    /// Whether both sides have a pawn, so that en passant can arise.
    pub fn has_en_passant(&self) -> bool {
        Color::BOTH.iter().all(|&color| self.men().contains(&Man::new(color, Role::Pawn)))
    }

    /// Whether both sides have the same men, so that exchanging the colours is a symmetry of the table.
    pub fn is_symmetric(&self) -> bool {
        self.symmetric
    }

    /// The roles of `color`'s men other than the king, in signature order.
    pub fn roles(&self, color: Color) -> impl Iterator<Item = Role> + '_ {
        self.men()[2..].iter().filter(move |man| man.color == color).map(|man| man.role)
    }

    /// The sides to move that a table of this material stores: both, or White alone if the material is symmetric.
    pub fn stored_turns(&self) -> &'static [Color] {
        if self.is_symmetric() { &Color::BOTH[..1] } else { &Color::BOTH }
    }

    /// The groups of identical men as ranges of their numbers, in order; kings are groups of one.
    pub fn groups(&self) -> Vec<core::ops::Range<usize>> {
        let mut groups: Vec<core::ops::Range<usize>> = Vec::new();
        while let Some(group) = self.group(groups.last().map_or(0, |group| group.end)) {
            groups.push(group);
        }
        groups
    }

    /// The numbers of the men identical to man number `man`, itself included; `None` if there is no such man.
    pub fn group(&self, man: usize) -> Option<core::ops::Range<usize>> {
        if man >= self.len() {
            return None;
        }
        let (mut start, mut end) = (man, man + 1);
        let repeats = |man: usize| u32::from(self.repeats) >> man & 1 != 0;
        while repeats(start) {
            start -= 1;
        }
        while repeats(end) {
            end += 1;
        }
        Some(start..end)
    }

    /// Bit n when man number n is identical to man number n - 1.
    #[inline]
    pub(super) fn repeats(&self) -> u8 {
        self.repeats
    }

    /// Reads a signature, and returns whether it was written from the weaker side (`KRvKQ`), so that its first side
    /// is Black in the [`Material`].
    ///
    /// # Errors
    /// [`ErrorKind::BadMaterial`] when the text is not two groups of men, each beginning with its king, around a `v`.
    pub fn parse(text: &str) -> Result<(Self, bool)> {
        let bad = |why: &str| {
            let text = quoted(text);
            Error::new(ErrorKind::BadMaterial, format!("{text} is no material: {why} (example: KQvKR)"))
        };
        let (white, black) = text.split_once('v').ok_or_else(|| bad("no 'v' between the sides"))?;
        let side = |side: &str| {
            let men = side.strip_prefix('K').ok_or_else(|| bad("each side begins with its king"))?;
            men.chars()
                .map(|letter| Role::from_letter(letter).filter(|&role| role != Role::King))
                .collect::<Option<Vec<_>>>()
                .ok_or_else(|| bad("after the king each man is one of Q, R, B, N, P"))
        };
        Self::new(&side(white)?, &side(black)?).map_err(|error| bad(&error.to_string()))
    }
}

impl FromStr for Material {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(Self::parse(text)?.0)
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |color| self.roles(color).map(Role::letter).collect::<String>();
        f.pad(&format!("K{}vK{}", side(Color::White), side(Color::Black)))
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Material({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn read_from_either_side() {
        for (text, signature, swapped) in [
            ("KvK", "KvK", false),
            ("KQvKR", "KQvKR", false),
            ("KRvKQ", "KQvKR", true),
            ("KvKNB", "KBNvK", true),
            ("KPvKQ", "KQvKP", true),
            ("KPPvKQ", "KPPvKQ", false),
            ("KNBRvKQQ", "KRBNvKQQ", false),
        ] {
            let (material, was_swapped) = Material::parse(text).unwrap();
            assert_eq!((material.to_string().as_str(), was_swapped), (signature, swapped), "{text}");
            assert_eq!(Material::parse(signature).unwrap(), (material, false));
        }
    }

    #[test]
    fn bad_signatures_say_why() {
        for (text, reason) in [
            ("", "no 'v' between the sides"),
            ("KQKR", "no 'v' between the sides"),
            ("QvK", "each side begins with its king"),
            ("Kv", "each side begins with its king"),
            ("KQvKvK", "after the king each man is one of Q, R, B, N, P"),
            ("KKvK", "after the king each man is one of Q, R, B, N, P"),
            ("KqvK", "after the king each man is one of Q, R, B, N, P"),
            ("KQQQQvKQQQ", "more than 8 men"),
        ] {
            let error = Material::parse(text).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::BadMaterial);
            assert_eq!(error.to_string(), format!("'{text}' is no material: {reason} (example: KQvKR)"));
        }
    }

    #[test]
    fn all_of_a_size() {
        assert_eq!([0, 1, 2, 3, 4, 5, 9].map(|men| Material::all(men).len()), [0, 0, 1, 5, 30, 110, 0]);
        let three: Vec<String> = Material::all(3).iter().map(ToString::to_string).collect();
        assert_eq!(three, ["KBvK", "KNvK", "KQvK", "KRvK", "KPvK"]);
    }

    #[test]
    fn numbers_and_groups() {
        let material: Material = "KPBPvKPQ".parse().unwrap();
        let letters: String = material.men().iter().map(|man| man.fen()).collect();
        assert_eq!(letters, "KkBPPqp");
        assert_eq!(material.groups(), [0..1, 1..2, 2..3, 3..5, 5..6, 6..7]);
        assert_eq!(material.group(4), Some(3..5));
        assert_eq!(material.group(7), None);
        assert_eq!((material.pawns(), material.has_en_passant(), material.is_symmetric()), (3, true, false));
        let symmetric: Material = "KRPvKPR".parse().unwrap();
        assert!(symmetric.is_symmetric());
        assert_eq!(symmetric.stored_turns(), [Color::White]);
    }

    proptest! {
        #[test]
        fn parsing_never_panics(any in ".*", near in "K?[KQRBNP]{0,6}v?K?[KQRBNPv]{0,6}") {
            for text in [any, near] {
                if let Ok((material, _)) = Material::parse(&text) {
                    prop_assert_eq!(material.to_string().parse::<Material>().unwrap(), material);
                }
            }
        }
    }
}
