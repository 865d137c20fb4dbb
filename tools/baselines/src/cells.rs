//! Shared by all representations: the trait [`Answer`], the outcomes of a table by the squares of its men, random positions.

use cubebase::chess::retrograde::Table;
use cubebase::{CastlingRights, Color, Material, Position, Role, Square, Wdl};

/// An opened representation: it answers for the legal positions of one material, in any symmetry.
pub trait Answer: Sync {
    /// The outcome for the side to move.
    fn answer(&self, position: &Position) -> cubebase::Result<Wdl>;
}

/// A table in a representation.
#[derive(Debug, Default)]
pub struct Made {
    /// The content of a file.
    pub bytes: Vec<u8>,
    /// Nodes, clauses, leaves, blocks or equations.
    pub elements: Option<u64>,
    /// Sizes of the variants that were tried.
    pub detail: String,
}

impl Made {
    pub fn new(bytes: Vec<u8>) -> Self {
        Made { bytes, ..Made::default() }
    }
}

/// The value of a cell that no position has; others are [`Wdl::index`].
pub const DONT_CARE: u8 = 3;

/// The man that leads canonical positions: the black king, as in the exporter. With the white king diagrams are larger.
const LEAD: usize = 1;

/// The number of functions: one for each side to move and each en-passant file or none.
pub const FUNCTIONS: usize = 18;

/// Bits of a square.
pub const SQUARE_BITS: usize = 6;

/// The number of the function of a position: the side to move, and within it no en-passant file or one of eight.
pub fn function(turn: Color, en_passant: Option<u8>) -> usize {
    turn.index() * 9 + en_passant.map_or(0, |file| usize::from(file) + 1)
}

/// The squares of the men, six bits each, the first man highest.
pub fn key(position: &Position) -> u64 {
    position.squares().iter().fold(0, |key, square| key << SQUARE_BITS | square.index() as u64)
}

/// The function and the key of the canonical image of a position.
#[inline]
pub fn canonical_key(position: &Position) -> (usize, u64) {
    let canonical = position.canonical(LEAD);
    (function(canonical.turn(), canonical.en_passant()), key(&canonical))
}

/// The cells of each function that has positions, by key: canonical positions have their outcome, all else is don't-care.
pub fn canonical_cells(table: &Table) -> Vec<(usize, Vec<u8>)> {
    let men = table.material().len();
    let mut cells: Vec<Vec<u8>> = vec![Vec::new(); FUNCTIONS];
    for &turn in table.material().stored_turns() {
        for (position, outcome) in table.positions(turn) {
            let (function, key) = canonical_key(&position);
            let cells = &mut cells[function];
            if cells.is_empty() {
                *cells = vec![DONT_CARE; 1 << (SQUARE_BITS * men)];
            }
            cells[key as usize] = outcome.index() as u8;
        }
    }
    cells.into_iter().enumerate().filter(|(_, cells)| !cells.is_empty()).collect()
}

/// The outcome with this index.
pub fn outcome(index: u8) -> Option<Wdl> {
    Wdl::ALL.get(usize::from(index)).copied()
}

/// A position as bitboards, the form that engines use.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    colors: [u64; 2],
    roles: [u64; 6],
    turn: Color,
}

impl Board {
    /// The position in its material's orientation.
    #[inline]
    pub fn position(&self) -> cubebase::Result<Position> {
        Position::from_bitboards(self.colors, self.roles, None, self.turn, CastlingRights::NONE)
    }

    /// The board of a position, with the colours exchanged if `exchanges`.
    fn new(position: &Position, exchanges: bool) -> Self {
        let ([white, black], roles) = position.bitboards();
        let board = Board { colors: [white, black], roles, turn: position.turn() };
        if !exchanges {
            return board;
        }
        let [white, black] = board.colors.map(u64::swap_bytes);
        Board { colors: [black, white], roles: roles.map(u64::swap_bytes), turn: board.turn.other() }
    }

    /// Random legal positions of a material without en passant, either colour the stronger side; the same in every run.
    pub fn random(material: Material, count: usize) -> Vec<Self> {
        // `SplitMix`.
        let mut state = 1_u64;
        let mut below = |bound: u64| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let word = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((u128::from(word ^ word >> 31) * u128::from(bound)) >> 64) as u64
        };
        let mut boards = Vec::with_capacity(count);
        while boards.len() < count {
            let square = |man: &cubebase::Man| match man.role {
                Role::Pawn => Square::new(8 + below(48) as u8),
                _ => Square::new(below(64) as u8),
            };
            let squares: Vec<Square> = material.men().iter().map(square).collect();
            let mut position = Position::new(material, &squares, Color::BOTH[below(2) as usize], None);
            position.sort();
            if position.is_legal() {
                boards.push(Board::new(&position, below(2) == 1));
            }
        }
        boards
    }
}
