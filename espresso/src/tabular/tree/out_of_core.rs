//! Trees of more rows than are held at once.
//!
//! Of each row four bytes are held: its class, and how far down the tree it has come. Where many rows have come to, the
//! tree goes on by the tests that a sample of them suggests, in which rare classes are whole, and the rows are sent
//! further down; this is done again until each place has rows of one class, costs less as a leaf, or has so few rows that
//! its subtree is grown from all of them, as many places at a time as memory holds. So the parts of most rows are
//! never computed but for the tests that they meet. After the BOAT of Gehrke, Ganti, Ramakrishnan and Loh (1999), without
//! its test whether the sample misled: any tests are right, only not the best.

use super::class_list::{ClassList, Place, Sample, Stop};
use super::grower::Grower;
use super::leaf::leaf;
use super::node_rows::NodeRows;
use super::{DecisionTree, Node};
use crate::error::Result;
use crate::tabular::{Row, Rows};
use rayon::prelude::*;
use std::borrow::Cow;

/// Places of up to this share of the rows that are held are grown from all of theirs: the more, the fewer tests are chosen
/// by a sample.
const FEW: u64 = 2;
/// Bytes that a part of a row takes: its own, and its copies when a node is split and one of the halves after it.
const BYTES_PER_PART: u64 = 3;
/// Rollouts see at least one in so many of the rows at hand, of a place or of its sample.
const SHARE: usize = 2;
/// Rows of a sample with which a test can be trusted.
const LEAST_SAMPLE: usize = 1 << 12;

type Tally = Vec<u32>;

/// What the tree has at a place.
enum PlaceState {
    /// The test, its price, and the places of its children.
    Test(Node, f64, [Place; 2]),
    /// Rows that have come here, and what becomes of them.
    End(Tally, Fate),
}

enum Fate {
    /// They are too many to be held: the tree goes on here.
    Many,
    Few,
    Leaf,
    /// The subtree that was grown of them, and its price.
    Grown(Vec<Node>, f64),
}

/// A node of a tree that a sample suggests: a test with its price, or an end.
type Sprout = Option<(Node, f64)>;

/// Returns the tree of all of `rows`, and its price.
///
/// # Errors
/// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled).
pub(super) fn grow(grower: Grower<'_>, rows: &dyn Rows) -> Result<(DecisionTree, f64)> {
    let grower = &grower.with_share(SHARE);
    let stop: Stop<'_> = &|| grower.asked_to_stop();
    let storage = grower.options.storage;
    let class_list = ClassList::new(rows, stop, storage)?;
    grower.finish(nodes(grower, rows, class_list))
}

/// Returns the nodes of the tree of all of `rows`, in preorder, and its price.
fn nodes(grower: &Grower<'_>, rows: &dyn Rows, mut class_list: ClassList) -> (Vec<Node>, f64) {
    let stop: Stop<'_> = &|| grower.asked_to_stop();
    let few = (grower.options.held / FEW).max(1);
    let mut tree = PartialTree::new(grower, class_list.tally(rows.classes()), few);
    loop {
        let many = tree.ends(|fate| matches!(fate, Fate::Many));
        if grower.is_cancelled() {
            return (Vec::new(), 0.0);
        }
        if many.is_empty() {
            break;
        }
        let sample = |&place: &Place| (place, Sample::of(tree.tally(place), few));
        let samples = many.iter().map(sample).collect();
        let sprout = |sampled: NodeRows, sample: &Sample| sprout(grower, &sampled, &sample.steps, few, true);
        for (place, sprout) in by_batches(grower, rows, &mut class_list, samples, tree.places.len(), sprout) {
            tree.go_on(grower, place, &sprout);
        }
        let is_test = |place| matches!(tree.places[place], PlaceState::Test(..));
        let walk = |place, row: &dyn Row| tree.walk(place, row);
        let counts = class_list.route((rows, stop), tree.places.len(), is_test, walk);
        tree.arrive(grower, &counts, few);
    }
    let few = tree.ends(|fate| matches!(fate, Fate::Few));
    let wanted = few.iter().map(|&place| (place, Sample::all(tree.tally(place)))).collect();
    let build = |held, _: &Sample| grower.build(Cow::Owned(held));
    for (place, (nodes, bits)) in by_batches(grower, rows, &mut class_list, wanted, tree.places.len(), build)
    {
        tree.places[place] = PlaceState::End(tree.tally(place).to_vec(), Fate::Grown(nodes, bits));
    }
    if grower.is_cancelled() {
        return (Vec::new(), 0.0);
    }
    let (_, bits) = tree.prune(grower, 0);
    let mut nodes = Vec::new();
    tree.assemble(0, &mut nodes);
    (nodes, bits)
}

/// The rows whose parts may be held at once.
fn at_once(grower: &Grower<'_>) -> u64 {
    grower.options.memory / (BYTES_PER_PART * grower.parts.len().max(1) as u64)
}

/// Returns what `work` makes of the sample of each place, as many at a time as memory has room for, at least one; there
/// are `places` places.
fn by_batches<T: Send>(
    grower: &Grower<'_>,
    rows: &dyn Rows,
    class_list: &mut ClassList,
    wanted: Vec<(Place, Sample)>,
    places: usize,
    work: impl Fn(NodeRows, &Sample) -> T + Sync,
) -> Vec<(Place, T)> {
    let at_once = at_once(grower);
    let mut made = Vec::with_capacity(wanted.len());
    let mut wanted = wanted.into_iter().peekable();
    while let Some(first) = wanted.next() {
        if grower.is_cancelled() {
            break;
        }
        let mut held = first.1.rows;
        let mut batch = vec![first];
        while let Some(next) = wanted.next_if(|(_, sample)| held + sample.rows <= at_once) {
            held += next.1.rows;
            batch.push(next);
        }
        let groups = class_list.gather((rows, &|| grower.asked_to_stop()), &batch, places);
        if grower.is_cancelled() {
            break;
        }
        let bind = |(group, (_, sample)): (usize, &(Place, Sample))| {
            let weights = sample.steps.iter().map(|&step| step as f32).collect();
            NodeRows::bind(rows.parts().len(), weights, &groups, group)
        };
        let bound: Vec<NodeRows> = batch.par_iter().enumerate().map(bind).collect();
        drop(groups);
        let work = |(rows, (place, sample)): (NodeRows, &(Place, Sample))| (*place, work(rows, sample));
        made.par_extend(bound.into_par_iter().zip(&batch).map(work));
    }
    made
}

/// Returns the tests that a sample suggests.
fn sprout(grower: &Grower<'_>, rows: &NodeRows, steps: &[u64], few: u64, is_root: bool) -> Vec<Sprout> {
    let scale = |(&count, step): (&u32, &u64)| u32::try_from(u64::from(count) * step).unwrap_or(u32::MAX);
    let expected: Tally = rows.counts().iter().zip(steps).map(scale).collect();
    let count: u64 = expected.iter().map(|&count| u64::from(count)).sum();
    let ends = !is_root && (count <= few || rows.len() < LEAST_SAMPLE || grower.is_leaf(&expected));
    let Some((test, live)) = (if ends { None } else { grower.test(rows) }) else {
        return vec![None];
    };
    let (a, b) = grower.split(rows, test, &live);
    let (first, second) =
        rayon::join(|| sprout(grower, &a, steps, few, false), || sprout(grower, &b, steps, few, false));
    [vec![Some((test.node(rows), test.bits.into()))], first, second].concat()
}

/// The tree as far as it has grown. Place 0 is its root; children have greater numbers than their parents.
struct PartialTree {
    places: Vec<PlaceState>,
    classes: usize,
}

impl PartialTree {
    /// Returns a tree of one place to which these rows have come.
    fn new(grower: &Grower<'_>, tally: Tally, few: u64) -> Self {
        let (classes, fate) = (tally.len(), fate(grower, &tally, few));
        PartialTree { places: vec![PlaceState::End(tally, fate)], classes }
    }

    fn ends(&self, wanted: impl Fn(&Fate) -> bool) -> Vec<Place> {
        let is_wanted =
            |&place: &Place| matches!(&self.places[place], PlaceState::End(_, fate) if wanted(fate));
        (0..self.places.len()).filter(is_wanted).collect()
    }

    /// The rows of each class at an end.
    fn tally(&self, place: Place) -> &[u32] {
        match &self.places[place] {
            PlaceState::End(tally, _) => tally,
            PlaceState::Test(..) => &[],
        }
    }

    /// Puts what a sample suggests at `place`: where it suggests nothing, a leaf.
    fn go_on(&mut self, grower: &Grower<'_>, place: Place, sprout: &[Sprout]) {
        if let [None] = sprout {
            let tally = self.tally(place).to_vec();
            let fate = end(grower, &tally);
            self.places[place] = PlaceState::End(tally, fate);
            return;
        }
        let mut rest = sprout.iter();
        self.put(place, &mut rest);
    }

    /// Puts the next subtree of `rest` at `place`.
    fn put(&mut self, place: Place, rest: &mut std::slice::Iter<'_, Sprout>) {
        let Some(Some((test, bits))) = rest.next() else { return };
        let children = [0, 1].map(|number| self.places.len() + number);
        // Nothing has come to the children yet.
        self.places.extend((0..2).map(|_| PlaceState::End(Tally::new(), Fate::Many)));
        self.places[place] = PlaceState::Test(test.clone(), *bits, children);
        children.into_iter().for_each(|child| self.put(child, rest));
    }

    /// The place to which a row goes on from `place`.
    fn walk(&self, mut place: Place, row: &dyn Row) -> Place {
        while let PlaceState::Test(Node::Test { variable, low, high }, _, children) = &self.places[place] {
            let inside = (*low..=*high).contains(&row.part(usize::from(*variable)));
            place = children[usize::from(!inside)];
        }
        place
    }

    /// Takes note of what has come to the new places: `counts`, by place and class.
    fn arrive(&mut self, grower: &Grower<'_>, counts: &[u32], few: u64) {
        for (at, counts) in self.places.iter_mut().zip(counts.chunks(self.classes)) {
            if let PlaceState::End(tally, fate) = at
                && tally.is_empty()
            {
                *tally = counts.to_vec();
                *fate = self::fate(grower, counts, few);
            }
        }
    }

    /// Makes leaves of the places below `place` that cost less so; returns its rows and price.
    fn prune(&mut self, grower: &Grower<'_>, place: Place) -> (Tally, f64) {
        let (test_bits, children) = match &self.places[place] {
            PlaceState::End(tally, Fate::Grown(_, bits)) => return (tally.clone(), *bits),
            PlaceState::End(tally, _) => return (tally.clone(), grower.leaf_bits(tally)),
            PlaceState::Test(_, bits, children) => (*bits, *children),
        };
        let [(mut tally, first), (other, second)] = children.map(|child| self.prune(grower, child));
        tally.iter_mut().zip(other).for_each(|(count, other)| *count += other);
        let (bits, leaf_bits) = (test_bits + first + second, grower.leaf_bits(&tally));
        if leaf_bits > bits {
            return (tally, bits);
        }
        self.places[place] = PlaceState::End(tally.clone(), Fate::Leaf);
        (tally, leaf_bits)
    }

    /// Adds the subtree at `place` to `nodes`.
    fn assemble(&mut self, place: Place, nodes: &mut Vec<Node>) {
        match &mut self.places[place] {
            PlaceState::End(_, Fate::Grown(subtree, _)) => nodes.append(subtree),
            PlaceState::End(tally, _) => nodes.push(leaf(tally)),
            PlaceState::Test(test, _, children) => {
                nodes.push(test.clone());
                let children = *children;
                children.into_iter().for_each(|child| self.assemble(child, nodes));
            }
        }
    }
}

/// What becomes of these rows, of which up to `few` may be held.
fn fate(grower: &Grower<'_>, tally: &[u32], few: u64) -> Fate {
    if grower.is_leaf(tally) {
        end(grower, tally)
    } else if tally.iter().map(|&count| u64::from(count)).sum::<u64>() <= few {
        Fate::Few
    } else {
        Fate::Many
    }
}

fn end(grower: &Grower<'_>, tally: &[u32]) -> Fate {
    grower.tell(tally);
    Fate::Leaf
}
