"""The minimizer: its results, and its errors about bad input."""

import itertools
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

from cubebase import _cubebase, espresso

MEDIAN = ".i 3\n.o 1\n.type fr\n111 1\n110 1\n011 1\n101 0\n001 0\n100 0\n.e\n"
FIXTURES = pathlib.Path(__file__).parents[3] / "fixtures" / "pla"


def covers(rows, inputs):
    """The outputs at a minterm, from all rows that contain it."""
    found = [outputs for cube, outputs in rows if all(a in ("-", b) for a, b in zip(cube, inputs))]
    return "".join("1" if "1" in column else "0" for column in zip(*found)) if found else None


def test_a_pla_is_minimized():
    result = espresso.minimize(MEDIAN, check=True)
    assert result.pla == ".i 3\n.o 1\n.p 1\n-1- 1\n.e\n"
    assert str(result) == result.pla
    assert result.rows == [("-1-", "1")]
    assert (result.cubes, result.input_literals, result.output_literals) == (1, 1, 1)
    assert not result.budget_exhausted
    assert repr(result) == "<Minimized: 1 cube, 1 literal of inputs, 1 of outputs>"


def test_rows_are_minimized():
    rows = [("".join(bits), f"{bits.count('1'):03b}") for bits in itertools.product("01", repeat=5)]
    result = espresso.minimize(rows, check=True)
    # This is Berkeley's example rd53, with its known minimum.
    assert result.cubes == len(result.rows) == 31
    for inputs, outputs in rows:
        assert (covers(result.rows, inputs) or "000") == outputs
    # The PLA read back is the same function.
    assert espresso.minimize(result.rows).cubes <= result.cubes
    assert espresso.minimize(tuple(rows), threads=1).pla == result.pla


def test_equations_are_minimized():
    result = espresso.minimize("f(a, b, c) = m(2, 3, 5, 7) + d(1)", check=True)
    assert result.equations.strip() == "f = (!a&b) | (c);"
    assert espresso.minimize("f = a & b or a and not b").equations.strip() == "f = (a);"
    assert espresso.minimize(".mv 3 1 3 1\n0 100 1\n").equations is None
    with pytest.raises(espresso.EspressoError):
        espresso.minimize("f = a & ;")


def test_truth_tables_are_minimized():
    # The first input is the highest bit, in a list as in minterms; None and "x" are don't-cares.
    expected = espresso.minimize("f(a, b, c) = m(2, 3, 5, 7) + d(1)").rows
    for table in ([0, None, 1, 1, 0, 1, 0, 1], ["0", "x", "1", "1", "0", "1", "0", "1"], (False, None, True, True, 0, 1, 0, 1)):
        assert espresso.minimize(table, check=True).rows == expected
    assert espresso.minimize(m=[2, 3, 5, 7], d=[1]).rows == expected
    named = espresso.minimize(m=(7, 6), inputs=["a", "b", "c", "d"])
    assert (named.equations.strip(), named.equation_literals) == ("f = (!a&b&c);", 3)
    two = espresso.minimize([[0, 1, 1, 1], [0, 0, 0, 1]])
    assert two.equations.split() == "v2.0 = (v0) | (v1); v2.1 = (v0&v1);".split()
    assert (two.input_literals, two.equation_literals) == (4, 4)
    with pytest.raises(espresso.EspressoError, match="2\\^n values, not 3"):
        espresso.minimize([0, 1, 1])
    with pytest.raises(espresso.EspressoError, match="no minterm"):
        espresso.minimize(m=[4], inputs=["a", "b"])
    for wrong in ({}, {"pla": [0, 1], "m": [1]}, {"d": [1]}, {"m": ["a"]}):
        with pytest.raises(TypeError):
            espresso.minimize(**wrong)


def test_arrays_are_truth_tables():
    numpy = pytest.importorskip("numpy")
    for kind in (numpy.int8, numpy.int64, bool):
        assert espresso.minimize(numpy.array([0, 1, 1, 0], dtype=kind)).cubes == 2
    assert espresso.minimize(numpy.array([[0, 1, 1, 1], [0, 0, 0, 1]])).cubes == 3
    assert espresso.minimize(m=numpy.array([0, 2, 5]), d=numpy.array([7])).cubes == 2


def test_names_and_multi_valued_inputs_are_kept():
    assert ".ilb a b" in espresso.minimize(".i 2\n.o 1\n.ilb a b\n.ob f\n11 1\n10 1\n").pla
    result = espresso.minimize(".mv 3 1 3 1\n0 100 1\n1 100 1\n")
    assert result.rows == [("- 100", "1")]


def test_steps_type_and_budget_are_taken():
    assert espresso.minimize("".join(MEDIAN.split(".type fr\n")), type="fr").cubes == 1
    assert espresso.minimize(MEDIAN, steps="compact").cubes == 2
    assert espresso.minimize(MEDIAN, budget=1).budget_exhausted
    for wrong in ({"type": "x"}, {"steps": "walk"}, {"threads": 0}, {"threads": 1025}, {"effort": 0}, {"effort": 5}, {"effort": -1}, {"effort": 300}):
        with pytest.raises(ValueError):
            espresso.minimize(MEDIAN, **wrong)


def test_more_effort_makes_no_more_cubes():
    # The carry and both sums of two numbers of two bits, as minterms.
    numbers = [(a, b) for a in range(4) for b in range(4)]
    rows = [(f"{a:02b}{b:02b}", f"{a + b:03b}") for a, b in numbers]
    cubes = [espresso.minimize(rows, effort=effort, check=True).cubes for effort in (1, 2, 4)]
    assert cubes == sorted(cubes, reverse=True) and cubes[-1] == 11


def test_ignored_lines_are_a_warning():
    with pytest.warns(UserWarning, match="line 3: .*huh"):
        assert espresso.minimize(".i 2\n.o 1\n.huh\n11 1\n").cubes == 1


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        (".i 2\n.o 1\n01 1\n0x 1\n", 4, 2, "line 4, column 2: "),
        (".i 2\n.o 1\n.type huh\n", 3, 7, "line 3, column 7: "),
        ("", 1, 1, "line 1, column 1: "),
        (".i 1\n.o 1\n.type fr\n1 1\n- 0\n", 5, 1, "both in the ON-set and in the OFF-set: lines 4 and 5"),
        (".i 1\n.o 1\n.type fdr\n1 1\n", None, None, "in none of"),
    ],
)
def test_a_wrong_pla_is_an_error_with_its_place(text, line, column, message):
    with pytest.raises(espresso.EspressoError) as caught:
        espresso.minimize(text)
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("rows", "line", "column", "message"),
    [
        ([], None, None, "no rows"),
        ([("01", "1"), ("0x", "1")], 2, 2, "row 2: 'x' is no input"),
        ([("01", "1"), ("0\n", "1")], 2, 2, "is no input"),
        ([("01", "1"), ("00", "5")], 2, 4, "row 2: '5' is no output"),
        ([("01", "1"), ("011", "1")], 2, 3, "row 2: 3 inputs, and 2 in the first row"),
        ([("01", "1"), ("01", "")], 2, 4, "row 2: 0 outputs, and 1 in the first row"),
        ([(".e", "1")], 1, 1, "is no input"),
        ([("1", "")], 1, 3, "^row 1: a function needs at least one output"),
        ([("", "")], 1, 2, "^row 1: a function needs at least one output"),
    ],
)
def test_wrong_rows_are_errors_with_their_place(rows, line, column, message):
    with pytest.raises(espresso.EspressoError, match=message) as caught:
        espresso.minimize(rows)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_rows_that_contradict_each_other_are_named():
    with pytest.raises(espresso.EspressoError, match="rows 1 and 3") as caught:
        espresso.minimize([("1-", "1"), ("01", "0"), ("10", "0")], type="fr")
    assert (caught.value.line, caught.value.column) == (3, 1)


@pytest.mark.parametrize("wrong", [5, [2], [0.5, 1], [1, "a"], b".i 1\n"])
def test_neither_text_nor_rows_is_a_type_error(wrong):
    with pytest.raises(TypeError, match="neither the text of a PLA, nor rows"):
        espresso.minimize(wrong)


def test_an_interrupt_ends_the_work():
    # 20 random functions of 16 inputs take long.
    script = (
        "import random, signal; from cubebase import espresso\n"
        # If the tests run in the background, interrupts are ignored by default.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "print('begin', flush=True)\n"
        "espresso.minimize([(f'{n:016b}', f'{random.getrandbits(20):020b}') for n in range(1 << 16)])\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "begin\n"
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert "KeyboardInterrupt" in errors


@pytest.mark.skipif(not hasattr(_cubebase, "panic_for_test"), reason="the module was built without feature panic")
def test_a_panic_is_an_exception():
    # In a separate process, which can be killed.
    script = "from cubebase._cubebase import panic_for_test; panic_for_test()"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 1
    assert "PanicException: on purpose" in ran.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_can_minimize():
    expected = espresso.minimize(MEDIAN).pla
    child = os.fork()
    if child == 0:
        os._exit(0 if espresso.minimize(MEDIAN).pla == expected else 1)
    deadline = time.monotonic() + 60
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            pytest.fail("the child hangs")
        time.sleep(0.01)
    assert os.waitstatus_to_exitcode(ended[1]) == 0


def test_the_examples_of_the_minimizer_are_minimized():
    paths = sorted(FIXTURES.glob("*.pla"))
    assert paths
    for path in paths:
        text = path.read_text()
        try:
            result = espresso.minimize(text, check=True)
        except espresso.EspressoError as error:
            assert error.line is None or 1 <= error.line <= len(text.splitlines()) + 1
        else:
            assert result.cubes == len(result.rows)
