#!/usr/bin/env python3
"""Positions of every table of two to four men with the outcomes that Syzygy's files give, read by python-chess, which
shares no code with cubebase.

    python3 -m pip install chess
    python3 tools/answers/answers.py DIRECTORY_OF_RTBW_FILES > fixtures/answers.tsv

For each table, side to move and outcome up to a few positions, drawn at random from a fixed seed, colours exchanged half
of the time; with pawns on both sides also some with en passant. An outcome that no random position has is left out.
"""

import random
import sys

import chess
import chess.syzygy

EACH = 3
DRAWS = 4000
STRENGTH = "QRBNP"


def materials():
    """Signatures of two to four men, stronger side first."""
    yield "KvK"
    for man in STRENGTH:
        yield f"K{man}vK"
    for a, first in enumerate(STRENGTH):
        for second in STRENGTH[a:]:
            yield f"K{first}{second}vK"
    for a, first in enumerate(STRENGTH):
        for second in STRENGTH[a:]:
            yield f"K{first}vK{second}"


def draw(rng, signature):
    """A random position, or None when it is not legal; with en passant whenever the pawns allow it."""
    strong, weak = signature.split("v")
    board = chess.Board(None)
    exchanged = rng.random() < 0.5
    squares = rng.sample(chess.SQUARES, len(strong) + len(weak))
    for number, (man, square) in enumerate(zip(strong + weak, squares)):
        color = (number < len(strong)) != exchanged
        board.set_piece_at(square, chess.Piece(chess.Piece.from_symbol(man).piece_type, color))
    board.turn = rng.random() < 0.5
    if not board.is_valid():
        return None
    pushed_rank, passed_rank, from_rank = (4, 5, 6) if board.turn else (3, 2, 1)
    for square in board.pieces(chess.PAWN, not board.turn):
        file = chess.square_file(square)
        behind = [chess.square(file, rank) for rank in (passed_rank, from_rank)]
        if chess.square_rank(square) != pushed_rank or any(board.piece_at(place) for place in behind):
            continue
        before = board.copy()
        before.remove_piece_at(square)
        before.set_piece_at(behind[1], chess.Piece(chess.PAWN, not board.turn))
        before.turn = not board.turn
        board.ep_square = behind[0]
        if not (before.is_valid() and board.is_valid() and board.has_legal_en_passant()):
            board.ep_square = None
    return board


def main():
    tablebase = chess.syzygy.open_tablebase(sys.argv[1], load_dtz=False)
    rng = random.Random(4)
    print("# Made by tools/answers/answers.py: FEN, outcome for the side to move by Syzygy's files")
    for signature in materials():
        seen = {}
        for _ in range(DRAWS):
            board = draw(rng, signature)
            if board is None:
                continue
            value = 0 if signature == "KvK" else tablebase.probe_wdl(board)
            outcome = "win" if value > 0 else "loss" if value < 0 else "draw"
            fens = seen.setdefault((not board.turn, board.ep_square is not None, outcome), [])
            fen = board.fen()
            if len(fens) < EACH and fen not in fens:
                fens.append(fen)
        for key in sorted(seen):
            for fen in seen[key]:
                print(f"{fen}\t{key[2]}")


if __name__ == "__main__":
    main()
