//! The Syzygy files, read by an independent program, with the translation of positions to it.

use cozy_chess::{BitBoard, Square as CozySquare};
use cubebase::position::DoublePush;
use cubebase::{Color, Man, Material, Position, Role, Wdl};
use pyrrhic_rs::{EngineAdapter, TableBases, WdlProbeResult};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Attack sets for the Syzygy prober.
#[derive(Clone)]
pub struct Attacks;

fn at(square: u64) -> CozySquare {
    CozySquare::index(square as usize)
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, square: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => cozy_chess::Color::White,
            pyrrhic_rs::Color::Black => cozy_chess::Color::Black,
        };
        cozy_chess::get_pawn_attacks(at(square), color).0
    }

    fn knight_attacks(square: u64) -> u64 {
        cozy_chess::get_knight_moves(at(square)).0
    }

    fn bishop_attacks(square: u64, occupied: u64) -> u64 {
        cozy_chess::get_bishop_moves(at(square), BitBoard(occupied)).0
    }

    fn rook_attacks(square: u64, occupied: u64) -> u64 {
        cozy_chess::get_rook_moves(at(square), BitBoard(occupied)).0
    }

    fn queen_attacks(square: u64, occupied: u64) -> u64 {
        Self::bishop_attacks(square, occupied) | Self::rook_attacks(square, occupied)
    }

    fn king_attacks(square: u64) -> u64 {
        cozy_chess::get_king_moves(at(square)).0
    }
}

/// The Syzygy files, if they are at hand.
pub struct Syzygy {
    directories: Vec<PathBuf>,
    files: TableBases<Attacks>,
}

impl Syzygy {
    /// Opens the files, once in the process; says why when there are none.
    pub fn open() -> Option<&'static Self> {
        static OPENED: OnceLock<Option<Syzygy>> = OnceLock::new();
        let opened = OPENED.get_or_init(|| {
            let place = |name| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(name);
            let mut directories = vec![place("syzygy"), place("syzygy5")];
            directories.retain(|directory| directory.is_dir());
            let path = std::env::join_paths(&directories).ok()?;
            let files = TableBases::new(path.to_str().filter(|path| !path.is_empty())?).ok()?;
            Some(Syzygy { directories, files })
        });
        if opened.is_none() {
            println!("skipped: no Syzygy files in ../shared/syzygy or ../shared/syzygy5");
        }
        opened.as_ref()
    }

    /// Whether the files include that of `material`; says so when they do not.
    pub fn has(&self, material: &Material) -> bool {
        let name = format!("{material}.rtbw");
        let has = self.directories.iter().any(|directory| directory.join(&name).exists());
        if !has {
            println!("skipped: no {name} in ../shared/syzygy or ../shared/syzygy5");
        }
        has
    }

    /// The outcome of a legal position.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        let set = |wanted: &dyn Fn(Man) -> bool| {
            let men = position.placed().filter(|&(man, _)| wanted(man));
            men.fold(0, |all, (_, square)| all | square.bit())
        };
        let of = |color| set(&|man| man.color == color);
        let all = |role| set(&|man| man.role == role);
        let passed = position
            .en_passant()
            .map_or(0, |file| DoublePush::new(position.turn().other(), file).passed.index() as u32);
        let result = self.files.probe_wdl(
            of(Color::White),
            of(Color::Black),
            all(Role::King),
            all(Role::Queen),
            all(Role::Rook),
            all(Role::Bishop),
            all(Role::Knight),
            all(Role::Pawn),
            passed,
            position.turn() == Color::White,
        );
        Wdl::from_syzygy(match result.ok()? {
            WdlProbeResult::Loss => -2,
            WdlProbeResult::BlessedLoss => -1,
            WdlProbeResult::Draw => 0,
            WdlProbeResult::CursedWin => 1,
            WdlProbeResult::Win => 2,
        })
    }
}
