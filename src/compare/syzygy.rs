//! Syzygy files as an oracle: the values in directories of `.rtbw` files.
//!
//! The crate `pyrrhic-rs` reads the files, with attack sets from here. It does not check their content, so the checksum of every
//! file that a probe may read is checked first. The crate has one global set of files: only one [`Syzygy`] can be open at a time.
//! Syzygy's five classes become three: without the 50-move rule a cursed win is a win, and a blessed loss is a loss.

use super::checksum;
use crate::chess::position::{Bitboard, Color, Material, Position, Square, Wdl, attacks};
use crate::chess::retrograde::{Store, Table};
use crate::error::{Error, ErrorKind, Result};
use crate::files::read_regular;
use crate::probe;
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
    /// Opens the files in `dirs` for positions of `materials`. Probes also need the files of the materials after captures. A
    /// file is taken from the first directory that has it.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if a directory or a file in it cannot be read; [`ErrorKind::MissingTable`] if none has a `.rtbw` file;
    /// [`ErrorKind::Corrupt`], with its name, if a file is damaged or of another material; [`ErrorKind::BadInput`] if the path of a
    /// directory has a colon or is not UTF-8; [`ErrorKind::Internal`] if another [`Syzygy`] is open.
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
        let colons = || failed(ErrorKind::BadInput, "paths of Syzygy files must be UTF-8 without colons");
        let files = TableBases::new(paths.ok_or_else(colons)?.join(":"))
            .map_err(|error| failed(ErrorKind::Internal, &format!("cannot open Syzygy files: {error:?}")))?;
        Ok(Syzygy { files, dirs: dirs.to_vec() })
    }

    /// Whether there is a file for the material. Two bare kings have none.
    pub fn has(&self, material: &Material) -> bool {
        find(&self.dirs, material).is_some()
    }

    /// Returns the value of a legal position without the 50-move rule.
    ///
    /// # Errors
    /// [`ErrorKind::MissingTable`] if a file is missing or cannot be read; [`ErrorKind::UnsupportedPosition`] with castling
    /// rights.
    pub fn wdl(&self, position: &Position) -> Result<Wdl> {
        if !position.castling().is_empty() {
            let why = format!("castling rights {}: Syzygy's files have none", position.castling());
            return Err(Error::new(ErrorKind::UnsupportedPosition, why));
        }
        let ([white, black], [kings, queens, rooks, bishops, knights, pawns]) = position.bitboards();
        let white_to_move = position.turn() == Color::White;
        // The square behind the pushed pawn, or 0.
        let rank = if white_to_move { 5 } else { 2 };
        let en_passant = position.en_passant().map_or(0, |file| Square::at(file, rank).index() as u32);
        let files = &self.files;
        let value = files
            .probe_wdl(white, black, kings, queens, rooks, bishops, knights, pawns, en_passant, white_to_move)
            .map_err(|_| {
                let fen = position.to_fen();
                let hint =
                    "captures need the files of smaller materials too; --syzygy takes several directories";
                let why = format!("no Syzygy value for {fen} in .rtbw files ({hint})");
                Error::new(ErrorKind::MissingTable, why)
            })?;
        Ok(match value {
            WdlProbeResult::Loss | WdlProbeResult::BlessedLoss => Wdl::Loss,
            WdlProbeResult::Draw => Wdl::Draw,
            WdlProbeResult::CursedWin | WdlProbeResult::Win => Wdl::Win,
        })
    }

    /// Compares `clauses` with the Syzygy values of all legal canonical positions, which `table` lists; returns their number.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] with an example if a value differs, and those of [`Syzygy::wdl`].
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

/// The first four bytes of every file.
const MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];

/// Returns the length of the file of `material` after checking its checksum; `None` if there is no file.
pub(super) fn bytes(dirs: &[PathBuf], material: &Material) -> Result<Option<u64>> {
    let Some(path) = find(dirs, material) else { return Ok(None) };
    let file = read_regular(&path)?;
    let damaged = |why: &str| Err(Error::corrupt(format!("damaged Syzygy file {}: {why}", path.display())));
    if file.is_empty() {
        return damaged("it is empty");
    }
    if !file.starts_with(&MAGIC) {
        return damaged("the magic bytes of a .rtbw file are missing");
    }
    if file.len() % 64 != 16 {
        return damaged("cut short: its length is not a number of blocks and a checksum");
    }
    if !checksum::is_right(&file) {
        return damaged("its checksum is wrong");
    }
    if !is_of(&file, material) {
        return Err(Error::corrupt(format!(
            "{}: a Syzygy file of another material than its name",
            path.display()
        )));
    }
    Ok(Some(file.len() as u64))
}

/// Whether the men in the head of a file are those of `material`: a byte for each after the magic bytes, the flags, and the places of
/// the leading men, which take two bytes if both sides have pawns. Its low half is the role, and 8 for Black.
fn is_of(file: &[u8], material: &Material) -> bool {
    let name = material.to_string();
    let sides = name.split('v').zip([0, 8]);
    let codes = sides.flat_map(|(side, color)| {
        side.chars().filter_map(move |man| Some("_PNBRQK".find(man)? as u8 + color))
    });
    let mut codes: Vec<u8> = codes.collect();
    let start = 6 + usize::from(name.split('v').all(|side| side.contains('P')));
    let Some(men) = file.get(start..start + codes.len()) else { return false };
    let mut men: Vec<u8> = men.iter().map(|man| man & 15).collect();
    men.sort_unstable();
    codes.sort_unstable();
    men == codes
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_men_of_a_file_are_those_of_its_material() {
        // The heads of files by name: after the magic bytes the flags, the places of the leading men, and the men.
        let heads: [(&str, &[u8]); 3] = [
            ("KRvKN", &[65, 0x11, 0xee, 0xaa, 0x66, 0x44]),
            ("KRvKP", &[67, 0x23, 0x99, 0x66, 0x44, 0xee]),
            ("KPvKP", &[66, 0x33, 0x22, 0x11, 0x99, 0x66, 0xee]),
        ];
        for (name, head) in heads {
            let file = [&MAGIC[..], head].concat();
            for (other, _) in heads {
                assert_eq!(is_of(&file, &other.parse().unwrap()), other == name, "{name} {other}");
            }
            assert!(!is_of(&file[..file.len() - 1], &name.parse().unwrap()), "{name} cut short");
        }
    }
}
