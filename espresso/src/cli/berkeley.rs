//! The messages of Berkeley's program on standard output, word for word, since scripts look for them.

use espresso::minimize::{Step, StepReport};
use espresso::{Cover, Function, Pla, Rest, Space, algebra, tautology};
use rayon::prelude::*;

/// The verdicts of `-Dverify` and `-DPLAverify`.
pub const EQUAL: &str = "PLA's compared equal";
pub const DIFFERENT: &str = "PLA comparison failed; the PLA's are not equivalent";

/// The result of `-Dtaut`.
pub fn tautology(is_tautology: bool) -> String {
    format!("ON-set is{}a tautology", if is_tautology { " " } else { " not " })
}

/// The four results of `-Dcheck`.
pub fn consistency(function: &Function) -> String {
    let Function { on, dc, off, rest } = function;
    let pair = |a: &Cover, b: &Cover, names: [&str; 2], both: [&str; 2]| {
        let meets = |cube: &[u64]| b.iter().any(|other| a.space().intersects(cube, other));
        if a.as_words().par_chunks_exact(a.space().words()).any(meets) {
            format!("Some minterm(s) belong to both the {} and {} !", both[0], both[1])
        } else {
            format!("{} and {} are disjoint", names[0], names[1])
        }
    };
    let mut all = on.clone();
    all.extend(dc);
    all.extend(off);
    let [on_set, dc_set, off_set] = ["ON-SET", "DC-SET", "OFF-SET"];
    let union = if *rest == Rest::Dc || tautology::is_tautology(&all) {
        "Union of ON-SET, OFF-SET and DC-SET is the universe"
    } else {
        "There are minterms left unspecified !"
    };
    [
        pair(on, dc, [on_set, dc_set], [on_set, dc_set]),
        pair(on, off, [on_set, off_set], [on_set, off_set]),
        pair(dc, off, [dc_set, off_set], [off_set, dc_set]),
        union.to_owned(),
    ]
    .join("\n")
}

/// The result of `-Dequiv`.
pub fn equivalent_outputs(pla: &Pla, found: &[algebra::Equivalence]) -> String {
    if found.is_empty() {
        return "# No outputs are equivalent".into();
    }
    let line = |&algebra::Equivalence { outputs: [a, b], is_complement }: &algebra::Equivalence| {
        let not = if is_complement { "NOT " } else { "" };
        let [first, second] = [a, b].map(|output| pla.output_name(output));
        format!("# Outputs {a} and {not}{b} ({first} and {second}) are equivalent")
    };
    found.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The sizes of a PLA with these sets, as read.
pub fn sizes(name: &str, [on, dc, off]: [&Cover; 3]) -> String {
    let space = on.space();
    let binary = space.binary_inputs();
    let shape = if space.inputs() == binary {
        format!("{binary} inputs and {} outputs", space.outputs())
    } else {
        let parts: Vec<String> =
            space.non_binary().iter().map(|variable| variable.parts.to_string()).collect();
        let parts = parts.join(" ");
        format!("{} variables ({binary} binary, mv sizes {parts})", space.variables().len())
    };
    let [on, dc, off] = [on, dc, off].map(|set| cost(set, set.len()));
    format!(
        "# PLA is {name} with {shape}\n# ON-set cost is  {on}\n# OFF-set cost is {off}\n# DC-set cost is  {dc}"
    )
}

/// The time of the command `what`, and the cost of its result.
pub fn trace(what: &str, seconds: f64, cover: &Cover) -> String {
    format!("# {what}\tTime was {seconds:.2} sec, cost is {}", cost(cover, 0))
}

/// The line of a step, with the cubes and literals after it.
pub fn step(done: &StepReport) -> String {
    let name = match done.step {
        Step::Compact => "COMPACT",
        Step::Expand => "EXPAND",
        Step::Essential => "ESSEN",
        Step::Irredundant => "IRRED",
        Step::Reduce => "REDUCE",
        Step::LastGasp => "GASP",
        Step::MakeSparse => "SPARSE",
        other => other.name(),
    };
    format!(
        "# {name:<11}\tTime was {:.2} sec, cost is c={} tot={}",
        done.seconds, done.cubes_out, done.literals
    )
}

/// The cost of a cover: cubes, cubes not known to be primes, and literals.
fn cost(cover: &Cover, not_prime: usize) -> String {
    let space = cover.space();
    let binary = space.binary_inputs();
    let [mut inputs, mut multi, mut outputs] = [0; 3];
    for cube in cover {
        for (v, variable) in space.variables().iter().enumerate() {
            let parts = Space::literal_len(variable, cube);
            if v < binary {
                inputs += 2 - parts;
            } else if v < space.inputs() {
                multi += parts;
            } else {
                outputs += parts;
            }
        }
    }
    let total = inputs + multi + outputs;
    let multi = if space.inputs() == binary { String::new() } else { format!(" mv={multi}") };
    format!("c={}({not_prime}) in={inputs}{multi} out={outputs} tot={total}", cover.len())
}
