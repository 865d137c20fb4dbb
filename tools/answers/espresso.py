#!/usr/bin/env python3
"""Compares results and verdicts of the espresso command with truth tables, which are made from the rows of the files alone.

    python3 tools/answers/espresso.py PROGRAM SEED FUNCTIONS PAIRS

FUNCTIONS random functions of every type, some of which contradict themselves, are minimized under all options, and written in all
formats. For PAIRS random pairs of files, each with a type and phases of its own, the verdict of `--do verify` is compared. Exit
code 1 when an answer is wrong.
"""

import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile

KINDS = ["f", "d", "r", "fd", "fr", "dr", "fdr"]
OPTIONS = """--effort 1|--effort 2|--effort 3|--effort 4|--exact|-Dqm|-efast|-estrong|-eonset|-eness -enirr -enunwrap|--pos|-epos -Dexact
-Dso|-Dso -S1|-Dso_both|-Dopo|-Dopoall -S1|--budget 60|--exact --budget 500|--steps expand,essential,irredundant,reduce,gasp,lns,sparse
-Dexpand|-Dirred|-Dreduce|-Dgasp|-Dsuper_gasp|-Dmake_sparse|-Dsimplify|-Dprimes|-Dd1merge|-Dseparate|-Dminterms|-o eqntott|-o verilog|-o blif
-o json|-Dopo -o eqntott|-Dso_both -o verilog|--pos -o verilog|--pos -o eqntott|-Dopo -o blif|-Dso_both -o json"""
# Operations on the ON-set alone, which do not look at the other sets.
ON_ALONE = ("-Dsimplify", "-Dd1merge", "-Dminterms")


class File:
    """A PLA. Its inputs have `sizes` parts; rows are pairs of a set of parts for each input, and of a character for each output."""

    def __init__(self, sizes, outputs, kind, phase, rows):
        self.sizes, self.outputs, self.kind, self.phase, self.rows = sizes, outputs, kind, phase, rows
        self.all = set(itertools.product(*map(range, sizes), range(outputs)))

    @classmethod
    def drawn(cls, rng, sizes):
        outputs, kind = rng.randint(1, 3), rng.choice(KINDS)
        sets = [[{0}, {1}, {0, 1}, {0, 1}] if size == 2 else subsets(size) for size in sizes]
        rows = [([rng.choice(s) for s in sets], rng.choices("110-~", k=outputs)) for _ in range(rng.randrange(14))]
        file = cls(sizes, outputs, kind, [rng.random() < 0.8 for _ in range(outputs)], rows)
        if kind == "fdr" and rng.random() < 0.7:
            # R becomes the minterms that are in neither F nor D.
            file.rows = [(parts, ["~" if value == "0" else value for value in values]) for parts, values in rows]
            for *point, output in file.all - file.given("1") - file.given("-"):
                file.rows.append(([{part} for part in point], ["0" if o == output else "~" for o in range(outputs)]))
        return file

    def text(self):
        def column(parts, size):
            return ("-" if len(parts) == 2 else str(min(parts))) if size == 2 else "".join("01"[p in parts] for p in range(size))

        binary = self.sizes.count(2)
        sizes = " ".join(map(str, [len(self.sizes) + 1, binary, *self.sizes[binary:], self.outputs]))
        rows = ["".join(map(column, parts, self.sizes)) + " " + "".join(values) for parts, values in self.rows]
        phase = [f".phase {''.join('01'[p] for p in self.phase)}"] if not all(self.phase) else []
        return "\n".join([f".mv {sizes}", f".type {self.kind}", *phase, *rows, ".e", ""])

    def given(self, value):
        """The minterms in rows with this value."""
        return {
            (*point, o)
            for parts, values in self.rows
            for o in range(self.outputs)
            if values[o] == value
            for point in itertools.product(*parts)
        }

    def sets(self):
        """F, D and R before the phases; None if the file contradicts itself or leaves minterms unspecified."""
        on, dc, off = (self.given(value) if kind in self.kind else set() for kind, value in zip("fdr", "1-0"))
        if self.kind in ("r", "dr"):
            on = self.all - dc - off
        elif self.kind == "fr":
            dc = self.all - on - off
        elif self.kind != "fdr":
            off = self.all - on - dc
        return None if (on & off) - dc or self.all - on - dc - off else (on, dc, off)

    def read(self, text, kind):
        """The ON-set in a written result, and its phases: equations, Verilog and BLIF have complemented outputs inverted."""
        plain = [True] * self.outputs
        if kind in ("eqntott", "verilog"):
            pattern = r"assign y(\d+) = (.*?);" if kind == "verilog" else r"^v\d+\.(\d+) = (.*?);"
            on = set()
            for output, formula in re.findall(pattern, text, re.M | re.S):
                formula = re.sub(r"[!~]", " not ", formula.replace("1'b", "")).replace("&", " and ").replace("|", " or ")
                code = compile(re.sub(r"[xv](\d+)", r"point[\1]", " ".join(formula.split())), "formula", "eval")
                on |= {point for point in self.all if point[-1] == int(output) and eval(code, {"point": point})}
            return on, plain
        if kind == "blif":
            on = set()
            for table in text.split(".names ")[1:]:
                head, *rows = table.split(".end")[0].splitlines()
                *inputs, output = (int(name[1:]) for name in head.split())
                # The rows are those of the ON-set or those of the OFF-set; no row is 0.
                within = {p for p in self.all for row in rows if all(c in ("-", str(p[v])) for c, v in zip(row, inputs))}
                on |= {p for p in self.all if p[-1] == output and rows and (p in within) == (rows[0][-1] == "1")}
            return on, plain
        if kind == "json":
            made = json.loads(text)
            lines = ["".join([cube.get("inputs", ""), *cube.get("multi_valued", []), cube["outputs"]]) for cube in made["cubes"]]
            phase = [name not in made.get("complemented", []) for name in made["outputs"]]
        else:
            lines = [re.sub(r"[ |]", "", line) for line in text.splitlines() if line[:1] not in (".", "#")]
            phase = re.search(r"^#\.phase (\d+)", text, re.M)
            phase = [c == "1" for c in phase[1]] if phase else plain
        rows = []
        for line in lines:
            parts, at = [], 0
            for size in self.sizes:
                width = 1 if size == 2 else size
                field, at = line[at : at + width], at + width
                parts.append({0, 1} if field == "-" else {int(field)} if size == 2 else {p for p in range(size) if field[p] == "1"})
            rows.append((parts, line[at:]))
        return File(self.sizes, self.outputs, "f", plain, rows).given("1"), phase


def subsets(size):
    return [{part for part in range(size) if bits >> part & 1} for bits in range(1, 1 << size)]


def in_phase(sets, phase):
    """The ON-set, with R in place of F for complemented outputs."""
    return {point for point in sets[0] if phase[point[-1]]} | {point for point in sets[2] if not phase[point[-1]]}


def main():
    program, seed, functions, pairs = sys.argv[1], *map(int, sys.argv[2:])
    rng, scratch, wrong, results = random.Random(seed), tempfile.TemporaryDirectory(), 0, 0

    def run(options, *files):
        paths = [os.path.join(scratch.name, f"{number}.pla") for number in range(len(files))]
        for path, file in zip(paths, files):
            with open(path, "w") as out:
                out.write(file.text())
        done = subprocess.run([program, *options.split(), *paths], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def is_right(file, options):
        code, text, error = run(options, file)
        sets = file.sets()
        if sets is None:
            # Berkeley's options have Berkeley's exit code.
            return code in (1, 3) or code == 0 and options.startswith(ON_ALONE)
        kind = options.partition("-o ")[2]
        if code != 0:
            return kind in ("eqntott", "verilog", "blif") and max(file.sizes) > 2 and "multi-valued" in error
        on, phase = file.read(text, kind)
        return on - sets[1] == in_phase(sets, phase) - sets[1]

    for _ in range(functions):
        sizes = [2] * rng.randrange(5) + [rng.randint(3, 4) for _ in range(rng.choice([0, 0, 0, 1, 2]))]
        file = File.drawn(rng, sizes or [2])
        for options in OPTIONS.replace("\n", "|").split("|"):
            results += 1
            if not is_right(file, options):
                wrong += 1
                print(f"espresso {options}: wrong for\n{file.text()}", run(options, file), file=sys.stderr)
    for _ in range(pairs):
        first = File.drawn(rng, [2, 2, 2, 3])
        second = File(first.sizes, first.outputs, rng.choice(KINDS), [rng.random() < 0.8 for _ in first.phase], list(first.rows))
        if second.rows and rng.random() < 0.5:
            second.rows.pop(rng.randrange(len(second.rows)))
        sets, others = first.sets(), second.sets()
        if others is None:
            continue
        results += 1
        code, _, error = run("--do verify", first, second)
        expected = sets and int(in_phase(sets, first.phase) - sets[1] != in_phase(others, second.phase) - sets[1])
        if code != (3 if sets is None else expected):
            wrong += 1
            print(f"--do verify: {code}, not {expected}, for\n{first.text()}{second.text()}{error}", file=sys.stderr)
    print(f"{results} results and verdicts, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
