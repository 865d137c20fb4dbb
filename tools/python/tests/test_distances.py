"""Distances to zeroing, and outcomes under the 50-move rule."""

import os
import pathlib
import random

import chess
import chess.syzygy
import pytest

import cubebase
from conftest import random_boards

FIXTURES = pathlib.Path(__file__).parents[3] / "fixtures"
# Won in the stated number of plies, lost by mate, and drawn.
WON = "8/8/8/3k4/8/8/1Q6/K7 w - - 0 1"
MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
DRAWN = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"


@pytest.fixture
def without():
    """The tables without distances."""
    with cubebase.open_tablebase(load_dtz=False) as tablebase:
        yield tablebase


@pytest.fixture
def few(without):
    """The tables with the distances of three men, from files."""
    for material in ("KQvK", "KPvK"):
        assert without.add_directory(FIXTURES / "fuzz/pcn" / f"{material}-distances.pcn") == 1
    return without


def test_distances_have_the_signs_of_python_chess(few):
    for fen, plies in [(WON, 15), (MATED, -1), (DRAWN, 0), ("8/8/8/8/8/8/4P3/4K2k w - - 0 1", 1)]:
        for position in (fen, chess.Board(fen), chess.Board(fen).mirror()):
            assert few.probe_dtz(position) == few.get_dtz(position) == plies, fen
    assert type(few.probe_dtz(WON)) is int


def test_a_missing_distance_is_a_missing_table(few, without):
    rook = WON.replace("Q", "R")
    with pytest.raises(cubebase.MissingTableError, match="no distance to zeroing for this position of KRvK"):
        few.probe_dtz(rook)
    assert few.get_dtz(rook) is None and few.get_dtz(rook, "none") == "none"
    assert few.probe_wdl(rook) == 2
    with pytest.raises(KeyError, match="illegal|adjacent"):
        few.probe_dtz("8/8/8/8/8/8/8/3QKk2 b - - 0 1")
    with pytest.raises(ValueError, match="bad FEN"):
        few.get_dtz("garbage")
    with pytest.raises(TypeError, match="neither a board nor FEN text"):
        few.get_dtz(None)
    few.close()
    with pytest.raises(cubebase.MissingTableError, match="closed"):
        few.probe_dtz(WON)


def test_outcomes_and_distances_can_be_left_out(tmp_path):
    with cubebase.open_tablebase(load_dtz=False, max_fds=None) as tablebase:
        assert tablebase.probe_wdl(WON) == 2 and tablebase.get_dtz(WON) is None
        assert tablebase.probe_dtz(DRAWN) == 0
        (tmp_path / "KQvK.dtz.pcn").write_bytes((FIXTURES / "fuzz/pcn/KQvK-distances.pcn").read_bytes())
        assert tablebase.add_directory(tmp_path, load_dtz=False) == 0
        assert tablebase.get_dtz(WON) is None
        assert tablebase.add_directory(tmp_path, load_wdl=False) == 1
        assert tablebase.probe_dtz(WON) == 15
    with cubebase.open_tablebase(tmp_path, load_wdl=False) as tablebase:
        assert tablebase.get_wdl(WON) is None and tablebase.get_dtz(WON) is None


def test_distances_of_another_table_are_an_os_error(few, tmp_path):
    whole = bytearray((FIXTURES / "fuzz/pcn/KQvK-distances.pcn").read_bytes())
    whole[len(whole) // 2] ^= 1
    (tmp_path / "KQvK.dtz.pcn").write_bytes(whole)
    few.add_directory(tmp_path)
    with pytest.raises(OSError, match=r"KQvK\.dtz\.pcn"):
        few.probe_dtz(WON)
    assert few.probe_wdl(WON) == 2


def test_moves_have_distances_and_categories(few):
    board = chess.Board(WON)
    for clock in (0, 90):
        board.halfmove_clock = clock
        moves = few.moves(board)
        for move in moves:
            after = board.copy()
            after.push_uci(move.uci)
            assert move.dtz == -few.probe_dtz(after)
            kept = move.dtz == 0 or abs(move.dtz) + after.halfmove_clock <= 100
            assert move.category == {2: "win" if kept else "cursed-win", 0: "draw"}[move.wdl]
        assert min(move.dtz for move in moves if move.dtz > 0) == moves[0].dtz == 14
    rook = few.moves(WON.replace("Q", "R"))
    assert all(move.dtz is None or move.wdl == 0 for move in rook) and rook[0].category == "win"
    assert few.moves(chess.Board())[0].category == "unknown"


def test_bishop_and_knight_mate_by_the_first_move(tablebase):
    numbers = random.Random(1)
    for _ in range(20):
        board = chess.Board(None)
        while not board.is_valid() or tablebase.probe_wdl(board) != 2:
            board = chess.Board(None)
            for man, square in zip("KBNk", numbers.sample(range(64), 4)):
                board.set_piece_at(square, chess.Piece.from_symbol(man))
        plies = tablebase.probe_dtz(board)
        assert plies <= 65
        for _ in range(plies):
            board.push_uci(tablebase.moves(board)[0].uci)
        assert board.is_checkmate()


class WithOutcomes(chess.syzygy.Tablebase):
    """Syzygy's distances, for which the outcomes are ours."""

    def __init__(self, outcomes):
        super().__init__()
        self.outcomes = outcomes

    def probe_wdl_table(self, board):
        plain = board.copy(stack=False)
        plain.ep_square = None
        return self.outcomes.probe_wdl(plain)


def test_random_positions_have_the_distances_of_syzygy(tablebase):
    directory = os.environ.get("SYZYGY_DTZ")
    if not directory:
        pytest.skip("SYZYGY_DTZ names no directory of Syzygy's files of distances")
    asked = 0
    with WithOutcomes(tablebase) as syzygy:
        syzygy.add_directory(directory)
        for board in random_boards(5000):
            ours, theirs = tablebase.probe_dtz(board), syzygy.probe_dtz(board)
            assert (ours > 0) - (ours < 0) == (theirs > 0) - (theirs < 0), board.fen()
            assert abs(ours) - abs(theirs) in (0, 1), f"{board.fen()}: {ours}, not {theirs}"
            asked += ours != 0
    assert asked > 1000
