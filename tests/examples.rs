//! Tests of the examples.

#[path = "../examples/perft_xiangqi.rs"]
mod perft_xiangqi;
#[path = "../examples/third_game.rs"]
mod third_game;
#[path = "../examples/uci_engine.rs"]
mod uci_engine;

use crate::bundle::answers;
use cozy_chess::util::display_uci_move;
use cozy_chess::{Board, GameStatus};
use cubebase::{Tables, Wdl};
use uci_engine::{Engine, children, probe, run};

/// Along moves to the boards with the best outcomes, the outcome stays.
#[test]
fn boards_have_the_value_of_the_game() {
    let tables = Tables::embedded().unwrap();
    for (fen, _, outcome) in answers() {
        let (mut board, mut outcome): (Board, Wdl) = (fen.parse().unwrap(), outcome);
        for _ in 0..10 {
            assert_eq!(probe(&tables, &board), Some(outcome), "{fen}: {board}");
            let value = |after: &Board| probe(&tables, after).map(Wdl::other);
            let best = children(&board).into_iter().max_by_key(|(_, after)| value(after));
            let Some((_, after)) = best else { break };
            (board, outcome) = (after, outcome.other());
        }
    }
}

/// The engine's answer to a line.
fn ask(engine: &mut Engine, line: &str) -> String {
    let mut out = Vec::new();
    run(engine, line.as_bytes(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_uci_engine_wins_without_distances() {
    let tables = Tables::embedded().unwrap();
    let mut engine = Engine::new().unwrap();
    assert!(ask(&mut engine, "uci\nisready\n").ends_with("uciok\nreadyok\n"));
    for fen in [
        "8/8/8/4k3/8/8/8/KQ6 w - - 0 1",
        "8/8/8/4k3/8/8/8/KR6 w - - 0 1",
        "8/8/8/8/8/k7/4P3/7K b - - 0 1",
        "8/8/1k6/8/8/3K4/3P4/8 w - - 0 1",
        "8/8/8/4k3/4p3/8/8/KQ6 w - - 0 1",
        "8/8/8/4k3/8/8/8/KBB5 w - - 0 1",
        "8/8/8/4k3/8/8/8/KRR5 w - - 0 1",
        "8/8/8/3rk3/8/8/8/KQ6 w - - 0 1",
    ] {
        let (mut board, mut played) = (fen.parse::<Board>().unwrap(), String::new());
        // The loser, who moves towards the middle, may have the first move.
        let loser = match probe(&tables, &board) {
            Some(Wdl::Win) => !board.side_to_move(),
            Some(Wdl::Loss) => board.side_to_move(),
            _ => panic!("{fen} is drawn"),
        };
        let mut moves = 0;
        while board.status() == GameStatus::Ongoing {
            let choice = if board.side_to_move() == loser {
                let middle = |on: cozy_chess::Square| {
                    (2 * i32::from(on.file() as u8) - 7).abs() + (2 * i32::from(on.rank() as u8) - 7).abs()
                };
                let best = children(&board).into_iter().min_by_key(|(_, after)| {
                    (probe(&tables, after), middle(after.king(loser)), after.hash())
                });
                best.unwrap().0
            } else {
                moves += 1;
                let answer = ask(&mut engine, &format!("position fen {fen} moves{played}\ngo\n"));
                let name = answer.trim().strip_prefix("bestmove ").unwrap().to_owned();
                cozy_chess::util::parse_uci_move(&board, &name).unwrap()
            };
            played = format!("{played} {}", display_uci_move(&board, choice));
            board.play(choice);
            assert!(moves <= 50, "{fen}: not won in 50 moves:{played}");
        }
        assert_eq!((board.status(), board.side_to_move()), (GameStatus::Won, loser), "{fen}:{played}");
    }
}

#[test]
fn moves_of_chinese_chess() {
    let fen = "5k3/9/9/9/4r4/9/9/9/9/3K5 w";
    assert_eq!(perft_xiangqi::answer(fen, 1).unwrap(), "d0d1");
    assert_eq!(perft_xiangqi::answer(fen, 2).unwrap(), "19");
    assert!(perft_xiangqi::answer("KQvK", 1).is_err());
}

/// One cop catches the robber from anywhere; the distances are those that a plain search finds.
#[test]
fn a_third_game_is_solved() {
    use cubebase::position::Color;
    use std::collections::HashMap;

    let (table, longest) = third_game::solve("c").unwrap();
    let all: Vec<(u8, u8)> = (0..64 * 64).map(|pair: u16| ((pair / 64) as u8, (pair % 64) as u8)).collect();
    let apart = |a: u8, b: u8| (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8));
    // The plies that each side to move needs to lose or to win, of positions that are decided so far.
    let (mut cop, mut robber) = (HashMap::new(), HashMap::new());
    for plies in 0.. {
        let known = (cop.len(), robber.len());
        for &(at, from) in all.iter().filter(|&&(at, from)| at != from) {
            if plies % 2 == 0 && !robber.contains_key(&(at, from)) {
                let mut after = (0..64).filter(|&to| apart(from, to) == 1 && apart(at, to) > 1);
                if after.all(|to| cop.contains_key(&(at, to))) {
                    robber.insert((at, from), plies);
                }
            } else if plies % 2 == 1 && apart(at, from) > 1 && !cop.contains_key(&(at, from)) {
                let mut after = (0..64).filter(|&to| apart(at, to) == 1 && to != from);
                if after.any(|to| robber.contains_key(&(to, from))) {
                    cop.insert((at, from), plies);
                }
            }
        }
        if plies > 1 && known == (cop.len(), robber.len()) {
            break;
        }
    }
    assert_eq!(table.totals(), [robber.len() as u64, 0, cop.len() as u64]);
    for (turn, plies) in [(Color::White, &cop), (Color::Black, &robber)] {
        for (&(at, from), &plies) in plies {
            let position = third_game::Position { cops: vec![at], robber: from, turn };
            assert_eq!(table.distance(&position).unwrap(), Some(plies), "{position:?}");
        }
    }
    assert_eq!(longest, robber.values().max().copied());
    assert!("cd".parse::<third_game::Cops>().is_err());
}
