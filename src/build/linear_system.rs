//! Sparse linear systems over GF(2), solved shard by shard: what [`crate::pcn`] evaluates as a static function.
//!
//! Equations go into an echelon form by the unknown of their first coefficient, as in Dillinger and Walzer 2021; where a
//! shard has no more unknowns than fit into a window this is dense elimination. Unlike there, equations outnumber the
//! unknowns where a seed can be found with which they agree by chance: every bit that a seed takes is one that an unknown
//! does not.

use crate::error::{Error, ErrorKind, Result};
use crate::pcn::{Equation, EquationOf, MAX_UNKNOWNS, SEEDS, SHARD, Solution, System};
use rayon::prelude::*;

/// Unknowns that may be fewer than the equations: a seed for which one less will do is found among twice as many.
const LUCK: usize = 4;

/// Returns the solution of `equations`. Deterministic for any number of threads.
///
/// # Errors
/// [`ErrorKind::Internal`] when there is none: two equations of one position contradict each other.
pub(super) fn solve(equations: &[EquationOf]) -> Result<System> {
    let mut count = equations.len().div_ceil(SHARD).max(1);
    loop {
        let mut shards = vec![Vec::new(); count];
        equations.iter().for_each(|equation| shards[equation.hash.shard(count)].push(*equation));
        let solutions: Option<Vec<Solution>> = shards.par_iter().map(|shard| solve_shard(shard)).collect();
        if let Some(solutions) = solutions {
            return Ok(System::new(&solutions));
        }
        count += 1;
        if count > 2 * equations.len() {
            return Err(Error::new(ErrorKind::Internal, "equations that contradict each other"));
        }
    }
}

/// Returns the solution with the fewest unknowns, and of those the one with the first seed; none when it would take too
/// many unknowns.
fn solve_shard(equations: &[EquationOf]) -> Option<Solution> {
    let least = equations.len().saturating_sub(LUCK).max(1) as u16;
    (least..=MAX_UNKNOWNS).find_map(|unknowns| {
        (0..SEEDS).find_map(|seed| {
            let unknowns = solve_with(equations, seed, unknowns)?;
            Some(Solution { seed, unknowns })
        })
    })
}

/// Returns the unknowns for which the equations hold that this seed gives; none when they contradict each other.
fn solve_with(equations: &[EquationOf], seed: u16, unknowns: u16) -> Option<Vec<bool>> {
    let mut sorted: Vec<Equation> =
        equations.iter().map(|equation| equation.equation(seed, unknowns)).collect();
    sorted.sort_unstable_by_key(|equation| equation.start);
    // For each unknown the equation whose first coefficient is its own, without that coefficient's place.
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
            match &echelon[at] {
                Some((others, value)) => {
                    coefficients ^= others;
                    right ^= value;
                }
                place => {
                    debug_assert!(place.is_none());
                    echelon[at] = Some((coefficients, right));
                    break;
                }
            }
        }
    }
    // Back from the last unknown; one without an equation is 0.
    let mut values = vec![false; unknowns.into()];
    let mut window = 0_u128;
    for (at, equation) in echelon.iter().enumerate().rev() {
        window <<= 1;
        if let Some((coefficients, right)) = equation {
            values[at] = right ^ ((window & coefficients).count_ones() & 1 == 1);
            window |= u128::from(values[at]);
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
        fn what_is_told_is_what_was_meant(
            hashes in prop::collection::hash_set(any::<u64>(), 1..4000),
            rank in 0..8_u8,
            one_of in 2..40_usize,
        ) {
            let hashes: Vec<PositionHash> = hashes.into_iter().map(PositionHash::of).collect();
            let is_exception = |number: usize| number.is_multiple_of(one_of);
            let exceptions = || hashes.iter().copied().step_by(one_of);
            let equations: Vec<_> = exceptions().flat_map(|hash| EquationOf::filter(hash, rank)).collect();
            let filter = solve(&equations).unwrap();
            prop_assert!(exceptions().all(|hash| filter.passes(hash, rank)));
            let mut decided = Vec::new();
            for (number, &hash) in hashes.iter().enumerate().filter(|(_, hash)| filter.passes(**hash, rank)) {
                decided.push(EquationOf::is_exception(hash, is_exception(number)));
                if is_exception(number) {
                    decided.push(EquationOf::is_greater(hash, number % 3 == 0));
                }
            }
            let decision = solve(&decided).unwrap();
            for (system, equations) in [(&filter, equations.len()), (&decision, decided.len())] {
                prop_assert!(system.len() <= equations + equations / 100 + 4, "{} for {equations}", system.len());
            }
            let function = crate::pcn::StaticFunction::new(filter, decision);
            for (number, &hash) in hashes.iter().enumerate() {
                prop_assert_eq!(function.is_exception(hash, rank), is_exception(number));
                prop_assert!(!is_exception(number) || function.is_greater(hash) == (number % 3 == 0));
            }
        }
    }

    #[test]
    fn contradictions_are_an_error() {
        let hash = PositionHash::of(7);
        let equations = [true, false].map(|right| EquationOf::is_exception(hash, right));
        assert_eq!(solve(&equations).unwrap_err().kind(), ErrorKind::Internal);
    }

    #[test]
    fn many_equations_take_several_shards_and_hardly_more_unknowns() {
        let equations: Vec<EquationOf> =
            (0..20_000).flat_map(|hash| EquationOf::filter(PositionHash::of(hash << 40 | hash), 1)).collect();
        let system = solve(&equations).unwrap();
        let solved = |threads| {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap()
                .install(|| solve(&equations).unwrap())
        };
        assert!(solved(1) == system && solved(3) == system);
        assert!((19_950..20_200).contains(&system.len()), "{}", system.len());
    }
}
