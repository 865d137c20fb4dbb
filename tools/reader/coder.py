"""Codec `pcn`: the range decoder and the probabilities that it learns.

Decisions come out of a payload one by one. A learned one mixes the probabilities of its contexts.
"""

from errors import Refused

WEIGHTS = [0, 11200, 12600, 14000, 15400, 16800, 18200, 19600, 19600]
S = [
    1, 2, 3, 5, 8, 13, 22, 36, 60, 98, 162, 267, 439, 720, 1179, 1921, 3108, 4971, 7812, 11955, 17625, 24743, 32768,
    40793, 47911, 53581, 57724, 60565, 62428, 63615, 64357, 64816, 65097, 65269, 65374, 65438, 65476, 65500, 65514,
    65523, 65528, 65531, 65533, 65534, 65535,
]  # fmt: skip


def squash(x):
    x = max(-2816, min(2815, x)) + 2816
    i, f = x // 128, x % 128
    return (S[i] * (128 - f) + S[i + 1] * f + 64) >> 7


def stretch_table():
    table, x = [], -2047
    for step in range(4096):
        while x < 2047 and squash(x) < 16 * step:
            x += 1
        table.append(x)
    return table


STRETCH = stretch_table()


def ilog2(x):
    return x.bit_length() - 1


def bucket(met):
    if met < 4:
        return met
    return 4 if met < 6 else 5 if met < 9 else 6 if met < 16 else 7 if met < 32 else 8


class Decoder:
    """The decisions of one payload. They start from the probabilities of `before`, which they do not change."""

    def __init__(self, payload, before=None):
        if payload[-1:] == b"\0":
            raise Refused("a payload that ends with a zero")
        self.payload, self.used = payload, 0
        self.low, self.high, self.value = 0, 0xFFFFFFFF, 0
        for _ in range(4):
            self.append()
        # Only the counters that these decisions have changed: to copy those of the top for each page is slow.
        self.counters, self.earlier = {}, before.counters if before else {}
        self.weights = dict(before.weights) if before else {}

    def append(self):
        byte = self.payload[self.used] if self.used < len(self.payload) else 0
        self.used += 1
        self.value = self.value << 8 & 0xFFFFFFFF | byte

    def end(self):
        if self.used < len(self.payload):
            raise Refused("bytes after a payload's last decision")

    def bit(self, p):
        """A bit whose probability of being 1 is p / 65536."""
        cut = self.low + ((self.high - self.low) * p >> 16)
        bit = self.value <= cut
        if bit:
            self.high = cut
        else:
            self.low = cut + 1
        while self.low >> 24 == self.high >> 24:
            self.low = self.low << 8 & 0xFFFFFFFF
            self.high = self.high << 8 & 0xFFFFFFFF | 0xFF
            self.append()
        return int(bit)

    def even(self):
        return self.bit(32768)

    def uniform(self, n):
        first = 0
        while n > 1:
            half = n // 2
            if self.bit((n - half) * 65536 // n):
                first += half
                n -= half
            else:
                n = half
        return first

    def learned(self, kind, contexts):
        inputs = []
        for place, context in enumerate(contexts):
            name = (kind, place, context)
            p, met = self.counters.get(name) or self.earlier.get(name, (32768, 0))
            filled = bucket(met)
            inputs.append(((kind, place, filled), WEIGHTS[filled], STRETCH[p >> 4], name, p, met))
        weights = [self.weights.get(entry[0], entry[1]) for entry in inputs]
        mixed = sum(weight * entry[2] for weight, entry in zip(weights, inputs)) >> 16
        q = max(16, min(65520, squash(mixed)))
        bit = self.bit(q)
        error = 65536 - q if bit else -q
        target = 65535 if bit else 0
        for weight, (place, _, logit, name, p, met) in zip(weights, inputs):
            weight += (logit * error * 16 + (1 << 19)) >> 20
            self.weights[place] = max(-524288, min(524288, weight))
            p += ((target - p) * (65536 // (met + 2))) >> 16
            self.counters[name] = (max(1, min(65535, p)), min(met + 1, 80))
        return bit

    def symbol(self, kind, contexts, candidates):
        """One of the candidates, each of 0 to 2047."""
        left, v = list(candidates), 0
        for b in range(10, -1, -1):
            bits = {c >> b & 1 for c in left}
            if len(bits) == 1:
                bit = bits.pop()
            else:
                node = (1 << (10 - b)) + v
                bit = self.learned(kind, [context + (node,) for context in contexts])
                left = [c for c in left if c >> b & 1 == bit]
            v = 2 * v + bit
        return v
