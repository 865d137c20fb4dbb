"""Shared fixtures and positions."""

import os
import random
import sys

import chess
import chess.syzygy
import pytest

import cubebase

# Tests name their tables themselves.
os.environ.pop("CUBEBASE_TABLES", None)
sys.modules["cubebase_five_men"] = None


@pytest.fixture
def tablebase():
    with cubebase.open_tablebase() as tablebase:
        yield tablebase


@pytest.fixture(scope="session")
def syzygy():
    """The Syzygy files of the directory named in the environment; without it a test is skipped."""
    directory = os.environ.get("SYZYGY")
    if not directory:
        pytest.skip("SYZYGY names no directory of Syzygy files")
    with chess.syzygy.open_tablebase(directory) as tables:
        yield tables


def could_be_passed(board):
    """Whether the side to move was not in check before the double push over the en-passant square."""
    if board.ep_square is None:
        return True
    before = board.copy()
    away = 8 if board.turn == chess.WHITE else -8
    before.set_piece_at(board.ep_square + away, before.remove_piece_at(board.ep_square - away))
    before.ep_square = None
    return not before.is_check()


def random_boards(count, seed=1):
    """Legal positions of three and four men without castling rights, some of them with an en-passant square."""
    numbers = random.Random(seed)
    others = [piece for piece in chess.PIECE_TYPES if piece != chess.KING]
    boards = []
    while len(boards) < count:
        board = chess.Board(None)
        men = [chess.Piece(chess.KING, color) for color in chess.COLORS]
        men += [chess.Piece(numbers.choice(others), numbers.choice(chess.COLORS)) for _ in range(numbers.choice((1, 2, 2)))]
        for man, square in zip(men, numbers.sample(chess.SQUARES, len(men))):
            board.set_piece_at(square, man)
        board.turn = numbers.choice(chess.COLORS)
        rank, behind = (chess.BB_RANK_5, 8) if board.turn == chess.WHITE else (chess.BB_RANK_4, -8)
        for square in board.pieces(chess.PAWN, not board.turn) & rank:
            board.ep_square = square + behind
            if board.status() == chess.STATUS_VALID and could_be_passed(board):
                break
            board.ep_square = None
        if board.status() == chess.STATUS_VALID:
            boards.append(board)
    return boards
