#!/usr/bin/env python3
"""A slow, independent reader of .pcn files, version 1.

Written from src/pcn/FORMAT.md alone, as a check of that text and of the real reader. It shares no code and no idea
with the latter: positions are plain tuples, clauses plain integers, and every clause is tried in turn.

    python3 pcn_reader.py FILE FEN...
    python3 pcn_reader.py FILE - < positions.txt

Prints one line for each position: win, draw, loss, or `error:` and the reason. Exit status: 0 fine, 2 usage, 3 when
the file is refused or a position had no answer. Needs the package `zstandard` for sections of codec 1.
"""

import sys
import zlib

ORDER = "KQRBNP"
OUTCOMES = {0: "loss", 2: "draw", 4: "win"}
WHITE, BLACK = 0, 1


class Refused(Exception):
    """The file breaks a rule of the format, or uses a code that this version leaves undefined."""


class BadPosition(Exception):
    """The text is no position that the file answers."""


# ---------------------------------------------------------------------------------------------------- the file


class Bytes:
    """Bytes that are read from the front."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise Refused("the file ends early")
        piece = self.data[self.at : self.at + count]
        self.at += count
        return piece

    def byte(self):
        return self.take(1)[0]

    def number(self):
        value = 0
        for group in range(5):
            byte = self.byte()
            value |= (byte & 0x7F) << (7 * group)
            if byte < 0x80:
                if byte == 0 and group > 0:
                    raise Refused("a number is not written as short as possible")
                if value >> 32:
                    raise Refused("a number of more than 32 bits")
                return value
        raise Refused("a number of more than five bytes")


class Material:
    """The men of a table, numbered: the kings, then White's others, then Black's."""

    def __init__(self, signature):
        groups = signature.split("v")
        if len(groups) != 2:
            raise Refused("the material has no two sides")
        for group in groups:
            ranks = [ORDER.find(letter) for letter in group]
            if ranks[:1] != [0] or 0 in ranks[1:] or -1 in ranks or ranks != sorted(ranks):
                raise Refused("a side of the material is not written in order")
        white, black = groups
        if len(white) + len(black) > 8:
            raise Refused("more than eight men")
        if weight(white) < weight(black):
            raise Refused("the material is not normalized")
        self.signature = signature
        self.symmetric = white == black
        self.men = [(WHITE, "K"), (BLACK, "K")]
        self.men += [(WHITE, letter) for letter in white[1:]]
        self.men += [(BLACK, letter) for letter in black[1:]]
        self.turns = [WHITE] if self.symmetric else [WHITE, BLACK]
        self.pawns = any(letter == "P" for _, letter in self.men)
        self.en_passant = all((color, "P") in self.men for color in (WHITE, BLACK))


def weight(group):
    """What the stronger side has more of: men, then men that come first in the order."""
    return (len(group), [-ORDER.index(letter) for letter in group])


class Section:
    """One entry of the header, and its clauses once they are read."""

    def __init__(self, kind, codec, count, length):
        self.kind, self.codec, self.count, self.length = kind, codec, count, length
        self.turns = [turn for turn in (WHITE, BLACK) if kind >> turn & 1]
        self.outcome = kind >> 2 & 7
        self.shape = kind >> 5
        self.clauses = []


class Table:
    """A whole file."""

    def __init__(self, data):
        source = Bytes(data)
        if data[:4] != b"\xe7PCN":
            raise Refused("not a .pcn file")
        source.take(4)
        if source.byte() != 1:
            raise Refused("a version that this reader does not know")
        # The structure and the checksum first, the meaning after.
        layers, model, model_version = source.byte(), source.byte(), source.byte()
        length = source.byte()
        if not 3 <= length <= 9:
            raise Refused("a material of a length that cannot be")
        signature = source.take(length)
        if any(byte not in b"KQRBNPv" for byte in signature):
            raise Refused("a material with other letters")
        self.material = Material(signature.decode("ascii"))
        self.hash = source.take(8)
        sides = [source.byte() for _ in self.material.turns]
        sections = []
        for _ in range(source.byte()):
            kind, codec = source.byte(), source.byte()
            sections.append(Section(kind, codec, source.number(), source.number()))
        end = source.at
        if zlib.crc32(data[:end]) != int.from_bytes(source.take(4), "little"):
            raise Refused("the header's checksum is wrong")

        if layers not in (0, 1):
            raise Refused("layers that this reader does not know")
        if (model, model_version) != (1, 1):
            raise Refused("a model that this reader does not know")
        self.independent = layers == 1
        self.leads = [side & 15 for side in sides]
        self.defaults = [side >> 4 for side in sides]
        self.sections = sections
        self.variables = 6 * len(self.material.men) + (4 if self.material.en_passant else 0)
        self.check_sides()
        self.check_sections()
        for section in sections:
            payload = source.take(section.length)
            if zlib.crc32(payload) != int.from_bytes(source.take(4), "little"):
                raise Refused("a section's checksum is wrong")
            section.clauses = self.clauses(section, payload)
        if source.at != len(data):
            raise Refused("bytes after the last section")

    def check_sides(self):
        for lead, default in zip(self.leads, self.defaults):
            if lead >= len(self.material.men):
                raise Refused("a leading man that is not there")
            if self.independent != (default == 15) or (default != 15 and default not in OUTCOMES):
                raise Refused("a default that cannot be")

    def check_sections(self):
        if len(self.sections) > 15:
            raise Refused("more than fifteen sections")
        for section in self.sections:
            if not section.turns or any(turn not in self.material.turns for turn in section.turns):
                raise Refused("a section that speaks for no stored turn")
            if section.outcome not in OUTCOMES or section.shape != 0 or section.codec not in (0, 1):
                raise Refused("a section of a kind that this reader does not know")
            if not 1 <= section.count <= 1 << 26:
                raise Refused("a section of a size that cannot be")
        kinds = [section.kind for section in self.sections]
        if len(set(kinds)) != len(kinds):
            raise Refused("two sections of the same turns and outcome")
        for turn, default in zip(self.material.turns, self.defaults):
            outcomes = [section.outcome for section in self.speaking(turn)]
            runs = [o for i, o in enumerate(outcomes) if i == 0 or outcomes[i - 1] != o]
            if len(set(runs)) != len(runs):
                raise Refused("sections of one outcome are not neighbours")
            if default in outcomes:
                raise Refused("a section has the default's outcome")

    def speaking(self, turn):
        return [section for section in self.sections if turn in section.turns]

    def clauses(self, section, payload):
        """The clauses of a section: bit 2 v + p says that variable v may have part p."""
        if section.codec == 0:
            clauses = self.plain(section, payload)
        else:
            clauses = self.unzipped(section, payload)
        bits = 2 * self.variables
        # As strings of bits, bit 0 first.
        strings = [format(clause, f"0{bits}b")[::-1] for clause in clauses]
        if any(not a < b for a, b in zip(strings, strings[1:])):
            raise Refused("clauses are not in order")
        return clauses

    def plain(self, section, payload):
        size = 8 * -(-2 * self.variables // 64)
        if len(payload) != section.count * size:
            raise Refused("a payload of the wrong length")
        clauses = [
            int.from_bytes(payload[at : at + size], "little") for at in range(0, len(payload), size)
        ]
        for clause in clauses:
            if clause >> (2 * self.variables):
                raise Refused("bits beyond the last part")
            if any(clause >> (2 * v) & 3 == 0 for v in range(self.variables)):
                raise Refused("a variable without an allowed part")
        return clauses

    def unzipped(self, section, payload):
        # All variables of the only model have two parts: three a column.
        columns = -(-self.variables // 3)
        size = section.count * columns
        if size >= 256 * (len(payload) + 1):
            raise Refused("more clauses than the payload can hold")
        content = unzip(b"\x28\xb5\x2f\xfd" + payload, size)
        clauses = [0] * section.count
        for column in range(columns):
            first = 3 * column
            group = min(3, self.variables - first)
            for i in range(section.count):
                value = content[column * section.count + i]
                if value >= 3**group:
                    raise Refused("a column's byte is too large")
                for v in reversed(range(first, first + group)):
                    value, digit = divmod(value, 3)
                    clauses[i] |= (1, 2, 3)[digit] << (2 * v)
        return clauses

    def answer(self, position):
        """The outcome of a position of this material."""
        if self.material.symmetric and position.turn == BLACK:
            position = position.colors_exchanged()
        side = self.material.turns.index(position.turn)
        position = position.canonical(self.leads[side])
        minterm = 0
        for v, value in enumerate(position.values()):
            minterm |= 1 << (2 * v + value)
        for section in self.speaking(position.turn):
            if any(clause & minterm == minterm for clause in section.clauses):
                return OUTCOMES[section.outcome]
        if self.defaults[side] == 15:
            raise Refused("no clause contains the position, and there is no default")
        return OUTCOMES[self.defaults[side]]


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


# ------------------------------------------------------------------------------------------------ the position


class Position:
    """Men on squares, a1 = 0 to h8 = 63, in the material's numbering; the side to move; the en-passant file."""

    def __init__(self, material, squares, turn, en_passant=None):
        self.material, self.turn, self.en_passant = material, turn, en_passant
        self.squares = self.sorted(squares)

    def sorted(self, squares):
        """The same squares with those of identical men in ascending order."""
        result, men = list(squares), self.material.men
        for man in set(men):
            numbers = [i for i, other in enumerate(men) if other == man]
            for i, square in zip(numbers, sorted(squares[i] for i in numbers)):
                result[i] = square
        return result

    def colors_exchanged(self):
        """The same position of a symmetric material with White and Black in each other's place."""
        men, squares = self.material.men, [None] * len(self.squares)
        used = set()
        for (color, letter), square in zip(men, self.squares):
            other = (1 - color, letter)
            number = next(i for i, man in enumerate(men) if man == other and i not in used)
            used.add(number)
            squares[number] = square ^ 56
        return Position(self.material, squares, 1 - self.turn, self.en_passant)

    def canonical(self, lead):
        """The image that comes first when `lead` leads."""
        leading = self.material.men[lead]
        numbers = [i for i, man in enumerate(self.material.men) if man == leading]

        def key(image):
            file = -1 if image.en_passant is None else image.en_passant
            return ([image.squares[i] for i in numbers], image.squares, file)

        return min(self.images(), key=key)

    def images(self):
        maps = [lambda f, r: (f, r), lambda f, r: (7 - f, r)]
        if not self.material.pawns:
            maps += [lambda f, r: (f, 7 - r), lambda f, r: (7 - f, 7 - r)]
            maps += [lambda f, r: (r, f), lambda f, r: (7 - r, f)]
            maps += [lambda f, r: (r, 7 - f), lambda f, r: (7 - r, 7 - f)]
        for number, image in enumerate(maps):
            squares = []
            for square in self.squares:
                file, rank = image(square % 8, square // 8)
                squares.append(rank * 8 + file)
            file = self.en_passant
            if file is not None and number == 1:
                file = 7 - file
            yield Position(self.material, squares, self.turn, file)

    def values(self):
        """The part of each variable of model `binary`."""
        values = []
        for square in self.squares:
            number = (7 - square // 8) * 8 + square % 8
            values += [number >> bit & 1 for bit in range(5, -1, -1)]
        if self.material.en_passant:
            if self.en_passant is None:
                values += [0, 0, 0, 0]
            else:
                values += [1] + [self.en_passant >> bit & 1 for bit in range(2, -1, -1)]
        return values


STEPS = {
    "N": [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
    "R": [(1, 0), (0, 1), (-1, 0), (0, -1)],
    "B": [(1, 1), (-1, 1), (-1, -1), (1, -1)],
}
STEPS["Q"] = STEPS["K"] = STEPS["R"] + STEPS["B"]


def attacked(board, square):
    """The squares that the man on `square` attacks. `board` maps squares to men."""
    color, letter = board[square]
    file, rank = square % 8, square // 8
    if letter == "P":
        steps = [(-1, 1 - 2 * color), (1, 1 - 2 * color)]
    else:
        steps = STEPS[letter]
    found = []
    for df, dr in steps:
        f, r = file + df, rank + dr
        while 0 <= f < 8 and 0 <= r < 8:
            found.append(r * 8 + f)
            if letter not in "QRB" or r * 8 + f in board:
                break
            f, r = f + df, r + dr
    return found


def in_check(board, color):
    """Whether the king of `color` is attacked."""
    king = next(square for square, man in board.items() if man == (color, "K"))
    return any(king in attacked(board, square) for square, man in board.items() if man[0] != color)


def can_capture_en_passant(board, turn, file):
    """Whether a pawn of `turn` can legally capture the pawn that just moved two squares on `file`."""
    rank, step = (4, 1) if turn == WHITE else (3, -1)
    taken, behind = rank * 8 + file, (rank + step) * 8 + file
    for side in (file - 1, file + 1):
        start = rank * 8 + side
        if 0 <= side < 8 and board.get(start) == (turn, "P"):
            after = {square: man for square, man in board.items() if square not in (start, taken)}
            after[behind] = (turn, "P")
            if not in_check(after, turn):
                return True
    return False


def parse_board(text):
    board = {}
    rows = text.split("/")
    if len(rows) != 8:
        raise BadPosition("not eight ranks")
    for number, row in enumerate(rows):
        file = 0
        for symbol in row:
            if symbol in "12345678":
                file += int(symbol)
            elif symbol.upper() in ORDER:
                board[(7 - number) * 8 + file] = (WHITE if symbol.isupper() else BLACK, symbol.upper())
                file += 1
            else:
                raise BadPosition(f"`{symbol}` is no man")
            if file > 8:
                raise BadPosition("a rank of more than eight squares")
        if file != 8:
            raise BadPosition("a rank of fewer than eight squares")
    return board


def parse_fen(fen, material):
    """The position of `material` that a FEN describes, colours exchanged where it is seen from the other side."""
    fields = fen.split()
    if not 4 <= len(fields) <= 6 or any(not field.isdigit() for field in fields[4:]):
        raise BadPosition("not the fields of a FEN")
    board = parse_board(fields[0])
    if fields[1] not in ("w", "b"):
        raise BadPosition("nobody is to move")
    turn = "wb".index(fields[1])
    if fields[2] != "-":
        raise BadPosition("castling rights")
    for color in (WHITE, BLACK):
        if list(board.values()).count((color, "K")) != 1:
            raise BadPosition("not one king a side")
    if any(letter == "P" and square // 8 in (0, 7) for square, (_, letter) in board.items()):
        raise BadPosition("a pawn on the first or the last rank")
    if in_check(board, 1 - turn):
        raise BadPosition("the side not to move is in check")
    en_passant = None
    if fields[3] != "-":
        en_passant = parse_en_passant(fields[3], board, turn)
    sides = ["".join(sorted((l for c, l in board.values() if c == color), key=ORDER.index)) for color in (0, 1)]
    if "v".join(sides) != material.signature:
        if "v".join(reversed(sides)) != material.signature:
            raise BadPosition(f"the file is for {material.signature}")
        board = {square ^ 56: (1 - color, letter) for square, (color, letter) in board.items()}
        turn = 1 - turn
    squares, used = [], set()
    for man in material.men:
        square = next(s for s in sorted(board) if board[s] == man and s not in used)
        used.add(square)
        squares.append(square)
    return Position(material, squares, turn, en_passant)


def parse_en_passant(text, board, turn):
    """The file of a legal en-passant capture; none when there is no such capture."""
    file, rank = "abcdefgh".find(text[:1]), "12345678".find(text[1:])
    if len(text) != 2 or file < 0 or rank != (5 if turn == WHITE else 2):
        raise BadPosition("no en-passant square of the side to move")
    step = 1 if turn == WHITE else -1
    if board.get((rank - step) * 8 + file) != (1 - turn, "P"):
        raise BadPosition("no pawn before the en-passant square")
    if rank * 8 + file in board or (rank + step) * 8 + file in board:
        raise BadPosition("the pawn before the en-passant square cannot have moved two squares")
    if not can_capture_en_passant(board, turn, file):
        return None
    before = {square: man for square, man in board.items() if square != (rank - step) * 8 + file}
    before[(rank + step) * 8 + file] = (1 - turn, "P")
    if in_check(before, turn):
        raise BadPosition("the side to move would have been in check before the pawn moved")
    return file


def main(arguments):
    if len(arguments) < 2 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with open(arguments[0], "rb") as file:
            table = Table(file.read())
    except (OSError, Refused) as error:
        print(f"error: {arguments[0]}: {error}", file=sys.stderr)
        return 3
    status = 0
    for argument in arguments[1:]:
        fens = (line.rstrip("\n") for line in sys.stdin) if argument == "-" else [argument]
        for fen in fens:
            try:
                print(table.answer(parse_fen(fen, table.material)))
            except (BadPosition, Refused) as error:
                print(f"error: {error}")
                status = 3
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
