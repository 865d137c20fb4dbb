"""Decision trees: their nodes in either codec, and the rules for them.

Nodes are kept in preorder. The first child of a test is the node after it, `second` is where the other one is.
"""

from bytesource import Bytes
from coder import Decoder, ilog2
from errors import Refused
from exceptions import EITHER, Exceptions

OUTCOMES = (0, 2, 4)
LEVELS = range(32)
MOST_NODES = 67108864


class Leaf:
    def __init__(self, outcome):
        # A leaf with exceptions has a level, and tells which outcome these have.
        self.outcome, self.level, self.excepted = outcome, None, None


class Test:
    def __init__(self, variable, low, high):
        self.variable, self.low, self.high = variable, low, high
        self.number = self.second = None


def q(n):
    return (ilog2(n**8) + 1) // 2


class Path:
    """What the tests above a node have left."""

    def __init__(self, counts, left=None, depth=0, narrowing=0, above=None):
        self.counts = counts
        # The parts left of the variables that the path tests.
        self.left = left or {}
        self.depth, self.narrowing = depth, narrowing
        # The tests above, the nearest first: (test, which child), the rest.
        self.above = above

    def parts(self, v):
        return self.left.get(v) or range(self.counts[v])

    def child(self, test, which):
        parts = self.parts(test.variable)
        kept = [p for p in parts if (test.low <= p <= test.high) == (which == 0)]
        left = dict(self.left)
        left[test.variable] = kept
        narrowing = self.narrowing + q(len(parts)) - q(len(kept))
        return Path(self.counts, left, self.depth + 1, narrowing, (test, which, self.above))

    def check(self, test):
        """Refuses a test that is not in normal form."""
        parts = self.parts(test.variable)
        inside = [p for p in parts if test.low <= p <= test.high]
        if not inside or parts[-1] in inside or test.high not in parts:
            raise Refused("a test that is not in normal form")
        if test.low and (test.low not in parts or test.low == parts[0]):
            raise Refused("a test that is not in normal form")


class Tree:
    """What a section holds: nodes, and the exceptions if it says that there are some."""

    def __init__(self, counts, codec, excepting, payload):
        self.counts, self.excepting = counts, excepting
        self.nodes = []
        source = Bytes(payload)
        nodes = source.take(source.number()) if excepting else payload
        if codec == 0:
            self.read_plain(nodes)
        else:
            self.read_coded(nodes)
        self.check_siblings()
        levels = [leaf.level for leaf in self.leaves() if leaf.level is not None]
        if excepting != bool(levels):
            raise Refused("a tree with exceptions has no leaf with a level, or one without them has one")
        self.exceptions = None
        if excepting:
            self.exceptions = Exceptions(source, levels)
            if source.at != len(payload):
                raise Refused("bytes after the exceptions")

    def leaves(self):
        return [node for node in self.nodes if isinstance(node, Leaf)]

    def check_siblings(self):
        for number, test in enumerate(self.nodes):
            if isinstance(test, Test):
                first, second = self.nodes[number + 1], self.nodes[test.second]
                if isinstance(first, Leaf) and isinstance(second, Leaf):
                    if first.level is None and second.level is None and first.outcome == second.outcome:
                        raise Refused("a test that changes nothing")

    def outcome(self, part_of, squares, en_passant):
        """The outcome of a canonical position."""
        leaf = self.leaf(part_of)
        return leaf.outcome if leaf.level is None else self.exceptions.outcome(squares, en_passant, leaf)

    def leaf(self, part_of):
        """The leaf that a position reaches; `part_of` gives its part of a variable."""
        number = 0
        while True:
            node = self.nodes[number]
            if isinstance(node, Leaf):
                return node
            inside = node.low <= part_of(node.variable) <= node.high
            number = number + 1 if inside else node.second

    def preorder(self, read):
        """Reads nodes until the tree is whole: `read` is given the path, and the test whose second child is next."""
        waiting = [(Path(self.counts), None)]
        while waiting:
            path, parent = waiting.pop()
            if len(self.nodes) == MOST_NODES:
                raise Refused("a tree with too many nodes")
            if parent is not None:
                parent.second = len(self.nodes)
            node = read(path, parent)
            self.nodes.append(node)
            if isinstance(node, Test):
                path.check(node)
                node.number = len(self.nodes) - 1
                waiting.append((path.child(node, 1), node))
                waiting.append((path.child(node, 0), None))

    # -------------------------------------------------------------------------------------------- codec `none`

    def read_plain(self, payload):
        source = Bytes(payload)

        def read(path, parent):
            byte = source.byte()
            if byte == 16:
                test = Test(source.number(), source.byte(), source.byte())
                if test.variable >= len(self.counts):
                    raise Refused("a test of a variable that is not there")
                return test
            leaf = Leaf(byte & 7)
            if byte > 15 or leaf.outcome not in OUTCOMES:
                raise Refused("a node of a kind that this reader does not know")
            if byte & 8:
                leaf.level, leaf.excepted = source.byte(), source.byte()
                if leaf.level not in LEVELS:
                    raise Refused("a level that cannot be")
                if leaf.excepted == leaf.outcome or leaf.excepted not in OUTCOMES + (EITHER,):
                    raise Refused("exceptions with an outcome that cannot be")
            return leaf

        self.preorder(read)
        if source.at != len(payload):
            raise Refused("bytes after a tree")

    # --------------------------------------------------------------------------------------------- codec `pcn`

    def read_coded(self, payload):
        self.most = 32 * (len(payload) + 8)
        self.decoder = decoder = Decoder(payload)
        self.classes = [outcome for outcome in OUTCOMES if decoder.even()]
        if not self.classes:
            raise Refused("a tree without outcomes")
        if len(self.classes) == 1:
            self.nodes.append(Leaf(self.classes[0]))
        else:
            # The seen variables in the order of their places.
            self.seen = []
            self.last = len(self.classes)
            self.preorder(self.read_node)
        decoder.end()
        if self.outcomes() != set(self.classes):
            raise Refused("a tree announces an outcome that it has not")

    def outcomes(self):
        """Those that the leaves state, for themselves and for their exceptions."""
        found = {leaf.outcome for leaf in self.leaves()}
        excepted = {leaf.excepted for leaf in self.leaves() if leaf.level is not None}
        return set(OUTCOMES) if EITHER in excepted else found | excepted

    def read_node(self, path, parent_of_second):
        decoder, nodes = self.decoder, len(self.nodes)
        if nodes >= self.most:
            raise Refused("a tree larger than its payload allows")
        side, parent, interval, above = 2, 2048, (0, 0), (1024, 0)
        sib, sibclass, sibvar, sibsize, same = 0, 3, 2048, 0, 0
        if path.above is not None:
            test, side, further = path.above
            parent, interval = test.variable, (test.low, test.high)
            if further is not None:
                above = (further[0].variable, further[1])
        if parent_of_second is not None:
            at = parent_of_second.number + 1
            first = self.nodes[at]
            sibsize = ilog2(nodes - at + 1)
            if isinstance(first, Leaf):
                sib = 1 if first.level is None else 2
                sibclass = self.classes.index(first.outcome)
            else:
                sib, sibvar = 3, first.variable
        depth, narrow = min(path.depth, 63), min(path.narrowing // 2, 255)

        open_ = [v for v in self.seen if len(path.parts(v)) > 1]
        all_seen = len(self.seen) == len(self.counts)
        if all_seen and not open_:
            leaf = 1
        else:
            leaf = decoder.learned(
                0,
                [
                    (sibsize, side, sib),
                    (depth, side, sib),
                    (parent, side, sib),
                    (narrow, side, sib),
                    (parent,) + interval + (side,),
                    (sibsize, narrow, side),
                ],
            )
        if leaf:
            candidates = [
                number
                for number in range(len(self.classes))
                if not (number == sibclass and sib == 1 and not self.excepting)
            ]
            number = decoder.symbol(
                1,
                [
                    (side, sib, sibclass),
                    (parent,) + interval + (side,),
                    (self.last, side, sib, sibclass),
                    (parent, side, sib, sibclass),
                    above + (parent, side),
                ],
                candidates,
            )
            self.last = number
            node = Leaf(self.classes[number])
            if self.excepting:
                contexts = [
                    (number,),
                    (narrow, number),
                    (number, sib, side),
                    (depth, number),
                    (parent, side, number),
                ]
                if sib == 1 and sibclass == number or decoder.learned(2, contexts):
                    node.level = decoder.symbol(3, contexts, LEVELS)
                    others = [outcome for outcome in self.classes if outcome != node.outcome]
                    choices = others + [EITHER] if len(others) == 2 else others
                    node.excepted = choices[decoder.symbol(4, contexts, range(len(choices)))]
            return node

        if not open_:
            new = 1
        elif all_seen:
            new = 0
        else:
            new = decoder.learned(
                5, [(min(len(self.seen), 40),), (min(narrow, 63),), (ilog2(nodes + 1),)]
            )
        if new:
            unseen = sorted(set(range(len(self.counts))) - set(self.seen))
            variable = unseen[decoder.uniform(len(unseen))]
            self.seen.append(variable)
        else:
            place = decoder.symbol(
                6,
                [(), (parent, side), (depth,), (sibvar, side), above + (parent, side), (narrow,)],
                [place for place, v in enumerate(self.seen) if len(path.parts(v)) > 1],
            )
            variable = self.seen[place]
        left = path.parts(variable)
        least, greatest = left[0], left[-1]
        same = int(side == 1 and sib == 3 and sibvar == variable)
        contexts = [
            (variable,),
            (variable, least, greatest),
            (least, greatest),
            (variable, parent),
            (variable, same, depth),
        ]
        between = [p for p in left if least < p < greatest]
        if between and decoder.learned(7, contexts[:3]):
            low = decoder.symbol(9, contexts[:3], between)
            high = decoder.symbol(
                10, [context + (low,) for context in contexts[:3]], [p for p in between if p >= low]
            )
        else:
            low, high = 0, decoder.symbol(8, contexts, left[:-1])
        return Test(variable, low, high)
