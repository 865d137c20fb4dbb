use super::verify::{Fault, first_fault};
use super::*;
use crate::chess::model::Model;
use crate::chess::retrograde::Store;
use crate::pcn::DistanceSummary;
use crate::retrograde::Metric;

fn table(name: &str) -> std::sync::Arc<Table> {
    Store::new(None).with_metric(Metric::Dtz).get(&name.parse().unwrap()).unwrap()
}

fn built(table: &Table, pairs: u8) -> BuiltDistances {
    let options = Options { models: vec![Model::Attack], ..Options::default() };
    // Every level is checked.
    build_ranking(table, pairs, &options.with_effort(1)).unwrap()
}

/// Also for pawns, a symmetric table, and one that nobody wins. More pairs of moves need fewer leaves.
#[test]
fn rankings_fall_within_their_pairs_of_moves() {
    for (name, has_tree) in [("KQvK", true), ("KPvK", true), ("KQvKQ", true), ("KBvK", false)] {
        let table = table(name);
        let leaves = [1, 2].map(|pairs| {
            let summary = DistanceSummary::decode(&built(&table, pairs).bytes).unwrap();
            assert_eq!((summary.pairs, summary.sides[0].is_some()), (Some(pairs), has_tree), "{name}");
            let side = summary.sides[0].as_ref();
            assert!(side.is_none_or(|side| side.longest <= MOST_PLAYED.into()), "{name}");
            side.map_or(0, |side| side.leaves)
        });
        assert!(leaves[1] < leaves[0] || !has_tree, "{name} {leaves:?}");
    }
}

/// Distances in larger units are a ranking; with one level too low somewhere they are none.
#[test]
fn a_level_that_is_too_low_is_found() {
    for (name, pairs) in [("KRvK", 1), ("KRvK", 2), ("KPvK", 1), ("KQvKQ", 1)] {
        let table = table(name);
        let forcing = Forcing::new(&table, Color::White).unwrap();
        let mut levels: Vec<u8> =
            pairs_left(&table, Color::White).iter().map(|left| left.div_ceil(pairs)).collect();
        let fault = |levels: &[u8]| first_fault(&forcing, levels, pairs).unwrap();
        assert_eq!(fault(&levels), None, "{name} {pairs}");
        let low = levels.iter().position(|&level| level > 2).unwrap();
        levels[low] -= 1;
        // The least distance of its level falls all the same.
        assert!(fault(&levels) == Some(Fault::DoesNotFall(low as u64)) || pairs > 1, "{name} {pairs}");
        levels[low] = 1;
        assert_eq!(fault(&levels), Some(Fault::DoesNotFall(low as u64)));
    }
}

/// A file with one leaf's level changed is no ranking.
#[test]
fn a_file_with_wrong_levels_is_refused() {
    let table = table("KRvK");
    let built = built(&table, 1);
    let mut file = DistanceFile::decode(&built.bytes).unwrap();
    assert_eq!(file.encode().unwrap(), built.bytes);
    let tree = file.sides[0].1.as_mut().unwrap();
    let usual = tree.leaves.iter_mut().find(|leaf| leaf.usual > 3 && leaf.words.is_empty()).unwrap();
    usual.usual = 0;
    let wrong = file.encode().unwrap();
    let error = verify_ranking(&wrong, &table, Symmetries::One, espresso::Monitor::default()).unwrap_err();
    assert_eq!(error.kind(), crate::ErrorKind::Mismatch);
    assert!(error.to_string().contains("level 1 does not fall"), "{error}");
}

/// The positions of one distance in several levels: each level falls within one pair of moves. There may be 49 levels, and fewer where
/// play looks three pairs ahead.
#[test]
fn play_that_may_last_too_long_is_found() {
    let table = table("KRvK");
    let forcing = Forcing::new(&table, Color::White).unwrap();
    let left = pairs_left(&table, Color::White);
    let longest = left.iter().copied().max().unwrap();
    for (pairs, most) in [(1, 49), (2, 49), (3, 24)] {
        for used in [most, most + 1] {
            let parts = used - longest + 1;
            let mut next = 0;
            let mut level = |&left: &u8| match left {
                ..8 => left,
                8 => {
                    next = (next + 1) % parts;
                    8 + next
                }
                _ => left + parts - 1,
            };
            let levels: Vec<u8> = left.iter().map(&mut level).collect();
            let fault = first_fault(&forcing, &levels, pairs).unwrap();
            assert_eq!(matches!(fault, Some(Fault::IsTooLong(_))), used > most, "{pairs} {used}: {fault:?}");
            assert_eq!(fault.is_none(), used == most, "{pairs} {used}: {fault:?}");
        }
    }
}
