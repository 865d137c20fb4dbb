//! The black general with its assistants, whose patterns are the bits of a word.
//!
//! Bits 0 to 7 are patterns that are their own mirrors, bits 8 to 39 patterns less than their mirrors, and bits 40 to 71 the
//! mirrors in the same order. So a word is mirrored with two shifts.

use super::super::man::Role;
use super::super::material::Material;
use super::super::point::{DIAGONALS, LINES, Point, Points};
use super::groups::{Group, MenPoints};

/// The most patterns of a palace: a general and two assistants.
const MOST_PATTERNS: usize = 70;
/// The first bit of the patterns that are less than their mirrors.
const LEFT: u32 = 8;
/// The distance in bits from these patterns to their mirrors.
const SHIFT: u32 = 32;

/// The black palace's men. See the [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::xiangqi) struct Palace {
    pub(in crate::xiangqi) group: Group,
    /// The bit of each pattern, and the pattern of each bit, `u32::MAX` for bits without one.
    bit: Vec<u8>,
    pattern: [u32; 128],
    /// All bits with a pattern.
    pub(in crate::xiangqi) all: u128,
    /// The bits with a general, and with an assistant, on each point.
    pub(in crate::xiangqi) generals: [u128; Point::COUNT],
    pub(in crate::xiangqi) assistants: [u128; Point::COUNT],
    /// The bits after a move of the general or an assistant, by the bit before.
    pub(in crate::xiangqi) moves: Vec<u128>,
    /// The same moves as pairs of the bit after the move and the point that the man moves to.
    pub(in crate::xiangqi) steps: Vec<Vec<(u8, Point)>>,
}

impl Palace {
    /// An upper bound on the bytes of a palace; the lists of steps have room to grow.
    pub(in crate::xiangqi) const BYTES: u64 = 1 << 15;

    pub(in crate::xiangqi) fn new(material: &Material, group: Group) -> Self {
        debug_assert!(group.len() <= MOST_PATTERNS);
        let mut palace = Palace {
            bit: vec![0; group.len()],
            pattern: [u32::MAX; 128],
            all: 0,
            generals: [0; Point::COUNT],
            assistants: [0; Point::COUNT],
            moves: vec![0; 128],
            steps: vec![Vec::new(); 128],
            group,
        };
        let (mut own, mut left) = (0, LEFT);
        for pattern in 0..palace.group.len() as u32 {
            let mirrored = palace.group.mirrored(pattern);
            if pattern == mirrored {
                palace.set(pattern, own);
                own += 1;
            } else if pattern < mirrored {
                palace.set(pattern, left);
                palace.set(mirrored, left + SHIFT);
                left += 1;
            }
        }
        for bit in 0..128 {
            let Some(placed) = palace.placed(bit) else { continue };
            let on: Points =
                (0..material.len()).filter(|&at| palace.group.has(at)).map(|at| placed[at]).collect();
            for (number, &man) in material.men().iter().enumerate().filter(|&(at, _)| palace.group.has(at)) {
                let point = placed[number];
                let of_role =
                    if man.role == Role::General { &mut palace.generals } else { &mut palace.assistants };
                of_role[point.index()] |= 1 << bit;
                let steps = if man.role == Role::Assistant { DIAGONALS } else { LINES };
                for to in steps.into_iter().filter_map(|(files, ranks)| point.step(files, ranks)) {
                    let mut after = placed;
                    after[number] = to;
                    if !man.points().contains(to) || on.contains(to) {
                        continue;
                    }
                    if let Some(pattern) = palace.group.rank(&after) {
                        palace.moves[bit] |= 1 << palace.bit[pattern as usize];
                        palace.steps[bit].push((palace.bit[pattern as usize], to));
                    }
                }
            }
        }
        palace
    }

    fn set(&mut self, pattern: u32, bit: u32) {
        self.bit[pattern as usize] = bit as u8;
        self.pattern[bit as usize] = pattern;
        self.all |= 1 << bit;
    }

    /// The points of the palace's men for a bit.
    pub(in crate::xiangqi) fn placed(&self, bit: usize) -> Option<MenPoints> {
        let pattern = self.pattern[bit];
        let mut placed = MenPoints::default();
        (pattern != u32::MAX).then(|| self.group.place(pattern, &mut placed)).map(|()| placed)
    }

    /// The bit of the palace's men.
    pub(in crate::xiangqi) fn rank(&self, placed: &MenPoints) -> Option<usize> {
        Some(usize::from(self.bit[self.group.rank(placed)? as usize]))
    }

    /// Writes the points of the palace's men for a bit; any points for a bit without a pattern.
    pub(in crate::xiangqi) fn place(&self, bit: usize, placed: &mut MenPoints) {
        self.group.place(self.pattern[bit].min(self.group.len() as u32 - 1), placed);
    }

    /// The bits with a man of the palace on `point`.
    #[inline]
    pub(in crate::xiangqi) fn occupied(&self, point: Point) -> u128 {
        self.generals[point.index()] | self.assistants[point.index()]
    }
}

/// The left-right mirror of the bits of a word.
#[inline]
pub(in crate::xiangqi) const fn mirrored(bits: u128) -> u128 {
    const OWN: u128 = (1 << LEFT) - 1;
    const SIDE: u128 = ((1 << SHIFT) - 1) << LEFT;
    bits & OWN | (bits & SIDE) << SHIFT | bits >> SHIFT & SIDE
}

#[cfg(test)]
mod tests {
    use super::super::groups::{Digits, groups};
    use super::*;

    #[test]
    fn patterns_and_mirrors() {
        for name in ["aegp-aaee", "aappp-ae", "eecc-k", "k-k"] {
            let material = name.parse().unwrap();
            let (outside, palace) = groups(&material, true);
            let palace = Palace::new(&material, Group::new(&material, &palace));
            let digits = Digits::new(&material, &outside);
            for group in digits.groups.iter().chain([&palace.group]) {
                for pattern in 0..group.len() as u32 {
                    let mut placed = MenPoints::default();
                    group.place(pattern, &mut placed);
                    assert_eq!(group.rank(&placed), Some(pattern));
                    assert_eq!(group.rank(&placed.map(Point::mirrored)), Some(group.mirrored(pattern)));
                }
            }
            for bit in (0..128).filter(|bit| palace.all >> bit & 1 != 0) {
                let mut placed = MenPoints::default();
                palace.place(bit, &mut placed);
                assert_eq!(palace.rank(&placed), Some(bit));
                let image = palace.rank(&placed.map(Point::mirrored)).unwrap();
                assert_eq!(mirrored(1 << bit), 1 << image);
            }
        }
    }
}
