//! A small third game for the generator: cops, who win by leaving the robber no square, and a robber.
//!
//! Cops and the robber move as kings, one man a turn, on a board of 8 by 8. A robber beside a cop is taken, so it may not go
//! there; a robber without a move has lost. Cops cannot be taken. One is enough, as Nowakowski and Winkler proved for such
//! boards (1983). `cargo run --release --example third_game` counts the positions. docs/extending.md goes through the parts.

use cubebase::position::Color;
use cubebase::retrograde::game::{Game, Men, Numbering};
use cubebase::retrograde::rules::{ConversionPlies, Conversions, Moves, Rules};
use cubebase::retrograde::store::Store;
use cubebase::retrograde::table::Table;
use cubebase::retrograde::{Metric, Set};
use cubebase::{Error, ErrorKind, Result};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The game: a robber, and as many cops as the material has letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pursuit;

/// One to three cops: `c`, `cc` or `ccc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cops(u32);

impl fmt::Display for Cops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&"c".repeat(self.0 as usize))
    }
}

impl FromStr for Cops {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let is_one = (1..=3).contains(&text.len()) && text.bytes().all(|letter| letter == b'c');
        if is_one {
            return Ok(Cops(text.len() as u32));
        }
        Err(Error::new(ErrorKind::BadMaterial, "one to three cops: c, cc or ccc"))
    }
}

/// The squares of the cops and of the robber, and who moves.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    pub(crate) cops: Vec<u8>,
    pub(crate) robber: u8,
    pub(crate) turn: Color,
}

/// The squares that kings on `squares` reach.
fn steps(squares: u64) -> u64 {
    const NOT_A: u64 = !0x0101_0101_0101_0101;
    let beside = (squares & NOT_A) >> 1 | squares << 1 & NOT_A;
    let row = squares | beside;
    beside | row << 8 | row >> 8
}

/// A word has a bit for each square of the robber; its number is made of the cops' squares, six bits each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Index(Cops);

impl Game for Pursuit {
    type Bits = u64;
    type Material = Cops;
    type Position = Position;
    type Index = Index;

    fn stored_turns(_: &Cops) -> &'static [Color] {
        &Color::BOTH
    }

    /// No man is ever taken.
    fn sub_materials(_: &Cops) -> Vec<Cops> {
        Vec::new()
    }

    fn is_small(material: &Cops) -> bool {
        material.0 < 3
    }

    fn distance_bytes(_: &Cops) -> u64 {
        1
    }
}

impl Numbering<Pursuit> for Index {
    /// The squares of the cops.
    type Men = [u8; 3];

    fn new(material: &Cops) -> Self {
        Index(*material)
    }

    fn material(&self) -> &Cops {
        &self.0
    }

    fn words(&self) -> u64 {
        1 << (6 * self.0.0)
    }

    fn rank_any(&self, position: &Position) -> (Color, u64) {
        let word = position.cops.iter().rev().fold(0, |word, &cop| word << 6 | u64::from(cop));
        (position.turn, word << 6 | u64::from(position.robber))
    }

    fn check(&self, position: &Position) -> Result<()> {
        let bits = PursuitMoves(self.clone()).legal(
            position.turn,
            0,
            &self.men(position.turn, self.rank_any(position).1 >> 6),
        );
        if position.cops.len() == self.0.0 as usize && bits >> position.robber & 1 != 0 {
            return Ok(());
        }
        Err(Error::new(ErrorKind::IllegalPosition, "the robber is taken, or two men share a square"))
    }

    fn men(&self, _: Color, word: u64) -> [u8; 3] {
        [0, 1, 2].map(|cop| (word >> (6 * cop) & 63) as u8)
    }

    fn stored(&self, _: &[u8; 3]) -> u64 {
        u64::MAX
    }

    fn placed(&self, turn: Color, men: &[u8; 3], slot: u64) -> Position {
        Position { cops: men[..self.0.0 as usize].to_vec(), robber: (slot & 63) as u8, turn }
    }
}

#[derive(Debug)]
pub(crate) struct PursuitMoves(Index);

impl PursuitMoves {
    fn cops(&self, men: [u8; 3]) -> Vec<u64> {
        men[..self.0.0.0 as usize].iter().map(|&cop| 1 << cop).collect()
    }

    /// Calls `visit` with each word that a cop's step leads to. Steps go both ways: a step can also come from there.
    fn each_step(&self, word: u64, mut visit: impl FnMut(u64)) {
        let men = self.0.men(Color::White, word);
        let all = self.cops(men).iter().fold(0, |all, cop| all | cop);
        for (cop, square) in men[..self.0.0.0 as usize].iter().enumerate() {
            let mut targets = steps(1 << square) & !all;
            while targets != 0 {
                let to = u64::from(targets.trailing_zeros());
                targets &= targets - 1;
                visit(word & !(63 << (6 * cop)) | to << (6 * cop));
            }
        }
    }
}

impl Moves<Pursuit> for PursuitMoves {
    fn new(material: &Cops) -> Self {
        PursuitMoves(Index(*material))
    }

    fn bytes(_: &Cops) -> u64 {
        0
    }

    fn index(&self) -> &Index {
        &self.0
    }

    fn legal(&self, turn: Color, _: u64, men: &Men<Pursuit>) -> u64 {
        let cops = self.cops(*men);
        let all = cops.iter().fold(0, |all, cop| all | cop);
        if all.count_ones() < self.0.0.0 {
            return 0;
        }
        // With the cops to move the robber has just moved, and not beside one.
        let taken = if turn == Color::White { steps(all) } else { 0 };
        !(all | taken)
    }

    fn safe(&self, _: Color, _: &Men<Pursuit>) -> u64 {
        u64::MAX
    }

    fn lost(&self, turn: Color, word: u64, candidates: u64, wins: &Set<u64>) -> u64 {
        let mut lost = candidates;
        if turn == Color::Black {
            return lost & !steps(!wins.get(word));
        }
        self.each_step(word, |after| lost &= wins.get(after));
        lost
    }

    fn unmove(&self, turn: Color, word: u64, bits: u64, mark: &impl Fn(u64, u64)) {
        if turn == Color::White {
            mark(word, steps(bits));
        } else {
            self.each_step(word, |before| mark(before, bits));
        }
    }
}

#[derive(Debug)]
pub(crate) struct NoConversions;

impl Conversions<Pursuit> for NoConversions {
    fn new(_: &Cops, _: Vec<Arc<Table<Pursuit>>>) -> Self {
        NoConversions
    }

    fn values(&self, _: Color, _: &[u8; 3], _: u64, _: Option<&mut ConversionPlies<u64>>) -> [u64; 3] {
        [0; 3]
    }
}

impl Rules for Pursuit {
    type Moves = PursuitMoves;
    type Conversions = NoConversions;

    const STALEMATE_LOSES: bool = true;
}

/// Losses, draws and wins by side to move, and the longest win in plies.
pub(crate) fn solve(cops: &str) -> Result<(Arc<Table<Pursuit>>, Option<u32>)> {
    let table = Store::<Pursuit>::new(None).with_metric(Metric::Dtm).get(&cops.parse()?)?;
    let longest = table.longest().map(|(plies, _)| plies);
    Ok((table, longest))
}

#[allow(dead_code, reason = "a test uses the function above")]
fn main() -> Result<()> {
    for cops in ["c", "cc"] {
        let (table, longest) = solve(cops)?;
        let [lost, drawn, won] = table.totals();
        println!("{cops}: {won} won, {drawn} drawn, {lost} lost, longest {longest:?} plies");
    }
    Ok(())
}
