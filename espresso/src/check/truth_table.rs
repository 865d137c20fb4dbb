//! Truth tables of a small region, one bit a point.
//!
//! A point's number is made of one field of bits for each variable that the region leaves open, so that a cube is
//! a pattern of one word, or a run of whole words, repeated at the sums of its parts' offsets in the higher fields.
//! Variables on which few cubes depend come lowest: there runs are long. A variable whose parts are no power of two
//! leaves gaps in the numbers, which no cube fills, so it comes above the others.

use crate::cube::space::Space;

/// Points of a table at most, as a power of two: 32 MiB.
const MAX_BITS: u32 = 28;

/// Cubes of a list, all of them meeting the region at hand.
pub(super) type Cubes<'a> = Vec<&'a [u64]>;

pub(super) fn bit_is_set(cube: &[u64], bit: usize) -> bool {
    cube[bit / 64] >> (bit % 64) & 1 != 0
}

/// The place of one variable in the number of a point.
pub(super) struct Field {
    /// Bits of the cube that the region allows for the variable; digit d stands for the one at d.
    parts: Vec<usize>,
    shift: u32,
    bits: u32,
}

impl Field {
    /// Whether numbers that are no points arise from the field.
    fn is_padded(&self) -> bool {
        !self.parts.len().is_power_of_two()
    }

    /// What each part that the cube allows adds to the number.
    fn offsets(&self, cube: &[u64]) -> impl Iterator<Item = usize> {
        let allowed = self.parts.iter().enumerate().filter(|(_, bit)| bit_is_set(cube, **bit));
        allowed.map(|(digit, _)| digit << self.shift)
    }
}

/// The fields of the region, when its table has no more than `points` points.
///
/// `narrower` counts, for each variable, the cubes that depend on it.
pub(super) fn fields(space: &Space, region: &[u64], narrower: &[usize], points: usize) -> Option<Vec<Field>> {
    let most = MAX_BITS.min(points.max(1).ilog2());
    let mut open = Vec::new();
    let mut bits = 0;
    for (v, variable) in space.variables().iter().enumerate() {
        let parts = Space::literal_len(variable, region);
        if parts > 1 {
            bits += parts.next_power_of_two().ilog2();
            open.push(v);
            if bits > most {
                return None;
            }
        }
    }
    open.sort_by_key(|&v| {
        (!Space::literal_len(&space.variables()[v], region).is_power_of_two(), narrower[v])
    });
    let mut shift = 0;
    let fields = open.into_iter().map(|v| {
        let parts: Vec<usize> = space.variables()[v].bits().filter(|&bit| bit_is_set(region, bit)).collect();
        let bits = parts.len().next_power_of_two().ilog2();
        shift += bits;
        Field { parts, shift: shift - bits, bits }
    });
    Some(fields.collect())
}

/// Returns a minterm of the region, as a cube, that is in every list of `inside` and in no cube of `outside`.
pub(super) fn witness(
    space: &Space,
    fields: &[Field],
    region: &[u64],
    inside: &[Cubes],
    outside: &[&[u64]],
) -> Option<Vec<u64>> {
    let [mut sought, mut other] = [(); 2].map(|()| TruthTable::new(fields));
    sought.fill(&[region]);
    for cubes in inside {
        other.fill(cubes);
        sought.words.iter_mut().zip(&other.words).for_each(|(sought, other)| *sought &= other);
    }
    other.fill(outside);
    sought.words.iter_mut().zip(&other.words).for_each(|(sought, other)| *sought &= !other);

    let word = sought.words.iter().position(|&word| word != 0)?;
    let point = word * 64 + sought.words[word].trailing_zeros() as usize;
    let mut minterm = region.to_vec();
    for field in fields {
        let digit = point >> field.shift & ((1 << field.bits) - 1);
        for (d, &bit) in field.parts.iter().enumerate() {
            if d != digit {
                minterm[bit / 64] &= !(1 << (bit % 64));
            }
        }
    }
    debug_assert!(!space.is_empty(&minterm));
    Some(minterm)
}

/// Whether each minterm of the region is in one of the three lists, and none in both `on` and `off` but not in `dc`.
pub(super) fn is_consistent(
    fields: &[Field],
    region: &[u64],
    on: &[&[u64]],
    dc: &[&[u64]],
    off: &[&[u64]],
) -> bool {
    let [mut any, mut both, mut other] = [(); 3].map(|()| TruthTable::new(fields));
    any.fill(on);
    both.fill(off);
    for (any, both) in any.words.iter_mut().zip(&mut both.words) {
        (*any, *both) = (*any | *both, *any & *both);
    }
    other.fill(dc);
    if both.words.iter().zip(&other.words).any(|(both, dc)| both & !dc != 0) {
        return false;
    }
    any.words.iter_mut().zip(&other.words).for_each(|(any, dc)| *any |= dc);
    other.fill(&[region]);
    any.words == other.words
}

/// A truth table over some fields, and room to work out a cube's offsets.
struct TruthTable<'a> {
    fields: &'a [Field],
    /// Of each field of a binary variable the word of its two bits, where they are in it, and the field's shift.
    pairs: Vec<(usize, u32, u32)>,
    wide: Vec<&'a Field>,
    words: Vec<u64>,
    /// Bits of the number of a point.
    bits: u32,
    /// Offsets of the parts that a cube allows, field after field, for fields with several.
    offsets: Vec<usize>,
    /// Where each such field's offsets end.
    ends: Vec<usize>,
}

impl<'a> TruthTable<'a> {
    fn new(fields: &'a [Field]) -> Self {
        let bits = fields.last().map_or(0, |field| field.shift + field.bits);
        let words = vec![0; (1usize << bits).div_ceil(64)];
        let (mut pairs, mut wide) = (Vec::new(), Vec::new());
        for field in fields {
            match field.parts[..] {
                [zero, one] if one == zero + 1 && one % 64 != 0 => {
                    pairs.push((zero / 64, (zero % 64) as u32, field.shift));
                }
                _ => wide.push(field),
            }
        }
        TruthTable { fields, pairs, wide, words, bits, offsets: Vec::new(), ends: Vec::new() }
    }

    /// Makes it the table of the cubes.
    fn fill(&mut self, cubes: &[&[u64]]) {
        self.words.fill(0);
        for cube in cubes {
            // Most cubes of large lists are minterms.
            if !self.fill_minterm(cube) {
                self.fill_cube(cube);
            }
        }
    }

    /// Adds a cube that is a minterm but for one field that is no pair; false, and nothing done, if it is not.
    fn fill_minterm(&mut self, cube: &[u64]) -> bool {
        let mut base = 0usize;
        for &(word, low, shift) in &self.pairs {
            match cube[word] >> low & 3 {
                1 => {}
                2 => base |= 1 << shift,
                _ => return false,
            }
        }
        let mut add = |point: usize| self.words[point / 64] |= 1 << (point % 64);
        match self.wide[..] {
            [] => add(base),
            [field] => field.offsets(cube).for_each(|offset| add(base | offset)),
            _ => return false,
        }
        true
    }

    fn fill_cube(&mut self, cube: &[u64]) {
        let fields = self.fields;
        let is_full =
            |field: &&Field| !field.is_padded() && field.parts.iter().all(|&bit| bit_is_set(cube, bit));
        let full = fields.iter().take_while(is_full).count();
        let run_bits = fields.get(full).map_or(self.bits, |field| field.shift);
        let (higher, pattern, run) = if run_bits >= 6 {
            (&fields[full..], u64::MAX, 1usize << (run_bits - 6))
        } else {
            let low = fields.iter().take_while(|field| field.shift + field.bits <= 6).count();
            (&fields[low..], pattern(&fields[..low], cube), 1)
        };
        self.offsets.clear();
        self.ends.clear();
        let mut base = 0;
        for field in higher {
            if let [zero, one] = field.parts[..]
                && bit_is_set(cube, zero) != bit_is_set(cube, one)
            {
                base += usize::from(bit_is_set(cube, one)) << field.shift;
                continue;
            }
            let mut offsets = field.offsets(cube);
            match (offsets.next(), offsets.next()) {
                (None, _) => return,
                (Some(only), None) => base += only,
                (Some(first), Some(second)) => {
                    self.offsets.extend([first, second]);
                    self.offsets.extend(offsets);
                    self.ends.push(self.offsets.len());
                }
            }
        }
        put(&mut self.words, &self.offsets, &self.ends, base, (pattern, run));
    }
}

/// The points of the cube within one word, over fields that fit in it.
fn pattern(fields: &[Field], cube: &[u64]) -> u64 {
    fields.iter().fold(1, |pattern, field| {
        if let [zero, one] = field.parts[..] {
            let with_zero = pattern * u64::from(bit_is_set(cube, zero));
            return with_zero | (pattern * u64::from(bit_is_set(cube, one))) << (1 << field.shift);
        }
        field.offsets(cube).fold(0, |sum, offset| sum | pattern << offset)
    })
}

/// Adds `pattern`, `run` words of it, at `base` plus every sum of one offset of each field.
fn put(words: &mut [u64], offsets: &[usize], ends: &[usize], base: usize, (pattern, run): (u64, usize)) {
    let Some((_, ends)) = ends.split_last() else {
        let word = base / 64;
        if run > 1 {
            words[word..word + run].fill(pattern);
        } else {
            words[word] |= pattern << (base % 64);
        }
        return;
    };
    let (lower, mine) = offsets.split_at(ends.last().copied().unwrap_or(0));
    for offset in mine {
        put(words, lower, ends, base + offset, (pattern, run));
    }
}
