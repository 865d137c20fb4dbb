"""The exceptions of decision trees: whether a position is one, and its outcome.

Named as in FORMAT.md. A leaf with a level may be wrong about some of the positions that reach it. The file does not list
them. It has the solutions of two systems of linear equations of bits, where addition is exclusive or. The hash of a
position gives its equations. It is an exception if those of the filter hold and the left side of the decision's is 1.
"""

from board import size
from errors import Refused

G = 0x9E3779B97F4A7C15
WORD = (1 << 64) - 1
WIDTH = 128
DECISION, BETTER = 32, 33
# In place of the outcome of a leaf's exceptions: some of them have one of the two other outcomes, some the other.
EITHER = 7


def mix(x):
    x &= WORD
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB & WORD
    return x ^ x >> 31


def hash_of(squares, en_passant):
    """The hash of a canonical position."""
    key = 0
    for square in squares:
        key = 64 * key + square
    return mix(16 * key + (8 if en_passant < 0 else en_passant) + G)


class System:
    """One system: the unknowns of its shards, solved."""

    def __init__(self, source):
        # Of each shard the number of its first unknown, how many it has, and its seed.
        self.shards, count = [], 0
        shards = source.number()
        fields = source.take(2 * shards)
        for at in range(0, 2 * shards, 2):
            field = int.from_bytes(fields[at : at + 2], "little")
            unknowns = (field & 4095) + 1
            self.shards.append((count, unknowns, field >> 12))
            count += unknowns
        self.unknowns = source.take(-(-count // 8))
        if count % 8 and self.unknowns[-1] >> count % 8:
            raise Refused("bits beyond the last unknown")

    def value(self, h, number):
        """The left side of a position's equation with this number, and the right side if this is a filter."""
        first, unknowns, seed = self.shards[(h >> 32) * len(self.shards) >> 32]
        word = mix(h + (64 * seed + number + 1) * G)
        width = min(unknowns, WIDTH)
        start = (word >> 32) * (unknowns - width + 1) >> 32
        c = mix(word + G) | mix(word + 2 * G) << 64
        left = size(c & self.window(first + start, width)) & 1
        return left, word & 1

    def holds(self, h, level):
        """Whether the first `level` equations of a position in this filter hold."""
        return all(left == right for left, right in (self.value(h, number) for number in range(level)))

    def window(self, first, width):
        """Some unknowns that follow each other, as bits."""
        bits = int.from_bytes(self.unknowns[first // 8 : (first + width + 7) // 8], "little")
        return bits >> first % 8 & ((1 << width) - 1)


class Exceptions:
    """Both systems of a tree; `levels` are those of its leaves."""

    def __init__(self, source, levels):
        self.filter = System(source)
        self.decision = System(source)
        if bool(self.filter.shards) != any(levels):
            raise Refused("a filter without a level above 0, or such a level without a filter")
        if not self.decision.shards:
            raise Refused("a decision without shards")

    def outcome(self, squares, en_passant, leaf):
        """The outcome of a canonical position at a leaf with a level."""
        h = hash_of(squares, en_passant)
        if not self.is_exception(h, leaf.level):
            return leaf.outcome
        if leaf.excepted != EITHER:
            return leaf.excepted
        others = {0, 2, 4} - {leaf.outcome}
        better, _ = self.decision.value(h, BETTER)
        return max(others) if better else min(others)

    def is_exception(self, h, level):
        left, _ = self.decision.value(h, DECISION)
        return self.filter.holds(h, level) and left == 1
