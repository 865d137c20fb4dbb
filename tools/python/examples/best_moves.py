"""Prints every legal move with the outcome after it, best first: best_moves.py [FEN]."""

import sys

import chess

import cubebase

NAMES = {2: "wins", 0: "draws", -2: "loses"}


def outcomes(board, tablebase):
    """The moves with their outcomes for the side to move, best first."""
    moves = list(board.legal_moves)
    after = []
    for move in moves:
        board.push(move)
        after.append(board.copy(stack=False))
        board.pop()
    return sorted(zip(moves, -tablebase.probe_many(after)), key=lambda found: -found[1])


def main():
    board = chess.Board(sys.argv[1] if len(sys.argv) > 1 else "8/8/8/4k3/8/3K4/4P3/8 w - - 0 1")
    with cubebase.open_tablebase() as tablebase:
        for move, outcome in outcomes(board, tablebase):
            print(board.san(move), NAMES[outcome])
        print(tablebase.explain(board))


if __name__ == "__main__":
    main()
