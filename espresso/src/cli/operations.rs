//! Commands that output a PLA without minimizing: the operations on covers.

use super::args::{Args, Command};
use super::failure::Failure;
use super::input::Input;
use espresso::minimize::renewed;
use espresso::{Cover, Monitor, Pla, PlaType, Result, algebra, compact};
use std::ops::Range;

/// Returns the PLA of the command, which is an operation on covers.
pub fn operate(args: &Args, input: &Input, second: Option<&Input>) -> std::result::Result<Pla, Failure> {
    use Command::{
        Contain, Disjoint, Dsharp, Essential, Intersect, Lexsort, Mapdc, Minterms, Primes, Separate, Sharp,
        Simplify, Union, Xor,
    };
    let command = args.command();
    let mut pla = match command {
        // These commands need the cubes of D, even if D is the rest, and the replaced outputs.
        Essential | Primes => {
            let function = input.function()?.with_listed_dc().map_err(Failure::of(&input.name))?;
            input.pla.completed(&function)
        }
        Separate | Xor => input.completed()?,
        _ => input.given()?,
    };
    let other = match second {
        Some(second) if command == Xor => Some(second.completed()?),
        Some(second) => Some(second.given()?),
        None => None,
    };
    if command == Mapdc && free_variable(&pla).is_none() {
        input.warn("no input is named DONT_CARE");
        return Ok(pla);
    }
    input.watched(|monitor| -> Result<()> {
        let on = &pla.on;
        pla.on = match (command, &other) {
            (Intersect, Some(other)) => algebra::intersect(on, &other.on, monitor)?,
            (Union, Some(other)) => algebra::union(on, &other.on, monitor)?,
            (Sharp, Some(other)) => algebra::sharp(on, &other.on, monitor)?,
            (Dsharp, Some(other)) => algebra::disjoint_sharp(on, &other.on, monitor)?,
            (Xor, Some(other)) => {
                let sides = [
                    algebra::intersect(on, &other.off, monitor)?,
                    algebra::intersect(&other.on, &pla.off, monitor)?,
                ];
                algebra::union(&sides[0], &sides[1], monitor)?
            }
            (Essential, _) => return without_essential(&mut pla, monitor),
            (Mapdc, _) => return map_free_variable(&mut pla, monitor),
            (Primes, _) => algebra::primes(on, &pla.dc, monitor)?,
            (Separate, _) => algebra::sharp(on, &pla.dc, monitor)?,
            (Contain, _) => algebra::contain(on, monitor)?,
            (Disjoint, _) => algebra::disjoint(on, monitor)?,
            (Lexsort, _) => algebra::lexical_sort(on),
            (Minterms, _) => algebra::minterms(on, range(args, on), monitor)?,
            (Simplify, _) => renewed(on, monitor)?,
            _ => merged(args, on, monitor)?,
        };
        Ok(())
    })?;
    if let (Simplify, Some(work)) = (command, args.check_work()) {
        input.check_same(&input.given()?.on, &pla.on, work)?;
    }
    Ok(pla)
}

/// The variables of `--range`. An invalid bound means the first or last variable, as in Berkeley's program.
fn range(args: &Args, cover: &Cover) -> Range<usize> {
    let variables = cover.space().variables().len();
    let (from, to) = args.range.unwrap_or((0, variables - 1));
    let from = if from < variables { from } else { 0 };
    let to = if to < variables { to } else { variables - 1 };
    from..(to + 1).max(from)
}

fn merged(args: &Args, on: &Cover, monitor: Monitor<'_>) -> Result<Cover> {
    let mut merged = on.clone();
    if args.command() == Command::MergeInputs {
        algebra::merge_variables(&mut merged, 0..on.space().binary_inputs());
    } else if args.range.is_some() {
        algebra::merge_variables(&mut merged, range(args, on));
    } else {
        compact::compact_with(&mut merged, monitor)?;
    }
    Ok(merged)
}

/// Moves the essential primes among the cubes of F to D.
fn without_essential(pla: &mut Pla, monitor: Monitor<'_>) -> Result<()> {
    let is_essential = algebra::essential_primes(&pla.on, &pla.dc, monitor)?;
    for (cube, _) in pla.on.clone().iter().zip(&is_essential).filter(|&(_, &is_essential)| is_essential) {
        pla.dc.push(cube);
    }
    pla.on.retain(|i, _| !is_essential[i]);
    Ok(())
}

/// The first input whose name begins with `DONT_CARE` or `DONTCARE`, in upper or lower case.
fn free_variable(pla: &Pla) -> Option<usize> {
    let begins = |name: &String| {
        let name = name.to_ascii_lowercase();
        name.starts_with("dont_care") || name.starts_with("dontcare")
    };
    pla.input_labels.as_ref()?.iter().position(begins)
}

/// Removes the input named `DONT_CARE`, if there is one, by [`algebra::free_variable`].
fn map_free_variable(pla: &mut Pla, monitor: Monitor<'_>) -> Result<()> {
    let Some(v) = free_variable(pla) else { return Ok(()) };
    let [on, dc] = algebra::free_variable(&pla.on, v, monitor)?;
    let off = Cover::new(on.space());
    if let Some(labels) = &mut pla.input_labels {
        labels.remove(v);
    }
    *pla = Pla { kind: PlaType::Fd, on, dc, off, ..pla.clone() };
    Ok(())
}
