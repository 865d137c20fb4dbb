//! Shared by all representations: the trait [`Answer`], and the outcomes of a table by the squares of its men.

use cubebase::chess::retrograde::Table;
use cubebase::{Color, Position, Wdl};

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

/// The value of a cell without a position; other values are [`Wdl::index`].
pub const DONT_CARE: u8 = 3;

/// The anchor of canonical positions: the black king, as in the exporter. With the white king diagrams are larger.
const LEAD: usize = 1;

/// The number of functions: one for each side to move and each en-passant file or none.
pub const FUNCTIONS: usize = 18;

pub const SQUARE_BITS: usize = 6;

/// The number of the function of a position: side to move by side to move, first without an en-passant file, then files a to h.
pub fn function(turn: Color, en_passant: Option<u8>) -> usize {
    turn.index() * 9 + en_passant.map_or(0, |file| usize::from(file) + 1)
}

/// The squares of the men, six bits each, the first man highest.
pub fn key(position: &Position) -> u64 {
    position.squares().iter().fold(0, |key, square| key << SQUARE_BITS | square.index() as u64)
}

#[inline]
pub fn canonical_key(position: &Position) -> (usize, u64) {
    let canonical = position.canonical(LEAD);
    (function(canonical.turn(), canonical.en_passant()), key(&canonical))
}

/// The cells of each function that has positions, by key. A cell has the outcome of a canonical position; others are don't-cares.
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

pub fn outcome(index: u8) -> Option<Wdl> {
    Wdl::ALL.get(usize::from(index)).copied()
}
