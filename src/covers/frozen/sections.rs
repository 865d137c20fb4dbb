//! The sections of covers, and the rules that they must satisfy.

use super::clauses::Clauses;
use super::layout::Layout;
use crate::chess::position::{Color, Material, Wdl};
use crate::error::{Error, Result};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The greatest number of clauses in a section.
pub const MAX_CLAUSES: usize = 1 << 26;

/// The sides to move that a section applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turns {
    /// White to move.
    White,
    /// Black to move.
    Black,
    /// Either.
    Both,
}

impl Turns {
    /// Whether `turn` is among them.
    pub const fn contains(self, turn: Color) -> bool {
        matches!((self, turn), (Turns::Both, _) | (Turns::White, Color::White) | (Turns::Black, Color::Black))
    }
}

impl From<Color> for Turns {
    fn from(turn: Color) -> Self {
        match turn {
            Color::White => Turns::White,
            Color::Black => Turns::Black,
        }
    }
}

/// Clauses that state one outcome, for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The sides to move that it applies to.
    pub turns: Turns,
    /// The outcome of the positions in its clauses, for the side to move.
    pub outcome: Wdl,
    /// The clauses, over the model's variables.
    pub clauses: Clauses,
}

impl Section {
    /// Number of literals in the clauses, whose words follow `layout`. A variable that a clause leaves free is not a literal.
    pub fn literals(&self, layout: &Layout) -> usize {
        self.clauses.iter().map(|clause| layout.literals(clause).count()).sum()
    }
}

/// The covers of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Covers {
    /// The sections, in the order in which they decide.
    pub sections: Vec<Section>,
}

impl Covers {
    /// The sections that apply to `turn`, with their numbers, in the order in which they decide.
    pub fn sections_for(&self, turn: Color) -> impl Iterator<Item = (usize, &Section)> {
        self.sections.iter().enumerate().filter(move |(_, section)| section.turns.contains(turn))
    }

    /// Checks the rules of FORMAT.md for the covers of `material`, with clauses of `layout`.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) with the reason.
    pub(crate) fn check(&self, material: &Material, layout: &Layout) -> Result<()> {
        let turns = material.stored_turns();
        for (number, section) in self.sections.iter().enumerate() {
            self.fault(number, section, turns, layout)
                .map_or(Ok(()), |fault| Err(Error::corrupt(format!("section {number}: {fault}"))))?;
        }
        for &turn in turns {
            let mut outcomes: Vec<Wdl> =
                self.sections_for(turn).map(|(_, section)| section.outcome).collect();
            outcomes.dedup();
            let returns = (1..outcomes.len()).any(|i| outcomes[..i].contains(&outcomes[i]));
            Error::corrupt_unless(!returns, || {
                format!("{}: an outcome returns after another one", turn.name())
            })?;
        }
        Ok(())
    }

    /// The reason why section `number` breaks a rule, if it does.
    fn fault(&self, number: usize, section: &Section, turns: &[Color], layout: &Layout) -> Option<String> {
        let same = |other: &Section| (other.turns, other.outcome) == (section.turns, section.outcome);
        if section.turns != Turns::White && turns.len() < 2 {
            Some("it applies to a turn that is not stored".into())
        } else if self.sections[..number].iter().any(same) {
            Some("its turns and outcome repeat".into())
        } else if section.clauses.len() > MAX_CLAUSES {
            Some(format!("more than {MAX_CLAUSES} clauses"))
        } else {
            section.clauses.iter().find_map(|clause| layout.fault(clause))
        }
    }
}
