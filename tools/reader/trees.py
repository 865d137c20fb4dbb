"""Decision trees: their payloads in each codec, the rules for them, and the walk to a leaf."""

from bytesource import Bytes
from errors import Refused
from exceptions import EITHER, Exceptions
from nodes import LEVELS, OUTCOMES, Leaf, Path, Test, preorder
from treecode import Code

PLAIN, PAGES = 0, 3
LARGEST_TOP = 65536
SMALLEST_PAGE = 1024


class Tree:
    """The nodes of a section, and the exceptions if `excepting`."""

    def __init__(self, counts, codec, excepting, payload):
        self.counts, self.excepting = counts, excepting
        # The root comes first. The order of the others is that of the payload.
        self.nodes = []
        source = Bytes(payload)
        nodes = source.take(source.number()) if excepting else payload
        if codec == PLAIN:
            self.read_plain(nodes)
        elif codec == PAGES:
            self.read_pages(nodes)
        else:
            self.read_coded(nodes)
        self.check_siblings()
        levels = [leaf.level for leaf in self.leaves() if leaf.level is not None]
        if excepting != bool(levels):
            raise Refused("exceptions without a leaf with a level, or such a leaf without exceptions")
        self.exceptions = None
        if excepting:
            self.exceptions = Exceptions(source, levels)
            if source.at != len(payload):
                raise Refused("bytes after the exceptions")

    # --------------------------------------------------------------------------------------- rules and answers

    def leaves(self):
        return [node for node in self.nodes if isinstance(node, Leaf)]

    def check_siblings(self):
        for test in self.nodes:
            if isinstance(test, Test):
                first, second = test.children
                if isinstance(first, Leaf) and isinstance(second, Leaf):
                    if first.level is None and second.level is None and first.outcome == second.outcome:
                        raise Refused("a test that changes nothing")

    def check_classes(self, classes):
        if self.outcomes() != set(classes):
            raise Refused("the outcomes of the nodes are not those listed")

    def outcomes(self):
        """The outcomes of the leaves and of their exceptions."""
        found = {leaf.outcome for leaf in self.leaves()}
        excepted = {leaf.excepted for leaf in self.leaves() if leaf.level is not None}
        return set(OUTCOMES) if EITHER in excepted else found | excepted

    def outcome(self, part_of, squares, en_passant):
        """The outcome of a canonical position."""
        leaf = self.leaf(part_of)
        return leaf.outcome if leaf.level is None else self.exceptions.outcome(squares, en_passant, leaf)

    def leaf(self, part_of):
        """The leaf that a position reaches; `part_of` gives its part of a variable."""
        node = self.nodes[0]
        while isinstance(node, Test):
            inside = node.low <= part_of(node.variable) <= node.high
            node = node.children[0 if inside else 1]
        return node

    # -------------------------------------------------------------------------------------------------- codecs

    def read_plain(self, payload):
        source = Bytes(payload)

        def read(path):
            byte = source.byte()
            if byte == 16:
                test = Test(source.number(), source.byte(), source.byte())
                if test.variable >= len(self.counts):
                    raise Refused("a test of a variable that the model does not have")
                return test
            leaf = Leaf(byte & 7)
            if byte > 15 or leaf.outcome not in OUTCOMES:
                raise Refused("a node of a kind that this reader does not know")
            if byte & 8:
                leaf.level, leaf.excepted = source.byte(), source.byte()
                if leaf.level not in LEVELS:
                    raise Refused("a level that is too large")
                if leaf.excepted == leaf.outcome or leaf.excepted not in OUTCOMES + (EITHER,):
                    raise Refused("exceptions with the leaf's own outcome, or with none")
            return leaf

        preorder(Path(self.counts), read, self.nodes)
        if source.at != len(payload):
            raise Refused("bytes after a tree")

    def read_coded(self, payload):
        code = Code(self.counts, self.excepting, payload)
        code.tree(self.nodes)
        self.check_classes(code.classes)

    def code_of(self, top, subtrees):
        return Code(self.counts, self.excepting, top, subtrees)

    def read_pages(self, payload):
        pages, top, codes = divide(payload)
        code = self.code_of(top, sum(subtrees for _, subtrees in pages))
        code.top(self.nodes)
        waiting = iter(code.cuts)
        for size, subtrees in pages:
            cuts = [next(waiting) for _ in range(subtrees)]
            code.after(codes.take(size)).page(cuts, self.nodes)
        self.check_classes(code.classes)


def divide(payload):
    """The parts of a tree in pages: bytes and subtrees of each page; the code of the top; the codes of the pages."""
    source = Bytes(payload)
    count = source.number()
    if count == 0:
        raise Refused("a tree in pages without a page")
    pages = []
    for _ in range(count):
        size, subtrees = source.number(), source.number()
        if size < SMALLEST_PAGE or subtrees == 0:
            raise Refused("a page that is too small or has no subtree")
        pages.append((size, subtrees))
    rest = len(payload) - source.at - sum(size for size, _ in pages)
    if rest < 0:
        raise Refused("pages larger than their payload")
    if rest > LARGEST_TOP:
        raise Refused("a top that is too large")
    return pages, source.take(rest), source
