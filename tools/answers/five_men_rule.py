#!/usr/bin/env python3
"""Positions of tables of five men that the 50-move rule makes draws, from outcome tables with distances to zeroing.

    python3 -m pip install chess
    python3 tools/answers/five_men_rule.py DIRECTORY_OF_DTZ cubebase MATERIAL... > fixtures/five-men-rule-answers.tsv

The generator's tables know nothing of the clauses that answer in the end, and their outcomes under the rule are those that are published
with Syzygy's files, counted (`cargo test -- --ignored published_counts_of_five_men`). Of each table and outcome under the rule up
to five random positions are printed.
"""

import json
import random
import subprocess
import sys

from answers import draw

EACH = 5
DRAWN = 20_000

directory, command, *materials = sys.argv[1:]
print("# Made by tools/answers/five_men_rule.py: FEN, outcome under the 50-move rule from a counter of zero, by the generator")
for material in materials:
    rng = random.Random(material)
    fens = [board.fen() for board in (draw(rng, material) for _ in range(DRAWN)) if board]
    words = [command, "lookup", "--tables", directory, "--format", "json", "-"]
    said = subprocess.run(words, input="\n".join(fens), check=True, capture_output=True, text=True).stdout
    kinds = {}
    for line in map(json.loads, said.splitlines()):
        kinds.setdefault(line["outcome_50_moves"], []).append(line["fen"])
    for outcome in sorted(kinds):
        for fen in kinds[outcome][:EACH]:
            print(fen, outcome, sep="\t")
