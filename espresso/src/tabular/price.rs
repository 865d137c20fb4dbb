//! What the nodes of a tree cost.

use super::{Node, Tree};

/// The coded size, in bits, of what a tree is made of. The caller knows how its trees are coded; growing them asks
/// nothing else.
pub trait Price: Sync {
    /// Bits of a test of `low..=high` in `variable`, without its children.
    fn test(&self, variable: usize, low: u8, high: u8) -> f32;

    /// Bits of a leaf whose rows are divided as `counts` says, a number for each class: that it is a leaf, the class of
    /// most rows, and the others as exceptions. At least one count is not zero.
    fn leaf(&self, counts: &[u32]) -> f32;

    /// A lower bound of [`Price::test`] with two leaves below it.
    fn least_test(&self) -> f32;
}

/// Prices from how often each symbol occurs in a tree: those of an adaptive code without contexts, about what any
/// adaptive coder takes.
#[derive(Clone, Debug)]
pub struct Adaptive {
    /// For each variable its bits, without bounds.
    variables: Vec<f32>,
    /// For each variable, the bits of each interval.
    bounds: Vec<Vec<f32>>,
    /// Parts of each variable.
    parts: Vec<u8>,
    classes: usize,
    /// Bits of stating that a node is a test, and that it is a leaf.
    kind: [f32; 2],
    least: f32,
}

/// Bits that state whether a leaf is of a class, the sibling's being known, on average.
const CLASS_BITS: f32 = 0.7;
/// Bits of the number of exceptions when there are none.
const PURE_BITS: f32 = 0.3;

impl Adaptive {
    /// Returns the prices before anything is known: all variables alike.
    pub fn new(parts: &[u8], classes: usize) -> Self {
        Self::from_counts(parts, classes, &vec![0.0; parts.len()], &vec![Vec::new(); parts.len()])
    }

    /// Returns the prices that `tree` suggests, over the same variables.
    #[must_use]
    pub fn fitted(&self, tree: &Tree) -> Self {
        let mut variables = vec![0.0; self.parts.len()];
        let mut bounds: Vec<Vec<f32>> = vec![Vec::new(); self.parts.len()];
        for node in &tree.nodes {
            if let &Node::Test { variable, low, high } = node {
                let variable = usize::from(variable);
                variables[variable] += 1.0;
                let parts = usize::from(self.parts[variable]);
                bounds[variable].resize(parts * parts, 0.0);
                bounds[variable][usize::from(low) * parts + usize::from(high)] += 1.0;
            }
        }
        Self::from_counts(&self.parts, self.classes, &variables, &bounds)
    }

    fn from_counts(parts: &[u8], classes: usize, variables: &[f32], counts: &[Vec<f32>]) -> Self {
        let all: f32 = variables.iter().sum();
        // A variable that does not occur yet is not impossible: half an occurrence each, together no more than a few
        // tests' worth.
        let unit = (0.02 * all / parts.len() as f32).clamp(0.02, 0.5);
        let total = all + unit * parts.len() as f32;
        let bits = |count: f32| -((count + unit) / total).log2();
        let bounds = parts
            .iter()
            .zip(counts)
            .zip(variables)
            .map(|((&parts, counts), &count)| {
                let parts = usize::from(parts);
                let (prefixes, inner) = (parts.saturating_sub(1).max(1) as f32, (parts * parts) as f32 / 2.0);
                // Prefixes are three quarters of what is expected, intervals inside the rest.
                let prior = |low: usize| if low == 0 { 2.25 / prefixes } else { 0.75 / inner };
                (0..parts * parts)
                    .map(|bound| {
                        let prior = prior(bound / parts.max(1));
                        let seen = counts.get(bound).copied().unwrap_or(0.0);
                        -((seen + prior) / (count + 3.0)).log2()
                    })
                    .collect()
            })
            .collect();
        let variables: Vec<f32> = variables.iter().map(|&count| bits(count)).collect();
        let kind = [1.0, 1.0];
        let least = variables.iter().copied().fold(f32::INFINITY, f32::min) + kind[0];
        let mut price = Adaptive { variables, bounds, parts: parts.to_vec(), classes, kind, least: 0.0 };
        let mut leaf = vec![0; classes];
        leaf[0] = 1;
        price.least = least + 2.0 * price.leaf(&leaf);
        price
    }
}

impl Price for Adaptive {
    fn test(&self, variable: usize, low: u8, high: u8) -> f32 {
        let bound = usize::from(low) * usize::from(self.parts[variable]) + usize::from(high);
        self.kind[0] + self.variables[variable] + self.bounds[variable][bound]
    }

    fn leaf(&self, counts: &[u32]) -> f32 {
        let total: u32 = counts.iter().sum();
        let most = counts.iter().copied().max().unwrap_or(0);
        let rest = total - most;
        let class = self.kind[1] + CLASS_BITS * (self.classes as f32 - 1.0);
        if rest == 0 {
            return class + PURE_BITS;
        }
        let more = if self.classes > 2 { 0.5 * rest as f32 } else { 0.0 };
        class + 1.0 + 2.0 * (rest as f32).log2() + more + binomial_bits(total, rest)
    }

    fn least_test(&self) -> f32 {
        self.least
    }
}

/// Returns log2 of the number of ways to choose `k` of `n`, by Stirling's formula.
pub(super) fn binomial_bits(n: u32, k: u32) -> f32 {
    if k == 0 || k == n {
        return 0.0;
    }
    let (n, k) = (f64::from(n), f64::from(k));
    let entropy = n * n.log2() - k * k.log2() - (n - k) * (n - k).log2();
    let variance = std::f64::consts::TAU * k * (n - k) / n;
    (entropy - 0.5 * variance.log2()).max(0.0) as f32
}
