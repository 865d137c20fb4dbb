//! Lists of small functions: every row is right, for any number of threads.

use super::price::{Frequencies, total_bits};
use super::{Clause, Learner, List, ListOptions, Literal, has_few_minterms};
use crate::error::{Error, ErrorKind};
use crate::rows::memory_rows::{MemoryRows, all_rows};
use espresso::{Monitor, Progress};
use proptest::prelude::*;
use std::collections::HashMap;
use std::ops::ControlFlow;

fn learn(rows: &MemoryRows, order: &[u8], work: u64) -> Result<List, Error> {
    let options = ListOptions { work, ..ListOptions::default() };
    Learner::new(rows)?.expect("few minterms").learn(order, &options)
}

/// The first row with a wrong class.
fn fault(list: &List, rows: &MemoryRows) -> Option<usize> {
    rows.rows.iter().position(|(parts, class)| list.class(|variable| parts[variable]) != *class)
}

/// The most minterms of a test function: making larger bitmaps would dominate the time.
const MINTERMS: u64 = 1 << 18;

/// Random rows; rows with equal parts have the same class.
fn functions() -> impl Strategy<Value = MemoryRows> {
    prop::collection::vec(prop_oneof![1..9_u8, 60..65_u8], 1..7).prop_flat_map(|mut parts| {
        while parts.iter().map(|&parts| u64::from(parts)).product::<u64>() > MINTERMS {
            parts.pop();
        }
        let row: Vec<_> = parts.iter().map(|&count| 0..count).collect();
        let rows = prop::collection::vec((row, 0..3_u8), 0..400);
        (Just(parts), rows).prop_map(|(parts, mut rows)| {
            let mut classes = HashMap::new();
            for (row, class) in &mut rows {
                *class = *classes.entry(row.clone()).or_insert(*class);
            }
            MemoryRows { parts, rows }
        })
    })
}

const ORDERS: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_row_gets_its_class(rows in functions(), order in 0..6_usize, work in 0..100_000_u64, seed: u64) {
        let options = ListOptions { work, seed, ..ListOptions::default() };
        let list = Learner::new(&rows).unwrap().unwrap().learn(&ORDERS[order], &options).unwrap();
        prop_assert_eq!(fault(&list, &rows), None);
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

    #[test]
    fn no_clause_is_redundant(rows in functions(), order in 0..6_usize, work in 0..100_000_u64) {
        let list = learn(&rows, &ORDERS[order], work).unwrap();
        for layer in 0..list.layers.len() {
            for clause in 0..list.layers[layer].clauses.len() {
                let mut less = list.clone();
                less.layers[layer].clauses.remove(clause);
                prop_assert!(fault(&less, &rows).is_some(), "layer {}, clause {}", layer, clause);
            }
        }
    }

    #[test]
    fn contradictory_rows_are_named(rows in functions(), at: prop::sample::Index, other: u8) {
        prop_assume!(!rows.rows.is_empty());
        let mut rows = rows;
        let (parts, class) = rows.rows[at.index(rows.rows.len())].clone();
        let first = rows.rows.iter().position(|(other, _)| *other == parts).unwrap();
        let second = rows.rows.len();
        rows.rows.push((parts, (class + 1 + other % 2) % 3));
        let error = Learner::new(&rows).unwrap_err();
        prop_assert_eq!(error.kind(), ErrorKind::Mismatch);
        let message = format!("rows {first} and {second} have the same parts and different classes");
        prop_assert_eq!(error.to_string(), message);
    }
}

#[test]
fn a_product_of_two_literals_takes_one_clause() {
    let rows = all_rows([8, 8, 3, 2], |[a, b, ..]| u8::from(a < 3 && b != 4));
    let list = learn(&rows, &[1, 0], 1_000_000).unwrap();
    assert_eq!(list.to_string(), "layer 1\nclause 0:7 1:ef\ndefault 0\n");
}

#[test]
fn layers_leave_what_earlier_ones_decide() {
    // The first layer decides a = 0: don't-cares of the second.
    let rows = all_rows([4, 4, 2, 2], |[a, b, ..]| if a == 0 { 2 } else { u8::from(b > 1) });
    let list = learn(&rows, &[2, 1, 0], 1_000_000).unwrap();
    assert_eq!(list.to_string(), "layer 2\nclause 0:1\nlayer 1\nclause 1:c\ndefault 0\n");
}

#[test]
fn one_class_takes_no_clause() {
    let rows = all_rows([3, 3, 3, 3], |_| 1);
    let list = |order: &[u8]| learn(&rows, order, 1000).unwrap().to_string();
    assert_eq!(list(&[1]), "default 1\n");
    assert_eq!(list(&[0, 1]), "layer 0\ndefault 1\n");
    assert_eq!(list(&[1, 0]), "layer 1\nclause\ndefault 0\n");
}

#[test]
fn no_rows_take_no_clause() {
    let rows = MemoryRows { parts: vec![3], rows: Vec::new() };
    assert_eq!(learn(&rows, &[0, 1], 1000).unwrap().to_string(), "layer 0\ndefault 1\n");
}

#[test]
fn orders_must_fit() {
    let rows = all_rows([2, 2, 2, 2], |[a, ..]| a);
    for order in [&[][..], &[0], &[0, 1, 0], &[0, 1, 3]] {
        assert_eq!(learn(&rows, order, 0).unwrap_err().kind(), ErrorKind::Mismatch, "{order:?}");
    }
    let none = MemoryRows { parts: vec![0], rows: Vec::new() };
    assert_eq!(Learner::new(&none).unwrap_err().kind(), ErrorKind::Mismatch);
}

#[test]
fn functions_of_many_minterms_have_no_bitmaps() {
    let learner = |parts: &[u8]| {
        let rows = MemoryRows { parts: parts.to_vec(), rows: vec![(vec![0; parts.len()], 1)] };
        Learner::new(&rows).unwrap()
    };
    assert!(has_few_minterms(&[8; 9]) && learner(&[8; 9]).is_some());
    assert!(!has_few_minterms(&[8; 10]) && learner(&[8; 10]).is_none());
    assert!(!has_few_minterms(&[64; 40]) && learner(&[64; 40]).is_none(), "more than a word counts");
    // A variable of 33 parts leaves too little room in a block for others.
    let wide = [17, 17, 17, 33, 33, 33];
    assert!(has_few_minterms(&wide) && learner(&wide).is_none());
}

/// Some thousand rows of three classes without a short description.
fn hard() -> MemoryRows {
    all_rows([8, 8, 8, 8], |[a, b, c, d]| (a * b + c * d + u8::from(a > c)) % 7 % 3)
}

#[test]
fn any_number_of_threads_gives_the_same_list() {
    let rows = hard();
    let learned = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| learn(&rows, &[1, 0, 2], 3_000_000).unwrap())
    };
    let list = learned(1);
    assert_eq!(fault(&list, &rows), None);
    assert!([2, 5].into_iter().all(|threads| learned(threads) == list));
}

#[test]
fn work_makes_lists_cheaper() {
    let rows = hard();
    let bits = |work| {
        let list = learn(&rows, &[1, 0, 2], work).unwrap();
        total_bits(&rows.parts, &list.layers.iter().flat_map(|layer| &layer.clauses).collect::<Vec<_>>())
    };
    let (none, some, much) = (bits(0), bits(1_000_000), bits(10_000_000));
    assert!(much < some && some < none && much < 0.95 * none, "{none}, {some}, {much}");
    let options = ListOptions::default();
    let trial = Learner::new(&rows).unwrap().unwrap().trial(&[1, 0, 2], &options).unwrap();
    assert!((0.8 * none..1.3 * none).contains(&trial), "{trial} of {none}");
}

#[test]
fn a_callback_can_stop_it() {
    let rows = hard();
    let stop = |_: &Progress| ControlFlow::Break(());
    let options = ListOptions { progress: Monitor::new(&stop), ..ListOptions::default() };
    let learner = Learner::new(&rows).unwrap().unwrap();
    assert_eq!(learner.learn(&[0, 1, 2], &options).unwrap_err().kind(), ErrorKind::Cancelled);
    assert_eq!(learner.trial(&[0, 1, 2], &options).unwrap_err().kind(), ErrorKind::Cancelled);
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

fn clause(literals: &[(u16, u64)]) -> Clause {
    Clause { literals: literals.iter().map(|&(variable, parts)| Literal { variable, parts }).collect() }
}

#[test]
fn total_bits_are_those_of_the_adaptive_code() {
    let list = [clause(&[(0, 0b1)]), clause(&[(0, 0b1), (1, 0b11)])];
    // Five symbols of an alphabet of three that starts at 0.1 each: two ends, twice variable 0, variable 1.
    let names: f64 = (0.3 * 1.3 * 2.3 * 3.3 * 4.3) / (0.1 * 1.1) / (0.1 * 1.1) / 0.1;
    // Both part sets are prefixes, of weight 4 of 9.55. A variable of four parts has three.
    let unseen: f64 = 0.7 * 4.0 / 9.55 / 3.0;
    let symbols = (0.7 * 1.7) / (unseen * (1.0 + unseen)) * (0.7 / unseen);
    // Two clauses and two literals in any order.
    let expected: f64 = (names * symbols / 2.0 / 2.0).log2();
    let bits = total_bits(&[4, 4], &list.iter().collect::<Vec<_>>());
    assert!((bits - expected).abs() < 1e-9 && (bits - 17.6727).abs() < 1e-4, "{bits}, not {expected}");
}

#[test]
fn frequent_symbols_are_cheap() {
    let list: Vec<Clause> = (1..5).map(|high| clause(&[(0, 1), (1, (1 << high) - 1)])).collect();
    let prices = Frequencies::new(&[8, 8, 8], &list.iter().collect::<Vec<_>>());
    assert!(prices.variable(0) < prices.variable(2));
    assert!(prices.symbol(0, 1) < prices.symbol(0, 2));
    assert!(prices.symbol(1, 0b1_1111) < prices.symbol(1, 0b1_0101));
}
