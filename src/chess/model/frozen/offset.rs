//! Tables for variables that depend only on the offset between two men's squares, or on one man's square.
//!
//! Half of the tests in a probe read such variables. In `geometry`, all variables except `ep` are of this kind. A look-up
//! replaces the call of a formula. The processor mispredicts such calls, and a misprediction costs more than the formula.

use crate::chess::position::{MAX_MEN, PackedSquares};

/// A family whose variables depend on an offset: from the first man to the second, or from a1 to a single man.
#[derive(Clone, Copy, Debug)]
pub(in crate::chess::model) enum OffsetFamily {
    File,
    Rank,
    /// The larger of the file and the rank difference.
    Larger,
    Smaller,
    /// The larger less the smaller.
    Excess,
    /// The second man's file less the first's.
    Files,
    Ranks,
    /// The sum of the file and rank differences.
    Taxi,
}

const COUNT: usize = OffsetFamily::Taxi as usize + 1;
// In a variable's code, the number of the family takes the place of a man.
const _: () = assert!(COUNT <= MAX_MEN);

/// The value by family and offset. An offset is the difference of two men's [`Coordinates`] plus [`MIDDLE`].
static VALUES: [[u8; 256]; COUNT] = {
    use OffsetFamily::{Excess, File, Files, Larger, Rank, Ranks, Smaller, Taxi};
    let families = [File, Rank, Larger, Smaller, Excess, Files, Ranks, Taxi];
    let mut values = [[0; 256]; COUNT];
    let mut number = 0;
    while number < COUNT {
        let mut offset = 0;
        while offset < 15 << 4 {
            values[families[number] as usize][offset as usize] =
                families[number].value(offset % 16, offset / 16);
            offset += 1;
        }
        number += 1;
    }
    values
};

/// The offset of two equal squares: 7 files and 7 ranks keep every offset from being negative.
const MIDDLE: u8 = 0x77;

impl OffsetFamily {
    /// The three digits in the code of a variable of this family, where other codes have men: the number of the family, then the
    /// variable's two men, or its one man twice.
    pub(in crate::chess::model) fn digits(self, men: &[usize]) -> [usize; 3] {
        [self as usize, men[0], men[men.len() - 1]]
    }

    /// The value for an offset of `files - 7` files and `ranks - 7` ranks from the first man to the second.
    #[inline]
    pub(in crate::chess::model) const fn value(self, files: u8, ranks: u8) -> u8 {
        let (across, along) = (files.abs_diff(7), ranks.abs_diff(7));
        let (smaller, larger) = if across < along { (across, along) } else { (along, across) };
        match self {
            // From a1 no offset is negative.
            OffsetFamily::File => across,
            OffsetFamily::Rank => along,
            OffsetFamily::Larger => larger,
            OffsetFamily::Smaller => smaller,
            OffsetFamily::Excess => larger - smaller,
            OffsetFamily::Files => files,
            OffsetFamily::Ranks => ranks,
            OffsetFamily::Taxi => across + along,
        }
    }
}

/// The squares of all men, man n in byte n: file in bits 0 to 2, rank in bits 4 to 6. Bit 3 takes the sign of a file difference.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coordinates(u64);

impl Coordinates {
    #[inline]
    pub(crate) fn new(squares: PackedSquares) -> Self {
        let squares = squares.bytes();
        Coordinates(squares + (squares & 0x3838_3838_3838_3838))
    }

    #[inline]
    fn of(self, man: usize) -> u8 {
        (self.0 >> (8 * (man % MAX_MEN))) as u8
    }

    /// The value of the variable with these [`OffsetFamily::digits`].
    #[inline]
    pub(in crate::chess::model) fn value(self, [family, first, second]: [usize; 3]) -> u8 {
        let from = self.of(first) & u8::from(first != second).wrapping_neg();
        let offset = self.of(second).wrapping_sub(from).wrapping_add(MIDDLE);
        VALUES[family % COUNT][usize::from(offset)]
    }
}
