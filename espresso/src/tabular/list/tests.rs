//! Lists for small functions: every row right, and the same for any number of threads.

use super::{Adaptive, Clause, Learner, List, ListOptions, ListPrice, Literal};
use crate::error::{Error, ErrorKind};
use crate::tabular::held::{Held, all_rows};
use proptest::prelude::*;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// A list learned on bitmaps or on rows.
fn learn(rows: &Held, order: &[u8], work: u64, as_bitmaps: bool) -> Result<List, Error> {
    let options = ListOptions { work, ..ListOptions::default() };
    Learner::with(rows, 1 << 20, as_bitmaps)?.learn(order, &Adaptive, &options)
}

const WAYS: [bool; 2] = [false, true];

/// Rows with the class that the first of them with the same parts has.
fn functions() -> impl Strategy<Value = Held> {
    proptest::collection::vec(prop_oneof![1..6_u8, 60..65_u8], 1..6).prop_flat_map(|parts| {
        let row: Vec<_> = parts.iter().map(|&count| 0..count).collect();
        let rows = proptest::collection::vec((row, 0..3_u8), 0..160);
        (Just(parts), rows).prop_map(|(parts, mut rows)| {
            let mut classes = HashMap::new();
            for (row, class) in &mut rows {
                *class = *classes.entry(row.clone()).or_insert(*class);
            }
            Held { parts, rows }
        })
    })
}

const ORDERS: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_row_gets_its_class(
        rows in functions(),
        order in 0..6_usize,
        work in 0..100_000_u64,
        seed: u64,
        share in prop_oneof![1..40_u64, Just(1 << 20)],
        first in prop_oneof![0..9_u64, Just(1 << 20)],
    ) {
        let options = ListOptions { work, seed, ..ListOptions::default() };
        // Held, and visited each time.
        for (memory, as_bitmaps) in [(0, false), (1 << 20, false), (0, true)] {
            let learner = Learner::with(&rows, memory, as_bitmaps).unwrap().piecemeal(share, first);
            let list = learner.learn(&ORDERS[order], &Adaptive, &options).unwrap();
            prop_assert_eq!(list.fault(&rows), None);
            prop_assert_eq!(list.default, ORDERS[order][2]);
            for (layer, class) in list.layers.iter().zip(ORDERS[order]) {
                prop_assert_eq!(layer.class, class);
                prop_assert!(layer.clauses.is_sorted());
                for literal in layer.clauses.iter().flat_map(|clause| &clause.literals) {
                    let full = u64::MAX >> (64 - rows.parts[usize::from(literal.variable)]);
                    prop_assert!(literal.parts != 0 && literal.parts != full && literal.parts & !full == 0);
                }
            }
        }
    }

    #[test]
    fn each_layer_is_exact(rows in functions(), order in 0..6_usize, as_bitmaps: bool) {
        let list = learn(&rows, &ORDERS[order], 50_000, as_bitmaps).unwrap();
        let place = |class: u8| ORDERS[order].iter().position(|&other| other == class).unwrap();
        for (at, layer) in list.layers.iter().enumerate() {
            for (parts, class) in rows.rows.iter().filter(|(_, class)| place(*class) >= at) {
                let matches = layer.clauses.iter().any(|clause| clause.matches(|variable| parts[variable]));
                prop_assert_eq!(matches, place(*class) == at);
            }
        }
    }

    #[test]
    fn contradictory_rows_are_named(
        rows in functions(), at: prop::sample::Index, other: u8, as_bitmaps: bool,
    ) {
        prop_assume!(!rows.rows.is_empty());
        let mut rows = rows;
        let at = at.index(rows.rows.len());
        let (parts, class) = rows.rows[at].clone();
        rows.rows.push((parts.clone(), (class + 1 + other % 2) % 3));
        let error = learn(&rows, &[0, 1, 2], 0, as_bitmaps).unwrap_err();
        prop_assert_eq!(error.kind(), ErrorKind::Inconsistent);
        let last = format!("and {} have the same parts and different classes", rows.rows.len() - 1);
        prop_assert!(error.to_string().contains(&last), "{}", error);
    }
}

#[test]
fn a_threshold_takes_one_clause() {
    let rows = all_rows([8, 8, 3, 2], |[a, b, ..]| u8::from(a < 3 && b != 4));
    for way in WAYS {
        let list = learn(&rows, &[1, 0], 1_000_000, way).unwrap();
        assert_eq!(list.to_string(), "layer 1\nclause 0:7 1:ef\ndefault 0\n");
    }
}

#[test]
fn layers_leave_what_earlier_ones_decide() {
    // Decided by the first layer for a = 0, so that the second need not know of it.
    let rows = all_rows([4, 4, 2, 2], |[a, b, ..]| if a == 0 { 2 } else { u8::from(b > 1) });
    for way in WAYS {
        let list = learn(&rows, &[2, 1, 0], 1_000_000, way).unwrap();
        assert_eq!(list.to_string(), "layer 2\nclause 0:1\nlayer 1\nclause 1:c\ndefault 0\n");
    }
}

#[test]
fn one_class_takes_no_clause() {
    let rows = all_rows([3, 3, 3, 3], |_| 1);
    for way in WAYS {
        let list = |order: &[u8]| learn(&rows, order, 1000, way).unwrap().to_string();
        assert_eq!(list(&[1]), "default 1\n");
        assert_eq!(list(&[0, 1]), "layer 0\ndefault 1\n");
        assert_eq!(list(&[1, 0]), "layer 1\nclause\ndefault 0\n");
    }
}

#[test]
fn no_rows_take_no_clause() {
    let rows = Held { parts: vec![3], rows: Vec::new() };
    for way in WAYS {
        assert_eq!(learn(&rows, &[0, 1], 1000, way).unwrap().clauses(), 0);
    }
}

#[test]
fn orders_must_fit() {
    let rows = all_rows([2, 2, 2, 2], |[a, ..]| a);
    for order in [&[][..], &[0], &[0, 1, 0]] {
        for way in WAYS {
            assert_eq!(learn(&rows, order, 0, way).unwrap_err().kind(), ErrorKind::Mismatch);
        }
    }
    let none = Held { parts: vec![0], rows: Vec::new() };
    assert_eq!(Learner::new(&none, 0).unwrap_err().kind(), ErrorKind::Mismatch);
}

/// Some thousand rows of three classes, not to be described shortly.
fn hard() -> Held {
    all_rows([8, 8, 8, 8], |[a, b, c, d]| (a * b + c * d + u8::from(a > c)) % 7 % 3)
}

#[test]
fn any_number_of_threads_gives_the_same_list() {
    let rows = hard();
    for way in WAYS {
        let lists: Vec<List> = [1, 2, 5]
            .into_iter()
            .map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| learn(&rows, &[1, 0, 2], 3_000_000, way).unwrap())
            })
            .collect();
        assert_eq!(lists[0].fault(&rows), None);
        assert!(lists.iter().all(|list| list == &lists[0]));
    }
}

#[test]
fn rows_held_or_not_give_the_same_list() {
    let rows = hard();
    for share in [100, 1000, 1 << 20] {
        let options = ListOptions { work: 1_000_000, ..ListOptions::default() };
        let learners =
            [0, 1 << 30].map(|memory| Learner::with(&rows, memory, false).unwrap().piecemeal(share, 50));
        let [visited, held] = &learners;
        assert!(visited.holds_nothing() && !held.holds_nothing());
        let list = visited.learn(&[1, 0, 2], &Adaptive, &options).unwrap();
        assert_eq!(list, held.learn(&[1, 0, 2], &Adaptive, &options).unwrap());
        assert_eq!(list.fault(&rows), None);
        let trials =
            learners.each_ref().map(|learner| learner.trial(&[1, 0, 2], &Adaptive, &options).unwrap());
        assert_eq!(trials[0].to_bits(), trials[1].to_bits());
    }
}

#[test]
fn work_makes_lists_cheaper() {
    let rows = hard();
    let bits = |work, way| {
        let list = learn(&rows, &[1, 0, 2], work, way).unwrap();
        Adaptive.total(&rows.parts, &list.layers.iter().flat_map(|layer| &layer.clauses).collect::<Vec<_>>())
    };
    for way in WAYS {
        assert!(bits(10_000_000, way) < bits(0, way));
    }
    // Both ways come to about the same.
    assert!(bits(10_000_000, true) < 1.1 * bits(10_000_000, false));
}

#[test]
fn a_callback_can_stop_it() {
    let rows = hard();
    let stop = |_: &super::ListProgress| ControlFlow::Break(());
    let options = ListOptions { progress: Some(&stop), ..ListOptions::default() };
    for way in WAYS {
        let learner = Learner::with(&rows, 0, way).unwrap();
        assert_eq!(learner.learn(&[0, 1, 2], &Adaptive, &options).unwrap_err().kind(), ErrorKind::Cancelled);
    }
}

#[test]
fn literals_know_their_interval() {
    let interval = |parts| Literal { variable: 0, parts }.interval();
    assert_eq!(interval(0b1), Some((0, 0)));
    assert_eq!(interval(0b1_1100), Some((2, 4)));
    assert_eq!(interval(0b101), None);
    assert_eq!(interval(u64::MAX), Some((0, 63)));
    assert_eq!(interval(1 << 63), Some((63, 63)));
    assert_eq!(interval(0), None);
}

#[test]
fn what_is_frequent_is_cheap() {
    let clause = |literals: &[(u16, u64)]| Clause {
        literals: literals.iter().map(|&(variable, parts)| Literal { variable, parts }).collect(),
    };
    let list: Vec<Clause> = (1..5).map(|high| clause(&[(0, 1), (1, (1 << high) - 1)])).collect();
    let prices = Adaptive.fit(&[8, 8, 8], &list.iter().collect::<Vec<_>>());
    assert!(prices.variable(0) < prices.variable(2));
    assert!(prices.symbol(0, 1) < prices.symbol(0, 2));
    assert!(prices.symbol(1, 0b1_1111) < prices.symbol(1, 0b1_0101));
}
