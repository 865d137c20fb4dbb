//! Groups of men that are numbered together, after Wu & Beal (sections 3.1 to 3.4).
//!
//! A man is numbered by the points where it may stand, identical men by the combinations of these points. The general is grouped
//! with its assistants, and with its elephants if they are few, so that no number has two of these men on one point. One group of
//! a material, the *anchor*, has the same number for a pattern and its left-right mirror.

use super::super::man::{Man, Role};
use super::super::material::{MAX_MEN, Material};
use super::super::point::{Point, Points};
use crate::outcome::Color;
use crate::retrograde::game::binomials;
use std::ops::Range;

/// The points of the men of a material, by number.
pub(in crate::xiangqi) type MenPoints = [Point; MAX_MEN];

/// Identical men, numbered by the combinations of their points.
#[derive(Clone, Debug, PartialEq, Eq)]
struct IdenticalMen {
    /// Their numbers in the material.
    men: Range<usize>,
    /// The index of each point among those where the men may stand.
    place: [u8; Point::COUNT],
    /// The number of combinations.
    count: usize,
}

/// Men that are numbered together. A *pattern* is the number of their points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::xiangqi) struct Group {
    parts: Vec<IdenticalMen>,
    /// The number of its men.
    width: usize,
    /// The pattern for each combined number of the parts, `u32::MAX` if two men share a point. Empty for a single part, whose
    /// number is the pattern.
    pattern: Vec<u32>,
    /// The points of all patterns, pattern after pattern, then part after part, ascending in a part.
    points: Vec<Point>,
    /// The left-right mirror of each pattern.
    mirrored: Vec<u32>,
}

/// The men of a group: ranges of numbers of identical men.
pub(in crate::xiangqi) type GroupMen = Vec<Range<usize>>;

/// The patterns of a group, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::xiangqi) struct Size {
    /// All patterns, and those up to the left-right mirror.
    pub(in crate::xiangqi) all: u64,
    pub(in crate::xiangqi) up_to_mirror: u64,
}

impl Size {
    /// Counts the patterns of the group of the men with these ranges of numbers. If there are several ranges, the first is a
    /// general, and the men of the others have no point in common.
    pub(in crate::xiangqi) fn new(material: &Material, men: &[Range<usize>]) -> Self {
        let of = |men: &Range<usize>, free: Points| {
            let points = material.men()[men.start].points() & free;
            let own = points.into_iter().filter(|on| on.mirrored() == *on).count();
            let (n, k) = (points.len(), men.len());
            // A choice that is its own mirror has pairs of mirrored points, and any points of the middle file.
            let pairs = |pairs: usize| binomial(own, k - 2 * pairs) * binomial((n - own) / 2, pairs);
            [binomial(n, k), (0..=k / 2).map(pairs).sum()]
        };
        let [all, own] = match men {
            [one] => of(one, Points::ALL),
            [general, others @ ..] => {
                material.men()[general.start].points().into_iter().fold([0, 0], |[all, own], on| {
                    let free = !Points::from(on);
                    let [of_all, of_own] =
                        others.iter().map(|men| of(men, free)).fold([1, 1], |[a, b], [c, d]| [a * c, b * d]);
                    [all + of_all, own + if on.mirrored() == on { of_own } else { 0 }]
                })
            }
            [] => [1, 1],
        };
        Size { all, up_to_mirror: all.midpoint(own) }
    }
}

/// C(n, k) for k up to 5.
fn binomial(n: usize, k: usize) -> u64 {
    u64::from(BINOMIAL[k][n])
}

/// `BINOMIAL[k][n]` is C(n, k), for as many identical men as there are.
static BINOMIAL: [[u32; Point::COUNT + 1]; 6] = binomials();

impl IdenticalMen {
    fn new(material: &Material, men: Range<usize>) -> Self {
        let points = material.men()[men.start].points();
        let mut place = [u8::MAX; Point::COUNT];
        points.into_iter().zip(0..).for_each(|(point, at)| place[point.index()] = at);
        IdenticalMen { count: binomial(points.len(), men.len()) as usize, men, place }
    }

    /// The number of the combination of points in colexicographic order.
    #[inline]
    fn rank(&self, placed: &MenPoints) -> usize {
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

    /// The points of all combinations, one combination after the other in colexicographic order.
    fn combinations(&self, material: &Material) -> Vec<Point> {
        let points: Vec<Point> = material.men()[self.men.start].points().into_iter().collect();
        let mut chosen: Vec<usize> = (0..self.men.len()).collect();
        let mut all = Vec::with_capacity(self.count * chosen.len());
        loop {
            all.extend(chosen.iter().map(|&at| points[at]));
            let is_below = |&k: &usize| chosen[k] + 1 < chosen.get(k + 1).copied().unwrap_or(points.len());
            let Some(next) = (0..chosen.len()).find(is_below) else { return all };
            chosen[next] += 1;
            (0..next).for_each(|k| chosen[k] = k);
        }
    }
}

impl Group {
    /// The group of the men with these ranges of numbers.
    pub(in crate::xiangqi) fn new(material: &Material, men: &[Range<usize>]) -> Self {
        let of = |men: &Range<usize>| IdenticalMen::new(material, men.clone());
        let mut group = Group {
            parts: men.iter().map(of).collect(),
            width: men.iter().map(Range::len).sum(),
            pattern: Vec::new(),
            points: Vec::new(),
            mirrored: Vec::new(),
        };
        if let [one] = &group.parts[..] {
            group.points = one.combinations(material);
        } else {
            let mut combined: Vec<Vec<Point>> = vec![Vec::new()];
            for part in &group.parts {
                let of_part = part.combinations(material);
                let with = |before: &Vec<Point>| {
                    let points = of_part.chunks(part.men.len());
                    points.map(|points| [&before[..], points].concat()).collect::<Vec<_>>()
                };
                combined = combined.iter().flat_map(with).collect();
            }
            let is_free =
                |points: &Vec<Point>| points.iter().copied().collect::<Points>().len() == points.len();
            let mut next = 0;
            for points in &combined {
                group.pattern.push(if is_free(points) { next } else { u32::MAX });
                next += u32::from(is_free(points));
            }
            combined.retain(is_free);
            group.points = combined.concat();
        }
        let patterns = group.points.len() / group.width;
        let mirrored = |pattern| {
            let mut placed = MenPoints::default();
            group.place(pattern as u32, &mut placed);
            group.rank(&placed.map(Point::mirrored)).expect("as many points as in the pattern")
        };
        group.mirrored = (0..patterns).map(mirrored).collect();
        group
    }

    /// The number of patterns.
    pub(in crate::xiangqi) fn len(&self) -> usize {
        self.mirrored.len()
    }

    pub(in crate::xiangqi) fn has(&self, man: usize) -> bool {
        self.parts.iter().any(|part| part.men.contains(&man))
    }

    /// The pattern of the group's men; `None` if two different men share a point. Identical men must not share one.
    #[inline]
    pub(in crate::xiangqi) fn rank(&self, placed: &MenPoints) -> Option<u32> {
        let code = self.parts.iter().fold(0, |code, part| code * part.count + part.rank(placed));
        if self.pattern.is_empty() {
            return Some(code as u32);
        }
        Some(self.pattern[code]).filter(|&pattern| pattern != u32::MAX)
    }

    /// Writes the points of the group's men in `pattern`.
    #[inline]
    pub(in crate::xiangqi) fn place(&self, pattern: u32, placed: &mut MenPoints) {
        let mut points = self.points[pattern as usize * self.width..].iter();
        for part in &self.parts {
            for (place, &point) in placed[part.men.clone()].iter_mut().zip(&mut points) {
                *place = point;
            }
        }
    }

    /// The pattern of the left-right mirror.
    #[inline]
    pub(in crate::xiangqi) fn mirrored(&self, pattern: u32) -> u32 {
        self.mirrored[pattern as usize]
    }

    /// The patterns that are not greater than their mirrors: the numbers of the anchor group.
    fn up_to_mirror(&self) -> impl Iterator<Item = u32> + '_ {
        (0..)
            .zip(&self.mirrored)
            .filter(|(pattern, mirrored)| pattern <= *mirrored)
            .map(|(pattern, _)| pattern)
    }
}

/// The groups of `color`'s men other than attackers: the palace's, and elephants that are not in it.
fn defenders(material: &Material, color: Color, elephants_apart: bool) -> Vec<GroupMen> {
    let of = |role| material.groups().find(|men| material.men()[men.start] == Man::new(color, role));
    let (assistants, elephants) = (of(Role::Assistant), of(Role::Elephant));
    let few = |men: &Option<Range<usize>>| men.as_ref().map_or(0, ExactSizeIterator::len);
    let together = !elephants_apart && few(&assistants) + few(&elephants) <= 2;
    let general = color.index()..color.index() + 1;
    let (inside, apart) = if together { (elephants, None) } else { (None, elephants) };
    let palace = [Some(general), assistants, inside].into_iter().flatten().collect();
    [Some(palace), apart.map(|men| vec![men])].into_iter().flatten().collect()
}

/// The groups of `material` outside the black palace, the red palace's first; and the black palace's, without elephants if
/// `elephants_apart`.
pub(in crate::xiangqi) fn groups(material: &Material, elephants_apart: bool) -> (Vec<GroupMen>, GroupMen) {
    let mut groups = defenders(material, Color::White, false);
    let attackers = material.groups().filter(|men| material.men()[men.start].role.is_attacker());
    groups.extend(attackers.map(|men| vec![men]));
    let mut black = defenders(material, Color::Black, elephants_apart);
    let palace = black.swap_remove(0);
    groups.extend(black);
    (groups, palace)
}

/// The sizes of groups that are numbered together.
pub(in crate::xiangqi) struct Sizes {
    of: Vec<Size>,
    /// The anchor group: the one that the mirror shrinks most, as in table 4 of the paper. If the red palace has more men than
    /// its general, only palaces are candidates, otherwise all groups.
    anchor: usize,
}

impl Sizes {
    /// The sizes of `groups`. The first group is the red palace's; groups from number `black` on are the black palace's.
    fn new(material: &Material, groups: &[GroupMen], black: usize) -> Self {
        let of: Vec<Size> = groups.iter().map(|men| Size::new(material, men)).collect();
        let among_palaces = groups[0].len() > 1;
        let all = (0..of.len()).filter(|&at| !among_palaces || at == 0 || at >= black);
        let shrinks =
            |&a: &usize, &b: &usize| (of[a].up_to_mirror * of[b].all).cmp(&(of[b].up_to_mirror * of[a].all));
        let anchor = all.min_by(shrinks).expect("the group of the red palace");
        Sizes { of, anchor }
    }

    /// The sizes of the groups outside the black palace, which make the number of a word.
    pub(in crate::xiangqi) fn of_words(material: &Material) -> Self {
        let (groups, _) = groups(material, true);
        Self::new(material, &groups, groups.len())
    }

    /// The number of patterns of the anchor group up to the mirror.
    pub(in crate::xiangqi) fn anchor_digits(&self) -> u64 {
        self.of[self.anchor].up_to_mirror
    }

    /// The product of all sizes; the anchor group counts up to the mirror.
    pub(in crate::xiangqi) fn product(&self) -> u64 {
        let others = self.of.iter().enumerate().filter(|&(at, _)| at != self.anchor);
        others.map(|(_, size)| size.all).product::<u64>() * self.anchor_digits()
    }

    /// An upper bound on the bytes of [`Digits`] with these sizes.
    pub(in crate::xiangqi) fn bytes(&self) -> u64 {
        // A point for each man, and five lists of numbers.
        self.of.iter().map(|size| size.all * (5 + 5 * 4)).sum()
    }
}

/// The size of the database in the paper's sense: the product of the sizes of all groups, one of them up to the mirror.
pub fn database_size(material: &Material) -> u64 {
    let (mut groups, palace) = groups(material, false);
    groups.push(palace);
    Sizes::new(material, &groups, groups.len() - 1).product()
}

/// The groups whose numbers make up the number of a word: all except the black palace's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::xiangqi) struct Digits {
    pub(in crate::xiangqi) groups: Vec<Group>,
    /// The weight of each group's digit.
    pub(in crate::xiangqi) strides: Vec<u64>,
    /// The group of each man; unspecified for the men of the black palace.
    pub(in crate::xiangqi) of_man: [u8; MAX_MEN],
    /// The anchor group.
    pub(in crate::xiangqi) anchor: usize,
    /// The pattern of each of its digits.
    pub(in crate::xiangqi) anchor_pattern: Vec<u32>,
    /// The digit of each of its patterns, or of the mirror's.
    pub(in crate::xiangqi) anchor_digit: Vec<u32>,
    pub(in crate::xiangqi) words: u64,
}

impl Digits {
    pub(in crate::xiangqi) fn new(material: &Material, groups: &[GroupMen]) -> Self {
        let anchor = Sizes::new(material, groups, groups.len()).anchor;
        let groups: Vec<Group> = groups.iter().map(|men| Group::new(material, men)).collect();
        let anchor_pattern: Vec<u32> = groups[anchor].up_to_mirror().collect();
        let mut anchor_digit = vec![0; groups[anchor].len()];
        for (digit, &pattern) in (0..).zip(&anchor_pattern) {
            anchor_digit[pattern as usize] = digit;
            anchor_digit[groups[anchor].mirrored(pattern) as usize] = digit;
        }
        let mut words = 1;
        let mut strides = vec![0; groups.len()];
        // The anchor group is the most significant digit.
        let others = (0..groups.len()).rev().filter(|&at| at != anchor);
        for at in others.chain([anchor]) {
            strides[at] = words;
            words *= if at == anchor { anchor_pattern.len() } else { groups[at].len() } as u64;
        }
        let of = |man| groups.iter().position(|group| group.has(man)).unwrap_or(0) as u8;
        let of_man = std::array::from_fn(of);
        Digits { groups, strides, of_man, anchor, anchor_pattern, anchor_digit, words }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's table 4.
    #[test]
    fn database_sizes_are_the_papers() {
        let sizes = "h-aaee 646380, hp-aaee 35550900, hh-aaee 27055350, hc-aaee 58174200, agp-aaee 152806500, \
            egp-aaee 232848000, aagp-aaee 276507000, eegp-aaee 698544000, aegp-aaee 1004157000, \
            agg-aaee 123634350, egg-aaee 188395200, aagg-aaee 223719300, eegg-aaee 565185600, \
            aegg-aaee 812454300, pp-aaee 10120950, hpp-aaee 910885500, aegp-aae 334719000, gpp-ee 113395950, \
            hpp-aee 520506000, aagp-aee 152806500";
        for (name, size) in sizes.split(", ").filter_map(|entry| entry.split_once(' ')) {
            assert_eq!(database_size(&name.parse().unwrap()).to_string(), size, "{name}");
        }
    }

    #[test]
    fn sizes_are_those_of_the_groups() {
        for name in ["aegp-aaee", "aappp-ae", "eecc-k", "k-k", "ahgpp-ee", "pppp-a"] {
            let material = name.parse().unwrap();
            for apart in [false, true] {
                let (groups, palace) = groups(&material, apart);
                for men in groups.iter().chain([&palace]) {
                    let (size, group) = (Size::new(&material, men), Group::new(&material, men));
                    let counted = [group.len(), group.up_to_mirror().count()].map(|count| count as u64);
                    assert_eq!([size.all, size.up_to_mirror], counted, "{name} {men:?}");
                }
            }
        }
    }
}
