//! Tests of the examples.

#[path = "../examples/perft_xiangqi.rs"]
mod perft_xiangqi;
#[path = "../examples/third_game.rs"]
mod third_game;
#[path = "../examples/uci_engine.rs"]
mod uci_engine;

use cubebase::{Line, Moves, Tables, moves::LineEnd, moves::play};
use uci_engine::{Engine, run};

/// The engine's answer to a line.
fn ask(engine: &mut Engine, line: &str) -> String {
    let mut out = Vec::new();
    run(engine, line.as_bytes(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The engine mates against the best defence, and in as many plies as both sides' best play takes if no move zeroes.
#[test]
fn a_uci_engine_wins_under_the_50_move_rule() {
    let tables = Tables::embedded().unwrap();
    let mut engine = Engine::new().unwrap();
    assert!(ask(&mut engine, "uci\nisready\n").ends_with("uciok\nreadyok\n"));
    for start in [
        "7k/8/8/8/8/8/8/KBN5 w - - 0 1",
        "8/8/8/4k3/8/8/8/KR6 w - - 70 90",
        "8/8/8/8/8/k7/4P3/7K b - - 0 1",
        "8/8/1k6/8/8/3K4/3P4/8 w - - 0 1",
        "8/8/8/4k3/4p3/8/8/KQ6 w - - 0 1",
        "8/8/8/3rk3/8/8/8/KQ6 w - - 0 1",
    ] {
        let line = Line::of(&tables, start).unwrap();
        let (mut fen, mut played, mut plies) = (start.to_owned(), String::new(), 0);
        loop {
            let answer = Moves::of(&tables, &fen).unwrap();
            if answer.checkmate {
                break;
            }
            assert_ne!(answer.outcome, Some(cubebase::Wdl::Draw), "{start}{played}");
            assert_eq!(
                answer.outcome.map(cubebase::Wdl::index),
                answer.category.map(|of| of.index() / 2),
                "{fen}"
            );
            let name = ask(&mut engine, &format!("position fen {start} moves{played}\ngo\n"));
            let name = name.trim().strip_prefix("bestmove ").unwrap();
            (fen, plies) = (play(&fen, name).unwrap(), plies + 1);
            played = format!("{played} {name}");
        }
        assert_eq!(line.end, LineEnd::Mate);
        if line.moves.iter().all(|step| !step.zeroing) {
            assert_eq!(plies, line.moves.len(), "{start}{played}");
        }
    }
    let full = ask(&mut engine, "position startpos moves e2e4 e7e5\ngo\nposition fen 8/8 w\nposition\n");
    assert_eq!(full.lines().count(), 3, "{full}");
    assert_eq!(ask(&mut engine, "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo\n"), "bestmove 0000\n");
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
