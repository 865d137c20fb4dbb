//! `functions DIR`: generates PLAs from formulas and a seed, for which no minimizer has been tuned.
//!
//! There are random covers of 10 to 150 inputs with don't-cares; functions with structure, as designers minimize them: adders,
//! multipliers, symmetric functions, S-boxes of eight inputs and state machines with multi-valued inputs; and PLAs of type fr:
//! few rows of very many inputs, and truth tables that lack a few rows.

use crate::random::Random;
use anyhow::{Context, Result};
use std::fmt::Write;
use std::path::PathBuf;

/// Generate PLAs from a seed, for comparisons on functions for which no minimizer has been tuned.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: cubebase-bench functions made --seed 7")]
pub struct Arguments {
    /// Directory for the PLAs, created if missing.
    directory: PathBuf,
    /// Seed of the random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of PLAs of each kind.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
}

/// A kind of functions: its name, and a generator from random numbers.
type Kind = (&'static str, fn(&mut Random) -> String);

const KINDS: [Kind; 9] = [
    ("random", random_cover),
    ("wide", wide_cover),
    ("adder", adder),
    ("multiplier", multiplier),
    ("symmetric", symmetric),
    ("sbox", substitution_box),
    ("machine", state_machine),
    ("wide-fr", wide_rows),
    ("table-fr", table_rows),
];
/// The number of kinds with consecutive seeds; the seeds of later kinds are 2^32 apart.
const FIRST: u64 = 7;

/// Runs the command. Always returns `true`.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let Arguments { directory, seed, count } = arguments;
    std::fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    for (number, (name, make)) in KINDS.iter().enumerate() {
        let number = number as u64;
        let stream = if number < FIRST { number } else { number << 32 };
        let mut random = Random(seed.wrapping_mul(FIRST).wrapping_add(stream));
        for i in 0..*count {
            let path = directory.join(format!("{name}{i:02}.pla"));
            std::fs::write(&path, make(&mut random))
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(true)
}

fn between(random: &mut Random, least: u64, most: u64) -> u64 {
    least + random.below(most - least + 1)
}

/// Cubes of 10 to 20 inputs; 5 to 60 percent of the cubes are don't-cares.
fn random_cover(random: &mut Random) -> String {
    let (inputs, outputs) = (between(random, 10, 20), between(random, 1, 6));
    let (cubes, free) = (between(random, 20, 120), between(random, 5, 60));
    let literals = between(random, 4, inputs.min(8));
    cover(random, [inputs, outputs, cubes, free, literals])
}

/// Fewer cubes of 30 to 150 inputs, with more literals.
fn wide_cover(random: &mut Random) -> String {
    let (inputs, outputs) = (between(random, 30, 150), between(random, 1, 4));
    let (cubes, free, literals) = (between(random, 6, 16), between(random, 5, 60), between(random, 4, 9));
    cover(random, [inputs, outputs, cubes, free, literals])
}

fn cover(random: &mut Random, [inputs, outputs, cubes, free, literals]: [u64; 5]) -> String {
    let mut text = format!(".i {inputs}\n.o {outputs}\n");
    for _ in 0..cubes {
        // The number of literals is approximate, since an input may be drawn twice.
        let mut row = vec!['-'; inputs as usize];
        for _ in 0..literals {
            row[random.below(inputs) as usize] = if random.below(2) == 0 { '0' } else { '1' };
        }
        let on = if random.below(100) < free { '-' } else { '1' };
        let outputs: String = (0..outputs).map(|_| if random.below(2) == 0 { on } else { '0' }).collect();
        text.extend(row);
        text.push(' ');
        text += &outputs;
        text.push('\n');
    }
    text + ".e\n"
}

/// The rows of a truth table of `inputs` inputs; `value` returns the values of all outputs as a number.
fn table(inputs: u64, outputs: u64, value: impl Fn(u64) -> u64) -> String {
    let mut text = format!(".i {inputs}\n.o {outputs}\n");
    let (width, wide) = (inputs as usize, outputs as usize);
    for point in 0..1 << inputs {
        let _ = writeln!(text, "{point:0width$b} {:0wide$b}", value(point));
    }
    text + ".e\n"
}

/// Some bits of the sum of two numbers of two to four bits each, and a carry.
fn adder(random: &mut Random) -> String {
    let (a, b, carry) = (between(random, 2, 4), between(random, 2, 4), random.below(2));
    let (outputs, low) = (a.max(b) + 1, (1 << a) - 1);
    let kept = 1 + random.below((1 << outputs) - 1);
    table(a + b + carry, outputs, |point| {
        ((point & low) + (point >> a & ((1 << b) - 1)) + (point >> (a + b))) & kept
    })
}

/// Some bits of the product of a number of two to four bits and one of three or four.
fn multiplier(random: &mut Random) -> String {
    let (a, b) = (between(random, 2, 4), between(random, 3, 4));
    let kept = 1 + random.below((1 << (a + b)) - 1);
    table(a + b, a + b, |point| ((point & ((1 << a) - 1)) * (point >> a)) & kept)
}

/// Outputs that depend on the number of ones among six to nine inputs.
fn symmetric(random: &mut Random) -> String {
    let (inputs, outputs) = (between(random, 6, 9), between(random, 1, 3));
    let values: Vec<u64> = (0..=inputs).map(|_| random.below(1 << outputs)).collect();
    table(inputs, outputs, |point| values[point.count_ones() as usize])
}

/// Some bits of a permutation of 256 values.
fn substitution_box(random: &mut Random) -> String {
    let outputs = between(random, 1, 8);
    let mut values: Vec<u64> = (0..256).collect();
    for i in (1..256).rev() {
        values.swap(i, random.below(i as u64 + 1) as usize);
    }
    table(8, outputs, |point| values[point as usize] >> (8 - outputs))
}

/// State machines: two to five inputs and a multi-valued state give the next state, an output for each state, and some other
/// outputs, which are don't-cares in some transitions.
fn state_machine(random: &mut Random) -> String {
    let (inputs, states, outputs) = (between(random, 2, 5), between(random, 3, 16), between(random, 1, 5));
    let free = between(random, 5, 60);
    let mut text = format!(".mv {} {inputs} {states} {}\n", inputs + 2, states + outputs);
    for state in 0..states {
        // The inputs that matter in this state.
        let seen = random.below(1 << inputs);
        for point in (0..1u64 << inputs).filter(|point| point & !seen == 0) {
            let row: String = (0..inputs)
                .map(|v| if seen >> v & 1 == 0 { '-' } else { char::from(b'0' + (point >> v & 1) as u8) })
                .collect();
            let next = random.below(states);
            let one_hot =
                |wanted: u64| (0..states).map(|s| if s == wanted { '1' } else { '0' }).collect::<String>();
            let is_free = random.below(100) < free;
            let ends: String = (0..outputs)
                .map(|_| if is_free { '-' } else { char::from(b'0' + random.below(2) as u8) })
                .collect();
            let _ = writeln!(text, "{row}|{}|{}{ends}", one_hot(state), one_hot(next));
        }
    }
    text + ".e\n"
}

/// Rows of type fr with 50 to 300 inputs, of which 10 to 60 percent are `-` in a row; no two rows intersect.
fn wide_rows(random: &mut Random) -> String {
    let (inputs, outputs, count) =
        (between(random, 50, 300), between(random, 1, 10), between(random, 100, 300));
    let free = between(random, 10, 60);
    let mut text = format!(".i {inputs}\n.o {outputs}\n.type fr\n");
    let mut rows: Vec<Vec<char>> = Vec::new();
    while (rows.len() as u64) < count {
        let mut input = || match random.below(100) {
            part if part < free => '-',
            _ => char::from(b'0' + random.below(2) as u8),
        };
        let row: Vec<char> = (0..inputs).map(|_| input()).collect();
        let is_apart =
            |other: &Vec<char>| row.iter().zip(other).any(|pair| matches!(pair, ('0', '1') | ('1', '0')));
        if rows.iter().all(is_apart) {
            let outputs: String = (0..outputs).map(|_| ['0', '1', '~'][random.below(3) as usize]).collect();
            let _ = writeln!(text, "{} {outputs}", row.iter().collect::<String>());
            rows.push(row);
        }
    }
    text + ".e\n"
}

/// Rows of type fr: a truth table of six to ten inputs without 1 to 10 percent of its rows.
fn table_rows(random: &mut Random) -> String {
    let (inputs, outputs) = (between(random, 6, 10), between(random, 1, 6));
    let (free, ones) = (between(random, 1, 10), between(random, 20, 80));
    let mut text = format!(".i {inputs}\n.o {outputs}\n.type fr\n");
    let wide = inputs as usize;
    for point in 0..1u64 << inputs {
        let values: String = (0..outputs).map(|_| if random.below(100) < ones { '1' } else { '0' }).collect();
        if random.below(100) >= free {
            let _ = writeln!(text, "{point:0wide$b} {values}");
        }
    }
    text + ".e\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use espresso::{Function, Pla};

    #[test]
    fn every_kind_is_read_and_follows_from_the_seed() {
        let make = |seed: u64| {
            KINDS.map(|(_, make)| (0..5).map(|i| make(&mut Random(seed + i))).collect::<Vec<_>>())
        };
        let made = make(3);
        assert_eq!(made, make(3));
        assert_ne!(made, make(40));
        for (kind, text) in
            made.iter().enumerate().flat_map(|(kind, texts)| texts.iter().map(move |t| (kind, t)))
        {
            let pla = Pla::parse(text).unwrap();
            assert!(!pla.on.is_empty() || !pla.dc.is_empty(), "{text}");
            // The complement of wide functions takes long without optimization.
            if kind != 1 {
                assert!(Function::from_pla(&pla).is_ok(), "{text}");
            }
        }
    }

    #[test]
    fn an_adder_adds() {
        let text = table(4, 3, |point| (point & 3) + (point >> 2));
        assert!(text.contains("\n1101 100\n") && text.contains("\n1111 110\n"));
    }
}
