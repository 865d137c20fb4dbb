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
use std::fs::File;
use std::io::Read;
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
    /// The reader takes what is inside a file on trust, and reads beyond the end of one that was cut short: each is
    /// looked at here first, as far as its first bytes and its length tell.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] when the directory or a file in it cannot be read; [`ErrorKind::MissingTable`] when it has no
    /// `.rtbw` file; [`ErrorKind::BadMagic`] and [`ErrorKind::Corrupt`] when one is no Syzygy file or is cut short;
    /// [`ErrorKind::Internal`] when another [`Syzygy`] is open.
    pub fn open(dir: &Path) -> Result<Self> {
        let failed = |error| Error::io("read", dir, error);
        let mut found = false;
        for entry in std::fs::read_dir(dir).map_err(failed)? {
            let file = entry.map_err(failed)?.path();
            if file.extension().is_some_and(|extension| extension == "rtbw") {
                check_file(&file)?;
                found = true;
            }
        }
        if !found {
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
            .ok()
            .and_then(|value| Wdl::from_syzygy(class(value)))
            .ok_or_else(|| {
                let (dir, fen) = (self.dir.display(), position.to_fen());
                let hint = "captures need the files of smaller materials there too";
                Error::new(ErrorKind::MissingTable, format!("{dir}: no Syzygy value for {fen} ({hint})"))
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

/// The first four bytes of every `.rtbw` file.
const MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];

/// Whether the file at `path` begins as a `.rtbw` file does and has a length that one can have: blocks of 64 bytes, and
/// a checksum of 16.
fn check_file(path: &Path) -> Result<()> {
    let io = |error| Error::io("read", path, error);
    let mut file = File::open(path).map_err(io)?;
    let length = file.metadata().map_err(io)?.len();
    let mut magic = Vec::new();
    file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut magic).map_err(io)?;
    if magic != MAGIC {
        return Err(Error::new(ErrorKind::BadMagic, format!("{}: not a Syzygy WDL file", path.display())));
    }
    if length % 64 != 16 {
        return Err(Error::corrupt(format!("{}: a Syzygy file cut short", path.display())));
    }
    Ok(())
}

/// The number of one of Syzygy's classes, as [`Wdl::from_syzygy`] reads it.
fn class(value: WdlProbeResult) -> i32 {
    match value {
        WdlProbeResult::Loss => -2,
        WdlProbeResult::BlessedLoss => -1,
        WdlProbeResult::Draw => 0,
        WdlProbeResult::CursedWin => 1,
        WdlProbeResult::Win => 2,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_the_reader_would_stumble_over_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let refused = |bytes: &[u8], kind| {
            std::fs::write(dir.path().join("KQvK.rtbw"), bytes).unwrap();
            let error = Syzygy::open(dir.path()).unwrap_err();
            assert!(error.kind() == kind && error.to_string().contains("KQvK.rtbw"), "{error}");
        };
        assert_eq!(Syzygy::open(dir.path()).unwrap_err().kind(), ErrorKind::MissingTable);
        refused(b"", ErrorKind::BadMagic);
        refused(&[0; 80], ErrorKind::BadMagic);
        refused(&[&MAGIC[..], &[0; 75]].concat(), ErrorKind::Corrupt);
    }
}
