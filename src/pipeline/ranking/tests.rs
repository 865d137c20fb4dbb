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
        let fault = |levels: &[u8]| first_fault(&forcing, levels, pairs, MOST_PLAYED).unwrap();
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
    let error =
        verify_ranking(&wrong, &table, Symmetries::One, None, espresso::Monitor::default()).unwrap_err();
    assert_eq!(error.kind(), crate::ErrorKind::Mismatch);
    assert!(error.to_string().contains("level 1 does not fall"), "{error}");
    let monitor = espresso::Monitor::default();
    let error = verify_ranking(&wrong, &table, Symmetries::One, Some(1 << 10), monitor).unwrap_err();
    assert_eq!(error.kind(), crate::ErrorKind::BudgetExhausted, "{error}");
}

/// Play by distances lasts as long as the longest of them.
#[test]
fn play_that_may_last_too_long_is_found() {
    for name in ["KRvK", "KPvK"] {
        let table = table(name);
        let forcing = Forcing::new(&table, Color::White).unwrap();
        let left = pairs_left(&table, Color::White);
        let longest = left.iter().copied().max().unwrap();
        for pairs in 1..=3 {
            let levels: Vec<u8> = left.iter().map(|left| left.div_ceil(pairs)).collect();
            assert_eq!(first_fault(&forcing, &levels, pairs, longest).unwrap(), None, "{name} {pairs}");
            let fault = first_fault(&forcing, &levels, pairs, longest - 1).unwrap();
            assert!(matches!(fault, Some(Fault::IsTooLong(_))), "{name} {pairs}: {fault:?}");
        }
    }
}

/// Each planned move and every reply to it shorten what is left of the play, also where a move looks three pairs ahead.
#[test]
#[cfg(feature = "moves")]
fn plans_last_no_longer_than_was_reckoned() {
    use crate::chess::position::Position;
    use crate::moves::{Moves, Plan, play};
    use crate::probe::{DistanceProber, Tables};

    let (white, black) = (Color::White, Color::Black);
    let outcomes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/four-men.pcb")).unwrap();
    for (name, attacker, pairs) in
        [("KQvK", white, 2), ("KRvK", white, 2), ("KRvK", white, 3), ("KBvKP", black, 2)]
    {
        let table = table(name);
        let ranking = built(&table, pairs).bytes;
        let mut tables = Tables::empty();
        tables.add_bytes(outcomes.clone()).unwrap();
        tables.add_bytes(ranking.clone()).unwrap();
        let slot = |position: &Position| table.index().rank_any(position).1;
        let left = pairs_left(&table, attacker);
        let won: Vec<Position> = table
            .positions(attacker)
            .map(|(position, _)| position)
            .filter(|position| left[slot(position) as usize] > 0)
            .collect();
        let prober = DistanceProber::of_trusted(&ranking).unwrap();
        let mut by_level = vec![Vec::new(); 256];
        for position in &won {
            let level = prober.distance(position.packed(), position.en_passant(), position.turn()).unwrap();
            by_level[level as usize].push(slot(position));
        }
        let forcing = Forcing::new(&table, attacker).unwrap();
        let (mut below, mut reach) = (forcing.ended().unwrap(), forcing.reach(pairs).unwrap());
        for slots in by_level {
            forcing.extend(&mut reach, &below).unwrap();
            forcing.add(&mut below, slots.into_iter());
        }
        for position in won.iter().step_by(23) {
            let (fen, lasts) = (position.to_fen(), reach.lasts(slot(position)));
            assert!((1..=MOST_PLAYED).contains(&lasts), "{fen}: {lasts}");
            let after = play(&fen, &Plan::of(&tables, &fen).unwrap().unwrap().uci).unwrap();
            for reply in Moves::of(&tables, &after).unwrap().moves {
                let next = play(&after, &reply.uci).unwrap();
                if reply.zeroing {
                    continue;
                }
                let next_lasts = reach.lasts(slot(&Position::from_fen(&next).unwrap()));
                assert!(next_lasts < lasts, "{fen} {lasts}: {next} {next_lasts}");
            }
        }
    }
}
