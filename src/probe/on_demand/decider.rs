//! The decider of a position, for `explain`: the number of the clause or leaf, and the tests on the leaf's path. An ordinary
//! probe needs neither number nor path.

use super::pages::PagedTree;
use crate::chess::model::{VariableCode, View};
use crate::chess::position::{Color, Position, Wdl};
use crate::error::Result;
use crate::outcome::Wdl50;
use crate::pcn::{Node, StaticFunction};
use crate::probe::Prober;
use crate::probe::side_tree::SideTree;
use crate::probe::walker::WalkNode;

/// The outcome of a position and its decider.
pub(crate) struct Decided<'p> {
    /// The canonical image that was probed, and the number of its anchor.
    pub(crate) canonical: Position,
    pub(crate) anchor: usize,
    pub(crate) outcome: Wdl,
    pub(crate) decider: Decider<'p>,
}

/// The decider of a position; sections, clauses and leaves by their numbers.
pub(crate) enum Decider<'p> {
    Clause { section: usize, clause: usize },
    Leaf { leaf: usize, stated: Wdl, is_exception: bool, exceptions: Exceptions<'p> },
}

/// The exceptions of a leaf.
#[derive(Debug)]
pub(crate) struct Exceptions<'p> {
    leaf: WalkNode,
    function: &'p StaticFunction,
}

impl Exceptions<'_> {
    /// Whether a canonical position that reaches the leaf is an exception.
    pub(crate) fn contains(&self, view: &View<'_>) -> bool {
        self.leaf.decide(self.function, view).1
    }
}

impl Prober {
    /// Returns the decider of a position of this material. Calls `passed` for each test on the path to a leaf, with the variable
    /// and the set of its parts that lead to the same child.
    ///
    /// # Errors
    /// Those of [`Prober::probe_unchecked`]; [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) if any page is damaged, since the
    /// number of a leaf depends on all pages.
    pub(crate) fn decided(
        &self,
        position: &Position,
        passed: impl FnMut(VariableCode, u64),
    ) -> Result<Decided<'_>> {
        let stored = if self.material().is_symmetric() { Color::White } else { position.turn() };
        let side = self.side(stored)?;
        let (canonical, anchor) = (position.canonical(side.anchor), side.anchor);
        let view = self.variables.view(&canonical);
        let (outcome, decider) = if let Some(tree) = side.tree.get() {
            let (reached, leaf) = tree.leaf(&view, passed)?;
            let (outcome, is_exception) = reached.decide(&tree.exceptions, &view);
            let exceptions = Exceptions { leaf: reached, function: &tree.exceptions };
            (outcome, Decider::Leaf { leaf, stated: reached.outcome(), is_exception, exceptions })
        } else {
            let decided = self.clause_of(&view, canonical.turn());
            let (section, clause, outcome) = decided.ok_or_else(|| self.no_clause(&canonical))?;
            (outcome, Decider::Clause { section, clause })
        };
        Ok(Decided { canonical, anchor, outcome, decider })
    }

    /// Returns the outcome under the 50-move rule of a canonical position with this outcome, the number of the leaf of the rule's
    /// tree that decides it, and whether the position is an exception there. `None` if the rule changes no such outcome, or is not
    /// known.
    ///
    /// # Errors
    /// Those of [`Prober::decided`].
    pub(crate) fn decided_by_rule(
        &self,
        canonical: &Position,
        outcome: Wdl,
    ) -> Result<Option<(Wdl50, usize, bool)>> {
        let tree = self.rule_tree(self.side(canonical.turn())?)?;
        let Some(tree) = tree.filter(|_| outcome != Wdl::Draw) else { return Ok(None) };
        let view = self.variables.view(canonical);
        let (reached, leaf) = tree.leaf(&view, |_, _| ())?;
        let (of_rule, is_exception) = reached.decide(&tree.exceptions, &view);
        Ok(Some((self.ruled(outcome, of_rule)?, leaf, is_exception)))
    }

    /// The section and the clause of the covers that decide a canonical position, and its outcome.
    pub(crate) fn clause_of(&self, view: &View<'_>, turn: Color) -> Option<(usize, usize, Wdl)> {
        self.covers.as_ref()?.decide(&self.variables, view, turn)
    }
}

impl SideTree {
    /// Returns the leaf that a position reaches and its number in preorder; `passed` as in [`Prober::decided`].
    #[inline]
    fn leaf(&self, view: &View<'_>, mut passed: impl FnMut(VariableCode, u64)) -> Result<(WalkNode, usize)> {
        let leaf = self.walker.walk(0, view, &mut passed);
        let Some(pages) = &self.pages else { return Ok((leaf, leaf.number())) };
        let cut = leaf.cut();
        let leaf = match cut {
            Some(cut) => pages.with_page(cut, |page, tree| page.walk(tree, view, &mut passed))?,
            None => leaf,
        };
        Ok((leaf, pages.leaf_number(cut, leaf)?))
    }
}

impl PagedTree {
    /// The number of `leaf` in preorder of the whole tree. The leaf is in cut subtree number `cut`, or in the top if `cut` is
    /// `None`. Decodes all pages once, and keeps none.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when any page is damaged.
    fn leaf_number(&self, cut: Option<usize>, leaf: WalkNode) -> Result<usize> {
        // No lock is taken once the leaves are counted.
        let before = match self.leaves.get() {
            Some(before) => before,
            None => self.leaves.make(|| self.count_leaves())?,
        };
        if let Some(cut) = cut {
            // The leaves of a page are numbered from its first subtree on.
            let first = self.first[self.page_of[cut] as usize] as usize;
            return Ok(before[cut].0 + before[first].1 + leaf.number());
        }
        let cuts = before[..self.page_of.len()].partition_point(|before| before.0 <= leaf.number());
        Ok(leaf.number() + before[cuts].1)
    }

    /// Counts the leaves before each cut subtree, in the top and in other cut subtrees: the value of the field `leaves`.
    fn count_leaves(&self) -> Result<Vec<(usize, usize)>> {
        let (top, mut of_cut) = (self.top()?, Vec::new());
        for page in 0..self.len() {
            // A subtree ends where it has one leaf more than tests.
            let (mut missing, mut leaves) = (1, 0);
            for node in self.decode(&top, page, None)? {
                if let Node::Test(_) = node {
                    missing += 1;
                    continue;
                }
                (missing, leaves) = (missing - 1, leaves + 1);
                if missing == 0 {
                    of_cut.push(leaves);
                    (missing, leaves) = (1, 0);
                }
            }
        }
        let (mut before, mut all) = ((0, 0), Vec::new());
        for node in top.nodes() {
            match node {
                Node::Test(_) => {}
                Node::Leaf(Some(_)) => before.0 += 1,
                Node::Leaf(None) => {
                    before.1 += of_cut[all.len()];
                    all.push((before.0, before.1 - of_cut[all.len()]));
                }
            }
        }
        all.push(before);
        Ok(all)
    }
}
