#!/usr/bin/env python3
"""Compares the outcomes under the 50-move rule in tables with distances to zeroing with published counts (fixtures/dtz-outcomes.tsv).

    python3 tools/answers/dtz_outcomes.py cubebase TABLE.dtz...

The publication tells identical men apart. So its counts are multiples of ours, but not where such men stand symmetrically without
pawns; and it counts no position with an en-passant capture. Tables of either kind, and those that are not published, are named and
passed over.
"""

import collections
import json
import math
import pathlib
import subprocess
import sys

OUTCOMES = ["win", "cursed-win", "draw", "blessed-loss", "loss"]

command, *paths = sys.argv[1:]
published = {}
for row in (pathlib.Path(__file__).parents[2] / "fixtures/dtz-outcomes.tsv").read_text().splitlines():
    material, turn, *counts = row.split()
    if turn in ("white", "black"):
        published[material, turn] = list(map(int, counts))
differing = 0
for path in paths:
    said = subprocess.run([command, "stats", path, "--format", "json"], check=True, stdout=subprocess.PIPE).stdout
    [table] = json.loads(said)["files"]
    material = table["material"]
    sides = material.split("v")
    arrangements = math.prod(math.factorial(count) for side in sides for count in collections.Counter(side).values())
    if (material, "white") not in published or arrangements > 1 and "P" not in material or all("P" in side for side in sides):
        print(f"{material}: not compared")
        continue
    for side in table["positions_50_moves"]:
        ours = [arrangements * side[outcome] for outcome in OUTCOMES]
        theirs = published[material, side["turn"]]
        differing += ours != theirs
        print(f"{material}, {side['turn']} to move: {'equal' if ours == theirs else f'{ours}, published {theirs}'}")
sys.exit(1 if differing else 0)
