//! Groups of men that are numbered together, after Wu & Beal (sections 3.1 to 3.4).
//!
//! A man is numbered by the points where it may stand, identical men by the combinations of theirs. The general is grouped with
//! its assistants, and with its elephants if they are few, so that no number has two of them on one point. One group of a
//! material, the *leading* one, is numbered up to the left-right mirror.

use super::man::{Man, Role};
use super::material::{MAX_MEN, Material};
use super::point::{Point, Points};
use crate::outcome::Color;
use std::ops::Range;

/// The points of the men of a material, by number.
pub(super) type Placed = [Point; MAX_MEN];

/// Identical men.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    /// Their numbers in the material.
    men: Range<usize>,
    /// The place of each point among those where they may stand.
    place: [u8; Point::COUNT],
    /// The number of combinations.
    count: usize,
}

/// Men that are numbered together. A *pattern* is the number of their points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    parts: Vec<Part>,
    /// The pattern for each combined number of the parts, `u32::MAX` if two men share a point. Empty for a single part, whose
    /// number is the pattern.
    pattern: Vec<u32>,
    /// The points of each pattern, those of the parts in turn, each ascending.
    points: Vec<Box<[Point]>>,
    /// The pattern of the left-right mirror of each.
    mirrored: Vec<u32>,
}

/// C(n, k) for n up to 90.
fn binomial(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, i| if n < k { 0 } else { product * (n - i) / (i + 1) })
}

/// `BINOMIAL[k][n]` is C(n, k), for as many identical men as there are.
static BINOMIAL: [[u32; Point::COUNT + 1]; 6] = {
    let mut table = [[0; Point::COUNT + 1]; 6];
    let mut n = 0;
    while n <= Point::COUNT {
        table[0][n] = 1;
        let mut k = 1;
        while n > 0 && k < 6 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

impl Part {
    fn new(material: &Material, men: Range<usize>) -> Self {
        let points = material.men()[men.start].points();
        let mut place = [u8::MAX; Point::COUNT];
        points.into_iter().zip(0..).for_each(|(point, at)| place[point.index()] = at);
        Part { count: binomial(points.len(), men.len()), men, place }
    }

    /// The number of the combination of points in colexicographic order.
    #[inline]
    fn rank(&self, placed: &Placed) -> usize {
        if self.men.len() == 1 {
            return usize::from(self.place[placed[self.men.start].index()]);
        }
        let mut places = [0; 5];
        let places = &mut places[..self.men.len()];
        for (place, point) in places.iter_mut().zip(&placed[self.men.clone()]) {
            *place = self.place[point.index()];
        }
        places.sort_unstable();
        places.iter().zip(1..).map(|(&place, k): (_, usize)| BINOMIAL[k][usize::from(place)] as usize).sum()
    }

    /// The combinations in colexicographic order.
    fn combinations(&self, points: Points) -> Vec<Vec<Point>> {
        let points: Vec<Point> = points.into_iter().collect();
        let mut all: Vec<Vec<usize>> = vec![Vec::new()];
        for k in (0..self.men.len()).rev() {
            let below = |chosen: &Vec<usize>| chosen.first().copied().unwrap_or(points.len());
            let more = |chosen: &Vec<usize>| {
                (k..below(chosen)).map(|first| [&[first], &chosen[..]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(more).collect();
        }
        all.sort_by(|a, b| a.iter().rev().cmp(b.iter().rev()));
        all.iter().map(|chosen| chosen.iter().map(|&at| points[at]).collect()).collect()
    }
}

impl Group {
    /// The group of the men with these ranges of numbers.
    fn new(material: &Material, men: Vec<Range<usize>>) -> Self {
        let parts: Vec<Part> = men.into_iter().map(|men| Part::new(material, men)).collect();
        let mut combined: Vec<Vec<Point>> = vec![Vec::new()];
        for part in &parts {
            let of_part = part.combinations(material.men()[part.men.start].points());
            let with = |before: &Vec<Point>| {
                of_part.iter().map(|points| [&before[..], points].concat()).collect::<Vec<_>>()
            };
            combined = combined.iter().flat_map(with).collect();
        }
        let is_free = |points: &[Point]| points.iter().copied().collect::<Points>().len() == points.len();
        let mut group = Group { parts, pattern: Vec::new(), points: Vec::new(), mirrored: Vec::new() };
        if group.parts.len() > 1 {
            let mut next = 0..;
            group.pattern = combined
                .iter()
                .map(|points| if is_free(points) { next.next().unwrap_or(u32::MAX) } else { u32::MAX })
                .collect();
            combined.retain(|points| is_free(points));
        }
        group.points = combined.into_iter().map(Into::into).collect();
        group.mirrored = (0..group.len())
            .map(|pattern| {
                let mut placed = Placed::default();
                group.place(pattern as u32, &mut placed);
                group.rank(&placed.map(Point::mirrored)).unwrap_or(u32::MAX)
            })
            .collect();
        group
    }

    /// The number of patterns.
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether man number `man` is in the group.
    pub(super) fn has(&self, man: usize) -> bool {
        self.parts.iter().any(|part| part.men.contains(&man))
    }

    /// The pattern of the group's men; `None` if two share a point. Identical men must not.
    #[inline]
    pub(super) fn rank(&self, placed: &Placed) -> Option<u32> {
        let code = self.parts.iter().fold(0, |code, part| code * part.count + part.rank(placed));
        if self.pattern.is_empty() {
            return Some(code as u32);
        }
        Some(self.pattern[code]).filter(|&pattern| pattern != u32::MAX)
    }

    /// Writes the points of the group's men in `pattern`.
    #[inline]
    pub(super) fn place(&self, pattern: u32, placed: &mut Placed) {
        let mut points = self.points[pattern as usize].iter();
        for part in &self.parts {
            for (place, &point) in placed[part.men.clone()].iter_mut().zip(&mut points) {
                *place = point;
            }
        }
    }

    /// The pattern of the left-right mirror.
    #[inline]
    pub(super) fn mirrored(&self, pattern: u32) -> u32 {
        self.mirrored[pattern as usize]
    }

    /// The patterns that are not greater than their mirrors: the numbers of a leading group.
    fn leading(&self) -> impl Iterator<Item = u32> + '_ {
        (0..)
            .zip(&self.mirrored)
            .filter(|(pattern, mirrored)| pattern <= *mirrored)
            .map(|(pattern, _)| pattern)
    }
}

/// The groups of `color`'s men without attackers, as ranges of numbers: the palace's, and elephants that are not in it.
fn defenders(material: &Material, color: Color, elephants_apart: bool) -> Vec<Vec<Range<usize>>> {
    let of = |role| material.groups().find(|men| material.men()[men.start] == Man::new(color, role));
    let (assistants, elephants) = (of(Role::Assistant), of(Role::Elephant));
    let few = |men: &Option<Range<usize>>| men.as_ref().map_or(0, ExactSizeIterator::len);
    let together = !elephants_apart && few(&assistants) + few(&elephants) <= 2;
    let general = color.index()..color.index() + 1;
    let (inside, apart) = if together { (elephants, None) } else { (None, elephants) };
    let palace = [Some(general), assistants, inside].into_iter().flatten().collect();
    [Some(palace), apart.map(|men| vec![men])].into_iter().flatten().collect()
}

/// The groups of `material`: all outside the black palace, the red palace's first; and the black palace's, which has no
/// elephants with `elephants_apart`.
pub(super) fn groups(material: &Material, elephants_apart: bool) -> (Vec<Group>, Group) {
    let mut groups = defenders(material, Color::White, false);
    let attackers = material.groups().filter(|men| material.men()[men.start].role.is_attacker());
    groups.extend(attackers.map(|men| vec![men]));
    let mut black = defenders(material, Color::Black, elephants_apart);
    let palace = black.swap_remove(0);
    groups.extend(black);
    (groups.into_iter().map(|men| Group::new(material, men)).collect(), Group::new(material, palace))
}

/// The position of the leading group among `groups`, of which the first is the red palace's and those from `black` on are the
/// black palace's, and its size up to the mirror. It is the group that the mirror shrinks most, as in table 4 of the paper:
/// among the palaces if the red general is not alone in its, otherwise among all.
fn lead_of(groups: &[Group], black: usize) -> (usize, usize) {
    let size = |at: usize| groups[at].leading().count();
    let among_palaces = groups[0].parts.len() > 1;
    let all = (0..groups.len()).filter(|&at| !among_palaces || at == 0 || at >= black);
    let shrinks = |&a: &usize, &b: &usize| (size(a) * groups[b].len()).cmp(&(size(b) * groups[a].len()));
    let lead = all.min_by(shrinks).unwrap_or(0);
    (lead, size(lead))
}

/// The size of the database in the paper's sense: the product of the sizes of all groups, one of them up to the mirror.
pub fn database_size(material: &Material) -> u64 {
    let (mut groups, palace) = groups(material, false);
    groups.push(palace);
    let (lead, size) = lead_of(&groups, groups.len() - 1);
    let others = groups.iter().enumerate().filter(|&(at, _)| at != lead);
    others.map(|(_, group)| group.len() as u64).product::<u64>() * size as u64
}

/// The groups whose numbers make that of a word: all but the black palace's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Digits {
    pub(super) groups: Vec<Group>,
    /// The weight of each group's digit.
    pub(super) strides: Vec<u64>,
    /// The group of each man; that of men in the black palace is meaningless.
    pub(super) of_man: [u8; MAX_MEN],
    /// The leading group.
    pub(super) lead: usize,
    /// The pattern of each of its digits.
    pub(super) lead_pattern: Vec<u32>,
    /// The digit of each of its patterns, or of the mirror's.
    pub(super) lead_digit: Vec<u32>,
    pub(super) words: u64,
}

impl Digits {
    pub(super) fn new(groups: Vec<Group>) -> Self {
        let (lead, _) = lead_of(&groups, groups.len());
        let lead_pattern: Vec<u32> = groups[lead].leading().collect();
        let mut lead_digit = vec![0; groups[lead].len()];
        for (digit, &pattern) in (0..).zip(&lead_pattern) {
            lead_digit[pattern as usize] = digit;
            lead_digit[groups[lead].mirrored(pattern) as usize] = digit;
        }
        let mut words = 1;
        let mut strides = vec![0; groups.len()];
        // The leading group is the most significant digit.
        let others = (0..groups.len()).rev().filter(|&at| at != lead);
        for at in others.chain([lead]) {
            strides[at] = words;
            words *= if at == lead { lead_pattern.len() } else { groups[at].len() } as u64;
        }
        let of = |man| groups.iter().position(|group| group.has(man)).unwrap_or(0) as u8;
        let of_man = std::array::from_fn(of);
        Digits { groups, strides, of_man, lead, lead_pattern, lead_digit, words }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's table 4.
    #[test]
    fn database_sizes_are_the_papers() {
        for (name, size) in [
            ("h-aaee", 646_380),
            ("hp-aaee", 35_550_900),
            ("hh-aaee", 27_055_350),
            ("hc-aaee", 58_174_200),
            ("agp-aaee", 152_806_500),
            ("egp-aaee", 232_848_000),
            ("aagp-aaee", 276_507_000),
            ("eegp-aaee", 698_544_000),
            ("aegp-aaee", 1_004_157_000),
            ("agg-aaee", 123_634_350),
            ("egg-aaee", 188_395_200),
            ("aagg-aaee", 223_719_300),
            ("eegg-aaee", 565_185_600),
            ("aegg-aaee", 812_454_300),
            ("pp-aaee", 10_120_950),
            ("hpp-aaee", 910_885_500),
            ("aegp-aae", 334_719_000),
            ("gpp-ee", 113_395_950),
            ("hpp-aee", 520_506_000),
            ("aagp-aee", 152_806_500),
        ] {
            assert_eq!(database_size(&name.parse().unwrap()), size, "{name}");
        }
    }
}
