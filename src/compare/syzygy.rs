//! Syzygy WDL files as a check: the values of directories of `.rtbw` files.
//!
//! Read with the `pyrrhic-rs` crate, which asks for attack sets. It takes what is inside a file on trust, and keeps one set
//! of files a process: one [`Syzygy`] can be open at a time, and every file that a probe may read is compared with its
//! checksum first. Syzygy's five classes become three here: without the 50-move rule a cursed win is a win, and a blessed
//! loss is a loss.

use super::checksum;
use crate::error::{Error, ErrorKind, Result};
use crate::files::read_regular;
use crate::position::{Bitboard, Color, Material, Position, Role, Square, Wdl, attacks};
use crate::probe;
use crate::retrograde::{Store, Table};
use pyrrhic_rs::{EngineAdapter, TableBases, WdlProbeResult};
use std::path::PathBuf;

/// Directories of Syzygy files.
pub struct Syzygy {
    files: TableBases<Attacks>,
    dirs: Vec<PathBuf>,
}

impl std::fmt::Debug for Syzygy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Syzygy").field("dirs", &self.dirs).finish_non_exhaustive()
    }
}

impl Syzygy {
    /// Opens the files of directories, for positions of `materials`. A probe needs the files of the tables that captures
    /// lead to as well; each file is the one in the first directory that has it.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] when a directory or a file in it cannot be read; [`ErrorKind::MissingTable`] when none has a
    /// `.rtbw` file; [`ErrorKind::Corrupt`] when a file that may be read is damaged, which it names; [`ErrorKind::BadInput`]
    /// when the path of a directory is one that the reader does not take; [`ErrorKind::Internal`] when another [`Syzygy`]
    /// is open.
    pub fn open(dirs: &[PathBuf], materials: &[Material]) -> Result<Self> {
        let mut found = false;
        for dir in dirs {
            for entry in std::fs::read_dir(dir).map_err(|error| Error::io("read", dir, error))? {
                let file = entry.map_err(|error| Error::io("read", dir, error))?.path();
                found |= file.extension().is_some_and(|extension| extension == "rtbw");
            }
        }
        let shown: Vec<String> = dirs.iter().map(|dir| dir.display().to_string()).collect();
        let failed = |kind, why: &str| Error::new(kind, format!("{}: {why}", shown.join(", ")));
        if !found {
            return Err(failed(ErrorKind::MissingTable, "no .rtbw file there"));
        }
        for table in Store::new(None).plan(materials)? {
            bytes(dirs, &table.material)?;
        }
        let paths: Option<Vec<&str>> =
            dirs.iter().map(|dir| dir.to_str().filter(|dir| !dir.contains(':'))).collect();
        let colons = || failed(ErrorKind::BadInput, "the reader of Syzygy files takes UTF-8 without colons");
        let files = TableBases::new(paths.ok_or_else(colons)?.join(":"))
            .map_err(|error| failed(ErrorKind::Internal, &format!("cannot open Syzygy files: {error:?}")))?;
        Ok(Syzygy { files, dirs: dirs.to_vec() })
    }

    /// Whether there is a file for the material. Two bare kings, drawn everywhere, have none.
    pub fn has(&self, material: &Material) -> bool {
        find(&self.dirs, material).is_some()
    }

    /// Returns the value of a legal position, the 50-move rule aside.
    ///
    /// # Errors
    /// [`ErrorKind::MissingTable`] when a file is missing or cannot be read.
    pub fn wdl(&self, position: &Position) -> Result<Wdl> {
        let mut colors = [Bitboard::EMPTY; 2];
        let mut roles = [Bitboard::EMPTY; Role::ALL.len()];
        for (man, square) in position.placed() {
            colors[man.color.index()] |= square;
            roles[man.role as usize] |= square;
        }
        let [kings, queens, rooks, bishops, knights, pawns] = roles.map(|men| men.0);
        let white_to_move = position.turn() == Color::White;
        // The square behind the pushed pawn; 0 when there is none.
        let rank = if white_to_move { 5 } else { 2 };
        let en_passant = position.en_passant().map_or(0, |file| Square::at(file, rank).index() as u32);
        self.files
            .probe_wdl(
                colors[0].0,
                colors[1].0,
                kings,
                queens,
                rooks,
                bishops,
                knights,
                pawns,
                en_passant,
                white_to_move,
            )
            .map(|value| match value {
                WdlProbeResult::Loss | WdlProbeResult::BlessedLoss => Wdl::Loss,
                WdlProbeResult::Draw => Wdl::Draw,
                WdlProbeResult::CursedWin | WdlProbeResult::Win => Wdl::Win,
            })
            .map_err(|_| {
                let fen = position.to_fen();
                let hint =
                    "captures need the files of smaller materials too; --syzygy takes several directories";
                Error::new(ErrorKind::MissingTable, format!("no Syzygy value for {fen} ({hint})"))
            })
    }

    /// Compares `clauses` with the Syzygy values of every legal canonical position of `table`, which serves to list
    /// them, and returns the number of positions.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] with an example when a value differs, and those of [`Syzygy::wdl`].
    pub fn verify(&self, clauses: &probe::Prober, table: &Table) -> Result<u64> {
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

/// The file of `material` in the first directory that has it.
fn find(dirs: &[PathBuf], material: &Material) -> Option<PathBuf> {
    let name = format!("{material}.rtbw");
    dirs.iter().map(|dir| dir.join(&name)).find(|path| path.exists())
}

/// The first four bytes of every `.rtbw` file.
const MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];

/// Returns the length of the file of `material`, after comparing it with its checksum; `None` when there is none.
pub(super) fn bytes(dirs: &[PathBuf], material: &Material) -> Result<Option<u64>> {
    let Some(path) = find(dirs, material) else { return Ok(None) };
    let file = read_regular(&path)?;
    let damaged = |why: &str| Err(Error::corrupt(format!("damaged Syzygy file {}: {why}", path.display())));
    if file.is_empty() {
        return damaged("it is empty");
    }
    if !file.starts_with(&MAGIC) {
        return damaged("it does not begin as a WDL file does");
    }
    if file.len() % 64 != 16 {
        return damaged("cut short: its length is not that of blocks and a checksum");
    }
    if !checksum::is_right(&file) {
        return damaged("its checksum is another");
    }
    Ok(Some(file.len() as u64))
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
        attacks::pawn(color, square(from)).0
    }

    fn knight_attacks(from: u64) -> u64 {
        attacks::knight(square(from)).0
    }

    fn bishop_attacks(from: u64, occupied: u64) -> u64 {
        attacks::bishop(square(from), Bitboard(occupied)).0
    }

    fn rook_attacks(from: u64, occupied: u64) -> u64 {
        attacks::rook(square(from), Bitboard(occupied)).0
    }

    fn queen_attacks(from: u64, occupied: u64) -> u64 {
        attacks::queen(square(from), Bitboard(occupied)).0
    }

    fn king_attacks(from: u64) -> u64 {
        attacks::king(square(from)).0
    }
}
