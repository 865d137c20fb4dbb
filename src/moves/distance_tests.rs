//! Derived distances against the generator's tables, and lines of best play by them.

use super::board::{Root, board};
use super::distance::{self, Source};
use super::outcome::arguments;
use super::{Line, LineEnd, Mate, Moves};
use crate::chess::position::{Color, Material, Position, Wdl};
use crate::chess::retrograde::Store;
use crate::error::Result;
use crate::outcome::Wdl50;
use crate::pcn::noise::{self, Noise};
use crate::retrograde::Metric;
use cozy_chess::Board;
use rayon::prelude::*;
use std::sync::OnceLock;

/// Tables of the generator, whose distances of 1 are replaced by rubbish.
struct Generated;

fn store() -> &'static Store {
    static STORE: OnceLock<Store> = OnceLock::new();
    STORE.get_or_init(|| Store::new(None).with_metric(Metric::Dtz))
}

fn value(board: &Board) -> Option<(Wdl, u32)> {
    let (colors, roles, passed, turn, castling) = arguments(board)?;
    let position = Position::from_bitboards(colors, roles, passed, turn, castling).unwrap();
    let table = store().get(position.material()).unwrap();
    position.castling().is_empty().then(|| table.value_and_distance(&position).unwrap())
}

impl Source for Generated {
    fn outcome(&self, board: &Board) -> Result<Option<Wdl>> {
        Ok(value(board).map(|(wdl, _)| wdl))
    }

    fn ruled(&self, board: &Board) -> Result<Option<Wdl50>> {
        Ok(value(board).map(|(wdl, plies)| Wdl50::new(wdl, plies)))
    }

    fn won_distance(&self, board: &Board) -> Result<Option<u32>> {
        let Some((wdl, plies)) = value(board) else { return Ok(None) };
        assert_eq!(wdl, Wdl::Win, "{board}");
        Ok(Some(if plies == 1 { board.hash() as u32 % 200 } else { plies }))
    }
}

/// The distance to zeroing is that to mate if no capture keeps the win.
#[test]
fn mates_are_as_near_as_the_distances_say() {
    for (name, step) in [("KQvK", 40), ("KRvK", 40), ("KBNvK", 8000)] {
        let table = store().get(&name.parse().unwrap()).unwrap();
        let positions: Vec<_> = table.positions(Color::White).step_by(step).collect();
        positions.par_iter().filter(|(_, wdl)| *wdl == Wdl::Win).for_each(|(position, _)| {
            let expected = table.distance(position).unwrap().map(|plies| plies.div_ceil(2));
            let found = Mate::of(&position.to_fen(), 3).unwrap().map(|mate| u32::from(mate.moves));
            assert_eq!(found, expected.filter(|&moves| moves <= 3), "{}", position.to_fen());
        });
    }
}

/// Checks every `step`-th position of a table.
fn check(name: &str, step: usize) {
    let table = store().get(&name.parse().unwrap()).unwrap();
    for &turn in table.material().stored_turns() {
        let positions: Vec<_> = table.positions(turn).step_by(step).collect();
        assert!(!positions.is_empty(), "{name} {turn:?}");
        positions.par_iter().for_each(|(position, wdl)| {
            let expected = table.distance(position).unwrap().unwrap_or(0);
            let found = distance::of(&Generated, &board(position).unwrap(), *wdl).unwrap();
            assert_eq!(found, Some(expected), "{}", position.to_fen());
        });
    }
}

#[test]
fn derived_distances_are_those_of_the_generator() {
    for (name, step) in
        [("KQvK", 1), ("KRvK", 1), ("KPvK", 1), ("KBNvK", 31), ("KPvKP", 5), ("KRvKP", 31), ("KQvKR", 31)]
    {
        check(name, step);
    }
}

#[test]
#[ignore = "slow: minutes"]
fn all_derived_distances_are_those_of_the_generator() {
    for name in ["KBNvK", "KPvKP", "KRvKP", "KQvKR", "KNNvK", "KPPvK"] {
        check(name, 1);
    }
}

/// Cursed wins and blessed losses, some of them after pawn moves.
#[test]
#[ignore = "slow: it generates two tables of five men"]
fn distances_beyond_the_rule_are_those_of_the_generator() {
    check("KBBvKN", 9_973);
    check("KNNvKP", 9_973);
}

/// Without tables of outcomes it is known whether a move mates, and nothing else.
#[test]
fn the_rules_are_asked_before_tables() {
    struct NoTables;
    impl Source for NoTables {
        fn outcome(&self, _: &Board) -> Result<Option<Wdl>> {
            Ok(None)
        }
        fn ruled(&self, _: &Board) -> Result<Option<Wdl50>> {
            Ok(None)
        }
        fn won_distance(&self, _: &Board) -> Result<Option<u32>> {
            Ok(Some(7))
        }
    }
    for (fen, expected) in [
        ("8/8/8/3k4/8/8/r7/KQ6 w - - 0 1", None),
        ("8/3P4/8/8/8/8/1K3k2/8 w - - 0 1", None),
        // A capture and a promotion that mate.
        ("k7/r7/1K6/8/8/8/8/Q7 w - - 0 1", Some(1)),
        ("k7/3P4/1K6/8/8/8/8/8 w - - 0 1", Some(1)),
        // Without captures or pawns no table is asked. The last is a discovered check.
        ("k7/8/8/1K6/8/8/8/7R w - - 0 1", Some(7)),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", Some(1)),
        ("k1N4R/8/1K6/8/8/8/8/8 w - - 0 1", Some(1)),
    ] {
        let found = distance::of(&NoTables, &fen.parse().unwrap(), Wdl::Win).unwrap();
        assert_eq!(found, expected, "{fen}");
    }
}

/// White wins, at distance `zeroed` after a move that zeroes and `quiet` after any other. With `ruled` the outcomes of White and Black
/// under the rule are known too.
struct WhiteWins {
    zeroed: u32,
    quiet: u32,
    ruled: Option<[Wdl50; 2]>,
}

impl Source for WhiteWins {
    fn outcome(&self, board: &Board) -> Result<Option<Wdl>> {
        Ok(Some(if board.side_to_move() == cozy_chess::Color::White { Wdl::Win } else { Wdl::Loss }))
    }

    fn ruled(&self, board: &Board) -> Result<Option<Wdl50>> {
        Ok(self.ruled.map(|ruled| ruled[board.side_to_move() as usize]))
    }

    fn won_distance(&self, board: &Board) -> Result<Option<u32>> {
        let has_rights = arguments(board).is_some_and(|(.., castling)| !castling.is_empty());
        Ok((!has_rights).then_some(if board.halfmove_clock() == 0 { self.zeroed } else { self.quiet }))
    }
}

/// Of a position with castling rights, the moves tell the distance: here from a cursed win by a capture.
#[test]
fn the_moves_tell_the_distance_with_castling_rights() {
    let source = WhiteWins { zeroed: 150, quiet: 150, ruled: Some([Wdl50::CursedWin, Wdl50::BlessedLoss]) };
    let answer = Moves::of_root(&source, &Root::read("4k3/8/8/7p/8/8/r7/4K2R w K - 0 1").unwrap()).unwrap();
    assert_eq!((answer.dtz, answer.category), (Some(101), Some(Wdl50::CursedWin)), "{answer:#?}");
}

/// With distances of 1 left out, outcomes under the rule decide which moves that zero win. The rows are whether White's wins are
/// cursed and whether Black's losses are blessed, the number of the file for all wins, and the distances of a lost and a won position.
#[test]
fn outcomes_under_the_rule_stand_in_for_distances_of_1() {
    let [lost, won]: [Board; 2] = ["4k3/p7/8/8/8/8/6Q1/4K3 b - - 0 1", "4k3/R7/8/8/8/8/p5Q1/4K3 w - - 0 1"]
        .map(|fen| fen.parse().unwrap());
    for (is_cursed, is_blessed, plies, of_lost, of_won) in [
        // White's capture leads to a blessed loss, but the queen mates.
        (false, true, 7, 8, 1),
        // Each move of Black's pawn leads to a cursed win, which counts as 101.
        (true, true, 7, 101, 1),
        (true, true, 104, 105, 1),
    ] {
        let white = if is_cursed { Wdl50::CursedWin } else { Wdl50::Win };
        let black = if is_blessed { Wdl50::BlessedLoss } else { Wdl50::Loss };
        let source = WhiteWins { zeroed: 5, quiet: plies, ruled: Some([white, black]) };
        let found = [(&lost, Wdl::Loss), (&won, Wdl::Win)]
            .map(|(board, outcome)| distance::of(&source, board, outcome).unwrap());
        assert_eq!(found, [Some(of_lost), Some(of_won)], "{is_cursed} {is_blessed} {plies}");
        let unknown = WhiteWins { ruled: None, ..source };
        assert_eq!(distance::of(&unknown, &lost, Wdl::Loss).unwrap(), None);
    }
    // A capture by White is the only move that zeroes: to a loss, or to a blessed one.
    let capture: Board = "4k3/8/8/8/8/8/6q1/4K1R1 w - - 0 1".parse().unwrap();
    for (black, expected) in [(Wdl50::Loss, 1), (Wdl50::BlessedLoss, 101)] {
        let source = WhiteWins { zeroed: 101, quiet: 101, ruled: Some([Wdl50::CursedWin, black]) };
        assert_eq!(distance::of(&source, &capture, Wdl::Win).unwrap(), Some(expected));
    }
}

fn of(fen: &str) -> Moves {
    Moves::of_root(&Generated, &Root::read(fen).unwrap()).unwrap()
}

#[test]
fn categories_count_the_halfmove_clock() {
    // Mate in three plies, at last with a clock of 100.
    let answer = of("7k/8/8/5K2/8/8/8/6Q1 w - - 97 80");
    assert_eq!((answer.dtz, answer.category), (Some(3), Some(Wdl50::Win)));
    let best = &answer.moves[0];
    assert_eq!((best.san.as_str(), best.dtz, best.category), ("Kf6", Some(2), Some(Wdl50::Win)));
    assert!(answer.moves.iter().any(|played| played.category == Some(Wdl50::CursedWin)));
    assert!(answer.moves.is_sorted_by_key(|played| std::cmp::Reverse(played.category)));
    let answer = of("7k/8/8/5K2/8/8/8/6Q1 w - - 98 80");
    assert_eq!(
        (answer.dtz, answer.category, answer.outcome),
        (Some(3), Some(Wdl50::CursedWin), Some(Wdl::Win))
    );
    assert!(answer.moves.iter().all(|played| played.category <= Some(Wdl50::CursedWin)));
    let lost = of("7k/8/5K2/8/8/8/8/6Q1 b - - 98 80");
    assert_eq!((lost.dtz, lost.category), (Some(-2), Some(Wdl50::Loss)));
    let lost = of("7k/8/5K2/8/8/8/8/6Q1 b - - 99 80");
    assert_eq!((lost.dtz, lost.category), (Some(-2), Some(Wdl50::BlessedLoss)));
    let mated = of("7k/6Q1/5K2/8/8/8/8/8 b - - 100 80");
    assert_eq!((mated.dtz, mated.category), (Some(-1), Some(Wdl50::Loss)));
    // The loser's moves: the longer way first.
    let lost = of("8/8/3k4/8/8/8/1R6/K7 b - - 0 1");
    assert!(lost.moves.is_sorted_by_key(|played| played.dtz), "{lost:#?}");
}

/// Without distances, the outcome is that with a clock of 0, and the answer says so; but a draw if the next move comes too late. A
/// capture that wins is a distance of 1, which is known.
#[test]
fn categories_without_distances_ignore_all_but_a_spent_clock() {
    struct WithoutDistances;
    impl Source for WithoutDistances {
        fn outcome(&self, board: &Board) -> Result<Option<Wdl>> {
            Ok(Some(if board.side_to_move() == cozy_chess::Color::White { Wdl::Win } else { Wdl::Loss }))
        }
        fn ruled(&self, board: &Board) -> Result<Option<Wdl50>> {
            Ok(self.outcome(board)?.map(|outcome| Wdl50::new(outcome, 1)))
        }
        fn won_distance(&self, _: &Board) -> Result<Option<u32>> {
            Ok(None)
        }
    }
    let (won, cursed) = (Some(Wdl50::Win), Some(Wdl50::CursedWin));
    for (clock, outcome, quiet, capture, ignores) in [
        (0, won, won, won, false),
        (98, won, won, won, true),
        (99, won, cursed, won, true),
        (100, cursed, cursed, cursed, false),
    ] {
        for (men, captures) in [("8/8/8/3k4/8/3KQ3/3Q4/4r3", true), ("8/8/8/3k4/8/3K4/8/R7", false)] {
            let fen = format!("{men} w - - {clock} 80");
            let answer = Moves::of_root(&WithoutDistances, &Root::read(&fen).unwrap()).unwrap();
            let expected = (outcome, captures.then_some(1), ignores && !captures);
            assert_eq!((answer.category, answer.dtz, answer.ignores_clock), expected, "{fen}");
            let is_open = |played: &&super::Move| played.zeroing || played.dtz.is_none();
            let won =
                answer.moves.iter().filter(|played| played.outcome == Some(Wdl::Win) && !played.checkmate);
            for played in won.filter(is_open) {
                assert_eq!(played.category, if played.zeroing { capture } else { quiet }, "{fen} {played:?}");
            }
            assert_eq!(answer.moves.iter().any(|played| played.zeroing), captures, "{fen}");
        }
    }
}

/// Best play of both sides takes the plies that are said, up to each zeroing move, and ends with mate.
#[test]
fn lines_keep_the_distances_and_lead_to_mate() {
    let mut noise = Noise(3);
    let materials = ["KQvKR", "KBNvK", "KPvK", "KPvKP", "KRvKP"];
    let materials: Vec<Material> = materials.iter().map(|name| name.parse().unwrap()).collect();
    let (mut ends, mut zeroed) = ([0; 2], 0);
    for number in 0..300 {
        let fen = noise::position(materials[number % materials.len()], &mut noise).to_fen();
        let line = Line::of_root(&Generated, Root::read(&fen).unwrap(), false).unwrap();
        let is_drawn = line.category == Some(Wdl50::Draw);
        assert_eq!(line.end, if is_drawn { LineEnd::Draw } else { LineEnd::Mate }, "{fen}");
        assert_eq!(line.moves.is_empty(), is_drawn || line.dtz == Some(-1), "{fen}");
        ends[usize::from(is_drawn)] += 1;
        let mut left = line.dtz.unwrap().abs();
        for played in &line.moves {
            let after = played.dtz.unwrap().abs();
            zeroed += usize::from(played.zeroing);
            let expected = if played.checkmate || played.zeroing { 1 } else { after + 1 };
            assert_eq!(left, expected, "{fen} {played:?}");
            left = after;
        }
    }
    assert!(ends.iter().chain([&zeroed]).all(|&count| count > 50), "{ends:?} {zeroed}");
    let (plies, longest) = store().get(&materials[1]).unwrap().longest().unwrap();
    let of = |fen: &str| Line::of_root(&Generated, Root::read(fen).unwrap(), false).unwrap();
    let mate_in_33 = of(&longest.to_fen());
    assert_eq!((plies, mate_in_33.moves.len(), mate_in_33.dtz), (66, 66, Some(-66)));
    let late = of(&longest.to_fen().replace(" 0 1", " 36 40"));
    assert_eq!((late.moves.len(), late.end), (64, LineEnd::FiftyMoves));
    let json = of("7k/8/5K2/8/8/8/8/6Q1 b - - 0 1").to_json();
    let steps = r#"{"uci":"h8h7","san":"Kh7","dtz":1,"precise_dtz":1},{"uci":"g1g7","san":"Qg7#","dtz":-1,"precise_dtz":-1}"#;
    assert_eq!(json, format!(r#"{{"dtz":-2,"precise_dtz":-2,"mainline":[{steps}],"winner":"w"}}"#));
}
