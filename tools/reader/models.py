"""The models' variables: for each its number of parts and how to find the part that a position has.

The families of the models `board`, `geometry` and `attack` stand here as rows of FORMAT.md's table do, in its order.
"""

from board import BETWEEN, DISTANCE, FILE, HOPS, RANK
from board import attacks, size, squares_of
from errors import Refused


def d_set(square, squares):
    """The distance to the nearest square of a set, 8 to the empty set."""
    return min((DISTANCE[square][to] for to in squares_of(squares)), default=8)


def signed(x):
    return max(-7, min(7, x)) + 7


def df(s, t):
    return abs(FILE[s] - FILE[t])


def dr(s, t):
    return abs(RANK[s] - RANK[t])


def taxi(s, t):
    return df(s, t) + dr(s, t)


def shade(s):
    return (FILE[s] + RANK[s]) % 2


def least_target(v, a, square):
    """The least distance from one of a's targets to a square, 8 without any."""
    return d_set(square, v.targets(a))


def opposition(s, t):
    larger, smaller = max(df(s, t), dr(s, t)), min(df(s, t), dr(s, t))
    if larger in (2, 4, 6):
        if smaller == 0:
            return 7 - larger // 2
        if smaller == larger:
            return 4 - larger // 2
    return 0


# ------------------------------------------------------------------------------------- conditions on the choices


def is_a(letters):
    return lambda m, a, *rest: m.letters[a] in letters


def both(first, second):
    return lambda m, a, b: m.letters[a] in first and m.letters[b] in second


def not_king(m, a):
    return m.letters[a] != "K"


def not_pawn(m, a):
    return m.letters[a] != "P"


def any_men(m, *men):
    return True


def friends(m, a, b):
    return m.colors[a] == m.colors[b]


def foes(m, a, b):
    return m.colors[a] != m.colors[b]


def seeing_back(m, a, b):
    x, y = m.letters[a], m.letters[b]
    return x == y or y == "Q" and x != "N" or x == "P" and y in "BK"


def one_pawn(m, a, b):
    return m.letters[a] == "P" or m.letters[b] == "P"


def for_reach(m, a, b):
    return friends(m, a, b) and m.letters[b] != "K" or foes(m, a, b) and not seeing_back(m, a, b)


def for_fork(m, a, b):
    return foes(m, a, b) and "K" not in (m.letters[a], m.letters[b]) and not seeing_back(m, a, b)


def for_pin(m, a, b):
    return for_skewer(m, a, b) and not seeing_back(m, a, b)


def for_skewer(m, a, b):
    return foes(m, a, b) and m.letters[a] in "QRB" and m.letters[b] != "K"


def for_takes(m, a, b):
    return foes(m, a, b) and m.letters[b] != "K"


def for_pinned(m, a, b):
    return foes(m, a, b) and m.letters[a] != "K" and m.letters[b] in "QRB"


def for_crown(m, a, b):
    return foes(m, a, b) and m.letters[a] == "P"


def foe_pawns(m, a, b):
    return foes(m, a, b) and m.letters[a] == m.letters[b] == "P"


def for_both_step(m, a, b, c):
    return m.letters[a] == m.letters[b] == "P" and m.letters[c] == "K"


def for_walk(m, a, b):
    return m.letters[a] in "KN" and not m.letters[a] == m.letters[b] == "K"


def for_chase(m, a, b, c):
    return m.letters[a] == "K" and m.letters[b] == "N" and m.letters[c] != "K"


def for_wrong(m, a, b):
    return friends(m, a, b) and m.letters[a] == "B" and m.letters[b] == "P"


# --------------------------------------------------------------------------------------------- values worth a name


def larger(v, a, b):
    return DISTANCE[v.at[a]][v.at[b]]


def smaller(v, a, b):
    return min(df(v.at[a], v.at[b]), dr(v.at[a], v.at[b]))


def check(v):
    king = v.at[v.turn]
    return min(2, sum(v.attacked(f) >> king & 1 for f in v.men if v.colors[f] != v.turn))


def reach(v, a, b):
    return min(4, sum(v.reaches(a, s, v.at[b]) for s in squares_of(v.safe(a))))


def fork(v, a, b):
    king = v.king(b)
    return min(2, sum(v.reaches(a, s, v.at[b]) and v.reaches(a, s, king) for s in squares_of(v.safe(a))))


def next_(v, a):
    barred = v.of_color[v.colors[a]] | v.danger(a)
    lifted = v.without(a)
    return min(15, max((size(v.att(a, t, lifted) & ~barred) for t in squares_of(v.safe(a))), default=0))


def through(v, a, lifted, target):
    """Squares of S(a), up to 2, from which a attacks the target once a man is lifted, and not before."""
    before, count = v.without(a), 0
    for t in squares_of(v.safe(a)):
        if (v.att(a, t, before & ~(1 << lifted)) & ~v.att(a, t, before)) >> target & 1:
            count += 1
    return min(2, count)


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


def edge_between_kings(of):
    """The white king's distance to something less the black king's."""
    return lambda v, p: signed(d_set(v.at[0], of(v, p)) - d_set(v.at[1], of(v, p)))


def goal_set(v, p):
    return 1 << v.goal(p)


def front_set(v, p):
    return 1 << v.front(p)


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


def oppose(v, a):
    return max((opposition(t, v.other_king(a)) for t in squares_of(v.targets(a))), default=0)


def passed(v, a, b):
    white, black = (a, b) if v.colors[a] == 0 else (b, a)
    apart = df(v.at[a], v.at[b]) >= 2
    return int(apart or RANK[v.at[white]] >= RANK[v.at[black]])


def race_edge(v, a, b):
    ahead = DISTANCE[v.king(b)][v.goal(a)] - v.steps(a)
    return signed(ahead - (DISTANCE[v.king(a)][v.goal(b)] - v.steps(b)))


def key_step(v, a, b):
    return min((d_set(t, v.keys(b)) for t in squares_of(v.targets(a))), default=8)


def raid(v, a, b):
    return signed(DISTANCE[v.king(b)][v.at[a]] - DISTANCE[v.king(a)][v.at[b]])


def both_step(v, a, b, c):
    p, q = v.front(a), v.front(b)
    return min(15, min((DISTANCE[t][p] + DISTANCE[t][q] for t in squares_of(v.targets(c))), default=15))


def least_rest(v, a, attacking):
    return min((rest for attacks_it, rest in v.traps(a) if attacks_it == attacking), default=9)


def nets(v, a):
    return min(3, sum(rest == 0 for _, rest in v.traps(a)))


def walk(v, a, b):
    for i, squares in enumerate(v.walk(a)):
        if v.steps_from(a, squares) >> v.at[b] & 1:
            return min(14, i)
    return 14


def walked(v, a, last):
    return sum(size(squares) for squares in v.walk(a)[1 : last + 1])


def wrong(v, a, b):
    return int(FILE[v.at[b]] in (0, 7) and not same_shade(v.at[a], v.goal(b)))


def nearer(v, a, b, c):
    return signed(DISTANCE[v.at[a]][v.at[c]] - DISTANCE[v.at[b]][v.at[c]])


def corner_of_shade(v, a, b, same):
    corners = [s for s in (0, 7, 56, 63) if (shade(s) == shade(v.at[a])) == same]
    return min(DISTANCE[v.at[b]][s] for s in corners)


def to_edges(square):
    return min(FILE[square], 7 - FILE[square]), min(RANK[square], 7 - RANK[square])


def detour(v, a, b, c):
    a, b, c = v.at[a], v.at[b], v.at[c]
    return min(14, DISTANCE[a][c] + DISTANCE[b][c] - DISTANCE[a][b])


def area(v, a, b, c):
    a, b, c = v.at[a], v.at[b], v.at[c]
    twice = (FILE[b] - FILE[a]) * (RANK[c] - RANK[a]) - (RANK[b] - RANK[a]) * (FILE[c] - FILE[a])
    return min(15, abs(twice))


def same_shade(s, t):
    return int(shade(s) == shade(t))


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
    ("goes", 16, ONE, not_king, lambda v, a: min(15, size(v.targets(a)))),
    ("check", 3, TABLE, lambda m: len(m.men) > 2, check),
    ("safe", 9, ONE, not_king, lambda v, a: min(8, size(v.safe(a)))),
    ("reach", 5, ORDERED, for_reach, reach),
    ("fork", 3, ORDERED, for_fork, fork),
    ("next", 16, ONE, is_a("KRBN"), next_),
    ("pin", 3, ORDERED, for_pin, lambda v, a, b: through(v, a, v.at[b], v.king(b))),
    ("skewer", 3, ORDERED, for_skewer, lambda v, a, b: through(v, a, v.king(b), v.at[b])),
    ("contact", 4, ONE, not_king, lambda v, a: v.standing(a, v.at[a])),
    ("takes", 3, ORDERED, for_takes, takes),
    ("line", 3, ORDERED, is_a("QRB"), line),
    ("pinned", 2, ORDERED, for_pinned, pinned),
    ("cut", 3, PAIR_AND, any_men, cut),
    ("race", 15, ORDERED, both("K", "P"), lambda v, a, b: signed(DISTANCE[v.at[a]][v.goal(b)] - v.steps(b))),
    ("goal", 8, ORDERED, both("K", "P"), lambda v, a, b: DISTANCE[v.at[a]][v.goal(b)]),
    ("goal_edge", 15, ONE, is_a("P"), edge_between_kings(goal_set)),
    ("front_edge", 15, ONE, is_a("P"), edge_between_kings(front_set)),
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
    ("parity", 4, TABLE, lambda m: m.pawns, lambda v: 2 * (df(v.at[0], v.at[1]) % 2) + dr(v.at[0], v.at[1]) % 2),
    ("opposition", 7, TABLE, any_men, lambda v: opposition(v.at[0], v.at[1])),
    ("oppose", 7, ONE, is_a("K"), oppose),
    ("key", 8, ORDERED, both("K", "P"), lambda v, a, b: min(7, d_set(v.at[a], v.keys(b)))),
    ("key_edge", 15, ONE, is_a("P"), edge_between_kings(lambda v, p: v.keys(p))),
    ("key_step", 9, ORDERED, both("K", "P"), key_step),
    ("flank", 4, ONE, is_a("P"), lambda v, a: to_edges(v.at[a])[0]),
    ("passed", 2, RISING, foe_pawns, passed),
    ("lead", 15, RISING, foe_pawns, lambda v, a, b: signed(v.steps(a) - v.steps(b))),
    ("race_edge", 15, RISING, foe_pawns, race_edge),
    ("raid", 15, RISING, foe_pawns, raid),
    ("race_step", 15, ORDERED, both("K", "P"), lambda v, a, b: signed(least_target(v, a, v.goal(b)) - v.steps(b))),
    ("front_step", 9, ORDERED, both("K", "P"), lambda v, a, b: least_target(v, a, v.front(b))),
    ("both_step", 16, PAIR_AND, for_both_step, both_step),
    ("cornered", 10, ONE, not_pawn, lambda v, a: least_rest(v, a, 1)),
    ("hemmed", 10, ONE, not_pawn, lambda v, a: least_rest(v, a, 0)),
    ("nets", 4, ONE, not_pawn, nets),
    ("walk", 15, ORDERED, for_walk, walk),
    ("roam", 16, ONE, is_a("KN"), lambda v, a: min(15, walked(v, a, 2))),
    ("range", 16, ONE, is_a("KN"), lambda v, a: min(15, walked(v, a, 3) // 2)),
    ("hops", 7, ORDERED, is_a("N"), lambda v, a, b: HOPS[v.at[a]][v.at[b]]),
    ("hops_edge", 15, ONE, is_a("N"), lambda v, a: signed(HOPS[v.at[a]][v.king(a)] - HOPS[v.at[a]][v.other_king(a)])),
    ("hunt", 15, ONE, is_a("N"), lambda v, a: signed(HOPS[v.at[a]][v.king(a)] - DISTANCE[v.other_king(a)][v.at[a]])),
    ("chase", 15, PAIR_AND, for_chase, lambda v, a, b, c: signed(DISTANCE[v.at[a]][v.at[c]] - HOPS[v.at[b]][v.at[c]])),
    ("hops_front", 7, ORDERED, both("N", "P"), lambda v, a, b: HOPS[v.at[a]][v.front(b)]),
    ("hops_goal", 7, ORDERED, both("N", "P"), lambda v, a, b: HOPS[v.at[a]][v.goal(b)]),
    ("shade", 2, RISING, any_men, lambda v, a, b: same_shade(v.at[a], v.at[b])),
    ("shade_goal", 2, ORDERED, both("B", "P"), lambda v, a, b: same_shade(v.at[a], v.goal(b))),
    ("wrong", 2, ORDERED, for_wrong, wrong),
    ("corner_same", 8, ORDERED, both("B", "K"), lambda v, a, b: corner_of_shade(v, a, b, True)),
    ("corner_other", 8, ORDERED, both("B", "K"), lambda v, a, b: corner_of_shade(v, a, b, False)),
    ("edge", 4, ONE, any_men, lambda v, a: min(to_edges(v.at[a]))),
    ("corner", 4, ONE, any_men, lambda v, a: max(to_edges(v.at[a]))),
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
    if version != 1 or model not in (1, 2, 3, 4):
        raise Refused("a model that this reader does not know")
    if model == 1:
        return binary(material)
    found = []
    for name, parts, kind, condition, value in FAMILIES[: {2: 3, 3: 8, 4: None}[model]]:
        for men in choices(kind, len(material.men)):
            if condition(material, *men):
                found.append(Variable(" ".join([name, *map(str, men)]), parts, bound(value, men)))
    return found
