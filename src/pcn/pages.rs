//! A tree in pages: a top from which subtrees are cut out, and pages of such subtrees. An answer needs the top and one page
//! instead of the whole tree.
//!
//! Every page is coded as if it followed the top directly: it begins with the counters of the top, and pages share nothing
//! else. The format leaves the choice of subtrees to the writer. Here subtrees of up to half a page are cut out. The top keeps
//! the nodes above them and some whole pages, evenly spread, so that its counters learn about deep nodes.

use super::frozen::context_mixer::{KeptMixer, Mixer};
use super::frozen::range_coder::{Decoder, Encoder};
use super::frozen::reader::{Reader, push_number};
use super::frozen::tree::{Node, Tree};
use super::frozen::tree_classes::Classes;
use super::frozen::tree_code::check_nodes;
use super::frozen::tree_nodes::{LeafCodec, ModelCoder, PreorderCodec, VariableRanks, whole};
use crate::error::{Error, Result};
use crate::nodes::ends;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::iter;
use core::ops::Range;

/// The most bytes of a top's code, and the fewest of a page's. They bound the time of a hostile page: each page is decoded with a
/// copy of the top's counters. `Counters::check_small` bounds the size of this copy.
const MAX_TOP: usize = 1 << 16;
const MIN_PAGE: usize = 1 << 10;

/// The sizes by which a writer cuts a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cutting {
    /// The longest code that stays whole.
    pub(super) whole: usize,
    /// The most bytes of a page, approximately.
    pub(super) page: usize,
    /// The fewest bytes of the top, approximately.
    pub(super) top: usize,
}

impl Cutting {
    /// The sizes for outcomes. Measured: docs/decisions/pages.md.
    pub(super) const USUAL: Cutting = Cutting { whole: 20 << 10, page: 8 << 10, top: 10 << 10 };

    /// The sizes for distances, whose leaves take more bytes and which are not asked for at every node of a search. Trees of
    /// four men stay whole.
    #[cfg(feature = "build")]
    pub(super) const DISTANCES: Cutting = Cutting { whole: 144 << 10, page: 16 << 10, top: 32 << 10 };
}

/// A tree of which only the top is decoded.
#[derive(Debug)]
pub(crate) struct Top<L: LeafCodec = Classes> {
    parts: Vec<u8>,
    /// The state of the leaves after the top.
    leaves: L,
    /// The nodes of the top, in preorder.
    nodes: Box<[Node<Option<L::Leaf>>]>,
    /// The state of the counters after the top, with which each page begins.
    mixer: KeptMixer,
    /// The same state as the top left it, for the page that is decoded first.
    fresh: Option<Fresh>,
    seen: VariableRanks,
    pages: Vec<Page>,
}

/// Counters as they are after the top: a page that is decoded with them need not restore those that are kept.
#[derive(Debug)]
pub(crate) struct Fresh(Mixer);

/// A page that is not decoded.
#[derive(Clone, Debug)]
struct Page {
    /// The range of its code in the bytes of the nodes.
    bytes: Range<usize>,
    /// The numbers of its subtrees among all cut subtrees.
    cuts: Range<usize>,
}

impl Top {
    /// [`Top::read_of`] for a tree of outcomes.
    pub(crate) fn read(bytes: &[u8], parts: &[u8], has_exceptions: bool) -> Result<Self> {
        Self::read_of(bytes, parts, |decoder, _| {
            let classes = Classes::code_outcomes(decoder, None, has_exceptions)?;
            Error::corrupt_unless(classes.len() > 1, || "pages of a tree that is a leaf".into())?;
            Ok(classes)
        })
    }

    /// Decodes all pages. Returns the whole tree without its exceptions, which are stored elsewhere.
    pub(super) fn whole(&self, bytes: &[u8]) -> Result<Tree> {
        let tree = Tree::from_preorder(self.whole_nodes(bytes)?.0)?;
        self.leaves.check_tree(&tree)?;
        Ok(tree)
    }
}

impl<L: LeafCodec + Clone> Top<L> {
    /// Reads the index and the top of a tree from `bytes`, the bytes of its nodes. Any bytes are acceptable; allocates in
    /// proportion to their number. `leaves` reads the code before the nodes; its second argument is the length of the top.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when a rule is broken.
    pub(super) fn read_of(
        bytes: &[u8],
        parts: &[u8],
        leaves: impl FnOnce(&mut Decoder, usize) -> Result<L>,
    ) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let count = reader.short_number()?;
        let mut pages: Vec<Page> = Vec::new();
        let mut end = (0_usize, 0_usize);
        for _ in 0..count {
            let start = end;
            let (length, cuts) = (reader.short_number()? as usize, reader.short_number()? as usize);
            Error::corrupt_unless(length >= MIN_PAGE && cuts > 0, || {
                "a page of a tree that is too small".into()
            })?;
            end = (start.0.saturating_add(length), start.1.saturating_add(cuts));
            Error::corrupt_unless(end.0 <= bytes.len(), || "pages that are cut short".into())?;
            check_nodes(end.1, MAX_TOP)?;
            pages.push(Page { bytes: start.0..end.0, cuts: start.1..end.1 });
        }
        Error::corrupt_unless(!pages.is_empty(), || "a tree in pages without a page".into())?;
        let rest = bytes.len() - reader.at;
        let length = rest.checked_sub(end.0).ok_or_else(|| Error::corrupt("pages that are cut short"))?;
        Error::corrupt_unless(length <= MAX_TOP, || {
            format!("the top of a tree has more than {MAX_TOP} bytes")
        })?;
        let code = reader.take(length)?;
        for page in &mut pages {
            page.bytes = page.bytes.start + reader.at..page.bytes.end + reader.at;
        }
        let mut decoder = Decoder::new(code);
        let leaves = leaves(&mut decoder, length)?;
        let mut learner = ModelCoder { coder: decoder, mixer: Mixer::for_bytes(length) };
        let mut coded = PreorderCodec::new(parts, leaves, end.1);
        let mut nodes = Vec::new();
        coded.code(&mut learner, iter::empty(), |learner, node| {
            nodes.push(node);
            learner.mixer.counters.check_small()?;
            check_nodes(nodes.len(), length)
        })?;
        Error::corrupt_unless(coded.cuts() == 0, || "pages with more subtrees than the top lacks".into())?;
        Error::corrupt_unless(learner.coder.is_finished(), || {
            "bytes after the end of the top of a tree".into()
        })?;
        let (nodes, seen) = (nodes.into(), coded.seen().clone());
        let (mixer, fresh) = (learner.mixer.kept(), Some(Fresh(learner.mixer)));
        Ok(Top { parts: parts.to_vec(), seen, leaves: coded.leaves, nodes, mixer, fresh, pages })
    }

    /// The nodes of the top, in preorder.
    pub(crate) fn nodes(&self) -> &[Node<Option<L::Leaf>>] {
        &self.nodes
    }

    /// The leaves of the top.
    pub(super) fn leaves(&self) -> &L {
        &self.leaves
    }

    /// The number of cut subtrees in each page, in order.
    pub(crate) fn pages(&self) -> impl ExactSizeIterator<Item = usize> {
        self.pages.iter().map(|page| page.cuts.len())
    }

    pub(crate) fn page_bytes(&self, page: usize) -> usize {
        self.pages[page].bytes.len()
    }

    /// Bytes of memory.
    pub(crate) fn memory(&self) -> usize {
        let fresh = self.fresh.as_ref().map_or(0, |fresh| fresh.0.memory());
        size_of_val(&self.nodes[..]) + size_of_val(&self.pages[..]) + self.mixer.memory() + fresh
    }

    /// Takes the fresh counters, if nobody has taken them.
    pub(crate) fn take_fresh(&mut self) -> Option<Fresh> {
        self.fresh.take()
    }

    /// Decodes page number `page` from `bytes`, the bytes of the tree's nodes, with the fresh counters if it gets them. Returns the
    /// nodes of its subtrees in preorder, one subtree after the other, and the state of the leaves after them.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::ErrorKind::Corrupt) when the code is damaged.
    ///
    /// # Panics
    /// When there is no such page.
    pub(crate) fn page(
        &self,
        bytes: &[u8],
        page: usize,
        fresh: Option<Fresh>,
    ) -> Result<(Vec<Node<L::Leaf>>, L)> {
        let mut nodes = Vec::new();
        let take = |node, is_of_page: bool| nodes.extend(is_of_page.then_some(node));
        let leaves = self.decode(bytes, page..page + 1, fresh, take)?;
        Ok((nodes, leaves))
    }

    /// Decodes all pages. Returns all nodes, and the state of the leaves after them.
    pub(super) fn whole_nodes(&self, bytes: &[u8]) -> Result<(Vec<Node<L::Leaf>>, L)> {
        let mut nodes = Vec::new();
        let leaves = self.decode(bytes, 0..self.pages.len(), None, |node, _| nodes.push(node))?;
        Ok((nodes, leaves))
    }

    /// Decodes `pages`. Calls `take` in preorder with each node of the pages, and with each node of the top up to the end of the
    /// pages. The second argument of `take` is whether the node is of a page. Returns the state of the leaves.
    fn decode(
        &self,
        bytes: &[u8],
        pages: Range<usize>,
        mut fresh: Option<Fresh>,
        mut take: impl FnMut(Node<L::Leaf>, bool),
    ) -> Result<L> {
        let end = self.pages[pages.clone()].last().map_or(0, |page| page.cuts.end);
        let mut pages = self.pages[pages].iter().peekable();
        let mut page: Option<(&Page, ModelCoder<Decoder>, usize)> = None;
        let mut passed = self.pass();
        let mut cut = 0;
        for &node in &self.nodes {
            if let Some(node) = whole(node) {
                take(node, false);
            } else {
                if cut == end {
                    break;
                }
                if let Some(next) = pages.next_if(|page| page.cuts.start == cut) {
                    let decoder = Decoder::new(&bytes[next.bytes.clone()]);
                    let kept = || self.mixer.with_room(next.bytes.len());
                    let mixer = fresh.take().map_or_else(kept, |fresh| fresh.0);
                    page = Some((next, ModelCoder { coder: decoder, mixer }, 0));
                    passed.leaves.begin_page(next.bytes.len());
                    passed.resume(self.seen.clone());
                }
                cut += 1;
                if let Some((Page { bytes, cuts }, learner, count)) = &mut page {
                    passed.code_cut(learner, iter::empty(), |node| {
                        whole(node).into_iter().for_each(|node| take(node, true));
                        *count += 1;
                        check_nodes(*count, bytes.len())
                    })?;
                    if cuts.end == cut {
                        let is_finished = learner.coder.is_finished();
                        Error::corrupt_unless(is_finished, || {
                            "bytes after the end of a page of a tree".into()
                        })?;
                    }
                }
            }
            passed.pass(node);
        }
        Ok(passed.leaves)
    }

    /// The state at the root for a walk over the decoded top.
    fn pass(&self) -> PreorderCodec<L> {
        let mut nodes = PreorderCodec::new(&self.parts, self.leaves.clone(), 0);
        nodes.resume(self.seen.clone());
        nodes
    }
}

/// Returns the code of `tree` in pages; `None` when the tree is short enough in one piece, or cannot be cut by the rules. In
/// the code in one piece node n begins at byte `starts[n]`, and the last element is the end.
pub(super) fn encode(tree: &Tree, parts: &[u8], starts: &[usize], cutting: Cutting) -> Option<Vec<u8>> {
    let classes = Classes::of(tree);
    let mut head = Encoder::new();
    Classes::code_outcomes(&mut head, Some(&classes), classes.has_exceptions()).ok()?;
    encode_of(tree.nodes(), parts, &classes, &head, starts, cutting)
}

/// [`encode`] for the nodes of any tree. `head` is the encoder at the start of the nodes.
pub(super) fn encode_of<L: LeafCodec + Clone>(
    nodes: &[Node<L::Leaf>],
    parts: &[u8],
    leaves: &L,
    head: &Encoder,
    starts: &[usize],
    mut cutting: Cutting,
) -> Option<Vec<u8>> {
    while *starts.last()? > cutting.whole.max(cutting.page) {
        let pages = cut(nodes, starts, cutting);
        if pages.is_empty() {
            return None;
        }
        if let Some(code) = encode_cut(&pages, nodes, parts, leaves, head.clone()) {
            return Some(code);
        }
        // The top was too large, a page too small, or a code too regular: larger pages may do.
        cutting.page *= 2;
    }
    None
}

/// Returns the subtrees to cut out, page by page, as ranges of nodes. Node n begins at byte `starts[n]`.
fn cut<L>(nodes: &[Node<L>], starts: &[usize], cutting: Cutting) -> Vec<Vec<Range<usize>>> {
    let ends = ends(nodes);
    let length = |nodes: &Range<usize>| starts[nodes.end] - starts[nodes.start];
    let (mut pages, mut page, mut filled, mut left) = (Vec::new(), Vec::new(), 0, starts[nodes.len()]);
    let mut at = 1;
    while at < nodes.len() {
        let subtree = at..ends[at];
        let bytes = length(&subtree);
        // Cutting out a subtree of a few bytes saves less than its mark and the restart cost.
        if !matches!(nodes[at], Node::Test(_)) || !(16..=cutting.page / 2).contains(&bytes) {
            at += 1;
            continue;
        }
        at = subtree.end;
        page.push(subtree);
        filled += bytes;
        if filled >= cutting.page / 2 {
            left -= filled;
            pages.push(core::mem::take(&mut page));
            filled = 0;
        }
    }
    // The last subtrees stay in the top if they are too few for a page, and so do as many pages as the top needs.
    let average = (starts[nodes.len()] - left) / pages.len().max(1);
    let stay = (cutting.top.saturating_sub(left) + average / 2).checked_div(average).unwrap_or(0);
    let all = pages.len();
    let number = |page: usize| page * stay / all;
    let mut page = 0..all;
    pages.retain(|_| page.next().is_none_or(|page| number(page) == number(page + 1)));
    pages
}

/// Returns the code with the subtrees in `pages` cut out; `None` when the top or a page breaks a rule of the format.
fn encode_cut<L: LeafCodec + Clone>(
    pages: &[Vec<Range<usize>>],
    given: &[Node<L::Leaf>],
    parts: &[u8],
    leaves: &L,
    head: Encoder,
) -> Option<Vec<u8>> {
    let (mut top, mut at) = (Vec::new(), 0);
    let uncut = |nodes: Range<usize>| given[nodes].iter().map(|node| node.map(Some));
    for subtree in pages.iter().flatten() {
        top.extend(uncut(at..subtree.start));
        top.push(Node::Leaf(None));
        at = subtree.end;
    }
    top.extend(uncut(at..given.len()));
    let cuts = pages.iter().flatten().count();
    let mut learner = ModelCoder { coder: head, mixer: Mixer::default() };
    let mut nodes = PreorderCodec::new(parts, leaves.clone(), cuts);
    nodes.code(&mut learner, top.iter().copied(), |_, _| Ok(())).ok()?;
    let ModelCoder { coder, mixer } = learner;
    let code = coder.finish();
    if code.len() > MAX_TOP || mixer.counters.check_small().is_err() {
        return None;
    }
    check_nodes(top.len(), code.len()).ok()?;
    let top = Top {
        parts: parts.to_vec(),
        seen: nodes.seen().clone(),
        leaves: leaves.clone(),
        nodes: top.into(),
        mixer: mixer.kept(),
        fresh: None,
        pages: Vec::new(),
    };
    let (mut codes, mut nodes) = (Vec::new(), top.pass());
    let mut at = 0;
    for page in pages {
        let mut learner = ModelCoder { coder: Encoder::new(), mixer: top.mixer.with_room(0) };
        nodes.resume(top.seen.clone());
        for subtree in page {
            while let Some(&node) = top.nodes.get(at).filter(|&&node| whole(node).is_some()) {
                nodes.pass(node);
                at += 1;
            }
            nodes.code_cut(&mut learner, uncut(subtree.clone()), |_| Ok(())).ok()?;
            nodes.pass(Node::Leaf(None));
            at += 1;
        }
        codes.push(learner.coder.finish());
    }
    let mut bytes = Vec::new();
    push_number(&mut bytes, codes.len() as u64);
    for (page, code) in pages.iter().zip(&codes) {
        let nodes = page.iter().map(Range::len).sum();
        if code.len() < MIN_PAGE || check_nodes(nodes, code.len()).is_err() {
            return None;
        }
        push_number(&mut bytes, code.len() as u64);
        push_number(&mut bytes, page.len() as u64);
    }
    bytes.extend(code);
    codes.iter().for_each(|code| bytes.extend(code));
    Some(bytes)
}
