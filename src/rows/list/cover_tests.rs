//! Covers on bitmaps compared with counting minterm by minterm.

use super::bitmap::BitmapLayout;
use super::block::{Chunk, Minterm, has};
use super::cover::LayerCover;
use super::expand::{Growth, LayerFunction, Target};
use super::price::Tariff;
use crate::rows::memory_rows::{MemoryRows, all_rows};
use proptest::prelude::*;

const SIZES: [u8; 4] = [8, 5, 8, 9];

/// A function without rows of class 2, whose minterms are don't-cares.
fn function(seed: u64) -> MemoryRows {
    let mut rows = all_rows(SIZES, |parts| {
        let number = parts.iter().fold(seed, |number, &part| espresso::random::draw(number, part.into()));
        if parts[0] < 4 { 0 } else { (number % 3) as u8 }
    });
    rows.rows.retain(|(parts, class)| *class < 2 && parts[1] != 3);
    rows
}

/// All minterms in the blocks, with their parts.
fn minterms(layout: &BitmapLayout) -> Vec<(Minterm, Vec<u8>)> {
    let minterms =
        (0..layout.blocks() as u32).flat_map(|block| (0..512).map(move |bit| Minterm { block, bit }));
    let with_parts = minterms.map(|minterm| (minterm, layout.parts_of(minterm)));
    // Some bits stand for no minterm.
    let everything: Vec<u64> = (0..SIZES.len()).map(|variable| layout.variables.full(variable)).collect();
    with_parts.filter(|(minterm, _)| has(&layout.mask(&everything), minterm.bit)).collect()
}

fn matches(cube: &[u64], parts: &[u8]) -> bool {
    cube.iter().zip(parts).all(|(allowed, part)| allowed >> part & 1 != 0)
}

fn listed(chunks: &[Chunk], minterm: Minterm) -> usize {
    chunks.iter().filter(|chunk| chunk.block == minterm.block && has(&chunk.bits, minterm.bit)).count()
}

fn cubes() -> impl Strategy<Value = Vec<[u64; 4]>> {
    prop::collection::vec([1..256_u64, 1..32_u64, 1..256_u64, 1..512_u64], 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn covers_count_like_a_loop(
        seed: u64,
        cubes in cubes(),
        gone in prop::collection::vec(any::<prop::sample::Index>(), 0..10),
        taken in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
    ) {
        let rows = function(seed);
        let (layout, classes) = BitmapLayout::new(&rows).unwrap().unwrap();
        let tariff = Tariff::new(&layout.variables, &[]).into();
        let function = LayerFunction { layout: &layout, tariff, on: &classes[0], off: classes[1].clone() };
        let mut cover = LayerCover::new(function);
        for cube in &cubes {
            cover.add(cover.function.cube(cube.to_vec()), &mut 0);
        }
        for at in &gone {
            if cover.cubes.len() > 1 {
                cover.remove(at.index(cover.cubes.len()), &mut 0);
            }
        }
        let mut taken: Vec<usize> = taken.iter().map(|at| at.index(cover.cubes.len())).collect();
        taken.sort_unstable();
        taken.dedup();
        let exposed = cover.exposed(&taken, &mut 0);
        let open = cover.uncovered();
        for (minterm, parts) in minterms(&layout) {
            let is_on = has(&classes[0][minterm.block as usize], minterm.bit);
            let by = |numbers: &mut dyn Iterator<Item = usize>| {
                numbers.filter(|&number| matches(&cover.cubes[number].parts, &parts)).count()
            };
            let all = by(&mut (0..cover.cubes.len()));
            let some = by(&mut taken.iter().copied());
            prop_assert_eq!(has(&open[minterm.block as usize], minterm.bit), is_on && all == 0);
            prop_assert_eq!(listed(&exposed, minterm), usize::from(is_on && all > 0 && all == some));
        }
        for cube in &cover.cubes {
            let mut count = 0;
            for (minterm, parts) in minterms(&layout) {
                prop_assert_eq!(layout.contains(&cube.parts, minterm), matches(&cube.parts, &parts));
                count += u32::from(matches(&cube.parts, &parts) && has(&classes[1][minterm.block as usize], minterm.bit));
            }
            prop_assert_eq!(cover.function.common(&cube.parts, &classes[1]), count);
        }
    }

    #[test]
    fn grown_cubes_contain_their_seed_and_need_every_literal(seed: u64, at: prop::sample::Index, variation in 0..2_u8) {
        let rows = function(seed);
        let (layout, classes) = BitmapLayout::new(&rows).unwrap().unwrap();
        let tariff = Tariff::new(&layout.variables, &[]).into();
        let function = LayerFunction { layout: &layout, tariff, on: &classes[0], off: classes[1].clone() };
        let on: Vec<Minterm> =
            minterms(&layout).into_iter().map(|(minterm, _)| minterm).filter(|minterm| has(&classes[0][minterm.block as usize], minterm.bit)).collect();
        let minterm = on[at.index(on.len())];
        let mut grower = Growth::default();
        grower.begin(seed, 1);
        let cube = function.grow(minterm, Target::Dense(&classes[0]), f32::from(variation), &mut grower);
        prop_assert!(layout.contains(&cube.parts, minterm));
        prop_assert_eq!(function.common(&cube.parts, &classes[1]), 0);
        for variable in 0..SIZES.len() {
            let mut larger = cube.parts.clone();
            larger[variable] = layout.variables.full(variable);
            let is_full = larger == cube.parts;
            prop_assert!(is_full || function.common(&larger, &classes[1]) > 0);
        }
    }
}
