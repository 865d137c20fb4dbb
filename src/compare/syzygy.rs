//! Syzygy WDL files as a check: the values of a directory of `.rtbw` files.
//!
//! Read with the `pyrrhic-rs` crate, which asks for attack sets. The library keeps one set of files a process, so one
//! [`Syzygy`] can be open at a time. Syzygy's five classes become three here: without the 50-move rule a cursed win is
//! a win, and a blessed loss is a loss.

use crate::error::{Error, ErrorKind, Result};
use crate::position::{Color, Material, Position, Role, Square, Wdl, attacks};
use crate::probe;
use crate::retrograde::Table;
use pyrrhic_rs::{EngineAdapter, TableBases, WdlProbeResult};
use std::path::{Path, PathBuf};

/// A directory of Syzygy files.
pub struct Syzygy {
    files: TableBases<Attacks>,
    dir: PathBuf,
}

impl std::fmt::Debug for Syzygy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Syzygy").field("dir", &self.dir).finish_non_exhaustive()
    }
}

impl Syzygy {
    /// Opens the files of a directory. A probe needs the files of the tables that captures lead to as well.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] when the directory cannot be read; [`ErrorKind::MissingTable`] when it has no `.rtbw` file;
    /// [`ErrorKind::Internal`] when another [`Syzygy`] is open.
    pub fn open(dir: &Path) -> Result<Self> {
        let mut entries = std::fs::read_dir(dir).map_err(|error| Error::io("read", dir, error))?;
        let is_table = |path: &Path| path.extension().is_some_and(|extension| extension == "rtbw");
        if !entries.any(|entry| entry.is_ok_and(|entry| is_table(&entry.path()))) {
            let message = format!("{}: no .rtbw file in it", dir.display());
            return Err(Error::new(ErrorKind::MissingTable, message));
        }
        let path = dir.to_str().ok_or_else(|| {
            Error::new(ErrorKind::BadInput, format!("{}: a path that is not UTF-8", dir.display()))
        })?;
        let files = TableBases::new(path).map_err(|error| {
            Error::new(ErrorKind::Internal, format!("{}: cannot open Syzygy files: {error:?}", dir.display()))
        })?;
        Ok(Syzygy { files, dir: dir.to_path_buf() })
    }

    /// Whether there is a file for the material. Two bare kings, drawn everywhere, have none.
    pub fn has(&self, material: &Material) -> bool {
        self.dir.join(format!("{material}.rtbw")).exists()
    }

    /// Returns the value of a legal position, the 50-move rule aside.
    ///
    /// # Errors
    /// [`ErrorKind::MissingTable`] when a file is missing or cannot be read.
    pub fn wdl(&self, position: &Position) -> Result<Wdl> {
        let mut colors = [0u64; 2];
        let mut roles = [0u64; Role::ALL.len()];
        for (man, square) in position.material().men().iter().zip(position.squares()) {
            colors[man.color.index()] |= square.bit();
            roles[man.role as usize] |= square.bit();
        }
        let [kings, queens, rooks, bishops, knights, pawns] = roles;
        let white_to_move = position.turn() == Color::White;
        // The square behind the pushed pawn; 0 when there is none.
        let rank = if white_to_move { 5 } else { 2 };
        let en_passant = position.en_passant().map_or(0, |file| Square::at(file, rank).index() as u32);
        self.files
            .probe_wdl(
                colors[0],
                colors[1],
                kings,
                queens,
                rooks,
                bishops,
                knights,
                pawns,
                en_passant,
                white_to_move,
            )
            .map(without_fifty_moves)
            .map_err(|_| {
                let (dir, fen) = (self.dir.display(), position.to_fen());
                Error::new(ErrorKind::MissingTable, format!("{dir}: no Syzygy value for {fen}"))
            })
    }

    /// Compares `clauses` with the Syzygy values of every legal canonical position of `table`, which serves to list
    /// them, and returns the number of positions.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] with an example when a value differs, and those of [`Syzygy::wdl`].
    pub fn verify(&self, clauses: &probe::Table, table: &Table) -> Result<u64> {
        let mut compared = 0;
        for &turn in table.material().stored_turns() {
            for (position, _) in table.positions(turn) {
                let (ours, theirs) = (clauses.probe_unchecked(&position)?, self.wdl(&position)?);
                if ours != theirs {
                    let fen = position.to_fen();
                    let message = format!("the clauses say {ours}, Syzygy {theirs}: {fen}");
                    return Err(Error::new(ErrorKind::Mismatch, message));
                }
                compared += 1;
            }
        }
        Ok(compared)
    }
}

/// Syzygy's five classes as three, the 50-move rule aside.
fn without_fifty_moves(value: WdlProbeResult) -> Wdl {
    match value {
        WdlProbeResult::Loss | WdlProbeResult::BlessedLoss => Wdl::Loss,
        WdlProbeResult::Draw => Wdl::Draw,
        WdlProbeResult::CursedWin | WdlProbeResult::Win => Wdl::Win,
    }
}

/// This crate's attack sets for the reader.
#[derive(Clone)]
struct Attacks;

fn square(index: u64) -> Square {
    Square::new(index as u8)
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, from: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        attacks::pawn(color, square(from))
    }

    fn knight_attacks(from: u64) -> u64 {
        attacks::knight(square(from))
    }

    fn bishop_attacks(from: u64, occupied: u64) -> u64 {
        attacks::bishop(square(from), occupied)
    }

    fn rook_attacks(from: u64, occupied: u64) -> u64 {
        attacks::rook(square(from), occupied)
    }

    fn queen_attacks(from: u64, occupied: u64) -> u64 {
        attacks::queen(square(from), occupied)
    }

    fn king_attacks(from: u64) -> u64 {
        attacks::king(square(from))
    }
}
