//! From a PLA to its minimized and checked ON-set, in one call.

use super::memory::expect;
use super::{Options, Phased, Report, Step, minimize, minimize_outputs};
use crate::cube::pla::Phase;
use crate::{Cover, Error, ErrorKind, Function, Monitor, Pla, PlaType, Result, check};

/// The result of [`run`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Minimized {
    /// The minimized ON-set and the other wanted sets, with the names of the given PLA, and the phases of its outputs.
    pub pla: Pla,
    /// The function of the given PLA, in these phases.
    pub function: Function,
    /// For each output whether it is as in the given PLA: `false` if the minimization has complemented it.
    pub phases: Vec<bool>,
    /// The report on the minimization.
    pub report: Report,
    /// Whether the result was checked. It is not if the check was not wanted, or takes too long.
    pub is_checked: bool,
}

/// Minimizes the function of `pla`, and checks the result within the work limit [`Options::check`]. R is listed if that takes
/// bounded work. It is always listed if the result has R, if a step is [`Step::Exact`], and if there are no steps.
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
    let Options { ref steps, progress, sets, .. } = *options;
    let needs_off = steps.is_empty() || steps.contains(&Step::Exact) || sets.has_off();
    let make = if needs_off { Function::from_pla_with } else { Function::from_pla_without_off };
    let mut function = make(pla, progress)?;
    if sets.has_dc() {
        function = function.with_listed_dc()?;
    }
    expect(&function, steps)?;
    let Phased { cover, phases, report } = if options.renews_on {
        minimize_outputs(&Function { on: renewed(&function.on, progress)?, ..function.clone() }, options)?
    } else {
        minimize_outputs(&function, options)?
    };
    if phases.contains(&false) {
        function = function.in_phases(&phases)?;
    }
    let verdict = options.check.map(|work| check::made_of_pla(pla, &function, &cover, work, progress));
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
    let mut named = if pla.has_other_outputs() { pla.completed(&function) } else { pla.clone() };
    if phases.contains(&false) {
        // An output complemented twice is itself.
        let given = named.phase.take().map_or_else(|| vec![true; phases.len()], |phase| phase.outputs);
        let outputs = given.iter().zip(&phases).map(|(given, made)| given == made).collect();
        named.phase = Some(Phase { outputs, is_applied: true });
    }
    let off = match sets {
        // The cover may have minterms of D that are in R too, and D is not written.
        PlaType::Fr => function.blocking_on_with(progress)?,
        _ => function.off.clone(),
    };
    let pla = Pla { on: cover, dc: function.dc.clone(), off, kind: PlaType::Fdr, ..named }.only(sets);
    Ok(Minimized { pla, function, phases, report, is_checked })
}

/// A cover of the minterms of `on`, minimized quickly as a function without don't-cares.
///
/// # Errors
/// As [`Function::from_pla`] and [`minimize`].
pub fn renewed(on: &Cover, monitor: Monitor<'_>) -> Result<Cover> {
    let function = Function::from_pla_with(&Pla::from_cover(on.clone()), monitor)?;
    let steps = vec![Step::Compact, Step::Expand, Step::Irredundant];
    Ok(minimize(&function, &Options { steps, progress: monitor, ..Options::default() })?.0)
}
