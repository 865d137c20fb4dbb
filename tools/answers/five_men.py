#!/usr/bin/env python3
"""Ten positions of each table of five men with their outcomes, without the 50-move rule.

    python3 -m pip install chess
    python3 tools/answers/five_men.py DIRECTORY_OF_PCN DIRECTORY_OF_RTBW,... cubebase > fixtures/five-men-answers.tsv

Where Syzygy has a file in one of the directories, python-chess reads the outcome from it. Elsewhere python-chess makes all legal
moves of a position, the command answers the positions after them, and the best of these answers is the outcome. So a table is never
asked about the position itself. A position that promotes into a table without a file is left out. Positions are drawn at random from a seed for each table, some with en passant; of each side to move
and outcome as many as of the others, as far as there are some.
"""

import itertools
import pathlib
import random
import subprocess
import sys

import chess
import chess.syzygy

from answers import draw

EACH = 10
DRAWN = 1000
VALUES = {"win": 1, "draw": 0, "loss": -1}
NAMES = {value: name for name, value in VALUES.items()}


def by_syzygy(tablebase, boards):
    """The outcomes by Syzygy's file, or None where there is none."""
    try:
        return [(value > 0) - (value < 0) for value in map(tablebase.probe_wdl, boards)]
    except KeyError:
        return None


def sides(board):
    """The men of the two sides, the sides in no order."""
    letter = lambda square: board.piece_at(square).symbol().upper()
    return frozenset("".join(sorted(map(letter, chess.SquareSet(side)))) for side in board.occupied_co)


def after_moves(board):
    """The board after each legal move."""
    for move in board.legal_moves:
        after = board.copy(stack=False)
        after.push(move)
        yield after


def by_moves(command, directory, boards):
    """The outcomes by the answers to the positions after all moves."""
    after = [next_board.fen() for board in boards for next_board in after_moves(board)]
    words = [command, "probe", "--tables", directory, "-"]
    said = iter(subprocess.run(words, input="\n".join(after), check=True, capture_output=True, text=True).stdout.split())
    for board in boards:
        values = [-VALUES[next(said)] for _ in board.legal_moves]
        yield max(values) if values else -int(board.is_check())


def main():
    directory, theirs, command = sys.argv[1:]
    tablebase = chess.syzygy.Tablebase()
    for path in theirs.split(","):
        tablebase.add_directory(path, load_dtz=False)
    print("# Made by tools/answers/five_men.py: FEN, outcome for the side to move, by Syzygy's file or by the moves")
    materials = sorted(path.stem for path in pathlib.Path(directory).glob("*.pcn"))
    stored = {frozenset("".join(sorted(side)) for side in material.split("v")) for material in materials}
    for material in materials:
        rng = random.Random(material)
        boards = list(filter(None, (draw(rng, material) for _ in range(DRAWN))))
        values = by_syzygy(tablebase, boards)
        source = "moves" if values is None else "syzygy"
        if values is None:
            known = lambda board: len(board.piece_map()) < 5 or sides(board) in stored
            boards = [board for board in boards if all(map(known, after_moves(board)))]
        kinds = {}
        for board, value in zip(boards, by_moves(command, directory, boards) if values is None else values):
            kinds.setdefault((board.turn, board.ep_square is not None, value), []).append(board.fen())
        # A position of each kind, then a second one of each, and so on.
        rounds = itertools.zip_longest(*(kinds[kind] for kind in sorted(kinds)))
        found = ((fen, kind) for fens in rounds for fen, kind in zip(fens, sorted(kinds)) if fen)
        for fen, (_, _, value) in itertools.islice(found, EACH):
            print(fen, NAMES[value], source, sep="\t")


if __name__ == "__main__":
    main()
