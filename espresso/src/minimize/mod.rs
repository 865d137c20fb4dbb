//! Runs the steps in sequence, as the `espresso` program does.
//!
//! The loop is that of Brayton et al. 1984, figure 4.2.1: expand, irredundant and essential once; then reduce, expand and
//! irredundant until neither cubes nor literals fall; then a last gasp, and the loop again while that gains; at the end
//! make sparse (`classical_loop`). Departures: a compaction comes first, as in Gomboc and Shelton's paper. The steps can run in
//! any sequence. Effort is limited in work units. For functions with few enough minterms, the loop begins with F as it was
//! before the compaction, and ends when it gains slowly. Large neighbourhood searches follow, which gain more in the same time.
//! New bytes (see ARCHITECTURE.md): other limits or another sequence make another cover.

mod classical_loop;
mod effort;
mod function;
#[cfg(test)]
mod laws;
pub mod memory;
mod phase;
mod run;
mod session;
mod split_outputs;
mod strategy;
#[cfg(test)]
mod tests;

use crate::steps::budget::Budget;
use crate::{Cover, Error, ErrorKind, Function, Monitor, PlaType, Rest, Result, check};
use session::Session;
use split_outputs::MOST_OUTPUTS_SPLIT;

pub use crate::steps::step::Step;
pub use effort::{DEFAULT_EFFORT, EFFORTS};
pub use phase::{Outputs, Phased, minimize_outputs};
pub use run::{Minimized, renewed, run};
pub use strategy::{Blocking, Coverage, Strategy};

/// Work limit if R is not listed and no budget is given: words of cubes tested.
const MOST_WORDS_WITHOUT_OFF: u64 = 1 << 33;

/// The steps, effort and budget of a minimization.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The effort of the loop, one of [`EFFORTS`]; the step [`Step::Exact`] has no such limit.
    pub effort: u8,
    /// Whether the loop uses the super gasp in place of the last gasp.
    pub is_strong: bool,
    /// Limit on work units; a unit is one cube tested. The default is no limit, except for functions without a listed R
    /// ([`Function::rest`]): 2^33 words of cubes.
    pub budget: Option<u64>,
    /// Called now and then, from any thread; it can cancel.
    pub progress: Monitor<'a>,
    /// Whether a cancelled minimization ends like one whose budget is used up, with the best cover so far.
    pub best_if_cancelled: bool,
    /// For [`run`] and [`minimize_outputs`]: the outputs that are minimized together, and those that may be complemented.
    pub outputs: Outputs,
    /// For [`run`]: the sets that the result has.
    pub sets: PlaType,
    /// For [`run`]: whether F is replaced by a cover made from it alone before it is minimized.
    pub renews_on: bool,
    /// For [`run`]: the work limit of the check of the result; `None` for no check.
    pub check: Option<u64>,
}

impl Default for Options<'_> {
    /// Compaction and the loop, without a limit.
    fn default() -> Self {
        Options {
            steps: vec![Step::Compact, Step::Loop],
            effort: DEFAULT_EFFORT,
            is_strong: false,
            budget: None,
            progress: Monitor::default(),
            best_if_cancelled: false,
            outputs: Outputs::Together,
            sets: PlaType::F,
            renews_on: false,
            check: Some(check::SHORT),
        }
    }
}

/// The report on one executed step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize))]
#[non_exhaustive]
pub struct StepReport {
    /// The step.
    pub step: Step,
    /// Cubes of the cover before the step, including essential primes set aside.
    pub cubes_in: usize,
    /// Cubes of the cover after the step.
    pub cubes_out: usize,
    /// Literals of the cover after the step, counted as in [`Cover::literals`].
    pub literals: usize,
    /// The duration in seconds; zero in a browser, where the standard library has no clock.
    pub seconds: f64,
}

/// The report on a minimization.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The executed steps in order, those of the loop one by one.
    pub steps: Vec<StepReport>,
    /// Whether a step ended early because of the budget, or of the work limits for functions without a listed R.
    pub exhausted: bool,
    /// A lower bound on the cubes of every cover, if known. A result with as many cubes is a minimum.
    pub lower_bound: Option<usize>,
    /// The strategy of the steps; `None` if no step needed one.
    pub strategy: Option<Strategy>,
}

/// Minimizes `function` by the steps of `options`. Returns a cover C, with F - D inside C and C inside F + D, and a report.
///
/// The function must be consistent (see [`Function`]). F, D and R must cover the whole space, unless the rest is in D or R
/// ([`Function::rest`]). If it is in D, C does not meet R - D, each cube of F - D is inside one cube of C, D is never
/// computed, and [`Step::Essential`] does nothing. This suits functions given by minterms.
///
/// With [`Rest::Off`], the loop consists of the steps that do not need R: expand and irredundant and, for up to 256 outputs,
/// essential and reduce, at any effort. A query over the work limit leaves the cube unchanged, and there is a limit on all
/// work even without a budget.
///
/// When the budget is used up, the current step is given up. The result is then the best cover at the end of a step, by
/// cubes, then literals; or F itself if no step has ended. An exhausted budget is never an error. Deterministic for any
/// number of threads, with and without a budget.
///
/// # Errors
/// [`ErrorKind::Cancelled`] if the progress callback breaks, unless [`Options::best_if_cancelled`]; [`ErrorKind::Mismatch`] if
/// the three covers are over different spaces; [`ErrorKind::Unsupported`] if R - D does not fit into memory, or a step needs R
/// and R is not listed.
pub fn minimize(function: &Function, options: &Options<'_>) -> Result<(Cover, Report)> {
    if function.on.space() != function.dc.space() || function.on.space() != function.off.space() {
        return Err(Error::new(ErrorKind::Mismatch, "the ON-, DC- and OFF-set are over different spaces"));
    }
    let limit = options.budget.or(most_work(function));
    let budget = Budget::in_memory(limit, options.progress);
    let mut session = Session::new(function, &budget, options);
    let outcome = session.follow(&options.steps);
    let is_cut_short = budget.is_cut_short();
    let (whole, best, mut report) = session.finish();
    report.exhausted = is_cut_short;
    let keeps_best = |kind| match kind {
        ErrorKind::BudgetExhausted => true,
        ErrorKind::Cancelled => options.best_if_cancelled,
        _ => false,
    };
    match outcome {
        Err(error) if keeps_best(error.kind()) => {
            report.exhausted = true;
            Ok((best, report))
        }
        outcome => outcome.map(|()| (whole, report)),
    }
}

/// The work limit for this function if no budget is given.
fn most_work(function: &Function) -> Option<u64> {
    (function.rest == Rest::Off).then(|| MOST_WORDS_WITHOUT_OFF / function.on.space().words() as u64)
}

/// Whether `a` costs less than `b`; literals are counted only if the cubes are equal in number.
fn is_better(a: &Cover, b: &Cover) -> bool {
    a.len().cmp(&b.len()).then_with(|| a.literals().cmp(&b.literals())).is_lt()
}
