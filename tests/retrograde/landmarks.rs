//! Published figures: counts over the whole board, and the longest mates.

use super::sampling::store;
use cubebase::position::{Color, Material, Position, Square, Wdl};
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

/// Number of wins, draws, losses and illegal positions, of all positions whose men stand on different squares, of both
/// sides to move, symmetric ones counted apart.
fn full_board_counts(material: &Material) -> [u64; 4] {
    let table = store().get(material).unwrap();
    let placements = 64_u64.pow(material.len() as u32);
    let count = |turn, placement: u64| {
        let squares: Vec<Square> =
            (0..material.len()).map(|man| Square::new((placement >> (6 * man)) as u8)).collect();
        let distinct = (1..squares.len()).all(|i| !squares[..i].contains(&squares[i]));
        let mut counts = [0; 4];
        if distinct {
            let position = Position::new(*material, &squares, turn, None);
            let column = if position.is_legal() {
                match table.wdl(&position).unwrap() {
                    Wdl::Win => 0,
                    Wdl::Draw => 1,
                    Wdl::Loss => 2,
                    other => panic!("{other}"),
                }
            } else {
                3
            };
            counts[column] = 1;
        }
        counts
    };
    let sum = |a: [u64; 4], b: [u64; 4]| std::array::from_fn(|i| a[i] + b[i]);
    Color::BOTH
        .iter()
        .map(|&turn| {
            (0..placements).into_par_iter().map(|placement| count(turn, placement)).reduce(|| [0; 4], sum)
        })
        .fold([0; 4], sum)
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
