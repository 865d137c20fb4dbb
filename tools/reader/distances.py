"""Files of distances: the distances to zeroing of won positions. Names are those of FORMAT.md, section Distances. A ranking is the same
with levels in place of distances (section Rankings).

A file does not say which positions are won, and leaves out distances of 1: this reader makes no moves to find them.
"""

from board import size
from bytesource import Bytes, sealed
from chess import from_number
from coder import ilog2
from errors import BadPosition, Refused
from exceptions import Exceptions, hash_of
from models import variables
from nodes import LEVELS, Leaf, Path, preorder
from treecode import Code, most_nodes
from trees import Tree, divide
from view import parts_of

MOST_PLIES, GREATEST, LONGEST_WORD = 255, 65535, 20


class DistanceCode(Code):
    """The code of a tree whose leaves have classes of distances, `count` of them."""

    def __init__(self, counts, payload, count, subtrees=0):
        super().__init__(counts, False, payload, subtrees, classes=range(count))
        self.last, self.words, self.most_words = 0, 0, self.most

    def after(self, payload):
        page = super().after(payload)
        page.words, page.most_words = 0, most_nodes(payload)
        return page

    def leaf(self, place):
        if self.words >= self.most_words:
            raise Refused("more words than the code allows")
        side, narrow, depth, parent, near = place.side, place.narrow, place.depth, place.parent, (place.side, place.sib)
        contexts = [near, (self.last, near), (parent, near), (parent, place.interval, side), (narrow, near)]
        usual = self.by_offset(1, contexts, self.last, self.classes)
        self.last, leaf = usual, Leaf(usual)
        contexts = [near, (narrow, near), (depth, near), (parent, side, near), (usual, near)]
        if len(self.classes) > 1 and self.decoder.learned(2, contexts):
            leaf.level = self.decoder.symbol(3, [(), (narrow,), near, (depth,), (parent, side)], LEVELS)
            self.read_words(leaf)
        return leaf

    def by_offset(self, kind, contexts, base, classes):
        """The class whose offset from `base` is coded."""
        offsets = {offset(number, base): number for number in classes}
        return offsets[self.decoder.symbol(kind, contexts, sorted(offsets))]

    def read_words(self, leaf):
        usual, unused = leaf.outcome, set(self.classes)
        left, shortest, one, two, k, word = 1 << LONGEST_WORD, 1, 0, 0, 0, -1
        while left:
            place, sizes = min(k, 15), {n: 1 << (LONGEST_WORD - n) for n in range(shortest, LONGEST_WORD + 1)}
            possible = [n for n, s in sizes.items() if s <= left and left - s <= (len(unused) - 1) * s]
            contexts = [(place, shortest), (ilog2(left), shortest, leaf.level), (one, shortest)]
            contexts.append((size(left), ilog2(left), shortest))
            n = self.decoder.symbol(12, contexts, possible)
            same = int(n == shortest and k > 0)
            contexts = [(place, n), (one, same, int(k == 0)), (two, one, same), (one, n, place), (usual, place)]
            number = self.by_offset(13, contexts, usual, unused)
            unused.remove(number)
            word = word + 1 << (n - shortest if k else 0)
            leaf.words[n, word] = number
            left, shortest, two, one, k = left - sizes[n], n, one, offset(number, usual), k + 1
        self.words += k


def offset(number, base):
    return 2 * (number - base) - 1 if number > base else 2 * (base - number)


def read_plies(source):
    plies = [source.number()]
    for _ in range(source.number()):
        step, count = source.number(), source.number()
        if step == 0 or count == 0 or len(plies) + count > MOST_PLIES:
            raise Refused("a run of no distances or of too many")
        plies += [plies[-1] + step * (i + 1) for i in range(count)]
    if not 1 <= plies[0] <= plies[-1] <= GREATEST:
        raise Refused("a distance that cannot be")
    return plies


class DistanceTree(Tree):
    """The tree of one side."""

    def __init__(self, counts, payload, in_pages):
        self.nodes, self.counts = [], counts
        source = Bytes(payload)
        self.plies = read_plies(source)
        code = source.take(source.number())
        if in_pages:
            self.read_pages(code)
        else:
            code = DistanceCode(counts, code, len(self.plies))
            preorder(Path(counts), code.node, self.nodes)
            code.decoder.end()
        levels = [leaf.level for leaf in self.leaves() if leaf.level is not None]
        if levels:
            self.exceptions = Exceptions(source, levels)
        if source.at != len(payload):
            raise Refused("bytes after the function")

    def code_of(self, top, subtrees):
        return DistanceCode(self.counts, top, len(self.plies), subtrees)

    def check_classes(self, classes):
        """A class may occur at no leaf."""

    def distance(self, part_of, position):
        """The distance of a canonical position."""
        leaf, h = self.leaf(part_of), hash_of(position.squares, position.en_passant)
        if leaf.level is None or not self.exceptions.filter.holds(h, leaf.level):
            return self.plies[leaf.outcome]
        word = length = 0
        while (length, word) not in leaf.words:
            bit, _ = self.exceptions.decision.value(h, 32 + length)
            word, length = 2 * word + bit, length + 1
        return self.plies[leaf.words[length, word]]


class Distances:
    """One file of distances."""

    def __init__(self, data):
        source = sealed(data)
        magic = source.take(2)
        if magic not in (b"\xe7\x06", b"\xe7\x08"):
            raise Refused("no file of distances")
        model = source.byte()
        self.material = from_number(source.number())
        source.take(8)
        if magic[1] == 8 and source.byte() not in (1, 2, 3):
            raise Refused("a ranking that falls within no or more than 3 pairs of moves")
        self.variables = variables(model & 31, model >> 5, self.material)
        counts = [variable.parts for variable in self.variables]
        # By turn: the anchor and the tree, if there is one.
        self.sides = {}
        for turn in self.material.turns:
            side = source.byte()
            if side >> 6 or not side >> 4 & 1 or side & 7 >= len(self.material.men) or side >> 3 & 5 == 4:
                raise Refused("a side byte that cannot be")
            tree = DistanceTree(counts, source.take(source.number()), side >> 5) if side >> 3 & 1 else None
            self.sides[turn] = side & 7, tree
        if source.at != len(source.data):
            raise Refused("bytes after the last side")

    def answer(self, position):
        """The distance or the level of a won position, as text."""
        if position.rights:
            raise BadPosition("the file says nothing about positions with castling rights")
        lead, tree = self.sides[position.turn]
        if tree is None:
            return "1"
        position = position.canonical(lead)
        return str(tree.distance(parts_of(self.variables, self.material, position), position))

    def answer_under_rule(self, position):
        raise BadPosition("the file has no outcomes")
