//! Laws of the operations on covers, checked point by point on small spaces.

use super::{
    complement, contain, disjoint, disjoint_sharp, equivalent_outputs, free_variable, intersect,
    lexical_sort, merge_variables, minterms, primes, sharp, union, xor,
};
use crate::testing::{self, holds, points};
use crate::{Cover, Monitor, Space};
use proptest::prelude::*;

const SILENT: Monitor<'static> = Monitor::silent();

/// Whether the cover has exactly the points for which `expected` holds.
fn is_set(cover: &Cover, expected: impl Fn(&[u64]) -> bool) -> bool {
    points(cover.space()).iter().all(|point| holds(cover, point) == expected(point))
}

/// Whether no two cubes have a minterm in common.
fn is_disjoint(cover: &Cover) -> bool {
    (0..cover.len()).all(|i| (0..i).all(|j| !cover.space().intersects(cover.cube(i), cover.cube(j))))
}

/// Whether no cube is within another one.
fn has_no_contained_cube(cover: &Cover) -> bool {
    (0..cover.len())
        .all(|i| (0..cover.len()).all(|j| i == j || !cover.space().contains(cover.cube(i), cover.cube(j))))
}

/// Whether every minterm of the cube is in the cover.
fn is_implicant(cover: &Cover, cube: &[u64]) -> bool {
    points(cover.space())
        .iter()
        .filter(|point| cover.space().contains(cube, point))
        .all(|point| holds(cover, point))
}

proptest! {
    #[test]
    fn operations_are_those_of_sets([a, b] in testing::covers([8, 8])) {
        let of = |cover: &Cover, point: &[u64]| holds(cover, point);
        for (made, is_in) in [
            (union(&a, &b, SILENT).unwrap(), &(|x, y| x || y) as &dyn Fn(bool, bool) -> bool),
            (intersect(&a, &b, SILENT).unwrap(), &|x, y| x && y),
            (sharp(&a, &b, SILENT).unwrap(), &|x, y| x && !y),
            (xor(&a, &b, SILENT).unwrap(), &|x, y| x != y),
            (disjoint_sharp(&a, &b, SILENT).unwrap(), &|x, y| x && !y),
            (contain(&a, SILENT).unwrap(), &|x, _| x),
        ] {
            prop_assert!(is_set(&made, |point| is_in(of(&a, point), of(&b, point))));
            prop_assert!(has_no_contained_cube(&made));
        }
        prop_assert!(is_disjoint(&disjoint_sharp(&a, &b, SILENT).unwrap()));
        prop_assert!(is_set(&complement(&a, SILENT).unwrap(), |point| !of(&a, point)));
        prop_assert!(is_set(&lexical_sort(&a), |point| of(&a, point)));
    }

    #[test]
    fn disjoint_cubes_are_the_same_set([cover] in testing::covers([8])) {
        let made = disjoint(&cover, SILENT).unwrap();
        prop_assert!(is_set(&made, |point| holds(&cover, point)) && is_disjoint(&made));
    }

    #[test]
    fn minterms_are_the_same_set([cover] in testing::covers([6]), bounds in (0usize..8, 0usize..8)) {
        let variables = cover.space().variables().len();
        let (from, to) = (bounds.0 % variables, bounds.1 % variables);
        let range = from.min(to)..from.max(to) + 1;
        let made = minterms(&cover, range.clone(), SILENT).unwrap();
        prop_assert!(is_set(&made, |point| holds(&cover, point)));
        for cube in &made {
            let chosen = &cover.space().variables()[range.clone()];
            prop_assert!(chosen.iter().all(|variable| Space::literal_len(variable, cube) == 1));
        }
        let all = minterms(&cover, 0..variables, SILENT).unwrap();
        prop_assert_eq!(all.len(), points(cover.space()).iter().filter(|point| holds(&cover, point)).count());
    }

    /// Primes are implicants that cannot grow; every implicant is in a prime, and no prime is in another one.
    #[test]
    fn primes_are_all_maximal_implicants([on, dc] in testing::covers([6, 3]), seed in any::<u64>()) {
        let all = on.with(&dc);
        let primes = primes(&on, &dc, SILENT).unwrap();
        prop_assert!(is_set(&primes, |point| holds(&all, point)) && has_no_contained_cube(&primes));
        for prime in &primes {
            prop_assert!(testing::raised(prime, on.space().bits()).all(|grown| !is_implicant(&all, &grown)));
        }
        let cube = testing::cube(on.space(), seed);
        let is_in_a_prime = primes.iter().any(|prime| on.space().contains(prime, &cube));
        prop_assert_eq!(is_in_a_prime, is_implicant(&all, &cube));
    }

    #[test]
    fn merged_variables_keep_the_set([cover] in testing::covers([12])) {
        let variables = cover.space().variables().len();
        for range in [0..variables, 0..1, variables - 1..variables] {
            let mut merged = cover.clone();
            merge_variables(&mut merged, range);
            prop_assert!(is_set(&merged, |point| holds(&cover, point)) && merged.len() <= cover.len());
        }
    }

    #[test]
    fn equivalent_outputs_have_equal_values(
        off in testing::cover(Space::new(2, &[3], 4).unwrap(), 9),
    ) {
        let space = off.space();
        let value = |point: &[u64], output: usize| {
            let mut point = point.to_vec();
            Space::clear(space.output(), &mut point);
            space.set(&mut point, space.inputs(), output);
            holds(&off, &point)
        };
        let all = points(space);
        let mut expected = Vec::new();
        for i in 0..4 {
            for j in i + 1..4 {
                for is_complement in [false, true] {
                    if all.iter().all(|point| (value(point, i) == value(point, j)) != is_complement) {
                        expected.push(([i, j], is_complement));
                    }
                }
            }
        }
        let found = equivalent_outputs(&off, SILENT).unwrap();
        let found: Vec<_> = found.iter().map(|found| (found.outputs, found.is_complement)).collect();
        prop_assert_eq!(found, expected);
    }

    /// A point is a don't-care of the result if and only if the removed input makes a difference there.
    #[test]
    fn a_free_variable_leaves_dont_cares(cover in testing::cover(Space::binary(4, 2).unwrap(), 8), v in 0usize..4) {
        let [on, dc] = free_variable(&cover, v, SILENT).unwrap();
        for point in points(on.space()) {
            let with = |part: usize| {
                let mut whole = vec![0; cover.space().words()];
                for old in 0..5 {
                    let new = if old < v { old } else { old - usize::from(old > v) };
                    for p in 0..cover.space().variables()[old].parts {
                        if if old == v { p == part } else { on.space().get(&point, new, p) } {
                            cover.space().set(&mut whole, old, p);
                        }
                    }
                }
                holds(&cover, &whole)
            };
            prop_assert_eq!(holds(&dc, &point), with(0) != with(1));
            prop_assert_eq!(holds(&on, &point), with(0) && with(1));
        }
    }
}
