//! The layout of truth tables: the points of some variables as the bits of a list of words.
//!
//! The first variables, with up to 64 points together, select a bit within a word; there a cube is an AND of masks. The other
//! variables select the word, numbered in mixed radix, which allows any number of parts. So a cube is one bit pattern and a
//! list of the words that have it.

use crate::cube::bits::{add, ones};
use crate::cube::space::Variable;

/// The points of a word in which bit k of their number is zero.
const ZEROS: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

#[derive(Clone, Debug)]
struct Axis {
    first: usize,
    parts: usize,
    /// Distance between its parts, in points within a word or in words.
    stride: usize,
    /// For a variable within one word of a cube: its lowest bit there, and the mask of its parts from there.
    shift: u32,
    mask: Option<u64>,
}

impl Axis {
    fn new(variable: &Variable, stride: usize) -> Self {
        let Variable { first, parts, .. } = *variable;
        let shift = first % 64;
        let mask = (shift + parts <= 64).then(|| u64::MAX >> (64 - parts));
        Axis { first, parts, stride, shift: shift as u32, mask }
    }

    /// The literal of a variable within one word: bit p for part p.
    #[inline]
    fn literal(&self, cube: &[u64]) -> Option<u64> {
        self.mask.map(|mask| cube[self.first / 64] >> self.shift & mask)
    }

    /// The parts that `cube` has, ascending.
    #[inline]
    fn parts(&self, cube: &[u64]) -> impl Iterator<Item = usize> {
        let (first, end) = (self.first, self.first + self.parts);
        (first / 64..end.div_ceil(64)).flat_map(move |word| {
            let from = first.max(word * 64) - word * 64;
            let to = end.min(word * 64 + 64) - word * 64;
            let mask = (u64::MAX >> (64 - (to - from))) << from;
            ones(cube[word] & mask).map(move |bit| word * 64 + bit - first)
        })
    }

    /// The union of the `masks`, one for each part, of the parts in the literal of `cube`.
    #[inline]
    fn among(&self, cube: &[u64], masks: &[u64]) -> u64 {
        let chosen = |literal: u64, part: usize| masks[part] & 0u64.wrapping_sub(literal >> part & 1);
        match self.literal(cube) {
            Some(literal) if self.parts == 2 => chosen(literal, 0) | chosen(literal, 1),
            Some(literal) => ones(literal).fold(0, |allowed, part| allowed | masks[part]),
            None => self.parts(cube).fold(0, |allowed, part| allowed | masks[part]),
        }
    }

    /// The first part that `cube` has, and the number of parts.
    #[inline]
    fn first_and_count(&self, cube: &[u64]) -> Option<(usize, usize)> {
        if let Some(literal) = self.literal(cube) {
            let (mut rest, mut count) = (literal & literal.wrapping_sub(1), 1);
            while rest != 0 {
                rest &= rest - 1;
                count += 1;
            }
            return (literal != 0).then(|| (literal.trailing_zeros() as usize, count));
        }
        let mut parts = self.parts(cube);
        parts.next().map(|first| (first, 1 + parts.count()))
    }

    fn set(&self, cube: &mut [u64], part: usize) {
        add(cube, self.first + part);
    }
}

/// Appends, for each part of a variable, the mask of its places among 64, where parts repeat at distance `stride`.
fn add_masks(stride: usize, parts: usize, masks: &mut Vec<u64>) {
    if parts == 2 && stride.is_power_of_two() {
        let zeros = ZEROS[stride.ilog2() as usize];
        masks.extend([zeros, !zeros]);
    } else {
        let has = |place: usize, part: usize| u64::from(place / stride % parts == part) << place;
        masks.extend((0..parts).map(|part| (0..64).fold(0, |mask, place| mask | has(place, part))));
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct PointLayout {
    /// The variables that select a bit within a word, each with the index of its first part's mask in `masks`.
    inner: Vec<(usize, Axis)>,
    masks: Vec<u64>,
    /// The variables that select the word. If a binary variable's stride is in `bits`, its part is this bit of the word number.
    outer: Vec<Axis>,
    /// The bits of word numbers that belong to binary variables.
    bits: u32,
    /// The mask of the points used in each word.
    pub(crate) used: u64,
    pub(crate) words: usize,
}

/// The parts that occur in a set of points.
#[derive(Clone, Debug, Default)]
pub(crate) struct OccurringParts {
    any: u64,
    ones: u32,
    zeros: u32,
    /// Parts of the variables that are found by division.
    parts: Vec<u64>,
}

impl OccurringParts {
    /// Resets to no points, for cubes of `words` words.
    pub(crate) fn clear(&mut self, words: usize) {
        self.any = 0;
        self.ones = 0;
        self.zeros = 0;
        self.parts.clear();
        self.parts.resize(words, 0);
    }
}

impl PointLayout {
    /// Returns the layout of the points of `variables`; `None` if that takes more than `limit` words, or 2^32.
    pub(crate) fn new(variables: &[&Variable], limit: usize) -> Option<Self> {
        let mut layout = PointLayout::default();
        let (mut points, mut words) = (1, 1usize);
        for variable in variables {
            let parts = variable.parts;
            if points * parts <= 64 {
                layout.inner.push((layout.masks.len(), Axis::new(variable, points)));
                add_masks(points, parts, &mut layout.masks);
                points *= parts;
            } else {
                layout.outer.push(Axis::new(variable, words));
                if parts == 2 && words.is_power_of_two() {
                    layout.bits |= words as u32;
                }
                words = words.saturating_mul(parts);
                if words > limit || words as u64 > 1 << 32 {
                    return None;
                }
            }
        }
        Some(PointLayout { used: u64::MAX >> (64 - points), words, ..layout })
    }

    /// The points of `cube` within each of its words.
    #[inline]
    pub(crate) fn pattern(&self, cube: &[u64]) -> u64 {
        let literals = self.inner.iter().map(|(from, axis)| axis.among(cube, &self.masks[*from..]));
        literals.fold(self.used, |pattern, literal| pattern & literal)
    }

    /// The numbers of the words of `cube`, in `buffer`.
    #[inline]
    pub(crate) fn offsets<'b>(&self, cube: &[u64], buffer: &'b mut Vec<u32>) -> &'b [u32] {
        // Start with the lowest word; further parts add their offsets from it.
        let (mut lowest, mut all) = (0, 1);
        for axis in &self.outer {
            let Some((part, count)) = axis.first_and_count(cube) else { return &[] };
            lowest += part * axis.stride;
            all *= count;
        }
        if buffer.len() < all {
            buffer.resize(all, 0);
        }
        buffer[0] = lowest as u32;
        let mut made = 1;
        for axis in &self.outer {
            let before = made;
            let mut repeat = |offset: usize| {
                let (from, to) = buffer.split_at_mut(made);
                let more = (offset * axis.stride) as u32;
                to[..before].iter_mut().zip(&from[..before]).for_each(|(to, from)| *to = from + more);
                made += before;
            };
            if let Some(literal) = axis.literal(cube) {
                let (lowest, mut rest) = (literal.trailing_zeros(), literal & (literal - 1));
                while rest != 0 {
                    repeat((rest.trailing_zeros() - lowest) as usize);
                    rest &= rest - 1;
                }
            } else {
                let mut parts = axis.parts(cube);
                let lowest = parts.next().unwrap_or(0);
                parts.for_each(|part| repeat(part - lowest));
            }
        }
        &buffer[..all]
    }

    pub(crate) fn count(&self, cube: &[u64]) -> usize {
        self.outer.iter().map(|axis| axis.first_and_count(cube).map_or(0, |(_, count)| count)).product()
    }

    /// Adds to `occurring` the parts of the nonempty set of points `bits` of word number `at`.
    #[inline]
    pub(crate) fn collect_parts(&self, at: u32, bits: u64, occurring: &mut OccurringParts) {
        occurring.any |= bits;
        occurring.ones |= at;
        occurring.zeros |= !at;
        for axis in self.outer.iter().filter(|axis| axis.parts != 2 || self.bits & axis.stride as u32 == 0) {
            axis.set(&mut occurring.parts, at as usize / axis.stride % axis.parts);
        }
    }

    /// Adds the occurring parts to `parts`, for the variables laid out.
    pub(crate) fn add_parts(&self, occurring: &OccurringParts, parts: &mut [u64]) {
        if occurring.any == 0 {
            return;
        }
        parts.iter_mut().zip(&occurring.parts).for_each(|(parts, more)| *parts |= more);
        for axis in self.outer.iter().filter(|axis| axis.parts == 2 && self.bits & axis.stride as u32 != 0) {
            for (part, with) in [occurring.zeros, occurring.ones].into_iter().enumerate() {
                if with & axis.stride as u32 != 0 {
                    axis.set(parts, part);
                }
            }
        }
        for (from, axis) in &self.inner {
            for part in (0..axis.parts).filter(|part| occurring.any & self.masks[from + part] != 0) {
                axis.set(parts, part);
            }
        }
    }
}
