"""The models' variables: for each its number of parts and how to find the part that a position has.

The families of the models `board`, `geometry` and `attack` stand here as rows of FORMAT.md's table do, in its order.
"""

from board import BETWEEN, DISTANCE, FILE, HOPS, RANK
from board import attacks, size
from errors import Refused


def signed(x):
    return max(-7, min(7, x)) + 7


def df(s, t):
    return abs(FILE[s] - FILE[t])


def dr(s, t):
    return abs(RANK[s] - RANK[t])


def taxi(s, t):
    return df(s, t) + dr(s, t)


# ------------------------------------------------------------------------------------- conditions on the choices


def is_a(letters):
    return lambda m, a, *rest: m.letters[a] in letters


def both(first, second):
    return lambda m, a, b: m.letters[a] in first and m.letters[b] in second


def not_king(m, a):
    return m.letters[a] != "K"


def any_men(m, *men):
    return True


def foes(m, a, b):
    return m.colors[a] != m.colors[b]


def one_pawn(m, a, b):
    return m.letters[a] == "P" or m.letters[b] == "P"


def for_wrong(m, a, b):
    return m.colors[a] == m.colors[b] and m.letters[a] == "B" and m.letters[b] == "P"


def for_takes(m, a, b):
    return foes(m, a, b) and m.letters[b] != "K"


def for_pinned(m, a, b):
    return foes(m, a, b) and m.letters[a] != "K" and m.letters[b] in "QRB"


def for_crown(m, a, b):
    return foes(m, a, b) and m.letters[a] == "P"


def foe_pawns(m, a, b):
    return foes(m, a, b) and m.letters[a] == m.letters[b] == "P"


# ------------------------------------------------------------------------------------------ values of the variables


def larger(v, a, b):
    return DISTANCE[v.at[a]][v.at[b]]


def smaller(v, a, b):
    return min(df(v.at[a], v.at[b]), dr(v.at[a], v.at[b]))


def takes(v, a, b):
    return (v.attacked(a) >> v.at[b] & 1) + (v.safe(a) >> v.at[b] & 1)


def line(v, a, b):
    return (v.att(a, v.at[a], 0) >> v.at[b] & 1) + (v.attacked(a) >> v.at[b] & 1)


def pinned(v, a, b):
    between = BETWEEN[v.at[b]][v.king(a)]
    return int(v.attacked(b) >> v.at[a] & 1 and between & v.occupied == 1 << v.at[a])


def strictly(low, x, high):
    return int(min(low, high) < x < max(low, high))


def cut(v, a, b, c):
    a, b, c = v.at[a], v.at[b], v.at[c]
    return strictly(FILE[a], FILE[c], FILE[b]) + strictly(RANK[a], RANK[c], RANK[b])


def lead_of_kings(v, square):
    """The white king's distance to a square less the black king's."""
    return signed(DISTANCE[v.at[0]][square] - DISTANCE[v.at[1]][square])


def front(v, p):
    return 0 if v.occupied >> v.front(p) & 1 else 1 + v.standing(p, v.front(p))


def before_first(v, p, barred):
    count = 0
    for square in v.way(p):
        if barred >> square & 1:
            break
        count += 1
    return min(6, count)


def on_way(v, p, squares):
    return sum(squares >> square & 1 for square in v.way(p))


def in_time(v, a, b):
    table = DISTANCE if v.letters[a] == "K" else HOPS
    return signed(min(table[v.at[a]][s] - dr(v.at[b], s) for s in [v.at[b]] + v.way(b)))


def crown(v, a, target):
    return attacks("Q", 0, v.goal(a), v.without(a)) >> target & 1


def wrong(v, a, b):
    """Whether a pawn on a rook's file has a bishop of the other colour than the square where it promotes."""
    odd = (FILE[v.at[a]] + RANK[v.at[a]] + FILE[v.goal(b)] + RANK[v.goal(b)]) % 2
    return int(FILE[v.at[b]] in (0, 7) and odd)


def passed(v, a, b):
    white, black = (a, b) if v.colors[a] == 0 else (b, a)
    apart = df(v.at[a], v.at[b]) >= 2
    return int(apart or RANK[v.at[white]] >= RANK[v.at[black]])


def race_lead(v, a, b):
    ahead = DISTANCE[v.king(b)][v.goal(a)] - v.steps(a)
    return signed(ahead - (DISTANCE[v.king(a)][v.goal(b)] - v.steps(b)))


def raid(v, a, b):
    return signed(DISTANCE[v.king(b)][v.at[a]] - DISTANCE[v.king(a)][v.at[b]])


def nearer(v, a, b, c):
    return signed(DISTANCE[v.at[a]][v.at[c]] - DISTANCE[v.at[b]][v.at[c]])


def detour(v, a, b, c):
    a, b, c = v.at[a], v.at[b], v.at[c]
    return min(14, DISTANCE[a][c] + DISTANCE[b][c] - DISTANCE[a][b])


def area(v, a, b, c):
    a, b, c = v.at[a], v.at[b], v.at[c]
    twice = (FILE[b] - FILE[a]) * (RANK[c] - RANK[a]) - (RANK[b] - RANK[a]) * (FILE[c] - FILE[a])
    return min(15, abs(twice))


# ---------------------------------------------------------------------------------------------------- the table

TABLE, ONE, RISING, ORDERED, PAIR_AND, TRIPLE = range(6)

# Name, parts, choices, condition, value.
FAMILIES = [
    ("file", 8, ONE, any_men, lambda v, a: FILE[v.at[a]]),
    ("rank", 8, ONE, any_men, lambda v, a: RANK[v.at[a]]),
    ("ep", 9, TABLE, lambda m: m.en_passant, lambda v: v.en_passant + 1),
    ("larger", 8, RISING, any_men, larger),
    ("smaller", 8, RISING, any_men, smaller),
    ("excess", 8, RISING, any_men, lambda v, a, b: larger(v, a, b) - smaller(v, a, b)),
    ("files", 15, RISING, one_pawn, lambda v, a, b: signed(FILE[v.at[b]] - FILE[v.at[a]])),
    ("ranks", 15, RISING, one_pawn, lambda v, a, b: signed(RANK[v.at[b]] - RANK[v.at[a]])),
    ("moves", 9, ONE, is_a("K"), lambda v, a: size(v.targets(a))),
    ("contact", 4, ONE, not_king, lambda v, a: v.standing(a, v.at[a])),
    ("takes", 3, ORDERED, for_takes, takes),
    ("line", 3, ORDERED, is_a("QRB"), line),
    ("pinned", 2, ORDERED, for_pinned, pinned),
    ("cut", 3, PAIR_AND, any_men, cut),
    ("race", 15, ORDERED, both("K", "P"), lambda v, a, b: signed(DISTANCE[v.at[a]][v.goal(b)] - v.steps(b))),
    ("goal", 8, ORDERED, both("K", "P"), lambda v, a, b: DISTANCE[v.at[a]][v.goal(b)]),
    ("goal_lead", 15, ONE, is_a("P"), lambda v, a: lead_of_kings(v, v.goal(a))),
    ("front_lead", 15, ONE, is_a("P"), lambda v, a: lead_of_kings(v, v.front(a))),
    ("front", 5, ONE, is_a("P"), front),
    ("clear", 7, ONE, is_a("P"), lambda v, a: before_first(v, a, v.occupied)),
    ("free", 7, ONE, is_a("P"), lambda v, a: before_first(v, a, v.occupied | v.danger(a))),
    ("path_attacked", 7, ONE, is_a("P"), lambda v, a: on_way(v, a, v.danger(a))),
    ("path_guarded", 7, ONE, is_a("P"), lambda v, a: on_way(v, a, v.guard(a))),
    ("path_taken", 3, ONE, is_a("P"), lambda v, a: min(2, on_way(v, a, v.occupied))),
    ("goal_standing", 4, ONE, is_a("P"), lambda v, a: v.standing(a, v.goal(a))),
    ("in_time", 15, ORDERED, both("KN", "P"), in_time),
    ("on_path", 2, ORDERED, both("KQRBNP", "P"), lambda v, a, b: int(v.at[a] in v.way(b))),
    ("crown", 2, ORDERED, for_crown, lambda v, a, b: crown(v, a, v.at[b])),
    ("crown_goal", 2, ORDERED, foe_pawns, lambda v, a, b: crown(v, a, v.goal(b))),
    ("wrong", 2, ORDERED, for_wrong, wrong),
    ("passed", 2, RISING, foe_pawns, passed),
    ("steps_lead", 15, RISING, foe_pawns, lambda v, a, b: signed(v.steps(a) - v.steps(b))),
    ("race_lead", 15, RISING, foe_pawns, race_lead),
    ("raid", 15, RISING, foe_pawns, raid),
    ("hops", 7, ORDERED, is_a("N"), lambda v, a, b: HOPS[v.at[a]][v.at[b]]),
    ("nearer", 15, PAIR_AND, any_men, nearer),
    ("detour", 15, PAIR_AND, any_men, detour),
    ("taxi", 15, RISING, any_men, lambda v, a, b: taxi(v.at[a], v.at[b])),
    ("taxi_nearer", 15, PAIR_AND, any_men, lambda v, a, b, c: signed(taxi(v.at[a], v.at[c]) - taxi(v.at[b], v.at[c]))),
    ("area", 16, TRIPLE, any_men, area),
]  # fmt: skip


def choices(kind, count):
    """The men that a family may choose, in order."""
    men = range(count)
    if kind == TABLE:
        return [()]
    if kind == ONE:
        return [(a,) for a in men]
    if kind == RISING:
        return [(a, b) for a in men for b in men if a < b]
    if kind == ORDERED:
        return [(a, b) for a in men for b in men if a != b]
    if kind == PAIR_AND:
        return [(a, b, c) for a in men for b in men for c in men if a < b and c not in (a, b)]
    return [(a, b, c) for a in men for b in men for c in men if a < b < c]


class Variable:
    """One variable: its name with the men that it is about, its parts, and `of`, which finds a view's part."""

    def __init__(self, name, parts, of):
        self.name, self.parts, self.of = name, parts, of


def bound(value, men):
    return lambda view: value(view, *men)


def binary(material):
    def square_bit(a, bit):
        # Squares are counted row by row from a8.
        return lambda v: (v.at[a] ^ 56) >> bit & 1

    def file_bit(bit):
        return lambda v: v.en_passant >> bit & 1 if v.en_passant >= 0 else 0

    found = []
    for a in range(len(material.men)):
        found += [Variable(f"bit {bit} of {a}", 2, square_bit(a, bit)) for bit in range(5, -1, -1)]
    if material.en_passant:
        found.append(Variable("ep", 2, lambda v: int(v.en_passant >= 0)))
        found += [Variable(f"bit {bit} of ep", 2, file_bit(bit)) for bit in range(2, -1, -1)]
    return found


def variables(model, version, material):
    """The variables of a model, in order."""
    if version != {1: 1, 2: 1, 3: 1, 4: 2}.get(model):
        raise Refused("a model that this reader does not know")
    if model == 1:
        return binary(material)
    found = []
    for name, parts, kind, condition, value in FAMILIES[: {2: 3, 3: 8, 4: None}[model]]:
        for men in choices(kind, len(material.men)):
            if condition(material, *men):
                found.append(Variable(" ".join([name, *map(str, men)]), parts, bound(value, men)))
    return found
