"""Decision trees: their nodes in either codec, the rules for them, and the ranks of the exceptions.

Nodes are kept in preorder. The first child of a test is the node after it, `second` is where the other one is.
"""

from bytesource import Bytes
from coder import Decoder, ilog2
from errors import Refused

OUTCOMES = (0, 2, 4)
MOST = (1 << 47) - 1


class Leaf:
    def __init__(self, outcome, count=0):
        self.outcome = outcome
        # How many exceptions; once their ranks are known, the outcome of each rank.
        self.count = count
        self.exceptions = {}
        # Codec `none` states the ranks, codec `pcn` tells them once it is known how many positions reach the leaf.
        self.listed = []


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
    """The nodes of a section."""

    def __init__(self, counts, codec, payload):
        self.counts = counts
        self.nodes = []
        self.decoder = self.leading = None
        self.ranked = False
        if codec == 0:
            self.read_plain(payload)
        else:
            self.most = 32 * (len(payload) + 8)
            self.decoder = Decoder(payload)
            self.read_coded()
            if sum(leaf.count for leaf in self.leaves()) + len(self.nodes) > self.most:
                raise Refused("a tree larger than its payload allows")
        self.check_siblings()

    def leaves(self):
        return [node for node in self.nodes if isinstance(node, Leaf)]

    def excepted(self):
        """The leaves with exceptions."""
        return [leaf for leaf in self.leaves() if leaf.count]

    def check_siblings(self):
        for number, test in enumerate(self.nodes):
            if isinstance(test, Test):
                first, second = self.nodes[number + 1], self.nodes[test.second]
                if isinstance(first, Leaf) and isinstance(second, Leaf):
                    if not first.count and not second.count and first.outcome == second.outcome:
                        raise Refused("a test that changes nothing")

    def leaf(self, part_of):
        """The leaf that a position reaches; `part_of` gives its part of a variable."""
        number = 0
        while True:
            node = self.nodes[number]
            if isinstance(node, Leaf):
                return node
            inside = node.low <= part_of(node.variable) <= node.high
            number = number + 1 if inside else node.second

    def excepted_leaf(self, part_of):
        """The leaf that a position reaches if it has exceptions; else none, often without going all the way."""
        if self.leading is None:
            # The nodes that have such a leaf at or below them.
            self.leading = [isinstance(node, Leaf) and node.count > 0 for node in self.nodes]
            for number in range(len(self.nodes) - 1, -1, -1):
                node = self.nodes[number]
                if isinstance(node, Test):
                    self.leading[number] = self.leading[number + 1] or self.leading[node.second]
        number = 0
        while self.leading[number]:
            node = self.nodes[number]
            if isinstance(node, Leaf):
                return node
            inside = node.low <= part_of(node.variable) <= node.high
            number = number + 1 if inside else node.second
        return None

    def preorder(self, read):
        """Reads nodes until the tree is whole: `read` is given the path, and the test whose second child is next."""
        waiting = [(Path(self.counts), None)]
        while waiting:
            path, parent = waiting.pop()
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
                leaf.count = source.number()
                if leaf.count == 0:
                    raise Refused("a leaf that announces exceptions and has none")
                rank = -1
                for _ in range(leaf.count):
                    rank += source.number(63) + 1
                    outcome = source.byte()
                    if outcome not in OUTCOMES or outcome == leaf.outcome:
                        raise Refused("an exception with an outcome that cannot be")
                    leaf.listed.append((rank, outcome))
            return leaf

        self.preorder(read)
        if source.at != len(payload):
            raise Refused("bytes after a tree")

    # --------------------------------------------------------------------------------------------- codec `pcn`

    def read_coded(self):
        decoder = self.decoder
        self.classes = [outcome for outcome in OUTCOMES if decoder.even()]
        if not self.classes:
            raise Refused("a tree without outcomes")
        if len(self.classes) == 1:
            self.nodes.append(Leaf(self.classes[0]))
            decoder.end()
            return
        self.has_exceptions = decoder.even()
        # The seen variables in the order of their places.
        self.seen = []
        self.last = len(self.classes)
        self.preorder(self.read_node)
        if not self.has_exceptions:
            decoder.end()
            self.check_announced()
        elif not self.excepted():
            raise Refused("a tree announces exceptions and has none")

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
                sib = 2 if first.count else 1
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
                if not (number == sibclass and sib == 1 and not self.has_exceptions)
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
            if self.has_exceptions:
                contexts = [
                    (number,),
                    (narrow, number),
                    (number, sib, side),
                    (depth, number),
                    (parent, side, number),
                ]
                if sib == 1 and sibclass == number or decoder.learned(2, contexts):
                    node.count = 1 + decoder.small(3, contexts[:2], MOST)
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

    def check_announced(self):
        there = {leaf.outcome for leaf in self.leaves()}
        for leaf in self.leaves():
            there.update(leaf.exceptions.values())
        if there != set(self.classes):
            raise Refused("a tree announces an outcome that it has not")

    # ------------------------------------------------------------------------------------------------ the ranks

    def find_ranks(self, reach):
        """The exceptions' ranks, `reach` telling how many positions reach each leaf that has some."""
        if self.ranked:
            return
        self.ranked = True
        for leaf in self.excepted():
            if leaf.count > reach[leaf]:
                raise Refused("more exceptions than positions")
            if self.decoder is None:
                if leaf.listed[-1][0] >= reach[leaf]:
                    raise Refused("an exception beyond the positions of its leaf")
                leaf.exceptions = dict(leaf.listed)
            else:
                leaf.exceptions = self.read_ranks(leaf, reach[leaf])
        if self.decoder is not None:
            self.decoder.end()
            self.check_announced()

    def read_ranks(self, leaf, n):
        decoder, found = self.decoder, {}
        mine = self.classes.index(leaf.outcome)
        rank, before, before_length, before_rel = 0, mine, 63, 0
        for w in range(leaf.count, 0, -1):
            m = n - rank
            middle = 16 - ilog2(m // w)

            def rel(length):
                return min(max(length + middle, 0), 31)

            length = 0
            while (m - w) >> length:
                start = 0 if length == 0 else 1 << (length - 1)
                more = decoder.learned(
                    11,
                    [(rel(length),), (length, before_length), (rel(length), before_rel)],
                    chance(m, w, start, 1 << length),
                )
                if not more:
                    break
                length += 1
            gap = 0 if length == 0 else 1 << (length - 1)
            for r in range(length - 2, -1, -1):
                half = gap + (1 << r)
                if half > m - w:
                    continue
                x = chance(m, w, gap, half)
                if decoder.learned(
                    12, [(length, r), (min(length, 7), r, min(gap >> r, 255))], 65536 * x // (65536 + x)
                ):
                    gap = half
            before_length, before_rel = length, 1 + rel(length)
            rank += gap
            others = [number for number in range(len(self.classes)) if number != mine]
            number = others[0]
            if len(others) == 2:
                number = others[decoder.learned(13, [(mine,), (mine, before)])]
            before = number
            found[rank] = self.classes[number]
            rank += 1
        return found


def chance(m, w, a, b):
    """That the first of w exceptions among m positions comes at b or later, given that it comes at a or later."""
    f = ((2 * (m - b) - (w - 1)) << 30) // (2 * (m - a) - (w - 1))
    r, e = 1 << 30, w
    while e:
        if e & 1:
            r = r * f >> 30
        f = f * f >> 30
        e //= 2
    return max(1, min(65535, r >> 14))
