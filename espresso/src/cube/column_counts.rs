//! Counts over a list of cubes: the number of cubes that lack each part, and the number that depend on each variable.
//!
//! All choices of the unate recursive paradigm (Brayton et al. 1984, chapter 3) follow from these counts: a part that all
//! cubes lack, a variable in which the list is weakly unate (all cubes that depend on it lack the same part), the variable
//! that most cubes depend on.
//!
//! Departure: the counts are vertical. One word, a plane, holds bit k of the counts of all parts of a word. So a cube costs
//! a few word operations, not one addition for each part, and the unate variables and the most active one are found for a
//! word of variables at a time.

use crate::cube::calculus::Calculus;
use crate::cube::space::{Slot, Space, Variable};

/// Cubes that four planes can count.
const BLOCK: usize = 15;

/// The counts of one list of cubes; reusable for the next.
#[derive(Clone, Debug)]
pub(crate) struct ColumnCounts {
    /// For each variable the highest bit of its field; `u32::MAX` if it straddles words.
    tops: Vec<u32>,
    /// Planes for each word.
    height: usize,
    /// For each bit, the number of cubes without it.
    missing: Vec<u64>,
    /// At the highest bit of each field, the number of cubes whose literal is not full.
    active: Vec<u64>,
    /// For each word, the highest bits of the fields that some cube depends on.
    depends: Vec<u64>,
    /// The number of cubes that depend on each straddling variable.
    straddling: Vec<(usize, u32)>,
    /// Whether there is a part that all cubes lack.
    is_part_empty: bool,
    /// Whether one of the cubes is full.
    is_full: bool,
}

/// The variables to choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Among {
    All,
    /// Those in which the list is weakly unate.
    Unate,
    /// The others.
    Binate,
}

/// Four planes of one word: a counter from 0 to 15 for each bit.
#[derive(Clone, Copy, Default)]
struct Planes([u64; 4]);

impl Planes {
    #[inline]
    fn add(&mut self, bits: u64) {
        let mut carry = bits;
        for plane in &mut self.0 {
            let both = *plane & carry;
            *plane ^= carry;
            carry = both;
        }
    }

    /// Adds the counts to those of `sum`, which has room for them.
    #[inline]
    fn add_to(self, sum: &mut [u64]) {
        let mut carry = 0;
        for (k, plane) in sum.iter_mut().enumerate() {
            let more = self.0.get(k).copied().unwrap_or(0);
            let one = *plane ^ more;
            let both = *plane & more | carry & one;
            *plane = one ^ carry;
            carry = both;
        }
    }
}

/// The count at a bit.
fn read(planes: &[u64], bit: u32) -> u32 {
    planes.iter().enumerate().map(|(k, plane)| ((plane >> bit & 1) as u32) << k).sum()
}

impl ColumnCounts {
    /// Returns the counts of no cubes.
    pub(crate) fn new(space: &Space) -> Self {
        let top = |variable: &Variable| match variable.slots[..] {
            [slot] => slot.word as u32 * 64 + slot.mask.ilog2(),
            _ => u32::MAX,
        };
        ColumnCounts {
            tops: space.variables().iter().map(top).collect(),
            height: 0,
            missing: Vec::new(),
            active: Vec::new(),
            depends: vec![0; space.words()],
            straddling: Vec::new(),
            is_part_empty: false,
            is_full: false,
        }
    }

    /// Counts the cubes of the flat list `cubes`. O(cubes · words).
    pub(crate) fn take(&mut self, calculus: &Calculus, cubes: &[u64]) {
        let n = calculus.words();
        let count = cubes.len() / n;
        self.height = ((count + 1).next_power_of_two().ilog2() as usize).max(4);
        self.missing.clear();
        self.missing.resize(n * self.height, 0);
        self.active.clear();
        self.active.resize(n * self.height, 0);
        self.is_full = cubes.chunks_exact(n).any(|cube| calculus.is_full(cube));
        self.is_part_empty = false;
        for word in 0..n {
            let full = calculus.space().full()[word];
            let range = word * self.height..(word + 1) * self.height;
            let (missing, active) = (&mut self.missing[range.clone()], &mut self.active[range]);
            let column = || cubes.iter().skip(word).step_by(n);
            let (all, some) =
                column().fold((full, 0), |(all, some), word| (all & !word, some | full & !word));
            self.is_part_empty |= all != 0 && count > 0;
            self.depends[word] = calculus.nonempty(word, some);
            if some == 0 {
                continue;
            }
            let tops = calculus.binary_tops(word);
            let is_binary = some & !(tops | tops >> 1) == 0;
            for block in cubes.chunks(n * BLOCK) {
                let (mut parts, mut variables) = (Planes::default(), Planes::default());
                for cube in block.chunks_exact(n) {
                    let lacks = full & !cube[word];
                    parts.add(lacks);
                    if !is_binary {
                        variables.add(calculus.nonempty(word, lacks));
                    }
                }
                parts.add_to(missing);
                variables.add_to(active);
            }
            if is_binary {
                // A cube lacks at most one part of a binary input that it depends on.
                let mut carry = 0;
                for (active, missing) in active.iter_mut().zip(&*missing) {
                    let (high, low) = (missing & tops, missing << 1 & tops);
                    *active = high ^ low ^ carry;
                    carry = high & low | carry & (high ^ low);
                }
            }
        }
        self.straddling.clear();
        for &v in calculus.straddling() {
            let variable = &calculus.space().variables()[v];
            let active = cubes.chunks_exact(n).filter(|cube| !Space::literal_is_full(variable, cube)).count();
            self.straddling.push((v, active as u32));
        }
    }

    pub(crate) fn has_full(&self) -> bool {
        self.is_full
    }

    fn planes<'p>(&self, planes: &'p [u64], word: usize) -> &'p [u64] {
        &planes[word * self.height..(word + 1) * self.height]
    }

    /// The number of cubes that lack a part.
    pub(crate) fn missing(&self, bit: usize) -> u32 {
        read(self.planes(&self.missing, bit / 64), bit as u32 % 64)
    }

    /// The number of cubes that depend on variable `v`.
    pub(crate) fn active(&self, v: usize) -> u32 {
        match self.tops[v] {
            u32::MAX => {
                self.straddling.iter().find(|&&(other, _)| other == v).map_or(0, |&(_, active)| active)
            }
            top => read(self.planes(&self.active, top as usize / 64), top % 64),
        }
    }

    /// The variables that some cube depends on and that are not binary inputs.
    fn active_others(&self, space: &Space) -> impl Iterator<Item = usize> + '_ {
        (space.binary_inputs()..self.tops.len()).filter(|&v| self.active(v) > 0)
    }

    /// Whether there is a part that all cubes lack.
    pub(crate) fn has_empty_column(&self) -> bool {
        self.is_part_empty
    }

    /// Whether the list is weakly unate in variable `v`: all cubes that depend on it lack the same part.
    pub(crate) fn is_weakly_unate(&self, space: &Space, v: usize) -> bool {
        let active = self.active(v);
        active > 0 && space.variables()[v].slots.iter().any(|slot| self.lacked_by(slot, active) != 0)
    }

    /// The parts of a slot that some cube lacks.
    pub(crate) fn lacked(&self, slot: &Slot) -> u64 {
        slot.mask & self.planes(&self.missing, slot.word).iter().fold(0, |some, plane| some | plane)
    }

    /// The parts of a slot that exactly `count` cubes lack.
    pub(crate) fn lacked_by(&self, slot: &Slot, count: u32) -> u64 {
        let planes = self.planes(&self.missing, slot.word).iter().enumerate();
        planes.fold(slot.mask, |like, (k, plane)| like & if count >> k & 1 != 0 { *plane } else { !plane })
    }

    /// The sum, over the parts of a variable, of the number of cubes that lack the part.
    fn all_missing(&self, slots: &[Slot]) -> u64 {
        let of_slot = |slot: &Slot| -> u64 {
            let planes = self.planes(&self.missing, slot.word).iter().enumerate();
            planes.map(|(k, plane)| u64::from((plane & slot.mask).count_ones()) << k).sum()
        };
        slots.iter().map(of_slot).sum()
    }

    /// The highest bits of the binary inputs in a word in which the list is weakly unate.
    fn unate_tops(&self, calculus: &Calculus, word: usize) -> u64 {
        let (mut high, mut low) = (0, 0);
        for (missing, active) in self.planes(&self.missing, word).iter().zip(self.planes(&self.active, word))
        {
            high |= missing ^ active;
            low |= missing << 1 ^ active;
        }
        !(high & low) & self.depends[word] & calculus.binary_tops(word)
    }

    /// The variable of `among` that most cubes depend on. Among equal ones, the one with the most missing parts, then the
    /// first.
    pub(crate) fn most_active(&self, calculus: &Calculus, among: Among) -> Option<usize> {
        let space = calculus.space();
        let mut best: Option<(u32, u64, usize)> = None;
        for (word, &depends) in self.depends.iter().enumerate() {
            let unate = if among == Among::All { 0 } else { self.unate_tops(calculus, word) };
            let mut tops = depends & calculus.binary_tops(word);
            match among {
                Among::All => {}
                Among::Unate => tops &= unate,
                Among::Binate => tops &= !unate,
            }
            if tops == 0 {
                continue;
            }
            let mut most = 0;
            for (k, plane) in self.planes(&self.active, word).iter().enumerate().rev() {
                if tops & plane != 0 {
                    tops &= plane;
                    most |= 1 << k;
                }
            }
            // A binary literal that is not full lacks one part.
            if best.is_none_or(|(active, ..)| most > active) {
                let top = word * 64 + tops.trailing_zeros() as usize;
                best = Some((most, u64::from(most), calculus.owner(top)));
            }
        }
        for v in self.active_others(space) {
            let active = self.active(v);
            if best.is_some_and(|(most, ..)| active < most)
                || among != Among::All && (among == Among::Unate) != self.is_weakly_unate(space, v)
            {
                continue;
            }
            let lacking = self.all_missing(&space.variables()[v].slots);
            if best.is_none_or(|(most, lacked, _)| (active, lacking) > (most, lacked)) {
                best = Some((active, lacking, v));
            }
        }
        best.map(|(_, _, v)| v)
    }
}

/// The cubes sorted by weight, lightest first. The weight is the sum, over the cube's parts, of the number of cubes of the
/// flat list with the part. Light cubes are unlikely to be covered by others.
pub(crate) fn by_weight(calculus: &Calculus, cubes: &[u64]) -> Vec<usize> {
    let n = calculus.words();
    let mut columns = ColumnCounts::new(calculus.space());
    columns.take(calculus, cubes);
    let count = cubes.len() / n;
    let mut having = vec![0; calculus.space().bits()];
    calculus.for_each_part(calculus.space().full(), |bit| {
        having[bit] = count as u64 - u64::from(columns.missing(bit));
    });
    let weights: Vec<u64> = cubes
        .chunks_exact(n)
        .map(|cube| {
            let mut weight = 0;
            calculus.for_each_part(cube, |bit| weight += having[bit]);
            weight
        })
        .collect();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&i| weights[i]);
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use proptest::prelude::*;

    proptest! {
        /// The counts, and the queries on them, agree with a pass over the cubes one by one.
        #[test]
        fn counts_are_those_of_the_cubes([cover] in testing::covers([70])) {
            let (space, mut cover) = (cover.space().clone(), cover);
            cover.retain(|_, cube| !space.is_empty(cube));
            let calculus = Calculus::new(&space);
            let mut columns = ColumnCounts::new(&space);
            columns.take(&calculus, cover.as_words());
            let lacks = |bit: usize| cover.iter().filter(|cube| cube[bit / 64] >> (bit % 64) & 1 == 0).count() as u32;
            let variables = space.variables();
            let active = |v: usize| {
                cover.iter().filter(|cube| !Space::literal_is_full(&variables[v], cube)).count() as u32
            };
            let is_unate = |v: usize| active(v) > 0 && variables[v].bits().any(|bit| lacks(bit) == active(v));
            for (v, variable) in variables.iter().enumerate() {
                prop_assert_eq!(columns.active(v), active(v));
                prop_assert_eq!(columns.is_weakly_unate(&space, v), is_unate(v));
                for bit in variable.bits() {
                    prop_assert_eq!(columns.missing(bit), lacks(bit));
                }
            }
            let all: Vec<usize> = (0..variables.len()).filter(|&v| active(v) > 0).collect();
            for (among, wanted) in [
                (Among::All, all.clone()),
                (Among::Unate, all.iter().copied().filter(|&v| is_unate(v)).collect()),
                (Among::Binate, all.iter().copied().filter(|&v| !is_unate(v)).collect()),
            ] {
                let weight = |v: usize| (active(v), variables[v].bits().map(lacks).sum::<u32>());
                let most = wanted.into_iter().rev().max_by_key(|&v| weight(v));
                prop_assert_eq!(columns.most_active(&calculus, among), most);
            }
            let is_full = cover.iter().any(|cube| cube == space.full());
            prop_assert_eq!(columns.has_full(), is_full);
            let has_empty = !cover.is_empty() && (0..space.bits()).any(|bit| lacks(bit) as usize == cover.len());
            prop_assert_eq!(columns.has_empty_column(), has_empty);
        }
    }
}
