//! From a PLA to its minimized and checked ON-set, in one call.

use super::memory::expect;
use super::{Options, Report, Step, minimize};
use crate::{Cover, Error, ErrorKind, Function, Pla, PlaType, Result, check};

/// The result of [`run`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Minimized {
    /// The minimized ON-set, as a PLA of type f with the names of the given one.
    pub pla: Pla,
    /// The function of the given PLA.
    pub function: Function,
    /// The report on the minimization.
    pub report: Report,
    /// Whether the result was checked. It is not if the check was not wanted, or takes too long.
    pub is_checked: bool,
}

/// Minimizes the function of `pla`, and checks the result within the work limit [`Options::check`]. R is computed if that is
/// possible in a bounded work, or if a step finds the minimum.
///
/// # Errors
/// As [`Function::from_pla`] and [`minimize`]; [`ErrorKind::Unsupported`] if the memory is not enough;
/// [`ErrorKind::Mismatch`] if the check finds the result wrong, which is a bug.
///
/// # Example
/// ```
/// use espresso::{Format, Pla};
/// let pla = Pla::parse_equations("f(a, b, c) = m(2, 3, 5, 7) + d(1);")?;
/// let minimized = espresso::run(&pla, &Default::default())?;
/// assert_eq!(minimized.pla.to_text(Format::Equations)?.trim_end(), "f = (!a&b) | (c);");
/// # Ok::<(), espresso::Error>(())
/// ```
pub fn run(pla: &Pla, options: &Options<'_>) -> Result<Minimized> {
    let function = if options.steps.contains(&Step::Exact) {
        Function::from_pla_with(pla, options.progress)?
    } else {
        Function::from_pla_without_off(pla, options.progress)?
    };
    expect(&function, &options.steps)?;
    let (cover, report) = minimize(&function, options)?;
    let verdict =
        options.check.map(|work| check::made_of_pla(pla, &function, &cover, work, options.progress));
    let is_checked = match verdict.transpose() {
        Ok(verdict) => match verdict.flatten() {
            Some(Err(mismatch)) => {
                let message = format!("the result is wrong, which is a bug: {mismatch}");
                return Err(Error::new(ErrorKind::Mismatch, message));
            }
            verdict => verdict.is_some(),
        },
        Err(error) if error.kind() == ErrorKind::Cancelled && options.best_if_cancelled => false,
        Err(error) => return Err(error),
    };
    let named = if pla.has_other_outputs() { pla.completed(&function) } else { pla.clone() };
    let none = Cover::new(cover.space());
    let pla = Pla { on: cover, dc: none.clone(), off: none, kind: PlaType::F, ..named };
    Ok(Minimized { pla, function, report, is_checked })
}
