//! The layout of a cube: the side to move, the model's variables and the outcomes.

use crate::chess::model::Model;
use crate::chess::position::{Color, Material, Wdl};
use crate::error::{Error, Result};
use espresso::Space;

/// The outputs of an exported function, in the paper's order.
pub const OUTPUTS: [Wdl; 3] = [Wdl::Win, Wdl::Draw, Wdl::Loss];

/// The space of a function over a model's variables, and the map from the model's variables to the space's.
///
/// The side to move is the first input, 1 for Black. Binary variables come first in a [`Space`]; the multi-valued variables of a
/// model are moved behind them.
#[derive(Clone, Debug)]
pub struct Columns {
    space: Space,
    variables: Vec<usize>,
}

impl Columns {
    /// Returns the columns of `model` for `material`, with [`OUTPUTS`].
    ///
    /// # Errors
    /// Those of [`Space::new`].
    pub fn new(model: Model, material: &Material) -> Result<Self> {
        let parts: Vec<usize> = model.variables(material).iter().map(|variable| variable.values).collect();
        let binary = parts.iter().filter(|&&parts| parts == 2).count() + 1;
        let multi: Vec<usize> = parts.iter().copied().filter(|&parts| parts != 2).collect();
        let space = Space::new(binary, &multi, OUTPUTS.len()).map_err(Error::from)?;
        let (mut next_binary, mut next_multi) = (1, binary);
        let variables = parts
            .iter()
            .map(|&parts| {
                let next = if parts == 2 { &mut next_binary } else { &mut next_multi };
                *next += 1;
                *next - 1
            })
            .collect();
        Ok(Columns { space, variables })
    }

    /// The space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The variable of the space for each variable of the model.
    pub fn variables(&self) -> &[usize] {
        &self.variables
    }

    /// Makes the literal of the model's `variable` allow only `part`.
    pub(super) fn fix(&self, cube: &mut [u64], variable: usize, part: usize) {
        self.fix_input(cube, self.variables[variable], part);
    }

    /// Makes the literal of the side to move allow only `turn`.
    pub(super) fn fix_turn(&self, cube: &mut [u64], turn: Color) {
        self.fix_input(cube, 0, turn.index());
    }

    fn fix_input(&self, cube: &mut [u64], input: usize, part: usize) {
        for slot in &self.space.variables()[input].slots {
            cube[slot.word] &= !slot.mask;
        }
        self.space.set(cube, input, part);
    }

    /// Appends the minterm of `turn` and the model's `parts` to `words`, with no output set.
    pub(super) fn push_minterm(&self, words: &mut Vec<u64>, turn: Color, parts: &[u8]) {
        let start = words.len();
        words.resize(start + self.space.words(), 0);
        let cube = &mut words[start..];
        self.space.set(cube, 0, turn.index());
        for (&variable, &part) in self.variables.iter().zip(parts) {
            self.space.set(cube, variable, part as usize);
        }
    }
}
