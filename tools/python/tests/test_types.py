"""The stubs: they match the module, and a type checker accepts a program that uses it."""

import pathlib
import subprocess
import sys

import pytest

EXAMPLE = (pathlib.Path(__file__).parents[1] / "examples" / "best_moves.py").read_text()
PROGRAM = """
import chess
import cubebase
import numpy
from cubebase import espresso

with cubebase.open_tablebase() as tablebase:
    outcome: int = tablebase.probe_wdl(chess.Board())
    outcome = tablebase.probe_wdl(chess.STARTING_FEN)
    maybe: int | None = tablebase.get_wdl(chess.Board())
    text: int | str = tablebase.get_wdl(chess.Board(), "none")
    answers: numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.int8]] = tablebase.probe_many([chess.STARTING_FEN], default=3)
    conditions: list[cubebase.Condition] = tablebase.explain(chess.Board()).conditions
    added: int = tablebase.add_directory("tables")
rows: list[tuple[str, str]] = espresso.minimize([("1", "1")], type="fr").rows
"""
WRONG = """
import cubebase
cubebase.open_tablebase().probe_wdl(5)
"""
WRONG_MANY = """
import cubebase
cubebase.open_tablebase().probe_many([]).no_such_attribute
"""


def run(*arguments):
    return subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True)


@pytest.fixture(autouse=True)
def mypy():
    pytest.importorskip("mypy")


def test_the_stubs_match_the_module():
    ran = run("mypy.stubtest", "cubebase")
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize(("program", "error"), [(PROGRAM, ""), (EXAMPLE, ""), (WRONG, "arg-type"), (WRONG_MANY, "attr-defined")])
def test_a_typed_program_is_checked(tmp_path, program, error):
    (tmp_path / "program.py").write_text(program)
    ran = run("mypy", "--strict", "--cache-dir", str(tmp_path), str(tmp_path / "program.py"))
    assert ran.returncode == (1 if error else 0), ran.stdout
    assert error in ran.stdout
