//! The solver of the sparse linear systems over GF(2) that a static function stores, shard by shard.
//!
//! As in Dillinger and Walzer 2021, an equation has its coefficients in a window of consecutive unknowns. Elimination leaves at
//! most one equation with its first coefficient at each unknown. There is one departure: a shard can have a few more equations
//! than unknowns. Seeds are tried until these surplus equations hold by chance. The seed is stored anyway, and each surplus
//! equation saves an unknown.

use super::frozen::static_function::{Equation, MAX_UNKNOWNS, System};
use super::solution::{PositionEquation, SEEDS, SHARD, Solution};
use crate::error::{Error, ErrorKind, Result};
use bitvec::vec::BitVec;
use rayon::prelude::*;

/// The most surplus equations of a shard. Each of them about doubles the number of seeds to try.
const SURPLUS_EQUATIONS: usize = 4;

/// The most shards of a system with surplus equations. In a larger system the search would take too long to save a thousandth.
const MAX_SURPLUS_SHARDS: usize = 32;

/// The attempts at one shard.
#[derive(Clone, Copy, Debug)]
struct Tries {
    surplus_equations: usize,
    seeds: u16,
    /// The unknowns added if no seed gives a solution.
    step: usize,
}

impl Tries {
    fn of(shards: usize) -> Self {
        if shards <= MAX_SURPLUS_SHARDS {
            Tries { surplus_equations: SURPLUS_EQUATIONS, seeds: SEEDS, step: 1 }
        } else {
            Tries { surplus_equations: 0, seeds: 2, step: 3 }
        }
    }
}

/// The memory of an equation while its system is solved: its own bytes, and two bits, rounded up: for an unknown of its shard's
/// solution, and for the same unknown of the whole solution.
pub(crate) const BYTES_PER_EQUATION: u64 = size_of::<PositionEquation>() as u64 + 1;

/// The reasons why a shard has no solution.
enum Unsolved {
    /// It has too many equations.
    TooMany,
    /// Two equations of one position contradict each other.
    Contradiction,
}

/// Returns the solution of `equations`, which are iterated several times. Deterministic for any number of threads and any order
/// of the equations. Takes [`BYTES_PER_EQUATION`] bytes of memory for each equation.
///
/// # Errors
/// [`ErrorKind::Internal`] if two equations of one position contradict each other.
pub(crate) fn solve(equations: &(impl Iterator<Item = PositionEquation> + Clone)) -> Result<System> {
    let mut count = equations.clone().count().div_ceil(SHARD).max(1);
    loop {
        let shards = into_shards(equations, count);
        let tries = Tries::of(count);
        let solutions: std::result::Result<Vec<Solution>, Unsolved> =
            shards.into_par_iter().map(|shard| solve_shard(shard, tries)).collect();
        match solutions {
            Ok(solutions) => return Ok(System::new(&solutions)),
            Err(Unsolved::TooMany) => count += 1 + count / 64,
            Err(Unsolved::Contradiction) => {
                return Err(Error::new(ErrorKind::Internal, "equations that contradict each other"));
            }
        }
    }
}

/// Returns the equations of each of `count` shards.
fn into_shards(
    equations: &(impl Iterator<Item = PositionEquation> + Clone),
    count: usize,
) -> Vec<Vec<PositionEquation>> {
    let mut sizes = vec![0; count];
    equations.clone().for_each(|equation| sizes[equation.hash.shard(count)] += 1);
    let mut shards: Vec<Vec<_>> = sizes.into_iter().map(Vec::with_capacity).collect();
    equations.clone().for_each(|equation| shards[equation.hash.shard(count)].push(equation));
    shards
}

/// Returns the first solution in the order of unknowns, then seeds.
fn solve_shard(
    mut equations: Vec<PositionEquation>,
    tries: Tries,
) -> std::result::Result<Solution, Unsolved> {
    let least = equations.len().saturating_sub(tries.surplus_equations).max(1);
    if least > MAX_UNKNOWNS.into() {
        return Err(Unsolved::TooMany);
    }
    // With a contradiction no choice of unknowns and seed has a solution.
    equations.sort_unstable_by_key(PositionEquation::key);
    if equations.windows(2).any(|pair| pair[0].contradicts(&pair[1])) {
        return Err(Unsolved::Contradiction);
    }
    let solution = (least as u16..=MAX_UNKNOWNS).step_by(tries.step).find_map(|unknowns| {
        (0..tries.seeds).find_map(|seed| {
            let unknowns = solve_with(&equations, seed, unknowns)?;
            Some(Solution { seed, unknowns })
        })
    });
    solution.ok_or(Unsolved::TooMany)
}

/// Returns the values of the unknowns that solve the equations with this seed; `None` if there is no solution.
fn solve_with(equations: &[PositionEquation], seed: u16, unknowns: u16) -> Option<BitVec<u64>> {
    let mut sorted: Vec<Equation> =
        equations.iter().map(|equation| equation.equation(seed, unknowns)).collect();
    sorted.sort_unstable_by_key(|equation| equation.start);
    // For each unknown, the equation whose first coefficient belongs to it.
    let mut echelon: Vec<Option<(u128, bool)>> = vec![None; unknowns.into()];
    for Equation { start, mut coefficients, mut right } in sorted {
        let mut at = usize::from(start);
        loop {
            if coefficients == 0 {
                if right {
                    return None;
                }
                break;
            }
            let zeros = coefficients.trailing_zeros();
            at += zeros as usize;
            coefficients >>= zeros;
            if let Some((others, value)) = echelon[at] {
                coefficients ^= others;
                right ^= value;
            } else {
                echelon[at] = Some((coefficients, right));
                break;
            }
        }
    }
    // Back substitution. An unknown without an equation is 0.
    let mut values: BitVec<u64> = BitVec::repeat(false, unknowns.into());
    let mut window = 0_u128;
    for (at, equation) in echelon.iter().enumerate().rev() {
        window <<= 1;
        if let Some((coefficients, right)) = equation {
            let value = right ^ ((window & coefficients).count_ones() & 1 == 1);
            values.set(at, value);
            window |= u128::from(value);
        }
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pcn::PositionHash;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn the_function_answers_as_it_was_made(
            hashes in prop::collection::hash_set(any::<u64>(), 1..4000),
            level in 0..8_u8,
            one_of in 2..40_usize,
        ) {
            let hashes: Vec<PositionHash> = hashes.into_iter().map(PositionHash::of).collect();
            let is_exception = |number: usize| number.is_multiple_of(one_of);
            let exceptions = || hashes.iter().copied().step_by(one_of);
            let equations: Vec<_> = exceptions().flat_map(|hash| PositionEquation::filter(hash, level)).collect();
            let filter = solve(&equations.iter().copied()).unwrap();
            prop_assert!(exceptions().all(|hash| filter.passes(hash, level)));
            let mut decided = Vec::new();
            for (number, &hash) in hashes.iter().enumerate().filter(|(_, hash)| filter.passes(**hash, level)) {
                decided.push(PositionEquation::is_exception(hash, is_exception(number)));
                if is_exception(number) {
                    decided.push(PositionEquation::is_better(hash, number % 3 == 0));
                }
            }
            let decision = solve(&decided.iter().copied()).unwrap();
            for (system, equations) in [(&filter, equations.len()), (&decision, decided.len())] {
                let equations = equations as u64;
                prop_assert!(system.len() <= equations + equations / 100 + 4, "{} for {equations}", system.len());
            }
            let function = crate::pcn::StaticFunction::new(filter, decision);
            for (number, &hash) in hashes.iter().enumerate() {
                prop_assert_eq!(function.is_exception(hash, level), is_exception(number));
                prop_assert!(!is_exception(number) || function.is_better(hash) == (number % 3 == 0));
            }
        }
    }

    #[test]
    fn contradictions_are_an_error() {
        // One equation, and enough to fill the shards.
        for count in [1, 7_000] {
            let equation = |hash, right| PositionEquation::is_exception(PositionHash::of(hash), right);
            let equations = (0..count).map(|hash| equation(hash, hash % 3 == 0));
            assert!(solve(&equations.clone().chain([equation(0, true)])).is_ok());
            let contradicting = equations.chain([equation(0, false)]);
            let error = solve(&contradicting).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Internal);
            // The solver of a single shard finds the contradiction too.
            let shard = contradicting.take(SHARD).chain([equation(0, false)]).collect();
            assert!(matches!(solve_shard(shard, Tries::of(1)), Err(Unsolved::Contradiction)));
        }
    }

    #[test]
    fn many_equations_take_several_shards_and_hardly_more_unknowns() {
        let equations: Vec<PositionEquation> = (0..20_000)
            .flat_map(|hash| PositionEquation::filter(PositionHash::of(hash << 40 | hash), 1))
            .collect();
        let system = solve(&equations.iter().copied()).unwrap();
        let solved = |threads| {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap()
                .install(|| solve(&equations.iter().rev().copied()).unwrap())
        };
        assert!(solved(1) == system && solved(3) == system);
        assert!((19_950..20_200).contains(&system.len()), "{}", system.len());
    }

    /// More shards than a system with surplus equations may have.
    #[test]
    fn systems_of_many_shards_hold() {
        let hashes = || (0..110_000_u64).map(|hash| PositionHash::of(hash << 40 | hash));
        let equations: Vec<_> = hashes().flat_map(|hash| PositionEquation::filter(hash, 1)).collect();
        let system = solve(&equations.iter().copied()).unwrap();
        assert!(hashes().all(|hash| system.passes(hash, 1)));
        assert!((110_000..111_100).contains(&system.len()), "{}", system.len());
    }
}
