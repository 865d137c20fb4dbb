"""The sets of squares that the variables of a position are computed from: attacked, in danger, reachable and so on.

Named as in FORMAT.md. Each is computed when it is first asked for and then kept. Sets of squares are integers, one bit
a square.
"""

from board import BETWEEN, FILE, WHITE
from board import attacks


def kept(work):
    """Remembers the result of a method for each man."""
    name = work.__name__

    def method(self, a):
        found = self.memory.get((name, a))
        if found is None:
            found = self.memory[name, a] = work(self, a)
        return found

    return method


class View:
    def __init__(self, material, squares, en_passant):
        self.material, self.at, self.en_passant = material, squares, en_passant
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

    def standing(self, a, square):
        return (0 if self.danger(a) >> square & 1 else 2) + (self.guard(a) >> square & 1)


def parts_of(variables, material, position):
    """A function that gives the position's part of a variable and computes each only once."""
    view, parts = View(material, position.squares, position.en_passant), {}

    def part(v):
        if v not in parts:
            parts[v] = variables[v].of(view)
        return parts[v]

    return part
