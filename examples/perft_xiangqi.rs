//! Legal moves of Chinese chess, or the number of sequences of them.
//!
//! `cargo run --release --example perft_xiangqi -- FEN DEPTH`: at depth 1 it prints the sorted legal moves on one line, at greater
//! depths the number of sequences of so many moves (perft). With `-` in place of a FEN it reads one from each line of standard
//! input, and answers each with a line: for a wrong FEN, the error.

use cubebase::xiangqi::Board;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

/// The line that answers a FEN.
pub(crate) fn answer(fen: &str, depth: u32) -> cubebase::Result<String> {
    let board = Board::from_fen(fen)?;
    Ok(match depth {
        1 => board.legal_moves().iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        _ => board.perft(depth).to_string(),
    })
}

#[allow(dead_code, reason = "a test uses the function above")]
fn main() -> io::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [fen, depth] = &arguments[..] else {
        eprintln!("usage: perft_xiangqi FEN|- DEPTH");
        return Ok(ExitCode::from(2));
    };
    let Ok(depth) = depth.parse() else {
        eprintln!("the depth is '{depth}', not a number");
        return Ok(ExitCode::from(2));
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut code = ExitCode::SUCCESS;
    let mut print = |fen: &str| {
        let line = answer(fen, depth).unwrap_or_else(|error| {
            code = ExitCode::from(3);
            error.to_string()
        });
        writeln!(out, "{line}")
    };
    if fen == "-" {
        io::stdin().lock().lines().try_for_each(|line| print(&line?))?;
    } else {
        print(fen)?;
    }
    out.flush()?;
    Ok(code)
}
