#!/usr/bin/env python3
"""A slow, independent reader of .pcn files and of bundles.

Written from src/pcn/FORMAT.md alone, as a check of that text and of the real reader. It shares no code with the latter
and is simpler: squares are a tuple, a clause is an integer, and every clause is tried in turn.

    python3 pcn_reader.py [--rule] FILE FEN...
    python3 pcn_reader.py FILE - < positions.txt

Prints one line for each position: win, draw, loss, or `error:` and the reason; with --rule the outcome
under the 50-move rule, cursed-win and blessed-loss too. From a file of distances: the distance to zeroing of a won position; from a ranking: its level. Exit status: 0 fine, 2 usage, 3 when
the file is refused or a position had no answer. Needs the package `zstandard` for sections of codec 1.
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


def answer(file, fen, by_rule):
    """The outcome of the position, or its distance, or the error."""
    try:
        board, turn, en_passant, castling = parse_fen(fen)
        given, exchanged = signatures(board)
        material = given if file.has(given) else exchanged
        if not file.has(material):
            raise BadPosition(f"the file has no table of {given}")
        table = file.table(material)
        position = position_of(table.material, board, turn, en_passant, castling)
        return table.answer_under_rule(position) if by_rule else table.answer(position)
    except (BadPosition, Refused) as error:
        return error


def main(arguments):
    by_rule = arguments[:1] == ["--rule"]
    arguments = arguments[by_rule:]
    if len(arguments) < 2 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        file = open_file(arguments[0])
    except (OSError, Refused) as error:
        print(f"error: {arguments[0]}: {error}", file=sys.stderr)
        return 3
    status = 0
    for fen in questions(arguments[1:]):
        found = answer(file, fen, by_rule)
        if not isinstance(found, str):
            found, status = f"error: {found}", 3
        print(found)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
