#!/usr/bin/env python3
"""Positions of tables of five men that the 50-move rule makes draws, from outcome tables with distances to zeroing.

    python3 -m pip install chess
    python3 tools/answers/five_men_rule.py DIRECTORY_OF_DTZ cubebase MATERIAL... > fixtures/five-men-rule-answers.tsv

The generator's tables know nothing of the clauses that answer in the end, and their outcomes under the rule are those that are published
with Syzygy's files, counted (`cargo test -- --ignored published_counts_of_five_men`). Of each table and outcome under the rule up
to five random positions are printed. In some tables the rule draws one position in a million: then a walk from the one with the longest
distance finds some.
"""

import json
import random
import subprocess
import sys

import chess

from answers import draw

EACH = 5
DRAWN = 20_000
RULED = ("cursed-win", "blessed-loss")

directory, command, *materials = sys.argv[1:]


def said(*words, text=""):
    words = [command, *words, "--format", "json"]
    return subprocess.run(words, input=text, check=True, capture_output=True, text=True).stdout


def look_up(kinds, fens):
    """Adds the FENs to those of their outcome, which are the keys of a dictionary, in order."""
    for line in map(json.loads, said("lookup", "--tables", directory, "-", text="\n".join(fens)).splitlines()):
        kinds.setdefault(line["outcome_50_moves"], {})[line["fen"]] = None


def walk(kinds, fen):
    """From a position that the rule draws, by moves to others of the material and back to no earlier one."""
    look_up(kinds, [fen])
    seen = {fen}
    while fen is not None and min(len(kinds.get(kind, ())) for kind in RULED) < EACH:
        board = chess.Board(fen)
        after = []
        for move in [move for move in board.legal_moves if not board.is_zeroing(move)]:
            board.push(move)
            after.append(" ".join(board.fen().split()[:4]) + " 0 1")
            board.pop()
        look_up(kinds, after)
        new = [after for kind in RULED for after in kinds.get(kind, ()) if after not in seen]
        fen = new[-1] if new else None
        seen.add(fen)


print("# Made by tools/answers/five_men_rule.py: FEN, outcome under the 50-move rule from a counter of zero, by the generator")
for material in materials:
    rng = random.Random(material)
    kinds = {}
    look_up(kinds, [board.fen() for board in (draw(rng, material) for _ in range(DRAWN)) if board])
    kinds = {kind: dict.fromkeys(list(fens)[:EACH]) for kind, fens in kinds.items()}
    if not kinds.keys() & set(RULED):
        (table,) = json.loads(said("stats", f"{directory}/{material}.dtz"))["files"]
        if table["longest_plies"] > 100:
            walk(kinds, table["longest_fen"])
    for outcome in sorted(kinds):
        for fen in list(kinds[outcome])[:EACH]:
            print(fen, outcome, sep="\t")
