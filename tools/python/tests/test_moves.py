"""Legal moves with the outcome after each, compared with python-chess's moves and with probes of single positions."""

import pathlib
import random
import shutil

import chess
import cubebase
import pytest


def random_board(numbers: random.Random, men: str) -> chess.Board:
    while True:
        board = chess.Board(None)
        for man, square in zip(men, numbers.sample(range(64), len(men))):
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        board.turn = numbers.random() < 0.5
        if board.is_valid():
            return board


@pytest.mark.parametrize("men", ["KQkr", "KPk", "KPkp", "KBNk", "KRkn"])
def test_moves_are_those_of_the_rules_with_the_outcomes_of_positions(tablebase, men):
    numbers = random.Random(men)
    for _ in range(200):
        board = random_board(numbers, men)
        moves = tablebase.moves(board)
        assert sorted(move.uci for move in moves) == sorted(move.uci() for move in board.legal_moves)
        assert [move.uci for move in tablebase.moves(board.fen())] == [move.uci for move in moves]
        for move in moves:
            played = chess.Move.from_uci(move.uci)
            assert move.san == board.san(played) and str(move) == move.uci
            assert move.is_capture == board.is_capture(played) and move.is_zeroing == board.is_zeroing(played)
            assert move.promotion == (chess.piece_symbol(played.promotion) if played.promotion else None)
            after = board.copy()
            after.push(played)
            assert (move.is_check, move.is_checkmate, move.is_stalemate) == (
                after.is_check(),
                after.is_checkmate(),
                after.is_stalemate(),
            )
            assert move.wdl == -tablebase.probe_wdl(after)
        if moves:
            assert max(move.wdl for move in moves) == moves[0].wdl == tablebase.probe_wdl(board)


def test_positions_without_a_table_have_moves_too(tablebase):
    moves = tablebase.moves(chess.Board())
    assert len(moves) == 20 and all(move.wdl is None for move in moves)
    # Of five men, only captures lead to tables that there are: two of the rook's, and one of the king's.
    outcomes = [move.wdl for move in tablebase.moves("q7/R7/8/8/1K6/p5k1/8/8 w - - 0 1")]
    assert outcomes == [2, 0] + [None] * 17 + [-2]
    castling = tablebase.moves("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert [move.san for move in castling if move.is_castling] == ["O-O"]
    assert repr(castling[0]).startswith("Move('") and isinstance(castling[0], cubebase.Move)


def test_wrong_positions_are_errors(tablebase):
    with pytest.raises(ValueError):
        tablebase.moves("garbage")
    with pytest.raises(TypeError):
        tablebase.moves(7)
    with pytest.raises(KeyError):
        tablebase.moves("8/8/8/8/8/8/4k3/4K3 w - - 0 1")
    with pytest.raises(KeyError, match="black has 0 kings"):
        tablebase.moves("rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1")


def test_a_plan_of_a_ranking_mates(tmp_path, tablebase):
    fixtures = pathlib.Path(__file__).parents[3] / "fixtures"
    for file in ["five-men/KQQQvK.pcn", "fuzz/pcn/KQQQvK.rank.pcn"]:
        shutil.copy(fixtures / file, tmp_path)
    ranked = cubebase.open_tablebase(tmp_path)
    board = chess.Board("8/8/4k3/8/8/8/8/KQQQ4 w - - 0 1")
    assert tablebase.plan(board) is None
    assert ranked.plan(board.fen()) == ranked.plan(board)
    while not board.is_checkmate():
        assert board.turn or ranked.plan(board) is None
        board.push_uci(ranked.plan(board) if board.turn else next(iter(board.legal_moves)).uci())
        assert board.ply() < 50 and not board.is_stalemate()
    with pytest.raises(ValueError):
        ranked.plan("no FEN")
