#!/usr/bin/env python3
"""Checks the outcomes of all positions of up to four men with castling rights, which this program solves itself.

    python3 -m pip install chess
    python3 tools/answers/castling.py DIRECTORY_OF_RTBW_FILES cubebase probe -

The moves are those of python-chess, and outcomes without rights those of Syzygy's files, which python-chess reads: nothing is
shared with cubebase. The words after the directory are a command that takes a FEN a line and answers each with win, draw or
loss. Half of the positions are asked with the colours exchanged. Exit code 1 when one answer differs.
"""

import itertools
import subprocess
import sys

import chess
import chess.syzygy

MEN = "QRBNP"
# A material with pawns comes after those that its promotions lead to.
MATERIALS = ["KRvK"] + [f"KR{a}vK" for a in "QRBN"] + [f"K{a}vK{b}" for a, b in ("QR", "RR", "RB", "RN")]
MATERIALS = [name.replace("KRQ", "KQR") for name in MATERIALS] + ["KRPvK", "KRvKP"]
ROOKS = {"K": chess.H1, "Q": chess.A1, "k": chess.H8, "q": chess.A8}
NAMES = {1: "win", 0: "draw", -1: "loss"}


def rights_of(men):
    """The sets of castling rights for which there are rooks, each with the men that it holds and their squares."""
    for letters in itertools.chain.from_iterable(itertools.combinations("KQkq", n) for n in range(1, 5)):
        held = [("R" if right.isupper() else "r", ROOKS[right]) for right in letters]
        held += [("K", chess.E1)] if set(letters) & {"K", "Q"} else []
        held += [("k", chess.E8)] if set(letters) & {"k", "q"} else []
        free = list(men)
        for letter, _ in held:
            if letter not in free:
                break
            free.remove(letter)
        else:
            yield "".join(letters), held, free


def positions(material):
    """Every legal position with castling rights, either side to move, each once."""
    white, black = material.split("v")
    for letters, held, free in rights_of(white + black.lower()):
        seen = set()
        taken = {square for _, square in held}
        for squares in itertools.permutations([s for s in chess.SQUARES if s not in taken], len(free)):
            placed = frozenset(zip(free, squares))
            if placed in seen:
                continue
            seen.add(placed)
            for turn in chess.COLORS:
                board = chess.Board(None)
                for letter, square in itertools.chain(held, placed):
                    board.set_piece_at(square, chess.Piece.from_symbol(letter))
                board.castling_rights = sum(chess.BB_SQUARES[ROOKS[letter]] for letter in letters)
                board.turn = turn
                # Positions with a check that no move can give count as legal, as in Syzygy's files.
                if board.status() in (chess.STATUS_VALID, chess.STATUS_IMPOSSIBLE_CHECK):
                    yield board


def known(board, values, tables):
    """The outcome of a position of another material or with fewer rights."""
    if not board.castling_rights:
        # With up to four men the 50-move rule changes no outcome.
        return 0 if board.occupied.bit_count() == 2 else tables.probe_wdl(board) // 2
    key = board._transposition_key()
    return values[key] if key in values else values[board.mirror()._transposition_key()]


def solve(boards, values, tables):
    """Adds the outcomes of the positions of one material to `values`."""
    for rights in sorted({board.castling_rights for board in boards}, key=int.bit_count):
        best, inside = {}, {}
        for board in (board for board in boards if board.castling_rights == rights):
            men, key = board.occupied.bit_count(), board._transposition_key()
            outside, inside[key], pawns = [], [], board.pawns
            moves = list(board.legal_moves)
            for move in moves:
                board.push(move)
                stays = board.castling_rights == rights and board.occupied.bit_count() == men
                if stays and board.pawns.bit_count() == pawns.bit_count():
                    inside[key].append(board._transposition_key())
                else:
                    outside.append(-known(board, values, tables))
                board.pop()
            if not moves:
                outside.append(-1 if board.is_check() else 0)
            best[key] = max(outside, default=-1)
        open_keys = set(best)
        while True:
            won = {key for key in open_keys if best[key] == 1 or any(values.get(c) == -1 for c in inside[key])}
            lost = {k for k in open_keys - won if best[k] == -1 and all(values.get(c) == 1 for c in inside[k])}
            values.update(dict.fromkeys(won, 1) | dict.fromkeys(lost, -1))
            open_keys -= won | lost
            if not won and not lost:
                break
        values.update(dict.fromkeys(open_keys, 0))


def main():
    values, wrong = {}, 0
    with chess.syzygy.open_tablebase(sys.argv[1], load_dtz=False) as tables:
        for material in MATERIALS:
            boards = list(positions(material))
            solve(boards, values, tables)
            asked = [board if number % 2 else board.mirror() for number, board in enumerate(boards)]
            lines = "".join(board.fen() + "\n" for board in asked)
            answers = subprocess.run(sys.argv[2:], input=lines, text=True, stdout=subprocess.PIPE).stdout.split("\n")
            expected = [NAMES[values[board._transposition_key()]] for board in boards]
            differ = [triple for triple in zip(asked, expected, answers[: len(asked)]) if triple[1] != triple[2]]
            differ += [None] * (len(asked) + 1 - len(answers))
            for board, outcome, answer in filter(None, differ[:10]):
                print(f"{board.fen()}: {answer}, not {outcome}", file=sys.stderr)
            print(f"{material}: {len(boards)} positions with castling rights, {len(differ)} wrong answers", flush=True)
            wrong += len(differ)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
