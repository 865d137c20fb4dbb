//! A list of cubes over few variables as a truth table, one bit a point: where the recursions end.
//!
//! The recursions of Brayton et al. 1984 go down to lists that are unate or have one cube. Departure: as soon as
//! the product space of the variables that a list depends on is small compared with the list, it is written out
//! as a bitmap. The first variables, up to 64 points of them, lie within a word, where a cube is one AND of masks;
//! the others number the words in mixed radix, so that variables of any number of parts fit in.

use crate::census::Census;
use crate::kernel::Kernel;

/// Largest bitmap, in words.
const MOST_WORDS: usize = 1 << 13;
/// A bitmap of this many words is always worth it. Tests leave more to the recursions.
const FEW_WORDS: usize = if cfg!(test) { 2 } else { 256 };
/// Words allowed for each cube.
const WORDS_PER_CUBE: usize = if cfg!(test) { 0 } else { 4 };

/// One variable of the truth table.
#[derive(Clone, Debug)]
struct Axis {
    first: usize,
    parts: usize,
    /// Distance of its parts, in points within the word or in words.
    stride: usize,
}

/// A truth table; reusable for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dense {
    /// Variables within a word, with the mask of each part from `masks[.0]` on.
    inner: Vec<(usize, Axis)>,
    masks: Vec<u64>,
    outer: Vec<Axis>,
    /// The points of a word that are used.
    used: u64,
    table: Vec<u64>,
    offsets: Vec<usize>,
}

#[inline]
fn has(cube: &[u64], bit: usize) -> bool {
    cube[bit / 64] >> (bit % 64) & 1 != 0
}

impl Dense {
    /// Writes out the union of `cubes`, whose census is given, and returns whether it did: not when the space of
    /// their variables is large for their number.
    pub(crate) fn fill<const W: usize>(
        &mut self,
        kernel: &Kernel<W>,
        census: &Census,
        cubes: &[u64],
    ) -> bool {
        let n = kernel.words();
        let limit = FEW_WORDS.max(WORDS_PER_CUBE * (cubes.len() / n)).min(MOST_WORDS);
        if !self.plan(kernel, census, limit) {
            return false;
        }
        for cube in cubes.chunks_exact(n) {
            self.add(cube);
        }
        true
    }

    /// Lays out the axes and clears the table; false when it would have more than `limit` words.
    fn plan<const W: usize>(&mut self, kernel: &Kernel<W>, census: &Census, limit: usize) -> bool {
        self.inner.clear();
        self.masks.clear();
        self.outer.clear();
        let (mut points, mut words) = (1, 1);
        for v in census.active_variables() {
            let variable = &kernel.space().variables()[v];
            let (first, parts) = (variable.first, variable.parts);
            if points * parts <= 64 {
                self.inner.push((self.masks.len(), Axis { first, parts, stride: points }));
                for part in 0..parts {
                    self.masks.push(
                        (0..64).filter(|p| p / points % parts == part).fold(0u64, |mask, p| mask | 1 << p),
                    );
                }
                points *= parts;
            } else {
                self.outer.push(Axis { first, parts, stride: words });
                words *= parts;
                if words > limit {
                    return false;
                }
            }
        }
        self.used = u64::MAX >> (64 - points);
        self.table.clear();
        self.table.resize(words, 0);
        true
    }

    /// Adds the points of `cube`.
    fn add(&mut self, cube: &[u64]) {
        let mut pattern = self.used;
        for (from, axis) in &self.inner {
            let mut allowed = 0;
            for part in 0..axis.parts {
                if has(cube, axis.first + part) {
                    allowed |= self.masks[from + part];
                }
            }
            pattern &= allowed;
        }
        self.offsets.clear();
        self.offsets.push(0);
        for axis in &self.outer {
            let count = self.offsets.len();
            for part in (0..axis.parts).filter(|&part| has(cube, axis.first + part)) {
                for i in 0..count {
                    self.offsets.push(self.offsets[i] + part * axis.stride);
                }
            }
            self.offsets.drain(..count);
        }
        for &offset in &self.offsets {
            self.table[offset] |= pattern;
        }
    }

    /// Whether every point is covered.
    pub(crate) fn is_covered(&self) -> bool {
        self.table.iter().all(|&word| word == self.used)
    }

    /// Adds to `parts` the parts of the points that are not covered, of the variables of the table only, and
    /// returns whether there are such points.
    pub(crate) fn uncovered_parts(&self, parts: &mut [u64]) -> bool {
        let mut any = 0;
        for (at, &word) in self.table.iter().enumerate() {
            let open = self.used & !word;
            if open != 0 {
                any |= open;
                for axis in &self.outer {
                    let bit = axis.first + at / axis.stride % axis.parts;
                    parts[bit / 64] |= 1 << (bit % 64);
                }
            }
        }
        for (from, axis) in &self.inner {
            for part in (0..axis.parts).filter(|part| any & self.masks[from + part] != 0) {
                let bit = axis.first + part;
                parts[bit / 64] |= 1 << (bit % 64);
            }
        }
        any != 0
    }
}
