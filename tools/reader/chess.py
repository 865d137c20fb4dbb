"""Materials, positions and their canonical form, and the reading of a FEN."""

import rights
from board import BLACK, ORDER, RANK, WHITE
from board import can_capture_en_passant, can_have_moved_two, in_check
from errors import BadPosition, Refused


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
        self.colors = [color for color, _ in self.men]
        self.letters = [letter for _, letter in self.men]
        numbers = range(len(self.men))
        self.friends = [[f for f in numbers if self.colors[f] == self.colors[a] and f != a] for a in numbers]
        self.foes = [[f for f in numbers if self.colors[f] != self.colors[a]] for a in numbers]
        self.turns = [WHITE] if self.symmetric else [WHITE, BLACK]
        self.pawns = "P" in self.letters
        self.en_passant = all((color, "P") in self.men for color in (WHITE, BLACK))
        groups = [[i for i, other in enumerate(self.men) if other == man] for man in self.men]
        self.alike = [group for i, group in enumerate(groups) if len(group) > 1 and group[0] == i]

    def identical(self, number):
        """The numbers of the men of the same colour and letter, this one's among them."""
        return [i for i, man in enumerate(self.men) if man == self.men[number]]

    def ordered(self, squares):
        """The same squares with those of identical men in ascending order."""
        result = list(squares)
        for group in self.alike:
            for number, square in zip(group, sorted(squares[i] for i in group)):
                result[number] = square
        return tuple(result)


def weight(group):
    """Greater for the stronger side: that of more men, or else of men that come first in the order."""
    return (len(group), [-ORDER.index(letter) for letter in group])


def from_number(number):
    """The material of a number: its digits in base 6 are men, a zero is between the sides."""
    digits = []
    while number:
        number, digit = divmod(number, 6)
        digits.insert(0, digit)
    if not digits:
        digits = [0]
    if digits.count(0) != 1 or len(digits) > 7:
        raise Refused("a material's number that cannot be")
    return Material("K" + "".join("vQRBNP"[digit] for digit in digits).replace("v", "vK"))


def map_of(image):
    return [8 * rank + file for file, rank in (image(s % 8, s // 8) for s in range(64))]


# The identity and the mirror that exchanges left and right; then the other six.
SYMMETRIES = [
    map_of(image)
    for image in (
        lambda f, r: (f, r),
        lambda f, r: (7 - f, r),
        lambda f, r: (f, 7 - r),
        lambda f, r: (7 - f, 7 - r),
        lambda f, r: (r, f),
        lambda f, r: (7 - r, f),
        lambda f, r: (r, 7 - f),
        lambda f, r: (7 - r, 7 - f),
    )
]


def symmetries(material):
    return SYMMETRIES[:2] if material.pawns else SYMMETRIES


class Position:
    """Men on squares in the material's numbering; the side to move; the en-passant file, -1 for none."""

    def __init__(self, material, squares, turn, en_passant=-1, rights=0):
        self.material, self.turn, self.en_passant, self.rights = material, turn, en_passant, rights
        self.squares = material.ordered(squares)

    def colors_exchanged(self):
        """The same position of a symmetric material with White and Black in each other's place."""
        men, squares = self.material.men, [None] * len(self.squares)
        for (color, letter), square in zip(men, self.squares):
            number = next(i for i, man in enumerate(men) if man == (1 - color, letter) and squares[i] is None)
            squares[number] = square ^ 56
        return Position(self.material, squares, 1 - self.turn, self.en_passant, rights.exchanged(self.rights))

    def canonical(self, lead):
        """The image that comes first when `lead` leads."""
        numbers = self.material.identical(lead)

        def key(image):
            return ([image.squares[i] for i in numbers], image.squares, image.en_passant)

        return min(self.images(), key=key)

    def images(self):
        for image in symmetries(self.material):
            file = self.en_passant
            if image is SYMMETRIES[1] and file >= 0:
                file = 7 - file
            yield Position(self.material, [image[square] for square in self.squares], self.turn, file)


# ------------------------------------------------------------------------------------------------------------- FEN


def parse_board(text):
    board = {}
    rows = text.split("/")
    if len(rows) != 8:
        raise BadPosition("not eight ranks")
    for number, row in enumerate(rows):
        file, last = 0, ""
        for symbol in row:
            if symbol in "12345678":
                if last.isdigit():
                    raise BadPosition("two numbers side by side")
                file += int(symbol)
            elif symbol.upper() in ORDER:
                board[(7 - number) * 8 + file] = (WHITE if symbol.isupper() else BLACK, symbol.upper())
                file += 1
            else:
                raise BadPosition(f"`{symbol}` is no man")
            if file > 8:
                raise BadPosition("a rank of more than eight squares")
            last = symbol
        if file != 8:
            raise BadPosition("a rank of fewer than eight squares")
    return board


def parse_fen(fen):
    """The men, the side to move, the en-passant file and the castling rights that a FEN describes."""
    fields = fen.split()
    if not 4 <= len(fields) <= 6 or any(not field.isdigit() for field in fields[4:]):
        raise BadPosition("not the fields of a FEN")
    board = parse_board(fields[0])
    if fields[1] not in ("w", "b"):
        raise BadPosition("the side to move is neither w nor b")
    turn = "wb".index(fields[1])
    for color in (WHITE, BLACK):
        if list(board.values()).count((color, "K")) != 1:
            raise BadPosition("not one king a side")
    if any(letter == "P" and RANK[square] in (0, 7) for square, (_, letter) in board.items()):
        raise BadPosition("a pawn on the first or the last rank")
    if in_check(board, 1 - turn):
        raise BadPosition("the side not to move is in check")
    castling = rights.of_field(fields[2], board)
    return board, turn, -1 if fields[3] == "-" else parse_en_passant(fields[3], board, turn), castling


def parse_en_passant(text, board, turn):
    """The file of a legal en-passant capture; -1 when there is no such capture."""
    file, rank = "abcdefgh".find(text[:1]), "12345678".find(text[1:])
    if len(text) != 2 or file < 0 or rank != (5 if turn == WHITE else 2):
        raise BadPosition("no en-passant square of the side to move")
    step = 1 if turn == WHITE else -1
    if board.get((rank - step) * 8 + file) != (1 - turn, "P"):
        raise BadPosition("no pawn before the en-passant square")
    if rank * 8 + file in board or (rank + step) * 8 + file in board:
        raise BadPosition("the pawn before the en-passant square cannot have moved two squares")
    if not can_capture_en_passant(board, turn, file):
        return -1
    problem = can_have_moved_two(board, turn, file)
    if problem:
        raise BadPosition(problem)
    return file


def signatures(board):
    """The men as a signature with White's first, and with Black's first."""
    sides = ["".join(sorted((l for c, l in board.values() if c == color), key=ORDER.index)) for color in (0, 1)]
    return "v".join(sides), "v".join(reversed(sides))


def position_of(material, board, turn, en_passant, castling):
    """The position of a material, colours exchanged where it is seen from the other side."""
    given, exchanged = signatures(board)
    if given != material.signature:
        if exchanged != material.signature:
            raise BadPosition(f"the file is for {material.signature}")
        board = {square ^ 56: (1 - color, letter) for square, (color, letter) in board.items()}
        turn, castling = 1 - turn, rights.exchanged(castling)
    squares, used = [], set()
    for man in material.men:
        square = next(s for s in sorted(board) if board[s] == man and s not in used)
        used.add(square)
        squares.append(square)
    position = Position(material, squares, turn, en_passant, castling)
    return position.colors_exchanged() if material.symmetric and turn == BLACK else position
