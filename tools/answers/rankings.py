#!/usr/bin/env python3
"""Plays won positions by rankings: the attacker as cubebase plans, the defender as long as exact distances let it resist. The rules
are those of python-chess, which shares no code with cubebase. Whether a position is still won is asked of Syzygy's files; the distances
are those of `cubebase probe --distance`, which distances.py compares with Syzygy's: python-chess would take most of the time for them.

    python3 -m pip install chess
    python3 tools/answers/rankings.py RTBW RANKINGS cubebase 500 1 KQvK KRvK KBNvK

The arguments are a directory of .rtbw files, one of .rank.pcn files or their bundle, the command, the number of games for each material,
and a seed.
With `all` in place of a number, games of three men start from every won position with White, the attacker, to move. Positions that
are mirrored or turned count once, except on a diagonal.
Either colour and either side may be the attacker. A game is won by mate, or by a capture or a pawn move after which the attacker still
wins, within 50 moves. Any other game is a failure, and the exit code is 1. With `--random` the attacker plays random moves, and
games must fail.
"""

import itertools
import random
import subprocess
import sys
import time

import chess
import chess.syzygy

from answers import draw

PLIES = 100


def planned(command, boards):
    """The move that the command plans for each board, or its answer where there is none, and the seconds it took."""
    start = time.perf_counter()
    fens = "".join(board.fen() + "\n" for board in boards)
    answers = subprocess.run(command, input=fens, stdout=subprocess.PIPE, text=True).stdout.split("\n\n")
    seconds = time.perf_counter() - start
    return [answer.strip() for answer in answers if answer.strip()], seconds


def replies(program, rng, boards):
    """The defender's move on each board with the longest distance after it; captures and pawn moves come last."""
    after = []
    for board in boards:
        for move in board.legal_moves:
            board.push(move)
            after.append(board.fen())
            board.pop()
    words = [program, "probe", "--distance", "-"]
    said = subprocess.run(words, input="\n".join(after), stdout=subprocess.PIPE, text=True, check=True).stdout
    distances = (int(line.split()[1]) for line in said.splitlines())
    for board in boards:
        values = [(next(distances), rng.random(), move) for move in board.legal_moves]
        values = [(0 if board.is_zeroing(move) else distance, *rest, move) for distance, *rest, move in values]
        yield max(values, key=lambda value: value[:2])[2]


def every_start(tables, material):
    """Every won position of three men with the stronger side, White, to move."""
    if len(material) != 4:
        sys.exit(f"{material}: every position is played with three men only")
    man = chess.Piece.from_symbol(material[1])
    has_pawn = man.piece_type == chess.PAWN

    def is_first(king):
        """Whether no mirrored or turned square comes before this one of the black king."""
        file, rank = chess.square_file(king), chess.square_rank(king)
        return file < 4 and (has_pawn or rank <= file)

    for squares in itertools.permutations(chess.SQUARES, 3):
        if not is_first(squares[0]):
            continue
        board = chess.Board(None)
        for square, piece in zip(squares, (chess.Piece.from_symbol("k"), chess.Piece.from_symbol("K"), man)):
            board.set_piece_at(square, piece)
        if board.is_valid() and tables.probe_wdl(board) > 0:
            yield board, chess.WHITE


def start_positions(tables, rng, material, count):
    """Won positions without a mate on the board, each with its attacker."""
    if count == "all":
        return list(every_start(tables, material))
    games, count = [], int(count)
    for _ in range(1000 * count):
        board = draw(rng, material)
        if board is None or board.is_game_over():
            continue
        value = tables.probe_wdl(board)
        attacker = board.turn if value > 0 else not board.turn
        # Half of the games have a white attacker.
        if value != 0 and attacker == (len(games) % 2 == 0):
            games.append((board, attacker))
        if len(games) == count:
            break
    return games


def main():
    is_random = "--random" in sys.argv
    rtbw, rankings, program, count, seed, *materials = [word for word in sys.argv[1:] if word != "--random"]
    tables = chess.syzygy.Tablebase()
    tables.add_directory(rtbw)
    command = [program, "moves", "--plan", "--tables", rankings, "-"]
    wrong = 0
    for material in materials:
        rng = random.Random(f"{seed} {material}")
        open_games = [(board, attacker, board.fen()) for board, attacker in start_positions(tables, rng, material, count)]
        games, failures, longest, asked, seconds = len(open_games), [], 0, 0, 0.0
        stronger = sorted(material.split("v")[0])
        by_weaker = sum(
            sorted(man.symbol().upper() for man in board.piece_map().values() if man.color == attacker) != stronger
            for board, attacker, _ in open_games
        )
        starting = min(planned(command, [])[1] for _ in range(3))
        for ply in range(1, PLIES + 1):
            to_plan = [board for board, attacker, _ in open_games if board.turn == attacker]
            plans, spent = planned(command, to_plan) if to_plan else ([], 0.0)
            asked, seconds = asked + len(to_plan), seconds + max(0.0, spent - starting if to_plan else 0.0)
            if len(plans) != len(to_plan):
                sys.exit(f"{material}: {len(plans)} answers for {len(to_plan)} positions")
            plans = iter(plans)
            defences = replies(program, rng, [board for board, attacker, _ in open_games if board.turn != attacker])
            still_open = []
            for board, attacker, fen in open_games:
                if board.turn == attacker:
                    answer = next(plans)
                    moves = [move for move in board.legal_moves if move.uci() == answer.split()[0]]
                    if not moves:
                        failures.append(f"{fen}: after {ply - 1} plies, at {board.fen()}: {answer}")
                        continue
                    move = rng.choice(list(board.legal_moves)) if is_random else moves[0]
                else:
                    move = next(defences)
                is_conversion = board.is_zeroing(move)
                board.push(move)
                if board.is_checkmate():
                    longest = max(longest, ply)
                    continue
                value = 0 if board.is_stalemate() else tables.probe_wdl(board)
                if (value if board.turn == attacker else -value) != 2:
                    failures.append(f"{fen}: after {ply} plies, at {board.fen()}: no longer won")
                elif is_conversion:
                    longest = max(longest, ply)
                else:
                    still_open.append((board, attacker, fen))
            open_games = still_open
            if not open_games:
                break
        failures += [f"{fen}: no conversion within {PLIES} plies" for _, _, fen in open_games]
        for failure in failures:
            print(failure)
        wrong += len(failures) + (games == 0)
        print(
            f"{material}: {games} games, {by_weaker} won by the weaker side, longest {longest} plies, {len(failures)} failures, "
            f"{1000 * seconds / max(asked, 1):.2f} ms a position",
            flush=True,
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
