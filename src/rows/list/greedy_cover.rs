//! Covers what a cover leaves out: cubes are grown around minterms drawn at random, and those that are worth most are taken
//! (the greedy heuristic for set covering, Chvatal 1979, on cubes made as they are needed).

use super::block::{Bitmap, Chunk, nth, without};
use super::cover::LayerCover;
use super::expand::{Growth, PricedCube, TEMPER, Target};
use crate::rows::random::Random;
use rayon::prelude::*;

/// Cubes grown against the same cover.
const BATCH: usize = 16;
/// A cube grown together with others is taken when it still covers this part of what it did.
const WORTH: f32 = 0.7;

impl LayerCover<'_> {
    pub(super) fn fill(&mut self, random: &mut Random) {
        let mut open = self.uncovered();
        let mut pool: Vec<PricedCube> = Vec::new();
        loop {
            // Where blocks have something left, and how much.
            let mut sums = Vec::with_capacity(open.len());
            let mut left = 0_u64;
            for block in &open {
                left += block.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
                sums.push(left);
            }
            if left == 0 {
                return;
            }
            let pick = |random: &mut Random| {
                let skip = random.below(left as usize) as u64;
                let block = sums.partition_point(|&sum| sum <= skip);
                let before = if block == 0 { 0 } else { sums[block - 1] };
                nth(&[Chunk { block: block as u32, bits: open[block] }], (skip - before) as u32)
            };
            let mut seeds: Vec<_> = (0..BATCH).filter_map(|_| pick(random)).collect();
            seeds.sort_unstable();
            seeds.dedup();
            let series = random.next();
            let function = &self.function;
            pool.par_extend(seeds.par_iter().enumerate().map_init(Growth::default, |grower, (i, &seed)| {
                grower.begin(series, i);
                function.grow(seed, Target::Dense(&open), TEMPER, grower)
            }));
            self.take_worthy(&mut pool, &mut open);
            pool.truncate(2 * BATCH);
        }
    }

    /// Takes the cubes of `pool` that are worth most and overlap little, and their minterms out of `open`. Leaves those that
    /// cover something and were not taken.
    fn take_worthy(&mut self, pool: &mut Vec<PricedCube>, open: &mut Bitmap) {
        let value = |cover: &Self, cube: &PricedCube, open: &Bitmap| {
            cover.function.common(&cube.parts, open) as f32 / cube.bits
        };
        let mut ranked: Vec<(f32, PricedCube)> =
            pool.drain(..).map(|cube| (value(self, &cube, open), cube)).collect();
        // The second key makes the order that of the cubes, not that in which they were grown.
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.parts.cmp(&b.1.parts)));
        let least = ranked.first().map_or(0.0, |(value, _)| value * 0.5);
        for (before, cube) in ranked {
            let now = value(self, &cube, open);
            if now > 0.0 && now >= before * WORTH && now >= least {
                let layout = self.function.layout;
                let mask = layout.mask(&cube.parts);
                layout.walk(&cube.parts, |block| {
                    open[block as usize] = without(&open[block as usize], &mask);
                    true
                });
                self.add(cube, &mut 0);
            } else if now > 0.0 {
                pool.push(cube);
            }
        }
    }
}
