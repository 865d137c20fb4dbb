"""What the men of one position attack, can reach and must fear: the sets that the variables are made of.

Named as in FORMAT.md. Everything is worked out when it is first asked for and then kept. Sets of squares are integers,
one bit a square.
"""

from board import BETWEEN, FILE, LEAPS, RANK, WHITE
from board import attacks, set_of, size, squares_of

ALL = (1 << 64) - 1


def kept(work):
    """Keeps what a method of one man gives."""
    name = work.__name__

    def method(self, a):
        found = self.memory.get((name, a))
        if found is None:
            found = self.memory[name, a] = work(self, a)
        return found

    return method


def keys_of(color, square):
    """The keys of a pawn."""
    file, rank = FILE[square], RANK[square] if color == WHITE else 7 - RANK[square]
    if file in (0, 7):
        found = [(abs(file - 1), 6), (abs(file - 1), 7)] if file == 0 else [(6, 6), (6, 7)]
    else:
        ranks = [rank + 2] + ([rank + 1] if rank >= 4 else [])
        found = [(f, r) for f in (file - 1, file, file + 1) for r in ranks if r <= 7]
    return set_of(8 * (r if color == WHITE else 7 - r) + f for f, r in found)


KEYS = [[keys_of(color, square) for square in range(64)] for color in (0, 1)]


class View:
    def __init__(self, material, squares, turn, en_passant):
        self.material, self.at, self.turn, self.en_passant = material, squares, turn, en_passant
        self.men = range(len(squares))
        self.colors, self.letters = material.colors, material.letters
        self.memory = {}
        white = black = 0
        for color, square in zip(self.colors, squares):
            if color == WHITE:
                white |= 1 << square
            else:
                black |= 1 << square
        self.of_color = (white, black)
        self.occupied = white | black

    # ------------------------------------------------------------------------------------------ men and squares

    def king(self, a):
        """The square of a's king."""
        return self.at[self.colors[a]]

    def other_king(self, a):
        return self.at[1 - self.colors[a]]

    def friends(self, a):
        return self.material.friends[a]

    def foes(self, a):
        return self.material.foes[a]

    def att(self, a, square, occupied):
        return attacks(self.letters[a], self.colors[a], square, occupied)

    def without(self, a):
        """O - a."""
        return self.occupied & ~(1 << self.at[a])

    # --------------------------------------------------------------------------------------------------- pawns

    def forward(self, p):
        return 8 if self.colors[p] == WHITE else -8

    def goal(self, p):
        return FILE[self.at[p]] + (56 if self.colors[p] == WHITE else 0)

    def front(self, p):
        return self.at[p] + self.forward(p)

    def way(self, p):
        """The squares ahead of a pawn, nearest first."""
        step = self.forward(p)
        return list(range(self.at[p] + step, self.goal(p) + step, step))

    def steps(self, p):
        return min(5, len(self.way(p)))

    def keys(self, p):
        return KEYS[self.colors[p]][self.at[p]]

    # ---------------------------------------------------------------------------------------------------- sets

    @kept
    def attacked(self, a):
        """A(a)."""
        return self.att(a, self.at[a], self.occupied)

    @kept
    def danger(self, a):
        """D(a)."""
        lifted, found = self.without(a), 0
        for f in self.foes(a):
            found |= self.att(f, self.at[f], lifted)
        return found

    @kept
    def guard(self, a):
        """G(a)."""
        lifted, found = self.without(a), 0
        for f in self.friends(a):
            found |= self.att(f, self.at[f], lifted)
        return found

    @kept
    def targets(self, a):
        """T(a)."""
        color, square = self.colors[a], self.at[a]
        found = self.attacked(a) & ~self.of_color[color]
        if self.letters[a] == "K":
            return found & ~self.danger(a)
        if self.letters[a] == "P":
            found &= self.of_color[1 - color]
            step = self.forward(a)
            if not self.occupied >> (square + step) & 1:
                found |= 1 << (square + step)
                on_second = RANK[square] == (1 if color == WHITE else 6)
                if on_second and not self.occupied >> (square + 2 * step) & 1:
                    found |= 1 << (square + 2 * step)
        king = self.king(a)
        for f in self.foes(a):
            sees, between = self.attacked(f), BETWEEN[self.at[f]][king]
            pins = self.letters[f] in "QRB" and sees >> square & 1 and between & self.occupied == 1 << square
            if pins or sees >> king & 1:
                found &= between | 1 << self.at[f]
        return found

    @kept
    def safe(self, a):
        """S(a)."""
        return self.targets(a) & ~self.danger(a)

    def reaches(self, a, square, target):
        """Whether `square` is in R(a, target)."""
        return self.att(a, square, self.without(a)) >> target & 1

    def standing(self, a, square):
        return (0 if self.danger(a) >> square & 1 else 2) + (self.guard(a) >> square & 1)

    @kept
    def walk(self, a):
        """W0, W1 and so on, the last one empty."""
        closed = self.of_color[self.colors[a]] | self.danger(a)
        sets = [1 << self.at[a]]
        seen = sets[0]
        while sets[-1]:
            step = self.steps_from(a, sets[-1]) & ~closed & ~seen
            seen |= step
            sets.append(step)
        return sets

    def steps_from(self, a, squares):
        """The squares that are a step of a from one of `squares`."""
        found = 0
        for square in squares_of(squares):
            found |= LEAPS[self.letters[a]][square]
        return found

    @kept
    def traps(self, x):
        """Whether each trap is attacking, and its rest."""
        found = []
        own = self.of_color[self.colors[x]]
        for m in self.foes(x):
            for t in squares_of(self.safe(m) & ~(1 << self.at[x])):
                occupied = self.without(m) | 1 << t
                covered = self.att(m, t, occupied)
                for f in self.friends(m):
                    covered |= self.att(f, self.at[f], occupied)
                rest = size(self.att(x, self.at[x], occupied) & ~covered & ~own)
                found.append((covered >> self.at[x] & 1, min(rest, 8)))
        return found
