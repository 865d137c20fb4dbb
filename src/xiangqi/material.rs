//! Materials of Chinese chess as the paper names them: `c-aaee`, Red's men before the hyphen, Black's after it, without the
//! generals.
//!
//! Only Red may have attackers, as in the paper's table (section 4). A material with attackers on both sides is refused:
//! perpetual check and perpetual chase decide its games, so that not every undecided position is a draw.

use super::man::{Man, Role, color_name};
use crate::error::{Error, ErrorKind, Result};
use crate::outcome::Color;
use core::fmt;
use core::ops::Range;
use core::str::FromStr;

/// The most men, generals included, that a material may have.
pub const MAX_MEN: usize = 16;

/// The most combinations of identical men's points: four soldiers have fewer, five more.
const MOST_OF_ALIKE: u128 = 1 << 20;

/// The most combinations of all men's points with one side to move.
const MOST_POSITIONS: u128 = 1 << 40;

/// Numbers of men, by colour and role.
pub(super) type Counts = [[usize; Role::ALL.len()]; 2];

/// The men of a table. Attackers are Red's. Without attackers the colours are never exchanged, whichever side has more men: so no
/// capture exchanges them.
///
/// The men are numbered: 0 the red general, 1 the black general, then the other red men and the other black men, each in the
/// order of the name, so that identical men are neighbours. Materials are ordered by their number of men first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material {
    len: u8,
    men: [Man; MAX_MEN],
}

impl Material {
    /// Returns the material of the given men other than the generals, and whether the colours were exchanged.
    ///
    /// # Errors
    /// [`ErrorKind::BadMaterial`]: a general among the men, more men than [`MAX_MEN`] with the generals, more of a role than
    /// [`Role::limit`], attackers on both sides, or too many positions for a table.
    pub fn new(red: &[Role], black: &[Role]) -> Result<(Self, bool)> {
        let mut counts = Counts::default();
        for (counts, roles) in counts.iter_mut().zip([red, black]) {
            counts[Role::General as usize] = 1;
            roles.iter().for_each(|&role| counts[role as usize] += 1);
        }
        Self::of_counts(counts)
    }

    /// [`Material::new`] from the number of men of each colour and role, generals included.
    pub(super) fn of_counts(mut counts: Counts) -> Result<(Self, bool)> {
        let bad = |why: String| Err(Error::new(ErrorKind::BadMaterial, why));
        for (color, counts) in Color::BOTH.into_iter().zip(&counts) {
            if counts[Role::General as usize] != 1 {
                return bad(format!("{} has not one general", color_name(color)));
            }
            if let Some((role, count)) =
                Role::ALL.iter().zip(counts).find(|(role, count)| **count > role.limit())
            {
                let (name, limit) = (role.name(), role.limit());
                return bad(format!("{} has {count} {name}s, more than {limit}", color_name(color)));
            }
        }
        let men = counts.map(|counts| counts.iter().sum::<usize>());
        let attackers = counts.map(|counts| {
            Role::ALL.iter().zip(counts).filter(|(role, _)| role.is_attacker()).map(|(_, count)| count).sum()
        });
        let exchanged = match attackers {
            [_, 0] => false,
            [0, _] => true,
            [_, _] => {
                let why = "attackers (h, c, g, p) on both sides, where perpetual check and chase decide";
                return bad(why.into());
            }
        };
        let len = men.iter().sum::<usize>();
        if len > MAX_MEN {
            return bad(format!("{len} men, more than {MAX_MEN}"));
        }
        if exchanged {
            counts.reverse();
        }
        let mut men = [Man::new(Color::White, Role::General); MAX_MEN];
        men[1].color = Color::Black;
        let mut next = 2;
        for (color, counts) in Color::BOTH.into_iter().zip(counts) {
            for (role, count) in Role::ALL.into_iter().zip(counts).skip(1) {
                men[next..next + count].fill(Man::new(color, role));
                next += count;
            }
        }
        let material = Material { len: len as u8, men };
        let (largest, all) = material.combinations();
        if largest > MOST_OF_ALIKE || all > MOST_POSITIONS {
            return bad(format!("{material} has too many positions for a table"));
        }
        Ok((material, exchanged))
    }

    /// The most combinations of points of identical men, and the product of all.
    fn combinations(&self) -> (u128, u128) {
        let of = |men: Range<usize>| {
            let points = self.men[men.start].points().len() as u128;
            (0..men.len() as u128).fold(1, |product, chosen| product * (points - chosen) / (chosen + 1))
        };
        let all = self.groups().map(of);
        all.fold((1, 1), |(largest, product), of| (of.max(largest), product * of))
    }

    /// The men in their numbering: generals first.
    #[inline]
    pub fn men(&self) -> &[Man] {
        &self.men[..self.len as usize]
    }

    /// Number of men, generals included.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// False: there are always two generals.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Number of men like `man`.
    pub fn count(&self, man: Man) -> usize {
        self.men().iter().filter(|&&other| other == man).count()
    }

    /// The roles of `color`'s men other than the general, in the order of the name.
    pub fn roles(&self, color: Color) -> impl Iterator<Item = Role> + '_ {
        self.men()[2..].iter().filter(move |man| man.color == color).map(|man| man.role)
    }

    /// The groups of identical men as ranges of their numbers, in order; generals are groups of one.
    pub fn groups(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut end = 0;
        self.men().chunk_by(|man, next| man == next).map(move |group| {
            end += group.len();
            end - group.len()..end
        })
    }

    /// Reads a name, and returns whether the colours were exchanged: `aaee-c` is read as `c-aaee`. Men may be in any order; a
    /// bare general is `k` or nothing.
    ///
    /// # Errors
    /// [`ErrorKind::BadMaterial`]: the text is not two sides around a hyphen, or see [`Material::new`].
    pub fn parse(text: &str) -> Result<(Self, bool)> {
        let bad = |why: &str| {
            // Cut, so that the message is one line.
            let text: String = text.chars().take(24).flat_map(char::escape_debug).collect();
            Error::new(
                ErrorKind::BadMaterial,
                format!("'{text}' is no material of Chinese chess: {why} (example: c-aaee)"),
            )
        };
        let (red, black) = text.split_once('-').ok_or_else(|| bad("no '-' between the sides"))?;
        let mut counts = Counts::default();
        for (counts, side) in counts.iter_mut().zip([red, black]) {
            let men = if side == "k" { "" } else { side };
            for letter in men.chars() {
                let role = match Role::from_letter(letter) {
                    Some(Role::General) => return Err(bad("the general, k, is named only when it is alone")),
                    Some(role) => role,
                    None => return Err(bad("each man is one of a, e, h, c, g, p")),
                };
                counts[role as usize] += 1;
            }
            counts[Role::General as usize] = 1;
        }
        Self::of_counts(counts).map_err(|error| bad(&error.to_string()))
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
        let side = |color| {
            let men = self.roles(color).map(Role::letter).collect::<String>();
            if men.is_empty() { "k".into() } else { men }
        };
        f.pad(&format!("{}-{}", side(Color::White), side(Color::Black)))
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
    fn names_of_the_paper_stay() {
        // Table 4, the table on page 221, and the subgames of c-aaee in section 4.
        let names = "h-aaee c-aaee g-aaee hp-aaee cp-aaee gp-aaee hh-aaee cc-aaee gg-aaee hc-aaee hg-aaee cg-aaee agp-aaee \
                     egp-aaee aagp-aaee eegp-aaee aegp-aaee agg-aaee egg-aaee aagg-aaee eegg-aaee aegg-aaee pp-aaee \
                     hpp-aaee gpp-aaee cpp-aaee aegp-aae gpp-ee hpp-aee aagp-aee k-k c-k c-a c-e c-aa c-ee c-ae c-aae c-aee";
        for name in names.split_whitespace() {
            let (material, exchanged) = Material::parse(name).unwrap();
            assert_eq!((material.to_string().as_str(), exchanged), (name, false));
        }
    }

    #[test]
    fn other_ways_to_write_a_name() {
        for (text, name, exchanged) in [
            ("aaee-c", "c-aaee", true),
            ("k-pgea", "aegp-k", true),
            ("pgea-eaea", "aegp-aaee", false),
            ("c-", "c-k", false),
            ("-", "k-k", false),
            ("-aaee", "k-aaee", false),
            ("aaee-k", "aaee-k", false),
            ("e-a", "e-a", false),
            ("a-e", "a-e", false),
            ("pphc-aaee", "hcpp-aaee", false),
        ] {
            let (material, was_exchanged) = Material::parse(text).unwrap();
            assert_eq!((material.to_string().as_str(), was_exchanged), (name, exchanged), "{text}");
            assert_eq!(Material::parse(name).unwrap(), (material, false));
        }
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let both = "attackers (h, c, g, p) on both sides, where perpetual check and chase decide";
        for (text, reason) in [
            ("", "no '-' between the sides"),
            ("KQvKR", "no '-' between the sides"),
            ("C-aaee", "each man is one of a, e, h, c, g, p"),
            ("c-aaee-", "each man is one of a, e, h, c, g, p"),
            ("kc-kaaee", "the general, k, is named only when it is alone"),
            ("c-aaaee", "black has 3 assistants, more than 2"),
            ("pppppp-k", "red has 6 soldiers, more than 5"),
            ("c-p", both),
            ("ppppp-k", "ppppp-k has too many positions for a table"),
            ("hhccgg-k", "hhccgg-k has too many positions for a table"),
            ("aaeehhccgggp-c", "red has 3 gunners, more than 2"),
            ("aaeehhccggp-aaee", "17 men, more than 16"),
        ] {
            let error = Material::parse(text).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::BadMaterial);
            assert_eq!(
                error.to_string(),
                format!("'{text}' is no material of Chinese chess: {reason} (example: c-aaee)")
            );
        }
        assert!(Material::new(&[Role::General], &[]).is_err());
    }

    #[test]
    fn numbers_and_groups() {
        let material: Material = "pahp-eae".parse().unwrap();
        let letters: String = material.men().iter().map(|man| man.role.letter()).collect();
        assert_eq!(letters, "kkahppaee");
        let groups: Vec<_> = material.groups().collect();
        assert_eq!(groups, [0..1, 1..2, 2..3, 3..4, 4..6, 6..7, 7..9]);
        assert_eq!(material.count(Man::new(Color::Black, Role::Elephant)), 2);
        let drawn: Material = "ae-ea".parse().unwrap();
        assert!(drawn < material);
    }

    proptest! {
        #[test]
        fn parsing_never_panics(any in ".*", near in "[kaehcgp]{0,9}-?[kaep-]{0,6}") {
            for text in [any, near] {
                if let Ok((material, _)) = Material::parse(&text) {
                    prop_assert_eq!(material.to_string().parse::<Material>().unwrap(), material);
                }
            }
        }
    }
}
