"""Prints every legal move with the outcome after it, best first, then what decided: best_moves.py [FEN]."""

import sys

import cubebase

NAMES = {2: "wins", 0: "draws", -2: "loses", None: "unknown"}


def main() -> None:
    fen = sys.argv[1] if len(sys.argv) > 1 else "8/8/8/4k3/8/3K4/4P3/8 w - - 0 1"
    with cubebase.open_tablebase() as tablebase:
        try:
            moves = tablebase.moves(fen)
        except (KeyError, ValueError) as error:
            sys.exit(error.args[0])
        for move in moves:
            print(move.san, NAMES[move.wdl])
        try:
            print(tablebase.explain(fen))
        except KeyError as error:
            print(error.args[0])


if __name__ == "__main__":
    main()
