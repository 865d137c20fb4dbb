//! One cube against a group of cubes: the kernels of all searches of an index (`cube_index`).
//!
//! A group is sixteen cubes held word by word (first words of all, second words of all, ...). A vector register then holds
//! the same word of several cubes, and the test of `calculus` for empty fields covers all of them at once. There are a
//! portable version and versions for AVX2 and AVX-512 (see `cpu`), which give the same answers.

#![cfg_attr(target_arch = "x86_64", allow(unsafe_code, reason = "vector loads and feature-gated calls"))]

#[cfg(target_arch = "x86_64")]
use crate::cpu::Features;
use crate::cpu::Level;
use crate::cube::calculus::Fields;

/// Cubes of a group.
pub(crate) const FAN: usize = 16;

/// The cubes of a group at a small distance from a cube, one bit each, ignoring straddling variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DistanceMasks {
    /// Those at distance 0.
    pub(crate) zero: u32,
    /// Those at distance 0 or 1.
    pub(crate) up_to_one: u32,
}

/// Calls the function of this name in the module for the level: `avx512`, `avx2` or `portable`.
macro_rules! run {
    ($level:expr, $name:ident($($argument:expr),*)) => {{
        #[cfg(target_arch = "x86_64")]
        {
            if $level.has(Features::Avx512) {
                // SAFETY: the level says that the machine has AVX-512 F.
                return unsafe { avx512::$name($($argument),*) };
            }
            if $level.has(Features::Avx2) {
                // SAFETY: as above, with AVX2.
                return unsafe { avx2::$name($($argument),*) };
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = $level;
        portable::$name($($argument),*)
    }};
}

impl Level {
    /// The cubes of `group`, of as many words as `cube`, at distance 0, and at distance 0 or 1, from `cube`.
    #[inline]
    pub(crate) fn distances(self, fields: &[Fields], group: &[u64], cube: &[u64]) -> DistanceMasks {
        assert!(group.len() == FAN * cube.len() && fields.len() == cube.len());
        run!(self, distances(fields, group, cube))
    }

    /// The cubes of `group`, of as many words as `cube`, that lie within `cube`, one bit each.
    #[inline]
    pub(crate) fn within(self, group: &[u64], cube: &[u64]) -> u32 {
        assert_eq!(group.len(), FAN * cube.len());
        run!(self, within(group, cube))
    }
}

mod portable {
    use super::{DistanceMasks, FAN, Fields};

    #[inline]
    pub(super) fn distances(fields: &[Fields], group: &[u64], cube: &[u64]) -> DistanceMasks {
        let (mut one, mut two) = ([0u64; FAN], [0u64; FAN]);
        for ((fields, group), &cube) in fields.iter().zip(group.chunks_exact(FAN)).zip(cube) {
            for j in 0..FAN {
                let empty = fields.empty(group[j] & cube);
                // All ones if an earlier field was empty.
                let before = ((one[j] | one[j].wrapping_neg()).cast_signed() >> 63).cast_unsigned();
                two[j] |= (empty & empty.wrapping_sub(1)) | (empty & before);
                one[j] |= empty;
            }
        }
        let zeros = |words: &[u64; FAN]| (0..FAN).fold(0, |mask, j| mask | u32::from(words[j] == 0) << j);
        DistanceMasks { zero: zeros(&one), up_to_one: zeros(&two) }
    }

    pub(super) fn within(group: &[u64], cube: &[u64]) -> u32 {
        let mut excess = [0u64; FAN];
        for (group, &cube) in group.chunks_exact(FAN).zip(cube) {
            (0..FAN).for_each(|j| excess[j] |= group[j] & !cube);
        }
        (0..FAN).fold(0, |mask, j| mask | u32::from(excess[j] == 0) << j)
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::{DistanceMasks, FAN, Fields};
    use std::arch::x86_64::{
        _mm512_add_epi64, _mm512_and_si512, _mm512_andnot_si512, _mm512_loadu_si512, _mm512_or_si512,
        _mm512_set1_epi64, _mm512_setzero_si512, _mm512_sub_epi64, _mm512_test_epi64_mask,
    };

    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn distances(fields: &[Fields], group: &[u64], cube: &[u64]) -> DistanceMasks {
        let mut found = DistanceMasks::default();
        let ones = _mm512_set1_epi64(1);
        for lane in (0..FAN).step_by(8) {
            let (mut one, mut two) = (0u8, 0u8);
            for ((fields, group), &cube) in fields.iter().zip(group.chunks_exact(FAN)).zip(cube) {
                let eight = &group[lane..lane + 8];
                // SAFETY: the slice has the eight words that are read; no alignment is asked for.
                let x = unsafe { _mm512_loadu_si512(eight.as_ptr().cast()) };
                let x = _mm512_and_si512(x, _mm512_set1_epi64(cube.cast_signed()));
                let low = _mm512_set1_epi64(fields.low.cast_signed());
                let high = _mm512_set1_epi64(fields.high.cast_signed());
                let filled = _mm512_or_si512(_mm512_add_epi64(_mm512_and_si512(x, low), low), x);
                let empty = _mm512_andnot_si512(filled, high);
                let some = _mm512_test_epi64_mask(empty, empty);
                two |= _mm512_test_epi64_mask(empty, _mm512_sub_epi64(empty, ones)) | one & some;
                one |= some;
            }
            found.zero |= u32::from(!one) << lane;
            found.up_to_one |= u32::from(!two) << lane;
        }
        found
    }

    #[target_feature(enable = "avx512f")]
    pub(super) fn within(group: &[u64], cube: &[u64]) -> u32 {
        let mut found = 0;
        for lane in (0..FAN).step_by(8) {
            let mut excess = _mm512_setzero_si512();
            for (group, &cube) in group.chunks_exact(FAN).zip(cube) {
                let eight = &group[lane..lane + 8];
                // SAFETY: the slice has the eight words that are read; no alignment is asked for.
                let x = unsafe { _mm512_loadu_si512(eight.as_ptr().cast()) };
                let outside = _mm512_andnot_si512(_mm512_set1_epi64(cube.cast_signed()), x);
                excess = _mm512_or_si512(excess, outside);
            }
            found |= u32::from(!_mm512_test_epi64_mask(excess, excess)) << lane;
        }
        found
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{DistanceMasks, FAN, Fields};
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_castsi256_pd,
        _mm256_cmpeq_epi64, _mm256_loadu_si256, _mm256_movemask_pd, _mm256_or_si256, _mm256_set1_epi64x,
        _mm256_setzero_si256, _mm256_sub_epi64,
    };

    /// One bit for each of the four words that is zero.
    #[target_feature(enable = "avx2")]
    fn zeros(words: __m256i) -> u32 {
        let zero = _mm256_cmpeq_epi64(words, _mm256_setzero_si256());
        _mm256_movemask_pd(_mm256_castsi256_pd(zero)).cast_unsigned()
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn distances(fields: &[Fields], group: &[u64], cube: &[u64]) -> DistanceMasks {
        let mut found = DistanceMasks::default();
        let ones = _mm256_set1_epi64x(1);
        for lane in (0..FAN).step_by(4) {
            let (mut one, mut two) = (0, 0);
            for ((fields, group), &cube) in fields.iter().zip(group.chunks_exact(FAN)).zip(cube) {
                let four = &group[lane..lane + 4];
                // SAFETY: the slice has the four words that are read; no alignment is asked for.
                let x = unsafe { _mm256_loadu_si256(four.as_ptr().cast()) };
                let x = _mm256_and_si256(x, _mm256_set1_epi64x(cube.cast_signed()));
                let low = _mm256_set1_epi64x(fields.low.cast_signed());
                let high = _mm256_set1_epi64x(fields.high.cast_signed());
                let filled = _mm256_or_si256(_mm256_add_epi64(_mm256_and_si256(x, low), low), x);
                let empty = _mm256_andnot_si256(filled, high);
                let some = !zeros(empty) & 15;
                let several = !zeros(_mm256_and_si256(empty, _mm256_sub_epi64(empty, ones))) & 15;
                two |= several | one & some;
                one |= some;
            }
            found.zero |= (!one & 15) << lane;
            found.up_to_one |= (!two & 15) << lane;
        }
        found
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn within(group: &[u64], cube: &[u64]) -> u32 {
        let mut found = 0;
        for lane in (0..FAN).step_by(4) {
            let mut excess = _mm256_setzero_si256();
            for (group, &cube) in group.chunks_exact(FAN).zip(cube) {
                let four = &group[lane..lane + 4];
                // SAFETY: the slice has the four words that are read; no alignment is asked for.
                let x = unsafe { _mm256_loadu_si256(four.as_ptr().cast()) };
                let outside = _mm256_andnot_si256(_mm256_set1_epi64x(cube.cast_signed()), x);
                excess = _mm256_or_si256(excess, outside);
            }
            found |= zeros(excess) << lane;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::calculus::Calculus;
    use crate::cube::space::Space;
    use proptest::prelude::*;

    proptest! {
        /// Every kernel agrees with the test of one cube at a time.
        #[test]
        fn kernels_agree(
            (binary, multi) in (0usize..40, proptest::collection::vec(1usize..7, 0..4)),
            bits in proptest::collection::vec(any::<u64>(), 17 * 4),
            dense in 0usize..3,
        ) {
            let space = Space::new(binary, &multi, 3).unwrap();
            let n = space.words();
            let word = |i: usize| {
                // Mostly ones, so that fields are seldom empty.
                (0..=dense).fold(0, |word, k| word | bits[i % bits.len()].rotate_left(17 * k as u32))
            };
            let calculus = Calculus::new(&space);
            let cubes: Vec<u64> = (0..FAN * n).map(|i| word(i) & space.full()[i % n]).collect();
            let cube: Vec<u64> = (0..n).map(|i| word(FAN * n + i) & space.full()[i]).collect();
            let group: Vec<u64> = (0..FAN * n).map(|i| cubes[i % FAN * n + i / FAN]).collect();
            for level in Level::available() {
                let masks = level.distances(calculus.fields(), &group, &cube);
                let within = level.within(&group, &cube);
                prop_assert_eq!(masks, Level::PORTABLE.distances(calculus.fields(), &group, &cube));
                for (j, other) in cubes.chunks_exact(n).enumerate() {
                    prop_assert_eq!(within >> j & 1 != 0, calculus.contains(&cube, other));
                    if calculus.straddling().is_empty() {
                        let distance = space.distance(other, &cube);
                        prop_assert_eq!(masks.zero >> j & 1 != 0, distance == 0);
                        prop_assert_eq!(masks.up_to_one >> j & 1 != 0, distance < 2);
                    }
                }
            }
        }
    }
}
