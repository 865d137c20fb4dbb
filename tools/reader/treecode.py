"""Decision trees in codec `pcn`: reads the nodes of a tree, of its top or of a page from decisions.

Names are those of FORMAT.md, sections Coding of trees and Coding of pages.
"""

import copy

from coder import Decoder, ilog2
from errors import Refused
from exceptions import EITHER
from nodes import LEVELS, OUTCOMES, Cut, Leaf, Path, Test, preorder

# How many nodes a subtree that is cut out counts as, in the size of a subtree of the top.
CUT_SIZE = 512
# The format lets a reader refuse a top with as many counters.
MOST_COUNTERS = 1 << 18


class Place:
    """The facts about the nodes around a node that its decisions depend on."""

    def __init__(self, path, code):
        self.path = path
        self.depth, self.narrow = min(path.depth, 63), min(path.narrowing // 2, 255)
        self.side, self.parent, self.interval, self.above = 2, 2048, (0, 0), (1024, 0)
        self.sib, self.sibclass, self.sibvar, self.sibsize = 0, 3, 2048, 0
        if path.above is not None:
            test, self.side, further = path.above
            self.parent, self.interval = test.variable, (test.low, test.high)
            if further is not None:
                self.above = (further[0].variable, further[1])
            if self.side == 1:
                self.sibsize = ilog2(1 + code.size() - test.size_to_child)
                self.set_sibling(test.children[0], code.classes)

    def set_sibling(self, first, classes):
        if isinstance(first, Leaf):
            self.sib = 1 if first.level is None else 2
            self.sibclass = classes.index(first.outcome)
        else:
            self.sib = 3
            if isinstance(first, Test):
                self.sibvar = first.variable


class Code:
    """One code, and the reading of its nodes, one after the other."""

    def __init__(self, counts, excepting, payload, subtrees=0, classes=None):
        self.counts, self.excepting = counts, excepting
        self.decoder = Decoder(payload)
        self.classes = classes or [outcome for outcome in OUTCOMES if self.decoder.even()]
        if not self.classes:
            raise Refused("a tree without outcomes")
        # The seen variables in the order of their places.
        self.seen = []
        self.nodes, self.last = 0, len(self.classes)
        self.most = most_nodes(payload)
        # The subtrees cut out so far, and the number of subtrees in all pages.
        self.cuts, self.subtrees = [], subtrees

    # ------------------------------------------------------------------------------------- trees, tops and pages

    def tree(self, nodes):
        """Adds the nodes of a whole tree to `nodes`."""
        if len(self.classes) == 1:
            nodes.append(Leaf(self.classes[0]))
        else:
            preorder(Path(self.counts), self.node, nodes)
        self.decoder.end()

    def top(self, nodes):
        """Adds the nodes of the top of a tree in pages to `nodes`, and the subtrees that are cut out to `cuts`."""
        if len(self.classes) == 1:
            raise Refused("a tree in pages that has only one outcome")
        preorder(Path(self.counts), self.node, nodes)
        self.decoder.end()
        if len(self.cuts) < self.subtrees:
            raise Refused("pages with more subtrees than are cut out")

    def after(self, payload):
        """The code of a page, which starts from the probabilities and seen variables of this one, the top's."""
        page = copy.copy(self)
        page.decoder = Decoder(payload, self.decoder)
        page.seen = list(self.seen)
        page.most = self.nodes + most_nodes(payload)
        page.cuts, page.subtrees = [], 0
        return page

    def page(self, cuts, nodes):
        """Adds the nodes of a page, which has these subtrees, to `nodes`."""
        for cut in cuts:
            self.last = cut.last
            preorder(cut.place.path, self.reader_of(cut), nodes)
        self.decoder.end()

    def reader_of(self, cut):
        """The function that reads the nodes of a subtree. Its root is a test, without a decision about that."""

        def read(path):
            is_root = path is cut.place.path
            return self.counted(self.test(cut.place)) if is_root else self.node(path)

        return read

    # --------------------------------------------------------------------------------------------------- nodes

    def size(self):
        """The number of nodes so far, each subtree that is cut out counted as `CUT_SIZE` nodes."""
        return self.nodes + (CUT_SIZE - 1) * len(self.cuts)

    def counted(self, node):
        if self.nodes == self.most:
            raise Refused("a tree larger than its payload allows")
        self.nodes += 1
        return node

    def node(self, path):
        """The next node, which is at the end of `path`."""
        if self.subtrees and len(self.decoder.counters) >= MOST_COUNTERS:
            raise Refused("a top with more counters than this reader takes")
        place = Place(path, self)
        if self.is_leaf(place):
            return self.counted(self.leaf(place))
        if self.is_cut(place):
            cut = self.counted(Cut(place, self.last))
            self.cuts.append(cut)
            return cut
        return self.counted(self.test(place))

    def any_open(self, path):
        """Whether a seen variable is open. The path tests only seen ones."""
        return path.closed() < len(self.seen)

    def all_seen(self):
        return len(self.seen) == len(self.counts)

    def is_leaf(self, place):
        if self.all_seen() and not self.any_open(place.path):
            return True
        around = (place.side, place.sib)
        return self.decoder.learned(
            0,
            [
                (place.sibsize,) + around,
                (place.depth,) + around,
                (place.parent,) + around,
                (place.narrow,) + around,
                (place.parent,) + place.interval + (place.side,),
                (place.sibsize, place.narrow, place.side),
            ],
        )

    def is_cut(self, place):
        if place.path.depth == 0 or len(self.cuts) >= self.subtrees:
            return False
        around = (place.side, place.sib)
        contexts = [(place.depth,) + around, (place.narrow,) + around, (place.parent, place.side)]
        return self.decoder.learned(11, contexts)

    def leaf(self, place):
        side, sib, sibclass, parent = place.side, place.sib, place.sibclass, place.parent
        number = self.decoder.symbol(
            1,
            [
                (side, sib, sibclass),
                (parent,) + place.interval + (side,),
                (self.last, side, sib, sibclass),
                (parent, side, sib, sibclass),
                place.above + (parent, side),
            ],
            [c for c in range(len(self.classes)) if not (c == sibclass and sib == 1 and not self.excepting)],
        )
        self.last = number
        leaf = Leaf(self.classes[number])
        if self.excepting:
            self.read_exceptions(place, number, leaf)
        return leaf

    def read_exceptions(self, place, number, leaf):
        """Reads whether a leaf of this class has exceptions, and then their level and outcome."""
        contexts = [
            (number,),
            (place.narrow, number),
            (number, place.sib, place.side),
            (place.depth, number),
            (place.parent, place.side, number),
        ]
        if place.sib == 1 and place.sibclass == number or self.decoder.learned(2, contexts):
            leaf.level = self.decoder.symbol(3, contexts, LEVELS)
            others = [outcome for outcome in self.classes if outcome != leaf.outcome]
            choices = others + [EITHER] if len(others) == 2 else others
            leaf.excepted = choices[self.decoder.symbol(4, contexts, range(len(choices)))]

    def test(self, place):
        test = Test(*self.interval(place, self.variable(place)))
        test.size_to_child = self.size() + 1
        return test

    def variable(self, place):
        if self.is_new(place):
            unseen = sorted(set(range(len(self.counts))) - set(self.seen))
            self.seen.append(unseen[self.decoder.uniform(len(unseen))])
            return self.seen[-1]
        parent, side = place.parent, place.side
        contexts = [
            (),
            (parent, side),
            (place.depth,),
            (place.sibvar, side),
            place.above + (parent, side),
            (place.narrow,),
        ]
        open_ = [number for number, v in enumerate(self.seen) if len(place.path.parts(v)) > 1]
        return self.seen[self.decoder.symbol(6, contexts, open_)]

    def is_new(self, place):
        if not self.any_open(place.path):
            return True
        if self.all_seen():
            return False
        contexts = [(min(len(self.seen), 40),), (min(place.narrow, 63),), (ilog2(self.nodes + 1),)]
        return self.decoder.learned(5, contexts)

    def interval(self, place, variable):
        """The variable of a test, and its interval."""
        left = place.path.parts(variable)
        least, greatest = left[0], left[-1]
        contexts = [
            (variable,),
            (variable, least, greatest),
            (least, greatest),
            (variable, place.parent),
            (variable, int(place.sibvar == variable), place.depth),
        ]
        between = [p for p in left if least < p < greatest]
        if between and self.decoder.learned(7, contexts[:3]):
            low = self.decoder.symbol(9, contexts[:3], between)
            longer = [context + (low,) for context in contexts[:3]]
            return variable, low, self.decoder.symbol(10, longer, [p for p in between if p >= low])
        return variable, 0, self.decoder.symbol(8, contexts, left[:-1])


def most_nodes(payload):
    return 8 * (len(payload) + 8)
