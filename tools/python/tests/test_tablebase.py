"""The tablebase: its answers, its errors, and the places of its tables."""

import os
import pathlib
import subprocess
import sys
import threading
import time
import warnings

import chess
import numpy
import pytest

import cubebase
from conftest import random_boards

WIN = "8/8/8/3k4/8/8/1Q6/K7 w - - 0 1"
DRAW = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"
LOSS = "8/8/8/3k4/8/8/1Q6/K7 b - - 0 1"
SIX_MEN = "4k3/8/8/8/8/8/8/QRRRK3 w - - 0 1"
FIXTURES = pathlib.Path(__file__).parents[3] / "fixtures"
BUNDLE = FIXTURES / "four-men.pcb"
RANKINGS = FIXTURES / "four-men-rankings.pcb"


@pytest.mark.parametrize(("fen", "outcome"), [(WIN, 2), (DRAW, 0), (LOSS, -2)])
def test_a_board_and_its_fen_have_the_same_outcome(tablebase, fen, outcome):
    assert tablebase.probe_wdl(fen) == outcome
    assert tablebase.probe_wdl(chess.Board(fen)) == outcome
    assert tablebase.probe_wdl(chess.Board(fen).mirror()) == outcome
    assert tablebase.get_wdl(fen) == outcome
    assert type(tablebase.probe_wdl(fen)) is int


def test_subclasses_and_look_alikes_are_boards(tablebase):
    class Mine(chess.Board):
        pass

    class Plain:
        def __init__(self, board):
            self.occupied_co = tuple(board.occupied_co)
            for name in ("queens", "rooks", "bishops", "knights", "pawns", "turn", "ep_square", "castling_rights"):
                setattr(self, name, getattr(board, name))

    class Shifted(chess.Board):
        """A board whose queens are those of another."""

        @property
        def queens(self):
            return self.other.queens

        @queens.setter
        def queens(self, _):
            pass

        other = chess.Board(None)

    shifted = Shifted(LOSS.replace("Q", "R"))
    shifted.rooks, Shifted.other.queens = 0, chess.BB_B2
    for ask in (tablebase.probe_wdl, lambda board: tablebase.probe_many([chess.Board(WIN), board])[1]):
        assert ask(Mine(WIN)) == 2
        assert ask(Plain(chess.Board(LOSS))) == -2
        assert ask(shifted) == -2


def test_castling_rights(tablebase):
    fens = ["8/8/8/3k4/8/8/1r6/R3K3 w Q - 0 1", "r3k3/1R6/8/8/3K4/8/8/8 b a - 0 1", "8/8/8/3k4/8/8/1r6/R3K3 w - - 0 1"]
    for positions in (fens, [chess.Board(fen) for fen in fens]):
        assert [tablebase.probe_wdl(position) for position in positions] == [2, 2, 0]
        assert list(tablebase.probe_many(positions)) == [2, 2, 0]
        assert "with Q: White wins" in " ".join(str(tablebase.explain(positions[0])).split())
    assert tablebase.moves(fens[0])[0].san == "O-O-O+"


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "castling rights of Chess960"),
        ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "illegal position: .*castling right 'Q'"),
        (chess.STARTING_FEN, "32 men"),
        ("4k3/pppp4/8/8/8/8/8/QRRRK3 w - - 0 1", "10 men"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "white has 0 kings"),
        ("8/8/8/8/8/8/8/4K2R w - - 0 1", "black has 0 kings"),
        ("8/8/8/8/8/8/8/4K2R w K - 0 1", "black has 0 kings"),
        ("4k3/8/8/8/4K3/8/8/4K3 w - - 0 1", "white has 2 kings"),
        ("8/8/8/8/8/8/8/3QKk2 b - - 0 1", "adjacent"),
        ("4k3/8/8/8/4R3/8/8/4K3 w - - 0 1", "black is in check"),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "a pawn on a1"),
        ("4k3/8/8/8/8/8/8/4K2Q w - e6 0 1", "en passant"),
    ],
)
def test_positions_without_an_answer_are_key_errors(tablebase, fen, message):
    for position in (fen, chess.Board(fen)):
        for ask in (tablebase.probe_wdl, tablebase.explain, lambda position: tablebase.probe_many([WIN, position])):
            with pytest.raises(KeyError, match=message) as caught:
                ask(position)
            assert not isinstance(caught.value, cubebase.MissingTableError)
        assert tablebase.get_wdl(position) is None
        assert tablebase.get_wdl(position, 7) == 7
        assert list(tablebase.probe_many([WIN, position, LOSS], default=7)) == [2, 7, -2]
    # For every spelling and every method.
    spaced = fen.replace(" ", "  ")
    for ask in (tablebase.probe_wdl, tablebase.explain, lambda position: tablebase.probe_many([WIN, position])):
        with pytest.raises(KeyError, match=message):
            ask(spaced)
    if "kings" in message:
        for position in (fen, spaced, chess.Board(fen)):
            with pytest.raises(KeyError, match=message):
                tablebase.moves(position)


def test_six_men_have_no_table(tablebase):
    for position in (SIX_MEN, chess.Board(SIX_MEN)):
        for ask in (tablebase.probe_wdl, tablebase.explain, lambda position: tablebase.probe_many([position])):
            with pytest.raises(cubebase.MissingTableError, match="no table of KQRRRvK"):
                ask(position)
        assert tablebase.get_wdl(position, "none") == "none"


@pytest.mark.parametrize(
    "text",
    ["", "garbage", "8/8/8/8 w - - 0 1", WIN + " 1", WIN.replace(" w ", " x "), WIN.replace("k", "9"), WIN.replace("Q", "X"),
     WIN.replace("0 1", "x 1"), WIN.replace(" - - ", " ? - "), WIN.replace(" - - ", " - e9 "), "K" * 100_000, "\0", "é" + WIN,
     WIN.replace("8/8/8/3k4", "8/8/44/3k4"), WIN.replace("3k4", "12k4"),
     "8/8/8/3k4/8/8/1Q6/K8 w - - 0 1", "8/8/8/3k4/8/8/1Q6/K6 w - - 0 1", "8/8/8/8/3k4/8/8/1Q6/K7 w - - 0 1"],
)  # fmt: skip
def test_text_that_is_no_fen_is_a_value_error(tablebase, text):
    for ask in (tablebase.probe_wdl, tablebase.get_wdl, tablebase.explain):
        with pytest.raises(ValueError, match="bad FEN"):
            ask(text)
    with pytest.raises(ValueError, match="position 1: bad FEN"):
        tablebase.probe_many([WIN, text], default=0)


@pytest.mark.parametrize(
    "text",
    [WIN + "\n", " " + WIN, WIN.replace(" ", "  "), WIN.replace(" ", "\t"), WIN[: -len(" 0 1")], WIN[: -len(" 1")],
     WIN.replace("0 1", "99 100")],
)  # fmt: skip
def test_fens_in_other_forms_are_read(tablebase, text):
    assert tablebase.probe_wdl(text) == 2
    assert list(tablebase.probe_many([text])) == [2]


def test_a_wrong_type_of_position_is_a_type_error(tablebase):
    class Huge:
        occupied_co = [1 << 64, 0]

    for wrong in (None, 5, b"bytes", object(), Huge()):
        for ask in (tablebase.probe_wdl, tablebase.get_wdl, lambda wrong: tablebase.probe_many([wrong], default=0)):
            with pytest.raises(TypeError, match="neither a board nor FEN text") as caught:
                ask(wrong)
            assert caught.value.__cause__ is None and "Error" not in str(caught.value)
        with pytest.raises(TypeError, match=f"^position 2: {type(wrong).__name__} is neither"):
            tablebase.probe_many([WIN, LOSS, wrong])
    with pytest.raises(ValueError, match="^position 1: .*surrogates"):
        tablebase.probe_many([WIN, "\ud800"])
    with pytest.raises(TypeError, match="'int' object is not iterable"):
        tablebase.probe_many(5)
    with pytest.raises(TypeError, match="one FEN instead of several positions: use probe_wdl"):
        tablebase.probe_many(WIN)
    with pytest.raises(TypeError, match="one board instead of several positions: use probe_wdl"):
        tablebase.probe_many(chess.Board(WIN))
    with pytest.raises(cubebase.MissingTableError, match="position 0"):
        tablebase.probe_many([SIX_MEN, None])
    for default in (128, -129, 1 << 80):
        with pytest.raises(OverflowError, match=f"default is {default}, not from -128 to 127"):
            tablebase.probe_many([], default=default)
    with pytest.raises(TypeError, match="'str' object cannot be interpreted"):
        tablebase.probe_many([], default="none")
    assert list(tablebase.probe_many([SIX_MEN] * 2, default=-128)) == [-128, -128]


def test_an_error_of_the_iterator_passes(tablebase):
    def positions():
        yield WIN
        raise KeyError("mine")

    with pytest.raises(KeyError, match="^'mine'$"):
        tablebase.probe_many(positions(), default=0)


def test_boards_of_other_games_are_key_errors(tablebase):
    import chess.variant

    assert tablebase.probe_wdl(chess.Board(WIN)) == 2
    with pytest.raises(KeyError, match="antichess"):
        tablebase.probe_wdl(chess.variant.AntichessBoard(WIN))
    other = chess.variant.CrazyhouseBoard(WIN)
    assert tablebase.get_wdl(other, 5) == 5
    assert list(tablebase.probe_many([WIN, other, LOSS], default=5)) == [2, 5, -2]
    with pytest.raises(TypeError, match="one board instead of several positions"):
        tablebase.probe_many(other)
    with pytest.raises(KeyError) as caught:
        tablebase.probe_many([WIN, other, LOSS])
    assert caught.value.args == ("position 1: the tables are for chess, and the board is of crazyhouse",)


def test_the_variant_of_every_board_is_checked():
    # In a separate process, since a type whose boards are always of chess is remembered.
    script = f"""
import chess, chess.variant, cubebase

class Own:
    def __init__(self, board, game):
        self.__dict__.update(vars(board))
        if game:
            self.uci_variant = game

def asked(position):
    try:
        return tablebase.probe_wdl(position)
    except (KeyError, TypeError) as error:
        return type(error).__name__

tablebase = cubebase.open_tablebase()
board = chess.Board({WIN!r})
print(asked(Own(board, None)), asked(5), asked(Own(board, "chess")), asked(Own(board, "atomic")), asked(board),
      asked(chess.variant.AtomicBoard({WIN!r})), asked(board), asked(Own(board, "atomic")), asked(object()))
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "2 TypeError 2 KeyError 2 KeyError 2 KeyError TypeError\n"


def test_probe_many_answers_as_probe_wdl_does(tablebase):
    # More than a block.
    boards = random_boards(30_000) * 3
    expected = [tablebase.probe_wdl(board) for board in boards[:30_000]] * 3
    answers = tablebase.probe_many(boards)
    assert isinstance(answers, numpy.ndarray)
    assert answers.dtype == numpy.int8
    assert answers.tolist() == expected
    answers[0] = 1
    # The last is in another block.
    texts = [board.fen() for board in boards]
    assert tablebase.probe_many(tuple(texts)).tolist() == expected
    with pytest.raises(KeyError, match="position 89999: "):
        tablebase.probe_many(texts[:-1] + [SIX_MEN])
    for first in (0, 1023, 1024, 65_535, 65_536):
        with pytest.raises(cubebase.MissingTableError, match=f"position {first}: "):
            tablebase.probe_many(texts[:first] + [SIX_MEN] + texts[: 1 << 12] + ["garbage"] * (1 << 12))
    assert tablebase.probe_many([]).tolist() == []


def test_without_numpy_many_answers_are_a_list():
    # In a separate process, since numpy is imported only once.
    script = (
        "import sys; sys.modules['numpy'] = None; import cubebase; "
        f"print(cubebase.open_tablebase().probe_many([{WIN!r}, {LOSS!r}]))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "[2, -2]\n"


def test_an_explanation_names_what_decided(tablebase):
    for position in (WIN, chess.Board(WIN)):
        explanation = tablebase.explain(position)
        assert explanation.wdl == 2
        assert explanation.decided_by in ("leaf", "clause")
        assert "White wins. White is to move." in str(explanation)
        assert chess.Board(explanation.canonical).is_valid()
        assert explanation.canonical in repr(explanation)
        for condition in explanation.conditions:
            assert condition.sentence in repr(condition) and condition.value in repr(condition)
            assert condition.literal in repr(explanation)
        assert explanation.svg() == explanation._repr_svg_() and explanation.svg().startswith("<svg ")
    assert any(explained.conditions for explained in map(tablebase.explain, random_boards(2000)))


def test_an_explanation_is_about_the_board_that_was_asked(tablebase):
    # Black is the stronger side, so the table has the colours exchanged.
    for position in ("8/8/8/8/8/1k6/2q5/K6R b - - 0 1", "4k3/4p3/8/8/4K3/8/8/8 w - - 0 1"):
        for asked in (position, chess.Board(position)):
            text = str(tablebase.explain(asked))
            if isinstance(asked, str):
                assert str(tablebase.explain(asked.replace(" ", "_"))) == text
            assert text.startswith(position + "\n")
            assert f"{'White' if ' w ' in position else 'Black'} is to move." in text


def test_a_length_is_not_believed(tablebase):
    with pytest.raises(TypeError, match="position 0: int"):
        tablebase.probe_many(range(10**15))


def test_a_closed_tablebase_has_no_tables_and_takes_new_ones():
    with cubebase.open_tablebase() as tablebase:
        assert tablebase.probe_wdl(WIN) == 2
    for ask in (tablebase.probe_wdl, tablebase.explain, lambda position: tablebase.probe_many([position])):
        for position in (WIN, chess.Board(WIN)):
            with pytest.raises(cubebase.MissingTableError, match="no table of KQvK: the tablebase is closed"):
                ask(position)
    assert tablebase.get_wdl(WIN) is None
    assert list(tablebase.probe_many([WIN], default=5)) == [5]
    tablebase.close()
    assert tablebase.add_directory(BUNDLE) > 30
    assert tablebase.probe_wdl(WIN) == 2
    with pytest.raises(cubebase.MissingTableError, match="no table of KQRRRvK in "):
        tablebase.probe_wdl(SIX_MEN)


def test_decoding_has_a_limit():
    tablebase = cubebase.open_tablebase()
    tablebase.set_decoding_limit(0)
    with pytest.raises(MemoryError, match="decoded at once"):
        tablebase.probe_wdl(WIN)
    # Also after tables were closed and added.
    tablebase.close()
    tablebase.add_directory(BUNDLE)
    with pytest.raises(MemoryError, match="decoded at once"):
        tablebase.probe_wdl(WIN)
    tablebase.set_decoding_limit(1 << 20)
    assert tablebase.probe_wdl(WIN) == 2


def test_an_error_passes_the_context_manager():
    with pytest.raises(ZeroDivisionError), cubebase.open_tablebase():
        raise ZeroDivisionError


def test_tables_come_from_bundles_files_and_directories(tmp_path):
    tablebase = cubebase.Tablebase()
    with pytest.raises(cubebase.MissingTableError, match="there are no tables"):
        tablebase.probe_wdl(WIN)
    all_of_them = tablebase.add_directory(str(BUNDLE))
    assert all_of_them == cubebase.open_tablebase(BUNDLE).add_directory(BUNDLE)
    assert tablebase.probe_wdl(WIN) == 2
    (tmp_path / "notes.txt").write_text("no table")
    assert tablebase.add_directory(tmp_path) == 0
    # A directory counts tables by file names; their contents are read when they are probed. The last table wins.
    (tmp_path / "KQvK.pcn").write_bytes(b"no table either")
    assert tablebase.add_directory(tmp_path) == 1
    with pytest.raises(OSError, match=r"KQvK\.pcn"):
        tablebase.probe_wdl(WIN)
    with pytest.raises(OSError, match=r"KQvK\.pcn"):
        tablebase.probe_many([WIN], default=0)
    assert tablebase.probe_wdl(DRAW) == 0
    with pytest.raises(OSError, match=r"KQvK\.pcn"):
        tablebase.add_directory(tmp_path / "KQvK.pcn")


def test_a_path_that_is_not_there_is_a_file_not_found_error(tablebase, tmp_path):
    missing = tmp_path / "missing"
    for open_it in (cubebase.open_tablebase, tablebase.add_directory):
        with pytest.raises(FileNotFoundError) as caught:
            open_it(missing)
        assert caught.value.filename == str(missing)
    assert tablebase.probe_wdl(WIN) == 2


def test_a_directory_without_tables_is_a_warning(tmp_path):
    (tmp_path / "KQvK.rtbw").write_bytes(b"one of Syzygy's")
    with pytest.warns(UserWarning, match="no tables in .*Syzygy"):
        tablebase = cubebase.open_tablebase(tmp_path)
    assert tablebase.probe_wdl(WIN) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            cubebase.open_tablebase(tmp_path)
        # Rankings are tables too.
        cubebase.open_tablebase(directory=RANKINGS)
    assert cubebase.Tablebase(max_fds=1).add_directory(directory=RANKINGS) > 20


def test_a_tablebase_says_what_it_has():
    with cubebase.open_tablebase() as tablebase:
        assert repr(tablebase) == "<Tablebase: 36 tables of up to 4 men>"
    assert repr(tablebase) == "<Tablebase: no tables>"


def test_threads_ask_while_tables_are_added(tablebase):
    boards = random_boards(3000)
    expected = [tablebase.probe_wdl(board) for board in boards]
    results = []

    def ask():
        for _ in range(3):
            results.append(tablebase.probe_many(boards).tolist())
            results.append([tablebase.probe_wdl(board) for board in boards])

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        tablebase.add_directory(BUNDLE)
        time.sleep(0.2)
    for thread in threads:
        thread.join()
    assert len(results) == 18
    assert all(result == expected for result in results)


def test_other_threads_run_while_many_are_asked(tablebase):
    texts = [board.fen() for board in random_boards(2000)] * 500
    done = threading.Event()
    turns = 0

    def ask():
        tablebase.probe_many(texts)
        done.set()

    thread = threading.Thread(target=ask)
    # Without timed switches of threads, other threads run only when the lock is released.
    interval = sys.getswitchinterval()
    sys.setswitchinterval(100)
    try:
        thread.start()
        while not done.wait(0.001):
            turns += 1
    finally:
        sys.setswitchinterval(interval)
    thread.join()
    assert turns >= 2


def test_repeated_probes_release_the_interpreter_lock(tablebase):
    # One block, so that the thread needs the interpreter only once more.
    texts = [board.fen() for board in random_boards(2000)] * 30
    begun, done = threading.Event(), threading.Event()

    def ask():
        begun.set()
        tablebase.probe_many(texts)
        done.set()

    thread = threading.Thread(target=ask)
    # Without timed switches of threads, the thread continues only when a probe releases the interpreter's lock.
    interval = sys.getswitchinterval()
    sys.setswitchinterval(100)
    try:
        thread.start()
        begun.wait()
        for _ in range(1_000_000):
            assert tablebase.probe_wdl(WIN) == 2
            if done.is_set():
                break
        went_on = done.is_set()
    finally:
        sys.setswitchinterval(interval)
    thread.join()
    assert went_on


def test_threads_that_ask_add_and_close_do_not_wait_for_each_other_forever():
    # In a separate process, which can be killed.
    script = f"""
import sys, threading, time, cubebase

tablebase = cubebase.open_tablebase()
end = time.monotonic() + 3
sys.setswitchinterval(1e-5)

def again(work):
    count = 0
    while time.monotonic() < end or count < 3:
        work()
        count += 1

works = [
    lambda: tablebase.get_wdl({WIN!r}),
    lambda: tablebase.probe_many([{WIN!r}, {LOSS!r}] * 5000, default=0),
    lambda: tablebase.add_directory({str(BUNDLE)!r}),
    lambda: tablebase.moves({WIN!r}),
    # Tables change while positions are read.
    lambda: tablebase.probe_many((tablebase.close() or {WIN!r} for _ in range(10)), default=0),
]
threads = [threading.Thread(target=again, args=(work,)) for work in works]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
tablebase.add_directory({str(BUNDLE)!r})
print(tablebase.probe_wdl({WIN!r}))
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)
    assert ran.stdout == "2\n"


def test_the_module_does_not_import_python_chess():
    script = "import sys, cubebase; cubebase.open_tablebase(); print('chess' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


def test_tables_of_five_men_are_found(monkeypatch):
    fen = "8/8/8/3k4/8/8/3K4/QQB5 w - - 0 1"
    assert cubebase.open_tablebase().get_wdl(fen) is None
    with monkeypatch.context() as patched:
        patched.setenv("CUBEBASE_TABLES", os.pathsep.join([str(BUNDLE), str(FIXTURES / "five-men")]))
        assert cubebase.open_tablebase().probe_wdl(fen) == 2
        assert cubebase.open_tablebase(BUNDLE).get_wdl(fen) is None
    monkeypatch.syspath_prepend(FIXTURES.parent / "tools/python/five-men")
    # Other tests do not find the package.
    monkeypatch.delitem(sys.modules, "cubebase_five_men")
    try:
        assert cubebase.open_tablebase().probe_wdl(fen) == 2
        assert cubebase.open_tablebase(load_wdl=False).get_wdl(fen) is None
        monkeypatch.setattr(sys.modules["cubebase_five_men"], "PATH", FIXTURES / "no tables")
        with pytest.warns(UserWarning, match="cubebase-five-men has no tables"):
            assert cubebase.open_tablebase().get_wdl(fen) is None
    finally:
        sys.modules.pop("cubebase_five_men", None)
