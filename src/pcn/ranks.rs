//! Exceptions of a leaf: k of its n positions, coded as gaps between their ranks.
//!
//! Were the exceptions spread evenly, the chance of each gap would follow from n and k alone; that chance is given to
//! the mixer, which learns from the gaps before how far these are clustered.

use super::mixing::Mixer;
use super::range::Coder;

/// Kinds of decisions after those of `tree_nodes.rs`; gaps take two.
const GAP: usize = 11;
const EXCEPTION: usize = 13;

/// The most positions of a leaf with exceptions.
pub(super) const MAX_POSITIONS: u64 = 1 << 47;

/// Codes `count` exceptions among `positions`, at least as many. Classes are numbers below `classes.0`; that of the leaf
/// is `classes.1`. An encoder's `given` is the rank and class of each exception in order; `take` gets what was coded.
pub(super) fn code(
    mixer: &mut Mixer,
    coder: &mut impl Coder,
    (classes, leaf): (usize, usize),
    positions: u64,
    count: u64,
    given: impl Fn(usize) -> (u64, usize),
    mut take: impl FnMut(u64, usize),
) {
    let mut rank = 0;
    // Length of the gap before, by itself and against the expected one; the class before.
    let mut before = (63, 0);
    let mut last_class = leaf;
    for number in 0..count {
        let (given_rank, given_class) = given(number as usize);
        let (left, wanted) = (positions - rank, count - number);
        let gap = gap(mixer, coder, left, wanted, &mut before, given_rank.wrapping_sub(rank));
        let class = if classes == 2 {
            1 - leaf
        } else {
            // The classes but the leaf's.
            let others = [usize::from(leaf == 0), if leaf == 2 { 1 } else { 2 }];
            let contexts = [leaf as u64, (leaf * 3 + last_class) as u64];
            let bit = mixer.code(coder, EXCEPTION, &contexts, None, given_class == others[1]);
            others[usize::from(bit)]
        };
        last_class = class;
        take(rank + gap, class);
        rank += gap + 1;
    }
}

/// Codes how many of the next `left` positions come before the next of `wanted` exceptions among them.
fn gap(
    mixer: &mut Mixer,
    coder: &mut impl Coder,
    left: u64,
    wanted: u64,
    before: &mut (u64, u64),
    given: u64,
) -> u64 {
    let most = left - wanted;
    let expected = u64::from((left / wanted).ilog2());
    let mut length = 0_u64;
    while most >> length != 0 {
        let (low, high) = (if length == 0 { 0 } else { 1 << (length - 1) }, 1 << length);
        let outside = beyond(left, wanted, low, high);
        let against = (length + 16).saturating_sub(expected).min(31);
        let contexts = [against, length << 6 | before.0, against << 6 | before.1];
        if !mixer.code(coder, GAP, &contexts, Some(outside), given >> length != 0) {
            break;
        }
        length += 1;
    }
    *before = (length, (length + 16).saturating_sub(expected).min(31) + 1);
    if length == 0 {
        return 0;
    }
    let mut gap = 1 << (length - 1);
    for rest in (0..length - 1).rev() {
        let upper = gap + (1 << rest);
        if upper > most {
            continue;
        }
        let ratio = u64::from(beyond(left, wanted, gap, upper));
        let outside = ((ratio << 16) / (65536 + ratio)) as u32;
        let contexts =
            [length << 6 | rest, (length.min(7) << 6 | rest.min(63)) << 8 | (gap >> rest).min(255)];
        if mixer.code(coder, GAP + 1, &contexts, Some(outside), given & 1 << rest != 0) {
            gap = upper;
        }
    }
    gap
}

/// The chance, in 65536ths, that the first of `wanted` exceptions spread evenly over `left` positions comes at `high`
/// or later, given that it comes at `low` or later; `low < high <= left - wanted`.
fn beyond(left: u64, wanted: u64, low: u64, high: u64) -> u32 {
    // Positions from a rank on, less half of the other exceptions, doubled.
    let room = |from: u64| u128::from(2 * (left - from) - (wanted - 1));
    let mut factor = ((room(high) << 30) / room(low)) as u64;
    let (mut power, mut exponent) = (1_u64 << 30, wanted);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = (power * factor) >> 30;
        }
        factor = (factor * factor) >> 30;
        exponent >>= 1;
    }
    ((power >> 14) as u32).clamp(1, 65535)
}
