"""The example and the example lines of the README run and print what they say."""

import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "best_moves.py"


def lines(*arguments):
    ran = subprocess.run([sys.executable, EXAMPLE, *arguments], capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()


def test_only_the_opposition_wins():
    first, *others = lines()
    assert first == "Ke3 wins"
    assert {line.split()[1] for line in others[:6]} == {"draws"}
    assert "White wins. White is to move." in others


def test_a_capture_leads_to_another_table():
    first, *others = lines("8/8/8/8/8/1k6/8/K1q4R w - - 0 1")
    assert first == "Rxc1 wins"
    assert "White wins. White is to move." in others


def test_five_men_have_moves_without_an_explanation():
    *moves, last = lines("8/8/8/4k3/8/3K4/3PP3/6r1 w - - 0 1")
    assert "Ke3 unknown" in moves
    assert last == "no table of KPPvKR in the embedded tables"


@pytest.mark.parametrize(
    ("fen", "message"), [("garbage", "bad FEN"), ("8/8/8/8/8/8/4k3/4K3 w - - 0 1", "illegal position")]
)
def test_a_wrong_position_is_one_line(fen, message):
    ran = subprocess.run([sys.executable, EXAMPLE, fen], capture_output=True, text=True)
    assert ran.returncode == 1 and ran.stdout == ""
    assert message in ran.stderr and ran.stderr.count("\n") == 1


def test_the_readme_example_runs(tmp_path):
    (tmp_path / "adder.pla").write_text(".i 2\n.o 2\n11 10\n01 01\n10 01\n.e\n")
    probing, minimizing = re.findall("```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    printed = []
    for program in (probing, minimizing):
        ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
        printed.append(ran.stdout.splitlines())
    # The comments after them in the README.
    outcome, distance, many, *others = printed[0]
    assert outcome == "2" and distance == "15" and many == "[0 0 0]"
    assert "Ke3" in others and "White wins. White is to move." in others
    assert "# [('-1-', '1')] 1 1" in minimizing and printed[1][:2] == ["[('-1-', '1')] 1 1", "f = (!a&b) | (c);"]


def test_the_example_in_the_first_readme_runs():
    [program] = re.findall("```python\n(.*?)```", (ROOT.parents[1] / "README.md").read_text(), re.DOTALL)
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "2\n"
