"""Squares, lines and attacks: what a man sees from a square of a board.

Squares are numbers, a1 = 0, b1 = 1 to h8 = 63; a set of squares is an integer with one bit for each.
"""

ORDER = "KQRBNP"
WHITE, BLACK = 0, 1
STEPS = {
    "N": [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
    "R": [(1, 0), (0, 1), (-1, 0), (0, -1)],
    "B": [(1, 1), (-1, 1), (-1, -1), (1, -1)],
}
STEPS["Q"] = STEPS["K"] = STEPS["R"] + STEPS["B"]

FILE = [square % 8 for square in range(64)]
RANK = [square // 8 for square in range(64)]


def set_of(squares):
    return sum(1 << square for square in set(squares))


def squares_of(squares):
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length() - 1
        squares ^= lowest


def size(squares):
    return bin(squares).count("1")


def moved(square, df, dr):
    """The square so many files and ranks away; none off the board."""
    file, rank = FILE[square] + df, RANK[square] + dr
    return rank * 8 + file if 0 <= file < 8 and 0 <= rank < 8 else None


def ray(square, df, dr):
    """The squares in one direction up to the edge, nearest first."""
    found = []
    square = moved(square, df, dr)
    while square is not None:
        found.append(square)
        square = moved(square, df, dr)
    return found


def near(steps):
    """For each square the set of those that are one of `steps` away."""
    return [
        set_of(to for to in (moved(square, df, dr) for df, dr in steps) if to is not None) for square in range(64)
    ]


LEAPS = {letter: near(STEPS[letter]) for letter in "KN"}
PAWN = [near([(-1, 1), (1, 1)]), near([(-1, -1), (1, -1)])]
RAYS = {letter: [[ray(s, df, dr) for df, dr in STEPS[letter]] for s in range(64)] for letter in "QRB"}
OPEN = {letter: [set_of(s for line in lines for s in line) for lines in RAYS[letter]] for letter in "QRB"}
DISTANCE = [[max(abs(FILE[s] - FILE[t]), abs(RANK[s] - RANK[t])) for t in range(64)] for s in range(64)]


def between_table():
    """For any two squares those strictly between them on their common line; none without such a line."""
    table = [[0] * 64 for _ in range(64)]
    for square in range(64):
        for line in RAYS["Q"][square]:
            passed = 0
            for to in line:
                table[square][to] = passed
                passed |= 1 << to
    return table


BETWEEN = between_table()


def hops_table():
    """The fewest moves of a knight between any two squares."""
    table = []
    for start in range(64):
        hops, reached, count = [None] * 64, 1 << start, 0
        while None in hops:
            for square in squares_of(reached):
                if hops[square] is None:
                    hops[square] = count
            for square in list(squares_of(reached)):
                reached |= LEAPS["N"][square]
            count += 1
        table.append(hops)
    return table


HOPS = hops_table()
known = {"Q": {}, "R": {}, "B": {}}


def attacks(letter, color, square, occupied):
    """The squares that such a man on `square` attacks when those of `occupied` are occupied."""
    if letter == "P":
        return PAWN[color][square]
    if letter in LEAPS:
        return LEAPS[letter][square]
    met = (square, occupied & OPEN[letter][square])
    found = known[letter].get(met)
    if found is None:
        found = 0
        for line in RAYS[letter][square]:
            for to in line:
                found |= 1 << to
                if occupied >> to & 1:
                    break
        known[letter][met] = found
    return found


def in_check(board, color):
    """Whether the king of `color` is attacked. `board` maps squares to men."""
    king = next(square for square, man in board.items() if man == (color, "K"))
    occupied = set_of(board)
    return any(
        attacks(letter, other, square, occupied) >> king & 1
        for square, (other, letter) in board.items()
        if other != color
    )


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


def can_have_moved_two(board, turn, file):
    """None if the other side's pawn on `file` can just have moved two squares, or else why not."""
    rank, step = (4, 1) if turn == WHITE else (3, -1)
    pawn, behind, farther = (8 * (rank + ahead * step) + file for ahead in (0, 1, 2))
    if behind in board or farther in board:
        return "the pawn before the en-passant square cannot have moved two squares"
    before = {square: man for square, man in board.items() if square != pawn}
    before[farther] = (1 - turn, "P")
    if in_check(before, turn):
        return "the side to move would have been in check before the pawn moved"
    return None
