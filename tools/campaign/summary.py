"""Summarizes a record of a campaign: sums, the worst tables, and a plot of bytes against Syzygy's.

usage: summary.py RECORD MEN                  prints Markdown for all tables of MEN men, 3 to 5
       summary.py RECORD MEN --plot           prints the plot (SVG)
       summary.py --best RECORD... --men MEN  prints one record of the smallest file of each table of MEN men (CSV)
"""

import csv
import math
import sys

WORST = 12
# The plot: the side of the square, the length of a decade, and the start of the axes.
SIDE, DECADE, EDGE = 640, 85, 60


def men(line):
    return len(line["material"]) - 1


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def best(paths, count):
    """The smallest file of each table, by Syzygy's bytes."""
    lines = {}
    for line in (line for path in paths for line in read(path)):
        old = lines.get(line["material"])
        if men(line) == count and (old is None or int(line["bytes"]) < int(old["bytes"])):
            lines[line["material"]] = line
    if not lines:
        sys.exit(f"no table of {count} men in these records")
    ordered = sorted(lines.values(), key=lambda line: int(line["syzygy_bytes"] or 0))
    out = csv.DictWriter(sys.stdout, list(ordered[0]), lineterminator="\n")
    out.writeheader()
    out.writerows(ordered)


def number(value):
    return f"{value:,.0f}"


def sums(name, lines):
    def total(column):
        return sum(float(line[column] or 0) for line in lines)

    ours, theirs = total("bytes"), total("syzygy_bytes")
    seconds = sum(total(f"{stage}_cpu_seconds") for stage in ("generate", "minimize", "verify"))
    efforts = sorted({line["effort"] for line in lines})
    positions = sum(total(f"{side}_{what}") for side in ("white", "black") for what in ("wins", "draws", "losses"))
    print(
        f"| {name} | {len(lines)} | {', '.join(efforts)} | {number(positions)} | {number(ours)} | {number(theirs)} "
        f"| {ours / theirs:.3f} | {number(total('clauses'))} | {seconds / 3600:.1f} |"
    )


def markdown(lines):
    print("| tables | number | effort | positions | bytes | Syzygy | ratio | clauses | cpu hours |")
    print("|---|---:|---|---:|---:|---:|---:|---:|---:|")
    for pawns in sorted({line["material"].count("P") for line in lines}):
        name = ("without pawns", "one pawn", "two pawns", "three pawns")[pawns]
        sums(name, [line for line in lines if line["material"].count("P") == pawns])
    sums("all", lines)
    print("\n| worst | bytes | Syzygy | ratio | clauses | leaves with exceptions | first answer, ms |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for line in sorted(lines, key=lambda line: -float(line["ratio"] or 0))[:WORST]:
        wait = line["first_answer_milliseconds"]
        print(
            f"| {line['material']} | {number(int(line['bytes']))} | {number(int(line['syzygy_bytes']))} | {line['ratio']} "
            f"| {number(int(line['clauses']))} | {number(int(line['leaves_with_exceptions']))} "
            f"| {wait and format(float(wait), '.3f')} |"
        )


def plot(lines):
    """The plot: our bytes upwards, Syzygy's to the right, both logarithmic; with lines for equal bytes and for a tenth."""

    def place(value):
        return EDGE + (math.log10(max(value, 10)) - 1) * DECADE

    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}" font-family="sans-serif" font-size="12">')
    print(f'<rect width="{SIDE}" height="{SIDE}" fill="white"/>')
    for exponent in range(1, 8):
        at, label = place(10**exponent), f"10<tspan dy='-5' font-size='9'>{exponent}</tspan>"
        print(f'<path d="M{EDGE} {SIDE - at}H{SIDE - 10}M{at} 10V{SIDE - EDGE}" stroke="#ddd"/>')
        print(f'<text x="{EDGE - 30}" y="{SIDE - at + 4}">{label}</text>')
        print(f'<text x="{at - 8}" y="{SIDE - EDGE + 20}">{label}</text>')
    for share, dash in ((1, ""), (10, ' stroke-dasharray="4 4"')):
        print(
            f'<path d="M{place(10 * share)} {SIDE - EDGE}L{place(1e7 * share)} {SIDE - place(1e7)}" stroke="#888"{dash}/>'
        )
    colours = ("#1b6ca8", "#d1495b", "#edae49", "#66a182")
    for line in lines:
        x, y = place(int(line["syzygy_bytes"])), SIDE - place(int(line["bytes"]))
        pawns = line["material"].count("P")
        print(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colours[pawns]}"><title>{line["material"]}</title></circle>')
    for pawns, name in enumerate(("no pawn", "one pawn", "two pawns", "three pawns")):
        print(f'<circle cx="{EDGE + 20}" cy="{30 + 18 * pawns}" r="4" fill="{colours[pawns]}"/>')
        print(f'<text x="{EDGE + 32}" y="{34 + 18 * pawns}">{name}</text>')
    print(f'<text x="{SIDE / 2 - 60}" y="{SIDE - 12}">bytes of Syzygy\'s file</text>')
    print(f'<text transform="translate(16 {SIDE / 2 + 60}) rotate(-90)">bytes of the .pcn file</text>')
    print("</svg>")


def main():
    match sys.argv[1:]:
        case ["--best", *records, "--men", count] if records and count.isdigit():
            best(records, int(count))
        case [record, count, *rest] if count in ("3", "4", "5") and rest in ([], ["--plot"]):
            lines = [line for line in read(record) if men(line) == int(count)]
            (plot if rest else markdown)(lines)
        case _:
            sys.exit(__doc__.strip().split("\n\n", 1)[1])


if __name__ == "__main__":
    main()
