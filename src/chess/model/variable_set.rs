//! A model for one material: its variables and their formulas.
//!
//! A family has one variable for each man, pair or triple of men that it admits, or one for the material. A set is made once;
//! computing a variable then takes a look-up or a call of its formula.

use super::frozen::families::{BINARY, FORMULAS, MAX_FAMILIES, OFFSET};
#[cfg(any(feature = "build", feature = "explain"))]
use super::frozen::family::Family;
use super::frozen::family::{FormulaKind, MenNumbers};
use super::frozen::offset::Coordinates;
use super::frozen::view::View;
use super::frozen::{binary, families};
use super::{Model, Variable, man_names};
use crate::chess::position::{MAX_MEN, Material, PackedSquares, Position};
use alloc::borrow::ToOwned;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// A variable in 15 bits: the number of its family, and three men. A variable by offset has [`OFFSET`], the number of its
/// `OffsetFamily`, and two men. A prober keeps only this code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VariableCode(u16);

impl VariableCode {
    fn new(family: usize, men: MenNumbers) -> Self {
        VariableCode(men.into_iter().fold(family as u16, |code, man| code << 3 | man as u16))
    }

    /// The code as a number below 2^15.
    #[inline]
    pub(crate) fn number(self) -> u16 {
        self.0
    }

    /// The code with this number.
    #[inline]
    pub(crate) fn of_number(number: u16) -> Self {
        VariableCode(number)
    }

    /// The value of the variable for the position of `view`. The variable and the view are of the same set.
    #[inline]
    pub(crate) fn value(self, view: &View<'_>) -> u8 {
        // A branch costs less than a call, and half of the variables in a probe take it.
        if let Some(value) = self.value_by_offset(view.coordinates()) {
            return value;
        }
        FORMULAS[self.family() & (MAX_FAMILIES - 1)](view, self.men())
    }

    /// The value, if the variable depends only on an offset.
    #[inline]
    pub(crate) fn value_by_offset(self, coordinates: Coordinates) -> Option<u8> {
        (self.family() == OFFSET).then(|| coordinates.value(self.men()))
    }

    /// The number of the family, [`OFFSET`] or [`BINARY`].
    #[inline]
    pub(super) fn family(self) -> usize {
        usize::from(self.0) >> 9
    }

    /// The family; `None` for a variable of `binary`.
    #[cfg(any(feature = "build", feature = "explain"))]
    fn of_family(self) -> Option<&'static Family> {
        let mut families = families::of(Model::Attack).iter().copied().flatten();
        match self.family() {
            OFFSET => families.find(|family| match family.formula {
                FormulaKind::Offset(offset) => offset as usize == self.men()[0],
                _ => false,
            }),
            number => families.nth(number),
        }
    }

    #[inline]
    pub(super) fn men(self) -> MenNumbers {
        let code = usize::from(self.0);
        [code >> 6 & 7, code >> 3 & 7, code & 7]
    }
}

const _: () = assert!(MAX_FAMILIES == 64 && MAX_MEN == 8);

/// A model for the positions of one material. `Send` and `Sync`; a position is evaluated without allocating or locking.
///
/// # Example
/// ```
/// use cubebase::model::Model;
/// use cubebase::position::{Color, Position, Square};
/// # fn main() -> cubebase::error::Result<()> {
/// let plan = Model::Geometry.variable_set(&"KvK".parse()?);
/// let squares = ["c1", "e8"].map(|name| Square::parse(name).unwrap());
/// let view = plan.view(&Position::new(*plan.material(), &squares, Color::White, None));
/// let values: Vec<_> = (0..plan.variables().len())
///     .map(|variable| format!("{}={}", plan.variables()[variable].name, plan.value(&view, variable)))
///     .collect();
/// let expected = "file.wk=2 file.bk=4 rank.wk=0 rank.bk=7 larger.wk.bk=7 smaller.wk.bk=2 excess.wk.bk=5";
/// assert_eq!(values.join(" "), expected);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct VariableSet {
    model: Model,
    material: Material,
    variables: Arc<[Variable]>,
    codes: Arc<[VariableCode]>,
}

impl VariableSet {
    pub(super) fn new(model: Model, material: &Material) -> Self {
        let (mut variables, mut codes) = (Vec::new(), Vec::new());
        if model == Model::Binary {
            for (number, variable) in binary::variables(material).into_iter().enumerate() {
                variables.push(variable);
                codes.push(VariableCode::new(BINARY, [0, number / MAX_MEN, number % MAX_MEN]));
            }
        }
        let names = man_names(material);
        for (number, family) in families::of(model).iter().copied().flatten().enumerate() {
            for men in family.arity.men(material) {
                let mut name = family.name.to_owned();
                let mut of = MenNumbers::default();
                for (place, &man) in of.iter_mut().zip(&men) {
                    *place = man;
                    name.push('.');
                    name.push_str(&names[man]);
                }
                variables.push(Variable { name, values: usize::from(family.values) });
                codes.push(match family.formula {
                    FormulaKind::Formula(_) | FormulaKind::Squares(..) => VariableCode::new(number, of),
                    FormulaKind::Offset(offset) => VariableCode::new(OFFSET, offset.digits(&men)),
                });
            }
        }
        VariableSet { model, material: *material, variables: variables.into(), codes: codes.into() }
    }

    /// The model.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The number of values of each variable, in order.
    pub fn values(&self) -> Vec<u8> {
        self.variables.iter().map(|variable| variable.values as u8).collect()
    }

    /// The variables, in order: 1 to [`MAX_VARIABLES`](super::MAX_VARIABLES) of them.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// [`VariableSet::variables`], shared with this set and not copied.
    pub(crate) fn shared_variables(&self) -> Arc<[Variable]> {
        Arc::clone(&self.variables)
    }

    /// Returns the view of `position`, which must be of the set's material. The position is not canonicalized. Costs about as
    /// much as copying it.
    ///
    /// # Panics
    /// If the number of men differs. With different men the values are meaningless.
    #[allow(clippy::inline_always, reason = "made in its place, not copied there: it is hundreds of bytes")]
    #[inline(always)]
    pub fn view(&self, position: &Position) -> View<'_> {
        assert_eq!(position.material().len(), self.material.len(), "as many men as the set has");
        debug_assert_eq!(*position.material(), self.material, "a position of the set's material");
        self.view_of(position.packed(), position.en_passant())
    }

    /// As [`VariableSet::view`], for the men of the set's material on `squares`.
    #[allow(clippy::inline_always, reason = "made in its place, not copied there: it is hundreds of bytes")]
    #[inline(always)]
    pub(crate) fn view_of(&self, squares: PackedSquares, en_passant: Option<u8>) -> View<'_> {
        View::new(&self.material, squares, en_passant)
    }

    /// Returns the value of variable number `variable` alone. `view` must be of this set.
    ///
    /// # Panics
    /// If there is no such variable.
    #[inline]
    pub fn value(&self, view: &View<'_>, variable: usize) -> u8 {
        self.codes[variable].value(view)
    }

    /// The approximate time of variable number `variable` in nanoseconds.
    #[cfg(feature = "build")]
    pub(crate) fn nanoseconds(&self, variable: usize) -> u8 {
        self.codes[variable].of_family().map_or(binary::NANOSECONDS, |family| family.nanoseconds)
    }

    /// The family of variable number `variable` and its men. For a variable of `binary` this is the family `bit` and two numbers:
    /// of the man (the number of men for the en-passant file) and of the bit.
    #[cfg(feature = "explain")]
    pub(crate) fn family_and_men(&self, variable: usize) -> (&'static str, Vec<usize>) {
        let code = self.codes[variable];
        match code.of_family() {
            None => ("bit", binary::man_and_bit(code.men(), self.material.len()).into()),
            Some(family) => {
                // The code of a variable by offset has the number of its `OffsetFamily` before the men.
                let first = usize::from(code.family() == OFFSET);
                (family.name, code.men()[first..].iter().copied().take(family.arity.count()).collect())
            }
        }
    }

    /// The code of variable number `variable`.
    pub(crate) fn code(&self, variable: usize) -> VariableCode {
        self.codes[variable]
    }

    /// Writes the value of each variable for `position` to `values`. The position is not canonicalized. The values of an illegal
    /// position are meaningless, but in range if no two men share a square.
    ///
    /// # Panics
    /// If the length of `values` is not the number of variables, or the number of men differs.
    pub fn evaluate(&self, position: &Position, values: &mut [u8]) {
        assert_eq!(values.len(), self.codes.len(), "a value for each variable");
        let view = self.view(position);
        for (value, code) in values.iter_mut().zip(&*self.codes) {
            *value = code.value(&view);
        }
    }
}
