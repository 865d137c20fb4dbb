//! The table of primes, and all minimum covers.

use super::args::{Args, SummaryFormat};
use super::failure::Failure;
use super::input::Input;
use comfy_table::{Table, presets};
use espresso::algebra::PrimeTable;
use espresso::{Cover, Function, Monitor, Pla};
use serde::Serialize;

/// A prime of the table.
#[derive(Serialize)]
struct Prime {
    cube: String,
    is_essential: bool,
    minterms: Vec<OutputMinterms>,
}

/// The numbers of the minterms of one output; the first input is the highest digit.
#[derive(Serialize)]
struct OutputMinterms {
    output: String,
    numbers: Vec<usize>,
}

/// The table of the function of `input`, in the wanted format.
pub fn table(args: &Args, input: &Input) -> Result<String, Failure> {
    let (pla, table) = made(input, PrimeTable::new)?;
    let space = pla.space();
    let primes = (0..table.primes.len()).map(|prime| {
        let mut minterms: Vec<OutputMinterms> = Vec::new();
        for output in 0..space.outputs() {
            let is_here = |&minterm: &usize| {
                let mut outputs = table.minterms.view(minterm).outputs();
                outputs.any(|other| other == output) && table.rows[minterm].contains(&(prime as u32))
            };
            let number = |minterm: usize| {
                (0..space.inputs()).fold(0, |number, input| {
                    let digit = table.minterms.view(minterm).literal(input).parts().next();
                    number * space.variables()[input].parts + digit.unwrap_or(0)
                })
            };
            let mut numbers: Vec<usize> = (0..table.minterms.len()).filter(is_here).map(number).collect();
            numbers.sort_unstable();
            if !numbers.is_empty() {
                minterms.push(OutputMinterms { output: pla.output_name(output), numbers });
            }
        }
        Prime {
            cube: table.primes.view(prime).to_string(),
            is_essential: table.is_essential(prime),
            minterms,
        }
    });
    let primes: Vec<Prime> = primes.collect();
    if args.format == SummaryFormat::Json {
        return Ok(serde_json::to_string(&primes).expect("numbers and text are valid JSON"));
    }
    let mut text = Table::new();
    text.load_style(presets::NOTHING).set_header(["prime", "essential", "minterms"]);
    for prime in primes {
        let of_output = |minterms: &OutputMinterms| {
            let numbers: Vec<String> = minterms.numbers.iter().map(ToString::to_string).collect();
            let name = if space.outputs() == 1 { String::new() } else { format!("{}: ", minterms.output) };
            name + &numbers.join(" ")
        };
        let minterms: Vec<String> = prime.minterms.iter().map(of_output).collect();
        text.add_row([
            prime.cube,
            if prime.is_essential { "yes" } else { "" }.to_owned(),
            minterms.join("; "),
        ]);
    }
    Ok(text.trim_fmt())
}

/// Up to `most` minimum covers of the function of `input`.
pub fn minimum_covers(input: &Input, most: usize) -> Result<Vec<Pla>, Failure> {
    let (pla, covers) =
        made(input, |on, dc, monitor| PrimeTable::new(on, dc, monitor)?.minimum_covers(most, monitor))?;
    Ok(covers.into_iter().map(|on| Pla { on, ..pla.clone() }).collect())
}

/// The PLA of `input` with all its sets, and the result of `make` for F and D.
fn made<T>(
    input: &Input,
    make: impl FnOnce(&Cover, &Cover, Monitor<'_>) -> espresso::Result<T>,
) -> Result<(Pla, T), Failure> {
    let function: Function = input.function()?.with_listed_dc().map_err(Failure::of(&input.name))?;
    let made = input.watched(|monitor| make(&function.on, &function.dc, monitor))?;
    Ok((input.pla.completed(&function), made))
}
