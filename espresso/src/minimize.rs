//! The order of the steps: what is run on a function, and what came of it.

use crate::compact::compact;
use crate::cover::Cover;
use crate::error::{Error, ErrorKind, Result};
use crate::function::Function;
use std::fmt;
use std::ops::ControlFlow;
use std::time::Instant;

/// One step of minimization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Distance-one merging of F, D and R.
    Compact,
    /// Cubes into primes.
    Expand,
    /// Essential primes set aside.
    Essential,
    /// Redundant cubes dropped.
    Irredundant,
    /// Cubes made as small as the others allow.
    Reduce,
    /// A last try at other primes.
    LastGasp,
    /// Fewer literals for the same cubes.
    MakeSparse,
    /// The whole loop.
    Loop,
}

impl Step {
    /// The steps that a list of names, separated by commas, stands for.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] for a name that is no step's.
    pub fn parse_list(text: &str) -> Result<Vec<Step>> {
        text.split(',')
            .map(|name| match name.trim() {
                "compact" => Ok(Step::Compact),
                "expand" => Ok(Step::Expand),
                "essential" => Ok(Step::Essential),
                "irredundant" => Ok(Step::Irredundant),
                "reduce" => Ok(Step::Reduce),
                "gasp" => Ok(Step::LastGasp),
                "sparse" => Ok(Step::MakeSparse),
                "loop" => Ok(Step::Loop),
                other => Err(Error::new(ErrorKind::Syntax, format!("`{other}` is no step"))),
            })
            .collect()
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Step::Compact => "compact",
            Step::Expand => "expand",
            Step::Essential => "essential",
            Step::Irredundant => "irredundant",
            Step::Reduce => "reduce",
            Step::LastGasp => "gasp",
            Step::MakeSparse => "sparse",
            Step::Loop => "loop",
        })
    }
}

/// Where a running minimization is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The step that runs.
    pub step: Step,
    /// Cubes of F.
    pub cubes: usize,
}

/// What [`Options::progress`] holds.
pub type Callback = Box<dyn Fn(&Progress) -> ControlFlow<()> + Send + Sync>;

/// What to run.
#[allow(missing_debug_implementations)]
pub struct Options {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// Units of work after which to stop.
    pub budget: Option<u64>,
    /// Called now and then; may stop the run.
    pub progress: Option<Callback>,
}

impl Default for Options {
    fn default() -> Self {
        Options { steps: vec![Step::Compact, Step::Loop], budget: None, progress: None }
    }
}

/// What a step did.
#[derive(Clone, Debug)]
pub struct StepReport {
    /// The step.
    pub step: Step,
    /// Cubes of F before.
    pub cubes_in: usize,
    /// Cubes of F after.
    pub cubes_out: usize,
    /// Literals of F after.
    pub literals: usize,
    /// Time taken.
    pub seconds: f64,
}

/// What a minimization did.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// One entry a step.
    pub steps: Vec<StepReport>,
}

/// Returns a cover of the function, by the steps of `options`.
///
/// # Errors
/// [`ErrorKind::Cancelled`] when the callback stops it.
pub fn minimize(function: &Function, options: &Options) -> Result<(Cover, Report)> {
    let mut on = function.on.clone();
    let mut report = Report::default();
    for &step in &options.steps {
        if let Some(callback) = &options.progress {
            if callback(&Progress { step, cubes: on.len() }).is_break() {
                return Err(Error::new(ErrorKind::Cancelled, "stopped"));
            }
        }
        let start = Instant::now();
        let cubes_in = on.len();
        if step == Step::Compact {
            compact(&mut on);
        }
        report.steps.push(StepReport {
            step,
            cubes_in,
            cubes_out: on.len(),
            literals: on.literals(),
            seconds: start.elapsed().as_secs_f64(),
        });
    }
    Ok((on, report))
}
