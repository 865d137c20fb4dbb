//! A model for one material: which variables there are, and the formula of each.
//!
//! Variables come in families: one name, one number of parts, one formula, and the men that it is about. A family has a
//! variable for each man, pair or triple of men of the material that it admits, so that nothing is shown that cannot
//! vary. A plan is made once; afterwards a variable costs a call of its formula.

use super::view::View;
use super::{Model, Variable, binary, families, man_names};
use crate::position::{Man, Material, Position, Role};

/// The numbers of the men that a variable is about; those that its family does not ask for are 0.
pub(super) type Men = [usize; 3];

/// Computes the part of a variable.
pub(super) type Formula = fn(&View<'_>, Men) -> u8;

/// Which men a family has variables for, in the order of the variables: by the first man, then the second, then the
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
    /// Three different men, the first numbered below the second.
    Triple(fn(Man, Man, Man) -> bool),
    /// Any three men, numbered upwards.
    Three,
}

/// Variables of one kind.
#[derive(Clone, Copy)]
pub(super) struct Family {
    /// The name, to which a variable adds the names of its men.
    pub(super) name: &'static str,
    pub(super) parts: u8,
    pub(super) over: Over,
    /// Parts below `parts` for every position with the men on squares of their own, legal or not.
    pub(super) formula: Formula,
}

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
            plan.add_bits();
        }
        let names = man_names(material);
        for family in families::of(model).iter().flat_map(|group| group.iter()) {
            plan.add_family(family, &names);
        }
        plan
    }

    fn add_bits(&mut self) {
        for (number, variable) in binary::variables(&self.material).into_iter().enumerate() {
            self.variables.push(variable);
            self.formulas.push((binary::bit, [number, 0, 0]));
        }
    }

    fn add_family(&mut self, family: &Family, names: &[String]) {
        let men = self.material.men().to_vec();
        let mut add = |of: &[usize]| {
            let mut name = family.name.to_owned();
            let mut numbers = Men::default();
            for (place, &man) in numbers.iter_mut().zip(of) {
                *place = man;
                name.push('.');
                name.push_str(&names[man]);
            }
            self.variables.push(Variable { name, parts: usize::from(family.parts) });
            self.formulas.push((family.formula, numbers));
        };
        let all = 0..men.len();
        match family.over {
            Over::Table(admits) => {
                if admits(&self.material) {
                    add(&[]);
                }
            }
            Over::Man(admits) => all.filter(|&a| admits(men[a])).for_each(|a| add(&[a])),
            Over::Pair(admits) => pairs(men.len())
                .filter(|&(a, b)| a < b && admits(men[a], men[b]))
                .for_each(|(a, b)| add(&[a, b])),
            Over::Ordered(admits) => {
                pairs(men.len()).filter(|&(a, b)| admits(men[a], men[b])).for_each(|(a, b)| add(&[a, b]));
            }
            Over::Three => {
                for (a, b) in pairs(men.len()).filter(|(a, b)| a < b) {
                    (b + 1..men.len()).for_each(|c| add(&[a, b, c]));
                }
            }
            Over::Triple(admits) => {
                for (a, b) in pairs(men.len()).filter(|(a, b)| a < b) {
                    let third = all.clone().filter(|&c| c != a && c != b && admits(men[a], men[b], men[c]));
                    third.for_each(|c| add(&[a, b, c]));
                }
            }
        }
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
    #[allow(clippy::inline_always, reason = "made in its place, not copied there: it is half a kilobyte")]
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

/// Ordered pairs of different numbers below `len`, by the first, then the second.
fn pairs(len: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..len).flat_map(move |a| (0..len).filter(move |&b| b != a).map(move |b| (a, b)))
}

/// Admits every table, or every man.
pub(super) fn any<T>(_: T) -> bool {
    true
}

/// Whether a man is a pawn.
pub(super) fn is_pawn(man: Man) -> bool {
    man.role == Role::Pawn
}
