//! Families of variables. A family has a name, a number of values, a formula, and the men that it has variables for.

use super::super::block::{self, BlockFormula, OfSquares};
use super::offset::OffsetFamily;
use super::view::View;
use crate::chess::position::{Man, Material, Role};
use alloc::vec::Vec;

/// The numbers of the men that a variable is about; unused numbers are 0.
pub(in crate::chess::model) type MenNumbers = [usize; 3];

pub(in crate::chess::model) type Formula = fn(&View<'_>, MenNumbers) -> u8;

/// The men that a family has variables for. The variables are ordered by the first man, then the second, then the third.
#[derive(Clone, Copy)]
pub(in crate::chess::model) enum Arity {
    /// No man: one variable, if the material is admitted.
    Table(fn(&Material) -> bool),
    /// Each admitted man.
    Man(fn(Man) -> bool),
    /// Each admitted pair, the first man's number below the second's.
    Pair(fn(Man, Man) -> bool),
    /// Each admitted ordered pair of different men.
    Ordered(fn(Man, Man) -> bool),
    /// All triples of different men, the first man's number below the second's.
    PairAndThird,
    /// All triples of men with ascending numbers.
    Three,
}

impl Arity {
    /// The number of men of a variable.
    #[cfg(feature = "explain")]
    pub(in crate::chess::model) fn count(self) -> usize {
        match self {
            Arity::Table(_) => 0,
            Arity::Man(_) => 1,
            Arity::Pair(_) | Arity::Ordered(_) => 2,
            Arity::PairAndThird | Arity::Three => 3,
        }
    }

    pub(in crate::chess::model) fn men(self, material: &Material) -> Vec<Vec<usize>> {
        let men = material.men();
        let all = 0..men.len();
        let pairs = all.clone().flat_map(|a| all.clone().filter(move |&b| b != a).map(move |b| (a, b)));
        let upwards = pairs.clone().filter(|(a, b)| a < b);
        match self {
            Arity::Table(admits) => admits(material).then(Vec::new).into_iter().collect(),
            Arity::Man(admits) => all.filter(|&a| admits(men[a])).map(|a| vec![a]).collect(),
            Arity::Pair(admits) => {
                upwards.filter(|&(a, b)| admits(men[a], men[b])).map(|(a, b)| vec![a, b]).collect()
            }
            Arity::Ordered(admits) => {
                pairs.filter(|&(a, b)| admits(men[a], men[b])).map(|(a, b)| vec![a, b]).collect()
            }
            Arity::PairAndThird => upwards
                .flat_map(|(a, b)| all.clone().filter(move |&c| c != a && c != b).map(move |c| vec![a, b, c]))
                .collect(),
            Arity::Three => {
                upwards.flat_map(|(a, b)| (b + 1..men.len()).map(move |c| vec![a, b, c])).collect()
            }
        }
    }
}

/// Variables of one kind.
#[derive(Clone, Copy)]
pub(in crate::chess::model) struct Family {
    /// The name, to which a variable adds the names of its men.
    pub(in crate::chess::model) name: &'static str,
    pub(in crate::chess::model) values: u8,
    /// The measured average time of a variable that is computed alone, in nanoseconds. Only the proportions matter.
    #[cfg_attr(not(feature = "build"), allow(dead_code, reason = "only the growth of trees pays for time"))]
    pub(in crate::chess::model) nanoseconds: u8,
    pub(in crate::chess::model) arity: Arity,
    /// The formula. Its result is below `values` for every position with all men on different squares, legal or not.
    pub(in crate::chess::model) formula: FormulaKind,
}

/// The kinds of formulas.
#[derive(Clone, Copy)]
pub(in crate::chess::model) enum FormulaKind {
    Formula(Formula),
    Offset(OffsetFamily),
    /// One formula for a position and one for a block of positions.
    Squares(
        Formula,
        #[cfg_attr(not(feature = "build"), allow(dead_code, reason = "only making tables needs blocks"))]
        BlockFormula,
    ),
}

impl Family {
    pub(in crate::chess::model) const fn new(
        name: &'static str,
        values: u8,
        nanoseconds: u8,
        arity: Arity,
        formula: Formula,
    ) -> Self {
        Family { name, values, nanoseconds, arity, formula: FormulaKind::Formula(formula) }
    }

    pub(in crate::chess::model) const fn of_squares<F: OfSquares>(
        name: &'static str,
        values: u8,
        nanoseconds: u8,
        arity: Arity,
    ) -> Self {
        let formula = FormulaKind::Squares(block::value::<F>, block::values::<F>);
        Family { name, values, nanoseconds, arity, formula }
    }

    pub(in crate::chess::model) const fn by_offset(
        name: &'static str,
        values: u8,
        nanoseconds: u8,
        arity: Arity,
        offset: OffsetFamily,
    ) -> Self {
        Family { name, values, nanoseconds, arity, formula: FormulaKind::Offset(offset) }
    }
}

pub(in crate::chess::model) fn is_pawn(man: Man) -> bool {
    man.role == Role::Pawn
}

/// Whether two men are pawns of different colours.
pub(in crate::chess::model) fn are_rivals(a: Man, b: Man) -> bool {
    is_pawn(a) && is_pawn(b) && a.color != b.color
}
