//! Covers what a cover leaves out: cubes are grown around minterms drawn at random, and those that are worth most are taken
//! (the greedy heuristic for set covering, Chvatal 1979, on cubes made as they are needed).

use super::block::{Bitmap, Chunk, nth, without};
use super::cover::LayerCover;
use super::expand::{LayerFunction, PricedCube, Scratch, TEMPER, Target};
use crate::random::Random;
use rayon::prelude::*;

/// Cubes grown against the same cover.
const BATCH: usize = 16;
/// A cube grown together with others is taken when it still covers this part of what it did.
const WORTH: f32 = 0.7;

impl LayerCover {
    pub(super) fn fill(&mut self, function: &LayerFunction<'_>, random: &mut Random, work: &mut u64) {
        let mut open = self.uncovered(function);
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
            let grown: Vec<(PricedCube, u64)> = seeds
                .par_iter()
                .enumerate()
                .map_init(Scratch::default, |scratch, (i, &seed)| {
                    let (mut random, mut work) = (Random::new(series, i as u64), 0);
                    let target = Target::Dense(&open);
                    (function.grow((seed, target), TEMPER, &mut random, scratch, &mut work), work)
                })
                .collect();
            for (cube, spent) in grown {
                *work += spent;
                pool.push(cube);
            }
            self.take_worthy(function, &mut pool, &mut open, work);
            pool.truncate(2 * BATCH);
        }
    }

    /// Takes the cubes of `pool` that are worth most and overlap little, and their minterms out of `open`. Leaves those that
    /// cover something and were not taken.
    fn take_worthy(
        &mut self,
        function: &LayerFunction<'_>,
        pool: &mut Vec<PricedCube>,
        open: &mut Bitmap,
        work: &mut u64,
    ) {
        let value = |cube: &PricedCube, open: &Bitmap, work: &mut u64| {
            function.common(&cube.parts, open, work) as f32 / cube.bits
        };
        let mut ranked: Vec<(f32, PricedCube)> =
            pool.drain(..).map(|cube| (value(&cube, open, work), cube)).collect();
        // The second key makes the order that of the cubes, not that in which they were grown.
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.parts.cmp(&b.1.parts)));
        let least = ranked.first().map_or(0.0, |(value, _)| value * 0.5);
        for (before, cube) in ranked {
            let now = value(&cube, open, work);
            if now > 0.0 && now >= before * WORTH && now >= least {
                let mask = function.layout.mask(&cube.parts);
                function.layout.walk(&cube.parts, |block| {
                    open[block as usize] = without(&open[block as usize], &mask);
                    true
                });
                self.add(function, cube, work);
            } else if now > 0.0 {
                pool.push(cube);
            }
        }
    }
}
