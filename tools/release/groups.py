"""Prints the files of each bundle: a line for each number of pawns, with the files of a directory that are in the record.

python3 tools/release/groups.py docs/five-men.csv DIR

A file is in the record if its hash is that of its table's line."""

import csv
import hashlib
import pathlib
import sys

record, directory = sys.argv[1], pathlib.Path(sys.argv[2])
groups = {}
for line in csv.DictReader(open(record, encoding="utf-8")):
    file = directory / f"{line['material']}.pcn"
    if not file.is_file():
        continue
    if hashlib.sha256(file.read_bytes()).hexdigest() != line["sha256"]:
        print(f"{file}: not the file of the record", file=sys.stderr)
        continue
    groups.setdefault(line["material"].count("P"), []).append(file.name)
for pawns, files in sorted(groups.items()):
    name = {0: "no-pawns", 1: "1-pawn"}.get(pawns, f"{pawns}-pawns")
    print(name, *files)
