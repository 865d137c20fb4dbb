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
    /// Whether the cube allows all parts, and every number made of them is a point.
    fn is_full(&self, cube: &[u64]) -> bool {
        self.parts.len().is_power_of_two() && self.parts.iter().all(|&bit| bit_is_set(cube, bit))
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
    let mut sought = table(fields, &[region]);
    for cubes in inside {
        sought.iter_mut().zip(table(fields, cubes)).for_each(|(sought, inside)| *sought &= inside);
    }
    sought.iter_mut().zip(table(fields, outside)).for_each(|(sought, outside)| *sought &= !outside);

    let word = sought.iter().position(|&word| word != 0)?;
    let point = word * 64 + sought[word].trailing_zeros() as usize;
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

/// The truth table of the cubes.
fn table(fields: &[Field], cubes: &[&[u64]]) -> Vec<u64> {
    let mut words = vec![0; (1usize << bits(fields)).div_ceil(64)];
    for cube in cubes {
        let full = fields.iter().take_while(|field| field.is_full(cube)).count();
        add(fields, cube, full, 0, &mut words);
    }
    words
}

/// Bits of the number of a point.
fn bits(fields: &[Field]) -> u32 {
    fields.last().map_or(0, |field| field.shift + field.bits)
}

/// Adds the points of a cube, of which the first `full` fields are full, from number `base` on, where the higher fields
/// are as they are there.
fn add(fields: &[Field], cube: &[u64], full: usize, base: usize, words: &mut [u64]) {
    let bits = bits(fields);
    if bits <= 6 {
        words[base / 64] |= pattern(fields, cube) << (base % 64);
    } else if fields.len() <= full {
        words[base / 64..][..1 << (bits - 6)].fill(u64::MAX);
    } else if let Some((highest, lower)) = fields.split_last() {
        highest.offsets(cube).for_each(|offset| add(lower, cube, full, base + offset, words));
    }
}

/// The points of the cube within one word, over fields that fit in it.
fn pattern(fields: &[Field], cube: &[u64]) -> u64 {
    fields.iter().fold(1, |pattern, field| field.offsets(cube).fold(0, |sum, offset| sum | pattern << offset))
}
