#!/usr/bin/env python3
"""A slow, independent reader of .pcn files and of bundles.

Written from src/pcn/FORMAT.md alone, as a check of that text and of the real reader. It shares no code and no idea
with the latter: positions are plain tuples, clauses plain integers, and every clause is tried in turn.

    python3 pcn_reader.py FILE FEN...
    python3 pcn_reader.py FILE - < positions.txt

Prints one line for each position: win, draw, loss, or `error:` and the reason. Exit status: 0 fine, 2 usage, 3 when
the file is refused or a position had no answer. Needs the package `zstandard` for sections of codec 1. Ask for many
positions at once: some tables take minutes to answer the first, as all positions of a side have to be gone through.
"""

import sys

from chess import parse_fen, position_of, signatures
from container import open_file
from errors import BadPosition, Refused


def questions(arguments):
    for argument in arguments:
        if argument == "-":
            yield from (line.rstrip("\n") for line in sys.stdin)
        else:
            yield argument


def answers(file, fens):
    """A line for each FEN, and whether all had an answer."""
    lines = [None] * len(fens)
    asked = {}
    for number, fen in enumerate(fens):
        try:
            board, turn, en_passant = parse_fen(fen)
            given, exchanged = signatures(board)
            material = given if file.has(given) else exchanged
            if not file.has(material):
                raise BadPosition(f"the file has no table of {given}")
            asked.setdefault(material, []).append((number, board, turn, en_passant))
        except BadPosition as error:
            lines[number] = error
    for signature, positions in asked.items():
        try:
            table = file.table(signature)
            found = table.answers([position_of(table.material, *position[1:]) for position in positions])
        except Refused as error:
            if file.single:
                raise
            found = [error] * len(positions)
        for (number, *_), answer in zip(positions, found):
            lines[number] = answer
    good = all(isinstance(line, str) for line in lines)
    return [line if isinstance(line, str) else f"error: {line}" for line in lines], good


def main(arguments):
    if len(arguments) < 2 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        lines, good = answers(open_file(arguments[0]), list(questions(arguments[1:])))
    except (OSError, Refused) as error:
        print(f"error: {arguments[0]}: {error}", file=sys.stderr)
        return 3
    for line in lines:
        print(line)
    return 0 if good else 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
