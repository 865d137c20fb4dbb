"""Reading lists of clauses from a section's payload.

A clause is an integer, part p of a variable its bit `start + p`.
"""

from coder import Decoder
from errors import Refused


class Shape:
    """The bits of a clause that are the parts of each variable."""

    def __init__(self, parts):
        self.parts = parts
        self.starts = [sum(parts[:v]) for v in range(len(parts))]
        self.bits = sum(parts)
        self.words = -(-self.bits // 64)
        self.alls = [((1 << n) - 1) << start for n, start in zip(parts, self.starts)]


def clauses(shape, codec, count, payload):
    """The clauses of a section."""
    found = (plain, unzipped, coded)[codec](shape, count, payload)
    # As strings of bits, bit 0 first.
    strings = [format(clause, f"0{shape.bits}b")[::-1] for clause in found]
    if any(not a < b for a, b in zip(strings, strings[1:])):
        raise Refused("clauses are not in order")
    if any(clause & every == 0 for clause in found for every in shape.alls):
        raise Refused("a variable without an allowed part")
    return found


def plain(shape, count, payload):
    size = 8 * shape.words
    if len(payload) != count * size:
        raise Refused("a payload of the wrong length")
    found = [int.from_bytes(payload[at : at + size], "little") for at in range(0, len(payload), size)]
    if any(clause >> shape.bits for clause in found):
        raise Refused("bits beyond the last part")
    return found


def column_plan(parts):
    """The columns: either the two-part variables that share one, or a variable and the first of its eight parts."""
    plan = []
    for v, n in enumerate(parts):
        if n > 2:
            plan += [(v, first) for first in range(0, n, 8)]
        elif plan and isinstance(plan[-1], list) and len(plan[-1]) < 3:
            plan[-1].append(v)
        else:
            plan.append([v])
    return plan


def unzipped(shape, count, payload):
    plan = column_plan(shape.parts)
    size = count * len(plan)
    if size >= 256 * (len(payload) + 1):
        raise Refused("more clauses than the payload can hold")
    content = unzip(b"\x28\xb5\x2f\xfd" + payload, size)
    found = [0] * count
    for number, column in enumerate(plan):
        for i in range(count):
            value = content[number * count + i]
            if isinstance(column, list):
                if value >= 3 ** len(column):
                    raise Refused("a column's byte is too large")
                for v in reversed(column):
                    value, digit = divmod(value, 3)
                    found[i] |= (1, 2, 3)[digit] << shape.starts[v]
            else:
                v, first = column
                if value >> min(8, shape.parts[v] - first):
                    raise Refused("bits beyond the last part")
                found[i] |= value << (shape.starts[v] + first)
    return found


def unzip(frame, size):
    """The content of one zstd frame, which must be `size` bytes, with nothing after the frame."""
    try:
        import zstandard
    except ImportError:
        raise Refused("a section is compressed: install the package `zstandard`") from None
    try:
        if zstandard.get_frame_parameters(frame).dict_id:
            raise Refused("a frame with a dictionary")
        decompressor = zstandard.ZstdDecompressor().decompressobj()
        content = decompressor.decompress(frame)
    except zstandard.ZstdError as error:
        raise Refused(f"not a zstd frame: {error}") from None
    if not decompressor.eof or decompressor.unused_data:
        raise Refused("not exactly one zstd frame")
    if len(content) != size:
        raise Refused("a payload of the wrong length")
    return content


def coded(shape, count, payload):
    """Codec `pcn`."""
    if count * shape.words > 32 * (len(payload) + 8):
        raise Refused("more clauses than the payload can hold")
    decoder = Decoder(payload)
    used, latest = [], 0
    for v, n in enumerate(shape.parts):
        bit = decoder.learned(0, [(), (latest,), (n,)])
        latest = (2 * latest + bit) & 15
        if bit:
            used.append(v)
    every = [(1 << shape.parts[v]) - 1 for v in used]
    others = sum(shape.alls) - sum(shape.alls[v] for v in used)
    found, above = [], None
    for _ in range(count):
        parts = coded_clause(decoder, [shape.parts[v] for v in used], every, above)
        found.append(others + sum(allowed << shape.starts[v] for v, allowed in zip(used, parts)))
        above = parts
    decoder.end()
    for v in used:
        if all(clause & shape.alls[v] == shape.alls[v] for clause in found):
            raise Refused("a variable is listed as used, but no clause restricts it")
    return found


def coded_clause(decoder, counts, every, before):
    """The parts that the next clause allows of each used variable; `before` are those of the clause before."""
    clause = []
    equal = before is not None
    restricted = latest = 0
    for v, n in enumerate(counts):
        above = every[v] if before is None else before[v]
        near = (int(before is not None), int(equal), int(above != every[v]))
        if equal and above == every[v]:
            some = 0
        else:
            here, number = (v,) + near, (min(restricted, 63),)
            some = decoder.learned(1, [here, here + number, here + (latest,), near + number])
        if not some:
            allowed = every[v]
        elif n == 2:
            if equal and above == 1:
                allowed = 1
            else:
                allowed = 1 if decoder.learned(2, [(v,) + near, (v,) + near + (above,)]) else 2
        else:
            allowed = coded_parts(decoder, v, n, near, equal, above)
        if some:
            restricted, latest = restricted + 1, v + 1
        equal = equal and allowed == above
        clause.append(allowed)
    return clause


def coded_parts(decoder, v, n, near, equal, above):
    allowed = changes = 0
    for p in range(n):
        has = above >> p & 1
        same = equal and allowed == above & ((1 << p) - 1)
        last = p == n - 1
        if same and has or last and allowed == 0:
            bit = 1
        elif last and allowed == (1 << p) - 1:
            bit = 0
        else:
            left = allowed >> (p - 1) & 1 if p else 0
            shape = (min(changes, 7), left, p)
            beside = (has, above >> max(p - 1, 0) & 1)
            bit = decoder.learned(
                3, [shape + near, (v,) + near + shape, (v,) + near + shape + beside, (v, p, allowed % 65536)]
            )
        if p and bit != allowed >> (p - 1) & 1:
            changes += 1
        allowed |= bit << p
    return allowed
