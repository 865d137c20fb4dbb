//! The choice between chess and Chinese chess by the text of a material or FEN: a material of Chinese chess has a hyphen
//! between its sides, and its board has ten ranks.

use super::minimizing::{Minimizing, OfChess, OfXiangqi};
use super::{material, materials, usage};
use crate::chess::model::Model;
use crate::chess::position::{self, Color};
use crate::chess::retrograde::Chess;
use crate::error::{Error, ErrorKind, Result};
use crate::fen_board::fields;
use crate::retrograde::mapped;
use crate::retrograde::rules::Rules;
use crate::xiangqi::{self, Xiangqi};
use std::path::Path;

/// A game of the command line.
pub(super) trait Played: Rules {
    /// The names of the sides, White's or Red's first.
    const SIDES: [&str; 2];

    /// How its tables are minimized.
    type Minimizing: Minimizing<Self>;

    /// Reads a position. The second has the colours exchanged, if its table may answer instead; else it is the same.
    fn read(fen: &str) -> Result<[Self::Position; 2]>;
    /// Writes a position.
    fn fen(position: &Self::Position) -> String;
    /// The men of a material, and the pawns or soldiers among them.
    fn men(material: &Self::Material) -> [usize; 2];
    fn material(position: &Self::Position) -> &Self::Material;
}

impl Played for Chess {
    const SIDES: [&str; 2] = ["white", "black"];

    type Minimizing = OfChess;

    fn read(fen: &str) -> Result<[position::Position; 2]> {
        position::Position::from_fen(fen).map(|position| [position; 2])
    }

    fn fen(position: &position::Position) -> String {
        position.to_fen()
    }

    fn men(material: &position::Material) -> [usize; 2] {
        [material.len(), material.pawns()]
    }

    fn material(position: &position::Position) -> &position::Material {
        position.material()
    }
}

impl Played for Xiangqi {
    const SIDES: [&str; 2] = ["red", "black"];

    type Minimizing = OfXiangqi;

    fn read(fen: &str) -> Result<[xiangqi::Position; 2]> {
        xiangqi::Position::images(&xiangqi::Board::from_fen(fen)?)
    }

    fn fen(position: &xiangqi::Position) -> String {
        position.to_fen()
    }

    fn men(material: &xiangqi::Material) -> [usize; 2] {
        let men = material.men();
        [men.len(), men.iter().filter(|man| man.role == xiangqi::Role::Soldier).count()]
    }

    fn material(position: &xiangqi::Position) -> &xiangqi::Material {
        position.material()
    }
}

#[derive(Clone, Copy, PartialEq)]
pub(super) struct GameModel {
    /// The game's name in JSON; `None` for chess.
    pub(super) game: Option<&'static str>,
    pub(super) name: &'static str,
}

impl From<Model> for GameModel {
    fn from(model: Model) -> Self {
        GameModel { game: None, name: model.name() }
    }
}

impl From<xiangqi::Model> for GameModel {
    fn from(model: xiangqi::Model) -> Self {
        GameModel { game: Some("xiangqi"), name: model.name() }
    }
}

impl GameModel {
    /// The models of both games.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        Model::ALL.into_iter().map(Self::from).chain(xiangqi::Model::ALL.into_iter().map(Self::from))
    }
}

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
        let material = xiangqi_material(target)?;
        if !found.contains(&material) {
            found.push(material);
        }
    }
    Ok(Targets::Xiangqi(found))
}

/// Parses a material of chess for a command that knows both games.
pub(super) fn chess_material(text: &str) -> Result<position::Material> {
    material(text)
        .map_err(|error| neither(error, text, "KQRBNPVkqrbnpv", || text.parse::<xiangqi::Material>().err()))
}

/// Parses a material of Chinese chess for a command that knows both games.
pub(super) fn xiangqi_material(text: &str) -> Result<xiangqi::Material> {
    text.parse().map_err(|error| neither(error, text, "kaehcgp-", || material(text).err()))
}

/// The name of the material of either game in `text`, if it is one.
pub(super) fn material_name(text: &str) -> Option<String> {
    let chess = material(text).ok().map(|material| material.to_string());
    chess.or_else(|| text.parse::<xiangqi::Material>().ok().map(|material| material.to_string()))
}

/// Returns `error`, the error of reading `fen`, which has not ten ranks, as chess. If it has men or numbers of Chinese chess alone, and
/// not eight ranks, the error of reading it as Chinese chess is added.
pub(super) fn no_fen(error: Error, fen: &str) -> Error {
    let board = fields(fen).next().unwrap_or_default();
    let could_be_xiangqi = board.contains('/')
        && board.matches('/').count() != 7
        && board.contains(|letter: char| "9acegh".contains(letter.to_ascii_lowercase()));
    if error.kind() != ErrorKind::BadInput || !could_be_xiangqi {
        return error;
    }
    neither(error, fen, "", || xiangqi::Board::from_fen(fen).err())
}

/// Adds the error of the other game's reader to `error`, unless the text has only `letters`, those of the game.
fn neither(error: Error, text: &str, letters: &str, other: impl FnOnce() -> Option<Error>) -> Error {
    let is_of_game = !text.is_empty() && text.chars().all(|letter| letters.contains(letter));
    match other().filter(|_| !is_of_game) {
        Some(other) => Error::new(error.kind(), format!("{error}; {other}")),
        None => error,
    }
}

/// Whether a FEN has the ten ranks of Chinese chess.
pub(super) fn is_xiangqi_fen(fen: &str) -> bool {
    fields(fen).next().is_some_and(|board| board.matches('/').count() == 9)
}

/// Whether the table in a file is one of Chinese chess.
pub(super) fn is_xiangqi_file(path: &Path) -> Result<bool> {
    mapped::material_name(path).map(|name| name.contains('-'))
}

/// The error for a material of Chinese chess in a command that knows only chess; `None` for other texts.
pub(super) fn other_game(text: &str) -> Option<Error> {
    let material: xiangqi::Material = text.parse().ok()?;
    let why = format!("{material} is a material of Chinese chess: this command knows only chess (KQvKR)");
    Some(Error::new(ErrorKind::BadMaterial, why))
}
