//! The order of outcomes for a side to move, and one minimized cover for each layer of an order.
//!
//! This project's own scheme in place of the paper's three covers: the last outcome of the order is the default and has
//! no clauses, and what earlier layers decide is don't-care to the later ones.

use super::Options;
use crate::error::{Error, ErrorKind, Result};
use crate::export::{self, Columns, Scope};
use crate::pcn::Clauses;
use crate::position::{Color, Wdl};
use crate::retrograde::Table;
use espresso::minimize;
use espresso::{Cover, Function, Monitor, Progress};

/// A layer with its clauses, over the model's variables.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub outcome: Wdl,
    pub clauses: Clauses,
}

/// Returns the outcomes that `turn` to move has in the table, rarest first; equally many, loss before draw before win.
/// The last is the natural default. Empty when the side has no legal position.
pub(super) fn rarest_first(table: &Table, turn: Color) -> Vec<Wdl> {
    let counts = table.counts(turn);
    let mut order: Vec<Wdl> = Wdl::ALL.into_iter().filter(|outcome| counts[outcome.index()] > 0).collect();
    order.sort_by_key(|outcome| counts[outcome.index()]);
    order
}

/// Returns every order of `outcomes`, the given one first.
pub(super) fn orders(outcomes: &[Wdl]) -> Vec<Vec<Wdl>> {
    if outcomes.is_empty() {
        return vec![Vec::new()];
    }
    (0..outcomes.len())
        .flat_map(|first| {
            let mut rest = outcomes.to_vec();
            let outcome = rest.remove(first);
            orders(&rest).into_iter().map(move |rest| [vec![outcome], rest].concat())
        })
        .collect()
}

/// Minimizes each layer of `order` but the last, which is the default.
pub(super) fn minimize_order(
    table: &Table,
    scope: &Scope,
    turn: Color,
    order: &[Wdl],
    options: &Options<'_>,
) -> Result<Vec<Layer>> {
    (1..order.len())
        .map(|later| {
            let outcome = order[later - 1];
            let exported = export::layer(table, options.model(), scope, turn, outcome, &order[later..])?;
            let what = format!("{}: {} to move, {outcome}", table.material(), turn.name());
            let cover = checked_cover(&exported.function, &what, options)?;
            Ok(Layer { outcome, clauses: clauses(&cover, &exported.columns, |_| true) })
        })
        .collect()
}

/// Minimizes one function by the options' steps, its progress told as that of `what`, and checks the result against the
/// function: F - D inside it, and it inside F + D.
pub(super) fn checked_cover(function: &Function, what: &str, options: &Options<'_>) -> Result<Cover> {
    let tell = |now: &Progress| (options.progress)(&format!("{what}: {now}"));
    let minimizing =
        minimize::Options { steps: options.steps.clone(), budget: None, progress: Monitor::new(&tell) };
    let (cover, _) =
        minimize::minimize(function, &minimizing).map_err(|error| Error::from(error).context(what))?;
    espresso::check::result(function, &cover).map_err(|mismatch| {
        let message = format!("{what}: the minimizer changed the function: {mismatch}");
        Error::new(ErrorKind::Internal, message)
    })?;
    Ok(cover)
}

/// Returns the cubes for which `keep` holds as clauses over the model's variables: the side to move and the outputs
/// fall away.
pub(super) fn clauses(cover: &Cover, columns: &Columns, keep: impl Fn(&[u64]) -> bool) -> Clauses {
    let space = cover.space();
    let variables = columns.variables();
    let parts: Vec<usize> = variables.iter().map(|&variable| space.variables()[variable].parts).collect();
    let width = parts.iter().sum::<usize>().div_ceil(64);
    let mut words = Vec::new();
    for cube in cover.iter().filter(|cube| keep(cube)) {
        let start = words.len();
        words.resize(start + width, 0u64);
        let clause = &mut words[start..];
        let mut bit = 0;
        for (&variable, &parts) in variables.iter().zip(&parts) {
            for part in 0..parts {
                if space.get(cube, variable, part) {
                    clause[bit / 64] |= 1 << (bit % 64);
                }
                bit += 1;
            }
        }
    }
    Clauses::new(width, &words)
}
