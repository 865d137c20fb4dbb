#!/usr/bin/env python3
"""Compares outcomes with those of Syzygy's files, read by python-chess, which shares no code with cubebase.

    python3 -m pip install chess
    cubebase probe - < positions | paste positions - | python3 tools/answers/agree.py DIRECTORY_OF_RTBW_FILES

Each line of input is the FEN of a position of up to four men without castling rights, a tab, and win, draw or loss. Any other
answer is an error, which is right for illegal positions only. Exit code 1 when an answer is wrong, or when fewer than a hundred
thousand positions are legal.
"""

import sys

import chess
import chess.syzygy

NAMES = {-2: "loss", 0: "draw", 2: "win"}
POSITIONS = 100_000


def main():
    count = wrong = 0
    with chess.syzygy.open_tablebase(sys.argv[1]) as tables:
        for line in sys.stdin:
            fen, answer = line.rstrip("\n").split("\t")
            board = chess.Board(fen)
            # Positions with a check that no move can give count as legal, as in Syzygy's files.
            is_legal = board.status() in (chess.STATUS_VALID, chess.STATUS_IMPOSSIBLE_CHECK)
            # With up to four men the 50-move rule changes no outcome.
            expected = NAMES[tables.probe_wdl(board)] if is_legal else "an error"
            count += is_legal
            if answer != expected and (answer in NAMES.values() or is_legal):
                wrong += 1
                print(f"{fen}: {answer}, not {expected}", file=sys.stderr)
    print(f"{count} positions with an outcome, {wrong} wrong answers")
    return 1 if wrong or count < POSITIONS else 0


if __name__ == "__main__":
    sys.exit(main())
