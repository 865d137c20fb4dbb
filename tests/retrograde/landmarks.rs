//! Published figures: counts over the whole board, and the longest mates.

use super::sampling::store;
use cubebase::position::{Color, Material, Position, Square};
use rayon::prelude::*;

/// Longest mates with best play, in moves of the winning side.
fn assert_longest_mate(name: &str, moves: u32) {
    let table = store().get(&name.parse().unwrap()).unwrap();
    let (plies, position) = table.longest().unwrap();
    assert_eq!(plies.div_ceil(2), moves, "{name}: {position:?}");
    assert_eq!(table.distance(&position).unwrap(), Some(plies));
}

#[test]
fn longest_mates_of_three_men() {
    assert_longest_mate("KQvK", 10);
    assert_longest_mate("KRvK", 16);
    assert_longest_mate("KPvK", 28);
    assert_eq!(store().get(&"KNvK".parse().unwrap()).unwrap().longest(), None);
}

#[test]
#[ignore = "slow: minutes"]
fn longest_mates_of_four_men() {
    assert_longest_mate("KBBvK", 19);
    assert_longest_mate("KBNvK", 33);
    assert_longest_mate("KQvKR", 35);
    assert_longest_mate("KRvKB", 29);
    assert_longest_mate("KRvKN", 40);
}

/// The numbers of wins, draws, losses and illegal positions among all placements of the men on different squares, for both
/// sides to move. Mirror images count as different.
fn full_board_counts(material: &Material) -> [u64; 4] {
    let table = store().get(material).unwrap();
    let placements = 64_u64.pow(material.len() as u32);
    let column = |number: u64| {
        let square = |man: usize| Square::new(((number % placements) >> (6 * man)) as u8);
        let squares: Vec<Square> = (0..material.len()).map(square).collect();
        let position = Position::new(*material, &squares, Color::BOTH[(number / placements) as usize], None);
        let outcome = position.is_legal().then(|| table.wdl(&position).unwrap());
        let is_one = position.occupied().len() == squares.len();
        is_one.then_some(outcome.map_or(3, |outcome| outcome.other().index()))
    };
    let add = |mut counts: [u64; 4], column: usize| {
        counts[column] += 1;
        counts
    };
    let counts = (0..2 * placements).into_par_iter().filter_map(column).fold(|| [0; 4], add);
    counts.reduce(|| [0; 4], |a, b| std::array::from_fn(|i| a[i] + b[i]))
}

#[test]
fn full_board_counts_of_three_men() {
    let fixture = include_str!("../../fixtures/three-men.tsv");
    let mut rows = 0;
    for row in fixture.lines().skip(1) {
        let (name, counts) = row.split_once('\t').unwrap();
        let counts: Vec<u64> = counts.split('\t').map(|count| count.parse().unwrap()).collect();
        assert_eq!(full_board_counts(&name.parse().unwrap()), *counts, "{name}");
        rows += 1;
    }
    assert_eq!(rows, Material::all(2).len() + Material::all(3).len());
}
