//! The choice of the next literal while the full cube shrinks to one without OFF minterms.

use super::Literal;
use super::price::Tariff;
use super::variables::Variables;
use crate::rows::random::Random;
use std::sync::OnceLock;

/// A constant cost of each literal, which keeps the ratios finite.
const LITERAL: f32 = 0.02;

/// Counts of up to this many bits have their logarithms in a table.
const COUNT_BITS: u32 = 14;

/// The counts of minterms in the current cube.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// The ON and OFF minterms by variable and part; after [`Variables::cumulate`], those with this part or a lower one.
    pub(super) on: Vec<u32>,
    pub(super) off: Vec<u32>,
    /// A random factor of the gain of each variable.
    noise: Vec<f32>,
}

impl Counts {
    /// Prepares for a new cube. `variation` is the amount of randomness in choices.
    pub(super) fn begin(&mut self, variables: &Variables, variation: f32, random: &mut Random) {
        self.on.resize(variables.all_parts, 0);
        self.off.resize(variables.all_parts, 0);
        self.noise.clear();
        self.noise.extend((0..variables.len()).map(|_| 1.0 + variation * (random.unit() - 0.5)));
    }
}

#[inline]
fn log(logs: &[f32], n: u32) -> f32 {
    let excess = (u32::BITS - n.leading_zeros()).saturating_sub(COUNT_BITS);
    logs[(n >> excess) as usize] + excess as f32
}

fn logs() -> &'static [f32] {
    static LOGS: OnceLock<Vec<f32>> = OnceLock::new();
    LOGS.get_or_init(|| (0..1 << COUNT_BITS).map(|n| libm::log2f(n as f32 + 0.5)).collect())
}

/// Returns the best next literal of a cube around `seed` with the literals `known`; `None` if no literal reduces the counted
/// OFF minterms.
pub(super) fn choose(
    variables: &Variables,
    tariff: &Tariff,
    seed: &[u8],
    known: impl Fn(usize) -> Option<Literal>,
    counts: &Counts,
) -> Option<Literal> {
    let logs = logs();
    let scale = std::f32::consts::LOG2_E / tariff.typical;
    let (mut best, mut choice) = (0.0, None);
    for (variable, &part) in seed.iter().enumerate() {
        let parts = usize::from(variables.parts[variable]);
        let part = usize::from(part);
        let base = variables.bases[variable];
        let off = &counts.off[base..base + parts];
        let on = &counts.on[base..base + parts];
        let before = |counts: &[u32], low: usize| if low == 0 { 0 } else { counts[low - 1] };
        let (all_off, all_on) = (off[parts - 1], on[parts - 1]);
        if off[part] - before(off, part) == all_off {
            continue;
        }
        let known = known(variable);
        let (log_off, log_on) = (log(logs, all_off), log(logs, all_on));
        let noise = counts.noise[variable];
        let mut consider = |(off_left, on_left): (u32, u32), price: f32, parts: u64| {
            if off_left == all_off {
                return;
            }
            let price = match known {
                None => price,
                Some(known) => {
                    let cut = Literal { parts: known.parts & parts, ..known };
                    tariff.literal(&cut) - tariff.literal(&known)
                }
            };
            let gain = noise * (log_off - log(logs, off_left));
            let cost = log_on - log(logs, on_left) + scale * price.max(0.1) + LITERAL;
            if gain > best * cost {
                best = gain / cost;
                choice = Some(Literal { variable: variable as u16, parts });
            }
        };
        let run = |low: usize, high: usize| (u64::MAX >> (63 - (high - low))) << low;
        let within = |low, high| (off[high] - before(off, low), on[high] - before(on, low));
        for low in 0..=part {
            for high in part..parts {
                if low > 0 || high + 1 < parts {
                    consider(within(low, high), tariff.interval(variable, low, high), run(low, high));
                }
            }
        }
        // Complements of inner intervals below and above the seed.
        for (from, to) in [(1, part), (part + 1, parts - 1)] {
            for low in from..to {
                for high in low..to {
                    let (less_off, less_on) = within(low, high);
                    let price = tariff.complement(variable, low, high);
                    let full = variables.full(variable);
                    consider((all_off - less_off, all_on - less_on), price, full & !run(low, high));
                }
            }
        }
    }
    choice
}

/// Calls `visit` with `must`, `may`, and all intervals and complements of intervals that contain `must` and lie in `may`.
pub(super) fn for_each_symbol(parts: u8, must: u64, may: u64, mut visit: impl FnMut(u64)) {
    let full = u64::MAX >> (64 - u32::from(parts));
    let mut consider = |literal: u64| {
        if literal != 0 && literal != full && must & !literal == 0 && literal & !may == 0 {
            visit(literal);
        }
    };
    for low in 0..parts {
        for high in low..parts {
            let run = (u64::MAX >> (63 - (high - low))) << low;
            consider(run);
            if low > 0 && high + 1 < parts {
                consider(full & !run);
            }
        }
    }
    consider(must);
    consider(may);
}
