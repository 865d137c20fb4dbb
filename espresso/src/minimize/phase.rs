//! Minimization of single outputs, and the choice of output phases: an output may be replaced by its complement if that
//! takes fewer cubes.
//!
//! A programmable array can often invert its outputs at no cost. For outputs minimized one by one, both phases can be tried.
//! For all outputs together, phases are chosen from a cover of all outputs in both phases, as in Sasao, *Input Variable
//! Assignment and Output Phase Optimization of PLA's* (1984): only those cubes stay that have some output in its chosen
//! phase. Departure: with few outputs all choices are tried; with many, the phases of one or two outputs are changed as
//! long as that helps.

use super::{Options, Report, minimize, most_work};
use crate::cube::outputs::with_outputs;
use crate::{Cover, Error, ErrorKind, Function, Rest, Result};

/// Up to this many outputs, all combinations of phases are tried.
const FEW_OUTPUTS: usize = 12;

/// The outputs that are minimized together, and those that may be replaced by their complements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outputs {
    /// All outputs together.
    #[default]
    Together,
    /// Each output by itself: a cube has one output.
    Each,
    /// Each output by itself, or its complement if that takes fewer cubes, then literals.
    EachInBestPhase,
    /// All outputs together, some of them complemented if that takes fewer cubes. The result never has more cubes than without
    /// complements.
    InBestPhases,
    /// All outputs together in each choice of complements, 2^n for n outputs. The result has the fewest cubes, then literals;
    /// among equal results, the result without complements is preferred.
    InAllPhases,
}

/// A cover with the phases of its outputs: `true` for an output itself, `false` for its complement.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Phased {
    /// The cover.
    pub cover: Cover,
    /// The phases.
    pub phases: Vec<bool>,
    /// The report on the minimization that gave the cover; for single outputs, on all minimizations together.
    /// [`Report::exhausted`] counts all minimizations, also those for other phases.
    pub report: Report,
}

impl Phased {
    /// Returns a cover whose outputs are not complemented.
    fn plain((cover, report): (Cover, Report)) -> Self {
        Phased { phases: vec![true; cover.space().outputs()], cover, report }
    }

    /// Takes the cover of `function` in other phases if it is better.
    fn try_phases(&mut self, function: &Function, phases: Vec<bool>, options: &Options<'_>) -> Result<()> {
        let (cover, report) = minimize(&function.in_phases(&phases)?, options)?;
        let exhausted = self.report.exhausted || report.exhausted;
        if super::is_better(&cover, &self.cover) {
            *self = Phased { cover, phases, report };
        }
        self.report.exhausted = exhausted;
        Ok(())
    }
}

impl Function {
    /// Returns the function with complements of the outputs for which `phases` is false: their F and R are exchanged.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] unless there is a phase for each output.
    pub fn in_phases(&self, phases: &[bool]) -> Result<Self> {
        if phases.len() != self.on.space().outputs() {
            return Err(Error::new(ErrorKind::Mismatch, "there must be one phase for each output"));
        }
        let chosen: Vec<(usize, bool)> = phases.iter().copied().enumerate().collect();
        outputs(self, &chosen)
    }
}

/// Minimizes `function`, with its outputs as [`Options::outputs`] says. Each minimization has the budget of `options`.
///
/// # Errors
/// As [`minimize`]; [`ErrorKind::Unsupported`] if outputs are to be complemented and R is not listed, if twice the number of
/// outputs does not fit into a space, and for all phases of more than twelve outputs.
pub fn minimize_outputs(function: &Function, options: &Options<'_>) -> Result<Phased> {
    match options.outputs {
        Outputs::Together => minimize(function, options).map(Phased::plain),
        Outputs::Each | Outputs::EachInBestPhase => minimize_each_output(function, options),
        Outputs::InBestPhases => minimize_phases(function, options),
        Outputs::InAllPhases => minimize_all_phases(function, options),
    }
}

fn minimize_each_output(function: &Function, options: &Options<'_>) -> Result<Phased> {
    let both = options.outputs == Outputs::EachInBestPhase;
    if both {
        expect_off(function)?;
    }
    let space = function.on.space();
    let (mut cover, mut phases) = (Cover::new(space), Vec::new());
    let mut report = Report { lower_bound: Some(0), ..Report::default() };
    // The work limit of one function is for all outputs together.
    let share = most_work(function).map(|most| most / space.outputs() as u64);
    let options = &Options { budget: options.budget.or(share), ..options.clone() };
    for output in 0..space.outputs() {
        let single = outputs(function, &[(output, true)])?;
        let (mut best, mut done) = minimize(&single, options)?;
        let mut phase = true;
        if both {
            let (other, complemented) = minimize(&outputs(function, &[(output, false)])?, options)?;
            // Either phase will do.
            let least =
                Option::zip(done.lower_bound, complemented.lower_bound).map(|(one, other)| one.min(other));
            done = Report { lower_bound: least, ..merged(done, complemented) };
            if super::is_better(&other, &best) {
                (best, phase) = (other, false);
            }
        }
        report = merged(report, done);
        phases.push(phase);
        for cube in &best {
            cover.push(&with_outputs(best.space(), space, cube, &[output]));
        }
    }
    Ok(Phased { cover, phases, report })
}

fn minimize_phases(function: &Function, options: &Options<'_>) -> Result<Phased> {
    expect_off(function)?;
    let count = function.on.space().outputs();
    let mut best = minimize(function, options).map(Phased::plain)?;
    let doubled: Vec<(usize, bool)> =
        [true, false].into_iter().flat_map(|p| (0..count).map(move |o| (o, p))).collect();
    let (all, report) = minimize(&outputs(function, &doubled)?, options)?;
    best.report.exhausted |= report.exhausted;
    let phases = choose(&all, count);
    if phases.contains(&false) {
        best.try_phases(function, phases, options)?;
    }
    Ok(best)
}

fn minimize_all_phases(function: &Function, options: &Options<'_>) -> Result<Phased> {
    expect_off(function)?;
    let count = function.on.space().outputs();
    if count > FEW_OUTPUTS {
        let why = format!(
            "all phases are tried of up to {FEW_OUTPUTS} outputs, and there are {count}: opo tries some"
        );
        return Err(Error::new(ErrorKind::Unsupported, why));
    }
    let mut best = minimize(function, options).map(Phased::plain)?;
    all_phases(count).skip(1).try_for_each(|phases| best.try_phases(function, phases, options))?;
    Ok(best)
}

/// All choices of phases, first the choice without complements.
fn all_phases(count: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1u32 << count).map(move |number| (0..count).map(|o| number >> o & 1 == 0).collect())
}

/// Fails if R is not listed: outputs then cannot be complemented.
fn expect_off(function: &Function) -> Result<()> {
    if function.rest == Rest::Off {
        let why = "the OFF-set has too many cubes, so no output can be complemented";
        return Err(Error::new(ErrorKind::Unsupported, why));
    }
    Ok(())
}

/// The report on two minimizations of different outputs.
fn merged(mut report: Report, done: Report) -> Report {
    report.steps.extend(done.steps);
    report.exhausted |= done.exhausted;
    report.lower_bound = Option::zip(report.lower_bound, done.lower_bound).map(|(one, other)| one + other);
    report.strategy = report.strategy.or(done.strategy);
    report
}

/// The function with the `wanted` outputs of `function` in this order, each as it is or complemented.
fn outputs(function: &Function, wanted: &[(usize, bool)]) -> Result<Function> {
    let Function { on, dc, off, rest } = function;
    let space = on.space();
    let new = space.resized(space.binary_inputs(), wanted.len())?;
    let pick = |from: &Cover, other: &Cover| {
        let mut picked = Cover::new(&new);
        for (cover, phase) in [(from, true), (other, false)] {
            for cube in cover {
                let is_kept = |&to: &usize| {
                    let (output, wanted) = wanted[to];
                    wanted == phase && space.get(cube, space.inputs(), output)
                };
                let outputs: Vec<usize> = (0..wanted.len()).filter(is_kept).collect();
                picked.push(&with_outputs(space, &new, cube, &outputs));
            }
        }
        picked.retain(|_, cube| !new.is_empty(cube));
        picked
    };
    Ok(Function { on: pick(on, off), off: pick(off, on), dc: pick(dc, dc), rest: *rest })
}

/// The phases that need the fewest cubes of `all`, a cover of all outputs followed by all their complements.
fn choose(all: &Cover, count: usize) -> Vec<bool> {
    let space = all.space();
    let needed = |phases: &[bool]| {
        let has = |cube: &[u64]| {
            (0..count).any(|o| space.get(cube, space.inputs(), if phases[o] { o } else { count + o }))
        };
        all.iter().filter(|cube| has(cube)).count()
    };
    let mut best = vec![true; count];
    let mut fewest = needed(&best);
    let mut consider = |phases: &[bool], best: &mut Vec<bool>| {
        let needed = needed(phases);
        let is_fewer = needed < fewest;
        if is_fewer {
            fewest = needed;
            best.copy_from_slice(phases);
        }
        is_fewer
    };
    if count <= FEW_OUTPUTS {
        all_phases(count).for_each(|phases| {
            consider(&phases, &mut best);
        });
        return best;
    }
    loop {
        let mut is_fewer = false;
        for (a, b) in (0..count).flat_map(|a| (a..count).map(move |b| (a, b))) {
            let mut phases = best.clone();
            phases[a] = !phases[a];
            if a != b {
                phases[b] = !phases[b];
            }
            is_fewer |= consider(&phases, &mut best);
        }
        if !is_fewer {
            return best;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, holds, points};
    use crate::{Pla, check};
    use proptest::prelude::*;

    #[test]
    fn an_output_that_is_seldom_off_is_complemented() {
        // The first output is off for one minterm only; the second is on for this minterm only.
        let pla = Pla::parse(".i 4\n.o 2\n1--- 10\n-1-- 10\n--1- 10\n---1 10\n0000 01\n").unwrap();
        let function = Function::from_pla(&pla).unwrap();
        for (outputs, cubes, phases) in [
            (Outputs::InBestPhases, 1, [false, true]),
            (Outputs::EachInBestPhase, 2, [false, true]),
            (Outputs::Each, 5, [true, true]),
        ] {
            let phased = minimize_outputs(&function, &Options { outputs, ..Options::default() }).unwrap();
            assert_eq!((phased.cover.len(), &phased.phases[..]), (cubes, &phases[..]));
        }
    }

    /// With many outputs, two phases are changed at once if neither change alone gains.
    #[test]
    fn pairs_of_outputs_change_phase_together() {
        let count = FEW_OUTPUTS + 1;
        let row = |outputs: &[usize]| {
            let text: String = (0..2 * count).map(|o| if outputs.contains(&o) { '1' } else { '0' }).collect();
            format!("- {text}\n")
        };
        // The first two cubes are needed unless both outputs change phase, the last one if either does.
        let rows = [row(&[0, 5]), row(&[0, 5]), row(&[count, count + 5])].concat();
        let all = Pla::parse(&format!(".i 1\n.o {}\n{rows}", 2 * count)).unwrap().on;
        let turned: Vec<usize> = (0..count).filter(|&o| !choose(&all, count)[o]).collect();
        assert_eq!(turned, [0, 5]);
    }

    #[test]
    fn the_report_covers_each_output() {
        // Parity, which takes all of the budget, and a constant, which does not.
        let rows = (0..64u32).map(|point| format!("{point:06b} {}0\n", point.count_ones() % 2));
        let pla = Pla::parse(&format!(".i 6\n.o 2\n------ 01\n{}", rows.collect::<String>())).unwrap();
        let options = Options { budget: Some(300), ..Options::default() };
        let report = |outputs: &[(usize, bool)]| {
            let function = Function::from_pla(&pla).unwrap();
            minimize_each_output(&super::outputs(&function, outputs).unwrap(), &options).unwrap().report
        };
        let [parity, constant, both] = [&[(0, true)][..], &[(1, true)], &[(0, true), (1, true)]].map(report);
        assert!(parity.exhausted && !constant.exhausted && both.exhausted);
        assert!(!constant.steps.is_empty());
        assert_eq!(both.steps.len(), parity.steps.len() + constant.steps.len());
    }

    /// The result is cut short if any of the minimizations is, whether or not its cover is the best.
    #[test]
    fn any_phase_may_be_cut_short() {
        let pla = Pla::parse(".i 4\n.o 1\n1--- 1\n-1-- 1\n--1- 1\n---1 1\n").unwrap();
        let function = Function::from_pla(&pla).unwrap();
        let mut differ = 0;
        for budget in (0..400).step_by(5) {
            let options = Options { budget: Some(budget), ..Options::default() };
            let is_short = [true, false]
                .map(|phase| minimize(&function.in_phases(&[phase]).unwrap(), &options).unwrap().1.exhausted);
            let phased = minimize_all_phases(&function, &options).unwrap();
            assert_eq!(phased.report.exhausted, is_short[0] || is_short[1], "{budget}");
            let both = outputs(&function, &[(0, true), (0, false)]).unwrap();
            let is_any_short = is_short[0] || minimize(&both, &options).unwrap().1.exhausted;
            assert!(
                minimize_phases(&function, &options).unwrap().report.exhausted >= is_any_short,
                "{budget}"
            );
            differ += u32::from(is_short[0] && !is_short[1]);
        }
        assert!(differ > 0);
    }

    proptest! {
        /// The cover is right for every output in its chosen phase.
        #[test]
        fn phases_are_right(function in testing::function(), choice in 0..4_usize) {
            let outputs = [Outputs::InBestPhases, Outputs::EachInBestPhase, Outputs::Each, Outputs::InAllPhases][choice];
            let minimum = |outputs| {
                minimize_outputs(&function, &Options { outputs, ..Options::default() }).unwrap()
            };
            let phased = minimum(outputs);
            prop_assert_eq!(check::result(&function.in_phases(&phased.phases).unwrap(), &phased.cover), Ok(()));
            prop_assert!(outputs != Outputs::Each || phased.phases.iter().all(|&phase| phase));
            // No output is complemented without gain.
            let is_single = matches!(outputs, Outputs::Each | Outputs::EachInBestPhase);
            let plain = minimum(if is_single { Outputs::Each } else { Outputs::Together }).cover;
            prop_assert_eq!(super::super::is_better(&phased.cover, &plain), phased.phases.contains(&false));
            if outputs == Outputs::InAllPhases {
                // No choice of phases has fewer cubes.
                for phases in all_phases(phased.phases.len()) {
                    let other = minimize(&function.in_phases(&phases).unwrap(), &Options::default()).unwrap().0;
                    prop_assert!(!super::super::is_better(&other, &phased.cover));
                }
            }
        }

        /// F and R of complemented outputs are exchanged; D stays.
        #[test]
        fn phases_exchange_on_and_off(
            [on, dc, off] in testing::covers([6, 3, 6]), bits in any::<u8>(), rest in prop::sample::select(&[Rest::Empty, Rest::Dc][..]),
        ) {
            let phases: Vec<bool> = (0..on.space().outputs()).map(|o| bits >> o & 1 == 1).collect();
            let function = Function { on, dc, off, rest };
            let turned = function.in_phases(&phases).unwrap();
            let space = function.on.space();
            for point in points(space) {
                let output = (0..phases.len()).find(|&o| space.get(&point, space.inputs(), o)).unwrap();
                let [f, d, r] = [&function.on, &function.dc, &function.off].map(|set| holds(set, &point));
                let expected = if phases[output] { [f, d, r] } else { [r, d, f] };
                prop_assert_eq!([&turned.on, &turned.dc, &turned.off].map(|set| holds(set, &point)), expected);
            }
            prop_assert_eq!(turned.rest, rest);
        }
    }
}
