//! Independent programs: a rules library and the Syzygy files, with the translation of positions to and from them.

use cozy_chess::{BitBoard, Board, BoardBuilder, File, Piece, Rank, Square as CozySquare};
use cubebase::position::DoublePush;
use cubebase::{Color, Man, Material, Position, Role, Square, Wdl};
use pyrrhic_rs::{EngineAdapter, TableBases, WdlProbeResult};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

fn piece(role: Role) -> Piece {
    match role {
        Role::King => Piece::King,
        Role::Queen => Piece::Queen,
        Role::Rook => Piece::Rook,
        Role::Bishop => Piece::Bishop,
        Role::Knight => Piece::Knight,
        Role::Pawn => Piece::Pawn,
    }
}

fn color(color: Color) -> cozy_chess::Color {
    match color {
        Color::White => cozy_chess::Color::White,
        Color::Black => cozy_chess::Color::Black,
    }
}

/// The rules library's board of a position.
pub fn board(position: &Position) -> Board {
    legal_board(position).unwrap_or_else(|| panic!("{position:?} is illegal"))
}

/// The rules library's board of a position, if it takes it for legal.
pub fn legal_board(position: &Position) -> Option<Board> {
    let squares = position.squares();
    if (1..squares.len()).any(|man| squares[..man].contains(&squares[man])) {
        return None;
    }
    let mut builder = BoardBuilder::empty();
    for (man, square) in position.placed() {
        builder.board[square.index()] = Some((piece(man.role), color(man.color)));
    }
    builder.side_to_move = color(position.turn());
    builder.en_passant = position.en_passant().map(|file| {
        let passed = DoublePush::new(position.turn().other(), file).passed;
        CozySquare::index(passed.index())
    });
    let board = builder.build().ok()?;
    // The library leaves this to the moves.
    let [white, black] = [Color::White, Color::Black].map(|side| board.king(color(side)));
    (cozy_chess::get_king_moves(white) & black.bitboard()).is_empty().then_some(board)
}

/// The men of a board: the bitboard of `man`'s like.
pub fn men(board: &Board, man: Man) -> u64 {
    board.colored_pieces(color(man.color), piece(man.role)).0
}

/// The position of a board, sorted, in its material's orientation.
pub fn position(board: &Board) -> Position {
    let mut men: Vec<(Man, Square)> = Vec::new();
    for man in Color::BOTH.into_iter().flat_map(|side| Role::ALL.map(|role| Man::new(side, role))) {
        for square in board.colored_pieces(color(man.color), piece(man.role)) {
            men.push((man, Square::new(square as u8)));
        }
    }
    let roles = |side| {
        let of_side = men.iter().filter(|(man, _)| man.color == side && man.role != Role::King);
        of_side.map(|(man, _)| man.role).collect::<Vec<_>>()
    };
    let (material, exchanged) = Material::new(&roles(Color::White), &roles(Color::Black)).unwrap();
    let white_moves = board.side_to_move() == cozy_chess::Color::White;
    let mut squares = Vec::new();
    for &wanted in material.men() {
        let color = if exchanged { wanted.color.other() } else { wanted.color };
        let found = men.iter().position(|(man, _)| *man == Man::new(color, wanted.role)).unwrap();
        let (_, square) = men.remove(found);
        squares.push(if exchanged { Square::at(square.file(), 7 - square.rank()) } else { square });
    }
    let turn = if white_moves == exchanged { Color::Black } else { Color::White };
    let mut position = Position::new(material, &squares, turn, en_passant(board));
    position.sort();
    position
}

/// The file of the board's en-passant pawn if a legal move captures it.
fn en_passant(board: &Board) -> Option<u8> {
    let file = board.en_passant()?;
    let rank = Rank::Sixth.relative_to(board.side_to_move());
    let passed = CozySquare::new(file, rank);
    let mut captured = false;
    board.generate_moves(|moves| {
        captured |= moves.piece == Piece::Pawn
            && moves.from.file() != file
            && !(moves.to & BitBoard::from(passed)).is_empty();
        captured
    });
    captured.then_some(File::ALL.iter().position(|&other| other == file).unwrap() as u8)
}

/// All legal children of a position, in no particular order.
pub fn children(of: &Position) -> Vec<Position> {
    let parent = board(of);
    let mut children = Vec::new();
    parent.generate_moves(|moves| {
        for played in moves {
            let mut child = parent.clone();
            child.play_unchecked(played);
            children.push(position(&child));
        }
        false
    });
    children
}

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
