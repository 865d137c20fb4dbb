"""Reading clauses from a section's payload.

A clause is an integer, part p of a variable its bit `start + p`.
"""

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
    found = (plain, unzipped)[codec](shape, count, payload)
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
