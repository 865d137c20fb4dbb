//! Chinese chess in the commands that ask .pcn files: `probe`, `moves` and `explain`.

use super::sources::{OnceByKey, hint};
use super::values::Format;
use crate::error::{Error, ErrorKind, Result};
use crate::explain::Style;
use crate::files::read_regular;
use crate::outcome::Wdl;
use crate::probe::EXTENSION;
use crate::xiangqi::{Board, BoardExplanation, Clauses, Material, Move, Position};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

/// The clauses in the files of a query.
pub(super) struct Opened<'a> {
    paths: &'a [PathBuf],
    files: OnceByKey<Material, Clauses>,
}

impl<'a> Opened<'a> {
    pub(super) fn new(paths: &'a [PathBuf]) -> Self {
        Opened { paths, files: OnceByKey::default() }
    }

    fn of(&self, material: &Material) -> Result<Arc<Clauses>> {
        self.files.get(material, || self.open(material))
    }

    fn open(&self, material: &Material) -> Result<Clauses> {
        // The last one answers, as in chess.
        for path in self.paths.iter().rev() {
            let file =
                if path.is_dir() { path.join(format!("{material}.{EXTENSION}")) } else { path.clone() };
            if !file.exists() {
                continue;
            }
            let bytes = read_regular(&file)?;
            if !Clauses::are_in(&bytes) {
                continue;
            }
            let clauses = Clauses::decode(&bytes).map_err(|error| error.in_file(&file))?;
            if clauses.material() == material {
                return Ok(clauses);
            }
            if path.is_dir() {
                let why = format!("{} has the table of {}", file.display(), clauses.material());
                return Err(Error::corrupt(why));
            }
        }
        let why =
            format!("no table of {material} (--tables names those of Chinese chess; none are built in)");
        Err(hint(Error::new(ErrorKind::MissingTable, why), self.paths, material, true))
    }

    /// The clauses that answer the position on a board, and the position they answer. Without attackers they may be those of the
    /// material with the colours exchanged.
    fn for_board(&self, board: &Board) -> Result<(Arc<Clauses>, Position)> {
        let [position, image] = Position::images(board)?;
        let of = |position: Position| self.of(position.material()).map(|clauses| (clauses, position));
        of(position).or_else(|error| match error.kind() {
            ErrorKind::MissingTable => of(image).map_err(|of_image| match of_image.kind() {
                ErrorKind::MissingTable => error,
                _ => of_image,
            }),
            _ => Err(error),
        })
    }

    /// The outcome of the position in a FEN.
    pub(super) fn probe(&self, fen: &str) -> Result<Wdl> {
        let (clauses, position) = self.for_board(&Board::from_fen(fen)?)?;
        clauses.probe(&position)
    }

    /// The outcome of the position on a board; `None` where there is no table, or can be none.
    fn outcome(&self, board: &Board) -> Result<Option<Wdl>> {
        match self.for_board(board) {
            Ok((clauses, position)) => clauses.probe(&position).map(Some),
            Err(error)
                if matches!(error.kind(), ErrorKind::MissingTable | ErrorKind::UnsupportedPosition) =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The text or the JSON of the legal moves of the position in a FEN, each with the outcome for the side that makes it.
    pub(super) fn moves_of(&self, fen: &str, format: Format) -> Result<String> {
        let board = Board::from_fen(fen)?;
        let outcome = self.outcome(&board)?;
        let played = |played: Move| Ok((played, self.outcome(&board.after(played))?.map(Wdl::other)));
        let mut moves = board.legal_moves().into_iter().map(played).collect::<Result<Vec<_>>>()?;
        // Best first, as in chess.
        moves.sort_by_key(|(_, outcome)| match outcome {
            Some(Wdl::Win) => 0,
            Some(Wdl::Draw) => 1,
            None => 2,
            Some(Wdl::Loss) => 3,
        });
        let name = |outcome: Option<Wdl>| outcome.map_or("unknown", Wdl::name);
        if format == Format::Json {
            let moves: Vec<Value> = moves
                .iter()
                .map(|(played, outcome)| json!({ "move": played.to_string(), "outcome": outcome.map(Wdl::name) }))
                .collect();
            return Ok(format!(
                "{}\n",
                json!({ "fen": fen, "outcome": outcome.map(Wdl::name), "moves": moves })
            ));
        }
        let mut text = name(outcome).to_owned() + if moves.is_empty() { ", no legal move\n" } else { "\n" };
        for (played, outcome) in moves {
            let _ = writeln!(text, "{played} {}", name(outcome));
        }
        Ok(text)
    }

    /// The text or the JSON of the explanation of the position in a FEN.
    pub(super) fn explain(&self, fen: &str, format: Format, style: Style) -> Result<String> {
        let board = Board::from_fen(fen)?;
        let (clauses, _) = self.for_board(&board)?;
        let certificate = BoardExplanation::new(&clauses, &board)?;
        Ok(match format {
            Format::Text => certificate.to_text(style),
            Format::Json => certificate.to_json() + "\n",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::Options;
    use crate::xiangqi::{Model, Store};

    #[test]
    fn moves_are_listed_best_first() {
        let directory = tempfile::tempdir().unwrap();
        let table = Store::new(None).get(&"c-k".parse().unwrap()).unwrap();
        let bytes = Clauses::build(&table, Model::Board, &Options::default().with_effort(1)).unwrap();
        std::fs::write(directory.path().join("c-k.pcn"), bytes).unwrap();
        let paths = [directory.path().to_owned()];
        // The chariot can be lost on several points; then there is no table.
        let text = Opened::new(&paths).moves_of("3k5/2R6/9/9/9/9/9/9/9/4K4 w", Format::Text).unwrap();
        let mut outcomes: Vec<&str> =
            text.lines().skip(1).filter_map(|line| line.split_whitespace().last()).collect();
        assert!(
            outcomes.is_sorted_by_key(|outcome| ["win", "draw", "unknown", "loss"]
                .iter()
                .position(|name| name == outcome)),
            "{text}"
        );
        outcomes.dedup();
        assert!(outcomes.len() > 1, "{text}");
    }

    #[test]
    fn a_missing_table_is_searched_for_once() {
        let directory = tempfile::tempdir().unwrap();
        let (material, paths) = ("c-k".parse().unwrap(), [directory.path().to_owned()]);
        let opened = Opened::new(&paths);
        let missing = || opened.of(&material).unwrap_err().kind();
        assert_eq!(missing(), ErrorKind::MissingTable);
        let table = Store::new(None).get(&material).unwrap();
        let bytes = Clauses::build(&table, Model::Board, &Options::default().with_effort(1)).unwrap();
        std::fs::write(directory.path().join("c-k.pcn"), bytes).unwrap();
        assert_eq!(missing(), ErrorKind::MissingTable);
        assert_eq!(Opened::new(&paths).of(&material).unwrap().material(), &material);
    }
}
