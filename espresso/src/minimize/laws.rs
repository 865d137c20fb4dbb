//! Laws of the steps, checked point by point on small spaces.

use crate::coverage::set_cover::branch_and_bound::search;
use crate::coverage::tautology::{Tautology, is_tautology};
use crate::cube::cube_algebra::CubeAlgebra;
use crate::minimize::{EFFORTS, Options, Step, minimize};
use crate::steps::budget::Budget;
use crate::steps::complement::{complement, sharp};
use crate::steps::essential::essential;
use crate::steps::exact;
use crate::steps::expand::{Seeds, expand};
use crate::steps::expand_without_off::{MOST_OUTPUTS, expand_without_off};
use crate::steps::irredundant::irredundant;
use crate::steps::make_sparse::make_sparse;
use crate::steps::reduce::{Order, reduce, reduce_each};
use crate::steps::step_context::StepContext;
use crate::testing::{self, function, holds, points, raised};
use crate::{Cover, ErrorKind, Function, Monitor, Rest, Space, algebra};
use proptest::prelude::*;

/// The cover of a function after these steps.
fn after(steps: &str, function: &Function) -> Cover {
    let options = Options { steps: Step::parse_list(steps).unwrap(), ..Options::default() };
    minimize(function, &options).unwrap().0
}

/// The expanded cubes of F, without those that an earlier prime covers.
fn expanded(function: &Function) -> Cover {
    let Function { on, dc, off, .. } = function;
    testing::run(on, dc, off, |context| expand(context, on, Seeds::default()))
}

/// Functions large enough for deep recursions: eight binary inputs, one input of five parts and three outputs.
fn larger_function() -> impl Strategy<Value = Function> {
    let space = Space::new(8, &[5], 3).unwrap();
    (testing::cover(space.clone(), 60), testing::cover(space, 12)).prop_map(|(on, dc)| {
        let off = complement(&on.with(&dc));
        Function { on, dc, off, rest: Rest::Empty }
    })
}

/// Functions whose D is the complement of F and R, plus some cubes. F has cubes or minterms, R minterms; they overlap only in D.
fn open_function() -> impl Strategy<Value = Function> {
    (testing::covers([8, 8, 3]), any::<bool>(), any::<bool>()).prop_map(
        |([on, other, dc], by_minterms, without)| {
            let dc = if without { Cover::new(on.space()) } else { dc };
            let (mut minterms, mut off) = (Cover::new(on.space()), Cover::new(on.space()));
            for point in points(on.space()) {
                if holds(&other, &point) && (!holds(&on, &point) || holds(&dc, &point)) {
                    off.push(&point);
                }
                if holds(&on, &point) {
                    minterms.push(&point);
                }
            }
            Function { on: if by_minterms { minterms } else { on }, dc, off, rest: Rest::Dc }
        },
    )
}

/// Whether F - D is inside the cover, and the cover inside F + D or, if the rest is in D, outside R - D.
fn is_right(function: &Function, cover: &Cover) -> bool {
    points(cover.space()).iter().all(|point| {
        let [f, d, r, c] = [&function.on, &function.dc, &function.off, cover].map(|set| holds(set, point));
        d || if function.rest == Rest::Dc { (c || !f) && !(c && r) } else { f == c }
    })
}

/// The function without a listed R.
fn unlisted(function: &Function) -> Function {
    Function { off: Cover::new(function.on.space()), rest: Rest::Off, ..function.clone() }
}

/// Whether the cube has a minterm in common with some cube of the cover.
fn meets(cover: &Cover, cube: &[u64]) -> bool {
    cover.iter().any(|other| cover.space().intersects(cube, other))
}

/// Whether no part can be raised without meeting R.
fn is_prime(off: &Cover, cube: &[u64]) -> bool {
    is_prime_in(off, cube, off.space().bits())
}

/// The same for the first `bits` parts.
fn is_prime_in(off: &Cover, cube: &[u64], bits: usize) -> bool {
    raised(cube, bits).all(|raised| meets(off, &raised))
}

/// The same cover over a space with two more inputs, so that cubes have several words and variables straddle words.
fn widened(cover: &Cover) -> Cover {
    let space = cover.space();
    let multi: Vec<usize> = space.non_binary()[..space.inputs() - space.binary_inputs()]
        .iter()
        .map(|variable| variable.parts)
        .chain([61, 50])
        .collect();
    let wide = Space::new(space.binary_inputs(), &multi, space.outputs()).unwrap();
    let mut result = Cover::new(&wide);
    for cube in cover {
        let mut widened = wide.full().to_vec();
        let added = space.inputs()..space.inputs() + 2;
        for (v, variable) in wide.variables().iter().enumerate().filter(|(v, _)| !added.contains(v)) {
            let from = if v < space.inputs() { v } else { space.inputs() };
            for part in (0..variable.parts).filter(|&part| !space.get(cube, from, part)) {
                let bit = variable.first + part;
                widened[bit / 64] &= !(1 << (bit % 64));
            }
        }
        result.push(&widened);
    }
    result
}

/// For each point of F - D all primes that contain it, found by raising parts of implicants in every order; `None` if there
/// are very many implicants.
fn all_rows(function: &Function) -> Option<Vec<Vec<u32>>> {
    let space = function.on.space();
    let mut open = points(space);
    open.retain(|point| holds(&function.on, point) && !holds(&function.dc, point));
    let wanted = open.clone();
    let (mut seen, mut primes) = (std::collections::BTreeSet::new(), Vec::new());
    while let Some(cube) = open.pop() {
        if !seen.insert(cube.clone()) {
            continue;
        }
        if seen.len() > 3000 {
            return None;
        }
        if is_prime(&function.off, &cube) {
            primes.push(cube);
            continue;
        }
        open.extend(raised(&cube, space.bits()).filter(|raised| !meets(&function.off, raised)));
    }
    let row = |point: &Vec<u64>| {
        (0..primes.len() as u32).filter(|&c| space.contains(&primes[c as usize], point)).collect()
    };
    Some(wanted.iter().map(row).collect())
}

/// A context without R, with a work limit for queries.
fn limited_context<'a>(
    algebra: &'a CubeAlgebra,
    function: &'a Function,
    budget: &'a Budget<'_>,
    query_limit: u64,
) -> StepContext<'a> {
    StepContext {
        algebra,
        dc: &function.dc,
        coverage: None,
        off: None,
        budget: budget.of_cubes("test", 0),
        query_limit,
    }
}

proptest! {
    /// Without a listed R, expansion also gives primes, and the loop a right cover with no more cubes.
    #[test]
    fn without_an_off_set_cubes_become_primes(function in function()) {
        let open = unlisted(&function);
        let expanded = after("expand", &open);
        prop_assert!(is_right(&function, &expanded));
        // With many outputs, a cube gets only some of them.
        let (space, off) = (function.on.space(), sharp(&function.off, &function.dc));
        let bits = if space.outputs() > MOST_OUTPUTS { space.output().bits().start } else { space.bits() };
        prop_assert!(expanded.iter().all(|cube| is_prime_in(&off, cube, bits)));
        let cover = after("compact,full", &open);
        prop_assert!(is_right(&function, &cover));
        prop_assert!(cover.len() <= function.on.len());
        let options = Options { steps: vec![Step::LastGasp], ..Options::default() };
        prop_assert_eq!(minimize(&open, &options).unwrap_err().kind(), ErrorKind::Unsupported);
    }

    /// The result is right for every work limit.
    #[test]
    fn without_an_off_set_any_bound_leaves_a_right_cover(function in function(), budget in 0u64..3000) {
        let open = unlisted(&function);
        let options = Options { budget: Some(budget), ..Options::default() };
        let (cover, report) = minimize(&open, &options).unwrap();
        prop_assert!(is_right(&function, &cover));
        prop_assert!(cover.len() <= function.on.len());
        // If the report does not say that the budget was used up, the result is that without a budget.
        let whole = minimize(&open, &Options::default()).unwrap();
        prop_assert!(!whole.1.exhausted);
        prop_assert!(report.exhausted || cover == whole.0);
    }

    /// Queries over the work limit have safe answers: a covered cube may count as not covered, and the uncovered part of a cube
    /// may be too large. The steps still leave a right cover.
    #[test]
    fn queries_over_the_limit_are_answered_safely(function in function(), query_limit in 0u64..300, seed in any::<u64>()) {
        let (on, space) = (&function.on, function.on.space());
        let algebra = CubeAlgebra::new(space);
        let (lists, cube) = ([on.as_words()], testing::cube(space, seed));
        let mut limited = Tautology::limited(&algebra, query_limit, Monitor::silent());
        prop_assert!(!limited.covers(&lists, &cube) || Tautology::new(&algebra).covers(&lists, &cube));
        let left = limited.uncovered(&lists, &cube);
        prop_assert!(space.contains(&left, &Tautology::new(&algebra).uncovered(&lists, &cube)));
        prop_assert!(space.contains(&cube, &left));
        let budget = Budget::default();
        let context = limited_context(&algebra, &function, &budget, query_limit);
        // Most primes are redundant, but not all of them at once.
        let primes = algebra::primes(on, &function.dc, Monitor::default()).unwrap();
        for cover in [on, &primes] {
            prop_assert!(is_right(&function, &irredundant(&context, cover.clone()).unwrap()));
            prop_assert!(is_right(&function, &reduce(&context, cover, Order::NearLargest).unwrap().0));
            prop_assert!(is_right(&function, &expand_without_off(&context, cover).unwrap()));
        }
        let exact = StepContext { query_limit: u64::MAX, ..context };
        let essential = [&exact, &context].map(|context| essential(context, on).unwrap());
        prop_assert!(essential[0].iter().zip(&essential[1]).all(|(is, found)| *is || !found));
    }

    /// A step that reports no query over the limit returns the same result as without a limit.
    #[test]
    fn queries_over_the_limit_are_noted(function in function(), query_limit in 0u64..100) {
        let algebra = CubeAlgebra::new(function.on.space());
        let primes = algebra::primes(&function.on, &function.dc, Monitor::default()).unwrap();
        for cover in [&function.on, &primes] {
            let run = |query_limit: u64| {
                [0, 1, 2, 3, 4].map(|step| {
                    let budget = Budget::default();
                    let context = limited_context(&algebra, &function, &budget, query_limit);
                    let result = match step {
                        0 => irredundant(&context, cover.clone()).unwrap(),
                        1 => reduce(&context, cover, Order::NearLargest).unwrap().0,
                        2 => expand_without_off(&context, cover).unwrap(),
                        3 => Cover::from_words(cover.space(), reduce_each(&context, cover).unwrap().concat()),
                        _ => {
                            let is_essential = essential(&context, cover).unwrap();
                            cover.chosen(|i| is_essential[i])
                        }
                    };
                    (result, budget.is_cut_short())
                })
            };
            for ((limited, is_cut_short), (exact, _)) in run(query_limit).into_iter().zip(run(u64::MAX)) {
                prop_assert!(is_cut_short || limited == exact);
            }
        }
    }

    #[test]
    fn tautology_has_every_point([on] in testing::covers([24]), seed in any::<u64>()) {
        let space = on.space();
        prop_assert_eq!(is_tautology(&on), points(space).iter().all(|point| holds(&on, point)));
        prop_assert!(is_tautology(&on.with(&complement(&on))));
        let cube = testing::cube(space, seed);
        let inside = points(space).iter().filter(|p| space.contains(&cube, p)).all(|p| holds(&on, p));
        let algebra = CubeAlgebra::new(space);
        prop_assert_eq!(Tautology::new(&algebra).covers(&[on.as_words()], &cube), inside);
    }

    /// Cubes of the first nine inputs and cubes of the last nine: the union is a tautology if and only if one of the two is.
    #[test]
    fn a_tautology_of_some_variables_is_one_beside_others(
        (a, b) in (testing::cover(Space::binary(9, 1).unwrap(), 12), testing::cover(Space::binary(9, 1).unwrap(), 12)),
        is_complete in any::<bool>(),
    ) {
        let mut all = a.with(&complement(&a));
        let left = all.len() - usize::from(!is_complete);
        all.retain(|i, _| i < left);
        let (bits, inputs) = (18, (1 << 18) - 1);
        let mut on = Cover::new(&Space::binary(18, 1).unwrap());
        all.iter().for_each(|cube| on.push(&[inputs << bits | cube[0] & inputs | 1 << (2 * bits)]));
        b.iter().for_each(|cube| on.push(&[(cube[0] & inputs) << bits | inputs | 1 << (2 * bits)]));
        prop_assert_eq!(is_tautology(&on), is_tautology(&all) || is_tautology(&b));
        prop_assert!(!is_complete || is_tautology(&on));
    }

    #[test]
    fn expand_gives_primes(function in function()) {
        for primes in [after("expand", &function), expanded(&function)] {
            prop_assert!(is_right(&function, &primes));
            prop_assert!(primes.len() <= function.on.len());
            for prime in &primes {
                prop_assert!(!meets(&function.off, prime) && is_prime(&function.off, prime));
            }
        }
    }

    #[test]
    fn irredundant_needs_every_cube(function in function()) {
        let kept = after("irredundant", &function);
        prop_assert!(is_right(&function, &kept));
        for i in 0..kept.len() {
            prop_assert!(!is_right(&function, &kept.chosen(|j| j != i)));
        }
    }

    #[test]
    fn reduce_keeps_the_function(function in function(), heavy in any::<bool>()) {
        let order = if heavy { Order::HeaviestFirst } else { Order::NearLargest };
        let (on, dc) = (&function.on, &function.dc);
        let (reduced, _) = testing::run(on, dc, &function.off, |context| reduce(context, on, order));
        prop_assert!(is_right(&function, &reduced));
        prop_assert!(reduced.len() <= function.on.len());
        // The last cube cannot be reduced further: for every part it has a point that no other cube covers.
        if let Some(last) = reduced.len().checked_sub(1) {
            let rest = reduced.chosen(|i| i != last);
            let mut own = vec![0; rest.space().words()];
            for point in points(rest.space()) {
                let inside = rest.space().contains(reduced.cube(last), &point);
                if inside && !holds(&rest, &point) && !holds(&function.dc, &point) {
                    Space::join(&mut own, &point);
                }
            }
            prop_assert_eq!(reduced.cube(last), &own[..]);
        }
    }

    #[test]
    fn essential_primes_have_points_of_their_own(function in function()) {
        let primes = expanded(&function);
        let Function { dc, off, .. } = &function;
        let found = testing::run(&primes, dc, off, |context| essential(context, &primes));
        for (prime, found) in primes.iter().zip(found) {
            // A point is in no other prime if each implicant made of the point and one more part is inside this prime.
            let own = points(primes.space()).iter().any(|point| {
                primes.space().contains(prime, point)
                    && !holds(&function.dc, point)
                    && raised(point, primes.space().bits())
                        .all(|pair| meets(&function.off, &pair) || primes.space().contains(prime, &pair))
            });
            prop_assert_eq!(found, own);
        }
    }

    #[test]
    fn gasps_searches_and_sparse_keep_the_function(function in function()) {
        let primes = after("expand,irredundant", &function);
        let gasped = after("expand,irredundant,gasp", &function);
        prop_assert!(is_right(&function, &gasped) && gasped.len() <= primes.len());
        let strong = after("expand,irredundant,supergasp", &function);
        prop_assert!(is_right(&function, &strong) && strong.len() <= primes.len());
        let sparse = after("expand,irredundant,sparse", &function);
        prop_assert!(is_right(&function, &sparse));
        prop_assert!(sparse.len() <= primes.len() && sparse.literals() <= primes.literals());
        let [by_table, by_lists] = testing::run(&primes, &function.dc, &function.off, |context| {
            let list = StepContext { coverage: None, ..*context };
            Ok([make_sparse(context, &primes, true)?, make_sparse(&list, &primes, true)?])
        });
        prop_assert_eq!(by_table, by_lists);
        let renewed = after("expand,irredundant,lns,lns,lns", &function);
        prop_assert!(is_right(&function, &renewed) && renewed.len() <= primes.len());
    }

    #[test]
    fn the_loop_keeps_larger_functions(function in larger_function()) {
        for point in points(function.on.space()) {
            let [f, d, r] = [&function.on, &function.dc, &function.off].map(|set| holds(set, &point));
            prop_assert_eq!(r, !f && !d);
        }
        let (cover, _) = minimize(&function, &Options::default()).unwrap();
        prop_assert!(is_right(&function, &cover));
        for i in 0..cover.len() {
            prop_assert!(!is_right(&function, &cover.chosen(|j| j != i)));
        }
    }

    #[test]
    fn overlaps_inside_the_dc_set_are_free([on, dc] in testing::covers([8, 4])) {
        let mut off = complement(&on);
        off.extend(&dc);
        let function = Function { on, dc, off, rest: Rest::Empty };
        let (cover, _) = minimize(&function, &Options::default()).unwrap();
        prop_assert!(is_right(&function, &cover));
    }

    /// All steps, and sequences of them, if D is the complement of F and R.
    #[test]
    fn steps_cover_on_and_miss_off(function in open_function(), budget in prop::option::of(0u64..4000)) {
        for steps in [
            "compact", "expand", "essential", "irredundant", "reduce", "gasp", "lns", "supergasp", "exact", "sparse", "loop",
            "compact,loop", "reduce,compact,expand,essential,reduce,gasp,irredundant,compact,expand,irredundant,lns,sparse",
        ] {
            let options = Options { steps: Step::parse_list(steps).unwrap(), budget, ..Options::default() };
            let (cover, _) = minimize(&function, &options).unwrap();
            prop_assert!(is_right(&function, &cover), "{steps}");
            prop_assert_eq!(crate::check::result(&function, &cover), Ok(()), "{}", steps);
        }
    }

    #[test]
    fn steps_may_come_in_any_order(
        function in function(),
        steps in prop::collection::vec(prop::sample::select(vec![
            "compact", "expand", "essential", "irredundant", "reduce", "gasp", "lns", "supergasp", "exact", "sparse",
            "compact,loop", "expand,essential",
        ]), 1..7),
    ) {
        let steps = steps.join(",");
        prop_assert!(is_right(&function, &after(&steps, &function)), "{steps}");
    }

    /// For a function given by minterms, the steps give as many cubes with D as the complement of F and R as with D listed.
    #[test]
    fn a_free_dc_set_is_the_same_by_rows_and_by_cubes(function in open_function()) {
        let minterms = Function { dc: Cover::new(function.on.space()), ..function };
        let mut on = Cover::new(minterms.on.space());
        points(on.space()).iter().filter(|point| holds(&minterms.on, point) && !holds(&minterms.off, point))
            .for_each(|point| on.push(point));
        let open = Function { on, ..minterms };
        let dc = complement(&open.on.with(&open.off));
        let closed = Function { dc, rest: Rest::Empty, ..open.clone() };
        for steps in ["compact,expand,irredundant", "compact,expand,irredundant,reduce,expand,irredundant"] {
            prop_assert_eq!(after(steps, &open).len(), after(steps, &closed).len(), "{}", steps);
        }
        prop_assert_eq!(crate::check::same_function(&open, &closed), Ok(()));
    }

    /// The exact step against a covering matrix of all points and all primes.
    #[test]
    fn the_exact_step_finds_the_minimum(function in function()) {
        let options =
            Options { steps: vec![Step::Expand, Step::Irredundant, Step::Exact], ..Options::default() };
        let (cover, report) = minimize(&function, &options).unwrap();
        prop_assert!(is_right(&function, &cover));
        prop_assert_eq!(report.lower_bound, Some(cover.len()));
        if let Some(rows) = all_rows(&function) {
            let fewest = search(rows, function.on.len() + 1, u64::MAX, false, &mut Vec::new(), &mut |_| Ok(())).unwrap();
            prop_assert_eq!(fewest.lower, cover.len());
        }
    }

    #[test]
    fn the_exact_step_is_the_same_by_lists_and_on_any_number_of_threads(function in function(), rows in 1usize..20) {
        let (on, dc) = (expanded(&function), &function.dc);
        let effort = exact::Effort {
            rounds: 9, moves: 9, primes: 99, columns: 999, rows, search: 9999, work: u64::MAX,
        };
        let found = testing::run(&on, dc, &function.off, |context| {
            let list = StepContext { coverage: None, ..*context };
            let by_lists = exact::minimum(&list, &on, &effort)?;
            let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
            let again = pool.install(|| exact::minimum(&list, &on, &effort))?;
            assert_eq!((&by_lists.cover, by_lists.lower), (&again.cover, again.lower));
            Ok([by_lists, exact::minimum(context, &on, &effort)?])
        });
        for found in &found {
            prop_assert!(is_right(&function, &found.cover) && found.lower <= found.cover.len());
        }
        let tight = found.iter().filter(|found| found.lower == found.cover.len());
        prop_assert!(tight.clone().count() < 2 || found[0].lower == found[1].lower);
        if let Some(rows) = all_rows(&function) {
            let fewest = search(rows, on.len() + 1, u64::MAX, false, &mut Vec::new(), &mut |_| Ok(())).unwrap().lower;
            prop_assert!(found.iter().all(|found| found.lower <= fewest && fewest <= found.cover.len()));
        }
    }

    /// Every set cover problem is a function: a minterm for each row, with ones for its columns, and R without ones. The primes
    /// are single literals. Rows are added a few at a time, starting from a redundant cover.
    #[test]
    fn the_exact_step_solves_every_set_cover(
        rows in prop::collection::vec(prop::collection::btree_set(0u32..9, 2..5), 4..24),
        (at_once, moves) in (1usize..9, 0u32..9),
    ) {
        let space = Space::binary(9, 1).unwrap();
        let [mut on, mut minterms, mut off] = [(); 3].map(|()| Cover::new(&space));
        for row in &rows {
            let literals = |is_one: &dyn Fn(u32) -> bool, other| (0..9).map(|v| if is_one(v) { '1' } else { other }).collect();
            let ones: String = literals(&|v| row.contains(&v), '0');
            let literal: String = literals(&|v| row.first() == Some(&v), '-');
            for (cover, inputs) in [(&mut minterms, ones), (&mut on, literal)] {
                cover.extend(&Cover::parse(&space, &format!("{inputs} 1")).unwrap());
            }
        }
        off.extend(&Cover::parse(&space, "000000000 1").unwrap());
        on.normalize();
        let dc = complement(&minterms.with(&off));
        let effort = exact::Effort {
            rounds: usize::MAX, moves, primes: 99, columns: 999, rows: at_once, search: u64::MAX, work: u64::MAX,
        };
        let found = testing::run(&on, &dc, &off, |context| {
            let list = StepContext { coverage: None, ..*context };
            Ok([exact::minimum(&list, &on, &effort)?, exact::minimum(context, &on, &effort)?])
        });
        let rows = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        let fewest = search(rows, 10, u64::MAX, false, &mut Vec::new(), &mut |_| Ok(())).unwrap().lower;
        for found in &found {
            prop_assert_eq!((found.lower, found.cover.len()), (fewest, fewest));
        }
    }

    /// Every level of effort and any budget give a right cover.
    #[test]
    fn every_effort_is_right(function in function(), effort in EFFORTS, budget in prop::option::of(0u64..20_000)) {
        let steps = vec![Step::Compact, Step::Loop, Step::Exact, Step::MakeSparse];
        let options = Options { steps, effort, budget, ..Options::default() };
        let (cover, report) = minimize(&function, &options).unwrap();
        prop_assert!(is_right(&function, &cover));
        prop_assert!(report.lower_bound.is_none_or(|lower| lower <= cover.len()));
        prop_assert!(report.exhausted || report.lower_bound == Some(cover.len()));
        prop_assert!(cover.len() <= function.on.len());
        let last = report.steps.last().map(|last| last.cubes_out);
        prop_assert!(report.exhausted || last == Some(cover.len()));
    }

    #[test]
    fn variables_that_straddle_words_are_like_others(function in function()) {
        let [on, dc, off] = [&function.on, &function.dc, &function.off].map(widened);
        let wide = Function::new(on, dc, off).unwrap();
        prop_assert_eq!(is_tautology(&function.on), is_tautology(&wide.on));
        prop_assert_eq!(widened(&expanded(&function)), expanded(&wide));
        prop_assert_eq!(widened(&after("irredundant", &function)), after("irredundant", &wide));
        // The loop sorts cubes by their words, which differ in layout, so its results may differ.
        let (cover, _) = minimize(&wide, &Options::default()).unwrap();
        prop_assert_eq!(crate::check::result(&wide, &cover), Ok(()));
    }
}
