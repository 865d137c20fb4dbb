"""The example runs and says what is so."""

import pathlib
import subprocess
import sys

EXAMPLE = pathlib.Path(__file__).parents[1] / "examples" / "best_moves.py"


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
