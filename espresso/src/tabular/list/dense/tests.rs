//! Covers on bitmaps against counting minterm by minterm.

use super::super::planes::Shape;
use super::super::price::Tariff;
use super::super::sample::Dice;
use super::super::{Adaptive, Clause};
use super::cover::Cover;
use super::grow::{Cube, Ground, Scratch, Target};
use super::space::{Block, Point, Space, Spot, has};
use crate::tabular::held::{Held, all_rows};
use proptest::prelude::*;

const SIZES: [u8; 4] = [8, 5, 8, 9];

/// A function with a class 2 that nothing is said about.
fn function(seed: u64) -> Held {
    let mut rows = all_rows(SIZES, |parts| {
        let number = parts.iter().fold(seed, |number, &part| crate::random::draw(number, part.into()));
        if parts[0] < 4 { 0 } else { (number % 3) as u8 }
    });
    rows.rows.retain(|(parts, class)| *class < 2 && parts[1] != 3);
    rows
}

/// Every minterm that has a block, with its parts.
fn minterms(space: &Space) -> Vec<(Point, Vec<u8>)> {
    let points = (0..space.blocks() as u32).flat_map(|slot| (0..512).map(move |bit| Point { slot, bit }));
    let with_parts = points.map(|point| (point, space.parts_of(point)));
    // Some bits stand for no minterm.
    let everything: Vec<u64> = (0..SIZES.len()).map(|variable| space.full(variable)).collect();
    with_parts.filter(|(point, _)| has(&space.mask(&everything), point.bit)).collect()
}

fn matches(cube: &[u64], parts: &[u8]) -> bool {
    cube.iter().zip(parts).all(|(allowed, part)| allowed >> part & 1 != 0)
}

fn listed(spots: &[Spot], point: Point) -> usize {
    spots.iter().filter(|spot| spot.slot == point.slot && has(&spot.bits, point.bit)).count()
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
        let (space, sets) = Space::new(&rows).unwrap();
        let shape = Shape::new(&SIZES);
        let tariff = Tariff::new(&Adaptive, &shape, &[] as &[&Clause]);
        let ground = Ground { space: &space, shape: &shape, tariff: &tariff, on: &sets[0], off: &sets[1] };
        let mut cover = Cover::default();
        for cube in &cubes {
            cover.add(&ground, ground.cube(cube.to_vec()), &mut 0);
        }
        for at in &gone {
            if cover.cubes.len() > 1 {
                cover.remove(&ground, at.index(cover.cubes.len()), &mut 0);
            }
        }
        let mut taken: Vec<usize> = taken.iter().map(|at| at.index(cover.cubes.len())).collect();
        taken.sort_unstable();
        taken.dedup();
        let exposed = cover.exposed(&ground, &taken, &mut 0);
        let open = cover.uncovered(&ground);
        for (point, parts) in minterms(&space) {
            let is_on = has(&sets[0][point.slot as usize], point.bit);
            let by = |numbers: &mut dyn Iterator<Item = usize>| {
                numbers.filter(|&number| matches(&cover.cubes[number].parts, &parts)).count()
            };
            let all = by(&mut (0..cover.cubes.len()));
            let some = by(&mut taken.iter().copied());
            prop_assert_eq!(has(&open[point.slot as usize], point.bit), is_on && all == 0);
            prop_assert_eq!(listed(&exposed, point), usize::from(is_on && all > 0 && all == some));
        }
        for cube in &cover.cubes {
            let mut count = 0;
            for (point, parts) in minterms(&space) {
                prop_assert_eq!(space.contains(&cube.parts, point), matches(&cube.parts, &parts));
                count += u32::from(matches(&cube.parts, &parts) && has(&sets[1][point.slot as usize], point.bit));
            }
            prop_assert_eq!(ground.common(&cube.parts, &sets[1], &mut 0), count);
        }
    }

    #[test]
    fn primes_match_their_seed_and_cannot_be_larger(seed: u64, at: prop::sample::Index, temper in 0..2_u8) {
        let rows = function(seed);
        let (space, sets) = Space::new(&rows).unwrap();
        let shape = Shape::new(&SIZES);
        let tariff = Tariff::new(&Adaptive, &shape, &[] as &[&Clause]);
        let ground = Ground { space: &space, shape: &shape, tariff: &tariff, on: &sets[0], off: &sets[1] };
        let on: Vec<Point> =
            minterms(&space).into_iter().map(|(point, _)| point).filter(|point| is_in(&sets[0], *point)).collect();
        let point = on[at.index(on.len())];
        let mut dice = Dice::new(seed, 1);
        let target = Target::Dense(&sets[0]);
        let cube: Cube =
            ground.grow((point, target), f32::from(temper), &mut dice, &mut Scratch::default(), &mut 0);
        prop_assert!(space.contains(&cube.parts, point));
        prop_assert_eq!(ground.common(&cube.parts, &sets[1], &mut 0), 0);
        for variable in 0..SIZES.len() {
            let mut larger = cube.parts.clone();
            larger[variable] = space.full(variable);
            let is_full = larger == cube.parts;
            prop_assert!(is_full || ground.common(&larger, &sets[1], &mut 0) > 0);
        }
    }
}

fn is_in(set: &[Block], point: Point) -> bool {
    has(&set[point.slot as usize], point.bit)
}
