//! Distances to zeroing against published counts. `tools/answers/distances.py` compares them with Syzygy's files.

use super::sampling::store_to_zeroing;
use cubebase::chess::retrograde::{Store, Table};
use cubebase::position::{Material, Position, Symmetry};
use cubebase::retrograde::Metric;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// The number of positions of each outcome and distance, by side to move.
type Counts = BTreeMap<(String, String, u32), u64>;

/// The published counts of `material`, for the sides to move that tables store.
fn published(material: &Material) -> Counts {
    let turns = material.stored_turns().iter().map(|turn| turn.name());
    let turns: Vec<&str> = turns.collect();
    let rows = include_str!("../../fixtures/dtz-counts.tsv").lines().skip(1);
    let rows = rows.map(|row| row.split('\t').collect::<Vec<_>>());
    let rows = rows.filter(|row| row[0] == material.to_string() && turns.contains(&row[1]));
    let counts = rows.flat_map(|row| {
        row[3].split(' ').map(move |count| {
            let (plies, count) = count.split_once(':').unwrap();
            ((row[1].into(), row[2].into(), plies.parse().unwrap()), count.parse().unwrap())
        })
    });
    counts.collect()
}

/// The symmetry classes of the positions that differ from `position` by an exchange of identical men, which publications
/// tell apart.
fn arrangements(position: &Position) -> u64 {
    let men = position.material().men();
    let groups = men.chunk_by(|a, b| a == b).map(|group| (1..=group.len() as u64).product::<u64>());
    let all: u64 = groups.product();
    let exchanges = |symmetry: &Symmetry| {
        let moves_one = position.squares().iter().any(|&on| symmetry.apply(on) != on);
        moves_one && position.transformed(*symmetry) == *position
    };
    let is_exchange = !position.material().has_pawns() && Symmetry::ALL.iter().any(exchanges);
    if is_exchange { all / 2 } else { all }
}

fn assert_counts(table: &Table) {
    let expected = published(table.material());
    assert!(!expected.is_empty(), "{}", table.material());
    let counts = Mutex::new(Counts::new());
    for &turn in table.material().stored_turns() {
        let chunk = |first: u64| {
            let mut found = BTreeMap::new();
            for (position, wdl) in table.positions_in(turn, first << 16..(first + 1) << 16) {
                if position.en_passant().is_none() {
                    let plies = table.distance(&position).unwrap().unwrap_or(0);
                    *found.entry((wdl, plies)).or_insert(0) += arrangements(&position);
                }
            }
            let mut counts = counts.lock().unwrap();
            for ((wdl, plies), count) in found {
                *counts.entry((turn.name().into(), wdl.name().into(), plies)).or_insert(0) += count;
            }
        };
        (0..table.slots().div_ceil(1 << 16)).into_par_iter().for_each(chunk);
    }
    assert_eq!(counts.into_inner().unwrap(), expected, "{}", table.material());
}

#[test]
fn published_counts() {
    for name in ["KBvKN", "KNvKP", "KPPvK", "KPvKP", "KRRvK"] {
        assert_counts(&store_to_zeroing().get(&name.parse().unwrap()).unwrap());
    }
}

#[test]
#[ignore = "slow: minutes"]
fn published_counts_of_four_men() {
    for material in (3..=4).flat_map(Material::all) {
        assert_counts(&store_to_zeroing().get(&material).unwrap());
    }
}

/// Tables with cursed wins and blessed losses.
#[test]
#[ignore = "slow: many minutes, and gigabytes"]
fn published_counts_of_five_men() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["KBBvKN", "KNNvKP", "KPPvKQ"] {
        let store = Store::new(Some(directory.path().into())).with_metric(Metric::Dtz);
        let material = name.parse().unwrap();
        store.generate(&[material]).unwrap();
        assert_counts(&store.get(&material).unwrap());
    }
}

/// Compares the distance of `position` with that of the Syzygy files. Where these round, theirs can be one less.
fn assert_near(theirs: u32, table: &Table, position: &Position) {
    let ours = table.distance(position).unwrap().unwrap_or(0);
    assert!(ours == theirs || ours > 1 && ours == theirs + 1, "{}: {ours}, {theirs}", position.to_fen());
}

/// Positions with an en-passant capture, or after a double push.
#[test]
fn en_passant() {
    let table = store_to_zeroing().get(&"KPvKP".parse().unwrap()).unwrap();
    for line in include_str!("../../fixtures/dtz-en-passant.tsv").lines().skip(1) {
        let (fen, theirs) = line.split_once('\t').unwrap();
        let (position, theirs) = (Position::from_fen(fen).unwrap(), theirs.parse::<i32>().unwrap());
        assert_near(theirs.unsigned_abs(), &table, &position);
        let sign = [-1, 0, 1][table.wdl(&position).unwrap().index()];
        assert_eq!(theirs.signum(), sign, "{fen}");
    }
}
