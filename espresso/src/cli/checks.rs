//! Commands that print a result and no PLA.

use super::args::{Args, Command};
use super::berkeley;
use super::failure::Failure;
use super::input::Input;
use super::output::say;
use super::prime_table;
use super::summary::Summary;
use espresso::{PlaType, algebra, check, tautology};
use std::time::Instant;

/// Runs the command on its input; `second` is for commands that take two PLAs.
pub fn run(args: &Args, input: &Input, second: Option<&Input>, start: Instant) -> Result<(), Failure> {
    match (args.command(), second) {
        (Command::Verify, Some(second)) => verdict(args, input.check(second)),
        (Command::PlaVerify, Some(second)) => verdict(args, by_name(input, second)),
        (Command::Same, Some(second)) => {
            check::same_function(&input.function()?, &second.function()?)?;
            say("the two describe the same function")
        }
        (Command::Check, _) if args.is_berkeley => say(&berkeley::consistency(&input.unchecked_function()?)),
        (Command::Check, _) => consistency(input),
        (Command::Taut, _) => {
            let is_tautology = tautology::is_tautology(&input.given()?.on);
            let is = if is_tautology { "is" } else { "is not" };
            let ours = format!("the ON-set {is} a tautology");
            say(&if args.is_berkeley { berkeley::tautology(is_tautology) } else { ours })
        }
        (Command::Equiv, _) => {
            let function = input.function()?;
            let found = input.watched(|monitor| algebra::equivalent_outputs(&function.off, monitor))?;
            say(&berkeley::equivalent_outputs(&input.pla.completed(&function), &found))
        }
        (Command::PrimeTable, _) => say(&prime_table::table(args, input)?),
        (Command::Map, _) => {
            let maps = algebra::karnaugh_maps(&input.given()?.on).map_err(Failure::of(&input.name))?;
            say(maps.trim_end_matches('\n'))
        }
        _ if args.is_berkeley && args.wants_stats() => Ok(()),
        _ if args.is_berkeley => {
            let pla = input.given()?;
            say(&berkeley::sizes(&input.berkeley_name(), [&pla.on, &pla.dc, &pla.off]))
        }
        _ => {
            let summary = Summary::new(&input.pla, &input.name, start.elapsed().as_secs_f64());
            say(&summary.render(args.format))
        }
    }
}

/// Prints the verdict of a check that the second PLA is a result for the first.
fn verdict(args: &Args, checked: Result<(), Failure>) -> Result<(), Failure> {
    match checked {
        Ok(()) if args.is_berkeley => say(berkeley::EQUAL),
        Ok(()) => say("the ON-set of the second is right for the first"),
        Err(failure @ Failure::Mismatch(_)) if args.is_berkeley => {
            say(berkeley::DIFFERENT)?;
            Err(failure)
        }
        Err(failure) => Err(failure),
    }
}

/// Checks that the second PLA is a result for the first. Inputs, and outputs, are matched by name, or by position if neither has
/// names of them.
fn by_name(first: &Input, second: &Input) -> Result<(), Failure> {
    let is_named = |input: &Input| input.pla.input_labels.is_some() || input.pla.output_labels.is_some();
    if !is_named(first) && !is_named(second) {
        first.warn("neither PLA has names: columns are matched by position");
        return first.check(second);
    }
    let [first_pla, second_pla] = [first.given()?, second.given()?];
    if first_pla.space().outputs() > second_pla.space().outputs() {
        return Err(Failure::Mismatch("the first has outputs that the second lacks".to_owned()));
    }
    let arranged = first_pla.reordered_like(&second_pla);
    let arranged = arranged.map_err(|error| Failure::Mismatch(error.to_string()))?;
    first.with(arranged).check(&second.with(second_pla))
}

fn consistency(input: &Input) -> Result<(), Failure> {
    match input.inconsistency()? {
        // In types other than fdr, unspecified minterms belong to a set that the rows do not describe.
        Some(mismatch)
            if input.pla.kind == PlaType::Fdr || mismatch.fault() == check::Fault::Contradiction =>
        {
            Err(Failure::Mismatch(input.with_lines(&mismatch)))
        }
        _ => say("consistent"),
    }
}
