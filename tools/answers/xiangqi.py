#!/usr/bin/env python3
"""Checks the legal moves of Chinese chess on random positions with men of all roles.

    python3 -m pip install pyffish
    cargo build --release --example perft_xiangqi
    python3 tools/answers/xiangqi.py 100000 target/release/examples/perft_xiangqi - 1

The moves are compared with those of Fairy-Stockfish (pyffish), which shares nothing with cubebase. Half of the positions are
endgames, with men placed at random; the other half come from games of random moves. The words after the number are a command that
takes a FEN a line and answers each with its legal moves, or with one line that says why it is no position. Exit code 1 when one
answer differs.
"""

import collections
import random
import re
import subprocess
import sys

import pyffish

VARIANT = "xiangqi"
FILES, RANKS = "abcdefghi", range(10)
# The most men of each letter, and the points of Red's men. Ranks count from 0 here, from 1 in pyffish.
LIMITS = {"A": 2, "B": 2, "N": 2, "R": 2, "C": 2, "P": 5}
ALL = [file + str(rank) for rank in RANKS for file in FILES]
POINTS = {
    "K": [file + str(rank) for rank in range(3) for file in "def"],
    "A": "d0 f0 e1 d2 f2".split(),
    "B": "c0 g0 a2 e2 i2 c4 g4".split(),
    "P": [p for p in ALL if p[1] > "4" or (p[1] in "34" and p[0] in "acegi")],
}


def endgame(random):
    """A FEN of a few men on points of theirs, either side to move; it may be illegal."""
    board = {}
    for letter in ["K", "k"] + random.choices("ABNRCPabnrcp", k=random.randint(0, 12)):
        if list(board.values()).count(letter) == LIMITS.get(letter.upper(), 1):
            continue
        on = random.choice(POINTS.get(letter.upper(), ALL))
        on = on[0] + str(9 - int(on[1])) if letter.islower() else on
        if on not in board:
            board[on] = letter
    if not {"K", "k"} <= set(board.values()):
        return endgame(random)
    rows = ["".join(board.get(file + str(rank), "1") for file in FILES) for rank in reversed(RANKS)]
    men = re.sub("1+", lambda empty: str(len(empty[0])), "/".join(rows))
    return f"{men} {random.choice('wb')} - - 0 1"


def game(random):
    """The FENs of a game of random moves."""
    fen = pyffish.start_fen(VARIANT)
    for _ in range(200):
        yield fen
        moves = pyffish.legal_moves(VARIANT, fen, [])
        if not moves:
            return
        fen = pyffish.get_fen(VARIANT, fen, [random.choice(moves)])


def is_legal(fen):
    """Whether the side that is not to move is not in check, and the generals do not face each other.

    pyffish does not report generals that face each other as a check, although its moves must end it."""
    men, turn, *rest = fen.split()
    rows = re.sub(r"\d", lambda empty: "1" * int(empty[0]), men).split("/")
    files = ["".join(file).replace("1", "") for file in zip(*rows)]
    other = " ".join([men, "wb"[turn == "w"], *rest])
    return not any("kK" in file for file in files) and not pyffish.gives_check(VARIANT, other, [])


def moves_of(fen):
    """The legal moves as text, with ranks from 0, sorted by rank and then file; None if the position is illegal."""
    if not is_legal(fen):
        return None
    points = [re.findall(r"([a-i])(\d+)", move) for move in pyffish.legal_moves(VARIANT, fen, [])]
    moves = [[(int(rank) - 1, file) for file, rank in pair] for pair in points]
    return " ".join("".join(f"{file}{rank}" for rank, file in move) for move in sorted(moves))


def main():
    source = random.Random(1)
    wanted, fens = int(sys.argv[1]), []
    while len(fens) < wanted // 2:
        fens += game(source)
    fens = fens[: wanted // 2]
    fens += [endgame(source) for _ in range(wanted - len(fens))]
    lines = "".join(fen + "\n" for fen in fens)
    answers = subprocess.run(sys.argv[2:], input=lines, text=True, stdout=subprocess.PIPE).stdout.splitlines()
    if len(answers) != len(fens):
        sys.exit(f"{len(answers)} answers to {len(fens)} positions")
    counts = collections.Counter()
    for fen, answer in zip(fens, answers):
        expected = moves_of(fen)
        is_same = answer.startswith("illegal position") if expected is None else answer == expected
        counts["illegal" if expected is None else "legal"] += 1
        counts["moves"] += len((expected or "").split())
        counts["without a move"] += expected == ""
        counts["wrong"] += not is_same
        if not is_same and counts["wrong"] <= 10:
            print(f"{fen}: {answer}, not {expected}", file=sys.stderr)
    for name in ("legal", "illegal", "moves", "without a move", "wrong"):
        print(f"{name}: {counts[name]}")
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
