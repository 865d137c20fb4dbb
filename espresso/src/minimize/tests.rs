//! The loop, its budget and its report, on functions of a few rows.

use super::*;
use crate::{Pla, Progress, Rest};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Two outputs, the parities of the halves of six inputs; one minterm is a don't-care.
fn function() -> Function {
    let mut text = String::from(".i 6\n.o 2\n000001 --\n");
    for point in 0..64u32 {
        let (low, high) = ((point & 7).count_ones() % 2, (point >> 3).count_ones() % 2);
        text = format!("{text}{point:06b} {low}{high}\n");
    }
    Function::from_pla(&Pla::parse(&text).unwrap()).unwrap()
}

#[test]
fn the_loop_reaches_the_minimum_of_two_parities() {
    let (cover, report) = minimize(&function(), &Options::default()).unwrap();
    assert_eq!(cover.len(), 8);
    assert!(!report.exhausted);
    assert_eq!(report.steps.last().map(|last| last.step), Some(Step::MakeSparse));
}

/// Of the first function, the loop would find 81 cubes if it began with the compacted cover. Of the second, `9sym`, the exact
/// step leaves 89 cubes, with a bound of 84.
#[test]
fn symmetric_functions_are_small() {
    for (inputs, ones, effort, cubes) in [(8, &[0, 1, 3, 4, 8][..], 1, 79), (9, &[3, 4, 5, 6], 2, 86)] {
        let is_on = |point: &u32| ones.contains(&point.count_ones());
        let rows = (0..1 << inputs).filter(is_on).map(|point: u32| format!("{point:0inputs$b} 1\n"));
        let text = format!(".i {inputs}\n.o 1\n{}", rows.collect::<String>());
        let function = Function::from_pla(&Pla::parse(&text).unwrap()).unwrap();
        let (cover, _) = minimize(&function, &Options { effort, ..Options::default() }).unwrap();
        assert!(cover.len() <= cubes, "{}", cover.len());
    }
}

/// Essential primes set aside also count when the result is compared with the given cover.
#[test]
fn without_an_off_set_the_loop_never_ends_with_more_cubes() {
    let text = ".i 3\n.o 2\n111 11\n0-1 10\n-0- 01\n";
    let pla = Pla::parse(text).unwrap();
    let function = Function { rest: Rest::Off, ..Function::from_pla(&pla).unwrap() };
    let function = Function { off: Cover::new(pla.space()), ..function };
    let (cover, _) = minimize(&function, &Options::default()).unwrap();
    assert!(cover.len() <= function.on.len(), "{}", cover.len());
}

/// Essential primes and reduction take time quadratic in the number of outputs. In unit tests three outputs are many.
#[test]
fn without_an_off_set_many_outputs_are_only_expanded_and_made_irredundant() {
    for (outputs, is_many) in [(2, false), (3, true)] {
        let on = Pla::parse(&format!(".i 1\n.o {outputs}\n1 {}\n", "1".repeat(outputs))).unwrap().on;
        let none = Cover::new(on.space());
        let function = Function { rest: Rest::Off, ..Function::new(on, none.clone(), none).unwrap() };
        let (_, report) = minimize(&function, &Options::default()).unwrap();
        assert_eq!(report.steps.iter().all(|report| report.step != Step::Essential), is_many);
    }
}

/// Few literals in many inputs: a random minterm is always covered, and a recursion takes millions of cubes for each query.
#[test]
fn few_literals_in_many_inputs_are_soon_answered() {
    let row = |i: u64| {
        let mut row = vec!['-'; 64];
        (0..4).for_each(|k| {
            let word = crate::random::draw(k, i);
            row[16 * k as usize + word as usize % 16] = if word >> 32 & 1 == 0 { '0' } else { '1' };
        });
        row.into_iter().chain(" 1\n".chars()).collect::<String>()
    };
    let rows: String = (0..300).map(row).collect();
    let on = Pla::parse(&format!(".i 64\n.o 1\n{rows}")).unwrap().on;
    let none = Cover::new(on.space());
    let function = Function { rest: Rest::Off, ..Function::new(on, none.clone(), none).unwrap() };
    let options = Options { effort: 1, budget: Some(1 << 26), ..Options::default() };
    let (cover, report) = minimize(&function, &options).unwrap();
    assert!(!report.exhausted && cover.len() > 290, "{}", cover.len());
}

#[test]
fn breaking_cancels() {
    let calls = AtomicUsize::new(0);
    let progress = |_: &Progress| match calls.fetch_add(1, Ordering::Relaxed) {
        0..3 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let options = Options { progress: Monitor::new(&progress), ..Options::default() };
    assert_eq!(minimize(&function(), &options).unwrap_err().kind(), ErrorKind::Cancelled);
    assert!(calls.load(Ordering::Relaxed) > 3);
    let (cover, report) = minimize(&function(), &Options { best_if_cancelled: true, ..options }).unwrap();
    assert!(report.exhausted && crate::check::result(&function(), &cover).is_ok());
}

/// The monitor is called within the expansion of one cube. Thousands of minterms block it, none near.
#[test]
fn one_long_expansion_can_be_cancelled() {
    let far =
        (0..1_u32 << 12).filter(|point| point.count_ones() > 2).map(|point| format!("{point:012b} 0\n"));
    let text = format!(".i 12\n.o 1\n.type fdr\n{} 1\n{}", "0".repeat(12), far.collect::<String>());
    let pla = Pla::parse(&text).unwrap();
    let function = Function::new(pla.on, pla.dc, pla.off).unwrap();
    let calls = AtomicUsize::new(0);
    let progress = |now: &Progress| match now.stage {
        // The step calls it thrice outside the expansion.
        "expand" if calls.fetch_add(1, Ordering::Relaxed) == 3 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let steps = vec![Step::Expand];
    let options = Options { steps, progress: Monitor::new(&progress), ..Options::default() };
    assert_eq!(minimize(&function, &options).unwrap_err().kind(), ErrorKind::Cancelled);
}

/// Each cube but the first says that one of eleven pigeons has none of ten holes, or that two pigeons share a hole. These
/// cubes cover everything, but a recursion takes too long to show it. A query can be cancelled, and keeps to the budget.
#[test]
fn one_query_that_takes_very_long_is_given_up() {
    let row = |is_literal: &dyn Fn(usize, usize) -> bool, literal: char| {
        let inputs = (0..110).map(|v| if is_literal(v / 10, v % 10) { literal } else { '-' });
        inputs.chain(" 1\n".chars()).collect::<String>()
    };
    let mut rows = vec![row(&|_, _| false, '-')];
    rows.extend((0..11).map(|pigeon| row(&|p, _| p == pigeon, '0')));
    for (a, b) in (0..11).flat_map(|a| (0..a).map(move |b| (a, b))) {
        rows.extend((0..10).map(|hole| row(&|p, h| (p == a || p == b) && h == hole, '1')));
    }
    let on = Pla::parse(&format!(".i 110\n.o 1\n{}", rows.concat())).unwrap().on;
    let none = Cover::new(on.space());
    let function = Function::new(on, none.clone(), none).unwrap();
    for step in [Step::Irredundant, Step::Reduce] {
        let stop = |now: &Progress| match now.stage {
            "tautology" => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let options = Options { steps: vec![step], progress: Monitor::new(&stop), ..Options::default() };
        assert_eq!(minimize(&function, &options).unwrap_err().kind(), ErrorKind::Cancelled);
        let options = Options { budget: Some(1 << 16), steps: vec![step], ..Options::default() };
        let (cover, report) = minimize(&function, &options).unwrap();
        assert!(report.exhausted && cover == function.on);
    }
}

/// One row of R, and a D whose complement within that row has very many cubes.
#[test]
fn the_blocking_cover_keeps_to_the_budget_and_can_be_cancelled() {
    let rows = (0..16).map(|k| format!("{}11{} -\n", "--".repeat(k), "--".repeat(15 - k)));
    let text = format!(".i 32\n.o 1\n.type fdr\n{}{} 0\n", rows.collect::<String>(), "-".repeat(32));
    let pla = Pla::parse(&text).unwrap();
    let function = Function::new(pla.on, pla.dc, pla.off).unwrap();
    for rest in [Rest::Empty, Rest::Dc] {
        let function = Function { on: function.off.clone(), rest, ..function.clone() };
        for budget in [0, 1000] {
            let options = Options { budget: Some(budget), ..Options::default() };
            let (cover, report) = minimize(&function, &options).unwrap();
            assert!(report.exhausted && cover == function.on);
        }
        let stop = |now: &Progress| match now.stage {
            "complement" => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let options = Options { progress: Monitor::new(&stop), ..Options::default() };
        assert_eq!(minimize(&function, &options).unwrap_err().kind(), ErrorKind::Cancelled);
    }
}

#[test]
fn threads_do_not_matter() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let steps = vec![Step::Compact, Step::Loop, Step::SuperGasp, Step::Exact, Step::MakeSparse];
            let listed = function();
            let off = Cover::new(listed.on.space());
            let unlisted = Function { off, rest: Rest::Off, ..listed.clone() };
            [None, Some(500), Some(2000), Some(200_000)].map(|budget| {
                let options = Options { budget, ..Options::default() };
                let all = Options { steps: steps.clone(), effort: 4, ..options.clone() };
                [(&listed, &options), (&listed, &all), (&unlisted, &options)]
                    .map(|(function, options)| minimize(function, options).unwrap().0)
            })
        })
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn spaces_must_agree() {
    let mut function = function();
    function.dc = Cover::new(&crate::Space::binary(1, 1).unwrap());
    assert_eq!(minimize(&function, &Options::default()).unwrap_err().kind(), ErrorKind::Mismatch);
}
