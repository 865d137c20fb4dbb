"""Agreement with python-chess's own probing of Syzygy files."""

import chess
import pytest

from conftest import could_be_passed, random_boards

# With so few men, the 50-move rule turns no win or loss into a draw.
POSITIONS = 100_000


def test_random_positions_have_the_outcomes_of_syzygy(tablebase, syzygy):
    boards = random_boards(POSITIONS)
    theirs = [syzygy.probe_wdl(board) for board in boards]
    wrong = [
        board.fen()
        for board, outcome in zip(boards, theirs)
        if not outcome == tablebase.probe_wdl(board) == tablebase.probe_wdl(board.fen())
    ]
    assert wrong == []
    assert list(tablebase.probe_many(boards)) == theirs
    assert list(tablebase.probe_many(board.fen() for board in boards)) == theirs


def test_en_passant_has_the_outcomes_of_syzygy(tablebase, syzygy):
    boards = []
    # After every double push that can be captured, with the kings anywhere.
    for white in range(64):
        for black in range(64):
            board = chess.Board("8/8/8/8/3pP3/8/8/8 b - e3 0 1")
            if white != black and not board.occupied & (chess.BB_SQUARES[white] | chess.BB_SQUARES[black]):
                board.set_piece_at(white, chess.Piece(chess.KING, chess.WHITE))
                board.set_piece_at(black, chess.Piece(chess.KING, chess.BLACK))
                if board.status() == chess.STATUS_VALID:
                    boards += [board, board.mirror()]
    # A check before the push makes a position impossible, which python-chess does not detect.
    impossible = [board for board in boards if not could_be_passed(board)]
    boards = [board for board in boards if could_be_passed(board)]
    assert len(boards) > 3000
    assert len(impossible) > 100
    for board in impossible:
        with pytest.raises(KeyError, match="en passant"):
            tablebase.probe_wdl(board)
    theirs = [syzygy.probe_wdl(board) for board in boards]
    assert [tablebase.probe_wdl(board) for board in boards] == theirs
    assert list(tablebase.probe_many([board.fen() for board in boards])) == theirs
