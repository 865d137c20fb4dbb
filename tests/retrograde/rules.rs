//! Moves against an independent rules library, un-moves against moves.

use super::oracles;
use super::sampling::{all_positions, small_materials, some_positions};
use cubebase::position::{Index, Material, Position};
use cubebase::retrograde::{Conversions, moves, unmoves};
use std::collections::HashSet;
use std::ops::ControlFlow;

fn sorted(mut position: Position) -> Position {
    position.sort();
    position
}

fn quiet(position: &Position) -> Vec<Position> {
    let mut children = Vec::new();
    let _ = moves::quiet(position, |child| {
        children.push(sorted(child));
        ControlFlow::<()>::Continue(())
    });
    children
}

fn predecessors(position: &Position) -> Vec<Position> {
    let mut found = Vec::new();
    unmoves::unmoves(position, |before| found.push(sorted(before)));
    found
}

fn converting(conversions: &Conversions, position: &Position) -> Vec<Position> {
    let mut children = Vec::new();
    let _ = conversions.moves(position, |number, child| {
        assert_eq!(child.material(), &conversions.materials()[number]);
        children.push(sorted(child));
        ControlFlow::<()>::Continue(())
    });
    children
}

/// Our children are the library's: the same set, none twice, all legal.
fn assert_children(conversions: &Conversions, position: &Position) {
    let children = [quiet(position), converting(conversions, position)].concat();
    let ours: HashSet<_> = children.iter().copied().collect();
    assert_eq!(ours.len(), children.len(), "a child of {position:?} came twice");
    let theirs: HashSet<_> = oracles::children(position).into_iter().collect();
    assert_eq!(ours, theirs, "{position:?}");
    for child in children {
        child.check_legal().unwrap_or_else(|error| panic!("{position:?} -> {child:?}: {error}"));
    }
}

/// Moves and un-moves are each other's inverse around `position`.
fn assert_inverse(position: &Position) {
    for child in quiet(position) {
        let found = predecessors(&child).iter().filter(|&before| before == position).count();
        assert_eq!(found, 1, "{position:?} -> {child:?}");
    }
    let before = predecessors(position);
    let different: HashSet<_> = before.iter().collect();
    assert_eq!(different.len(), before.len(), "a predecessor of {position:?} came twice");
    for before in before {
        before.check_legal().unwrap_or_else(|error| panic!("{before:?} -> {position:?}: {error}"));
        assert!(quiet(&before).contains(position), "{before:?} -> {position:?}");
    }
}

#[test]
fn children_agree_with_the_library_on_three_men() {
    for material in small_materials() {
        let conversions = Conversions::new(&material);
        all_positions(&Index::new(&material)).for_each(|position| assert_children(&conversions, &position));
    }
}

#[test]
fn children_agree_with_the_library_on_random_positions() {
    let more = ["KQPvKP", "KPPvKP", "KPPvKPP", "KRPvKNP", "KBNPvKQ", "KPPPvKP"];
    let more = more.iter().map(|name| name.parse().unwrap());
    for (seed, material) in (1..).zip(Material::all(4).into_iter().chain(more)) {
        let conversions = Conversions::new(&material);
        for position in some_positions(&Index::new(&material), 3_000, seed) {
            assert_children(&conversions, &position);
        }
    }
}

#[test]
fn unmoves_are_the_inverse_of_moves_on_three_men() {
    for material in small_materials() {
        all_positions(&Index::new(&material)).for_each(|position| assert_inverse(&position));
    }
}

#[test]
fn unmoves_are_the_inverse_of_moves_on_random_positions() {
    let more = ["KPPvKP", "KPPvKPP", "KRPvKNP"].iter().map(|name| name.parse().unwrap());
    for (seed, material) in (100..).zip(Material::all(4).into_iter().chain(more)) {
        let index = Index::new(&material);
        some_positions(&index, 1_500, seed).iter().for_each(assert_inverse);
    }
}

#[test]
fn unmoves_are_the_inverse_of_moves_with_en_passant() {
    let index = Index::new(&"KPvKP".parse().unwrap());
    let turn = cubebase::Color::White;
    let mut count = 0;
    for (_, position) in index.positions(turn, index.main_len()..index.len()) {
        assert_inverse(&position);
        assert_inverse(&position.with_en_passant(None));
        count += 1;
    }
    assert!(count > 10_000, "{count}");
}

#[test]
fn conversions_name_the_sub_tables() {
    for (name, mut wanted) in [
        ("KvK", vec![]),
        ("KQvKR", vec!["KQvK", "KRvK"]),
        ("KPvKP", vec!["KPvK", "KQvKP", "KRvKP", "KBvKP", "KNvKP"]),
        ("KPvKN", vec!["KQvKN", "KRvKN", "KBvKN", "KNvKN", "KNvK", "KPvK", "KQvK", "KRvK", "KBvK"]),
    ] {
        let material = Material::parse(name).unwrap().0;
        let conversions = Conversions::new(&material);
        let mut materials: Vec<_> = conversions.materials().iter().map(Material::to_string).collect();
        materials.sort();
        wanted.sort_unstable();
        assert_eq!(materials, wanted, "{name}");
    }
}

/// With five men there are positions in which an en-passant capture is the only move; without it they are stalemate.
#[test]
fn an_en_passant_capture_relieves_a_stalemate() {
    for fen in ["8/K7/8/k7/Pp6/1P6/8/8 b - a3 0 1", "8/1K6/8/k7/1pP5/1P6/8/8 b - c3 0 1"] {
        let position = Position::from_fen(fen).unwrap();
        let conversions = Conversions::new(position.material());
        assert_children(&conversions, &position);
        assert_eq!(quiet(&position), []);
        assert_eq!(converting(&conversions, &position).len(), 1);
        let without = position.with_en_passant(None);
        assert!(!without.in_check(without.turn()));
        assert_eq!(converting(&conversions, &without), []);
    }
}
