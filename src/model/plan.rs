//! A model for one material: which variables there are, and the formula of each.
//!
//! A family has a variable for each man, pair or triple of men of the material that it admits, so that nothing is shown
//! that cannot vary. A plan is made once; afterwards a variable costs a call of its formula.

use super::family::{Formula, Men};
use super::view::View;
use super::{Model, Variable, binary, families, man_names};
use crate::position::{Material, Position};

/// A model for the positions of one material. `Send` and `Sync`; a position is evaluated without allocating or locking.
///
/// # Example
/// ```
/// use cubebase::model::Model;
/// use cubebase::position::{Color, Position, Square};
/// # fn main() -> cubebase::error::Result<()> {
/// let plan = Model::Geometry.plan(&"KvK".parse()?);
/// let squares = ["c1", "e8"].map(|name| Square::parse(name).unwrap());
/// let view = plan.view(&Position::new(*plan.material(), &squares, Color::White, None));
/// let parts: Vec<_> = (0..plan.variables().len())
///     .map(|variable| format!("{}={}", plan.variables()[variable].name, plan.part(&view, variable)))
///     .collect();
/// let expected = "file.wk=2 file.bk=4 rank.wk=0 rank.bk=7 larger.wk.bk=7 smaller.wk.bk=2 excess.wk.bk=5";
/// assert_eq!(parts.join(" "), expected);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    model: Model,
    material: Material,
    variables: Vec<Variable>,
    formulas: Vec<(Formula, Men)>,
}

impl Plan {
    pub(super) fn new(model: Model, material: &Material) -> Self {
        let mut plan = Plan { model, material: *material, variables: Vec::new(), formulas: Vec::new() };
        if model == Model::Binary {
            for (number, variable) in binary::variables(material).into_iter().enumerate() {
                plan.variables.push(variable);
                plan.formulas.push((binary::bit, [number, 0, 0]));
            }
        }
        let names = man_names(material);
        for family in families::of(model).iter().copied().flatten() {
            for men in family.over.men(material) {
                let mut name = family.name.to_owned();
                let mut numbers = Men::default();
                for (place, &man) in numbers.iter_mut().zip(&men) {
                    *place = man;
                    name.push('.');
                    name.push_str(&names[man]);
                }
                plan.variables.push(Variable { name, parts: usize::from(family.parts) });
                plan.formulas.push((family.formula, numbers));
            }
        }
        plan
    }

    /// The model.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The variables, in order: 1 to [`MAX_VARIABLES`](super::MAX_VARIABLES) of them.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Returns `position`, which is of the plan's material, for its variables to be asked for. The position is taken as
    /// it stands: canonicalize it first. Costs about as much as copying it.
    ///
    /// # Panics
    /// When the position has more or fewer men; what the parts mean is undefined for other men.
    #[allow(clippy::inline_always, reason = "made in its place, not copied there: it is hundreds of bytes")]
    #[inline(always)]
    pub fn view(&self, position: &Position) -> View<'_> {
        assert_eq!(position.material().len(), self.material.len(), "as many men as the plan has");
        debug_assert_eq!(*position.material(), self.material, "a position of the plan's material");
        View::new(&self.material, position)
    }

    /// Returns the part of variable number `variable`, computing no other. `view` is of this plan.
    ///
    /// # Panics
    /// When there is no such variable.
    #[inline]
    pub fn part(&self, view: &View<'_>, variable: usize) -> u8 {
        let (formula, men) = self.formulas[variable];
        formula(view, men)
    }

    /// Writes the part of each variable for `position` into `parts`. The position is taken as it stands; what the parts
    /// of an illegal position mean is not defined, but they are in range when no two men share a square.
    ///
    /// # Panics
    /// When `parts` has not exactly one element for each variable, or the position more or fewer men.
    pub fn evaluate(&self, position: &Position, parts: &mut [u8]) {
        assert_eq!(parts.len(), self.formulas.len(), "a part for each variable");
        let view = self.view(position);
        for (part, (formula, men)) in parts.iter_mut().zip(&self.formulas) {
            *part = formula(&view, *men);
        }
    }
}
