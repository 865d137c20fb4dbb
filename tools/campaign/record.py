"""Prints the record of a campaign: a line for each table, from the output of the commands and the measurements.

usage: record.py CUBEBASE MODEL-EFFORT/verified/TABLE.json...   in the directory of the campaign; prints CSV

During a campaign, give the existing files to print the finished lines.
"""

import csv
import hashlib
import json
import os
import subprocess
import sys

STAGES = ("generate", "minimize", "verify")
COLUMNS = [
    *("material", "model", "effort", "bytes", "syzygy_bytes", "ratio", "clauses", "leaves_with_exceptions", "pages"),
    *("first_answer_milliseconds", "sha256"),
    *("table_hash", "white_wins", "white_draws", "white_losses", "black_wins", "black_draws", "black_losses"),
    *("positions_checked", "positions_compared_with_syzygy"),
    *(f"{stage}_{what}" for stage in STAGES for what in ("cpu_seconds", "mebibytes")),
]


def said(*command, about="files"):
    """A command's JSON output about one file."""
    printed = subprocess.run([*command, "--format", "json"], check=True, stdout=subprocess.PIPE).stdout
    [file] = json.loads(printed)[about]
    return file


def measured(made, stage, table):
    """Processor seconds and mebibytes of a stage; None if not recorded."""
    place = "." if stage == "generate" else made
    try:
        with open(f"{place}/measured/{stage}/{table}.json", encoding="utf-8") as file:
            noted = json.load(file)
    except FileNotFoundError:
        return "", ""
    return noted["cpu_seconds"], noted["mebibytes"]


def line(cubebase, verified):
    made, table = os.path.dirname(os.path.dirname(verified)), os.path.splitext(os.path.basename(verified))[0]
    pcn, wdl = f"{made}/pcn/{table}.pcn", f"wdl/{table}.dtz"
    wdl = wdl if os.path.exists(wdl) else f"wdl/{table}.wdl"
    with open(pcn, "rb") as file:
        sha256 = hashlib.sha256(file.read()).hexdigest()
    with open(verified, encoding="utf-8") as file:
        [checked] = json.load(file)["files"]
    file, solved = said(cubebase, "info", pcn), said(cubebase, "info", wdl)
    if not checked["right"] or file["table_hash"] != solved["hash"]:
        raise ValueError(f"{table}: not the table that was checked")
    syzygy = said(cubebase, "compare", pcn, about="tables")["syzygy_bytes"]
    sides = file["sides"]
    counts = {side["turn"]: [side[outcome] for outcome in ("win", "draw", "loss")] for side in solved["positions"]}
    nothing = ["", "", ""]
    return [
        *(table, file["model"], made.rsplit("-", 1)[-1], file["bytes"], syzygy),
        *(round(file["bytes"] / syzygy, 4) if syzygy else "", file["clauses"]),
        *(sum(side.get(what) or 0 for side in sides) for what in ("leaves_with_exceptions", "pages")),
        *(checked.get("first_answer_milliseconds", ""), sha256, solved["hash"]),
        *(*counts.get("white", nothing), *counts.get("black", nothing)),
        *(checked["positions"], checked["positions_compared_with_syzygy"]),
        *(value for stage in STAGES for value in measured(made, stage, table)),
    ]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip().splitlines()[2])
    cubebase, *verified = sys.argv[1:]
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(COLUMNS)
    try:
        out.writerows(line(cubebase, file) for file in verified)
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(error.cmd)}: exit status {error.returncode}")
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
