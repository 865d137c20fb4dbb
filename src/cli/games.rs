//! The game that a text means, for the commands that know both: a material of Chinese chess has a hyphen between its sides,
//! and its board ten ranks.

use super::{materials, usage};
use crate::chess::position::{self, Color};
use crate::chess::retrograde::Chess;
use crate::error::{Error, ErrorKind, Result};
use crate::retrograde::mapped;
use crate::retrograde::rules::Rules;
use crate::xiangqi::{self, Xiangqi};
use std::path::Path;

/// A game of the command line.
pub(super) trait Played: Rules {
    /// The names of the sides, White's or Red's first.
    const SIDES: [&str; 2];

    /// Reads a legal position.
    fn read(fen: &str) -> Result<Self::Position>;
    /// Writes a position.
    fn fen(position: &Self::Position) -> String;
    /// The material of a position.
    fn material(position: &Self::Position) -> &Self::Material;
}

impl Played for Chess {
    const SIDES: [&str; 2] = ["white", "black"];

    fn read(fen: &str) -> Result<position::Position> {
        position::Position::from_fen(fen)
    }

    fn fen(position: &position::Position) -> String {
        position.to_fen()
    }

    fn material(position: &position::Position) -> &position::Material {
        position.material()
    }
}

impl Played for Xiangqi {
    const SIDES: [&str; 2] = ["red", "black"];

    fn read(fen: &str) -> Result<xiangqi::Position> {
        xiangqi::Position::from_fen(fen).map(|(position, _)| position)
    }

    fn fen(position: &xiangqi::Position) -> String {
        position.to_fen()
    }

    fn material(position: &xiangqi::Position) -> &xiangqi::Material {
        position.material()
    }
}

/// The name of the side to move.
pub(super) fn side_name<G: Played>(turn: Color) -> &'static str {
    G::SIDES[turn.index()]
}

/// Materials of one game.
pub(super) enum Targets {
    Chess(Vec<position::Material>),
    Xiangqi(Vec<xiangqi::Material>),
}

/// Parses targets as [`materials`] does, or materials of Chinese chess.
pub(super) fn targets(targets: &[String]) -> Result<Targets> {
    let has_hyphen = |target: &&String| target.contains('-');
    let Some(chess) = targets.iter().find(|target| !has_hyphen(target)) else {
        return xiangqi_targets(targets);
    };
    if let Some(other) = targets.iter().find(has_hyphen) {
        return Err(usage(format!("materials of two games: {other} (Chinese chess) and {chess} (chess)")));
    }
    materials(targets).map(Targets::Chess)
}

fn xiangqi_targets(targets: &[String]) -> Result<Targets> {
    let mut found: Vec<xiangqi::Material> = Vec::new();
    for target in targets {
        let material = target.parse()?;
        if !found.contains(&material) {
            found.push(material);
        }
    }
    Ok(Targets::Xiangqi(found))
}

/// Whether a FEN has the ten ranks of Chinese chess.
pub(super) fn is_xiangqi_fen(fen: &str) -> bool {
    fen.split_whitespace().next().is_some_and(|board| board.matches('/').count() == 9)
}

/// Whether the table in a file is one of Chinese chess.
pub(super) fn is_xiangqi_file(path: &Path) -> Result<bool> {
    mapped::material_name(path).map(|name| name.contains('-'))
}

/// The error that a material of Chinese chess is given to a command for chess alone; `None` for other texts.
pub(super) fn other_game(text: &str) -> Option<Error> {
    let material: xiangqi::Material = text.parse().ok()?;
    let why = format!("{material} is a material of Chinese chess: this command knows chess (KQvKR) alone");
    Some(Error::new(ErrorKind::BadMaterial, why))
}
