//! Truth tables of a small region, with one bit for each point.
//!
//! The number of a point has one field of bits for each variable that is not fixed in the region. In the lower fields, a
//! cube is a pattern in one word or a run of full words. In the higher fields, each of its parts is an offset; the pattern is
//! repeated at every sum of one offset from each field. Variables on which few cubes depend come lowest, which makes runs
//! long. If the number of a variable's parts is not a power of two, some point numbers are unused, and no cube fills them;
//! such variables come highest.

use super::work::Work;
use crate::Result;
use crate::cube::bits::{has, remove};
use crate::cube::space::Space;

/// Base-2 logarithm of the limit on the points of a table: 32 MiB.
const MAX_BITS: u32 = 28;

/// A list of cubes, all of which meet the region.
pub(super) type Cubes<'a> = Vec<&'a [u64]>;

/// The field of one variable in the number of a point.
pub(super) struct Field {
    /// The variable's parts in the region, as bit numbers in a cube; digit d stands for `parts[d]`.
    parts: Vec<usize>,
    shift: u32,
    bits: u32,
}

impl Field {
    /// Whether the cube allows all parts of this field, and every number in the field stands for a part.
    fn is_full(&self, cube: &[u64]) -> bool {
        self.parts.len().is_power_of_two() && self.parts.iter().all(|&bit| has(cube, bit))
    }

    /// For each part of the cube, its contribution to the number of a point.
    fn offsets(&self, cube: &[u64]) -> impl Iterator<Item = usize> {
        let allowed = self.parts.iter().enumerate().filter(|(_, bit)| has(cube, **bit));
        allowed.map(|(digit, _)| digit << self.shift)
    }
}

/// The fields of the region; `None` if its table has more than `points` points, or more than 2^[`MAX_BITS`].
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
        let parts: Vec<usize> = space.variables()[v].bits_in(region).collect();
        let bits = parts.len().next_power_of_two().ilog2();
        shift += bits;
        Field { parts, shift: shift - bits, bits }
    });
    Some(fields.collect())
}

/// Returns a minterm of the region, as a cube, that is in every list of `inside` and in no cube of `outside`.
pub(super) fn witness(
    fields: &[Field],
    region: &[u64],
    inside: &[Cubes],
    outside: &[&[u64]],
    work: &mut Work<'_>,
) -> Result<Option<Vec<u64>>> {
    let mut sought = table(fields, &[region], work)?;
    for cubes in inside {
        let inside = table(fields, cubes, work)?;
        sought.iter_mut().zip(inside).for_each(|(sought, inside)| *sought &= inside);
    }
    let take_out = |words: &mut [u64], pattern: u64| words.iter_mut().for_each(|word| *word &= !pattern);
    let mut cubes = outside.iter();
    // The words before this one are zero.
    let mut at = 0;
    loop {
        let Some(next) = sought[at..].iter().position(|&word| word != 0) else {
            return Ok(None);
        };
        at += next;
        let Some(cube) = cubes.next() else {
            break;
        };
        work.spend(change(fields, cube, &mut sought, &take_out))?;
    }
    Ok(Some(minterm(fields, region, at * 64 + sought[at].trailing_zeros() as usize)))
}

/// The point of this number, as a cube.
fn minterm(fields: &[Field], region: &[u64], point: usize) -> Vec<u64> {
    let mut minterm = region.to_vec();
    for field in fields {
        let digit = point >> field.shift & ((1 << field.bits) - 1);
        for (d, &bit) in field.parts.iter().enumerate() {
            if d != digit {
                remove(&mut minterm, bit);
            }
        }
    }
    minterm
}

/// The truth table of the cubes.
fn table(fields: &[Field], cubes: &[&[u64]], work: &mut Work<'_>) -> Result<Vec<u64>> {
    let mut words = vec![0; (1usize << bits(fields)).div_ceil(64)];
    work.spend(words.len())?;
    for cube in cubes {
        let put_in = |words: &mut [u64], pattern: u64| words.iter_mut().for_each(|word| *word |= pattern);
        work.spend(change(fields, cube, &mut words, &put_in))?;
    }
    Ok(words)
}

/// Bits of the number of a point.
fn bits(fields: &[Field]) -> u32 {
    fields.last().map_or(0, |field| field.shift + field.bits)
}

/// Calls `change` for each run of words in which the cube has points, with the run and the pattern of the points in each word.
/// Returns the number of words.
fn change(fields: &[Field], cube: &[u64], words: &mut [u64], change: &impl Fn(&mut [u64], u64)) -> usize {
    let full = fields.iter().take_while(|field| field.is_full(cube)).count();
    change_from(fields, cube, full, 0, words, change)
}

/// Like [`change`], for the points that agree with point number `base` in the higher fields. `fields` are the lower fields; the
/// cube is full in the first `full` of them.
fn change_from(
    fields: &[Field],
    cube: &[u64],
    full: usize,
    base: usize,
    words: &mut [u64],
    change: &impl Fn(&mut [u64], u64),
) -> usize {
    let bits = bits(fields);
    if bits <= 6 {
        change(&mut words[base / 64..=base / 64], pattern(fields, cube) << (base % 64));
        1
    } else if fields.len() <= full {
        change(&mut words[base / 64..][..1 << (bits - 6)], u64::MAX);
        1 << (bits - 6)
    } else if let Some((highest, lower)) = fields.split_last() {
        let parts = highest.offsets(cube);
        parts.map(|offset| change_from(lower, cube, full, base + offset, words, change)).sum()
    } else {
        0
    }
}

/// The points of the cube within one word, over fields that fit in it.
fn pattern(fields: &[Field], cube: &[u64]) -> u64 {
    fields.iter().fold(1, |pattern, field| field.offsets(cube).fold(0, |sum, offset| sum | pattern << offset))
}
