//! Families of variables: one name, one number of parts, one way to find the part, and the men that it is about.

use super::block::{self, BlockFormula, OfSquares};
use super::offset::OffsetFamily;
use super::view::View;
use crate::position::{Man, Material, Role};
use alloc::vec;
use alloc::vec::Vec;

/// The numbers of the men that a variable is about; those that its family does not ask for are 0.
pub(super) type Men = [usize; 3];

pub(super) type Formula = fn(&View<'_>, Men) -> u8;

/// The men that a family has variables for, in the order of the variables: by the first man, then the second, then the
/// third.
#[derive(Clone, Copy)]
pub(super) enum Over {
    /// One variable for tables of this kind.
    Table(fn(&Material) -> bool),
    /// Each man of this kind.
    Man(fn(Man) -> bool),
    /// Two men, the first numbered below the second.
    Pair(fn(Man, Man) -> bool),
    /// Two different men, each in each place.
    Ordered(fn(Man, Man) -> bool),
    /// Any three different men, the first numbered below the second.
    PairAndThird,
    /// Any three men, numbered upwards.
    Three,
}

impl Over {
    pub(super) fn men(self, material: &Material) -> Vec<Vec<usize>> {
        let men = material.men();
        let all = 0..men.len();
        let pairs = all.clone().flat_map(|a| all.clone().filter(move |&b| b != a).map(move |b| (a, b)));
        let upwards = pairs.clone().filter(|(a, b)| a < b);
        match self {
            Over::Table(admits) => admits(material).then(Vec::new).into_iter().collect(),
            Over::Man(admits) => all.filter(|&a| admits(men[a])).map(|a| vec![a]).collect(),
            Over::Pair(admits) => {
                upwards.filter(|&(a, b)| admits(men[a], men[b])).map(|(a, b)| vec![a, b]).collect()
            }
            Over::Ordered(admits) => {
                pairs.filter(|&(a, b)| admits(men[a], men[b])).map(|(a, b)| vec![a, b]).collect()
            }
            Over::PairAndThird => upwards
                .flat_map(|(a, b)| all.clone().filter(move |&c| c != a && c != b).map(move |c| vec![a, b, c]))
                .collect(),
            Over::Three => {
                upwards.flat_map(|(a, b)| (b + 1..men.len()).map(move |c| vec![a, b, c])).collect()
            }
        }
    }
}

/// Variables of one kind.
#[derive(Clone, Copy)]
pub(super) struct Family {
    /// The name, to which a variable adds the names of its men.
    pub(super) name: &'static str,
    pub(super) parts: u8,
    /// Nanoseconds that a variable takes on average when nothing it shares with others is known, as measured once: what
    /// matters is which take longer than which.
    pub(super) nanoseconds: u8,
    pub(super) over: Over,
    /// The formula. It gives a part below `parts` for every position with each man on a square of its own, legal or not.
    pub(super) parts_by: PartsBy,
}

/// How the part of a variable is found.
#[derive(Clone, Copy)]
pub(super) enum PartsBy {
    Formula(Formula),
    Offset(OffsetFamily),
    /// For one position and for a block of them.
    Squares(
        Formula,
        #[cfg_attr(
            not(feature = "build"),
            allow(dead_code, reason = "only those who make tables have blocks")
        )]
        BlockFormula,
    ),
}

impl Family {
    pub(super) const fn new(
        name: &'static str,
        parts: u8,
        nanoseconds: u8,
        over: Over,
        formula: Formula,
    ) -> Self {
        Family { name, parts, nanoseconds, over, parts_by: PartsBy::Formula(formula) }
    }

    pub(super) const fn of_squares<F: OfSquares>(
        name: &'static str,
        parts: u8,
        nanoseconds: u8,
        over: Over,
    ) -> Self {
        let parts_by = PartsBy::Squares(block::part::<F>, block::parts::<F>);
        Family { name, parts, nanoseconds, over, parts_by }
    }

    pub(super) const fn by_offset(
        name: &'static str,
        parts: u8,
        nanoseconds: u8,
        over: Over,
        offset: OffsetFamily,
    ) -> Self {
        Family { name, parts, nanoseconds, over, parts_by: PartsBy::Offset(offset) }
    }
}

pub(super) fn is_pawn(man: Man) -> bool {
    man.role == Role::Pawn
}

/// Whether two men are pawns of different colours.
pub(super) fn are_rivals(a: Man, b: Man) -> bool {
    is_pawn(a) && is_pawn(b) && a.color != b.color
}
