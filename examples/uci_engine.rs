//! A UCI engine in one file that plays endings of up to four men perfectly: the move that `Moves` lists first wins under the 50-move
//! rule where that is possible, by the distances to zeroing, and puts off a loss as long as possible.
//!
//! With more than four men it prefers a capture that wins, then one that draws, then a move that no table calls lost.
//!
//! `cargo run --release --example uci_engine`, then `position fen 7k/8/8/8/8/8/8/KBN5 w - - 0 1` and `go`.

use cubebase::moves::play;
use cubebase::{Moves, Tables};
use std::io::{self, BufRead, Write};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The position on the board.
pub(crate) struct Engine {
    tables: Tables,
    fen: String,
}

impl Engine {
    pub(crate) fn new() -> cubebase::Result<Self> {
        Ok(Engine { tables: Tables::embedded()?, fen: START.into() })
    }

    /// Sets the position that a `position` command names. The FEN counts the moves for the 50-move rule.
    fn position(&mut self, words: &[&str]) -> Option<()> {
        let moves = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let mut fen = match words.first()? {
            &"startpos" => START.into(),
            _ => words.get(1..moves)?.join(" "),
        };
        Moves::of(&self.tables, &fen).ok()?;
        for word in words.iter().skip(moves + 1) {
            fen = play(&fen, word).ok()?;
        }
        self.fen = fen;
        Some(())
    }

    /// The move to play in UCI notation; `None` when there is none.
    fn go(&self) -> Option<String> {
        let answer = Moves::of(&self.tables, &self.fen).ok()?;
        answer.moves.into_iter().next().map(|best| best.uci)
    }
}

/// Answers UCI commands until `quit` or the end of the input.
pub(crate) fn run(engine: &mut Engine, input: impl BufRead, mut out: impl Write) -> io::Result<()> {
    for line in input.lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["uci"] => writeln!(out, "id name cubebase example\nid author the cubebase developers\nuciok")?,
            ["isready"] => writeln!(out, "readyok")?,
            ["position", rest @ ..] if engine.position(rest).is_none() => {
                writeln!(out, "info string no position: {line}")?;
            }
            ["go", ..] => writeln!(out, "bestmove {}", engine.go().as_deref().unwrap_or("0000"))?,
            ["quit"] => break,
            _ => {}
        }
        out.flush()?;
    }
    Ok(())
}

#[allow(dead_code, reason = "a test uses the functions above")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    run(&mut Engine::new()?, io::stdin().lock(), io::stdout().lock())?;
    Ok(())
}
