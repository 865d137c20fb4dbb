"""Compares the speed of probing with python-chess's own probing of Syzygy files, in the same run.

bench.py [--syzygy DIR] [--positions N] [--runs N] [--format csv]

Random legal positions of four men, each also as FEN text. A run asks all of them in each way in turn. The columns are
nanoseconds a position: of the quickest, the median and the slowest run, and the median processor time of all threads. On a
busy machine, compare processor times. As CSV it is a record for tools/bench/records.
"""

import argparse
import os
import pathlib
import random
import statistics
import subprocess
import sys
import time

import chess
import chess.syzygy

import cubebase


def random_boards(count):
    """Legal positions of four men without castling rights and en passant, the same in every run."""
    numbers = random.Random(1)
    boards = []
    while len(boards) < count:
        board = chess.Board(None)
        men = [chess.Piece(chess.KING, color) for color in chess.COLORS]
        men += [chess.Piece(numbers.randrange(chess.PAWN, chess.KING), numbers.choice(chess.COLORS)) for _ in range(2)]
        for man, square in zip(men, numbers.sample(chess.SQUARES, 4)):
            board.set_piece_at(square, man)
        board.turn = numbers.choice(chess.COLORS)
        if board.is_valid():
            boards.append(board)
    return boards


def one_by_one(probe, positions):
    """A function that probes each position with one call."""

    def ask():
        for position in positions:
            probe(position)

    return ask


def attributes(board):
    """The attributes of a board that any prober must read: a lower bound for the time of a prober outside python-chess."""
    return (board.occupied_co, board.queens, board.rooks, board.bishops, board.knights, board.pawns, board.turn,
            board.ep_square, board.castling_rights)  # fmt: skip


def origin():
    """The machine, commit and command of the figures."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    cpu = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown")
    command = ["git", "-C", pathlib.Path(__file__).parent, "describe", "--always", "--dirty"]
    commit = subprocess.run(command, capture_output=True, text=True).stdout.strip() or "unknown"
    return [
        f"# bench.py {' '.join(sys.argv[1:])}",
        f"# cpu: {cpu}, threads: {os.cpu_count()}, python: {sys.version.split()[0]}, chess: {chess.__version__}",
        f"# commit: {commit}",
    ]


def main():
    parser = argparse.ArgumentParser(description="Measures probing beside python-chess's own.")
    parser.add_argument("--syzygy", metavar="DIR", help="Syzygy files for python-chess; without them ours is measured alone")
    parser.add_argument("--positions", type=int, default=100_000, metavar="N")
    parser.add_argument("--runs", type=int, default=7, metavar="N")
    parser.add_argument("--format", choices=("text", "csv"), default="text")
    arguments = parser.parse_args()
    is_csv = arguments.format == "csv"
    boards = random_boards(arguments.positions)
    texts = [board.fen() for board in boards]
    tablebase = cubebase.open_tablebase()
    ways = {
        "probe_wdl(board)": one_by_one(tablebase.probe_wdl, boards),
        "probe_wdl(FEN)": one_by_one(tablebase.probe_wdl, texts),
        "probe_many(boards)": lambda: tablebase.probe_many(boards),
        "probe_many(FENs)": lambda: tablebase.probe_many(texts),
        "a board's attributes, in Python": one_by_one(attributes, boards),
    }
    if arguments.syzygy:
        syzygy = chess.syzygy.open_tablebase(arguments.syzygy)
        # Much slower, so only a part is measured.
        part = boards[: max(1, len(boards) // 20)]
        ways["python-chess, Syzygy"] = one_by_one(syzygy.probe_wdl, part)
        if [syzygy.probe_wdl(board) for board in part] != tablebase.probe_many(part).tolist():
            raise SystemExit("outcomes differ from those of Syzygy")
    if is_csv:
        print(*origin(), "way,min_ns,median_ns,max_ns,processor_ns", sep="\n")
    else:
        print(f"{'nanoseconds a position':32}{'min':>8}{'median':>8}{'max':>8}{'processor':>11}")
    times = {name: [] for name in ways}
    for _ in range(arguments.runs):
        for name, ask in ways.items():
            wall, processor = time.perf_counter_ns(), time.process_time_ns()
            ask()
            count = len(part) if name.startswith("python-chess") else len(boards)
            times[name].append(((time.perf_counter_ns() - wall) / count, (time.process_time_ns() - processor) / count))
    for name, runs in times.items():
        walls, processors = zip(*runs)
        figures = [f"{figure:.0f}" for figure in (min(walls), statistics.median(walls), max(walls), statistics.median(processors))]
        if is_csv:
            print(name.replace(",", ""), *figures, sep=",")
        else:
            print(f"{name:32}" + "".join(f"{figure:>{width}}" for figure, width in zip(figures, (8, 8, 8, 11))))


if __name__ == "__main__":
    main()
