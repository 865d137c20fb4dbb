#!/usr/bin/env python3
"""Compares exact distances to zeroing with Syzygy's DTZ files, read by python-chess, which shares no code with cubebase.

    python3 -m pip install chess
    python3 tools/answers/distances.py DIRECTORY_OF_RTBW DIRECTORY_OF_RTBZ POSITIONS cubebase probe --distance -

Every position of three men is compared, up to symmetry, and so many random ones of each table of four men; with pawns on both sides
also those after double pushes. The distances must be equal, or one more where Syzygy's is rounded. Exit code 1 when one is not.
"""

import itertools
import random
import subprocess
import sys

import chess
import chess.syzygy

count, command = int(sys.argv[3]), sys.argv[4:]
random.seed(57)
theirs = chess.syzygy.Tablebase()
for directory in sys.argv[1:3]:
    theirs.add_directory(directory)


def board_of(men, squares, turn):
    board = chess.Board(None)
    for man, square in zip(men, squares):
        board.set_piece_at(square, man)
    board.turn = turn
    if any(man.piece_type == chess.PAWN and square // 8 in (0, 7) for man, square in zip(men, squares)):
        return None
    # As in Syzygy's files, checks that no move can give are legal.
    return board if board.status() in (chess.STATUS_VALID, chess.STATUS_IMPOSSIBLE_CHECK) else None


def every(men):
    has_pawns = any(man.piece_type == chess.PAWN for man in men)
    for squares in itertools.permutations(range(64), len(men)):
        file, rank = squares[0] % 8, squares[0] // 8
        if file < 4 and (has_pawns or rank <= file):
            for turn in chess.COLORS:
                if board := board_of(men, squares, turn):
                    yield board


def some(men):
    found = 0
    while found < count:
        squares = random.sample(range(64), len(men))
        board = board_of(men, squares, random.choice(chess.COLORS))
        if board is None:
            continue
        found += 1
        yield board
        for move in board.legal_moves:
            if board.piece_type_at(move.from_square) == chess.PAWN and abs(move.to_square - move.from_square) == 16:
                after = board.copy(stack=False)
                after.push(move)
                if after.has_legal_en_passant():
                    yield after


wrong = 0
pieces = [chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN]
sides = [[], *([piece] for piece in pieces), *itertools.combinations_with_replacement(pieces, 2)]
for white, black in itertools.product(sides, sides):
    many = len(white) + len(black)
    if many not in (1, 2) or len(white) < len(black):
        continue
    men = [chess.Piece(chess.KING, chess.WHITE), chess.Piece(chess.KING, chess.BLACK)]
    men += [chess.Piece(piece, chess.WHITE) for piece in white] + [chess.Piece(piece, chess.BLACK) for piece in black]
    if len(white) == len(black) and pieces.index(white[0]) > pieces.index(black[0]):
        continue
    compared = decisive = rounded = 0
    boards = list(every(men) if many == 1 else some(men))
    fens = "".join(board.fen() + "\n" for board in boards)
    answers = subprocess.run(command, input=fens, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    for board, answer in zip(boards, answers, strict=True):
        one, other = int(answer.split()[-1]), theirs.probe_dtz(board)
        compared += 1
        decisive += one != 0
        rounded += one != other
        is_near = one == other or one * other > 0 and abs(one) == abs(other) + 1
        if not is_near or board.is_checkmate() and one != -1:
            wrong += 1
            print(f"{board.fen()}: {one}, Syzygy {other}")
    name = "".join(man.symbol() for man in men if man.color) + "v" + "".join(man.symbol().upper() for man in men if not man.color)
    print(f"{name}: {compared} positions, {decisive} decisive, {rounded} one more than Syzygy's", flush=True)
print("agree" if wrong == 0 else f"{wrong} differ")
sys.exit(wrong > 0)
