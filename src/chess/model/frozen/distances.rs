//! Distances: knight moves, the nearer of two men to a third, and the triangle of three men.

use super::super::block::OfSquares;
use super::family::{Arity, Family};
use super::measure::{SIGNED, difference, distance, hops};
use super::offset::OffsetFamily;
use crate::chess::position::{Role, Square};

pub(in crate::chess::model) const FAMILIES: [Family; 6] = [
    Family::new("hops", 7, 2, Arity::Ordered(|a, _| a.role == Role::Knight), |view, [n, b, _]| {
        hops(view.square(n), view.square(b))
    }),
    Family::of_squares::<Nearer>("nearer", SIGNED, 5, Arity::PairAndThird),
    Family::of_squares::<Detour>("detour", 15, 5, Arity::PairAndThird),
    Family::by_offset("taxi", 15, 2, Arity::Pair(|_, _| true), OffsetFamily::Taxi),
    Family::of_squares::<TaxiNearer>("taxi_nearer", SIGNED, 5, Arity::PairAndThird),
    Family::of_squares::<Area>("area", 16, 5, Arity::Three),
];

/// The sum of the file and rank differences.
#[inline]
fn taxi(a: Square, b: Square) -> u8 {
    a.file().abs_diff(b.file()) + a.rank().abs_diff(b.rank())
}

/// The distance of the first man to the third, less the distance of the second man to the third.
struct Nearer;

impl OfSquares for Nearer {
    #[inline]
    fn value(a: Square, b: Square, c: Square) -> u8 {
        difference(distance(a, c), distance(b, c))
    }
}

/// The length of the detour from the first man to the second through the third.
struct Detour;

impl OfSquares for Detour {
    #[inline]
    fn value(a: Square, b: Square, c: Square) -> u8 {
        (distance(a, c) + distance(b, c) - distance(a, b)).min(14)
    }
}

/// The taxi distance of the first man to the third, less the taxi distance of the second man to the third.
struct TaxiNearer;

impl OfSquares for TaxiNearer {
    #[inline]
    fn value(a: Square, b: Square, c: Square) -> u8 {
        difference(taxi(a, c), taxi(b, c))
    }
}

/// Twice the area of the triangle of three men, at most 15; 0 if they are on a line.
struct Area;

impl OfSquares for Area {
    #[inline]
    fn value(a: Square, b: Square, c: Square) -> u8 {
        let from_a = |at: Square| {
            let [file, rank, a_file, a_rank] = [at.file(), at.rank(), a.file(), a.rank()].map(i16::from);
            (file - a_file, rank - a_rank)
        };
        let (b, c) = (from_a(b), from_a(c));
        (b.0 * c.1 - b.1 * c.0).unsigned_abs().min(15) as u8
    }
}
