"""Reads records of a campaign, with a check of each line, and writes them whole or not at all."""

import contextlib
import csv
import hashlib
import io
import os
import re

from record import COLUMNS

COUNTS = COLUMNS[COLUMNS.index("white_wins") : COLUMNS.index("black_losses") + 1]
INTEGERS = {"effort", "bytes", "clauses", "leaves_with_exceptions", "pages", "positions_checked", *COUNTS[:3]}
OPTIONAL_INTEGERS = {"syzygy_bytes", "positions_compared_with_syzygy", *COUNTS[3:]}
WORDS = {
    "material": r"K[QRBNP]*vK[QRBNP]*",
    "model": r"[a-z]+",
    "effort": r"[1-4]",
    "sha256": r"[0-9a-f]{64}",
    "table_hash": r"[0-9a-f]{16}",
}


def check(line):
    """Raises ValueError if a line is inconsistent."""
    for column in COLUMNS:
        value = line[column]
        pattern = WORDS.get(column) or (
            r"\d+" if column in INTEGERS else r"\d*" if column in OPTIONAL_INTEGERS else r"(\d+(\.\d+)?(e-\d+)?)?"
        )
        if not re.fullmatch(pattern, value or "", re.ASCII):
            raise ValueError(f"{line['material']}: {column} is {value!r}" if value else f"{line['material']}: no {column}")
    white, black = line["material"][1:].split("vK")
    sides = {bool(line[column]) for column in COUNTS[3:]}
    if sides != {white != black}:
        raise ValueError(f"{line['material']}: positions with black to move are counted if and only if the sides' men differ")
    # If both sides have the same men, each position is counted once, but also checked with colours exchanged.
    checked = sum(int(line[column] or 0) for column in COUNTS) * (2 if white == black else 1)
    if int(line["positions_checked"]) != checked:
        raise ValueError(f"{line['material']}: positions_checked is {line['positions_checked']}, the outcomes add up to {checked}")
    ours, theirs, ratio = int(line["bytes"]), int(line["syzygy_bytes"] or 0), line["ratio"]
    if bool(theirs) != bool(ratio) or theirs and abs(float(ratio) - ours / theirs) > 0.000051:
        raise ValueError(f"{line['material']}: ratio {ratio or 'nothing'} is not that of {ours} to {theirs} bytes")


def read(path, rewritten=False):
    """The lines of a record. Unknown columns, of other versions, are allowed unless the file will be rewritten."""
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, restval="")
        try:
            lines, columns = list(reader), reader.fieldnames or []
        except csv.Error as error:
            raise ValueError(f"{path}: {error}") from error
        except UnicodeDecodeError as error:
            raise ValueError(f"{path}: it is not UTF-8, so no record") from error
    missing = [column for column in COLUMNS if column not in columns]
    further = [column for column in columns if column not in COLUMNS]
    if missing or further and rewritten:
        what = f"no column {missing[0]}" if missing else f"a column {further[0]} that is unknown here"
        raise ValueError(f"{path}: {what}: another version has written it")
    try:
        for line in lines:
            check(line)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    return [{column: line[column] for column in COLUMNS} for line in lines]


def text(lines):
    """A record as text: a line for each table, sorted by material."""
    written = io.StringIO()
    out = csv.DictWriter(written, COLUMNS, lineterminator="\n")
    out.writeheader()
    out.writerows(sorted(lines, key=lambda line: (line["material"], line["effort"])))
    return written.getvalue()


def write_whole(path, contents):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    try:
        with open(f"{path}.new", "wb") as file:
            file.write(contents)
            file.flush()
            os.fsync(file.fileno())
        os.replace(f"{path}.new", path)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.remove(f"{path}.new")
        error.filename = error.filename or path
        raise


def is_stored(line, store):
    """Whether a store has the file of a line; without a store every line counts."""
    return not store or sha256(f"{store}/{line['material']}.pcn") == line["sha256"]


def check_store(lines, store):
    """Raises ValueError if a file in a store is not that of its line in `lines`, the lines of the newest files."""
    lines = {line["material"]: line for line in lines}
    for name in sorted(os.listdir(store) if os.path.isdir(store) else []):
        material, extension = os.path.splitext(name)
        if extension == ".pcn" and (material not in lines or not is_stored(lines[material], store)):
            what = "is not the file of its line in the record" if material in lines else "has no line in the record"
            raise ValueError(f"{store}/{name} {what}: remove it, or take back the one that was committed")


def sha256(path):
    """The hash of a file, or None if it does not exist."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None
