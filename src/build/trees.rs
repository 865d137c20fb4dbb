//! Trees for the sides of a table: the tabular minimizer under the clause coder's prices.
//!
//! Prices depend on the tree and the tree on the prices, so a tree is grown several times, each time under the prices
//! that the one before suggests: first greedily, then with rollouts.

use super::listener::{Listener, tell};
use super::rows::{Positions, Sampled};
use crate::error::{Error, Result};
use crate::model::Plan;
use crate::pcn::cost::{BIT, TreeCost};
use crate::pcn::{Exception, Leaf, Node, Test, Tree};
use crate::position::{Color, Wdl};
use crate::retrograde::Table;
use espresso::tabular::grow::{Gathered, Options, Progress};
use espresso::tabular::{self, Price, Rows};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How much is tried for a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Effort {
    /// The width of each growth.
    pub widths: Vec<usize>,
    /// The most rows that rollouts see.
    pub sample: usize,
}

impl Effort {
    /// What an effort of 1 to 9 stands for. The work of a growth is about its width times that of a greedy one.
    pub(super) fn of(effort: u8) -> Self {
        let (widths, sample) = match effort {
            ..=1 => (vec![1, 1], 1 << 12),
            2 => (vec![1, 2], 1 << 12),
            3 => (vec![1, 2], 1 << 14),
            4 => (vec![1, 3], 1 << 14),
            5 => (vec![1, 2, 4], 1 << 15),
            6 => (vec![1, 2, 6], 1 << 15),
            7 => (vec![1, 2, 8], 1 << 16),
            8 => (vec![1, 4, 12], 1 << 16),
            9.. => (vec![1, 4, 16], 1 << 17),
        };
        Effort { widths, sample }
    }
}

/// The rows of a sample that prices are fitted on where not all rows can be held, at most.
const SAMPLE: u64 = 1 << 20;

/// The rows that a trial sees, at most.
const TRIAL_ROWS: u64 = 1 << 17;

/// Returns the tree of `turn` to move with man number `lead` leading, over `plan`'s variables, right for every position of
/// `table`, and its price in bits.
///
/// # Errors
/// What growing refuses; [`ErrorKind::Cancelled`](crate::ErrorKind::Cancelled) when `progress` breaks;
/// [`ErrorKind::Internal`](crate::ErrorKind::Internal) when it gives no tree.
pub(super) fn grow(
    table: &Table,
    plan: &Plan,
    (turn, lead): (Color, usize),
    effort: &Effort,
    memory: u64,
    progress: Listener<'_>,
) -> Result<(Tree, f64)> {
    let rows = Positions::new(table, plan, turn, lead);
    let parts = rows.parts();
    let what = format!("{}: {} to move, {}", table.material(), turn.name(), plan.model());
    let say = saying(&what, progress);
    let options = |width| Options { width, sample: effort.sample, memory, progress: Some(&say) };
    let mut price = Prices::fresh(parts, rows.outcomes());
    let mut best: Option<(Tree, f64)> = None;
    tell(progress, &format!("{what}: reading positions"))?;
    if let Some(gathered) = Gathered::new(&rows, memory)? {
        for &width in &effort.widths {
            let (grown, bits) = gathered.grow(&price, &options(width))?;
            let tree = tree(grown, rows.outcomes(), parts)?;
            price = Prices::fitted(&tree, parts, rows.outcomes());
            if best.as_ref().is_none_or(|(_, least)| bits < *least) {
                best = Some((tree, bits));
            }
        }
    } else {
        let sampled = Sampled::new(&rows, table.counts(turn).iter().sum::<u64>() / SAMPLE + 1);
        for &width in &effort.widths[..effort.widths.len() - 1] {
            let (grown, _) = tabular::grow(&sampled, &price, &options(width))?;
            price = Prices::fitted(&tree(grown, rows.outcomes(), parts)?, parts, rows.outcomes());
        }
        let width = effort.widths.last().copied().unwrap_or(1);
        let (grown, bits) = tabular::grow(&rows, &price, &options(width))?;
        best = Some((tree(grown, rows.outcomes(), parts)?, bits));
    }
    best.ok_or_else(|| Error::new(crate::ErrorKind::Internal, "an effort without a growth"))
}

/// Returns what passes on how far the growth of `what` is, ten times a second at most.
fn saying<'a>(what: &'a str, progress: Listener<'a>) -> impl Fn(&Progress) -> ControlFlow<()> + Sync + 'a {
    let said = Mutex::new(Instant::now());
    move |now| match said.try_lock() {
        Ok(mut said) if said.elapsed() > Duration::from_millis(100) => {
            *said = Instant::now();
            progress(&format!("{what}: {} cubes, {} positions undecided", now.cubes, now.undecided))
        }
        _ => ControlFlow::Continue(()),
    }
}

/// Returns about how many bits the tree of `turn` takes with man number `lead` leading, from one greedy growth on a
/// sample: to compare models and leading men by.
///
/// # Errors
/// As [`grow`].
pub(super) fn trial(
    table: &Table,
    plan: &Plan,
    (turn, lead): (Color, usize),
    progress: Listener<'_>,
) -> Result<f64> {
    let what = format!(
        "{}: {} to move, {}, trying man {lead} as leader",
        table.material(),
        turn.name(),
        plan.model()
    );
    tell(progress, &what)?;
    let say = saying(&what, progress);
    let rows = Positions::new(table, plan, turn, lead);
    let sampled = Sampled::new(&rows, table.counts(turn).iter().sum::<u64>() / TRIAL_ROWS + 1);
    let parts = rows.parts();
    let options = Options { width: 1, progress: Some(&say), ..Options::default() };
    Ok(tabular::grow(&sampled, &Prices::fresh(parts, rows.outcomes()), &options)?.1)
}

/// Returns the minimizer's tree as a file's.
fn tree(grown: tabular::Tree, outcomes: &[Wdl], parts: &[u8]) -> Result<Tree> {
    let outcome = |class: u8| outcomes.get(usize::from(class)).copied().unwrap_or(Wdl::Draw);
    let node = |node: tabular::Node| match node {
        tabular::Node::Test { variable, low, high } => Node::Test(Test { variable, low, high }),
        tabular::Node::Leaf { class, rows, exceptions } => Node::Leaf(Leaf {
            outcome: outcome(class),
            positions: if exceptions.is_empty() { 0 } else { rows },
            exceptions: exceptions
                .into_iter()
                .map(|exception| Exception { rank: exception.rank, outcome: outcome(exception.class) })
                .collect(),
        }),
    };
    Tree::new(grown.nodes.into_iter().map(node).collect(), parts)
}

/// The coder's prices as the minimizer asks for them.
struct Prices {
    cost: TreeCost,
    /// The coder's class of each of the minimizer's.
    classes: Vec<usize>,
    least: f32,
}

impl Prices {
    fn fresh(parts: &[u8], outcomes: &[Wdl]) -> Self {
        Self::of(TreeCost::fresh(parts, outcomes.len()), parts, (0..outcomes.len().max(1)).collect())
    }

    fn fitted(tree: &Tree, parts: &[u8], outcomes: &[Wdl]) -> Self {
        let classes = outcomes.iter().map(|outcome| outcome.index()).collect();
        Self::of(TreeCost::fitted(tree, parts), parts, classes)
    }

    fn of(cost: TreeCost, parts: &[u8], classes: Vec<usize>) -> Self {
        let test = |variable: usize| (0..parts[variable] - 1).map(move |high| (variable, high));
        let tests = (0..parts.len()).flat_map(test).map(|(variable, high)| cost.test(variable, 0, high));
        let leaf = classes.iter().map(|&class| cost.leaf(class)).min().unwrap_or(0);
        let least = bits(tests.min().unwrap_or(0) + 2 * leaf);
        Prices { cost, classes, least }
    }
}

impl Price for Prices {
    fn test(&self, variable: usize, low: u8, high: u8) -> f32 {
        bits(self.cost.test(variable, low, high))
    }

    fn leaf(&self, counts: &[u32]) -> f32 {
        let (mut class, mut most, mut all) = (0, 0, 0);
        for (number, &count) in counts.iter().enumerate() {
            all += u64::from(count);
            if count > most {
                (class, most) = (number, count);
            }
        }
        let exceptions = self.cost.exceptions(all - u64::from(most), all);
        bits(self.cost.leaf(self.classes[class])) + bits(exceptions)
    }

    fn least_test(&self) -> f32 {
        self.least
    }
}

fn bits(price: u32) -> f32 {
    price as f32 / BIT as f32
}
