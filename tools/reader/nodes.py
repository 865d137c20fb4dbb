"""The nodes of decision trees, and the paths to them."""

from coder import ilog2
from errors import Refused

OUTCOMES = (0, 2, 4)
LEVELS = range(32)
MOST_NODES = 67108864


class Leaf:
    def __init__(self, outcome):
        # Only a leaf with exceptions has a level and the outcome `excepted` of these.
        self.outcome, self.level, self.excepted = outcome, None, None
        # In a tree of distances, where `outcome` is the usual class: the classes of words, by their length and bits.
        self.words = {}


class Test:
    def __init__(self, variable, low, high):
        self.variable, self.low, self.high = variable, low, high
        self.children = [None, None]
        # In a code: `Code.size` where the first child begins.
        self.size_to_child = None


class Cut:
    """A node of the top of a tree in pages, in place of a subtree that is in a page.

    Keeps the place of the subtree's root and the class of the last leaf before it.
    """

    def __init__(self, place, last):
        self.place, self.last = place, last


def q(n):
    return (ilog2(n**8) + 1) // 2


class Path:
    """The tests above a node, and the parts of each variable that can reach it."""

    def __init__(self, counts, left=None, depth=0, narrowing=0, above=None):
        self.counts = counts
        # The parts left of the variables that the path tests.
        self.left = left or {}
        self.depth, self.narrowing = depth, narrowing
        # The tests above, the nearest first: (test, which child), the rest.
        self.above = above

    def parts(self, v):
        return self.left.get(v) or range(self.counts[v])

    def closed(self):
        """How many variables have a single part left."""
        return sum(len(kept) == 1 for kept in self.left.values())

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


def preorder(path, read, nodes):
    """Reads the subtree at the end of a path and adds it to `nodes`. `read` is given the path to each of its nodes.

    A subtree that is cut out adds no node: its nodes are in a page.
    """
    waiting = [path]
    while waiting:
        path = waiting.pop()
        if len(nodes) == MOST_NODES:
            raise Refused("a tree with too many nodes")
        node = read(path)
        if path.above is not None:
            test, which, _ = path.above
            test.children[which] = node
        if not isinstance(node, Cut):
            nodes.append(node)
        if isinstance(node, Test):
            path.check(node)
            waiting.append(path.child(node, 1))
            waiting.append(path.child(node, 0))
