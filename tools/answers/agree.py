#!/usr/bin/env python3
"""Whether outcomes are those of Syzygy's files, read by python-chess, which shares no code with cubebase.

    python3 -m pip install chess
    cubebase probe - < positions | paste positions - | python3 tools/answers/agree.py DIRECTORY_OF_RTBW_FILES

Each line of input is the FEN of a position of up to four men without castling rights, a tab, and win, draw or loss. Any other
answer is an error, and must be of a position that cannot be. Exit code 1 when one differs or there are not a hundred
thousand.
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
            # A check that no move can have given is let pass, as by Syzygy's files.
            is_legal = board.status() in (chess.STATUS_VALID, chess.STATUS_IMPOSSIBLE_CHECK)
            # Of so few men none is won or lost that the 50-move rule makes a draw.
            expected = NAMES[tables.probe_wdl(board)] if is_legal else "an error"
            count += is_legal
            if answer != expected and (answer in NAMES.values() or is_legal):
                wrong += 1
                print(f"{fen}: {answer}, not {expected}", file=sys.stderr)
    print(f"{count} positions with an outcome, {wrong} wrong answers")
    return 1 if wrong or count < POSITIONS else 0


if __name__ == "__main__":
    sys.exit(main())
