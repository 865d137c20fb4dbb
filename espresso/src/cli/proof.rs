//! `--proof`: the lower bound on the cubes and its proof. The oracle checks it first, unless that takes too many tests.

use super::progress::watch;
use espresso::minimize::{LowerBound, Report, Weighed};
use espresso::{ErrorKind, Function, Result, Space, check};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Prints on standard error the lower bound for a result of `cubes` cubes, and the minterms that prove it.
pub fn print(function: &Function, cubes: usize, report: &Report) -> Result<()> {
    let mut text = String::new();
    match (report.lower_bound, &report.proof) {
        (Some(lower), None) if report.exhausted => {
            text = verdict(cubes, lower) + "the budget was used up before this was proved\n";
        }
        (Some(lower), Some(proof)) => {
            let checked = watch(|monitor| check::lower_bound(function, proof, monitor));
            let proven = match checked {
                Err(error) if error.kind() == ErrorKind::Unsupported => None,
                checked => Some(checked?),
            };
            text = verdict(cubes, lower) + &proof_text(function.on.space(), proof, proven);
        }
        _ if report.exhausted => text.push_str("no lower bound was found within the budget\n"),
        _ => text.push_str("no lower bound: --proof needs --exact, and for type fr an ON-set of minterms\n"),
    }
    // A proof that cannot be written is no reason to fail.
    let _ = io::stderr().lock().write_all(text.as_bytes());
    Ok(())
}

fn verdict(cubes: usize, lower: usize) -> String {
    let what = if cubes == lower { "the minimum" } else { "perhaps not the minimum" };
    let plural = if cubes == 1 { "" } else { "s" };
    format!("{cubes} cube{plural}, {what}; no cover has fewer than {lower}\n")
}

fn proof_text(space: &Space, proof: &LowerBound, checked: Option<usize>) -> String {
    let proven = checked.unwrap_or(proof.by_weight());
    let how = if checked.is_some() { "checked" } else { "too many sets of them to check" };
    let mut text = if proof.is_independent_set() {
        format!("{proven} minterms no two of which are in one implicant, {how}:\n")
    } else {
        format!("minterms with weights of at most 1 in any implicant, which prove {proven} cubes, {how}:\n")
    };
    for (number, group) in proof.groups.iter().enumerate() {
        for Weighed { minterm, weight } in group {
            text += &check::minterm_row(space, minterm);
            if group.len() > 1 {
                let part = *weight as f64 / Weighed::WHOLE as f64;
                let _ = write!(text, " group {} weight {part:.7}", number + 1);
            }
            text.push('\n');
        }
    }
    if proven < proof.cubes {
        let _ = writeln!(
            text,
            "minterms that fewer than {} primes cannot cover, by branch and bound:",
            proof.cubes
        );
        for minterm in &proof.searched {
            text += &(check::minterm_row(space, minterm) + "\n");
        }
    }
    text
}
