//! Variables that depend only on the difference of two men's squares, or on one man's square: read from tables.
//!
//! The processor cannot predict the family of the next test, so that a call of its formula costs a prober more than the formula.
//! Half of all tests met, and nearly all of `geometry`, are of these families: one look-up serves them all.

use crate::position::{MAX_MEN, PackedSquares};

/// A family of variables of this kind. Of one man the differences are those from a1.
#[derive(Clone, Copy, Debug)]
pub(super) enum OffsetFamily {
    File,
    Rank,
    /// The larger of the file and the rank difference.
    Larger,
    Smaller,
    /// The larger less the smaller.
    Excess,
    /// How much more the second man's file is than the first's.
    Files,
    Ranks,
    /// File and rank difference together.
    Taxi,
}

const COUNT: usize = OffsetFamily::Taxi as usize + 1;
// The number of one stands in place of a man's.
const _: () = assert!(COUNT <= MAX_MEN);

/// By family and by an offset, [`Coordinates`] of one man less those of another plus [`MIDDLE`]: the part.
static PARTS: [[u8; 256]; COUNT] = {
    use OffsetFamily::{Excess, File, Files, Larger, Rank, Ranks, Smaller, Taxi};
    let families = [File, Rank, Larger, Smaller, Excess, Files, Ranks, Taxi];
    let mut parts = [[0; 256]; COUNT];
    let mut number = 0;
    while number < COUNT {
        let mut offset = 0;
        while offset < 15 << 4 {
            parts[families[number] as usize][offset as usize] =
                families[number].part(offset % 16, offset / 16);
            offset += 1;
        }
        number += 1;
    }
    parts
};

/// 7 files and 7 ranks, so that no offset is negative.
const MIDDLE: u8 = 0x77;

impl OffsetFamily {
    /// The digits in place of three men for a variable of this family about one man or two: the number of the family and
    /// two men, the same man twice where it is about one.
    pub(super) fn digits(self, men: &[usize]) -> [usize; 3] {
        [self as usize, men[0], men[men.len() - 1]]
    }

    /// The part of a variable when the second man stands so many files and ranks beyond the first, each plus 7.
    #[inline]
    pub(super) const fn part(self, files: u8, ranks: u8) -> u8 {
        let (across, along) = (files.abs_diff(7), ranks.abs_diff(7));
        let (smaller, larger) = if across < along { (across, along) } else { (along, across) };
        match self {
            // No file or rank is below that of a1.
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

/// The squares of all men with room for a sign between file and rank: of man n in byte n.
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

    /// The part of a variable of [`OffsetFamily::digits`].
    #[inline]
    pub(super) fn part(self, [family, first, second]: [usize; 3]) -> u8 {
        let from = self.of(first) & u8::from(first != second).wrapping_neg();
        let offset = self.of(second).wrapping_sub(from).wrapping_add(MIDDLE);
        PARTS[family % COUNT][usize::from(offset)]
    }
}
