//! The choice of a ranking, level by level, with the tree that stores it.
//!
//! The candidates of a level are the positions from which the attacker can force play into the levels below. At each open leaf of a
//! growing tree a subtree separates candidates from other positions. A leaf where (nearly) all positions are candidates gets the
//! level; its other positions are misfits, which get a later level each. All other leaves stay open: their candidates may wait. A
//! reward for each candidate with a level, which grows as the candidate becomes overdue, keeps play short enough.

use super::forcing::Forcing;
use super::{MOST_LEVELS, MOST_PLAYED};
use crate::error::Result;
use crate::learner::{ClassTree, CostModel, StagedRows, StagedTree, TreeOptions};
use crate::nodes::Node;
use std::collections::BTreeSet;

/// The controls of a choice, as numbers in the lists of their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Controls([usize; 5]);

/// The reward in bits, the doublings of it for each level by which a candidate is overdue, the least share of the candidates that get
/// their level, the bands of positions that tests separate by how far they are from being candidates, and the factor by which
/// levels are due later than if each prolonged play by as many pairs as it looks ahead.
const VALUES: [&[f32]; 5] = [
    &[0.0125, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6],
    &[0.25, 0.5, 1.0, 2.0],
    &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 0.95],
    &[0.0, 2.0, 4.0],
    &[0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.6, 1.8],
];

impl Controls {
    pub(super) const FIRST: Controls = Controls([6, 1, 3, 2, 4]);

    /// Controls by which levels are given sooner; these ones if there are none.
    pub(super) fn sooner(self) -> Self {
        Controls(std::array::from_fn(|which| match which {
            0 | 1 => (self.0[which] + 1).min(VALUES[which].len() - 1),
            2 => (self.0[which] + 2).min(VALUES[which].len() - 1),
            4 => self.0[which].saturating_sub(1),
            _ => self.0[which],
        }))
    }

    /// The next controls to try around these, the best ones so far: those that differ in one control by a step, two steps and
    /// so on.
    pub(super) fn untried(self, tried: &BTreeSet<Controls>) -> Option<Controls> {
        let steps = (0..8).flat_map(|step| [4, 2, 0, 1, 3].map(|which| (step, which)));
        let near = steps.flat_map(|(step, which)| {
            let moved = |at: usize| {
                let mut controls = self;
                controls.0[which] = at;
                (at < VALUES[which].len()).then_some(controls)
            };
            [self.0[which].checked_sub(step).and_then(moved), moved(self.0[which] + step)]
        });
        near.flatten().find(|controls| !tried.contains(controls))
    }

    fn value(self, which: usize) -> f32 {
        VALUES[which][self.0[which]]
    }
}

/// The classes of a level: 0, and those from `FAR` on, are positions that are no candidates, by bands. Each other class is of
/// candidates whose reward is twice that of the class before; class `1 + STEPS` has the reward itself.
const FAR: u8 = 28;
const STEPS: u8 = 6;

/// The levels by which a band is further away than the one before.
const BAND: f32 = 4.0;

/// The cost of a leaf in bits.
const LEAF: f32 = 4.3;

const fn is_candidate(class: u8) -> bool {
    class > 0 && class < FAR
}

/// The class of a candidate whose reward has doubled so many times.
#[allow(clippy::cast_sign_loss)] // A number of classes above the first.
fn candidate_class(doublings: f32) -> u8 {
    let first = -f32::from(STEPS);
    1 + (doublings.round().clamp(first, 20.0) - first) as u8
}

/// The class of a position that is no candidate, and due so many levels later.
#[allow(clippy::cast_sign_loss)] // Clamped.
fn far_class(early: f32, bands: f32) -> u8 {
    match (early / BAND).clamp(0.0, bands) as u8 {
        0 => 0,
        band => FAR - 1 + band,
    }
}

/// The bits of `misfits` among the `all` positions of a leaf.
fn misfit_bits(all: f32, misfits: f32) -> f32 {
    if misfits == 0.0 {
        0.0
    } else {
        misfits * (libm::log2f(all / misfits) + 4.4) + 1.6 + 2.2 * misfits.min(3.0)
    }
}

/// The bits of the misfits if a leaf with these counts by class gets the level, and the reward that is lost if it does not.
fn choices(counts: impl Iterator<Item = (u8, f32)>, reward: f32) -> (f32, f32) {
    let (mut all, mut misfits, mut rewards) = (0.0, 0.0, 0.0);
    for (class, count) in counts {
        all += count;
        if is_candidate(class) {
            rewards += reward * count * libm::exp2f(f32::from(class) - f32::from(1 + STEPS));
        } else {
            misfits += count;
        }
    }
    (misfit_bits(all, misfits), rewards)
}

/// The cost of a leaf with these numbers of positions by class.
pub(super) fn leaf_bits(counts: &[u64], reward: f32) -> f32 {
    let (misfits, rewards) = choices((0..).zip(counts.iter().map(|&count| count as f32)), reward);
    LEAF + misfits.min(rewards)
}

/// A ranking and its tree.
pub(super) struct Chosen {
    tree: StagedTree,
    /// The level of each row.
    pub(super) levels: Vec<u8>,
    /// The number of levels.
    pub(super) used: u8,
}

impl Chosen {
    /// The tree with the numbers of rows of each level at each leaf; class 0 is level 1.
    pub(super) fn class_tree(&self, numbers: &[u64]) -> ClassTree {
        let mut sorted = Vec::with_capacity(numbers.len());
        let mut leaf = |rows: &[u32]| {
            let mut counts = [0; 256];
            for &row in rows {
                counts[usize::from(self.levels[row as usize]) - 1] += 1;
                sorted.push(numbers[row as usize]);
            }
            (0..=255).zip(counts).filter(|(_, count)| *count > 0).collect()
        };
        let nodes = self.tree.preorder();
        let nodes = nodes.into_iter().map(|node| match node {
            Node::Test(test) => Node::Test(test),
            Node::Leaf(rows) => Node::Leaf(leaf(rows)),
        });
        ClassTree { nodes: nodes.collect(), numbers: sorted }
    }
}

/// The positions that get a level.
pub(super) struct Goal<'a> {
    pub(super) forcing: &'a Forcing,
    /// The slot of each row.
    pub(super) slots: &'a [u32],
    /// By slot, the pairs of moves that the shortest play needs.
    pub(super) left: &'a [u8],
    /// The pairs of moves within which a level falls.
    pub(super) pairs: u8,
}

impl Goal<'_> {
    /// Returns a ranking by these controls; `None` if play by it could be too long, no candidate is worth a level, or it needs more than `most_leaves` leaves. `costs`
    /// returns the costs of a level for a reward.
    pub(super) fn choose(
        &self,
        rows: &mut StagedRows<'_>,
        controls: Controls,
        costs: impl Fn(f32) -> CostModel<'static>,
        growing: &TreeOptions<'_>,
        most_leaves: usize,
    ) -> Result<Option<Chosen>> {
        let [first_reward, urgency, share, bands, late] = [0, 1, 2, 3, 4].map(|which| controls.value(which));
        let count = self.slots.len();
        let left = |row: usize| f32::from(self.left[self.slots[row] as usize]);
        let longest = (0..count).map(left).fold(1.0, f32::max);
        // The level at which a position is due for each pair of moves that is left.
        let stretch = 0.97 * late * f32::from(MOST_PLAYED / self.pairs) / longest;
        let (mut assigned, mut reach) = (self.forcing.ended()?, self.forcing.reach(self.pairs)?);
        let (mut levels, mut has_leaf) = (vec![0_u8; count], vec![false; count]);
        let mut tree = StagedTree::new((0..count as u32).collect());
        let (mut open, mut used, mut last_reward) = (count, 0, 0.0_f32);
        while open > 0 {
            if used == MOST_LEVELS || tree.leaves() > most_leaves {
                return Ok(None);
            }
            used += 1;
            self.forcing.extend(&mut reach, &assigned)?;
            let lasts = |row: usize| reach.lasts(self.slots[row].into());
            if reach.longest() > MOST_PLAYED.into() {
                return Ok(None);
            }
            let is_new = |row: usize| levels[row] == 0 && lasts(row) > 0;
            let candidates: Vec<bool> = (0..count).map(is_new).collect();
            let wanted = share * candidates.iter().filter(|&&is_one| is_one).count() as f32;
            rows.set_classes(|row| {
                let late = f32::from(used) - stretch * left(row);
                if candidates[row] { candidate_class(urgency * late) } else { far_class(-late, bands) }
            });
            let mut new: Vec<usize> = (0..count).filter(|&row| candidates[row] && has_leaf[row]).collect();
            // A level is mostly worth what the level before was.
            let mut reward = first_reward.max(last_reward / 2.25);
            for _ in 0..15 {
                let ends = |counts: &[(u8, u32)]| {
                    let counts = counts.iter().map(|&(class, count)| (class, count as f32));
                    let (misfits, rewards) = choices(counts, reward);
                    misfits < rewards
                };
                tree.refine(rows, &costs(reward), growing, is_candidate, ends, &mut |leaf| {
                    for row in leaf.iter().map(|&row| row as usize) {
                        has_leaf[row] = true;
                        if candidates[row] {
                            new.push(row);
                        }
                    }
                });
                if !new.is_empty() && new.len() as f32 >= wanted {
                    break;
                }
                reward *= 1.5;
            }
            if new.is_empty() {
                return Ok(None);
            }
            last_reward = reward;
            open -= new.len();
            new.iter().for_each(|&row| levels[row] = used);
            self.forcing.add(&mut assigned, new.iter().map(|&row| self.slots[row].into()));
        }
        Ok(Some(Chosen { tree, levels, used }))
    }
}
