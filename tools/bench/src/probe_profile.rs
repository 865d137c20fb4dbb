//! The time of a probe by parts: the variables on its path, and the time to compute them, by family.

use crate::bitboards::Bitboards;
use anyhow::{Context, Result, ensure};
use cubebase::explain::{Decision, Literal};
use cubebase::model::VariableSet;
use cubebase::{Material, Model, Position, Tables};
use std::collections::BTreeMap;
use std::fmt;
use std::hint::black_box;
use std::time::Instant;

/// Limit on the positions measured.
const LOOKED_AT: usize = 100_000;

/// Passes over the positions; the quickest counts.
const PASSES: usize = 5;

/// The average cost of a probe by parts.
pub struct ProbeProfile {
    /// Nanoseconds of a probe; and of two parts measured separately: the canonical form, and the variables of a path.
    probe: f64,
    canonical: f64,
    variables: f64,
    exceptions: f64,
    families: Vec<FamilyTime>,
}

struct FamilyTime {
    name: String,
    /// Variables of the family on the path of a probe.
    met: f64,
    /// Nanoseconds to compute one alone in a new view.
    nanoseconds: f64,
}

/// The path of one position.
struct Path<'a> {
    position: Position,
    lead: usize,
    canonical: Position,
    plan: &'a VariableSet,
    variables: Vec<usize>,
}

impl ProbeProfile {
    /// Measures the first of `boards`, of which only those with a tree count; `probe` probes one.
    pub fn measure(
        tables: &Tables,
        boards: &[Bitboards],
        probe: impl Fn(&Bitboards) -> bool,
    ) -> Result<Self> {
        let boards = &boards[..boards.len().min(LOOKED_AT)];
        // `attack` has all variables of the other models with families, under the same names.
        let mut plans = BTreeMap::<String, VariableSet>::new();
        for material in tables.materials() {
            plans.insert(material.to_string(), Model::Attack.variable_set(&material));
        }
        let (mut paths, mut exceptions) = (Vec::with_capacity(boards.len()), 0);
        for board in boards {
            let position = board.position()?;
            let explanation = tables.explain(&position)?;
            if let Decision::Leaf { exception, .. } = explanation.decision {
                exceptions += usize::from(exception);
                let plan = plan(&plans, position.material())?;
                paths.push(Path {
                    lead: explanation.anchor,
                    canonical: explanation.canonical,
                    variables: variables(plan, &explanation.literals),
                    plan,
                    position,
                });
            }
        }
        ensure!(!paths.is_empty(), "no table of trees");
        let views = |path: &Path<'_>| {
            black_box(&path.plan.view(black_box(&path.canonical)));
        };
        let all = |path: &Path<'_>| {
            let view = path.plan.view(black_box(&path.canonical));
            let view = black_box(&view);
            path.variables.iter().for_each(|&variable| _ = black_box(path.plan.value(view, variable)));
        };
        let [view, variables] = each(&paths, [&views, &all]);
        let mut by_family = BTreeMap::<&str, Vec<(&Path<'_>, usize)>>::new();
        for path in &paths {
            for &variable in &path.variables {
                let name = &path.plan.variables()[variable].name;
                by_family.entry(family(name)).or_default().push((path, variable));
            }
        }
        let mut families = Vec::new();
        for (name, met) in by_family {
            let one = |&(path, variable): &(&Path<'_>, usize)| {
                let view = path.plan.view(black_box(&path.canonical));
                black_box(path.plan.value(black_box(&view), variable));
            };
            let [alone, both] = each(&met, [&|&(path, _)| views(path), &one]);
            families.push(FamilyTime {
                name: name.to_owned(),
                met: met.len() as f64 / paths.len() as f64,
                nanoseconds: (both - alone).max(0.0),
            });
        }
        families.sort_by(|a: &FamilyTime, b| b.met.total_cmp(&a.met));
        let [probe] = each(boards, [&|board| _ = black_box(probe(black_box(board)))]);
        let form = |path: &Path<'_>| _ = black_box(black_box(&path.position).canonical(path.lead));
        let [canonical] = each(&paths, [&form]);
        Ok(ProbeProfile {
            probe,
            canonical,
            variables: (variables - view).max(0.0),
            exceptions: exceptions as f64 / paths.len() as f64,
            families,
        })
    }
}

impl fmt::Display for ProbeProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ProbeProfile { probe, canonical, variables, exceptions, families } = self;
        let all: f64 = families.iter().map(|family| family.met).sum();
        write!(
            f,
            "of {probe:.0} ns a probe canonical form takes {canonical:.0} and the variables {variables:.0}, as far as \
             steps can be told apart; {all:.2} variables are met and {exceptions:.4} of all positions are exceptions; \
             by family, how many and ns each:"
        )?;
        for (number, FamilyTime { name, met, nanoseconds }) in families.iter().enumerate() {
            let comma = if number > 0 { "," } else { "" };
            write!(f, "{comma} {name} {met:.3} {nanoseconds:.0}")?;
        }
        Ok(())
    }
}

fn plan<'a>(plans: &'a BTreeMap<String, VariableSet>, material: &Material) -> Result<&'a VariableSet> {
    plans.get(&material.to_string()).with_context(|| format!("no plan of {material}"))
}

/// The numbers in `plan` of the variables of `literals`; its model must have all of them.
fn variables(plan: &VariableSet, literals: &[Literal]) -> Vec<usize> {
    let number =
        |literal: &Literal| plan.variables().iter().position(|variable| variable.name == literal.name);
    literals.iter().filter_map(number).collect()
}

fn family(variable: &str) -> &str {
    variable.split('.').next().unwrap_or(variable)
}

/// Nanoseconds of each of `works` for one of `items`: the minimum over passes, which alternate.
fn each<T, const N: usize>(items: &[T], works: [&dyn Fn(&T); N]) -> [f64; N] {
    let mut least = [f64::INFINITY; N];
    for _ in 0..PASSES {
        for (least, work) in least.iter_mut().zip(works) {
            let start = Instant::now();
            items.iter().for_each(work);
            *least = least.min(start.elapsed().as_secs_f64() * 1e9 / items.len() as f64);
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_name_variables() {
        let plan = Model::Attack.variable_set(&"KQvK".parse().unwrap());
        let literal = |name: &str| Literal { variable: 0, name: name.into(), allowed: 1, value: 0 };
        let numbers = variables(&plan, &[literal("larger.wk.bk"), literal("rank.bk")]);
        let names: Vec<&str> = numbers.into_iter().map(|number| &*plan.variables()[number].name).collect();
        assert_eq!(names, ["larger.wk.bk", "rank.bk"]);
        assert_eq!(family("larger.wk.bk"), "larger");
    }
}
