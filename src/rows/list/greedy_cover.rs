//! Greedy covering of the uncovered minterms: cubes are grown around random minterms, and the best are added to the cover.
//! This is the heuristic for set covering of Chvatal 1979, on cubes generated as needed.

use super::block::{Bitmap, Chunk, nth, without};
use super::cover::LayerCover;
use super::expand::{Growth, PricedCube, Target, VARIATION};
use crate::rows::random::Random;
use rayon::prelude::*;

/// Cubes grown against the same cover.
const BATCH: usize = 16;
/// A cube is taken if its value is at least this share of its value before others of its batch were taken.
const WORTH: f32 = 0.7;

impl LayerCover<'_> {
    pub(super) fn fill(&mut self, random: &mut Random) {
        let mut open = self.uncovered();
        let mut pool: Vec<PricedCube> = Vec::new();
        loop {
            // The running sum of uncovered minterms, block by block.
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
                function.grow(seed, Target::Dense(&open), VARIATION, grower)
            }));
            self.take_worthy(&mut pool, &mut open);
            pool.truncate(2 * BATCH);
        }
    }

    /// Moves the cubes of `pool` with the highest value and little overlap to the cover, and removes their minterms from `open`.
    /// Other cubes that cover minterms of `open` stay in `pool`.
    fn take_worthy(&mut self, pool: &mut Vec<PricedCube>, open: &mut Bitmap) {
        let value = |cover: &Self, cube: &PricedCube, open: &Bitmap| {
            cover.function.common(&cube.parts, open) as f32 / cube.bits
        };
        let mut ranked: Vec<(f32, PricedCube)> =
            pool.drain(..).map(|cube| (value(self, &cube, open), cube)).collect();
        // The second key makes the result independent of the order in which the cubes were grown.
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
